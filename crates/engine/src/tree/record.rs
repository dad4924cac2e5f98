//! Recording a search.

use std::time::Duration;

use checkers_lib::Game;

use super::Tree;
use super::recorder::{Recorded, Recorder};
use crate::{Algorithm, BotSpec, Limits};

/// What bounded a recorded search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bounds {
    /// [`Limits::depth`]
    pub depth: Option<u32>,
    /// [`Limits::nodes`]
    pub nodes: Option<u64>,
    /// [`Limits::movetime`], in whole microseconds.
    pub movetime: Option<Duration>,
}

/// Why a search cannot be recorded.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RecordError {
    /// The bot searches no tree of its own.
    #[error("{bot} has no search to record")]
    NoSearch {
        /// Its name.
        bot: &'static str,
    },
    /// Several threads have no order in which they visit nodes.
    #[error("a search on {threads} threads cannot be recorded: threads=1 can")]
    Threads {
        /// How many.
        threads: u32,
    },
}

/// Lets the bot of a spec choose a move in the present position of a game, as in a new game and
/// without a book, and records what it visits.
///
/// At most `most_nodes` nodes are kept, and all roots. If there are more, those at the greatest
/// distance from their root are counted and not kept, whole levels of them: [`Tree::deepest_level`]
/// says from where on, and [`Node::dropped`](super::Node::dropped) how many there were below a node.
///
/// # Errors
/// `random` and `level` search nothing, and several threads cannot be recorded.
pub fn record(
    spec: &BotSpec,
    game: &Game,
    limits: &Limits,
    most_nodes: usize,
) -> Result<Tree, RecordError> {
    if matches!(spec.algorithm(), Algorithm::Random | Algorithm::Level) {
        return Err(RecordError::NoSearch { bot: spec.name() });
    }
    let threads = spec.options().threads;
    if threads > 1 {
        return Err(RecordError::Threads { threads });
    }
    let spec = spec.clone().without_book();
    let recorder = Recorder::new(most_nodes);
    let mut bot = spec.build_observed(&recorder);
    bot.new_game(0);
    let choice = bot.choose(game, limits);
    let Recorded {
        nodes,
        deepest_level,
    } = recorder.finish();
    Ok(Tree {
        spec,
        game: game.clone(),
        bounds: Bounds::of(limits),
        choice,
        deepest_level,
        nodes,
    })
}

impl Bounds {
    fn of(limits: &Limits) -> Bounds {
        let whole = |time: Duration| Duration::from_micros(time.as_micros() as u64);
        Bounds {
            depth: limits.depth,
            nodes: limits.nodes,
            movetime: limits.movetime.map(whole),
        }
    }
}
