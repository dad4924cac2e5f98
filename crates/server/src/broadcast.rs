//! Messages to clients: frames that are serialised once, and the bounded queue of each connection.

mod frame;
mod node_queue;
mod outbox;

pub(crate) use frame::{Frame, FrameKind, expected_replies};
pub(crate) use node_queue::{NodeItem, NodeQueue};
pub(crate) use outbox::{MAX_FRAMES, Outbox, OutboxReader, Outgoing, outbox};
