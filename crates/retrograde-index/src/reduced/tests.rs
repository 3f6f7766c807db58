//! Compares the numbering up to symmetry with lists of all arrangements and all their images.

use std::collections::HashMap;
use std::ops::ControlFlow;

use super::*;
use crate::arrangements::Arrangements;

/// Generators of the symmetries of a rectangle.
fn rectangle(columns: u8, rows: u8) -> Vec<Vec<u8>> {
    let squares = || (0..columns * rows).map(|square| (square % columns, square / columns));
    let mut generators = vec![
        squares().map(|(x, y)| y * columns + columns - 1 - x).collect(),
        squares().map(|(x, y)| (rows - 1 - y) * columns + x).collect(),
    ];
    if columns == rows {
        generators.push(squares().map(|(x, y)| x * columns + y).collect());
    }
    generators
}

/// The points of Nine Men's Morris: eight around each of three squares; 0 is the middle one.
fn morris() -> SymmetryGroup {
    let points = || (0..24_u8).map(|point| (point / 8, point % 8));
    let generators: [Vec<u8>; 3] = [
        points().map(|(ring, at)| ring * 8 + (at + 2) % 8).collect(),
        points().map(|(ring, at)| ring * 8 + (8 - at) % 8).collect(),
        points().map(|(ring, at)| [0, 2, 1][usize::from(ring)] * 8 + at).collect(),
    ];
    SymmetryGroup::generated_by(24, &generators).unwrap()
}

fn check<const K: usize>(group: &SymmetryGroup, blocks: &[[u32; K]]) {
    let numbering = ReducedArrangements::of_counts(group.clone(), blocks).unwrap();
    let plain = ReducedArrangements { processor: Processor::plain(), ..numbering.clone() };
    let all = Arrangements::of_counts(group.squares(), blocks).unwrap();
    for numbering in [&numbering, &plain] {
        // The arrangements by index.
        let mut having: HashMap<u64, Vec<[u64; K]>> = HashMap::new();
        for sets in (0..all.count()).map(|index| all.unrank(index).unwrap()) {
            let index = numbering.rank(sets).unwrap();
            assert!(numbering.block(sets.map(u64::count_ones)).unwrap().contains(&index));
            having.entry(index).or_default().push(sets);
        }
        assert_eq!(numbering.orbits(), Some(having.len() as u128), "{blocks:?}");
        for (&index, sets) in &mut having {
            let mut images: Vec<[u64; K]> =
                group.symmetries().iter().map(|one| sets[0].map(|set| one.image(set))).collect();
            images.sort_unstable();
            images.dedup();
            sets.sort_unstable();
            assert_eq!(sets, &images, "{blocks:?}: index {index}");
            let canonical = numbering.unrank(index).unwrap();
            assert!(images.contains(&canonical));
            assert_eq!(numbering.canonical(images[images.len() - 1]), Some(canonical));
        }
        let count = numbering.count();
        let listed: Vec<(u64, [u64; K])> =
            (0..count).filter_map(|index| Some((index, numbering.unrank(index)?))).collect();
        assert_eq!(listed.len(), having.len());
        assert!(listed.iter().all(|(index, _)| having.contains_key(index)));
        assert_eq!((numbering.unrank(count), numbering.unrank(u64::MAX)), (None, None));
        for (start, end) in [(0, u64::MAX), (0, count), (count / 3, count / 3 * 2)] {
            let part = listed.iter().copied().filter(|&(index, _)| (start..end).contains(&index));
            let mut met = Vec::new();
            let _ = numbering.walk_down(start..end, |index, sets| {
                met.push((index, sets));
                ControlFlow::Continue(())
            });
            assert_eq!(met, part.rev().collect::<Vec<_>>());
        }
    }
}

#[test]
fn exactly_the_images_share_an_index() {
    for (columns, rows) in [(1, 1), (2, 1), (2, 2), (3, 2), (3, 3), (5, 1)] {
        let squares = columns * rows;
        for generators in [vec![], rectangle(columns, rows)] {
            let group = SymmetryGroup::generated_by(u32::from(squares), &generators).unwrap();
            let most = u32::from(squares);
            let pairs: Vec<[u32; 2]> =
                (0..=most.min(4)).flat_map(|a| (0..=most - a).map(move |b| [a, b])).collect();
            check(&group, &pairs);
            let numbering = ReducedArrangements::new(group.clone(), [0..=4, 0..=u32::MAX]).unwrap();
            assert_eq!(numbering.block([0, 0]).unwrap().start, 0);
            assert_eq!(numbering.blocks.len(), pairs.len());
            check(&group, &(0..=most).map(|count| [count]).collect::<Vec<_>>());
            if squares >= 6 {
                check(&group, &[[1, 2, 1], [2, 1, 3], [0, 0, 1], [3, 0, 2]]);
            }
        }
    }
    check(&SymmetryGroup::generated_by(16, &rectangle(4, 4)).unwrap(), &[[2, 3], [3, 2], [1, 4]]);
}

#[test]
fn the_first_set_does_not_always_lead() {
    // One piece and then four: the four have more classes, but far fewer arrangements of the other set.
    let group = SymmetryGroup::generated_by(16, &rectangle(4, 4)).unwrap();
    let numbering = ReducedArrangements::of_counts(group, &[[1, 4], [4, 1]]).unwrap();
    assert_eq!(numbering.blocks.iter().map(|block| block.lead).collect::<Vec<_>>(), [1, 0]);
    assert_eq!(numbering.block([1, 4]).unwrap().end, numbering.count() / 2);
}

#[test]
fn nine_mens_morris_shrinks_by_nearly_its_sixteen_symmetries() {
    let group = morris();
    assert_eq!(group.order(), 16);
    check(&group, &[[3, 2], [0, 3], [1, 1]]);
    let numbering = ReducedArrangements::new(group, [3..=9, 3..=9]).unwrap();
    let all = Arrangements::new(24, [3..=9, 3..=9]).unwrap().count();
    // The indices are counted by the classes of leading sets, the orbits by all arrangements; both
    // use Burnside's lemma.
    assert_eq!(all, 142_430_121_724);
    assert_eq!((numbering.count(), numbering.orbits()), (9_074_932_579, Some(8_904_593_601)));
    // There are too many to list: in a sample, every index leads to an arrangement and back, or to none.
    let (mut with_arrangement, sample) = (0, 20_000);
    for part in 0..sample {
        let index = numbering.count() / sample * part + part * part % 1000;
        let Some(sets) = numbering.unrank(index) else { continue };
        let image = &numbering.group.symmetries()[part as usize % 16];
        assert_eq!(numbering.rank(sets.map(|set| image.image(set))), Some(index));
        with_arrangement += 1;
    }
    // 98.1 percent, as the counts predict, give or take half a percent.
    assert!(
        (sample * 976..sample * 986).contains(&(with_arrangement * 1000)),
        "{with_arrangement} of {sample}"
    );
}

#[test]
fn ranking_with_a_fixed_set_agrees_with_ranking_both() {
    let square = SymmetryGroup::generated_by(9, &[[2, 5, 8, 1, 4, 7, 0, 3, 6], [2, 1, 0, 5, 4, 3, 8, 7, 6]]);
    for group in [square.unwrap(), morris()] {
        let numbering = ReducedArrangements::new(group, [0..=4, 1..=3]).unwrap();
        let mut led = [0, 0];
        for seed in 0..30_000_u64 {
            let random = |salt: u64| (seed + salt).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31);
            let sets = [random(1) & random(7) & random(3), random(4) & random(9) & random(6)];
            // Mostly disjoint and on the board.
            let sets = if seed % 50 == 0 {
                sets
            } else {
                [sets[0], sets[1] & !sets[0]].map(|set| set & numbering.board)
            };
            for at in 0..2 {
                for count in [sets[1 - at].count_ones(), 2] {
                    let fixed = numbering.fixing(at, sets[at], count);
                    led[at] += u32::from(fixed.is_some_and(|fixed| fixed.led.is_some()));
                    let expected = numbering.rank(sets).filter(|_| sets[1 - at].count_ones() == count);
                    assert_eq!(fixed.and_then(|fixed| fixed.rank(sets[1 - at])), expected, "{sets:x?}, {at}");
                }
            }
        }
        assert!(led.iter().all(|&led| led > 500), "{led:?}");
    }
}

#[test]
fn invalid_arrangements_have_no_index() {
    let group = SymmetryGroup::generated_by(6, &rectangle(3, 2)).unwrap();
    let numbering = ReducedArrangements::new(group, [1..=2, 2..=2]).unwrap();
    for bad in [[1, 1], [1, 3], [3, 6], [7, 0b11000], [0, 3], [1, 2], [1 << 6, 3], [1, 3 << 5]] {
        assert_eq!(numbering.rank(bad), None, "{bad:?}");
        assert_eq!(numbering.canonical(bad), None, "{bad:?}");
    }
    assert_eq!(numbering.block([3, 2]), None);
}

#[test]
fn impossible_numberings_are_rejected() {
    let group = |squares| SymmetryGroup::generated_by::<Vec<u8>>(squares, &[]).unwrap();
    let refused =
        |squares, blocks: &[[u32; 2]]| ReducedArrangements::of_counts(group(squares), blocks).unwrap_err();
    assert_eq!(refused(5, &[[3, 3]]), IndexError::TooManyPieces { pieces: 6, squares: 5 });
    assert_eq!(refused(5, &[[1, 1], [1, 1]]), IndexError::RepeatedBlock { block: 1 });
    assert!(matches!(refused(64, &[[9, 9]]), IndexError::TooManyStates { .. }));
    // A set of three can lead, but then there are too many arrangements of the others.
    assert_eq!(refused(64, &[[3, 30]]), IndexError::TooMany);
    assert!(ReducedArrangements::of_counts(group(64), &[[2, 9], [9, 2]]).is_ok());
}

#[test]
fn numberings_share_their_tables() {
    let numbering = ReducedArrangements::of_counts(morris(), &[[3, 3]]).unwrap();
    let other = numbering.with_counts(&[[3, 1], [1, 2]]).unwrap();
    let alone = ReducedArrangements::of_counts(morris(), &[[3, 1], [1, 2]]).unwrap();
    assert!((0..alone.count()).all(|index| other.unrank(index) == alone.unrank(index)));
    assert!(
        numbering
            .classes
            .iter()
            .zip(other.classes.iter())
            .all(|(a, b)| a.get().is_some() == b.get().is_some())
    );
    assert!(numbering.classes[3].get().is_some());
}

#[test]
fn memory_is_predicted() {
    let numbering = ReducedArrangements::new(morris(), [3..=5, 2..=4]).unwrap();
    assert!(numbering.classes.iter().all(|classes| classes.get().is_none()));
    let predicted = numbering.memory();
    assert!(numbering.rank([0b111, 0b11000]).is_some());
    (0..numbering.count()).step_by(10_007).for_each(|index| _ = numbering.unrank(index));
    let made: u64 = numbering.classes.iter().filter_map(OnceLock::get).map(Classes::bytes).sum();
    assert!(made <= predicted && predicted <= made * 11 / 10, "{made} of {predicted}");
}
