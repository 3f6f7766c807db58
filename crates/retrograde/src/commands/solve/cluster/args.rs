//! The options of `solve` on several processes.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::program::args::{number, parse_seconds};

/// The options of solving on several processes.
#[derive(Args, Debug)]
#[command(
    next_help_heading = "Several processes (docs/cluster.md)",
    group(clap::ArgGroup::new("several").args(["processes", "hosts"]).multiple(true))
)]
pub(crate) struct ClusterArgs {
    /// Solve with N processes on this machine
    #[arg(long, conflicts_with_all = ["hosts", "process"], value_parser = number::<u16>(1..=256, 2))]
    pub processes: Option<u16>,
    /// How many times to restart all processes from the last checkpoint after one is killed
    #[arg(long, default_value_t = 2, requires = "processes", value_parser = number::<u16>(0..=65_535, 2))]
    pub restarts: u16,
    /// Run as one of several processes; give a file with one address:port per line, or a pattern
    /// such as 'node-{0..3}:7341'
    #[arg(long, value_name = "FILE|PATTERN", requires = "process")]
    pub hosts: Option<OsString>,
    /// Number of this process among the hosts, from 0; `hostname` uses the number at the end of
    /// this machine's name
    #[arg(long, value_name = "K|hostname", requires = "hosts", value_parser = parse_process)]
    pub process: Option<ProcessChoice>,
    /// Threads per process [default: all cores, shared by --processes]
    #[arg(long, requires = "several", value_parser = number::<u16>(1..=1024, 2))]
    pub workers: Option<u16>,
    /// File with the secret shared by all processes
    #[arg(long, value_name = "FILE", requires = "hosts")]
    pub key: Option<PathBuf>,
    /// Address to listen on, if it differs from the host file
    #[arg(long, value_name = "ADDRESS", requires = "hosts")]
    pub listen: Option<String>,
    /// Seconds without a message after which a process counts as failed
    #[arg(long, default_value = "10", requires = "several", value_parser = parse_seconds)]
    pub timeout: Duration,
    /// Seconds to wait for all processes to start
    #[arg(long, default_value = "120", requires = "several", value_parser = parse_seconds)]
    pub wait: Duration,
}

/// How a process gets its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ProcessChoice {
    Number(usize),
    /// The number at the end of this machine's name, as Kubernetes names the pods of a StatefulSet.
    HostName,
}

/// Reads a [`ProcessChoice`].
fn parse_process(text: &str) -> Result<ProcessChoice, String> {
    if text == "hostname" {
        return Ok(ProcessChoice::HostName);
    }
    let number = number::<usize>(0..=65_535, 0).parse("process", text);
    number.map(ProcessChoice::Number).map_err(|error| format!("{error}, or the word hostname"))
}
