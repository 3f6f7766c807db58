//! Every call of the file system fails once while two processes save their state again and again:
//! the solve ends with an error that names the file, and the next one resumes from what exists,
//! or from the beginning, and finds what an undisturbed one finds.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use retrograde_cluster::{ClusterCheckpoint, ClusterError};
use retrograde_game::{Game, GameSpec};
use retrograde_solve::reachable::{ByPack, Orbits, Reachable};
use retrograde_solve::retrograde::Capabilities;
use retrograde_solve::together::{
    CollectedReachable, CollectedScores, SharedJob, graded, reachable, retrograde,
};
use retrograde_solve::{Scores, Silent};
use retrograde_table::testing::{Fault, FaultyStorage};
use retrograde_table::{CheckpointPace, Storage};
use retrograde_testkit::some_of;
use retrograde_touchdown::TouchDown;

use crate::common::run_with;

/// The solvers whose checkpoints are tried.
#[derive(Clone, Copy, Debug)]
enum Way {
    Graded,
    Divided,
    Backwards,
    Reachable,
}

/// The scores that process 0 found, or the errors of all processes that failed by themselves.
fn solve(folder: &Path, storage: &FaultyStorage, way: Way) -> Result<Vec<(u64, u16)>, Vec<String>> {
    let game = TouchDown::from_spec(GameSpec::parse("touchdown:3x3").unwrap()).unwrap();
    let mut sinks = [(); 2].map(|()| (CollectedScores::default(), CollectedReachable::default()));
    let ended = run_with(&[1, 1], &mut sinks, |session, (scores, positions)| {
        let storage: Arc<dyn Storage> = Arc::new(storage.clone());
        let mut checkpoint = ClusterCheckpoint::new(folder, "touchdown:3x3")
            .storage(storage)
            .pace(CheckpointPace { factor: 0, least: Duration::ZERO });
        let mut job = SharedJob::new(1 << 30, &Silent);
        job.checkpoint = Some(&mut checkpoint);
        match way {
            Way::Backwards => retrograde(&game, Capabilities::default(), session, &mut job, scores),
            Way::Graded | Way::Divided => {
                job.divided = matches!(way, Way::Divided);
                graded(&game, session, &mut job, scores)
            }
            Way::Reachable => {
                let coded = Reachable::graded(&game, Orbits(ByPack), &game.start());
                reachable(&coded, session, &mut job, positions)
            }
        }?;
        checkpoint.remove()
    });
    let failed: Vec<String> = ended
        .into_iter()
        .filter_map(|ended| ended.err().filter(|error| !matches!(error, ClusterError::Peer(_))))
        .map(|error| error.to_string())
        .collect();
    if !failed.is_empty() {
        return Err(failed);
    }
    let [(scores, positions), _] = sinks;
    Ok(match scores.scores() {
        Some(Scores::Narrow(scores)) => (0..).zip(scores.into_iter().map(u16::from)).collect(),
        Some(Scores::Wide(_)) => unreachable!("a short game"),
        None => {
            assert!(positions.counts.is_some(), "process 0 has what was found");
            positions.positions
        }
    })
}

/// In short runs, one of this many calls fails.
const SHARE: usize = 61;

/// Lets every call fail in turn; returns the number of faults.
fn every_call(way: Way, fault: fn(u64) -> Fault) -> u64 {
    let undisturbed = retrograde_testkit::tempdir().unwrap();
    let right = solve(undisturbed.path(), &FaultyStorage::new(Fault::Never), way).unwrap();
    let mut faults = 0;
    for number in some_of(SHARE, 0..) {
        let folder = retrograde_testkit::tempdir().unwrap();
        let storage = FaultyStorage::new(fault(number));
        let ended = solve(folder.path(), &storage, way);
        let Some(fired) = storage.fired() else {
            assert!(faults > 0 || storage.calls() < SHARE as u64, "no faults");
            return faults;
        };
        faults += 1;
        match ended {
            Ok(scores) => assert!(scores == right, "{fired}"),
            Err(errors) => {
                let named = errors.iter().any(|error| error.contains(&*folder.path().to_string_lossy()));
                assert!(named, "{fired}: no file is named: {errors:?}");
            }
        }
        let again = solve(folder.path(), &FaultyStorage::new(Fault::Never), way);
        let again = again.unwrap_or_else(|errors| panic!("{fired}: it does not go on: {errors:?}"));
        assert!(again == right, "{fired}");
    }
    faults
}

#[test]
fn checkpoints() {
    for way in [Way::Graded, Way::Divided, Way::Backwards, Way::Reachable] {
        let once = every_call(way, Fault::Once);
        let full = every_call(way, Fault::Full);
        println!("checkpoints, {way:?}: {once} calls failed once, {full} were full");
    }
}
