//! Writes the folder of an evaluation set.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use sha2::{Digest, Sha256};

use super::card::card;
use super::draw::draw;
use super::set::{EvaluationFile, EvaluationOptions, EvaluationRow, EvaluationSet, RowsFormat, Split};
use crate::export::output_file::named;
use crate::export::published_output::hex;
use crate::export::temporary::Temporary;
use crate::{Error, OpenGame};

impl OpenGame {
    /// Draws an evaluation set and writes it to a new folder. Calls `report` with the number of positions drawn
    /// so far; it may stop the work by returning `false`.
    ///
    /// # Errors
    /// If there is no table or it is damaged, the table lacks what a rule needs, the folder already exists or
    /// cannot be written, or the work was stopped. In that case there is no folder with this name.
    pub fn export_evaluation(
        &self,
        out: &Path,
        options: &EvaluationOptions,
        report: &mut dyn FnMut(u64) -> bool,
    ) -> Result<EvaluationSet, Error> {
        if !self.has_table() {
            return Err(self.no_table());
        }
        if !cfg!(feature = "parquet") && options.formats.contains(&RowsFormat::Parquet) {
            return Err(without_parquet());
        }
        // Check this before any work is done.
        if fs::symlink_metadata(out).is_ok() {
            return Err(Error::Unsupported(format!(
                "“{}” already exists, but an evaluation set needs a new folder: remove it or choose another name",
                out.display()
            )));
        }
        out.file_name().ok_or_else(|| {
            Error::Unsupported(format!("“{}” cannot be the name of a new folder", out.display()))
        })?;
        // It has a temporary name until it is complete.
        let folder = Temporary::folder(out).map_err(|error| named(out, &error))?;
        let write = |name: &str, bytes: &[u8]| -> io::Result<String> {
            let written = fs::File::create(folder.path.join(name))
                .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()));
            written.map_err(|error| named(&out.join(name), &error))?;
            Ok(sha256(bytes))
        };
        let rows = draw(self, options, report)?;
        let mut set = EvaluationSet {
            rows: rows.len() as u64,
            has_symmetries: self.images(&self.start())?.len() > 1,
            files: Vec::new(),
        };
        for split in Split::ALL {
            let rows: Vec<&EvaluationRow> =
                rows.iter().filter(|row| Split::of(self.name(), &row.orbit) == split).collect();
            for format in [RowsFormat::JsonLines, RowsFormat::Parquet] {
                if options.formats.contains(&format) {
                    let name = format!("{}.{}", split.word(), format.word());
                    let bytes = bytes_of(self, split, format, &rows)?;
                    let sha256 = write(&name, &bytes)?;
                    let (rows, bytes) = (rows.len() as u64, bytes.len() as u64);
                    set.files.push(EvaluationFile { name, split, rows, bytes, sha256 });
                }
            }
        }
        let card = write("README.md", card(self, options, &set, &rows)?.as_bytes())?;
        let sums = set.files.iter().map(|file| format!("{}  {}\n", file.sha256, file.name));
        let sums: String = sums.chain([format!("{card}  README.md\n")]).collect();
        write("SHA256SUMS", sums.as_bytes())?;
        folder.rename(out).map_err(|error| named(out, &error))?;
        Ok(set)
    }
}

fn without_parquet() -> Error {
    Error::Unsupported("built without Parquet: rebuild with `--features parquet`".to_owned())
}

pub(super) fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// The contents of a file.
fn bytes_of(
    #[cfg_attr(not(feature = "parquet"), expect(unused_variables))] game: &OpenGame,
    #[cfg_attr(not(feature = "parquet"), expect(unused_variables))] split: Split,
    format: RowsFormat,
    rows: &[&EvaluationRow],
) -> Result<Vec<u8>, Error> {
    match format {
        RowsFormat::JsonLines => {
            let mut bytes = Vec::new();
            for row in rows {
                serde_json::to_writer(&mut bytes, row).map_err(io::Error::from)?;
                bytes.push(b'\n');
            }
            Ok(bytes)
        }
        #[cfg(feature = "parquet")]
        RowsFormat::Parquet => super::parquet::bytes(game, split, rows),
        #[cfg(not(feature = "parquet"))]
        RowsFormat::Parquet => Err(without_parquet()),
    }
}
