//! Where the values of a solved game lie: in a table of all indices, or in one of the occurring positions
//! only. Everything above asks here and does not care which.

use std::path::Path;
use std::sync::Arc;

use retrograde_game::{Index, Knowledge, Stored};
use retrograde_table::{Counts, Disk, Expectations, Kind, ReadOptions, Start, Storage, Table, TableError};

use crate::Error;
use crate::Kept;
use crate::store::sparse::Occurring;

/// The values of a solved game.
pub(crate) enum StoredValues {
    /// Of all indices.
    Table(Table),
    /// Of the positions that occur from the start.
    Occurring(Occurring),
    /// In files of the game's own.
    Kept(Box<dyn Kept>),
}

impl StoredValues {
    /// Opens what there is; `None` if there is nothing. A dense table is preferred.
    pub fn open(
        tables: &Path,
        game: &str,
        expected: Expectations,
    ) -> Result<Option<StoredValues>, TableError> {
        let disk = StoredValues::open_in(Arc::new(Disk), tables, game, expected)?;
        if disk.is_some() {
            return Ok(disk);
        }
        Ok(Occurring::open(tables, game, expected)?.map(StoredValues::Occurring))
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
            Ok(table) => Ok(Some(StoredValues::Table(table))),
            Err(TableError::NotFound { .. } | TableError::Incomplete { .. } | TableError::Locked { .. }) => {
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    pub fn kind(&self) -> Kind {
        match self {
            StoredValues::Table(table) => table.manifest().kind,
            StoredValues::Occurring(_) => Kind::Full,
            StoredValues::Kept(_) => Kind::Losses,
        }
    }

    pub fn counts(&self) -> &Counts {
        match self {
            StoredValues::Table(table) => &table.manifest().counts,
            StoredValues::Occurring(occurring) => &occurring.about().counts,
            StoredValues::Kept(kept) => kept.counts(),
        }
    }

    /// What differs where the values do.
    pub fn stamp(&self) -> String {
        match self {
            StoredValues::Table(table) => {
                let manifest = table.manifest();
                format!("table {} {}", manifest.values.blake3, manifest.seconds)
            }
            StoredValues::Occurring(occurring) => format!("occurring {}", occurring.stamp()),
            StoredValues::Kept(kept) => format!("kept {}", kept.stamp()),
        }
    }

    pub fn start(&self) -> Option<Start> {
        match self {
            StoredValues::Table(table) => table.manifest().start,
            StoredValues::Occurring(occurring) => occurring.about().start,
            StoredValues::Kept(kept) => kept.start(),
        }
    }

    pub fn seconds(&self) -> f64 {
        match self {
            StoredValues::Table(table) => table.manifest().seconds,
            StoredValues::Occurring(occurring) => occurring.about().seconds,
            StoredValues::Kept(kept) => kept.seconds(),
        }
    }

    /// The number of turns after which solving was ended early, if it was.
    pub fn horizon(&self) -> Option<u16> {
        match self {
            StoredValues::Table(table) => {
                let phases = table.manifest().extra.get(HORIZON)?.as_u64()?;
                u16::try_from(phases).ok()
            }
            StoredValues::Occurring(_) => None,
            StoredValues::Kept(kept) => kept.horizon(),
        }
    }

    /// The number of places to scan: indices, or occurring positions.
    pub fn places(&self) -> u64 {
        match self {
            StoredValues::Table(table) => table.manifest().index_count - table.manifest().prelude,
            StoredValues::Occurring(occurring) => occurring.len(),
            StoredValues::Kept(kept) => kept.indices(),
        }
    }

    /// What is known at an index.
    pub fn get(&self, index: Index) -> Result<Stored, TableError> {
        match self {
            StoredValues::Table(table) => table.get(index),
            StoredValues::Occurring(occurring) => occurring.get(index),
            StoredValues::Kept(kept) => kept.get(index),
        }
    }

    /// What is known at an index, if need be after a look at the position's turns.
    pub fn value(&self, index: Index) -> Result<Stored, TableError> {
        match self {
            StoredValues::Kept(kept) => kept.value(index),
            values => values.get(index),
        }
    }

    /// The index at a place, with what is known there.
    pub fn at_place(&self, place: u64) -> Result<(Index, Stored), TableError> {
        match self {
            StoredValues::Table(table) => Ok((Index(place), table.get(Index(place))?)),
            StoredValues::Occurring(occurring) => occurring.at(place),
            StoredValues::Kept(kept) => Ok((Index(place), kept.get(Index(place))?)),
        }
    }

    /// Visits the positions before the prelude by index, from a place on, until `visit` says no more.
    pub fn scan(
        &self,
        from: u64,
        visit: &mut dyn FnMut(Index, Knowledge) -> Result<bool, Error>,
    ) -> Result<(), Error> {
        match self {
            StoredValues::Occurring(occurring) => occurring.scan(from, visit),
            StoredValues::Kept(kept) => {
                for index in (from..kept.indices()).map(Index) {
                    if let Stored::Known(knowledge) = kept.get(index)?
                        && !visit(index, knowledge)?
                    {
                        break;
                    }
                }
                Ok(())
            }
            StoredValues::Table(table) => {
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

/// The names of the games that have tables in a folder. A name may be unknown to a registry: tables of boards from
/// files have such names.
pub fn tables_in(tables: &Path) -> Vec<String> {
    let manifests = retrograde_table::list(tables).into_iter().filter_map(|(_, manifest)| manifest.ok());
    manifests.map(|manifest| manifest.game).collect()
}

/// The name under which a manifest keeps that solving was ended early.
pub(crate) const HORIZON: &str = "phases";
