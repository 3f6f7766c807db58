//! Compares the numbering with lists of all arrangements.

use std::ops::{ControlFlow, Range};

use super::*;
use crate::sets::combinations::Combinations;
use crate::symmetry::board_symmetry::BoardSymmetry;

/// All arrangements on a board, in the order in which they must be numbered.
fn listed<const K: usize>(squares: u32, blocks: &[[u32; K]]) -> Vec<[u64; K]> {
    let mut all: Vec<[u64; K]> = vec![[0; K]];
    for set in 0..K {
        let longer = all.iter().flat_map(|sets| {
            let taken = sets.iter().fold(0, |taken, set| taken | set);
            (0..1_u64 << squares).filter(move |more| more & taken == 0).map(move |more| {
                let mut sets = *sets;
                sets[set] = more;
                sets
            })
        });
        all = longer.collect();
    }
    let block = |sets: &[u64; K]| blocks.iter().position(|counts| *counts == sets.map(u64::count_ones));
    all.retain(|sets| block(sets).is_some());
    // Sets of one size on the same free squares are in the order of their masks.
    all.sort_by_key(|sets| (block(sets), *sets));
    all
}

/// Compares with the list, on this processor and on one without known capabilities.
fn check<const K: usize>(squares: u32, numbering: &Arrangements<K>, blocks: &[[u32; K]]) {
    let plain = Arrangements { processor: Processor::plain(), ..numbering.clone() };
    for numbering in [numbering, &plain] {
        check_against_list(squares, numbering, blocks);
    }
}

fn check_against_list<const K: usize>(squares: u32, numbering: &Arrangements<K>, blocks: &[[u32; K]]) {
    let all = listed(squares, blocks);
    assert_eq!(numbering.count(), all.len() as u64, "{squares} squares, {blocks:?}");
    for (index, &sets) in all.iter().enumerate() {
        assert_eq!(numbering.rank(sets), Some(index as u64), "{squares} squares, {blocks:?}");
        assert_eq!(numbering.unrank(index as u64), Some(sets), "{squares} squares, {blocks:?}");
    }
    assert_eq!(numbering.unrank(numbering.count()), None);
    assert_eq!(numbering.unrank(u64::MAX), None);
    for counts in blocks {
        let range = numbering.block(*counts).unwrap();
        let of_counts = all.iter().enumerate().filter(|(_, sets)| sets.map(u64::count_ones) == *counts);
        assert!(of_counts.map(|(index, _)| index as u64).eq(range), "{squares} squares, {counts:?}");
    }
    let count = all.len();
    for (start, end) in [(0, count), (count / 3, count / 2), (count / 2, count / 2), (1, count + 5)] {
        let expected = all.iter().enumerate().take(end).skip(start).rev();
        let expected: Vec<_> = expected.map(|(index, &sets)| (index as u64, sets)).collect();
        let met = walked(numbering, start as u64..end as u64);
        assert_eq!(met, expected, "{squares} squares, {blocks:?}: {start}..{end}");
    }
}

/// The arrangements of a range with their indices, greatest first.
fn walked<const K: usize>(numbering: &Arrangements<K>, indices: Range<u64>) -> Vec<(u64, [u64; K])> {
    let mut met = Vec::new();
    let _ = numbering.walk_down(indices, |index, sets| {
        met.push((index, sets));
        ControlFlow::Continue(())
    });
    met
}

#[test]
fn arrangements_of_small_boards_are_numbered_in_order() {
    for squares in 0..=7 {
        check(squares, &Arrangements::new(squares, []).unwrap(), &[[]]);
        for count in 0..=squares {
            check(squares, &Arrangements::new(squares, [count..=count]).unwrap(), &[[count]]);
            for other in 0..=squares - count {
                let both = [count, other];
                check(squares, &Arrangements::new(squares, both.map(|n| n..=n)).unwrap(), &[both]);
                check(squares, &Arrangements::of_counts(squares, &[both]).unwrap(), &[both]);
            }
        }
    }
}

#[test]
fn counts_may_vary() {
    for squares in 0..=6 {
        let all: Vec<[u32; 2]> = (0..=squares).flat_map(|a| (0..=squares - a).map(move |b| [a, b])).collect();
        check(squares, &Arrangements::new(squares, [0..=9, 0..=u32::MAX]).unwrap(), &all);
        let some: Vec<[u32; 3]> = (1..=2)
            .flat_map(|a| (0..=3).flat_map(move |b| (2..=2).map(move |c| [a, b, c])))
            .filter(|counts| counts.iter().sum::<u32>() <= squares)
            .collect();
        check(squares, &Arrangements::new(squares, [1..=2, 0..=3, 2..=2]).unwrap(), &some);
        let mut turned: Vec<[u32; 2]> = all.into_iter().filter(|[a, b]| (a + b) % 2 == 1).collect();
        turned.reverse();
        check(squares, &Arrangements::of_counts(squares, &turned).unwrap(), &turned);
    }
}

#[test]
fn a_fixed_first_set_and_images_are_ranked_like_any_arrangement() {
    let blocks = [[2, 1], [1, 2], [0, 3], [2, 2], [3, 0]];
    let counts: Vec<u32> = (0..=4).collect();
    let numbering = Arrangements::of_counts(6, &blocks).unwrap();
    let plain = Arrangements { processor: Processor::plain(), ..numbering.clone() };
    // One set of symmetries is ranked at once, the other in three parts.
    let turns = |count: u8| -> Vec<BoardSymmetry> {
        let turn = |by: u8| BoardSymmetry::new(&[0, 1, 2, 3, 4, 5].map(|square| (square + by) % 6)).unwrap();
        (0..count).map(turn).collect()
    };
    for numbering in [&numbering, &plain] {
        for own in 0..1_u64 << 7 {
            for &count in &counts {
                let fixed = numbering.fixing(own, count);
                assert_eq!(fixed.is_some(), own < 64 && blocks.contains(&[own.count_ones(), count]));
                for other in 0..1_u64 << 7 {
                    let expected = numbering.rank([own, other]).filter(|_| other.count_ones() == count);
                    assert_eq!(fixed.and_then(|fixed| fixed.rank(other)), expected, "{own:b}, {other:b}");
                }
            }
            for other in 0..1_u64 << 7 {
                for symmetries in [turns(0), turns(6), turns(17)] {
                    let mut found = Vec::new();
                    let _ = numbering.each_image([own, other], &symmetries, |index| {
                        found.push(index);
                        if index % 7 == 6 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                    });
                    let mut expected = Vec::new();
                    for symmetry in symmetries {
                        let Some(_) = numbering.rank([own, other]) else { continue };
                        let index = numbering.rank([own, other].map(|set| symmetry.image(set))).unwrap();
                        expected.push(index);
                        if index % 7 == 6 {
                            break;
                        }
                    }
                    assert_eq!(found, expected, "{own:b}, {other:b}");
                }
            }
        }
    }
}

#[test]
fn invalid_arrangements_have_no_index() {
    let numbering = Arrangements::new(6, [1..=2, 2..=2]).unwrap();
    for bad in [[1, 1], [1, 3], [3, 6], [7, 0b11000], [0, 3], [1, 2], [1 << 6, 3], [1, 3 << 5]] {
        assert_eq!(numbering.rank(bad), None, "{bad:?}");
    }
    assert_eq!(numbering.block([3, 2]), None);
    assert_eq!(numbering.block([0, 2]), None);
    assert_eq!(numbering.block([u32::MAX, 2]), None);
}

#[test]
#[expect(clippy::reversed_empty_ranges, reason = "this tests an empty range of counts")]
fn numberings_can_be_empty() {
    for none in [Arrangements::new(3, [2..=1, 0..=1]), Arrangements::new(3, [2..=3, 2..=2])] {
        let none = none.unwrap();
        assert_eq!(none.count(), 0);
        assert_eq!(none.unrank(0), None);
        assert_eq!(none.rank([3, 4]), None);
        assert_eq!(walked(&none, 0..5), []);
    }
}

#[test]
fn impossible_numberings_are_rejected() {
    assert_eq!(Arrangements::new(65, [1..=1]).unwrap_err(), IndexError::TooManySquares { squares: 65 });
    assert_eq!(Arrangements::new(64, [20..=20, 20..=20]).unwrap_err(), IndexError::TooMany);
    assert_eq!(Arrangements::new(64, [32..=32, 0..=8]).unwrap_err(), IndexError::TooMany);
    assert_eq!(
        Arrangements::of_counts(5, &[[1, 1], [3, 3]]).unwrap_err(),
        IndexError::TooManyPieces { pieces: 6, squares: 5 }
    );
    assert_eq!(
        Arrangements::of_counts(5, &[[6, 0]]).unwrap_err(),
        IndexError::TooManyPieces { pieces: 6, squares: 5 }
    );
    assert_eq!(
        Arrangements::of_counts(5, &[[1, 1], [1, 2], [1, 1]]).unwrap_err(),
        IndexError::RepeatedBlock { block: 2 }
    );
    let many = Arrangements::<6>::new(64, std::array::from_fn(|_| 0..=64));
    assert!(matches!(many, Err(IndexError::TooManyStates { .. })));
}

/// An arrangement unranked square by square with [`Combinations`].
fn unranked_slowly<const K: usize>(squares: u32, blocks: &[[u32; K]], index: u64) -> [u64; K] {
    let mut within = index;
    let radices = |counts: &[u32; K]| {
        let mut free = squares;
        counts.map(|count| {
            let sets = Combinations::new(free).unwrap();
            free -= count;
            sets.count(count)
        })
    };
    let block = blocks.iter().find(|counts| {
        let size = radices(counts).iter().product::<u64>();
        let here = within < size;
        within -= if here { 0 } else { size };
        here
    });
    let counts = block.expect("an index");
    let mut places: Vec<u32> = (0..squares).collect();
    let mut rest = radices(counts);
    std::array::from_fn(|set| {
        rest[set] = 1;
        let later = rest.iter().product::<u64>();
        let gathered = Combinations::new(places.len() as u32).unwrap().unrank(counts[set], within / later);
        within %= later;
        let chosen = |place: usize| gathered.unwrap() >> place & 1 == 1;
        let mask = places.iter().enumerate().filter(|&(place, _)| chosen(place));
        let mask = mask.fold(0, |mask, (_, square)| mask | 1 << square);
        let mut place = 0;
        places.retain(|_| {
            place += 1;
            !chosen(place - 1)
        });
        mask
    })
}

fn check_large<const K: usize>(squares: u32, blocks: &[[u32; K]]) {
    let numbering = Arrangements::of_counts(squares, blocks).unwrap();
    let plain = Arrangements { processor: Processor::plain(), ..numbering.clone() };
    let count = numbering.count();
    for part in 0..500 {
        // Irregular places, and both ends.
        let index = (count / 499 * part).saturating_add(part * part).min(count - 1);
        let sets = unranked_slowly(squares, blocks, index);
        for numbering in [&numbering, &plain] {
            assert_eq!(numbering.unrank(index), Some(sets), "{squares} squares, {blocks:?}: {index}");
            assert_eq!(numbering.rank(sets), Some(index), "{squares} squares, {blocks:?}: {index}");
        }
        let (start, end) = (index.saturating_sub(50), index.saturating_add(50).min(count));
        let unranked = (start..end).rev().map(|index| (index, plain.unrank(index).unwrap()));
        assert_eq!(walked(&numbering, start..end), unranked.collect::<Vec<_>>());
    }
}

#[test]
fn large_boards_agree_with_unranking_square_by_square() {
    check_large(25, &[[4, 4]]);
    check_large(25, &[[4, 3], [4, 4], [3, 3], [0, 0], [1, 0], [12, 11]]);
    check_large(24, &[[9, 9], [3, 3], [9, 0], [0, 9], [8, 9]]);
    check_large(36, &[[6, 6, 0], [5, 6, 1], [1, 1, 1]]);
    check_large(64, &[[1, 1, 1, 1, 1, 1], [2, 0, 3, 1, 2, 0]]);
    check_large(64, &[[63], [32], [64], [33], [1], [5]]);
    check_large(33, &[[2, 3, 2, 3, 1]]);
}

#[test]
fn numberings_need_at_most_64_bits() {
    let blocks: Vec<[u32; 2]> = vec![[32, 0], [31, 0], [33, 0], [30, 1]];
    check_large(64, &blocks[..3]);
    assert_eq!(Arrangements::of_counts(64, &blocks).unwrap_err(), IndexError::TooMany);
}
