//! What is worth knowing of a game for the pages of its players.

use checkers_engine::tablebase::Wdl;
use checkers_lib::protocol::GameRecord;
use checkers_lib::{ByColor, Position};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Deserialize;

use crate::ladder::{Regret, value_of_ending};

/// The moves of both sides that are an opening.
const OPENING_PLIES: usize = 2;

/// What an ending is worth for a player if both play it perfectly.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum Ending {
    Won,
    Drawn,
    Lost,
}

impl Ending {
    const ALL: [Ending; 3] = [Ending::Won, Ending::Drawn, Ending::Lost];

    /// The name in the store and in addresses.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Ending::Won => "won",
            Ending::Drawn => "drawn",
            Ending::Lost => "lost",
        }
    }

    /// The ending of this name.
    pub(super) fn from_name(name: &str) -> Option<Ending> {
        Ending::ALL.into_iter().find(|ending| ending.name() == name)
    }

    fn of(value: Wdl) -> Ending {
        match value {
            Wdl::Win => Ending::Won,
            Wdl::Draw => Ending::Drawn,
            Wdl::Loss => Ending::Lost,
        }
    }
}

/// What is stored of a game for its players.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Review {
    /// The first moves, such as `c3-d4 d6-c5`; empty if the players did not choose them.
    pub(super) opening: String,
    /// For each side, `None` if the game had no ending.
    pub(super) ending: ByColor<Option<Ending>>,
    pub(super) regret: ByColor<Regret>,
}

impl Review {
    pub(super) fn of(record: &GameRecord) -> Review {
        let value = value_of_ending(record);
        Review {
            opening: opening(record).unwrap_or_default(),
            ending: ByColor {
                white: value.map(Ending::of),
                black: value.map(|value| Ending::of(value.reversed())),
            },
            regret: Regret::of(record),
        }
    }
}

fn opening(record: &GameRecord) -> Option<String> {
    let is_usual = record.start_fen.parse() == Ok(Position::start());
    if record.opening_plies > 0 || !is_usual {
        return None;
    }
    let moves = record.moves.get(..OPENING_PLIES)?;
    let moves: Vec<&str> = moves.iter().map(|played| played.text.as_str()).collect();
    Some(moves.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ladder::test_record;

    #[test]
    fn an_opening_is_the_first_moves_that_players_chose() {
        let start = Position::start().to_string();
        let of = |moves| Review::of(&test_record(&start, moves)).opening;
        assert_eq!(of(&["c3-d4", "d6-c5", "b2-c3"]), "c3-d4 d6-c5");
        assert_eq!(of(&["c3-d4"]), "");
        let mut drawn = test_record(&start, &["c3-d4", "d6-c5", "b2-c3"]);
        drawn.opening_plies = 2;
        assert_eq!(Review::of(&drawn).opening, "");
        let elsewhere = test_record("W:Wc3,e3:Bd6,f6", &["c3-d4", "f6-g5"]);
        assert_eq!(Review::of(&elsewhere).opening, "");
    }

    #[test]
    fn an_ending_is_seen_from_both_sides() {
        let won = Review::of(&test_record("W:WKa1,Kb2,Kc3:Bh8", &[]));
        assert_eq!(won.ending.white, Some(Ending::Won));
        assert_eq!(won.ending.black, Some(Ending::Lost));
        for ending in Ending::ALL {
            assert_eq!(Ending::from_name(ending.name()), Some(ending));
        }
    }
}
