//! What is known about finished pairings.

use checkers_bot_test::format::Format;
use checkers_bot_test::statistics::{Pentanomial, Sample, Wdl};
use checkers_bot_test::{BotId, GameRecord, PairRecord, Pairing, Results, ResultsError};
use checkers_lib::protocol::GameResult;

use super::support::{World, plan};

/// A pairing of the first two bots of three.
fn record(id: u64, opening: u64) -> PairRecord {
    let plan = plan(Format::RoundRobin { pairs: 9 }, 3, true, 9);
    let pairing = Pairing {
        id,
        round: 1,
        bots: [BotId(0), BotId(1)],
        opening,
        games: 2,
    };
    World::USUAL.play(&plan, &pairing)
}

fn results(records: &[PairRecord]) -> Results {
    let mut results = Results::new(3);
    for record in records {
        results.insert(record).unwrap();
    }
    results
}

#[test]
fn the_prefix_ends_where_something_is_missing() {
    let mut results = results(&[record(1, 1), record(3, 3)]);
    assert_eq!(
        (results.prefix(), results.finished(), results.end()),
        (0, 2, 4)
    );
    results.insert(&record(0, 0)).unwrap();
    assert_eq!(
        (results.prefix(), results.finished(), results.end()),
        (2, 3, 4)
    );
    results.insert(&record(2, 2)).unwrap();
    assert_eq!(results.prefix(), 4);
    let ids: Vec<u64> = results.iter().map(|result| result.pairing.id).collect();
    assert_eq!(ids, [0, 1, 2, 3]);
    assert_eq!(results.get(4), None);
}

#[test]
fn the_earlier_one_in_the_schedule_is_the_original() {
    let mut results = results(&[record(2, 7), record(1, 7)]);
    assert_eq!(results.is_repeat(1), None);
    results.insert(&record(0, 5)).unwrap();
    let told: Vec<_> = (0..4).map(|id| results.is_repeat(id)).collect();
    assert_eq!(told, [Some(false), Some(false), Some(true), None]);
}

#[test]
fn the_order_of_the_games_makes_no_difference() {
    let original = record(0, 5);
    let mut swapped = PairRecord {
        pairing: Pairing {
            id: 1,
            bots: [BotId(1), BotId(0)],
            ..original.pairing
        },
        games: original.games.clone(),
    };
    swapped.games.reverse();
    assert_eq!(results(&[original, swapped]).is_repeat(1), Some(true));
}

#[test]
fn what_counts_for_nothing_is_not_repeated() {
    let void = |id| {
        let mut record = record(id, 5);
        record.games[1].result = GameResult::Interrupted;
        record
    };
    let results = results(&[void(0), record(1, 5), record(2, 5)]);
    assert_eq!(
        [1, 2].map(|id| results.is_repeat(id)),
        [Some(false), Some(true)]
    );
    let result = results.get(0).unwrap();
    assert!(result.is_void());
    let mut sample = Sample::Pairs(Pentanomial::default());
    assert!(!result.count_in(&mut sample));
    assert!(results.get(1).unwrap().count_in(&mut sample));
    assert!(
        !results
            .get(1)
            .unwrap()
            .count_in(&mut Sample::Games(Wdl::default()))
    );
    assert_eq!(sample.games(), 2);
}

#[test]
fn points_are_those_of_the_games() {
    let mut record = record(0, 0);
    record.games[0].result = GameResult::WhiteWon;
    record.games[1].result = GameResult::Draw;
    let results = results(&[record]);
    let result = results.get(0).unwrap();
    let points = [0, 1].map(|bot| result.points_of(BotId(bot)).value());
    assert_eq!(points, [1.5, 0.5]);
}

#[test]
fn records_of_another_tournament_are_refused() {
    let refused = |change: &dyn Fn(&mut PairRecord)| {
        let mut record = record(0, 0);
        change(&mut record);
        let mut results = Results::new(3);
        let error = results.insert(&record).unwrap_err();
        assert_eq!(results.finished(), 0);
        error
    };
    let id = 0;
    let bots = ResultsError::Bots {
        id,
        participants: 3,
    };
    assert_eq!(refused(&|record| record.pairing.bots[1] = BotId(3)), bots);
    assert_eq!(refused(&|record| record.pairing.bots[1] = BotId(0)), bots);
    let games = refused(&|record| drop(record.games.pop()));
    assert_eq!(games.to_string(), "pairing 0 has 1 games, not 2");
    let swap = |game: &mut GameRecord| {
        std::mem::swap(&mut game.seats.white, &mut game.seats.black);
    };
    let seats = ResultsError::Seats { id, number: 2 };
    assert_eq!(refused(&|record| swap(&mut record.games[1])), seats);
    let mut results = results(&[record(0, 0)]);
    let twice = results.insert(&record(0, 1)).unwrap_err();
    assert_eq!(twice.to_string(), "pairing 0 was played twice");
}
