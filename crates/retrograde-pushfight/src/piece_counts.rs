//! The number of pieces of a side, and its text form: one number for both sides, or `2-1` if they differ.
//!
//! If the sides have different pieces, the pieces show whose turn it is: the player who just pushed
//! has all pieces, so the side to move is the one that began with the other pieces.

use std::fmt;

/// The number of pieces of a side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PieceCounts {
    /// The number of pushers.
    pub pushers: u32,
    /// The number of pawns.
    pub pawns: u32,
}

impl PieceCounts {
    /// The number of pieces.
    pub(crate) fn all(self) -> u32 {
        self.pushers + self.pawns
    }

    /// Whether exactly one piece is missing because it was ejected.
    pub(crate) fn is_one_fewer_than(self, whole: PieceCounts) -> bool {
        self.pushers <= whole.pushers && self.pawns <= whole.pawns && self.all() + 1 == whole.all()
    }

    /// The number of squares with each code (`numbering/codes.rs`) if a side with these pieces is
    /// to move and the other has pushed.
    pub(crate) fn codes(self, other: PieceCounts, squares: u32) -> [u32; 6] {
        let free = squares - self.all() - other.all();
        [free, self.pawns, self.pushers, other.pawns, other.pushers - 1, 1]
    }
}

impl fmt::Display for PieceCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let some = |count: u32, name: &str| match count {
            0 => format!("no {name}s"),
            1 => format!("1 {name}"),
            _ => format!("{count} {name}s"),
        };
        write!(f, "{} and {}", some(self.pushers, "pusher"), some(self.pawns, "pawn"))
    }
}

/// Parses a number for both sides, such as `2`, or one for each, such as `2-1`.
pub(crate) fn read_counts(text: &str) -> Option<[u32; 2]> {
    let number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?;
    match text.split_once('-') {
        None => number(text).map(|both| [both; 2]),
        Some((first, second)) => Some([number(first.trim())?, number(second.trim())?]),
    }
}

/// Formats numbers for [`read_counts`].
pub(crate) fn write_counts([first, second]: [u32; 2]) -> String {
    if first == second { first.to_string() } else { format!("{first}-{second}") }
}

/// Describes the pieces of both sides.
pub(crate) fn sides_text([first, second]: [PieceCounts; 2]) -> String {
    if first == second {
        format!("each side has {first}")
    } else {
        format!("one side has {first}, the other {second}")
    }
}
