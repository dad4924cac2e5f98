//! Recorded searches: what is true of every tree, and of the trees of each algorithm.

mod files;
mod limits;
mod move_order;
mod origins;
mod singular;
mod theorems;
mod values;

use checkers_engine::tree::{NodeId, NodeOutcome, Tree, record};
use checkers_engine::{BotSpec, Limits};
use checkers_lib::{DrawRules, Game, Move, Position};

use crate::bots::positions;

/// The bots whose score is minimax's.
const EXACT: [&str; 11] = [
    "minimax",
    "alpha-beta",
    "alpha-beta:order=on,id=on",
    "negascout",
    "negascout:order=on",
    "alpha-beta:order=best",
    "negascout-tt:tt=1,tt-accept=exact,order=worst,id=on",
    "negascout-tt:tt=1,tt-accept=exact",
    "negascout-id:tt=1,tt-accept=exact,quiescence=off,tablebase=off",
    "mtdf:tt=1",
    "sss-star:tt=1",
];

/// All others, with every technique.
const OTHERS: [&str; 9] = [
    "minimax-weak",
    "negascout-tt:tt=1,order=on,id=on",
    "negascout-id:tt=1",
    "mcts:playouts=300",
    "mcts:playouts=300,playout=eval",
    "champion:tt=1,eval=rows",
    "champion:tt=1",
    "champion:tt=1,eval=hand,single=on,recapture=on,contempt=20",
    "champion:tt=1,eval=patterns,lmr=off,futility=off,iir=off,table=off,tablebase=off",
];

fn spec(text: &str) -> BotSpec {
    text.parse().expect("a spec")
}

fn game_at(position: &Position) -> Game {
    Game::from_position(position.clone(), DrawRules::Fmjd64)
}

fn to_depth(depth: u32) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

fn recorded(bot: &str, position: &Position, depth: u32) -> Tree {
    let tree = record(&spec(bot), &game_at(position), &to_depth(depth), usize::MAX);
    tree.expect("a bot with a search")
}

/// Every `step`-th position of random games, and some endings.
fn sample(count: usize, step: usize, seed: u64) -> Vec<Position> {
    let games = positions::from_games(count * step, seed);
    let endings = positions::king_endings(count.div_ceil(4), seed);
    games.into_iter().step_by(step).chain(endings).collect()
}

/// The moves from the root to a node.
fn line(tree: &Tree, id: NodeId) -> Vec<Move> {
    let path = tree.path(id).into_iter();
    path.filter_map(|id| tree.node(id).m).collect()
}

/// The lines to positions that were evaluated, in the order of the search, each once.
fn leaves(tree: &Tree) -> Vec<Vec<Move>> {
    let mut seen = std::collections::HashSet::new();
    let is_leaf = |id: &NodeId| {
        matches!(
            tree.node(*id).outcome,
            NodeOutcome::Leaf | NodeOutcome::Lost
        )
    };
    let leaves = tree.ids().filter(is_leaf).map(|id| line(tree, id));
    leaves.filter(|line| seen.insert(line.clone())).collect()
}
