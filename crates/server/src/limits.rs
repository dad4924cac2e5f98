//! Limits on connections, in total and per address, and on messages.
//!
//! An address is an IPv4 address or an IPv6 /64, which is what one household or machine gets.

mod rate;

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::config::Config;

pub(crate) use rate::{RateLimiter, RateVerdict, SharedBucket, TokenBucket};

/// The number of addresses without a connection that are kept, so that reconnecting does not refill their
/// buckets. Beyond it all of them are removed, which bounds the memory.
const MAX_IDLE_ADDRESSES: usize = 16 * 1024;

/// Why a connection is rejected.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum RejectReason {
    /// The server has the maximum number of connections.
    Full,
    /// Too many connections have not finished their handshake.
    Handshakes,
    /// The address has the maximum number of connections.
    AddressConnections,
    /// The address opens connections too fast.
    AddressRate,
    /// Too many of the address's connections have not finished their handshake.
    AddressHandshakes,
}

impl RejectReason {
    /// Whether the address is the cause, not the load of the server.
    pub(crate) fn is_of_address(self) -> bool {
        match self {
            RejectReason::Full | RejectReason::Handshakes => false,
            RejectReason::AddressConnections
            | RejectReason::AddressRate
            | RejectReason::AddressHandshakes => true,
        }
    }

    /// The message to the client.
    pub(crate) fn explanation(self) -> &'static str {
        match self {
            RejectReason::Full => "the server has too many connections",
            RejectReason::Handshakes => "too many connections are being opened",
            RejectReason::AddressConnections => "too many connections from this address",
            RejectReason::AddressRate => "connections from this address come too fast",
            RejectReason::AddressHandshakes => "too many unfinished connections from this address",
        }
    }

    /// Its name in the log and in the metrics.
    pub(crate) fn name(self) -> &'static str {
        match self {
            RejectReason::Full => "full",
            RejectReason::Handshakes => "handshakes",
            RejectReason::AddressConnections => "address_connections",
            RejectReason::AddressRate => "address_rate",
            RejectReason::AddressHandshakes => "address_handshakes",
        }
    }
}

/// Admits new connections as far as the limits allow.
///
/// Rates use the token bucket that messages need for [`RateLimiter::credit`]. A limiter from a library would
/// need a second map of addresses with a bound of its own.
#[derive(Debug)]
pub(crate) struct ConnectionLimiter {
    config: Config,
    connections: Arc<Semaphore>,
    handshakes: Arc<Semaphore>,
    addresses: Mutex<HashMap<IpAddr, Arc<Address>>>,
}

/// The state that the connections of one address share.
#[derive(Debug)]
struct Address {
    connections: Arc<Semaphore>,
    handshakes: Arc<Semaphore>,
    arrivals: Mutex<TokenBucket>,
    messages: SharedBucket,
}

impl ConnectionLimiter {
    pub(crate) fn new(config: &Config) -> ConnectionLimiter {
        ConnectionLimiter {
            connections: Arc::new(Semaphore::new(config.max_connections)),
            handshakes: Arc::new(Semaphore::new(config.max_handshakes)),
            addresses: Mutex::default(),
            config: config.clone(),
        }
    }

    /// Admits a new connection. One from a trusted proxy counts for no address: see
    /// [`ConnectionPermit::admit_client`].
    pub(crate) fn admit(
        self: &Arc<Self>,
        peer: IpAddr,
        now: Instant,
    ) -> Result<ConnectionPermit, RejectReason> {
        let counted = (!self.trusts(peer)).then_some(peer);
        self.admit_counted(counted, now)
    }

    /// Admits a connection that counts for this address, or for none.
    fn admit_counted(
        self: &Arc<Self>,
        address: Option<IpAddr>,
        now: Instant,
    ) -> Result<ConnectionPermit, RejectReason> {
        let connection = acquire(&self.connections).ok_or(RejectReason::Full)?;
        let handshake = acquire(&self.handshakes).ok_or(RejectReason::Handshakes)?;
        let address = match address {
            Some(address) => self.admit_address(address, now)?,
            None => None,
        };
        Ok(ConnectionPermit {
            limiter: Arc::clone(self),
            total: Arc::new(Slot::new(connection, handshake)),
            address,
        })
    }

    /// Admits a connection of an address; `None` if no limit applies to it.
    fn admit_address(
        &self,
        address: IpAddr,
        now: Instant,
    ) -> Result<Option<AddressPermit>, RejectReason> {
        if self.config.unlimited_addresses.contains(address) {
            return Ok(None);
        }
        let ip = network(address);
        let address = self.address(ip, now);
        let connection = acquire(&address.connections).ok_or(RejectReason::AddressConnections)?;
        let handshake = acquire(&address.handshakes).ok_or(RejectReason::AddressHandshakes)?;
        if !lock(&address.arrivals).try_acquire(now) {
            return Err(RejectReason::AddressRate);
        }
        Ok(Some(AddressPermit {
            ip,
            address,
            slot: Slot::new(connection, handshake),
        }))
    }

    fn address(&self, ip: IpAddr, now: Instant) -> Arc<Address> {
        let config = &self.config;
        let mut addresses = lock(&self.addresses);
        if addresses.len() >= config.max_connections + MAX_IDLE_ADDRESSES {
            // A permit holds a reference to its address.
            addresses.retain(|_, address| Arc::strong_count(address) > 1);
        }
        let address = addresses.entry(ip).or_insert_with(|| {
            let (burst, rate) = (
                config.address_connection_burst,
                config.address_connection_rate,
            );
            let arrivals = TokenBucket::new(burst, rate, now);
            let (burst, rate) = (config.address_message_burst, config.address_message_rate);
            let messages = TokenBucket::new(burst, rate, now);
            Arc::new(Address {
                connections: Arc::new(Semaphore::new(config.address_connections)),
                handshakes: Arc::new(Semaphore::new(config.address_handshakes)),
                arrivals: Mutex::new(arrivals),
                messages: Arc::new(Mutex::new(messages)),
            })
        });
        Arc::clone(address)
    }

    /// Whether the server admits no more connections.
    pub(crate) fn is_full(&self) -> bool {
        self.connections.available_permits() == 0
    }

    /// Whether `peer` is a trusted proxy.
    pub(crate) fn trusts(&self, peer: IpAddr) -> bool {
        self.config.trusted_proxies.contains(peer)
    }
}

/// The address that is counted: for IPv6 the /64.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => {
            let network = u128::from(address) & (u128::MAX << 64);
            IpAddr::V6(Ipv6Addr::from(network))
        }
    }
}

fn acquire(limit: &Arc<Semaphore>) -> Option<OwnedSemaphorePermit> {
    Arc::clone(limit).try_acquire_owned().ok()
}

/// An admitted connection, which counts until this is dropped.
#[derive(Debug)]
pub(crate) struct ConnectionPermit {
    limiter: Arc<ConnectionLimiter>,
    /// Shared with the permits of the clients behind the proxy whose connection this is.
    total: Arc<Slot>,
    /// `None` if no limit applies to the address.
    address: Option<AddressPermit>,
}

#[derive(Debug)]
struct AddressPermit {
    ip: IpAddr,
    address: Arc<Address>,
    slot: Slot,
}

/// One of the connections that a limit allows.
#[derive(Debug)]
struct Slot {
    _connection: OwnedSemaphorePermit,
    /// `None` once the handshake is done.
    handshake: Mutex<Option<OwnedSemaphorePermit>>,
}

impl Slot {
    fn new(connection: OwnedSemaphorePermit, handshake: OwnedSemaphorePermit) -> Slot {
        Slot {
            _connection: connection,
            handshake: Mutex::new(Some(handshake)),
        }
    }

    fn finish_handshake(&self) {
        *lock(&self.handshake) = None;
    }
}

impl ConnectionPermit {
    /// Admits a client behind the proxy whose connection this is. Until the new permit is dropped, it
    /// counts as a connection of the client's address.
    pub(crate) fn admit_client(
        &self,
        client: IpAddr,
        now: Instant,
    ) -> Result<ConnectionPermit, RejectReason> {
        Ok(ConnectionPermit {
            limiter: Arc::clone(&self.limiter),
            total: Arc::clone(&self.total),
            address: self.limiter.admit_address(client, now)?,
        })
    }

    /// Admits one more connection of the same client, which has no handshake to finish.
    pub(crate) fn admit_another(&self, now: Instant) -> Result<ConnectionPermit, RejectReason> {
        let permit = self.limiter.admit_counted(self.address(), now)?;
        permit.finish_handshake();
        Ok(permit)
    }

    /// Gives back what the admission has taken from the rate of the address.
    pub(crate) fn credit_arrival(&self) {
        if let Some(permit) = &self.address {
            lock(&permit.address.arrivals).add(1.0);
        }
    }

    /// The address for which it counts; `None` if no limit applies.
    pub(crate) fn address(&self) -> Option<IpAddr> {
        self.address.as_ref().map(|permit| permit.ip)
    }

    /// Stops counting the connection as an unfinished handshake.
    pub(crate) fn finish_handshake(&self) {
        self.total.finish_handshake();
        if let Some(permit) = &self.address {
            permit.slot.finish_handshake();
        }
    }

    /// The bucket that the messages of all clients of the address share; `None` if no limit applies.
    pub(crate) fn messages(&self) -> Option<SharedBucket> {
        let permit = self.address.as_ref()?;
        Some(Arc::clone(&permit.address.messages))
    }
}

/// Ignores poisoning: no code between lock and unlock leaves an inconsistent state.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn limiter(config: Config) -> Arc<ConnectionLimiter> {
        Arc::new(ConnectionLimiter::new(&config))
    }

    fn is_idle(limiter: &ConnectionLimiter) -> bool {
        let Config {
            max_connections,
            max_handshakes,
            address_connections,
            address_handshakes,
            ..
        } = limiter.config;
        limiter.connections.available_permits() == max_connections
            && limiter.handshakes.available_permits() == max_handshakes
            && lock(&limiter.addresses).values().all(|address| {
                address.connections.available_permits() == address_connections
                    && address.handshakes.available_permits() == address_handshakes
            })
    }

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn admit(
        limiter: &Arc<ConnectionLimiter>,
        address: &str,
        now: Instant,
    ) -> Result<ConnectionPermit, RejectReason> {
        limiter.admit(ip(address), now)
    }

    #[test]
    fn connections_per_address_are_limited() {
        let limiter = limiter(Config {
            address_connections: 2,
            ..Config::default()
        });
        let now = Instant::now();
        let first = admit(&limiter, "192.0.2.1", now).unwrap();
        let _second = admit(&limiter, "::ffff:192.0.2.1", now).unwrap();
        let third = admit(&limiter, "192.0.2.1", now);
        assert_eq!(third.unwrap_err(), RejectReason::AddressConnections);
        let _other = admit(&limiter, "192.0.2.2", now).unwrap();
        drop(first);
        admit(&limiter, "192.0.2.1", now).unwrap();
    }

    #[test]
    fn ipv6_is_counted_by_its_network() {
        let limiter = limiter(Config {
            address_connections: 1,
            ..Config::default()
        });
        let now = Instant::now();
        let _first = admit(&limiter, "2001:db8::1", now).unwrap();
        let same = admit(&limiter, "2001:db8::ffff:1", now);
        assert_eq!(same.unwrap_err(), RejectReason::AddressConnections);
        admit(&limiter, "2001:db8:0:1::1", now).unwrap();
    }

    #[test]
    fn new_connections_per_second_are_limited() {
        let limiter = limiter(Config {
            address_connection_burst: 60,
            ..Config::default()
        });
        let now = Instant::now();
        let admitted = |now| admit(&limiter, "192.0.2.1", now).is_ok();
        assert_eq!((0..100).filter(|_| admitted(now)).count(), 60);
        let later = now + Duration::from_secs(1);
        assert_eq!((0..100).filter(|_| admitted(later)).count(), 20);
        let error = admit(&limiter, "192.0.2.1", later).unwrap_err();
        assert_eq!(error, RejectReason::AddressRate);
    }

    #[test]
    fn unfinished_handshakes_are_limited() {
        let limiter = limiter(Config {
            address_handshakes: 2,
            max_handshakes: 3,
            ..Config::default()
        });
        let now = Instant::now();
        let first = admit(&limiter, "192.0.2.1", now).unwrap();
        let _second = admit(&limiter, "192.0.2.1", now).unwrap();
        let third = admit(&limiter, "192.0.2.1", now);
        assert_eq!(third.unwrap_err(), RejectReason::AddressHandshakes);
        let _local = admit(&limiter, "127.0.0.1", now).unwrap();
        let one_too_many = admit(&limiter, "192.0.2.2", now);
        assert_eq!(one_too_many.unwrap_err(), RejectReason::Handshakes);
        first.finish_handshake();
        admit(&limiter, "192.0.2.1", now).unwrap();
    }

    #[test]
    fn loopback_and_proxies_are_limited_in_total_only() {
        let limiter = limiter(Config {
            address_connections: 1,
            address_connection_burst: 1,
            max_connections: 4,
            trusted_proxies: "192.0.2.9".parse().unwrap(),
            ..Config::default()
        });
        let now = Instant::now();
        let addresses = ["127.0.0.1", "::1", "192.0.2.9", "192.0.2.9"];
        let _all = addresses.map(|address| admit(&limiter, address, now).unwrap());
        assert!(limiter.is_full());
        assert_eq!(admit(&limiter, "::1", now).unwrap_err(), RejectReason::Full);
    }

    #[test]
    fn a_request_through_a_proxy_counts_for_the_client() {
        let limiter = limiter(Config {
            address_connections: 1,
            address_connection_burst: 2,
            address_connection_rate: 0,
            trusted_proxies: "192.0.2.9".parse().unwrap(),
            ..Config::default()
        });
        let now = Instant::now();
        let proxy = admit(&limiter, "192.0.2.9", now).unwrap();
        assert!(proxy.messages().is_none());
        let client = proxy.admit_client(ip("198.51.100.1"), now).unwrap();
        assert!(client.messages().is_some());
        let other_proxy = admit(&limiter, "192.0.2.9", now).unwrap();
        let admit_again = || other_proxy.admit_client(ip("198.51.100.1"), now);
        let rejected = admit_again().unwrap_err();
        assert_eq!(rejected, RejectReason::AddressConnections);
        let other = proxy.admit_client(ip("198.51.100.2"), now).unwrap();
        drop(client);
        drop(admit_again().unwrap());
        assert_eq!(admit_again().unwrap_err(), RejectReason::AddressRate);
        other.credit_arrival();
        assert_eq!(admit_again().unwrap_err(), RejectReason::AddressRate);
        let free = proxy.admit_client(ip("198.51.100.3"), now).unwrap();
        free.credit_arrival();
        drop(free);
        for _ in 0..2 {
            drop(proxy.admit_client(ip("198.51.100.3"), now).unwrap());
        }
        drop((other, other_proxy, proxy));
        assert!(is_idle(&limiter));
    }

    #[test]
    fn another_connection_counts_for_the_same_address() {
        let limiter = limiter(Config {
            address_connections: 2,
            ..Config::default()
        });
        let now = Instant::now();
        let first = admit(&limiter, "192.0.2.1", now).unwrap();
        let another = first.admit_another(now).unwrap();
        assert_eq!(another.address(), first.address());
        let third = another.admit_another(now).unwrap_err();
        assert_eq!(third, RejectReason::AddressConnections);
        let local = admit(&limiter, "127.0.0.1", now).unwrap();
        assert_eq!(local.admit_another(now).unwrap().address(), None);
        drop((first, another, local));
        assert!(is_idle(&limiter));
    }

    #[test]
    fn idle_addresses_take_bounded_memory() {
        let limiter = limiter(Config {
            max_connections: 10,
            ..Config::default()
        });
        let now = Instant::now();
        let admit = |i: u32| limiter.admit(i.to_be_bytes().into(), now).unwrap();
        let open = admit(0);
        for i in 1..100_000 {
            admit(i);
        }
        assert!(lock(&limiter.addresses).len() <= 10 + MAX_IDLE_ADDRESSES);
        assert!(lock(&limiter.addresses).contains_key(&IpAddr::from([0; 4])));
        drop(open);
        assert!(is_idle(&limiter));
    }
}
