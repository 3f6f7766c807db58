//! A game in which a player moves several times in a row, compared with a search that values every position
//! for the first player and therefore never changes perspective.

use std::collections::HashMap;

use retrograde_explore::{
    Entry, Method, PuzzleKind, PuzzleQuery, PuzzleTurns, Resources, SolveOptions, read_turns,
};
use retrograde_game::{Game, Knowledge, Outcome, Seat, Turns, Value, conformance};
use retrograde_solve::Silent;
use retrograde_testkit::tempdir;
use retrograde_testkit::{Kalah, Seeds};

use crate::common::{LIMITS, options};

/// The value for the first player.
fn for_first(game: &Kalah, seeds: &Seeds, known: &mut HashMap<Seeds, Value>) -> Value {
    if let Some(&value) = known.get(seeds) {
        return value;
    }
    let value = match game.result(seeds) {
        Some(outcome) => Value::over(if seeds.second { outcome.flipped() } else { outcome }),
        None => {
            let after = game.turns(seeds).into_iter().map(|(_, next)| match for_first(game, &next, known) {
                Value::Win(Turns(turns)) => Value::Win(Turns(turns + 1)),
                Value::Draw => Value::Draw,
                Value::Loss(Turns(turns)) => Value::Loss(Turns(turns + 1)),
            });
            let after: Vec<Value> = after.collect();
            *if seeds.second { after.iter().min() } else { after.iter().max() }.expect("a turn")
        }
    };
    known.insert(*seeds, value);
    value
}

fn all_values(game: &Kalah) -> HashMap<Seeds, Value> {
    let mut known = HashMap::new();
    for_first(game, &game.start(), &mut known);
    known.into_iter().map(|(at, value)| (at, if at.second { value.flipped() } else { value })).collect()
}

#[test]
fn kalah_keeps_its_promises() {
    let game = Kalah { seeds: 2 };
    let positions = conformance::playouts(&game, 200, 40, 1);
    conformance::check_game(&game, &positions);
    conformance::check_dense(&game, &positions);
    conformance::check_graded(&game, &positions);
    let again = |at: &Seeds| game.turns(at).iter().any(|(_, next)| game.moves_again(at, next));
    assert!(positions.iter().any(again));
}

#[test]
fn all_solvers_and_the_search_support_moving_again() {
    let game = || Kalah { seeds: 2 };
    let values = all_values(&game());
    let asked = [(false, Method::Retrograde), (true, Method::Reachable)];
    for (reachable_only, method) in asked {
        let entry = Entry::new(game(), "").retrograde().graded_reachable().build();
        let options = SolveOptions { reachable_only, ..options() };
        assert_eq!(entry.plan(&options).method, method);
        let tables = tempdir().unwrap();
        entry.solve(tables.path(), &options, &Silent).unwrap();
        let explore = entry.explore(tables.path()).unwrap();
        for (at, &value) in &values {
            let (found, _) = explore.value(&game().position_text(at), &LIMITS).unwrap();
            assert_eq!(found, Knowledge::Exact(value).into(), "{at:?}");
        }
        assert!(explore.verify(None, &Resources::new(2, None, &Silent)).unwrap().proved);
    }
    let entry = Entry::new(game(), "").build();
    let tables = tempdir().unwrap();
    let explore = entry.explore(tables.path()).unwrap();
    for (at, value) in values.iter().take(200) {
        let (found, _) = explore.value(&game().position_text(at), &LIMITS).unwrap();
        assert_eq!(found.known(), Some(value.outcome()), "{at:?}");
    }
}

/// The position knows who is to move, so callers do not have to.
#[test]
fn seats_follow_the_positions() {
    let game = Kalah { seeds: 2 };
    let entry = Entry::new(Kalah { seeds: 2 }, "").retrograde().build();
    let tables = tempdir().unwrap();
    entry.solve(tables.path(), &options(), &Silent).unwrap();
    let explore = entry.explore(tables.path()).unwrap();
    // The last seed of the first pit lands in the store.
    let turns: Vec<String> = ["p0", "p1", "p3"].map(str::to_owned).to_vec();
    let mut at = game.start();
    let mut movers = vec![game.seat(&at).unwrap()];
    for turn in &turns {
        at = game.play(&at, &game.parse_turn(&at, turn).unwrap());
        movers.push(game.seat(&at).unwrap());
    }
    assert_eq!(movers[..2], [Seat::First, Seat::First]);
    let start = explore.start();
    for given in [Seat::First, Seat::Second] {
        let scenes = explore.scenes(&start, given, &turns).unwrap();
        let seen: Vec<Seat> = scenes.iter().map(|scene| scene.picture.to_move).collect();
        assert_eq!(seen, movers);
        let annotated = explore.annotate(&start, given, &turns, &LIMITS).unwrap();
        assert!(annotated.iter().map(|turn| Seat::from(turn.player)).eq(movers[..3].iter().copied()));
        assert_eq!(read_turns(&explore, &start, given, &turns, None).unwrap(), turns);
        let text = game.position_text(&at);
        assert_eq!(explore.to_move(&text, given).unwrap(), movers[3]);
        assert_eq!(explore.probe(&text, given, &LIMITS).unwrap().position.to_move, movers[3].into());
        let line = explore.line(&start, given, 100, &LIMITS).unwrap();
        for step in &line.line {
            let here = game.parse_position(&step.position).unwrap();
            assert_eq!(step.to_move, game.seat(&here).unwrap().into());
        }
    }
    let mut second = 0;
    let (kind, turns) = (PuzzleKind::Win, PuzzleTurns::All);
    let wanted = PuzzleQuery { kind, turns, random: None, limit: u64::MAX };
    explore
        .puzzles(&wanted, &mut |puzzle| {
            let at = game.parse_position(&puzzle.position).unwrap();
            let right = game.parse_turn(&at, &puzzle.solution).unwrap();
            let wins = |next: &Seeds| {
                let value = explore.value(&game.position_text(next), &LIMITS).unwrap().0.known();
                value == Some(if next.second == at.second { Outcome::Win } else { Outcome::Loss })
            };
            let winning = game.turns(&at).into_iter().filter(|(_, next)| wins(next));
            assert_eq!(winning.map(|(turn, _)| turn).collect::<Vec<_>>(), [right]);
            second += usize::from(at.second);
            Ok(true)
        })
        .unwrap();
    assert!(second > 10);
}
