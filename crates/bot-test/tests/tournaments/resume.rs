//! A tournament that is killed and gone on with has the games of one that was not.

use std::path::Path;
use std::time::Duration;

use crate::support::{Ended, Run};
use checkers_bot_test::{BotId, GameRecord, TournamentRecord};

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

fn whole(line: &str) -> Ended {
    let words: Vec<&str> = line.split_whitespace().collect();
    let ended = Run::new(&words).play();
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    ended
}

/// Kills a tournament after each of these times, goes on with it, and compares.
fn kill_at(line: &str, moments: impl IntoIterator<Item = Duration>) {
    let directory = tempfile::tempdir().unwrap();
    let journal = directory.path().join("journal");
    for moment in moments {
        let running = Run::new(&words(line, "--resume", &journal)).start();
        std::thread::sleep(moment);
        running.signal("-KILL");
        running.wait();
    }
    let resumed = Run::new(&words(line, "--resume", &journal)).play();
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
fn a_tournament_killed_at_twenty_moments_has_the_same_table() {
    let line = "round-robin random minimax:depth=2 alpha-beta:depth=3 negascout:depth=3 \
                --pairs 4 --openings suite --concurrency 2";
    kill_at(line, moments(20, 400));
}

#[test]
fn every_format_can_be_gone_on_with() {
    for line in [
        "match random minimax:depth=2 --pairs 200 --openings suite --in-process",
        "gauntlet minimax:depth=2 random alpha-beta:depth=3 --pairs 60 --openings suite --in-process",
        "knockout random minimax:depth=2 alpha-beta:depth=3 negascout:depth=2 random:seed=1 \
         --pairs 40 --openings suite --in-process",
        "swiss random minimax:depth=2 alpha-beta:depth=3 negascout:depth=2 random:seed=1 \
         --pairs 40 --rounds 3 --openings suite --in-process",
        "sprt alpha-beta:depth=4 alpha-beta:depth=3 --elo 0,30 --openings suite --in-process",
    ] {
        kill_at(line, moments(3, 300));
    }
}

#[test]
fn the_journal_knows_what_is_played() {
    let directory = tempfile::tempdir().unwrap();
    let journal = directory.path().join("journal");
    let line = "round-robin random minimax:depth=2 random:seed=3 --pairs 2 --openings suite";
    let first = Run::new(&words(line, "--journal", &journal)).play();
    assert_eq!(first.code, Some(0), "{}", first.stderr);
    let again = Run::new(&words("round-robin", "--resume", &journal)).play();
    assert_eq!(again.code, Some(0), "{}", again.stderr);
    assert_eq!(first.record().games, again.record().games);
    for (line, complaint) in [
        (
            "round-robin random minimax:depth=2 random:seed=4 --pairs 2 --openings suite",
            "bots",
        ),
        (
            "round-robin random minimax:depth=2 random:seed=3 --pairs 3 --openings suite",
            "format",
        ),
        ("round-robin --limits depth=3", "whole command"),
        ("round-robin --pairs 9", "whole command"),
        ("match", "round-robin"),
    ] {
        let other = Run::new(&words(line, "--resume", &journal)).play();
        assert_eq!(other.code, Some(2), "{}", other.stderr);
        assert!(other.stderr.contains(complaint), "{}", other.stderr);
    }
    let over = Run::new(&words(line, "--journal", &journal)).play();
    assert_eq!(over.code, Some(4), "{}", over.stderr);
}

#[test]
fn an_undecided_test_says_why() {
    let line = "sprt random:seed=1 random:seed=2 --max-pairs 5 --openings suite --in-process";
    let words: Vec<&str> = line.split_whitespace().collect();
    let ended = Run::new(&words).play();
    assert_eq!(ended.code, Some(7), "{}", ended.stderr);
    assert!(
        ended.stdout.contains("--max-pairs were played"),
        "{}",
        ended.stdout
    );
}

#[test]
fn who_only_forfeits_does_not_go_on() {
    let line = "knockout random random:seed=1 --pairs 1 --playoffs 1 --forfeit void";
    let mut words: Vec<&str> = line.split_whitespace().collect();
    words[1] = "exec:exit 3";
    let ended = Run::new(&[&words[..], &["--max-forfeits", "9"]].concat()).play();
    let champion = ended.record().stages[0].meetings[0].winner;
    assert_eq!(champion, Some(BotId::SECOND), "{}", ended.stdout);
}

#[test]
fn a_damaged_end_is_cut_off_and_other_damage_is_an_error() {
    let directory = tempfile::tempdir().unwrap();
    let journal = directory.path().join("journal");
    let line = "match random minimax:depth=2 --pairs 4 --openings suite --in-process";
    let first = Run::new(&words(line, "--journal", &journal)).play();
    let whole = std::fs::read(&journal).unwrap();
    std::fs::write(&journal, &whole[..whole.len() - 9]).unwrap();
    let mended = Run::new(&words("match", "--resume", &journal)).play();
    assert_eq!(mended.code, Some(0), "{}", mended.stderr);
    assert!(mended.stderr.contains("warning"), "{}", mended.stderr);
    assert_eq!(table(mended.record()), table(first.record()));
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 1;
    std::fs::write(&journal, &damaged).unwrap();
    let refused = Run::new(&words("match", "--resume", &journal)).play();
    assert_eq!(refused.code, Some(4), "{}", refused.stderr);
    assert!(refused.stderr.contains("line"), "{}", refused.stderr);
    assert_eq!(std::fs::read(&journal).unwrap(), damaged);
}
