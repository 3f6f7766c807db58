//! Solves only the reachable positions of games that can repeat. All processes expand their newest
//! positions and send the successors to their owners, until there are no new ones. Then positions are
//! decided turn by turn; owners ignore unreachable predecessors. Finally, positions before the game
//! are decided from the scores of their successors.

use retrograde_game::Score;

use super::back::solve_phases;
use super::keys::Find;
use super::open::OpenShare;
use super::owners::Owners;
use super::team::{Team, alone, saves};
use crate::exchange::Tally;
use crate::job::{Job, SolveError};
use crate::reachable::{DividedKeys, GatheredShare, GradeState, RepeatingBatches, Share, sort};

/// The memory for each position that a process owns when solving begins, in bytes.
pub const REACHABLE_REPEATING_BYTES: u64 = 24;

/// The only grade.
const GRADE: u64 = 0;

/// Solves this process's share of the reachable positions.
pub(super) fn solve(game: &dyn RepeatingBatches, team: &mut Team<'_, '_>) -> Result<Share, SolveError> {
    let owners = Owners::new(team.exchange.threads());
    let (me, owners) = (team.me, &owners);
    let (mut fits, mut waiting, mut known, mut solved) = (true, Vec::new(), Vec::new(), Vec::new());
    let stage = team.load_pieces(owners, &mut |piece| {
        fits &= piece.grade == GRADE;
        match piece.state {
            GradeState::Waiting => waiting.extend(piece.keys),
            GradeState::Gathered => known.extend(piece.keys),
            GradeState::Solved => solved.extend(piece.keys.into_iter().zip(piece.scores)),
        }
    })?;
    let turns = u16::try_from(stage.unwrap_or(0)).map_err(|_| SolveError::TooDeep)?;
    if stage.is_some() {
        let none = if turns == 0 { solved.is_empty() } else { waiting.is_empty() && known.is_empty() };
        team.check_whole(fits && none)?;
    } else {
        waiting.extend(game.start()?.map(|(_, key)| key).filter(|&key| owners.of(key) == me));
    }
    let mut gathered = GatheredShare::default();
    gathered.add(&team.pool, &[DividedKeys::new(&waiting)]);
    gathered.add_known(&team.pool, &known);
    let saved = if turns == 0 {
        let (find, batch) = (|keys: &[u64]| game.successors(keys, GRADE + 1), team.batch_of_keys());
        gather(&find, owners, &mut gathered, (team, batch), u64::MAX)?;
        let keys = gathered.all.into_sorted(&team.pool);
        let scores = vec![u16::UNKNOWN; keys.len()];
        (keys, scores)
    } else {
        sort(&team.pool, &mut solved);
        team.check_whole(solved.is_sorted_by(|(a, _), (b, _)| a < b))?;
        solved.into_iter().unzip()
    };
    let mut open = OpenShare::new((game, owners), saved, turns, team)?;
    if turns > 1 {
        team.send(&open)?;
    }
    solve_phases(team, &mut open, turns, None)?;
    open.solve_before(team)?;
    Ok(open.into_solved())
}

/// Gathers the positions reachable from a start on a single process, until there are more than `most`
/// keys. Also returns whether all positions were found.
pub(crate) fn gather_alone(
    find: Find<'_>,
    start: Option<u64>,
    (job, batch): (&Job<'_>, usize),
    most: u64,
) -> Result<(GatheredShare, bool), SolveError> {
    alone(job, |team| {
        let mut gathered = GatheredShare::default();
        gathered.add(&team.pool, &[DividedKeys::new(start.as_slice())]);
        gather(find, &Owners::new(team.exchange.threads()), &mut gathered, (team, batch), most)?;
        let whole = gathered.new.is_empty();
        Ok((gathered, whole))
    })
}

/// Gathers all positions, or stops once this process has more than `most` keys.
fn gather(
    find: Find<'_>,
    owners: &Owners,
    gathered: &mut GatheredShare,
    (team, batch): (&mut Team<'_, '_>, usize),
    most: u64,
) -> Result<(), SolveError> {
    team.job.progress.stage("gathering positions", 0);
    while gathered.len() <= most {
        let here = gathered.take_new();
        let own = (!here.is_empty()).then_some((GRADE, here.len() as u64));
        let Some((_, batches)) = team.agree(own, batch)?.pop_last() else { return Ok(()) };
        let (mut parts, mut done) = (here.chunks(batch), 0);
        for _ in 0..batches {
            let part = parts.next().unwrap_or_default();
            let (found, tally) = team.round_of_keys(owners, part, GRADE + 1, find)?;
            let found: Vec<DividedKeys> = found.into_values().flatten().collect();
            gathered.add(&team.pool, &found);
            let found = found.iter().map(|keys| keys.len() as u64 * 8).sum::<u64>();
            team.check_memory(gathered.bytes() + here.len() as u64 * 8 + found)?;
            done += part.len();
            if saves(tally) {
                let left = &here[done..];
                let own = gathered.len();
                team.save_pieces((0, own), &|visit| gathered.each(left, visit))?;
            }
            if tally.has(Tally::STOP) {
                return Err(SolveError::Stopped);
            }
            team.job.progress.advance(part.len() as u64);
        }
    }
    Ok(())
}
