//! Runs every target on valid inputs and on its committed corpus, which contains inputs that once
//! did harm. Each input is also truncated, and run with a changed byte, so that the test covers
//! more than the files.

mod counting;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use counting::LARGEST;
use retrograde_fuzz::{TARGETS, Target};
use retrograde_testkit::some_of;

/// Inputs are at most a few kilobytes long, so a single allocation must not be larger.
const MAX_MEMORY: usize = 256 << 20;

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus")
}

/// Runs a target on an input. Panics with the name of the file if that takes too much time or
/// memory. Memory is watched for the whole process, so another input at the same time may be the
/// cause.
fn run(target: &Target, file: &Path, input: &[u8]) {
    let started = Instant::now();
    let ended = std::panic::catch_unwind(|| (target.run)(input));
    let (largest, took) = (LARGEST.load(Ordering::Relaxed), started.elapsed());
    assert!(ended.is_ok(), "{}: panicked on {:?}", file.display(), String::from_utf8_lossy(input));
    assert!(largest <= MAX_MEMORY, "{}: allocated {largest} bytes at once", file.display());
    assert!(took < Duration::from_secs(60), "{}: took {took:?}", file.display());
}

/// The inputs of a target: outputs of the current programs, and the files in the corpus.
fn inputs(target: &Target) -> Vec<(PathBuf, Vec<u8>)> {
    let made = (target.seeds)().into_iter().enumerate();
    let mut inputs: Vec<_> =
        made.map(|(number, seed)| (PathBuf::from(format!("{} seed {number}", target.name)), seed)).collect();
    assert!(!inputs.is_empty(), "{} has no seeds", target.name);
    for entry in std::fs::read_dir(corpus().join(target.name)).into_iter().flatten() {
        let path = entry.unwrap().path();
        let input = std::fs::read(&path).unwrap();
        inputs.push((path, input));
    }
    inputs
}

/// Runs a target on all its inputs. Returns their number.
fn run_all(target: &Target) -> usize {
    let inputs = inputs(target);
    inputs.iter().for_each(|(file, input)| run(target, file, input));
    let parts = inputs.iter().flat_map(|input| (1..8).map(move |part| (input, part)));
    for ((file, input), part) in some_of(3, parts) {
        run(target, file, &input[..input.len() * part / 8]);
        let mut changed = input.clone();
        if let Some(byte) = changed.get_mut(input.len() * part / 8) {
            *byte ^= 1 << part;
        }
        run(target, file, &changed);
    }
    inputs.len()
}

#[test]
fn corpus_inputs_cause_no_failures() {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let work = || {
        let targets = std::iter::from_fn(|| TARGETS.get(next.fetch_add(1, Ordering::Relaxed)));
        targets.map(run_all).sum::<usize>()
    };
    let count: usize = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().map(|worker| worker.join().expect("no input does harm")).sum()
    });
    assert!(count >= 60, "only {count} inputs");
}

#[test]
fn every_folder_of_the_corpus_has_a_target() {
    for entry in std::fs::read_dir(corpus()).into_iter().flatten() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(retrograde_fuzz::target(&name).is_some(), "there is no target {name}");
        let program = corpus().join(format!("../fuzz_targets/{name}.rs"));
        assert!(program.is_file(), "{name} has no program");
    }
    let programs = std::fs::read_dir(corpus().join("../fuzz_targets")).unwrap().count();
    assert_eq!(programs, TARGETS.len());
}
