//! What a client can ask of a table.

use checkers_lib::protocol::{ClientMessage, EndReason, GameResult, Meant, Offer, SearchInfo};
use checkers_lib::{ByColor, Color};

use crate::director::DirectorToken;

/// What a client can ask of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Come in under a name.
    Enter {
        /// The name, as the client wrote it.
        name: String,
    },
    /// Take a free seat.
    TakeSeat(Color),
    /// Give the seat up.
    LeaveSeat,
    /// Play a move.
    Move(Attempt),
    /// Give the running game up.
    Resign(Meant),
    /// Call the running game off.
    Abort(Meant),
    /// Offer the other player something.
    Offer(Offer, Meant),
    /// Take what the other player offers.
    Accept(Offer, Meant),
    /// Turn it down.
    Decline(Offer, Meant),
    /// Seat two clients and start their game, as the director.
    ArrangeGame(DirectorToken, Arrangement),
    /// End the running game, as the director.
    EndGame(DirectorToken, Judgement),
    /// Be known to have said what is no message of the protocol. It is refused elsewhere.
    Misbehave {
        /// What was wrong with it, for people.
        message: String,
    },
    /// Go away; a lost connection is the same.
    Exit,
}

/// A move as a player sends it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Attempt {
    /// The game it is meant for; `None` for the running one.
    pub game: Option<u64>,
    /// The ply it is meant for.
    pub ply: u32,
    /// The move as text.
    pub text: String,
    /// What the player tells of the search for it.
    pub search: Option<SearchInfo>,
}

/// A game as the director wants it, all texts as they came.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arrangement {
    /// The number it is to have.
    pub game: u64,
    /// The names of the players.
    pub players: ByColor<String>,
    /// The position to start from; `None` for the start of the game.
    pub start_fen: Option<String>,
    /// The moves of the opening.
    pub moves: Vec<String>,
    /// The time controls; `None` for no clock.
    pub clocks: ByColor<Option<String>>,
}

/// How the director ends a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Judgement {
    /// The number of the game.
    pub game: u64,
    /// Who is to have won.
    pub result: GameResult,
    /// Why.
    pub reason: EndReason,
}

impl From<ClientMessage> for Command {
    fn from(message: ClientMessage) -> Command {
        match message {
            ClientMessage::Join { name } => Command::Enter { name },
            ClientMessage::TakeSeat { color } => Command::TakeSeat(color.into()),
            ClientMessage::LeaveSeat => Command::LeaveSeat,
            ClientMessage::Move {
                game,
                ply,
                text,
                search,
            } => Command::Move(Attempt {
                game,
                ply,
                text,
                search,
            }),
            ClientMessage::Resign(meant) => Command::Resign(meant),
            ClientMessage::Abort(meant) => Command::Abort(meant),
            ClientMessage::OfferDraw(meant) => Command::Offer(Offer::Draw, meant),
            ClientMessage::AcceptDraw(meant) => Command::Accept(Offer::Draw, meant),
            ClientMessage::DeclineDraw(meant) => Command::Decline(Offer::Draw, meant),
            ClientMessage::OfferTakeback(meant) => Command::Offer(Offer::Takeback, meant),
            ClientMessage::AcceptTakeback(meant) => Command::Accept(Offer::Takeback, meant),
            ClientMessage::DeclineTakeback(meant) => Command::Decline(Offer::Takeback, meant),
            ClientMessage::OfferRematch(meant) => Command::Offer(Offer::Rematch, meant),
            ClientMessage::AcceptRematch(meant) => Command::Accept(Offer::Rematch, meant),
            ClientMessage::DeclineRematch(meant) => Command::Decline(Offer::Rematch, meant),
            ClientMessage::ArrangeGame {
                token,
                game,
                white,
                black,
                start_fen,
                moves,
                white_clock,
                black_clock,
            } => {
                let arrangement = Arrangement {
                    game,
                    players: ByColor { white, black },
                    start_fen,
                    moves,
                    clocks: ByColor {
                        white: white_clock,
                        black: black_clock,
                    },
                };
                Command::ArrangeGame(DirectorToken::new(token), arrangement)
            }
            ClientMessage::EndGame {
                token,
                game,
                result,
                reason,
            } => {
                let judgement = Judgement {
                    game,
                    result,
                    reason,
                };
                Command::EndGame(DirectorToken::new(token), judgement)
            }
        }
    }
}
