//! Keeps decoded blocks and pages in memory.
//!
//! Most lookups, from several threads, need blocks that were used before. So the most used blocks must
//! be found quickly, and a block that is used once must not evict them. (With `quick_cache`, which
//! `retrograde-serve` uses, looking up all turns of a position took an eighth longer.)

use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};
use rustc_hash::FxHashMap;

/// Enough shards that threads seldom wait for each other.
const SHARDS: usize = 16;

pub(crate) struct BlockCache<B> {
    shards: [Mutex<CacheShard<B>>; SHARDS],
    /// The capacity of all shards together, in blocks.
    pub most: usize,
}

impl<B> BlockCache<B> {
    /// Returns an empty cache for up to `most` blocks.
    pub(crate) fn new(most: usize) -> BlockCache<B> {
        BlockCache { shards: Default::default(), most }
    }
}

/// One shard of the cache. Every block that is read enters the young generation. When this reaches
/// half of the limit, it becomes the old generation, and old blocks that were not read since are
/// dropped.
struct CacheShard<B> {
    young: FxHashMap<usize, Arc<B>>,
    old: FxHashMap<usize, Arc<B>>,
}

impl<B> Default for CacheShard<B> {
    fn default() -> CacheShard<B> {
        CacheShard { young: FxHashMap::default(), old: FxHashMap::default() }
    }
}

impl<B> BlockCache<B> {
    fn shard(&self, number: usize) -> MutexGuard<'_, CacheShard<B>> {
        self.shards[number % SHARDS].lock()
    }

    /// Whether a block is cached.
    pub(crate) fn has(&self, number: usize) -> bool {
        let shard = self.shard(number);
        shard.young.contains_key(&number) || shard.old.contains_key(&number)
    }

    /// Limits the capacity to `blocks`, but not below two per shard.
    pub(crate) fn limit(&mut self, blocks: usize) {
        self.most = self.most.min(blocks.max(2 * SHARDS));
    }

    pub(crate) fn get(&self, number: usize) -> Option<Arc<B>> {
        let mut shard = self.shard(number);
        if let Some(block) = shard.young.get(&number) {
            return Some(block.clone());
        }
        let block = shard.old.remove(&number)?;
        shard.put(number, block.clone(), self.most);
        Some(block)
    }

    pub(crate) fn put(&self, number: usize, block: Arc<B>) {
        self.shard(number).put(number, block, self.most);
    }
}

impl<B> CacheShard<B> {
    fn put(&mut self, number: usize, block: Arc<B>, most: usize) {
        if self.young.len() >= most / SHARDS / 2 {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(number, block);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn used_blocks_stay_and_others_are_evicted() {
        const MAX_BLOCKS: usize = 4096;
        let cache = BlockCache::new(MAX_BLOCKS);
        let block = || Arc::new("a block");
        cache.put(0, block());
        for number in 1..10 * MAX_BLOCKS {
            assert!(cache.get(number).is_none());
            cache.put(number, block());
            assert!(cache.get(0).is_some(), "after {number}");
        }
        let present = (0..10 * MAX_BLOCKS).filter(|&number| cache.get(number).is_some()).count();
        assert!((MAX_BLOCKS / 2..=MAX_BLOCKS).contains(&present), "{present}");
        assert!(cache.get(1).is_none() && cache.get(10 * MAX_BLOCKS - 1).is_some());
    }
}
