//! The numbering. Positions with the same numbers of men are consecutive, and all images of a
//! position under the symmetries of the board share one index.
//!
//! First come all positions without men in hand, then those with one, and so on. Among these,
//! positions with fewer men on the board come first. Positions with the same two numbers of men,
//! regardless of who is to move, are a *stage*: no turn leads from a stage to a later one, since
//! men that are placed or taken never come back.

use std::ops::Range;

use retrograde_game::{Flow, Squares};
use retrograde_index::{FixedSetRanker, ReducedArrangements, SymmetryGroup};

use super::rules::{Position, Rules, hands};

#[derive(Clone, Debug)]
pub(super) struct Numbering {
    /// For each number of men in both hands.
    by_hands: Vec<OfHands>,
    /// For each number of men in both hands, the numbers of men on the board.
    counts: Vec<Vec<[u32; 2]>>,
    /// The stages, as ranges of indices.
    stages: Vec<Range<u64>>,
    count: u64,
}

/// The numbering of the positions with a given number of men in hand.
#[derive(Clone, Debug)]
pub(super) struct OfHands {
    first: u64,
    arrangements: ReducedArrangements<2>,
}

impl OfHands {
    /// The index of the position with these men on the board.
    #[inline]
    pub fn rank(&self, own: Squares, other: Squares) -> Option<u64> {
        Some(self.first + self.arrangements.rank([own.0, other.0])?)
    }

    /// A ranker for the positions with these men of the side to move and `other` men of the other side.
    #[inline]
    pub fn fixing(&self, own: Squares, other: u32) -> Option<FixedOwn<'_>> {
        Some(FixedOwn { first: self.first, ranker: self.arrangements.fixing(0, own.0, other)? })
    }
}

/// The numbering of positions with the same men of the side to move.
#[derive(Clone, Copy)]
pub(super) struct FixedOwn<'a> {
    first: u64,
    ranker: FixedSetRanker<'a>,
}

impl FixedOwn<'_> {
    /// The index of the position with these men of the other side.
    #[inline]
    pub fn rank(&self, other: Squares) -> Option<u64> {
        Some(self.first + self.ranker.rank(other.0)?)
    }
}

impl Numbering {
    pub fn new(rules: &Rules) -> Numbering {
        let group = SymmetryGroup::new(&rules.board.symmetries()).expect("the symmetries of a board");
        let tables = ReducedArrangements::of_counts(group, &[]).expect("nothing to number");
        let (mut by_hands, mut all_counts, mut count) = (Vec::new(), Vec::new(), 0);
        let mut stages: Vec<Range<u64>> = Vec::new();
        for in_hands in 0..=2 * rules.men as u8 {
            let blocks = open_counts(rules, in_hands);
            let arrangements = tables.with_counts(&blocks).expect("at most 24 points, counts that fit");
            for counts in &blocks {
                let block = arrangements.block(*counts).expect("one of the blocks");
                let block = count + block.start..count + block.end;
                match stages.last_mut() {
                    // The same numbers of men, reversed.
                    Some(last) if is_reversed(&blocks, counts) => last.end = block.end,
                    _ => stages.push(block),
                }
            }
            let more = arrangements.count();
            by_hands.push(OfHands { first: count, arrangements });
            all_counts.push(blocks);
            count += more;
        }
        Numbering { by_hands, counts: all_counts, stages, count }
    }

    pub fn count(&self) -> u64 {
        self.count
    }

    pub fn stages(&self) -> &[Range<u64>] {
        &self.stages
    }

    /// The numbering of the positions with `in_hands` men in hand, which must not be more than there are.
    pub fn of_hands(&self, in_hands: u8) -> &OfHands {
        &self.by_hands[usize::from(in_hands)]
    }

    /// The stages that turns of a stage lead to.
    pub fn stages_after(&self, stage: usize) -> Vec<usize> {
        let Some(range) = self.stages.get(stage) else { return Vec::new() };
        let stage_at = |index: u64| self.stages.partition_point(|stage| stage.start <= index) - 1;
        let hands = self.by_hands.partition_point(|of| of.first <= range.start) - 1;
        let hands_after = hands.saturating_sub(1);
        let block = |hands: usize, counts: [u32; 2]| {
            let OfHands { first, arrangements } = &self.by_hands[hands];
            arrangements.block(counts).filter(|block| !block.is_empty()).map(|block| first + block.start)
        };
        let of_stage =
            |&&counts: &&[u32; 2]| block(hands, counts).is_some_and(|first| range.contains(&first));
        let mut after = Vec::new();
        for &[own, other] in self.counts[hands].iter().filter(of_stage) {
            // A man is placed or moved, and at most one of the other player's men is taken.
            let mine = own + u32::from(hands > 0);
            let theirs = [Some(other), other.checked_sub(1)];
            after
                .extend(theirs.into_iter().flatten().filter_map(|theirs| block(hands_after, [theirs, mine])));
        }
        let mut after: Vec<usize> = after.into_iter().map(stage_at).collect();
        after.sort_unstable();
        after.dedup();
        after
    }

    /// The bytes of memory that the tables take once they are built.
    pub fn memory(&self) -> u64 {
        // The tables are shared, and no number of men in hand needs more sizes of sets than the last.
        self.by_hands.iter().map(|of| of.arrangements.memory()).max().unwrap_or(0)
    }

    /// The representative of the images of a position.
    pub fn representative(&self, position: &Position) -> Option<Position> {
        let OfHands { arrangements, .. } = self.by_hands.get(usize::from(position.in_hands))?;
        let [own, other] = arrangements.canonical([position.own.0, position.other.0])?;
        Some(Position { own: Squares(own), other: Squares(other), in_hands: position.in_hands })
    }

    pub fn index(&self, position: &Position) -> Option<u64> {
        self.by_hands.get(usize::from(position.in_hands))?.rank(position.own, position.other)
    }

    pub fn position(&self, index: u64) -> Option<Position> {
        let in_hands = self.by_hands.partition_point(|of| of.first <= index) - 1;
        let OfHands { first, arrangements } = &self.by_hands[in_hands];
        let [own, other] = arrangements.unrank(index - first)?;
        Some(Position { own: Squares(own), other: Squares(other), in_hands: in_hands as u8 })
    }

    /// Visits the arrangements in a range of indices, greatest index first.
    pub fn walk_down(&self, indices: Range<u64>, mut visit: impl FnMut(u64, Position) -> Flow) -> Flow {
        for (in_hands, OfHands { first, arrangements }) in self.by_hands.iter().enumerate().rev() {
            let (start, end) = (indices.start.max(*first), indices.end.min(first + arrangements.count()));
            if start >= end {
                continue;
            }
            arrangements.walk_down(start - first..end - first, |index, [own, other]| {
                let position =
                    Position { own: Squares(own), other: Squares(other), in_hands: in_hands as u8 };
                visit(first + index, position)
            })?;
        }
        Flow::Continue(())
    }

    /// The number of legal positions up to symmetry, including finished ones without an index.
    pub fn position_count(&self, rules: &Rules) -> u128 {
        let numbered = |OfHands { arrangements, .. }: &OfHands| {
            if !rules.mill_wins {
                return arrangements.orbits().expect("at most 24 points");
            }
            // The side to move must not have a mill yet. These boards are small.
            let all = (0..arrangements.count()).filter_map(|index| arrangements.unrank(index));
            all.filter(|[own, _]| !rules.has_mill(Squares(*own))).count() as u128
        };
        self.unnumbered_count(rules) + self.by_hands.iter().map(numbered).sum::<u128>()
    }

    /// The number of positions, up to symmetry, in which the side to move has two men left and has lost.
    pub fn unnumbered_count(&self, rules: &Rules) -> u128 {
        if rules.mill_wins {
            return 0;
        }
        let lost = |(in_hands, OfHands { arrangements, .. }): (usize, &OfHands)| -> u128 {
            let in_hands = in_hands as u8;
            let own = 2_u32.checked_sub(hands(in_hands)[0]);
            let counts = own.into_iter().flat_map(|own| (0..=rules.men).map(move |other| (own, other)));
            let counts = counts.filter(|&(own, other)| rules.can_occur(own, other, in_hands));
            let orbits =
                |(own, other)| arrangements.group().orbits(&[own, other]).expect("at most 24 points");
            counts.map(orbits).sum()
        };
        self.by_hands.iter().enumerate().map(lost).sum()
    }
}

/// The numbers of men on the board, of the side to move and of the other side, in positions that
/// are not over for lack of men: fewer men first, and each pair of numbers next to its reverse.
fn open_counts(rules: &Rules, in_hands: u8) -> Vec<[u32; 2]> {
    let enough = if rules.mill_wins { 0 } else { 3 };
    let pairs = (0..=rules.men).flat_map(|own| (0..=rules.men).map(move |other| [own, other]));
    let mut counts: Vec<[u32; 2]> = pairs
        .filter(|&[own, other]| rules.can_occur(own, other, in_hands) && own + hands(in_hands)[0] >= enough)
        .collect();
    counts.sort_by_key(|&[own, other]| (own + other, own.abs_diff(other), own));
    counts
}

/// Whether the reverse of a pair of counts comes just before it.
fn is_reversed(blocks: &[[u32; 2]], counts: &[u32; 2]) -> bool {
    let [own, other] = *counts;
    let place = blocks.iter().position(|block| block == counts);
    own > other && place.is_some_and(|place| place > 0 && blocks[place - 1] == [other, own])
}
