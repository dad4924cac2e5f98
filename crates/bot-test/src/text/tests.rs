use checkers_lib::protocol::{EndReason, GameResult};

use super::*;
use crate::fixtures::{
    assert_finite, crash, empty_record, game, match_record, pair, plan, record, round_robin, sprt,
};
use crate::statistics::Model;
use crate::{BotId, Stage, StageMeeting};

#[test]
fn two_bots_have_a_score() {
    let mut record = match_record();
    record.failure = Some(Failure::RunTooLong { limit_ms: 1500 });
    record.sprt = Some(sprt(Model::Normalized));
    insta::assert_snapshot!(summary(&record));
}

#[test]
fn more_bots_have_standings() {
    insta::assert_snapshot!(summary(&round_robin(4)));
}

#[test]
fn a_cross_table_of_many_bots_is_printed_in_blocks() {
    let text = summary(&round_robin(20));
    let (_, table) = text.split_once("\npoints against\n").unwrap();
    let (table, _) = table.split_once("\n\ntime per move").unwrap();
    insta::assert_snapshot!(table);
}

#[test]
fn nothing_played_has_no_numbers() {
    let text = summary(&empty_record());
    assert!(text.contains("score of bot 1: 0.0 of 0 (n/a)"), "{text}");
    assert!(!text.contains("warning"), "{text}");
    assert_finite(&text);
}

#[test]
fn every_number_is_finite_for_any_result() {
    let ends = [
        (GameResult::WhiteWon, EndReason::NoMoves),
        (GameResult::Draw, EndReason::Repetition),
        (GameResult::Interrupted, EndReason::PlayerLeft),
    ];
    let plan = plan(&["random", "alpha-beta"]);
    for first in ends {
        for second in ends {
            assert_finite(&summary(&record(&plan, vec![pair(0, [first, second])])));
        }
    }
    for bots in [0, 1, 3] {
        assert_finite(&summary(&round_robin(bots)));
    }
}

#[test]
fn unequal_openings_are_said() {
    let mut plan = plan(&["random", "alpha-beta"]);
    plan.swap = false;
    assert!(summary(&record(&plan, Vec::new())).contains("\n--no-swap: each opening played once"));
}

#[test]
fn rounds_are_printed() {
    let mut record = match_record();
    let meeting = |opponent| StageMeeting {
        bot: BotId::FIRST,
        opponent,
        points: [1.5, 0.5],
        winner: Some(BotId::FIRST),
        note: opponent.map(|_| "by the draw of lots".to_owned()),
    };
    let stage = |name: &str, meetings| Stage {
        name: name.to_owned(),
        meetings,
    };
    record.stages = vec![
        stage(
            "semi-finals",
            vec![meeting(Some(BotId::SECOND)), meeting(None)],
        ),
        stage("final", vec![meeting(Some(BotId::SECOND))]),
    ];
    let expected = "
semi-finals
  bot 1 1.5 : 0.5 bot 2, bot 1 goes on, by the draw of lots
  bot 1 has a bye, bot 1 goes on

final
  bot 1 1.5 : 0.5 bot 2, bot 1 wins the tournament, by the draw of lots
";
    assert!(summary(&record).contains(expected));
}

#[test]
fn a_game_is_a_line() {
    let won = game(2, GameResult::WhiteWon, EndReason::NoPieces);
    let line = "game 2 of 3: white won: no pieces left (bot 2), 3 plies";
    assert_eq!(game_line(&won, Some(3)), line);
    let mut void = game(3, GameResult::Interrupted, EndReason::PlayerLeft);
    void.ruling = Some(crash(BotId::FIRST));
    assert_eq!(
        game_line(&void, None),
        "game 3: void: forfeit, crashed, 3 plies"
    );
}

#[test]
fn a_complaint_ends_with_the_last_words() {
    let failure = Failure::Server {
        fault: crate::ServerFault::NotListening { waited_ms: 1000 },
        stderr: vec!["oh no".to_owned()],
    };
    let text = "the server did not say where it listens within 1 s\n\
                the last lines of its stderr:\n  oh no\n";
    assert_eq!(complaint(&failure), text);
}
