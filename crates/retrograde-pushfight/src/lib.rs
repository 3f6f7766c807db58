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
mod board_file;
mod codes;
mod drawing;
mod ejecting;
mod game;
mod making;
mod minimized;
mod pieces;
mod placement;
mod plausible;
mod rules;
mod show;
mod steps;
mod text;

pub use board::Board;
pub use board_file::BoardFile;
pub use drawing::Drawing;
pub use game::{PushFight, Turn};
pub use minimized::Minimized;
pub use pieces::Pieces;
pub use rules::{Position, Step};
