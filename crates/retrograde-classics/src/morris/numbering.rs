//! The numbering: positions stand together that have the same numbers of men.
//!
//! First come all positions without men in hand, then those with one, and so on. Among these
//! positions with fewer men on the board come first, and positions with the same two numbers of
//! men, whoever is to move, are a *stage*: no turn leads from a stage to a later one, since men
//! that are placed or taken never come back.

use std::ops::{ControlFlow, Range};

use retrograde_game::Squares;
use retrograde_index::{Arrangements, BoardSymmetry, Combinations};

use super::rules::{Position, Rules, hands};

#[derive(Clone, Debug)]
pub(super) struct Numbering {
    /// For each number of men in both hands: the first index, and the arrangements.
    by_hands: Vec<(u64, Arrangements<2>)>,
    /// The stages, as ranges of indices.
    stages: Vec<Range<u64>>,
    count: u64,
    symmetries: Vec<BoardSymmetry>,
}

impl Numbering {
    pub fn new(rules: &Rules) -> Numbering {
        let points = rules.board.points();
        let (mut by_hands, mut count) = (Vec::new(), 0);
        let mut stages: Vec<Range<u64>> = Vec::new();
        for in_hands in 0..=2 * rules.men as u8 {
            let blocks = open_counts(rules, in_hands);
            let arrangements =
                Arrangements::of_counts(points, &blocks).expect("24 points at most, counts that fit");
            for counts in &blocks {
                let block = arrangements.block(*counts).expect("one of the blocks");
                let block = count + block.start..count + block.end;
                match stages.last_mut() {
                    // The same numbers of men, the other way round.
                    Some(last) if is_reversed(&blocks, counts) => last.end = block.end,
                    _ => stages.push(block),
                }
            }
            let more = arrangements.count();
            by_hands.push((count, arrangements));
            count += more;
        }
        let symmetry = |permutation: &Vec<u8>| BoardSymmetry::new(permutation).expect("a permutation");
        let symmetries = rules.board.symmetries().iter().map(symmetry).collect();
        Numbering { by_hands, stages, count, symmetries }
    }

    pub fn count(&self) -> u64 {
        self.count
    }

    pub fn stages(&self) -> &[Range<u64>] {
        &self.stages
    }

    pub fn symmetries(&self) -> &[BoardSymmetry] {
        &self.symmetries
    }

    pub fn index(&self, position: &Position) -> Option<u64> {
        let (first, arrangements) = self.by_hands.get(usize::from(position.in_hands))?;
        Some(first + arrangements.rank([position.own.0, position.other.0])?)
    }

    pub fn position(&self, index: u64) -> Option<Position> {
        let in_hands = self.by_hands.partition_point(|(first, _)| *first <= index) - 1;
        let (first, arrangements) = &self.by_hands[in_hands];
        let [own, other] = arrangements.unrank(index - first)?;
        Some(Position { own: Squares(own), other: Squares(other), in_hands: in_hands as u8 })
    }

    /// Visits the arrangements of a range of indices, the greatest index first.
    pub fn walk_down<F>(&self, indices: Range<u64>, mut visit: F) -> ControlFlow<()>
    where
        F: FnMut(u64, Position) -> ControlFlow<()>,
    {
        for (in_hands, (first, arrangements)) in self.by_hands.iter().enumerate().rev() {
            let (start, end) = (indices.start.max(*first), indices.end.min(first + arrangements.count()));
            if start >= end {
                continue;
            }
            for (down, [own, other]) in arrangements.walk(start - first..end - first).rev().enumerate() {
                let position =
                    Position { own: Squares(own), other: Squares(other), in_hands: in_hands as u8 };
                visit(end - 1 - down as u64, position)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The legal positions, those that are over and have no number included.
    pub fn position_count(&self, rules: &Rules) -> u128 {
        self.unnumbered_count(rules)
            + (0..=2 * rules.men as u8).map(|in_hands| open_count(rules, in_hands)).sum::<u128>()
    }

    /// The positions in which the side to move has two men left, and has lost.
    pub fn unnumbered_count(&self, rules: &Rules) -> u128 {
        let lost = |in_hands: u8| -> u128 {
            let own = 2_u32.checked_sub(hands(in_hands)[0]).filter(|_| !rules.mill_wins);
            let stands = |&(own, other): &(u32, u32)| rules.can_stand(own, other, in_hands);
            let counts = own.into_iter().flat_map(|own| (0..=rules.men).map(move |other| (own, other)));
            counts.filter(stands).map(|(own, other)| arrangements(rules, own, other)).sum()
        };
        (0..=2 * rules.men as u8).map(lost).sum()
    }
}

/// The numbers of men on the board, of the side to move and of the other one, in positions that are
/// not over for lack of men: fewer men first, and a pair of numbers beside its reverse.
fn open_counts(rules: &Rules, in_hands: u8) -> Vec<[u32; 2]> {
    let enough = if rules.mill_wins { 0 } else { 3 };
    let pairs = (0..=rules.men).flat_map(|own| (0..=rules.men).map(move |other| [own, other]));
    let mut counts: Vec<[u32; 2]> = pairs
        .filter(|&[own, other]| rules.can_stand(own, other, in_hands) && own + hands(in_hands)[0] >= enough)
        .collect();
    counts.sort_by_key(|&[own, other]| (own + other, own.abs_diff(other), own));
    counts
}

/// Whether the reverse of a pair of counts stands just before it.
fn is_reversed(blocks: &[[u32; 2]], counts: &[u32; 2]) -> bool {
    let [own, other] = *counts;
    let place = blocks.iter().position(|block| block == counts);
    own > other && place.is_some_and(|place| place > 0 && blocks[place - 1] == [other, own])
}

fn arrangements(rules: &Rules, own: u32, other: u32) -> u128 {
    let points = rules.board.points();
    let choose = |n, k| retrograde_index::binomial(n, k).expect("24 points at most");
    choose(points, own) * choose(points - own, other)
}

/// The numbered positions with so many men in both hands.
fn open_count(rules: &Rules, in_hands: u8) -> u128 {
    let numbered = |&[own, other]: &[u32; 2]| {
        let all = arrangements(rules, own, other);
        if !rules.mill_wins {
            return all;
        }
        // The side to move has no mill yet.
        let sets = Combinations::new(rules.board.points()).expect("24 points at most");
        let mills = (0..sets.count(own)).filter_map(|rank| sets.unrank(own, rank));
        let mills = mills.filter(|&men| rules.has_mill(Squares(men))).count() as u128;
        all / u128::from(sets.count(own)) * (u128::from(sets.count(own)) - mills)
    };
    open_counts(rules, in_hands).iter().map(numbered).sum()
}
