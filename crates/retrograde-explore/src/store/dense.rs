//! A dense table as a store: the values of all indices.

use retrograde_game::{Index, Stored, Turns, Value};
use retrograde_solve::Progress;
use retrograde_table::{Counts, Manifest, StartValue, Table, TableError, TableKind};

use crate::bounds::Watch;
use crate::machine::data_memory;
use crate::store::codes::{CodeSource, packed_cells};
use crate::store::value_store::{StoreFacts, ValueStore, VisitValue};
use crate::{Error, LONG_WORK, Resources};

/// The manifest field for the horizon of a solve.
pub(crate) const HORIZON: &str = "phases";

/// A sample of less than one place in this many is probed; for a larger one, the whole table is
/// read into memory.
const PROBED: u64 = 64;

/// The number of blocks to search between two checks of the clock.
const CHECK_EVERY: u32 = 1 << 4;

/// The horizon of the solve, if it had one.
pub(crate) fn horizon_of(manifest: &Manifest) -> Option<Turns> {
    let phases = manifest.extra.get(HORIZON)?.as_u64()?;
    u16::try_from(phases).ok().map(Turns)
}

impl ValueStore for Table {
    fn facts(&self) -> StoreFacts<'_> {
        let manifest = self.manifest();
        StoreFacts {
            horizon: horizon_of(manifest),
            prelude_count: manifest.prelude,
            has_all_positions: true,
            has_turns: manifest.kind != TableKind::Outcomes,
            needs_prepare: self.needs_prepare(),
            ..StoreFacts::new(self.directory(), &manifest.counts, manifest.index_count - manifest.prelude)
        }
    }

    fn stamp(&self) -> String {
        self.manifest().stamp()
    }

    fn start(&self) -> Option<StartValue> {
        self.manifest().start
    }

    fn get(&self, index: Index) -> Result<Stored, TableError> {
        self.get(index)
    }

    fn prepare(&self, indices: &[Index]) -> Result<(), TableError> {
        self.prepare(indices)
    }

    fn scan(&self, from: u64, visit: &mut VisitValue<'_>) -> Result<(), Error> {
        let end = self.facts().place_count;
        if from >= end {
            return Ok(());
        }
        let per_block = self.block(0)?.len() as u64;
        for number in from / per_block..end.div_ceil(per_block) {
            for (index, stored) in self.block(number)?.iter() {
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

    fn scan_for(&self, value: Value, visit: &mut VisitValue<'_>) -> Result<(), Error> {
        let (end, mut watch) = (self.facts().place_count, Watch::default());
        for number in 0..self.block_count() {
            watch.tick(CHECK_EVERY)?;
            let block = self.block(number)?;
            if block.first().0 >= end {
                break;
            }
            for (index, knowledge) in block.candidates_with(value) {
                if index.0 >= end || !visit(index, knowledge)? {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn memory(&self) -> u64 {
        self.memory()
    }

    fn limit_cache(&mut self, bytes: u64) {
        self.limit_cache(bytes);
    }

    fn check(&self, progress: &dyn Progress) -> Result<(u64, Vec<TableError>), TableError> {
        progress.stage("checking files", self.manifest().values.bytes);
        let mut reported = 0;
        let report = self.check_files(|done, _| {
            progress.advance(done.saturating_sub(reported));
            reported = reported.max(done);
        })?;
        Ok((report.blocks, report.faults))
    }

    fn recount(&self, threads: usize) -> Result<Option<Counts>, TableError> {
        if LONG_WORK { self.count(threads).map(Some) } else { Ok(None) }
    }

    fn codes(&self, sample: Option<u64>, resources: &Resources<'_>) -> Result<Option<CodeSource<'_>>, Error> {
        if !LONG_WORK {
            return Ok(None);
        }
        let manifest = self.manifest();
        let fits = manifest.raw_bytes().saturating_add(self.memory()) <= data_memory(resources.memory);
        // Probing is faster only for a small sample of a large table.
        if !fits || sample.is_some_and(|sample| sample < manifest.index_count / PROBED) {
            return Ok(Some(CodeSource::probed(self)));
        }
        Ok(Some(CodeSource::packed(manifest.cell, packed_cells(self, resources.threads)?)))
    }
}
