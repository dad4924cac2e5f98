//! A tournament that is killed and gone on with has the games of one that was not.

use std::path::Path;
use std::time::Duration;

use checkers_bot_test::{BotId, GameRecord, TournamentRecord};

use super::support::{EndedRun, TestRun};
use crate::is_exhaustive;

/// What must not depend on how often it was broken off.
fn table(record: &TournamentRecord) -> (serde_json::Value, Vec<(u64, usize)>) {
    let plies = |game: &GameRecord| (game.number, game.moves.len());
    let standings = serde_json::to_value(&record.standings).unwrap();
    (standings, record.games.iter().map(plies).collect())
}

fn words<'a>(line: &'a str, option: &'a str, journal: &'a Path) -> Vec<&'a str> {
    let mut words: Vec<&str> = line.split_whitespace().collect();
    words.extend([option, journal.to_str().unwrap()]);
    words
}

fn whole(line: &str) -> EndedRun {
    let words: Vec<&str> = line.split_whitespace().collect();
    let ended = TestRun::new(&words).play();
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    ended
}

/// Kills a tournament after each of these times, goes on with it, and compares.
fn kill_at(line: &str, moments: impl IntoIterator<Item = Duration>) {
    let directory = tempfile::tempdir().unwrap();
    let journal = directory.path().join("journal");
    for moment in moments {
        let running = TestRun::new(&words(line, "--resume", &journal)).start();
        std::thread::sleep(moment);
        running.signal("-KILL");
        running.wait();
    }
    let resumed = TestRun::new(&words(line, "--resume", &journal)).play();
    assert_eq!(resumed.code, Some(0), "{}", resumed.stderr);
    assert_eq!(table(resumed.record()), table(whole(line).record()));
}

/// Times that look random and are the same in every run.
fn moments(count: u64, longest_ms: u64) -> impl Iterator<Item = Duration> {
    (1..=count).map(move |n| {
        let mixed = n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33;
        Duration::from_millis(mixed % longest_ms)
    })
}

#[test]
fn a_tournament_killed_at_many_moments_has_the_same_table() {
    let (pairs, kills) = if is_exhaustive() { (4, 20) } else { (2, 3) };
    let line = format!(
        "round-robin random minimax:depth=2 alpha-beta:depth=3 negascout:depth=3 \
         --pairs {pairs} --openings suite --concurrency 2"
    );
    kill_at(&line, moments(kills, 400));
}

#[test]
fn every_format_can_be_resumed() {
    for line in [
        "match random minimax:depth=2 --pairs 200 --openings suite --in-process",
        "gauntlet minimax:depth=2 random alpha-beta:depth=3 --pairs 60 --openings suite --in-process",
        "knockout random minimax:depth=2 alpha-beta:depth=3 negascout:depth=2 random:seed=1 \
         --pairs 40 --openings suite --in-process",
        "swiss random minimax:depth=2 alpha-beta:depth=3 negascout:depth=2 random:seed=1 \
         --pairs 40 --rounds 3 --openings suite --in-process",
        "sprt alpha-beta:depth=4 alpha-beta:depth=3 --elo 0,30 --openings suite --in-process",
    ] {
        kill_at(line, moments(if is_exhaustive() { 3 } else { 1 }, 300));
    }
}

#[test]
fn the_journal_knows_what_is_played() {
    let directory = tempfile::tempdir().unwrap();
    let journal = directory.path().join("journal");
    let line = "round-robin random minimax:depth=2 random:seed=3 --pairs 2 --openings suite";
    let first = TestRun::new(&words(line, "--journal", &journal)).play();
    assert_eq!(first.code, Some(0), "{}", first.stderr);
    let again = TestRun::new(&words("round-robin", "--resume", &journal)).play();
    assert_eq!(again.code, Some(0), "{}", again.stderr);
    assert_eq!(first.record().games, again.record().games);
    for (line, complaint) in [
        (
            "round-robin random minimax:depth=2 random:seed=4 --pairs 2 --openings suite",
            "bots",
        ),
        (
            "round-robin random minimax:depth=2 random:seed=3 --pairs 1 --openings suite",
            "it has a round-robin, 2 pairs for every two bots, but the command line asks for",
        ),
        ("round-robin --limits depth=3", "whole command"),
        ("match", "round-robin"),
    ] {
        let other = TestRun::new(&words(line, "--resume", &journal)).play();
        assert_eq!(other.code, Some(2), "{}", other.stderr);
        assert!(other.stderr.contains(complaint), "{}", other.stderr);
    }
    let over = TestRun::new(&words(line, "--journal", &journal)).play();
    assert_eq!(over.code, Some(1), "{}", over.stderr);
}

#[test]
fn a_finished_tournament_can_be_extended() {
    let directory = tempfile::tempdir().unwrap();
    let journal = directory.path().join("journal");
    let bots = "random minimax:depth=2 --openings suite --in-process";
    let line = format!("match {bots} --games 4");
    let short = TestRun::new(&words(&line, "--journal", &journal)).play();
    assert_eq!(short.code, Some(0), "{}", short.stderr);
    for line in [
        "match --pairs 3",
        "match",
        &format!("match {bots} --games 8"),
        "match",
    ] {
        let longer = TestRun::new(&words(line, "--resume", &journal)).play();
        assert_eq!(longer.code, Some(0), "{}", longer.stderr);
        let games = longer.record().games.len();
        assert_eq!(games, if line.contains("--pairs") { 6 } else { games });
    }
    let whole = whole(&format!("match {bots} --pairs 4"));
    let report = TestRun::new(&["report", journal.to_str().unwrap()]).play();
    assert_eq!(report.code, Some(0), "{}", report.stderr);
    assert_eq!(table(report.record()), table(whole.record()));
    assert!(report.stdout.contains("bot 1: "), "{}", report.stdout);
    let shorter = TestRun::new(&words(&line, "--resume", &journal)).play();
    assert_eq!(shorter.code, Some(2));
    let told = "is the journal of another tournament: it has a match of 8 games, but the command \
                line asks for a match of 4 games";
    assert!(shorter.stderr.contains(told), "{}", shorter.stderr);
}

#[test]
fn a_tournament_can_be_looked_at_while_it_is_played() {
    let directory = tempfile::tempdir().unwrap();
    let journal = directory.path().join("journal");
    let line =
        "match alpha-beta:depth=5 alpha-beta:depth=4 --pairs 700 --openings suite --in-process";
    let running = TestRun::new(&words(line, "--journal", &journal)).start();
    let report = loop {
        let report = TestRun::new(&["report", journal.to_str().unwrap()]).play();
        if report.code == Some(0) && report.stdout.contains("\nso far ") {
            break report;
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    running.signal("-INT");
    running.wait();
    assert!(
        report.stdout.contains(" of 1400 games\n"),
        "{}",
        report.stdout
    );
}

#[test]
fn a_test_ends_when_its_bots_would_only_repeat_themselves() {
    let directory = tempfile::tempdir().unwrap();
    let openings = directory.path().join("openings");
    std::fs::write(&openings, "c3-d4 d6-c5\ng3-f4 b6-c5\nc3-b4 b6-a5\n").unwrap();
    let line = "sprt alpha-beta:depth=2 alpha-beta:depth=1 --elo 0,1 --in-process --max-pairs 9";
    let test = |more: &[&str]| {
        TestRun::new(&[&words(line, "--openings", &openings), more].concat()).play()
    };
    let ended = test(&[]);
    assert_eq!((ended.code, ended.record().games.len()), (Some(7), 6));
    assert!(ended.stdout.contains("--more-openings"), "{}", ended.stdout);
    let longer = test(&["--more-openings"]);
    assert_eq!((longer.code, longer.record().games.len()), (Some(7), 18));
    assert_eq!(longer.record().standings.evidence.distinct_pairs, 9);
}

#[test]
fn an_undecided_test_says_why() {
    let line = "sprt random:seed=1 random:seed=2 --max-pairs 5 --openings suite --in-process";
    let words: Vec<&str> = line.split_whitespace().collect();
    let ended = TestRun::new(&words).play();
    assert_eq!(ended.code, Some(7), "{}", ended.stderr);
    assert!(
        ended.stdout.contains("--max-pairs were played"),
        "{}",
        ended.stdout
    );
}

#[test]
fn a_bot_that_only_forfeits_does_not_advance() {
    let line = "knockout random random:seed=1 --pairs 1 --playoffs 1 --forfeit void";
    let mut words: Vec<&str> = line.split_whitespace().collect();
    words[1] = "exec:exit 3";
    let ended = TestRun::new(&[&words[..], &["--max-forfeits", "9"]].concat()).play();
    let champion = ended.record().stages[0].meetings[0].winner;
    assert_eq!(champion, Some(BotId::SECOND), "{}", ended.stdout);
}

#[test]
fn a_damaged_end_is_cut_off_and_other_damage_is_an_error() {
    let directory = tempfile::tempdir().unwrap();
    let journal = directory.path().join("journal");
    let line = "match random minimax:depth=2 --pairs 4 --openings suite --in-process";
    let first = TestRun::new(&words(line, "--journal", &journal)).play();
    let whole = std::fs::read(&journal).unwrap();
    std::fs::write(&journal, &whole[..whole.len() - 9]).unwrap();
    let mended = TestRun::new(&words("match", "--resume", &journal)).play();
    assert_eq!(mended.code, Some(0), "{}", mended.stderr);
    assert!(mended.stderr.contains("warning"), "{}", mended.stderr);
    assert_eq!(table(mended.record()), table(first.record()));
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 1;
    std::fs::write(&journal, &damaged).unwrap();
    let refused = TestRun::new(&words("match", "--resume", &journal)).play();
    assert_eq!(refused.code, Some(1), "{}", refused.stderr);
    assert!(refused.stderr.contains("line"), "{}", refused.stderr);
    assert_eq!(std::fs::read(&journal).unwrap(), damaged);
}
