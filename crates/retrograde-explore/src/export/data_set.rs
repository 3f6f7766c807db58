//! Data sets: the choice of format by file name, and the choice of rows.

use std::cell::Cell;
use std::path::{Path, PathBuf};

use retrograde_game::{Knowledge, Outcome, Random};

#[cfg(feature = "parquet")]
use super::parquet;
use super::{csv, npy};
use crate::{Error, OpenGame, Row};

/// The format of a data set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Text: index, position, outcome, turns.
    Csv,
    /// NumPy arrays: planes, and separate files for index, outcome and turns.
    Npy,
    /// Apache Parquet: index, position, outcome, turns and planes.
    Parquet,
}

impl Format {
    /// Returns the format with a name, which is also its file extension: `csv`, `npy` or `parquet`.
    pub fn named(name: &str) -> Option<Format> {
        match name.to_ascii_lowercase().as_str() {
            "csv" => Some(Format::Csv),
            "npy" => Some(Format::Npy),
            "parquet" => Some(Format::Parquet),
            _ => None,
        }
    }

    /// Returns the format for a file name.
    ///
    /// # Errors
    /// If the extension is not one of the three.
    fn of(path: &Path) -> Result<Format, Error> {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or("");
        Format::named(ending).ok_or_else(|| {
            Error::Unsupported(format!(
                "“{}” does not end in .csv, .npy or .parquet; for any other name, choose the format with \
                 --format: csv, npy, parquet or html",
                path.display()
            ))
        })
    }
}

/// The rows to write.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Selection {
    /// The maximum number of rows. The first ones by index are chosen.
    pub limit: Option<u64>,
    /// The number of rows to choose at random (each set of rows equally likely, sorted by index), and the
    /// seed.
    pub sample: Option<(u64, u64)>,
}

/// The rows and files that were written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Written {
    /// Rows in each file.
    pub rows: u64,
    /// The files.
    pub files: Vec<PathBuf>,
    /// The names of the planes; empty for a CSV file.
    pub planes: Vec<String>,
}

impl OpenGame {
    /// Writes the data set of a game's table, in the given `format` or the one of the file's extension. Calls
    /// `report` every few thousand rows; it may stop the export by returning `false`.
    ///
    /// # Errors
    /// If there is no table or it is damaged, the format is unknown or not built in, or the file cannot be
    /// written. In that case no file has its final name.
    pub fn export(
        &self,
        path: &Path,
        format: Option<Format>,
        selection: Selection,
        report: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Written, Error> {
        const REPORT_EVERY: u64 = 1 << 14;
        let format = format.map_or_else(|| Format::of(path), Ok)?;
        let shape = self.row_shape();
        if shape.planes.is_empty() && format == Format::Parquet {
            let name = self.name();
            return Err(Error::Unsupported(format!(
                "a Parquet file has a column of planes, and {name} describes none (`Show::plane_names`); a file \
                 that ends in .csv or .npy has everything else"
            )));
        }
        let available = self.row_count()?;
        let wanted = [selection.limit, selection.sample.map(|(count, _)| count)]
            .into_iter()
            .flatten()
            .fold(available, u64::min);
        let mut sink: Box<dyn Sink> = match format {
            Format::Csv => Box::new(csv::Csv::create(path)?),
            Format::Npy => Box::new(npy::Npy::create(path, &shape, wanted)?),
            #[cfg(feature = "parquet")]
            Format::Parquet => Box::new(parquet::Parquet::create(path, self.name(), &shape)?),
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => {
                return Err(Error::Unsupported(
                    "built without Parquet: rebuild with `--features parquet`".to_owned(),
                ));
            }
        };
        let mut random = Random::new(selection.sample.map_or(0, |(_, seed)| seed));
        let (mut seen, mut chosen, mut written) = (0, 0, 0);
        let stopped = Cell::new(false);
        if wanted > 0 {
            // Selection sampling: a row is taken with the probability (rows still wanted) / (rows still to
            // come), so every set of rows is equally likely and their order is kept.
            let mut choose = || {
                let left = available.saturating_sub(seen).max(1);
                let take = selection.sample.is_none() || random.below(left) < wanted - chosen;
                seen += 1;
                chosen += u64::from(take);
                if seen.is_multiple_of(REPORT_EVERY) && !report(chosen) {
                    stopped.set(true);
                }
                take || stopped.get()
            };
            self.chosen_rows(&mut choose, &mut |row| {
                if stopped.get() {
                    return Ok(false);
                }
                sink.row(&row)?;
                written += 1;
                Ok(written < wanted)
            })?;
        }
        if stopped.get() {
            return Err(Error::Stopped);
        }
        if written != wanted {
            return Err(Error::Unsupported(format!("the table has {written} rows instead of {wanted}")));
        }
        let planes = if format == Format::Csv { Vec::new() } else { shape.planes };
        Ok(Written { rows: written, files: sink.finish()?, planes })
    }
}

/// One kind of file being written.
pub(super) trait Sink {
    /// Adds a row.
    fn row(&mut self, row: &Row<'_>) -> Result<(), Error>;
    /// Completes the files under their final names; until then they have temporary ones.
    fn finish(self: Box<Self>) -> Result<Vec<PathBuf>, Error>;
}

/// The outcome as a word, as in data sets; empty if unknown.
pub(super) fn outcome_word(knowledge: Knowledge) -> &'static str {
    knowledge.outcome().map_or("", Outcome::word)
}
