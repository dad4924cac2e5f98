//! Games, weights learnt from them, and whether they are any good: the whole way in small.

use std::fs;
use std::process::{Output, Stdio};
use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

use checkers_bot_test::{
    Adjudication, BotId, Forfeits, Format, Openings, RunConfig, Standings, Tournament,
    TournamentPlan,
};
use checkers_lib::{DrawRules, openings};
use test_support::stderr;

use crate::support::{Dir, lab};

fn run(dir: &Dir, args: &str) -> Output {
    test_support::run(&mut dir.lab(args))
}

/// What a command is refused with.
fn refused(dir: &Dir, args: &str) -> String {
    stderr(&mut dir.lab(args), 1)
}

const PLAY: &str = "selfplay --bot champion:eval=hand,tt=1 --nodes 60 --seed 7";

/// The share of the points in 40 pairs of games that weights have against others.
fn share_of_points(dir: &Dir, weights: &str, others: &str) -> f64 {
    let participant = |file: &str| {
        let participant = format!("champion:tt=1,weights={}@nodes=60", dir.path(file));
        participant.parse().unwrap()
    };
    let plan = Arc::new(TournamentPlan {
        format: Format::Match { games: 80 },
        participants: vec![participant(weights), participant(others)],
        swap: true,
        openings: Openings {
            source: "the built-in suite".to_owned(),
            seed: None,
            list: openings::suite(),
        },
        draw_rules: DrawRules::Fmjd64,
        adjudication: Adjudication {
            max_plies: Some(220),
            ..Adjudication::default()
        },
        forfeits: Forfeits::Loss,
        in_process: true,
        keep_lines: false,
    });
    let tournament = Tournament {
        plan: Arc::clone(&plan),
        config: Arc::new(RunConfig::in_process(2)),
        journal: None,
        played: Vec::new(),
    };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let played = runtime.block_on(tournament.play(&mut ())).unwrap();
    let standings = Standings::of(2, true, &played.pairs).unwrap();
    assert_eq!(standings.evidence.games, 80);
    standings.bot(BotId::FIRST).points / 80.0
}

/// The losses on games held out, before and after training.
fn losses(output: &Output) -> (f64, f64) {
    let text = String::from_utf8_lossy(&output.stderr);
    let held_out = |line: &str| -> f64 {
        let number = line.split("held out ").nth(1).unwrap();
        number.split(',').next().unwrap().parse().unwrap()
    };
    let lines: Vec<f64> = text
        .lines()
        .filter(|l| l.contains(": loss "))
        .map(held_out)
        .collect();
    (
        lines[0],
        lines.iter().copied().fold(f64::INFINITY, f64::min),
    )
}

#[test]
fn what_is_learnt_from_games_plays_better() {
    let dir = Dir::new();
    run(&dir, &format!("{PLAY} --games 512 --out some.games"));
    for model in ["net", "patterns"] {
        let train = format!("train some.games --model {model} --batch 128");
        run(&dir, &format!("{train} --epochs 0 --out untrained.weights"));
        let trained = run(&dir, &format!("{train} --epochs 4 --out trained.weights"));
        let (before, after) = losses(&trained);
        assert!(after < before - 0.03, "{model}: from {before} to {after}");
        let share = share_of_points(&dir, "trained.weights", "untrained.weights");
        assert!(share > 0.6, "{model}: {share} of the points");
    }
}

#[test]
fn a_run_that_was_killed_goes_on_and_leaves_the_same_games() {
    let dir = Dir::new();
    let play = |out: &str| format!("{PLAY} --games 96 --threads 1 --out {out}");
    run(&dir, &play("whole.games"));
    let whole = dir.read("whole.games");

    let mut killed = dir
        .lab(&play("killed.games"))
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let written = || fs::metadata(dir.path("killed.games")).map_or(0, |file| file.len());
    while written() < 1_000 && killed.try_wait().unwrap().is_none() {
        sleep(Duration::from_millis(2));
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    // As a kill in the middle of a block leaves it.
    let mut torn = dir.read("killed.games");
    torn.extend(&whole[torn.len()..][..100.min(whole.len() - torn.len())]);
    dir.write("killed.games", &torn);
    run(&dir, &play("killed.games"));
    assert!(dir.read("killed.games") == whole);

    // As a kill before the first block leaves it.
    dir.write("begun.games", &whole[..20]);
    run(
        &dir,
        &format!("{PLAY} --games 32 --threads 1 --out begun.games"),
    );
    let begun = dir.read("begun.games");
    assert!(begun.len() > 1_000 && whole.starts_with(&begun));

    // More games go on from there, and more threads play the same ones.
    let more = |out: &str, threads| format!("{PLAY} --games 160 --threads {threads} --out {out}");
    run(&dir, &more("killed.games", 1));
    run(&dir, &more("threads.games", 3));
    let train = |games: &str| format!("train {games} --epochs 1 --out {games}.net");
    run(&dir, &train("killed.games"));
    run(&dir, &train("threads.games"));
    assert!(dir.read("killed.games.net") == dir.read("threads.games.net"));
}

#[test]
fn what_is_damaged_or_something_else_is_refused() {
    let dir = Dir::new();
    run(&dir, &format!("{PLAY} --games 32 --out some.games"));
    let other = refused(
        &dir,
        "selfplay --bot champion:tt=1 --nodes 61 --games 32 --out some.games",
    );
    assert!(other.contains("other settings"), "{other}");
    let device = refused(
        &dir,
        "selfplay --bot champion:tt=1 --games 32 --out /dev/null",
    );
    assert!(device.contains("it is no regular file"), "{device}");

    let mut bytes = dir.read("some.games");
    let last = bytes.len() - 5;
    bytes[last] ^= 1;
    dir.write("damaged.games", &bytes);
    let damaged = refused(&dir, "train damaged.games --out some.net");
    assert!(
        damaged.contains("damaged.games is no file of games"),
        "{damaged}"
    );
    assert!(!fs::exists(dir.path("some.net")).unwrap());

    dir.write("odd.net", b"RDGAMES");
    let odd = refused(
        &dir,
        "selfplay --weights odd.net --games 32 --out other.games",
    );
    assert!(odd.contains("cannot use the weights of odd.net"), "{odd}");
    let missing = refused(&dir, "train nothing.games --out some.net");
    assert!(missing.contains("nothing.games"), "{missing}");
}

#[test]
fn a_command_that_moved_names_its_place() {
    let text = stderr(&mut lab("match champion champion --pairs 5"), 2);
    assert!(
        text.contains("checkers-bot-test match --in-process"),
        "{text}"
    );
}
