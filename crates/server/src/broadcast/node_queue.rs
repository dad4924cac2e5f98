//! The outgoing queue of the clients of another node.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use tokio::sync::Notify;

use super::Frame;
use crate::lobby_shard::LobbyCommand;
use crate::table::ClientId;

/// The most frames that wait for a node. A full queue is as the full outbox of each of its clients.
const MAX_FRAMES: usize = 16 * 1024;

/// What tables and the lobby send to the clients of another node: a frame once, however many of them receive it.
#[derive(Debug, Default)]
pub(crate) struct NodeQueue {
    items: Mutex<VecDeque<NodeItem>>,
    changed: Notify,
}

#[derive(Debug)]
pub(crate) enum NodeItem {
    /// Send this frame to each of these clients.
    Frame(Vec<ClientId>, Frame),
    /// As [`Outbox::send_command`](super::Outbox::send_command).
    Command(ClientId, LobbyCommand),
    /// As [`Outbox::restart`](super::Outbox::restart).
    Restart(ClientId),
    /// As [`Outbox::close`](super::Outbox::close).
    Close(ClientId),
}

impl NodeQueue {
    /// Queues a frame; `false` if the queue is full.
    pub(super) fn send(&self, who: ClientId, frame: &Frame) -> bool {
        self.change(|items| {
            if let Some(NodeItem::Frame(receivers, last)) = items.back_mut()
                && last.is_same(frame)
            {
                receivers.push(who);
                return true;
            }
            let has_room = items.len() < MAX_FRAMES;
            if has_room {
                items.push_back(NodeItem::Frame(vec![who], frame.clone()));
            }
            has_room
        })
    }

    /// Queues something else, which is rare.
    pub(super) fn push(&self, item: NodeItem) {
        self.change(|items| items.push_back(item));
    }

    /// Waits for something, and takes all that waits. Cancel safe.
    pub(crate) async fn take(&self) -> VecDeque<NodeItem> {
        loop {
            let items = self.change_quietly(std::mem::take);
            if !items.is_empty() {
                return items;
            }
            self.changed.notified().await;
        }
    }

    fn change<T>(&self, change: impl FnOnce(&mut VecDeque<NodeItem>) -> T) -> T {
        let changed = self.change_quietly(change);
        self.changed.notify_one();
        changed
    }

    fn change_quietly<T>(&self, change: impl FnOnce(&mut VecDeque<NodeItem>) -> T) -> T {
        change(&mut self.items.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
