//! The bots.

mod agreement;
mod answers;
mod book;
mod champion;
mod iterations;
mod levels;
mod limits;
mod mcts;
pub(crate) mod positions;
mod random;
mod stopping;
mod tactics;

use checkers_engine::{Bot, BotSpec, Choice, Limits};
use checkers_lib::{DrawRules, Game, Position};

/// The bot of a spec that is known to be right.
fn bot(spec: &str) -> Box<dyn Bot> {
    let spec: BotSpec = spec.parse().expect("a spec known to be right");
    spec.build()
}

/// Asks for a move in a position without history.
fn ask(bot: &mut dyn Bot, position: &Position, depth: u32) -> Choice {
    let game = Game::from_position(position.clone(), DrawRules::Study);
    let limits = Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    bot.choose(&game, &limits)
}
