//! Lists all tables.

use std::io;
use std::path::{Path, PathBuf};

use crate::error::TableError;
use crate::format::manifest::Manifest;
use crate::read::table::absence;
use crate::storage::{DiskStorage, Storage};

/// Lists the tables in a directory by name: each game's directory, with its manifest or the reason
/// why it cannot be read. Does not open the files of values. Directories without files of ours are
/// left out. A directory that does not exist has no tables; one that cannot be read is itself the
/// only entry.
pub fn list(tables_dir: &Path) -> Vec<(PathBuf, Result<Manifest, TableError>)> {
    let mut names = match DiskStorage.names(tables_dir) {
        Ok(names) => names,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Vec::new(),
        Err(error) => {
            return vec![(tables_dir.to_owned(), Err(TableError::io("read", tables_dir, error)))];
        }
    };
    names.sort_unstable();
    let directories = names.into_iter().map(|name| (tables_dir.join(&name), name));
    directories
        .filter(|(directory, _)| directory.is_dir())
        .filter_map(|(directory, name)| match Manifest::read(&DiskStorage, &directory) {
            Ok(Some(manifest)) => Some((directory, Ok(manifest))),
            Ok(None) => match absence(&DiskStorage, &directory, &name) {
                TableError::NotFound { .. } => None,
                error => Some((directory, Err(error))),
            },
            Err(error) => Some((directory, Err(error))),
        })
        .collect()
}
