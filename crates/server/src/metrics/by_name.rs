//! Counters told apart by one label.

use std::sync::{PoisonError, RwLock};

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;

/// A label's name and value.
type Label = [(&'static str, String); 1];

/// Counters by the value of a label. Counting a known value costs a look-up and no allocation.
#[derive(Debug)]
pub(super) struct ByName {
    label: &'static str,
    family: Family<Label, Counter>,
    /// In the order of their first counts: among so few, going through them is the quickest way.
    known: RwLock<Vec<(String, Counter)>>,
}

impl ByName {
    pub(super) fn new(label: &'static str) -> ByName {
        ByName {
            label,
            family: Family::default(),
            known: RwLock::default(),
        }
    }

    /// What is registered.
    pub(super) fn family(&self) -> Family<Label, Counter> {
        self.family.clone()
    }

    /// Counts one. The caller sees to it that there are few different values.
    pub(super) fn count(&self, value: &str) {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, counter)) = known.iter().find(|(known, _)| known == value) {
            counter.inc();
            return;
        }
        drop(known);
        let label = [(self.label, value.to_owned())];
        let counter = self.family.get_or_create_owned(&label);
        counter.inc();
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        known.push((value.to_owned(), counter));
    }
}
