//! Reads a depth file in the solver's order, superblock by superblock, as planes by turns.
//!
//! A *window* of superblocks, as many as fit into memory, is filled group by group and passed on. Then the
//! next window follows. Superblocks are taken by anchor, so that positions with other anchors are skipped.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use parking_lot::Mutex;
use retrograde_game::Squares;
use retrograde_pushfight::Position;
use retrograde_solve::SolveError;
use retrograde_table::TableError;

use crate::config::SolveConfig;
use crate::files::depth::file::DepthFile;
use crate::layout::by_mover::image;
use crate::layout::lanes::LocalLane;
use crate::layout::location::{image_location, is_on_halves};
use crate::layout::numbering::Layout;
use crate::layout::sparse::SparseCells;
use crate::layout::superblocks::SuperblockId;
use crate::parallel::try_for_each;

/// A window uses at most this fraction of the memory limit.
const SHARE: u64 = 2;
/// The smallest window that justifies reading the file once more.
const SMALLEST_WINDOW: u64 = 64 << 20;

/// The positions of a superblock by turns.
pub(crate) type SuperblockPlanes = Vec<(u16, SparseCells)>;

/// Receives the positions of a superblock.
type Visit<'a> = dyn Fn(SuperblockId, SuperblockPlanes) -> Result<(), SolveError> + Sync + 'a;

impl DepthFile {
    /// Visits all superblocks on several threads.
    ///
    /// # Errors
    /// If a block cannot be read or is damaged, or it is stopped; the errors of `visit`.
    pub(crate) fn for_each_superblock(
        &self,
        config: &SolveConfig<'_>,
        visit: &Visit<'_>,
    ) -> Result<(), SolveError> {
        let SolveConfig { threads, progress, .. } = *config;
        let layout = &*self.layout;
        let order = Order::new(layout);
        let count = order.superblocks.len();
        let mut from = 0;
        while from < count {
            let window = Window::new(self, &order, from, config.memory / SHARE);
            progress.stage(&format!("reading the {}", self.kind.name()), self.group_count() as u64);
            try_for_each(threads, (0..self.group_count()).collect(), progress, |group| {
                Ok(window.add_group(self, group)?)
            })?;
            let to = window.to.load(Ordering::Relaxed);
            progress.stage(&format!("arranging the {}", self.kind.name()), (to - from) as u64);
            try_for_each(threads, (from..to).collect(), progress, |number: usize| {
                let mut entries = std::mem::take(&mut *window.entries[number - from].lock());
                entries.sort_unstable();
                entries.dedup();
                let mut by_half = vec![Vec::new(); 1 << u8::BITS];
                for entry in entries {
                    let (position, half) = unpacked(entry);
                    by_half[usize::from(half)].push(position);
                }
                let present = (0_u8..=u8::MAX).zip(&by_half).filter(|(_, positions)| !positions.is_empty());
                let plane = |(half, positions): (u8, &Vec<_>)| {
                    (self.kind.turns(half), SparseCells::of_positions(layout.cell_shape(), positions))
                };
                visit(order.superblocks[number], present.map(plane).collect())
            })?;
            from = to;
        }
        Ok(())
    }
}

/// A position of a superblock as a number, by cell, row and bit; rows and bits are below 2,048.
fn packed(cell: usize, row: LocalLane, bit: LocalLane, half: u8) -> u64 {
    ((cell as u64) << 22 | (row.index() as u64) << 11 | bit.index() as u64) << 8 | u64::from(half)
}

fn unpacked(entry: u64) -> ((u32, LocalLane, LocalLane), u8) {
    let lane = |shift: u32| LocalLane::new((entry >> shift & 2047) as usize);
    (((entry >> 30) as u32, lane(19), lane(8)), entry as u8)
}

/// The order in which superblocks are visited: by anchor.
struct Order {
    superblocks: Vec<SuperblockId>,
    /// The place of each superblock.
    places: Vec<usize>,
}

impl Order {
    fn new(layout: &Layout) -> Order {
        let of_anchor = |anchor| {
            layout
                .superblocks
                .ids()
                .filter(move |&superblock| layout.superblocks[superblock].anchor == anchor)
        };
        let anchors = layout.board.all().with(layout.no_anchor());
        let superblocks: Vec<SuperblockId> = anchors.into_iter().flat_map(of_anchor).collect();
        let mut places = vec![0; superblocks.len()];
        superblocks.iter().enumerate().for_each(|(place, superblock)| places[superblock.index()] = place);
        Order { superblocks, places }
    }

    /// The anchors of a range of places, and their images.
    fn anchors(&self, layout: &Layout, places: Range<usize>) -> Squares {
        let of_places = self.superblocks[places].iter().map(|&superblock| layout.anchor(superblock));
        let set = of_places.fold(Squares::EMPTY, |all, anchor| all | anchor);
        (0..layout.symmetries.count())
            .fold(set, |all, symmetry| all | layout.symmetries.set_image(symmetry, set))
    }
}

/// Consecutive superblocks of the order, with the positions found so far.
struct Window<'a> {
    order: &'a Order,
    anchors: Squares,
    from: usize,
    to: AtomicUsize,
    /// The number of positions, and the limit.
    count: AtomicU64,
    most: u64,
    entries: Vec<Mutex<Vec<u64>>>,
}

impl Window<'_> {
    fn new<'a>(file: &DepthFile, order: &'a Order, from: usize, memory: u64) -> Window<'a> {
        let (layout, kind) = (&*file.layout, file.kind);
        let count = layout.superblocks.len();
        // Growing lists take up to twice their contents.
        let most = memory.max(SMALLEST_WINDOW) / 16;
        let guess = usize::try_from(most / (file.info.positions(kind) / count.max(1) as u64 + 1))
            .unwrap_or(usize::MAX)
            .max(1);
        let to = count.min(from.saturating_add(guess));
        Window {
            order,
            anchors: order.anchors(layout, from..to),
            from,
            to: AtomicUsize::new(to),
            count: AtomicU64::new(0),
            most,
            entries: (from..to).map(|_| Mutex::default()).collect(),
        }
    }

    /// Adds the positions of a group, each with all its images that the solver has.
    fn add_group(&self, file: &DepthFile, group: usize) -> Result<(), TableError> {
        let symmetries = file.layout.symmetries.count();
        let mut found: Vec<(usize, u64)> = Vec::new();
        file.visit_places(group, self.anchors, &mut |position, half| {
            for symmetry in 0..symmetries {
                self.find(file, symmetry, &position, half, &mut found);
            }
            if found.len() >= 1 << 16 {
                self.put(&mut found);
            }
            Ok::<_, TableError>(true)
        })?;
        self.put(&mut found);
        Ok(())
    }

    /// Finds the solver's place for an image of a position, if it is in the window.
    fn find(
        &self,
        file: &DepthFile,
        symmetry: usize,
        position: &Position,
        half: u8,
        found: &mut Vec<(usize, u64)>,
    ) {
        let layout = &*file.layout;
        let anchor = match position.anchor.first() {
            None => layout.no_anchor(),
            Some(anchor) => layout.symmetries.square_image(symmetry, anchor),
        };
        let Some(location) = image_location(layout, symmetry, anchor, position) else { return };
        let place = self.order.places[location.superblock.index()];
        let Some(at) = place.checked_sub(self.from) else { return };
        if place >= self.to.load(Ordering::Relaxed)
            || position.anchor.is_empty() && !is_on_halves(layout, &image(layout, symmetry, position))
        {
            return;
        }
        found.push((at, packed(location.cell, location.row, location.bit, half)));
    }

    /// Stores what was found. Drops the last superblocks of the window while it is too large.
    fn put(&self, found: &mut Vec<(usize, u64)>) {
        found.sort_unstable();
        for of_superblock in found.chunk_by(|one, other| one.0 == other.0) {
            let mut entries = self.entries[of_superblock[0].0].lock();
            entries.extend(of_superblock.iter().map(|&(_, entry)| entry));
        }
        self.count.fetch_add(found.len() as u64, Ordering::Relaxed);
        found.clear();
        while self.count.load(Ordering::Relaxed) > self.most {
            let to = self.to.load(Ordering::Relaxed);
            if to <= self.from + 1 {
                return;
            }
            let middle = self.from + (to - self.from).div_ceil(2);
            self.to.fetch_min(middle, Ordering::Relaxed);
            for entries in &self.entries[middle - self.from..] {
                *entries.lock() = Vec::new();
            }
            let left = &self.entries[..middle - self.from];
            let count = left.iter().map(|entries| entries.lock().len() as u64).sum();
            self.count.store(count, Ordering::Relaxed);
        }
    }
}
