//! The requests that a table handles.

use std::time::Duration;

use checkers_lib::protocol::{
    ClaimedResult, ClientMessage, ClosedReason, EndReason, GameResult, Meant, Offer, Phrase, Pong,
    SearchInfo, Since,
};
use checkers_lib::{ByColor, Color};
use event_store::TokenHash;
use serde::{Deserialize, Serialize};

use crate::director::DirectorToken;
use crate::table::Correspondent;

/// A request to a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Command {
    /// Join the table.
    Enter(JoinRequest),
    /// Take a free seat.
    TakeSeat(Color),
    /// Take this seat if it is free, or else the other one.
    TakeAnySeat(Color),
    LeaveSeat,
    /// Start the game by correspondence of these players. Only the server sends this, and the next three.
    Begin(Box<ByColor<Correspondent>>),
    /// Play a move that the player of this side has left for the position.
    PlayFor(Color, MoveRequest),
    /// The player with this key has this much vacation left.
    Vacation(TokenHash, Duration),
    /// The player of this side gives the game by correspondence up.
    GiveUp(Color),
    /// Play a move.
    Move(MoveRequest),
    /// Resign the running game.
    Resign(Meant),
    /// Abort the running game.
    Abort(Meant),
    /// Make an offer to the opponent.
    Offer(Offer, Meant),
    /// Accept the opponent's offer.
    Accept(Offer, Meant),
    /// Decline the opponent's offer.
    Decline(Offer, Meant),
    /// Claim the game against a player who has been absent for too long.
    Claim(ClaimedResult),
    /// Send a chat message to the opponent.
    Say(Phrase),
    /// Send the state, or the events since a position in the stream.
    Sync(Option<Since>),
    /// Seat two clients and start their game, as the director.
    ArrangeGame(DirectorToken, GameSetup),
    /// End the running game, as the director.
    EndGame(DirectorToken, DirectorRuling),
    /// Send this to the client, which thereby knows that its earlier commands have been handled.
    Pong(Pong),
    /// Record that the client sent an invalid message, which the connection refuses.
    ReportViolation {
        /// The error, for people.
        message: String,
    },
    /// The connection was lost. The seat stays reserved, unless a director assigns seats.
    Disconnect,
    /// Unsubscribe: the seat is reserved as if the connection were lost.
    Unwatch,
    /// Leave the table and give up the seat.
    Exit,
    /// Close the table. Only the server sends this.
    Close(ClosedReason),
    /// Close the table unless a game runs: the sender may not know yet that one has begun. Only the server sends this.
    CloseUnused,
}

impl Command {
    /// Whether it may be handled while events cannot be stored.
    pub(crate) fn is_allowed_without_storage(&self) -> bool {
        matches!(
            self,
            Command::Enter(_)
                | Command::Sync(_)
                | Command::Vacation(..)
                | Command::Say(_)
                | Command::Pong(_)
                | Command::ReportViolation { .. }
                | Command::Disconnect
                | Command::Unwatch
                | Command::Exit
        )
    }

    /// Whether a game by correspondence is loaded for it.
    pub(crate) fn loads(&self) -> bool {
        matches!(self, Command::PlayFor(..) | Command::GiveUp(_))
    }

    /// Whether the client is no longer a member afterwards.
    pub(crate) fn is_leaving(&self) -> bool {
        matches!(self, Command::Disconnect | Command::Unwatch | Command::Exit)
    }
}

/// A request to join a table.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct JoinRequest {
    /// The name as the client sent it.
    pub name: String,
    /// The hash of the client's secret, which identifies the player. Without it the player cannot
    /// reconnect.
    pub key: Option<TokenHash>,
    /// For a bot of the server, its specification or `level N`.
    pub bot: Option<String>,
    /// For a bot that a client requested, the hash of that client's secret.
    pub host: Option<TokenHash>,
    /// The message in which the client receives the state.
    pub view: StateView,
    /// The last event that the client has; it then receives only later ones.
    pub since: Option<Since>,
    /// Whether requests for a move list the legal moves.
    pub wants_moves: bool,
}

impl JoinRequest {
    /// A join by name only, as from a client that uses a single table.
    pub fn named(name: impl Into<String>) -> JoinRequest {
        JoinRequest {
            name: name.into(),
            wants_moves: true,
            ..JoinRequest::default()
        }
    }

    /// Sets the key.
    #[must_use]
    pub fn with_key(self, key: TokenHash) -> JoinRequest {
        let key = Some(key);
        JoinRequest { key, ..self }
    }
}

/// The messages in which a client receives the state of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum StateView {
    /// `joined`, and `game_state` if a game runs.
    #[default]
    Joining,
    /// `game_state` if a game runs; `joined` was sent elsewhere.
    Game,
    Table,
}

/// A request to play a move.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct MoveRequest {
    /// The number of the game; `None` for the running one.
    pub game: Option<u64>,
    pub ply: u32,
    pub text: String,
    /// The player's report of its search.
    pub search: Option<SearchInfo>,
    /// The player's id for the move.
    pub id: Option<String>,
    /// The round-trip time to the player, as measured by the server.
    pub lag: Duration,
}

/// The game that a director requests; texts are not parsed yet.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameSetup {
    /// The number of the game.
    pub game: u64,
    /// The names of the players.
    pub players: ByColor<String>,
    /// The position to start from; `None` for the initial position.
    pub start_fen: Option<String>,
    /// The moves of the opening.
    pub moves: Vec<String>,
    /// The time controls; `None` for no clock.
    pub clocks: ByColor<Option<String>>,
}

/// The result that a director assigns to a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DirectorRuling {
    /// The number of the game.
    pub game: u64,
    pub result: GameResult,
    pub reason: EndReason,
}

impl Command {
    /// Converts a message; `None` if it is not addressed to a table.
    pub fn from_message(message: ClientMessage) -> Option<Command> {
        Some(match message {
            ClientMessage::Join(join) => Command::Enter(JoinRequest {
                since: join.since,
                wants_moves: join.moves,
                ..JoinRequest::named(join.name)
            }),
            ClientMessage::TakeSeat { color } => match color.color() {
                Some(color) => Command::TakeSeat(color),
                None => Command::TakeAnySeat(Color::White),
            },
            ClientMessage::LeaveSeat => Command::LeaveSeat,
            ClientMessage::Move {
                game,
                ply,
                text,
                search,
                id,
            } => Command::Move(MoveRequest {
                game,
                ply,
                text,
                search,
                id,
                lag: Duration::ZERO,
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
            ClientMessage::Claim { result } => Command::Claim(result),
            ClientMessage::Say { phrase } => Command::Say(phrase),
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
                let setup = GameSetup {
                    game,
                    players: ByColor { white, black },
                    start_fen,
                    moves,
                    clocks: ByColor {
                        white: white_clock,
                        black: black_clock,
                    },
                };
                Command::ArrangeGame(DirectorToken::new(token), setup)
            }
            ClientMessage::EndGame {
                token,
                game,
                result,
                reason,
            } => {
                let ruling = DirectorRuling {
                    game,
                    result,
                    reason,
                };
                Command::EndGame(DirectorToken::new(token), ruling)
            }
            ClientMessage::CreateTable(_)
            | ClientMessage::Watch(_)
            | ClientMessage::Unwatch
            | ClientMessage::Sync(_)
            | ClientMessage::AddBot(_)
            | ClientMessage::DeclineChallenge
            | ClientMessage::Quick(_)
            | ClientMessage::CancelQuick
            | ClientMessage::KeepName(_)
            | ClientMessage::ListTables(_)
            | ClientMessage::SubscribeLobby
            | ClientMessage::UnsubscribeLobby
            | ClientMessage::Tv
            | ClientMessage::LeaveTv
            | ClientMessage::Leave
            | ClientMessage::Ping(_) => return None,
        })
    }
}
