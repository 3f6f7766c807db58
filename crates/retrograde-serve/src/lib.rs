//! Retrograde over HTTP: values, lines, puzzles, statistics and pictures of the games in a registry, in
//! the command line's `--json` format. `/openapi.json` has an OpenAPI description, `docs/api.md` the
//! documentation.
//!
//! The crate is independent of specific games: the caller passes in a
//! [`Registry`](retrograde_explore::Registry). All input is untrusted: names never lead to files, and work
//! is bounded in number, time and size ([`Limits`]).
//!
//! ```no_run
//! use retrograde_serve::{Config, serve};
//!
//! # fn registry() -> retrograde_explore::Registry { retrograde_explore::Registry::new() }
//! // Runs until Ctrl-C or SIGTERM.
//! serve(Config::default(), registry(), |url| println!("open {url}"))?;
//! # Ok::<(), retrograde_serve::ServeError>(())
//! ```

mod address;
mod api;
mod config;
mod error;
mod games;
mod host_name;
mod limits;
mod message;
mod observe;
mod routes;
mod server;
mod site;
mod state;
mod uwapi;

pub use address::Listen;
pub use config::{Config, Limits, Prefix};
pub use error::ServeError;
pub use host_name::HostName;
pub use observe::log::{LogForm, start_log};
pub use server::{serve, serve_until, service};
pub use site::pages::page_files;
