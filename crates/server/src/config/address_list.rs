//! Addresses and networks in a setting.

use std::net::IpAddr;
use std::str::FromStr;

use ipnet::IpNet;

/// Addresses and networks: `10.0.0.1,192.168.0.0/16,::1`. It may be empty and contain spaces.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct AddressList(Vec<IpNet>);

/// A text that is neither an address nor a network.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected an address like 10.0.0.1 or a network like 10.0.0.0/8, not {0:?}")]
pub struct BadAddress(String);

impl AddressList {
    /// Whether `address` is in the list. An IPv4 address may be mapped to IPv6.
    pub fn contains(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }
}

impl FromStr for AddressList {
    type Err = BadAddress;

    fn from_str(text: &str) -> Result<AddressList, BadAddress> {
        let items = text
            .split(',')
            .map(str::trim)
            .filter(|item| !item.is_empty());
        items
            .map(parse_network)
            .collect::<Result<_, _>>()
            .map(AddressList)
    }
}

fn parse_network(text: &str) -> Result<IpNet, BadAddress> {
    let address = text
        .parse()
        .map(|ip: IpAddr| IpNet::from(ip.to_canonical()));
    address
        .or_else(|_| text.parse())
        .map_err(|_| BadAddress(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_networks_are_read() {
        let list: AddressList = "10.0.0.0/8, ::1,192.168.1.2".parse().unwrap();
        for (address, listed) in [
            ("10.1.2.3", true),
            ("::ffff:10.1.2.3", true),
            ("192.168.1.2", true),
            ("192.168.1.3", false),
            ("::1", true),
            ("::2", false),
        ] {
            assert_eq!(list.contains(address.parse().unwrap()), listed, "{address}");
        }
        assert_eq!("".parse(), Ok(AddressList::default()));
        let error = "::1,nonsense".parse::<AddressList>().unwrap_err();
        assert!(error.to_string().contains("nonsense"), "{error}");
    }
}
