//! CSV with a header: `index,position,outcome,turns`. No field ever needs quotes: texts of positions contain
//! no commas and no blanks.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::data_set::{Sink, outcome_word};
use super::output_file::OutputFile;
use crate::{Error, Row};

pub(super) struct Csv(OutputFile);

impl Csv {
    pub(super) fn create(path: &Path) -> Result<Csv, Error> {
        let mut part = OutputFile::create(path)?;
        part.write_all(b"index,position,outcome,turns\n")?;
        Ok(Csv(part))
    }
}

/// A field of CSV, quoted if necessary.
pub fn csv_field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

impl Sink for Csv {
    fn row(&mut self, row: &Row<'_>) -> Result<(), Error> {
        write!(self.0, "{},{},{},", row.index, csv_field(row.position), outcome_word(row.knowledge))?;
        match row.knowledge.turns() {
            Some(turns) => writeln!(self.0, "{turns}")?,
            None => writeln!(self.0)?,
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<PathBuf>, Error> {
        Ok(vec![self.0.finish()?])
    }
}
