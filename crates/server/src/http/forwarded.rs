//! The client behind a proxy.

use std::net::{IpAddr, SocketAddr};

use hyper::header::HeaderMap;

/// The header to which every proxy appends the address that it has the request from.
const FORWARDED_FOR: &str = "x-forwarded-for";

/// The client of a request that comes through a trusted proxy: the last address in the header that is
/// not a trusted proxy itself. The client can forge all addresses before that. `None` without one.
pub(super) fn client(headers: &HeaderMap, is_trusted: impl Fn(IpAddr) -> bool) -> Option<IpAddr> {
    let values = headers.get_all(FORWARDED_FOR);
    let hops: Vec<&str> = values
        .iter()
        .flat_map(|value| value.to_str().unwrap_or("?").split(','))
        .map(str::trim)
        .collect();
    for hop in hops.into_iter().rev() {
        let address = parse_hop(hop)?;
        if !is_trusted(address) {
            return Some(address);
        }
    }
    None
}

/// An address with or without a port.
fn parse_hop(hop: &str) -> Option<IpAddr> {
    let with_port = || hop.parse().map(|address: SocketAddr| address.ip());
    let address = hop.parse().or_else(|_| with_port());
    address.ok().map(|address: IpAddr| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client_of(values: &[&'static str]) -> Option<String> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(FORWARDED_FOR, value.parse().unwrap());
        }
        let proxy: IpAddr = "10.0.0.1".parse().unwrap();
        client(&headers, |address| address == proxy).map(|address| address.to_string())
    }

    #[test]
    fn the_last_address_that_is_no_proxy_counts() {
        for (values, expected) in [
            (&["192.0.2.1"][..], Some("192.0.2.1")),
            (&["forged, 192.0.2.1, 10.0.0.1"], Some("192.0.2.1")),
            (&["192.0.2.7", "192.0.2.1"], Some("192.0.2.1")),
            (&["192.0.2.1:4711"], Some("192.0.2.1")),
            (&["[2001:db8::1]:4711"], Some("2001:db8::1")),
            (&["::ffff:192.0.2.1"], Some("192.0.2.1")),
            (&["192.0.2.1, unknown"], None),
            (&["10.0.0.1"], None),
            (&[""], None),
            (&[], None),
        ] {
            assert_eq!(client_of(values).as_deref(), expected, "{values:?}");
        }
    }
}
