//! The rules of a game, its numbering and its pictures, as traits.

mod broken;
mod game;
mod impartial;
pub mod interrupt;
mod numbered;
mod show;

pub use broken::{BrokenPromise, broken_promise, until_broken};
pub use game::{
    Dense, Flow, Game, Graded, Index, Layered, Packed, Predecessors, Staged, Step, StepKind, Successor,
    Symmetries, TurnList, Unmoves, numbers, side_by_side,
};
pub use impartial::Impartial;
pub use numbered::{Numbered, Ranking};
pub use show::Show;
