//! NumPy arrays, one per file; row i of each is about the same position. The planes (N × C × H × W, `u1`)
//! are in the file that the user named, the others next to it: `.index` (`u8`: 64 bits), `.outcome` (`i1`: 1
//! win, 0 draw, −1 loss, 2 unknown) and `.turns` (`i4`, −1: drawn or unknown). A game that describes no
//! planes has only those three.

use std::io::{self, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use retrograde_game::Outcome;

use super::output_file::OutputFile;
use super::sink::{Sink, plane_len};
use crate::{Error, Row, RowShape};

/// A number that an array can contain, little-endian.
trait Item: Copy {
    /// Its type as NumPy writes it.
    const DESCRIPTION: &str;
    fn write(self, out: &mut impl Write) -> io::Result<()>;
}

macro_rules! items {
    ($($number:ty: $description:literal),*) => {$(
        impl Item for $number {
            const DESCRIPTION: &str = $description;
            fn write(self, out: &mut impl Write) -> io::Result<()> {
                out.write_all(&self.to_le_bytes())
            }
        }
    )*};
}

items!(u8: "|u1", i8: "|i1", i32: "<i4", u64: "<u8");

/// The header of a file, as in "NEP 1: A Simple File Format for NumPy Arrays": magic, version 1.0, the
/// length of the rest, and a Python dictionary padded with blanks, so that the numbers start at a multiple
/// of 64 bytes.
fn header(description: &str, shape: &[u64]) -> Vec<u8> {
    let sizes: Vec<String> = shape.iter().map(|size| format!("{size},")).collect();
    let about =
        format!("{{'descr': '{description}', 'fortran_order': False, 'shape': ({}), }}", sizes.join(" "));
    let before = 10;
    let length = (before + about.len() + 1).next_multiple_of(64) - before;
    let mut bytes = b"\x93NUMPY\x01\0".to_vec();
    bytes.extend((length as u16).to_le_bytes());
    bytes.extend(format!("{about:<width$}\n", width = length - 1).into_bytes());
    bytes
}

/// An array being written. Its shape is fixed at the start.
struct Array<T> {
    file: OutputFile,
    left: u64,
    item: PhantomData<T>,
}

impl<T: Item> Array<T> {
    fn create(path: &Path, shape: &[u64]) -> Result<Array<T>, Error> {
        let mut file = OutputFile::create(path)?;
        file.write_all(&header(T::DESCRIPTION, shape))?;
        Ok(Array { file, left: shape.iter().product(), item: PhantomData })
    }

    fn push(&mut self, item: T) -> io::Result<()> {
        self.left = self.left.checked_sub(1).ok_or_else(|| io::Error::other("more numbers than expected"))?;
        item.write(&mut self.file)
    }

    fn finish(self) -> io::Result<PathBuf> {
        match self.left {
            0 => self.file.finish(),
            left => Err(io::Error::other(format!("{left} numbers are missing"))),
        }
    }
}

impl Array<u8> {
    fn extend(&mut self, items: &[u8]) -> io::Result<()> {
        let left = self.left.checked_sub(items.len() as u64);
        self.left = left.ok_or_else(|| io::Error::other("more numbers than expected"))?;
        self.file.write_all(items)
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
            planes.extend(row.planes)?;
        }
        self.index.push(row.index)?;
        self.outcome.push(match row.knowledge.outcome() {
            Some(Outcome::Win) => 1,
            Some(Outcome::Draw) => 0,
            Some(Outcome::Loss) => -1,
            None => 2,
        })?;
        self.turns.push(row.knowledge.turns().map_or(-1, |turns| i32::from(turns.0)))?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_begin_at_a_multiple_of_64_bytes() {
        for shape in [&[][..], &[7], &[0], &[1_000_000, 7, 8, 8], &[u64::MAX; 12]] {
            for description in ["|u1", "<i4"] {
                let bytes = header(description, shape);
                assert!(bytes.len().is_multiple_of(64) && bytes.ends_with(b"\n"), "{shape:?}");
                let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
                assert_eq!(length + 10, bytes.len());
            }
        }
        let text = String::from_utf8(header("<u8", &[3, 4])[10..].to_vec()).unwrap();
        assert_eq!(text.trim_end(), "{'descr': '<u8', 'fortran_order': False, 'shape': (3, 4,), }");
    }
}
