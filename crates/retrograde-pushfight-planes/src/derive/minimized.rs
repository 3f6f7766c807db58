//! The values of all plausible positions, in the order of the minimized numbering.
//!
//! The first complete solution was published in this order, one byte per position. It is unrelated to
//! the order of the depth files. So a *window* of consecutive numbers is kept in memory, as large as
//! fits: it is filled and passed on, and the next one follows. All positions with one anchor have
//! consecutive numbers, and windows end at the end of an anchor's numbers where possible, so every
//! superblock is visited once.
//!
//! Nearly all positions are won in one turn, and are in no file. So a window starts with that value
//! everywhere. The positions that eject no piece at once (the first phase of a solve finds them, see
//! `phase`) become draws, and then those in the files get their values. The files are read once for
//! each window.

use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering};

use retrograde_game::Square;
use retrograde_pushfight::{MinimizedNumbering, Position, PushFight};
use retrograde_solve::memory::reserve_huge;
use retrograde_solve::{SolveError, in_order};
use retrograde_table::TableError;

use crate::config::SolveConfig;
use crate::files::depth::file::DepthFile;
use crate::files::errors::IntoSolve;
use crate::layout::location::positions;
use crate::layout::numbering::{Layout, with_words};
use crate::layout::scope::Scope;
use crate::layout::sparse::SparseCells;
use crate::layout::superblocks::SuperblockId;
use crate::parallel::for_each_parallel;
use crate::phase::engine::Engine;
use crate::phase::kinds::{Phase, SuperblockResult};
use crate::solution::open::Solution;
use crate::solve::estimate::scratch_memory;

/// The byte of a draw. The byte of any other value is its depth plus one.
const DRAW: u8 = 0;
/// The byte of a win in one turn.
const WON_IN_ONE: u8 = 2;
/// Bytes that a thread fills at a time.
const FILL: usize = 1 << 24;
/// The smallest window that justifies reading the files once more.
const SMALLEST_WINDOW: u64 = 1 << 26;
/// The divisor for the largest share of a window's memory that is left for cached pages of the files.
const CACHE_SHARE: u64 = 4;

/// Receives the bytes of a window.
type OnWindow<'a> = dyn FnMut(&[u8]) -> Result<(), SolveError> + 'a;

/// The requested numbers, and how they are divided into windows.
struct Request<'a> {
    game: &'a PushFight,
    numbering: &'a MinimizedNumbering,
    numbers: Range<u64>,
    config: &'a SolveConfig<'a>,
}

impl Solution {
    /// Passes on the values of the positions with some minimized numbers, in order and in large pieces.
    /// A value is one byte: 0 for a draw, otherwise its depth plus one. `None` if the solution lacks
    /// the wins, or was not solved to the end: then values need a search of turns.
    ///
    /// The windows use the memory limit of `config`, which also has to hold cached pages of the files.
    ///
    /// # Errors
    /// The errors of `on_window`; [`SolveError::Memory`] if not even a small window fits; if a file
    /// cannot be read, is damaged, or contradicts the rules; if a value does not fit into a byte; if
    /// the work is stopped.
    pub fn minimized_values(
        &self,
        game: &PushFight,
        numbering: &MinimizedNumbering,
        numbers: Range<u64>,
        config: &SolveConfig<'_>,
        on_window: &mut OnWindow<'_>,
    ) -> Option<Result<(), SolveError>> {
        let wins = self.wins()?;
        if self.info().horizon.is_some() {
            return None;
        }
        let request = Request { game, numbering, numbers, config };
        Some(with_words!(self.losses().layout(), W => run::<W>(&request, [self.losses(), wins], on_window)))
    }
}

fn run<const W: usize>(
    request: &Request<'_>,
    files: [&DepthFile; 2],
    on_window: &mut OnWindow<'_>,
) -> Result<(), SolveError> {
    let Request { game, config, numbers, .. } = request;
    let engine = Engine::<W>::of_board(game, Scope::PlausibleAndStarts, config.threads)?;
    retrograde_solve::memory::return_freed_memory();
    let room = request.room_for_window(&engine.layout, files)?;
    let mut window = Vec::new();
    let mut from = numbers.start;
    while from < numbers.end {
        let end = request.end_of_window(from, room);
        let length =
            usize::try_from(end - from).map_err(|_| SolveError::TooLarge { count: (end - from).into() })?;
        prepare(&mut window, length, config.threads);
        fill(request, &engine, files, from, &mut window)?;
        on_window(&window)?;
        from = end;
    }
    Ok(())
}

impl Request<'_> {
    /// Bytes for a window: the allowed memory without what threads need and without cached pages of the
    /// files.
    fn room_for_window(&self, layout: &Layout, files: [&DepthFile; 2]) -> Result<u64, SolveError> {
        let beside = scratch_memory(layout, self.config.threads)
            + files.iter().map(|file| file.reading_memory(self.config.threads)).max().unwrap_or(0);
        let limit = self.config.memory;
        let least = (self.numbers.end - self.numbers.start).min(SMALLEST_WINDOW);
        let room = limit.saturating_sub(beside);
        if room < least {
            return Err(SolveError::Memory { need: beside + least, limit });
        }
        let cached = files.iter().map(|file| file.bytes()).sum::<u64>().min(room / CACHE_SHARE);
        Ok((room - cached).max(least))
    }

    /// The end of the window that begins at a number: the last end of an anchor's numbers that fits, or
    /// as far as there is room.
    fn end_of_window(&self, from: u64, room: u64) -> u64 {
        let end = self.numbers.end.min(from.saturating_add(room));
        if end == self.numbers.end {
            return end;
        }
        let squares = (0..self.game.board().square_count() as u8).map(Square);
        let ends = squares.map(|square| self.numbering.numbers_of_anchor(square).end);
        ends.filter(|&last| last > from && last <= end).max().unwrap_or(end)
    }
}

/// Makes a window in which every position is won in one turn.
fn prepare(window: &mut Vec<u8>, length: usize, threads: usize) {
    reserve_huge(window, length);
    // The first window touches new memory here; later ones are filled in pieces.
    window.resize(length, WON_IN_ONE);
    for_each_parallel(threads, window.chunks_mut(FILL).collect(), |piece| piece.fill(WON_IN_ONE));
}

/// Lets several threads set the bytes.
fn shared(bytes: &mut [u8]) -> &[AtomicU8] {
    // SAFETY: an `AtomicU8` has the size, alignment and validity of a `u8`, and the borrow is the
    // only one.
    unsafe { &*(std::ptr::from_mut(bytes) as *const [AtomicU8]) }
}

/// Sets the values of the positions that do not win by ejecting a piece at once.
fn fill<const W: usize>(
    request: &Request<'_>,
    engine: &Engine<W>,
    files: [&DepthFile; 2],
    first: u64,
    window: &mut [u8],
) -> Result<(), SolveError> {
    let layout = &engine.layout;
    let numbers = first..first + window.len() as u64;
    let asked = |anchor| {
        let of_anchor = request.numbering.numbers_of_anchor(anchor);
        of_anchor.start < numbers.end && numbers.start < of_anchor.end
    };
    let left_out: Vec<bool> = layout
        .superblocks
        .iter()
        .map(|key| key.anchor == layout.board.no_anchor() || !asked(key.anchor))
        .collect();
    let progress = request.config.progress;
    let filler = Filler { request, layout, first, window: shared(window) };
    let name = format!("values from number {first} on");
    let on_result = |superblock, found: SuperblockResult<W>| filler.superblock(superblock, &found.cells);
    engine.run_phase(&name, Phase::Initial, &left_out, progress, &on_result)?;
    for file in files {
        progress.stage(&format!("reading the {}", file.kind().name()), file.group_count() as u64);
        let act = |group: usize| filler.group(file, group);
        if !in_order(file.group_count(), request.config.threads, progress, &act, &mut |()| Ok(()))? {
            return Err(SolveError::Stopped);
        }
    }
    Ok(())
}

/// An error of a visit, of the file or of what it holds.
struct VisitError(SolveError);

impl From<TableError> for VisitError {
    fn from(error: TableError) -> VisitError {
        VisitError(error.into_solve())
    }
}

/// Fills a window.
struct Filler<'a> {
    request: &'a Request<'a>,
    layout: &'a Layout,
    /// The number at which the window begins.
    first: u64,
    window: &'a [AtomicU8],
}

impl Filler<'_> {
    /// Sets a superblock's positions that do not win at once to draws.
    fn superblock<const W: usize>(&self, superblock: SuperblockId, open: &SparseCells<W>) {
        positions(self.layout, superblock, open, |position| {
            if let Some(value) = self.value(&position) {
                value.store(DRAW, Ordering::Relaxed);
            }
        });
    }

    /// Sets the values of a group of a file. None of its positions win at once or are in the other
    /// file, so they are still draws.
    fn group(&self, file: &DepthFile, group: usize) -> Result<(), SolveError> {
        // A group of the standard board has millions of positions: none is kept.
        let visited = file.visit_group(group, &mut |position: Position, turns| {
            if !position.anchor.is_empty() {
                self.set(file, &position, turns)?;
            }
            Ok::<_, VisitError>(true)
        });
        visited.map(|_| ()).map_err(|VisitError(error)| error)
    }

    /// Sets the value of a position of a file.
    fn set(&self, file: &DepthFile, position: &Position, turns: u16) -> Result<(), VisitError> {
        let byte = byte_of(turns).map_err(VisitError)?;
        if let Some(value) = self.value(position) {
            let before = value.swap(byte, Ordering::Relaxed);
            if before != DRAW {
                return Err(file.unexpected_position().into());
            }
        }
        Ok(())
    }

    /// The byte of a position, if its number is in the window.
    #[inline]
    fn value(&self, position: &Position) -> Option<&AtomicU8> {
        let Request { game, numbering, .. } = self.request;
        let (number, _) = numbering.number(game, position)?;
        self.window.get(usize::try_from(number.checked_sub(self.first)?).ok()?)
    }
}

fn byte_of(turns: u16) -> Result<u8, SolveError> {
    u8::try_from(turns + 1).map_err(|_| SolveError::TooDeep)
}

#[cfg(test)]
mod tests;
