use checkers_lib::protocol::{EndReason, GameResult};
use serde_json::Value;

use super::*;
use crate::fixtures::{
    assert_finite, empty_record, match_record, pair, plan, record, round_robin, sprt,
};
use crate::{csv, pdn, report, text};

fn with_everything() -> TournamentRecord {
    let mut record = match_record();
    record.sprt = Some(sprt(Model::Logistic));
    record.failure = Some(Failure::RunTooLong { limit_ms: 1500 });
    record.stages = vec![Stage {
        name: "final".to_owned(),
        meetings: vec![StageMeeting {
            bot: BotId::FIRST,
            opponent: Some(BotId::SECOND),
            points: [1.5, 0.5],
            winner: Some(BotId::FIRST),
            note: None,
        }],
    }];
    record
}

#[test]
fn json_is_read_back_as_it_was() {
    for record in [
        with_everything(),
        empty_record(),
        round_robin(4),
        round_robin(1),
    ] {
        let json = record.to_json();
        assert_eq!(
            serde_json::from_str::<TournamentRecord>(&json).unwrap(),
            record
        );
        assert_finite(&json);
    }
}

#[test]
fn json_has_everything_under_its_name() {
    let json: Value = serde_json::from_str(&with_everything().to_json()).unwrap();
    assert_eq!(json["version"], 2);
    assert_eq!(json["began"], "2001-09-09T01:46:40Z");
    assert_eq!(json["took_ms"], 12_345);
    assert_eq!(json["settings"]["swap"], true);
    assert_eq!(
        json["settings"]["sides"],
        "each opening played twice, with sides swapped"
    );
    assert_eq!(json["settings"]["timeouts"]["connect_ms"], 10_000);
    assert_eq!(json["bots"][0]["spec"], "alpha-beta:depth=7");
    assert_eq!(json["bots"][0]["seed"], 0);
    assert_eq!(json["bots"][1]["seed"], Value::Null);
    assert_eq!(json["bots"][1]["limits"], "clock=10s+1s");
    assert_eq!(json["games"][0]["moves"][0]["move"], "c3-d4");
    assert_eq!(json["games"][2]["ruling"]["fault"]["exit"]["code"], 3);
    assert_eq!(json["pairings"][1]["games"], serde_json::json!([3, 4]));
    assert_eq!(json["tally"]["wins"], 1);
    assert_eq!(json["tally"]["interrupted"], 1);
    assert_eq!(
        json["standings"]["bots"][1]["forfeits"][0]["kind"],
        "crashed"
    );
    assert_eq!(json["strength"]["games"], 2);
    assert_eq!(json["sprt"]["decision"], "continue");
    assert_eq!(json["failure"]["type"], "run_too_long");
    assert_eq!(json["times"][0]["by_depth"][0]["depth"], 7);
}

#[test]
fn games_know_their_pairing() {
    let record = match_record();
    let paired: Vec<_> = (record.paired_games())
        .map(|(pairing, game)| (pairing.id, game.number))
        .collect();
    assert_eq!(paired, [(0, 1), (0, 2), (1, 3), (1, 4)]);
}

#[test]
fn more_than_two_bots_have_no_tally_of_the_first() {
    let record = round_robin(3);
    assert_eq!((record.tally, record.strength), (None, None));
}

#[test]
fn warnings_say_what_to_do() {
    insta::assert_snapshot!(match_record().warnings.join("\n"));
}

#[test]
fn nothing_played_is_nothing_to_warn_of() {
    assert_eq!(empty_record().warnings, Vec::<String>::new());
}

#[test]
fn every_output_says_that_openings_were_played_once() {
    let mut plan = plan(&["random", "alpha-beta"]);
    plan.swap = false;
    let mut pair = pair(0, [(GameResult::WhiteWon, EndReason::NoMoves); 2]);
    pair.pairing.games = 1;
    pair.games.truncate(1);
    let record = record(&plan, vec![pair]);
    let said = "--no-swap: each opening played once";
    assert!(text::summary(&record).contains(said));
    assert!(report::page(&record).contains(said));
    assert!(record.to_json().contains(said));
    assert!(csv::games(&record).contains(",false,fmjd64,"));
    let pdn = pdn::games(&record);
    assert!(
        pdn.contains("[Swap \"no\"]") && pdn.contains("--no-swap"),
        "{pdn}"
    );
}
