//! The end of a solve: process 0 receives the scores in the order of indices, window by window, only as fast
//! as the sink takes them and with the memory of one window. If the sink fails, all processes end.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use retrograde_game::{Dense, GameSpec, Score, Turns};
use retrograde_solve::retrograde::Capabilities;
use retrograde_solve::together::{
    CollectedScores, GRADED_BYTES, ScoreSink, ScoreTotals, SharedJob, SinkError, graded, retrograde,
};
use retrograde_solve::{Exchange, NoCheckpoint, Progress, Scores, Silent, SolveError};
use retrograde_table::Counts;
use retrograde_testkit::Graph;
use retrograde_touchdown::TouchDown;

use crate::common::{job, run};

const WINDOW: u64 = 1000;

fn game() -> TouchDown {
    TouchDown::from_spec(GameSpec::parse("touchdown:4x3").unwrap()).unwrap()
}

/// The scores taken, and the bytes that the other process has sent.
#[derive(Default)]
struct Flow {
    taken: AtomicU64,
    sent: AtomicU64,
    writing: AtomicBool,
    /// How far the other process was ahead at most.
    ahead: AtomicU64,
}

impl Progress for Flow {
    fn stage(&self, name: &str, _total: u64) {
        self.writing.store(name == "writing", Ordering::SeqCst);
    }
    fn advance(&self, units: u64) {
        if self.writing.load(Ordering::SeqCst) {
            let sent = self.sent.fetch_add(units, Ordering::SeqCst) + units;
            let ahead = sent.saturating_sub(self.taken.load(Ordering::SeqCst));
            self.ahead.fetch_max(ahead, Ordering::SeqCst);
        }
    }
}

/// Positions by value.
fn counts(totals: &ScoreTotals) -> Counts {
    let mut counts = Counts::default();
    totals.counts.iter().for_each(|(score, &count)| counts.add(score.stored(), count.into()));
    counts
}

/// Takes its time, and looks at what it gets.
struct Slow<'a> {
    flow: &'a Flow,
    totals: Option<ScoreTotals>,
    all: Vec<u8>,
}

impl ScoreSink for Slow<'_> {
    fn begin(&mut self, totals: &ScoreTotals) -> Result<(), SinkError> {
        assert!(self.totals.replace(totals.clone()).is_none(), "it begins once");
        Ok(())
    }
    fn take(&mut self, scores: &Scores) -> Result<(), SinkError> {
        let Scores::Narrow(scores) = scores else { unreachable!() };
        assert!(scores.len() as u64 <= WINDOW);
        self.all.extend_from_slice(scores);
        std::thread::sleep(Duration::from_millis(5));
        self.flow.taken.fetch_add(scores.len() as u64, Ordering::SeqCst);
        Ok(())
    }
}

#[test]
fn scores_arrive_in_order_and_no_faster_than_they_are_consumed() {
    let (game, flow) = (game(), Flow::default());
    let mut sinks = [(); 2].map(|()| Slow { flow: &flow, totals: None, all: Vec::new() });
    let ended = run(&[1, 1], &mut sinks, |session, sink| {
        // Memory for the part of process 0, and none for the rest of the game.
        let memory = game.index_count() as u64 / 2 + (1 << 12);
        let mut job = SharedJob::new(memory * GRADED_BYTES, &Silent);
        if session.process() == 1 {
            job.progress = &flow;
        }
        (job.window, job.divided) = (Some(WINDOW), true);
        graded(&game, session, &mut job, sink)
    });
    assert!(ended.iter().all(Result::is_ok), "{ended:?}");
    let solved = retrograde_solve::graded::solve(
        &game,
        &mut retrograde_solve::testing::job(2, &Silent, &mut NoCheckpoint),
    )
    .unwrap();
    let Scores::Narrow(solved) = solved else { unreachable!() };
    let [first, other] = sinks;
    assert!(first.all == solved);
    assert!(other.all.is_empty() && other.totals.is_none());
    let totals = first.totals.unwrap();
    assert_eq!((totals.indices, totals.score_bytes), (solved.len() as u64, 1));
    assert_eq!((counts(&totals), totals.undecided_before), (Counts::of_scores(&solved), false));
    assert!(solved.len() as u64 > 5 * WINDOW);
    let ahead = flow.ahead.load(Ordering::SeqCst);
    assert!((1..=WINDOW).contains(&ahead), "{ahead} indices ahead");
}

#[test]
fn prelude_positions_are_counted_separately() {
    for seed in 0..40 {
        let game = Graph::random(seed, false, seed % 2 == 1);
        for horizon in [None, Some(Turns(1))] {
            let mut sinks = [(); 3].map(|()| Kept::default());
            let ended = run(&[1, 1, 1], &mut sinks, |session, sink| {
                let mut job = job();
                (job.horizon, job.window, job.block_bits) = (horizon, Some(3), Some(1));
                retrograde(&game, Capabilities::default(), session, &mut job, sink)
            });
            assert!(ended.iter().all(Result::is_ok));
            let [Kept { totals, gathered }, ..] = sinks;
            let (totals, scores) = (totals.unwrap(), gathered.scores().unwrap());
            let Scores::Narrow(scores) = scores else { unreachable!() };
            let (main, before) = scores.split_at(scores.len() - game.prelude() as usize);
            assert_eq!(counts(&totals), Counts::of_scores(main));
            let undecided = Counts::of_scores(before).unknown.0 > 0;
            assert_eq!(totals.undecided_before, undecided, "seed {seed}");
        }
    }
}

#[derive(Default)]
struct Kept {
    totals: Option<ScoreTotals>,
    gathered: CollectedScores,
}

impl ScoreSink for Kept {
    fn begin(&mut self, totals: &ScoreTotals) -> Result<(), SinkError> {
        self.totals = Some(totals.clone());
        self.gathered.begin(totals)
    }
    fn take(&mut self, scores: &Scores) -> Result<(), SinkError> {
        self.gathered.take(scores)
    }
}

/// Takes some windows and no more.
struct Full(u32);

impl ScoreSink for Full {
    fn begin(&mut self, _totals: &ScoreTotals) -> Result<(), SinkError> {
        if self.0 == 0 { Err("no room for a table".into()) } else { Ok(()) }
    }
    fn take(&mut self, _scores: &Scores) -> Result<(), SinkError> {
        self.0 -= 1;
        if self.0 == 0 { Err("no room for a table".into()) } else { Ok(()) }
    }
}

#[test]
fn a_failing_sink_stops_all_processes() {
    let game = game();
    for windows in [0, 1, 3] {
        let mut sinks = [Full(windows), Full(99), Full(99)];
        let ended = run(&[1, 1, 1], &mut sinks, |session, sink| {
            let mut job = job();
            job.window = Some(WINDOW);
            graded(&game, session, &mut job, sink)
        });
        let ended: Vec<String> = ended.into_iter().map(|ended| ended.unwrap_err().to_string()).collect();
        assert_eq!(ended[0], "no room for a table");
        assert!(ended.iter().all(|ended| ended.starts_with("no room for a table")), "{ended:?}");
        assert!(sinks[1..].iter().all(|sink| sink.0 == 99));
    }
}

#[test]
fn a_process_stopped_while_receiving_scores_stops_all() {
    struct Stopped<'a>(&'a AtomicBool);
    impl Progress for Stopped<'_> {
        fn stage(&self, name: &str, _total: u64) {
            self.0.store(name == "writing", Ordering::SeqCst);
        }
        fn advance(&self, _units: u64) {}
        fn stopped(&self) -> bool {
            self.0.load(Ordering::SeqCst)
        }
    }
    let (game, stopped) = (game(), AtomicBool::new(false));
    let mut sinks = [(); 2].map(|()| CollectedScores::default());
    let ended = run(&[1, 1], &mut sinks, |session, sink| {
        let progress = Stopped(&stopped);
        let mut job = SharedJob::new(1 << 30, if session.process() == 1 { &progress } else { &Silent });
        job.window = Some(WINDOW);
        graded(&game, session, &mut job, sink)
    });
    // One of them may detect the end of the other before the round ends.
    let stopped = SolveError::Stopped.to_string();
    let ended: Vec<String> = ended.into_iter().map(|ended| ended.unwrap_err().to_string()).collect();
    assert!(ended.iter().all(|ended| ended.starts_with(&stopped)), "{ended:?}");
}
