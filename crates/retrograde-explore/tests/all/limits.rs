//! Answers without all values: up to a horizon, by search, and within limits.

use std::time::{Duration, Instant};

use crate::common::{Graph, LIMITS, Strip, evaluate, options};
use crate::questions::{all_puzzles, verdict};
use retrograde_explore::{
    Bounds, Entry, PuzzleKind, ROUTES, RequestLimits, Resources, SearchLimits, SolveOptions, SolveResult,
    Source,
};
use retrograde_game::{Game, Seat, Turns};
use retrograde_solve::Silent;
use retrograde_testkit::tempdir;
use serde_json::Value as Json;

#[test]
fn phases_leave_the_rest_unknown_until_it_is_solved() {
    for seed in 0..6 {
        let graph = Graph::random(seed, 150, false);
        let values = evaluate(&graph, graph.positions());
        let entry = Entry::new(Graph::random(seed, 150, false), "").retrograde().build();
        let tables = tempdir().unwrap();
        let few = SolveOptions { phases: Some(2), ..options() };
        let solved = entry.solve(tables.path(), &few, &Silent).unwrap();
        assert!(solved.horizon == Some(2) && solved.unknown.is_some(), "{solved:?}");
        {
            let explore = entry.explore(tables.path()).unwrap();
            let statistics = explore.statistics().unwrap();
            assert_eq!((statistics.horizon, statistics.unknown), (solved.horizon, solved.unknown));
            let meaning = explore.rules().unwrap().values;
            assert!(meaning.contains("up to 2 turns"), "{meaning}");
            // All turns of a puzzle have known values: an unknown one might win as well.
            let mut puzzles = Vec::new();
            for kind in [PuzzleKind::Win, PuzzleKind::Save] {
                let found = explore.puzzles(&all_puzzles(kind), &mut |puzzle| {
                    puzzles.push(puzzle.position);
                    Ok(true)
                });
                found.unwrap();
            }
            let no_search = SearchLimits { nodes: 0, time: std::time::Duration::ZERO, ..LIMITS };
            for position in puzzles {
                let probe = explore.probe(&position, Seat::First, &no_search).unwrap();
                assert!(probe.turns_available.iter().all(|turn| turn.verdict.known().is_some()), "{probe:?}");
            }
            for node in graph.positions().into_iter().filter(|&node| node < graph.proper()) {
                let (found, _) = explore.value(&format!("p{node}"), &LIMITS).unwrap();
                match values[&node].turns() {
                    Some(turns) if turns <= Turns(2) => assert_eq!(found, verdict(values[&node])),
                    _ => assert!(matches!(found.outcome, "unknown" | "draw"), "{found:?}"),
                }
            }
            let verification = explore.verify(None, &Resources::new(2, None, &Silent)).unwrap();
            assert!(verification.errors.is_empty(), "{verification:?}");
        }
        let whole = entry.solve(tables.path(), &options(), &Silent).unwrap();
        assert_eq!((whole.unknown, whole.horizon), (None, None));
    }
}

/// A game that is solved in one pass is solved to the end, even if a horizon is given.
#[test]
fn a_horizon_that_leaves_nothing_undecided_is_dropped() {
    let tables = tempdir().unwrap();
    let entry = || Entry::new(Strip(5), "").layered().build();
    let few = SolveOptions { phases: Some(1), ..options() };
    let solved = entry().solve(tables.path(), &few, &Silent).unwrap();
    assert_eq!((solved.horizon, solved.unknown), (None, None));
    let again = entry().solve(tables.path(), &options(), &Silent).unwrap();
    assert_eq!(again.result, Some(SolveResult::AlreadySolved));
}

#[test]
fn too_many_leaves_are_an_error() {
    // Every node has a way back to itself.
    let graph = || Graph {
        name: "ring".to_owned(),
        next: vec![Some(vec![1, 2]), Some(vec![2, 0]), Some(vec![0, 1])],
        over: vec![None; 3],
        prelude: 0,
        seats: Vec::new(),
        index_memory: 0,
    };
    let tables = tempdir().unwrap();
    let entry = Entry::new(graph(), "").build();
    let explore = entry.explore(tables.path()).unwrap();
    for depth in [0, 1, 2, 3, 60, 127] {
        assert_eq!(explore.perft("p0", depth, &SearchLimits::NONE, &Silent).unwrap(), (1 << depth, true));
    }
    for depth in [128, 1000, 300_000, u32::MAX] {
        let message = explore.perft("p0", depth, &SearchLimits::NONE, &Silent).unwrap_err().to_string();
        assert!(message.contains("depth"), "{message}");
    }
}

#[test]
fn without_a_table_it_is_searched() {
    let strip = Strip(5);
    let entry = Entry::new(Strip(5), "").build();
    let tables = tempdir().unwrap();
    let explore = entry.explore(tables.path()).unwrap();
    assert!(!explore.has_table());
    let values = evaluate(&strip, [0]);
    let probe = explore.probe("_____", Seat::First, &LIMITS).unwrap();
    assert_eq!(
        (probe.position.verdict.known(), probe.position.source),
        (Some(values[&0].outcome()), Source::Search)
    );
    assert!(probe.nodes.is_some_and(|nodes| nodes > 0));
    for turn in &probe.turns_available {
        let next = strip.parse_position(&turn.position).unwrap();
        assert_eq!(turn.verdict.known(), Some(values[&next].before_turn().outcome()), "{turn:?}");
    }
    let line = explore.line("_____", Seat::First, 100, &LIMITS).unwrap();
    assert_eq!(line.ends, "over");
    assert!(matches!(explore.statistics(), Err(retrograde_explore::Error::NoTable { .. })));
    assert!(!entry.plan(&options()).fits);
}

#[test]
fn a_search_that_reaches_a_limit_keeps_its_findings() {
    let game = Entry::new(Graph::random(1, 3000, false), "").predecessors().build();
    let explore = game.solve_in_memory(&options(), &Silent).unwrap();
    let ask = |path: &str, query: &[(&str, &str)], looks| {
        let route = ROUTES.iter().find(|route| route.path == path).unwrap();
        let query: Vec<_> = query.iter().map(|&(name, text)| (name.to_owned(), text.to_owned())).collect();
        let wide = RequestLimits { found: u64::MAX, puzzles: u64::MAX, ..RequestLimits::default() };
        let request = route.request(&query, b"", &wide).unwrap();
        let later = Instant::now() + Duration::from_secs(600);
        let bounds =
            Bounds { until: later, ended: None, looks, turns: u64::MAX, memory: 1 << 30, threads: false };
        let (reply, met) = bounds.watched(|| request.reply(&explore, &LIMITS));
        let reply = reply.unwrap();
        let answer: Json = serde_json::from_slice(&reply.json).unwrap();
        let list = answer["positions"].as_array().or(answer["puzzles"].as_array()).unwrap().clone();
        let cut = answer["incomplete"] == true;
        assert_eq!((met, reply.repeats), (cut, !cut), "{path} {query:?}");
        (list, cut)
    };
    let draw = [("random", "true"), ("seed", "3")];
    for (path, query, enough) in [
        ("find", vec![("outcome", "loss"), ("limit", "9999")], 1025),
        ("find", [vec![("outcome", "loss"), ("limit", "9999")], draw.to_vec()].concat(), 1025),
        ("puzzles", vec![("kind", "save"), ("limit", "9999")], 257),
        ("puzzles", [vec![("kind", "save"), ("limit", "9999")], draw.to_vec()].concat(), 257),
    ] {
        let (all, cut) = ask(path, &query, u64::MAX);
        assert!(!cut, "{path}");
        let (some, cut) = ask(path, &query, enough);
        assert!(cut && !some.is_empty() && some.len() < all.len(), "{path}: {}, {}", some.len(), all.len());
        let (none, cut) = ask(path, &query, 0);
        assert!(cut, "{path}: {none:?}");
    }
}
