//! The formats of files: the manifest, the file of values with its cells and blocks, the counts of
//! positions, and the frame of files that fit no table of all indices. Nothing here opens a file.

pub(crate) mod cells;
pub(crate) mod codec;
pub(crate) mod counts;
pub(crate) mod frame;
pub(crate) mod manifest;
pub(crate) mod run;
pub(crate) mod sealed_json;
pub(crate) mod values_file;
pub(crate) mod varint;
