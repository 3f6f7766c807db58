//! The codes of a table for the check of values: all in memory in packed form, or read through the
//! table's cache if they do not fit.

use parking_lot::Mutex;
use retrograde_game::{Index, Knowledge, Score, Stored, Value};
use retrograde_solve::memory::refusable;
use retrograde_solve::{on_threads, widened};
use retrograde_table::{CellWidth, Table, TableError};

use crate::Error;

/// The codes of all values of a table, as scores of two bytes.
#[expect(private_interfaces, reason = "other crates neither name it nor look into it")]
pub enum CodeSource<'a> {
    /// All cells in packed form: a score of one byte each.
    Bytes(Vec<u8>),
    /// A score of two bytes, little-endian.
    WideBytes(Vec<u8>),
    /// Two bits: 0 no position, 1 loss, 2 draw, 3 win.
    TwoBits(Vec<u8>),
    /// One bit: 0 loss, 1 win.
    Bits(Vec<u8>),
    /// The table itself.
    Probed(Probed<'a>),
    /// Reachable positions in memory.
    Loaded(Loaded),
}

/// The scores of outcomes in two bits.
const OUTCOMES: [u16; 4] = [u16::NONE, 0, u16::DRAW, u16::MAX];

impl<'a> CodeSource<'a> {
    pub(crate) fn packed(width: CellWidth, cells: Vec<u8>) -> CodeSource<'a> {
        match width {
            CellWidth::Byte => CodeSource::Bytes(cells),
            CellWidth::TwoBytes => CodeSource::WideBytes(cells),
            CellWidth::TwoBits => CodeSource::TwoBits(cells),
            CellWidth::Bit => CodeSource::Bits(cells),
        }
    }

    pub(crate) fn probed(table: &'a Table) -> CodeSource<'a> {
        CodeSource::Probed(Probed { table, fault: Mutex::new(None) })
    }

    /// The first fault that probing met. Such a value looked unknown.
    pub(crate) fn into_first_fault(self) -> Option<TableError> {
        match self {
            CodeSource::Probed(probed) => probed.fault.into_inner(),
            _ => None,
        }
    }

    /// The code at an index of the table.
    #[inline(always)]
    pub(crate) fn at(&self, index: Index) -> u16 {
        match self {
            CodeSource::Bytes(cells) => widened(cells[index.0 as usize]),
            source => source.at_others(index),
        }
    }

    /// The same, for all kinds but the most frequent one.
    fn at_others(&self, index: Index) -> u16 {
        let at = index.0 as usize;
        match self {
            CodeSource::Bytes(cells) => widened(cells[at]),
            CodeSource::WideBytes(cells) => u16::from_le_bytes([cells[at * 2], cells[at * 2 + 1]]),
            CodeSource::TwoBits(cells) => OUTCOMES[usize::from(cells[at / 4] >> (at % 4 * 2) & 3)],
            CodeSource::Bits(cells) => match cells[at / 8] >> (at % 8) & 1 {
                1 => u16::MAX,
                _ => 0,
            },
            CodeSource::Probed(table) => table.at(index),
            CodeSource::Loaded(loaded) => loaded.at(index),
        }
    }

    /// The index at a place in storage order, and its code.
    pub(crate) fn at_place(&self, place: u64) -> (Index, u16) {
        match self {
            CodeSource::Loaded(loaded) => loaded.at_place(place),
            _ => (Index(place), self.at(Index(place))),
        }
    }
}

/// Probes the table. A fault is stored and reported at the end; until then it looks like an unknown
/// value.
pub(crate) struct Probed<'a> {
    table: &'a Table,
    fault: Mutex<Option<TableError>>,
}

impl Probed<'_> {
    fn at(&self, index: Index) -> u16 {
        match self.table.get(index) {
            Ok(stored) => code(stored),
            Err(error) => {
                self.fault.lock().get_or_insert(error);
                u16::UNKNOWN
            }
        }
    }
}

/// The code of a stored value. An outcome without turns gets the code of a finished game.
fn code(stored: Stored) -> u16 {
    let of = |value| u16::from_value(value).unwrap_or(u16::UNKNOWN);
    match stored {
        Stored::Nothing => u16::NONE,
        Stored::Known(Knowledge::Exact(value)) => of(value),
        Stored::Known(Knowledge::Outcome(outcome)) => of(Value::over(outcome)),
        Stored::Known(Knowledge::NotLost) => u16::NOT_LOST,
        Stored::Known(Knowledge::Unknown) => u16::UNKNOWN,
    }
}

/// The cells of a whole table in packed form.
pub(crate) fn packed_cells(table: &Table, threads: usize) -> Result<Vec<u8>, Error> {
    let manifest = table.manifest();
    let bytes = usize::try_from(manifest.raw_bytes()).map_err(|_| {
        Error::TooLarge("the table is too large for the memory of any machine of this kind".to_owned())
    })?;
    let mut cells = Vec::new();
    refusable(|| cells.try_reserve_exact(bytes))
        .map_err(|_| Error::TooLarge(format!("there is not enough memory for {bytes} bytes of the table")))?;
    cells.resize(bytes, 0);
    let block_bytes = manifest.block_bytes as usize;
    let share = table.block_count().div_ceil(threads.max(1) as u64).max(1);
    let fill = |first: u64, cells: &mut [u8]| -> Result<(), TableError> {
        for (number, cells) in (first..).zip(cells.chunks_mut(block_bytes)) {
            cells.copy_from_slice(table.block(number)?.bytes());
        }
        Ok(())
    };
    let shares = Mutex::new((0..).zip(cells.chunks_mut(share as usize * block_bytes)));
    let result = Mutex::new(Ok(()));
    on_threads(threads, || {
        loop {
            let next = shares.lock().next();
            let Some((number, cells)) = next else { return };
            if let Err(error) = fill(number * share, cells) {
                *result.lock() = Err(error);
                return;
            }
        }
    });
    result.into_inner()?;
    Ok(cells)
}

/// Reachable positions in memory: sorted indices with their scores, and a lookup table by the upper
/// bits of an index.
pub(crate) struct Loaded {
    indices: Vec<u64>,
    scores: Vec<u16>,
    shift: u32,
    begins: Vec<u32>,
}

impl Loaded {
    /// Builds the lookup table from sorted indices and their scores. There must be no duplicates
    /// and fewer than 2³² indices.
    pub(crate) fn new(indices: Vec<u64>, scores: Vec<u16>) -> Loaded {
        let bits = u64::BITS - indices.last().map_or(0, |last| last.leading_zeros().min(63));
        let shift = bits.saturating_sub(indices.len().checked_ilog2().unwrap_or(0)).min(63);
        let begins = indices.last().map_or(0, |last| last >> shift) as usize + 2;
        let mut begins = vec![0_u32; begins];
        for &index in &indices {
            begins[(index >> shift) as usize + 1] += 1;
        }
        for at in 1..begins.len() {
            begins[at] += begins[at - 1];
        }
        Loaded { indices, scores, shift, begins }
    }

    fn at(&self, index: Index) -> u16 {
        let bucket = (index.0 >> self.shift) as usize;
        let (Some(&from), Some(&to)) = (self.begins.get(bucket), self.begins.get(bucket + 1)) else {
            return u16::NONE;
        };
        let bucket = &self.indices[from as usize..to as usize];
        bucket.binary_search(&index.0).map_or(u16::NONE, |at| self.scores[from as usize + at])
    }
    fn at_place(&self, place: u64) -> (Index, u16) {
        (Index(self.indices[place as usize]), self.scores[place as usize])
    }
}
