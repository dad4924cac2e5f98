//! Follows tables and the lobby when they move to another node.

use checkers_lib::TimeControl;
use checkers_lib::protocol::{ClosedReason, ServerMessage};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tracing::debug;

use super::Connection;
use super::closing::ConnectionEnd;
use crate::route::Place;
use crate::table::{Command, View};

/// What a client wants of the lobby, in words that another lobby understands.
#[derive(Debug)]
pub(super) struct LobbyWishes {
    /// The version of the route by which the client joined.
    version: u64,
    pub(super) is_subscribed: bool,
    pub(super) watches_tv: bool,
    /// The clock of the quick game that it waits for.
    pub(super) quick: Option<Option<TimeControl>>,
}

impl LobbyWishes {
    pub(super) fn at(version: u64) -> LobbyWishes {
        LobbyWishes {
            version,
            is_subscribed: false,
            watches_tv: false,
            quick: None,
        }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> Connection<S> {
    /// Enters tables again that have moved, and joins a lobby that has moved. Meanwhile the client knows
    /// that nothing is stored.
    pub(super) async fn follow(&mut self) -> Result<(), ConnectionEnd> {
        let moved = self.subscriptions.moved();
        for (table, last_move) in moved {
            let message = |ok| ServerMessage::Storage {
                table: table.id().to_owned(),
                ok,
            };
            if table.is_closed() {
                // Nothing of it was kept.
                self.subscriptions.leave(table.id());
                self.send(&ServerMessage::TableClosed {
                    table: table.id().to_owned(),
                    reason: ClosedReason::Ended,
                });
                continue;
            }
            if table.place() == Place::Nowhere {
                self.send(&message(false));
                continue;
            }
            self.send_join(&table, View::Table, None).await;
            if let Some((request, arrived)) = last_move {
                // The answer may have been lost. The table knows the move if it has it.
                let again = Command::Move(request);
                table.command_of(self.id, again, arrived).await;
            }
            self.send(&message(true));
        }
        self.follow_lobby().await
    }

    /// Asks the lobby for what the client may have missed.
    pub(super) async fn refresh_lobby(&self) {
        let lobby = &self.shared.lobby;
        match &self.session {
            Some(session) if session.lobby.is_subscribed => lobby.subscribe(self.id).await,
            // The lobby of another node sends frames again.
            Some(_) if lobby.place() != Place::Here => lobby.unsubscribe(self.id).await,
            Some(_) | None => {}
        }
    }

    async fn follow_lobby(&mut self) -> Result<(), ConnectionEnd> {
        let lobby = &self.shared.lobby;
        let Some(session) = &mut self.session else {
            return Ok(());
        };
        let version = lobby.version();
        if session.lobby.version == version || lobby.place() == Place::Nowhere {
            return Ok(());
        }
        let identity = (session.name.clone(), session.token.clone());
        let (address, outbox) = (self.accepted.permit.address(), self.outbox.clone());
        if let Err(refusal) = lobby.rejoin(self.id, identity, address, outbox).await {
            debug!(?refusal, "the lobby has moved, and refuses the client");
            let reason = "the lobby has moved: come back";
            return Err(ConnectionEnd::close(CloseCode::Restart.into(), reason));
        }
        session.lobby.version = version;
        if session.lobby.is_subscribed {
            lobby.subscribe(self.id).await;
        }
        if session.lobby.watches_tv {
            lobby.watch_tv(self.id).await;
        }
        if let Some(clock) = session.lobby.quick {
            lobby.quick(self.id, clock).await;
        }
        Ok(())
    }
}
