//! Writing the files of a solution from the logs of the phases.

use std::io;
use std::path::{Path, PathBuf};

use retrograde_solve::{SolveError, in_order};
use retrograde_table::{Storage, TableError, write_all};

use crate::config::Means;
use crate::files::depth_block::raw_blocks;
use crate::files::depth_file::Which;
use crate::files::errors::IntoSolve;
use crate::files::log::{Log, STUCK};
use crate::files::solution_info::About;
use crate::layout::numbering::Shape;

/// The level of compression.
const LEVEL: i32 = 9;

/// What a solution is written from, and whereto.
pub(crate) struct Task<'a> {
    pub shape: &'a Shape,
    pub log: &'a Log,
    pub directory: &'a Path,
    pub about: &'a About,
    pub means: &'a Means<'a>,
}

/// The name of a file that is not finished yet.
fn unfinished(directory: &Path, which: Which) -> PathBuf {
    directory.join(format!("{}.tmp", which.file()))
}

/// Writes files from the logs of phases under other names, and then gives them their own. For wins there must be the log
/// of what wins by leaving no push.
pub(crate) fn write<const W: usize>(task: &Task<'_>, files: &[Which]) -> Result<(), SolveError> {
    let written = files.iter().try_for_each(|&which| {
        write_one::<W>(task, which).map_err(|error| match error {
            SolveError::Checkpoint(error) => {
                TableError::io("write", &task.directory.join(which.file()), error).into_solve()
            }
            error => error,
        })
    });
    let result = written.and_then(|()| Ok(publish(task.directory, &*task.means.storage, files)?));
    if result.is_err() {
        for &which in files {
            let _ = task.means.storage.remove(&unfinished(task.directory, which));
        }
    }
    result
}

/// Gives finished files their names. Wins that are there already go first, for they belong to other losses: whatever
/// moment it ends at, what lies there fits together.
fn publish(directory: &Path, storage: &dyn Storage, files: &[Which]) -> io::Result<()> {
    match storage.remove(&directory.join(Which::Wins.file())) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
        Ok(()) => storage.sync_directory(directory)?,
    }
    for &which in files {
        storage.rename(&unfinished(directory, which), &directory.join(which.file()))?;
        storage.sync_directory(directory)?;
    }
    Ok(())
}

fn write_one<const W: usize>(task: &Task<'_>, which: Which) -> Result<(), SolveError> {
    let Task { shape, log, about, .. } = task;
    let mut phases = Vec::new();
    if which == Which::Wins {
        phases.push((0, log.open(STUCK)?));
    }
    for phase in about.phases.iter().filter(|phase| which.is_logged(phase.turns)) {
        let half = u8::try_from(phase.turns / 2).map_err(|_| SolveError::TooDeep)?;
        phases.push((half, log.open(phase.turns)?));
    }
    let blocks = |superblock: usize| -> io::Result<Vec<Vec<u8>>> {
        let mut planes = Vec::new();
        for (half, found) in &phases {
            planes.push((*half, found.read_sound::<W>(superblock, shape.cells.len())?));
        }
        let mut squeeze = zstd::bulk::Compressor::new(LEVEL)?;
        raw_blocks(shape, &planes).iter().map(|raw| squeeze.compress(raw)).collect()
    };
    write_blocks(task, which, &blocks)
}

fn write_blocks(
    task: &Task<'_>,
    which: Which,
    blocks: &(impl Fn(usize) -> io::Result<Vec<Vec<u8>>> + Sync),
) -> Result<(), SolveError> {
    let &Task { shape, about, means, .. } = task;
    let mut sink = means.storage.create(&unfinished(task.directory, which))?;
    let description = serde_json::to_vec(about).map_err(io::Error::other)?;
    let head = which.frame().head(&description)?;
    write_all(&mut *sink, &head)?;
    let mut offset = head.len() as u64;
    let (mut starts, mut sums) = (offset.to_le_bytes().to_vec(), Vec::new());
    let count = shape.supers.len();
    means.progress.stage(&format!("writing the {}", which.word()), count as u64);
    let whole = in_order(count, means.threads, means.progress, blocks, &mut |blocks| {
        for block in blocks {
            write_all(&mut *sink, &block)?;
            offset += block.len() as u64;
            starts.extend(offset.to_le_bytes());
            sums.extend(crc32c::crc32c(&block).to_le_bytes());
        }
        Ok(())
    })?;
    if !whole {
        return Err(SolveError::Stopped);
    }
    let blocks = (sums.len() / 4) as u64;
    starts.extend(sums);
    write_all(&mut *sink, &starts)?;
    write_all(&mut *sink, &which.frame().foot(&head, offset, blocks, &starts))?;
    Ok(sink.sync()?)
}
