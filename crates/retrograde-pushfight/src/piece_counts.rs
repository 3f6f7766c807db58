//! What a side plays with, and how that is written: one number for both sides, `2-1` where they differ.
//!
//! The sides may have different pieces. Then the pieces say whose turn it is: whoever pushed has all of his, so what
//! the side to move began with is what the other side has not.

use std::fmt;

/// The pieces that a side begins with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pieces {
    /// Pushers.
    pub pushers: u32,
    /// Pawns.
    pub pawns: u32,
}

impl Pieces {
    /// What stands on some squares.
    #[inline]
    pub(crate) fn on(pushers: u64, pawns: u64) -> Pieces {
        Pieces { pushers: pushers.count_ones(), pawns: pawns.count_ones() }
    }

    /// How many there are.
    pub(crate) fn all(self) -> u32 {
        self.pushers + self.pawns
    }

    /// Whether these are the same pieces but for one, which was ejected.
    pub(crate) fn lacks_one_of(self, whole: Pieces) -> bool {
        self.pushers <= whole.pushers && self.pawns <= whole.pawns && self.all() + 1 == whole.all()
    }

    /// How often every code of a square occurs where a side with these pieces is to move and the other has pushed.
    pub(crate) fn codes(self, other: Pieces, squares: u32) -> [u32; 6] {
        let free = squares - self.all() - other.all();
        [free, self.pawns, self.pushers, other.pawns, other.pushers - 1, 1]
    }
}

impl fmt::Display for Pieces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let some = |count: u32, name: &str| match count {
            0 => format!("no {name}s"),
            1 => format!("1 {name}"),
            _ => format!("{count} {name}s"),
        };
        write!(f, "{} and {}", some(self.pushers, "pusher"), some(self.pawns, "pawn"))
    }
}

/// The number of each side: `2` for both, or `2-1`.
pub(crate) fn read_counts(text: &str) -> Option<[u32; 2]> {
    let number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?;
    match text.split_once('-') {
        None => number(text).map(|both| [both; 2]),
        Some((first, second)) => Some([number(first.trim())?, number(second.trim())?]),
    }
}

/// As [`read_counts`] reads it.
pub(crate) fn write_counts([first, second]: [u32; 2]) -> String {
    if first == second { first.to_string() } else { format!("{first}-{second}") }
}

/// The pieces of both sides, in words.
pub(crate) fn sides_text([first, second]: [Pieces; 2]) -> String {
    if first == second {
        format!("each side has {first}")
    } else {
        format!("one side has {first}, the other {second}")
    }
}
