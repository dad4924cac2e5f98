//! What a client may do now: the study's client state machine, without IO.

use crate::Color;
use crate::protocol::{GameState, Joined, Role, ServerMessage, WireColor};

/// What a client may do now.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum ClientState {
    /// Not on a server, or not joined yet.
    #[default]
    NotConnected,
    /// On a server and in no running game: looking on, or seated and waiting.
    NotParticipating,
    /// In a running game and to move.
    ThisPlayerMove,
    /// In a running game, the opponent to move.
    OtherPlayerMove,
}

/// A client as the messages of the server make it.
///
/// # Examples
/// ```
/// use checkers_lib::client_state::{Client, ClientState};
/// use checkers_lib::protocol::{Joined, ServerMessage};
///
/// let mut client = Client::default();
/// client.handle(&ServerMessage::Joined(Joined {
///     name: "anna".to_owned(),
///     ..Joined::default()
/// }));
/// assert_eq!(client.state(), ClientState::NotParticipating);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Client {
    state: ClientState,
    name: String,
    seat: Option<Color>,
}

impl Client {
    /// What the client may do now.
    pub fn state(&self) -> ClientState {
        self.state
    }

    /// The side the client has a seat for.
    pub fn seat(&self) -> Option<Color> {
        self.seat
    }

    /// The name the server knows the client by; empty before it has joined.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Takes in what the server said and returns the state after it.
    pub fn handle(&mut self, message: &ServerMessage) -> ClientState {
        match message {
            ServerMessage::Joined(Joined { name, .. }) => {
                self.name.clone_from(name);
                self.seat = None;
                self.state = ClientState::NotParticipating;
            }
            ServerMessage::Players { players, .. } => {
                let own = players.iter().find(|player| player.name == self.name);
                self.seat = own.and_then(|player| seat_of(player.role));
            }
            ServerMessage::GameStarted(game) | ServerMessage::GameState(game) => self.enter(game),
            ServerMessage::TableState(table) => match &table.state {
                Some(game) if game.result.is_none() => self.enter(game),
                Some(_) | None => {}
            },
            ServerMessage::Moved { turn, .. } | ServerMessage::TookBack { turn, .. }
                if self.plays() =>
            {
                self.turn_passes_to(*turn);
            }
            ServerMessage::GameOver { .. } if self.state != ClientState::NotConnected => {
                self.seat = None;
                self.state = ClientState::NotParticipating;
            }
            _ => {}
        }
        self.state
    }

    /// Takes in that the connection is gone.
    pub fn disconnected(&mut self) {
        *self = Client::default();
    }

    /// Whether the client is a player of a running game.
    pub fn plays(&self) -> bool {
        matches!(
            self.state,
            ClientState::ThisPlayerMove | ClientState::OtherPlayerMove
        )
    }

    fn enter(&mut self, game: &GameState) {
        if self.state == ClientState::NotConnected {
            return;
        }
        self.seat = match &self.name {
            name if *name == game.white => Some(Color::White),
            name if *name == game.black => Some(Color::Black),
            _ => None,
        };
        self.turn_passes_to(game.turn);
    }

    fn turn_passes_to(&mut self, turn: WireColor) {
        self.state = match self.seat {
            Some(seat) if seat == Color::from(turn) => ClientState::ThisPlayerMove,
            Some(_) => ClientState::OtherPlayerMove,
            None => ClientState::NotParticipating,
        };
    }
}

fn seat_of(role: Role) -> Option<Color> {
    match role {
        Role::White => Some(Color::White),
        Role::Black => Some(Color::Black),
        Role::Spectator => None,
    }
}
