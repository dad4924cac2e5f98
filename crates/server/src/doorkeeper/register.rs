//! The counts, bounded in memory.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use super::Turned;
use crate::allowance::{Bucket, SharedBucket};
use crate::config::Config;

/// Addresses without a connection that are remembered, for the sake of their allowances. When they
/// are more, all of them are forgotten, which gives each its full allowance back and no more.
const MOST_ABSENT: usize = 16 * 1024;

/// Connections in total and by address.
#[derive(Debug)]
pub(super) struct Register {
    limits: Limits,
    total: Count,
    addresses: HashMap<IpAddr, Address>,
}

/// What [`Config`] says about it.
#[derive(Debug)]
struct Limits {
    total: Count,
    address: Count,
    /// Burst and rate.
    arrivals: (u32, u32),
    messages: (u32, u32),
}

/// Connections, and those of them that have not finished their handshake.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Count {
    connections: usize,
    handshakes: usize,
}

impl Count {
    fn enter(&mut self, shakes_hands: bool) {
        self.connections += 1;
        self.handshakes += usize::from(shakes_hands);
    }

    fn leave(&mut self, shakes_hands: bool) {
        self.connections -= 1;
        self.handshakes -= usize::from(shakes_hands);
    }
}

#[derive(Debug)]
struct Address {
    count: Count,
    arrivals: Bucket,
    messages: SharedBucket,
}

impl Address {
    fn new(limits: &Limits, now: Instant) -> Address {
        let bucket = |(burst, rate)| Bucket::new(burst, rate, now);
        Address {
            count: Count::default(),
            arrivals: bucket(limits.arrivals),
            messages: Arc::new(Mutex::new(bucket(limits.messages))),
        }
    }

    fn check(&mut self, limits: &Limits, now: Instant) -> Result<(), Turned> {
        if self.count.connections >= limits.address.connections {
            return Err(Turned::AddressConnections);
        }
        if self.count.handshakes >= limits.address.handshakes {
            return Err(Turned::AddressHandshakes);
        }
        if !self.arrivals.take(now) {
            return Err(Turned::AddressRate);
        }
        Ok(())
    }
}

impl Register {
    pub(super) fn new(config: &Config) -> Register {
        let limits = Limits {
            total: Count {
                connections: config.max_connections,
                handshakes: config.max_handshakes,
            },
            address: Count {
                connections: config.address_connections,
                handshakes: config.address_handshakes,
            },
            arrivals: (
                config.address_connection_burst,
                config.address_connection_rate,
            ),
            messages: (config.address_message_burst, config.address_message_rate),
        };
        Register {
            limits,
            total: Count::default(),
            addresses: HashMap::new(),
        }
    }

    /// Counts a connection that begins its handshake, if the limits allow it. `None` is an address
    /// that is not limited.
    pub(super) fn enter(&mut self, address: Option<IpAddr>, now: Instant) -> Result<(), Turned> {
        if self.is_full() {
            return Err(Turned::Full);
        }
        if self.total.handshakes >= self.limits.total.handshakes {
            return Err(Turned::Handshakes);
        }
        if let Some(address) = address {
            self.make_room();
            let limits = &self.limits;
            let entry = self.addresses.entry(address);
            let entry = entry.or_insert_with(|| Address::new(limits, now));
            entry.check(limits, now)?;
        }
        self.enter_unasked(address, true);
        Ok(())
    }

    /// Counts a connection whatever the limits; its address must be known.
    pub(super) fn enter_unasked(&mut self, address: Option<IpAddr>, shakes_hands: bool) {
        self.total.enter(shakes_hands);
        if let Some(address) = self.known(address) {
            address.count.enter(shakes_hands);
        }
    }

    /// Takes a connection out of the count.
    pub(super) fn leave(&mut self, address: Option<IpAddr>, shakes_hands: bool) {
        self.total.leave(shakes_hands);
        if let Some(address) = self.known(address) {
            address.count.leave(shakes_hands);
        }
    }

    pub(super) fn has_shaken_hands(&mut self, address: Option<IpAddr>) {
        self.total.handshakes -= 1;
        if let Some(address) = self.known(address) {
            address.count.handshakes -= 1;
        }
    }

    pub(super) fn messages(&self, address: IpAddr) -> Option<SharedBucket> {
        let address = self.addresses.get(&address)?;
        Some(Arc::clone(&address.messages))
    }

    pub(super) fn is_full(&self) -> bool {
        self.total.connections >= self.limits.total.connections
    }

    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        let mut counts = self.addresses.values().map(|address| address.count);
        self.total == Count::default() && counts.all(|count| count == Count::default())
    }

    fn known(&mut self, address: Option<IpAddr>) -> Option<&mut Address> {
        self.addresses.get_mut(&address?)
    }

    /// Forgets addresses without a connection when they are too many.
    fn make_room(&mut self) {
        if self.addresses.len() >= self.limits.total.connections + MOST_ABSENT {
            self.addresses
                .retain(|_, address| address.count.connections > 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_register_stays_small() {
        let config = Config {
            max_connections: 10,
            ..Config::default()
        };
        let mut register = Register::new(&config);
        let now = Instant::now();
        let address = |i: u32| Some(IpAddr::from(i.to_be_bytes()));
        register.enter(address(0), now).unwrap();
        for i in 1..100_000 {
            register.enter(address(i), now).unwrap();
            register.leave(address(i), true);
        }
        assert!(register.addresses.len() <= 10 + MOST_ABSENT);
        register.leave(address(0), true);
        assert!(register.is_empty());
    }
}
