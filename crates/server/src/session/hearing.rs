//! What a client says: most of it is done at once, and the rest where it may take its time.
//!
//! What an async function has to remember while it waits stands in the memory of the task, which is a
//! cold one of thousands. A move goes from its frame to its table without that.

use std::time::Instant;

use checkers_lib::protocol::{Addressed, ClientMessage, ErrorCode, Refusal, close_code};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_tungstenite::tungstenite::error::Error as WsError;
use tokio_tungstenite::tungstenite::protocol::Message;

use super::ending::{End, end_of};
use super::{RateLimiters, Session, reading};
use crate::limits::Verdict;
use crate::metrics::kind_refused;
use crate::table_task::Waiting;

/// The longest message that may be a question for a sign of life.
const LONGEST_PING: usize = 64;

/// What is still to be done about something a client has said.
pub(super) enum Heard {
    /// Nothing.
    Done,
    /// Do what it asks for, which came at this moment.
    Request(Box<Addressed>, Instant),
    /// Wait until its table has room for it.
    Command(Waiting),
    /// Refuse it.
    Refused(Refusal),
    /// Refuse what no client should say, and tell its tables.
    Misbehaviour(Refusal),
    /// End the connection.
    End(End),
}

impl<S: AsyncRead + AsyncWrite + Unpin> Session<S> {
    /// Takes in what has come from the client at this moment.
    #[inline]
    pub(super) fn hear(
        &mut self,
        incoming: Option<Result<Message, WsError>>,
        limiters: &mut RateLimiters,
        now: Instant,
    ) -> Heard {
        if incoming.as_ref().is_some_and(Result::is_ok) {
            self.socket.get_mut().message_is_whole();
        }
        match incoming {
            Some(Ok(Message::Text(text))) => self.hear_text(&text, limiters, now),
            Some(Ok(Message::Binary(_))) => {
                Heard::End(End::close(close_code::UNSUPPORTED, "text frames only"))
            }
            Some(Ok(control @ (Message::Ping(_) | Message::Pong(_) | Message::Frame(_)))) => {
                if let Message::Pong(payload) = &control
                    && self.outbox.pong(payload, now)
                {
                    return Heard::Done;
                }
                match limiters.controls.try_acquire(now) {
                    Verdict::Close => too_many(),
                    Verdict::Accept | Verdict::Warn | Verdict::Drop => Heard::Done,
                }
            }
            Some(Ok(Message::Close(_))) => Heard::End(End::Left),
            None => Heard::End(End::Gone),
            Some(Err(error)) => Heard::End(end_of(&error)),
        }
    }

    fn hear_text(&self, text: &str, limiters: &mut RateLimiters, now: Instant) -> Heard {
        if !(may_be_ping(text) && limiters.pings.try_acquire(now)) {
            limiters.messages.credit(self.outbox.take_asked_for(now));
            match limiters.messages.try_acquire(now) {
                Verdict::Accept => {}
                Verdict::Warn => {
                    let message = "messages come too fast; going on closes the connection";
                    return Heard::Refused(Refusal::new(ErrorCode::TooManyMessages, message));
                }
                Verdict::Drop => return Heard::Done,
                Verdict::Close => return too_many(),
            }
        }
        let metrics = &self.shared.metrics;
        match reading::read(text) {
            Ok(request) => {
                metrics.received(request.message.type_name());
                self.take_up(request, now)
            }
            Err(refusal) => {
                metrics.received(kind_refused(text));
                // What is of an unknown type may be meant for a newer server.
                match refusal.code {
                    ErrorCode::UnknownType => Heard::Refused(refusal),
                    _ => Heard::Misbehaviour(refusal),
                }
            }
        }
    }

    /// Passes a move on, which most messages are.
    fn take_up(&self, request: Addressed, arrived: Instant) -> Heard {
        if !matches!(request.message, ClientMessage::Move { .. }) || self.me.is_none() {
            return Heard::Request(Box::new(request), arrived);
        }
        match self.command(request.message, request.table.as_deref(), arrived) {
            Ok(None) => Heard::Done,
            Ok(Some(waiting)) => Heard::Command(waiting),
            Err(refusal) => Heard::Refused(refusal),
        }
    }

    /// Does what is still to be done.
    pub(super) async fn respond(&mut self, heard: Heard) -> Result<(), End> {
        match heard {
            Heard::Done => Ok(()),
            Heard::Request(request, _) if self.is_goodbye(&request) => {
                Err(self.leave_for_good().await)
            }
            Heard::Request(request, arrived) => match self.attend(*request, arrived).await {
                Ok(()) => Ok(()),
                Err(refusal) => self.refuse(refusal).await,
            },
            Heard::Command(waiting) => {
                waiting.send().await;
                Ok(())
            }
            Heard::Refused(refusal) => self.refuse(refusal).await,
            Heard::Misbehaviour(refusal) => {
                self.tell_of_misbehaviour(refusal.message.clone()).await;
                self.refuse(refusal).await
            }
            Heard::End(end) => Err(end),
        }
    }
}

fn too_many() -> Heard {
    Heard::End(End::close(close_code::POLICY, "too many messages"))
}

/// Whether a message may be the question for a sign of life. Others that look like it are few, and
/// short.
fn may_be_ping(text: &str) -> bool {
    let is_move = text.starts_with(r#"{"type":"move""#);
    !is_move && text.len() <= LONGEST_PING && text.contains(r#""ping""#)
}
