//! Engines: programs that other programs ask for turns and values, and matches between them.
//!
//! - [`ugi`]: the Universal Game Interface, the sister of UCI for any game.
//! - [`analysis`]: queries as lines of JSON, about all turns of a game at once.
//! - [`tournament`]: matches between two players, programs or strengths.
//! - [`think`]: values of a position within a time, from a table or by searches that grow.
//! - [`Strength`]: players that look only so far, or err, or set tasks ([`press`]).
//!
//! Everything works on games behind [`OpenGame`](retrograde_explore::OpenGame), as text. Turns are
//! written in one word, in the coordinates of the board.

pub mod analysis;
mod lines;
mod played;
pub mod press;
mod strength;
mod think;
pub mod tournament;
pub mod ugi;

pub use lines::{LONGEST_INPUT, next_line};
pub use played::{PlayedGame, one_word, random_turn};
pub use press::choose_turn;
pub use strength::Strength;
pub use think::{StopSignal, ThinkLimits, think};
