//! NumPy arrays, one a file, row i of each about the same position: planes (N × C × H × W, `u1`)
//! under the name that was asked for, and beside it `.index` (`u8`: 64 bits), `.outcome` (`i1`: 1
//! win, 0 draw, −1 loss, 2 unknown) and `.turns` (`i4`, −1: drawn or not known). Of a game that
//! describes no planes there are only those three.

use std::cell::RefCell;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use npyz::{AutoSerialize, NpyWriter, Serialize, WriteOptions, WriterBuilder};
use retrograde_game::Outcome;

use super::output_file::OutputFile;
use super::sink::{Sink, plane_len};
use crate::{Error, Row, RowShape};

/// A file that the library writes to and that we still hold when the library has let go of it.
#[derive(Clone)]
struct Shared(Rc<RefCell<OutputFile>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.0.borrow_mut().flush()
    }
}

/// An array being written.
struct Array<T: Serialize> {
    rows: NpyWriter<T, Shared>,
    file: Shared,
}

impl<T: AutoSerialize> Array<T> {
    fn create(path: &Path, shape: &[u64]) -> Result<Array<T>, Error> {
        let file = Shared(Rc::new(RefCell::new(OutputFile::create(path)?)));
        let rows = WriteOptions::new().default_dtype().shape(shape).writer(file.clone()).begin_nd()?;
        Ok(Array { rows, file })
    }

    fn finish(self) -> io::Result<PathBuf> {
        self.rows.finish()?;
        let part = Rc::into_inner(self.file.0).expect("the library lets go of the file when it is finished");
        part.into_inner().finish()
    }
}

pub(super) struct Npy {
    /// `None` for a game that describes no planes.
    planes: Option<Array<u8>>,
    index: Array<u64>,
    outcome: Array<i8>,
    turns: Array<i32>,
    plane_len: usize,
}

impl Npy {
    pub(super) fn create(path: &Path, shape: &RowShape, rows: u64) -> Result<Npy, Error> {
        let beside = |what: &str| path.with_extension(format!("{what}.npy"));
        let planes = [rows, shape.planes.len() as u64, shape.rows as u64, shape.columns as u64];
        Ok(Npy {
            planes: match shape.planes.is_empty() {
                true => None,
                false => Some(Array::create(path, &planes)?),
            },
            index: Array::create(&beside("index"), &[rows])?,
            outcome: Array::create(&beside("outcome"), &[rows])?,
            turns: Array::create(&beside("turns"), &[rows])?,
            plane_len: plane_len(shape),
        })
    }
}

impl Sink for Npy {
    fn row(&mut self, row: &Row<'_>) -> Result<(), Error> {
        assert_eq!(row.planes.len(), self.plane_len, "a row has planes of another shape");
        if let Some(planes) = &mut self.planes {
            planes.rows.extend(row.planes.iter().copied())?;
        }
        self.index.rows.push(&row.index)?;
        self.outcome.rows.push(&match row.knowledge.outcome() {
            Some(Outcome::Win) => 1,
            Some(Outcome::Draw) => 0,
            Some(Outcome::Loss) => -1,
            None => 2,
        })?;
        self.turns.rows.push(&row.knowledge.turns().map_or(-1, |turns| i32::from(turns.0)))?;
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<PathBuf>, Error> {
        let Npy { planes, index, outcome, turns, .. } = *self;
        let mut files = Vec::new();
        if let Some(planes) = planes {
            files.push(planes.finish()?);
        }
        files.extend([index.finish()?, outcome.finish()?, turns.finish()?]);
        Ok(files)
    }
}
