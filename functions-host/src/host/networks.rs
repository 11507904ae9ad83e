//! Lists of networks in settings: `10.0.0.0/8, 192.0.2.7, 2001:db8::/32`.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use ipnet::IpNet;
use serde::Deserialize;

/// Most networks in one list: each request is compared with all of them.
pub const MAX_NETWORKS: usize = 64;

/// A list of networks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(try_from = "Vec<String>")]
pub struct Networks(#[cfg_attr(test, schemars(with = "Vec<String>"))] Vec<IpNet>);

impl Networks {
    /// True if `address` is in one of them. IPv4-mapped IPv6 addresses count as IPv4.
    pub fn contains(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }

    /// True if the list is empty.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Networks {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (nth, network) in self.0.iter().enumerate() {
            write!(formatter, "{}{network}", if nth == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

/// Parses networks separated by commas; empty text is the empty list.
impl FromStr for Networks {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        Self::try_from(parts.map(str::to_owned).collect::<Vec<_>>())
    }
}

impl TryFrom<Vec<String>> for Networks {
    type Error = String;

    fn try_from(list: Vec<String>) -> Result<Self, String> {
        if list.len() > MAX_NETWORKS {
            return Err(format!("{} networks are listed; {MAX_NETWORKS} may be", list.len()));
        }
        list.iter().map(|text| network(text)).collect::<Result<_, _>>().map(Self)
    }
}

fn network(text: &str) -> Result<IpNet, String> {
    let whole = text.parse::<IpAddr>().map(|address| IpNet::from(address.to_canonical()));
    whole.ok().or_else(|| text.parse().ok()).ok_or_else(|| {
        format!(
            "\"{text}\" is no network: write an address (192.0.2.7) or a network (10.0.0.0/8, 2001:db8::/32)"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::{MAX_NETWORKS, Networks};

    #[test]
    fn a_list_holds_addresses_and_networks() {
        let list: Networks = "10.0.0.0/8, 192.0.2.7 ,2001:db8::/32,".parse().unwrap();
        for (address, inside) in [
            ("10.255.0.1", true),
            ("::ffff:10.0.0.1", true),
            ("11.0.0.1", false),
            ("192.0.2.7", true),
            ("192.0.2.8", false),
            ("2001:db8:1::5", true),
            ("2001:db9::1", false),
        ] {
            assert_eq!(list.contains(address.parse().unwrap()), inside, "{address}");
        }
        assert_eq!(list.to_string(), "10.0.0.0/8, 192.0.2.7/32, 2001:db8::/32");
        assert!("".parse::<Networks>().unwrap().is_empty());
    }

    #[test]
    fn what_is_no_network_is_named() {
        for bad in ["10.0.0.0/33", "example.com", "10.0.0", "/8"] {
            assert!(
                bad.parse::<Networks>().unwrap_err().contains(&format!("\"{bad}\" is no network")),
                "{bad}"
            );
        }
        let many = vec!["10.0.0.1"; MAX_NETWORKS + 1].join(",");
        assert!(many.parse::<Networks>().unwrap_err().contains("65 networks"));
    }
}
