//! Partitions positions among processes: blocks of consecutive indices are dealt to the processes in
//! turn, in proportion to their threads.
//!
//! Small blocks balance games whose layers are ranges of indices: with one contiguous range per
//! process, all processes but one would be idle. Finding an owner takes only arithmetic. A process
//! stores the values of its blocks contiguously; a position's place there is its *local* place.
//! Messages carry local places, which are closer together than indices and compress better.

use std::ops::Range;

use retrograde_game::Index;

/// A partition of the indices into blocks, each owned by a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Partition {
    /// The total number of indices.
    count: u64,
    /// A block has `2^bits` indices.
    bits: u32,
    /// The blocks of a round. Every round has the same owners.
    round: Vec<Slot>,
    /// 2⁶⁴ divided by the blocks of a round, rounded up: a multiplication replaces a slow division.
    inverse: u128,
    /// The blocks of each process within a round.
    slots: Vec<Vec<u32>>,
}

/// A block of a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Slot {
    owner: u32,
    /// Its number among its owner's blocks of the round, and how many there are.
    rank: u32,
    of: u32,
}

/// The maximum block size, as a power of two: large enough to send values in few pieces.
const MAX_BITS: u32 = 12;

impl Partition {
    /// Partitions `count` indices among processes with the given numbers of threads (0 counts as 1).
    pub fn new(count: u64, threads: &[u32]) -> Partition {
        let total: u64 = threads.iter().map(|&threads| u64::from(threads.max(1))).sum();
        let bits = (count / (16 * total).max(1)).max(1).ilog2().min(MAX_BITS);
        Partition::with_bits(count, threads, bits)
    }

    /// Like [`Partition::new`], with blocks of `2^bits` indices.
    pub fn with_bits(count: u64, threads: &[u32], bits: u32) -> Partition {
        let most = threads.iter().copied().max().unwrap_or(1).max(1);
        let mut owners = Vec::new();
        // Round robin; processes with fewer threads drop out earlier.
        for turn in 0..most {
            owners.extend(
                (0..).zip(threads).filter(|&(_, &own)| turn < own.max(1)).map(|(process, _)| process),
            );
        }
        let mut slots = vec![Vec::new(); threads.len()];
        let mut round = Vec::with_capacity(owners.len());
        for (slot, owner) in (0..).zip(owners) {
            let own: &mut Vec<u32> = &mut slots[owner as usize];
            round.push(Slot { owner, rank: own.len() as u32, of: threads[owner as usize].max(1) });
            own.push(slot);
        }
        // The quotient is exact while the product of a block and the length of a round is below 2⁶⁴.
        assert!((count >> bits).checked_mul(round.len() as u64).is_some(), "{count} indices are too many");
        let inverse = (1_u128 << 64).div_ceil(round.len().max(1) as u128);
        Partition { count, bits, round, inverse, slots }
    }

    /// Assigns all indices to process 0.
    pub(super) fn of_first(count: u64, processes: usize) -> Partition {
        let mut partition = Partition::new(count, &[1]);
        partition.slots.resize(processes, Vec::new());
        partition
    }

    /// The total number of indices.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The number of processes.
    pub fn processes(&self) -> usize {
        self.slots.len()
    }

    /// The size of a block, as a power of two.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// Returns the owner of an index and its local place.
    #[inline]
    pub fn place(&self, Index(index): Index) -> (u32, u64) {
        let block = index >> self.bits;
        let round = ((u128::from(block) * self.inverse) >> 64) as u64;
        let Slot { owner, rank, of } = self.round[(block - round * self.round.len() as u64) as usize];
        let local = round * u64::from(of) + u64::from(rank);
        (owner, local << self.bits | index & ((1 << self.bits) - 1))
    }

    /// Returns the index at a local place of a process. A place past the end of the process gives an index
    /// past the end of the numbering.
    #[inline]
    pub fn index(&self, owner: u32, local: u64) -> Index {
        let slots = &self.slots[owner as usize];
        let block = local >> self.bits;
        let slot = slots[(block % slots.len() as u64) as usize];
        let block = block / slots.len() as u64 * self.round.len() as u64 + u64::from(slot);
        Index(block << self.bits | local & ((1 << self.bits) - 1))
    }

    /// The number of indices that a process owns.
    pub fn owned(&self, owner: u32) -> u64 {
        let blocks = self.count.div_ceil(1 << self.bits);
        let round = self.round.len() as u64;
        let slots = &self.slots[owner as usize];
        let whole = blocks / round * slots.len() as u64;
        let rest = slots.iter().filter(|&&slot| u64::from(slot) < blocks % round).count() as u64;
        let owned = (whole + rest) << self.bits;
        // The last block may not be full.
        let missing = (blocks << self.bits) - self.count;
        if blocks > 0 && self.round[((blocks - 1) % round) as usize].owner == owner {
            owned - missing
        } else {
            owned
        }
    }

    /// Splits a range of indices, in order, into pieces that are contiguous at one owner: owner, local
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

    /// Splits a range of local places of a process into pieces with consecutive indices: first local
    /// place, range of indices.
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

    /// Returns the pieces of a range of indices that one process owns: first local place, range of
    /// indices.
    pub fn own_pieces(&self, owner: u32, range: Range<u64>) -> impl Iterator<Item = (u64, Range<u64>)> + '_ {
        let slots = &self.slots[owner as usize];
        let round = self.round.len() as u64;
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
    fn one_process_can_own_all_indices() {
        let partition = Partition::of_first(200, 3);
        assert_eq!([0, 1, 2].map(|process| partition.owned(process)), [200, 0, 0]);
        assert_eq!(partition.own_pieces(0, 0..200).flat_map(|(_, range)| range).count(), 200);
        assert_eq!(partition.own_pieces(1, 0..200).count(), 0);
        assert_eq!(partition.pieces_of(2, 0, 200).count(), 0);
    }

    #[test]
    fn threads_share_evenly() {
        let partition = Partition::new(1 << 20, &[3, 1]);
        assert_eq!((partition.owned(0), partition.owned(1)), (3 << 18, 1 << 18));
    }
}
