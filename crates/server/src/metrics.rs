//! What the server counts and measures, for Prometheus.

mod bots;
mod by_name;
mod store;
mod wire;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use crate::doorkeeper::Turned;
use crate::store::SqliteStore;
use crate::table_task::{Frame, Kind, Step};
use by_name::ByName;
use store::StoreCollector;

pub(crate) use bots::BotMetrics;
pub(crate) use wire::kind_refused;

/// The upper bounds of the histograms of moves, in seconds.
const MOVE_SECONDS: [f64; 13] = [
    1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0,
];

/// The counters of a server; each is one atomic number.
#[derive(Debug)]
pub(crate) struct Metrics {
    registry: Registry,
    open: Gauge,
    tables: Gauge,
    accepted: Counter,
    turned: ByName,
    handshakes: ByName,
    received: ByName,
    sent: ByName,
    /// Those of the messages that are sent for every move.
    sent_moved: Counter,
    sent_your_turn: Counter,
    refusals: ByName,
    moves: Counter,
    move_seconds: Histogram,
    move_durable_seconds: Histogram,
    games_started: Counter,
    games_over: ByName,
    queues_full: Counter,
    bots: BotMetrics,
}

impl Metrics {
    pub(crate) fn new() -> Metrics {
        let sent = ByName::new("type");
        let mut metrics = Metrics {
            registry: Registry::with_prefix("checkers"),
            open: Gauge::default(),
            tables: Gauge::default(),
            accepted: Counter::default(),
            turned: ByName::new("reason"),
            handshakes: ByName::new("outcome"),
            received: ByName::new("type"),
            sent_moved: sent.counter("moved"),
            sent_your_turn: sent.counter("your_turn"),
            sent,
            refusals: ByName::new("code"),
            moves: Counter::default(),
            move_seconds: Histogram::new(MOVE_SECONDS),
            move_durable_seconds: Histogram::new(MOVE_SECONDS),
            games_started: Counter::default(),
            games_over: ByName::new("result"),
            queues_full: Counter::default(),
            bots: BotMetrics::default(),
        };
        metrics.register_connections();
        metrics.register_messages();
        metrics.register_games();
        metrics.bots.register(&mut metrics.registry);
        metrics
    }

    /// Tells the store's numbers too.
    pub(crate) fn with_store(mut self, store: Arc<SqliteStore>) -> Metrics {
        let collector = Box::new(StoreCollector(store));
        self.registry.register_collector(collector);
        self
    }

    fn register_connections(&mut self) {
        let to = &mut self.registry;
        to.register(
            "connections_open",
            "WebSockets that are open",
            self.open.clone(),
        );
        to.register("connections", "Connections let in", self.accepted.clone());
        let help = "Connections turned away, by the limit they ran into";
        to.register("connections_refused", help, self.turned.family());
        let help = "Requests for a WebSocket, by what came of them";
        to.register("handshakes", help, self.handshakes.family());
    }

    fn register_messages(&mut self) {
        let to = &mut self.registry;
        let help = "Messages from clients, by type";
        to.register("messages_received", help, self.received.family());
        let help = "Messages handed to clients' connections, by type";
        to.register("messages_sent", help, self.sent.family());
        let help = "Errors told to clients, by code";
        to.register("refusals", help, self.refusals.family());
        let help = "Clients given up because their queue was full";
        to.register("queues_full", help, self.queues_full.clone());
    }

    fn register_games(&mut self) {
        let to = &mut self.registry;
        to.register("moves", "Moves played", self.moves.clone());
        let help = "From a move's arrival to its being sent to those who wait for it";
        to.register_with_unit("move", help, Unit::Seconds, self.move_seconds.clone());
        let help = "From a move's arrival to its being in the log";
        let seconds = self.move_durable_seconds.clone();
        to.register_with_unit("move_durable", help, Unit::Seconds, seconds);
        to.register("tables", "Tables that are there", self.tables.clone());
        to.register("games_started", "Games started", self.games_started.clone());
        let help = "Games over, by result";
        to.register("games_over", help, self.games_over.family());
    }

    /// All of it in the Prometheus (OpenMetrics) text format.
    pub(crate) fn encode(&self) -> Result<String, fmt::Error> {
        let mut text = String::new();
        encode(&mut text, &self.registry)?;
        Ok(text)
    }

    /// The counters of the bots.
    pub(crate) fn bots(&self) -> BotMetrics {
        self.bots.clone()
    }

    /// A connection was let in.
    pub(crate) fn accepted(&self) {
        self.accepted.inc();
    }

    /// A connection was turned away.
    pub(crate) fn turned(&self, why: Turned) {
        self.turned.count(why.name());
    }

    /// A request for a WebSocket was answered.
    pub(crate) fn handshake(&self, outcome: HandshakeOutcome) {
        self.handshakes.count(outcome.name());
    }

    /// A WebSocket is open until what this returns is dropped.
    pub(crate) fn opened(&self) -> Open {
        Open::counted_by(&self.open)
    }

    /// A table is there until what this returns is dropped.
    pub(crate) fn table_opened(&self) -> Open {
        Open::counted_by(&self.tables)
    }

    /// A message of this type came in.
    pub(crate) fn received(&self, kind: &'static str) {
        self.received.count(kind);
    }

    /// A message goes out.
    pub(crate) fn sent(&self, frame: &Frame) {
        match frame.kind {
            Kind::Moved => _ = self.sent_moved.inc(),
            Kind::YourTurn => _ = self.sent_your_turn.inc(),
            Kind::Other => self.sent_other(&frame.text),
        }
    }

    fn sent_other(&self, text: &str) {
        self.sent.count(wire::kind_sent(text));
        if let Some(code) = wire::refusal_sent(text) {
            self.refusals.count(code);
        }
    }

    /// The log has a move.
    pub(crate) fn move_durable(&self, after: Duration) {
        self.move_durable_seconds.observe(after.as_secs_f64());
    }

    /// A move has been sent.
    pub(crate) fn move_sent(&self, after: Duration) {
        self.move_seconds.observe(after.as_secs_f64());
    }

    /// A client has been given up because its queue was full.
    pub(crate) fn queue_full(&self) {
        self.queues_full.inc();
    }

    /// Everybody at a table is told of this.
    pub(crate) fn told(&self, step: &Step) {
        match step {
            Step::Start { .. } => _ = self.games_started.inc(),
            Step::Move { .. } => _ = self.moves.inc(),
            Step::End { result, .. } => self.games_over.count(result.name()),
        }
    }
}

/// What came of a request for a WebSocket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HandshakeOutcome {
    /// It is open.
    Done,
    /// It was no good request.
    Malformed,
    /// It came from a page of another origin.
    ForeignOrigin,
    /// A limit, or the end of the server, was in the way.
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

/// A WebSocket or a table that is open, and counted as long as this is there.
#[derive(Debug)]
pub(crate) struct Open(Gauge);

impl Open {
    fn counted_by(gauge: &Gauge) -> Open {
        gauge.inc();
        Open(gauge.clone())
    }
}

impl Drop for Open {
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
        metrics.turned(Turned::AddressRate);
        metrics.handshake(HandshakeOutcome::ForeignOrigin);
        metrics.received("join");
        let refusal = ServerMessage::from(Refusal::new(ErrorCode::BadName, "no"));
        metrics.sent(&Frame::new(&refusal));
        metrics.move_durable(Duration::from_micros(40));
        metrics.move_sent(Duration::from_micros(50));
        metrics.games_over.count(GameResult::WhiteWon.name());
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
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
        drop(open);
        let text = metrics.encode().unwrap();
        assert!(text.contains("checkers_connections_open 0"), "{text}");
        assert!(text.contains("checkers_tables 0"), "{text}");
    }
}
