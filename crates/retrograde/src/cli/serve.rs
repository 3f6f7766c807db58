//! The options of `serve`.

use clap::{Args, ValueEnum};

/// How to serve.
#[derive(Args, Debug)]
pub struct Serve {
    /// The address to listen on
    #[arg(long, default_value = "127.0.0.1:8080", value_name = "ADDRESS")]
    pub listen: std::net::SocketAddr,
    /// What stands before every path, such as /retrograde
    #[arg(long, value_name = "PATH")]
    pub prefix: Option<retrograde_serve::Prefix>,
    /// Requests a second that one client may make [default: any number]
    #[arg(long, value_name = "N")]
    pub rate: Option<std::num::NonZeroU32>,
    /// Seconds for an answer
    #[arg(long, default_value_t = 10.0, value_name = "SECONDS", value_parser = crate::output::parse_seconds)]
    pub time: f64,
    /// Memory for answers that are kept
    #[arg(long, default_value = "64MiB", value_name = "SIZE", value_parser = crate::output::parse_size)]
    pub cache: u64,
    /// Tell clients apart by the last entry of X-Forwarded-For, behind a proxy of yours
    #[arg(long)]
    pub trust_proxy: bool,
    /// The form of the log on standard error
    #[arg(long, value_enum, default_value = "text", value_name = "FORM")]
    pub log: LogWord,
    /// Log every request, not only what fails
    #[arg(long)]
    pub log_requests: bool,
}

/// A form of the log on the command line.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub enum LogWord {
    Text,
    Json,
}
