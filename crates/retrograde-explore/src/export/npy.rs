//! NumPy arrays, one per file; row i of each is about the same position. The planes (N × C × H × W, `u1`)
//! are in the file that the user named, the others next to it: `.index` (`u8`: 64 bits), `.outcome` (`i1`: 1
//! win, 0 draw, −1 loss, 2 unknown) and `.turns` (`i4`, −1: drawn or unknown). A game that describes no
//! planes has only those three.

use std::io::Write;
use std::path::{Path, PathBuf};

use retrograde_game::Outcome;

use super::data_set::Sink;
use super::output_file::OutputFile;
use crate::{Error, Row, RowShape};

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

/// The files. The caller writes the announced number of rows.
pub(super) struct Npy {
    /// `None` for a game that describes no planes.
    planes: Option<OutputFile>,
    index: OutputFile,
    outcome: OutputFile,
    turns: OutputFile,
    plane_len: usize,
}

impl Npy {
    pub(super) fn create(path: &Path, shape: &RowShape, rows: u64) -> Result<Npy, Error> {
        let array = |path: &Path, description: &str, shape: &[u64]| -> Result<OutputFile, Error> {
            let mut file = OutputFile::create(path)?;
            file.write_all(&header(description, shape))?;
            Ok(file)
        };
        let beside = |what: &str, description| {
            array(&path.with_extension(format!("{what}.npy")), description, &[rows])
        };
        let planes = [rows, shape.planes.len() as u64, shape.rows as u64, shape.columns as u64];
        Ok(Npy {
            planes: match shape.planes.is_empty() {
                true => None,
                false => Some(array(path, "|u1", &planes)?),
            },
            index: beside("index", "<u8")?,
            outcome: beside("outcome", "|i1")?,
            turns: beside("turns", "<i4")?,
            plane_len: shape.size(),
        })
    }
}

impl Sink for Npy {
    fn row(&mut self, row: &Row<'_>) -> Result<(), Error> {
        assert_eq!(row.planes.len(), self.plane_len, "a row has planes of another shape");
        if let Some(planes) = &mut self.planes {
            planes.write_all(row.planes)?;
        }
        let outcome: i8 = match row.knowledge.outcome() {
            Some(Outcome::Win) => 1,
            Some(Outcome::Draw) => 0,
            Some(Outcome::Loss) => -1,
            None => 2,
        };
        let turns = row.knowledge.turns().map_or(-1, |turns| i32::from(turns.0));
        self.index.write_all(&row.index.to_le_bytes())?;
        self.outcome.write_all(&outcome.to_le_bytes())?;
        self.turns.write_all(&turns.to_le_bytes())?;
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<PathBuf>, Error> {
        let files = self.planes.into_iter().chain([self.index, self.outcome, self.turns]);
        Ok(files.map(OutputFile::finish).collect::<Result<_, _>>()?)
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
