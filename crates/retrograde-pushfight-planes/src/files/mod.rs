pub(crate) mod block_cache;
pub(crate) mod depth_block;
pub(crate) mod depth_file;
pub(crate) mod depth_read;
pub(crate) mod depth_write;
pub(crate) mod log;
pub(crate) mod sidecar;
pub(crate) mod timings;
