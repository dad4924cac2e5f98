//! What each format takes of its own.

use clap::Args;
use clap::builder::RangedU64ValueParser;

use super::help::{
    GAUNTLET_EXAMPLES, KNOCKOUT_EXAMPLES, MATCH_EXAMPLES, ROUND_ROBIN_EXAMPLES, SPRT_EXAMPLES,
    SWISS_EXAMPLES, after_help,
};
use super::{Play, PlayArgs};
use crate::Format;
use crate::commands::stats::Hypotheses;
use crate::statistics::Model;

/// What `match` takes.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = after_help(MATCH_EXAMPLES))]
pub struct MatchArgs {
    /// How many pairs of games; each is one opening played twice with sides swapped [default: 1]
    #[arg(long, value_name = "N", value_parser = at_least_one())]
    pub pairs: Option<u64>,

    /// How many games, instead of pairs
    #[arg(long, value_name = "N", value_parser = at_least_one(), conflicts_with = "pairs")]
    pub games: Option<u64>,

    /// What all formats share.
    #[command(flatten)]
    pub play: PlayArgs,
}

/// What `round-robin` takes.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = after_help(ROUND_ROBIN_EXAMPLES))]
pub struct RoundRobinArgs {
    /// How many pairs of games every two bots play
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least_one())]
    pub pairs: u64,

    /// What all formats share.
    #[command(flatten)]
    pub play: PlayArgs,
}

/// What `gauntlet` takes.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = after_help(GAUNTLET_EXAMPLES))]
pub struct GauntletArgs {
    /// How many of the bots are challengers; challengers do not meet each other
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub challengers: usize,

    /// How many pairs of games every two bots play that meet
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least_one())]
    pub pairs: u64,

    /// What all formats share.
    #[command(flatten)]
    pub play: PlayArgs,
}

/// What `knockout` takes.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = after_help(KNOCKOUT_EXAMPLES))]
pub struct KnockoutArgs {
    /// How many pairs of games a meeting has
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = at_least_one())]
    pub pairs: u64,

    /// How many more pairs a meeting that is level may have, one at a time, before the better
    /// seed goes on
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub playoffs: u64,

    /// What all formats share.
    #[command(flatten)]
    pub play: PlayArgs,
}

/// What `swiss` takes.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = after_help(SWISS_EXAMPLES))]
pub struct SwissArgs {
    /// How many rounds; by default as many as a knockout would have
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub rounds: u32,

    /// How many pairs of games a meeting has
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least_one())]
    pub pairs: u64,

    /// What all formats share.
    #[command(flatten)]
    pub play: PlayArgs,
}

/// What `sprt` takes.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = after_help(SPRT_EXAMPLES))]
pub struct SprtArgs {
    /// The hypotheses
    #[arg(
        long,
        value_name = "H0,H1",
        default_value = "0,5",
        allow_hyphen_values = true
    )]
    pub elo: Hypotheses,

    /// How often H1 may be accepted though H0 is true
    #[arg(long, value_name = "RATE", default_value_t = 0.05)]
    pub alpha: f64,

    /// How often H0 may be accepted though H1 is true
    #[arg(long, value_name = "RATE", default_value_t = 0.05)]
    pub beta: f64,

    /// The scale of the hypotheses: normalized or logistic Elo
    #[arg(long, value_name = "MODEL", default_value_t = Model::Normalized)]
    pub model: Model,

    /// After how many pairs to stop without a decision
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = at_least_one())]
    pub max_pairs: u64,

    /// When the openings run out, go on from every position after 6 quiet plies, shuffled
    #[arg(long)]
    pub more_openings: bool,

    /// What all formats share.
    #[command(flatten)]
    pub play: PlayArgs,
}

impl MatchArgs {
    pub(crate) fn play(self) -> Play {
        let games_per_pair = if self.play.no_swap { 1 } else { 2 };
        let pairs = || self.pairs.unwrap_or(1).saturating_mul(games_per_pair);
        let games = self.games.unwrap_or_else(pairs);
        Play::new("match", Format::Match { games }, self.play)
    }
}

impl RoundRobinArgs {
    pub(crate) fn play(self) -> Play {
        let pairs = self.pairs;
        Play::new("round-robin", Format::RoundRobin { pairs }, self.play)
    }
}

impl GauntletArgs {
    pub(crate) fn play(self) -> Play {
        let (challengers, pairs) = (self.challengers, self.pairs);
        let format = Format::Gauntlet { challengers, pairs };
        Play::new("gauntlet", format, self.play)
    }
}

impl KnockoutArgs {
    pub(crate) fn play(self) -> Play {
        let (pairs, playoffs) = (self.pairs, self.playoffs);
        Play::new("knockout", Format::Knockout { pairs, playoffs }, self.play)
    }
}

impl SwissArgs {
    pub(crate) fn play(self) -> Play {
        let (rounds, pairs) = (self.rounds, self.pairs);
        Play::new("swiss", Format::Swiss { rounds, pairs }, self.play)
    }
}

impl SprtArgs {
    pub(crate) fn play(self) -> Play {
        let format = Format::Sprt {
            elo: self.elo.0,
            alpha: self.alpha,
            beta: self.beta,
            model: self.model,
            max_pairs: self.max_pairs,
        };
        Play {
            more_openings: self.more_openings,
            ..Play::new("sprt", format, self.play)
        }
    }
}

fn at_least_one() -> RangedU64ValueParser<u64> {
    RangedU64ValueParser::new().range(1..=u64::from(u32::MAX))
}
