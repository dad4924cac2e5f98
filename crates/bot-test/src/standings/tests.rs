use checkers_lib::protocol::{EndReason, GameResult};

use super::*;
use crate::fixtures::{crash, game, match_record, pair, round_robin};
use crate::statistics::{Pentanomial, Wdl};
use crate::{FaultKind, Pairing, Ruling, Seats};

const WHITE: (GameResult, EndReason) = (GameResult::WhiteWon, EndReason::NoMoves);
const DRAW: (GameResult, EndReason) = (GameResult::Draw, EndReason::Repetition);
const VOID: (GameResult, EndReason) = (GameResult::Interrupted, EndReason::PlayerLeft);

fn wdl(wins: u32, draws: u32, losses: u32) -> Wdl {
    Wdl {
        wins,
        draws,
        losses,
    }
}

fn of(pairs: &[PairRecord]) -> Standings {
    Standings::of(2, true, pairs).unwrap()
}

fn single(number: u64, (result, reason): (GameResult, EndReason)) -> PairRecord {
    PairRecord {
        pairing: Pairing {
            id: number - 1,
            round: 1,
            bots: [BotId::FIRST, BotId::SECOND],
            opening: 0,
            games: 1,
        },
        games: vec![game(number, result, reason)],
    }
}

#[test]
fn nothing_played_adds_up_to_nothing() {
    for bots in [0, 1, 2, 5] {
        let standings = Standings::of(bots, true, &[]).unwrap();
        assert_eq!(standings.evidence, EvidenceCount::default());
        assert!(standings.bots.iter().all(|bot| bot.percent.is_none()));
        assert!(standings.bots.iter().all(|bot| bot.rating.is_none()));
        assert_eq!((standings.ends.len(), standings.meetings.len()), (0, 0));
    }
}

#[test]
fn everything_void_is_no_evidence() {
    let standings = of(&[pair(0, [VOID, VOID])]);
    let first = standings.bot(BotId::FIRST);
    assert_eq!((first.games, first.void, first.percent), (0, 2, None));
    assert_eq!(standings.meetings, []);
    assert_eq!(standings.evidence.broken_pairs, 1);
    assert_eq!(
        standings.sample,
        Some(Sample::Pairs(Pentanomial::default()))
    );
}

#[test]
fn scores_are_the_bots_own_with_both_colours() {
    let standings = of(&[pair(0, [WHITE, DRAW])]);
    let [first, second] = &standings.bots[..] else {
        panic!("two bots");
    };
    assert_eq!((first.score, second.score), (wdl(1, 1, 0), wdl(0, 1, 1)));
    assert_eq!(
        (first.as_white, first.as_black),
        (wdl(1, 0, 0), wdl(0, 1, 0))
    );
    assert_eq!((first.points, first.percent), (1.5, Some(75.0)));
    assert_eq!(standings.ranking, [BotId::FIRST, BotId::SECOND]);
    let met = standings.meeting(BotId::SECOND, BotId::FIRST).unwrap();
    assert_eq!(met.games, wdl(0, 1, 1));
}

#[test]
fn repeats_count_in_scores_and_are_no_evidence() {
    let standings = of(&[pair(0, [WHITE, DRAW]), pair(1, [WHITE, DRAW])]);
    assert_eq!(standings.bot(BotId::FIRST).score, wdl(2, 2, 0));
    let evidence = standings.evidence;
    assert_eq!((evidence.finished(), evidence.distinct_games), (4, 2));
    assert_eq!((evidence.pairs, evidence.distinct_pairs), (2, 1));
    let once = Pentanomial([0, 0, 0, 1, 0]);
    assert_eq!(standings.sample, Some(Sample::Pairs(once)));
    let two = &standings.meetings[0];
    assert_eq!(two.played.pairs, Pentanomial([0, 0, 0, 2, 0]));
    assert_eq!(two.evidence.pairs, once);
}

#[test]
fn a_pair_repeats_another_whichever_game_came_first() {
    let mut again = pair(1, [WHITE, DRAW]);
    again.pairing.bots.reverse();
    again.games.reverse();
    assert_eq!(
        of(&[pair(0, [WHITE, DRAW]), again]).evidence.distinct_pairs,
        1
    );
}

#[test]
fn a_void_game_breaks_its_pair_but_not_the_score() {
    let standings = of(&[pair(0, [WHITE, VOID])]);
    assert_eq!(standings.bot(BotId::FIRST).score, wdl(1, 0, 0));
    assert_eq!(
        (standings.evidence.pairs, standings.evidence.broken_pairs),
        (0, 1)
    );
    assert_eq!(
        standings.sample,
        Some(Sample::Pairs(Pentanomial::default()))
    );
}

#[test]
fn without_swapped_sides_games_count_one_by_one() {
    // Sides change from game to game in these, so that the first two differ.
    let games = [single(1, WHITE), single(2, WHITE), single(3, WHITE)];
    let standings = Standings::of(2, false, &games).unwrap();
    assert_eq!(standings.sample, Some(Sample::Games(wdl(1, 0, 1))));
    assert_eq!(standings.evidence.single_games, 3);
    assert_eq!(standings.bot(BotId::FIRST).score, wdl(2, 0, 1));
}

#[test]
fn failures_are_counted_by_kind_and_apart_from_losses_on_time() {
    let mut pairs = [pair(0, [WHITE, WHITE]), pair(1, [WHITE, WHITE])];
    pairs[0].games[0].ruling = Some(crash(BotId::SECOND));
    pairs[1].games[0].reason = EndReason::Time;
    let standings = of(&pairs);
    let second = standings.bot(BotId::SECOND);
    assert_eq!((second.forfeited(), second.time_losses), (1, 1));
    assert_eq!(second.forfeits[0].kind, FaultKind::Crashed);
    assert_eq!(second.forfeits[0].last.stderr, ["oh <no>"]);
    let first = standings.bot(BotId::FIRST);
    assert_eq!((first.forfeited(), first.time_losses), (0, 0));
}

#[test]
fn judgements_are_counted_apart() {
    let mut pairs = [pair(0, [WHITE, DRAW]), pair(1, [DRAW, DRAW])];
    pairs[0].games[0].ruling = Some(Ruling::Win);
    pairs[0].games[1].ruling = Some(Ruling::Draw);
    pairs[1].games[0].ruling = Some(Ruling::PlyCap { plies: 3 });
    let standings = of(&pairs);
    let second = standings.bot(BotId::SECOND);
    assert_eq!((second.adjudicated, second.ply_caps), (wdl(0, 1, 1), 1));
}

#[test]
fn ends_are_counted_by_everything_that_made_them() {
    let mut pairs = [pair(0, [WHITE, WHITE]), pair(1, [DRAW, WHITE])];
    pairs[0].games[0].ruling = Some(crash(BotId::SECOND));
    pairs[1].games[0].ruling = Some(Ruling::PlyCap { plies: 3 });
    let ends: Vec<String> = (of(&pairs).ends.iter())
        .map(|end| format!("{} {}", end.games, end.ending))
        .collect();
    let expected = [
        "1 white won: forfeit, crashed",
        "2 white won: no legal move",
        "1 draw: ply cap",
    ];
    assert_eq!(ends, expected);
}

#[test]
fn many_bots_are_rated_above_the_first() {
    let standings = round_robin(20).standings;
    assert_eq!(standings.meetings.len(), 190);
    assert_eq!(standings.evidence.distinct_pairs, 190);
    let first = standings.bot(BotId::FIRST);
    assert_eq!((first.games, first.rating.unwrap().elo), (38, 0.0));
    let total: f64 = standings.bots.iter().map(|bot| bot.points).sum();
    assert_eq!(total, 380.0);
    let points = standings
        .ranking
        .iter()
        .map(|&bot| standings.bot(bot).points);
    assert!(points.is_sorted_by(|a, b| a >= b));
}

#[test]
fn two_bots_are_not_rated_but_sampled() {
    let standings = match_record().standings;
    assert!(
        standings
            .bots
            .iter()
            .all(|bot| bot.rating.is_none() && bot.unrated.is_none())
    );
    assert!(standings.sample.is_some());
    assert_eq!(round_robin(3).standings.sample, None);
}

#[test]
fn strangers_are_refused() {
    assert!(Standings::of(1, true, &[pair(0, [WHITE, DRAW])]).is_err());
}

#[test]
fn repeats_point_to_the_first_of_their_kind() {
    let pairs = [pair(0, [WHITE, WHITE]), pair(1, [WHITE, VOID])];
    let games: Vec<_> = pairs.into_iter().flat_map(|pair| pair.games).collect();
    assert_eq!(repeats(&games).into_iter().collect::<Vec<_>>(), [(3, 1)]);
}

#[test]
fn a_bot_that_played_more_games_is_not_first_for_that() {
    // A gauntlet of the first bot: it loses to the second, and beats the third twice.
    let meet = |id, opponent: usize, end| {
        let mut pair = pair(id, [end, end]);
        for game in &mut pair.games {
            game.seats = Seats {
                white: BotId(opponent),
                black: BotId::FIRST,
            };
        }
        pair.pairing.bots = [BotId(opponent), BotId::FIRST];
        pair
    };
    const BLACK: (GameResult, EndReason) = (GameResult::BlackWon, EndReason::NoMoves);
    let pairs = [meet(0, 1, WHITE), meet(1, 2, BLACK), meet(2, 2, BLACK)];
    let standings = Standings::of(3, true, &pairs).unwrap();
    assert_eq!(standings.ranking, [BotId(1), BotId(0), BotId(2)]);
    assert!(standings.bot(BotId(0)).points > standings.bot(BotId(1)).points);
}
