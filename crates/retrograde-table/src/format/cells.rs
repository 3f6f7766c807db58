//! Cells: how values are packed into the bytes of a block.
//!
//! | kind | cell | codes |
//! |---|---|---|
//! | full | 1 or 2 bytes | [`Score`] codes |
//! | losses | 1 or 2 bytes | [`Score`] codes; wins and draws are both [`Score::NOT_LOST`], which
//! compresses well |
//! | outcomes | 2 bits | 0 no position, 1 loss, 2 draw, 3 win |
//! | outcomes | 1 bit | 0 loss, 1 win; for games without draws in which every index has a position |
//!
//! Cells of less than a byte are stored from the lowest bit of a byte to the highest, so the words
//! of a bit set need no conversion. Cells of two bytes are little-endian. Unused bits of the last
//! byte are zero.

use retrograde_game::{Knowledge, Outcome, Score, Stored};
use serde::{Deserialize, Serialize};

/// The knowledge about positions that a table stores. Files contain the number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TableKind {
    /// Outcome and turns to the end.
    Full = 0,
    /// The outcome.
    Outcomes = 1,
    /// The turns to the end of lost positions; of others only that they are not lost.
    Losses = 2,
}

impl std::fmt::Display for TableKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            TableKind::Full => "full",
            TableKind::Outcomes => "outcomes",
            TableKind::Losses => "losses",
        })
    }
}

/// The size of a value in a block, before compression.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub enum CellWidth {
    /// 1 bit.
    Bit,
    /// 2 bits.
    TwoBits,
    /// 1 byte.
    Byte,
    /// 2 bytes.
    TwoBytes,
}

impl CellWidth {
    /// The number of bits per position.
    pub const fn bits(self) -> u32 {
        match self {
            CellWidth::Bit => 1,
            CellWidth::TwoBits => 2,
            CellWidth::Byte => 8,
            CellWidth::TwoBytes => 16,
        }
    }

    /// The number of bytes for `cells` cells.
    pub(crate) const fn bytes(self, cells: u64) -> u64 {
        match self {
            CellWidth::Bit => cells.div_ceil(8),
            CellWidth::TwoBits => cells.div_ceil(4),
            CellWidth::Byte => cells,
            CellWidth::TwoBytes => cells.saturating_mul(2),
        }
    }

    /// The number of cells in a full block of `block_bytes` bytes.
    pub(crate) const fn per_block(self, block_bytes: u32) -> u64 {
        block_bytes as u64 * 8 / self.bits() as u64
    }

    /// Whether tables of this kind can have such cells.
    pub(crate) fn suits(self, kind: TableKind) -> bool {
        match kind {
            TableKind::Full | TableKind::Losses => matches!(self, CellWidth::Byte | CellWidth::TwoBytes),
            TableKind::Outcomes => matches!(self, CellWidth::Bit | CellWidth::TwoBits),
        }
    }

    /// The meaning of the cell `at`, which must be in the block.
    #[inline]
    pub(crate) fn stored(self, block: &[u8], at: usize) -> Stored {
        self.decode(match self {
            CellWidth::Bit => (block[at / 8] >> (at % 8) & 1).into(),
            CellWidth::TwoBits => (block[at / 4] >> (at % 4 * 2) & 3).into(),
            CellWidth::Byte => block[at].into(),
            CellWidth::TwoBytes => u16::from_le_bytes([block[2 * at], block[2 * at + 1]]),
        })
    }

    /// The meaning of a code.
    #[inline]
    pub(crate) fn decode(self, code: u16) -> Stored {
        let outcome = |outcome| Stored::Known(Knowledge::Outcome(outcome));
        match (self, code) {
            (CellWidth::Byte, code) => (code as u8).stored(),
            (CellWidth::TwoBytes, code) => code.stored(),
            (CellWidth::Bit, 0) | (CellWidth::TwoBits, 1) => outcome(Outcome::Loss),
            (CellWidth::TwoBits, 0) => Stored::Nothing,
            (CellWidth::TwoBits, 2) => outcome(Outcome::Draw),
            (CellWidth::Bit | CellWidth::TwoBits, _) => outcome(Outcome::Win),
        }
    }
}

impl TryFrom<u32> for CellWidth {
    type Error = String;

    fn try_from(bits: u32) -> Result<CellWidth, String> {
        [CellWidth::Bit, CellWidth::TwoBits, CellWidth::Byte, CellWidth::TwoBytes]
            .into_iter()
            .find(|cell| cell.bits() == bits)
            .ok_or_else(|| format!("a table cannot have {bits} bits per position"))
    }
}

impl From<CellWidth> for u32 {
    fn from(cell: CellWidth) -> u32 {
        cell.bits()
    }
}

/// A value that a cell cannot hold: its place in the input, and the reason.
pub(crate) struct Unfit {
    pub at: usize,
    pub reason: &'static str,
}

/// Values for a writer.
#[derive(Clone, Copy)]
pub(crate) enum Values<'a> {
    Narrow(&'a [u8]),
    Wide(&'a [u16]),
    /// The first `cells` bits of a bit set, beginning with the lowest bit of the first word.
    Bits {
        words: &'a [u64],
        cells: usize,
    },
}

impl Values<'_> {
    /// The number of values.
    pub(crate) fn len(self) -> usize {
        match self {
            Values::Narrow(scores) => scores.len(),
            Values::Wide(scores) => scores.len(),
            Values::Bits { cells, .. } => cells,
        }
    }

    /// Whether they can be converted to cells of this size.
    pub(crate) fn suit(self, cell: CellWidth) -> bool {
        match self {
            Values::Narrow(_) => cell == CellWidth::Byte || cell.bits() < 8,
            Values::Wide(_) => cell == CellWidth::TwoBytes || cell.bits() < 8,
            Values::Bits { .. } => cell == CellWidth::Bit,
        }
    }

    /// Encodes `count` values, beginning with the value `from`, into a block that is zero from the
    /// cell `at` on.
    pub(crate) fn encode(
        self,
        how: (TableKind, CellWidth),
        from: usize,
        count: usize,
        block: &mut [u8],
        at: usize,
    ) -> Result<(), Unfit> {
        let encoded = match self {
            Values::Narrow(scores) => {
                let copy = |scores: &[u8], bytes: &mut [u8]| bytes.copy_from_slice(scores);
                encode_scores(how, &scores[from..from + count], block, at, copy)
            }
            Values::Wide(scores) => {
                let copy = |scores: &[u16], bytes: &mut [u8]| {
                    for (score, bytes) in scores.iter().zip(bytes.chunks_exact_mut(2)) {
                        bytes.copy_from_slice(&score.to_le_bytes());
                    }
                };
                encode_scores(how, &scores[from..from + count], block, at, copy)
            }
            Values::Bits { words, .. } => {
                encode_bits(words, from, count, block, at);
                Ok(())
            }
        };
        encoded.map_err(|Unfit { at, reason }| Unfit { at: from + at, reason })
    }
}

fn outcome_code<S: Score>(cell: CellWidth, score: S) -> Result<u8, &'static str> {
    match (cell, score.value().map(|value| value.outcome())) {
        (CellWidth::Bit, Some(Outcome::Loss)) => Ok(0),
        (CellWidth::Bit, Some(Outcome::Win)) => Ok(1),
        (CellWidth::Bit, _) => Err("one bit per position can only hold wins and losses"),
        (_, Some(Outcome::Loss)) => Ok(1),
        (_, Some(Outcome::Draw)) => Ok(2),
        (_, Some(Outcome::Win)) => Ok(3),
        (_, None) if score == S::NONE => Ok(0),
        (_, None) => {
            Err("two bits per position can only hold wins, losses, draws and indices without a position")
        }
    }
}

/// Encodes scores, which `copy` copies as little-endian bytes.
fn encode_scores<S: Score>(
    (kind, cell): (TableKind, CellWidth),
    scores: &[S],
    block: &mut [u8],
    at: usize,
    copy: impl Fn(&[S], &mut [u8]),
) -> Result<(), Unfit> {
    if cell.bits() >= 8 {
        let bytes = &mut block[at * S::BYTES..(at + scores.len()) * S::BYTES];
        if kind == TableKind::Losses {
            for (score, bytes) in scores.iter().zip(bytes.chunks_exact_mut(S::BYTES)) {
                let won_or_drawn = *score >= S::DRAW && *score != S::UNKNOWN;
                copy(&[if won_or_drawn { S::NOT_LOST } else { *score }], bytes);
            }
        } else {
            copy(scores, bytes);
        }
        return Ok(());
    }
    let bits = cell.bits() as usize;
    for (n, score) in scores.iter().enumerate() {
        let code = outcome_code(cell, *score).map_err(|reason| Unfit { at: n, reason })?;
        block[(at + n) * bits / 8] |= code << ((at + n) * bits % 8);
    }
    Ok(())
}

/// Copies whole words of bits, the last of which may be cut off.
fn encode_bits(words: &[u64], from: usize, count: usize, block: &mut [u8], at: usize) {
    debug_assert!(from.is_multiple_of(64) && at.is_multiple_of(64), "blocks consist of whole words");
    let words = &words[from / 64..(from + count).div_ceil(64)];
    let bytes = &mut block[at / 8..(at + count).div_ceil(8)];
    let last = bytes.len().wrapping_sub(1);
    for (word, bytes) in words.iter().zip(bytes.chunks_mut(8)) {
        let all = word.to_le_bytes();
        bytes.copy_from_slice(&all[..bytes.len()]);
    }
    if !count.is_multiple_of(8) {
        bytes[last] &= (1 << (count % 8)) - 1;
    }
}
