//! Writes depth files from the logs of the phases.

use std::io;
use std::path::{Path, PathBuf};

use retrograde_solve::SolveError;
use retrograde_table::{Storage, TableError};

use crate::config::SolveConfig;
use crate::files::depth::kind::DepthFileKind;
use crate::files::depth::mover_order::{MoverOrderWriter, window_bytes};
use crate::files::log::Log;
use crate::files::solution_info::SolutionInfo;
use crate::layout::numbering::Layout;
use crate::phase::kinds::PhaseId;

/// The inputs and the destination of a solution's files.
pub(crate) struct DepthFileInput<'a> {
    pub layout: &'a Layout,
    pub log: &'a Log,
    pub directory: &'a Path,
    pub info: &'a SolutionInfo,
    pub config: &'a SolveConfig<'a>,
}

/// The name of an unfinished file.
pub(super) fn unfinished(directory: &Path, kind: DepthFileKind) -> PathBuf {
    directory.join(format!("{}.tmp", kind.file()))
}

/// Writes files from the logs of phases under temporary names, and then renames them.
pub(crate) fn write(input: &DepthFileInput<'_>, files: &[DepthFileKind]) -> Result<(), SolveError> {
    let written = files.iter().try_for_each(|&kind| {
        write_one(input, kind, window_bytes(input.config)).map_err(|error| match error {
            SolveError::Checkpoint(error) => {
                TableError::io("write", &input.directory.join(kind.file()), error).into()
            }
            error => error,
        })
    });
    let result = written.and_then(|()| Ok(publish(input.directory, &*input.config.storage, files)?));
    if result.is_err() {
        for &kind in files {
            let _ = input.config.storage.remove(&unfinished(input.directory, kind));
        }
    }
    result
}

/// Renames finished files to their final names. Removes existing wins first, because they belong to
/// other losses. So the files always fit together, even after an interruption.
fn publish(directory: &Path, storage: &dyn Storage, files: &[DepthFileKind]) -> Result<(), TableError> {
    let sync =
        || storage.sync_directory(directory).map_err(|error| TableError::io("write", directory, error));
    let wins = directory.join(DepthFileKind::Wins.file());
    match storage.remove(&wins) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(TableError::io("remove", &wins, error)),
        Ok(()) => sync()?,
    }
    for &kind in files {
        let path = directory.join(kind.file());
        let renamed = storage.rename(&unfinished(directory, kind), &path);
        renamed.map_err(|error| TableError::io("write", &path, error))?;
        sync()?;
    }
    Ok(())
}

/// Writes a file under its temporary name, with windows of at most `window` bytes.
pub(super) fn write_one(
    input: &DepthFileInput<'_>,
    kind: DepthFileKind,
    window: u64,
) -> Result<(), SolveError> {
    let DepthFileInput { layout, log, info, config, .. } = input;
    let mut phases = Vec::new();
    if kind == DepthFileKind::Wins {
        phases.push((0, log.open(PhaseId::WonByNoPush)?));
    }
    for phase in info.phases.iter().filter(|phase| kind.is_logged(phase.turns)) {
        let half = u8::try_from(phase.turns / 2).map_err(|_| SolveError::TooDeep)?;
        phases.push((half, log.open(phase.id())?));
    }
    let mut sink = config.storage.create(&unfinished(input.directory, kind))?;
    MoverOrderWriter { layout, kind, info, config, window, phases }.write(&mut *sink)?;
    Ok(sink.sync()?)
}
