//! Incoming frames: rate limits, then requests.

use std::time::Instant;

use checkers_lib::protocol::{ErrorCode, Refusal, close_code};
use tokio_tungstenite::tungstenite::error::Error as WsError;
use tokio_tungstenite::tungstenite::protocol::Message;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;

use super::closing::{ConnectionEnd, end_for_error};
use super::{Connection, message};
use crate::limits::RateVerdict;
use crate::metrics::kind_refused;

/// The longest message that may be a `ping`.
const LONGEST_PING: usize = 64;

impl Connection {
    /// Handles a frame or an error from the socket.
    pub(super) async fn receive(
        &mut self,
        incoming: Option<Result<Message, WsError>>,
        now: Instant,
    ) -> Result<(), ConnectionEnd> {
        if matches!(incoming, Some(Ok(_))) {
            self.socket.get_mut().reset();
        }
        match incoming {
            // Boxed, so that idle connections do not reserve memory for requests.
            Some(Ok(Message::Text(text))) => Box::pin(self.receive_text(&text, now)).await,
            Some(Ok(Message::Binary(_))) => Err(ConnectionEnd::close(
                close_code::UNSUPPORTED,
                "text frames only",
            )),
            Some(Ok(control @ (Message::Ping(_) | Message::Pong(_) | Message::Frame(_)))) => {
                if let Message::Pong(payload) = &control
                    && self.round_trip.pong(payload, now)
                {
                    return Ok(());
                }
                match self.limiters.controls.try_acquire(now) {
                    RateVerdict::Close => Err(too_many()),
                    RateVerdict::Accept | RateVerdict::Warn | RateVerdict::Drop => Ok(()),
                }
            }
            Some(Ok(Message::Close(_))) => Err(ConnectionEnd::Left),
            None => Err(ConnectionEnd::Gone),
            Some(Err(error)) => Err(end_for_error(&error)),
        }
    }

    async fn receive_text(&mut self, text: &str, now: Instant) -> Result<(), ConnectionEnd> {
        if !(may_be_ping(text) && self.limiters.pings.try_acquire(now)) {
            match self.limiters.messages.try_acquire(now) {
                RateVerdict::Accept => {}
                RateVerdict::Warn => {
                    let message = "messages come too fast; going on closes the connection";
                    let refusal = Refusal::new(ErrorCode::TooManyMessages, message);
                    return self.refuse(refusal, None).await;
                }
                RateVerdict::Drop => return Ok(()),
                RateVerdict::Close => return Err(too_many()),
            }
        }
        let request = match message::parse(text) {
            Ok(request) => request,
            Err(refusal) => {
                self.shared.metrics.received(kind_refused(text));
                // A message of an unknown type may be meant for a newer server.
                if refusal.code != ErrorCode::UnknownType {
                    self.report_violation(refusal.message.clone()).await;
                }
                return self.refuse(refusal, None).await;
            }
        };
        self.shared.metrics.received(request.message.type_name());
        if self.is_leave(&request) {
            return Err(self.leave_for_good().await);
        }
        let table = request.table.clone();
        match self.handle(request, now).await {
            Ok(()) => Ok(()),
            // The lobby is moving to another node. Clients that are closed with 1012 come back by themselves.
            Err(refusal) if self.session.is_none() && refusal.code == ErrorCode::NotStored => {
                self.refuse(refusal, table).await?;
                let reason = "the lobby is moving: come back";
                Err(ConnectionEnd::close(CloseCode::Restart.into(), reason))
            }
            Err(refusal) => self.refuse(refusal, table).await,
        }
    }
}

fn too_many() -> ConnectionEnd {
    ConnectionEnd::close(close_code::POLICY, "too many messages")
}

/// Whether a message may be a `ping`. Others that match are short and rare.
fn may_be_ping(text: &str) -> bool {
    let is_move = text.starts_with(r#"{"type":"move""#);
    !is_move && text.len() <= LONGEST_PING && text.contains(r#""ping""#)
}
