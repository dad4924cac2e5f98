//! Every record of one tournament.

use checkers_bot_test::TournamentRecord;
use checkers_lib::DrawRules;

use super::support::TestRun;

#[test]
fn a_tournament_is_written_in_every_format() {
    let line = "round-robin alpha-beta:depth=3 random negascout-id@nodes=500 \
                minimax-weak:depth=2@clock=10s+100ms --pairs 5 --openings suite --in-process";
    let words: Vec<&str> = line.split_whitespace().collect();
    let ended = TestRun::new(&words)
        .with_file("--csv", "games.csv")
        .with_file("--pdn", "games.pdn")
        .with_file("--report", "report")
        .play();
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let record = ended.record();
    assert_eq!(record.games.len(), 60);
    assert_eq!(record.standings.evidence.distinct_pairs, 30);
    assert_eq!(ended.file("games.csv").lines().count(), 61);
    let pdn = checkers_lib::pdn::parse(&ended.file("games.pdn")).unwrap();
    assert_eq!(pdn.len(), 60);
    for (game, told) in pdn.iter().zip(&record.games) {
        assert!(game.to_game(DrawRules::Fmjd64).is_ok());
        assert_eq!(game.moves().len(), told.moves.len());
    }
    let page = ended.file("report/index.html");
    for told in [
        "alpha-beta:depth=3",
        "minimax-weak:depth=2@clock=10s+100ms",
        "<svg",
    ] {
        assert!(page.contains(told), "{told}");
    }
    for outside in ["http://", "https://", "<script src", "import"] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(ended.stdout.contains("points against"), "{}", ended.stdout);
}

#[test]
fn json_is_read_back_as_it_was_written() {
    let ended = TestRun::of_match(&["random", "minimax:depth=2", "--in-process"]).play();
    let json = ended.file("run.json");
    let record: TournamentRecord = serde_json::from_str(&json).unwrap();
    assert_eq!(record.to_json(), json);
}
