//! Access to internals for the tests, which are outside of the crate. Tests inside would compile all games a
//! second time, which takes more than a minute.

use std::path::Path;

use retrograde_explore::{ArchiveSolver, ResourceEstimate, ValueStore};
use retrograde_game::Value;
use retrograde_pushfight::PushFight;
use retrograde_table::TableError;

use crate::pushfight::archive_solver::PlanesSolver;
use crate::pushfight::published::{self, Files};

pub use crate::known::{known, known_games};
pub use crate::titles::title;

/// Opens published files in a game's directory like the explorer does, but with chunks of `chunk` values.
///
/// # Errors
/// If a file cannot be read or has a wrong length.
pub fn published_files(
    game: &PushFight,
    chunk: u64,
    directory: &Path,
) -> Result<Option<Box<dyn ValueStore>>, TableError> {
    let files = Files::open(game, || game.minimized(), chunk, directory)?;
    Ok(files.map(|files| Box::new(files) as Box<dyn ValueStore>))
}

/// The value that a byte of published files represents.
pub fn published_value(byte: u8) -> Value {
    published::value(byte)
}

/// The resources that solving a board of Push Fight with one thread takes with this memory.
pub fn push_fight_estimate(game: PushFight, memory: u64) -> Option<ResourceEstimate> {
    PlanesSolver { game }.estimate(memory, 1)
}
