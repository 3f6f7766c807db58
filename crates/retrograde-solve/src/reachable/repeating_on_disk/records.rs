//! The records of the files, and reading sorted runs along with a sorted file.

use std::io::{self, Write};

use super::super::spill::Merged;
use crate::spill::Spill;

/// Decodes an undecided key with its number of unrefuted turns.
pub(super) fn undecided([a, b, c, d, e, f, g, h, left @ ..]: [u8; 12]) -> (u64, u32) {
    (u64::from_le_bytes([a, b, c, d, e, f, g, h]), u32::from_le_bytes(left))
}

pub(super) fn put_undecided(out: &mut dyn Write, key: u64, left: u32) -> io::Result<()> {
    out.write_all(&key.to_le_bytes())?;
    out.write_all(&left.to_le_bytes())
}

pub(super) fn put_decided(out: &mut dyn Write, key: u64, score: u16) -> io::Result<()> {
    out.write_all(&key.to_le_bytes())?;
    out.write_all(&score.to_le_bytes())
}

/// Sorted runs that are read along with a sorted file.
pub(super) struct RunCursor {
    runs: Merged<8, u64>,
    pub head: Option<u64>,
}

impl RunCursor {
    pub fn open(spill: &dyn Spill, names: &[String]) -> io::Result<RunCursor> {
        let mut runs = Merged::open(spill, names, u64::from_le_bytes)?;
        let head = runs.next()?;
        Ok(RunCursor { runs, head })
    }

    /// Counts how often a key occurs. Keys must be passed in ascending order.
    #[inline]
    pub fn count(&mut self, key: u64) -> io::Result<u32> {
        let mut count = 0;
        while self.head.is_some_and(|head| head <= key) {
            count += u32::from(self.head == Some(key));
            self.head = self.runs.next()?;
        }
        Ok(count)
    }
}
