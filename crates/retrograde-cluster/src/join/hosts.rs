//! The addresses of all processes, starting with process 0: a file with a line `address:port` for each, or a
//! pattern such as `node-{0..3}:7341` for numbered names, for example in containers. They are checked before
//! anything is opened, so mistakes are reported with their location.

use std::fs::File;
use std::io::Read;
use std::net::IpAddr;
use std::path::Path;

use retrograde_game::{clean_text, decode_text, system_reason};

use crate::error::ClusterError;

/// More processes than this are considered a mistake: each keeps two connections to every other.
pub const MAX_PROCESSES: usize = 1024;
/// The number of bytes to read from the file. Longer files are rejected.
const MAX_BYTES: u64 = 1 << 20;

/// The addresses of all processes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hosts(Vec<String>);

impl Hosts {
    /// Reads a host file.
    ///
    /// # Errors
    /// If it cannot be read; or with the line of an invalid address.
    pub fn read(file: &Path) -> Result<Hosts, ClusterError> {
        let failed = |error| {
            let reason = format!("cannot read the host file: {}", system_reason(&error));
            ClusterError::unusable(file.display(), reason)
        };
        let mut bytes = Vec::new();
        File::open(file).and_then(|file| file.take(MAX_BYTES).read_to_end(&mut bytes)).map_err(failed)?;
        Hosts::parse(&decode_text(bytes).map_err(failed)?, file)
    }

    /// Parses the text of a host file; `file` is named in errors.
    ///
    /// # Errors
    /// With the line of an invalid address.
    pub fn parse(text: &str, file: &Path) -> Result<Hosts, ClusterError> {
        let file = file.display();
        let wrong = |line: usize, reason: String| ClusterError::unusable(format!("{file}:{line}"), reason);
        let mut hosts: Vec<String> = Vec::new();
        for (number, line) in (1..).zip(clean_text(text).lines()) {
            let line = line.split('#').next().unwrap_or("").trim();
            if line.is_empty() {
                continue;
            }
            check(line).map_err(|reason| wrong(number, format!("“{}”: {reason}", line.escape_debug())))?;
            if let Some(before) = hosts.iter().position(|host| host == line) {
                return Err(wrong(number, format!("“{line}” is already the address of process {before}")));
            }
            hosts.push(line.to_owned());
        }
        match hosts.len() {
            0 => {
                let reason = "it has no addresses; a line is address:port, as in 10.0.0.1:7000";
                Err(ClusterError::unusable(file, reason))
            }
            count if count > MAX_PROCESSES => {
                let reason = format!("there can be at most {MAX_PROCESSES} processes, not {count}");
                Err(ClusterError::unusable(file, reason))
            }
            _ => Ok(Hosts(hosts)),
        }
    }

    /// Expands a pattern with one `{FIRST..LAST}` to one address per number: `node-{0..3}:7341` is
    /// `node-0:7341` to `node-3:7341`.
    ///
    /// # Errors
    /// If the pattern or an address is invalid.
    pub fn of_pattern(pattern: &str) -> Result<Hosts, ClusterError> {
        let shown = format!("“{}”", pattern.escape_debug());
        let wrong = |reason: String| ClusterError::unusable(&shown, reason);
        let parts = pattern.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)));
        let Some((before, (range, after))) = parts else {
            return Err(wrong("expected {FIRST..LAST} once, as in node-{0..3}:7341".to_owned()));
        };
        if after.contains(['{', '}']) || before.contains('}') {
            return Err(wrong("a pattern has one {FIRST..LAST} and no other { or }".to_owned()));
        }
        let number = |text: &str| text.parse::<u32>().ok().filter(|number| number.to_string() == text);
        let ends = range.split_once("..").and_then(|(first, last)| Some((number(first)?, number(last)?)));
        let Some((first, last)) = ends else {
            let reason = format!(
                "expected two whole numbers between {{ and }}, as in 0..3, found “{}”",
                range.escape_debug()
            );
            return Err(wrong(reason));
        };
        if last < first {
            return Err(wrong(format!("{first}..{last} is empty: the first number is larger than the last")));
        }
        let count = u64::from(last - first) + 1;
        if count > MAX_PROCESSES as u64 {
            return Err(wrong(format!("there can be at most {MAX_PROCESSES} processes, not {count}")));
        }
        let hosts: Vec<String> = (first..=last).map(|number| format!("{before}{number}{after}")).collect();
        for host in &hosts {
            check(host).map_err(|reason| wrong(format!("“{}”: {reason}", host.escape_debug())))?;
        }
        Ok(Hosts(hosts))
    }

    /// The number of processes.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The address of a process as it was written.
    ///
    /// # Panics
    /// If there is no such process.
    pub fn address(&self, process: usize) -> &str {
        &self.0[process]
    }

    /// Whether all processes are on this machine, so that no other machine can reach them.
    pub fn all_loopback(&self) -> bool {
        self.0.iter().all(|host| {
            let host = host.rsplit_once(':').map_or(host.as_str(), |(host, _)| host);
            let host = host.trim_start_matches('[').trim_end_matches(']');
            host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
        })
    }
}

/// Checks an address. The error says what is wrong with it.
fn check(line: &str) -> Result<(), String> {
    if line.chars().any(char::is_whitespace) {
        return Err("a line must have one address and nothing else".to_owned());
    }
    let Some((host, port)) = line.rsplit_once(':') else {
        return Err("the port is missing, as in 10.0.0.1:7000".to_owned());
    };
    match port.parse::<u16>() {
        Ok(1..) if port.bytes().all(|byte| byte.is_ascii_digit()) => {}
        _ => return Err(format!("a port is a number from 1 to 65535, found “{}”", port.escape_debug())),
    }
    let bracketed = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    match bracketed {
        Some(host) if host.parse::<std::net::Ipv6Addr>().is_ok() => Ok(()),
        Some(_) => Err("expected an IPv6 address between [ and ]".to_owned()),
        None if host.is_empty() => Err("the address before the port is missing".to_owned()),
        None if host.contains(':') => {
            Err("an IPv6 address must be between [ and ], as in [::1]:7000".to_owned())
        }
        None if host.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_')) => Ok(()),
        None => Err("this is neither a name nor an address".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Hosts, String> {
        Hosts::parse(text, Path::new("my.hosts")).map_err(|error| error.to_string())
    }

    #[test]
    fn reads_addresses_comments_and_blank_lines() {
        let hosts = parse("# two nodes\nnode-1:7000\n\n  [fd00::2]:7001 # the other\n").unwrap();
        assert_eq!((hosts.count(), hosts.address(0), hosts.address(1)), (2, "node-1:7000", "[fd00::2]:7001"));
        assert!(!hosts.all_loopback());
        assert!(parse("127.0.0.1:1\nlocalhost:2\n[::1]:3").unwrap().all_loopback());
    }

    #[test]
    fn a_pattern_equals_the_host_file_that_it_replaces() {
        for (pattern, file) in [
            ("node-{0..2}:7000", "node-0:7000\nnode-1:7000\nnode-2:7000"),
            ("10.0.0.{9..11}:7000", "10.0.0.9:7000\n10.0.0.10:7000\n10.0.0.11:7000"),
            ("127.0.0.1:700{1..3}", "127.0.0.1:7001\n127.0.0.1:7002\n127.0.0.1:7003"),
            ("[fd00::{7..7}]:1", "[fd00::7]:1"),
        ] {
            assert_eq!(Hosts::of_pattern(pattern).unwrap(), parse(file).unwrap(), "{pattern}");
        }
        assert_eq!(Hosts::of_pattern("n{0..1023}:1").unwrap().count(), MAX_PROCESSES);
    }

    #[test]
    fn mistakes_in_a_pattern_are_reported() {
        for (pattern, reason) in [
            ("node:7000", "expected {FIRST..LAST}"),
            ("node-{0..3:7000", "expected {FIRST..LAST}"),
            ("node-0..3}:7000", "expected {FIRST..LAST}"),
            ("n{0..3}{0..3}:1", "one {FIRST..LAST}"),
            ("n}{0..3}:1", "one {FIRST..LAST}"),
            ("n{{0..3}}:1", "one {FIRST..LAST}"),
            ("n{0-3}:1", "found “0-3”"),
            ("n{..3}:1", "found “..3”"),
            ("n{00..3}:1", "found “00..3”"),
            ("n{0..+3}:1", "found “0..+3”"),
            ("n{0..4294967296}:1", "found “0..4294967296”"),
            ("n{3..0}:1", "3..0 is empty"),
            ("n{0..1024}:1", "at most 1024 processes, not 1025"),
            ("n{0..4294967295}:1", "at most 1024 processes, not 4294967296"),
            ("n{0..3}", "“n0”: the port is missing"),
            ("ä{0..3}:1", "“ä0:1”: this is neither"),
            ("n:6553{4..6}", "“n:65536”: a port is a number"),
        ] {
            let error = Hosts::of_pattern(pattern).unwrap_err().to_string();
            assert!(error.starts_with(&format!("“{pattern}”: ")) && error.contains(reason), "{error}");
        }
    }

    #[test]
    fn mistakes_are_reported_with_file_and_line() {
        for (text, place, reason) in [
            ("", "", "no address"),
            ("a:1\nb", ":2", "port is missing"),
            ("a:0", ":1", "from 1 to 65535"),
            ("a:+7", ":1", "from 1 to 65535"),
            ("a:70000", ":1", "found “70000”"),
            ("a:1 b:2", ":1", "nothing else"),
            (":7", ":1", "before the port"),
            ("fd00::2:7", ":1", "between [ and ]"),
            ("[fd00:7]:7", ":1", "between [ and ]"),
            ("a:1\n#\na:1", ":3", "already the address of process 0"),
            ("ä:1", ":1", "neither"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.starts_with(&format!("my.hosts{place}: ")) && error.contains(reason), "{error}");
        }
    }
}
