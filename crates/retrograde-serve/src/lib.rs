//! Retrograde over HTTP: values, lines, puzzles, statistics and pictures of the games of a registry, as the command
//! line answers them with `--json`; described by OpenAPI at `/openapi.json`, explained in `docs/api.md`.
//!
//! The crate knows no single game: a [`Registry`](retrograde_explore::Registry) is handed in. Everything that comes
//! in is a stranger's: names never lead to files, and work is bounded in number, time and size ([`Limits`]).
//!
//! ```no_run
//! use retrograde_serve::{Config, serve};
//!
//! # fn registry() -> retrograde_explore::Registry { retrograde_explore::Registry::new() }
//! // Until Ctrl-C or SIGTERM.
//! serve(Config::default(), registry(), |url| println!("open {url}"))?;
//! # Ok::<(), retrograde_serve::ServeError>(())
//! ```

mod answer;
mod api;
mod config;
mod games;
mod gate;
mod health;
mod input;
mod listen;
mod log;
mod metrics;
mod openapi;
mod pages;
mod problem;
mod rate;
mod router;
mod server;
mod state;
mod uwapi;
mod work;

pub use config::{Config, Limits, Prefix};
pub use log::{LogForm, start_log};
pub use problem::Problem;
pub use server::{ServeError, serve, serve_until, service};
