//! Clusters within a test: every process is a thread, with sockets between them as between processes.

#![allow(dead_code, reason = "every test takes what it needs")]

#[path = "../../../retrograde-solve/tests/common/mod.rs"]
pub mod games;

use retrograde_cluster::{ClusterError, Gathered, Job, Seat, Session, Sink};
use retrograde_game::{Index, Stored};
use retrograde_solve::{Scores, Silent};

/// Solves on as many processes as there are numbers of threads; what process 0 gets.
pub fn together(
    threads: &[u32],
    solve: impl Fn(&mut Session, &mut dyn Sink) -> Result<(), ClusterError> + Sync,
) -> Result<Scores, ClusterError> {
    let seats = Seat::local(threads).unwrap();
    let solve = &solve;
    let results: Vec<_> = std::thread::scope(|scope| {
        let running: Vec<_> = seats
            .into_iter()
            .map(|seat| {
                scope.spawn(move || {
                    let mut session = seat.sit()?;
                    let mut gathered = Gathered::default();
                    match solve(&mut session, &mut gathered) {
                        Ok(()) => session.finish().map(|()| gathered.scores()),
                        Err(error) => {
                            session.fail(&error.to_string());
                            Err(error)
                        }
                    }
                })
            })
            .collect();
        running.into_iter().map(|running| running.join().unwrap()).collect()
    });
    let mut scores = None;
    // Whoever fails first knows why.
    let (mine, theirs): (Vec<_>, Vec<_>) = results
        .into_iter()
        .enumerate()
        .partition(|(_, result)| !matches!(result, Err(ClusterError::Peer(_))));
    for (process, result) in mine.into_iter().chain(theirs) {
        match result? {
            Some(found) if process == 0 => scores = Some(found),
            found => assert_eq!(found.is_some(), process == 0),
        }
    }
    Ok(scores.unwrap())
}

/// A job without limits.
pub fn job() -> Job<'static> {
    Job::new(1 << 30, &Silent)
}

/// What is known at every index.
pub fn all(scores: &Scores) -> Vec<Stored> {
    (0..scores.len() as u64).map(|index| scores.stored(Index(index))).collect()
}
