//! The metrics of a node of a cluster.

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use super::register;

/// The metrics of a node. Clones count together.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClusterMetrics {
    /// Shards that the node serves.
    pub(crate) shards: Gauge,
    pub(crate) heartbeats: Counter,
    /// Heartbeats that the database did not take.
    pub(crate) heartbeats_failed: Counter,
    /// Other nodes that this one has declared dead.
    pub(crate) dead_nodes: Counter,
    /// Connections with other nodes that failed since versions or keys differ.
    pub(crate) refused: Counter,
    /// Requests to tables of other nodes.
    pub(crate) requests: Counter,
    /// Frames to clients of other nodes.
    pub(crate) frames: Counter,
}

impl ClusterMetrics {
    pub(super) fn register(to: &mut Registry) -> ClusterMetrics {
        ClusterMetrics {
            shards: register(to, "cluster_shards", "Shards that this node serves"),
            heartbeats: register(to, "cluster_heartbeats", "Heartbeats of this node"),
            heartbeats_failed: register(
                to,
                "cluster_heartbeats_failed",
                "Heartbeats that the database did not take",
            ),
            dead_nodes: register(
                to,
                "cluster_dead_nodes",
                "Other nodes that this one has declared dead",
            ),
            refused: register(
                to,
                "cluster_connections_refused",
                "Connections with other nodes that failed since versions or keys differ",
            ),
            requests: register(
                to,
                "cluster_requests_forwarded",
                "Requests to tables of other nodes",
            ),
            frames: register(
                to,
                "cluster_frames_forwarded",
                "Frames to clients of other nodes, each once for all of a node's clients",
            ),
        }
    }
}
