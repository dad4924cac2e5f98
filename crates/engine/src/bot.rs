//! What a bot is, and what it answers.

use std::time::Duration;

use checkers_lib::{Game, Move};

use crate::{BotSpec, Limits, Score};

/// Something that chooses moves.
pub trait Bot: Send {
    /// What the bot was built from.
    fn spec(&self) -> &BotSpec;

    /// Forgets the previous game, and gets ready for the next, so that its first search waits for
    /// nothing: whoever plays on a clock calls this before the clock runs. `number` counts the games
    /// of a run from 0; it is part of the seed of `random`.
    fn new_game(&mut self, number: u64);

    /// Chooses a move for the side to move. [`Choice::best`] is `None` only if there is no legal
    /// move; a game that is over has none.
    fn choose(&mut self, game: &Game, limits: &Limits) -> Choice;
}

/// A bot's answer.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The chosen move; of equally good moves the first that was tried, which is the first in
    /// generation order except for `negascout-id`, `champion` and bots with `order=on`. `level`
    /// takes any that is about as good.
    pub best: Option<Move>,
    /// What the move is worth to the side to move.
    pub score: Score,
    /// How many plies deep the search went: the deepest depth that was finished, 0 if it was cut
    /// short before that. The height of the tree of `mcts`.
    pub depth: u32,
    /// How many positions were visited: the root, the inner positions and the leaves, each as
    /// often as the search entered it, also where the transposition table had the answer. The
    /// simulations of `mcts`.
    pub nodes: u64,
    /// How long the choice took.
    pub time: Duration,
    /// The principal variation: the chosen move and the best play after it, legal to its end.
    pub pv: Vec<Move>,
    /// Whether the search came to its end; if not, [`Limits`] say what the move is.
    pub complete: bool,
    /// Whether the move comes from an opening book: nothing was searched then, so that depth and
    /// nodes are 0.
    pub from_book: bool,
}

impl Choice {
    /// The answer where there is nothing to choose: a lost position, or a game over otherwise.
    pub(crate) fn none(game: &Game) -> Choice {
        let is_lost = game.position().is_lost();
        Choice {
            best: None,
            score: if is_lost {
                Score::lost_in(0)
            } else {
                Score::ZERO
            },
            depth: 0,
            nodes: 0,
            time: Duration::ZERO,
            pv: Vec::new(),
            complete: true,
            from_book: false,
        }
    }
}
