//! Real processes of a cluster: the test program is started again with only the test `child`, which reads its
//! instructions from the environment.

use std::io::Read;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use retrograde_cluster::{ClusterCheckpoint, ClusterError, Hosts, JoinOptions, Key, Member};
use retrograde_game::{Game, GameSpec};
use retrograde_solve::reachable::{ByPack, Orbits, Reachable, solve};
use retrograde_solve::together::{
    CollectedReachable, CollectedScores, ReachableSink, ReachableTotals, ScoreSink, ScoreTotals, SharedJob,
    SinkError, graded, reachable,
};
use retrograde_solve::{NoCheckpoint, Progress, Scores, Silent};
use retrograde_table::CheckpointPace;
use retrograde_touchdown::TouchDown;

/// A process that is silent for this long has failed.
pub const TIMEOUT: Duration = Duration::from_secs(3);
/// Additional time to wait on a busy machine.
pub const MAX_WAIT: Duration = Duration::from_secs(300);

pub fn game() -> TouchDown {
    TouchDown::from_spec(GameSpec::parse("touchdown:4x4").unwrap()).unwrap()
}

/// Slows the solve down.
struct Slow(Duration);

impl Progress for Slow {
    fn stage(&self, _name: &str, _total: u64) {}
    fn advance(&self, _units: u64) {
        std::thread::sleep(self.0);
    }
}

/// Keeps the scores, slowly. A file reports that it has begun.
struct SlowSink {
    begun: PathBuf,
    pause: Duration,
    gathered: CollectedScores,
}

impl ScoreSink for SlowSink {
    fn begin(&mut self, totals: &ScoreTotals) -> Result<(), SinkError> {
        std::fs::write(&self.begun, "")?;
        self.gathered.begin(totals)
    }
    fn take(&mut self, scores: &Scores) -> Result<(), SinkError> {
        std::thread::sleep(self.pause);
        self.gathered.take(scores)
    }
}

/// Keeps the positions, slowly.
struct SlowReachableSink {
    begun: PathBuf,
    pause: Duration,
    gathered: CollectedReachable,
}

impl ReachableSink for SlowReachableSink {
    fn take(
        &mut self,
        totals: &ReachableTotals,
        positions: &mut dyn Iterator<Item = std::io::Result<(u64, u16)>>,
    ) -> Result<(), SinkError> {
        std::fs::write(&self.begun, "")?;
        let slowly = |(number, position)| {
            if number % 512 == 0 {
                std::thread::sleep(self.pause);
            }
            position
        };
        self.gathered.take(totals, &mut (0_u64..).zip(positions).map(slowly))
    }
}

/// If a folder contains this file, its processes solve reachable positions.
const REACHABLE: &str = "reachable";
/// If a folder contains this file, each of its processes holds only its own scores.
const DIVIDED: &str = "divided";

/// Positions and scores as bytes.
fn bytes_of(positions: &[(u64, u16)]) -> Vec<u8> {
    let bytes = |(number, score): &(u64, u16)| [&number.to_le_bytes()[..], &score.to_le_bytes()].concat();
    positions.iter().flat_map(bytes).collect()
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap()
}

/// A process of a cluster, if it is started as one.
#[test]
fn child() {
    if std::env::var_os("CLUSTER_PROCESS").is_none() {
        return;
    }
    let folder = PathBuf::from(variable("CLUSTER_FOLDER"));
    let solve = || {
        let hosts = Hosts::read(&folder.join("hosts"))?;
        let key = Key::read(&folder.join("key"))?;
        let process = variable("CLUSTER_PROCESS").parse().unwrap();
        let mut join = JoinOptions::new(hosts, process, key, variable("CLUSTER_THREADS").parse().unwrap());
        // If others reach this process by another address, it listens at its own.
        join.listen = std::fs::read_to_string(folder.join(format!("listen-{process}"))).ok();
        (join.wait, join.timeout) = (MAX_WAIT, TIMEOUT);
        let game = game();
        let mut session = Member::join(&join, &game.name())?.start();
        let pause = Duration::from_millis(variable("CLUSTER_SLOW").parse().unwrap());
        let slow = Slow(pause);
        let mut checkpoint = ClusterCheckpoint::new(&folder, game.name())
            .pace(CheckpointPace { factor: 0, least: Duration::ZERO });
        let mut job = SharedJob::new(1 << 30, &slow);
        job.batch = Some(1 << 15);
        job.checkpoint = Some(&mut checkpoint);
        // A few dozen windows.
        job.window = Some(1 << 16);
        job.divided = folder.join(DIVIDED).exists();
        let begun = folder.join("writing");
        let pause = pause * 100;
        let solved = if folder.join(REACHABLE).exists() {
            // Fewer positions occur than exist.
            job.window = Some(1 << 11);
            let mut sink = SlowReachableSink { begun, pause, gathered: CollectedReachable::default() };
            let coded = Reachable::graded(&game, Orbits(ByPack), &game.start());
            let solved = reachable(&coded, &mut session, &mut job, &mut sink);
            let first = sink.gathered.counts.is_some();
            solved.map(|()| first.then(|| bytes_of(&sink.gathered.positions)))
        } else {
            let mut sink = SlowSink { begun, pause, gathered: CollectedScores::default() };
            let solved = graded(&game, &mut session, &mut job, &mut sink);
            solved.map(|()| match sink.gathered.scores() {
                Some(Scores::Narrow(scores)) => Some(scores),
                _ => None,
            })
        };
        match solved.map_err(ClusterError::from) {
            Ok(scores) => {
                if let Some(scores) = scores {
                    std::fs::write(folder.join("scores"), scores).unwrap();
                }
                eprintln!("sent {} bytes, saved {} times", session.traffic().0, checkpoint.saved());
                session.finish()
            }
            Err(error) => {
                session.fail(&error.to_string());
                Err(error)
            }
        }
    };
    let code = match solve() {
        Ok(()) => 0,
        Err(error) => {
            eprintln!("error: {error}");
            1
        }
    };
    std::process::exit(code);
}

/// A folder with a host file and a key.
pub fn folder(addresses: &[String]) -> retrograde_testkit::TempDir {
    let folder = retrograde_testkit::tempdir().unwrap();
    std::fs::write(folder.path().join("hosts"), addresses.join("\n")).unwrap();
    std::fs::write(folder.path().join("key"), Key::random_text().unwrap()).unwrap();
    folder
}

pub fn free(count: usize) -> Vec<String> {
    let sockets: Vec<TcpListener> = (0..count).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    sockets.iter().map(|socket| socket.local_addr().unwrap().to_string()).collect()
}

pub fn spawn(folder: &Path, process: usize, threads: u32, slow: u64, within: &[&str]) -> Child {
    let program = std::env::current_exe().unwrap();
    let mut words: Vec<&std::ffi::OsStr> = within.iter().map(std::ffi::OsStr::new).collect();
    words.push(program.as_os_str());
    Command::new(words[0])
        .args(&words[1..])
        .args(["--exact", "common::children::child", "--nocapture", "--quiet"])
        .env("CLUSTER_PROCESS", process.to_string())
        .env("CLUSTER_FOLDER", folder)
        .env("CLUSTER_THREADS", threads.to_string())
        .env("CLUSTER_SLOW", slow.to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

pub fn start(folder: &Path, threads: &[u32], slow: u64) -> Vec<Child> {
    (0..).zip(threads).map(|(process, &threads)| spawn(folder, process, threads, slow, &[])).collect()
}

/// Returns whether it ended successfully within a time limit, and its output. A process that does not end is
/// killed.
pub fn end(mut child: Child, within: Duration) -> (Option<bool>, String) {
    let began = Instant::now();
    let ended = loop {
        match child.try_wait().unwrap() {
            Some(status) => break Some(status.success()),
            None if began.elapsed() > within => {
                child.kill().unwrap();
                break None;
            }
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    let mut output = String::new();
    let _ = child.stderr.take().unwrap().read_to_string(&mut output);
    let _ = child.wait();
    (ended, output)
}

pub fn signal(child: &Child, signal: &str) {
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
}

pub fn alone() -> Vec<u8> {
    let mut no_checkpoint = NoCheckpoint;
    let mut job = retrograde_solve::Job {
        threads: 2,
        memory: 1 << 30,
        horizon: None,
        progress: &Silent,
        checkpoint: &mut no_checkpoint,
    };
    match retrograde_solve::graded::solve(&game(), &mut job).unwrap() {
        Scores::Narrow(scores) => scores,
        Scores::Wide(_) => unreachable!(),
    }
}

/// The reachable positions, as a single machine finds them.
pub fn reachable_alone() -> Vec<u8> {
    let game = game();
    let mut nothing = NoCheckpoint;
    let job = retrograde_solve::testing::job(2, &Silent, &mut nothing);
    let solved = solve(&Reachable::graded(&game, ByPack, &game.start()), &job).unwrap();
    bytes_of(&solved.iter().unwrap().collect::<Result<Vec<_>, _>>().unwrap())
}

/// Makes the processes of a folder solve reachable positions.
pub fn solve_what_occurs(folder: &Path) {
    std::fs::write(folder.join(REACHABLE), "").unwrap();
}

/// Makes each process of a folder hold only its own scores, or all.
pub fn divide_scores(folder: &Path, divided: bool) {
    let file = folder.join(DIVIDED);
    match divided {
        true => std::fs::write(file, "").unwrap(),
        false => drop(std::fs::remove_file(file)),
    }
}

pub fn all_end_well(children: Vec<Child>, folder: &Path) {
    for child in children {
        let (ended, output) = end(child, MAX_WAIT);
        assert_eq!(ended, Some(true), "{output}");
    }
    let expected = if folder.join(REACHABLE).exists() { reachable_alone() } else { alone() };
    assert!(std::fs::read(folder.join("scores")).unwrap() == expected);
}

pub fn wait_for(path: &Path) {
    let began = Instant::now();
    while !path.exists() {
        assert!(began.elapsed() < MAX_WAIT, "{} does not come", path.display());
        std::thread::sleep(Duration::from_millis(10));
    }
}
