//! The metrics of the store.

use std::fmt;
use std::sync::Arc;

use event_store::{HistogramSnapshot, Store, StoreStats};
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::Unit;

/// Reads the numbers of a store for every scrape.
#[derive(Debug)]
pub(super) struct StoreCollector(pub(super) Arc<dyn Store>);

impl Collector for StoreCollector {
    fn encode(&self, encoder: DescriptorEncoder<'_>) -> fmt::Result {
        encode(&self.0.stats(), encoder)
    }
}

fn encode(stats: &StoreStats, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
    let counters = [
        (
            "commits",
            "Groups of writes that were committed",
            stats.commits,
        ),
        ("failures", "Groups of writes that failed", stats.failures),
        ("events", "Events that were committed", stats.events),
        ("refused", "Writes that were refused", stats.refused),
    ];
    for (name, help, value) in counters {
        let counter = ConstCounter::new(value);
        let name = format!("store_{name}");
        counter.encode(encoder.encode_descriptor(&name, help, None, counter.metric_type())?)?;
    }
    let gauges = [
        ("queued", "Waiting writes", stats.queued),
        ("queue_limit", "Limit of waiting writes", stats.queue_limit),
    ];
    for (name, help, value) in gauges {
        let gauge = ConstGauge::new(i64::try_from(value).unwrap_or(i64::MAX));
        let name = format!("store_{name}");
        gauge.encode(encoder.encode_descriptor(&name, help, None, gauge.metric_type())?)?;
    }
    let help = "From the start of a transaction until it is durable";
    let (name, unit) = ("store_commit", Some(&Unit::Seconds));
    encode_histogram(&stats.commit_micros, 1e-6, (name, help, unit), &mut encoder)?;
    let (name, help) = ("store_group_writes", "Writes in one commit");
    encode_histogram(&stats.group_sizes, 1.0, (name, help, None), &mut encoder)
}

/// Encodes a histogram; `scale` converts its values to the unit.
fn encode_histogram(
    histogram: &HistogramSnapshot,
    scale: f64,
    (name, help, unit): (&str, &str, Option<&Unit>),
    encoder: &mut DescriptorEncoder<'_>,
) -> fmt::Result {
    let bounds = histogram.bounds().map(|bound| bound as f64 * scale);
    let bounds = bounds.chain([f64::INFINITY]);
    let buckets: Vec<(f64, u64)> = bounds.zip(histogram.buckets.iter().copied()).collect();
    encoder
        .encode_descriptor(name, help, unit, MetricType::Histogram)?
        .encode_histogram::<[(&str, &str); 0]>(
            histogram.sum as f64 * scale,
            histogram.count,
            &buckets,
            None,
        )
}

#[cfg(test)]
mod tests {
    use prometheus_client::registry::Registry;

    use super::*;

    #[test]
    fn the_metrics_of_the_store_are_encoded() {
        #[derive(Debug)]
        struct Fixed(StoreStats);
        impl Collector for Fixed {
            fn encode(&self, encoder: DescriptorEncoder<'_>) -> fmt::Result {
                encode(&self.0, encoder)
            }
        }
        let histogram = HistogramSnapshot {
            buckets: vec![0, 2, 1],
            sum: 9,
            count: 3,
        };
        let stats = StoreStats {
            commits: 3,
            events: 7,
            queued: 2,
            commit_micros: histogram.clone(),
            group_sizes: histogram,
            ..StoreStats::default()
        };
        let mut registry = Registry::with_prefix("checkers");
        registry.register_collector(Box::new(Fixed(stats)));
        let mut text = String::new();
        prometheus_client::encoding::text::encode(&mut text, &registry).unwrap();
        for line in [
            "checkers_store_commits_total 3",
            "checkers_store_events_total 7",
            "checkers_store_queued 2",
            "checkers_store_commit_seconds_count 3",
            "checkers_store_group_writes_bucket{le=\"2.0\"} 2",
            "checkers_store_group_writes_bucket{le=\"+Inf\"} 3",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
    }
}
