//! The addresses on which a server listens.

use std::net::{SocketAddr, ToSocketAddrs};
use std::str::FromStr;

use tokio::net::TcpListener;

use crate::error::ServeError;
use crate::host_name::HostName;

/// The addresses to listen on: one socket address, or all addresses of a host name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listen {
    addresses: Vec<SocketAddr>,
    /// The host name that they belong to.
    host: Option<HostName>,
}

impl From<SocketAddr> for Listen {
    fn from(address: SocketAddr) -> Listen {
        Listen { addresses: vec![address], host: None }
    }
}

impl FromStr for Listen {
    type Err = String;

    /// Parses `127.0.0.1:8080`, `[::1]:8080` or `localhost:8080`, and resolves names.
    fn from_str(text: &str) -> Result<Listen, String> {
        let text = text.trim();
        if let Ok(address) = text.parse::<SocketAddr>() {
            return Ok(address.into());
        }
        let (host, port) = text.rsplit_once(':').unwrap_or((text, ""));
        let number = if port.is_empty() { Err(()) } else { port.parse::<u16>().map_err(drop) };
        // The host has a colon if an IPv6 address lacks brackets, and is empty for a port alone.
        let (Ok(number), false) = (number, host.is_empty() || host.contains([':', '/', '@'])) else {
            let bare = text.trim_start_matches(':').parse().unwrap_or(8080_u16);
            return Err(format!(
                "expected an address and a port, such as 127.0.0.1:{bare}, localhost:{bare} or [::1]:{bare} (this \
                 machine only), 0.0.0.0:{bare} or [::]:{bare} (the whole network)"
            ));
        };
        let found = (host, number).to_socket_addrs();
        let found = found.map_err(|error| {
            format!("the host name “{host}” cannot be resolved: {}", retrograde_game::system_reason(&error))
        })?;
        let mut addresses: Vec<SocketAddr> = found.collect();
        addresses.dedup();
        match addresses.is_empty() {
            true => Err(format!("the host name “{host}” has no address")),
            false => Ok(Listen { addresses, host: Some(HostName::new(host)) }),
        }
    }
}

impl Listen {
    /// The host name, if one was given instead of an address.
    pub(crate) fn host(&self) -> Option<&HostName> {
        self.host.as_ref()
    }

    /// Whether only this machine can reach it.
    pub fn is_loopback(&self) -> bool {
        self.addresses.iter().all(|address| address.ip().to_canonical().is_loopback())
    }

    /// Listens on all addresses, and returns the listeners with the host and port for a URL. Unavailable
    /// addresses are skipped if at least one works: `localhost` often includes ::1 without IPv6 support.
    pub(crate) async fn bind(&self) -> Result<(Vec<TcpListener>, String), ServeError> {
        /// The number of tries, since a port that is free on one address may be taken on another.
        const TRIES: usize = 16;
        let any_port = self.addresses.iter().all(|address| address.port() == 0);
        for _ in 0..if any_port { TRIES } else { 0 } {
            match self.bind_once().await {
                Err(ServeError::Taken { .. }) => {}
                bound => return bound,
            }
        }
        self.bind_once().await
    }

    async fn bind_once(&self) -> Result<(Vec<TcpListener>, String), ServeError> {
        let (mut listeners, mut missing, mut local) = (Vec::new(), None, None::<SocketAddr>);
        for &(mut address) in &self.addresses {
            // Port 0 means any free port; all addresses use the same one.
            address.set_port(local.map_or(address.port(), |local| local.port()));
            let bound = TcpListener::bind(address).await.and_then(|bound| Ok((bound.local_addr()?, bound)));
            match bound {
                Ok((at, listener)) => {
                    local.get_or_insert(at);
                    listeners.push(listener);
                }
                Err(reason) if reason.kind() == std::io::ErrorKind::AddrInUse => {
                    return Err(ServeError::Taken { address });
                }
                Err(reason) => missing = Some(ServeError::Listen { address, reason }),
            }
        }
        match (local, missing) {
            (Some(local), _) => {
                let name = self.host.as_ref().map(|host| format!("{}:{}", host.as_str(), local.port()));
                Ok((listeners, name.unwrap_or_else(|| local.to_string())))
            }
            (None, Some(error)) => Err(error),
            (None, None) => Ok((listeners, String::new())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_names_are_read() {
        for text in ["127.0.0.1:8080", "[::1]:8080", "[::ffff:127.0.0.1]:1", "127.9.9.9:0"] {
            let listen: Listen = text.parse().unwrap();
            assert!(listen.is_loopback() && listen.host().is_none(), "{text}");
        }
        for text in ["0.0.0.0:80", "[::]:80", "192.0.2.1:80"] {
            assert!(!text.parse::<Listen>().unwrap().is_loopback(), "{text}");
        }
        let localhost: Listen = " LocalHost:8080 ".parse().unwrap();
        assert!(localhost.is_loopback() && localhost.host() == Some(&HostName::new("localhost")));
        assert!(localhost.addresses.iter().all(|address| address.port() == 8080));
        for bad in
            ["", ":", "8080", ":8080", "localhost", "localhost:", "localhost:x", "localhost:65536", "::1:80"]
        {
            let error = bad.parse::<Listen>().unwrap_err();
            assert!(error.contains("expected an address and a port"), "{bad}: {error}");
        }
        assert!(":9000".parse::<Listen>().unwrap_err().contains("127.0.0.1:9000"));
        // Labels of this length are invalid, so no resolver is queried.
        let error = format!("{}:80", "a".repeat(100)).parse::<Listen>().unwrap_err();
        assert!(error.contains("cannot be resolved"), "{error}");
    }

    #[tokio::test]
    async fn a_name_is_served_on_all_its_addresses_at_one_port() {
        let (listeners, at) = "localhost:0".parse::<Listen>().unwrap().bind().await.unwrap();
        let ports: Vec<u16> =
            listeners.iter().map(|listener| listener.local_addr().unwrap().port()).collect();
        assert!(
            !ports.is_empty() && ports.iter().all(|port| at == format!("localhost:{port}")),
            "{at} {ports:?}"
        );
    }
}
