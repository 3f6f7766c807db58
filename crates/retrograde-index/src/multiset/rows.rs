//! The table of a multiset, and the walk through it from a number to codes. The steps of the walk
//! wait for each other and for the cache. (Comparing a row at once by vector instructions was tried
//! and brought nothing.)

/// Codes that a row of the table can have, and those that a narrow one has.
pub(super) const MAX_CODES: usize = 16;
pub(super) const FEW_CODES: usize = 8;

/// The table, one row a state.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    /// The number that placing a code takes from the number of the state.
    pub strides: [u32; MAX_CODES],
    /// Whether a row has [`MAX_CODES`] places, otherwise it has [`FEW_CODES`].
    pub wide: bool,
    /// For every code the arrangements that begin with a smaller one; a code that is used up has
    /// the same as the next one, so that it is never the last one that is not past a number.
    pub before: Vec<u64>,
}

impl Rows {
    #[inline(always)]
    pub(super) fn width(&self) -> usize {
        if self.wide { MAX_CODES } else { FEW_CODES }
    }

    /// The code of the next square of the arrangement with this number, and what it takes from the
    /// number.
    #[inline(always)]
    fn step<const WIDTH: usize>(row: &[u64; WIDTH], rank: u64) -> (usize, u64) {
        // Pairs first, so that the sums do not wait for each other.
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

    /// Writes the first squares of the arrangement with this number; what is left of the state and
    /// the number.
    #[inline(always)]
    pub(super) fn write(&self, row: usize, rank: u64, codes: &mut [u8]) -> (usize, u64) {
        self.each(row, rank, codes.len(), |square, code| codes[square] = code as u8)
    }

    /// Visits the codes of so many squares; what is left of the state and the number.
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
