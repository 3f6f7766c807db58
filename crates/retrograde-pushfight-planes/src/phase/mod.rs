pub(crate) mod block;
pub(crate) mod engine;
pub(crate) mod push_cache;
pub(crate) mod sparse_losses;
