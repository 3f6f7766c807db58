//! Entry points for `fuzz/`: logs of a solve, as a resumed solve reads them. Only with the feature
//! `fuzzing`, without stability guarantees.

use std::io;
use std::path::Path;
use std::sync::Arc;

use retrograde_pushfight::PushFight;
use retrograde_solve::Silent;
use retrograde_table::Storage;

use crate::files::log::{Log, LogRecord};
use crate::layout::numbering::Layout;
use crate::layout::scope::Scope;
use crate::layout::sparse::count_bits;

/// Reads all logs in a directory completely.
///
/// # Errors
/// An error of the storage, or a record that is damaged in spite of its checksum.
pub fn read_logs(game: &PushFight, directory: &Path, storage: &Arc<dyn Storage>) -> io::Result<()> {
    let Some(layout) = Layout::new(game, Scope::PlausibleAndStarts) else { return Ok(()) };
    let log = Log::new(game, directory, storage);
    for phase in log.phases()? {
        let found = log.open_checked(phase, &Silent)?;
        let _ = (found.is_complete(), found.seconds());
        for superblock in layout.superblocks.ids() {
            let (cells, mut bits) = (found.read(superblock, layout.cell_shape())?, 0);
            cells.for_each_row(|cell, _, row| {
                assert!(cell < layout.cells.len());
                bits += count_bits(row);
            });
            assert_eq!(bits, cells.count());
        }
    }
    Ok(())
}

/// Reads a record in the form in which another process sends it.
pub fn record(game: &PushFight, bytes: &[u8]) {
    let Some(layout) = Layout::new(game, Scope::PlausibleAndStarts) else { return };
    if let Some(record) = LogRecord::from_message(bytes) {
        drop(record.cells(layout.cell_shape()));
        assert_eq!(record.message(), bytes);
    }
}
