//! The command line of Retrograde, as a library: your own program is a registry of games and a call
//! of [`run`].
//!
//! ```
//! // `retrograde games --json`, with the games that come with Retrograde.
//! # #[cfg(feature = "games")]
//! # {
//! let code = retrograde::run(retrograde::registry(), ["retrograde", "games", "--json"]);
//! assert_eq!(code, std::process::ExitCode::SUCCESS);
//! # }
//! ```
//!
//! Compiled for `wasm32-unknown-unknown`, the same program is the module inside exported pages
//! (`export --format html`). There [`run`] registers the games for the page, and there is no
//! command line.

#[cfg(not(target_family = "wasm"))]
mod commands;
#[cfg(not(target_family = "wasm"))]
mod files;
#[cfg(not(target_family = "wasm"))]
mod output;
#[cfg(not(target_family = "wasm"))]
mod program;
#[cfg(all(test, feature = "games", feature = "serve"))]
mod schema;
#[cfg(not(target_family = "wasm"))]
mod tables;

#[cfg(target_family = "wasm")]
use std::{ffi::OsString, process::ExitCode};

#[cfg(not(target_family = "wasm"))]
pub use program::run;
#[cfg(all(feature = "games", not(target_family = "wasm")))]
pub use retrograde_games::registry;
#[cfg(all(feature = "games", target_family = "wasm"))]
pub use retrograde_offline::registry;
pub use retrograde_offline::{Entry, Family, Registry, conformance};

/// Registers the games for the page that contains this module.
#[cfg(target_family = "wasm")]
pub fn run<T: Into<OsString> + Clone>(
    registry: Registry,
    _arguments: impl IntoIterator<Item = T>,
) -> ExitCode {
    retrograde_offline::keep_games(registry);
    ExitCode::SUCCESS
}
