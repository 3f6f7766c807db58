//! The partition of positions among processes: blocks of neighbouring indices go to the processes
//! in turn, to a process with more threads more often.
//!
//! Small blocks, instead of one cut of the numbering, balance games whose layers are ranges of
//! indices: one cut would leave all processes but one idle. Owners are found by arithmetic alone. A
//! process keeps the values of its blocks one after the other; the place there is called *local*,
//! and messages carry local places, which lie closer together than indices and so pack better.

use std::ops::Range;

use retrograde_game::Index;

/// The partition of the indices among the processes, in blocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Partition {
    /// Indices in all.
    count: u64,
    /// A block has 2 to this power indices.
    bits: u32,
    /// The owner of each block of a round, after which the owners repeat.
    owners: Vec<u32>,
    /// The number of each block among those of its owner, within the round.
    ranks: Vec<u32>,
    /// The blocks of each process within a round.
    slots: Vec<Vec<u32>>,
}

/// Blocks are as large as this at the most, as a power of two: large enough to send values in few
/// pieces.
const MAX_BITS: u32 = 12;

impl Partition {
    /// Deals `count` indices to processes with so many threads each, at least one.
    pub fn new(count: u64, threads: &[u32]) -> Partition {
        let total: u64 = threads.iter().map(|&threads| u64::from(threads.max(1))).sum();
        let bits = (count / (16 * total).max(1)).max(1).ilog2().min(MAX_BITS);
        Partition::with_bits(count, threads, bits)
    }

    /// [`Partition::new`] with blocks of 2 to the power of `bits` indices.
    pub fn with_bits(count: u64, threads: &[u32], bits: u32) -> Partition {
        let most = threads.iter().copied().max().unwrap_or(1).max(1);
        let mut owners = Vec::new();
        // In turn, those with fewer threads ending earlier.
        for turn in 0..most {
            owners.extend(
                (0..).zip(threads).filter(|&(_, &own)| turn < own.max(1)).map(|(process, _)| process),
            );
        }
        let mut slots = vec![Vec::new(); threads.len()];
        let mut ranks = Vec::new();
        for (slot, &owner) in (0..).zip(&owners) {
            let own: &mut Vec<u32> = &mut slots[owner as usize];
            ranks.push(own.len() as u32);
            own.push(slot);
        }
        Partition { count, bits, owners, ranks, slots }
    }

    /// Indices in all.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The number of processes.
    pub fn processes(&self) -> usize {
        self.slots.len()
    }

    /// The power of two of a block.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// The owner of an index and its place there.
    #[inline]
    pub fn place(&self, Index(index): Index) -> (u32, u64) {
        let block = index >> self.bits;
        let round = block / self.owners.len() as u64;
        let slot = (block % self.owners.len() as u64) as usize;
        let owner = self.owners[slot];
        let own = self.slots[owner as usize].len() as u64;
        let local = round * own + u64::from(self.ranks[slot]);
        (owner, local << self.bits | index & ((1 << self.bits) - 1))
    }

    /// The index at a place of a process; past the end of the process it is past the end of all.
    #[inline]
    pub fn index(&self, owner: u32, local: u64) -> Index {
        let slots = &self.slots[owner as usize];
        let block = local >> self.bits;
        let slot = slots[(block % slots.len() as u64) as usize];
        let block = block / slots.len() as u64 * self.owners.len() as u64 + u64::from(slot);
        Index(block << self.bits | local & ((1 << self.bits) - 1))
    }

    /// The number of indices that a process owns.
    pub fn owned(&self, owner: u32) -> u64 {
        let blocks = self.count.div_ceil(1 << self.bits);
        let round = self.owners.len() as u64;
        let slots = &self.slots[owner as usize];
        let whole = blocks / round * slots.len() as u64;
        let rest = slots.iter().filter(|&&slot| u64::from(slot) < blocks % round).count() as u64;
        let owned = (whole + rest) << self.bits;
        // The last block may not be full.
        let missing = (blocks << self.bits) - self.count;
        if blocks > 0 && self.owners[((blocks - 1) % round) as usize] == owner {
            owned - missing
        } else {
            owned
        }
    }

    /// The pieces of a range of indices that lie together at one owner, in order: owner, local
    /// place, range.
    pub fn pieces(&self, range: Range<u64>) -> impl Iterator<Item = (u32, u64, Range<u64>)> + '_ {
        let mut at = range.start;
        std::iter::from_fn(move || {
            (at < range.end).then(|| {
                let end = (((at >> self.bits) + 1) << self.bits).min(range.end);
                let (owner, local) = self.place(Index(at));
                let piece = (owner, local, at..end);
                at = end;
                piece
            })
        })
    }

    /// The pieces of a range of local places of a process: each place with the indices that lie
    /// together there.
    pub fn pieces_of(&self, owner: u32, from: u64, to: u64) -> impl Iterator<Item = (u64, Range<u64>)> + '_ {
        let to = to.min(self.owned(owner));
        let mut at = from;
        std::iter::from_fn(move || {
            (at < to).then(|| {
                let end = (((at >> self.bits) + 1) << self.bits).min(to);
                let Index(index) = self.index(owner, at);
                let piece = (at, index..index + (end - at));
                at = end;
                piece
            })
        })
    }

    /// The pieces of a range of indices that one process owns: local places and indices, both of
    /// one length.
    pub fn own_pieces(&self, owner: u32, range: Range<u64>) -> impl Iterator<Item = (u64, Range<u64>)> + '_ {
        let slots = &self.slots[owner as usize];
        let round = self.owners.len() as u64;
        let first = (range.start >> self.bits) / round;
        let last = if range.is_empty() { first } else { ((range.end - 1) >> self.bits) / round + 1 };
        (first..last).flat_map(move |turn| {
            let range = range.clone();
            slots.iter().filter_map(move |&slot| {
                let block = turn * round + u64::from(slot);
                let (from, to) = (block << self.bits, (block + 1) << self.bits);
                let (from, to) = (from.max(range.start), to.min(range.end));
                (from < to).then(|| (self.place(Index(from)).1, from..to))
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_index_has_one_place() {
        for threads in [&[1][..], &[1, 1], &[3, 1, 2], &[2, 0, 5, 1]] {
            for bits in 0..4 {
                for count in [0, 1, 2, 7, 16, 65, 200] {
                    let partition = Partition::with_bits(count, threads, bits);
                    let mut seen: Vec<Vec<u64>> = threads.iter().map(|_| Vec::new()).collect();
                    for index in 0..count {
                        let (owner, local) = partition.place(Index(index));
                        assert_eq!(partition.index(owner, local), Index(index));
                        assert_eq!(local, seen[owner as usize].len() as u64);
                        seen[owner as usize].push(index);
                    }
                    for (owner, seen) in (0..).zip(&seen) {
                        assert_eq!(partition.owned(owner), seen.len() as u64, "{threads:?} {bits} {count}");
                        for range in [0..count, count / 3..count / 2, count / 2..count] {
                            let expected: Vec<u64> =
                                seen.iter().copied().filter(|index| range.contains(index)).collect();
                            let pieces: Vec<u64> = partition
                                .own_pieces(owner, range.clone())
                                .inspect(|(local, range)| {
                                    assert_eq!(partition.place(Index(range.start)).1, *local)
                                })
                                .flat_map(|(_, range)| range)
                                .collect();
                            assert_eq!(pieces, expected);
                        }
                    }
                    let all: Vec<u64> = partition.pieces(0..count).flat_map(|(_, _, range)| range).collect();
                    assert_eq!(all, (0..count).collect::<Vec<_>>());
                }
            }
        }
    }

    #[test]
    fn threads_share_evenly() {
        let partition = Partition::new(1 << 20, &[3, 1]);
        assert_eq!((partition.owned(0), partition.owned(1)), (3 << 18, 1 << 18));
    }
}
