//! TouchDown: pawns run for the opponent's back row, on any board up to 64 squares (seed 004).
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
mod numbering;
mod rules;
pub mod seed;
mod show;
mod text;

pub use board::{BoardError, Position, Square, Turn};
pub use rules::TouchDown;
