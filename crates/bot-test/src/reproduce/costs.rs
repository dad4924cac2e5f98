//! What searches cost, timed one at a time, and how the costs of two searches compare.
//!
//! Games of different bots visit different positions, so that the costs of their moves compare only
//! roughly. So all bots also search the same positions.

use std::fmt;
use std::time::Duration;

use checkers_engine::{Bot, BotSpec, Limits, Stop};
use checkers_lib::openings::Opening;
use checkers_lib::{Color, DrawRules, Game};

use super::published::bot;
use super::{Comparison, NONE, SearchCosts, StudyEffort};
use crate::GameRecord;
use crate::statistics::Estimate;

/// How many positions all bots search.
const POSITIONS: usize = 300;

/// What plays from the openings to these positions: fast, and no worse than most of the bots.
const PLAYER: &str = "alpha-beta:depth=5";

/// A position `10 * (n % STEPS)` plies after the n-th opening, so that all phases are there.
const STEPS: usize = 6;

/// The same searches together are repeated only within this time.
const ENOUGH: Duration = Duration::from_secs(10);

/// A 95 % interval reaches this many standard errors to each side.
const Z_95: f64 = 1.959_963_984_540_054;

/// What one search cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct CostSample {
    nodes: u64,
    time: Duration,
}

/// What the moves of a game cost: White's, Black's, and how often they were timed.
pub(super) type GameCosts = ([StudyEffort; 2], u32);

/// Times the searches of a game; `None` if it was stopped. The bots are deterministic, so that
/// they find the same moves again: the fastest time of each is the one least disturbed.
pub(super) fn of_game(
    bots: &[BotSpec; 2],
    game: &GameRecord,
    timings: u32,
    stop: &Stop,
) -> Option<GameCosts> {
    let mut position = Game::from_position(game.start.clone(), DrawRules::Study);
    let mut positions = [Vec::new(), Vec::new()];
    for played in &game.moves {
        let mover = usize::from(position.turn() != Color::White);
        positions[mover].push(position.clone());
        position.play(played.m).expect("recorded moves are legal");
    }
    let mut bots = bots.each_ref().map(BotSpec::build);
    let (searches, plays) = fastest(timings, || {
        let mut searches = Vec::new();
        for (bot, positions) in bots.iter_mut().zip(&positions) {
            bot.new_game(0);
            for game in positions {
                searches.push(search(&mut **bot, game, stop)?);
            }
        }
        Some(searches)
    })?;
    let (white, black) = searches.split_at(positions[0].len());
    Some(([effort(white), effort(black)], plays))
}

/// Runs the same searches until they were timed often enough, once at least.
fn fastest(
    wanted: u32,
    mut pass: impl FnMut() -> Option<Vec<CostSample>>,
) -> Option<(Vec<CostSample>, u32)> {
    let mut fastest = pass()?;
    let passes = affordable(wanted, &fastest);
    for _ in 1..passes {
        for (search, again) in fastest.iter_mut().zip(pass()?) {
            search.time = search.time.min(again.time);
        }
    }
    Some((fastest, passes))
}

fn affordable(wanted: u32, searches: &[CostSample]) -> u32 {
    let once: Duration = searches.iter().map(|search| search.time).sum();
    let times = ENOUGH.as_nanos() / once.as_nanos().max(1);
    wanted.min(u32::try_from(times).unwrap_or(u32::MAX)).max(1)
}

fn search(bot: &mut dyn Bot, game: &Game, stop: &Stop) -> Option<CostSample> {
    let limits = Limits {
        stop: stop.clone(),
        ..Limits::default()
    };
    let choice = bot.choose(game, &limits);
    (!stop.is_set()).then_some(CostSample {
        nodes: choice.nodes,
        time: choice.time,
    })
}

fn effort(searches: &[CostSample]) -> StudyEffort {
    // A bot that made no move took no time for it.
    let moves = searches.len().max(1) as f64;
    let time: Duration = searches.iter().map(|search| search.time).sum();
    let longest = searches.iter().map(|search| search.time).max();
    let nodes = || searches.iter().map(|search| search.nodes);
    let milliseconds = |time: Duration| 1000.0 * time.as_secs_f64();
    StudyEffort {
        moves: searches.len(),
        mean_ms: milliseconds(time) / moves,
        max_ms: milliseconds(longest.unwrap_or_default()),
        mean_nodes: nodes().sum::<u64>() as f64 / moves,
        max_nodes: nodes().max().unwrap_or_default(),
    }
}

/// Positions from all phases of games that begin with the openings, at most [`POSITIONS`]: one for
/// each opening, but none where there is nothing to choose. `None` if it was stopped.
pub(super) fn positions(openings: &[Opening], seed: u64, stop: &Stop) -> Option<Vec<Game>> {
    let mut games = Vec::new();
    for (number, opening) in openings.iter().enumerate() {
        let mut game = Game::from_position(opening.position().clone(), DrawRules::Study);
        let mut player = bot(PLAYER, None, seed).build();
        while game.ply() < 10 * (number % STEPS) && game.outcome().is_none() {
            let best = player.choose(&game, &Limits::default()).best?;
            game.play(best).ok()?;
        }
        if stop.is_set() {
            return None;
        }
        if game.legal_moves().len() > 1 {
            // The searches see a position, not how it came about.
            games.push(Game::from_position(
                game.position().clone(),
                DrawRules::Study,
            ));
        }
        if games.len() == POSITIONS {
            break;
        }
    }
    Some(games)
}

/// What a bot needs at a depth for each position, each with an empty table; `None` if it was
/// stopped.
pub(super) fn of_positions(
    name: &str,
    depth: u32,
    seed: u64,
    timings: u32,
    games: &[Game],
    stop: &Stop,
) -> Option<SearchCosts> {
    let mut bot = bot(name, Some(depth), seed).build();
    let (searches, _) = fastest(timings, || {
        let searches = games.iter().map(|game| {
            bot.new_game(0);
            search(&mut *bot, game, stop)
        });
        searches.collect()
    })?;
    let nanoseconds = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
    Some(SearchCosts {
        bot: name.to_owned(),
        depth,
        nodes: searches.iter().map(|search| search.nodes).collect(),
        time_ns: searches
            .iter()
            .map(|search| nanoseconds(search.time))
            .collect(),
    })
}

/// What a search costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cost {
    /// Positions visited; the same on every machine.
    Nodes,
    /// Nanoseconds.
    Time,
}

impl Cost {
    fn of(self, costs: &SearchCosts) -> &[u64] {
        match self {
            Cost::Nodes => &costs.nodes,
            Cost::Time => &costs.time_ns,
        }
    }

    /// The geometric mean over all positions, lest a few endgames of kings outweigh all others;
    /// `None` without any.
    pub(super) fn mean(self, costs: &SearchCosts) -> Option<f64> {
        let logs: Vec<f64> = self.of(costs).iter().map(|&cost| log(cost)).collect();
        (!logs.is_empty()).then(|| (logs.iter().sum::<f64>() / logs.len() as f64).exp())
    }

    /// How many times as much the one search costs as the other: the geometric mean over the
    /// positions, with a 95 % interval of where it would be on other positions of the kind.
    pub(super) fn ratio(self, one: &SearchCosts, other: &SearchCosts) -> Option<Estimate> {
        let pairs = self.of(one).iter().zip(self.of(other));
        let logs: Vec<f64> = pairs.map(|(&one, &other)| log(one) - log(other)).collect();
        let count = logs.len() as f64;
        let mean = logs.iter().sum::<f64>() / count;
        let squares: f64 = logs.iter().map(|log| (log - mean).powi(2)).sum();
        let reach = Z_95 * (squares / (count - 1.0) / count).sqrt();
        (logs.len() > 1).then(|| Estimate {
            value: mean.exp(),
            low: (mean - reach).exp(),
            high: (mean + reach).exp(),
        })
    }

    /// How deep `bot` searches at a cost, interpolated between depths.
    pub(super) fn depth_at(self, comparison: &Comparison, bot: &str, cost: f64) -> DepthReached {
        let costs = comparison.costs.iter().filter(|costs| costs.bot == bot);
        let points: Vec<(u32, f64)> = costs
            .filter_map(|costs| Some((costs.depth, self.mean(costs)?)))
            .collect();
        for pair in points.windows(2) {
            let &[(depth, low), (_, high)] = pair else {
                continue;
            };
            if (low..high).contains(&cost) {
                let share = (cost / low).ln() / (high / low).ln();
                return DepthReached::At(f64::from(depth) + share);
            }
        }
        match points.last() {
            Some(&(deepest, most)) if cost >= most => DepthReached::Beyond(deepest),
            Some(_) | None => DepthReached::Unknown,
        }
    }
}

/// A clock may say that no time has passed.
fn log(cost: u64) -> f64 {
    (cost.max(1) as f64).ln()
}

/// How deep a search reaches.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum DepthReached {
    /// At this depth in plies.
    At(f64),
    /// At least as deep as the deepest search there is.
    Beyond(u32),
    /// There is no data for it.
    Unknown,
}

impl DepthReached {
    /// How many plies more than `depth` are reached, at least.
    pub(super) fn gain(self, depth: u32) -> Option<f64> {
        match self {
            DepthReached::At(reached) => Some(reached - f64::from(depth)),
            DepthReached::Beyond(deepest) => Some(f64::from(deepest) - f64::from(depth)),
            DepthReached::Unknown => None,
        }
    }
}

impl fmt::Display for DepthReached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DepthReached::At(depth) => write!(f, "{depth:.1}"),
            DepthReached::Beyond(deepest) => write!(f, "≥ {deepest}"),
            DepthReached::Unknown => f.write_str(NONE),
        }
    }
}

#[cfg(test)]
mod tests {
    use checkers_lib::openings;

    use super::super::games;
    use super::*;
    use crate::reproduce::fixtures::comparison;

    #[tokio::test]
    async fn a_game_is_timed_move_by_move() {
        let specs = ["negascout-tt:depth=3,tt=1", "alpha-beta:depth=2,seed=1"];
        let specs = specs.map(|spec| spec.parse().unwrap());
        let game = games::single(&specs).await.unwrap();
        let reported = |color: Color| {
            let bot = game.seats.player(color);
            let nodes = game
                .moves_of(bot)
                .map(|played| played.search.as_ref().unwrap().nodes);
            let nodes: Vec<u64> = nodes.collect();
            (nodes.len(), nodes.iter().sum::<u64>())
        };
        for timings in [1, 3] {
            let stop = Stop::default();
            let (efforts, plays) = of_game(&specs, &game, timings, &stop).unwrap();
            assert_eq!(plays, timings);
            for (effort, color) in efforts.iter().zip([Color::White, Color::Black]) {
                // The searches are those of the game.
                let (moves, nodes) = reported(color);
                assert_eq!(effort.moves, moves);
                assert_eq!((effort.mean_nodes * moves as f64).round() as u64, nodes);
            }
        }
        let stop = Stop::default();
        stop.stop();
        assert_eq!(of_game(&specs, &game, 1, &stop), None);
    }

    #[test]
    fn exact_searches_differ_in_cost_alone() {
        let stop = Stop::default();
        let games = positions(&openings::suite()[..7], 1, &stop).unwrap();
        assert!((5..=7).contains(&games.len()));
        let costs = |name| of_positions(name, 3, 1, 2, &games, &stop).unwrap().nodes;
        let (minimax, alpha_beta) = (costs("minimax"), costs("alpha-beta"));
        assert_eq!(minimax.len(), games.len());
        let mut both = minimax.iter().zip(&alpha_beta);
        assert!(both.all(|(all, fewer)| fewer <= all));
    }

    #[test]
    fn long_searches_are_run_less_often() {
        let searches = |seconds| {
            let time = Duration::from_secs(seconds);
            [CostSample { nodes: 1, time }; 2]
        };
        let affordable = |seconds| affordable(3, &searches(seconds));
        assert_eq!([0, 1, 2, 3, 60].map(affordable), [3, 3, 2, 1, 1]);
    }

    #[test]
    fn efforts_are_means_and_maxima() {
        let search = |nodes, micros| CostSample {
            nodes,
            time: Duration::from_micros(micros),
        };
        let some = effort(&[search(10, 500), search(30, 2500)]);
        assert_eq!((some.mean_ms, some.max_ms), (1.5, 2.5));
        assert_eq!((some.mean_nodes, some.max_nodes), (20.0, 30));
        let none = effort(&[]);
        assert_eq!((none.moves, none.mean_ms, none.mean_nodes), (0, 0.0, 0.0));
    }

    fn costs(nodes: &[u64]) -> SearchCosts {
        SearchCosts {
            bot: "minimax".to_owned(),
            depth: 1,
            nodes: nodes.to_vec(),
            time_ns: nodes.iter().map(|_| 0).collect(),
        }
    }

    #[test]
    fn a_ratio_is_a_geometric_mean_with_its_interval() {
        let ratio = Cost::Nodes
            .ratio(&costs(&[20, 80]), &costs(&[10, 10]))
            .unwrap();
        assert!((ratio.value - 4.0).abs() < 1e-9, "{ratio:?}");
        // ln 2 and ln 8: a standard error of ln 2.
        assert!((ratio.high / ratio.value - 2_f64.powf(Z_95)).abs() < 1e-9);
        assert!((ratio.value / ratio.low - 2_f64.powf(Z_95)).abs() < 1e-9);
    }

    #[test]
    fn no_ratio_is_not_a_number() {
        assert_eq!(Cost::Nodes.ratio(&costs(&[]), &costs(&[])), None);
        assert_eq!(Cost::Nodes.ratio(&costs(&[5]), &costs(&[5])), None);
        let none = Cost::Time.ratio(&costs(&[5, 6]), &costs(&[5, 6])).unwrap();
        assert_eq!((none.low, none.value, none.high), (1.0, 1.0, 1.0));
    }

    #[test]
    fn depths_are_interpolated() {
        let comparison = comparison(1.0);
        let mean = |bot, depth| {
            Cost::Nodes
                .mean(comparison.costs(bot, depth).unwrap())
                .unwrap()
        };
        let at = |cost| Cost::Nodes.depth_at(&comparison, "alpha-beta", cost);
        assert_eq!(at(mean("alpha-beta", 4)), DepthReached::At(4.0));
        let DepthReached::At(depth) = at(mean("minimax", 4)) else {
            panic!("within the depths there are");
        };
        assert!((6.0..7.0).contains(&depth), "{depth}");
        assert_eq!(at(mean("minimax", 8)), DepthReached::Beyond(10));
        assert_eq!(at(0.5), DepthReached::Unknown);
    }
}
