//! The openings and endings of a player.

use std::collections::HashMap;

use checkers_lib::protocol::GameResult;
use event_store::ReadError;

use super::players::most_frequent;
use super::types::{Endings, Openings, PlayerPage, Tally};
use crate::ladder::Regret;
use crate::profiles::{Ending, ProfileGames, Profiles};

/// Adds them to the player's page.
pub(super) async fn add(profiles: &Profiles, page: &mut PlayerPage) -> Result<(), ReadError> {
    let mut profile = Profile::default();
    for games in profiles.games_of(&page.name).await? {
        profile.add(games);
    }
    profile.fill(page);
    Ok(())
}

/// A player's games, added up.
#[derive(Debug, Default)]
struct Profile {
    white: HashMap<String, Tally>,
    black: HashMap<String, Tally>,
    reasons: HashMap<String, Tally>,
    endings: Endings,
    regret: Regret,
}

impl Profile {
    fn add(&mut self, games: ProfileGames) {
        let result = GameResult::from_name(&games.result);
        let openings = match games.is_white {
            true => &mut self.white,
            false => &mut self.black,
        };
        let ending = match games.ending {
            Some(Ending::Won) => Some(&mut self.endings.won),
            Some(Ending::Drawn) => Some(&mut self.endings.drawn),
            Some(Ending::Lost) => Some(&mut self.endings.lost),
            None => None,
        };
        let opening = games
            .opening
            .map(|moves| openings.entry(moves).or_default());
        let reason = self.reasons.entry(games.reason).or_default();
        for tally in ending.into_iter().chain(opening).chain([reason]) {
            tally.add(result, games.is_white, games.count);
        }
        self.regret.add(games.regret);
    }

    fn fill(self, page: &mut PlayerPage) {
        page.openings = Openings {
            white: most_frequent(self.white),
            black: most_frequent(self.black),
        };
        page.reasons = most_frequent(self.reasons);
        page.endings = Endings {
            moves: self.regret.moves,
            lost_per_100: self.regret.per_100_moves().map(hundredths),
            ..self.endings
        };
    }
}

fn hundredths(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_counted_in_each_part_that_they_belong_to() {
        let games = |is_white, result: &str, opening: Option<&str>, ending, count| ProfileGames {
            is_white,
            result: result.to_owned(),
            reason: "resignation".to_owned(),
            opening: opening.map(str::to_owned),
            ending,
            count,
            regret: Regret { moves: 8, lost: 1 },
        };
        let mut profile = Profile::default();
        let (usual, rare) = (Some("c3-d4 d6-c5"), Some("a3-b4 b6-a5"));
        profile.add(games(true, "white_won", usual, Some(Ending::Won), 3));
        profile.add(games(true, "draw", usual, Some(Ending::Won), 1));
        profile.add(games(true, "black_won", rare, None, 1));
        profile.add(games(false, "black_won", None, Some(Ending::Lost), 2));
        let tally = |won, drawn, lost| Tally {
            won,
            drawn,
            lost,
            interrupted: 0,
        };
        assert_eq!(profile.white["c3-d4 d6-c5"], tally(3, 1, 0));
        assert_eq!(profile.white["a3-b4 b6-a5"], tally(0, 0, 1));
        assert!(profile.black.is_empty());
        assert_eq!(profile.reasons["resignation"], tally(5, 1, 1));
        assert_eq!(profile.endings.won, tally(3, 1, 0));
        assert_eq!(profile.endings.lost, tally(2, 0, 0));
        assert_eq!(profile.regret, Regret { moves: 32, lost: 4 });
    }
}
