//! Solves games that can repeat backwards from the ends, turn by turn. Positions that are never decided are
//! draws.
//!
//! Phase t decides the positions that end in exactly t turns, so the number of turns is exact: a win needs a
//! turn to a loss of phase t − 1; for a loss every turn must be refuted, the last of them in phase t − 1. Of
//! each orbit of symmetric positions, only the canonical one, with the greatest index, is expanded. Its score
//! is written to all images, so lookups need no symmetries.
//!
//! A phase writes its decisions at once. Other reads in the same phase recognise them by the number of turns
//! and treat them as undecided, so the result does not depend on the order of the work or the number of
//! threads.
//!
//! Losses are found in one of two ways. `witnesses` stores one unrefuted turn of each open position and is
//! faster if there are many wins. `counts` stores the number of unrefuted turns; it takes less memory, and is
//! used for stages in files and for games in which a player can move several times in a row. `board` contains
//! their common parts, `driver` the threads.
//!
//! If no turn leads back from some positions to others, the game can implement [`Staged`]. Stages are then
//! solved one after the other, and lists and counts are needed for one at a time. A value from an earlier
//! stage, which may have any number of turns, counts in the phase after that number.

mod board;
pub(crate) mod capabilities;
mod counts;
pub(crate) mod distinct;
mod driver;
mod in_files;
pub(crate) mod places;
mod shard;
mod stage;
mod witnesses;

use std::ops::Range;

use retrograde_game::{Dense, Game, Predecessors, Score, Staged, Symmetries, Turns, Value};

use crate::array::{ScoreArray, narrow_then_wide};
use crate::job::{Job, SavedState, Scores, SolveError};
use crate::phase::{Phase, Phases, Solved};
use crate::prelude::before_the_game;
use crate::threads::Pool;
use crate::widths::Width;
use board::Board;
pub use capabilities::Capabilities;
pub(crate) use capabilities::EachPredecessorIndex;
use counts::Counts;
use driver::{Driver, Memory};
use shard::MAX_INDICES;
use stage::{SolveStage, Stage, StageAt};
use witnesses::Witnesses;

pub use in_files::StagedScores;

/// The minimum number of shards per thread, unless they would be small.
const SHARDS_A_THREAD: u64 = 16;
/// Shards are not made smaller than this for the sake of threads.
const LEAST_EVEN_SHARD: u64 = 1 << 10;

/// The solver for games that can repeat, with the capabilities of the game.
///
/// ```no_run
/// # fn example<G: retrograde_game::Predecessors + retrograde_game::Symmetries>(game: &G) {
/// use retrograde_solve::{Job, Silent, NoCheckpoint, retrograde::Retrograde};
///
/// let mut no_checkpoint = NoCheckpoint;
/// let mut job =
///     Job { threads: 2, memory: 1 << 30, horizon: None, progress: &Silent, checkpoint: &mut no_checkpoint };
/// let scores = Retrograde::new(game).predecessors().symmetries().solve(&mut job);
/// # }
/// ```
pub struct Retrograde<'a, G: Dense> {
    game: &'a G,
    able: Capabilities<G>,
    /// Whether losses are found by counting, if there are predecessors.
    counts: bool,
    shard: u64,
    /// Whether a player can move several times in a row.
    has_seats: bool,
}

impl<'a, G: Dense> Retrograde<'a, G> {
    /// For any game with a numbering, by looking forwards only.
    pub fn new(game: &'a G) -> Retrograde<'a, G> {
        Retrograde::with(game, Capabilities::default())
    }

    /// For a game with these capabilities.
    pub fn with(game: &'a G, able: Capabilities<G>) -> Retrograde<'a, G> {
        // With predecessors, witnesses find wins only from losses, which requires that players alternate.
        let has_seats = game.seat(&game.start()).is_some();
        Retrograde { game, able, counts: has_seats, shard: MAX_INDICES, has_seats }
    }

    /// Finds wins from the predecessors of losses.
    #[must_use]
    pub fn predecessors(mut self) -> Self
    where
        G: Predecessors,
    {
        self.able = self.able.predecessors();
        self
    }

    /// Expands only the canonical position of each orbit.
    #[must_use]
    pub fn symmetries(mut self) -> Self
    where
        G: Symmetries,
    {
        if self.game.symmetry_count() > 1 {
            self.able = self.able.symmetries();
        }
        self
    }

    /// Solves stage by stage.
    #[must_use]
    pub fn staged(mut self) -> Self
    where
        G: Staged,
    {
        self.able = self.able.staged();
        self
    }

    /// Sets the number of indices per shard, between 1 and 65,536 (the default). The result does not depend
    /// on it. Tests use it to get many shards out of small games.
    #[must_use]
    pub fn shard(mut self, indices: u64) -> Self {
        self.shard = indices.clamp(1, MAX_INDICES);
        self
    }

    /// The ranges of each stage of the game proper, which has `main` indices.
    fn stages(&self, main: u64) -> Vec<Vec<Range<u64>>> {
        match self.able.stages {
            Some(stages) => stages(self.game).into_iter().map(|(ranges, _)| ranges).collect(),
            None if main == 0 => vec![Vec::new()],
            None => vec![std::iter::once(0..main).collect()],
        }
    }

    /// The memory that solving usually takes: a byte per index, and about four bytes more per index of the
    /// largest stage. The number of open positions, which determines the length of the lists, is not known in
    /// advance.
    pub fn typical_memory(&self) -> u128 {
        let count = self.game.index_count();
        let main = count.saturating_sub(self.game.prelude().into());
        let of_ranges = |ranges: Vec<Range<u64>>| -> u128 {
            ranges.into_iter().map(|range| u128::from(range.end - range.start)).sum()
        };
        let largest = match self.able.stages {
            Some(stages) => {
                stages(self.game).into_iter().map(|(ranges, _)| of_ranges(ranges)).max().unwrap_or(0)
            }
            None => main,
        };
        count.saturating_add(largest.saturating_mul(4))
    }

    /// Solves the game. With `job.horizon`, only positions that end within this number of turns or by the
    /// rules are decided; the others stay unknown.
    ///
    /// # Errors
    /// If it does not fit into memory, is stopped, a game takes more than 32,765 turns, or the checkpoint
    /// fails.
    pub fn solve(&self, job: &mut Job<'_>) -> Result<Scores, SolveError> {
        narrow_then_wide(self.game.index_count(), job, &mut |job, width, saved| {
            let count = job.room(self.game.index_count(), 8 * width.bytes() as u128)?;
            let main = count as u64 - self.game.prelude();
            let stages: Vec<Stage> = self.stages(main).into_iter().map(Stage::new).collect();
            let solved = solve_stages(job, (width, count, saved), &stages, &mut |job, driver, scores, at| {
                self.run_stage(job, driver, scores, at)
            });
            let Some((scores, pool)) = solved? else { return Ok(None) };
            let solved = before_the_game(self.game, &scores, main, (&pool, job.progress))?;
            Ok(solved.then(|| scores.into_scores()))
        })
    }

    /// The number of indices per shard of a stage, small enough that no thread waits long for the last shard
    /// of another.
    fn shard_of(&self, stage: &Stage, threads: usize) -> u64 {
        if threads <= 1 {
            return self.shard;
        }
        let even = stage.len() / (SHARDS_A_THREAD * threads as u64);
        self.shard.min(even.next_multiple_of(64).max(LEAST_EVEN_SHARD))
    }

    fn board<'b>(&'b self, scores: &'b ScoreArray, at: &'b StageAt<'_>) -> Board<'b, G> {
        Board {
            game: self.game,
            able: self.able,
            scores,
            stage: at.stage,
            has_earlier: at.number > 0,
            wins_at_once: at.wins_at_once,
            has_seats: self.has_seats,
        }
    }

    /// Solves a stage. Returns the maximum number of turns in it, or `None` if a game is too long for this
    /// width.
    fn run_stage(
        &self,
        job: &mut Job<'_>,
        driver: &Driver<'_>,
        scores: &mut ScoreArray,
        at: &StageAt<'_>,
    ) -> Result<Option<u16>, SolveError> {
        let horizon = job.horizon;
        let part = if at.of > 1 { format!(", stage {} of {}", at.number + 1, at.of) } else { String::new() };
        driver.progress.stage(&format!("looking at every position{part}"), at.stage.len());
        let shard = self.shard_of(at.stage, driver.pool.threads());
        let counts = self.able.before.is_some() && self.counts;
        let mut lists = match counts {
            true => Lists::Counts(Counts::new(&self.board(scores, at), driver, shard, at)?),
            false => Lists::Witnesses(Witnesses::new(&self.board(scores, at), driver, shard, at)?),
        };
        let mut longest = at.turns.max(1);
        driver.progress.stage(&format!("solving, turn by turn{part}"), lists.open());
        let at_once = match &mut lists {
            Lists::Counts(counts) if at.turns == 0 && horizon.is_none() => {
                counts.decide_at_once(&self.board(scores, at), driver)?
            }
            _ => None,
        };
        longest = longest.max(at_once.unwrap_or(0));
        let open = if at_once.is_some() { 0 } else { lists.open() };
        let mut phases = Phases::new(at.turns, open, horizon);
        while let Some(turns) = phases.due() {
            let Some(phase) = scores.phase(turns) else { return Ok(None) };
            let solved = lists.phase(&self.board(scores, at), driver, phase)?;
            driver.progress.advance(solved.found);
            if solved.found > 0 {
                longest = longest.max(turns);
            }
            if !phases.take(&solved) {
                break;
            }
            if !at.in_files && job.checkpoint.due() {
                let reached = Reached { stage: at.number, turns: phases.turns };
                job.checkpoint.save(reached.code(), &[&scores.bytes()])?;
            }
        }
        // If nothing is open, no phase has passed the last losses on to later stages.
        if let Lists::Witnesses(lists) = &mut lists
            && at.number + 1 < at.of
            && lists.open() == 0
            && lists.has_unvisited_losses()
        {
            let Some(phase) = scores.phase(phases.turns.max(1)) else { return Ok(None) };
            lists.visit_for_later_stages(&self.board(scores, at), driver, phase)?;
        }
        if horizon.is_none() {
            lists.draw_the_rest(&self.board(scores, at), driver)?;
        }
        Ok(Some(longest))
    }
}

/// Solves the stages that a saved state lacks, one after another, in an array of `count` scores. Returns
/// `None` if a game is too long for this width.
fn solve_stages(
    job: &mut Job<'_>,
    (width, count, saved): (Width, usize, Option<SavedState>),
    stages: &[Stage],
    solve: &mut SolveStage<'_>,
) -> Result<Option<(ScoreArray, Pool)>, SolveError> {
    let saved = saved.and_then(|saved| {
        let scores = ScoreArray::from_bytes(width, saved.bytes, count)?;
        Some((Reached::from_code(saved.stage)?, scores))
    });
    let pool = job.pool()?;
    let (reached, mut scores) = match saved {
        Some(saved) => saved,
        None => (Reached::default(), ScoreArray::new(&pool, width, count, u16::UNKNOWN)?),
    };
    let memory = Memory { held: (count * width.bytes()) as u64, limit: job.memory };
    let driver = Driver::new(pool, job.progress, memory);
    // The maximum number of turns in earlier stages.
    let mut longest = 0;
    for (number, stage) in stages.iter().enumerate() {
        if number < reached.stage {
            longest = longest.max(longest_of(&scores, stage));
            continue;
        }
        let at = StageAt {
            number,
            of: stages.len(),
            stage,
            turns: if number == reached.stage { reached.turns } else { 0 },
            earlier: longest,
            wins_at_once: job.horizon != Some(Turns(0)),
            in_files: false,
            turns_within: true,
        };
        match solve(job, &driver, &mut scores, &at)? {
            Some(turns) => longest = longest.max(turns),
            None => return Ok(None),
        }
        if number + 1 < stages.len() && job.checkpoint.due() {
            let reached = Reached { stage: number + 1, turns: 0 };
            job.checkpoint.save(reached.code(), &[&scores.bytes()])?;
        }
    }
    Ok(Some((scores, driver.pool)))
}

/// The memory that solving takes if no game is too long for one-byte scores: for `indices` indices, and
/// `open` undecided canonical positions of the largest stage after the first look.
pub fn memory_needed(indices: u64, open: u64) -> u64 {
    indices.saturating_add(open.saturating_mul(shard::Shard::BYTES_AN_OPEN_POSITION))
}

/// The progress of a solve: the next phase of a stage. Everything before it is in the scores.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Reached {
    stage: usize,
    turns: u16,
}

impl Reached {
    fn code(self) -> u64 {
        (self.stage as u64) << 16 | u64::from(self.turns)
    }

    fn from_code(code: u64) -> Option<Reached> {
        Some(Reached { stage: usize::try_from(code >> 16).ok()?, turns: code as u16 })
    }
}

/// The maximum number of turns of a score of a stage.
fn longest_of(scores: &ScoreArray, stage: &Stage) -> u16 {
    let pieces = stage.pieces(MAX_INDICES);
    let turns = |index| scores.get(index).value().and_then(Value::turns).map_or(0, |turns| turns.0);
    pieces.into_iter().flat_map(|piece| piece.indices).map(turns).max().unwrap_or(0)
}

/// The lists of a stage while it is solved.
enum Lists<G: Game> {
    Witnesses(Witnesses),
    Counts(Counts<G>),
}

impl<G: Dense> Lists<G> {
    /// The number of undecided canonical positions.
    fn open(&self) -> u64 {
        match self {
            Lists::Witnesses(lists) => lists.open(),
            Lists::Counts(lists) => lists.open(),
        }
    }

    fn phase(
        &mut self,
        board: &Board<'_, G>,
        driver: &Driver<'_>,
        phase: Phase,
    ) -> Result<Solved, SolveError> {
        match self {
            // Phase 0 decides nothing: the first look has handled positions without turns.
            Lists::Witnesses(lists) if phase.turns == Turns(0) => {
                Ok(Solved { found: 0, open: lists.open(), more_is_due: true })
            }
            Lists::Witnesses(lists) => lists.phase(board, driver, phase),
            Lists::Counts(lists) => lists.phase(board, driver, phase),
        }
    }

    /// Scores all undecided positions as draws.
    fn draw_the_rest(&mut self, board: &Board<'_, G>, driver: &Driver<'_>) -> Result<(), SolveError> {
        match self {
            Lists::Witnesses(lists) => lists.draw_the_rest(board, driver),
            Lists::Counts(lists) => lists.draw_the_rest(board, driver),
        }
    }
}
