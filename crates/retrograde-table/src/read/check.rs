//! Checks the files of a table: every checksum, and every fault reported, not only the first, so
//! that a user can see whether one sector has failed or the whole disk.

use crate::error::{FilePart, TableError};
use crate::format::values_file::{self, PAGE_BLOCKS};
use crate::read::table::Table;
use crate::storage::read_up_to;

/// The result of a check of the files.
#[derive(Debug, Default)]
pub struct FileReport {
    /// Bytes read.
    pub bytes: u64,
    /// The number of blocks according to the manifest.
    pub blocks: u64,
    /// The number of blocks that are intact.
    pub whole_blocks: u64,
    /// All faults in the order of their place in the file. Faults of the whole file come last.
    pub faults: Vec<TableError>,
}

impl FileReport {
    /// Whether no fault was found.
    pub fn is_whole(&self) -> bool {
        self.faults.is_empty()
    }
}

/// The number of bytes read at a time.
const PIECE: usize = 1 << 20;

impl Table {
    /// Reads everything and checks every checksum. `progress` is called with the bytes done and the
    /// total. The file is read twice, once as a whole and once by blocks.
    ///
    /// # Errors
    /// An error of the system. Faults of the file are in the report.
    pub fn check_files(&self, mut progress: impl FnMut(u64, u64)) -> Result<FileReport, TableError> {
        let values = &self.values;
        let total = values.footer.file_bytes;
        let mut report = FileReport { bytes: total, blocks: self.block_count(), ..FileReport::default() };
        let io = |error| TableError::io("read", &values.path, error);
        let (mut page, mut stored) = (Vec::new(), Vec::new());
        let mut block = vec![0; self.manifest().block_bytes as usize];
        let mut pages_checksum = 0;
        for number in 0..self.block_count().div_ceil(PAGE_BLOCKS) {
            let blocks = number * PAGE_BLOCKS..((number + 1) * PAGE_BLOCKS).min(self.block_count());
            match values.read_page(number, &mut page) {
                Ok(()) => {}
                Err(fault) if is_fault(&fault) => {
                    report.faults.push(fault);
                    continue;
                }
                Err(error) => return Err(error),
            }
            pages_checksum = crc32c::crc32c_append(pages_checksum, &page);
            let mut end = 0;
            for (at, block_number) in blocks.enumerate() {
                let described = values_file::described(&page, at);
                end = described.0.saturating_add(described.1.length.into());
                let block = &mut block[..values.block_length(block_number)];
                match values.read_described(block_number, described, &mut stored, block) {
                    Ok(()) => report.whole_blocks += 1,
                    Err(fault) if is_fault(&fault) => report.faults.push(fault),
                    Err(error) => return Err(error),
                }
            }
            progress(end.min(total) / 2, total);
        }
        if report.faults.is_empty() && pages_checksum != values.footer.pages_checksum {
            let reason = "the checksum of all block descriptions is wrong";
            report.faults.push(TableError::damaged(&values.path, FilePart::Footer, reason));
        }

        let mut hash = blake3::Hasher::new();
        let mut piece = vec![0; PIECE];
        let mut offset = 0;
        loop {
            let read = read_up_to(&*values.source, &mut piece, offset).map_err(io)?;
            if read == 0 {
                break;
            }
            hash.update(&piece[..read]);
            offset += read as u64;
            progress(total / 2 + offset.min(total) / 2, total);
        }
        if offset != total {
            let file = values.path.clone();
            report.faults.push(TableError::Truncated { file, found: offset, expected: total });
        } else if hash.finalize().to_hex().as_str() != self.manifest().values.blake3 {
            let reason = "its BLAKE3 hash is not the one in the manifest";
            report.faults.push(TableError::damaged(&values.path, FilePart::Whole, reason));
        }
        progress(total, total);
        Ok(report)
    }
}

fn is_fault(error: &TableError) -> bool {
    matches!(error, TableError::Damaged { .. } | TableError::Truncated { .. })
}
