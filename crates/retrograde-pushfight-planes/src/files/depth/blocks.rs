//! The blocks of a depth file. `file` describes the format.

use std::path::Path;
use std::sync::Arc;

use retrograde_game::{Square, Squares};
use retrograde_pushfight::Position;
use retrograde_table::{FilePart, FrameReader, TableError, read_up_to};

use crate::files::depth::cache::BlockCache;
use crate::files::depth::file::DepthFile;
use crate::files::depth::mover_block::{BlockShape, MoverBlock};
use crate::layout::by_mover::MoverLocation;
use crate::layout::lanes::LocalLane;
use crate::layout::numbering::Layout;
use crate::layout::sets::{bits_of, expand};

/// The default number of cached blocks.
const MAX_BLOCKS: usize = 1024;
/// The number of cached pages.
const MAX_PAGES: usize = 1024;
/// The ratio of a decoded block's size to its size in the file.
const DECODED: u64 = 10;

/// The lengths and checksums of a group's blocks.
struct Page {
    /// The offset of each block, and of the end.
    starts: Vec<u64>,
    sums: Vec<u32>,
}

/// The pages of a file, and the cached pages and blocks.
pub(super) struct BlockIndex {
    shape: BlockShape,
    /// The largest possible size of a block in the file.
    max_stored: u64,
    /// The offset of the first block.
    first: u64,
    /// The offset of each group's page, and its checksum.
    pages: Vec<(u64, u32)>,
    /// The approximate size of a decoded block.
    block_memory: u64,
    kept_pages: BlockCache<Page>,
    kept: BlockCache<MoverBlock>,
}

impl BlockIndex {
    /// Reads the index of a file. Also returns the checksum of the footer.
    pub(super) fn read(
        framed: &FrameReader<'_>,
        path: &Path,
        layout: &Layout,
    ) -> Result<(BlockIndex, u32), TableError> {
        let count = layout.groups.len() as u64;
        let directory =
            framed.directory(|found| (found == count).then_some(12 * count), (12, |_: &[u8]| true))?;
        let entries = directory.bytes.as_chunks::<12>().0.iter();
        let pages: Vec<(u64, u32)> = entries
            .map(|entry| {
                let [at, sum] = [&entry[..8], &entry[8..]].map(little_endian);
                (at, sum as u32)
            })
            .collect();
        let (first, page_bytes) = (framed.end_of_head(), 8 * layout.lanes as u64);
        let mut end = first;
        for &(at, _) in &pages {
            if at < end || at > directory.at {
                return Err(TableError::damaged(path, FilePart::Page(0), "its pages are not in order"));
            }
            end = at + page_bytes;
        }
        if end != directory.at {
            return Err(TableError::damaged(path, FilePart::Page(0), "its pages do not fill it"));
        }
        let blocks = (count * layout.lanes as u64).max(1);
        let shape = BlockShape::new(&layout.groups);
        let index = BlockIndex {
            shape,
            max_stored: shape.max_stored(),
            first,
            pages,
            block_memory: ((directory.at - first) / blocks * DECODED).max(1 << 10),
            kept_pages: BlockCache::new(MAX_PAGES),
            kept: BlockCache::new(MAX_BLOCKS),
        };
        Ok((index, directory.checksum))
    }
}

fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

impl DepthFile {
    /// The total size of blocks and pages.
    pub(crate) fn bytes(&self) -> u64 {
        self.index.pages.last().map_or(0, |&(at, _)| at + self.page_bytes() - self.index.first)
    }

    /// The number of groups.
    pub(crate) fn group_count(&self) -> usize {
        self.index.pages.len()
    }

    /// Bytes of a page.
    fn page_bytes(&self) -> u64 {
        8 * self.layout.lanes as u64
    }

    fn read(&self, from: u64, to: u64) -> Result<Vec<u8>, TableError> {
        let mut bytes = vec![0; (to - from) as usize];
        let read = read_up_to(&*self.source, &mut bytes, from)
            .map_err(|error| TableError::io("read", &self.path, error))?;
        bytes.truncate(read);
        Ok(bytes)
    }

    fn read_page(&self, group: usize) -> Result<Page, TableError> {
        let damaged =
            |reason: &str| TableError::damaged(&self.path, FilePart::Page(group as u64 + 1), reason);
        let (at, sum) = self.index.pages[group];
        let bytes = self.read(at, at + self.page_bytes())?;
        if crc32c::crc32c(&bytes) != sum {
            return Err(damaged("its checksum is wrong"));
        }
        let mut end = match group.checked_sub(1) {
            Some(before) => self.index.pages[before].0 + self.page_bytes(),
            None => self.index.first,
        };
        let (mut starts, mut sums) = (vec![end], Vec::with_capacity(self.layout.lanes));
        for entry in bytes.as_chunks::<8>().0 {
            let [length, sum] = [&entry[..4], &entry[4..]].map(little_endian);
            if length > self.index.max_stored {
                return Err(damaged("a block is longer than it can be"));
            }
            end += length;
            starts.push(end);
            sums.push(sum as u32);
        }
        if end != at || sums.len() != self.layout.lanes {
            return Err(damaged("its blocks do not fill the group"));
        }
        Ok(Page { starts, sums })
    }

    fn page(&self, group: usize) -> Result<Arc<Page>, TableError> {
        if let Some(page) = self.index.kept_pages.get(group) {
            return Ok(page);
        }
        let page = Arc::new(self.read_page(group)?);
        self.index.kept_pages.put(group, page.clone());
        Ok(page)
    }

    fn block_number(&self, group: usize, configuration: LocalLane) -> usize {
        group * self.layout.lanes + configuration.index()
    }

    fn decode(
        &self,
        page: &Page,
        group: usize,
        configuration: usize,
        bytes: &[u8],
    ) -> Result<MoverBlock, TableError> {
        let number = self.block_number(group, LocalLane::new(configuration)) as u64;
        let damaged = |reason: &str| TableError::damaged(&self.path, FilePart::Block(number), reason);
        let length = page.starts[configuration + 1] - page.starts[configuration];
        if bytes.len() as u64 != length || crc32c::crc32c(bytes) != page.sums[configuration] {
            return Err(damaged("its checksum is wrong"));
        }
        MoverBlock::decode(self.index.shape, bytes).map_err(damaged)
    }

    fn block(&self, group: usize, configuration: LocalLane) -> Result<Arc<MoverBlock>, TableError> {
        let number = self.block_number(group, configuration);
        if let Some(block) = self.index.kept.get(number) {
            return Ok(block);
        }
        let page = self.page(group)?;
        let at = configuration.index();
        let bytes = self.read(page.starts[at], page.starts[at + 1])?;
        let block = Arc::new(self.decode(&page, group, at, &bytes)?);
        self.index.kept.put(number, block.clone());
        Ok(block)
    }

    /// The most memory that it may use, in bytes.
    pub(crate) fn memory(&self) -> u64 {
        let (index, groups) = (&self.index, self.group_count());
        let pages = index.kept_pages.most.min(groups) as u64 * self.layout.lanes as u64 * 12;
        let blocks = index.kept.most.min(groups * self.layout.lanes) as u64;
        groups as u64 * 16 + pages + blocks * index.block_memory
    }

    /// Limits the cached blocks to this many bytes.
    pub(crate) fn limit_cache(&mut self, bytes: u64) {
        self.index.kept.limit(usize::try_from(bytes / self.index.block_memory).unwrap_or(usize::MAX));
    }

    /// Whether [`DepthFile::prepare_pages`] and [`DepthFile::prepare_blocks`] do anything.
    pub(crate) fn needs_prepare(&self) -> bool {
        self.source.needs_prepare()
    }

    /// Announces that these positions will be looked up next, so that a remote file fetches the pages
    /// that they need together.
    pub(crate) fn prepare_pages(&self, locations: &[MoverLocation]) -> Result<(), TableError> {
        let mut groups: Vec<usize> = locations.iter().map(|location| location.group).collect();
        groups.sort_unstable();
        groups.dedup();
        groups.retain(|&group| !self.index.kept_pages.has(group));
        let page = |&group: &usize| {
            let (at, _) = self.index.pages[group];
            at..at + self.page_bytes()
        };
        self.prepare(&groups.iter().map(page).collect::<Vec<_>>())
    }

    fn prepare(&self, ranges: &[std::ops::Range<u64>]) -> Result<(), TableError> {
        self.source.prepare(ranges).map_err(|error| TableError::io("read", &self.path, error))
    }

    /// Continues [`DepthFile::prepare_pages`]: reads the pages and announces the blocks.
    pub(crate) fn prepare_blocks(&self, locations: &[MoverLocation]) -> Result<(), TableError> {
        let mut blocks: Vec<(usize, usize)> =
            locations.iter().map(|location| (location.group, location.configuration.index())).collect();
        blocks.sort_unstable();
        blocks.dedup();
        let lanes = self.layout.lanes;
        blocks.retain(|&(group, configuration)| !self.index.kept.has(group * lanes + configuration));
        let mut ranges = Vec::with_capacity(blocks.len());
        for of_group in blocks.chunk_by(|one, other| one.0 == other.0) {
            let page = self.page(of_group[0].0)?;
            let of_group = of_group.iter().map(|&(_, at)| page.starts[at]..page.starts[at + 1]);
            ranges.extend(of_group.filter(|range| !range.is_empty()));
        }
        self.prepare(&ranges)
    }

    /// The turns of the position at a location; `None` if it is not in the file.
    pub(crate) fn turns_at(&self, location: MoverLocation) -> Result<Option<u16>, TableError> {
        let half = self.block(location.group, location.configuration)?.half(location.place);
        Ok(half.map(|half| self.kind.turns(half)))
    }

    /// The decoded blocks of a group, by configuration. A remote file fetches the whole group.
    fn blocks_of_group(
        &self,
        group: usize,
    ) -> Result<impl Iterator<Item = Result<MoverBlock, TableError>>, TableError> {
        let page = self.read_page(group)?;
        if self.needs_prepare() {
            let all = page.starts[0]..self.index.pages[group].0;
            self.prepare(std::slice::from_ref(&all))?;
        }
        Ok((0..self.layout.lanes).map(move |configuration| {
            let block = self.read(page.starts[configuration], page.starts[configuration + 1])?;
            self.decode(&page, group, configuration, &block)
        }))
    }

    /// Visits the positions of a group that have no anchor or one on a square of `anchors`, each with half of
    /// its turns, until `visit` returns false; then returns false too.
    pub(super) fn visit_places<E: From<TableError>>(
        &self,
        group: usize,
        anchors: Squares,
        visit: &mut dyn FnMut(Position, u8) -> Result<bool, E>,
    ) -> Result<bool, E> {
        let layout = &*self.layout;
        for (configuration, block) in self.blocks_of_group(group)?.enumerate() {
            let [own_pushers, own_pawns, free] = layout.squares(group, LocalLane::new(configuration));
            let squares: Vec<Squares> = free.into_iter().map(Square::set).collect();
            let mut sets = layout.sets_in_order();
            for entry in block?.anchors() {
                let packed = sets.find(entry.set);
                // Positions with other anchors are skipped before their squares are known.
                let anchor = match bits_of(packed.0).nth(entry.anchor.into()) {
                    Some(number) => squares[number],
                    None => Squares::EMPTY,
                };
                if !(anchor & !anchors).is_empty() {
                    continue;
                }
                let occupied = expand(packed, free);
                for (pawns, half) in entry.pawns() {
                    let other_pawns = layout.groups.opponent_pawns(occupied, (anchor, entry.anchor), pawns);
                    let other_pushers = occupied & !other_pawns;
                    let position = Position { own_pushers, own_pawns, other_pushers, other_pawns, anchor };
                    if !visit(position, half)? {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    /// Visits the positions of a group that have no anchor or one on a square of `anchors`, with their turns,
    /// until `visit` returns false; then returns false too. Of positions before the first push, visits the
    /// images that are valid before the first push.
    pub(crate) fn visit_group<E: From<TableError>>(
        &self,
        group: usize,
        anchors: Squares,
        visit: &mut dyn FnMut(Position, u16) -> Result<bool, E>,
    ) -> Result<bool, E> {
        self.visit_places(group, anchors, &mut |position, half| {
            let turns = self.kind.turns(half);
            if !position.anchor.is_empty() {
                return visit(position, turns);
            }
            for start in self.layout.start_images(&position) {
                if !visit(start, turns)? {
                    return Ok(false);
                }
            }
            Ok(true)
        })
    }

    /// Reads a group, and adds errors about damage to `wrong`.
    pub(super) fn check_group(&self, group: usize, wrong: &mut Vec<TableError>) -> Result<(), TableError> {
        let mut note = |error| match error {
            TableError::Damaged { .. } => {
                wrong.push(error);
                Ok(())
            }
            error => Err(error),
        };
        match self.blocks_of_group(group) {
            Err(error) => note(error),
            Ok(mut blocks) => blocks.try_for_each(|block| block.map_or_else(&mut note, |_| Ok(()))),
        }
    }
}
