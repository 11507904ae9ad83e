//! Addresses of the services.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use crate::host::config::Service;

/// Open ports by service, as reachable from this machine; the hosting port first.
#[derive(Debug, Clone)]
pub struct Addresses {
    hosting: SocketAddr,
    others: Vec<(Service, SocketAddr)>,
}

impl Addresses {
    /// From bound addresses; `hosting` serves every service without a port of its own.
    pub fn new(hosting: SocketAddr, others: impl IntoIterator<Item = (Service, SocketAddr)>) -> Self {
        let others = others.into_iter().map(|(service, address)| (service, reachable(address))).collect();
        Self { hosting: reachable(hosting), others }
    }

    /// Address of `service`.
    pub fn of(&self, service: Service) -> SocketAddr {
        self.own(service).unwrap_or(self.hosting)
    }

    /// The port of `service` itself, if it has one; of several sites, the first one's.
    pub fn own(&self, service: Service) -> Option<SocketAddr> {
        if service == Service::Hosting {
            return Some(self.hosting);
        }
        self.others.iter().find(|(other, _)| *other == service).map(|(_, address)| *address)
    }

    /// The ports besides the hosting port.
    pub fn others(&self) -> &[(Service, SocketAddr)] {
        &self.others
    }

    /// URL of the application for a browser on this machine.
    pub fn url(&self) -> String {
        format!("http://{}", self.hosting)
    }

    /// The same URL where the port has TLS; programs of this machine may use [`Self::url`] all the same.
    pub fn encrypted_url(&self) -> String {
        format!("https://{}", self.hosting)
    }
}

/// An address usable by a client on this machine: the unspecified address is no destination on some systems.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

#[cfg(test)]
mod tests {
    use super::{Addresses, Service};

    #[test]
    fn services_without_a_port_are_on_the_hosting_port() {
        let auth = (Service::Auth, "[::]:9099".parse().unwrap());
        let addresses = Addresses::new("0.0.0.0:5000".parse().unwrap(), [auth]);
        assert_eq!(addresses.url(), "http://127.0.0.1:5000");
        assert_eq!(addresses.of(Service::Auth).to_string(), "[::1]:9099");
        assert_eq!(addresses.of(Service::Firestore).to_string(), "127.0.0.1:5000");
        assert_eq!(addresses.own(Service::Firestore), None);
    }

    #[test]
    fn the_first_site_has_the_hosting_port_with_and_without_further_sites() {
        let first = "127.0.0.1:5000".parse().unwrap();
        for further in [vec![], vec![(Service::Hosting, "127.0.0.1:5005".parse().unwrap())]] {
            let addresses = Addresses::new(first, further);
            assert_eq!(addresses.own(Service::Hosting), Some(first));
            assert_eq!(addresses.of(Service::Hosting), first);
        }
    }
}
