//! What nodes send each other.
//!
//! The node that a client is connected to sends requests; the node that has the table or the lobby sends events.
//! Both are JSON, but for frames: they carry the text for the clients as it is. A node ignores messages that
//! it does not know, so that nodes of two versions can work side by side.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use checkers_lib::protocol::{
    BotRequest, CreateTable, HeldSeat, ListTables, Refusal, ServerMessage, TableList, TablePhase,
};
use checkers_lib::{ByColor, Color};
use event_store::{ShardId, TokenHash};
use serde::{Deserialize, Deserializer, Serialize};
use tokio_tungstenite::tungstenite::Utf8Bytes;
use tokio_util::bytes::{BufMut, Bytes, BytesMut};
use tracing::debug;

use crate::broadcast::{Frame, FrameKind};
use crate::lobby::secrets::Identity;
use crate::moderation::Opponents;
use crate::table::event::Opened;
use crate::table::{
    ClientId, Command, JoinRequest, SeatStatus, TableSettings, TableStatus, whole_millis,
};

/// The version of these messages. Nodes of different versions do not connect.
pub(super) const VERSION: u32 = 1;

/// The longest message, in bytes: the list of all tables of a node.
pub(super) const MAX_MESSAGE: usize = 64 << 20;

/// The first byte of a message that is a frame; JSON begins with another.
const FRAME: u8 = b'F';

/// A request for a table or for the lobby.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum NodeRequest {
    /// Let a client enter a table.
    Enter {
        table: String,
        client: ClientId,
        join: JoinRequest,
        age: Age,
    },
    /// A command of a client.
    Command {
        table: String,
        client: ClientId,
        command: Command,
        age: Age,
    },
    /// Send the state of a table to a client that has missed frames.
    Refresh { table: String, client: ClientId },
    /// Answer when all earlier requests to a table have been handled.
    Flush { table: String, number: u64 },
    /// Open a table.
    Create(Opened),
    /// Load the game by correspondence of a table, and answer as to `Flush`.
    Load { table: String, number: u64 },
    /// Seat a bot.
    AddBot {
        table: String,
        client: ClientId,
        color: Option<Color>,
        bot: BotRequest,
        by: Option<TokenHash>,
    },
    /// A request to the lobby; the answer has the same number.
    Lobby { number: u64, call: LobbyCall },
    /// Asks for [`NodeEvent::Pong`].
    Ping,
}

/// A request to the lobby, as in [`LobbyRequest`](crate::lobby_shard::LobbyRequest).
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum LobbyCall {
    Join {
        client: ClientId,
        name: String,
        #[serde(rename = "token")]
        identity: Option<Identity>,
        table: Option<String>,
        address: Option<IpAddr>,
        is_known: bool,
        #[serde(default)]
        created: Vec<String>,
    },
    Leave(ClientId, bool),
    Create(ClientId, Box<CreateTable>),
    Kick(String),
    List(ListTables),
    Players,
    Subscribe(ClientId),
    Unsubscribe(ClientId),
    WatchTv(ClientId),
    LeaveTv(ClientId),
    /// The clock, as text.
    Quick(ClientId, Option<String>),
    /// The same for a rated game.
    QuickRated(ClientId, Option<String>),
    /// The same, but not with these players.
    QuickAvoiding {
        client: ClientId,
        clock: Option<String>,
        rated: bool,
        avoids: Opponents,
    },
    /// The same for a game on the ladder.
    Ladder {
        client: ClientId,
        clock: Option<String>,
        rating: i64,
        owner: i64,
        /// The season and the end of a private ladder.
        private: Option<(String, i64)>,
    },
    /// The same for a game at an arena.
    Arena {
        client: ClientId,
        clock: Option<String>,
        rated: bool,
        tournament: String,
        points: u32,
        balance: i32,
        opening: bool,
        until: i64,
    },
    /// The same for the games of the rounds of a tournament.
    Round {
        client: ClientId,
        clock: Option<String>,
        rated: bool,
        tournament: String,
    },
    CancelQuick(ClientId),
    // The name of earlier versions, which nodes side by side may have.
    #[serde(rename = "leave_arenas")]
    LeaveTournaments(String),
    Decline(ClientId, String),
}

impl LobbyCall {
    /// The client whose call it is.
    pub(super) fn client(&self) -> Option<ClientId> {
        match self {
            LobbyCall::Join { client, .. }
            | LobbyCall::Leave(client, _)
            | LobbyCall::Create(client, _)
            | LobbyCall::Subscribe(client)
            | LobbyCall::Unsubscribe(client)
            | LobbyCall::WatchTv(client)
            | LobbyCall::LeaveTv(client)
            | LobbyCall::Quick(client, _)
            | LobbyCall::QuickRated(client, _)
            | LobbyCall::QuickAvoiding { client, .. }
            | LobbyCall::Ladder { client, .. }
            | LobbyCall::Arena { client, .. }
            | LobbyCall::Round { client, .. }
            | LobbyCall::CancelQuick(client)
            | LobbyCall::Decline(client, _) => Some(*client),
            LobbyCall::Kick(_)
            | LobbyCall::List(_)
            | LobbyCall::Players
            | LobbyCall::LeaveTournaments(_) => None,
        }
    }
}

/// The answer of the lobby to a call that has one.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum LobbyAnswer {
    Join(Result<Box<Joined>, Refusal>),
    Create(Result<(Box<TableSnapshot>, Option<Color>), Refusal>),
    Kick(bool),
    List(Result<TableList, Refusal>),
    Players(Vec<String>, usize),
}

/// A client has joined.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Joined {
    pub(super) name: String,
    pub(super) key: TokenHash,
    pub(super) resumed: bool,
    #[serde(rename = "token")]
    pub(super) identity: Identity,
    pub(super) table: Option<TableSnapshot>,
    pub(super) seats: Vec<HeldSeat>,
    pub(super) waiting: Vec<ServerMessage>,
}

/// What the owner of tables tells another node.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum NodeEvent {
    /// It serves these shards, with these numbers of their owners; they have no tables but these.
    Serving {
        shards: Vec<(ShardId, i64)>,
        #[serde(deserialize_with = "readable")]
        tables: Vec<TableSnapshot>,
    },
    /// It serves these shards no more.
    Released(Vec<(ShardId, i64)>),
    /// Tables that have changed, and ids of closed ones.
    Tables {
        #[serde(deserialize_with = "readable")]
        changed: Vec<TableSnapshot>,
        closed: Vec<String>,
    },
    /// As [`Outbox::restart`](crate::broadcast::Outbox::restart).
    Restart(ClientId),
    /// As [`Outbox::close`](crate::broadcast::Outbox::close).
    Close(ClientId),
    /// A command of the lobby to a connection.
    Command(ClientId, NodeCommand),
    /// The answer to a [`NodeRequest::Flush`].
    Flushed(u64),
    /// The answer to a call of the lobby.
    Lobby(u64, LobbyAnswer),
    /// The same if there is none: the lobby is not here any more.
    LobbyGone(u64),
    /// The answer to [`NodeRequest::Ping`].
    Pong,
}

/// A command of the lobby to a connection, as in [`LobbyCommand`](crate::lobby_shard::LobbyCommand).
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum NodeCommand {
    Sit(Box<TableSnapshot>, Color),
    ShowTv(Option<Box<TableSnapshot>>),
    NotQueued,
    Replaced,
    Kicked,
}

/// How long ago something arrived. Clocks of machines are not compared.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Age(u64);

impl Age {
    pub(super) fn of(arrived: Instant) -> Age {
        let micros = arrived.elapsed().as_micros();
        Age(u64::try_from(micros).unwrap_or(u64::MAX))
    }

    /// When that was.
    pub(super) fn instant(self) -> Instant {
        let now = Instant::now();
        now.checked_sub(Duration::from_micros(self.0))
            .unwrap_or(now)
    }
}

/// A table, as another node knows it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct TableSnapshot {
    pub(super) settings: Opened,
    phase: TablePhase,
    game: u64,
    ply: u32,
    position: Option<u64>,
    seats: ByColor<Option<SeatSnapshot>>,
    watchers: u32,
}

#[derive(Debug, Serialize, Deserialize)]
struct SeatSnapshot {
    name: String,
    key: Option<TokenHash>,
    bot: Option<String>,
    absent_ms: Option<u64>,
}

impl From<&TableStatus> for TableSnapshot {
    fn from(status: &TableStatus) -> TableSnapshot {
        let now = Instant::now();
        let absent = |since| whole_millis(now.saturating_duration_since(since));
        let seat = |side: Color| {
            status.seats[side].as_ref().map(|seat| SeatSnapshot {
                name: seat.name.to_string(),
                key: seat.key,
                bot: seat.bot.as_deref().map(str::to_owned),
                absent_ms: seat.absent_since.map(absent),
            })
        };
        TableSnapshot {
            settings: Opened::from(&*status.settings),
            phase: status.phase,
            game: status.game,
            ply: status.ply,
            position: status.position,
            seats: ByColor::new_with(seat),
            watchers: status.watchers,
        }
    }
}

impl TableSnapshot {
    /// The status of the table; `None` if its settings cannot be read.
    pub(super) fn status(self) -> Option<TableStatus> {
        let now = Instant::now();
        let settings: TableSettings = self.settings.settings()?;
        let since = |ms| {
            let ago = Duration::from_millis(ms);
            now.checked_sub(ago).unwrap_or(now)
        };
        let seat = |seat: SeatSnapshot| SeatStatus {
            name: seat.name.into(),
            key: seat.key,
            bot: seat.bot.map(Into::into),
            absent_since: seat.absent_ms.map(since),
        };
        Some(TableStatus {
            settings: Arc::new(settings),
            phase: self.phase,
            game: self.game,
            ply: self.ply,
            position: self.position,
            seats: ByColor {
                white: self.seats.white.map(seat),
                black: self.seats.black.map(seat),
            },
            watchers: self.watchers,
            is_closed: false,
        })
    }
}

/// Reads a list without the tables of a kind that this version does not know: the others are good.
fn readable<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<TableSnapshot>, D::Error> {
    let tables = Vec::<serde_json::Value>::deserialize(from)?;
    let readable = tables.into_iter().filter_map(|table| {
        let read = TableSnapshot::deserialize(table);
        read.inspect_err(|error| debug!(%error, "a node of another version has a table"))
            .ok()
    });
    Ok(readable.collect())
}

/// A message of the owner.
#[derive(Debug)]
pub(super) enum Received {
    Event(NodeEvent),
    /// A frame for these clients.
    Frame(Vec<ClientId>, Frame),
}

/// Encodes a request or an event.
pub(super) fn encode(message: &impl Serialize) -> Bytes {
    let json = serde_json::to_vec(message);
    json.expect("messages of nodes have only string keys")
        .into()
}

/// Encodes a frame for these clients: its kind, the replies that it asks for, the clients, and the text.
pub(super) fn encode_frame(clients: &[ClientId], frame: &Frame) -> Bytes {
    let text = frame.text().as_bytes();
    let mut encoded = BytesMut::with_capacity(7 + 8 * clients.len() + text.len());
    let kind = match frame.kind {
        FrameKind::Moved => 1,
        FrameKind::YourTurn => 2,
        FrameKind::Answer => 3,
        FrameKind::Other => 0,
    };
    encoded.put_slice(&[FRAME, kind, frame.expected_replies]);
    encoded.put_u32(u32::try_from(clients.len()).unwrap_or(u32::MAX));
    for client in clients {
        encoded.put_u64(client.0);
    }
    encoded.put_slice(text);
    encoded.freeze()
}

/// Reads a message of the owner; `None` if this version does not know it.
pub(super) fn decode(message: &BytesMut) -> Option<Received> {
    if message.first() != Some(&FRAME) {
        return serde_json::from_slice(message).ok().map(Received::Event);
    }
    let (head, rest) = message.split_first_chunk::<7>()?;
    let kind = match head[1] {
        1 => FrameKind::Moved,
        2 => FrameKind::YourTurn,
        3 => FrameKind::Answer,
        _ => FrameKind::Other,
    };
    let count = u32::from_be_bytes([head[3], head[4], head[5], head[6]]);
    let length = usize::try_from(count).ok()?.checked_mul(8)?;
    let (clients, text) = rest.split_at_checked(length)?;
    let (clients, _) = clients.as_chunks::<8>();
    let clients = clients.iter().map(|id| ClientId(u64::from_be_bytes(*id)));
    let text = Utf8Bytes::try_from(Bytes::copy_from_slice(text)).ok()?;
    let frame = Frame::from_parts(text, head[2], kind);
    Some(Received::Frame(clients.collect(), frame))
}

#[cfg(test)]
mod tests {
    use checkers_lib::DrawRules;
    use checkers_lib::protocol::WireColor;

    use super::*;
    use crate::table::Table;

    #[test]
    fn a_frame_is_the_same_on_the_other_side() {
        let message = ServerMessage::Paired {
            table: "k3x".to_owned(),
            color: WireColor::White,
        };
        let frame = Frame::new(&message);
        let clients = [ClientId(7), ClientId(u64::MAX)];
        let encoded = BytesMut::from(&*encode_frame(&clients, &frame));
        let Some(Received::Frame(received, decoded)) = decode(&encoded) else {
            panic!();
        };
        assert_eq!((&*received, decoded.text()), (&clients[..], frame.text()));
        for length in 0..encoded.len() {
            // A part of a frame is refused, or is one with less text.
            decode(&BytesMut::from(&encoded[..length]));
        }
    }

    #[test]
    fn a_table_is_the_same_on_the_other_side() {
        let mut table = Table::new("k3x", DrawRules::Study);
        let join_request = JoinRequest {
            key: Some(TokenHash([3; 32])),
            ..JoinRequest::named("anna")
        };
        let now = Instant::now();
        table.handle(ClientId(1), Command::Enter(join_request), now);
        table.handle(ClientId(1), Command::TakeSeat(Color::Black), now);
        let status = table.status();
        let snapshot = encode(&TableSnapshot::from(&status));
        let received: TableSnapshot = serde_json::from_slice(&snapshot).unwrap();
        let received = received.status().unwrap();
        assert_eq!(received.seats, status.seats);
        assert_eq!(received.info(now), status.info(now));
    }

    #[test]
    fn an_unknown_message_is_ignored() {
        let unknown = BytesMut::from(&br#"{"dance":{"for":"joy"}}"#[..]);
        assert!(decode(&unknown).is_none());
    }

    #[test]
    fn a_table_of_an_unknown_kind_does_not_hide_the_others() {
        let known = TableSnapshot::from(&Table::new("k3x", DrawRules::Study).status());
        let known = serde_json::to_value(known).unwrap();
        let mut unknown = known.clone();
        unknown["settings"]["kind"] = "simultaneous".into();
        let event = serde_json::json!({
            "serving": { "shards": [[237, 4]], "tables": [unknown, known], "since": 2026 }
        });
        let Some(Received::Event(NodeEvent::Serving { shards, tables })) =
            decode(&BytesMut::from(&*encode(&event)))
        else {
            panic!("{event}");
        };
        assert_eq!(shards, [(ShardId(237), 4)]);
        assert_eq!(tables.len(), 1);
        assert_eq!(tables[0].settings.table, "k3x");
    }
}
