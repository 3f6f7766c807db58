//! Writes the folder of an evaluation set.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::card::card;
use super::draw::draw;
use super::json_lines;
use super::options::{EvaluationOptions, RowsFormat};
use super::row::EvaluationRow;
use super::set::{EvaluationFile, EvaluationSet};
use super::split::Split;
use crate::export::output_file::reason;
use crate::export::published_output::hex;
use crate::export::temporary::Temporary;
use crate::{Error, OpenGame};

/// Draws an evaluation set and writes it to a new folder. Calls `report` with the number of positions drawn
/// so far; it may stop the work by returning `false`.
///
/// # Errors
/// If there is no table or it is damaged, the table lacks what a rule needs, the folder already exists or
/// cannot be written, or the work was stopped. In that case there is no folder with this name.
pub fn write(
    game: &OpenGame,
    out: &Path,
    options: &EvaluationOptions,
    report: &mut dyn FnMut(u64) -> bool,
) -> Result<EvaluationSet, Error> {
    if !game.has_table() {
        return Err(game.no_table());
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
    let folder = PartialFolder::create(out)?;
    let rows = draw(game, options, report)?;
    let mut set = EvaluationSet {
        rows: rows.len() as u64,
        has_symmetries: game.images(&game.start())?.len() > 1,
        files: Vec::new(),
    };
    for split in Split::ALL {
        let of_split: Vec<&EvaluationRow> =
            rows.iter().filter(|row| Split::of(game.name(), &row.orbit) == split).collect();
        for format in [RowsFormat::JsonLines, RowsFormat::Parquet] {
            if options.formats.contains(&format) {
                set.files.push(folder.write_rows(game, split, format, &of_split)?);
            }
        }
    }
    let card = card(game, options, &set, &rows)?;
    folder.write("README.md", card.as_bytes())?;
    let sums = set.files.iter().map(|file| format!("{}  {}\n", file.sha256, file.name));
    let sums: String = sums.chain([format!("{}  README.md\n", sha256(card.as_bytes()))]).collect();
    folder.write("SHA256SUMS", sums.as_bytes())?;
    folder.finish()?;
    Ok(set)
}

fn without_parquet() -> Error {
    Error::Unsupported("built without Parquet: rebuild with `--features parquet`".to_owned())
}

pub(super) fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// A folder that has a temporary name until it is complete, and is removed if it is never finished.
struct PartialFolder {
    temporary: Temporary,
    out: PathBuf,
}

impl PartialFolder {
    fn create(out: &Path) -> Result<PartialFolder, Error> {
        out.file_name().ok_or_else(|| {
            Error::Unsupported(format!("“{}” cannot be the name of a new folder", out.display()))
        })?;
        let temporary = Temporary::folder(out).map_err(|error| named(out, &error))?;
        Ok(PartialFolder { temporary, out: out.to_owned() })
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        let write = || -> io::Result<()> {
            let mut file = fs::File::create(self.temporary.path().join(name))?;
            io::Write::write_all(&mut file, bytes)?;
            file.sync_all()
        };
        Ok(write().map_err(|error| named(&self.out.join(name), &error))?)
    }

    fn write_rows(
        &self,
        #[cfg_attr(not(feature = "parquet"), expect(unused_variables))] game: &OpenGame,
        split: Split,
        format: RowsFormat,
        rows: &[&EvaluationRow],
    ) -> Result<EvaluationFile, Error> {
        let name = format!("{}.{}", split.word(), format.word());
        let bytes = match format {
            RowsFormat::JsonLines => json_lines::bytes(rows)?,
            #[cfg(feature = "parquet")]
            RowsFormat::Parquet => super::parquet::bytes(game, split, rows)?,
            #[cfg(not(feature = "parquet"))]
            RowsFormat::Parquet => return Err(without_parquet()),
        };
        self.write(&name, &bytes)?;
        let sha256 = sha256(&bytes);
        Ok(EvaluationFile { name, split, rows: rows.len() as u64, bytes: bytes.len() as u64, sha256 })
    }

    fn finish(self) -> Result<(), Error> {
        Ok(self.temporary.rename(&self.out).map_err(|error| named(&self.out, &error))?)
    }
}

/// Adds the file name to an error.
fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot write “{}”: {}", path.display(), reason(path, error)))
}
