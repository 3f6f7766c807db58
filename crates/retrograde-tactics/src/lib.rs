//! Tactics, the pencil game of "Solving Tactics" (Bob Sidebotham), on any grid: each turn fills one
//! to `line` neighbouring empty squares of a row or a column. The player who fills the last square
//! loses (misère) or wins (normal).
//!
//! ```
//! use retrograde_game::Game;
//! use retrograde_tactics::Tactics;
//!
//! let game = Tactics::new(4, 4, 4, false).unwrap();
//! assert_eq!(game.name(), "tactics:4x4");
//! let board = game.parse_position("XXXX/____/____/____").unwrap();
//! let turn = game.parse_turn(&board, "b3-b1").unwrap();
//! assert_eq!(game.position_text(&game.play(&board, &turn)), "XXXX/_X__/_X__/_X__");
//! ```

#[cfg(feature = "solver")]
#[allow(unsafe_code, reason = "vector instructions and an array shared by threads")]
pub mod fill;
mod game;
mod guide;
mod impartial;
mod mirror;
mod notation;
mod parts;
mod refusal;
mod show;

pub use game::Tactics;
