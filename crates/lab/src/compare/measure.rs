//! What searches cost.

use std::num::NonZeroU32;
use std::time::Duration;

use checkers_engine::{Bot, BotSpec, Limits, Stop};
use checkers_lib::Game;

use crate::failure::{LabFailure, talk};
use crate::positions;

/// How hard a bot is to think.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MeasuredEffort {
    /// This many plies deep.
    Depth(u32),
    /// With this many simulations.
    Simulations(u64),
}

/// What an effort costs, in the mean over all positions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Cost {
    pub(super) effort: MeasuredEffort,
    pub(super) nodes: f64,
    pub(super) milliseconds: f64,
}

/// One bot's costs, from the least effort on.
pub(super) struct Series {
    /// The bot's spec without what the effort replaces.
    pub(super) label: String,
    pub(super) costs: Vec<Cost>,
}

/// The positions and how often to search them.
pub(super) struct Bench {
    games: Vec<Game>,
    rounds: NonZeroU32,
    patience: Duration,
    stop: Stop,
}

/// What the answer in one position cost.
struct SearchCost {
    nodes: u64,
    time: Duration,
}

impl Bench {
    pub(super) fn new(rounds: NonZeroU32, patience: Duration, stop: Stop) -> Bench {
        Bench {
            games: positions::games(),
            rounds,
            patience,
            stop,
        }
    }

    /// Measures a bot with more and more effort, until it runs out of patience.
    ///
    /// # Errors
    /// When it was interrupted.
    pub(super) fn measure(
        &self,
        spec: &BotSpec,
        efforts: impl IntoIterator<Item = MeasuredEffort>,
    ) -> Result<Series, LabFailure> {
        let mut bot = spec.build();
        let mut costs = Vec::new();
        for effort in efforts {
            let answers = self.best_of_rounds(&mut *bot, effort);
            if self.stop.is_set() {
                return Err(LabFailure::Interrupted);
            }
            costs.push(Cost::mean(effort, &answers));
            let time = total_time(&answers);
            let (amount, seconds) = (effort.amount(), time.as_secs_f64());
            talk(&format!("{} {amount}: {seconds:.3} s", label(spec)));
            if time > self.patience {
                break;
            }
        }
        Ok(Series {
            label: label(spec),
            costs,
        })
    }

    /// The cost of each position, its fastest round counting. Two rounds beyond patience are enough;
    /// one is not, for the machine may have paused.
    fn best_of_rounds(&self, bot: &mut dyn Bot, effort: MeasuredEffort) -> Vec<SearchCost> {
        let mut best = self.round(bot, effort);
        for round in 1..self.rounds.get() {
            if round > 1 && total_time(&best) > self.patience {
                break;
            }
            for (best, again) in best.iter_mut().zip(self.round(bot, effort)) {
                best.time = best.time.min(again.time);
            }
        }
        best
    }

    fn round(&self, bot: &mut dyn Bot, effort: MeasuredEffort) -> Vec<SearchCost> {
        let limits = Limits {
            stop: self.stop.clone(),
            ..effort.limits()
        };
        let answer = |game| {
            bot.new_game(0);
            let choice = bot.choose(game, &limits);
            SearchCost {
                nodes: choice.nodes,
                time: choice.time,
            }
        };
        self.games.iter().map(answer).collect()
    }
}

fn total_time(answers: &[SearchCost]) -> Duration {
    answers.iter().map(|answer| answer.time).sum()
}

impl Cost {
    fn mean(effort: MeasuredEffort, answers: &[SearchCost]) -> Cost {
        let count = answers.len() as f64;
        let nodes: u64 = answers.iter().map(|answer| answer.nodes).sum();
        Cost {
            effort,
            nodes: nodes as f64 / count,
            milliseconds: total_time(answers).as_secs_f64() * 1e3 / count,
        }
    }
}

impl Series {
    /// Whether its efforts are depths.
    pub(super) fn is_by_depth(&self) -> bool {
        let first = self.costs.first();
        first.is_some_and(|cost| matches!(cost.effort, MeasuredEffort::Depth(_)))
    }
}

impl MeasuredEffort {
    /// How many plies or simulations.
    pub(super) fn amount(self) -> u64 {
        match self {
            MeasuredEffort::Depth(depth) => depth.into(),
            MeasuredEffort::Simulations(count) => count,
        }
    }

    fn limits(self) -> Limits {
        match self {
            MeasuredEffort::Depth(depth) => Limits {
                depth: Some(depth),
                ..Limits::default()
            },
            MeasuredEffort::Simulations(nodes) => Limits {
                nodes: Some(nodes),
                ..Limits::default()
            },
        }
    }
}

fn label(spec: &BotSpec) -> String {
    let text = spec.to_string();
    let (name, keys) = text.split_once(':').unwrap_or((&text, ""));
    let is_replaced = |key: &&str| key.starts_with("depth=") || key.starts_with("playouts=");
    let keys: Vec<&str> = keys.split(',').filter(|key| !is_replaced(key)).collect();
    let label = format!("{name} {}", keys.join(" "));
    label.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bench() -> Bench {
        Bench::new(NonZeroU32::MIN, Duration::from_secs(60), Stop::default())
    }

    fn spec(text: &str) -> BotSpec {
        text.parse().unwrap()
    }

    #[test]
    fn nodes_are_means_over_the_positions_and_repeat() {
        let bench = bench();
        let minimax = bench
            .measure(
                &spec("minimax"),
                [MeasuredEffort::Depth(1), MeasuredEffort::Depth(2)],
            )
            .unwrap();
        // The root and its moves.
        let moves: usize = bench
            .games
            .iter()
            .map(|game| 1 + game.legal_moves().len())
            .sum();
        assert_eq!(minimax.costs[0].nodes, moves as f64 / 20.0);
        let again = bench
            .measure(&spec("minimax"), [MeasuredEffort::Depth(2)])
            .unwrap();
        assert_eq!(minimax.costs[1].nodes, again.costs[0].nodes);
        assert_eq!(minimax.costs[1].effort, MeasuredEffort::Depth(2));
    }

    #[test]
    fn impatience_ends_a_series() {
        let bench = Bench {
            patience: Duration::ZERO,
            ..bench()
        };
        let series = bench
            .measure(&spec("alpha-beta"), (1..=9).map(MeasuredEffort::Depth))
            .unwrap();
        assert_eq!(series.costs.len(), 1);
    }

    #[test]
    fn an_interrupted_series_is_none() {
        let bench = bench();
        bench.stop.stop();
        let series = bench.measure(&spec("minimax"), (9..=64).map(MeasuredEffort::Depth));
        assert!(matches!(series, Err(LabFailure::Interrupted)));
    }

    #[test]
    fn labels_leave_out_what_the_effort_replaces() {
        for (text, expected) in [
            ("mtdf:depth=3", "mtdf"),
            (
                "negascout-tt:depth=3,tt=8,tt-accept=exact",
                "negascout-tt tt=8 tt-accept=exact",
            ),
            ("mcts:playout=eval,c=50", "mcts playout=eval c=50"),
            ("random", "random"),
        ] {
            assert_eq!(label(&spec(text)), expected);
        }
    }
}
