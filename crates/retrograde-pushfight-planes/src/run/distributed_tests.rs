//! Several processes, here threads, write the same solution as one process.

use std::sync::mpsc::{Receiver, Sender, channel};

use retrograde_solve::{Piece, Progress, Silent, Tally};

use super::*;
use crate::testing::{self, Fuse, game};

const KEEP_ALL: Retention = Retention { logs: true, wins: true };

type Sent = (Vec<Piece>, Tally);

/// Processes that are threads.
struct Threads {
    me: usize,
    threads: Vec<u32>,
    to: Vec<Sender<Sent>>,
    from: Vec<Receiver<Sent>>,
}

impl Exchange for Threads {
    fn process(&self) -> usize {
        self.me
    }

    fn threads(&self) -> &[u32] {
        &self.threads
    }

    fn round(&mut self, send: Vec<Piece>, tally: Tally) -> Result<(Vec<Piece>, Tally), SolveError> {
        let gone = || io::Error::other("a process is gone");
        let mut letters: Vec<Vec<Piece>> = self.threads.iter().map(|_| Vec::new()).collect();
        for piece in send {
            letters[piece.process].push(Piece { process: self.me, ..piece });
        }
        for (to, letters) in self.to.iter().zip(letters) {
            to.send((letters, tally)).map_err(|_| gone())?;
        }
        let (mut pieces, mut all) = (Vec::new(), Tally::default());
        for from in &self.from {
            let (letters, tally) = from.recv().map_err(|_| gone())?;
            pieces.extend(letters);
            all = all.and(tally);
        }
        Ok((pieces, all))
    }
}

fn transport(threads: &[u32]) -> Vec<Threads> {
    let count = threads.len();
    let mut all: Vec<Threads> = (0..count)
        .map(|me| Threads { me, threads: threads.to_vec(), to: Vec::new(), from: Vec::new() })
        .collect();
    for to in 0..count {
        for from in 0..count {
            let (sender, receiver) = channel();
            all[from].to.push(sender);
            all[to].from.push(receiver);
        }
    }
    all
}

fn config(progress: &dyn Progress, threads: u32) -> SolveConfig<'_> {
    SolveConfig { threads: threads as usize, ..testing::config(progress) }
}

fn losses(directory: &Path) -> Vec<u8> {
    testing::bytes(directory, crate::files::depth::kind::DepthFileKind::Losses)
}

/// Solves with the given number of threads in each process; process 0 reports progress.
fn solved(
    game: &PushFight,
    directory: &Path,
    threads: &[u32],
    progress: &(dyn Progress + Sync),
) -> Vec<Result<Option<SolutionInfo>, SolveError>> {
    std::thread::scope(|scope| {
        let running: Vec<_> = transport(threads)
            .into_iter()
            .map(|mut transport| {
                scope.spawn(move || {
                    let me = transport.me;
                    // Only process 0 may touch the directory.
                    let nowhere = Path::new("/nowhere/at/all");
                    let directory = if me == 0 { directory } else { nowhere };
                    let config = config(if me == 0 { progress } else { &Silent }, transport.threads[me]);
                    solve_distributed(game, directory, &config, KEEP_ALL, &mut transport)
                })
            })
            .collect();
        running.into_iter().map(|running| running.join().unwrap()).collect()
    })
}

#[test]
fn any_number_of_processes_writes_the_same_solution() {
    for name in [
        "pushfight:mini,pushers=2,pawns=1",
        "pushfight:mini,pushers=1,pawns=2,moves=1",
        "pushfight:x.board,pushers=1,pawns=3",
        "pushfight:x.board,pushers=2,pawns=1,moves=unlimited",
    ] {
        let game = game(name);
        let alone = retrograde_testkit::tempdir().unwrap();
        let expected = solve_into(&game, alone.path(), &config(&Silent, 2), KEEP_ALL).unwrap();
        for threads in [&[1][..], &[2, 1], &[1, 1, 3], &[1, 2, 1, 1]] {
            let directory = retrograde_testkit::tempdir().unwrap();
            let results = solved(&game, directory.path(), threads, &Silent);
            for (process, info) in results.into_iter().enumerate() {
                let info = info.unwrap();
                assert_eq!(info.is_some(), process == 0);
                let Some(info) = info else { continue };
                assert_eq!((info.start, info.shape), (expected.start, expected.shape));
                let counts = |info: &SolutionInfo| -> Vec<[u64; 4]> {
                    let all = info.phases.iter().chain(&info.draws);
                    all.map(|phase| [phase.turns.into(), phase.count, phase.all, phase.starts]).collect()
                };
                assert_eq!(counts(&info), counts(&expected), "{name} {threads:?}");
            }
            assert!(losses(directory.path()) == losses(alone.path()), "{name} {threads:?}");
        }
    }
}

#[test]
fn an_interrupted_solve_resumes_with_other_processes() {
    let game = game("pushfight:mini,pushers=2,pawns=1");
    let alone = retrograde_testkit::tempdir().unwrap();
    solve_into(&game, alone.path(), &config(&Silent, 2), KEEP_ALL).unwrap();
    let directory = retrograde_testkit::tempdir().unwrap();
    let mut runs = 0_u64;
    loop {
        let threads = [&[1, 1][..], &[1], &[2, 1, 1]][runs as usize % 3];
        let fuse = Fuse::new(80 + 60 * runs);
        let results = solved(&game, directory.path(), threads, &fuse);
        if results.iter().all(Result::is_ok) {
            break;
        }
        // Every process fails, itself or because another one does.
        assert!(results.iter().all(Result::is_err) || runs > 3, "{results:?}");
        runs += 1;
        if runs == 3 {
            // A single process continues from there too, also in parts.
            let fuse = Fuse::new(400);
            let config = SolveConfig { parts: 2, ..config(&fuse, 2) };
            let _ = solve_into(&game, directory.path(), &config, KEEP_ALL);
        }
    }
    assert!(runs > 3);
    assert!(losses(directory.path()) == losses(alone.path()));
}

#[test]
fn too_little_memory_is_an_error_at_once() {
    let game = game("pushfight:mini,pushers=2,pawns=1");
    let directory = retrograde_testkit::tempdir().unwrap();
    let mut alone = transport(&[1]);
    let config = SolveConfig { memory: 1 << 20, ..config(&Silent, 1) };
    let error = solve_distributed(&game, directory.path(), &config, KEEP_ALL, &mut alone[0]);
    assert!(matches!(error, Err(SolveError::Memory { .. })), "{error:?}");
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
}
