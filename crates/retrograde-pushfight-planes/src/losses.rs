//! The file of losses, `losses.rgp`: the plausible positions up to symmetry that are lost for the side to move, and
//! those before the first push, each with its turns. With it any position is decided by a look at its turns: one that
//! leads to a loss wins, and of what neither is lost nor wins, nothing leads to an end.
//!
//! Positions stand where the solver had them: by the opponent's pushers and anchor (a *superblock*), the mover's
//! pushers (a *cell*), the opponent's pawns (a row) and the mover's (a bit). Some cells together are a block, which is
//! what is read, checked and decompressed for a probe. All numbers are little-endian.
//!
//! ```text
//! head       8  magic: 89 'R' 'G' 'P' 0D 0A 1A 0A
//!            4  format version
//!            4  length of the description
//!               the description, JSON: see [`About`]
//!            4  CRC-32C of all before
//! blocks        by superblock, each a zstd frame of
//!               for each of its cells which rows there are: a bit for each, in words of 8 bytes
//!               for each word of those rows which of its bytes are not zero, a byte
//!               those bytes
//!               for each bit that is set half of the position's turns, a byte
//! directory     for each block and the end: where it begins (8); then for each block its CRC-32C (4)
//! foot       8  where the directory begins
//!            8  number of blocks
//!            4  CRC-32C of the directory
//!            4  CRC-32C of the head and of the foot so far
//!            8  magic: 'R' 'G' 'P' 'E' 'N' 'D' 0D 0A
//! ```
//!
//! The file is written under another name, synced and renamed: it is whole or not there.
//!
//! History: 1, the first.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use retrograde_game::Game;
use retrograde_pushfight::{Position, PushFight};
use retrograde_solve::{Progress, SolveError};
use retrograde_table::{Place, Source, Start, Storage, TableError, Versioned, read_up_to, write_all};
use serde::{Deserialize, Serialize};

use crate::cells::Cells;
use crate::log::Log;
use crate::phases::PhaseCount;
use crate::shape::{Scope, Shape, squares};

pub(crate) const FILE: &str = "losses.rgp";
const MAGIC: [u8; 8] = *b"\x89RGP\r\n\x1a\n";
const END_MAGIC: [u8; 8] = *b"RGPEND\r\n";
const VERSION: u32 = 1;
const FOOT: u64 = 32;
/// Cells of a block.
const GROUP: usize = 16;
/// The level of compression.
const LEVEL: i32 = 9;
/// No description is longer than this.
const MOST_BYTES: u32 = 1 << 20;
/// No block is longer than this before compression.
const MOST_BLOCK: usize = 1 << 26;
/// Decoded blocks that are kept in memory, some 30 kB each on the standard board.
const KEPT: usize = 4096;

/// The description of a solution.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    /// The canonical name of the game.
    pub game: String,
    /// Its board.
    pub board: String,
    /// The game's `RULES_VERSION`.
    pub rules_version: u32,
    /// The version of the program that wrote it.
    pub tool_version: String,
    /// Superblocks, cells of each, and cells of a block.
    pub shape: [usize; 3],
    /// If given, only what ends within so many turns is decided.
    pub horizon: Option<u16>,
    /// What is lost and won in how many turns, from 0 on.
    pub phases: Vec<PhaseCount>,
    /// What is drawn; `None` with a horizon.
    pub draws: Option<PhaseCount>,
    /// The value of the empty board, if each side's placements are known.
    pub start: Option<Start>,
    /// How long solving took, without interruptions.
    pub seconds: f64,
}

/// The numbers of a board's shape, as the description has them.
pub(crate) fn numbers(shape: &Shape) -> [usize; 3] {
    [shape.supers.len(), shape.cells.len(), GROUP]
}

/// Where the directory is.
fn foot(head_sum: u32, directory_at: u64, blocks: u64, directory_sum: u32) -> Vec<u8> {
    let mut foot = directory_at.to_le_bytes().to_vec();
    foot.extend(blocks.to_le_bytes());
    foot.extend(directory_sum.to_le_bytes());
    let sum = crc32c::crc32c_append(crc32c::crc32c(&head_sum.to_le_bytes()), &foot);
    foot.extend(sum.to_le_bytes());
    foot.extend(END_MAGIC);
    foot
}

/// Writes the file from the logs of lost phases.
pub(crate) fn write<const W: usize>(
    shape: &Shape,
    log: &Log,
    directory: &Path,
    about: &About,
    threads: usize,
    storage: &dyn Storage,
    progress: &dyn Progress,
) -> Result<(), SolveError> {
    let path = directory.join(FILE);
    let unfinished = directory.join(format!("{FILE}.tmp"));
    let mut phases = Vec::new();
    for phase in about.phases.iter().filter(|phase| phase.turns.is_multiple_of(2)) {
        let half = u8::try_from(phase.turns / 2).map_err(|_| SolveError::TooDeep)?;
        phases.push((half, log.open(phase.turns)?));
    }
    let blocks = |superblock: usize| -> io::Result<Vec<Vec<u8>>> {
        let mut planes = Vec::new();
        for (half, found) in &phases {
            let cells = found.read::<W>(superblock, shape.cells.len())?;
            planes.push((
                *half,
                cells.map_err(|what| {
                    io::Error::new(io::ErrorKind::InvalidData, format!("{what} is damaged"))
                })?,
            ));
        }
        let mut squeeze = zstd::bulk::Compressor::new(LEVEL)?;
        raw_blocks(shape, &planes).iter().map(|raw| squeeze.compress(raw)).collect()
    };
    let written = write_blocks(shape, about, &unfinished, threads, storage, progress, &blocks);
    let result = written.and_then(|()| {
        storage.rename(&unfinished, &path)?;
        Ok(storage.sync_directory(directory)?)
    });
    if result.is_err() {
        let _ = storage.remove(&unfinished);
    }
    result.map_err(|error| match error {
        SolveError::Checkpoint(error) => TableError::io("write", &path, error).into_solve(),
        error => error,
    })
}

/// An error of the table's as one of the solver's.
trait IntoSolve {
    fn into_solve(self) -> SolveError;
}

impl IntoSolve for TableError {
    fn into_solve(self) -> SolveError {
        SolveError::Checkpoint(self.into())
    }
}

fn write_blocks(
    shape: &Shape,
    about: &About,
    path: &Path,
    threads: usize,
    storage: &dyn Storage,
    progress: &dyn Progress,
    blocks: &(impl Fn(usize) -> io::Result<Vec<Vec<u8>>> + Sync),
) -> Result<(), SolveError> {
    let mut sink = storage.create(path)?;
    let description = serde_json::to_vec(about).map_err(io::Error::other)?;
    let mut head = MAGIC.to_vec();
    head.extend(VERSION.to_le_bytes());
    head.extend((description.len() as u32).to_le_bytes());
    head.extend(description);
    let head_sum = crc32c::crc32c(&head);
    head.extend(head_sum.to_le_bytes());
    write_all(&mut *sink, &head)?;
    let mut offset = head.len() as u64;
    let (mut starts, mut sums) = (offset.to_le_bytes().to_vec(), Vec::new());
    let count = shape.supers.len();
    progress.stage("writing the losses", count as u64);
    // Some superblocks at a time, side by side; they are written in order.
    let side_by_side = 8 * threads.max(1);
    for first in (0..count).step_by(side_by_side) {
        let last = count.min(first + side_by_side);
        let next = AtomicUsize::new(first);
        let done: Vec<Mutex<io::Result<Vec<Vec<u8>>>>> =
            (first..last).map(|_| Mutex::new(Ok(Vec::new()))).collect();
        let work = || loop {
            let superblock = next.fetch_add(1, Ordering::Relaxed);
            if superblock >= last || progress.stopped() {
                return;
            }
            *done[superblock - first].lock().unwrap_or_else(PoisonError::into_inner) = blocks(superblock);
            progress.advance(1);
        };
        std::thread::scope(|scope| {
            for _ in 1..threads.max(1) {
                scope.spawn(work);
            }
            work();
        });
        if progress.stopped() {
            return Err(SolveError::Stopped);
        }
        for blocks in done {
            for block in blocks.into_inner().unwrap_or_else(PoisonError::into_inner)? {
                write_all(&mut *sink, &block)?;
                offset += block.len() as u64;
                starts.extend(offset.to_le_bytes());
                sums.extend(crc32c::crc32c(&block).to_le_bytes());
            }
        }
    }
    let blocks = (sums.len() / 4) as u64;
    starts.extend(sums);
    write_all(&mut *sink, &starts)?;
    write_all(&mut *sink, &foot(head_sum, offset, blocks, crc32c::crc32c(&starts)))?;
    Ok(sink.sync()?)
}

/// The blocks of a superblock from what it has by half of the turns.
fn raw_blocks<const W: usize>(shape: &Shape, planes: &[(u8, Cells<W>)]) -> Vec<Vec<u8>> {
    let mut union = vec![[0_u64; W]; 64 * W];
    let mut halves = vec![0_u8; 64 * W * 64 * W];
    let mut blocks = Vec::new();
    let cells = shape.cells.len();
    for first in (0..cells).step_by(GROUP) {
        let (mut there, mut masks, mut bytes, mut codes) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for cell in first..cells.min(first + GROUP) {
            let mut rows = [0_u64; W];
            for (half, plane) in planes {
                let Some(cell) = plane.cell(cell) else { continue };
                for (lane, row) in crate::gather::each(cell.there).zip(cell.rows) {
                    rows[lane / 64] |= 1 << (lane % 64);
                    for word in 0..W {
                        union[lane][word] |= row[word];
                    }
                    for bit in crate::gather::each(row) {
                        halves[lane * 64 * W + bit] = *half;
                    }
                }
            }
            rows.iter().for_each(|word| there.extend(word.to_le_bytes()));
            for lane in crate::gather::each(&rows) {
                let row = std::mem::replace(&mut union[lane], [0; W]);
                for word in row {
                    let mut mask = 0;
                    for (at, byte) in
                        word.to_le_bytes().into_iter().enumerate().filter(|(_, byte)| *byte != 0)
                    {
                        mask |= 1_u8 << at;
                        bytes.push(byte);
                    }
                    masks.push(mask);
                }
                codes.extend(crate::gather::each(&row).map(|bit| halves[lane * 64 * W + bit]));
            }
        }
        there.extend(masks);
        there.extend(bytes);
        there.extend(codes);
        blocks.push(there);
    }
    blocks
}

/// What the file says of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    /// Lost in so many turns.
    Lost(u16),
    /// Not lost (with a horizon: within so many turns).
    NotLost,
    /// The file is not about it: no push can have led to it.
    Outside,
}

/// A decoded block.
struct Block {
    raw: Vec<u8>,
    /// For each cell the rows, bytes and bits before it; one more at the end.
    before: Vec<[u32; 3]>,
}

/// The file, open for probing.
pub struct Losses {
    path: PathBuf,
    source: Box<dyn Source>,
    about: About,
    shape: Shape,
    per_superblock: usize,
    checksum: u32,
    starts: Vec<u64>,
    sums: Vec<u32>,
    kept: Mutex<HashMap<usize, Arc<Block>>>,
}

impl Losses {
    /// Opens the file in a directory; `None` if there is none.
    ///
    /// # Errors
    /// If it is of another game or version, or damaged.
    pub fn open(
        game: &PushFight,
        directory: &Path,
        storage: &dyn Storage,
    ) -> Result<Option<Losses>, TableError> {
        let path = directory.join(FILE);
        let source = match storage.open(&path) {
            Ok(source) => source,
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            Err(error) => return Err(TableError::io("read", &path, error)),
        };
        let read = |at: u64, length: u64| -> Result<Vec<u8>, TableError> {
            let mut bytes = vec![0; length as usize];
            let found =
                read_up_to(&*source, &mut bytes, at).map_err(|error| TableError::io("read", &path, error))?;
            if found < bytes.len() {
                return Err(TableError::damaged(&path, Place::Whole, "it was cut off"));
            }
            Ok(bytes)
        };
        let length = source.length().map_err(|error| TableError::io("read", &path, error))?;
        let damaged = |place, reason: &str| TableError::damaged(&path, place, reason);
        let start = read(0, 16)?;
        if start[..8] != MAGIC {
            return Err(TableError::foreign(&path, "it does not begin like a file of losses"));
        }
        let version = |what, found: u32, expected: u32| match found == expected {
            true => Ok(()),
            false => Err(TableError::WrongVersion {
                file: path.clone(),
                what,
                found: found.into(),
                expected: expected.into(),
            }),
        };
        version(Versioned::Format, word(&start, 8), VERSION)?;
        if word(&start, 12) > MOST_BYTES {
            return Err(damaged(Place::Header, "its description is too long"));
        }
        let head_bytes = 16 + u64::from(word(&start, 12));
        let head = read(0, head_bytes + 4)?;
        let (head, sum) = head.split_at(head_bytes as usize);
        let head_sum = crc32c::crc32c(head);
        if sum != head_sum.to_le_bytes() {
            return Err(damaged(Place::Header, "its checksum is wrong"));
        }
        let about: About = serde_json::from_slice(&head[16..])
            .map_err(|error| damaged(Place::Header, &error.to_string()))?;
        let (name, board) = (game.name(), game.board_drawing());
        if about.game != name || about.board != board {
            return Err(TableError::WrongGame { file: path, found: about.game, expected: name });
        }
        version(Versioned::Rules, about.rules_version, PushFight::RULES_VERSION)?;
        let shape = Shape::new(game, Scope::Game)
            .ok_or_else(|| damaged(Place::Header, "its board is too large to have one"))?;
        let per_superblock = shape.cells.len().div_ceil(GROUP);
        if about.shape != numbers(&shape) {
            return Err(damaged(Place::Header, "its numbers do not fit the board"));
        }
        let foot_at = length.checked_sub(FOOT).ok_or_else(|| damaged(Place::Footer, "there is none"))?;
        let found_foot = read(foot_at, FOOT)?;
        let directory_sum = word(&found_foot, 16);
        let (directory_at, blocks) = (long(&found_foot, 0), long(&found_foot, 8));
        if found_foot != foot(head_sum, directory_at, blocks, directory_sum) {
            return Err(damaged(Place::Footer, "its checksum is wrong; it may have been cut off"));
        }
        let right = blocks == (shape.supers.len() * per_superblock) as u64
            && foot_at.checked_sub(directory_at) == Some(12 * blocks + 8);
        if !right {
            return Err(damaged(Place::Footer, "it is not the one of this file"));
        }
        let found = read(directory_at, 12 * blocks + 8)?;
        if crc32c::crc32c(&found) != directory_sum {
            return Err(damaged(Place::Page(0), "its checksum is wrong"));
        }
        let (starts, sums) = found.split_at(8 * blocks as usize + 8);
        let starts: Vec<u64> =
            starts.as_chunks::<8>().0.iter().map(|start| u64::from_le_bytes(*start)).collect();
        let sums = sums.as_chunks::<4>().0.iter().map(|sum| u32::from_le_bytes(*sum)).collect();
        if !starts.is_sorted() || starts.last() != Some(&directory_at) {
            return Err(damaged(Place::Page(0), "its blocks are not in order"));
        }
        let (checksum, kept) = (crc32c::crc32c(&found_foot), Mutex::default());
        Ok(Some(Losses { path, source, about, shape, per_superblock, checksum, starts, sums, kept }))
    }

    /// The checksum of its footer, which holds those of its description and of its blocks.
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// What it is.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// Its length in bytes.
    pub fn bytes(&self) -> u64 {
        self.starts.last().map_or(0, |end| end + 12 * self.sums.len() as u64 + 8 + FOOT)
    }

    fn read_block(&self, number: usize) -> Result<Block, TableError> {
        let damaged = |reason: &str| TableError::damaged(&self.path, Place::Block(number as u64), reason);
        let (from, to) = (self.starts[number], self.starts[number + 1]);
        let mut packed = vec![0; (to - from) as usize];
        let read = read_up_to(&*self.source, &mut packed, from)
            .map_err(|error| TableError::io("read", &self.path, error))?;
        if read < packed.len() || crc32c::crc32c(&packed) != self.sums[number] {
            return Err(damaged("its checksum is wrong"));
        }
        let size = zstd::zstd_safe::get_frame_content_size(&packed).ok().flatten().unwrap_or(0) as usize;
        if size > MOST_BLOCK {
            return Err(damaged("it is too long"));
        }
        let raw = zstd::bulk::decompress(&packed, size).map_err(|_| damaged("it cannot be decompressed"))?;
        let first = number % self.per_superblock * GROUP;
        let cells = GROUP.min(self.shape.cells.len() - first);
        let words = self.shape.words;
        let wrong = || damaged("its lengths do not fit");
        let (there, rest) = raw.split_at_checked(cells * words * 8).ok_or_else(wrong)?;
        let rows: Vec<u32> = there.chunks(words * 8).map(ones).collect();
        let all_rows = rows.iter().sum::<u32>() as usize;
        let (masks, rest) = rest.split_at_checked(all_rows * words).ok_or_else(wrong)?;
        let (bytes, codes) = rest.split_at_checked(ones(masks) as usize).ok_or_else(wrong)?;
        if codes.len() != ones(bytes) as usize {
            return Err(wrong());
        }
        let mut before = vec![[0; 3]];
        let mut last = [0_u32; 3];
        for rows in rows {
            let part = &masks[last[0] as usize * words..][..rows as usize * words];
            let count = ones(part);
            let bits = ones(&bytes[last[1] as usize..][..count as usize]);
            last = [last[0] + rows, last[1] + count, last[2] + bits];
            before.push(last);
        }
        Ok(Block { raw, before })
    }

    fn block(&self, number: usize) -> Result<Arc<Block>, TableError> {
        let lock = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(block) = lock().get(&number) {
            return Ok(block.clone());
        }
        let block = Arc::new(self.read_block(number)?);
        let mut kept = lock();
        if kept.len() >= KEPT {
            kept.clear();
        }
        kept.insert(number, block.clone());
        Ok(block)
    }

    /// What it says of a position.
    ///
    /// # Errors
    /// If a block cannot be read, or is damaged.
    pub fn look(&self, game: &PushFight, position: &Position) -> Result<Look, TableError> {
        let shape = &self.shape;
        let place = if position.anchor == 0 {
            let [first, second] = shape.halves;
            let own = position.own_pushers | position.own_pawns;
            let other = position.other_pushers | position.other_pawns;
            if own == 0 || other == 0 || own & !first != 0 || other & !second != 0 {
                return Ok(Look::Outside);
            }
            (shape.squares, 0)
        } else {
            if !game.is_plausible(position) {
                return Ok(Look::Outside);
            }
            let (anchor, symmetry) = shape.stands_for[position.anchor.trailing_zeros() as usize];
            (usize::from(anchor), symmetry)
        };
        let (anchor, symmetry) = place;
        let sets = &shape.sets;
        let opponent = shape.pusher_image(symmetry, sets.rank(position.other_pushers) as usize);
        let Some(superblock) = shape.super_of(opponent, anchor) else { return Ok(Look::Outside) };
        let own = shape.pusher_sets[shape.pusher_image(symmetry, sets.rank(position.own_pushers) as usize)];
        let (images, locals) = (shape.lane_images(symmetry), shape.locals(opponent));
        let lane = |pawns: u64| usize::from(locals[usize::from(images[sets.rank(pawns) as usize])]);
        let cell = shape.cell(shape.pusher_sets[opponent], own);
        let block = self.block(superblock * self.per_superblock + cell / GROUP)?;
        let half =
            block.half(shape.words, cell % GROUP, lane(position.other_pawns), lane(position.own_pawns));
        Ok(half.map_or(Look::NotLost, |half| Look::Lost(2 * u16::from(half))))
    }

    /// Visits all losses, up to symmetry, until `visit` says no more.
    ///
    /// # Errors
    /// If a block cannot be read, or is damaged, and what `visit` says.
    pub fn each<E: From<TableError>>(
        &self,
        mut visit: impl FnMut(Position, u16) -> Result<bool, E>,
    ) -> Result<(), E> {
        let shape = &self.shape;
        let words = shape.words;
        for number in 0..self.sums.len() {
            let (superblock, first) = (number / self.per_superblock, number % self.per_superblock * GROUP);
            let block = self.read_block(number)?;
            let opponent = shape.supers[superblock].pushers as usize;
            let other_pushers = shape.pusher_sets[opponent];
            for cell in 0..block.before.len() - 1 {
                let own_pushers = crate::shape::expand(shape.cells[first + cell], shape.all & !other_pushers);
                let set = |lane: usize| shape.pawn_sets[shape.global(opponent, lane)];
                for (row, bit, half) in block.cell(words, cell) {
                    let position = Position {
                        own_pushers,
                        own_pawns: set(bit),
                        other_pushers,
                        other_pawns: set(row),
                        anchor: shape.anchor(superblock),
                    };
                    if !visit(position, 2 * u16::from(half))? {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    /// Reads all blocks: how many there are, and what is wrong with some.
    ///
    /// # Errors
    /// What the system says.
    pub fn check(&self, progress: &dyn Progress) -> Result<(u64, Vec<TableError>), TableError> {
        progress.stage("reading the losses", self.sums.len() as u64);
        let mut wrong = Vec::new();
        for number in 0..self.sums.len() {
            if let Err(error) = self.read_block(number) {
                match error {
                    TableError::Damaged { .. } => wrong.push(error),
                    error => return Err(error),
                }
            }
            progress.advance(1);
        }
        Ok((self.sums.len() as u64, wrong))
    }
}

impl Block {
    /// Parts of a block: which rows, masks, bytes, codes.
    fn parts(&self, words: usize) -> (&[u8], &[u8], &[u8], &[u8]) {
        let cells = self.before.len() - 1;
        let [rows, bytes, _] = self.before[cells];
        let (there, rest) = self.raw.split_at(cells * words * 8);
        let (masks, rest) = rest.split_at(rows as usize * words);
        let (bytes, codes) = rest.split_at(bytes as usize);
        (there, masks, bytes, codes)
    }

    /// Half of the turns of a position, if it is lost.
    fn half(&self, words: usize, cell: usize, row: usize, bit: usize) -> Option<u8> {
        let (there, masks, bytes, codes) = self.parts(words);
        let there = &there[cell * words * 8..][..words * 8];
        if there[row / 8] >> (row % 8) & 1 == 0 {
            return None;
        }
        let [rows_before, bytes_before, bits_before] = self.before[cell];
        let row = ones_before(there, row);
        let masks = &masks[rows_before as usize * words..];
        let mask = masks[row as usize * words + bit / 64];
        let byte = bit % 64 / 8;
        if mask >> byte & 1 == 0 {
            return None;
        }
        let bytes = &bytes[bytes_before as usize..];
        let at = ones(&masks[..row as usize * words + bit / 64]) + (mask & ((1 << byte) - 1)).count_ones();
        if bytes[at as usize] >> (bit % 8) & 1 == 0 {
            return None;
        }
        let before = bits_before
            + ones(&bytes[..at as usize])
            + (bytes[at as usize] & ((1 << (bit % 8)) - 1)).count_ones();
        codes.get(before as usize).copied()
    }

    /// The positions of a cell: row, bit, half of the turns.
    fn cell(&self, words: usize, cell: usize) -> Vec<(usize, usize, u8)> {
        let (there, masks, bytes, codes) = self.parts(words);
        let [rows_before, bytes_before, bits_before] = self.before[cell];
        let mut masks = masks[rows_before as usize * words..].iter();
        let mut bytes = bytes[bytes_before as usize..].iter();
        let mut codes = codes[bits_before as usize..].iter();
        let mut found = Vec::with_capacity((self.before[cell + 1][2] - bits_before) as usize);
        let there = &there[cell * words * 8..][..words * 8];
        for row in (0..words * 64).filter(|row| there[row / 8] >> (row % 8) & 1 == 1) {
            for word in 0..words {
                let mask = masks.next().copied().unwrap_or(0);
                for at in squares(mask.into()) {
                    let byte = bytes.next().copied().unwrap_or(0);
                    for bit in squares(byte.into()) {
                        found.push((row, 64 * word + 8 * at + bit, codes.next().copied().unwrap_or(0)));
                    }
                }
            }
        }
        found
    }
}

/// The bits that are set.
fn ones(bytes: &[u8]) -> u32 {
    let (words, rest) = bytes.as_chunks::<8>();
    words.iter().map(|word| u64::from_le_bytes(*word).count_ones()).sum::<u32>()
        + rest.iter().map(|byte| byte.count_ones()).sum::<u32>()
}

fn ones_before(bytes: &[u8], bit: usize) -> u32 {
    ones(&bytes[..bit / 8]) + (bytes[bit / 8] & ((1 << (bit % 8)) - 1)).count_ones()
}

fn word(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).map_or(0, u32::from_le_bytes)
}

fn long(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..at + 8).and_then(|bytes| bytes.try_into().ok()).map_or(0, u64::from_le_bytes)
}
