//! File formats: the manifest, the file of values with its cells and blocks, the counts of
//! positions, and the frame of files that are not tables of all indices. This module opens no
//! files.

pub(crate) mod cells;
pub(crate) mod codec;
pub(crate) mod counts;
pub(crate) mod frame;
pub(crate) mod manifest;
pub(crate) mod run;
pub(crate) mod sealed_json;
pub(crate) mod values_file;
