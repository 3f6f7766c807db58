//! Engines, which other programs query for turns and values, and matches between them.
//!
//! - [`ugi`]: the Universal Game Interface, a variant of UCI for any game.
//! - [`analysis`]: queries as JSON lines, about any turns of a game at once.
//! - [`tournament`]: matches between two players, which are programs or strengths.
//! - [`think`]: values of a position within a time limit, from a table or by growing searches.
//! - [`Strength`]: players with a limited horizon, random mistakes, or a preference for hard tasks ([`press`]).
//!
//! All of them use games through [`OpenGame`](retrograde_explore::OpenGame), as text. Turns are written as one
//! word in board coordinates.

pub mod analysis;
mod lines;
mod played;
pub mod press;
mod strength;
mod think;
pub mod tournament;
pub mod ugi;

pub use lines::{MAX_INPUT_LENGTH, next_line};
pub use played::{PlayedGame, one_word, random_turn};
pub use press::choose_turn;
pub use strength::Strength;
pub use think::{StopSignal, think};
