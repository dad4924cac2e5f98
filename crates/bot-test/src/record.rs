//! What was played: the one record every output is derived from, however it was played.

use checkers_lib::protocol::{EndReason, GameResult, WireLine};
use checkers_lib::{Color, Move, Position};
use serde::{Deserialize, Serialize};

use crate::game_document::GameDocument;
use crate::statistics::GameScore;
use crate::{BotId, Fault};

/// Which bot has which side in a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Seats {
    /// The bot that plays White.
    pub white: BotId,
    /// The bot that plays Black.
    pub black: BotId,
}

impl Seats {
    /// The side that a bot has.
    pub fn color(self, bot: BotId) -> Color {
        if bot == self.white {
            Color::White
        } else {
            Color::Black
        }
    }

    /// The bot that has a side.
    pub fn player(self, color: Color) -> BotId {
        match color {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }

    /// The other bot of the game.
    pub fn opponent(self, bot: BotId) -> BotId {
        self.player(!self.color(bot))
    }
}

/// A game as it was played.
///
/// Its moves are legal one after the other from the first position. In JSON they are text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "GameDocument", try_from = "GameDocument")]
pub struct GameRecord {
    /// Its number in the tournament, from 1.
    pub number: u64,
    /// The bot of each side.
    pub seats: Seats,
    /// The first position.
    pub start: Position,
    /// Every move, those of the opening included.
    pub moves: Vec<MoveRecord>,
    /// The winner, if there is one; [`GameResult::Interrupted`] is a void game.
    pub result: GameResult,
    /// Why it ended.
    pub reason: EndReason,
    /// The article of the federation's rules, for a draw that has one.
    pub article: Option<String>,
    /// What the harness decided, if it was not the board that did.
    pub ruling: Option<Ruling>,
}

/// A move as it was played and what is known about how it was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveRecord {
    pub m: Move,
    /// How long it took, in microseconds.
    pub time_us: u64,
    /// The clock that measured it.
    pub clock: Timekeeper,
    /// The search that the bot reported, if any.
    pub search: Option<SearchRecord>,
}

/// The clock that measured the time of a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Timekeeper {
    /// The bot's own: the search alone.
    Bot,
    /// None: the move belongs to the opening, and was not chosen.
    Opening,
    /// The server's, in whole milliseconds and including the round trip; for bots that report
    /// nothing.
    Server,
}

/// What a bot reports about the search for a move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SearchRecord {
    /// The score from the mover's view, in the bot's own units.
    pub score: i32,
    /// The depth reached, in plies.
    pub depth: u32,
    /// The positions visited.
    pub nodes: u64,
    /// What it expects to be played, this move first; kept where
    /// [`crate::TournamentPlan::keep_lines`] asks for it.
    #[serde(default, skip_serializing_if = "WireLine::is_empty")]
    pub pv: WireLine,
}

/// What the harness decided about a game that the board did not end.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Ruling {
    /// A draw by adjudication: for long enough, both bots reported scores near zero.
    Draw,
    /// A win by adjudication: for long enough, the reported scores agreed.
    Win,
    /// The result is from the endgame tablebases.
    Tablebase,
    /// A draw for the count, because the game was as long as games may become.
    PlyCap {
        /// How many plies that is, those of the opening included.
        plies: u32,
    },
    /// A bot could not or did not go on.
    Forfeit(Forfeit),
    /// The game took too long, though each of its moves came in time; it counts for nothing.
    TooLong {
        /// What it was given, in milliseconds.
        limit_ms: u64,
    },
}

/// The failure of a bot that ended a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Forfeit {
    /// Which one.
    pub bot: BotId,
    /// What it did.
    pub fault: Fault,
    /// The last lines it wrote to stderr.
    pub stderr: Vec<String>,
}

impl MoveRecord {
    pub fn of_opening(m: Move) -> MoveRecord {
        MoveRecord {
            m,
            time_us: 0,
            clock: Timekeeper::Opening,
            search: None,
        }
    }
}

impl GameRecord {
    /// The bot that won, if one did.
    pub fn winner(&self) -> Option<BotId> {
        Some(self.seats.player(self.result.winner()?))
    }

    /// Whether the game counts for nothing.
    pub fn is_void(&self) -> bool {
        self.result == GameResult::Interrupted
    }

    /// A bot's share of the game, if it counts.
    pub fn score_of(&self, bot: BotId) -> Option<GameScore> {
        match self.winner() {
            _ if self.is_void() => None,
            Some(winner) if winner == bot => Some(GameScore::Win),
            Some(_) => Some(GameScore::Loss),
            None => Some(GameScore::Draw),
        }
    }

    /// The failure that ended it, if one did.
    pub fn forfeit(&self) -> Option<&Forfeit> {
        match &self.ruling {
            Some(Ruling::Forfeit(forfeit)) => Some(forfeit),
            Some(_) | None => None,
        }
    }

    /// The side that played the move of this index.
    pub fn mover(&self, index: usize) -> Color {
        if index.is_multiple_of(2) {
            self.start.turn()
        } else {
            !self.start.turn()
        }
    }

    /// Its moves in algebraic notation.
    pub fn texts(&self) -> impl Iterator<Item = String> {
        let mut position = self.start.clone();
        self.moves.iter().map(move |played| {
            let text = position.notation(played.m);
            position.play_unchecked(played.m);
            text
        })
    }

    /// The moves that one bot chose.
    pub fn moves_of(&self, bot: BotId) -> impl Iterator<Item = &MoveRecord> {
        let side = self.seats.color(bot);
        (self.moves.iter().enumerate())
            .filter(move |&(index, played)| {
                self.mover(index) == side && played.clock != Timekeeper::Opening
            })
            .map(|(_, played)| played)
    }

    /// What makes a game evidence of its own: games are repeats of each other when the same bots
    /// on the same sides made the same moves from the same position.
    pub fn evidence(&self) -> Evidence {
        Evidence {
            seats: self.seats,
            start: self.start.clone(),
            moves: self.moves.iter().map(|played| played.m).collect(),
        }
    }
}

/// What makes a game evidence of its own; see [`GameRecord::evidence`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Evidence {
    seats: Seats,
    start: Position,
    moves: Vec<Move>,
}
