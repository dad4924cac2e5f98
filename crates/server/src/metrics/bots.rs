//! What the bots' searches cost.

use std::time::Duration;

use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

/// The upper bounds of the histogram of searches, in seconds.
const SEARCH_SECONDS: [f64; 9] = [1e-3, 3e-3, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0];

/// The counters of the bots; clones count together.
#[derive(Clone, Debug)]
pub(crate) struct BotMetrics {
    seated: Gauge,
    waiting: Gauge,
    search_seconds: Histogram,
}

impl Default for BotMetrics {
    fn default() -> BotMetrics {
        BotMetrics {
            seated: Gauge::default(),
            waiting: Gauge::default(),
            search_seconds: Histogram::new(SEARCH_SECONDS),
        }
    }
}

impl BotMetrics {
    pub(super) fn register(&self, to: &mut Registry) {
        let help = "Computer opponents at tables";
        to.register("bots_seated", help, self.seated.clone());
        let help = "Searches of computer opponents that wait for a thread";
        to.register("bots_waiting", help, self.waiting.clone());
        let help = "How long computer opponents search";
        to.register_with_unit(
            "bot_search",
            help,
            Unit::Seconds,
            self.search_seconds.clone(),
        );
    }

    /// So many bots have a place.
    pub(crate) fn seated(&self, bots: usize) {
        self.seated.set(whole(bots));
    }

    /// So many searches wait.
    pub(crate) fn waiting(&self, searches: usize) {
        self.waiting.set(whole(searches));
    }

    /// A search has ended.
    pub(crate) fn searched(&self, time: Duration) {
        self.search_seconds.observe(time.as_secs_f64());
    }
}

fn whole(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
