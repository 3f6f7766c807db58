//! Shades of draws and turns that hold, for made-up games, compared with a plain evaluation; and the file of
//! shades, damaged in every way.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::common::{Graph, LIMITS, evaluate, options};
use retrograde_explore::{
    AnyGame, Entry, ListPage, OpenGame, ROUTES, RequestLimits, Resources, ShadeOfDraw, ShadeStatistics,
    SolveOptions,
};
use retrograde_game::{Game, Outcome, Seat, Value};
use retrograde_solve::shades::{Shade, sweep};
use retrograde_solve::{Progress, Silent};
use retrograde_table::directory_name;
use retrograde_table::testing::{Fault, FaultyStorage};
use retrograde_testkit::tempdir;

/// A graph that has draws, its values, and the shade of each index, computed by definition.
fn game(seed: u64) -> (Graph, HashMap<u32, Value>, Vec<Option<Shade>>) {
    let game = Graph::random(seed, 120, false);
    let values = evaluate(&game, game.positions());
    let drawn: Vec<bool> =
        (0..game.next.len() as u32).map(|node| values.get(&node) == Some(&Value::Draw)).collect();
    let shades = sweep::solve(&game, &drawn);
    (game, values, shades)
}

fn entry(game: Graph, predecessors: bool) -> Arc<AnyGame> {
    let entry = Entry::new(game, "A graph.").retrograde();
    if predecessors { entry.predecessors().build() } else { entry.build() }
}

fn of_draw(shade: Option<Shade>) -> Option<ShadeOfDraw> {
    shade.map(Into::into)
}

#[test]
fn shades_are_stored_probed_and_counted() {
    let mut presses = 0;
    for seed in 0..30 {
        let (game, values, shades) = game(seed);
        let main = game.proper() as usize;
        let expected = |node: u32| of_draw(shades[node as usize]);
        let entry = entry(game, seed % 2 == 0);
        let tables = tempdir().unwrap();
        let missing = entry.find_shades(tables.path(), &options(), &Silent).unwrap_err().to_string();
        assert!(missing.contains("there is no table"), "{missing}");
        entry.solve(tables.path(), &options(), &Silent).unwrap();
        let before = entry.explore(tables.path()).unwrap();
        assert!(before.statistics().unwrap().shades.is_none());
        let stamp = before.stamp();
        drop(before);

        let found = entry.find_shades(tables.path(), &options(), &Silent).unwrap();
        let open = entry.explore(tables.path()).unwrap();
        assert_ne!(open.stamp(), stamp, "the answers have changed");
        assert_eq!(open.statistics().unwrap().shades, Some(found.clone()));
        let of = |wanted: fn(&Shade) -> bool| shades[..main].iter().flatten().filter(|s| wanted(s)).count();
        assert_eq!(found.draws.0, of(|_| true) as u128);
        assert_eq!(found.quiet.0, of(|shade| *shade == Shade::Quiet) as u128);
        let pressed: u128 = found.levels.iter().flat_map(|level| level.pressed.values()).map(|c| c.0).sum();
        assert_eq!(pressed, of(|shade| matches!(shade, Shade::Pressed { .. })) as u128);
        let graph = Graph::random(seed, 120, false);
        let start = graph.start();
        assert_eq!(found.start, expected(start));

        for node in graph.positions() {
            let probe = open.probe(&format!("p{node}"), Seat::First, &LIMITS).unwrap();
            assert_eq!(probe.position.shade, expected(node), "seed {seed}, p{node}");
            let draws: Vec<_> =
                probe.turns_available.iter().filter(|turn| turn.verdict.outcome == "draw").collect();
            let mut best: Vec<Shade> = Vec::new();
            for turn in &draws {
                let next: u32 = turn.position[1..].parse().unwrap();
                let shade = shades[next as usize].map(Shade::before_turn);
                assert_eq!(turn.shade, of_draw(shade), "seed {seed}, {}", turn.position);
                best.extend(shade);
            }
            assert!(best.is_sorted_by(|a, b| a >= b), "the sharpest press comes first");
            presses += best.iter().filter(|shade| **shade != Shade::Quiet).count();
            assert_eq!(values[&node] == Value::Draw, probe.position.shade.is_some());
        }
        // The shades already exist, and solving again keeps them.
        let again = entry.find_shades(tables.path(), &options(), &Silent).unwrap();
        assert_eq!(again, found);
        entry.solve(tables.path(), &SolveOptions { again: true, ..options() }, &Silent).unwrap();
        let other = entry.explore(tables.path()).unwrap();
        assert!(other.statistics().unwrap().shades.is_some(), "the same values");
        assert!(other.verify(None, &Resources::new(1, None, &Silent)).unwrap().proved);
    }
    assert!(presses > 100, "{presses} turns press");
}

/// The turns of a position by outcome: all, wins, draws, losses.
fn counted(game: &Graph, values: &HashMap<u32, Value>, node: u32) -> [u64; 4] {
    let turns = game.turns(&node);
    let with = |outcome: Outcome| {
        turns.iter().filter(|(_, next)| values[next].outcome().flipped() == outcome).count() as u64
    };
    [turns.len() as u64, with(Outcome::Win), with(Outcome::Draw), with(Outcome::Loss)]
}

#[test]
fn turns_that_hold_and_replies_that_hold_are_counted() {
    let mut only = 0;
    for seed in 0..20 {
        let (game, values, _) = game(seed);
        let open = entry(game, true).solve_in_memory(&options(), &Silent).unwrap();
        let game = &Graph::random(seed, 120, false);
        for node in game.positions() {
            let text = format!("p{node}");
            let pressure = open.pressure(&text, Seat::First, ListPage::ALL, &LIMITS).unwrap();
            let turns = pressure.turns_by_outcome;
            assert_eq!([turns.all, turns.win, turns.draw, turns.loss], counted(game, &values, node));
            let outcome = values[&node].outcome();
            let over = game.turns(&node).is_empty();
            let holding = match outcome {
                Outcome::Win => turns.win,
                Outcome::Draw => turns.draw,
                Outcome::Loss => turns.loss,
            };
            assert_eq!((pressure.holding, pressure.page), (holding, None), "seed {seed}, {text}");
            assert_eq!(pressure.holding_turns.len() as u64, holding);
            assert!(over || holding > 0 || outcome == Outcome::Win && turns.all == 0);
            for turn in &pressure.holding_turns {
                let next: u32 = turn.position[1..].parse().unwrap();
                let replies = turn.replies;
                let expected = counted(game, &values, next);
                assert_eq!([replies.all, replies.win, replies.draw, replies.loss], expected);
                assert_eq!(replies.unknown, 0);
                let keeps = match values[&next].outcome() {
                    Outcome::Win => replies.win,
                    Outcome::Draw => replies.draw,
                    Outcome::Loss => replies.loss,
                };
                assert_eq!(turn.holding, keeps);
                assert_eq!(turn.only_reply.is_some(), keeps == 1 && replies.all > 1);
                if let Some(reply) = &turn.only_reply {
                    only += 1;
                    let to: u32 = reply.strip_prefix("second>").unwrap().parse().unwrap();
                    assert_eq!(values[&to].outcome().flipped(), values[&next].outcome());
                }
            }
            // Page by page, the answers are the same.
            let mut paged = Vec::new();
            let mut next = Some(0);
            while let Some(offset) = next {
                let page = ListPage { offset, limit: 1 };
                let answer = open.pressure(&text, Seat::First, page, &LIMITS).unwrap();
                assert_eq!(answer.holding, holding);
                next = answer.page.and_then(|page| page.next);
                paged.extend(answer.holding_turns);
            }
            assert_eq!(paged, pressure.holding_turns);
            let counts =
                open.pressure(&text, Seat::First, ListPage { offset: 0, limit: 0 }, &LIMITS).unwrap();
            assert_eq!((counts.holding, counts.holding_turns.len()), (holding, 0));
        }
    }
    assert!(only > 50, "{only}");
}

/// A graph with shades in a folder.
fn with_shades(seed: u64) -> (Arc<AnyGame>, retrograde_testkit::TempDir, ShadeStatistics) {
    let (game, _, _) = game(seed);
    let entry = entry(game, true);
    let tables = tempdir().unwrap();
    entry.solve(tables.path(), &options(), &Silent).unwrap();
    let found = entry.find_shades(tables.path(), &options(), &Silent).unwrap();
    (entry, tables, found)
}

/// All shades that can be probed, as texts, or the error.
fn all_shades(open: &OpenGame, game: &Graph) -> Result<Vec<String>, String> {
    let probe = |node: u32| {
        let probe =
            open.probe(&format!("p{node}"), Seat::First, &LIMITS).map_err(|error| error.to_string())?;
        Ok(format!("{:?}", probe.position.shade))
    };
    game.positions().into_iter().map(probe).collect()
}

#[test]
fn a_damaged_file_of_shades_is_named_and_ignored() {
    let (entry, tables, found) = with_shades(3);
    let (graph, _, _) = game(3);
    let file = tables.path().join(directory_name(&entry.about().game)).join("shades.rgs");
    let whole = fs::read(&file).unwrap();
    let right = all_shades(&entry.explore(tables.path()).unwrap(), &graph).unwrap();
    let none = vec!["None".to_owned(); right.len()];
    let mut forms: Vec<Vec<u8>> = (0..whole.len()).map(|cut| whole[..cut].to_vec()).collect();
    for at in 0..whole.len() {
        for flip in [1, 0x10, 0xff] {
            let mut bytes = whole.clone();
            bytes[at] ^= flip;
            forms.push(bytes);
        }
    }
    forms.push([&whole[..], b"\n"].concat());
    for bytes in forms {
        fs::write(&file, bytes).unwrap();
        let open = entry.explore(tables.path()).unwrap();
        match all_shades(&open, &graph) {
            Ok(shades) => {
                assert_eq!(shades, none);
                let notes = open.statistics().unwrap().notes.concat();
                assert!(notes.contains("shades.rgs"), "{notes}");
            }
            Err(error) => assert!(error.contains("shades.rgs"), "{error}"),
        }
        let verified = open.verify(None, &Resources::new(1, None, &Silent)).unwrap();
        assert!(verified.errors.concat().contains("shades.rgs"), "{verified:?}");
    }
    // Computing the shades again repairs the file.
    fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    let mended = entry.find_shades(tables.path(), &options(), &Silent).unwrap();
    assert_eq!(ShadeStatistics { seconds: None, ..mended }, ShadeStatistics { seconds: None, ..found });
    assert_eq!(all_shades(&entry.explore(tables.path()).unwrap(), &graph).unwrap(), right);
}

fn names(tables: &Path) -> Vec<String> {
    let (graph, _, _) = game(5);
    let directory = tables.join(directory_name(&graph.name));
    let mut names: Vec<String> =
        fs::read_dir(directory).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn after_any_failure_the_file_is_complete_or_absent() {
    let (game, _, _) = game(5);
    let entry = entry(game, true);
    let mut failed = 0;
    for call in 0.. {
        let tables = tempdir().unwrap();
        entry.solve(tables.path(), &options(), &Silent).unwrap();
        let storage = Arc::new(FaultyStorage::new(Fault::Once(call)));
        let faulty = SolveOptions { storage: storage.clone(), ..options() };
        let result = entry.find_shades(tables.path(), &faulty, &Silent);
        if storage.fired().is_none() {
            result.unwrap();
            break;
        }
        failed += u32::from(result.is_err());
        let whole = entry.find_shades(tables.path(), &options(), &Silent).unwrap();
        let shades = entry.explore(tables.path()).unwrap().statistics().unwrap().shades;
        assert_eq!(shades, Some(whole), "call {call}");
        assert!(names(tables.path()).iter().all(|name| !name.ends_with(".tmp")));
    }
    assert!(failed > 5, "{failed}");
}

/// Stops immediately.
struct Stopped;

impl Progress for Stopped {
    fn stage(&self, _name: &str, _total: u64) {}
    fn advance(&self, _units: u64) {}
    fn stopped(&self) -> bool {
        true
    }
}

#[test]
fn games_without_shades_are_rejected_with_a_reason() {
    let (game, _, _) = game(1);
    let entry = entry(game, true);
    let tables = tempdir().unwrap();
    entry.solve(tables.path(), &SolveOptions { phases: Some(1), ..options() }, &Silent).unwrap();
    let error = entry.find_shades(tables.path(), &options(), &Silent).unwrap_err().to_string();
    assert!(error.contains("solve it to the end"), "{error}");
    entry.solve(tables.path(), &options(), &Silent).unwrap();
    assert!(entry.find_shades(tables.path(), &options(), &Stopped).unwrap_err().is_stopped());
    let little = SolveOptions { memory: Some(10), ..options() };
    let error = entry.find_shades(tables.path(), &little, &Silent).unwrap_err().to_string();
    assert!(error.contains("10 bytes"), "{error}");
}

/// A player who can move several times in a row leaves the opponent no replies to count.
#[test]
fn questions_that_need_alternating_players_are_rejected_with_a_reason() {
    let entry = entry(Graph::random(1, 120, false).some_seated(1), true);
    let tables = tempdir().unwrap();
    entry.solve(tables.path(), &options(), &Silent).unwrap();
    let explore = entry.explore(tables.path()).unwrap();
    let (start, room) = (explore.start(), Resources::new(1, None, &Silent));
    let puzzles = ROUTES.iter().find(|route| route.path == "puzzles").unwrap();
    let texts =
        [("position", &*start), ("kind", "press")].map(|(name, text)| (name.to_owned(), text.to_owned()));
    let puzzles = puzzles.request(&texts, b"", &RequestLimits::default()).unwrap();
    let refused = [
        entry.find_shades(tables.path(), &options(), &Silent).map(drop),
        explore.pressure(&start, Seat::First, ListPage::ALL, &LIMITS).map(drop),
        puzzles.reply(&explore, &LIMITS).map(drop),
        explore.certificate(Seat::First, 10, &tables.path().join("c"), &room).map(drop),
        #[cfg(feature = "cluster")]
        entry.plan_together(&options(), 2).map(drop),
    ];
    for refused in refused {
        let error = refused.unwrap_err().to_string();
        assert!(error.contains("a player can move several times in a row"), "{error}");
    }
}
