//! How nodes own shards, as models whose states are all explored: what holds in each, and that it would not hold if
//! the protocol were a slightly different one.

mod detection;
mod explorer;
mod protocol;

use detection::{Judge, MISTAKEN};
use explorer::explore;
use protocol::{GROWN, LOST, Protocol, RowLock};

#[test]
fn no_acknowledged_event_is_lost_or_doubled_and_no_log_grows_behind_its_reader() {
    let found = explore(&Protocol::USED);
    assert_eq!(found.defect.map(|(defect, _)| defect), None);
    assert!(found.states > 10_000, "{}", found.states);
}

#[test]
fn each_weaker_protocol_has_a_defect() {
    let used = Protocol::USED;
    for (protocol, expected) in [
        (
            Protocol {
                lock: RowLock::KeyShare,
                ..used
            },
            GROWN,
        ),
        (
            Protocol {
                lock: RowLock::None,
                ..used
            },
            GROWN,
        ),
        (
            Protocol {
                releases_in_doubt: true,
                ..used
            },
            GROWN,
        ),
        (
            Protocol {
                trusts_cancelled_commits: true,
                ..used
            },
            LOST,
        ),
        (
            Protocol {
                trusts_reads: true,
                ..used
            },
            LOST,
        ),
    ] {
        let (defect, steps) = explore(&protocol).defect.unwrap();
        assert_eq!(defect, expected, "{protocol:?}: {steps:?}");
    }
}

#[test]
fn a_pause_of_the_database_is_not_the_end_of_a_node() {
    let found = explore(&Judge::Counters);
    assert_eq!(found.defect.map(|(defect, _)| defect), None);
    assert!(found.states > 1_000, "{}", found.states);
    let (defect, steps) = explore(&Judge::Timestamps).defect.unwrap();
    assert_eq!(defect, MISTAKEN, "{steps:?}");
}
