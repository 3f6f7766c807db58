//! The options of solving on several processes.

use std::path::PathBuf;

use clap::Args;

/// How to solve on several processes.
#[derive(Args, Debug)]
#[command(next_help_heading = "Several processes (docs/cluster.md)")]
pub struct ClusterArgs {
    /// Start N processes on this machine, and solve on them
    #[arg(
        long,
        value_name = "N",
        conflicts_with_all = ["hosts", "process"],
        value_parser = clap::value_parser!(u16).range(1..=256)
    )]
    pub processes: Option<u16>,
    /// How often --processes starts all again, from what was saved, when one is killed
    #[arg(long, value_name = "N", default_value_t = 2, requires = "processes")]
    pub restarts: u16,
    /// Be one of several processes: a file with an address:port a line
    #[arg(long, value_name = "FILE", requires = "process")]
    pub hosts: Option<PathBuf>,
    /// Which line of the host file this process is, from 0
    #[arg(long, value_name = "K", requires = "hosts")]
    pub process: Option<usize>,
    /// Threads of a process [default: all cores, shared by --processes]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub workers: Option<u16>,
    /// A file with the secret that all processes share
    #[arg(long, value_name = "FILE", requires = "hosts")]
    pub key: Option<PathBuf>,
    /// Where to listen, if not at the line of the host file
    #[arg(long, value_name = "ADDRESS", requires = "hosts")]
    pub listen: Option<String>,
    /// Seconds of silence after which a process has failed
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = crate::output::parse_seconds)]
    pub timeout: f64,
    /// Seconds to wait for all processes at the beginning
    #[arg(long, value_name = "SECONDS", default_value_t = 120.0, value_parser = crate::output::parse_seconds)]
    pub wait: f64,
}
