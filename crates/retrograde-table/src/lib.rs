//! Tables of solved games in files: compressed, checksummed, probed in microseconds.
//!
//! A table is a directory with a manifest, which describes it, and blocks of values. It is either
//! complete or absent ([`TableWriter`]). A read returns the right value or an error that names the
//! file and the block ([`Table`]). This crate knows neither games nor solvers.
//!
//! ```
//! use retrograde_game::{Index, Knowledge, Score, Stored, Turns, Value};
//! use retrograde_table::{CellWidth, Counts, Expectations, TableKind, Manifest, Table, TableWriter};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let dir = tempfile::tempdir()?;
//! # let tables = dir.path();
//! // Three positions: lost in 0 turns, won in 1, and one index without a position.
//! let scores = [0, u8::MAX - 1, u8::NONE];
//! let manifest = Manifest::new("nim:3", 1, 1, TableKind::Full, CellWidth::Byte, 3);
//! let mut writer = TableWriter::create(tables, manifest)?;
//! writer.write_scores(&scores)?;
//! writer.set_counts(Counts::of_scores(&scores));
//! writer.finish()?;
//!
//! let expected = Expectations { rules_version: 1, index_version: 1, index_count: 3 };
//! let table = Table::open(tables, "nim:3", expected)?;
//! assert_eq!(table.get(Index(1))?, Stored::Known(Knowledge::Exact(Value::Win(Turns(1)))));
//! assert_eq!(table.get(Index(2))?, Stored::Nothing);
//! assert!(table.get(Index(3)).is_err());
//! assert_eq!(table.manifest().counts.positions.0, 2);
//! # Ok(())
//! # }
//! ```
//!
//! The formats are described with the code: `src/format/values_file.rs` for tables,
//! `src/write/block_log.rs` for work files, from which an interrupted solver resumes, [`site`] for games as
//! static files of a web host.

mod cache;
pub mod compression;
mod directory;
mod error;
#[cfg(not(target_family = "wasm"))]
mod foreign;
mod format;
mod read;
pub mod site;
mod storage;
#[cfg(feature = "testing")]
#[doc(hidden)]
pub mod testing;
mod write;

pub use directory::leftovers::{RemovedFile, remove_file, remove_folder, remove_table, remove_unfinished};
pub use directory::lock::GameLock;
pub use directory::names::{directory_name, name_of_directory};
pub use error::{FilePart, TableError, VersionKind};
#[cfg(not(target_family = "wasm"))]
pub use foreign::bytes::ByteFile;
pub use format::cells::{CellWidth, TableKind};
pub use format::counts::{ByTurns, Count, Counts};
pub use format::frame::{FrameDirectory, FrameFormat, FrameReader};
pub use format::manifest::{FORMAT_VERSION, Manifest, StartValue, ValuesFile};
pub use format::run::{read_seconds, write_seconds};
pub use format::sealed_json::{read_sealed, seal_json, seal_json_line, unseal_json, write_sealed};
pub use read::block::Block;
pub use read::check::FileReport;
pub use read::list::list;
pub use read::table::{Expectations, ReadOptions, Table};
pub use retrograde_solve::{put_varint, take_varint};
pub use storage::memory::MemoryStorage;
pub use storage::{
    DiskStorage, Sink, Source, Storage, open_regular, read_file, read_up_to, replace_file, short_name,
    write_all,
};
pub use write::block_log::{BlockLogReader, BlockLogWriter};
pub use write::spill::SpillFolder;
pub use write::work::{CheckpointPace, WorkFile, WorkIdentity};
pub use write::writer::{TableWriter, WriteOptions};
