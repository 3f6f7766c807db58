//! The table of a multiset, and the walk through it from a rank to codes. Each step of the walk
//! waits for the previous one and for the cache. (Comparing a whole row with vector instructions
//! was no faster.)

/// The number of codes in a row of the table, and in a narrow row.
pub(super) const MAX_CODES: usize = 16;
pub(super) const FEW_CODES: usize = 8;

/// The table, with one row per state.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    /// The difference that placing a code makes to the number of the state.
    pub strides: [u32; MAX_CODES],
    /// Whether rows have [`MAX_CODES`] entries instead of [`FEW_CODES`].
    pub wide: bool,
    /// For each code the number of arrangements that begin with a smaller one. A code that is used
    /// up has the same number as the next one, so it is never chosen.
    pub before: Vec<u64>,
}

impl Rows {
    #[inline(always)]
    pub(super) fn width(&self) -> usize {
        if self.wide { MAX_CODES } else { FEW_CODES }
    }

    /// The first code of the arrangement with this rank, and the amount to subtract from the rank.
    #[inline(always)]
    fn step<const WIDTH: usize>(row: &[u64; WIDTH], rank: u64) -> (usize, u64) {
        // Adds pairs first, so that the sums do not wait for each other.
        let past = |code: usize| usize::from(row[code] <= rank);
        let pairs: [usize; 8] = std::array::from_fn(|pair| match 2 * pair {
            0 => past(1),
            code if code < WIDTH => past(code) + past(code + 1),
            _ => 0,
        });
        let code =
            ((pairs[0] + pairs[1]) + (pairs[2] + pairs[3])) + ((pairs[4] + pairs[5]) + (pairs[6] + pairs[7]));
        let code = code & (WIDTH - 1);
        (code, row[code])
    }

    /// Visits the first `count` codes. Returns the remaining state and rank.
    #[inline(always)]
    pub(super) fn each(
        &self,
        row: usize,
        rank: u64,
        count: usize,
        visit: impl FnMut(usize, usize),
    ) -> (usize, u64) {
        match self.wide {
            false => self.walk(self.before.as_chunks::<FEW_CODES>().0, row, rank, count, visit),
            true => self.walk(self.before.as_chunks::<MAX_CODES>().0, row, rank, count, visit),
        }
    }

    #[inline(always)]
    fn walk<const WIDTH: usize>(
        &self,
        rows: &[[u64; WIDTH]],
        mut row: usize,
        mut rank: u64,
        count: usize,
        mut visit: impl FnMut(usize, usize),
    ) -> (usize, u64) {
        for square in 0..count {
            let (code, before) = Self::step(&rows[row], rank);
            visit(square, code);
            rank -= before;
            row -= self.strides[code] as usize;
        }
        (row, rank)
    }
}
