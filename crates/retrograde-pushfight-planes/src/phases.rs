//! The phases, one after the other, over all blocks.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

use rayon::prelude::*;
use retrograde_game::{Dense, Index, Score, Turns, Value};
use retrograde_pushfight::{Position, PushFight};
use retrograde_solve::{Job, Progress, Scores, SolveError, solve_prelude};

use crate::block::{Block, Room};
use crate::layout::{Layout, Side, squares};
use crate::push::each_pattern;

/// Bytes of memory that [`solve`] takes; `None` if the board has no layout for it.
pub fn memory_needed(game: &PushFight) -> Option<u128> {
    let layout = Layout::new(game)?;
    let configurations = layout.configurations();
    let records = configurations.checked_mul(layout.record_words() as u128 * 8)?;
    // Of blocks one of each orbit is kept; a tenth more for those that are their own images.
    let blocks = records / layout.symmetries.len() as u128 * 11 / 10;
    // Changes of a phase wait in lists until all have read what was before.
    (2 * records + blocks).checked_add(records / 4)?.checked_add(game.index_count())
}

/// Words of a block that change, with the bits that do.
type Changes = Vec<(u32, u64)>;

struct Solver<'a> {
    game: &'a PushFight,
    layout: &'a Layout,
    /// One block of each orbit: the opponent's configuration and his anchor.
    blocks: Vec<(Side, u64)>,
    /// Records: what is undecided, and what the last phase found lost.
    undecided: Vec<AtomicU64>,
    lost: Vec<AtomicU64>,
    scores: Vec<AtomicU8>,
    progress: &'a dyn Progress,
    pool: rayon::ThreadPool,
    stopped: AtomicBool,
}

/// Solves all positions of a board, with their turns. With `job.horizon` only what ends within so many turns is
/// decided. A checkpoint has the scores and what is undecided by block; the records are made again from them.
///
/// # Errors
/// If it does not fit the memory, is stopped, or a game takes more than 125 turns.
pub fn solve(game: &PushFight, job: &mut Job<'_>) -> Result<Scores, SolveError> {
    let count = game.index_count();
    let need = memory_needed(game).unwrap_or(u128::MAX);
    if need > u128::from(job.memory) {
        return Err(SolveError::Memory { need: need.try_into().unwrap_or(u64::MAX), limit: job.memory });
    }
    let Some(layout) = Layout::new(game) else { return Err(SolveError::TooLarge { count }) };
    let scores = run(game, &layout, job)?;
    solve_prelude(game, scores, job)
}

fn run(game: &PushFight, layout: &Layout, job: &mut Job<'_>) -> Result<Vec<u8>, SolveError> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(job.threads.max(1))
        .build()
        .map_err(|error| SolveError::Checkpoint(std::io::Error::other(error)))?;
    let count = game.index_count() as usize;
    let configurations = layout.configurations() as usize;
    let horizon = job.horizon;
    let blocks = pool.install(|| orbits(layout, configurations));
    let open_words = blocks.len() * layout.block_words();
    let saved = job.checkpoint.load()?.filter(|saved| saved.bytes.len() == count + 8 * open_words);
    let (mut turns, scores, mut open) = match saved {
        Some(mut saved) => {
            let open = saved.bytes.split_off(count);
            let open = open.as_chunks::<8>().0.iter().map(|&bytes| u64::from_le_bytes(bytes)).collect();
            (saved.stage as u16, saved.bytes, open)
        }
        None => {
            // Most positions are won in 1, so that is what is written first.
            let first = if horizon == Some(0) { u8::UNKNOWN } else { score(Value::Win(Turns(1)))? };
            (0, vec![first; count], vec![0; open_words])
        }
    };
    let plane = || (0..configurations * layout.record_words()).map(|_| AtomicU64::new(0)).collect();
    let mut solver = Solver {
        game,
        layout,
        blocks,
        undecided: plane(),
        lost: plane(),
        scores: scores.into_iter().map(AtomicU8::new).collect(),
        progress: job.progress,
        pool,
        stopped: AtomicBool::new(false),
    };
    if turns == 0 {
        let left = if horizon.is_none() { u8::DRAW } else { u8::UNKNOWN };
        solver.begin(&mut open, left)?;
        turns = 2;
    } else {
        solver.resume(&open, turns)?;
    }
    while horizon.is_none_or(|horizon| turns <= horizon) {
        let found = match turns.is_multiple_of(2) {
            true => solver.losses(&mut open, turns)?,
            false => solver.wins(&mut open, turns)?,
        };
        if found == 0 {
            break;
        }
        turns += 1;
        if job.checkpoint.due() {
            // Collected in place: an atomic byte is a byte.
            let scores: Vec<u8> =
                std::mem::take(&mut solver.scores).into_iter().map(AtomicU8::into_inner).collect();
            let open: Vec<u8> = open.iter().flat_map(|word| word.to_le_bytes()).collect();
            job.checkpoint.save(turns.into(), &[&scores, &open])?;
            solver.scores = scores.into_iter().map(AtomicU8::new).collect();
        }
    }
    Ok(solver.scores.into_iter().map(AtomicU8::into_inner).collect())
}

fn score(value: Value) -> Result<u8, SolveError> {
    u8::from_value(value).ok_or(SolveError::TooDeep)
}

/// Of each orbit of blocks the one with the smallest number.
fn orbits(layout: &Layout, configurations: usize) -> Vec<(Side, u64)> {
    let number = |side: Side, anchor: u64| (layout.configuration(side), anchor);
    (0..configurations)
        .into_par_iter()
        .flat_map_iter(|configuration| {
            let side = layout.side(configuration);
            side.into_iter()
                .flat_map(move |side| squares(side.pushers).map(move |anchor| (side, 1_u64 << anchor)))
        })
        .filter(|&(side, anchor)| {
            (1..layout.symmetries.len()).all(|symmetry| {
                let image = |set| layout.image(symmetry, set);
                let other = Side { pushers: image(side.pushers), pawns: image(side.pawns) };
                number(other, image(anchor)) >= number(side, anchor)
            })
        })
        .collect()
}

impl Solver<'_> {
    /// Does something for every block and its undecided positions.
    fn each<T: Send>(
        &self,
        name: &str,
        open: &mut [u64],
        step: impl Fn(&Block<'_>, u64, &mut [u64], &mut Room) -> T + Sync,
    ) -> Result<Vec<T>, SolveError> {
        self.progress.stage(name, self.blocks.len() as u64);
        let run = || {
            let blocks = open.par_chunks_mut(self.layout.block_words()).zip(&self.blocks);
            let steps = blocks.with_max_len(64).map_init(
                || Room::new(self.layout),
                |room, (open, &(opponent, anchor))| {
                    if self.stopped.load(Ordering::Relaxed) || self.progress.stopped() {
                        self.stopped.store(true, Ordering::Relaxed);
                        return None;
                    }
                    let result = step(&Block::new(self.layout, opponent), anchor, open, room);
                    self.progress.advance(1);
                    Some(result)
                },
            );
            steps.collect::<Option<Vec<T>>>()
        };
        self.pool.install(run).ok_or(SolveError::Stopped)
    }

    /// What is lost in 0 turns and won in 1; the rest is undecided.
    fn begin(&self, open: &mut [u64], left: u8) -> Result<(), SolveError> {
        let stuck = self.each("who can push", open, |block, anchor, open, room| {
            open.copy_from_slice(&block.everything());
            let mut pushes = self.pushes(block, anchor, open, false);
            block.spread(&mut pushes, room);
            let stuck: Changes = changes(open, &pushes, |all, can_push| all & !can_push);
            take(open, &stuck);
            stuck
        })?;
        let lost = score(Value::Loss(Turns(0)))?;
        let any: u64 = stuck.iter().map(|changes| changes.len() as u64).sum();
        if any > 0 {
            self.apply("lost in 0 turns", &stuck, lost, Some(&self.lost))?;
        }
        let undecided = self.each("won in 1 turn", open, |block, anchor, open, room| {
            let mut wins = self.pushes(block, anchor, &block.everything(), true);
            if any > 0 {
                self.gather(block, anchor, &self.lost, &mut wins);
            }
            block.spread(&mut wins, room);
            for (open, wins) in open.iter_mut().zip(&wins) {
                *open &= !wins;
            }
            changes(open, open, |open, _| open)
        })?;
        self.apply("listing what is undecided", &undecided, left, Some(&self.undecided))?;
        self.clear(&stuck)
    }

    /// The positions of a block in which there is a push, or one that ejects a piece of the opponent.
    fn pushes(&self, block: &Block<'_>, anchor: u64, everything: &[u64], ejecting: bool) -> Vec<u64> {
        let words = self.layout.words;
        let mut bits = vec![0; everything.len()];
        each_pattern(self.layout, block.opponent, anchor, |pattern| {
            if !ejecting || pattern.opponent.is_none() {
                let lanes = block.lanes_of(pattern);
                block.each_row(pattern, None, |row, _| {
                    let row = self.layout.row(row) * words;
                    or(&mut bits[row..][..words], &lanes);
                });
            }
        });
        // Lanes with a pawn on one of the other pushers' squares are none.
        bits.iter_mut().zip(everything).for_each(|(bits, there)| *bits &= there);
        bits
    }

    /// Takes what is no longer the newest out of the plane of losses.
    fn clear(&self, changes: &[Changes]) -> Result<(), SolveError> {
        if changes.iter().any(|changes| !changes.is_empty()) {
            self.forget_losses();
        }
        Ok(())
    }

    fn forget_losses(&self) {
        self.pool.install(|| self.lost.par_iter().for_each(|word| word.store(0, Ordering::Relaxed)));
    }

    /// Makes the planes of records again, as they were before the phase that decides what takes so many turns.
    fn resume(&self, open: &[u64], turns: u16) -> Result<(), SolveError> {
        let layout = self.layout;
        self.progress.stage("reading what was undecided", self.blocks.len() as u64);
        self.pool.install(|| {
            open.par_chunks(layout.block_words()).zip(&self.blocks).for_each(
                |(open, &(opponent, anchor))| {
                    let block = Block::new(layout, opponent);
                    for (word, &bits) in (0..).zip(open) {
                        self.each_position(&block, anchor, word, bits, |position| {
                            self.each_image(&position, |image| {
                                let (word, bit) = layout.in_records(&image);
                                self.undecided[word].fetch_or(bit, Ordering::Relaxed);
                            });
                        });
                    }
                    self.progress.advance(1);
                },
            );
        });
        if turns.is_multiple_of(2) {
            return Ok(());
        }
        let newest = score(Value::Loss(Turns(turns - 1)))?;
        let main = self.scores.len() - self.game.prelude() as usize;
        self.pool.install(|| {
            self.scores[..main].par_iter().enumerate().for_each(|(index, score)| {
                if score.load(Ordering::Relaxed) == newest
                    && let Some(position) = self.game.position(Index(index as u64))
                {
                    let (word, bit) = layout.in_records(&position);
                    self.lost[word].fetch_or(bit, Ordering::Relaxed);
                }
            });
        });
        Ok(())
    }

    /// Visits the positions of some lanes of a row.
    fn each_position(
        &self,
        block: &Block<'_>,
        anchor: u64,
        word: u32,
        bits: u64,
        mut visit: impl FnMut(Position),
    ) {
        let (row, first) = (word as usize / self.layout.words, word as usize % self.layout.words * 64);
        if bits == 0 {
            return;
        }
        let own_pushers = block.pushers_of(row);
        for lane in squares(bits) {
            visit(Position {
                own_pushers,
                own_pawns: self.layout.lanes[first + lane],
                other_pushers: block.opponent.pushers,
                other_pawns: block.opponent.pawns,
                anchor,
            });
        }
    }

    /// Visits a position and what symmetries make of it.
    fn each_image(&self, position: &Position, mut visit: impl FnMut(Position)) {
        for symmetry in 0..self.layout.symmetries.len() {
            let image = |set| self.layout.image(symmetry, set);
            visit(Position {
                own_pushers: image(position.own_pushers),
                own_pawns: image(position.own_pawns),
                other_pushers: image(position.other_pushers),
                other_pawns: image(position.other_pawns),
                anchor: image(position.anchor),
            });
        }
    }

    /// Losses in so many turns.
    fn losses(&self, open: &mut [u64], turns: u16) -> Result<u64, SolveError> {
        let layout = self.layout;
        let found = self.each(&format!("lost in {turns} turns"), open, |block, anchor, open, room| {
            if open.iter().all(|&word| word == 0) {
                return Changes::new();
            }
            let mut safe = vec![0; layout.block_words()];
            self.gather(block, anchor, &self.undecided, &mut safe);
            block.spread(&mut safe, room);
            let lost = changes(open, &safe, |open, safe| open & !safe);
            take(open, &lost);
            lost
        })?;
        self.forget_losses();
        self.apply("writing losses", &found, score(Value::Loss(Turns(turns)))?, Some(&self.lost))
    }

    /// Wins in so many turns.
    fn wins(&self, open: &mut [u64], turns: u16) -> Result<u64, SolveError> {
        let layout = self.layout;
        let found = self.each(&format!("won in {turns} turns"), open, |block, anchor, open, room| {
            if open.iter().all(|&word| word == 0) {
                return Changes::new();
            }
            let mut wins = vec![0; layout.block_words()];
            self.gather(block, anchor, &self.lost, &mut wins);
            block.spread(&mut wins, room);
            let won = changes(open, &wins, |open, wins| open & wins);
            take(open, &won);
            won
        })?;
        self.apply("writing wins", &found, score(Value::Win(Turns(turns)))?, None)
    }

    /// Adds the positions of a block with a push into a plane of records.
    fn gather(&self, block: &Block<'_>, anchor: u64, plane: &[AtomicU64], bits: &mut [u64]) {
        let layout = self.layout;
        let words = layout.words;
        let read = |at: usize| plane[at].load(Ordering::Relaxed);
        let mut lanes: Vec<(usize, usize)> = Vec::new();
        each_pattern(layout, block.opponent, anchor, |pattern| {
            let Some(after) = pattern.opponent else { return };
            let record = layout.configuration(after) * layout.rows.len() * layout.pushers;
            let free = layout.all & !after.all();
            let to = (free & ((1 << pattern.to) - 1)).count_ones();
            // The lanes of pawns that are displaced change; others keep theirs.
            lanes.clear();
            if pattern.pawns != 0 {
                let moved = layout.shifted(pattern.pawns, pattern.direction);
                each_bit(&block.lanes_of(pattern), |lane| {
                    let pawns = layout.lanes[lane] & !pattern.pawns | moved;
                    lanes.push((lane, layout.sets.rank(pawns) as usize));
                });
            }
            let mask = &layout.no_pawn[usize::from(pattern.from)];
            block.each_row(pattern, Some(after), |row, pushers| {
                let anchored = (pushers & ((1 << to) - 1)).count_ones() as usize;
                let from = (record + layout.row(pushers) * layout.pushers + anchored) * words;
                let row = layout.row(row) * words;
                if pattern.pawns == 0 {
                    for word in 0..words {
                        bits[row + word] |= read(from + word) & mask[word];
                    }
                } else {
                    for &(lane, moved) in &lanes {
                        let bit = read(from + moved / 64) >> (moved % 64) & 1;
                        bits[row + lane / 64] |= bit << (lane % 64);
                    }
                }
            });
        });
    }

    /// Writes the score of changed positions and of their images, takes them out of the undecided records, and puts
    /// them into a plane of records; how many there were.
    fn apply(
        &self,
        name: &str,
        changes: &[Changes],
        score: u8,
        into: Option<&Vec<AtomicU64>>,
    ) -> Result<u64, SolveError> {
        let layout = self.layout;
        self.progress.stage(name, self.blocks.len() as u64);
        let adds = into.is_some_and(|into| std::ptr::eq(into, &self.undecided));
        let count = || {
            let blocks = changes.par_iter().zip(&self.blocks).map(|(changes, &(opponent, anchor))| {
                self.progress.advance(1);
                if changes.is_empty() {
                    return 0;
                }
                let block = Block::new(layout, opponent);
                let mut found = 0_u64;
                for &(word, bits) in changes {
                    found += u64::from(bits.count_ones());
                    self.each_position(&block, anchor, word, bits, |position| {
                        self.each_image(&position, |image| self.write(&image, score, into, adds));
                    });
                }
                found
            });
            blocks.sum()
        };
        let found: u64 = self.pool.install(count);
        if self.progress.stopped() { Err(SolveError::Stopped) } else { Ok(found) }
    }

    fn write(&self, position: &Position, score: u8, into: Option<&Vec<AtomicU64>>, adds: bool) {
        if let Some(index) = self.game.index(position) {
            self.scores[index.0 as usize].store(score, Ordering::Relaxed);
        }
        let (word, bit) = self.layout.in_records(position);
        if let Some(plane) = into {
            plane[word].fetch_or(bit, Ordering::Relaxed);
        }
        if !adds {
            self.undecided[word].fetch_and(!bit, Ordering::Relaxed);
        }
    }
}

fn or(bits: &mut [u64], more: &[u64]) {
    bits.iter_mut().zip(more).for_each(|(bits, more)| *bits |= more);
}

/// The words in which something is set.
fn changes(first: &[u64], second: &[u64], of: impl Fn(u64, u64) -> u64) -> Changes {
    let words = first.iter().zip(second).map(|(&first, &second)| of(first, second));
    (0..).zip(words).filter(|&(_, word)| word != 0).collect()
}

fn take(bits: &mut [u64], changes: &Changes) {
    changes.iter().for_each(|&(word, gone)| bits[word as usize] &= !gone);
}

fn each_bit(bits: &[u64], mut visit: impl FnMut(usize)) {
    for (word, &set) in bits.iter().enumerate() {
        squares(set).for_each(|bit| visit(64 * word + bit));
    }
}
