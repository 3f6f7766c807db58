//! Compares the solver with a simple pass, position by position, on every instruction set of this processor,
//! with blocks and units of every size, interrupted or not.

use std::sync::atomic::{AtomicI64, Ordering};

use retrograde_game::{Index, Outcome, Random, Score, Value};
use retrograde_solve::testing::{MemoryCheckpoint, StopsAtUnit, job};
use retrograde_solve::{Checkpoint, NoCheckpoint, Progress, Silent};
use retrograde_testkit::some_of;

use super::*;
use crate::Tactics;

/// Single cells and some other sets, small and large.
fn random(cells: u32, seed: u64) -> FillGame {
    let mut random = Random::new(seed);
    let mut lines: Vec<u64> = (0..cells).map(|cell| 1 << cell).collect();
    for _ in 0..random.below(40) {
        let mut line = random.bits() & random.bits();
        for _ in 0..random.below(4) {
            line &= random.bits();
        }
        line &= (1 << cells) - 1;
        lines.extend((line != 0).then_some(line));
    }
    lines.sort_unstable();
    lines.dedup();
    FillGame { cells, lines, full: *random.choose(&[Outcome::Win, Outcome::Loss]).unwrap() }
}

/// The lines of Tactics.
fn grid(columns: u32, rows: u32, longest: u32, full: Outcome) -> FillGame {
    Tactics::new(columns, rows, longest, full == Outcome::Loss).unwrap().fill_game()
}

/// The simple pass, from the full board down.
fn plain(game: &FillGame) -> Vec<u8> {
    let mut scores = vec![u8::NONE; 1 << game.cells];
    for index in (0..scores.len()).rev() {
        let next = game.lines.iter().filter(|&&line| line & index as u64 == 0);
        let smallest = next.map(|line| scores[index | *line as usize]).min();
        scores[index] = match smallest {
            Some(smallest) => smallest.before_turn().unwrap(),
            None => u8::from_value(Value::over(game.full)).unwrap(),
        };
    }
    scores
}

fn check(game: &FillGame, scores: &[u8], job: &mut Job<'_>, processor: Processor, sizes: Sizes) {
    let bytes = run::<Byte>(game, job, processor, sizes).unwrap();
    check_bytes(game, scores, &bytes);
    let bits = run::<Bit>(game, job, processor, sizes).unwrap();
    check_bits(game, scores, &bits);
}

fn check_bytes(game: &FillGame, scores: &[u8], whole: &FilledArena) {
    for (index, score) in scores.iter().enumerate() {
        let found = whole.words()[index / 8].to_le_bytes()[index % 8];
        assert_eq!(found, *score, "{} cells, lines {:x?}, position {index:x}", game.cells, game.lines);
    }
}

fn check_bits(game: &FillGame, scores: &[u8], whole: &FilledArena) {
    for (index, score) in scores.iter().enumerate() {
        let won = whole.words()[index / 64] >> (index % 64) & 1 == 1;
        let expected = score.value().unwrap().outcome() == Outcome::Win;
        assert_eq!(won, expected, "{} cells, lines {:x?}, position {index:x}", game.cells, game.lines);
    }
}

/// Small enough that a board of 16 cells has several blocks per unit and several layers of units.
const SMALL: [Sizes; 4] = [
    Sizes { block_cells: 0, top_cells: 0 },
    Sizes { block_cells: 1, top_cells: 2 },
    Sizes { block_cells: 3, top_cells: 1 },
    Sizes { block_cells: 5, top_cells: 9 },
];

#[test]
fn random_lines_agree_with_the_plain_pass() {
    for seed in some_of(3, 0..180) {
        let game = random(1 + (seed % 18) as u32, seed);
        let scores = plain(&game);
        for processor in Processor::all() {
            for sizes in [SMALL[seed as usize % 4], SIZES] {
                let threads = 1 + seed as usize % 3;
                check(&game, &scores, &mut job(threads, &Silent, &mut NoCheckpoint), processor, sizes);
            }
        }
    }
}

#[test]
fn grids_agree_with_the_plain_pass() {
    let grids = [(1, 1), (1, 7), (7, 1), (2, 3), (5, 3), (3, 5), (4, 4), (17, 1), (9, 2)];
    let lines = grids.into_iter().flat_map(|grid| (1..=5).map(move |longest| (grid, longest)));
    let cases = lines.flat_map(|case| [(case, Outcome::Win), (case, Outcome::Loss)]);
    for (((columns, rows), longest), full) in some_of(3, cases) {
        let game = grid(columns, rows, longest, full);
        let sizes = SMALL[longest as usize % 4];
        check(&game, &plain(&game), &mut job(2, &Silent, &mut NoCheckpoint), processor(), sizes);
    }
}

/// Large enough for several blocks and layers of units of the default size.
#[test]
fn boards_of_many_blocks_agree_with_the_plain_pass() {
    for (columns, rows, longest) in some_of(2, [(6, 3, 4), (3, 7, 3), (11, 2, 4), (11, 2, 5)]) {
        let game = grid(columns, rows, longest, Outcome::Win);
        let scores = plain(&game);
        check(&game, &scores, &mut job(2, &Silent, &mut NoCheckpoint), processor(), SIZES);
        let Scores::Narrow(found) = solve(&game, &mut job(3, &Silent, &mut NoCheckpoint)).unwrap() else {
            panic!("a score of a filling game takes one byte")
        };
        assert!(found == scores);
    }
}

#[test]
fn bits_end_with_the_last_position() {
    for cells in 1..9 {
        let game = random(cells, 7);
        let bits = outcomes(&game, &mut job(1, &Silent, &mut NoCheckpoint)).unwrap();
        let scores = plain(&game);
        assert_eq!(bits.len(), 1 << cells);
        let words = bits.words().to_vec();
        assert_eq!(words.len(), scores.len().div_ceil(64));
        let wins = scores.iter().filter(|score| score.value().unwrap().outcome() == Outcome::Win).count();
        assert_eq!(words.iter().map(|word| word.count_ones() as usize).sum::<usize>(), wins);
        for (index, score) in scores.iter().enumerate() {
            assert_eq!(bits.outcome(Index(index as u64)), score.value().unwrap().outcome());
        }
    }
}

/// Stops after a number of checks, and counts the work done.
struct Patience(AtomicI64, AtomicI64);

impl Progress for Patience {
    fn stage(&self, _name: &str, total: u64) {
        self.1.store(total as i64, Ordering::Relaxed);
    }
    fn advance(&self, units: u64) {
        self.1.fetch_sub(units as i64, Ordering::Relaxed);
    }
    fn stopped(&self) -> bool {
        self.0.fetch_sub(1, Ordering::Relaxed) <= 0
    }
}

fn resumed<K: ScoreFormat>(game: &FillGame, threads: usize, sizes: Sizes) -> (FilledArena, usize) {
    let (mut memory, mut stages) = (MemoryCheckpoint::default(), Vec::new());
    for patience in 0.. {
        let patience = Patience(AtomicI64::new(patience * 2), AtomicI64::new(0));
        match run::<K>(game, &mut job(threads, &patience, &mut memory), processor(), sizes) {
            Ok(whole) => {
                assert_eq!(patience.1.into_inner(), 0, "not all of the work was told");
                stages.dedup();
                return (whole, stages.len());
            }
            Err(SolveError::Stopped) => stages.push(memory.0.as_ref().map_or(0, |saved| saved.stage)),
            Err(other) => panic!("{other}"),
        }
    }
    unreachable!()
}

#[test]
fn an_interrupted_run_resumes_where_it_stopped() {
    for seed in 0..8 {
        let game = random(16, seed);
        let scores = plain(&game);
        let sizes = Sizes { block_cells: 1, top_cells: 2 + seed as u32 % 2 };
        let (bytes, stages) = resumed::<Byte>(&game, 1 + seed as usize % 3, sizes);
        check_bytes(&game, &scores, &bytes);
        assert!(stages > 2, "it resumed from only {stages} places");
        let (bits, _) = resumed::<Bit>(&game, 1 + seed as usize % 3, sizes);
        check_bits(&game, &scores, &bits);
    }
}

/// Saves only on a stop.
#[derive(Default)]
struct NeverDue(MemoryCheckpoint);

impl Checkpoint for NeverDue {
    fn load(&mut self) -> std::io::Result<Option<SavedState>> {
        self.0.load()
    }
    fn due(&self) -> bool {
        false
    }
    fn save(&mut self, stage: u64, parts: &[&[u8]]) -> std::io::Result<()> {
        self.0.save(stage, parts)
    }
}

#[test]
fn a_stop_saves_the_completed_layers() {
    let game = grid(5, 4, 4, Outcome::Win);
    let mut kept = NeverDue::default();
    let stopped = solve(&game, &mut job(1, &StopsAtUnit::new(400_000), &mut kept));
    assert!(matches!(stopped, Err(SolveError::Stopped)));
    assert!(kept.0.0.as_ref().is_some_and(|saved| saved.stage > 0));
    let Scores::Narrow(scores) = solve(&game, &mut job(1, &Silent, &mut kept)).unwrap() else { panic!() };
    assert!(scores == plain(&game));
}

#[test]
fn oversized_arrays_are_rejected_before_allocation() {
    let game = FillGame { cells: 62, lines: (0..62).map(|cell| 1 << cell).collect(), full: Outcome::Win };
    let scores = solve(&game, &mut job(1, &Silent, &mut NoCheckpoint));
    assert!(matches!(scores, Err(SolveError::Memory { .. })), "{scores:?}");
    let bits = outcomes(&game, &mut job(1, &Silent, &mut NoCheckpoint));
    assert!(matches!(bits, Err(SolveError::Memory { .. })), "{bits:?}");
}

#[test]
fn work_saved_by_another_solver_is_ignored() {
    let game = random(13, 1);
    let scores = plain(&game);
    let sizes = Sizes { block_cells: 1, top_cells: 2 };
    for (stage, bytes) in [(1, 7), (0, 0), (4, 1 << 13), (2, 1 << 13), (u64::MAX, 0)] {
        let mut memory = MemoryCheckpoint(Some(SavedState { stage, bytes: vec![0; bytes] }));
        check(&game, &scores, &mut job(1, &Silent, &mut memory), processor(), sizes);
    }
}

/// Loading a state requires additional memory.
#[test]
fn without_memory_for_two_layers_nothing_is_kept() {
    let game = random(14, 5);
    let mut memory = MemoryCheckpoint::default();
    let mut job = job(1, &Silent, &mut memory);
    job.memory = 3 << 13;
    let sizes = Sizes { block_cells: 1, top_cells: 2 };
    let bytes = run::<Byte>(&game, &mut job, processor(), sizes).unwrap();
    check_bytes(&game, &plain(&game), &bytes);
    assert!(memory.0.is_none());
}

#[test]
fn processors_agree_on_every_operation() {
    simd::tests::agrees_with_plain::<Vector>(());
    #[cfg(target_arch = "x86_64")]
    for processor in Processor::all() {
        match processor {
            Processor::Plain => {}
            // SAFETY: the token proves that the processor has the feature.
            Processor::Avx2(token) => unsafe { avx2(token) },
            // SAFETY: as above.
            Processor::Avx512(token) => unsafe { avx512(token) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2(token: simd::Avx2Token) {
    simd::tests::agrees_with_plain::<simd::Avx2>(token);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn avx512(token: simd::Avx512Token) {
    simd::tests::agrees_with_plain::<simd::Avx512>(token);
}
