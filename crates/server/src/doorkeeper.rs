//! Who may come in: limits on connections in total and per address.
//!
//! An address is an IPv4 address or an IPv6 /64, which is what one household or machine gets.

mod register;

use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::allowance::SharedBucket;
use crate::config::{AddressList, Config};
use register::Register;

/// Why a connection is not let in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Turned {
    /// The server has as many connections as it takes.
    Full,
    /// Too many connections have not finished their handshake.
    Handshakes,
    /// The address has as many connections as it may.
    AddressConnections,
    /// The address opens connections too fast.
    AddressRate,
    /// Too many of the address's connections have not finished their handshake.
    AddressHandshakes,
}

impl Turned {
    /// Whether it lies with the address rather than with the server.
    pub(crate) fn is_of_address(self) -> bool {
        match self {
            Turned::Full | Turned::Handshakes => false,
            Turned::AddressConnections | Turned::AddressRate | Turned::AddressHandshakes => true,
        }
    }

    /// What the client is told.
    pub(crate) fn explanation(self) -> &'static str {
        match self {
            Turned::Full => "the server has as many connections as it takes",
            Turned::Handshakes => "too many connections are being opened",
            Turned::AddressConnections => "too many connections from this address",
            Turned::AddressRate => "connections from this address come too fast",
            Turned::AddressHandshakes => "too many unfinished connections from this address",
        }
    }

    /// A word for it in the log and the metrics.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Turned::Full => "full",
            Turned::Handshakes => "handshakes",
            Turned::AddressConnections => "address_connections",
            Turned::AddressRate => "address_rate",
            Turned::AddressHandshakes => "address_handshakes",
        }
    }
}

/// Counts connections and lets in what the limits allow.
#[derive(Debug)]
pub(crate) struct Doorkeeper {
    unlimited: AddressList,
    proxies: AddressList,
    register: Mutex<Register>,
}

impl Doorkeeper {
    pub(crate) fn new(config: &Config) -> Doorkeeper {
        Doorkeeper {
            unlimited: config.unlimited_addresses.clone(),
            proxies: config.trusted_proxies.clone(),
            register: Mutex::new(Register::new(config)),
        }
    }

    /// Lets a new connection in, or says why not.
    pub(crate) fn admit(self: Arc<Self>, peer: IpAddr, now: Instant) -> Result<Pass, Turned> {
        let address = (!self.proxies.contains(peer))
            .then(|| self.limited(peer))
            .flatten();
        self.register().enter(address, now)?;
        let held = Held {
            address,
            shakes_hands: true,
        };
        Ok(Pass {
            held: Mutex::new(held),
            doorkeeper: self,
        })
    }

    /// Whether the server takes no more connections.
    pub(crate) fn is_full(&self) -> bool {
        self.register().is_full()
    }

    /// Whether `peer` is a proxy that is believed.
    pub(crate) fn trusts(&self, peer: IpAddr) -> bool {
        self.proxies.contains(peer)
    }

    /// The address as it is counted; `None` if it is not limited.
    fn limited(&self, address: IpAddr) -> Option<IpAddr> {
        let is_limited = !self.unlimited.contains(address);
        is_limited.then(|| counted(address))
    }

    fn register(&self) -> MutexGuard<'_, Register> {
        // Every change of the register is whole.
        self.register.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The address as it is counted: an IPv6 one by its network.
fn counted(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => {
            let network = u128::from(address) & (u128::MAX << 64);
            IpAddr::V6(Ipv6Addr::from(network))
        }
    }
}

/// A connection that was let in. It counts until this is dropped.
#[derive(Debug)]
pub(crate) struct Pass {
    doorkeeper: Arc<Doorkeeper>,
    held: Mutex<Held>,
}

/// What a connection counts as.
#[derive(Clone, Copy, Debug)]
struct Held {
    /// `None` if its address is not limited.
    address: Option<IpAddr>,
    shakes_hands: bool,
}

impl Pass {
    /// Counts the connection, which came through a proxy, for the client behind it.
    pub(crate) fn comes_from(&self, client: IpAddr, now: Instant) -> Result<(), Turned> {
        let mut held = self.held();
        let address = self.doorkeeper.limited(client);
        let mut register = self.doorkeeper.register();
        register.leave(None, true);
        let entered = register.enter(address, now);
        match entered {
            Ok(()) => held.address = address,
            // It stays the proxy's until it is answered.
            Err(_) => register.enter_unasked(None, true),
        }
        entered
    }

    /// The address that counts; `None` if it is not limited.
    pub(crate) fn address(&self) -> Option<IpAddr> {
        self.held().address
    }

    /// The handshake is done.
    pub(crate) fn has_shaken_hands(&self) {
        let mut held = self.held();
        if held.shakes_hands {
            self.doorkeeper.register().has_shaken_hands(held.address);
            held.shakes_hands = false;
        }
    }

    /// What the clients of the address may send together; `None` if it is not limited.
    pub(crate) fn messages(&self) -> Option<SharedBucket> {
        let address = self.held().address?;
        self.doorkeeper.register().messages(address)
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        let held = *self.held();
        self.doorkeeper
            .register()
            .leave(held.address, held.shakes_hands);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn doorkeeper(config: Config) -> Arc<Doorkeeper> {
        Arc::new(Doorkeeper::new(&config))
    }

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn admit(doorkeeper: &Arc<Doorkeeper>, address: &str, now: Instant) -> Result<Pass, Turned> {
        Arc::clone(doorkeeper).admit(ip(address), now)
    }

    #[test]
    fn an_address_has_so_many_connections() {
        let door = doorkeeper(Config {
            address_connections: 2,
            ..Config::default()
        });
        let now = Instant::now();
        let first = admit(&door, "192.0.2.1", now).unwrap();
        let _second = admit(&door, "::ffff:192.0.2.1", now).unwrap();
        let third = admit(&door, "192.0.2.1", now);
        assert_eq!(third.unwrap_err(), Turned::AddressConnections);
        let _other = admit(&door, "192.0.2.2", now).unwrap();
        drop(first);
        admit(&door, "192.0.2.1", now).unwrap();
    }

    #[test]
    fn ipv6_is_counted_by_its_network() {
        let door = doorkeeper(Config {
            address_connections: 1,
            ..Config::default()
        });
        let now = Instant::now();
        let _first = admit(&door, "2001:db8::1", now).unwrap();
        let same = admit(&door, "2001:db8::ffff:1", now);
        assert_eq!(same.unwrap_err(), Turned::AddressConnections);
        admit(&door, "2001:db8:0:1::1", now).unwrap();
    }

    #[test]
    fn connections_that_come_too_fast_wait() {
        let door = doorkeeper(Config::default());
        let now = Instant::now();
        let admitted = |now| admit(&door, "192.0.2.1", now).is_ok();
        assert_eq!((0..100).filter(|_| admitted(now)).count(), 60);
        let later = now + Duration::from_secs(1);
        assert_eq!((0..100).filter(|_| admitted(later)).count(), 20);
        let error = admit(&door, "192.0.2.1", later).unwrap_err();
        assert_eq!(error, Turned::AddressRate);
    }

    #[test]
    fn unfinished_handshakes_are_few() {
        let door = doorkeeper(Config {
            address_handshakes: 2,
            max_handshakes: 3,
            ..Config::default()
        });
        let now = Instant::now();
        let first = admit(&door, "192.0.2.1", now).unwrap();
        let _second = admit(&door, "192.0.2.1", now).unwrap();
        let third = admit(&door, "192.0.2.1", now);
        assert_eq!(third.unwrap_err(), Turned::AddressHandshakes);
        let _local = admit(&door, "127.0.0.1", now).unwrap();
        let one_too_many = admit(&door, "192.0.2.2", now);
        assert_eq!(one_too_many.unwrap_err(), Turned::Handshakes);
        first.has_shaken_hands();
        admit(&door, "192.0.2.1", now).unwrap();
    }

    #[test]
    fn loopback_and_proxies_are_limited_in_total_only() {
        let door = doorkeeper(Config {
            address_connections: 1,
            address_connection_burst: 1,
            max_connections: 4,
            trusted_proxies: "192.0.2.9".parse().unwrap(),
            ..Config::default()
        });
        let now = Instant::now();
        let addresses = ["127.0.0.1", "::1", "192.0.2.9", "192.0.2.9"];
        let _all = addresses.map(|address| admit(&door, address, now).unwrap());
        assert!(door.is_full());
        assert_eq!(admit(&door, "::1", now).unwrap_err(), Turned::Full);
    }

    #[test]
    fn a_connection_through_a_proxy_counts_for_the_client() {
        let door = doorkeeper(Config {
            address_connections: 1,
            trusted_proxies: "192.0.2.9".parse().unwrap(),
            ..Config::default()
        });
        let now = Instant::now();
        let first = admit(&door, "192.0.2.9", now).unwrap();
        assert!(first.messages().is_none());
        assert_eq!(first.comes_from(ip("198.51.100.1"), now), Ok(()));
        assert!(first.messages().is_some());
        let second = admit(&door, "192.0.2.9", now).unwrap();
        let turned = second.comes_from(ip("198.51.100.1"), now);
        assert_eq!(turned, Err(Turned::AddressConnections));
        assert_eq!(second.comes_from(ip("198.51.100.2"), now), Ok(()));
        drop((first, second));
        assert!(door.register().is_empty());
    }
}
