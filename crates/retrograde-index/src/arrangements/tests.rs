//! The numbering against lists of all arrangements.

use super::*;

/// All arrangements on a board, sorted as they are to be numbered.
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
    // Sets of one size on the same free squares stand in the order of their masks.
    all.sort_by_key(|sets| (block(sets), *sets));
    all
}

fn check<const K: usize>(squares: u32, numbering: &Arrangements<K>, blocks: &[[u32; K]]) {
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
        let walk = || numbering.walk(start as u64..end as u64);
        let expected = all.get(start..end.min(count)).unwrap_or(&[]);
        assert!(walk().eq(expected.iter().copied()), "{squares} squares, {blocks:?}: {start}..{end}");
        assert!(
            walk().rev().eq(expected.iter().rev().copied()),
            "{squares} squares, {blocks:?}: {start}..{end}"
        );
        assert_eq!(walk().size_hint(), (expected.len(), Some(expected.len())));
    }
    // From both ends in turn.
    let (mut walk, mut met) = (numbering.walk(0..count as u64), vec![[0; K]; count]);
    for step in 0..count {
        let at = if step % 3 == 0 { count - 1 - step / 3 } else { step - step / 3 - 1 };
        met[at] = if step % 3 == 0 { walk.next_back() } else { walk.next() }.unwrap();
    }
    assert_eq!((walk.next(), walk.next_back()), (None, None));
    assert_eq!(met, all);
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
fn what_is_no_arrangement_has_no_index() {
    let numbering = Arrangements::new(6, [1..=2, 2..=2]).unwrap();
    for bad in [[1, 1], [1, 3], [3, 6], [7, 0b11000], [0, 3], [1, 2], [1 << 6, 3], [1, 3 << 5]] {
        assert_eq!(numbering.rank(bad), None, "{bad:?}");
    }
    assert_eq!(numbering.block([3, 2]), None);
    assert_eq!(numbering.block([0, 2]), None);
    assert_eq!(numbering.block([u32::MAX, 2]), None);
}

#[test]
#[expect(clippy::reversed_empty_ranges, reason = "an empty range of counts is what is tested")]
fn boards_without_arrangements_have_none() {
    for none in [Arrangements::new(3, [2..=1, 0..=1]), Arrangements::new(3, [2..=3, 2..=2])] {
        let none = none.unwrap();
        assert_eq!(none.count(), 0);
        assert_eq!(none.unrank(0), None);
        assert_eq!(none.rank([3, 4]), None);
        assert_eq!(none.walk(0..5).next(), None);
    }
}

#[test]
fn what_cannot_be_numbered_is_refused() {
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

#[test]
fn boards_of_64_squares_are_numbered() {
    let numbering = Arrangements::new(64, [1..=3, 1..=3, 0..=2]).unwrap();
    let count = numbering.count();
    for part in 0..1000 {
        let index = count / 1000 * part + part;
        let sets = numbering.unrank(index).unwrap();
        assert_eq!(numbering.rank(sets), Some(index));
        assert_eq!(sets[0] & sets[1] | sets[1] & sets[2] | sets[0] & sets[2], 0);
    }
}
