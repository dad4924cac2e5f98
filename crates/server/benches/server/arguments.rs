//! What is measured, and how much of it.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, ValueEnum};

/// Measures the server against a bare relay.
#[derive(Clone, Debug, Parser)]
pub(crate) struct Arguments {
    /// What to measure; without any, all of it
    parts: Vec<Part>,

    /// How often; the medians are told
    #[arg(long, default_value_t = 3)]
    rounds: u32,

    /// Seconds of one measurement
    #[arg(long, default_value_t = 5.0)]
    time: f64,

    /// So many games in the parts with games, instead of theirs
    #[arg(long)]
    games: Option<usize>,

    /// The core of what is measured; without it, any
    #[arg(long)]
    pub(crate) server_core: Option<usize>,

    /// The core of the load client
    #[arg(long)]
    pub(crate) client_core: Option<usize>,

    /// Where the server's data are kept meanwhile, in a directory of their own [default: beside
    /// what cargo builds]
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,

    /// Another program than the server that was built with this one
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) server: Option<PathBuf>,

    /// Be the relay
    #[arg(long, hide = true)]
    pub(crate) relay: bool,

    /// What cargo says when it is to be measured and not only tried
    #[arg(long, hide = true)]
    bench: bool,
}

/// A part of the measurements.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Part {
    /// 1,000 games as fast as they go
    Saturation,
    /// 100, 1,000 and 5,000 games at a move a second each
    Latency,
    /// 1,000 and 5,000 spectators of one game
    Crowd,
    /// 10,000 connections that say nothing
    Idle,
    /// 1,000 games with every commit synced
    PowerLoss,
}

impl Arguments {
    pub(crate) fn parts(&self) -> Vec<Part> {
        if self.parts.is_empty() {
            Part::value_variants().to_vec()
        } else {
            self.parts.clone()
        }
    }
}

/// How much is measured.
#[derive(Clone, Debug)]
pub(crate) struct Scale {
    pub(crate) rounds: u32,
    /// Before the time that counts.
    pub(crate) warm_up: Duration,
    /// The same where games are played at a pace: they begin in the first half of it.
    pub(crate) paced_warm_up: Duration,
    pub(crate) time: Duration,
    /// Games that are played as fast as they go.
    pub(crate) saturated: usize,
    /// Games that are played at a pace.
    pub(crate) paced: Vec<usize>,
    /// Between two moves of a game that is.
    pub(crate) pace: Duration,
    /// Spectators of one game.
    pub(crate) crowds: Vec<usize>,
    /// Connections that say nothing.
    pub(crate) idle: usize,
}

impl Scale {
    pub(crate) fn of(arguments: &Arguments) -> Scale {
        let scale = Scale::usual(arguments);
        match arguments.games {
            Some(games) => Scale {
                saturated: games,
                paced: vec![games],
                ..scale
            },
            None => scale,
        }
    }

    fn usual(arguments: &Arguments) -> Scale {
        if arguments.bench {
            Scale {
                rounds: arguments.rounds,
                warm_up: Duration::from_secs(1),
                paced_warm_up: Duration::from_secs(6),
                time: Duration::from_secs_f64(arguments.time),
                saturated: 1_000,
                paced: vec![100, 1_000, 5_000],
                pace: Duration::from_secs(1),
                crowds: vec![1_000, 5_000],
                idle: 10_000,
            }
        } else {
            Scale::trial()
        }
    }

    /// Run as a test, it is only to be seen to work.
    fn trial() -> Scale {
        Scale {
            rounds: 1,
            warm_up: Duration::from_millis(50),
            paced_warm_up: Duration::from_millis(100),
            time: Duration::from_millis(300),
            saturated: 4,
            paced: vec![4],
            pace: Duration::from_millis(20),
            crowds: vec![8],
            idle: 16,
        }
    }
}
