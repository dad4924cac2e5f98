//! The words spoken on the wire between client and server: JSON text frames, one message each.
//!
//! Wire types are their own types, not derives on the core: the board may change, the wire may
//! not. Fields that a reader does not know are ignored. Squares, moves and positions are text in
//! the notation of [`crate::Position::notation`] and FEN. `docs/protocol.md` is the document.

mod clocks;
mod ending;
mod offers;
mod play;
mod players;
mod refusal;

use serde::{Deserialize, Serialize};

pub use clocks::{WireClock, WireClocks};
pub use ending::{EndReason, GameResult};
pub use offers::{Meant, Offer, OpenOffer};
pub use play::{GameState, LegalMove, PlayedMove, SearchInfo, WireRoute, wire_ply};
pub use players::{Player, Role, UnknownColor, WireColor, is_valid_name};
pub use refusal::{ErrorCode, Refusal};

/// The version of the protocol, told in [`ServerMessage::Joined`]. It grows when a message
/// changes its meaning, not when one is added.
pub const PROTOCOL_VERSION: u32 = 1;

/// The port the server listens on unless told otherwise.
pub const DEFAULT_PORT: u16 = 43210;

/// The longest text frame a client may send, in bytes.
pub const MAX_FRAME_BYTES: usize = 16 * 1024;

/// The longest name, in characters; the shortest has one.
pub const MAX_NAME_CHARS: usize = 30;

/// What a client says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ClientMessage {
    /// Comes in under a name; answered by `joined` or `error`.
    Join {
        /// 1–30 characters, unique on the server.
        name: String,
    },
    /// Asks for a seat; answered by `players` or `error`.
    TakeSeat {
        /// The side to play.
        color: WireColor,
    },
    /// Gives the seat up; a running game ends as interrupted.
    LeaveSeat,
    /// Plays a move; answered by `moved` or `error`.
    Move {
        /// The number of the game it is meant for; without it, the running one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        game: Option<u64>,
        /// How many moves have been played before this one.
        ply: u32,
        /// The move as text: any legal route to it, or a short form that fits no other.
        #[serde(rename = "move")]
        text: String,
        /// What found it; told to everybody.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        search: Option<SearchInfo>,
    },
    /// Gives the game up; answered by `game_over` or `error`.
    Resign(Meant),
    /// Calls the game off before both sides have moved; answered by `game_over` or `error`.
    Abort(Meant),
    /// Offers a draw; answered by `offered`, or by `game_over` if the opponent has offered one, or
    /// by `error`.
    OfferDraw(Meant),
    /// Takes the draw that is offered; answered by `game_over` or `error`.
    AcceptDraw(Meant),
    /// Turns it down; answered by `declined` or `error`.
    DeclineDraw(Meant),
    /// Asks to take the own last move back; answered by `offered`, or by `took_back` if the
    /// opponent has asked too, or by `error`.
    OfferTakeback(Meant),
    /// Lets the opponent take a move back; answered by `took_back` or `error`.
    AcceptTakeback(Meant),
    /// Does not; answered by `declined` or `error`.
    DeclineTakeback(Meant),
    /// Offers to play again; answered by `offered`, or by `game_started` if the opponent has
    /// offered it, or by `error`.
    OfferRematch(Meant),
    /// Agrees to play again; answered by `game_started` or `error`.
    AcceptRematch(Meant),
    /// Does not; answered by `declined` or `error`.
    DeclineRematch(Meant),
    /// The director seats two clients and starts their game; answered by `game_started` or
    /// `error`.
    ArrangeGame {
        /// What shows that the client is the director.
        token: String,
        /// The number the game is to have: above that of every game before.
        game: u64,
        /// The name of the client that is to play White.
        white: String,
        /// The name of the client that is to play Black.
        black: String,
        /// The position to start from; without it, the start of the game.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        start_fen: Option<String>,
        /// The moves of the opening, played before the first request.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        moves: Vec<String>,
        /// White's clock in the form of [`TimeControl`](crate::TimeControl); without it, none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        white_clock: Option<String>,
        /// Black's clock, likewise.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        black_clock: Option<String>,
    },
    /// The director ends the running game; answered by `game_over` or `error`.
    EndGame {
        /// What shows that the client is the director.
        token: String,
        /// The number of the game.
        game: u64,
        /// Who is to have won.
        result: GameResult,
        /// Why.
        reason: EndReason,
    },
}

impl ClientMessage {
    /// Every value of `type` that a client may send.
    pub const TYPES: [&str; 17] = [
        "join",
        "take_seat",
        "leave_seat",
        "move",
        "resign",
        "abort",
        "offer_draw",
        "accept_draw",
        "decline_draw",
        "offer_takeback",
        "accept_takeback",
        "decline_takeback",
        "offer_rematch",
        "accept_rematch",
        "decline_rematch",
        "arrange_game",
        "end_game",
    ];

    /// Its `type`: one of [`ClientMessage::TYPES`].
    pub fn type_name(&self) -> &'static str {
        match self {
            ClientMessage::Join { .. } => "join",
            ClientMessage::TakeSeat { .. } => "take_seat",
            ClientMessage::LeaveSeat => "leave_seat",
            ClientMessage::Move { .. } => "move",
            ClientMessage::Resign(_) => "resign",
            ClientMessage::Abort(_) => "abort",
            ClientMessage::OfferDraw(_) => "offer_draw",
            ClientMessage::AcceptDraw(_) => "accept_draw",
            ClientMessage::DeclineDraw(_) => "decline_draw",
            ClientMessage::OfferTakeback(_) => "offer_takeback",
            ClientMessage::AcceptTakeback(_) => "accept_takeback",
            ClientMessage::DeclineTakeback(_) => "decline_takeback",
            ClientMessage::OfferRematch(_) => "offer_rematch",
            ClientMessage::AcceptRematch(_) => "accept_rematch",
            ClientMessage::DeclineRematch(_) => "decline_rematch",
            ClientMessage::ArrangeGame { .. } => "arrange_game",
            ClientMessage::EndGame { .. } => "end_game",
        }
    }
}

/// What the server says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage {
    /// The client is in, as a spectator.
    Joined {
        /// The name as it is kept.
        name: String,
        /// [`PROTOCOL_VERSION`].
        protocol: u32,
        /// The table the client looks at.
        table: String,
        /// The draw rules of its games: `fmjd64` or `study`.
        draw_rules: String,
    },
    /// Who is here; told to everybody whenever it changes.
    Players {
        /// Everybody, in the order of their coming.
        players: Vec<Player>,
    },
    /// A game begins.
    GameStarted(GameState),
    /// The running game, told to a client that comes in while it runs.
    GameState(GameState),
    /// The receiver is to move.
    YourTurn {
        /// The number of the game.
        game: u64,
        /// How many moves have been played; to be repeated in the answer.
        ply: u32,
        /// The position.
        fen: String,
        /// Every legal move.
        legal_moves: Vec<LegalMove>,
        /// The clocks as the receiver's starts to run; absent if no side has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clocks: Option<WireClocks>,
    },
    /// A move has been played.
    Moved {
        /// The number of the game.
        game: u64,
        /// The move.
        played: PlayedMove,
        /// The position after it.
        fen: String,
        /// The side to move after it.
        turn: WireColor,
        /// The clocks after it, the increment added; absent if no side has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clocks: Option<WireClocks>,
    },
    /// A player has made an offer.
    Offered {
        /// The number of the game; for a rematch, of the one that is over.
        game: u64,
        /// What is offered.
        offer: Offer,
        /// Who offers it.
        by: WireColor,
    },
    /// A player has turned an offer down.
    Declined {
        /// The number of the game, likewise.
        game: u64,
        /// What was offered.
        offer: Offer,
        /// Who turned it down.
        by: WireColor,
    },
    /// An offer can be accepted no longer.
    Lapsed {
        /// The number of the game, likewise.
        game: u64,
        /// What was offered.
        offer: Offer,
        /// Who had offered it.
        by: WireColor,
    },
    /// Moves have been taken back.
    TookBack {
        /// The number of the game.
        game: u64,
        /// How many moves are left; those from this one on have been taken back.
        ply: u32,
        /// The position.
        fen: String,
        /// The side to move.
        turn: WireColor,
        /// The clocks, which run on from where they stand; absent if no side has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clocks: Option<WireClocks>,
    },
    /// The game is over and both seats are free.
    GameOver {
        /// The number of the game.
        game: u64,
        /// Who won, if anybody.
        result: GameResult,
        /// Why.
        reason: EndReason,
        /// The article of the federation's rules, for a draw that has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        article: Option<String>,
        /// The side that left, if the reason is that a player left.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        left: Option<WireColor>,
        /// How many moves were played.
        ply: u32,
        /// The last position.
        fen: String,
    },
    /// A player's move was refused: told to the director of an arranged game.
    MoveRefused {
        /// The number of the game.
        game: u64,
        /// How many moves have been played in it.
        ply: u32,
        /// Whose move it was.
        color: WireColor,
        /// The move as it was sent.
        #[serde(rename = "move")]
        text: String,
        /// What is wrong, for programs.
        code: ErrorCode,
        /// What is wrong, for people.
        message: String,
    },
    /// A player said what is no message of the protocol: told to the director of an arranged game.
    Misbehaved {
        /// The number of the game.
        game: u64,
        /// Which player.
        color: WireColor,
        /// What is wrong, for people.
        message: String,
    },
    /// A message was refused; the client stays where it was.
    Error {
        /// What is wrong, for programs.
        code: ErrorCode,
        /// What is wrong, for people.
        message: String,
        /// For an ambiguous move: the moves it could mean.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        candidates: Vec<String>,
    },
}

/// Codes with which the server closes a connection, besides the standard ones.
pub mod close_code {
    /// All is said (RFC 6455).
    pub const NORMAL: u16 = 1000;
    /// The server is going down (RFC 6455).
    pub const GOING_AWAY: u16 = 1001;
    /// A binary frame: this protocol is text (RFC 6455).
    pub const UNSUPPORTED: u16 = 1003;
    /// Messages came too fast (RFC 6455).
    pub const POLICY: u16 = 1008;
    /// A frame or message over [`super::MAX_FRAME_BYTES`] (RFC 6455).
    pub const TOO_BIG: u16 = 1009;
    /// The server has as many connections as it takes; try later (IANA registry).
    pub const TRY_AGAIN_LATER: u16 = 1013;
    /// The client reads more slowly than the table speaks.
    pub const TOO_SLOW: u16 = 4000;
    /// Nothing was heard from the client for too long.
    pub const SILENT: u16 = 4001;
}
