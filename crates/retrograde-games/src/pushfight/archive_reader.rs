//! Opens solved boards where files cannot be written: in a browser.

use std::path::Path;
use std::sync::Arc;

use retrograde_explore::{ArchiveJob, ArchiveSolver, ResourceEstimate, ValueStore};
use retrograde_pushfight::PushFight;
use retrograde_pushfight_planes as planes;
use retrograde_solve::SolveError;
use retrograde_table::{Storage, TableError};

use super::archive::PlanesArchive;

/// Opens archives, but does not solve.
pub(crate) struct PlanesReader {
    pub game: PushFight,
}

impl ArchiveSolver for PlanesReader {
    fn estimate(&self, _memory: u64) -> Option<ResourceEstimate> {
        None
    }

    fn solve(&self, _job: &ArchiveJob<'_>) -> Result<(), SolveError> {
        let count = self.game.plausible_count().unwrap_or(u128::MAX);
        Err(SolveError::TooLarge { count })
    }

    fn is_there(&self, directory: &Path, storage: &dyn Storage) -> bool {
        planes::has_solution(directory, storage)
    }

    fn open(
        &self,
        directory: &Path,
        storage: &Arc<dyn Storage>,
    ) -> Result<Option<Box<dyn ValueStore>>, TableError> {
        PlanesArchive::open(&self.game, directory, storage)
    }
}
