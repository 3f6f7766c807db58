//! Names of hosts.

use std::net::Ipv6Addr;
use std::str::FromStr;

/// A host name or IP address without a port. `*` means all hosts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HostName(String);

impl HostName {
    /// Normalises a name: lower case, without a trailing dot or the brackets of an IPv6 address, which is
    /// written in its shortest form.
    pub(crate) fn new(text: &str) -> HostName {
        let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
        match bare.parse::<Ipv6Addr>() {
            Ok(address) => HostName(address.to_string()),
            Err(_) => HostName(bare.strip_suffix('.').unwrap_or(bare).to_ascii_lowercase()),
        }
    }

    /// Matches all hosts.
    pub(crate) fn any() -> HostName {
        HostName("*".to_owned())
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for HostName {
    type Err = String;

    fn from_str(text: &str) -> Result<HostName, String> {
        let host = HostName::new(text.trim());
        let name = host.as_str();
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        let is_name = !name.is_empty() && !name.starts_with('.') && name.bytes().all(plain);
        match is_name || name == "*" || name.parse::<Ipv6Addr>().is_ok() {
            true => Ok(host),
            false => {
                Err("expected the name of a host without http:// and port, such as games.example.org, or * \
                          for all hosts"
                    .to_owned())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_names_are_read_strictly() {
        let read = |text: &str| text.parse::<HostName>().map(|host| host.as_str().to_owned());
        for (text, name) in [
            ("Games.Example.ORG.", "games.example.org"),
            (" my_box ", "my_box"),
            ("192.0.2.7", "192.0.2.7"),
            ("[2001:db8::1]", "2001:db8::1"),
            ("2001:DB8:0:0::1", "2001:db8::1"),
            ("*", "*"),
        ] {
            assert_eq!(read(text).as_deref(), Ok(name));
        }
        for bad in ["", ".", "http://a", "a:80", "a/b", "*.a", "a b", "é", "a,b", "user@a"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
