//! Answers of made-up games that were solved by every method.

use std::collections::{BTreeMap, HashMap};

use crate::common::{Graph, LIMITS, Strip, evaluate, options};
use crate::questions::{ask_everything, ask_in_bulk, proper, verdict};
use retrograde_explore::{
    Count, Entry, FindQuery, Method, OpenGame, Resources, SolveOptions, SolveResult, Statistics,
};
use retrograde_game::{Game, Knowledge, Outcome, Score, Seat, Value};
use retrograde_solve::Silent;
use retrograde_table::{CellWidth, Counts, Manifest, TableKind, TableWriter, directory_name};
use retrograde_testkit::tempdir;

#[test]
fn reachable_positions_are_counted_by_the_solver() {
    for seed in 0..20 {
        let graph = || Graph::random(seed, 90, seed % 2 == 0);
        let game = graph();
        let mut occurs = vec![false; game.next.len()];
        occurs[game.start() as usize] = true;
        // Repeat until nothing changes.
        while (0..game.next.len()).any(|node| {
            let before = occurs.clone();
            if occurs[node] {
                game.next[node].iter().flatten().for_each(|&to| occurs[to as usize] = true);
            }
            occurs != before
        }) {}
        let count = |which: &dyn Fn(usize) -> bool| {
            Count((0..occurs.len()).filter(|&node| occurs[node] && which(node)).count() as u128)
        };
        // Over by the rules, or because there are no turns.
        let over =
            |node: usize| game.over[node].is_some() || game.next[node].iter().flatten().next().is_none();
        let found = Entry::new(graph(), "").build().reachable(&options(), &Silent).unwrap();
        assert_eq!(found.reachable, count(&|node| !over(node)), "{seed}");
        assert_eq!(found.before, count(&|node| node as u32 >= game.proper()), "{seed}");
        assert_eq!(found.finished, Some(count(&over)), "{seed}");
        assert_eq!((found.up_to_symmetry, found.with_images), (None, false));
        let few = SolveOptions { memory: Some(0), ..options() };
        // Too few positions to check the memory between them.
        assert_eq!(Entry::new(graph(), "").build().reachable(&few, &Silent).unwrap(), found);
    }
}

fn solved_and_asked(entry: Entry<Graph>, graph: &Graph, method: Method, reachable: bool) {
    let entry = entry.build();
    let tables = tempdir().unwrap();
    let options = SolveOptions { reachable_only: reachable, ..options() };
    assert_eq!(entry.plan(&options).method, method);
    let solved = entry.solve(tables.path(), &options, &Silent).unwrap();
    let explore = entry.explore(tables.path()).unwrap();
    assert_eq!(solved.result, Some(SolveResult::Solved));
    let already = Some(SolveResult::AlreadySolved);
    let again = entry.solve(tables.path(), &options, &Silent).unwrap();
    assert_eq!(again, Statistics { result: already, ..solved.clone() }, "already solved");
    assert_eq!(explore.statistics().unwrap(), Statistics { result: None, ..solved.clone() });
    let all = evaluate(graph, if reachable { vec![graph.start()] } else { graph.positions() });
    if reachable {
        let values: HashMap<_, _> = all.into_iter().filter(|(p, _)| graph.result(p).is_none()).collect();
        let mut proper = proper_of(graph, &values);
        ask_sparse(graph, &explore, &values);
        proper.retain(|_, (p, _)| graph.result(p).is_none());
        assert_eq!(solved.positions.0, proper.len() as u128);
    } else {
        ask_everything(graph, &explore, &all);
        ask_in_bulk(graph, &explore, &proper(graph, &all));
    }
    for sample in [None, Some(1)] {
        let found = explore.verify(sample, &Resources::new(2, None, &Silent)).unwrap();
        assert_eq!(found.errors, Vec::<String>::new(), "{}", graph.name);
        assert_eq!((found.proved, found.full), (sample.is_none(), sample.is_none()));
        assert!(found.positions.0 > 0);
    }
}

fn proper_of(graph: &Graph, values: &HashMap<u32, Value>) -> BTreeMap<u64, (u32, Value)> {
    let nodes = graph.positions().into_iter().filter(|node| values.contains_key(node));
    nodes.map(|node| (node.into(), (node, values[&node]))).collect()
}

fn ask_sparse(graph: &Graph, explore: &OpenGame, values: &HashMap<u32, Value>) {
    for (position, &value) in values {
        let text = graph.position_text(position);
        assert_eq!(explore.value(&text, &LIMITS).unwrap().0, verdict(value), "{text}");
    }
    let mut rows = 0;
    explore
        .rows(&mut |row| {
            assert_eq!(row.knowledge, Knowledge::Exact(values[&(row.index as u32)]));
            rows += 1;
            Ok(true)
        })
        .unwrap();
    assert_eq!(rows, values.len());
}

#[test]
fn graphs_with_loops_by_the_retrograde_solver() {
    for seed in 0..12 {
        let graph = || Graph::random(seed, 20 + 13 * seed as u32, false).some_seated(seed);
        solved_and_asked(Entry::new(graph(), "").retrograde(), &graph(), Method::Retrograde, false);
        solved_and_asked(Entry::new(graph(), "").predecessors(), &graph(), Method::Retrograde, false);
        solved_and_asked(Entry::new(graph(), "").staged(), &graph(), Method::Retrograde, false);
        let entry = Entry::new(graph(), "").staged().predecessors();
        solved_and_asked(entry, &graph(), Method::Retrograde, false);
    }
}

#[test]
fn graphs_without_loops_by_the_graded_and_the_reachable_solver() {
    for seed in 0..12 {
        let graph = || Graph::random(seed, 20 + 13 * seed as u32, true).some_seated(seed);
        solved_and_asked(Entry::new(graph(), "").layered(), &graph(), Method::Graded, false);
        let entry = Entry::new(graph(), "").layered().graded_reachable();
        solved_and_asked(entry, &graph(), Method::Reachable, true);
    }
}

#[test]
fn many_positions_take_many_blocks() {
    let strip = Strip(14);
    let tables = tempdir().unwrap();
    let entry = Strip::fill(Entry::new(Strip(14), "")).graded_reachable().build();
    let values = evaluate(&strip, [0]);
    for reachable_only in [true, false] {
        let options = SolveOptions { reachable_only, again: true, ..options() };
        entry.solve(tables.path(), &options, &Silent).unwrap();
        let explore = entry.explore(tables.path()).unwrap();
        let verification = explore.verify(None, &Resources::new(2, None, &Silent)).unwrap();
        assert!(verification.proved, "{verification:?}");
        let mut rows = 0;
        explore
            .rows(&mut |row| {
                assert_eq!(row.knowledge, Knowledge::Exact(values[&row.index]));
                rows += 1;
                Ok(true)
            })
            .unwrap();
        assert_eq!(rows, explore.row_count().unwrap());
        assert_eq!(rows, if reachable_only { (1 << 14) - 1 } else { 1 << 14 });
    }
}

#[test]
fn reachable_positions_beyond_memory_give_the_same_table() {
    let entry = Strip::fill(Entry::new(Strip(18), "")).graded_reachable().build();
    let solve = |memory: u64| {
        let tables = tempdir().unwrap();
        let options = SolveOptions { reachable_only: true, memory: Some(memory), ..options() };
        let solved = entry.solve(tables.path(), &options, &Silent).unwrap();
        let mut rows = Vec::new();
        let explore = entry.explore(tables.path()).unwrap();
        let all = explore.rows(&mut |row| {
            rows.push((row.index, row.knowledge));
            Ok(true)
        });
        all.unwrap();
        let left: Vec<_> = std::fs::read_dir(tables.path().join(directory_name(&Strip(18).name())))
            .unwrap()
            .map(|file| file.unwrap().file_name())
            .collect();
        assert!(!left.iter().any(|name| name == "work"), "{left:?}");
        (rows, Statistics { seconds: None, notes: Vec::new(), ..solved.clone() }, solved.notes)
    };
    let (rows, statistics, notes) = solve(1 << 30);
    let (rows_in_files, statistics_in_files, notes_of_files) = solve(1 << 20);
    assert!(notes.is_empty() && notes_of_files.iter().any(|note| note.contains("continues in files")));
    assert_eq!((rows_in_files, statistics_in_files), (rows, statistics));
}

#[test]
fn strips_with_turns_and_with_outcomes_only() {
    for cells in [1, 2, 5, 9, 10] {
        let strip = Strip(cells);
        let entry = Strip::fill(Entry::new(Strip(cells), "").layered()).build();
        let tables = tempdir().unwrap();
        assert_eq!(entry.plan(&options()).method, Method::Fill);
        entry.solve(tables.path(), &options(), &Silent).unwrap();
        let values = evaluate(&strip, 0..1 << cells);
        {
            let explore = entry.explore(tables.path()).unwrap();
            ask_everything(&strip, &explore, &values);
            let proper = values.iter().map(|(&p, &value)| (p, (p, value))).collect();
            ask_in_bulk(&strip, &explore, &proper);
            assert!(explore.verify(None, &Resources::new(1, None, &Silent)).unwrap().proved);
        }
        // A table with turns also answers requests for outcomes, so only `again` replaces it with a table of
        // outcomes.
        let outcomes = SolveOptions { outcome_only: true, again: true, ..options() };
        assert_eq!(entry.plan(&outcomes).method, Method::FillOutcomes);
        let statistics = entry.solve(tables.path(), &outcomes, &Silent).unwrap();
        assert!(statistics.by_turns.win.is_empty() && statistics.start.turns.is_none());
        let explore = entry.explore(tables.path()).unwrap();
        for (position, value) in &values {
            let text = strip.position_text(position);
            let found = explore.value(&text, &LIMITS).unwrap().0;
            assert_eq!(found.known(), Some(value.outcome()));
            let line = explore.line(&text, Seat::First, 100, &LIMITS).unwrap();
            assert_eq!(line.ends, "over");
            assert!(line.line.iter().all(|step| step.verdict.turns.is_none()));
        }
        let verification = explore.verify(None, &Resources::new(2, None, &Silent)).unwrap();
        assert!(verification.proved && verification.errors.is_empty(), "{verification:?}");
        drop(explore);
        // If turns are requested, it is solved again.
        assert!(entry.solve(tables.path(), &options(), &Silent).unwrap().start.turns.is_some());
    }
}

#[test]
fn a_turn_that_repeats_a_position_has_no_exclamation_mark() {
    // The player who enters p0 loses, so both players go to and fro.
    let graph = Graph {
        name: "fro".to_owned(),
        next: vec![Some(vec![]), Some(vec![0, 2]), Some(vec![0, 1])],
        over: vec![Some(Outcome::Win), None, None],
        prelude: 0,
        seats: Vec::new(),
        index_memory: 0,
    };
    let entry = Entry::new(graph, "").retrograde().build();
    let explore = entry.solve_in_memory(&options(), &Silent).unwrap();
    let turns = [">1", ">2", ">1", ">2"].map(str::to_owned);
    let marks: Vec<&str> =
        explore.annotate("p2", Seat::First, &turns, &LIMITS).unwrap().iter().map(|turn| turn.mark).collect();
    assert_eq!(marks, ["!", "", "", ""]);
}

#[test]
fn tables_of_losses_are_completed_by_looking_one_turn_ahead() {
    for seed in 0..8 {
        let graph = Graph::random(seed, 120, false);
        let values = evaluate(&graph, graph.positions());
        let scores: Vec<u8> = (0..120)
            .map(|node| values.get(&node).map_or(u8::NONE, |&value| u8::from_value(value).unwrap()))
            .map(|score| if score >= u8::DRAW { u8::NOT_LOST } else { score })
            .collect();
        let tables = tempdir().unwrap();
        let mut manifest = Manifest::new(graph.name(), 1, 1, TableKind::Losses, CellWidth::Byte, 120);
        manifest.prelude = 3;
        manifest.counts = Counts::of_scores(&scores[..117]);
        let mut writer = TableWriter::create(tables.path(), manifest).unwrap();
        writer.write_scores(&scores).unwrap();
        writer.finish().unwrap();

        let entry = Entry::new(Graph::random(seed, 120, false), "").dense().build();
        let explore = entry.explore(tables.path()).unwrap();
        ask_everything(&graph, &explore, &values);
        for outcome in Outcome::ALL {
            let expected = values.iter().filter(|(p, v)| **p < 117 && v.outcome() == outcome).count();
            let mut found = 0;
            let wanted = FindQuery { outcome, turns: None, random: None, limit: u64::MAX };
            explore
                .find(&wanted, &mut |_| {
                    found += 1;
                    Ok(true)
                })
                .unwrap();
            assert_eq!(found, expected);
        }
        let verification = explore.verify(None, &Resources::new(2, None, &Silent)).unwrap();
        assert_eq!(verification.errors, Vec::<String>::new());
    }
}
