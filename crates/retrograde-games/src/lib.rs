//! The games that come with Retrograde: the only list, used by the command line, the server and the
//! standalone page.
//!
//! A game is a module with a `family`, and a line of [`registry`]. The module declares the game's
//! capabilities; the rules are in a separate crate. In a browser, games are only solved in memory or looked
//! up, which keeps the page's module small.
//!
//! ```
//! use retrograde_explore::Loader;
//!
//! let touchdown = retrograde_games::registry().find("touchdown:3x3", &Loader::none())?;
//! assert_eq!(touchdown.about().start, "OOO/.../XXX");
//! # Ok::<(), retrograde_explore::Error>(())
//! ```

mod known;
mod pushfight;
mod tactics;
#[cfg(not(target_family = "wasm"))]
#[doc(hidden)]
pub mod testing;
mod titles;
mod touchdown;

use retrograde_explore::Registry;

/// Whether this program works with files on a disk: it repairs solutions, derives more values from them,
/// and shares work with other processes. In a browser it only solves in memory and answers questions, and the
/// page's module is small without this code.
const HAS_DISK: bool = cfg!(not(target_family = "wasm"));

/// The games that come with Retrograde.
pub fn registry() -> Registry {
    Registry::new().with(tactics::family()).with(touchdown::family()).with(pushfight::family())
}
