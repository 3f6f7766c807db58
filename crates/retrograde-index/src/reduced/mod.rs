//! Arrangements up to the symmetries of the board: all images of an arrangement have one index.
//!
//! In every block one set *leads*: the one with which the block has the fewest indices. It is
//! replaced by its least image, and the other sets are numbered on the squares that it leaves free,
//! so the number of indices falls by nearly the number of symmetries. R. Gasser numbered the
//! positions of Nine Men's Morris this way ("Solving Nine Men's Morris", 1996).
//!
//! If a symmetry fixes the leading set, the other sets have several images. The least one gives the
//! index, and the indices of the others belong to no arrangement. Few sets are that symmetric once
//! there are some pieces on the board.

mod classes;
mod fixed_set;
#[cfg(test)]
mod tests;
mod walk;

use std::ops::{Range, RangeInclusive};
use std::sync::{Arc, OnceLock};

use crate::error::IndexError;
use crate::radix::block_ranges::{BlockRanges, combinations_of_counts};
use crate::radix::digits::Digits;
use crate::sets::bits::{Bits, Processor, Task};
use crate::sets::colex_lists::ColexLists;
use crate::sets::colex_ranks::ColexRanks;
use crate::symmetry::symmetry_group::SymmetryGroup;
use classes::Classes;
pub use fixed_set::FixedSetRanker;

/// The numbering of K disjoint sets of squares, with fixed or varying counts, up to the symmetries
/// of the board. K must be at least 1.
///
/// [`ReducedArrangements::rank`] gives all images of an arrangement the same index, and
/// [`ReducedArrangements::unrank`] returns their canonical form for this index, or `None` if no
/// arrangement has the index. A game with this numbering does not change its positions; only the
/// index unites images. Positions are then counted up to symmetry, and solvers do not need the
/// symmetries.
///
/// ```
/// use retrograde_index::{ReducedArrangements, SymmetryGroup};
///
/// // Two white pieces and one black piece on a 3 × 3 board with all its symmetries.
/// let turn = [2, 5, 8, 1, 4, 7, 0, 3, 6];
/// let mirror = [2, 1, 0, 5, 4, 3, 8, 7, 6];
/// let group = SymmetryGroup::generated_by(9, &[turn, mirror])?;
/// let numbering = ReducedArrangements::of_counts(group, &[[2, 1]])?;
/// assert_eq!(numbering.rank([0b11, 0b100]), numbering.rank([0b110, 0b001]));
/// // The 252 arrangements are 38 up to symmetry.
/// assert_eq!(numbering.orbits(), Some(38));
/// let canonical = (0..numbering.count()).filter(|&index| numbering.unrank(index).is_some());
/// assert_eq!(canonical.count(), 38);
/// # Ok::<(), retrograde_index::IndexError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ReducedArrangements<const K: usize> {
    group: SymmetryGroup,
    /// All squares of the board.
    board: u64,
    blocks: Vec<Block<K>>,
    ranges: BlockRanges<K>,
    /// By size of the leading set; each is created on first use.
    classes: Arc<[OnceLock<Classes>]>,
    lists: ColexLists,
    ranks: ColexRanks,
    processor: Processor,
}

/// The arrangements with the same counts.
#[derive(Clone, Debug)]
struct Block<const K: usize> {
    start: u64,
    /// The leading set. It has the first digit, and the others follow in order.
    lead: usize,
    digits: Digits<K>,
}

/// Moves the leading set to the front. (Rotating a slice calls a library function that takes longer
/// than the rest of a rank.)
#[inline(always)]
fn lead_first<T: Copy, const K: usize>(sets: &mut [T; K], lead: usize) {
    for at in (0..lead.min(K - 1)).rev() {
        sets.swap(at, at + 1);
    }
}

/// Moves the leading set back to its place.
#[inline(always)]
fn lead_back<T: Copy, const K: usize>(sets: &mut [T; K], lead: usize) {
    for at in 0..lead.min(K - 1) {
        sets.swap(at, at + 1);
    }
}

impl<const K: usize> Block<K> {
    /// The block with these counts and leading set, and its number of indices.
    fn led_by(
        group: &SymmetryGroup,
        mut counts: [u32; K],
        lead: usize,
    ) -> Result<(Block<K>, u64), IndexError> {
        lead_first(&mut counts, lead);
        let (classes, _) = classes::size(group, counts[0])?;
        let digits = Digits::new(group.squares(), counts)?;
        let others = digits.count_from(1).ok_or(IndexError::TooMany)?;
        let count = classes.checked_mul(others).ok_or(IndexError::TooMany)?;
        Ok((Block { start: 0, lead, digits }, count))
    }
}

impl<const K: usize> ReducedArrangements<K> {
    /// Creates the numbering of the arrangements in which the i-th set has one of the counts
    /// `counts[i]`. Blocks are in lexicographic order of the counts. Combinations of counts that do
    /// not fit on the board have no block.
    ///
    /// # Errors
    /// The same as [`ReducedArrangements::of_counts`].
    pub fn new(
        group: SymmetryGroup,
        counts: [RangeInclusive<u32>; K],
    ) -> Result<ReducedArrangements<K>, IndexError> {
        let blocks = combinations_of_counts(group.squares(), &counts)?;
        ReducedArrangements::of_counts(group, &blocks)
    }

    /// Creates the numbering of the arrangements with these counts, block after block. Fast; the
    /// tables of sets are only built when they are first needed.
    ///
    /// # Errors
    /// If there are more indices than 64 bits can number, too many blocks, or a block in which
    /// every possible leading set has too many sets of its size; if the counts of a block do not
    /// fit on the board, or two blocks have the same counts.
    pub fn of_counts(
        group: SymmetryGroup,
        blocks: &[[u32; K]],
    ) -> Result<ReducedArrangements<K>, IndexError> {
        let classes = (0..=group.squares()).map(|_| OnceLock::new()).collect();
        let ranks = ColexRanks::new(group.squares());
        ReducedArrangements::made_of(group, classes, ranks, blocks)
    }

    /// Creates a numbering of other blocks that shares the tables of this one. For games that
    /// combine the sets with other numbers, such as pieces in hand, each of which needs other
    /// blocks.
    ///
    /// # Errors
    /// The same as [`ReducedArrangements::of_counts`].
    pub fn with_counts(&self, blocks: &[[u32; K]]) -> Result<ReducedArrangements<K>, IndexError> {
        ReducedArrangements::made_of(
            self.group.clone(),
            Arc::clone(&self.classes),
            self.ranks.clone(),
            blocks,
        )
    }

    fn made_of(
        group: SymmetryGroup,
        classes: Arc<[OnceLock<Classes>]>,
        ranks: ColexRanks,
        blocks: &[[u32; K]],
    ) -> Result<ReducedArrangements<K>, IndexError> {
        const { assert!(K > 0, "there must be at least one set") };
        let squares = group.squares();
        let mut ranges = BlockRanges::new(squares, blocks)?;
        let mut made = Vec::with_capacity(blocks.len());
        for &counts in blocks {
            let candidates = (0..K).map(|lead| Block::led_by(&group, counts, lead));
            // Takes the first with the fewest indices; an error only if no set can lead.
            let best = candidates.reduce(|best, next| match (&best, &next) {
                (Ok((_, fewest)), Ok((_, count))) if count < fewest => next,
                (Err(_), Ok(_)) => next,
                _ => best,
            });
            let (block, count) = best.ok_or(IndexError::NotAGroup)??;
            made.push(Block { start: ranges.add(count)?, ..block });
        }
        let most = blocks.iter().flatten().copied().max().unwrap_or(0);
        Ok(ReducedArrangements {
            group,
            board: if squares == 0 { 0 } else { u64::MAX >> (64 - squares) },
            blocks: made,
            ranges,
            classes,
            lists: ColexLists::new(squares, most),
            ranks,
            processor: Processor::detect(),
        })
    }

    /// The symmetries of the board.
    pub fn group(&self) -> &SymmetryGroup {
        &self.group
    }

    /// The number of indices, including those without an arrangement.
    pub fn count(&self) -> u64 {
        self.ranges.count()
    }

    /// The number of arrangements up to symmetry, which is the number of indices with an
    /// arrangement. Uses Burnside's lemma. `None` if counting takes too much memory.
    pub fn orbits(&self) -> Option<u128> {
        let orbits = |block: &Block<K>| self.group.orbits(&block.digits.counts);
        self.blocks.iter().try_fold(0_u128, |sum, block| sum.checked_add(orbits(block)?))
    }

    /// The bytes of memory that the tables take once they are built, including those shared with
    /// other numberings ([`ReducedArrangements::with_counts`]). Builds nothing.
    pub fn memory(&self) -> u64 {
        let mut sizes: Vec<u32> = self.blocks.iter().map(|block| block.digits.counts[0]).collect();
        sizes.sort_unstable();
        sizes.dedup();
        sizes.iter().filter_map(|&count| classes::size(&self.group, count).ok()).map(|(_, bytes)| bytes).sum()
    }

    /// The indices of the arrangements with these counts; `None` if no block has them.
    pub fn block(&self, counts: [u32; K]) -> Option<Range<u64>> {
        self.ranges.range(counts)
    }

    /// The index that an arrangement shares with all its images; `None` if its sets overlap or
    /// leave the board, or no block has its counts.
    #[inline]
    pub fn rank(&self, sets: [u64; K]) -> Option<u64> {
        self.processor.run(Rank { numbering: self, sets })
    }

    /// The canonical form of the arrangements with an index; `None` if no arrangement has it.
    #[inline]
    pub fn unrank(&self, index: u64) -> Option<[u64; K]> {
        let block = &self.blocks[self.ranges.block_at(index)?];
        let (_, mut sets) = self.unranked(block, index - block.start);
        self.is_canonical(block, &sets).then(|| {
            lead_back(&mut sets, block.lead);
            sets
        })
    }

    /// The canonical form of an arrangement; `None` in the same cases as [`ReducedArrangements::rank`].
    pub fn canonical(&self, sets: [u64; K]) -> Option<[u64; K]> {
        self.unrank(self.rank(sets)?)
    }

    /// The classes of the leading sets of a block.
    #[inline]
    fn classes(&self, block: &Block<K>) -> &Classes {
        let count = block.digits.counts[0];
        self.classes[count as usize].get_or_init(|| Classes::new(&self.group, count))
    }

    /// The class of the leading set and all sets, leading set first, for a number within a block.
    /// The sets do not have to be the least images.
    #[inline]
    fn unranked(&self, block: &Block<K>, within: u64) -> (usize, [u64; K]) {
        self.processor.run(Unrank { numbering: self, block, within })
    }

    /// Whether `sets`, with the leading set first and in its least image, are the least of the
    /// images that fix the leading set.
    fn is_canonical(&self, block: &Block<K>, sets: &[u64; K]) -> bool {
        let classes = self.classes(block);
        let (class, _) = classes.class(&self.ranks, sets[0]);
        self.is_least(classes.stabiliser(class), sets)
    }

    /// Whether none of these symmetries maps the sets after the first one to lesser sets.
    #[inline]
    fn is_least(&self, symmetries: &[u16], sets: &[u64; K]) -> bool {
        symmetries.iter().all(|&symmetry| !self.is_less(symmetry, sets, sets))
    }

    /// Whether the image of `sets` is less than `than`, ignoring the first set.
    #[inline]
    fn is_less(&self, symmetry: u16, sets: &[u64; K], than: &[u64; K]) -> bool {
        let symmetry = &self.group.symmetries()[usize::from(symmetry)];
        for at in 1..K {
            let image = symmetry.image(sets[at]);
            if image != than[at] {
                return image < than[at];
            }
        }
        false
    }
}

/// The task that ranks an arrangement.
struct Rank<'a, const K: usize> {
    numbering: &'a ReducedArrangements<K>,
    sets: [u64; K],
}

impl<const K: usize> Task for Rank<'_, K> {
    type Output = Option<u64>;

    #[inline(always)]
    fn run<B: Bits>(self, bits: B) -> Option<u64> {
        let Rank { numbering, mut sets } = self;
        let (mut counts, mut free, mut apart) = ([0; K], numbering.board, true);
        for (count, set) in counts.iter_mut().zip(sets) {
            *count = set.count_ones();
            apart &= set & !free == 0;
            free &= !set;
        }
        let block = numbering.blocks.get(numbering.ranges.block(counts)?)?;
        if !apart {
            return None;
        }
        lead_first(&mut sets, block.lead);
        let classes = numbering.classes(block);
        let (class, symmetry) = classes.class(&numbering.ranks, sets[0]);
        let symmetries = numbering.group.symmetries();
        let lead = classes.representative(class);
        for set in &mut sets[1..] {
            *set = symmetries[symmetry].image(*set);
        }
        let mut least = sets;
        for &symmetry in classes.stabiliser(class) {
            if numbering.is_less(symmetry, &sets, &least) {
                for at in 1..K {
                    least[at] = symmetries[usize::from(symmetry)].image(sets[at]);
                }
            }
        }
        Some(
            block.start
                + block.digits.rank(bits, &numbering.ranks, 1, class as u64, &least, numbering.board ^ lead),
        )
    }
}

/// The task that finds the class of the leading set and all sets, leading set first, for a number
/// within a block.
struct Unrank<'a, const K: usize> {
    numbering: &'a ReducedArrangements<K>,
    block: &'a Block<K>,
    within: u64,
}

impl<const K: usize> Task for Unrank<'_, K> {
    type Output = (usize, [u64; K]);

    #[inline(always)]
    fn run<B: Bits>(self, bits: B) -> (usize, [u64; K]) {
        let Unrank { numbering, block, within } = self;
        let (class, mut sets) = block.digits.split(1, within);
        let class = class as usize;
        sets[0] = numbering.classes(block).representative(class);
        let free = numbering.board ^ sets[0];
        block.digits.unrank(bits, &numbering.lists, 1, &mut sets, free);
        (class, sets)
    }
}
