//! What was played: the one record every output is derived from, however the match was played.

use std::fmt;

use checkers_lib::protocol::{EndReason, GameResult, WireColor};
use serde::{Deserialize, Serialize};

use crate::statistics::GameScore;

/// A bot of the match: its index in the list of bots, from 0. People see it counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BotId(pub usize);

impl BotId {
    /// The bot named first on the command line: wins and losses are told from its side.
    pub const FIRST: BotId = BotId(0);
    /// The bot named second.
    pub const SECOND: BotId = BotId(1);
    /// Both bots of a match.
    pub const BOTH: [BotId; 2] = [BotId::FIRST, BotId::SECOND];

    /// The name the bot plays under.
    pub fn name(self) -> String {
        format!("bot-{}", self.0 + 1)
    }
}

impl fmt::Display for BotId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bot {}", self.0 + 1)
    }
}

/// Who has which side in a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Seats {
    /// The bot that plays White.
    pub white: BotId,
    /// The bot that plays Black.
    pub black: BotId,
}

impl Seats {
    /// The seats of a match's game `number`, counted from 1: the first bot has White, in every
    /// other game Black if colours are swapped.
    pub fn of_game(number: u64, swap: bool) -> Seats {
        if swap && number.is_multiple_of(2) {
            Seats {
                white: BotId::SECOND,
                black: BotId::FIRST,
            }
        } else {
            Seats {
                white: BotId::FIRST,
                black: BotId::SECOND,
            }
        }
    }

    /// The side that a bot has.
    pub fn color(self, bot: BotId) -> WireColor {
        if bot == self.white {
            WireColor::White
        } else {
            WireColor::Black
        }
    }

    /// The bot that has a side.
    pub fn player(self, color: WireColor) -> BotId {
        match color {
            WireColor::White => self.white,
            WireColor::Black => self.black,
        }
    }
}

/// A game as it was played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its number in the match, from 1.
    pub number: u64,
    /// Who played which side.
    pub seats: Seats,
    /// The first position.
    pub start_fen: String,
    /// Every move.
    pub moves: Vec<MoveRecord>,
    /// Who won, if anybody; a game that was broken off is [`GameResult::Interrupted`].
    pub result: GameResult,
    /// Why it ended.
    pub reason: EndReason,
    /// The article of the federation's rules, for a draw that has one.
    pub article: Option<String>,
}

/// A move as it was played and what is known about how it was found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MoveRecord {
    /// The side that played it.
    pub color: WireColor,
    /// The shortest text that names it.
    #[serde(rename = "move")]
    pub text: String,
    /// How long it took, in microseconds.
    pub time_us: u64,
    /// Whose clock said so.
    pub clock: Clock,
    /// What the bot told about its search, if it did.
    pub search: Option<SearchInfo>,
}

/// Whose clock measured the time of a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Clock {
    /// The bot's own: the search alone.
    Bot,
    /// Nobody's: the move belongs to the opening, and was not chosen.
    Opening,
    /// The server's, in whole milliseconds and with the way there and back; for bots that tell
    /// nothing.
    Server,
}

/// What a bot tells about the search for a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SearchInfo {
    /// The score from the mover's view, in the bot's own units.
    pub score: i32,
    /// The depth reached, in plies.
    pub depth: u32,
    /// The positions visited.
    pub nodes: u64,
}

impl MoveRecord {
    /// A move of an opening.
    pub fn of_opening(color: WireColor, text: String) -> MoveRecord {
        MoveRecord {
            color,
            text,
            time_us: 0,
            clock: Clock::Opening,
            search: None,
        }
    }
}

impl GameRecord {
    /// The bot that won, if one did.
    pub fn winner(&self) -> Option<BotId> {
        let winner = self.result.winner()?;
        Some(self.seats.player(winner.into()))
    }

    /// Whether the game was broken off and so says nothing about strength.
    pub fn is_interrupted(&self) -> bool {
        self.result == GameResult::Interrupted
    }

    /// What makes a game evidence of its own: games are repeats of each other when the same bots
    /// on the same sides made the same moves from the same position.
    pub fn evidence(&self) -> (Seats, &str, Vec<&str>) {
        let moves = self.moves.iter().map(|played| played.text.as_str());
        (self.seats, &self.start_fen, moves.collect())
    }

    /// The moves that one bot chose.
    pub fn moves_of(&self, bot: BotId) -> impl Iterator<Item = &MoveRecord> {
        self.moves.iter().filter(move |played| {
            self.seats.player(played.color) == bot && played.clock != Clock::Opening
        })
    }

    /// The first bot's share of the game, if it was played to its end.
    pub fn score(&self) -> Option<GameScore> {
        match self.winner() {
            _ if self.is_interrupted() => None,
            Some(BotId::FIRST) => Some(GameScore::Win),
            Some(_) => Some(GameScore::Loss),
            None => Some(GameScore::Draw),
        }
    }
}
