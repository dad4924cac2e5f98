//! What a client can ask of a table.

use std::time::Duration;

use checkers_lib::protocol::{
    ClaimedResult, ClientMessage, ClosedReason, EndReason, GameResult, Meant, Offer, Phrase,
    SearchInfo, Since,
};
use checkers_lib::{ByColor, Color};

use crate::director::DirectorToken;
use crate::store::TokenHash;

/// What a client can ask of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Come in.
    Enter(JoinRequest),
    /// Take a free seat.
    TakeSeat(Color),
    /// Take this seat if it is free, or else the other one.
    TakeAnySeat(Color),
    /// Give the seat up.
    LeaveSeat,
    /// Play a move.
    Move(MoveRequest),
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
    /// End the game of a player who has been away for long.
    Claim(ClaimedResult),
    /// Say something to the other player.
    Say(Phrase),
    /// Be told the state, or what has happened since.
    Sync(Option<Since>),
    /// Seat two clients and start their game, as the director.
    ArrangeGame(DirectorToken, GameSetup),
    /// End the running game, as the director.
    EndGame(DirectorToken, DirectorRuling),
    /// Be known to have said what is no message of the protocol. It is refused elsewhere.
    Misbehave {
        /// What was wrong with it, for people.
        message: String,
    },
    /// Lose the connection. A seat is kept for its player, unless a director gives the seats.
    Disconnect,
    /// Go away: a seat is kept as if the connection were lost.
    Unwatch,
    /// Go away for good. A seat is given up.
    Exit,
    /// Close the table; it is not for clients to say so.
    Close(ClosedReason),
}

impl Command {
    /// Whether it may be carried out while nothing can be remembered.
    pub(crate) fn is_passing(&self) -> bool {
        matches!(
            self,
            Command::Enter(_)
                | Command::Sync(_)
                | Command::Say(_)
                | Command::Misbehave { .. }
                | Command::Disconnect
                | Command::Unwatch
                | Command::Exit
        )
    }

    /// Whether the client is gone after it.
    pub(crate) fn is_leaving(&self) -> bool {
        matches!(self, Command::Disconnect | Command::Unwatch | Command::Exit)
    }
}

/// How somebody comes in.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct JoinRequest {
    /// The name, as the client wrote it.
    pub name: String,
    /// The hash of the client's secret: whoever has it is the same player. Without it nobody can
    /// come back in its place.
    pub key: Option<TokenHash>,
    /// The bot that the server plays, if it is one: a specification or `level N`.
    pub bot: Option<String>,
    /// Who has brought the bot, if somebody has: the hash of their secret.
    pub host: Option<TokenHash>,
    /// In what form the client is told the state.
    pub view: View,
    /// What the client knows already; it is then told only the rest.
    pub since: Option<Since>,
    /// Whether requests for a move list the legal moves.
    pub wants_moves: bool,
}

impl JoinRequest {
    /// Comes in under a name, as clients do that know of one table only.
    pub fn named(name: impl Into<String>) -> JoinRequest {
        JoinRequest {
            name: name.into(),
            wants_moves: true,
            ..JoinRequest::default()
        }
    }

    /// The same with a key.
    #[must_use]
    pub fn with_key(self, key: TokenHash) -> JoinRequest {
        let key = Some(key);
        JoinRequest { key, ..self }
    }
}

/// In what form a client is told the state of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum View {
    /// `joined`, and `game_state` if a game runs.
    #[default]
    Joining,
    /// `game_state` if a game runs; somebody else has said `joined`.
    Game,
    /// `table_state`.
    Table,
}

/// A move as a player sends it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MoveRequest {
    /// The game it is meant for; `None` for the running one.
    pub game: Option<u64>,
    /// The ply it is meant for.
    pub ply: u32,
    /// The move as text.
    pub text: String,
    /// What the player tells of the search for it.
    pub search: Option<SearchInfo>,
    /// What the player calls it.
    pub id: Option<String>,
    /// How long the network takes to the player and back, as the server has measured it.
    pub lag: Duration,
}

/// A game as the director wants it, all texts as they came.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameSetup {
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
pub struct DirectorRuling {
    /// The number of the game.
    pub game: u64,
    /// Who is to have won.
    pub result: GameResult,
    /// Why.
    pub reason: EndReason,
}

impl Command {
    /// What a message asks of a table; `None` if it is for somebody else.
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
                let arrangement = GameSetup {
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
                let judgement = DirectorRuling {
                    game,
                    result,
                    reason,
                };
                Command::EndGame(DirectorToken::new(token), judgement)
            }
            ClientMessage::CreateTable(_)
            | ClientMessage::Watch(_)
            | ClientMessage::Unwatch
            | ClientMessage::Sync(_)
            | ClientMessage::AddBot(_)
            | ClientMessage::DeclineChallenge
            | ClientMessage::Quick { .. }
            | ClientMessage::CancelQuick
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
