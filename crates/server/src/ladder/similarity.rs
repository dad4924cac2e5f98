//! How alike players play: a program that was copied chooses the same moves as the original.

use std::collections::{BTreeMap, HashMap};
use std::ops::Bound;
use std::sync::Arc;

use checkers_lib::Position;
use checkers_lib::protocol::GameRecord;
use event_store::{ArchiveFilter, ReadError, Store, all_games};
use futures::{StreamExt, TryStreamExt};
use tokio::sync::OwnedSemaphorePermit;
use tokio::task::spawn_blocking;

use super::Season;
use super::choices::{OpponentChoice, choices, names};
use crate::table::CompactRecord;

/// The latest games that are compared.
const MOST_GAMES: usize = 5000;

/// The fewest positions that two players must both have met.
const LEAST_POSITIONS: u32 = 20;

/// How often two players chose the same move in positions that both have met.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Similar {
    /// The names; for bots of the server, their levels or specifications.
    pub(crate) players: [String; 2],
    /// Positions after the opening, with more than one move, that both have met.
    pub(crate) positions: u32,
    /// The share of equal moves, averaged over the positions. Who varies the moves in a position counts with the
    /// frequency of each.
    pub(crate) same: f64,
}

/// The moves that players have chosen.
#[derive(Debug, Default)]
pub(super) struct Choices(BTreeMap<String, HashMap<Position, Frequencies>>);

/// How often each move was chosen, as text.
type Frequencies = HashMap<String, u32>;

/// How alike the players of a season play, the most alike first. Reads its games.
pub(crate) async fn similarity(
    archive: Arc<dyn Store>,
    season: Season,
    turn: OwnedSemaphorePermit,
) -> Result<Vec<Similar>, ReadError> {
    let filter = ArchiveFilter {
        event: Some(season.event()),
        ..ArchiveFilter::default()
    };
    let mut games = all_games(archive, filter).take(MOST_GAMES).boxed();
    let mut chosen = Choices::default();
    while let Some(game) = games.try_next().await? {
        let added = spawn_blocking(move || {
            // The list of games reports a document that cannot be read.
            if let Ok(record) = CompactRecord::read(&game.summary.document) {
                chosen.add(&record);
            }
            chosen
        });
        chosen = added.await.map_err(|_| ReadError::Cancelled)?;
    }
    // Whoever asks may go away; the turn ends with the computation.
    let pairs = spawn_blocking(move || {
        let _until_computed = turn;
        chosen.pairs()
    });
    let pairs = pairs.await;
    pairs.map_err(|_| ReadError::Cancelled)
}

impl Choices {
    /// Adds the moves of a game.
    pub(super) fn add(&mut self, record: &GameRecord) {
        let names = names(record);
        for OpponentChoice { before, played, .. } in choices(record) {
            let player = names[before.turn()].to_owned();
            let chosen = self.0.entry(player).or_default().entry(before).or_default();
            *chosen.entry(played.text.clone()).or_default() += 1;
        }
    }

    /// All pairs of players with enough positions in common, the most alike first. O(players² × positions).
    pub(super) fn pairs(&self) -> Vec<Similar> {
        let mut pairs = Vec::new();
        for (first, of_first) in &self.0 {
            let later = (Bound::Excluded(first), Bound::Unbounded);
            let others = self.0.range::<String, _>(later);
            for (second, of_second) in others {
                let common = of_first.iter().filter_map(|(position, moves)| {
                    Some(chance_of_same(moves, of_second.get(position)?))
                });
                let (positions, same) =
                    common.fold((0_u32, 0.0), |(n, sum), same| (n + 1, sum + same));
                if positions >= LEAST_POSITIONS {
                    pairs.push(Similar {
                        players: [first.clone(), second.clone()],
                        positions,
                        same: same / f64::from(positions),
                    });
                }
            }
        }
        pairs.sort_by(|a, b| b.same.total_cmp(&a.same));
        pairs
    }
}

/// The chance that a move drawn from one is equal to a move drawn from the other.
fn chance_of_same(first: &Frequencies, second: &Frequencies) -> f64 {
    let total = |moves: &Frequencies| f64::from(moves.values().sum::<u32>());
    let same = first.iter().filter_map(|(text, &count)| {
        let other = *second.get(text)?;
        Some(f64::from(count) * f64::from(other))
    });
    same.sum::<f64>() / (total(first) * total(second))
}

#[cfg(test)]
mod tests {
    use super::super::regret::tests::record;
    use super::*;

    fn game(white: &str, black: &str, moves: &[&str]) -> GameRecord {
        let mut game = record(&Position::start().to_string(), moves);
        game.white.name = white.to_owned();
        game.black.name = black.to_owned();
        game
    }

    #[test]
    fn equal_moves_in_common_positions_are_counted() {
        let mut choices = Choices::default();
        choices.add(&game("anna", "boris", &["c3-d4", "b6-a5", "d4-c5"]));
        choices.add(&game("clara", "boris", &["c3-d4", "b6-c5"]));
        choices.add(&game("dan", "clara", &["g3-h4", "b6-a5"]));
        let of = |first: &str, second: &str| {
            let [first, second] = [first, second].map(|name| &choices.0[name]);
            let common = first.iter();
            let common = common
                .filter_map(|(position, moves)| Some(chance_of_same(moves, second.get(position)?)));
            common.collect::<Vec<f64>>()
        };
        assert_eq!(of("anna", "clara"), [1.0]);
        assert_eq!(of("anna", "dan"), [0.0]);
        assert_eq!(of("boris", "boris").len(), 1);
        assert_eq!(of("boris", "boris"), [0.5], "it has chosen two moves");
        assert_eq!(choices.pairs(), [], "they have too few positions in common");
    }

    #[test]
    fn the_most_alike_come_first() {
        let mut choices = Choices::default();
        let mut position = Position::start();
        for ply in 0..60 {
            let moves = position.legal_moves();
            let Some(&first) = moves.first() else { break };
            if moves.len() > 1 {
                let of = |name: &str, choice: usize| {
                    (name.to_owned(), position.notation(moves[choice]), choice)
                };
                let chosen = [
                    of("anna", 0),
                    of("copy", 0),
                    of("dan", usize::from(ply % 2 == 0)),
                ];
                for (name, text, _) in chosen {
                    let known = choices.0.entry(name).or_default();
                    known.entry(position.clone()).or_default().insert(text, 1);
                }
            }
            position.play_unchecked(first);
        }
        let pairs = choices.pairs();
        assert_eq!(pairs.len(), 3);
        assert_eq!(
            (pairs[0].players.clone(), pairs[0].same),
            (["anna".to_owned(), "copy".to_owned()], 1.0)
        );
        assert!(pairs[1].same < 0.8 && pairs[0].positions >= LEAST_POSITIONS);
    }
}
