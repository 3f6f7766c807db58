//! The choice of a solver for games with given solvers, in given memory, for every combination of options.
//! `solver-choices.txt` lists all choices.

use std::path::Path;
use std::sync::Arc;

use crate::common::{Graph, Strip, options};
use retrograde_explore::{
    AnyGame, ArchiveJob, ArchiveSolver, Entry, Method, ResourceEstimate, SolveOptions, ValueStore,
};
use retrograde_solve::SolveError;
use retrograde_table::{Storage, TableError};

const EXPECTED: &str = include_str!("solver-choices.txt");

/// An archive solver of which only the estimates are used.
struct Estimated {
    squares: u32,
}

impl ArchiveSolver for Estimated {
    fn estimate(&self, memory: u64, _: usize) -> Option<ResourceEstimate> {
        let need = 1 << 29;
        let estimate =
            ResourceEstimate { memory: need, enough: need, disk: 1, wins: 1, work: 1, seconds: 1.0 };
        // On smaller boards any memory is enough; on the largest it cannot run with little.
        (self.squares < 40 || u128::from(memory) >= need).then_some(estimate)
    }

    fn solve(&self, _: &ArchiveJob<'_>) -> Result<(), SolveError> {
        unreachable!("nothing is solved here")
    }

    #[cfg(feature = "cluster")]
    fn estimate_together(&self, _: u32, threads: usize) -> Option<(ResourceEstimate, u128)> {
        self.estimate(u64::MAX, threads).map(|estimate| (estimate, 1))
    }

    fn open(&self, _: &Path, _: &Arc<dyn Storage>) -> Result<Option<Box<dyn ValueStore>>, TableError> {
        Ok(None)
    }
}

type AddSolver = fn(Entry<Strip>) -> Entry<Strip>;

/// The names of solvers, not in the order of preference.
const SOLVERS: [(&str, AddSolver); 5] = [
    ("retrograde", Entry::retrograde),
    ("reachable", Entry::graded_reachable),
    ("archive", |entry| {
        let squares = entry.game().0;
        entry.archive_solver(Box::new(Estimated { squares }))
    }),
    ("layered", Entry::layered),
    ("fill", Strip::fill),
];

/// Squares of the strip, and the memory limit.
const SIZES: [(u32, u64, &str); 5] = [
    (20, 1 << 30, "20 squares in 1 GiB"),
    (20, 1 << 20, "20 squares in 1 MiB"),
    (33, 2 << 30, "33 squares in 2 GiB"),
    (33, 1 << 40, "33 squares in 1 TiB"),
    (40, 1 << 28, "40 squares in 256 MiB"),
];

/// All combinations of the options that matter: outcomes, reachable, a horizon.
fn asked() -> impl Iterator<Item = SolveOptions> {
    (0..8).map(|bits| SolveOptions {
        outcome_only: bits & 1 != 0,
        reachable_only: bits & 2 != 0,
        phases: (bits & 4 != 0).then_some(2),
        ..options()
    })
}

fn letter(method: Method) -> &'static str {
    match method {
        Method::Fill => "F",
        Method::FillOutcomes => "f",
        Method::Graded => "G",
        Method::Phases => "A",
        Method::Retrograde => "R",
        Method::Reachable => "O",
        Method::Search => "-",
    }
}

/// The choices for one process.
fn alone(entry: &AnyGame, memory: u64) -> String {
    let choose = |options| {
        let options = SolveOptions { memory: Some(memory), ..options };
        let plan = entry.plan(&options);
        // Only the archive solver accepts `with_wins`, which does not change the method.
        let wins = entry.plan(&SolveOptions { with_wins: true, ..options });
        assert_eq!(plan.fits, plan.method != Method::Search);
        assert_eq!((wins.method, wins.fits), (plan.method, plan.method == Method::Phases));
        letter(plan.method)
    };
    asked().map(choose).collect::<Vec<_>>().join(" ")
}

/// The choices for two processes.
#[cfg(feature = "cluster")]
fn together(entry: &AnyGame, memory: u64) -> String {
    let choose = |options| {
        let options = SolveOptions { memory: Some(memory), ..options };
        entry.plan_together(&options, 2).map_or("-", |plan| letter(plan.method))
    };
    asked().map(choose).collect::<Vec<_>>().join(" ")
}

fn choices() -> Vec<String> {
    let mut lines = Vec::new();
    for set in 1_u32..1 << SOLVERS.len() {
        let solvers = || SOLVERS.iter().enumerate().filter(move |(at, _)| set >> at & 1 != 0).map(|(_, s)| s);
        let names: Vec<&str> = solvers().map(|(name, _)| *name).collect();
        lines.push(format!("{}:", names.join(", ")));
        for (squares, memory, size) in SIZES {
            let start = Entry::new(Strip(squares), "").dense();
            let entry = solvers().fold(start, |entry, (_, add)| add(entry)).build();
            lines.push(format!("  {size:<32}{}", alone(&entry, memory)));
            #[cfg(feature = "cluster")]
            if squares == 20 {
                let name = format!("together, {size}");
                lines.push(format!("  {name:<32}{}", together(&entry, memory)));
            }
        }
    }
    lines
}

#[test]
fn the_solver_chosen_is_the_one_that_is_listed() {
    let found = choices();
    let asked_here = |line: &&str| {
        !line.starts_with('#') && (cfg!(feature = "cluster") || !line.starts_with("  together"))
    };
    let expected: Vec<&str> = EXPECTED.lines().filter(asked_here).collect();
    assert_eq!(found.len(), expected.len());
    let mut heading = "";
    for (found, expected) in found.iter().zip(expected) {
        heading = if expected.starts_with(' ') { heading } else { expected };
        assert_eq!(found, expected, "a game with {heading}");
    }
}

#[test]
fn missing_predecessors_are_mentioned_where_they_matter() {
    const LACK: &str = "provides no predecessors";
    let entry = |squares: u32, add: AddSolver| add(Entry::new(Strip(squares), "a strip")).build();
    let advice = |game: &Arc<AnyGame>| game.plan(&options()).advice;
    assert!(advice(&entry(17, Entry::retrograde)).contains(LACK));
    assert!(!advice(&entry(10, Entry::retrograde)).contains(LACK));
    assert!(!advice(&entry(17, Entry::layered)).contains(LACK));
    let folder = retrograde_testkit::tempdir().unwrap();
    for (squares, add, expected) in [(17, Entry::retrograde as AddSolver, 1), (17, Entry::layered, 0)] {
        let again = SolveOptions { again: true, ..options() };
        let solved = entry(squares, add).solve(folder.path(), &again, &retrograde_solve::Silent).unwrap();
        let notes = solved.notes.iter().filter(|note| note.contains(LACK)).count();
        assert_eq!(notes, expected, "{:?}", solved.notes);
    }
}

#[test]
fn only_reachable_positions_of_a_game_with_repetitions_are_solved_only_on_request() {
    let asked = SolveOptions { reachable_only: true, ..options() };
    for seed in 0..20 {
        let game = || Graph::random(seed, 60, seed % 3 == 0).some_seated(seed);
        let subject = || Entry::new(game(), "").predecessors().reachable().build();
        assert_eq!(subject().plan(&options()).method, Method::Retrograde);
        assert_eq!(subject().plan(&SolveOptions { memory: Some(1), ..options() }).method, Method::Search);
        assert_eq!(subject().plan(&asked).method, Method::Reachable);
        let [all, alone] = [options(), asked.clone()].map(|options| {
            let folder = retrograde_testkit::tempdir().unwrap();
            subject().solve(folder.path(), &options, &retrograde_solve::Silent).unwrap()
        });
        assert_eq!(alone.start, all.start, "seed {seed}");
        assert!(alone.positions.0 > 0);
    }
}
