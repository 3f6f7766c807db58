//! Files in the form of an earlier version, brought into the present one.

use retrograde_game::{Game, Show};
use retrograde_solve::{Progress, SolveError};

use crate::game::open::OpenGame;
use crate::machine::free_disk;
use crate::{Error, Resources, SolveOptions};

pub(crate) fn convert<G: Game + Show + 'static>(
    open: &OpenGame<'_, G>,
    options: &SolveOptions,
    progress: &dyn Progress,
) -> Result<Vec<&'static str>, Error> {
    let Some(values) = &open.values else { return Ok(Vec::new()) };
    let explained = |error| open.entry.explained(error);
    // A file stays until the new one is complete.
    let need = values.outdated().into_iter().map(|(_, bytes)| bytes).max().unwrap_or(0);
    if let Some(free) = free_disk(values.path(), 0).filter(|&free| free < need) {
        let reason = format!("this needs {need} bytes of disk meanwhile, and {free} are free");
        return Err(explained(SolveError::Checkpoint(std::io::Error::new(
            std::io::ErrorKind::StorageFull,
            reason,
        ))));
    }
    let resources = Resources::new(options.threads, options.memory, progress);
    values.convert(&resources).map_err(explained)
}
