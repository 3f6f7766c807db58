//! Caches, per block, the pushes that lead into undecided positions.
//!
//! A loss phase asks which undecided positions have no turn to an undecided position any more. Finding
//! all these pushes again reads all undecided positions, which is half of the work. But only pushes
//! into new wins can have become stale, so only these are rechecked, and only blocks in which a
//! position has lost its last cached push are flooded. The cache takes about twice the memory of the
//! undecided positions. If that is too much, only some sets of pushers are cached.
//!
//! A push into a position that was found lost stays in the cache. Every position with a turn there has
//! been won since, so the push is not used any more.

use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::{Mutex, MutexGuard};
use retrograde_game::Turns;

use crate::layout::lanes::LocalLane;
use crate::layout::numbering::Layout;
use crate::layout::sets::{any_bit, bits_of, has_lane};
use crate::layout::superblocks::SuperblockId;

/// For each superblock its blocks' pushes, and the loss phase up to which they are known.
pub(crate) struct PushCache {
    superblocks: Vec<Mutex<CachedSuperblock>>,
    /// The current loss phase.
    turns: Turns,
    /// Bytes of the cached pushes, and the limit beyond which no more are cached.
    bytes: AtomicU64,
    max_bytes: u64,
}

/// The pushes of a superblock, locked by a thread.
pub(crate) struct CachedSuperblockLock<'a> {
    superblock: MutexGuard<'a, CachedSuperblock>,
    /// Bytes of all superblocks.
    bytes: &'a AtomicU64,
}

/// The pushes of a superblock's blocks.
struct CachedSuperblock {
    /// The loss phase after which the pushes are valid; `None` if they are not known.
    turns: Option<Turns>,
    /// By opposing pawns.
    blocks: Vec<CachedBlock>,
}

/// The rows of a block that are not empty.
#[derive(Clone, Default)]
pub(crate) struct CachedBlock {
    /// For each 64 rows: a bit for each row that is present, and the number of rows before them.
    present: Vec<(u64, u32)>,
    rows: Vec<u64>,
}

impl CachedBlock {
    fn new<const W: usize>(block: &[[u64; W]]) -> CachedBlock {
        let mut kept =
            CachedBlock { present: Vec::with_capacity(block.len().div_ceil(64)), rows: Vec::new() };
        let filled = |row: &&[u64; W]| any_bit(row);
        kept.rows.reserve_exact(block.iter().filter(filled).count() * W);
        for rows in block.chunks(64) {
            let before = (kept.rows.len() / W) as u32;
            let mut present = 0;
            for (bit, row) in rows.iter().enumerate().filter(|(_, row)| filled(row)) {
                present |= 1 << bit;
                kept.rows.extend_from_slice(row);
            }
            kept.present.push((present, before));
        }
        kept
    }

    fn bytes(&self) -> u64 {
        (self.present.capacity() * size_of::<(u64, u32)>() + self.rows.capacity() * 8) as u64
    }

    /// A stored row, which is not empty or has become empty.
    #[inline(always)]
    pub(crate) fn row<const W: usize>(&mut self, row: usize) -> Option<&mut [u64; W]> {
        let &(present, before) = self.present.get(row / 64)?;
        let below = (present & ((1 << (row % 64)) - 1)).count_ones();
        (present >> (row % 64) & 1 == 1)
            .then(|| &mut self.rows.as_chunks_mut::<W>().0[(before + below) as usize])
    }

    /// Writes all rows into a block.
    pub(crate) fn load<const W: usize>(&self, block: &mut [[u64; W]]) {
        block.fill([0; W]);
        let mut rows = self.rows.as_chunks::<W>().0.iter();
        for (&(present, _), block) in self.present.iter().zip(block.chunks_mut(64)) {
            for (row, kept) in bits_of(present).zip(&mut rows) {
                block[row] = *kept;
            }
        }
    }
}

impl CachedSuperblockLock<'_> {
    /// The pushes of a block.
    pub(crate) fn block(&mut self, lane: LocalLane) -> &mut CachedBlock {
        &mut self.superblock.blocks[lane]
    }

    /// Sets the pushes of a block.
    pub(crate) fn set<const W: usize>(&mut self, lane: LocalLane, block: Option<&[[u64; W]]>) {
        self.replace(lane, block.map_or_else(CachedBlock::default, CachedBlock::new));
    }

    fn replace(&mut self, lane: LocalLane, block: CachedBlock) {
        self.bytes.fetch_add(block.bytes(), Ordering::Relaxed);
        let before = std::mem::replace(&mut self.superblock.blocks[lane], block);
        self.bytes.fetch_sub(before.bytes(), Ordering::Relaxed);
    }
}

impl PushCache {
    /// Returns an empty cache.
    pub(crate) fn new(layout: &Layout) -> PushCache {
        let none = || Mutex::new(CachedSuperblock { turns: None, blocks: Vec::new() });
        let superblocks = layout.superblocks.iter().map(|_| none()).collect();
        PushCache { superblocks, turns: Turns(0), bytes: AtomicU64::new(0), max_bytes: 0 }
    }

    /// Begins the loss phase of `turns` turns. The cache takes no more pushes once it has
    /// `max_bytes` bytes.
    pub(crate) fn begin(&mut self, turns: Turns, max_bytes: u64) {
        (self.turns, self.max_bytes) = (turns, max_bytes);
    }

    /// Bytes of the cached pushes.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Whether the pushes of a superblock are valid after the loss phase before this one.
    pub(crate) fn are_known(&self, superblock: SuperblockId) -> bool {
        self.lock(superblock).turns.is_some_and(|turns| turns.0 + 2 == self.turns.0)
    }

    /// Whether the pushes of some superblocks are cached in this phase: always if they are known,
    /// otherwise if there is room. If not, drops them.
    pub(crate) fn retains(&self, superblocks: impl Iterator<Item = SuperblockId> + Clone) -> bool {
        if self.bytes() < self.max_bytes || superblocks.clone().all(|superblock| self.are_known(superblock)) {
            return true;
        }
        for superblock in superblocks {
            let mut cached = self.lock(superblock);
            let bytes = cached.blocks.iter().map(CachedBlock::bytes).sum();
            self.bytes.fetch_sub(bytes, Ordering::Relaxed);
            *cached = CachedSuperblock { turns: None, blocks: Vec::new() };
        }
        false
    }

    /// Locks the pushes of a superblock to update them for this phase. Drops the blocks that are not in
    /// `lanes`, which have no undecided positions any more.
    pub(crate) fn open(
        &self,
        layout: &Layout,
        superblock: SuperblockId,
        lanes: &[u64],
    ) -> CachedSuperblockLock<'_> {
        let mut cached = self.lock(superblock);
        cached.turns = Some(self.turns);
        cached.blocks.resize_with(layout.lanes, CachedBlock::default);
        let mut lock = CachedSuperblockLock { superblock: cached, bytes: &self.bytes };
        for lane in (0..layout.lanes).map(LocalLane::new).filter(|&lane| !has_lane(lanes, lane)) {
            lock.replace(lane, CachedBlock::default());
        }
        lock
    }

    fn lock(&self, superblock: SuperblockId) -> MutexGuard<'_, CachedSuperblock> {
        self.superblocks[superblock].lock()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::numbering::with_words;
    use crate::layout::scope::Scope;

    #[test]
    fn pushes_beyond_the_limit_are_dropped() {
        fn filled<const W: usize>(layout: &Layout) {
            let mut push_cache = PushCache::new(layout);
            let retains = |push_cache: &PushCache, superblocks: &[u32]| {
                push_cache.retains(superblocks.iter().copied().map(SuperblockId))
            };
            let block = vec![[1; W]; layout.rows.len()];
            push_cache.begin(Turns(4), 1);
            assert!(retains(&push_cache, &[0, 1]));
            for superblock in [0, 1].map(SuperblockId) {
                push_cache.open(layout, superblock, &[u64::MAX; W]).set(LocalLane::new(0), Some(&block));
            }
            let both = push_cache.bytes();
            assert!(both >= 2 * size_of_val(&*block) as u64);
            assert!(!retains(&push_cache, &[2]));
            // Known pushes stay if the pushes of the whole set of pushers are known.
            push_cache.begin(Turns(6), 1);
            assert!(retains(&push_cache, &[0]) && push_cache.are_known(SuperblockId(1)));
            assert!(!retains(&push_cache, &[1, 2]));
            assert!(push_cache.are_known(SuperblockId(0)) && !push_cache.are_known(SuperblockId(1)));
            assert_eq!(push_cache.bytes(), both / 2);
            // The block has no undecided positions any more.
            push_cache.open(layout, SuperblockId(0), &[0; W]);
            assert_eq!(push_cache.bytes(), 0);
        }
        let game = crate::testing::game("pushfight:mini,pushers=2,pawns=1");
        let layout = Layout::new(&game, Scope::PlausibleAndStarts).unwrap();
        with_words!(layout, W => filled::<W>(&layout));
    }

    #[test]
    fn cached_blocks_keep_their_rows() {
        for rows in [1, 64, 65, 200] {
            let block: Vec<[u64; 2]> =
                (0..rows).map(|row| [u64::from(row % 3 == 1) * (row + 7), 0]).collect();
            let mut kept = CachedBlock::new(&block);
            let mut loaded = vec![[5; 2]; block.len()];
            kept.load(&mut loaded);
            assert_eq!(loaded, block);
            for (at, row) in block.iter().enumerate() {
                let cached = kept.row(at);
                assert_eq!(cached.as_deref(), (row[0] != 0).then_some(row));
                if let Some(cached) = cached {
                    *cached = [0, 9];
                }
            }
            kept.load(&mut loaded);
            let changed = |row: &[u64; 2]| if row[0] == 0 { [0; 2] } else { [0, 9] };
            assert_eq!(loaded, block.iter().map(changed).collect::<Vec<_>>());
        }
    }
}
