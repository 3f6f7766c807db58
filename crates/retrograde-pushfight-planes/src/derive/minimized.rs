//! The values of all plausible positions, in the order of the minimized numbering.
//!
//! The first complete solution was published in this order, a byte for each position. The order
//! has nothing to do with that of the files here. So a *window* of consecutive numbers is kept in
//! memory, as many as fit, and is filled superblock by superblock; then it is passed on, and the
//! next follows. All positions with one anchor have consecutive numbers, and only those superblocks
//! are read whose anchor has numbers in the window. Windows end where an anchor's numbers end, if
//! there is such a place, so that nothing is read twice.
//!
//! Nearly all positions are won in one turn, and stand in no file. A window begins with that value
//! everywhere; the positions that eject no piece at once (the first phase of a solve finds them,
//! see `phase`) then get theirs: from the files, or a draw.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use parking_lot::Mutex;
use retrograde_game::{Game, Square};
use retrograde_pushfight::{MinimizedNumbering, Position, PushFight};
use retrograde_solve::SolveError;

use crate::config::{SolveConfig, StopOnFailure};
use crate::files::depth_file::DepthFile;
use crate::files::errors::IntoSolve;
use crate::kernel::huge_pages::reserve_huge;
use crate::kernel::simd::SimdLevel;
use crate::layout::numbering::{Layout, with_words};
use crate::layout::scope::Scope;
use crate::layout::sets::{expand, lanes_of};
use crate::layout::sparse::SparseCells;
use crate::layout::superblocks::SuperblockId;
use crate::parallel::for_each_parallel;
use crate::phase::engine::Engine;
use crate::phase::kinds::{Phase, SuperblockResult};
use crate::solution::open::Solution;

/// The byte of a draw. Any other value's byte is one more than its turns.
const DRAW: u8 = 0;
/// The byte of a win in one turn.
const WON_IN_ONE: u8 = 2;
/// Bytes that a thread fills at a time.
const FILL: usize = 1 << 24;
/// Bytes of memory besides the window, about: two superblocks a thread, and the tables of the board.
const BESIDE: u64 = 512 << 20;
/// The smallest window that is worth its passes over the files.
const SMALLEST_WINDOW: u64 = 1 << 26;

/// Bytes of memory that [`Solution::minimized_values`] needs for this many numbers, at least.
pub fn minimized_memory_needed(numbers: u64) -> u64 {
    BESIDE + numbers.min(SMALLEST_WINDOW)
}

/// Receives the bytes of a window.
type OnWindow<'a> = dyn FnMut(&[u8]) -> Result<(), SolveError> + 'a;

/// The numbers asked for, and how they are cut into windows.
struct Request<'a> {
    game: &'a PushFight,
    numbering: &'a MinimizedNumbering,
    numbers: Range<u64>,
    config: &'a SolveConfig<'a>,
}

impl Solution {
    /// Passes on the values of the positions with some minimized numbers, in order and in large
    /// pieces: a byte each, 0 for a draw and else one more than the turns to the end. `None` if the
    /// solution lacks the wins, or was not solved to the end: then values need a search of turns.
    ///
    /// The windows take what memory `config` allows, at least [`minimized_memory_needed`].
    ///
    /// # Errors
    /// The errors of `on_window`; if a file cannot be read, is damaged, or contradicts the rules; if
    /// a value does not fit a byte; if it is stopped.
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
    let too_large = || SolveError::TooLarge { count: game.position_count() };
    let layout = Layout::new(game, Scope::PlausibleAndStarts).ok_or_else(too_large)?;
    let engine = Engine::<W>::new(layout, SimdLevel::best(), config.threads);
    let mut window = Vec::new();
    let mut from = numbers.start;
    while from < numbers.end {
        let end = request.end_of_window(from);
        let length = usize::try_from(end - from).map_err(|_| too_large())?;
        prepare(&mut window, length, config.threads);
        fill(request, &engine, files, from, &mut window)?;
        on_window(&window)?;
        from = end;
    }
    Ok(())
}

impl Request<'_> {
    /// The end of the window that begins at a number: as far as memory allows, and at the end of an
    /// anchor's numbers if there is one.
    fn end_of_window(&self, from: u64) -> u64 {
        let most = self.config.memory.saturating_sub(BESIDE).max(SMALLEST_WINDOW);
        let end = self.numbers.end.min(from.saturating_add(most));
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

/// The bytes, so that several threads can set them.
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
    let failed = AtomicBool::new(false);
    let error = Mutex::new(None);
    let filler = Filler { request, layout, files, first, window: shared(window) };
    let on_result = |superblock, found: SuperblockResult<W>| {
        if failed.load(Ordering::Relaxed) {
            return;
        }
        if let Err(reason) = filler.superblock(superblock, &found.cells) {
            error.lock().get_or_insert(reason);
            failed.store(true, Ordering::Relaxed);
        }
    };
    let progress = StopOnFailure { inner: request.config.progress, failed: &failed };
    let name = format!("values from number {first} on");
    let result = engine.run_phase(&name, Phase::Initial, &left_out, &progress, on_result);
    // The error takes precedence over the stop that it caused.
    error.into_inner().map_or(result, Err)
}

/// Fills a window superblock by superblock.
struct Filler<'a> {
    request: &'a Request<'a>,
    layout: &'a Layout,
    /// The losses, the wins.
    files: [&'a DepthFile; 2],
    /// The number at which the window begins.
    first: u64,
    window: &'a [AtomicU8],
}

impl Filler<'_> {
    /// Sets the values in a superblock, of which the positions that do not win at once are given.
    fn superblock<const W: usize>(
        &self,
        superblock: SuperblockId,
        open: &SparseCells<W>,
    ) -> Result<(), SolveError> {
        let Filler { layout, files, .. } = self;
        let key = layout.superblocks[superblock];
        let opponent = key.pushers as usize;
        let other_pushers = layout.pusher_sets[opponent];
        let [losses, wins] = files.map(|file| file.blocks(superblock).map_err(IntoSolve::into_solve));
        let (losses, wins) = (losses?, wins?);
        for cell in 0..layout.cells.len() {
            let (mut losses, mut wins) = (losses.cell(cell).peekable(), wins.cell(cell).peekable());
            let own_pushers = expand(layout.cells[cell], layout.board.all & !other_pushers);
            let rows = open.cell(cell).into_iter().flat_map(|cell| lanes_of(cell.present).zip(cell.rows));
            for (row, bits) in rows {
                let other_pawns = layout.pawns_beside(opponent, row);
                for bit in lanes_of(bits) {
                    let turns = [losses.peek(), wins.peek()];
                    let there = turns.map(|next| next.is_some_and(|next| (next.0, next.1) == (row, bit)));
                    let turns = match there {
                        [true, _] => losses.next(),
                        [false, true] => wins.next(),
                        [false, false] => None,
                    };
                    let byte = turns.map_or(Ok(DRAW), |(_, _, turns)| byte_of(turns))?;
                    let own_pawns = layout.pawns_beside(opponent, bit);
                    let anchor = key.anchor.set();
                    self.set(&Position { own_pushers, own_pawns, other_pushers, other_pawns, anchor }, byte);
                }
            }
            // What the files have beyond that wins at once, or they have it twice.
            for (file, left) in files.iter().zip([losses.next(), wins.next()]) {
                if left.is_some() {
                    return Err(file.superfluous().into_solve());
                }
            }
        }
        Ok(())
    }

    /// Sets the value of a position, if its number is in the window.
    #[inline]
    fn set(&self, position: &Position, byte: u8) {
        let Request { game, numbering, .. } = self.request;
        if let Some((number, _)) = numbering.number(game, position)
            && let Some(at) = number.checked_sub(self.first)
            && let Some(value) = self.window.get(at as usize)
        {
            value.store(byte, Ordering::Relaxed);
        }
    }
}

fn byte_of(turns: u16) -> Result<u8, SolveError> {
    u8::try_from(turns + 1).map_err(|_| SolveError::TooDeep)
}

#[cfg(test)]
mod tests;
