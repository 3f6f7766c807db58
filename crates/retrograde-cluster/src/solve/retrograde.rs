//! Games that can repeat, on a cluster, turn by turn: in phase t the positions that end in exactly
//! t turns are decided, and positions that are never decided are draws.
//!
//! With predecessors, the owner of a position that the phase before has decided tells the owners of
//! its predecessors: one message a turn, that it wins or that it is refuted. A loss is found by
//! counting refuted turns down. Scores of the phase before are found by going through the bytes
//! once more, so no list of them is kept, and the order in which messages arrive changes nothing.
//! Without predecessors open positions ask for the scores of their successors anew in every phase.
//!
//! Symmetries are not used here: images of a position may belong to others, and finding who stands
//! for an orbit would cost what it saves.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering};

use retrograde_game::{Dense, Index, Outcome, Predecessors, Successor, Turns, Value};
use retrograde_solve::array::SharedScore;
use retrograde_solve::retrograde::{EachPredecessorIndex, each_predecessor_index};
use retrograde_solve::{SolveError, need_alternation};

use super::finish::{Attempt, narrow_then_wide};
use super::job::ClusterJob;
use super::lookup::{Rule, Verdict};
use super::run::{Run, View};
use super::sink::ScoreSink;
use crate::error::ClusterError;
use crate::session::Session;
use crate::transport::{Packet, PacketKind, Places, Tally};

/// Bytes of memory for each index that a process owns.
pub const RETROGRADE_BYTES: u64 = 3;

/// Indices that a thread goes through at a time.
const PART: u64 = 1 << 12;
/// Positions that a thread looks at, and no more, at a time.
const LOOK: usize = 1 << 16;
/// Bytes of packets that a thread makes before they are sent.
const BYTES_A_ROUND: u64 = 4 << 20;
/// More turns than this in one position are not counted.
const MAX_TURNS: u64 = u16::MAX as u64 - 1;

/// Solves a game that can repeat, looking forwards only, together with all other processes, and
/// hands the scores to `sink` at process 0.
///
/// # Errors
/// If it does not fit the memory, is stopped, a game takes more than 32,765 turns, a checkpoint
/// fails, the sink, or a process.
pub fn retrograde<G: Dense>(
    game: &G,
    session: &mut Session,
    job: &mut ClusterJob<'_>,
    sink: &mut dyn ScoreSink,
) -> Result<(), ClusterError> {
    solve(game, session, job, sink, None)
}

/// Solves a game that can repeat by its predecessors, as [`retrograde`] does.
///
/// # Errors
/// As [`retrograde`].
pub fn retrograde_by_predecessors<G: Predecessors>(
    game: &G,
    session: &mut Session,
    job: &mut ClusterJob<'_>,
    sink: &mut dyn ScoreSink,
) -> Result<(), ClusterError> {
    solve(game, session, job, sink, Some(each_predecessor_index::<G>))
}

fn solve<G: Dense>(
    game: &G,
    session: &mut Session,
    job: &mut ClusterJob<'_>,
    sink: &mut dyn ScoreSink,
    before: Option<EachPredecessorIndex<G>>,
) -> Result<(), ClusterError> {
    need_alternation(game, "solving on several processes")?;
    narrow_then_wide(
        session,
        job,
        sink,
        |session, job, sink| phases::<G, u8>(game, session, job, sink, before),
        |session, job, sink| phases::<G, u16>(game, session, job, sink, before),
    )
}

/// When a game is too long for this kind of score depends on the phases alone, as it does on one
/// machine, so that tables are the same.
fn phases<G: Dense, S: SharedScore>(
    game: &G,
    session: &mut Session,
    job: &mut ClusterJob<'_>,
    sink: &mut dyn ScoreSink,
    before: Option<EachPredecessorIndex<G>>,
) -> Attempt {
    let bytes = S::BYTES as u64 + if before.is_some() { 2 } else { 0 };
    let mut run = Run::<G, S>::new(game, session, job, bytes)?;
    let mut saved = Vec::new();
    let resumed = run.resume(&mut saved)?;
    let mut turns = match resumed {
        Some(stage) => u16::try_from(stage).map_err(|_| SolveError::TooDeep)?,
        None => 0,
    };
    let counters: Vec<AtomicU16> = match (before, resumed) {
        (None, _) => Vec::new(),
        (Some(_), Some(_)) => saved.drain(..).map(AtomicU16::new).collect(),
        (Some(_), None) => (0..run.own()).map(|_| AtomicU16::new(0)).collect(),
    };
    run.job.progress.stage("looking at every position", run.own_main());
    if resumed.is_none() {
        run.begin(before.is_some().then_some(&counters))?;
    }
    // Wins in one turn are found before phase 1, so that phase may find nothing and not be the last
    // one.
    let first = turns.max(2);
    turns = turns.max(1);
    let mut open = run.count_open()?;
    run.job.progress.stage("solving, turn by turn", open);
    while open > 0 && run.job.horizon.is_none_or(|horizon| Turns(turns) <= horizon) {
        let win = S::from_value(Value::Win(Turns(turns)));
        let loss = S::from_value(Value::Loss(Turns(turns)));
        let (Some(win), Some(loss)) = (win, loss) else { return Ok(false) };
        let phase = Phase { turns, win, loss };
        match before {
            Some(before) => run.tell_predecessors(before, &counters, phase)?,
            None => run.look_again(phase)?,
        }
        let left = run.count_open()?;
        let found = open - left;
        run.job.progress.advance(found);
        open = left;
        // A position that ends in t + 1 turns has a turn to one that ends in t.
        if found == 0 && turns >= first {
            break;
        }
        turns += 1;
        let tally = run.wishes();
        let tally = run.session.transport.all_reduce(tally)?;
        if tally.has(Tally::SAVE) || tally.has(Tally::STOP) {
            run.save(turns.into(), &counters)?;
        }
        if tally.has(Tally::STOP) {
            return Err(SolveError::Stopped.into());
        }
    }
    if run.job.horizon.is_none() {
        let (scores, own_main) = (&run.scores, run.own_main());
        run.session.pool.each_range(own_main as usize, LOOK, &|places| {
            for place in places.map(|place| place as u64) {
                if scores.get(place) == S::UNKNOWN {
                    scores.set(place, S::DRAW);
                }
            }
        });
    }
    run.finish(sink)
}

/// The values that a phase decides.
#[derive(Clone, Copy)]
struct Phase<S> {
    turns: u16,
    win: S,
    loss: S,
}

/// Forwards: a turn to a loss wins, and when all turns are refuted it is lost.
struct Forwards<S>(Phase<S>);

#[derive(Clone, Copy, Default)]
struct Turn {
    wins: bool,
    stands: bool,
}

impl<S: SharedScore> Rule<S> for Forwards<S> {
    type Seen = Turn;

    #[inline]
    fn see(&self, seen: &mut Turn, score: S) {
        // Values decided in this phase are not yet known.
        match score.value() {
            Some(Value::Loss(turns)) if turns.0 < self.0.turns => seen.wins = true,
            Some(Value::Win(turns)) if turns.0 < self.0.turns => {}
            _ => seen.stands = true,
        }
    }

    #[inline]
    fn decide(&self, _index: Index, seen: Turn) -> Verdict<S> {
        match seen {
            Turn { wins: true, .. } => Verdict::Decided(self.0.win),
            Turn { stands: false, .. } => Verdict::Decided(self.0.loss),
            _ => Verdict::Open,
        }
    }
}

impl<G: Dense, S: SharedScore> Run<'_, '_, G, S> {
    /// Before the first phase: decides what no position has, what is over, without turns or won at
    /// once, and counts the turns of the rest. Nobody needs to be asked.
    fn begin(&mut self, counters: Option<&Vec<AtomicU16>>) -> Result<(), ClusterError> {
        let win = S::from_value(Value::Win(Turns(1))).filter(|_| self.job.horizon != Some(Turns(0)));
        let too_many = AtomicBool::new(false);
        let own_main = self.own_main();
        let view = self.view();
        self.session.pool.each_range(own_main as usize, PART as usize, &|places| {
            let mut next = Vec::new();
            let part = places.start as u64..places.end as u64;
            if view.progress.stopped() || too_many.load(Ordering::Relaxed) {
                return;
            }
            for place in part.clone() {
                let index = view.index(place);
                let Some(position) = view.game.position(index) else {
                    view.scores.set(place, S::NONE);
                    continue;
                };
                if let Some(outcome) = view.game.result(&position) {
                    view.scores.set(place, S::over(outcome));
                    continue;
                }
                if let Some(win) = win.filter(|_| view.game.wins_now(&position)) {
                    view.scores.set(place, win);
                    continue;
                }
                next.clear();
                let (mut any, mut never) = (false, false);
                let _ = view.game.each_successor_at(index, |reached| {
                    any = true;
                    match reached {
                        Successor::At(reached) | Successor::Again(reached) => next.push(reached.0),
                        Successor::Terminal(outcome) => never |= outcome != Outcome::Win,
                    }
                    match counters {
                        Some(_) => ControlFlow::Continue(()),
                        None => ControlFlow::Break(()),
                    }
                });
                if !any {
                    view.scores.set(place, S::over(view.game.outcome_without_turns()));
                } else if let Some(counters) = counters {
                    next.sort_unstable();
                    next.dedup();
                    let count = next.len() as u64;
                    if count > MAX_TURNS {
                        too_many.store(true, Ordering::Relaxed);
                    }
                    // A turn that is never refuted is one more that is never counted down.
                    let count = count.min(MAX_TURNS) as u16 + u16::from(never);
                    counters[place as usize].store(count, Ordering::Relaxed);
                }
            }
            view.progress.advance(part.end - part.start);
        });
        let too_many = Tally::flag(Tally::TOO_MANY, too_many.into_inner());
        let stop = Tally::flag(Tally::STOP, self.job.progress.stopped());
        let tally = Tally { flags: too_many.flags | stop.flags, ..stop };
        let tally = self.session.transport.all_reduce(tally)?;
        if tally.has(Tally::TOO_MANY) {
            return Err(ClusterError::Connect(format!(
                "{}: some position has more than {MAX_TURNS} turns, and they are counted in two bytes",
                self.game.name()
            )));
        }
        if tally.has(Tally::STOP) { Err(SolveError::Stopped.into()) } else { Ok(()) }
    }

    /// Positions of all processes that are undecided.
    fn count_open(&mut self) -> Result<u64, ClusterError> {
        let (scores, own_main) = (&self.scores, self.own_main());
        let open = AtomicU64::new(0);
        self.session.pool.each_range(own_main as usize, LOOK, &|places| {
            let here = places.filter(|&place| scores.get(place as u64) == S::UNKNOWN).count();
            open.fetch_add(here as u64, Ordering::Relaxed);
        });
        let tally = Tally { sums: [open.into_inner(), 0, 0], ..Tally::default() };
        let tally = self.session.transport.all_reduce(tally)?;
        Ok(tally.sums[0])
    }

    /// A phase by predecessors.
    fn tell_predecessors(
        &mut self,
        before: EachPredecessorIndex<G>,
        counters: &[AtomicU16],
        phase: Phase<S>,
    ) -> Result<(), ClusterError> {
        let Some(last) = phase.turns.checked_sub(1).map(Turns) else { return Ok(()) };
        let (lost, won) = (S::from_value(Value::Loss(last)), S::from_value(Value::Win(last)));
        let (Some(lost), Some(won)) = (lost, won) else { return Ok(()) };
        let own_main = self.own_main();
        let parts = own_main.div_ceil(PART);
        let threads = self.session.pool.threads() as u64;
        let most = self.job.batch.unwrap_or(BYTES_A_ROUND);
        let mut at = 0;
        // Parts of a round: as many as brought about so many bytes before.
        let mut step = threads;
        loop {
            let end = (at + step).min(parts);
            let bytes = AtomicU64::new(0);
            let view = self.view();
            let packets = self.session.pool.all((end - at) as usize, &|part| {
                let packets = view.messages(before, counters, phase, (lost, won), at + part as u64);
                bytes.fetch_add(packets.iter().map(|p| p.bytes.len() as u64).sum(), Ordering::Relaxed);
                packets
            });
            let packets = packets.into_iter().flatten().collect();
            step = match bytes.into_inner() {
                bytes if bytes > most * threads => (step / 2).max(1),
                bytes if bytes < most * threads / 4 => (step * 2).min(1 << 20),
                _ => step,
            };
            at = end;
            let stop = Tally::flag(Tally::STOP, self.job.progress.stopped());
            let tally = Tally { flags: stop.flags | Tally::flag(Tally::MORE, at < parts).flags, ..stop };
            let (packets, tally) = self.session.transport.exchange(packets, tally)?;
            let (scores, own) = (&self.scores, self.own());
            self.session.pool.results(packets.len(), &|number| match &packets[number] {
                packet if packet.kind == PacketKind::Won => packet.places(own, |place| {
                    if scores.get(place) == S::UNKNOWN {
                        scores.set(place, phase.win);
                    }
                }),
                packet if packet.kind == PacketKind::Refuted => packet.places(own, |place| {
                    // A position that wins in this very phase has a turn that is never refuted, so
                    // the order of the two messages makes no difference.
                    if scores.get(place) == S::UNKNOWN
                        && counters[place as usize].fetch_sub(1, Ordering::Relaxed) == 1
                    {
                        scores.set(place, phase.loss);
                    }
                }),
                packet => Err(ClusterError::Protocol { from: packet.from, what: "what nobody asked for" }),
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

    /// A phase without predecessors.
    fn look_again(&mut self, phase: Phase<S>) -> Result<(), ClusterError> {
        let batch = self.batch();
        let own_main = self.own_main();
        let batches = own_main.div_ceil(batch);
        let batches = self.most(batches)?;
        self.decide_by_successors(
            &Forwards(phase),
            batches,
            |run, number| {
                let from = number.saturating_mul(batch).min(own_main);
                let to = from.saturating_add(batch).min(own_main);
                (from..to).filter(|&place| run.scores.get(place) == S::UNKNOWN).collect()
            },
            &mut |_| Ok(()),
        )?;
        Ok(())
    }
}

impl<G: Dense, S: SharedScore> View<'_, G, S> {
    /// The messages to the predecessors of those positions of a part that the phase before has
    /// decided.
    fn messages(
        &self,
        before: EachPredecessorIndex<G>,
        counters: &[AtomicU16],
        phase: Phase<S>,
        (lost, won): (S, S),
        part: u64,
    ) -> Vec<Packet> {
        let processes = self.partition.processes();
        let mut wins: Vec<Vec<u64>> = vec![Vec::new(); processes];
        let mut refuted: Vec<Vec<u64>> = vec![Vec::new(); processes];
        let mut one = Vec::new();
        for place in part * PART..((part + 1) * PART).min(self.own_main) {
            let score = self.scores.get(place);
            // Every turn of these loses at once, which nobody tells them.
            if phase.turns == 1
                && score == S::UNKNOWN
                && counters[place as usize].load(Ordering::Relaxed) == 0
            {
                self.scores.set(place, phase.loss);
                continue;
            }
            if score != lost && score != won {
                continue;
            }
            let index = self.index(place);
            // Turns into positions that the rules end have been taken into account before the first
            // phase.
            if phase.turns == 1
                && self.game.position(index).is_none_or(|position| self.game.result(&position).is_some())
            {
                continue;
            }
            one.clear();
            before(self.game, index, &mut |previous| one.push(previous));
            one.sort_unstable();
            one.dedup();
            let messages = if score == lost { &mut wins } else { &mut refuted };
            for &previous in &one {
                let (owner, place) = self.partition.place(previous);
                messages[owner as usize].push(place);
            }
        }
        let mut packets = Vec::new();
        for (kind, messages) in [(PacketKind::Won, wins), (PacketKind::Refuted, refuted)] {
            for (owner, mut messages) in (0..).zip(messages) {
                if messages.is_empty() {
                    continue;
                }
                messages.sort_unstable();
                if kind == PacketKind::Won {
                    messages.dedup();
                }
                let mut places = Places::default();
                messages.iter().for_each(|&place| places.push(place));
                packets.push(Packet {
                    to: owner,
                    from: self.me,
                    round: 0,
                    kind,
                    tag: 0,
                    bytes: places.bytes,
                });
            }
        }
        packets
    }
}
