//! Conversions between one-byte and two-byte scores.

use retrograde_game::Score;

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
    const MOST: u16 = u8::MAX_TURNS.0;
    const NONE: u16 = u16::NONE;
    const NOT_LOST: u16 = u16::NOT_LOST;
    match score {
        0..=MOST => Some(score as u8),
        NONE..=NOT_LOST => Some((score - NONE) as u8 + u8::NONE),
        _ if score >= u16::MAX - MOST => Some(score as u8),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrow_scores_mean_the_same_as_wide_ones() {
        for score in 0..=u8::MAX {
            assert_eq!(widened(score).stored(), score.stored(), "{score}");
            assert_eq!(narrowed(widened(score)), Some(score));
        }
        let fitting = (0..=u16::MAX).filter(|&score| narrowed(score).is_some());
        assert_eq!(fitting.count(), 256);
    }
}
