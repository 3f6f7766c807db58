//! The rules of a game, its numbering and its pictures, as traits.

mod broken;
mod dense;
mod game;
mod impartial;
pub mod interrupt;
mod numbered;
mod order;
mod predecessors;
mod show;
mod symmetries;

pub use broken::{BrokenPromise, broken_promise, until_broken};
pub use dense::{Dense, Index, Successor, numbers};
pub use game::{Flow, Game, Step, StepKind, TurnList};
pub use impartial::Impartial;
pub use numbered::{Numbered, Ranking};
pub use order::{Graded, Layered, Staged, side_by_side};
pub use predecessors::{Predecessors, Unmoves};
pub use show::Show;
pub use symmetries::{Packed, Symmetries};
