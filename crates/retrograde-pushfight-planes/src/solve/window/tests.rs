//! Compares a window with the plane itself, cell by cell, from part to part.

use std::sync::Arc;

use retrograde_game::Turns;
use retrograde_solve::Silent;

use super::*;
use crate::files::chunks::add_chunks;
use crate::files::log::{FOUND, LEFT, Log};
use crate::layout::lanes::LocalLane;
use crate::layout::partition::PusherSetOrder;
use crate::layout::scope::Scope;
use crate::testing::{config, game, random};

/// Superblocks in which about one of `rarity` rows is not empty; some superblocks are.
fn random_plane(layout: &Layout, rarity: u64, seed: &mut u64) -> Plane {
    let mut superblock = |_| {
        let mut list = Vec::new();
        let empty = random(seed).is_multiple_of(5);
        for cell in 0..layout.cells.len() {
            for lane in 0..layout.lanes {
                if !empty && random(seed).is_multiple_of(rarity) {
                    let bit = LocalLane::new(random(seed) as usize % layout.lanes);
                    list.push((cell as u32, LocalLane::new(lane), bit));
                }
            }
        }
        SparseCells::of_positions(layout.cell_shape(), &list)
    };
    layout.superblocks.ids().map(&mut superblock).collect()
}

fn minus(cells: &SparseCells, removed: &SparseCells) -> SparseCells {
    let mut rest = cells.clone();
    rest.subtract(removed, |_, _| ());
    rest.drop_empty_rows();
    rest
}

#[test]
fn a_window_has_the_cells_of_a_part() {
    let game = game("pushfight:mini");
    let layout = Layout::new(&game, Scope::PlausibleAndStarts).unwrap();
    let order = PusherSetOrder::new(&layout);
    let groups = CellGroups::new(&layout, &order);
    let directory = retrograde_testkit::tempdir().unwrap();
    let log = Log::new(&game, directory.path(), &config(&Silent).storage);
    let mut seed = 5;
    let write = |log: &Log, turns: u16, plane: &Plane| {
        let present = ChunkFile::open(log, Turns(turns), &layout, &groups, &Silent).unwrap();
        assert!(!present.records.is_complete());
        let writer = log.write(Turns(turns).into()).unwrap();
        for (superblock, cells) in by_superblock(plane) {
            let number = superblock.index() as u64 + 7;
            add_chunks(&writer, &layout, &groups, superblock, number, cells).unwrap();
        }
        writer.finish(Ok(())).unwrap();
        let file = ChunkFile::open(log, Turns(turns), &layout, &groups, &Silent).unwrap();
        assert!(file.records.is_complete());
        assert!(layout.superblocks.ids().all(|id| file.number(id) == id.index() as u64 + 7));
        file
    };
    let whole = random_plane(&layout, 3, &mut seed);
    let base = write(&log.sibling(LEFT), 0, &whole);
    let decided: [Plane; 2] = [random_plane(&layout, 4, &mut seed), random_plane(&layout, 9, &mut seed)];
    let found: Vec<ChunkFile> =
        (2_u16..).zip(&decided).map(|(turns, plane)| write(&log.sibling(FOUND), turns, plane)).collect();
    let removed: Vec<&ChunkFile> = found.iter().collect();
    let source = ChunkSource { layout: &layout, groups: &groups, base: &base, removed: &removed };
    let mut left = whole;
    for decided in &decided {
        left = left.iter().zip(decided).map(|(left, decided)| minus(left, decided)).collect();
    }
    for superblock in layout.superblocks.ids() {
        assert!(source.superblock(superblock).unwrap() == left[superblock]);
    }
    for count in [2, 5, 96] {
        let cut = order.split_evenly(count);
        let parts: Vec<Arc<BoardPart>> =
            (0..cut.count).map(|number| Arc::new(cut.part(&layout, number))).collect();
        let mut window = Window::default();
        // Forwards, backwards, and in mixed order, with and without the cells that are read of others.
        let numbers = (0..count).chain((0..count).rev()).chain((0..40).map(|at| at * 37 % count));
        for (step, number) in numbers.enumerate() {
            let part = &parts[number];
            let read = step % 3 != 1;
            let wanted = Held { part: part.clone(), reads: read };
            window.hold(wanted, source, 2, &Silent).unwrap();
            for (superblock, cells) in by_superblock(&left) {
                let expected = match read || part.owns(&layout, superblock) {
                    true => part.retain_held(&layout, superblock, cells.clone()),
                    false => SparseCells::default(),
                };
                let mut held = window.plane[superblock].clone();
                held.drop_empty_rows();
                assert!(held == expected, "{count} parts, part {number}, step {step}");
            }
        }
    }
}
