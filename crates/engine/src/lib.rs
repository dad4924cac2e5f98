//! Everything that chooses a move of Russian draughts.
//!
//! A [`BotSpec`] names a bot and its options, [`BotSpec::build`] makes it, [`Bot::choose`] asks it
//! for a move:
//!
//! ```
//! use checkers_engine::{BotSpec, Limits};
//! use checkers_lib::{DrawRules, Game};
//!
//! let spec: BotSpec = "negascout:depth=5,seed=1".parse()?;
//! let mut bot = spec.build();
//! let mut game = Game::new(DrawRules::Fmjd64);
//! bot.new_game(0);
//! let choice = bot.choose(&game, &Limits::default());
//! game.play(choice.best.expect("the start position has moves"))?;
//! assert_eq!(choice.pv.len(), 5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Six of the bots are those of a published study, each in the textbook form of its algorithm so
//! that they can be compared; `sss-star` and `mtdf` join them in the same form. `negascout-id` is
//! what game programs make of such a search, and `mcts` goes another way altogether. `champion` is
//! the strongest there is, and `level` plays with it as people can stand it. Searching takes one
//! thread, the caller's, unless `champion` is given more; a [`Stop`] ends it from any other. Nothing
//! here opens sockets, and the clock is looked at for times of [`Limits`] and answers alone.
//!
//! [`evaluation`] is what training finds the weights of; [`book`] has the first moves;
//! [`tablebase`] makes and reads tables of endings; reading them is all that is done with files.

pub mod book;
mod bot;
mod budget;
mod champion;
mod endings;
mod eval;
pub mod evaluation;
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
mod registry;
mod score;
mod spec;
mod study;
mod table;
pub mod tablebase;
mod trace;

pub use bot::{Bot, Choice};
pub use champion::{
    Analyst, Answer, Evaluate, Question, Report, Techniques, Variation, champion_with, logistic,
    win_chance,
};
pub use fingerprint::fingerprint;
pub use level::HIGHEST_LEVEL;
pub use limits::{Clock, Limits, Ponder, Stop};
pub use on_clock::on_clock;
pub use random::Dice;
pub use registry::Values;
pub use score::Score;
pub use spec::{Accept, Algorithm, BotSpec, Evaluator, Options, Playout, Setting, SpecError};
