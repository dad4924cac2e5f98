#![doc = include_str!("../README.md")]

pub mod book;
mod bot;
mod budget;
mod champion;
mod endings;
mod eval;
pub mod evaluation;
mod factory;
mod fingerprint;
mod fixed_depth;
mod level;
mod limits;
mod mcts;
mod memory;
mod move_order;
mod mtd;
mod negascout_id;
mod on_clock;
mod prefetch;
mod random;
mod score;
mod spec;
mod study;
mod table;
pub mod tablebase;
mod trace;

pub use bot::{Bot, Choice};
pub use champion::{
    Analyst, Answer, Evaluate, Question, Report, Variation, champion_with, logistic, win_chance,
};
pub use fingerprint::fingerprint;
pub use limits::{Clock, Limits, Ponder, Stop};
pub use on_clock::on_clock;
pub use random::Dice;
pub use score::Score;
pub use spec::{
    Accept, Algorithm, BotSpec, Evaluator, HIGHEST_LEVEL, Options, Playout, Setting, SpecError,
    Techniques, Values,
};
