//! Puzzles: positions with one right turn.

use crate::{Count, Verdict};
use schemars::JsonSchema;
use serde::Serialize;

/// The kinds of puzzles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PuzzleKind {
    /// Exactly one turn wins.
    Win,
    /// The position is drawn and exactly one turn does not lose, or it is lost and exactly one turn
    /// delays the end as long as possible.
    Save,
    /// The position is drawn, several turns hold, and exactly one of them sets a task: it leaves the
    /// opponent several replies, of which exactly one holds.
    Press,
}

impl PuzzleKind {
    /// The word that JSON and the command line use.
    pub fn word(self) -> &'static str {
        match self {
            PuzzleKind::Win => "win",
            PuzzleKind::Save => "save",
            PuzzleKind::Press => "press",
        }
    }
}

/// The turns to the end of the puzzles to search for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PuzzleTurns {
    /// Any number, or none.
    All,
    /// Any number but one, or none. Puzzles of one turn are dull; they come only if there are no others.
    Several,
    /// This number.
    Exactly(u16),
}

/// A position with one right turn (`puzzles`).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Puzzle {
    /// Its index.
    pub index: Count,
    /// The position, seen by the side to move.
    pub position: String,
    /// Its value for the side to move.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The one right turn, in its player's coordinates.
    pub solution: String,
    /// The same as the first player sees it.
    pub solution_on_board: String,
    /// The number of turns to choose from.
    #[schemars(range(min = 1))]
    pub turns_available: usize,
}
