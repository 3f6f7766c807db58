//! Clusters within a test: every process is a thread, connected by sockets like real processes.

#[cfg(unix)]
pub mod children;
#[cfg(unix)]
pub mod proxy;

use retrograde_cluster::{ClusterError, Member, Session};
use retrograde_solve::together::{CollectedScores, ScoreSink, SharedJob};
use retrograde_solve::{Scores, Silent, SolveError};

/// Runs a solve with one process per number of threads, each with its own sink. Returns their results.
pub fn run<K: ScoreSink + Send>(
    threads: &[u32],
    sinks: &mut [K],
    solve: impl Fn(&mut Session, &mut dyn ScoreSink) -> Result<(), SolveError> + Sync,
) -> Vec<Result<(), ClusterError>> {
    run_with(threads, sinks, |session, sink| solve(session, sink))
}

/// The same with sinks of any kind.
pub fn run_with<K: Send, E: Into<ClusterError>>(
    threads: &[u32],
    sinks: &mut [K],
    solve: impl Fn(&mut Session, &mut K) -> Result<(), E> + Sync,
) -> Vec<Result<(), ClusterError>> {
    let solve = &solve;
    std::thread::scope(|scope| {
        let running: Vec<_> = Member::local(threads)
            .unwrap()
            .into_iter()
            .zip(sinks)
            .map(|(member, sink)| {
                scope.spawn(move || {
                    let mut session = member.start();
                    match solve(&mut session, sink).map_err(E::into) {
                        Ok(()) => session.finish(),
                        Err(error) => {
                            session.fail(&error.to_string());
                            Err(error)
                        }
                    }
                })
            })
            .collect();
        running.into_iter().map(|running| running.join().unwrap()).collect()
    })
}

/// The error of the process that failed first, which names the cause, if one failed.
pub fn first_error(ended: Vec<Result<(), ClusterError>>) -> Result<(), ClusterError> {
    let (mine, theirs): (Vec<_>, Vec<_>) =
        ended.into_iter().partition(|result| !matches!(result, Err(ClusterError::Peer(_))));
    mine.into_iter().chain(theirs).collect()
}

/// The scores that process 0 gets.
pub fn together(
    threads: &[u32],
    solve: impl Fn(&mut Session, &mut dyn ScoreSink) -> Result<(), SolveError> + Sync,
) -> Result<Scores, ClusterError> {
    let mut sinks: Vec<CollectedScores> = threads.iter().map(|_| CollectedScores::default()).collect();
    first_error(run(threads, &mut sinks, solve))?;
    let mut scores = sinks.into_iter().map(CollectedScores::scores);
    let first = scores.next().flatten().unwrap();
    assert!(scores.all(|others| others.is_none()));
    Ok(first)
}

/// A job without limits.
pub fn job() -> SharedJob<'static> {
    SharedJob::new(1 << 30, &Silent)
}
