//! Doors for the tests, which stand outside of the crate: tests inside would have all games compiled
//! a second time, more than a minute of the processor.

use std::path::Path;

use retrograde_explore::ValueStore;
use retrograde_game::Value;
use retrograde_pushfight::PushFight;
use retrograde_table::TableError;

use crate::pushfight::published::{self, Files};

pub use crate::titles::title;

/// The files of others in a game's directory, with chunks of so many values, as the explorer opens
/// them.
///
/// # Errors
/// If a file cannot be read, or has another length than it must have.
pub fn published_files(
    game: &PushFight,
    chunk: u64,
    directory: &Path,
) -> Result<Option<Box<dyn ValueStore>>, TableError> {
    let files = Files::open(game, || game.minimized(), chunk, directory)?;
    Ok(files.map(|files| Box::new(files) as Box<dyn ValueStore>))
}

/// The value that a byte of these files stands for.
pub fn published_value(byte: u8) -> Value {
    published::value(byte)
}
