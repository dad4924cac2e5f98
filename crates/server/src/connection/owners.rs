//! Enters tables and the lobby again when their owner changes.

use checkers_lib::protocol::{ClosedReason, ServerMessage};
use futures::future::join_all;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tracing::debug;

use super::Connection;
use super::closing::ConnectionEnd;
use crate::lobby::QuickWish;
use crate::route::Place;
use crate::shard::TableHandle;
use crate::table::{Command, StateView};

/// What a client has asked of the lobby, to ask it of the next one.
#[derive(Debug)]
pub(super) struct LobbySubscriptions {
    /// The version of the route by which the client joined.
    version: u64,
    pub(super) is_subscribed: bool,
    pub(super) watches_tv: bool,
    /// The quick game that it waits for.
    pub(super) quick: Option<QuickWish>,
    /// The tables that it has created: they count against its limit.
    created: Vec<String>,
}

impl LobbySubscriptions {
    pub(super) fn at(version: u64) -> LobbySubscriptions {
        LobbySubscriptions {
            version,
            is_subscribed: false,
            watches_tv: false,
            quick: None,
            created: Vec::new(),
        }
    }
}

impl Connection {
    /// Enters tables again whose owner has changed, and joins a lobby again whose owner has changed. While there is no
    /// owner, the client has `storage` with `ok: false`.
    pub(super) async fn follow_owners(&mut self) -> Result<(), ConnectionEnd> {
        for (table, last_move) in self.subscriptions.relocated() {
            let message = |ok| ServerMessage::Storage {
                table: table.id().to_owned(),
                ok,
            };
            if table.is_closed() {
                // No event of it was stored.
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
            self.send_join(&table, StateView::Table, None).await;
            if let Some((request, arrived)) = last_move {
                // The answer may have been lost. The table knows the move if it has it.
                let again = Command::Move(request);
                table.command_of(self.id, again, arrived).await;
            }
            self.send(&message(true));
        }
        self.follow_lobby().await
    }

    /// Notes that the client has created a table, to say so to the next lobby.
    pub(super) fn note_created(&mut self, table: &TableHandle) {
        let tables = &self.shared.tables;
        if let Some(session) = &mut self.session {
            let created = &mut session.lobby.created;
            created.retain(|id| tables.find(id).is_some_and(|table| !table.is_closed()));
            created.push(table.id().to_owned());
        }
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
        let version = lobby.version();
        let created = match &self.session {
            Some(session) if session.lobby.version != version => session.lobby.created.clone(),
            _ => return Ok(()),
        };
        if lobby.place() == Place::Nowhere {
            return Ok(());
        }
        // The new lobby counts only tables that it can find.
        join_all(created.iter().map(|id| self.wait_for_table(id))).await;
        let Some(session) = &mut self.session else {
            return Ok(());
        };
        let identity = (session.name.clone(), session.identity.clone());
        let (address, outbox) = (self.accepted.permit.address(), self.outbox.clone());
        let joined = lobby.rejoin(self.id, identity, address, outbox, created);
        if let Err(refusal) = joined.await {
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
        if let Some(wish) = session.lobby.quick {
            self.send_wish(wish).await;
        }
        Ok(())
    }
}
