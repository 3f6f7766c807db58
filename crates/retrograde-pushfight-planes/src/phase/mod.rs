pub(crate) mod block;
pub(crate) mod count;
pub(crate) mod engine;
pub(crate) mod kinds;
pub(crate) mod push_cache;
pub(crate) mod sparse_losses;
