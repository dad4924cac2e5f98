//! Several servers on one database, which share its tables.
//!
//! Each server is a node. Tables belong to shards; the node that owns a shard has its tables, and nobody else
//! can write their events (see [`Membership`]). Clients connect to any node: their
//! requests go to the owner of the table over a connection between the nodes, and frames come back. When a
//! node stops or dies, the others take its shards over, and clients go on after a pause.

mod commands;
mod failure_detector;
mod handshake;
mod incoming;
mod link;
mod lobby_calls;
mod message;
mod node;
mod outgoing;
mod owned;
mod routes;

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use event_store::Membership;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Mutex, watch};
use tokio::task::{AbortHandle, JoinHandle};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tracing::{info, warn};

use crate::lobby_shard::{LobbyHandle, LobbyRequest};
use crate::metrics::ClusterMetrics;
use crate::route::Route;
use crate::secret::Secret;
use handshake::HandshakeError;
use incoming::{IncomingLink, LinkContext};
use node::ClusterNode;
use routes::Routes;

pub(crate) use commands::ClusterArgs;
pub(crate) use commands::run as run_command;
pub(crate) use incoming::TABLE_UPDATE;
pub(crate) use node::{NodeEnd, NodeParts};

/// How long the last connection of a node has to end when it connects again.
const LAST_END: Duration = Duration::from_secs(2);

/// A node that runs.
#[derive(Debug)]
pub(crate) struct RunningNode {
    task: AbortHandle,
    ended: watch::Receiver<Option<NodeEnd>>,
    drain: watch::Sender<bool>,
    accepting: AbortHandle,
}

impl RunningNode {
    /// Starts the node of this server: it serves other nodes on `listener`, and takes its share of the shards.
    pub(crate) fn start(
        membership: Membership,
        parts: NodeParts,
        listener: TcpListener,
        lobby: Arc<Route<LobbyRequest>>,
    ) -> RunningNode {
        let (owned, owned_receiver) = watch::channel(Arc::default());
        let context = LinkContext {
            shards: parts.shards.clone(),
            lobby: LobbyHandle::new(Arc::clone(&lobby)),
            bots: parts.bots.clone(),
            policy: parts.policy,
            metrics: parts.metrics.clone(),
            owned: owned_receiver,
        };
        let (own, key) = (membership.session(), Arc::clone(&parts.key));
        let routes = Arc::new(Routes::new(parts.shards.clone(), lobby));
        let accepting = tokio::spawn(accept(listener, context, own, key)).abort_handle();
        let (drain, is_draining) = watch::channel(false);
        let node = ClusterNode::new(membership, parts, routes, owned);
        let (end, ended) = watch::channel(None);
        RunningNode {
            task: tokio::spawn(node.run(is_draining, end)).abort_handle(),
            ended,
            drain,
            accepting,
        }
    }

    /// Starts to hand the shards over.
    pub(crate) fn drain(&self) {
        self.drain.send_replace(true);
    }

    /// Waits until the node is dead, or has handed over all of its shards. Cancel safe.
    pub(crate) async fn ended(&mut self) -> NodeEnd {
        let ended = self.ended.wait_for(Option::is_some).await;
        ended.ok().and_then(|end| *end).unwrap_or(NodeEnd::Dead)
    }
}

impl Drop for RunningNode {
    fn drop(&mut self) {
        self.task.abort();
        self.accepting.abort();
    }
}

/// The connections of other nodes.
#[derive(Default)]
struct IncomingLinks {
    /// By the session of the node.
    open: Mutex<HashMap<i32, (CancellationToken, JoinHandle<()>)>>,
    /// Why the last one from each address failed: nodes try again and again, and that is logged once.
    failures: Mutex<HashMap<IpAddr, String>>,
}

/// The most addresses whose failure is remembered.
const MAX_FAILURES: usize = 1024;

/// Accepts connections of other nodes.
async fn accept(listener: TcpListener, context: LinkContext, own: i32, key: Arc<Secret>) {
    let links = Arc::<IncomingLinks>::default();
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                let (context, key, links) = (context.clone(), Arc::clone(&key), Arc::clone(&links));
                tokio::spawn(async move { links.begin(stream, context, own, &key).await });
            }
            Err(error) => {
                warn!(%error, "cannot accept a node");
                sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

impl IncomingLinks {
    /// Serves a node. If it had another connection, that ends before.
    async fn begin(&self, stream: TcpStream, context: LinkContext, own: i32, key: &Secret) {
        let from = stream.peer_addr().map(|address| address.ip()).ok();
        let (stream, session) = match handshake::accept(stream, own, key).await {
            Ok(accepted) => accepted,
            Err(error) => return self.fail(from, &error, &context.metrics).await,
        };
        if let Some(from) = from {
            self.failures.lock().await.remove(&from);
        }
        let mut links = self.open.lock().await;
        if let Some((earlier, task)) = links.get_mut(&session) {
            earlier.cancel();
            // Its clients are disconnected before they come again.
            if timeout(LAST_END, task).await.is_err() {
                return warn!(session, "the last connection of a node does not end");
            }
        }
        links.retain(|_, (_, task)| !task.is_finished());
        let ending = CancellationToken::new();
        let serving = IncomingLink::new(context, stream).serve(ending.clone());
        let task = tokio::spawn(async move {
            let end = serving.await;
            info!(session, reason = %end, "a connection of a node ended");
        });
        links.insert(session, (ending, task));
    }

    async fn fail(&self, from: Option<IpAddr>, error: &HandshakeError, metrics: &ClusterMetrics) {
        if error.is_refusal() {
            metrics.refused.inc();
        }
        let Some(from) = from else { return };
        let mut failures = self.failures.lock().await;
        if failures.len() >= MAX_FAILURES {
            failures.clear();
        }
        let text = error.to_string();
        if failures.get(&from) != Some(&text) {
            warn!(%from, %error, "a node is not accepted");
            failures.insert(from, text);
        }
    }
}
