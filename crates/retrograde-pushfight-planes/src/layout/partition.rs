//! Cuts a board into parts, if it is too large for memory or is solved by several machines.
//!
//! A part owns some sets of opposing pushers with all their superblocks, which it computes. To do so it
//! only reads the cells of some of the mover's pushers in every superblock of a plane, because a push
//! swaps the sides and displaces pushers of the other side by one step. So a part holds its own
//! superblocks, and the cells that it *reads* of all others. Parts with neighbouring sets read less.
//! Therefore sets are assigned in the order in which a breadth-first search from one end finds them,
//! neighbours with few neighbours first (as Cuthill and McKee order the rows of a matrix).

use retrograde_game::Squares;

use crate::layout::numbering::Layout;
use crate::layout::sets::expand;
use crate::layout::sparse::SparseCells;
use crate::layout::superblocks::SuperblockId;

/// The approximate number of cells in a group, and the possible numbers of groups. With smaller groups,
/// a part would read fewer unneeded cells, but each byte would cost more.
const CELLS_PER_GROUP: usize = 10;
const GROUPS: std::ops::RangeInclusive<usize> = 48..=192;

/// A cut of the board into parts.
pub(crate) struct Partition {
    /// For every set of pushers its part.
    part_of: Vec<u32>,
    /// The number of parts.
    pub count: usize,
}

/// A part of a board.
pub(crate) struct BoardPart {
    /// Whether the part owns each set of pushers.
    own: Vec<bool>,
    /// For every set of opposing pushers a bit for each cell that is read.
    reads: Vec<Vec<u64>>,
}

/// Visits the sets that result from a push of the opponent which displaces neighbours in one line.
fn for_each_displacement(layout: &Layout, set: Squares, mut visit: impl FnMut(Squares)) {
    for (square, direction) in
        set.into_iter().flat_map(|square| (0..4).map(move |direction| (square, direction)))
    {
        let (mut line, mut at) = (Squares::EMPTY, Some(square));
        while let Some(square) = at {
            if set.contains(square) {
                line.insert(square);
                let after = set & !line | layout.board.shifted(line, direction);
                if after.len() == set.len() {
                    visit(after);
                }
            }
            at = layout.board.neighbour(square, direction);
        }
    }
}

/// The sets of pushers in the order in which they are assigned to parts, with neighbours near each
/// other. It is the same for all cuts.
pub(crate) struct PusherSetOrder {
    /// For every set the first of its images under symmetries. Images are in one part, because only one
    /// of them is stored.
    orbits: Vec<usize>,
    /// The first set of each orbit, with the number of its superblocks.
    order: Vec<(usize, u64)>,
    /// The number of groups of [`CellGroups`].
    pub group_count: usize,
}

impl PusherSetOrder {
    pub(crate) fn new(layout: &Layout) -> PusherSetOrder {
        let images = |set: Squares| {
            (0..layout.symmetries.count()).map(move |symmetry| layout.symmetries.set_image(symmetry, set))
        };
        let first = |set: Squares| images(set).map(|image| layout.pushers(image)).min().unwrap_or(0);
        let orbits: Vec<usize> = layout.pusher_sets.iter().map(|&set| first(set)).collect();
        let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); orbits.len()];
        let mut weights = vec![0; orbits.len()];
        for (number, &set) in layout.pusher_sets.iter().enumerate() {
            for_each_displacement(layout, set, |after| {
                neighbours[orbits[number]].push(orbits[layout.pushers(after)])
            });
            let anchors = set.with(layout.no_anchor()).into_iter();
            let superblocks = anchors.filter(|&anchor| layout.superblock_of(number, anchor).is_some());
            weights[orbits[number]] += superblocks.count() as u64;
        }
        for (number, neighbours) in neighbours.iter_mut().enumerate() {
            neighbours.sort_unstable();
            neighbours.dedup();
            neighbours.retain(|&other| other != number);
        }
        // The last set that a search finds is at an end.
        let mut order = breadth_first(0, &orbits, &neighbours);
        for _ in 0..2 {
            let end = order.last().copied().unwrap_or(0);
            order = breadth_first(end, &orbits, &neighbours);
        }
        let order = order.into_iter().map(|orbit| (orbit, weights[orbit])).collect();
        let group_count = (layout.cells.len() / CELLS_PER_GROUP).clamp(*GROUPS.start(), *GROUPS.end());
        PusherSetOrder { orbits, order, group_count }
    }

    /// Cuts the order into parts with sizes proportional to these numbers. If there are few sets of
    /// pushers, parts may be empty.
    pub(crate) fn split(&self, sizes: &[u32]) -> Partition {
        let total: u64 = self.order.iter().map(|(_, orbit_size)| orbit_size).sum();
        let all: u64 = sizes.iter().map(|&size| u64::from(size)).sum();
        let mut part_of_orbit = vec![0; self.orbits.len()];
        let (mut before, mut part, mut upto) = (0, 0, u64::from(sizes[0]));
        for &(orbit, orbit_size) in &self.order {
            while part + 1 < sizes.len() && before * all >= upto * total {
                part += 1;
                upto += u64::from(sizes[part]);
            }
            part_of_orbit[orbit] = part as u32;
            before += orbit_size;
        }
        let part_of = self.orbits.iter().map(|&orbit| part_of_orbit[orbit]).collect();
        Partition { part_of, count: sizes.len() }
    }

    /// Cuts the order into `count` parts of about equal size, which consist of whole groups of
    /// [`CellGroups`].
    pub(crate) fn split_evenly(&self, count: usize) -> Partition {
        let count = count.max(1);
        let part_of_group = |group: &u32| (*group as usize * count / self.group_count) as u32;
        Partition { part_of: self.groups().part_of.iter().map(part_of_group).collect(), count }
    }

    /// Cuts the order into groups of equal size.
    fn groups(&self) -> Partition {
        self.split(&vec![1; self.group_count])
    }
}

impl Partition {
    /// The approximate share of the board that a part holds: its own superblocks, and the cells that it
    /// reads of others.
    pub(crate) fn held_share(&self, layout: &Layout, number: usize) -> f64 {
        let sets = self.part_of.len().max(1) as f64;
        let own = self.part_of.iter().filter(|&&part| part as usize == number).count() as f64 / sets;
        let read = self.reads(layout, number).iter().filter(|read| **read).count() as f64 / sets;
        own + (1.0 - own) * read
    }

    /// How often all chunks of a plane are read while each part in turn loads what it needs: its own
    /// chunks, and the chunks that it reads of others and the part before did not hold.
    pub(crate) fn chunks_read(&self, layout: &Layout, order: &PusherSetOrder) -> f64 {
        let groups = order.groups();
        let mut size = vec![0.0; order.group_count];
        groups.part_of.iter().for_each(|&group| size[group as usize] += 1.0);
        let mut before = vec![false; self.part_of.len()];
        let mut all = self.part_of.len() as f64;
        for number in 0..self.count {
            let reads = self.reads(layout, number);
            let mut read = vec![false; order.group_count];
            for ((&group, &reads), &before) in groups.part_of.iter().zip(&reads).zip(&before) {
                read[group as usize] |= reads && !before;
            }
            all += size.iter().zip(read).filter(|(_, read)| *read).map(|(size, _)| size).sum::<f64>();
            before = reads;
        }
        all / self.part_of.len().max(1) as f64
    }

    /// For every set of pushers whether a part reads its cells.
    fn reads(&self, layout: &Layout, number: usize) -> Vec<bool> {
        let mut read = vec![false; self.part_of.len()];
        for (&set, _) in
            layout.pusher_sets.iter().zip(&self.part_of).filter(|(_, part)| **part as usize == number)
        {
            let mut mark = |set| {
                (0..layout.symmetries.count()).for_each(|symmetry| {
                    read[layout.pushers(layout.symmetries.set_image(symmetry, set))] = true
                });
            };
            mark(set);
            for_each_displacement(layout, set, mark);
        }
        read
    }

    /// A part.
    pub(crate) fn part(&self, layout: &Layout, number: usize) -> BoardPart {
        let own: Vec<bool> = self.part_of.iter().map(|&part| part as usize == number).collect();
        let read = self.reads(layout, number);
        let reads = layout
            .pusher_sets
            .iter()
            .map(|&opponent| {
                let mut cells = vec![0; layout.cells.len().div_ceil(64)];
                for (cell, &packed) in layout.cells.iter().enumerate() {
                    if read[layout.pushers(expand(packed, layout.board.all() & !opponent))] {
                        cells[cell / 64] |= 1 << (cell % 64);
                    }
                }
                cells
            })
            .collect();
        BoardPart { own, reads }
    }
}

/// The cells of superblocks, in groups by the mover's pushers: a part owns whole groups, and reads
/// some. Work files store the cells of a group together.
pub(crate) struct CellGroups {
    /// For every set of opposing pushers the cells, group by group, and where each group begins.
    by_opponent: Vec<(Vec<u16>, Vec<u16>)>,
    /// The number of groups; some may have no cells.
    pub count: usize,
}

impl CellGroups {
    pub(crate) fn new(layout: &Layout, order: &PusherSetOrder) -> CellGroups {
        let groups = order.groups();
        let of_opponent = |&opponent: &Squares| {
            let group_of = |packed| {
                groups.part_of[layout.pushers(expand(packed, layout.board.all() & !opponent))] as usize
            };
            let mut of_group = vec![Vec::new(); order.group_count];
            (0_u16..).zip(&layout.cells).for_each(|(cell, &packed)| of_group[group_of(packed)].push(cell));
            let end = |end: &mut u16, cells: &Vec<u16>| {
                *end += cells.len() as u16;
                Some(*end)
            };
            let ends = of_group.iter().scan(0, end);
            (of_group.concat(), std::iter::once(0).chain(ends).collect())
        };
        let by_opponent = layout.pusher_sets.iter().map(of_opponent).collect();
        CellGroups { by_opponent, count: order.group_count }
    }

    /// The cells of a group, ascending, in the superblocks of a set of opposing pushers.
    pub(crate) fn cells(&self, pushers: usize, group: usize) -> &[u16] {
        let (cells, starts) = &self.by_opponent[pushers];
        &cells[usize::from(starts[group])..usize::from(starts[group + 1])]
    }
}

/// Finds orbits by a breadth-first search that visits neighbours with few neighbours first, as Cuthill and
/// McKee do.
fn breadth_first(first: usize, orbits: &[usize], neighbours: &[Vec<usize>]) -> Vec<usize> {
    let (mut found, mut order, mut done) = (vec![false; orbits.len()], Vec::new(), 0);
    // The board may be disconnected.
    for first in std::iter::once(first).chain(orbits.iter().copied()) {
        if std::mem::replace(&mut found[first], true) {
            continue;
        }
        order.push(first);
        while let Some(&next) = order.get(done) {
            done += 1;
            let new = neighbours[next].iter().filter(|&&other| !found[other]);
            let mut new: Vec<(usize, usize)> = new.map(|&other| (neighbours[other].len(), other)).collect();
            new.sort_unstable();
            for (_, other) in new {
                found[other] = true;
                order.push(other);
            }
        }
    }
    order
}

impl BoardPart {
    /// Whether the part owns a set of opposing pushers.
    pub(crate) fn owns_set(&self, pushers: usize) -> bool {
        self.own[pushers]
    }

    /// Whether the part owns a superblock.
    pub(crate) fn owns(&self, layout: &Layout, superblock: SuperblockId) -> bool {
        self.own[layout.superblocks[superblock].pushers as usize]
    }

    /// Whether the part reads a cell of a superblock that another part owns.
    pub(crate) fn reads(&self, layout: &Layout, superblock: SuperblockId, cell: usize) -> bool {
        let reads = &self.reads[layout.superblocks[superblock].pushers as usize];
        reads[cell / 64] >> (cell % 64) & 1 == 1
    }

    /// Keeps the cells of a superblock that the part holds: all cells if it owns the superblock, otherwise
    /// the cells that it reads.
    pub(crate) fn retain_held(
        &self,
        layout: &Layout,
        superblock: SuperblockId,
        cells: SparseCells,
    ) -> SparseCells {
        if self.owns(layout, superblock) || cells.is_empty() {
            return cells;
        }
        cells.filter_cells(|cell| self.reads(layout, superblock, cell))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::scope::Scope;
    use crate::testing::game;

    fn layout(name: &str) -> Layout {
        Layout::new(&game(name), Scope::PlausibleAndStarts).unwrap()
    }

    #[test]
    fn every_superblock_has_one_owner() {
        for (name, count) in
            [("pushfight:mini", 1), ("pushfight:mini", 5), ("pushfight:mini,pushers=1", 1000)]
        {
            let layout = layout(name);
            let parts = PusherSetOrder::new(&layout).split_evenly(count);
            let list: Vec<BoardPart> = (0..parts.count).map(|number| parts.part(&layout, number)).collect();
            for superblock in layout.superblocks.ids() {
                assert_eq!(list.iter().filter(|part| part.owns(&layout, superblock)).count(), 1, "{name}");
            }
        }
    }

    #[test]
    fn many_parts_hold_little_each() {
        let layout = layout("pushfight:standard");
        let held = |count| {
            let parts = PusherSetOrder::new(&layout).split_evenly(count);
            (0..count).map(|number| parts.held_share(&layout, number)).fold(0.0, f64::max)
        };
        assert!((held(1) - 1.0).abs() < 1e-9);
        let shares: Vec<f64> = [2, 4, 8, 16, 64].map(held).into();
        assert!(shares.is_sorted_by(|more, less| less < more), "{shares:?}");
        assert!(shares[0] < 0.95 && shares[4] < 0.2, "{shares:?}");
    }
}
