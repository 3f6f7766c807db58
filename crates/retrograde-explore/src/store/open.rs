//! Finds the tables of a game.

use std::path::Path;
use std::sync::Arc;

use retrograde_table::{
    DiskStorage, Expectations, ReadOptions, Storage, Table, TableError, directory_name, name_of_directory,
};

use crate::ValueStore;
use crate::store::shades::ShadeFile;
use crate::store::sparse::{self, SparseTable};

/// The manifest of a dense table.
const MANIFEST: &str = "manifest.json";

/// A boxed store.
pub(crate) type BoxedStore = Box<dyn ValueStore>;

/// Opens the table of a game, if there is one. A dense table takes precedence over a sparse one.
pub(crate) fn open_table(
    storage: &Arc<dyn Storage>,
    tables: &Path,
    game: &str,
    expected: Expectations,
) -> Result<Option<BoxedStore>, TableError> {
    let options = ReadOptions { storage: storage.clone(), ..ReadOptions::default() };
    match Table::open_with(tables, game, expected, &options) {
        Ok(table) => return Ok(Some(Box::new(table))),
        Err(TableError::NotFound { .. } | TableError::Incomplete { .. } | TableError::Locked { .. }) => {}
        Err(error) => return Err(error),
    }
    Ok(SparseTable::open(&**storage, tables, game, expected)?.map(|sparse| Box::new(sparse) as BoxedStore))
}

/// Whether there is a table of a game, intact or damaged.
pub(crate) fn has_table(storage: &Arc<dyn Storage>, tables: &Path, game: &str) -> bool {
    let directory = tables.join(directory_name(game));
    [MANIFEST, sparse::FILE].iter().any(|name| storage.open(&directory.join(name)).is_ok())
}

/// Opens the shades of draws for values with a stamp. A file that is damaged or belongs to other
/// values is ignored, with a note, since nothing depends on it.
pub(crate) fn open_shades(
    storage: &dyn Storage,
    directory: &Path,
    values: (&str, &str),
    expected: Expectations,
) -> Result<(Option<ShadeFile>, Option<String>), TableError> {
    match ShadeFile::open(storage, directory, values, expected) {
        Ok(shades) => Ok((shades, None)),
        Err(error @ TableError::Io { .. }) => Err(error),
        Err(error) => Ok((None, Some(format!("{error}; the shades of draws are ignored")))),
    }
}

/// The ending of the files of archives.
const ARCHIVE: &str = ".rgp";

/// The names of the games that have values in a folder: tables or archives. A name may be unknown to a
/// registry: tables of boards from files have such names.
pub(crate) fn games_in(tables: &Path) -> Vec<String> {
    let manifests = retrograde_table::list(tables).into_iter().filter_map(|(_, manifest)| manifest.ok());
    let mut games: Vec<String> = manifests.map(|manifest| manifest.game).collect();
    // Sparse tables and archives have no manifest, so the game is found by the name of the
    // directory.
    for directory in DiskStorage.names(tables).unwrap_or_default() {
        let files = DiskStorage.names(&tables.join(&directory)).unwrap_or_default();
        if files.iter().any(|file| file == sparse::FILE || file.ends_with(ARCHIVE))
            && let Some(game) = name_of_directory(&directory)
            && !games.contains(&game)
        {
            games.push(game);
        }
    }
    games.sort_unstable();
    games
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_listed_by_their_files_even_if_they_are_unknown() {
        let tables = retrograde_testkit::tempdir().unwrap();
        for (game, file) in [
            ("pushfight:mine", "wins.rgp"),
            ("pushfight:mini", "losses.rgp"),
            ("tactics:4x4,line=3", sparse::FILE),
            ("touchdown:3x3", "work.rgw"),
            ("touchdown:4x4", "lock"),
        ] {
            let directory = tables.path().join(directory_name(game));
            std::fs::create_dir(&directory).unwrap();
            std::fs::write(directory.join(file), "").unwrap();
        }
        assert_eq!(games_in(tables.path()), ["pushfight:mine", "pushfight:mini", "tactics:4x4,line=3"]);
    }
}
