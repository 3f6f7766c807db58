//! Every call of the file system fails once while two processes save their state again and again:
//! the solve ends with an error that names the file, and the next one goes on from what is there,
//! or from the beginning, and finds what an undisturbed one finds.

mod common;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use common::{job, run};
use retrograde_cluster::{ClusterCheckpoint, ClusterError, CollectedScores, graded, retrograde};
use retrograde_game::GameSpec;
use retrograde_solve::Scores;
use retrograde_table::{CheckpointPace, Storage};
use retrograde_testkit::{Fault, FaultyStorage};
use retrograde_touchdown::TouchDown;

/// What process 0 found, or the errors of all that failed by themselves.
fn solve(folder: &Path, storage: &FaultyStorage, backwards: bool) -> Result<Scores, Vec<String>> {
    let game = TouchDown::from_spec(GameSpec::parse("touchdown:3x3").unwrap()).unwrap();
    let mut sinks = [(); 2].map(|()| CollectedScores::default());
    let ended = run(&[1, 1], &mut sinks, |session, sink| {
        let storage: Arc<dyn Storage> = Arc::new(storage.clone());
        let mut checkpoint = ClusterCheckpoint::new(folder, "touchdown:3x3")
            .storage(storage)
            .pace(CheckpointPace { factor: 0, least: Duration::ZERO });
        let mut job = job();
        job.checkpoint = Some(&mut checkpoint);
        if backwards {
            retrograde(&game, session, &mut job, sink)
        } else {
            graded(&game, session, &mut job, sink)
        }?;
        checkpoint.remove()
    });
    let failed: Vec<String> = ended
        .into_iter()
        .filter_map(|ended| ended.err().filter(|error| !matches!(error, ClusterError::Peer(_))))
        .map(|error| error.to_string())
        .collect();
    if failed.is_empty() {
        return Ok(sinks.into_iter().find_map(CollectedScores::scores).expect("process 0 has the scores"));
    }
    Err(failed)
}

/// Lets every call fail in turn, from the `first` on in steps; returns the number of faults.
fn every_call(backwards: bool, fault: fn(u64) -> Fault, step: usize) -> u64 {
    let undisturbed = tempfile::tempdir().unwrap();
    let right = solve(undisturbed.path(), &FaultyStorage::new(Fault::Never), backwards).unwrap();
    let bytes = |scores: &Scores| match scores {
        Scores::Narrow(scores) => scores.clone(),
        Scores::Wide(_) => unreachable!("a short game"),
    };
    let mut faults = 0;
    for number in (0..).step_by(step) {
        let folder = tempfile::tempdir().unwrap();
        let storage = FaultyStorage::new(fault(number));
        let ended = solve(folder.path(), &storage, backwards);
        let Some(fired) = storage.fired() else {
            assert!(faults > 0, "only {faults} faults in {} calls", storage.calls());
            return faults;
        };
        faults += 1;
        match ended {
            Ok(scores) => assert!(bytes(&scores) == bytes(&right), "{fired}"),
            Err(errors) => {
                let named = errors.iter().any(|error| error.contains(&*folder.path().to_string_lossy()));
                assert!(named, "{fired}: no file is named: {errors:?}");
            }
        }
        let again = solve(folder.path(), &FaultyStorage::new(Fault::Never), backwards);
        let again = again.unwrap_or_else(|errors| panic!("{fired}: it does not go on: {errors:?}"));
        assert!(bytes(&again) == bytes(&right), "{fired}");
    }
    faults
}

/// Whether everything is tried, which takes minutes.
fn thorough() -> bool {
    std::env::var_os("RETROGRADE_FAULTS").is_some_and(|asked| asked == "all")
}

#[test]
fn checkpoints() {
    let step = if thorough() { 1 } else { 61 };
    for backwards in [false, true] {
        let once = every_call(backwards, Fault::Once, step);
        let full = every_call(backwards, Fault::Full, step);
        println!("checkpoints, backwards {backwards}: {once} calls failed once, {full} were full");
    }
}
