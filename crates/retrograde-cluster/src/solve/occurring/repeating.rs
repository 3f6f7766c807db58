//! Occurring positions of games that can repeat, on a cluster, turn by turn. All processes list the successors
//! of their newest positions and send each to its owner, until nothing is new. Then, in phase t, the
//! owner of a position that the phase before has decided tells the owners of its predecessors: one
//! message a turn, that it wins or that it is refuted. A predecessor that does not occur has an owner
//! that does not know it. Positions that are never decided are draws. In the end positions before the
//! game ask for the scores of their successors.
//!
//! Turns that are not refuted are not saved: whoever goes on counts them anew, and is told once more
//! of all that is won.

use std::sync::atomic::{AtomicU64, Ordering};

use retrograde_solve::SolveError;
use retrograde_solve::reachable::{
    DividedKeys, GatheredShare, GradeState, Numbers, OpenShare, Phase, RepeatingBatches, code_of,
};

use super::gather::Successors;
use super::messages::{keys_by_grade, put_codes, sorted_codes};
use super::owners::Owners;
use super::run::OccurringRun;
use super::settle::{put_scores, see, take_scores};
use super::sink::OccurringSink;
use crate::checkpoint::occurring_shard::PIECE_KEYS;
use crate::error::ClusterError;
use crate::session::Session;
use crate::solve::job::ClusterJob;
use crate::transport::{Packet, PacketKind, Tally};

/// Bytes of packets that a thread makes before they are sent.
const BYTES_A_ROUND: u64 = 4 << 20;
/// All messages name this grade: there are no others.
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
    session: &mut Session,
    job: &mut ClusterJob<'_>,
    sink: &mut dyn OccurringSink,
) -> Result<(), ClusterError> {
    let mut run = OccurringRun::new(game, session, job)?;
    let (mut open, turns) = match run.resume_repeating()? {
        State::Gathering(gathered) => (run.gather_repeating(gathered)?, 0),
        State::Open(open, turns) => (open, turns),
    };
    run.solve_phases(&open, turns)?;
    run.solve_before(&mut open)?;
    run.share = open.into_solved();
    run.hand_over(numbers, sink)
}

/// The state to go on from.
enum State {
    Gathering(GatheredShare),
    /// The phase of so many turns comes next.
    Open(OpenShare, u16),
}

impl OccurringRun<'_, '_, dyn RepeatingBatches + '_> {
    /// The beginning, or what was saved.
    fn resume_repeating(&mut self) -> Result<State, ClusterError> {
        let mut gathered = GatheredShare::default();
        let (mut placed, mut fits) = (0, true);
        let mut solved = Vec::new();
        let stage = self.restore_pieces(&mut |pool, piece| {
            placed += piece.keys.len() as u64;
            fits &= piece.grade == GRADE;
            match piece.state {
                GradeState::Waiting => gathered.add(pool, &[DividedKeys::new(&piece.keys)]),
                GradeState::Gathered => gathered.add_known(pool, &piece.keys),
                GradeState::Solved => solved.extend(piece.keys.into_iter().zip(piece.scores)),
            }
        })?;
        let Some(stage) = stage else {
            if let Some(key) = self.game.start()?
                && self.owners.of(key) == self.me
            {
                gathered.add(&self.session.pool, &[DividedKeys::new(&[key])]);
            }
            return Ok(State::Gathering(gathered));
        };
        let turns = u16::try_from(stage).map_err(|_| SolveError::TooDeep)?;
        let whole = if turns == 0 { gathered.len() } else { solved.len() as u64 };
        self.check_restored(placed, fits && whole == placed)?;
        if turns == 0 {
            self.check_memory(gathered.bytes())?;
            return Ok(State::Gathering(gathered));
        }
        let open = OpenShare::of_saved(solved, self.game, &self.session.pool)?;
        self.check_memory(open.bytes())?;
        self.tell(&open, &Phase::told_before(turns)?)?;
        Ok(State::Open(open, turns))
    }

    /// Gathers all positions.
    fn gather_repeating(&mut self, mut gathered: GatheredShare) -> Result<OpenShare, ClusterError> {
        self.job.progress.stage("gathering positions", 0);
        let batch = usize::try_from(self.batch()).unwrap_or(usize::MAX);
        loop {
            let here = gathered.take_new();
            let own = (!here.is_empty()).then_some((GRADE, here.len() as u64));
            let Some((_, batches)) = self.next_grade(own, u64::max)? else { break };
            let (mut parts, mut done) = (here.chunks(batch), 0);
            for _ in 0..batches {
                let part = parts.next().unwrap_or_default();
                let (own, packets) = self.own_and_packets(self.following(part)?);
                let wishes = self.wishes();
                let (packets, tally) = self.session.transport.exchange(packets, wishes)?;
                let found = own.into_iter().chain(self.received(&packets, GRADE + 1)?);
                let found: Vec<DividedKeys> = found.map(|(_, keys)| keys).collect();
                gathered.add(&self.session.pool, &found);
                let found = found.iter().map(|keys| keys.len() as u64 * 8).sum::<u64>();
                self.check_memory(gathered.bytes() + here.len() as u64 * 8 + found)?;
                done += part.len();
                if tally.has(Tally::SAVE) || tally.has(Tally::STOP) {
                    let left = &here[done..];
                    self.save_pieces((0, gathered.len()), &|_, visit| {
                        gathered.each_piece(left, PIECE_KEYS, visit)
                    })?;
                }
                if tally.has(Tally::STOP) {
                    return Err(SolveError::Stopped.into());
                }
                self.job.progress.advance(part.len() as u64);
            }
        }
        Ok(OpenShare::of_gathered(gathered, self.game, &self.session.pool)?)
    }

    /// The successors of a batch, by the threads of this process.
    fn following(&self, part: &[u64]) -> Result<Vec<Successors>, ClusterError> {
        let chunks = self.chunks(part);
        let (game, owners, me, processes) = (self.game, &self.owners, self.me, self.processes());
        self.pool().results(chunks.len(), &|number| {
            let mut found = Successors::none(processes);
            found.add(GRADE, game.successors(chunks[number])?, owners, me);
            Ok(found)
        })
    }

    /// Decides positions turn by turn; phase `turns` comes next, and 0 is the beginning.
    fn solve_phases(&mut self, share: &OpenShare, turns: u16) -> Result<(), ClusterError> {
        let mut open = self.count_open(share)?;
        // Wins and losses in one turn are found before phase 1, so that phase may find nothing and not
        // be the last one.
        let first = turns.max(2);
        let mut turns = turns.max(1);
        self.job.progress.stage("solving, turn by turn", open);
        while open > 0 {
            self.tell(share, &Phase::new(turns)?)?;
            let left = self.count_open(share)?;
            let found = open - left;
            self.job.progress.advance(found);
            open = left;
            // A position that ends in t + 1 turns has a turn to one that ends in t.
            if found == 0 && turns >= first {
                break;
            }
            turns += 1;
            let wishes = self.wishes();
            let tally = self.session.transport.all_reduce(wishes)?;
            if tally.has(Tally::SAVE) || tally.has(Tally::STOP) {
                self.save_pieces((turns.into(), share.len()), &|_, visit| {
                    share.each_piece(PIECE_KEYS, visit)
                })?;
            }
            if tally.has(Tally::STOP) {
                return Err(SolveError::Stopped.into());
            }
        }
        share.end(&self.session.pool);
        Ok(())
    }

    /// Positions of all processes that are undecided.
    fn count_open(&mut self, share: &OpenShare) -> Result<u64, ClusterError> {
        let open = share.count_open(&self.session.pool);
        let tally = Tally { sums: [open, 0, 0], ..Tally::default() };
        Ok(self.session.transport.all_reduce(tally)?.sums[0])
    }

    /// Tells predecessors what a phase has to tell.
    fn tell(&mut self, share: &OpenShare, phase: &Phase) -> Result<(), ClusterError> {
        let parts = share.parts();
        let threads = self.session.pool.threads();
        let most = self.job.batch.unwrap_or(BYTES_A_ROUND) * threads as u64;
        let mut at: usize = 0;
        // Parts of a round: as many as brought about so many bytes before.
        let mut step = threads;
        loop {
            let end = at.saturating_add(step).min(parts);
            let bytes = AtomicU64::new(0);
            let telling = Telling { game: self.game, share, phase, owners: &self.owners, me: self.me };
            let processes = self.processes();
            let packets = self.pool().results(end - at, &|number| {
                let packets = telling.packets(at + number, processes)?;
                let here = packets.iter().map(|packet| packet.bytes.len() as u64).sum();
                bytes.fetch_add(here, Ordering::Relaxed);
                Ok::<_, SolveError>(packets)
            })?;
            step = match bytes.into_inner() {
                bytes if bytes > most => (step / 2).max(1),
                bytes if bytes < most / 4 => (step * 2).min(1 << 20),
                _ => step,
            };
            at = end;
            let stop = Tally::flag(Tally::STOP, self.job.progress.stopped());
            let tally = Tally { flags: stop.flags | Tally::flag(Tally::MORE, at < parts).flags, ..stop };
            let packets = packets.into_iter().flatten().collect();
            let (packets, tally) = self.session.transport.exchange(packets, tally)?;
            self.pool().results(packets.len(), &|number| {
                let packet = &packets[number];
                if !matches!(packet.kind, PacketKind::Won | PacketKind::Refuted) {
                    let what = "what nobody asked for";
                    return Err(ClusterError::Protocol { from: packet.from, what });
                }
                for (_, keys) in keys_by_grade(packet, GRADE + 1)? {
                    share.hear(packet.kind == PacketKind::Won, &keys, phase);
                }
                Ok(())
            })?;
            if tally.has(Tally::STOP) {
                // The phase is half done, so what was saved before it is what is gone on from.
                return Err(SolveError::Stopped.into());
            }
            if !tally.has(Tally::MORE) {
                return Ok(());
            }
        }
    }

    /// Solves the positions before the game, which are few: those whose successors are all known, as
    /// long as there are any.
    fn solve_before(&mut self, share: &mut OpenShare) -> Result<(), ClusterError> {
        self.job.progress.stage("solving positions before the game", 0);
        let batch = usize::try_from(self.batch()).unwrap_or(usize::MAX);
        loop {
            let waiting = share.waiting_before();
            let own = (!waiting.is_empty()).then_some((GRADE, waiting.len() as u64));
            let Some((_, batches)) = self.next_grade(own, u64::max)? else { return Ok(()) };
            let (mut parts, mut found) = (waiting.chunks(batch), 0);
            for _ in 0..batches {
                found += self.ask_before(share, parts.next().unwrap_or_default())?;
            }
            let found = Tally { sums: [found, 0, 0], ..Tally::default() };
            if self.session.transport.all_reduce(found)?.sums[0] == 0 {
                let reason = "positions before the game lead to each other in a circle";
                return Err(SolveError::BrokenPromise(reason.to_owned()).into());
            }
        }
    }

    /// Asks for the scores of the successors of positions before the game; how many are known then.
    fn ask_before(&mut self, share: &mut OpenShare, part: &[u64]) -> Result<u64, ClusterError> {
        let asked = self.game.ask(part)?;
        let mut wanted = vec![Vec::new(); self.processes()];
        for (key, asker) in asked.lookups.into_iter().flat_map(|(_, lookups)| lookups) {
            wanted[self.owners.of(key) as usize].push((key, asker));
        }
        let questions =
            (0..).zip(&mut wanted).filter(|(_, wanted)| !wanted.is_empty()).map(|(to, wanted)| {
                wanted.sort_unstable_by_key(|&(key, _)| code_of(key));
                let mut bytes = Vec::new();
                put_codes(&mut bytes, GRADE, &sorted_codes(wanted.iter().map(|&(key, _)| key).collect()));
                Packet { to, from: self.me, round: 0, kind: PacketKind::Question, tag: 0, bytes }
            });
        let questions = questions.collect();
        let answers = self.exchange_all(questions, PacketKind::Question)?.into_iter().map(|question| {
            let mut scores = Vec::new();
            for (_, keys) in keys_by_grade(&question, GRADE + 1)? {
                share.scores(&keys, &mut scores)?;
            }
            let (to, bytes) = (question.from, put_scores(&scores));
            Ok(Packet { to, from: self.me, round: 0, kind: PacketKind::Answer, tag: 0, bytes })
        });
        let answers = answers.collect::<Result<Vec<_>, ClusterError>>()?;
        let (mut least, mut waits) = (asked.least, vec![false; part.len()]);
        let mut unanswered = wanted.iter().filter(|wanted| !wanted.is_empty()).count();
        for answer in self.exchange_all(answers, PacketKind::Answer)? {
            let wrong =
                ClusterError::Protocol { from: answer.from, what: "other scores than were asked for" };
            let (Some(wanted), Some(scores)) =
                (wanted.get_mut(answer.from as usize).map(std::mem::take), take_scores(&answer.bytes))
            else {
                return Err(wrong);
            };
            let groups: Vec<&[(u64, u32)]> = wanted.chunk_by(|(a, _), (b, _)| a == b).collect();
            if groups.is_empty() || groups.len() != scores.len() {
                return Err(wrong);
            }
            unanswered -= 1;
            for (group, score) in groups.into_iter().zip(scores) {
                for &(_, asker) in group {
                    match score {
                        <u16 as retrograde_game::Score>::UNKNOWN => waits[asker as usize] = true,
                        _ => see(&mut least, asker, score),
                    }
                }
            }
        }
        if unanswered > 0 {
            let what = "questions without an answer";
            return Err(ClusterError::Protocol { from: self.me, what });
        }
        let mut found = 0;
        for (at, &key) in part.iter().enumerate().filter(|&(at, _)| !waits[at]) {
            for score in self.game.scores(&[key], &least[at..=at])? {
                share.put_before(key, score);
                found += 1;
            }
        }
        Ok(found)
    }

    /// A round of messages of one kind.
    fn exchange_all(&mut self, packets: Vec<Packet>, kind: PacketKind) -> Result<Vec<Packet>, ClusterError> {
        let stop = Tally::flag(Tally::STOP, self.job.progress.stopped());
        let (packets, tally) = self.session.transport.exchange(packets, stop)?;
        if tally.has(Tally::STOP) {
            return Err(SolveError::Stopped.into());
        }
        match packets.iter().find(|packet| packet.kind != kind) {
            Some(packet) => Err(ClusterError::Protocol { from: packet.from, what: "what nobody asked for" }),
            None => Ok(packets),
        }
    }
}

/// The part of a process in a phase: it tells predecessors.
struct Telling<'a> {
    game: &'a dyn RepeatingBatches,
    share: &'a OpenShare,
    phase: &'a Phase,
    owners: &'a Owners,
    me: u32,
}

impl Telling<'_> {
    /// The messages of a part to the other processes; those to this one are heard at once.
    fn packets(&self, part: usize, processes: usize) -> Result<Vec<Packet>, SolveError> {
        let (lost, won) = self.share.told(part, self.phase);
        let mut packets = Vec::new();
        for (kind, keys) in [(PacketKind::Won, lost), (PacketKind::Refuted, won)] {
            let mut by_owner = vec![Vec::new(); processes];
            for key in self.game.predecessors(&keys)? {
                by_owner[self.owners.of(key) as usize].push(key);
            }
            for (to, keys) in (0..).zip(by_owner).filter(|(_, keys)| !keys.is_empty()) {
                if to == self.me {
                    self.share.hear(kind == PacketKind::Won, &keys, self.phase);
                    continue;
                }
                let mut codes: Vec<u64> = keys.into_iter().map(code_of).collect();
                codes.sort_unstable();
                if kind == PacketKind::Won {
                    codes.dedup();
                }
                let mut bytes = Vec::new();
                put_codes(&mut bytes, GRADE, &codes);
                packets.push(Packet { to, from: self.me, round: 0, kind, tag: 0, bytes });
            }
        }
        Ok(packets)
    }
}
