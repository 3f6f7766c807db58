//! Converts the solver's order of positions, by opponent, into the order of depth files, by mover.
//!
//! The positions of one group are spread over nearly all superblocks. So a *window* of consecutive
//! groups, as many as fit, is held in memory. It is filled from one superblock after the other with the
//! cells that belong to these groups. Then the groups are encoded and written in order, and the next
//! window follows. The file does not depend on where windows end, nor on threads.

use std::io;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use parking_lot::Mutex;
use retrograde_game::Squares;
use retrograde_pushfight::Position;
use retrograde_solve::{SolveError, in_order};
use retrograde_table::compression::Compressor;
use retrograde_table::{Sink, write_all};

use crate::config::SolveConfig;
use crate::files::depth::kind::DepthFileKind;
use crate::files::depth::mover_block::{BlockShape, Entry, encode};
use crate::files::depth::solver_cells::SolverCells;
use crate::files::log::PhaseLog;
use crate::files::solution_info::SolutionInfo;
use crate::layout::by_mover::ConfigurationPlace;
use crate::layout::lanes::LocalLane;
use crate::layout::location::CellLocation;
use crate::layout::numbering::Layout;
use crate::layout::sets::{PackedSquares, compress, expand, index_in};
use crate::layout::superblocks::SuperblockId;
use crate::parallel::try_for_each;

/// The level of compression.
const LEVEL: i32 = 6;
/// A window uses at most this fraction of the memory limit, and never more than `LARGEST_WINDOW`.
const SHARE: u64 = 2;
const LARGEST_WINDOW: u64 = 4 << 30;
/// The smallest window that justifies a pass over all superblocks.
const SMALLEST_WINDOW: u64 = 64 << 20;
/// The approximate size of a position in a window, for a first guess of how many groups fit.
const POSITION_BYTES: u64 = 3;

/// The size of a window under the memory limit.
pub(super) fn window_bytes(config: &SolveConfig<'_>) -> u64 {
    (config.memory / SHARE).clamp(SMALLEST_WINDOW, LARGEST_WINDOW)
}

/// A depth file about to be written.
pub(super) struct MoverOrderWriter<'a> {
    pub layout: &'a Layout,
    pub kind: DepthFileKind,
    pub info: &'a SolutionInfo,
    pub config: &'a SolveConfig<'a>,
    /// The maximum size of a window in bytes; it has at least one group.
    pub window: u64,
    /// The logs of its phases, each with half of the turns.
    pub phases: Vec<(u8, PhaseLog)>,
}

/// The blocks and the page of a group.
struct GroupBytes {
    blocks: Vec<u8>,
    page: Vec<u8>,
}

impl MoverOrderWriter<'_> {
    /// Writes the file.
    ///
    /// # Errors
    /// If it is stopped, or a file cannot be read or written.
    pub(super) fn write(&self, sink: &mut dyn Sink) -> Result<(), SolveError> {
        let groups = &self.layout.groups;
        let description = serde_json::to_vec(self.info).map_err(io::Error::other)?;
        let head = self.kind.frame().head(&description)?;
        write_all(sink, &head)?;
        let (mut offset, mut index) = (head.len() as u64, Vec::new());
        let mut from = 0;
        while from < groups.len() {
            let (cells, to) = self.fill(from)?;
            let name = format!("writing the {}", self.kind.name());
            self.config.progress.stage(&name, (to - from) as u64);
            let make = |number: usize| self.group(&cells, from + number);
            let whole =
                in_order(to - from, self.config.threads, self.config.progress, &make, &mut |group| {
                    let GroupBytes { blocks, page } = group;
                    write_all(sink, &blocks)?;
                    write_all(sink, &page)?;
                    offset += blocks.len() as u64;
                    index.extend(offset.to_le_bytes());
                    index.extend(crc32c::crc32c(&page).to_le_bytes());
                    offset += page.len() as u64;
                    Ok::<_, io::Error>(())
                })?;
            if !whole {
                return Err(SolveError::Stopped);
            }
            from = to;
        }
        write_all(sink, &index)?;
        let foot = self.kind.frame().foot(&head, offset, groups.len() as u64, &index);
        Ok(write_all(sink, &foot)?)
    }

    /// Collects the cells of as many groups as fit, beginning with `from`. Also returns the end of
    /// these groups.
    fn fill(&self, from: usize) -> Result<(Vec<SolverCells>, usize), SolveError> {
        let (groups, most) = (&self.layout.groups, self.window);
        let of_group = self.info.positions(self.kind) * POSITION_BYTES / groups.len() as u64 + 1;
        let guess = usize::try_from(most / of_group).unwrap_or(usize::MAX).max(1);
        let window = Window {
            from,
            to: AtomicUsize::new(groups.len().min(from.saturating_add(guess))),
            bytes: AtomicU64::new(0),
            most,
            cells: self.layout.superblocks.ids().map(|_| Mutex::default()).collect(),
        };
        let superblocks = self.layout.superblocks.len();
        self.config.progress.stage(&format!("arranging the {}", self.kind.name()), superblocks as u64);
        let all = self.layout.superblocks.ids().collect();
        try_for_each(self.config.threads, all, self.config.progress, |superblock| {
            Ok(self.fill_superblock(&window, superblock)?)
        })?;
        let cells = window.cells.into_iter().map(Mutex::into_inner).collect();
        Ok((cells, window.to.into_inner()))
    }

    fn fill_superblock(&self, window: &Window, superblock: SuperblockId) -> io::Result<()> {
        let layout = self.layout;
        let own: Vec<usize> = layout.groups_of_cells(superblock);
        let range = window.from..window.to.load(Ordering::Relaxed);
        let mut planes = Vec::with_capacity(self.phases.len());
        // The file has no wins in one turn before the first push.
        let first = usize::from(self.kind == DepthFileKind::Wins && layout.is_start(superblock));
        for (half, found) in &self.phases[first..] {
            planes.push((*half, found.read(superblock, layout.cell_shape())?));
        }
        let wanted = (0..layout.cells.len()).filter(|&cell| range.contains(&own[cell]));
        let cells = SolverCells::new(layout.words, &planes, wanted);
        window.bytes.fetch_add(cells.len() as u64, Ordering::Relaxed);
        *window.cells[superblock].lock() = cells;
        window.shrink(layout);
        Ok(())
    }

    /// Encodes the blocks and the page of a group.
    fn group(&self, cells: &[SolverCells], group: usize) -> io::Result<GroupBytes> {
        let layout = self.layout;
        let mut collected = Collected {
            layout,
            group,
            shape: BlockShape::new(&layout.groups),
            free: (0..layout.lanes)
                .map(|lane| {
                    let [pushers, pawns, _] = layout.squares(group, LocalLane::new(lane));
                    compress(pawns, layout.board.all() & !pushers)
                })
                .collect(),
            entries: vec![Vec::new(); layout.lanes],
        };
        collected.collect(cells)?;
        let mut compressor = Compressor::new(LEVEL)?;
        let mut bytes = GroupBytes { blocks: Vec::new(), page: Vec::with_capacity(8 * layout.lanes) };
        for entries in &mut collected.entries {
            let block = encode(collected.shape, entries, &mut compressor)?;
            *entries = Vec::new();
            let length = u32::try_from(block.len()).map_err(io::Error::other)?;
            bytes.page.extend(length.to_le_bytes());
            bytes.page.extend(crc32c::crc32c(&block).to_le_bytes());
            bytes.blocks.extend(block);
        }
        Ok(bytes)
    }
}

/// A window while it is being filled.
struct Window {
    from: usize,
    to: AtomicUsize,
    bytes: AtomicU64,
    most: u64,
    cells: Vec<Mutex<SolverCells>>,
}

impl Window {
    /// Drops the last groups while the window is too large.
    fn shrink(&self, layout: &Layout) {
        while self.bytes.load(Ordering::Relaxed) > self.most {
            let to = self.to.load(Ordering::Relaxed);
            if to <= self.from + 1 {
                return;
            }
            let middle = self.from + (to - self.from).div_ceil(2);
            self.to.fetch_min(middle, Ordering::Relaxed);
            let mut bytes = 0;
            for (number, cells) in self.cells.iter().enumerate() {
                let own = layout.groups_of_cells(SuperblockId::new(number));
                let mut cells = cells.lock();
                cells.retain(|cell| own[cell] < middle);
                bytes += cells.len() as u64;
            }
            self.bytes.store(bytes, Ordering::Relaxed);
        }
    }
}

impl Layout {
    /// The group of each cell of a superblock.
    fn groups_of_cells(&self, superblock: SuperblockId) -> Vec<usize> {
        let opponent = self.pusher_sets[self.superblocks[superblock].pushers as usize];
        let free = self.board.all() & !opponent;
        self.cells.iter().map(|&cell| self.groups.group_of(self.pushers(expand(cell, free)))).collect()
    }
}

/// The positions of a group, by configuration.
struct Collected<'a> {
    layout: &'a Layout,
    group: usize,
    shape: BlockShape,
    /// The pawns of each configuration, numbered among the squares that the pushers leave free.
    free: Vec<PackedSquares>,
    entries: Vec<Vec<Entry>>,
}

impl Collected<'_> {
    fn collect(&mut self, cells: &[SolverCells]) -> io::Result<()> {
        let layout = self.layout;
        let own = layout.pusher_sets[layout.groups.pushers(self.group)];
        for (opponent, &other) in layout.pusher_sets.iter().enumerate() {
            if !(own & other).is_empty() {
                continue;
            }
            for anchor in other {
                let (_, symmetry) = layout.symmetries.canonical_anchor(anchor);
                self.add_images(cells, opponent, anchor.set(), symmetry)?;
            }
            // Before the first push the solver has all images, and the halves of the board may not be
            // images of each other. Duplicates are removed later.
            for symmetry in 0..layout.symmetries.count() {
                self.add_images(cells, opponent, Squares::EMPTY, symmetry)?;
            }
        }
        Ok(())
    }

    /// Adds the positions with some opposing pushers and an anchor from the cell that has their images.
    fn add_images(
        &mut self,
        cells: &[SolverCells],
        opponent: usize,
        anchor: Squares,
        symmetry: usize,
    ) -> io::Result<()> {
        let layout = self.layout;
        let pushers = layout.groups.pushers(self.group);
        let square = match anchor.first() {
            Some(anchor) => layout.symmetries.square_image(symmetry, anchor),
            None => layout.no_anchor(),
        };
        let Some(location) = CellLocation::of_image(layout, symmetry, opponent, square, pushers) else {
            return Ok(());
        };
        let positions = cells[location.superblock].positions(layout.words, location.cell);
        if positions.is_empty() {
            return Ok(());
        }
        let damaged = || io::Error::new(io::ErrorKind::InvalidData, "a cell has pieces on the same square");
        let back = layout.symmetries.lane_images(layout.symmetries.inverse(symmetry));
        let own_locals = layout.locals(pushers);
        let globals = layout.globals(location.image);
        let lanes = (0..layout.lanes).map(LocalLane::new);
        let configurations: Vec<LocalLane> = lanes.map(|bit| own_locals[back[globals[bit]]]).collect();
        let own = layout.pusher_sets[pushers];
        let other_pushers = layout.pusher_sets[opponent];
        let symmetric = layout.groups.is_symmetric(self.group);
        let mut row_place = RowPlace::default();
        let mut last = None;
        for (row, bit, half) in positions {
            let other_pawns = layout.pawns(back[globals[row]]);
            if last != Some(row) {
                last = Some(row);
                row_place = RowPlace::new(layout, own, other_pushers, other_pawns, anchor);
            }
            let configuration = configurations[bit.index()];
            if configuration == LocalLane::NONE {
                return Err(damaged());
            }
            let pawns = self.free[configuration];
            let position = || Position {
                own_pushers: own,
                own_pawns: layout.local_pawns(pushers, configuration),
                other_pushers,
                other_pawns,
                anchor,
            };
            if row_place.packed.0 & pawns.0 != 0 {
                return Err(damaged());
            }
            if symmetric && !layout.is_canonical(self.group, &position()) {
                continue;
            }
            let place = row_place.beside(layout, pawns);
            self.entries[configuration].push(self.shape.entry(place, half));
        }
        Ok(())
    }
}

/// The squares and numbers that the positions of a row share.
#[derive(Default)]
struct RowPlace {
    /// The opponent's squares among the squares that the mover's pushers leave free.
    packed: PackedSquares,
    anchor: u8,
    pawns: u16,
}

impl RowPlace {
    fn new(
        layout: &Layout,
        own: Squares,
        other_pushers: Squares,
        other_pawns: Squares,
        anchor: Squares,
    ) -> RowPlace {
        let occupied = other_pushers | other_pawns;
        let number = anchor.first().map_or(occupied.len() as usize, |anchor| index_in(occupied, anchor));
        RowPlace {
            packed: compress(occupied, layout.board.all() & !own),
            anchor: number as u8,
            pawns: layout.sets.rank(compress(other_pawns, occupied & !anchor).0) as u16,
        }
    }

    /// The place in the configuration with these pawns, which are numbered like `packed`.
    #[inline]
    fn beside(&self, layout: &Layout, pawns: PackedSquares) -> ConfigurationPlace {
        let (mut packed, mut rest) = (self.packed.0, pawns.0);
        while rest != 0 {
            // The squares above the highest pawn move down by one, then those above the next.
            let pawn = 63 - rest.leading_zeros();
            let below = (1_u64 << pawn) - 1;
            packed = packed & below | (packed >> 1) & !below;
            rest &= below;
        }
        ConfigurationPlace { set: layout.sets.rank(packed), anchor: self.anchor, pawns: self.pawns }
    }
}
