//! Sends every query to made-up games solved by every method, and compares with a plain evaluation in
//! memory.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::common::{Graph, LIMITS, Strip, evaluate, options, to_opponent};
use retrograde_explore::{ROUTES, RequestLimits};
use retrograde_explore::{
    AnyGame, Bounds, Count, Entry, FindQuery, Method, OpenGame, Player, Positions, PuzzleKind, PuzzleQuery,
    PuzzleTurns, Resources, SearchLimits, SolveOptions, SolveResult, Source, Statistics, Verdict,
};
use retrograde_game::{Game, Knowledge, Outcome, Score, Seat, Show, Turns, Value};
use retrograde_solve::Silent;
use retrograde_table::{CellWidth, Counts, Manifest, TableKind, TableWriter, directory_name};
use retrograde_testkit::tempdir;
use serde_json::Value as Json;

fn verdict(value: Value) -> Verdict {
    Knowledge::Exact(value).into()
}

/// Sends every query about every position with an index.
fn ask_everything<G: Game + Show>(game: &G, explore: &OpenGame, values: &HashMap<G::Position, Value>)
where
    G::Position: Ord,
{
    let mut positions: Vec<_> = values.keys().cloned().collect();
    positions.sort();
    for position in &positions {
        let text = game.position_text(position);
        let value = values[position];
        let (found, source) = explore.value(&text, &LIMITS).unwrap();
        assert_eq!(found, verdict(value), "{} {text}", game.name());
        let turns = game.turns(position);
        assert_eq!(source == Source::Rules, turns.is_empty(), "{text}");
        assert_eq!(explore.over(&text).unwrap().is_some(), turns.is_empty());

        let probe = explore.probe(&text, Seat::Second, &LIMITS).unwrap();
        assert_eq!((probe.position.verdict, probe.position.source, probe.nodes), (found, source, None));
        let seat = game.seat(position).unwrap_or(Seat::Second);
        assert_eq!(probe.position.to_move, Player::from(seat));
        assert_eq!(probe.position.board, game.board_text(position, seat));
        let counts = game.turn_is_counted(position);
        let mut expected: Vec<_> = turns
            .iter()
            .map(|(turn, next)| {
                let value = to_opponent(game, position, next, values[next]).before(counts);
                (value, game.turn_text(position, turn), game.position_text(next))
            })
            .collect();
        expected.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        let found: Vec<_> =
            probe.turns_available.into_iter().map(|t| (t.verdict, t.turn, t.position)).collect();
        let expected: Vec<_> = expected.into_iter().map(|(v, turn, next)| (verdict(v), turn, next)).collect();
        assert_eq!(found, expected, "{text}");

        check_line(game, explore, position, value, values);
        let number = explore.index(&text, None).unwrap().index.unwrap();
        assert_eq!(explore.position(&number.0.to_string(), None).unwrap().position, text);
    }
}

#[test]
fn tables_in_memory_can_be_verified() {
    for seed in 0..20 {
        // The rules end the game in some positions as draws or wins. These have no turns.
        let graph = Graph::random(seed, 60, false).some_seated(seed);
        let game: Arc<AnyGame> = Entry::new(graph, "").predecessors().build();
        let explore = game.solve_in_memory(&options(), &Silent).unwrap();
        let verification = explore.verify(None, &Resources::new(2, None, &Silent)).unwrap();
        assert!(verification.proved, "{seed}: {:?}", verification.errors);
    }
}

/// Values computed for alternating players are wrong if a player moves several times in a row.
#[test]
fn values_for_alternating_players_do_not_prove_other_games() {
    for seed in (1..12).step_by(2) {
        let tables = tempdir().unwrap();
        let alternating = Entry::new(Graph::random(seed, 60, false), "").predecessors().build();
        alternating.solve(tables.path(), &options(), &Silent).unwrap();
        let seated = Entry::new(Graph::random(seed, 60, false).some_seated(seed), "").predecessors().build();
        let explore = seated.explore(tables.path()).unwrap();
        let verification = explore.verify(None, &Resources::new(2, None, &Silent)).unwrap();
        assert!(!verification.proved && !verification.errors.is_empty(), "{seed}");
    }
}

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

fn check_line<G: Game + Show>(
    game: &G,
    explore: &OpenGame,
    position: &G::Position,
    value: Value,
    values: &HashMap<G::Position, Value>,
) {
    let line = explore.line(&game.position_text(position), Seat::First, 1000, &LIMITS).unwrap();
    let first = game.seat(position).unwrap_or(Seat::First);
    let (mut here, mut seat, mut counted) = (position.clone(), first, 0);
    for step in &line.line {
        assert_eq!(step.position, game.position_text(&here));
        assert_eq!((step.to_move, step.verdict), (Player::from(seat), verdict(values[&here])));
        counted += u16::from(game.turn_is_counted(&here));
        let turn = game.parse_turn(&here, &step.turn).unwrap();
        here = game.play(&here, &turn);
        seat = game.seat(&here).unwrap_or(seat.other());
    }
    assert_eq!(
        (line.end.as_str(), line.end_to_move),
        (game.position_text(&here).as_str(), Player::from(seat))
    );
    match value {
        Value::Win(turns) | Value::Loss(turns) => {
            assert_eq!((line.ends, Turns(counted)), ("over", turns));
        }
        Value::Draw => {
            assert_eq!(values[&here], Value::Draw);
            assert_eq!(line.ends == "over", game.turns(&here).is_empty());
            assert!(matches!(line.ends, "over" | "repeats"));
        }
    }
}

/// Looks up all positions at once, by number and by text, and random ones.
fn ask_as_batches<G: Game + Show>(
    explore: &OpenGame,
    game: &G,
    proper: &BTreeMap<u64, (G::Position, Value)>,
) {
    // In reverse, so that an answer in the table's order would be noticed.
    let indices: Vec<u64> = proper.keys().rev().copied().collect();
    let texts: Vec<String> =
        proper.values().rev().map(|(position, _)| game.position_text(position)).collect();
    let expected: Vec<_> = proper.values().rev().map(|&(_, value)| Knowledge::Exact(value)).collect();
    for positions in [Positions::Indices(&indices), Positions::Texts(&texts)] {
        let mut found = Vec::new();
        explore.values_of(&positions, &mut |knowledge| found.push(knowledge)).unwrap();
        assert_eq!(found, expected, "{}", game.name());
        let mut found = Vec::new();
        explore.indices_of(&positions, &mut |index| found.push(index.unwrap())).unwrap();
        assert_eq!(found, indices);
        let mut found = Vec::new();
        explore.texts_of(&positions, &mut |text| found.push(text)).unwrap();
        assert_eq!(found, texts);
        let (mut planes, mut found) = (vec![0; explore.row_shape().size()], Vec::new());
        explore.planes_of(&positions, Seat::First, &mut |planes| found.push(planes.to_vec())).unwrap();
        for ((position, _), found) in proper.values().rev().zip(&found) {
            game.planes(position, &mut planes);
            assert_eq!(&planes, found);
        }
        // Made-up games do not parse planes.
        let error = explore.values_of(&Positions::Planes(&found.concat()), &mut |_| ()).unwrap_err();
        assert!(error.to_string().contains("this game reads none"), "{error}");
    }
    let wrong = [indices[0], u64::MAX];
    let error = explore.values_of(&Positions::Indices(&wrong), &mut |_| ()).unwrap_err().to_string();
    assert!(error.starts_with("position number 1, counted from 0: index “18446744073709551615”"), "{error}");
    for count in [0, 1, indices.len() / 5, indices.len(), indices.len() + 9] {
        let mut random = explore.random_indices(count as u64, 7).unwrap();
        assert_eq!(random, explore.random_indices(count as u64, 7).unwrap());
        random.sort_unstable();
        random.dedup();
        assert_eq!(random.len(), count.min(indices.len()));
        assert!(random.iter().all(|index| proper.contains_key(index)));
    }
}

/// Finds, counts, draws puzzles and rows, and compares with all values. `proper` has the positions without
/// the prelude.
fn ask_in_bulk<G: Game + Show>(game: &G, explore: &OpenGame, proper: &BTreeMap<u64, (G::Position, Value)>) {
    ask_as_batches(explore, game, proper);
    let statistics = explore.statistics().unwrap();
    assert_eq!(statistics.positions.0, proper.len() as u128);
    let start = evaluate(game, [game.start()])[&game.start()];
    assert_eq!(statistics.start, verdict(start));
    for outcome in Outcome::ALL {
        let all: Vec<_> = proper.iter().filter(|(_, (_, value))| value.outcome() == outcome).collect();
        let counted = match outcome {
            Outcome::Win => statistics.wins,
            Outcome::Loss => statistics.losses,
            Outcome::Draw => statistics.draws,
        };
        assert_eq!(counted.0, all.len() as u128);
        let lengths: HashSet<_> =
            all.iter().map(|(_, (_, value))| value.turns().map(|turns| turns.0)).collect();
        for turns in lengths.into_iter().chain([None]) {
            let expected: Vec<u128> = all
                .iter()
                .filter(|(_, (_, value))| turns.is_none() || value.turns() == turns.map(Turns))
                .map(|(index, _)| u128::from(**index))
                .collect();
            if let Some(turns) = turns {
                let by = if outcome == Outcome::Win {
                    &statistics.by_turns.win
                } else {
                    &statistics.by_turns.loss
                };
                assert_eq!(by[&turns].0, expected.len() as u128);
            }
            find_in_every_way(explore, outcome, turns, &expected);
        }
    }
    ask_for_puzzles(game, explore, proper);
    ask_for_rows(game, explore, proper);
}

/// All puzzles of a kind, in order.
fn all_puzzles(kind: PuzzleKind) -> PuzzleQuery {
    PuzzleQuery { kind, turns: PuzzleTurns::All, random: None, limit: u64::MAX }
}

/// Finds positions with a value, in order and at random.
fn find_in_every_way(explore: &OpenGame, outcome: Outcome, turns: Option<u16>, expected: &[u128]) {
    let find = |random, limit| {
        let mut found = Vec::new();
        let wanted = FindQuery { outcome, turns, random, limit };
        explore
            .find(&wanted, &mut |one| {
                found.push(one.index.0);
                Ok(true)
            })
            .unwrap();
        found
    };
    assert_eq!(find(None, u64::MAX), expected);
    assert_eq!(find(None, 2), expected[..expected.len().min(2)]);
    for (seed, limit) in [(1, 1), (2, 3), (3, 1_000_000)] {
        let mut found = find(Some(seed), limit);
        assert_eq!(found.len() as u64, limit.min(expected.len() as u64));
        assert_eq!(found, find(Some(seed), limit), "a seed gives the same positions");
        found.sort_unstable();
        assert!(found.is_sorted_by(|a, b| a < b), "nothing is found twice");
        assert!(found.iter().all(|index| expected.contains(index)));
    }
}

/// Draws puzzles, in order and at random.
fn ask_for_puzzles<G: Game + Show>(
    game: &G,
    explore: &OpenGame,
    proper: &BTreeMap<u64, (G::Position, Value)>,
) {
    for kind in [PuzzleKind::Win, PuzzleKind::Save, PuzzleKind::Press] {
        if kind == PuzzleKind::Press && game.seat(&game.start()).is_some() {
            let error = explore.puzzles(&all_puzzles(kind), &mut |_| Ok(true)).unwrap_err().to_string();
            assert!(error.contains("several times in a row"), "{error}");
            continue;
        }
        let values: HashMap<_, _> = proper.values().cloned().collect();
        let all: Vec<(u128, bool)> = proper
            .iter()
            .filter(|(_, (position, value))| is_puzzle(game, position, *value, kind, &values))
            .map(|(&index, (_, value))| (index.into(), value.turns() == Some(Turns(1))))
            .collect();
        let of_one_turn = |wanted: bool| all.iter().filter(move |&&(_, one)| one == wanted);
        let several =
            if of_one_turn(false).next().is_some() { of_one_turn(false) } else { of_one_turn(true) };
        for (turns, expected) in [
            (PuzzleTurns::All, all.iter().collect::<Vec<_>>()),
            (PuzzleTurns::Exactly(1), of_one_turn(true).collect()),
            (PuzzleTurns::Several, several.collect()),
        ] {
            let expected: Vec<u128> = expected.into_iter().map(|&(index, _)| index).collect();
            for random in [None, Some(5)] {
                let mut found = Vec::new();
                let wanted = PuzzleQuery { kind, turns, random, limit: u64::MAX };
                explore
                    .puzzles(&wanted, &mut |puzzle| {
                        found.push(puzzle.index.0);
                        Ok(found.len() < expected.len())
                    })
                    .unwrap();
                found.sort_unstable();
                assert_eq!(found, expected, "{kind:?} {turns:?}");
            }
        }
    }
}

/// Visits all rows.
fn ask_for_rows<G: Game + Show>(game: &G, explore: &OpenGame, proper: &BTreeMap<u64, (G::Position, Value)>) {
    let mut rows = Vec::new();
    explore
        .rows(&mut |row| {
            assert_eq!(row.knowledge, Knowledge::Exact(proper[&row.index].1));
            assert_eq!(row.position, game.position_text(&proper[&row.index].0));
            rows.push(row.index);
            Ok(true)
        })
        .unwrap();
    assert_eq!(rows, proper.keys().copied().collect::<Vec<_>>());
    assert_eq!(explore.row_count().unwrap(), rows.len() as u64);
}

fn is_puzzle<G: Game>(
    game: &G,
    position: &G::Position,
    value: Value,
    kind: PuzzleKind,
    values: &HashMap<G::Position, Value>,
) -> bool {
    if kind == PuzzleKind::Press {
        let holding = |position: &G::Position| -> Vec<G::Position> {
            let turns = game.turns(position).into_iter().map(|(_, next)| next);
            turns.filter(|next| values[next].outcome() == Outcome::Draw).collect()
        };
        let is_task = |next: &&G::Position| holding(next).len() == 1 && game.turns(next).len() > 1;
        let turns = holding(position);
        return value == Value::Draw && turns.len() > 1 && turns.iter().filter(is_task).count() == 1;
    }
    let value_of = |next| to_opponent(game, position, next, values[next]).before_turn();
    let turns: Vec<Value> = game.turns(position).iter().map(|(_, next)| value_of(next)).collect();
    let right = match (kind, value) {
        (PuzzleKind::Win, Value::Win(_)) => turns.iter().filter(|t| t.outcome() == Outcome::Win).count(),
        (PuzzleKind::Save, Value::Draw) => turns.iter().filter(|t| t.outcome() != Outcome::Loss).count(),
        (PuzzleKind::Save, Value::Loss(_)) => turns.iter().filter(|&&t| t == value).count(),
        _ => 0,
    };
    right == 1 && turns.len() > 1
}

fn proper(graph: &Graph, values: &HashMap<u32, Value>) -> BTreeMap<u64, (u32, Value)> {
    let nodes = graph.positions().into_iter().filter(|&node| node < graph.proper());
    nodes.map(|node| (node.into(), (node, values[&node]))).collect()
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
fn outcomes_of_loops_are_checked_but_not_proved() {
    let entry = Entry::new(Graph::random(3, 60, false), "").retrograde().build();
    let tables = tempdir().unwrap();
    let outcomes = SolveOptions { outcome_only: true, ..options() };
    entry.solve(tables.path(), &outcomes, &Silent).unwrap();
    let explore = entry.explore(tables.path()).unwrap();
    let verification = explore.verify(None, &Resources::new(2, None, &Silent)).unwrap();
    assert!(verification.errors.is_empty(), "{verification:?}");
    assert!(!verification.proved && verification.full);
    let values = evaluate(&Graph::random(3, 60, false), Graph::random(3, 60, false).positions());
    for (node, value) in values {
        assert_eq!(explore.value(&format!("p{node}"), &LIMITS).unwrap().0.known(), Some(value.outcome()));
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
