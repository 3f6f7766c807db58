//! Scores of one and of two bytes. Solvers compute with two bytes; one is enough to store them, unless a game
//! is long.

use retrograde_game::{Score, Turns};

/// The bytes that a stored score takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Width {
    /// One byte.
    Narrow = 1,
    /// Two bytes.
    Wide = 2,
}

impl Width {
    /// The number of bytes.
    pub(crate) fn bytes(self) -> usize {
        self as usize
    }

    /// The most turns that a score can hold.
    pub(crate) fn max_turns(self) -> Turns {
        match self {
            Width::Narrow => u8::MAX_TURNS,
            Width::Wide => u16::MAX_TURNS,
        }
    }

    /// Whether a score can be stored.
    #[inline]
    pub(crate) fn holds(self, score: u16) -> bool {
        self == Width::Wide || narrowed(score).is_some()
    }

    /// Appends a score that can be stored, in little-endian bytes.
    #[inline]
    pub(crate) fn put(self, score: u16, out: &mut Vec<u8>) {
        match self {
            Width::Narrow => out.push(stored_narrow(score)),
            Width::Wide => out.extend_from_slice(&score.to_le_bytes()),
        }
    }

    /// Reads score number `at` from little-endian bytes, if there are enough.
    #[inline]
    pub(crate) fn take(self, bytes: &[u8], at: usize) -> Option<u16> {
        match self {
            Width::Narrow => bytes.get(at).copied().map(widened),
            Width::Wide => bytes.as_chunks().0.get(at).copied().map(u16::from_le_bytes),
        }
    }
}

/// The one-byte equivalent of a score that has one.
#[inline]
pub(crate) fn stored_narrow(score: u16) -> u8 {
    // The low byte. In the codes in the middle, whose first two bits differ, its first bit is inverted.
    (score ^ ((score ^ (score << 1)) >> 8 & 0x80)) as u8
}

/// Returns the two-byte equivalent of a one-byte score. Losses are the same numbers; the codes in the middle
/// and the wins follow.
#[inline]
pub fn widened(score: u8) -> u16 {
    const WIDE: [u16; 256] = {
        let mut wide = [0; 256];
        let mut score = 0;
        while score < 256 {
            wide[score] = match score as u16 {
                loss @ 0..=125 => loss,
                middle @ 126..=129 => middle + (1 << 15) - 128,
                win => win + 0xff00,
            };
            score += 1;
        }
        wide
    };
    WIDE[usize::from(score)]
}

/// Returns the one-byte equivalent of a two-byte score, if there is one.
#[inline]
pub fn narrowed(score: u16) -> Option<u8> {
    let narrow = stored_narrow(score);
    (widened(narrow) == score).then_some(narrow)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrow_scores_mean_the_same_as_wide_ones() {
        for score in 0..=u8::MAX {
            assert_eq!(widened(score).stored(), score.stored(), "{score}");
            assert_eq!(narrowed(widened(score)), Some(score));
            let mut bytes = Vec::new();
            Width::Narrow.put(widened(score), &mut bytes);
            assert_eq!(Width::Narrow.take(&bytes, 0), Some(widened(score)));
        }
        let fitting = (0..=u16::MAX).filter(|&score| narrowed(score).is_some());
        assert_eq!(fitting.count(), 256);
    }
}
