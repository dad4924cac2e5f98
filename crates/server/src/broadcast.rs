//! What clients are sent: frames that are serialised once, and the bounded queue of each connection.

mod frame;
mod outbox;

pub(crate) use frame::{Frame, Kind};
pub(crate) use outbox::{OUTBOX, Outbox, OutboxReader, Outgoing, outbox};
