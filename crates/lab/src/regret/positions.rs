//! The positions to measure, from PDN files or from games of a bot against itself.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use checkers_engine::BotSpec;
use checkers_lib::openings::{self, Opening};
use checkers_lib::{DrawRules, Game, Position};

use super::measure::RegretMeasure;
use crate::analyse::input::games;
use crate::failure::LabFailure;
use crate::player::{PlayerFactory, SearchEffort};

/// Nodes of a move in games of the bot against itself.
const NODES: u64 = 2_000;

/// Games of the bot against itself are drawn after this many plies.
const MOST_PLIES: usize = 200;

/// Where games come from.
pub(super) enum GameSource<'a> {
    /// This many games of the champion against itself.
    Played(usize),
    /// PDN files.
    Files(&'a [PathBuf]),
}

/// Positions with a choice of moves, each once, in the order of the games.
pub(super) struct SampledPositions {
    /// Those that the tablebases have.
    pub(super) endings: Vec<Position>,
    pub(super) middle_games: Vec<Position>,
}

impl GameSource<'_> {
    /// # Errors
    /// When a file cannot be read, or the command is stopped.
    pub(super) fn positions(
        &self,
        most_pieces: u32,
        measure: &RegretMeasure,
    ) -> Result<SampledPositions, LabFailure> {
        let games = match self {
            GameSource::Played(count) => played(*count, measure)?,
            GameSource::Files(paths) => {
                let games: Vec<Vec<Game>> = paths
                    .iter()
                    .map(|path| read(path))
                    .collect::<Result<_, _>>()?;
                games.concat()
            }
        };
        let mut seen = HashSet::new();
        let positions = games.iter().flat_map(Game::positions);
        let chosen = positions.filter(|position| {
            position.legal_moves().len() > 1 && seen.insert((*position).clone())
        });
        let (endings, middle_games) = chosen
            .cloned()
            .partition(|position| position.occupied().len() <= most_pieces);
        Ok(SampledPositions {
            endings,
            middle_games,
        })
    }
}

/// At most `most` of the positions, spread evenly over all of them.
pub(super) fn spread(positions: &[Position], most: usize) -> Vec<Position> {
    let count = positions.len().min(most);
    let at = |i: usize| i * positions.len() / count.max(1);
    (0..count).map(|i| positions[at(i)].clone()).collect()
}

fn read(path: &Path) -> Result<Vec<Game>, LabFailure> {
    let games = games(path, None)?.into_iter().flatten();
    // A game with an illegal move has none of its positions.
    Ok(games
        .filter_map(|game| game.to_game(DrawRules::Fmjd64).ok())
        .collect())
}

/// Games of the champion against itself, from the built-in openings in their order, repeated if necessary.
fn played(count: usize, measure: &RegretMeasure) -> Result<Vec<Game>, LabFailure> {
    let bot: BotSpec = "champion:tt=4".parse().expect("a known bot");
    let factory = PlayerFactory::new(&bot, None)?;
    let suite = openings::suite();
    let openings: Vec<(u64, &Opening)> = (0..).zip(suite.iter().cycle().take(count)).collect();
    let make = || factory.make(&measure.stop);
    let games = measure.map(&openings, make, |player, (number, opening)| {
        player.new_game(*number);
        let mut game = opening.to_game(DrawRules::Fmjd64).ok()?;
        while game.outcome().is_none() && game.ply() < MOST_PLIES {
            let best = player.search(&game, SearchEffort::Nodes(NODES)).best?;
            game.play(best).ok()?;
        }
        Some(game)
    })?;
    Ok(games.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_spread_over_all() {
        let position: Position = "W:Wa1:Bh8".parse().unwrap();
        let all = vec![position; 10];
        assert_eq!(spread(&all, 4).len(), 4);
        assert_eq!(spread(&all, 40).len(), 10);
        assert!(spread(&all, 0).is_empty());
        assert!(spread(&[], 4).is_empty());
    }
}
