//! Compares reachable positions with the ones that single turns reach.

use std::collections::HashSet;
use std::ops::ControlFlow;

use retrograde_game::{Dense, Squares, Symmetries};
use retrograde_pushfight::Position;
use retrograde_solve::Silent;
use retrograde_testkit::{all_cases, some_of};
use rustc_hash::FxHashSet;

use super::*;
use crate::kernel::pext::Portable;
use crate::layout::superblocks::by_superblock;
use crate::testing::{self, Fuse};

/// The anchored reachable positions, with their images, found by making every turn of every position.
fn one_by_one(game: &PushFight) -> HashSet<u64> {
    let mut seen: FxHashSet<Position> = FxHashSet::from_iter([game.start()]);
    let mut left = vec![game.start()];
    while let Some(position) = left.pop() {
        let _ = game.each_successor(&position, |next| {
            if seen.insert(next) {
                left.push(next);
            }
            ControlFlow::<()>::Continue(())
        });
    }
    let anchored = seen.iter().filter(|position| !position.anchor.is_empty());
    let images = anchored
        .flat_map(|position| (0..game.symmetry_count()).map(move |symmetry| game.image(symmetry, position)));
    // Positions at the end of a game lack a piece, so they have no number.
    images.filter_map(|image| Some(game.index(&image)?.0)).collect()
}

/// The stored positions with their images.
fn stored<const W: usize>(bitmap: &ReachableBitmap<'_, W>, game: &PushFight) -> HashSet<u64> {
    let layout = bitmap.layout;
    let mut found = HashSet::new();
    let mut scratch = BitmapScratch::new(SimdLevel::best());
    let height = layout.rows.len();
    for (superblock, key) in by_superblock(layout.superblocks.iter()) {
        if layout.is_start(superblock) {
            continue;
        }
        let job = &bitmap.jobs[key.pushers as usize];
        let lanes = job.lanes_clear_of(Squares::EMPTY);
        let block_of: Vec<u32> = (0..64 * W as u32).collect();
        let mut blocks = vec![[0; W]; 64 * W * height];
        bitmap.load(Portable, superblock, &lanes, &block_of, &mut blocks, &mut scratch);
        let mut count = 0;
        for lane in lanes_of(&lanes) {
            for (row, &cell) in layout.cells_clear_of[lane].iter().enumerate() {
                let own_pushers = crate::layout::sets::expand(
                    layout.cells[usize::from(cell)],
                    layout.board.all() & !job.pushers,
                );
                for own in lanes_of(&blocks[lane.index() * height + row]) {
                    let position = Position {
                        own_pushers,
                        own_pawns: layout.local_pawns(job.number, own),
                        other_pushers: job.pushers,
                        other_pawns: layout.local_pawns(job.number, lane),
                        anchor: layout.anchor(superblock),
                    };
                    count += 1;
                    for symmetry in 0..game.symmetry_count() {
                        found.insert(game.index(&game.image(symmetry, &position)).unwrap().0);
                    }
                }
            }
        }
        assert_eq!(bitmap.count(superblock), count);
    }
    found
}

fn same<const W: usize>(game: &PushFight, layout: &Layout, level: SimdLevel, expected: &HashSet<u64>) {
    let bitmap = ReachableBitmap::<W>::new(layout);
    sweep(&bitmap, 2, level, &Silent).unwrap();
    let found = stored(&bitmap, game);
    let name = game.name();
    assert_eq!(found.len(), expected.len(), "{name}");
    assert!(&found == expected, "{name}");
    let result = count_bits_of(&bitmap, 0);
    assert_eq!(result.all, expected.len() as u64, "{name}");
    let starts = (0..game.start_count())
        .filter_map(|number| game.start_of_number(number))
        .filter(|position| !position.own_pushers.is_empty() && !position.other_pushers.is_empty());
    assert_eq!(result.starts, starts.count() as u64, "{name}");
}

#[test]
fn reachable_positions_agree_with_single_turns() {
    let mut widths = HashSet::new();
    let names = [
        "pushfight:mini,pushers=1,pawns=1",
        "pushfight:mini,pushers=1,pawns=1,moves=0",
        "pushfight:mini,pushers=1,pawns=2,moves=1",
        "pushfight:mini,pushers=2,pawns=1",
        "pushfight:mini,pushers=2,pawns=0,moves=unlimited",
        "pushfight:x.board,pushers=1,pawns=3",
        "pushfight:x.board,pushers=2,pawns=1,moves=1",
        "pushfight:x.board,pushers=1,pawns=4,moves=1",
        "pushfight:x.board,pushers=3,pawns=1,moves=0",
    ];
    for name in some_of(3, names) {
        let game = testing::game(name);
        let layout = Layout::new(&game, Scope::PlausibleAndStarts).unwrap();
        widths.insert(layout.words);
        let expected = one_by_one(&game);
        for level in [SimdLevel::best(), SimdLevel::Portable] {
            with_words!(layout, W => same::<W>(&game, &layout, level, &expected));
        }
    }
    assert!(widths.len() > 1 || !all_cases());
}

#[test]
fn too_little_memory_and_stops_are_errors() {
    let game = testing::game("pushfight:mini,pushers=2,pawns=1");
    let need = reachable_memory_needed(&game, 2).unwrap();
    let less = u64::try_from(need).unwrap() - 1;
    assert!(
        matches!(count_reachable(&game, less, 2, &Silent), Err(SolveError::Memory { limit, .. }) if limit == less)
    );
    let stopped = count_reachable(&game, u64::MAX, 2, &Fuse::new(20));
    assert!(matches!(stopped, Err(SolveError::Stopped)));
}
