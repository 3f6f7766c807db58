//! Sends every query about a solved game, and compares the answers with a plain evaluation in memory.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::common::{Graph, LIMITS, evaluate, to_opponent};
use retrograde_explore::{
    FindQuery, OpenGame, Player, Positions, PuzzleKind, PuzzleQuery, PuzzleTurns, Source, Verdict,
};
use retrograde_game::{Game, Knowledge, Outcome, Seat, Show, Turns, Value};

pub fn verdict(value: Value) -> Verdict {
    Knowledge::Exact(value).into()
}

/// Sends every query about every position with an index.
pub fn ask_everything<G: Game + Show>(game: &G, explore: &OpenGame, values: &HashMap<G::Position, Value>)
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
pub fn ask_in_bulk<G: Game + Show>(
    game: &G,
    explore: &OpenGame,
    proper: &BTreeMap<u64, (G::Position, Value)>,
) {
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
pub fn all_puzzles(kind: PuzzleKind) -> PuzzleQuery {
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

pub fn proper(graph: &Graph, values: &HashMap<u32, Value>) -> BTreeMap<u64, (u32, Value)> {
    let nodes = graph.positions().into_iter().filter(|&node| node < graph.proper());
    nodes.map(|node| (node.into(), (node, values[&node]))).collect()
}
