//! Joining, resuming a session, and pings.

use serde::{Deserialize, Serialize};

use super::{Registration, TablePhase, WireColor};

/// Joins the server and enters the table in `table`, or `main` if it is absent.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Join {
    /// The client's name: 1–30 visible characters, unique on the server together with look-alikes.
    /// With the token of an account, the name of the account is used instead.
    pub name: String,
    /// The token of an earlier `joined`, which resumes that session, or the token of an account or
    /// a bot. If absent, the server creates a new one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// Whether to subscribe to the lobby instead of entering a table. If absent, `false`.
    #[serde(default, skip_serializing_if = "is_false")]
    pub lobby: bool,
    /// The last event that the client has received from the table: the server sends only the events
    /// after it. If absent, the server sends the running game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Since>,
    /// Whether `your_turn` and `table_state` list the legal moves. If absent, `true`.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub moves: bool,
}

/// Requests the state of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Watch {
    /// The last event that the client has received from the table: the server sends only the events
    /// after it. If absent, the server sends the full state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Since>,
}

impl Join {
    /// Joins under a name and enters the table `main`.
    pub fn new(name: impl Into<String>) -> Join {
        Join {
            name: name.into(),
            moves: true,
            ..Join::default()
        }
    }
}

/// The last event that a client has received from a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Since {
    /// The number of the game.
    pub game: u64,
    /// The number of the last event of that game which the client has received.
    pub seq: u32,
}

/// The client has joined the server.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Joined {
    /// The client's name.
    pub name: String,
    /// The version of the protocol, 1.
    pub protocol: u32,
    /// The id of the table that the client has entered. Absent if it joined with `lobby`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// The draw rules of the table, or without a table those of new tables that choose none:
    /// `fmjd64` or `study`.
    pub draw_rules: String,
    /// The token that resumes this session: 32 or 64 hexadecimal digits. Keep it like a password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// Whether an earlier session was resumed. Absent means `false`.
    #[serde(default, skip_serializing_if = "is_false")]
    pub resumed: bool,
    /// How long the name stays reserved after the client has disconnected, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grace_ms: Option<u64>,
    /// The client's seats at tables where a game is running or has yet to start. The client is not
    /// at these tables until it enters them with `watch`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seats: Vec<HeldSeat>,
    /// Whether the client has an account. Absent means `false`.
    #[serde(default, skip_serializing_if = "is_false")]
    pub account: bool,
    /// Who may create an account. Absent if the server has no accounts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub registration: Option<Registration>,
    /// The limits for the client. Absent on servers of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<ClientLimits>,
    /// The clock of quick games for which the client chooses none, such as `3m+2s`. Absent on
    /// servers of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quick_clock: Option<String>,
}

/// The limits for a client. Messages that the server has requested, such as moves, do not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClientLimits {
    /// The maximum number of messages in one burst.
    pub message_burst: u32,
    /// The number of messages per second that the client may send in the long run.
    pub message_rate: u32,
    /// The maximum number of tables that the client may be at, and that it may have created, not
    /// counting those whose game is over.
    pub tables: u32,
}

/// A seat of a client.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HeldSeat {
    /// The id of the table.
    pub table: String,
    /// The client's side.
    pub color: WireColor,
    /// The state of the table.
    pub state: TablePhase,
}

/// Requests a `pong`, for programs that cannot send WebSocket pings, such as web pages.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ping {
    /// Any whole number up to 2⁵³, which the answer repeats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub t: Option<u64>,
}

/// The answer to `ping`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Pong {
    /// The number in the `ping`. Absent if it had none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub t: Option<u64>,
    /// The round-trip time that the server has measured for this connection, in milliseconds.
    /// Absent if it has not measured it yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rtt_ms: Option<u64>,
    /// The server's time, in milliseconds since 1970, UTC.
    pub server_ms: u64,
}

fn yes() -> bool {
    true
}

fn is_true(value: &bool) -> bool {
    *value
}

fn is_false(value: &bool) -> bool {
    !*value
}
