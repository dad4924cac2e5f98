//! The words spoken on the wire between client and server: JSON text frames, one message each.
//!
//! Wire types are their own types, not derives on the core: the board may change, the wire may
//! not. Fields that a reader does not know are ignored. Squares, moves and positions are text in
//! the notation of [`crate::Position::notation`] and FEN. `docs/protocol.md` is the document.

mod accounts;
mod addressed;
mod clocks;
mod ending;
mod joining;
mod line;
mod offers;
mod phrase;
mod play;
mod players;
mod record;
mod refusal;
mod table_state;
mod tables;

use serde::{Deserialize, Serialize};

pub use accounts::{KeepName, NameKept, Registration};
pub use addressed::{About, Addressed};
pub use clocks::{WireClock, WireClocks};
pub use ending::{EndReason, GameResult};
pub use joining::{ClientLimits, HeldSeat, Join, Joined, Ping, Pong, Since, Watch};
pub use line::{BadLine, MAX_LINE_MOVES, WireLine};
pub use offers::{Meant, Offer, OpenOffer};
pub use phrase::Phrase;
pub use play::{
    GameState, LegalMove, PlayedMove, SearchInfo, WireRoute, WireSquare, is_valid_move_id, wire_ply,
};
pub use players::{NAME_RULE, Player, Role, UnknownColor, WireColor, is_valid_name};
pub use record::{GameRecord, RecordedPlayer, Takeover};
pub use refusal::{ErrorCode, Refusal};
pub use table_state::TableState;
pub use tables::{
    AddBot, BotRequest, BotRequests, ClaimedResult, ClosedReason, CreateTable, ListTables, Quick,
    SeatInfo, SeatWish, Seats, TableFilter, TableInfo, TableKind, TableList, TablePhase,
    UnknownSeat, Visibility,
};

/// The version of the protocol, told in [`ServerMessage::Joined`]. It grows when a message
/// changes its meaning, not when one is added.
pub const PROTOCOL_VERSION: u32 = 1;

/// The port the server listens on unless told otherwise.
pub const DEFAULT_PORT: u16 = 43210;

/// The longest text frame a client may send, in bytes.
pub const MAX_FRAME_BYTES: usize = 16 * 1024;

/// The longest name, in characters; the shortest has one.
pub const MAX_NAME_CHARS: usize = 30;

/// How many of those who look on are listed by name.
pub const MAX_LISTED_WATCHERS: usize = 100;

/// The longest id of a move, in characters.
pub const MAX_MOVE_ID: usize = 36;

/// What a client says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ClientMessage {
    /// Comes in under a name; answered by `joined` or `error`.
    Join(Join),
    /// Asks for a seat; answered by `players` or `error`.
    TakeSeat {
        /// The side to play.
        color: SeatWish,
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
        /// The client's own name for it, at most [`MAX_MOVE_ID`] visible characters, repeated in
        /// `moved`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<String>,
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
    /// Makes a table and comes to it; answered by `table_created` or `error`.
    CreateTable(CreateTable),
    /// Comes to a table; answered by `table_state`, or by what has happened since, or by `error`.
    Watch(Watch),
    /// Goes away from a table; answered by `unwatched`.
    Unwatch,
    /// Asks for the state of a table that the client is at; answered like `watch`.
    Sync(Watch),
    /// Seats a bot that the server plays; answered by `players` or `error`.
    AddBot(AddBot),
    /// Does not want to play at the table that somebody has made for it; answered by
    /// `challenge_declined`.
    DeclineChallenge,
    /// Wants to play whoever wants to play too; answered by `queued` and then `paired`.
    Quick(Quick),
    /// Does not any more; answered by `unqueued`.
    CancelQuick,
    /// Asks which public tables there are; answered by `tables` or `error`.
    ListTables(ListTables),
    /// Wants to be told what happens in the lobby; answered by `lobby`, again and again.
    SubscribeLobby,
    /// Does not any more.
    UnsubscribeLobby,
    /// Wants to see the most watched game, whichever that is; answered by `tv`, again whenever it
    /// is another.
    Tv,
    /// Does not any more.
    LeaveTv,
    /// Ends a game whose other player has been away for long; answered by `game_over` or `error`.
    Claim {
        /// How it is to have ended for the client.
        result: ClaimedResult,
    },
    /// Says something to the opponent; answered by `said` or `error`.
    Say {
        /// What.
        phrase: Phrase,
    },
    /// Creates an account under the client's name; answered by `name_kept` or `error`.
    KeepName(KeepName),
    /// Goes for good: gives its seats up and its name free. The server closes the connection then.
    Leave,
    /// Asks for a sign of life; answered by `pong`. About a table where the client is, it is answered after everything
    /// that the client has sent there before.
    Ping(Ping),
}

impl ClientMessage {
    /// Comes in under a name, to the table at which everybody arrives.
    pub fn join(name: impl Into<String>) -> ClientMessage {
        ClientMessage::Join(Join::new(name))
    }

    /// Every value of `type` that a client may send.
    pub const TYPES: [&str; 35] = [
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
        "create_table",
        "watch",
        "unwatch",
        "sync",
        "add_bot",
        "decline_challenge",
        "quick",
        "cancel_quick",
        "list_tables",
        "subscribe_lobby",
        "unsubscribe_lobby",
        "tv",
        "leave_tv",
        "claim",
        "say",
        "keep_name",
        "leave",
        "ping",
    ];

    /// Its `type`: one of [`ClientMessage::TYPES`].
    pub fn type_name(&self) -> &'static str {
        match self {
            ClientMessage::Join(_) => "join",
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
            ClientMessage::CreateTable(_) => "create_table",
            ClientMessage::Watch(_) => "watch",
            ClientMessage::Unwatch => "unwatch",
            ClientMessage::Sync(_) => "sync",
            ClientMessage::AddBot(_) => "add_bot",
            ClientMessage::DeclineChallenge => "decline_challenge",
            ClientMessage::Quick(_) => "quick",
            ClientMessage::CancelQuick => "cancel_quick",
            ClientMessage::ListTables(_) => "list_tables",
            ClientMessage::SubscribeLobby => "subscribe_lobby",
            ClientMessage::UnsubscribeLobby => "unsubscribe_lobby",
            ClientMessage::Tv => "tv",
            ClientMessage::LeaveTv => "leave_tv",
            ClientMessage::Claim { .. } => "claim",
            ClientMessage::Say { .. } => "say",
            ClientMessage::KeepName(_) => "keep_name",
            ClientMessage::Leave => "leave",
            ClientMessage::Ping(_) => "ping",
        }
    }
}

/// What the server says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage {
    /// The client is in, as a spectator unless it has come back to its seat.
    Joined(Joined),
    /// Who is here; told to everybody whenever it changes.
    Players {
        /// The table's id.
        #[serde(default)]
        table: String,
        /// Who sits, and at most [`MAX_LISTED_WATCHERS`] of those who look on, in the order of
        /// their coming.
        players: Vec<Player>,
        /// How many look on, those that are not listed included.
        #[serde(default)]
        watchers: u32,
    },
    /// A game begins.
    GameStarted(GameState),
    /// The running game, told to a client that comes in while it runs.
    GameState(GameState),
    /// The receiver is to move.
    YourTurn {
        /// The table's id.
        #[serde(default)]
        table: String,
        /// The number of the game.
        game: u64,
        /// How many moves have been played; to be repeated in the answer.
        ply: u32,
        /// The position.
        fen: String,
        /// Every legal move; absent for a client that has not asked for them.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        legal_moves: Vec<LegalMove>,
        /// The clocks as the receiver's starts to run; absent if no side has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clocks: Option<WireClocks>,
        /// How long ago the receiver was asked for the first time, in milliseconds; absent if it
        /// is asked only now.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        thinking_ms: Option<u64>,
    },
    /// A move has been played.
    Moved {
        /// The table's id.
        #[serde(default)]
        table: String,
        /// The number of the game.
        game: u64,
        /// The number of the event.
        #[serde(default)]
        seq: u32,
        /// The move.
        played: PlayedMove,
        /// The position after it.
        fen: String,
        /// The side to move after it.
        turn: WireColor,
        /// The clocks after it, the increment added; absent if no side has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clocks: Option<WireClocks>,
        /// What the mover has called it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<String>,
    },
    /// A player has made an offer.
    Offered {
        /// The table's id.
        #[serde(default)]
        table: String,
        /// The number of the game; for a rematch, of the one that is over.
        game: u64,
        /// The number of the event; absent for a rematch, which is none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seq: Option<u32>,
        /// What is offered.
        offer: Offer,
        /// Who offers it.
        by: WireColor,
    },
    /// A player has turned an offer down.
    Declined {
        /// The table's id.
        #[serde(default)]
        table: String,
        /// The number of the game, likewise.
        game: u64,
        /// The number of the event; absent for a rematch, which is none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seq: Option<u32>,
        /// What was offered.
        offer: Offer,
        /// Who turned it down.
        by: WireColor,
    },
    /// An offer can be accepted no longer.
    Lapsed {
        /// The table's id.
        #[serde(default)]
        table: String,
        /// The number of the game, likewise.
        game: u64,
        /// What was offered.
        offer: Offer,
        /// Who had offered it.
        by: WireColor,
    },
    /// Moves have been taken back.
    TookBack {
        /// The table's id.
        #[serde(default)]
        table: String,
        /// The number of the game.
        game: u64,
        /// The number of the event.
        #[serde(default)]
        seq: u32,
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
        /// The table's id.
        #[serde(default)]
        table: String,
        /// The number of the game.
        game: u64,
        /// The number of the event.
        #[serde(default)]
        seq: u32,
        /// The id of the game in the archive.
        #[serde(default)]
        id: String,
        /// Who won, if anybody.
        result: GameResult,
        /// Why.
        reason: EndReason,
        /// The article of the federation's rules, for a draw that has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        article: Option<String>,
        /// The side that left or aborted the game, if that is the reason.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        left: Option<WireColor>,
        /// How many moves were played.
        ply: u32,
        /// The last position.
        fen: String,
    },
    /// A player's move was refused: told to the director of an arranged game.
    MoveRefused {
        /// The table's id.
        #[serde(default)]
        table: String,
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
        /// The table's id.
        #[serde(default)]
        table: String,
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
        /// The id of the table that the message was about, if it was about one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        table: Option<String>,
    },
    /// A move has been played already: the answer to a move that was sent again.
    Acknowledged {
        /// The table's id.
        table: String,
        /// The number of the game.
        game: u64,
        /// The number of the event that the move is.
        seq: u32,
        /// Its ply.
        ply: u32,
        /// What the mover has called it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<String>,
    },
    /// A player of the running game has gone or has come back.
    Presence {
        /// The table's id.
        table: String,
        /// Which player.
        color: WireColor,
        /// Whether they are here now.
        connected: bool,
        /// In how many milliseconds the opponent may claim the game, if they are not.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        claim_in_ms: Option<u64>,
    },
    /// The clocks while the side to move thinks: told after what a client had missed.
    Clocks {
        /// The table's id.
        table: String,
        /// The number of the game.
        game: u64,
        /// How many moves have been played.
        ply: u32,
        /// The clocks as the side to move was asked.
        clocks: WireClocks,
        /// How long ago that was, in milliseconds; absent while the clocks stand.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        thinking_ms: Option<u64>,
    },
    /// A player has said something. It is told once and kept nowhere.
    Said {
        /// The table's id.
        table: String,
        /// Who has said it.
        by: WireColor,
        /// What.
        phrase: Phrase,
    },
    /// How many look on, when it has changed much.
    Watchers {
        /// The table's id.
        table: String,
        /// How many.
        count: u32,
    },
    /// All there is to know of a table.
    TableState(Box<TableState>),
    /// Whether the server can keep what happens. While it cannot, nothing happens and no clock
    /// runs.
    Storage {
        /// The table's id.
        table: String,
        /// Whether it can.
        ok: bool,
    },
    /// The client's table is there, and the client at it.
    TableCreated {
        /// Its id.
        table: String,
    },
    /// The tables that were asked for.
    Tables(TableList),
    /// The first public tables, open ones and live ones, told whenever that has changed.
    Lobby(TableList),
    /// The client is at a table no more.
    Unwatched {
        /// The table's id.
        table: String,
    },
    /// A table is no more.
    TableClosed {
        /// Its id.
        table: String,
        /// Why.
        reason: ClosedReason,
    },
    /// The client waits for somebody to play.
    Queued {
        /// The clock of the game to come; absent if it has none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clock: Option<String>,
        /// Whether it is rated.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        rated: bool,
        /// The id of the arena that it belongs to, if any.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tournament: Option<String>,
    },
    /// The client does not wait any more.
    Unqueued,
    /// Somebody has been found: the client has its seat at a table.
    Paired {
        /// The table's id.
        table: String,
        /// The client's side.
        color: WireColor,
    },
    /// What there is to be seen.
    Tv {
        /// The id of the table; absent while no game runs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        table: Option<String>,
    },
    /// Somebody wants to play the client.
    Challenged {
        /// The id of the table where they wait.
        table: String,
        /// Their name.
        by: String,
        /// What kind of a game it is to be.
        info: TableInfo,
    },
    /// Whom the client wants to play does not.
    ChallengeDeclined {
        /// The id of the table.
        table: String,
        /// Who has declined.
        by: String,
    },
    /// Who wanted to play the client does not any more.
    ChallengeWithdrawn {
        /// The id of the table.
        table: String,
    },
    /// Another connection has shown the client's token and is the client now. This one is closed.
    Replaced,
    /// The server goes down and comes back.
    Restarting {
        /// How long to stay away, in milliseconds.
        delay_ms: u64,
        /// How long it goes on before it closes the connection, in milliseconds; absent if it does so
        /// now.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        in_ms: Option<u64>,
    },
    /// The answer to `ping`.
    Pong(Pong),
    /// The client's account was created.
    NameKept(NameKept),
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
    /// The server restarts; come back (IANA registry).
    pub const RESTART: u16 = 1012;
    /// The server has as many connections as it takes; try later (IANA registry).
    pub const TRY_AGAIN_LATER: u16 = 1013;
    /// The client reads more slowly than the table speaks.
    pub const TOO_SLOW: u16 = 4000;
    /// Nothing was heard from the client for too long.
    pub const SILENT: u16 = 4001;
    /// Another connection is this client now.
    pub const REPLACED: u16 = 4002;
}
