//! Push Fight (seeds 000 and 001) on any board of up to 64 squares: rules, notation, numbering.
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
mod notation;
mod numbering;
mod piece_counts;
mod rules;
mod show;

pub use board::Board;
pub use board::drawing::Drawing;
pub use board::file::BoardFile;
pub use game::{PushFight, Turn};
pub use numbering::minimized::Minimized;
pub use piece_counts::Pieces;
pub use rules::{Position, Step};
