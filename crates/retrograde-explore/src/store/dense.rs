//! The values of a solved game: in a dense table of all indices, in a sparse table of the positions
//! that occur, or in an archive. Everything above asks here and does not care which.

use std::path::Path;
use std::sync::Arc;

use retrograde_game::{Index, Knowledge, Stored};
use retrograde_table::{
    Counts, DiskStorage, Expectations, ReadOptions, StartValue, Storage, Table, TableError, TableKind,
};

use crate::Archive;
use crate::Error;
use crate::store::sparse::SparseTable;

/// The values of a solved game.
pub(crate) enum StoredValues {
    /// Of all indices.
    Dense(Table),
    /// Of the positions that occur from the start.
    Sparse(SparseTable),
    /// In files of the game's own.
    Archive(Box<dyn Archive>),
}

impl StoredValues {
    /// Opens what there is; `None` if there is nothing. A dense table is preferred.
    pub fn open(
        tables: &Path,
        game: &str,
        expected: Expectations,
    ) -> Result<Option<StoredValues>, TableError> {
        let disk = StoredValues::open_in(Arc::new(DiskStorage), tables, game, expected)?;
        if disk.is_some() {
            return Ok(disk);
        }
        Ok(SparseTable::open(tables, game, expected)?.map(StoredValues::Sparse))
    }

    /// Opens a dense table in a storage; `None` if there is none.
    pub fn open_in(
        storage: Arc<dyn Storage>,
        tables: &Path,
        game: &str,
        expected: Expectations,
    ) -> Result<Option<StoredValues>, TableError> {
        let options = ReadOptions { storage, ..ReadOptions::default() };
        match Table::open_with(tables, game, expected, &options) {
            Ok(table) => Ok(Some(StoredValues::Dense(table))),
            Err(TableError::NotFound { .. } | TableError::Incomplete { .. } | TableError::Locked { .. }) => {
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    pub fn kind(&self) -> TableKind {
        match self {
            StoredValues::Dense(table) => table.manifest().kind,
            StoredValues::Sparse(_) => TableKind::Full,
            StoredValues::Archive(_) => TableKind::Losses,
        }
    }

    pub fn counts(&self) -> &Counts {
        match self {
            StoredValues::Dense(table) => &table.manifest().counts,
            StoredValues::Sparse(sparse) => &sparse.about().counts,
            StoredValues::Archive(archive) => archive.counts(),
        }
    }

    /// A text that differs where the values do.
    pub fn stamp(&self) -> String {
        match self {
            StoredValues::Dense(table) => {
                let manifest = table.manifest();
                format!("table {} {}", manifest.values.blake3, manifest.seconds)
            }
            StoredValues::Sparse(sparse) => format!("occurring {}", sparse.stamp()),
            StoredValues::Archive(archive) => format!("kept {}", archive.stamp()),
        }
    }

    pub fn start(&self) -> Option<StartValue> {
        match self {
            StoredValues::Dense(table) => table.manifest().start,
            StoredValues::Sparse(sparse) => sparse.about().start,
            StoredValues::Archive(archive) => archive.start(),
        }
    }

    pub fn seconds(&self) -> f64 {
        match self {
            StoredValues::Dense(table) => table.manifest().seconds,
            StoredValues::Sparse(sparse) => sparse.about().seconds,
            StoredValues::Archive(archive) => archive.seconds(),
        }
    }

    /// The number of turns after which solving was ended early, if it was.
    pub fn horizon(&self) -> Option<u16> {
        match self {
            StoredValues::Dense(table) => {
                let phases = table.manifest().extra.get(HORIZON)?.as_u64()?;
                u16::try_from(phases).ok()
            }
            StoredValues::Sparse(_) => None,
            StoredValues::Archive(archive) => archive.horizon(),
        }
    }

    /// The number of places to scan: indices, or occurring positions.
    pub fn places(&self) -> u64 {
        match self {
            StoredValues::Dense(table) => table.manifest().index_count - table.manifest().prelude,
            StoredValues::Sparse(sparse) => sparse.len(),
            StoredValues::Archive(archive) => archive.indices(),
        }
    }

    /// The value at an index.
    pub fn get(&self, index: Index) -> Result<Stored, TableError> {
        match self {
            StoredValues::Dense(table) => table.get(index),
            StoredValues::Sparse(sparse) => sparse.get(index),
            StoredValues::Archive(archive) => archive.get(index),
        }
    }

    /// The value at an index, if need be after a look at the position's turns.
    pub fn value(&self, index: Index) -> Result<Stored, TableError> {
        match self {
            StoredValues::Archive(archive) => archive.value(index),
            values => values.get(index),
        }
    }

    /// The index at a place, with what is known there.
    pub fn at_place(&self, place: u64) -> Result<(Index, Stored), TableError> {
        match self {
            StoredValues::Dense(table) => Ok((Index(place), table.get(Index(place))?)),
            StoredValues::Sparse(sparse) => sparse.at(place),
            StoredValues::Archive(archive) => Ok((Index(place), archive.get(Index(place))?)),
        }
    }

    /// Visits the positions before the prelude by index, from a place on, until `visit` says no
    /// more.
    pub fn scan(
        &self,
        from: u64,
        visit: &mut dyn FnMut(Index, Knowledge) -> Result<bool, Error>,
    ) -> Result<(), Error> {
        match self {
            StoredValues::Sparse(sparse) => sparse.scan(from, visit),
            StoredValues::Archive(archive) => {
                for index in (from..archive.indices()).map(Index) {
                    if let Stored::Known(knowledge) = archive.get(index)?
                        && !visit(index, knowledge)?
                    {
                        break;
                    }
                }
                Ok(())
            }
            StoredValues::Dense(table) => {
                let end = self.places();
                if from >= end {
                    return Ok(());
                }
                let per_block = table.block(0)?.len() as u64;
                for number in from / per_block..end.div_ceil(per_block) {
                    for (index, stored) in table.block(number)?.iter() {
                        if index.0 < from {
                            continue;
                        }
                        if index.0 >= end {
                            return Ok(());
                        }
                        let Stored::Known(knowledge) = stored else { continue };
                        if !visit(index, knowledge)? {
                            return Ok(());
                        }
                    }
                }
                Ok(())
            }
        }
    }
}

/// The names of the games that have tables in a folder. A name may be unknown to a registry: tables
/// of boards from files have such names.
pub fn tables_in(tables: &Path) -> Vec<String> {
    let manifests = retrograde_table::list(tables).into_iter().filter_map(|(_, manifest)| manifest.ok());
    manifests.map(|manifest| manifest.game).collect()
}

/// The name under which a manifest keeps that solving was ended early.
pub(crate) const HORIZON: &str = "phases";
