//! Coming in, coming back, and being heard from.

use serde::{Deserialize, Serialize};

use super::{Registration, TablePhase, WireColor};

/// How a client comes in: to the table that the message is about, or to `main`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Join {
    /// 1–30 characters, unique on the server.
    pub name: String,
    /// The secret of an earlier [`Joined`]: whoever shows it comes back as who they were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// Enters no table, and is told what happens in the lobby instead.
    #[serde(default, skip_serializing_if = "is_false")]
    pub lobby: bool,
    /// What the client knows of the table; it is then told only the rest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Since>,
    /// Whether requests for a move are to list the legal moves.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub moves: bool,
}

/// A look at a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Watch {
    /// What the client knows of it; it is then told only the rest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Since>,
}

impl Join {
    /// Comes in under a name, to the table at which everybody arrives.
    pub fn new(name: impl Into<String>) -> Join {
        Join {
            name: name.into(),
            moves: true,
            ..Join::default()
        }
    }
}

/// What a client knows of a table's games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Since {
    /// The number of the last game it knows.
    pub game: u64,
    /// The number of the last event of that game that it has had.
    pub seq: u32,
}

/// The client is in.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Joined {
    /// The name as it is kept.
    pub name: String,
    /// [`PROTOCOL_VERSION`](super::PROTOCOL_VERSION).
    pub protocol: u32,
    /// The table the client looks at; absent in the lobby.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// The draw rules of games that choose none: `fmjd64` or `study`.
    pub draw_rules: String,
    /// The secret with which the client can come back. It is to be kept like a password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// Whether the client came back as who it was.
    #[serde(default, skip_serializing_if = "is_false")]
    pub resumed: bool,
    /// How long the name is kept for a client that has gone, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grace_ms: Option<u64>,
    /// The client's seats at tables where a game runs or is to begin; the client is not at these
    /// tables until it goes there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seats: Vec<HeldSeat>,
    /// Whether the client has an account.
    #[serde(default, skip_serializing_if = "is_false")]
    pub account: bool,
    /// Who may create an account; absent if the server has no accounts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub registration: Option<Registration>,
    /// How much the client may ask for; servers of earlier versions do not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<ClientLimits>,
    /// The clock of a quick game for which the player chooses none; servers of earlier versions do not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quick_clock: Option<String>,
}

/// How much a client may ask for. Messages that the server has asked for, such as moves, do not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClientLimits {
    /// Messages that it may send in one burst.
    pub message_burst: u32,
    /// Messages a second that it may send in the long run.
    pub message_rate: u32,
    /// Tables at which it may be, and that it may have created, without those whose game is over.
    pub tables: u32,
}

/// A seat that a client has.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HeldSeat {
    /// The id of the table.
    pub table: String,
    /// The side.
    pub color: WireColor,
    /// What goes on there.
    pub state: TablePhase,
}

/// A sign of life that pages can send.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ping {
    /// Any whole number up to 2⁵³, to be repeated in the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub t: Option<u64>,
}

/// The answer to a [`Ping`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Pong {
    /// The number of the ping.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub t: Option<u64>,
    /// How long a frame takes to the client and back, as the server has measured it, in
    /// milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rtt_ms: Option<u64>,
    /// The server's time of day in milliseconds since 1970.
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
