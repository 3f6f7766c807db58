//! Data sets: every position of a table with its value, as CSV, NPY or Parquet, for people who
//! compute with values rather than look at them.
//!
//! Rows stream from the table to the file; only one batch is in memory. Files are written under a temporary
//! name and renamed when complete, so a file with its final name is always complete. `docs/data-sets.md`
//! describes the columns; outcome and turns are for the side to move.

mod book;
pub(crate) mod certificate;
mod csv;
mod data_set;
mod evaluation;
mod npy;
mod output_file;
#[cfg(feature = "parquet")]
mod parquet;
pub(crate) mod publish;
mod published_output;
mod temporary;

pub use book::WrittenBook;
pub use csv::csv_field;
pub use data_set::{Format, Selection, Written};
pub use evaluation::set::{
    DrawRule, EvaluationFile, EvaluationOptions, EvaluationRow, EvaluationSet, RowsFormat, Split, TurnRow,
};
pub use output_file::{OutputFile, is_standard_output, keep_existing_files, reason, reject_existing};
pub use temporary::{before_temporaries, remove_temporaries};

pub use crate::game::published::{Digits, PublishJob, Published, PublishedFile, PublishedPart};

#[cfg(test)]
mod tests;
