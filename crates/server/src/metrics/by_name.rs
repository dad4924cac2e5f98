//! Counters told apart by one label.

use std::sync::OnceLock;

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;

/// A label's name and value.
type Label = [(&'static str, String); 1];

/// Values that are known without a look-up in the family, which takes a lock.
const KNOWN: usize = 64;

/// Counters by the value of a label. Counting a known value costs no lock and no allocation.
#[derive(Debug)]
pub(super) struct ByName {
    label: &'static str,
    family: Family<Label, Counter>,
    /// In the order of their first counts: among so few, going through them is the quickest way.
    known: [OnceLock<(String, Counter)>; KNOWN],
}

impl ByName {
    pub(super) fn new(label: &'static str) -> ByName {
        ByName {
            label,
            family: Family::default(),
            known: [const { OnceLock::new() }; KNOWN],
        }
    }

    /// What is registered.
    pub(super) fn family(&self) -> Family<Label, Counter> {
        self.family.clone()
    }

    /// Counts one. The caller sees to it that there are few different values.
    pub(super) fn count(&self, value: &str) {
        let mut known = self.known.iter().map_while(OnceLock::get);
        if let Some((_, counter)) = known.find(|(known, _)| known == value) {
            counter.inc();
            return;
        }
        let counter = self.counter(value);
        counter.inc();
        self.remember(value, &counter);
    }

    /// The counter of a value, which shows from now on.
    pub(super) fn counter(&self, value: &str) -> Counter {
        let label = [(self.label, value.to_owned())];
        self.family.get_or_create_owned(&label)
    }

    /// Two that remember the same value at once remember the same counter.
    fn remember(&self, value: &str, counter: &Counter) {
        let mut new = (value.to_owned(), counter.clone());
        for place in &self.known {
            match place.set(new) {
                Ok(()) => return,
                Err(taken) => new = taken,
            }
        }
    }
}
