//! What the moves of a bot cost: time, depth and nodes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::statistics::{Summary, mean};
use crate::{BotId, GameRecord, MoveRecord, Timekeeper};

/// What the moves of one bot cost, those of void games included and those of openings not.
///
/// A move is forced if there was no alternative. It is from tablebases if they contain the position
/// or it took a single node, and from an opening book if it took no nodes, provided that the bot
/// does search at other times. Such moves say nothing about a search and are counted apart.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BotTimes {
    /// Which bot.
    pub bot: BotId,
    /// How many moves it chose among several by a search.
    pub moves: usize,
    /// The time of these in microseconds; `None` without any.
    pub time_us: Option<Summary>,
    /// How many moves were forced.
    pub forced: usize,
    /// The mean time of these in microseconds; `None` without any.
    pub forced_mean_us: Option<f64>,
    /// How many moves came from its opening book.
    #[serde(default)]
    pub from_book: usize,
    /// How many moves were from tablebases.
    #[serde(default)]
    pub from_tables: usize,
    /// How many moves of all kinds the server's clock measured, because the bot reported nothing.
    pub server_clocked: usize,
    /// The mean depth in plies, of the chosen moves with a report of it.
    pub mean_depth: Option<f64>,
    /// The mean number of nodes, of the chosen moves with a report of it.
    pub mean_nodes: Option<f64>,
    /// All nodes by all the time of the chosen moves with a report of both; `None` without nodes.
    /// Times are whole microseconds, rounded down, so that half a one is added to each.
    pub nodes_per_second: Option<f64>,
    /// The cost of each depth searched, of the chosen moves with a full report.
    pub by_depth: Vec<DepthCost>,
}

/// What the moves searched to one depth cost.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct DepthCost {
    /// The depth in plies.
    pub depth: u32,
    /// How many moves.
    pub moves: usize,
    /// Their mean time in microseconds.
    pub mean_time_us: f64,
    /// Their mean number of nodes.
    pub mean_nodes: f64,
}

impl BotTimes {
    /// The costs of each bot. `tables` has for each bot the number of pieces up to which it has
    /// tablebases, 0 without any. Replays each game once.
    pub fn of<'a>(
        tables: &[u32],
        games: impl IntoIterator<Item = &'a GameRecord>,
    ) -> Vec<BotTimes> {
        let mut moves = vec![MoveTimes::default(); tables.len()];
        for game in games {
            add(&mut moves, tables, game);
        }
        moves
            .iter_mut()
            .enumerate()
            .map(|(bot, moves)| {
                moves.set_look_ups_apart();
                moves.cost(BotId(bot))
            })
            .collect()
    }
}

/// The moves of one bot.
#[derive(Clone, Default)]
struct MoveTimes<'a> {
    chosen: Vec<&'a MoveRecord>,
    forced: Vec<&'a MoveRecord>,
    from_book: Vec<&'a MoveRecord>,
    from_tables: Vec<&'a MoveRecord>,
}

fn add<'a>(bots: &mut [MoveTimes<'a>], tables: &[u32], game: &'a GameRecord) {
    let mut position = game.start.clone();
    for (index, played) in game.moves.iter().enumerate() {
        let bot = game.seats.player(game.mover(index));
        if played.clock != Timekeeper::Opening
            && let Some(moves) = bots.get_mut(bot.0)
        {
            let list = if position.count_moves() == 1 {
                &mut moves.forced
            } else if position.occupied().len() <= tables[bot.0] {
                &mut moves.from_tables
            } else {
                &mut moves.chosen
            };
            list.push(played);
        }
        position.play_unchecked(played.m);
    }
}

/// How many nodes a move took, if the bot reported it.
fn nodes(played: &MoveRecord) -> Option<u64> {
    Some(played.search.as_ref()?.nodes)
}

impl MoveTimes<'_> {
    /// Takes the moves that were looked up out of the chosen ones.
    fn set_look_ups_apart(&mut self) {
        let searches = |played: &&MoveRecord| nodes(played).is_some_and(|nodes| nodes > 1);
        if !self.chosen.iter().any(searches) {
            return;
        }
        let (book, tables) = (&mut self.from_book, &mut self.from_tables);
        self.chosen.retain(|played| match nodes(played) {
            Some(0) => {
                book.push(played);
                false
            }
            Some(1) => {
                tables.push(played);
                false
            }
            Some(_) | None => true,
        });
    }

    fn cost(&self, bot: BotId) -> BotTimes {
        let searches = || {
            self.chosen
                .iter()
                .filter_map(|played| played.search.as_ref())
        };
        let is_servers = |played: &&&MoveRecord| played.clock == Timekeeper::Server;
        BotTimes {
            bot,
            moves: self.chosen.len(),
            time_us: Summary::of(self.chosen.iter().map(|played| played.time_us)),
            forced: self.forced.len(),
            forced_mean_us: mean(self.forced.iter().map(|played| played.time_us)),
            from_book: self.from_book.len(),
            from_tables: self.from_tables.len(),
            server_clocked: (self.chosen.iter().chain(&self.forced))
                .chain(&self.from_book)
                .chain(&self.from_tables)
                .filter(is_servers)
                .count(),
            mean_depth: mean(searches().map(|search| u64::from(search.depth))),
            mean_nodes: mean(searches().map(|search| search.nodes)),
            nodes_per_second: self.nodes_per_second(),
            by_depth: self.by_depth(),
        }
    }

    /// Time, depth and nodes of the chosen moves with a full report.
    fn reported(&self) -> impl Iterator<Item = (u64, u32, u64)> {
        (self.chosen.iter())
            .filter(|played| played.clock == Timekeeper::Bot)
            .filter_map(|played| {
                let search = played.search.as_ref()?;
                Some((played.time_us, search.depth, search.nodes))
            })
    }

    fn nodes_per_second(&self) -> Option<f64> {
        let (half_us, nodes) =
            (self.reported()).fold((0_u128, 0_u128), |(times, sum), reported| {
                let (time, _, nodes) = reported;
                (times + 2 * u128::from(time) + 1, sum + u128::from(nodes))
            });
        (nodes > 0).then(|| nodes as f64 * 2e6 / half_us as f64)
    }

    fn by_depth(&self) -> Vec<DepthCost> {
        let mut depths: BTreeMap<u32, (usize, u128, u128)> = BTreeMap::new();
        for (time_us, depth, nodes) in self.reported() {
            let (moves, times, sum) = depths.entry(depth).or_default();
            *moves += 1;
            *times += u128::from(time_us);
            *sum += u128::from(nodes);
        }
        let cost = |(depth, (moves, times, nodes)): (u32, (usize, u128, u128))| DepthCost {
            depth,
            moves,
            mean_time_us: times as f64 / moves as f64,
            mean_nodes: nodes as f64 / moves as f64,
        };
        depths.into_iter().map(cost).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::game;
    use checkers_lib::protocol::{EndReason, GameResult};

    fn won() -> GameRecord {
        game(1, GameResult::WhiteWon, EndReason::NoMoves)
    }

    #[test]
    fn nothing_played_cost_nothing() {
        let times = &BotTimes::of(&[0], [])[0];
        assert_eq!((times.moves, times.forced), (0, 0));
        assert_eq!((times.time_us, times.forced_mean_us), (None, None));
        assert_eq!((times.mean_depth, times.nodes_per_second), (None, None));
    }

    #[test]
    fn each_bot_has_its_own_moves() {
        let game = won();
        let times = BotTimes::of(&[0; 2], [&game]);
        assert_eq!((times[0].moves, times[1].moves), (2, 1));
        assert_eq!((times[0].server_clocked, times[1].server_clocked), (0, 1));
        assert_eq!(times[0].time_us.unwrap().max, 3000);
        assert_eq!(times[0].mean_depth, Some(7.0));
        // 10,000 nodes in 4 ms and twice half a microsecond.
        let speed = times[0].nodes_per_second.unwrap();
        assert_eq!(speed.round(), 2_499_375.0);
        assert_eq!(
            (times[1].mean_depth, times[1].nodes_per_second),
            (None, None)
        );
        let depth = DepthCost {
            depth: 7,
            moves: 2,
            mean_time_us: 2000.0,
            mean_nodes: 5000.0,
        };
        assert_eq!(times[0].by_depth, [depth]);
    }

    #[test]
    fn the_speed_of_searches_too_short_to_be_timed_is_a_number() {
        let mut game = won();
        for played in &mut game.moves {
            played.time_us = 0;
        }
        let times = &BotTimes::of(&[0; 2], [&game])[0];
        assert_eq!(times.nodes_per_second, Some(1e10));
        assert_eq!(times.by_depth[0].mean_time_us, 0.0);
        for search in game.moves.iter_mut().flat_map(|played| &mut played.search) {
            search.nodes = 0;
        }
        assert_eq!(BotTimes::of(&[0; 2], [&game])[0].nodes_per_second, None);
    }

    #[test]
    fn look_ups_are_counted_apart() {
        let mut games: Vec<GameRecord> = [5000, 1, 0].into_iter().map(|_| won()).collect();
        for (game, nodes) in games.iter_mut().zip([5000, 1, 0]) {
            for search in game.moves.iter_mut().flat_map(|played| &mut played.search) {
                (search.nodes, search.depth) = (nodes, if nodes == 1 { 67 } else { 7 });
            }
        }
        let times = &BotTimes::of(&[0; 2], &games)[0];
        assert_eq!((times.moves, times.from_tables, times.from_book), (2, 2, 2));
        assert_eq!(times.mean_depth, Some(7.0));
        assert_eq!(times.by_depth.len(), 1);
        // All 24 pieces are on the board.
        let times = &BotTimes::of(&[24, 0], &games)[0];
        assert_eq!((times.moves, times.from_tables), (0, 6));
        // A bot that never searches has looked nothing up.
        let times = &BotTimes::of(&[0; 2], &games[2..])[0];
        assert_eq!((times.moves, times.from_book), (2, 0));
    }

    #[test]
    fn openings_and_forced_moves_are_no_choices() {
        let mut game = won();
        // White must capture, in one way only; Black has two ways to take back.
        let mut position = game.start.clone();
        game.moves.clear();
        for (text, time_us) in [("c3-d4", 0), ("f6-e5", 10), ("d4:f6", 20), ("e7:g5", 30)] {
            let m = position.parse_move(text).unwrap();
            position.play_unchecked(m);
            let clock = Timekeeper::Bot;
            game.moves.push(MoveRecord {
                m,
                time_us,
                clock,
                search: None,
            });
        }
        game.moves[0].clock = Timekeeper::Opening;
        let times = BotTimes::of(&[0; 2], [&game]);
        assert_eq!((times[0].moves, times[0].forced), (0, 1));
        assert_eq!(times[0].forced_mean_us, Some(20.0));
        assert_eq!((times[1].moves, times[1].forced), (2, 0));
    }
}
