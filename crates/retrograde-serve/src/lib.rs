//! Retrograde over HTTP: values, lines, puzzles, statistics and pictures of the games of a
//! registry, as the command line answers them with `--json`; described by OpenAPI at
//! `/openapi.json`, explained in `docs/api.md`.
//!
//! The crate knows no single game: a [`Registry`](retrograde_explore::Registry) is handed in.
//! Everything that comes in is a stranger's: names never lead to files, and work is bounded in
//! number, time and size ([`Limits`]).
//!
//! ```no_run
//! use retrograde_serve::{Config, serve};
//!
//! # fn registry() -> retrograde_explore::Registry { retrograde_explore::Registry::new() }
//! // Until Ctrl-C or SIGTERM.
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
