//! Games with wrong numberings: they are refused before a solve, and found by verifying a table.

use std::ops::Range;

use crate::common::options;
use retrograde_explore::{Entry, Error, Resources};
use retrograde_game::{
    Dense, Game, Graded, Index, Layered, Mark, Outcome, Picture, Score, Seat, Show, TextError, Turns, Value,
};
use retrograde_solve::{Silent, SolveError};
use retrograde_table::{CellWidth, Counts, Manifest, TableKind, TableWriter};
use retrograde_testkit::tempdir;

/// A heap of sticks. A turn takes one or two; the player who takes the last one wins.
#[derive(Clone, Copy)]
struct Heap {
    sticks: u64,
    indices: u64,
    index: fn(u64) -> Option<u64>,
    position: fn(u64) -> Option<u64>,
    /// The index in a layer.
    layer: fn(&Heap, usize) -> u64,
}

const RIGHT: Heap = Heap {
    sticks: 10,
    indices: 11,
    index: Some,
    position: |index| (index <= 10).then_some(index),
    layer: |_, layer| layer as u64,
};

impl Game for Heap {
    type Position = u64;
    type Turn = u64;
    const RULES_VERSION: u32 = 1;

    fn name(&self) -> String {
        "heap".to_owned()
    }
    fn position_count(&self) -> u128 {
        self.count_positions()
    }
    fn start(&self) -> u64 {
        self.sticks
    }
    fn result(&self, _: &u64) -> Option<Outcome> {
        None
    }
    fn turns(&self, &sticks: &u64) -> Vec<(u64, u64)> {
        (1..=2.min(sticks)).map(|take| (take, sticks - take)).collect()
    }
    fn parse_position(&self, text: &str) -> Result<u64, TextError> {
        text.parse().map_err(|_| TextError::unexpected("position", text, 0, "a number"))
    }
    fn position_text(&self, sticks: &u64) -> String {
        format!("{sticks} sticks")
    }
    fn turn_text(&self, _: &u64, take: &u64) -> String {
        take.to_string()
    }
}

impl Dense for Heap {
    const INDEX_VERSION: u32 = 1;
    fn index_count(&self) -> u128 {
        self.indices.into()
    }
    fn index(&self, &sticks: &u64) -> Option<Index> {
        (self.index)(sticks).map(Index)
    }
    fn position(&self, index: Index) -> Option<u64> {
        (self.position)(index.0)
    }
}

impl Graded for Heap {
    fn grade(&self, &sticks: &u64) -> u64 {
        sticks
    }
}

impl Layered for Heap {
    fn layer_count(&self) -> usize {
        self.indices as usize
    }
    fn layer(&self, layer: usize) -> Vec<Range<Index>> {
        let index = (self.layer)(self, layer);
        vec![Index(index)..Index(index + 1)]
    }
}

impl Show for Heap {
    fn picture(&self, _: &u64, seat: Seat) -> Picture {
        Picture::grid(1, 1, seat)
    }
    fn marks(&self, _: &u64, _: &u64, _: Seat) -> Vec<Mark> {
        Vec::new()
    }
}

/// The errors of solving into a table and of solving in memory, and the advice of `plan`.
fn refusals(entry: fn(Entry<Heap>) -> Entry<Heap>, heap: Heap) -> Vec<String> {
    let new = || entry(Entry::new(heap, "")).build();
    let tables = tempdir().unwrap();
    let broken = |error: Error| {
        assert!(matches!(error, Error::Solve(SolveError::BrokenPromise(_))), "{error}");
        error.to_string()
    };
    let plan = new().plan(&options());
    assert!(!plan.fits, "{}", plan.advice);
    let in_memory = new().solve_in_memory(&options(), &Silent).err().unwrap();
    vec![broken(new().solve(tables.path(), &options(), &Silent).unwrap_err()), broken(in_memory), plan.advice]
}

#[test]
fn a_broken_numbering_is_rejected_before_the_solve() {
    let tables = tempdir().unwrap();
    let layered = |entry: Entry<Heap>| entry.layered();
    let backwards = |entry: Entry<Heap>| entry.retrograde();
    for entry in [layered, backwards] {
        entry(Entry::new(RIGHT, "")).build().solve(tables.path(), &options(), &Silent).unwrap();
    }
    let halves = Heap {
        indices: 6,
        index: |n| Some((10 - n) / 2),
        position: |i| (i <= 5).then(|| 10 - 2 * i),
        ..RIGHT
    };
    for (heap, words) in [
        (halves, ["9 sticks has index 0", "`Dense::position` gives 10 sticks"]),
        (
            Heap { position: |i| (i <= 10).then_some(10 - i), ..RIGHT },
            ["10 sticks has index 10", "gives 0 sticks"],
        ),
        (
            Heap { index: |n| (n < 10).then_some(n), ..RIGHT },
            ["gives 10 sticks for index 10", "`Dense::index` gives none"],
        ),
        (Heap { index: |n| (n != 3).then_some(n), ..RIGHT }, ["3 sticks follows", "`Dense::index`"]),
        (Heap { indices: 8, ..RIGHT }, ["10 sticks has index 10", "`Dense::index_count` is 8"]),
        (Heap { position: |i| (i < 7).then_some(i), ..RIGHT }, ["10 sticks has index 10", "gives nothing"]),
    ] {
        for message in [refusals(layered, heap), refusals(backwards, heap)].concat() {
            assert!(words.iter().all(|word| message.contains(word)), "{words:?}: {message}");
        }
    }
    for (layer, words) in [
        (
            (|heap, layer| heap.indices - 1 - layer as u64) as fn(&Heap, usize) -> u64,
            ["1 sticks (index 1, layer 9)", "`Layered::layer`"],
        ),
        (|_, layer| if layer == 4 { 5 } else { layer as u64 }, ["index 4 is in no layer", "heap"]),
    ] {
        for message in refusals(layered, Heap { layer, ..RIGHT }) {
            assert!(words.iter().all(|word| message.contains(word)), "{words:?}: {message}");
        }
    }
}

#[test]
fn a_game_without_a_solver_gets_an_error_that_says_how_to_name_one() {
    let tables = tempdir().unwrap();
    for entry in [Entry::new(RIGHT, ""), Entry::new(RIGHT, "").dense()].map(Entry::build) {
        let message = entry.solve(tables.path(), &options(), &Silent).unwrap_err().to_string();
        assert!(message.contains("`Entry::retrograde`"), "{message}");
    }
}

/// The sample misses the only position without an index; the solve finds it.
#[test]
fn the_solve_reports_errors_that_the_sample_misses() {
    let heap = Heap {
        sticks: 5000,
        indices: 5001,
        index: |n| (n != 2345).then_some(n),
        position: |i| (i <= 5000 && i != 2345).then_some(i),
        ..RIGHT
    };
    let tables = tempdir().unwrap();
    for entry in [Entry::new(heap, "").layered(), Entry::new(heap, "").retrograde()].map(Entry::build) {
        let error = entry.solve(tables.path(), &options(), &Silent).unwrap_err();
        let message = error.to_string();
        assert!(
            message.contains("2345 sticks follows 234") && message.contains("`Dense::index`"),
            "{message}"
        );
    }
    // The layers of two positions are swapped.
    let swapped = |_: &Heap, layer: usize| match layer {
        2343 => 2344,
        2344 => 2343,
        layer => layer as u64,
    };
    let heap = Heap { index: Some, position: |i| (i <= 5000).then_some(i), layer: swapped, ..heap };
    let solved = Entry::new(heap, "").layered().build().solve(tables.path(), &options(), &Silent);
    let explore = Entry::new(heap, "").layered().build();
    match solved {
        Err(error) => assert!(error.to_string().contains("`Layered::layer`"), "{error}"),
        // The solve did not notice, but verifying the values does.
        Ok(_) => {
            let explore = explore.explore(tables.path()).unwrap();
            assert!(!explore.verify(None, &Resources::new(2, None, &Silent)).unwrap().proved);
        }
    }
}

/// A table of such a game with consistent values.
#[test]
fn a_check_finds_shared_indices() {
    let halves = Heap {
        indices: 6,
        index: |n| Some((10 - n) / 2),
        position: |i| (i <= 5).then(|| 10 - 2 * i),
        ..RIGHT
    };
    let tables = tempdir().unwrap();
    let scores = [Value::Draw, Value::Draw, Value::Draw, Value::Draw, Value::Draw, Value::Loss(Turns(0))];
    let scores = scores.map(|value| u8::from_value(value).unwrap());
    let manifest = Manifest::new(halves.name(), 1, 1, TableKind::Full, CellWidth::Byte, 6);
    let mut writer = TableWriter::create(tables.path(), manifest).unwrap();
    writer.write_scores(&scores).unwrap();
    writer.set_counts(Counts::of_scores(&scores));
    writer.finish().unwrap();
    let entry = Entry::new(halves, "").retrograde().build();
    let checked =
        entry.explore(tables.path()).unwrap().verify(None, &Resources::new(2, None, &Silent)).unwrap();
    assert!(!checked.proved, "{checked:?}");
    assert!(
        checked.errors.iter().any(|error| error.contains("9 sticks has index 0")),
        "{:?}",
        checked.errors
    );
}
