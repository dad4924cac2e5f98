//! What a run is to play, and where.

use checkers_lib::Color;
use checkers_lib::protocol::Quick;

/// What a run is to play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunPlan {
    /// The name to join with.
    pub name: String,
    /// The token of the bot's account, under whose name it plays.
    pub token: Option<String>,
    /// The bot's spec in the canonical form.
    pub bot: String,
    /// What to play in seats that the bot takes itself; `None` to play every game that is arranged
    /// for it, on either side.
    pub series: Option<Series>,
    /// Where a series is played.
    pub venue: Venue,
    /// Whether the games at [`Venue::Own`] are rated.
    pub rated: bool,
}

/// Where a series is played.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Venue {
    /// At the table at which everybody arrives.
    #[default]
    Main,
    /// At a table that is there.
    Table(String),
    /// At a table of its own, which everybody finds; both sides have this clock, if there is one.
    Own(Option<String>),
    /// Wherever the server pairs it, for each game anew.
    Quick(Quick),
}

impl Venue {
    /// Whether the server assigns the sides.
    pub(super) fn is_paired(&self) -> bool {
        matches!(self, Venue::Quick(_))
    }
}

/// Games in seats that the bot takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Series {
    /// The side of the first game.
    pub color: Color,
    /// How many games; 0 for no end.
    pub games: u32,
    /// Whether the side changes from game to game.
    pub swap: bool,
}

impl Series {
    /// The side of the game that `before` games were played before.
    pub fn color_of(self, before: u32) -> Color {
        if self.swap && before % 2 == 1 {
            !self.color
        } else {
            self.color
        }
    }
}
