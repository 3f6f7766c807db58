//! TouchDown: pawns run for the opponent's back row, on any board of up to 64 squares.
//!
//! The rules, and the figures for the 4 × 4 board that the tests check, come from the README of
//! "touchdown_db", a TouchDown database. Its numbering of positions is [`numbering_24_bit`].
//!
//! ```
//! use retrograde_game::{Dense, Game};
//! use retrograde_touchdown::TouchDown;
//!
//! let game = TouchDown::new(4, 4)?;
//! assert_eq!(game.position_count(), 755_591);
//! let position = game.parse_position("...O/..O./..../.XX.")?;
//! let turn = game.parse_turn(&position, "b1b2")?;
//! let next = game.play(&position, &turn);
//! assert_eq!(game.position_text(&next), ".O../..O./.X../X...");
//! assert!(game.index(&next).is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod board;
mod count;
mod dense;
mod game;
mod guide;
mod notation;
mod numbering;
pub mod numbering_24_bit;
mod refusal;
mod rules;
mod show;

pub use board::{Position, Turn};
pub use rules::TouchDown;
