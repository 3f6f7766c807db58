//! Solves games that cannot repeat, layer by layer.
//!
//! If every process has memory for all scores, each of them solves some ranges of a layer as a single
//! process would, and sends their scores to all others (module `copies`). Otherwise each holds only the
//! scores of its own positions. Within a layer, they are solved by grade, which every turn lowers: the
//! positions of a grade do not depend on each other, so all processes solve theirs in parallel and ask
//! each other for the scores of lower grades.

use std::sync::atomic::{AtomicU64, Ordering};

use retrograde_game::{Index, Layered, Score};

use super::ask::Seen;
use super::copies;
use super::dense::{Attempt, BySuccessors, DenseShare, Verdict, narrow_then_wide};
use super::job::{SavedAt, SharedJob};
use super::sink::ScoreSink;
use super::team::Team;
use crate::exchange::Exchange;
use crate::job::{SolveError, require_alternation};
use crate::position::score_without_turns;
use crate::threads::Pool;
use crate::widths::Width;

/// The bits of a place, which is packed into eight bytes with a grade.
const PLACE_BITS: u32 = 40;
const PLACE: u64 = (1 << PLACE_BITS) - 1;
/// The highest grade that fits above a place.
const MAX_GRADE: u64 = u64::MAX >> PLACE_BITS;
/// The bytes that a position takes in addition to its score: its entry in the order of its layer.
const ORDER_BYTES: u64 = 8;

/// The maximum memory for each index that a process owns, in bytes, if it holds only the scores of its own
/// positions.
pub const GRADED_BYTES: u64 = 1 + ORDER_BYTES;

/// Solves a game that cannot repeat, together with all other processes, and passes the scores to
/// `sink` at process 0. Ignores `job.horizon`.
///
/// # Errors
/// Returns an error if the game does not fit into memory, the solve is stopped, a game takes more than
/// 32,765 turns, or a checkpoint, the sink or another process fails.
pub fn graded<G: Layered>(
    game: &G,
    exchange: &mut dyn Exchange,
    job: &mut SharedJob<'_>,
    sink: &mut dyn ScoreSink,
) -> Result<(), SolveError> {
    require_alternation(game, "solving on several processes")?;
    narrow_then_wide(exchange, job, sink, |team, width, found, sink| {
        let scores = game.index_count().saturating_mul(width.bytes() as u128);
        let divided = team.job.divided || scores > team.job.memory.into();
        match team.any_failed(divided)? {
            true => by_asking(game, team, width, found, sink),
            false => copies::solve(game, team, width, found, sink),
        }
    })
}

/// Solves with the scores divided among the processes.
fn by_asking<G: Layered>(
    game: &G,
    team: &mut Team<'_, '_>,
    width: Width,
    found: Option<SavedAt>,
    sink: &mut dyn ScoreSink,
) -> Attempt {
    let share = DenseShare::new(game, team, width, ORDER_BYTES)?;
    if let Some(found) = found {
        share.resume(team, found)?;
    }
    team.job.progress.stage("solving, layer by layer", share.own_main);
    let batch = team.batch(share.turns());
    let smallest = |index: Index, seen: Seen| match seen.least {
        None => Verdict::Decided(score_without_turns(game, index)),
        Some(smallest) => smallest.before_turn().map_or(Verdict::TooLong, Verdict::Decided),
    };
    for layer in 0..game.layer_count() {
        let order = share.order(layer, &team.pool)?;
        let by_grade: Vec<&[u64]> = order.chunk_by(|a, b| a >> PLACE_BITS == b >> PLACE_BITS).collect();
        let own = by_grade.iter().map(|run| (run[0] >> PLACE_BITS, run.len() as u64));
        // No process begins a grade before all have finished the previous one.
        let agreed = team.agree(own, batch)?;
        let (mut schedule, mut own) = (Vec::new(), by_grade.into_iter().peekable());
        for (grade, batches) in agreed {
            let run = own.next_if(|run| run[0] >> PLACE_BITS == grade).unwrap_or_default();
            let mut parts = run.chunks(batch);
            schedule.extend((0..batches).map(|_| parts.next().unwrap_or_default()));
        }
        let mut by_successors = BySuccessors::new(&share, smallest, true);
        team.ask(&mut by_successors, schedule.len() as u64, |_, number| {
            schedule[number as usize].iter().map(|place| place & PLACE).collect()
        })?;
        if team.any_failed(by_successors.too_long)? {
            return Ok(false);
        }
    }
    share.finish(team, sink)
}

impl<G: Layered> DenseShare<'_, G> {
    /// Lists this process's undecided positions of a layer, sorted by grade. The grade is in the upper
    /// bits, the place in the lower ones.
    fn order(&self, layer: usize, pool: &Pool) -> Result<Vec<u64>, SolveError> {
        if self.own() > PLACE {
            return Err(SolveError::TooLarge { count: self.own().into() });
        }
        let ranges = self.game.layer(layer);
        let ranges = ranges.iter().map(|range| range.start.0..range.end.0.max(range.start.0));
        let pieces: Vec<_> = ranges.flat_map(|range| self.partition.own_pieces(self.me, range)).collect();
        let too_high = AtomicU64::new(0);
        let ordered = pool.all(pieces.len(), &|number| {
            let (place, range) = &pieces[number];
            let mut graded = Vec::new();
            self.each_undecided(*place..place + (range.end - range.start), |place, position| {
                let grade = self.game.grade(&position);
                if grade > MAX_GRADE {
                    too_high.store(grade, Ordering::Relaxed);
                }
                graded.push(grade << PLACE_BITS | place);
            });
            graded.reverse();
            graded
        });
        if let grade @ 1.. = too_high.into_inner() {
            return Err(SolveError::BrokenPromise(format!(
                "a position has the grade {grade}; unless each process has memory for all scores, the highest \
                 is {MAX_GRADE}"
            )));
        }
        let mut order: Vec<u64> = ordered.into_iter().flatten().collect();
        pool.sort(&mut order);
        Ok(order)
    }
}
