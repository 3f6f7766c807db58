//! The phases, one after the other, over all blocks.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

use rayon::prelude::*;
use retrograde_game::{Dense, Score, Turns, Value};
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
    stopped: AtomicBool,
}

/// Solves all positions of a board, with their turns. With `job.horizon` only what ends within so many turns is
/// decided. `job.checkpoint` is not used.
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
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(job.threads.max(1))
        .build()
        .map_err(|error| SolveError::Checkpoint(std::io::Error::other(error)))?;
    let (horizon, progress) = (job.horizon, job.progress);
    let scores = pool.install(|| run(game, &layout, horizon, progress))?;
    solve_prelude(game, scores, job)
}

fn run(
    game: &PushFight,
    layout: &Layout,
    horizon: Option<u16>,
    progress: &dyn Progress,
) -> Result<Vec<u8>, SolveError> {
    let configurations = layout.configurations() as usize;
    let plane =
        || (0..configurations * layout.record_words()).into_par_iter().map(|_| AtomicU64::new(0)).collect();
    // Most positions are won in 1, so that is what is written first.
    let first = match horizon {
        Some(0) => u8::UNKNOWN,
        _ => score(Value::Win(Turns(1)))?,
    };
    let solver = Solver {
        game,
        layout,
        blocks: orbits(layout, configurations),
        undecided: plane(),
        lost: plane(),
        scores: (0..game.index_count() as usize).into_par_iter().map(|_| AtomicU8::new(first)).collect(),
        progress,
        stopped: AtomicBool::new(false),
    };
    let mut open = vec![0; solver.blocks.len() * layout.block_words()];
    let left = if horizon.is_none() { u8::DRAW } else { u8::UNKNOWN };
    solver.begin(&mut open, left)?;
    let mut turns = 2;
    while horizon.is_none_or(|horizon| turns <= horizon) {
        let found =
            if turns % 2 == 0 { solver.losses(&mut open, turns)? } else { solver.wins(&mut open, turns)? };
        if found == 0 {
            break;
        }
        turns += 1;
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
        let results: Option<Vec<T>> = open
            .par_chunks_mut(self.layout.block_words())
            .zip(&self.blocks)
            .with_max_len(64)
            .map_init(
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
            )
            .collect();
        results.ok_or(SolveError::Stopped)
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
            self.lost.par_iter().for_each(|word| word.store(0, Ordering::Relaxed));
        }
        Ok(())
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
        self.lost.par_iter().for_each(|word| word.store(0, Ordering::Relaxed));
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
        let found: u64 = changes
            .par_iter()
            .zip(&self.blocks)
            .map(|(changes, &(opponent, anchor))| {
                self.progress.advance(1);
                if changes.is_empty() {
                    return 0;
                }
                let block = Block::new(layout, opponent);
                let mut found = 0;
                for &(word, bits) in changes {
                    let (row, first) = (word as usize / layout.words, word as usize % layout.words * 64);
                    let own_pushers = block.pushers_of(row);
                    for lane in squares(bits) {
                        found += 1;
                        let position = Position {
                            own_pushers,
                            own_pawns: layout.lanes[first + lane],
                            other_pushers: opponent.pushers,
                            other_pawns: opponent.pawns,
                            anchor,
                        };
                        self.write(&position, score, into, adds);
                    }
                }
                found
            })
            .sum();
        if self.progress.stopped() { Err(SolveError::Stopped) } else { Ok(found) }
    }

    fn write(&self, position: &Position, score: u8, into: Option<&Vec<AtomicU64>>, adds: bool) {
        for symmetry in 0..self.layout.symmetries.len() {
            let image = |set| self.layout.image(symmetry, set);
            let position = Position {
                own_pushers: image(position.own_pushers),
                own_pawns: image(position.own_pawns),
                other_pushers: image(position.other_pushers),
                other_pawns: image(position.other_pawns),
                anchor: image(position.anchor),
            };
            if let Some(index) = self.game.index(&position) {
                self.scores[index.0 as usize].store(score, Ordering::Relaxed);
            }
            let (word, bit) = self.layout.in_records(&position);
            if let Some(plane) = into {
                plane[word].fetch_or(bit, Ordering::Relaxed);
            }
            if !adds {
                self.undecided[word].fetch_and(!bit, Ordering::Relaxed);
            }
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
