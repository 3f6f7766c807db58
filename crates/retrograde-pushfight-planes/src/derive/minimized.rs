//! The values of all plausible positions, in the order of the minimized numbering.
//!
//! The first complete solution was published in this order, one byte per position. It is unrelated to
//! the order of the depth files. So they are read once for each *window* of consecutive numbers that fits
//! into memory. All positions with one anchor have consecutive numbers, and windows end at the end of an
//! anchor's numbers where possible, so every superblock is visited once.
//!
//! Nearly all positions are won in one turn, and are in no file. So a window has a bit for each position,
//! and a byte only for *open* ones, those that eject no piece at once. The first phase of a solve finds them
//! (see `phase`). They become draws, and then those in the files get their values.

mod window;

use std::ops::Range;

use retrograde_game::{Square, Squares};
use retrograde_pushfight::{MinimizedNumbering, OwnPawnNumbers, Position, PushFight};
use retrograde_solve::SolveError;

use crate::config::SolveConfig;
use crate::derive::minimized::window::{Room, Window};
use crate::files::depth::file::DepthFile;
use crate::files::solution_info::SolutionInfo;
use crate::layout::location::rows;
use crate::layout::numbering::Layout;
use crate::layout::scope::Scope;
use crate::layout::sets::lanes_of;
use crate::layout::sparse::{SparseCells, count_bits};
use crate::layout::superblocks::SuperblockId;
use crate::parallel::try_for_each;
use crate::phase::count::PhaseCount;
use crate::phase::engine::Engine;
use crate::phase::kinds::{Phase, SuperblockResult};
use crate::solution::Solution;
use crate::solve::estimate::scratch_memory;

/// Numbers that are passed on at a time.
const PIECE: u64 = 1 << 28;
/// From this many positions of a row on, finding their numbers together is faster.
const TOGETHER: u64 = 8;
/// Positions of a file whose values are set together.
const TAKEN: usize = 1 << 12;
/// The bytes of the smallest window that justifies reading the files once more.
const SMALLEST_WINDOW: u64 = 1 << 26;
/// The divisor for the largest share of a window's memory that is left for cached pages of the files.
const CACHE_SHARE: u64 = 4;

/// Receives consecutive values, a byte each.
type OnValues<'a> = dyn FnMut(&[u8]) -> Result<(), SolveError> + 'a;

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
    /// The errors of `on_values`; [`SolveError::Memory`] if not even a small window fits; if a file
    /// cannot be read, is damaged, or contradicts the rules; if a value does not fit into a byte; if
    /// the work is stopped.
    pub fn minimized_values(
        &self,
        game: &PushFight,
        numbering: &MinimizedNumbering,
        numbers: Range<u64>,
        config: &SolveConfig<'_>,
        on_values: &mut OnValues<'_>,
    ) -> Option<Result<(), SolveError>> {
        let wins = self.wins()?;
        if self.info().horizon.is_some() {
            return None;
        }
        let request = Request { game, numbering, numbers, config };
        Some(run(&request, [self.losses(), wins], on_values))
    }
}

fn run(
    request: &Request<'_>,
    files: [&DepthFile; 2],
    on_values: &mut OnValues<'_>,
) -> Result<(), SolveError> {
    let engine = Engine::of_board(request.game, Scope::PlausibleAndStarts, request.config.threads)?;
    retrograde_solve::memory::return_freed_memory();
    let room = request.room_for_window(&engine.layout, files)?;
    write_windows(request, &engine, files, &room, on_values)
}

fn write_windows(
    request: &Request<'_>,
    engine: &Engine,
    files: [&DepthFile; 2],
    room: &Room,
    on_values: &mut OnValues<'_>,
) -> Result<(), SolveError> {
    let expected = room.numbers(open_share(&files[0].info));
    let (mut window, mut piece) = (Window::default(), Vec::new());
    let mut from = request.numbers.start;
    while from < request.numbers.end {
        window.start(from..request.end_of_window(from, expected))?;
        mark_open(request, engine, &window)?;
        window.make_draws(room, &|number| request.end_of_window(from, number - from));
        for file in files {
            request.fill(file, &window)?;
        }
        while from < window.numbers.end {
            let to = window.numbers.end.min(from + PIECE);
            window.write(from..to, request.config.threads, &mut piece);
            on_values(&piece)?;
            from = to;
        }
    }
    Ok(())
}

/// The share of positions that do not win at once. (A few wins in one turn leave the opponent without a push
/// and eject nothing; the margin of [`Room::numbers`] is more.)
fn open_share(info: &SolutionInfo) -> f64 {
    let count = |phase: &PhaseCount| phase.count as f64;
    let all: f64 = info.phases.iter().chain(&info.draws).map(count).sum();
    let at_once: f64 = info.phases.iter().filter(|phase| phase.turns == 1).map(count).sum();
    1.0 - at_once / all.max(1.0)
}

impl Request<'_> {
    /// Bytes for a window: the allowed memory without what threads need and without cached pages of the
    /// files.
    fn room_for_window(&self, layout: &Layout, files: [&DepthFile; 2]) -> Result<Room, SolveError> {
        let count = self.numbers.end - self.numbers.start;
        let beside = scratch_memory(layout, self.config.threads)
            + files.iter().map(|file| file.reading_memory(self.config.threads)).max().unwrap_or(0)
            + count.min(PIECE);
        let limit = self.config.memory;
        let least = (Room::of_blocks(count) + count).min(SMALLEST_WINDOW);
        let room = limit.saturating_sub(beside);
        if room < least {
            return Err(SolveError::Memory { need: beside + least, limit });
        }
        let cached = files.iter().map(|file| file.bytes()).sum::<u64>().min(room / CACHE_SHARE);
        Ok(Room((room - cached).max(least)))
    }

    /// For each square the numbers of the positions with the anchor there.
    fn numbers_of_anchors(&self) -> impl Iterator<Item = (Square, Range<u64>)> {
        let squares = (0..self.game.board().square_count() as u8).map(Square);
        squares.map(|square| (square, self.numbering.numbers_of_anchor(square)))
    }

    /// The end of the window that begins at a number: the last end of an anchor's numbers among the next
    /// `most`, or as far as possible.
    fn end_of_window(&self, from: u64, most: u64) -> u64 {
        let end = self.numbers.end.min(from.saturating_add(most));
        if end == self.numbers.end {
            return end;
        }
        let ends = self.numbers_of_anchors().map(|(_, numbers)| numbers.end);
        ends.filter(|&last| last > from && last <= end).max().unwrap_or(end)
    }

    /// The squares of the anchor of which a window has numbers.
    fn anchors(&self, window: &Window) -> Squares {
        let has =
            |numbers: &Range<u64>| numbers.start < window.numbers.end && window.numbers.start < numbers.end;
        self.numbers_of_anchors().filter(|(_, numbers)| has(numbers)).map(|(square, _)| square).collect()
    }

    /// Sets the values of the positions of a file. None of them win at once or are in the other file, so they
    /// are still draws.
    fn fill(&self, file: &DepthFile, window: &Window) -> Result<(), SolveError> {
        let Request { game, numbering, config, .. } = self;
        let anchors = self.anchors(window);
        config.progress.stage(&format!("reading the {}", file.kind.name()), file.group_count() as u64);
        let unexpected = || SolveError::from(file.unexpected_position());
        let act = |group: usize| {
            // A group of the standard board has millions of positions: few are kept.
            let mut found = Vec::with_capacity(TAKEN);
            file.visit_group(group, anchors, &mut |position, turns| {
                if !position.anchor.is_empty()
                    && let Some((number, _)) = numbering.number_of_whole(game, &position)
                {
                    found.push((number, byte_of(turns)?));
                }
                if found.len() < TAKEN {
                    return Ok(true);
                }
                let right = window.set(&found);
                found.clear();
                if right { Ok(true) } else { Err(unexpected()) }
            })?;
            if window.set(&found) { Ok(()) } else { Err(unexpected()) }
        };
        try_for_each(config.threads, (0..file.group_count()).collect(), config.progress, act)
    }
}

/// Marks the positions of a window that do not win by ejecting a piece at once.
fn mark_open(request: &Request<'_>, engine: &Engine, window: &Window) -> Result<(), SolveError> {
    let layout = &engine.layout;
    let anchors = request.anchors(window);
    let left_out: Vec<bool> = layout.superblocks.iter().map(|key| !anchors.contains(key.anchor)).collect();
    let on_result = |superblock, found: SuperblockResult| {
        mark_superblock(request, layout, window, superblock, &found.cells);
        Ok(())
    };
    let name = format!("values from number {} on", window.numbers.start);
    engine.run_phase(&name, Phase::Initial, &left_out, request.config.progress, &on_result)
}

/// Marks positions of a superblock.
fn mark_superblock(
    request: &Request<'_>,
    layout: &Layout,
    window: &Window,
    superblock: SuperblockId,
    cells: &SparseCells,
) {
    let Request { game, numbering, .. } = request;
    let pushers = layout.superblocks[superblock].pushers as usize;
    let mut together = OwnPawnNumbers::default();
    rows(layout, superblock, cells, |position, row| {
        let many = count_bits(row) >= TOGETHER;
        if many {
            numbering.prepare_own_pawns(game, &position, &mut together);
        }
        for lane in lanes_of(row) {
            let own_pawns = layout.local_pawns(pushers, lane);
            let alone = || Some(numbering.number_of_whole(game, &Position { own_pawns, ..position })?.0);
            let number = if many { together.number(own_pawns).or_else(alone) } else { alone() };
            if let Some(number) = number {
                window.mark(number);
            }
        }
    });
}

fn byte_of(turns: u16) -> Result<u8, SolveError> {
    u8::try_from(turns + 1).map_err(|_| SolveError::TooDeep)
}

#[cfg(test)]
mod tests;
