//! Push Fight, the board game by Brett Picotte, on any board of up to 64 squares: rules, notation
//! and numberings.
//!
//! The notation, the index of a position and the minimized numbering are the same as in "Solving
//! Push Fight", the program and write-up of the first complete solution.
//!
//! ```
//! use retrograde_game::{Game, GameSpec};
//! use retrograde_pushfight::PushFight;
//!
//! let spec = GameSpec::parse("pushfight").unwrap();
//! let game = PushFight::from_spec(spec, &|_| Err("no files here".to_owned())).unwrap();
//! assert_eq!(game.position_count(), 401_567_166_000);
//! let position = game.parse_position(".OX.....oxY....Oox.....OX.").unwrap();
//! assert!(game.parse_turn(&position, "d1-a2,d3-c3,c2-d2").is_ok());
//! ```

mod board;
mod from_spec;
mod game;
mod guide;
mod notation;
mod numbering;
mod piece_counts;
mod position;
mod push_fight;
mod refusal;
mod rules;
mod rules_text;
mod show;

pub use board::Board;
pub use board::drawing::Drawing;
pub use board::file::BoardFile;
pub use numbering::minimized::{MinimizedNumbering, OwnPawnNumbers};
pub use piece_counts::PieceCounts;
pub use position::{Arrangement, Position, Step, Turn};
pub use push_fight::PushFight;
