//! The messages between clients and the server: one JSON message in each text frame.
//!
//! The wire types are separate from the core types, because the board may change but the protocol
//! may not. Unknown fields are ignored. Squares, moves and positions are text, in the notation of
//! [`crate::Position::notation`] and in FEN. `docs/protocol.md` describes the protocol.

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

/// The version of the protocol, sent in [`ServerMessage::Joined`]. It increases when a message
/// changes its meaning, not when a message is added.
pub const PROTOCOL_VERSION: u32 = 1;

/// The default port of the server.
pub const DEFAULT_PORT: u16 = 43210;

/// The maximum size of a client's text frame, in bytes.
pub const MAX_FRAME_BYTES: usize = 16 * 1024;

/// The maximum length of a name, in characters.
pub const MAX_NAME_CHARS: usize = 30;

/// The maximum number of spectators that `players` lists by name.
pub const MAX_LISTED_WATCHERS: usize = 100;

/// The maximum length of a move's id, in characters.
pub const MAX_MOVE_ID: usize = 36;

/// A message from a client to the server.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ClientMessage {
    /// Joins the server under a name. Answered by `joined` or `error`.
    Join(Join),
    /// Takes a seat. Answered by `players`, then by `game_started` if both seats are taken; or by
    /// `error`.
    TakeSeat {
        /// The seat: `white`, `black`, or `random` for one that is free.
        color: SeatWish,
    },
    /// Leaves the seat, which resigns a running game: if both sides have moved, the opponent wins;
    /// otherwise, and in an arranged game, the game ends as `interrupted`. Answered by `players`,
    /// before it by `game_over` if a game was running; or by `error`.
    LeaveSeat,
    /// Plays a move. Answered by `moved`, by `acknowledged` if the move was already played, or by
    /// `error`.
    Move {
        /// The number of the game that the move is for. If absent, the running game.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        game: Option<u64>,
        /// The number of moves of both sides played before this one.
        ply: u32,
        /// The move as text, such as `c3-d4` or `c3:e5`: one of its routes, or a short form that
        /// matches no other legal move.
        #[serde(rename = "move")]
        text: String,
        /// The search that found the move, if the client reports it. It is sent to everyone at the
        /// table.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        search: Option<SearchInfo>,
        /// An id that the client chooses for the move: 1–36 visible characters. `moved` and
        /// `acknowledged` repeat it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<String>,
    },
    /// Resigns the game. Answered by `game_over` or `error`.
    Resign(Meant),
    /// Aborts the game before both sides have moved. Answered by `game_over` or `error`.
    Abort(Meant),
    /// Offers a draw. Answered by `offered`, by `game_over` if the opponent has also offered one,
    /// or by `error`.
    OfferDraw(Meant),
    /// Accepts the opponent's draw offer. Answered by `game_over` or `error`.
    AcceptDraw(Meant),
    /// Declines the opponent's draw offer. Answered by `declined` or `error`.
    DeclineDraw(Meant),
    /// Asks the opponent for a takeback of the client's last move. Answered by `offered`, by
    /// `took_back` if the opponent has also asked for one, or by `error`.
    OfferTakeback(Meant),
    /// Accepts the takeback that the opponent asked for. Answered by `took_back` or `error`.
    AcceptTakeback(Meant),
    /// Declines the takeback that the opponent asked for. Answered by `declined` or `error`.
    DeclineTakeback(Meant),
    /// Offers a rematch. Answered by `offered`, by `game_started` if the opponent has also offered
    /// one, or by `error`.
    OfferRematch(Meant),
    /// Accepts the opponent's rematch offer. Answered by `game_started` or `error`.
    AcceptRematch(Meant),
    /// Declines the opponent's rematch offer. Answered by `declined` or `error`.
    DeclineRematch(Meant),
    /// Seats two clients and starts a game between them; only for the director. Answered by
    /// `game_started` or `error`.
    ArrangeGame {
        /// The director's token.
        token: String,
        /// The number of the new game. It must be greater than that of every earlier game.
        game: u64,
        /// The name of the client that plays White.
        white: String,
        /// The name of the client that plays Black.
        black: String,
        /// The start position as FEN. If absent, the initial position.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        start_fen: Option<String>,
        /// The moves of the opening. The server plays them before it requests the first move; they
        /// take no time.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        moves: Vec<String>,
        /// White's clock, such as `10s+100ms`. If absent, White has no clock.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        white_clock: Option<String>,
        /// Black's clock, such as `10s+100ms`. If absent, Black has no clock.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        black_clock: Option<String>,
    },
    /// Ends the running game; only for the director. Answered by `game_over` or `error`.
    EndGame {
        /// The director's token.
        token: String,
        /// The number of the game at this table.
        game: u64,
        /// The result of the game.
        result: GameResult,
        /// Why the game ended.
        reason: EndReason,
    },
    /// Creates a table and enters it. Answered by `table_created`, then as `watch`; or by `error`.
    CreateTable(CreateTable),
    /// Enters a table. Answered by `table_state`, by the events that the client has missed, or by
    /// `error`.
    Watch(Watch),
    /// Leaves a table. A seat stays reserved as if the connection were lost. Answered by
    /// `unwatched` or `error`.
    Unwatch,
    /// Requests the state of a table that the client is at. Answered as `watch`.
    Sync(Watch),
    /// Seats a bot of the server. Answered by `players` or `error`.
    AddBot(AddBot),
    /// Declines the challenge to play at a table. Answered by `challenge_declined` or `error`.
    DeclineChallenge,
    /// Requests a game against the next client that wants the same. Answered by `queued`, then by
    /// `paired`; or by `error`.
    Quick(Quick),
    /// Withdraws the request for a quick game. Answered by `unqueued`.
    CancelQuick,
    /// Requests a list of public tables. Answered by `tables` or `error`.
    ListTables(ListTables),
    /// Subscribes to the lobby. Answered by `lobby`, now and after every change, at most once a
    /// second.
    SubscribeLobby,
    /// Ends the subscription to the lobby.
    UnsubscribeLobby,
    /// Follows the public game that the server selects. Answered by `tv`, now and whenever the
    /// server selects another table, each time with the state of the table.
    Tv,
    /// Stops following the game that the server selects.
    LeaveTv,
    /// Claims the game after the opponent has been disconnected for too long. Answered by
    /// `game_over` or `error`.
    Claim {
        /// The result for the client.
        result: ClaimedResult,
    },
    /// Sends a phrase to everyone at the table; only for players. Answered by `said` or `error`.
    Say {
        /// The phrase.
        phrase: Phrase,
    },
    /// Creates an account under the client's name. Answered by `name_kept` or `error`.
    KeepName(KeepName),
    /// Ends the session: resigns the client's games, leaves all seats and frees the name and the
    /// token. At a table of kind `correspondence` the seat is kept. The server then closes the
    /// connection.
    Leave,
    /// Requests a `pong`. With the id of a table that the client is at, the answer comes after the
    /// answers to everything that the client has sent about that table before.
    Ping(Ping),
}

impl ClientMessage {
    /// Joins the server under a name and enters the table `main`.
    pub fn join(name: impl Into<String>) -> ClientMessage {
        ClientMessage::Join(Join::new(name))
    }

    /// All values of `type` in client messages.
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

    /// The `type` of the message: one of [`ClientMessage::TYPES`].
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

/// A message from the server to a client.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage {
    /// The client has joined. It is a spectator, unless it has returned to its seat.
    Joined(Joined),
    /// The players and spectators of a table. Sent to everyone at the table whenever they change.
    Players {
        /// The table's id.
        #[serde(default)]
        table: String,
        /// The players in the seats, connected or not, and at most 100 spectators.
        players: Vec<Player>,
        /// The number of spectators, including those that are not listed.
        #[serde(default)]
        watchers: u32,
    },
    /// A game has started. Sent to everyone at the table.
    GameStarted(GameState),
    /// The running game, sent to a client that joins while it runs.
    GameState(GameState),
    /// The receiver is to move. Sent only to that player.
    YourTurn {
        /// The table's id.
        #[serde(default)]
        table: String,
        /// The number of the game at this table.
        game: u64,
        /// The number of moves played. Repeat it in the answer.
        ply: u32,
        /// The current position as FEN.
        fen: String,
        /// All legal moves. Absent if the client joined with `moves` false.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        legal_moves: Vec<LegalMove>,
        /// The clocks at the moment when the receiver's clock started. Absent if no side has a
        /// clock.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clocks: Option<WireClocks>,
        /// How long the receiver's turn has lasted, in milliseconds, if the request is repeated.
        /// Absent if the turn starts now.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        thinking_ms: Option<u64>,
    },
    /// A move was played. Sent to everyone at the table, including the mover.
    Moved {
        /// The table's id.
        #[serde(default)]
        table: String,
        /// The number of the game at this table.
        game: u64,
        /// The number of this event in its game.
        #[serde(default)]
        seq: u32,
        /// The move that was played.
        played: PlayedMove,
        /// The position after the move, as FEN.
        fen: String,
        /// The side to move after the move.
        turn: WireColor,
        /// The clocks after the move, with the increment added. Absent if no side has a clock.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clocks: Option<WireClocks>,
        /// The id that the mover gave the move. Absent if it gave none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<String>,
    },
    /// A player has made an offer. Sent to everyone at the table.
    Offered {
        /// The table's id.
        #[serde(default)]
        table: String,
        /// The number of the game; for a rematch, that of the finished game.
        game: u64,
        /// The number of this event in its game. Absent for a rematch, whose offers are not
        /// numbered.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seq: Option<u32>,
        /// The kind of offer.
        offer: Offer,
        /// The side that made the offer; for a rematch, its colour in the finished game.
        by: WireColor,
    },
    /// A player has declined an offer. Sent to everyone at the table.
    Declined {
        /// The table's id.
        #[serde(default)]
        table: String,
        /// The number of the game; for a rematch, that of the finished game.
        game: u64,
        /// The number of this event in its game. Absent for a rematch, whose offers are not
        /// numbered.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seq: Option<u32>,
        /// The kind of offer.
        offer: Offer,
        /// The side that declined the offer; for a rematch, its colour in the finished game.
        by: WireColor,
    },
    /// An offer can no longer be accepted. Sent to everyone at the table.
    Lapsed {
        /// The table's id.
        #[serde(default)]
        table: String,
        /// The number of the game; for a rematch, that of the finished game.
        game: u64,
        /// The kind of offer.
        offer: Offer,
        /// The side that made the offer; for a rematch, its colour in the finished game.
        by: WireColor,
    },
    /// One or two moves were taken back. Sent to everyone at the table.
    TookBack {
        /// The table's id.
        #[serde(default)]
        table: String,
        /// The number of the game at this table.
        game: u64,
        /// The number of this event in its game.
        #[serde(default)]
        seq: u32,
        /// The number of moves that remain: the moves from this ply on were taken back.
        ply: u32,
        /// The current position as FEN.
        fen: String,
        /// The side to move.
        turn: WireColor,
        /// The clocks, which a takeback does not reset. Absent if no side has a clock.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clocks: Option<WireClocks>,
    },
    /// The game is over and both seats are free. Sent to everyone at the table.
    GameOver {
        /// The table's id.
        #[serde(default)]
        table: String,
        /// The number of the game at this table.
        game: u64,
        /// The number of this event in its game.
        #[serde(default)]
        seq: u32,
        /// The id of the game, unique on the server. The archive has the game under this id.
        #[serde(default)]
        id: String,
        /// The result of the game.
        result: GameResult,
        /// Why the game ended.
        reason: EndReason,
        /// The article of the FMJD's rules that makes the game a draw, such as `7.2.3`. Absent for
        /// all other endings.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        article: Option<String>,
        /// The side that left or aborted the game. Absent for reasons other than `player_left` and
        /// `aborted`, and if both sides left.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        left: Option<WireColor>,
        /// The number of moves played.
        ply: u32,
        /// The final position as FEN.
        fen: String,
    },
    /// The server refused a player's move. Sent to the director of an arranged game.
    MoveRefused {
        /// The table's id.
        #[serde(default)]
        table: String,
        /// The number of the game at this table.
        game: u64,
        /// The number of moves played in the game.
        ply: u32,
        /// The side that sent the move.
        color: WireColor,
        /// The move as the player sent it.
        #[serde(rename = "move")]
        text: String,
        /// What was wrong, for programs.
        code: ErrorCode,
        /// What was wrong, for people.
        message: String,
    },
    /// A player violated the protocol. Sent to the director of an arranged game.
    Misbehaved {
        /// The table's id.
        #[serde(default)]
        table: String,
        /// The number of the game at this table.
        game: u64,
        /// The side of the player.
        color: WireColor,
        /// What was wrong, for people.
        message: String,
    },
    /// The server refused a message of the client, and nothing has changed.
    Error {
        /// What was wrong, for programs.
        code: ErrorCode,
        /// What was wrong, for people.
        message: String,
        /// The moves that an ambiguous text matches, each as a text to send. Absent for other
        /// errors.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        candidates: Vec<String>,
        /// The id of the table that the refused message was about. Absent if it was not about a
        /// table.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        table: Option<String>,
    },
    /// The move was already played: the answer to a move that the client has sent again.
    Acknowledged {
        /// The table's id.
        table: String,
        /// The number of the game at this table.
        game: u64,
        /// The number of the event that the move was.
        seq: u32,
        /// The number of moves played before the move.
        ply: u32,
        /// The id that the mover gave the move. Absent if it gave none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<String>,
    },
    /// A player of the running game has lost the connection or has returned. Sent to everyone at
    /// the table.
    Presence {
        /// The table's id.
        table: String,
        /// The side of the player.
        color: WireColor,
        /// Whether the player is connected now.
        connected: bool,
        /// The time until the opponent may claim the game, in milliseconds. Absent if the player is
        /// connected, and in a game by correspondence, which cannot be claimed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        claim_in_ms: Option<u64>,
    },
    /// The clocks during a move. Sent to a client after the events that it had missed.
    Clocks {
        /// The table's id.
        table: String,
        /// The number of the game at this table.
        game: u64,
        /// The number of moves played.
        ply: u32,
        /// The clocks at the moment when the turn of the side to move started.
        clocks: WireClocks,
        /// How long the turn of the side to move has lasted, in milliseconds. Absent if it starts
        /// now, and while the clocks are stopped.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        thinking_ms: Option<u64>,
    },
    /// A player has said a phrase. Sent to everyone at the table; the server does not store it.
    Said {
        /// The table's id.
        table: String,
        /// The side that said it.
        by: WireColor,
        /// The phrase.
        phrase: Phrase,
    },
    /// The number of spectators has changed. Sent to everyone at the table, at most once a second.
    Watchers {
        /// The table's id.
        table: String,
        /// The number of spectators, rounded if it is above 100.
        count: u32,
    },
    /// The complete state of a table.
    TableState(Box<TableState>),
    /// Whether the server can store events. While it cannot, it refuses commands with `not_stored`,
    /// and the clocks are stopped. Sent to everyone at the table.
    Storage {
        /// The table's id.
        table: String,
        /// Whether the server can store events.
        ok: bool,
    },
    /// The client's table was created, and the client has entered it.
    TableCreated {
        /// The table's id.
        table: String,
    },
    /// The list of tables that the client requested.
    Tables(TableList),
    /// The first 50 public tables with a running game, and the first 50 with a free seat and no
    /// game. Sent to subscribers of the lobby whenever it changes, at most once a second.
    Lobby(TableList),
    /// The client is no longer at a table.
    Unwatched {
        /// The table's id.
        table: String,
    },
    /// A table was closed. Sent to everyone at the table.
    TableClosed {
        /// The table's id.
        table: String,
        /// Why the table was closed.
        reason: ClosedReason,
    },
    /// The client waits for an opponent for a quick game.
    Queued {
        /// The clock of both sides, such as `3m+2s`. Absent if the game has no clock.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clock: Option<String>,
        /// Whether the game is rated. Absent means `false`.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        rated: bool,
        /// The id of the tournament that the game belongs to. Absent if it belongs to none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tournament: Option<String>,
    },
    /// The client no longer waits for an opponent.
    Unqueued,
    /// An opponent was found, and the client has a seat at a table.
    Paired {
        /// The table's id.
        table: String,
        /// The client's side.
        color: WireColor,
    },
    /// The table that the server has selected for those who follow `tv`.
    Tv {
        /// The table's id. Absent if there is no game to show.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        table: Option<String>,
    },
    /// Another client challenges the receiver to a game.
    Challenged {
        /// The id of the table where the challenger waits.
        table: String,
        /// The challenger's name.
        by: String,
        /// The table's entry, with the settings of the game.
        info: TableInfo,
    },
    /// A challenge was declined. Sent to both clients.
    ChallengeDeclined {
        /// The table's id.
        table: String,
        /// The name of the client that declined.
        by: String,
    },
    /// The challenger has withdrawn the challenge.
    ChallengeWithdrawn {
        /// The table's id.
        table: String,
    },
    /// Another connection has joined with the client's token and replaces this one, which the
    /// server then closes. Do not reconnect.
    Replaced,
    /// The server restarts.
    Restarting {
        /// How long to wait before reconnecting, in milliseconds. Add a random delay.
        delay_ms: u64,
        /// The time until the server closes the connection, in milliseconds. Games continue until
        /// then. Absent if it closes the connection now.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        in_ms: Option<u64>,
    },
    /// The answer to `ping`.
    Pong(Pong),
    /// The client's account was created.
    NameKept(NameKept),
}

/// The close codes of the server's connections.
pub mod close_code {
    /// The client has sent `leave` (RFC 6455).
    pub const NORMAL: u16 = 1000;
    /// The server shuts down (RFC 6455).
    pub const GOING_AWAY: u16 = 1001;
    /// The client has sent a binary frame; the protocol uses text frames (RFC 6455).
    pub const UNSUPPORTED: u16 = 1003;
    /// The client, or its address, has sent too many messages (RFC 6455).
    pub const POLICY: u16 = 1008;
    /// A frame or message is larger than [`super::MAX_FRAME_BYTES`] (RFC 6455).
    pub const TOO_BIG: u16 = 1009;
    /// The server restarts: reconnect later (IANA registry).
    pub const RESTART: u16 = 1012;
    /// The server is full: try again later (IANA registry).
    pub const TRY_AGAIN_LATER: u16 = 1013;
    /// The client reads too slowly.
    pub const TOO_SLOW: u16 = 4000;
    /// Nothing was received from the client for too long.
    pub const SILENT: u16 = 4001;
    /// Another connection has joined with the client's token.
    pub const REPLACED: u16 = 4002;
}
