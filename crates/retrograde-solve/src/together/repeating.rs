//! Only what occurs, of games that can repeat. All processes list the successors of their newest
//! positions and send each to its owner, until nothing is new. Then positions are decided turn by turn;
//! a predecessor that does not occur has an owner that does not know it. In the end positions before
//! the game ask for the scores of their successors.

use super::ask::{Asks, Next, Seen};
use super::back::{OpenPositions, solve_phases};
use super::hand_over::hand_over;
use super::job::SharedJob;
use super::keys::ByGrade;
use super::owners::Owners;
use super::saved::PIECE_KEYS;
use super::send::{Sends, Word};
use super::sink::OccurringSink;
use super::team::{Team, saves};
use super::words::WAITS;
use crate::exchange::{Exchange, Tally};
use crate::job::SolveError;
use crate::reachable::{
    DividedKeys, GatheredShare, GradeState, Numbers, OpenShare, Phase, RepeatingBatches, code_of, key_of,
};

/// Bytes of memory for a position that a process owns, when solving begins.
pub const OCCURRING_REPEATING_BYTES: u64 = 24;

/// There is one grade.
const GRADE: u64 = 0;

/// Solves what occurs from the start of a game that can repeat, together with all other processes, by
/// its predecessors, and hands all positions by number to `sink` at process 0; loops are draws.
/// `job.horizon` and `job.block_bits` are not used.
///
/// # Errors
/// If a share does not fit the memory, it is stopped, a game takes more than 32,765 turns or breaks a
/// promise, a checkpoint fails, the sink, or a process.
pub fn occurring_repeating(
    game: &dyn RepeatingBatches,
    numbers: Numbers<'_>,
    exchange: &mut dyn Exchange,
    job: &mut SharedJob<'_>,
    sink: &mut dyn OccurringSink,
) -> Result<(), SolveError> {
    let mut team = Team::new(exchange, job)?;
    let solved = solve(game, &mut team)?;
    hand_over(solved.into_solved(), numbers, team, sink)
}

fn solve(game: &dyn RepeatingBatches, team: &mut Team<'_, '_>) -> Result<OpenShare, SolveError> {
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
        waiting.extend(game.start()?.filter(|&key| owners.of(key) == me));
    }
    let mut gathered = GatheredShare::default();
    gathered.add(&team.pool, &[DividedKeys::new(&waiting)]);
    gathered.add_known(&team.pool, &known);
    let open = if turns == 0 {
        gather(game, owners, &mut gathered, team)?;
        OpenShare::of_gathered(gathered, game, &team.pool)?
    } else {
        OpenShare::of_saved(solved, game, &team.pool)?
    };
    team.check_memory(open.bytes())?;
    let mut solving = Solving { game, owners, open, phase: Phase::told_before(turns)? };
    if turns > 1 {
        team.send(&solving)?;
    }
    solve_phases(team, &mut solving, turns, None)?;
    solving.solve_before(team)?;
    Ok(solving.open)
}

/// Gathers all positions.
fn gather(
    game: &dyn RepeatingBatches,
    owners: &Owners,
    gathered: &mut GatheredShare,
    team: &mut Team<'_, '_>,
) -> Result<(), SolveError> {
    team.job.progress.stage("gathering positions", 0);
    let batch = team.batch_of_keys();
    let find = |keys: &[u64]| -> Result<ByGrade, SolveError> { Ok(vec![(GRADE, game.successors(keys)?)]) };
    loop {
        team.check_memory(gathered.bytes())?;
        let here = gathered.take_new();
        let own = (!here.is_empty()).then_some((GRADE, here.len() as u64));
        let Some((_, batches)) = team.agree(own, batch)?.pop_last() else { return Ok(()) };
        let (mut parts, mut done) = (here.chunks(batch), 0);
        for _ in 0..batches {
            let part = parts.next().unwrap_or_default();
            let (found, tally) = team.round_of_keys(owners, part, GRADE + 1, &find)?;
            let found: Vec<DividedKeys> = found.into_values().flatten().collect();
            gathered.add(&team.pool, &found);
            let found = found.iter().map(|keys| keys.len() as u64 * 8).sum::<u64>();
            team.check_memory(gathered.bytes() + here.len() as u64 * 8 + found)?;
            done += part.len();
            if saves(tally) {
                let left = &here[done..];
                let own = gathered.len();
                team.save_pieces((0, own), &|visit| gathered.each_piece(left, PIECE_KEYS, visit))?;
            }
            if tally.has(Tally::STOP) {
                return Err(SolveError::Stopped);
            }
            team.job.progress.advance(part.len() as u64);
        }
    }
}

/// The positions of a process, while they are solved.
struct Solving<'a> {
    game: &'a dyn RepeatingBatches,
    owners: &'a Owners,
    open: OpenShare,
    phase: Phase,
}

impl OpenPositions for Solving<'_> {
    fn count_open(&self, team: &Team<'_, '_>) -> u64 {
        self.open.count_open(&team.pool)
    }

    fn phase(&mut self, team: &mut Team<'_, '_>, turns: u16) -> Result<bool, SolveError> {
        self.phase = Phase::new(turns)?;
        team.send(&*self)?;
        Ok(true)
    }

    fn save(&self, team: &mut Team<'_, '_>, turns: u16) -> Result<(), SolveError> {
        let own = self.open.len();
        team.save_pieces((turns.into(), own), &|visit| self.open.each_piece(PIECE_KEYS, visit))
    }

    fn end(&self, team: &Team<'_, '_>) {
        self.open.end(&team.pool);
    }
}

impl Sends for Solving<'_> {
    fn parts(&self) -> usize {
        self.open.parts()
    }

    fn address(&self, key: u64) -> (usize, u64) {
        (self.owners.of(key), code_of(key))
    }

    fn part(&self, part: usize, send: &mut dyn FnMut(Word, u64)) -> Result<(), SolveError> {
        let (lost, won) = self.open.told(part, &self.phase);
        for (word, keys) in [(Word::Wins, lost), (Word::Refuted, won)] {
            self.game.predecessors(&keys)?.into_iter().for_each(|key| send(word, key));
        }
        Ok(())
    }

    fn receive(&self, word: Word, codes: &[u64]) -> Option<()> {
        let keys: Vec<u64> = codes.iter().map(|&code| key_of(code)).collect();
        self.open.hear(word == Word::Wins, &keys, &self.phase);
        Some(())
    }
}

impl Solving<'_> {
    /// Solves the positions before the game, which are few: those whose successors are all known, as
    /// long as there are any.
    fn solve_before(&mut self, team: &mut Team<'_, '_>) -> Result<(), SolveError> {
        team.job.progress.stage("solving positions before the game", 0);
        let batch = team.batch_of_keys();
        loop {
            let waiting = self.open.waiting_before();
            let own = (!waiting.is_empty()).then_some((GRADE, waiting.len() as u64));
            let Some((_, batches)) = team.agree(own, batch)?.pop_last() else { return Ok(()) };
            let mut parts = waiting.chunks(batch);
            let mut before = Before { solving: self, found: Vec::new() };
            team.ask(&mut before, batches, |_, _| parts.next().unwrap_or_default().to_vec())?;
            let found = before.found;
            if team.sum(found.len() as u64)? == 0 {
                let reason = "positions before the game lead to each other in a circle";
                return Err(SolveError::BrokenPromise(reason.to_owned()));
            }
            found.into_iter().for_each(|(key, score)| self.open.put_before(key, score));
        }
    }
}

/// Positions before the game that ask for the scores of their successors.
struct Before<'a> {
    solving: &'a Solving<'a>,
    found: Vec<(u64, u16)>,
}

impl Asks for Before<'_> {
    type Found = Vec<(u64, u16)>;

    fn address(&self, key: u64) -> (usize, u64) {
        Sends::address(self.solving, key)
    }

    fn successors(&self, keys: &[u64], visit: &mut dyn FnMut(usize, Next)) -> Result<(), SolveError> {
        self.solving.game.ask(keys)?.each(visit);
        Ok(())
    }

    fn scores(&self, _group: u64, codes: &[u64], scores: &mut Vec<u16>) -> Option<()> {
        let keys: Vec<u64> = codes.iter().map(|&code| key_of(code)).collect();
        self.solving.open.scores(&keys, WAITS, scores)
    }

    fn decide(&self, keys: &[u64], seen: &[Seen]) -> Result<Vec<(u64, u16)>, SolveError> {
        let known = keys.iter().zip(seen).filter(|(_, seen)| !seen.waits);
        let (keys, least): (Vec<u64>, Vec<Option<u16>>) = known.map(|(&key, seen)| (key, seen.least)).unzip();
        let scores = self.solving.game.scores(&keys, &least)?;
        Ok(keys.into_iter().zip(scores).collect())
    }

    fn take(&mut self, found: Vec<(u64, u16)>) {
        self.found.extend(found);
    }
}
