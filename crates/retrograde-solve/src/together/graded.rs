//! Games that cannot repeat: layer by layer, and within a layer by grade, which every turn lowers. The
//! positions of one grade do not depend on each other, so all processes look at theirs at once and ask
//! each other for the scores of lower grades.

use retrograde_game::{Index, Layered, Score};

use super::ask::Seen;
use super::dense::{Attempt, BySuccessors, DenseShare, Verdict, narrow_then_wide};
use super::job::{SavedAt, SharedJob};
use super::sink::ScoreSink;
use super::team::Team;
use crate::array::SharedScore;
use crate::exchange::Exchange;
use crate::job::{SolveError, need_alternation};
use crate::position::score_without_turns;
use crate::threads::Pool;

/// A place shares eight bytes with a grade.
const PLACE_BITS: u32 = 40;
const PLACE: u64 = (1 << PLACE_BITS) - 1;
/// Bytes a position takes beside its score: its place in the order of its layer.
const ORDER_BYTES: u64 = 8;

/// Bytes of memory for each index that a process owns, at the most.
pub const GRADED_BYTES: u64 = 1 + ORDER_BYTES;

/// Solves a game that cannot repeat, together with all other processes, and hands the scores to
/// `sink` at process 0. `job.horizon` is of no use here and is ignored.
///
/// # Errors
/// If it does not fit the memory, is stopped, a game takes more than 32,765 turns, a checkpoint
/// fails, the sink, or a process.
pub fn graded<G: Layered>(
    game: &G,
    exchange: &mut dyn Exchange,
    job: &mut SharedJob<'_>,
    sink: &mut dyn ScoreSink,
) -> Result<(), SolveError> {
    need_alternation(game, "solving on several processes")?;
    let narrow = |team: &mut Team<'_, '_>, found: Option<SavedAt>, sink: &mut dyn ScoreSink| {
        pass::<G, u8>(game, team, found, sink)
    };
    let wide = |team: &mut Team<'_, '_>, found: Option<SavedAt>, sink: &mut dyn ScoreSink| {
        pass::<G, u16>(game, team, found, sink)
    };
    narrow_then_wide(exchange, job, sink, (&narrow, &wide))
}

fn pass<G: Layered, S: SharedScore>(
    game: &G,
    team: &mut Team<'_, '_>,
    found: Option<SavedAt>,
    sink: &mut dyn ScoreSink,
) -> Attempt {
    let share = DenseShare::<G, S>::new(game, team, S::BYTES as u64 + ORDER_BYTES)?;
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
        // Nobody begins a grade before all have ended the one before.
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

impl<G: Layered, S: SharedScore> DenseShare<'_, G, S> {
    /// Own undecided positions of a layer by grade, the grade above the place.
    fn order(&self, layer: usize, pool: &Pool) -> Result<Vec<u64>, SolveError> {
        if self.own() > PLACE {
            return Err(SolveError::TooLarge { count: self.own().into() });
        }
        let ranges = self.game.layer(layer);
        let ranges = ranges.iter().map(|range| range.start.0..range.end.0.max(range.start.0));
        let pieces: Vec<_> = ranges.flat_map(|range| self.partition.own_pieces(self.me, range)).collect();
        let ordered = pool.all(pieces.len(), &|number| {
            let (place, range) = &pieces[number];
            let places = *place..place + (range.end - range.start);
            let undecided = places.filter(|&place| self.scores.get(place) == S::UNKNOWN);
            let graded = undecided.filter_map(|place| match self.game.position(self.index(place)) {
                None => {
                    self.scores.set(place, S::NONE);
                    None
                }
                Some(position) => Some(self.game.grade(&position) << PLACE_BITS | place),
            });
            graded.collect::<Vec<_>>()
        });
        let mut order: Vec<u64> = ordered.into_iter().flatten().collect();
        pool.sort(&mut order);
        Ok(order)
    }
}
