//! Section 4: a quantified formula becomes a position of Push Fight that White wins if and only if
//! the formula is true, so deciding the winner is PSPACE-hard (Theorem 4.2).
//!
//! The figures of the paper were not available. The gadgets here (files in `gadgets/`) are
//! reconstructed from its text, square by square, and each is checked against its lemma by a survey
//! of all play in it. `docs/reductions.md` explains which squares follow from which sentence, and
//! where we deviate.
//!
//! ```
//! use retrograde_generalised::reductions::qbf::{Formula, reduce};
//!
//! // For all x there is a y such that (x or not y) and (not x or y).
//! let formula = Formula::parse("p cnf 2 2\na 1 0\ne 2 0\n1 -2 0\n-1 2 0\n")?;
//! assert!(formula.evaluate()?);
//! let reduction = reduce(&formula, 2)?;
//! assert!(reduction.board_file().starts_with("moves = 2\n+-+-+"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod formula;
mod layout;
mod play;
mod qdimacs;
mod waste;

pub use formula::{Formula, Literal, MAX_EVALUATED, MAX_LITERALS, Quantifier, TooManyVariables};
pub use layout::{Placed, ReduceError, Reduction, reduce};
pub use play::{MAX_REMEMBERED, MAX_TURNS, PlayError, Solved};
pub use qdimacs::{MAX_CLAUSES, MAX_VARIABLES, Problem, QdimacsError};
pub use waste::move_wasting;
