//! The server's metrics, for Prometheus.
//!
//! One process can run several servers, in tests above all, so a server has a registry of its own
//! instead of a global recorder.

mod cluster;
mod store;
mod wire;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use event_store::Store;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Metric, Registry, Unit};

use crate::broadcast::{Frame, FrameKind};
use crate::limits::RejectReason;
use crate::shard::GameStep;
use store::StoreCollector;

pub(crate) use cluster::ClusterMetrics;
pub(crate) use wire::kind_refused;

/// The upper bounds of the histograms of moves, in seconds.
const MOVE_SECONDS: [f64; 13] = [
    1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0,
];

/// The upper bounds of the histogram of searches, in seconds.
const SEARCH_SECONDS: [f64; 9] = [1e-3, 3e-3, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0];

/// The metrics of a server.
#[derive(Debug)]
pub(crate) struct Metrics {
    connections_open: Gauge,
    connections: Counter,
    connections_refused: LabelledCounter,
    handshakes: LabelledCounter,
    messages_received: LabelledCounter,
    messages_sent: LabelledCounter,
    /// Sent to every client for every move, so it is counted without a look-up.
    moved_sent: Counter,
    your_turn_sent: Counter,
    refusals: LabelledCounter,
    queues_full: Counter,
    moves: Counter,
    move_seconds: Histogram,
    move_durable_seconds: Histogram,
    tables: Gauge,
    games_started: Counter,
    games_over: LabelledCounter,
    notifications: LabelledCounter,
    bots: BotMetrics,
    cluster: ClusterMetrics,
    registry: Registry,
}

impl Metrics {
    pub(crate) fn new() -> Metrics {
        let mut registry = Registry::with_prefix("checkers");
        let to = &mut registry;
        let help = "Messages handed to clients' connections, by type";
        let messages_sent = LabelledCounter::register(to, "messages_sent", help, "type");
        Metrics {
            connections_open: register(to, "connections_open", "WebSockets that are open"),
            connections: register(to, "connections", "Connections accepted"),
            connections_refused: LabelledCounter::register(
                to,
                "connections_refused",
                "Connections rejected, by the limit",
                "reason",
            ),
            handshakes: LabelledCounter::register(
                to,
                "handshakes",
                "WebSocket handshakes, by outcome",
                "outcome",
            ),
            messages_received: LabelledCounter::register(
                to,
                "messages_received",
                "Messages from clients, by type",
                "type",
            ),
            moved_sent: messages_sent.counter("moved"),
            your_turn_sent: messages_sent.counter("your_turn"),
            messages_sent,
            refusals: LabelledCounter::register(
                to,
                "refusals",
                "Errors sent to clients, by code",
                "code",
            ),
            queues_full: register(
                to,
                "queues_full",
                "Clients disconnected because their queue was full",
            ),
            moves: register(to, "moves", "Moves played"),
            move_seconds: register_seconds(
                to,
                "move",
                "From the arrival of a move until it is in the queues of all clients at the table",
                &MOVE_SECONDS,
            ),
            move_durable_seconds: register_seconds(
                to,
                "move_durable",
                "From the arrival of a move until it is in the log",
                &MOVE_SECONDS,
            ),
            tables: register(to, "tables", "Open tables"),
            games_started: register(to, "games_started", "Games started"),
            games_over: LabelledCounter::register(
                to,
                "games_over",
                "Games over, by result",
                "result",
            ),
            notifications: LabelledCounter::register(
                to,
                "notifications",
                "Messages to push services, by outcome",
                "outcome",
            ),
            bots: BotMetrics::register(to),
            cluster: ClusterMetrics::default(),
            registry,
        }
    }

    /// Adds the store's metrics.
    pub(crate) fn with_store(mut self, store: Arc<dyn Store>) -> Metrics {
        let collector = Box::new(StoreCollector(store));
        self.registry.register_collector(collector);
        self
    }

    /// Adds the metrics of a node.
    pub(crate) fn with_cluster(mut self) -> Metrics {
        self.cluster = ClusterMetrics::register(&mut self.registry);
        self
    }

    /// The metrics of this node.
    pub(crate) fn cluster(&self) -> ClusterMetrics {
        self.cluster.clone()
    }

    /// All metrics in the Prometheus (OpenMetrics) text format.
    pub(crate) fn encode(&self) -> Result<String, fmt::Error> {
        let mut text = String::new();
        encode(&mut text, &self.registry)?;
        Ok(text)
    }

    pub(crate) fn bots(&self) -> BotMetrics {
        self.bots.clone()
    }

    /// Counts an accepted connection.
    pub(crate) fn accepted(&self) {
        self.connections.inc();
    }

    /// Counts a rejected connection.
    pub(crate) fn rejected(&self, reason: RejectReason) {
        self.connections_refused.inc(reason.name());
    }

    /// Counts a WebSocket handshake.
    pub(crate) fn handshake(&self, outcome: HandshakeOutcome) {
        self.handshakes.inc(outcome.name());
    }

    /// Counts a WebSocket as open until the guard is dropped.
    pub(crate) fn opened(&self) -> OpenGuard {
        OpenGuard::new(&self.connections_open)
    }

    /// Counts a table as open until the guard is dropped.
    pub(crate) fn table_opened(&self) -> OpenGuard {
        OpenGuard::new(&self.tables)
    }

    /// Counts a received message of this type.
    pub(crate) fn received(&self, kind: &'static str) {
        self.messages_received.inc(kind);
    }

    /// Counts a message that was sent to a client.
    pub(crate) fn sent(&self, frame: &Frame) {
        match frame.kind {
            FrameKind::Moved => _ = self.moved_sent.inc(),
            FrameKind::YourTurn => _ = self.your_turn_sent.inc(),
            FrameKind::Answer | FrameKind::Other => {
                self.messages_sent.inc(wire::kind_sent(frame.text()));
                if let Some(code) = wire::refusal_sent(frame.text()) {
                    self.refusals.inc(code);
                }
            }
        }
    }

    /// Records the time until a move was in the log.
    pub(crate) fn move_durable(&self, after: Duration) {
        self.move_durable_seconds.observe(after.as_secs_f64());
    }

    /// Records the time until a move was sent.
    pub(crate) fn move_sent(&self, after: Duration) {
        self.move_seconds.observe(after.as_secs_f64());
    }

    /// Counts a client that was disconnected because its queue was full.
    pub(crate) fn queue_full(&self) {
        self.queues_full.inc();
    }

    /// Counts a message to a push service.
    pub(crate) fn notification(&self, outcome: &'static str) {
        self.notifications.inc(outcome);
    }

    /// Counts the start, a move or the end of a game.
    pub(crate) fn game_step(&self, step: &GameStep) {
        match step {
            GameStep::Start { .. } => _ = self.games_started.inc(),
            GameStep::Move { .. } => _ = self.moves.inc(),
            GameStep::End { result, .. } => self.games_over.inc(result.name()),
        }
    }
}

/// The metrics of the computer opponents; clones share their values.
#[derive(Clone, Debug)]
pub(crate) struct BotMetrics {
    seated: Gauge,
    waiting: Gauge,
    search_seconds: Histogram,
}

impl BotMetrics {
    fn register(to: &mut Registry) -> BotMetrics {
        BotMetrics {
            seated: register(to, "bots_seated", "Computer opponents at tables"),
            waiting: register(
                to,
                "bots_waiting",
                "Searches of computer opponents that wait for a thread",
            ),
            search_seconds: register_seconds(
                to,
                "bot_search",
                "How long computer opponents search",
                &SEARCH_SECONDS,
            ),
        }
    }

    /// Sets the number of bots at tables.
    pub(crate) fn seated(&self, bots: usize) {
        self.seated.set(bots as i64);
    }

    /// Sets the number of waiting searches.
    pub(crate) fn waiting(&self, searches: usize) {
        self.waiting.set(searches as i64);
    }

    /// Records the duration of a search.
    pub(crate) fn searched(&self, time: Duration) {
        self.search_seconds.observe(time.as_secs_f64());
    }
}

#[cfg(test)]
impl Default for BotMetrics {
    fn default() -> BotMetrics {
        BotMetrics::register(&mut Registry::default())
    }
}

/// Counters that differ in the value of one label.
#[derive(Debug)]
struct LabelledCounter {
    label: &'static str,
    family: Family<[(&'static str, String); 1], Counter>,
}

impl LabelledCounter {
    fn register(to: &mut Registry, name: &str, help: &str, label: &'static str) -> LabelledCounter {
        let family = register(to, name, help);
        LabelledCounter { label, family }
    }

    /// The counter of a value; from now on it is part of the output, even at zero.
    fn counter(&self, value: &str) -> Counter {
        let labels = [(self.label, value.to_owned())];
        self.family.get_or_create_owned(&labels)
    }

    /// Adds one. Every value is kept for good, so there must be few different ones.
    fn inc(&self, value: &str) {
        self.counter(value).inc();
    }
}

fn register<M: Metric + Clone + Default>(to: &mut Registry, name: &str, help: &str) -> M {
    let metric = M::default();
    to.register(name, help, metric.clone());
    metric
}

fn register_seconds(to: &mut Registry, name: &str, help: &str, bounds: &[f64]) -> Histogram {
    let seconds = Histogram::new(bounds.iter().copied());
    to.register_with_unit(name, help, Unit::Seconds, seconds.clone());
    seconds
}

/// The outcome of a WebSocket handshake.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HandshakeOutcome {
    /// The WebSocket is open.
    Done,
    /// The request was malformed.
    Malformed,
    /// The origin of the page is not allowed.
    ForeignOrigin,
    /// The server was shutting down.
    Refused,
    /// The connection broke, or no request came in time.
    Failed,
}

impl HandshakeOutcome {
    fn name(self) -> &'static str {
        match self {
            HandshakeOutcome::Done => "done",
            HandshakeOutcome::Malformed => "malformed",
            HandshakeOutcome::ForeignOrigin => "foreign_origin",
            HandshakeOutcome::Refused => "refused",
            HandshakeOutcome::Failed => "failed",
        }
    }
}

/// Counts an open WebSocket or table until it is dropped.
#[derive(Debug)]
pub(crate) struct OpenGuard(Gauge);

impl OpenGuard {
    fn new(gauge: &Gauge) -> OpenGuard {
        gauge.inc();
        OpenGuard(gauge.clone())
    }
}

impl Drop for OpenGuard {
    fn drop(&mut self) {
        self.0.dec();
    }
}

#[cfg(test)]
mod tests {
    use checkers_lib::protocol::{ErrorCode, GameResult, Refusal, ServerMessage};

    use super::*;

    #[test]
    fn what_is_counted_is_encoded() {
        let metrics = Metrics::new();
        let open = (metrics.opened(), metrics.table_opened());
        metrics.rejected(RejectReason::AddressRate);
        metrics.handshake(HandshakeOutcome::ForeignOrigin);
        metrics.received("join");
        let refusal = ServerMessage::from(Refusal::new(ErrorCode::BadName, "no"));
        metrics.sent(&Frame::new(&refusal));
        metrics.move_durable(Duration::from_micros(40));
        metrics.move_sent(Duration::from_micros(50));
        metrics.games_over.inc(GameResult::WhiteWon.name());
        metrics.bots().seated(2);
        metrics.bots().searched(Duration::from_millis(2));
        let text = metrics.encode().unwrap();
        for line in [
            "checkers_connections_open 1",
            "checkers_tables 1",
            "checkers_connections_refused_total{reason=\"address_rate\"} 1",
            "checkers_handshakes_total{outcome=\"foreign_origin\"} 1",
            "checkers_messages_received_total{type=\"join\"} 1",
            "checkers_messages_sent_total{type=\"error\"} 1",
            "checkers_refusals_total{code=\"bad_name\"} 1",
            "checkers_move_seconds_count 1",
            "checkers_move_durable_seconds_count 1",
            "checkers_games_over_total{result=\"white_won\"} 1",
            "checkers_bots_seated 2",
            "checkers_bot_search_seconds_count 1",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
        drop(open);
        let text = metrics.encode().unwrap();
        assert!(text.contains("checkers_connections_open 0"), "{text}");
        assert!(text.contains("checkers_tables 0"), "{text}");
    }
}
