#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

pub mod book;
mod bot;
mod budget;
mod bytes;
mod champion;
mod clock;
pub mod evaluation;
mod factory;
mod fingerprint;
mod level;
mod limits;
mod memory;
mod on_clock;
mod prefetch;
mod random;
mod score;
mod spec;
pub mod tablebase;
mod textbook;
pub mod tree;

pub use bot::{Bot, Choice};
pub use champion::{Analyst, Question, SearchAnswer, SearchReport, Variation, champion_with};
pub use evaluation::{logistic, win_chance};
pub use fingerprint::fingerprint;
pub use limits::{Clock, Limits, Ponder, Stop};
pub use on_clock::on_clock;
pub use random::Rng;
pub use score::Score;
pub use spec::{
    Accept, Algorithm, BotSpec, Evaluator, HIGHEST_LEVEL, MoveOrder, Options, Playout, Setting,
    SpecError, Techniques, Tuning, Values,
};
