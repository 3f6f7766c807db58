//! Games that cannot repeat, on a cluster: layer by layer, and within a layer by grade, which every
//! turn lowers. The positions of one grade do not depend on each other, so all processes look at
//! theirs at once and ask each other for the scores of lower grades.

use retrograde_game::{Index, Layered};
use retrograde_solve::array::SharedScore;
use retrograde_solve::{SolveError, need_alternation, score_without_turns};

use super::finish::{Attempt, narrow_then_wide};
use super::job::ClusterJob;
use super::lookup::{Rule, Verdict};
use super::run::Run;
use super::sink::ScoreSink;
use crate::error::ClusterError;
use crate::session::Session;
use crate::transport::{pack, unpack};

/// A place shares eight bytes with a grade.
const PLACE_BITS: u32 = 40;
/// Bytes a position takes beside its score: its place in the order of its layer.
const ORDER_BYTES: u64 = 8;

/// Bytes of memory for each index that a process owns, at the most.
pub const GRADED_BYTES: u64 = 1 + ORDER_BYTES;

/// The smallest score of the successors.
struct Smallest<'a, G>(&'a G);

impl<G: Layered, S: SharedScore> Rule<S> for Smallest<'_, G> {
    type Seen = Option<S>;

    #[inline]
    fn see(&self, seen: &mut Option<S>, score: S) {
        *seen = Some(seen.map_or(score, |seen| seen.min(score)));
    }

    #[inline]
    fn decide(&self, index: Index, seen: Option<S>) -> Verdict<S> {
        match seen {
            None => Verdict::Decided(score_without_turns(self.0, index)),
            Some(smallest) => smallest.before_turn().map_or(Verdict::TooLong, Verdict::Decided),
        }
    }
}

/// Solves a game that cannot repeat, together with all other processes, and hands the scores to
/// `sink` at process 0. `job.horizon` is of no use here and is ignored.
///
/// # Errors
/// If it does not fit the memory, is stopped, a game takes more than 32,765 turns, a checkpoint
/// fails, the sink, or a process.
pub fn graded<G: Layered>(
    game: &G,
    session: &mut Session,
    job: &mut ClusterJob<'_>,
    sink: &mut dyn ScoreSink,
) -> Result<(), ClusterError> {
    need_alternation(game, "solving on several processes")?;
    narrow_then_wide(
        session,
        job,
        sink,
        |session, job, sink| pass::<G, u8>(game, session, job, sink),
        |session, job, sink| pass::<G, u16>(game, session, job, sink),
    )
}

fn pass<G: Layered, S: SharedScore>(
    game: &G,
    session: &mut Session,
    job: &mut ClusterJob<'_>,
    sink: &mut dyn ScoreSink,
) -> Attempt {
    let mut run = Run::<G, S>::new(game, session, job, S::BYTES as u64 + ORDER_BYTES)?;
    run.resume(&mut Vec::new())?;
    run.job.progress.stage("solving, layer by layer", run.own_main());
    let batch = run.batch();
    for layer in 0..game.layer_count() {
        let order = run.order(layer)?;
        let schedule = run.agree_on(&order, batch)?;
        let asked = run.decide_by_successors(
            &Smallest(game),
            schedule.len() as u64,
            |_, number| {
                let (from, to) = schedule[number as usize];
                order[from..to].iter().map(|place| place & ((1 << PLACE_BITS) - 1)).collect()
            },
            &mut |run| run.save(0, &[]),
        )?;
        if asked.too_long {
            return Ok(false);
        }
    }
    run.finish(sink)
}

impl<G: Layered, S: SharedScore> Run<'_, '_, G, S> {
    /// Own undecided positions of a layer by grade, the grade above the place.
    fn order(&self, layer: usize) -> Result<Vec<u64>, ClusterError> {
        let ranges = self.game.layer(layer);
        let pieces: Vec<(u64, u64)> = ranges
            .iter()
            .flat_map(|range| {
                self.partition.own_pieces(self.me, range.start.0..range.end.0.max(range.start.0))
            })
            .map(|(place, range)| (place, range.end - range.start))
            .collect();
        let view = self.view();
        let order = |&(place, length): &(u64, u64)| {
            (place..place + length).filter(|&place| view.scores.get(place) == S::UNKNOWN).filter_map(
                |place| match view.game.position(view.index(place)) {
                    None => {
                        view.scores.set(place, S::NONE);
                        None
                    }
                    Some(position) => Some(view.game.grade(&position) << PLACE_BITS | place),
                },
            )
        };
        let most_grade = 1 << (64 - PLACE_BITS);
        if self.own() >= 1 << PLACE_BITS {
            return Err(SolveError::TooLarge { count: self.own().into() }.into());
        }
        let ordered =
            self.session.pool.all(pieces.len(), &|number| order(&pieces[number]).collect::<Vec<_>>());
        let mut order: Vec<u64> = ordered.into_iter().flatten().collect();
        debug_assert!(order.iter().all(|order| order >> PLACE_BITS < most_grade));
        self.session.pool.sort(&mut order);
        Ok(order)
    }

    /// The part of the own order for every batch, so that nobody begins a grade before all have
    /// ended the one before.
    fn agree_on(&mut self, order: &[u64], batch: u64) -> Result<Vec<(usize, usize)>, ClusterError> {
        let mut own: Vec<(u64, usize)> = Vec::new();
        let mut said = Vec::new();
        for run in order.chunk_by(|a, b| a >> PLACE_BITS == b >> PLACE_BITS) {
            let grade = run[0] >> PLACE_BITS;
            own.push((grade, run.len()));
            pack(&mut said, grade);
            pack(&mut said, (run.len() as u64).div_ceil(batch));
        }
        let mut batches = std::collections::BTreeMap::new();
        for (from, said) in (0..).zip(self.session.transport.all_gather(&said)?) {
            let mut said = said.as_slice();
            while !said.is_empty() {
                let wrong = ClusterError::Protocol { from, what: "a schedule that cannot be read" };
                let (Some(grade), Some(count)) = (unpack(&mut said), unpack(&mut said)) else {
                    return Err(wrong);
                };
                let most = batches.entry(grade).or_insert(0);
                *most = count.max(*most);
            }
        }
        let mut schedule = Vec::new();
        let mut own = own.into_iter().peekable();
        let mut at = 0;
        for (grade, count) in batches {
            let end = at + own.next_if(|&(known, _)| known == grade).map_or(0, |(_, length)| length);
            for _ in 0..count {
                let to = end.min(at.saturating_add(usize::try_from(batch).unwrap_or(usize::MAX)));
                schedule.push((at, to));
                at = to;
            }
        }
        Ok(schedule)
    }
}
