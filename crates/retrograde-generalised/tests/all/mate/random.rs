//! Thousands of random boards: every algorithm against plain breadth-first search. Hard boards have
//! narrow passages, and crossings where up to four regions meet.

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use retrograde_generalised::mate::{Method, State, Turn, exhaustive, least, unlimited, within};
use retrograde_testkit::{all_cases, drawing};

const MEMORY: u64 = 1_000_000_000;

/// Boards of up to fourteen squares: rectangles with holes, and crosses.
fn boards() -> impl Strategy<Value = String> {
    // Crowded boards take the most moves; open boards have the most paths.
    let open = prop_oneof![6 => Just('.'), 4 => Just('o'), 1 => Just('O'), 2 => Just('x'), 1 => Just('#')];
    let crowded = prop_oneof![2 => Just('.'), 6 => Just('o'), 1 => Just('O'), 2 => Just('x'), 1 => Just('X')];
    let cells = prop_oneof![prop::collection::vec(open, 30), prop::collection::vec(crowded, 30)];
    let shapes = prop_oneof![
        Just(vec!["****", "****", "****"]),
        Just(vec!["***", "***", "***", "***"]),
        Just(vec!["******", "******"]),
        Just(vec!["#*#", "***", "#*#", "***", "#*#"]),
        Just(vec!["##*##", "##*##", "*****", "##*##", "##*##"]),
        Just(vec!["#**#", "****", "#**#"]),
        Just(vec!["*#*#*", "*****", "*#*#*"]),
        Just(vec!["#*#*#", "*****", "#*#*#"]),
        Just(vec!["##**", "####", "****", "##*#", "##*#"]),
        Just(vec!["**##", "***#", "#***", "##**"]),
        Just(vec!["#**#*", "#**#*", "*****", "#*#*#"]),
        Just(vec!["*#*#*", "*****", "#*#**", "#*###"]),
    ];
    let anchor = proptest::option::weighted(0.3, 0..12_usize);
    let rails = prop::collection::vec(prop::bool::weighted(0.4), 1..60);
    (shapes, cells, rails, anchor).prop_map(|(shape, cells, rails, anchor)| {
        let mut cells = cells.into_iter();
        let mut fill = |mark: char| match mark {
            '*' => cells.next().unwrap_or('.'),
            hole => hole,
        };
        let mut rows: Vec<String> = shape.iter().map(|row| row.chars().map(&mut fill).collect()).collect();
        // The opponent's anchored pusher takes some square.
        if let Some((row, column)) = anchor.map(|at| (at % rows.len(), at / rows.len() % shape[0].len())) {
            rows[row].replace_range(column..=column, "Y");
        }
        let mut rails = rails.into_iter().cycle();
        drawing(&rows, || rails.next() == Some(true))
    })
}

fn agree(
    state: &State,
    text: &str,
    found: Option<Turn>,
    known: Option<u32>,
    by: &str,
) -> Result<(), TestCaseError> {
    let moves = found.as_ref().map(|turn| turn.moves.len() as u32);
    prop_assert_eq!(moves, known, "{} by {}", text, by);
    if let Some(turn) = found {
        prop_assert!(state.check(&turn).is_ok(), "{} by {}: {}", text, by, state.turn_text(&turn));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if all_cases() { 8000 } else { 2700 }))]

    #[test]
    fn every_algorithm_agrees_with_exhaustive_search(text in boards()) {
        let Ok(state) = State::parse(&text) else { return Ok(()) };
        let known = exhaustive::least(&state).map(|turn| turn.moves.len() as u32);
        agree(&state, &text, least(&state, Method::Either, MEMORY).unwrap(), known, "either")?;
        agree(&state, &text, least(&state, Method::Search, MEMORY).unwrap(), known, "search")?;
        let some = unlimited(&state);
        prop_assert_eq!(some.is_some(), known.is_some(), "{}", &text);
        if let Some(turn) = some {
            prop_assert!(state.check(&turn).is_ok(), "{}", &text);
        }
        for moves in 0..4 {
            let few = known.filter(|&known| known <= moves);
            agree(&state, &text, within(&state, moves, Method::Either, MEMORY).unwrap(), few, "few moves")?;
        }
    }
}

#[cfg(feature = "sat")]
proptest! {
    #![proptest_config(ProptestConfig::with_cases(if all_cases() { 3000 } else { 1000 }))]

    #[test]
    fn the_sat_solver_agrees_with_exhaustive_search(text in boards()) {
        let Ok(state) = State::parse(&text) else { return Ok(()) };
        let known = exhaustive::least(&state).map(|turn| turn.moves.len() as u32);
        agree(&state, &text, least(&state, Method::Sat, MEMORY).unwrap(), known, "sat")?;
    }
}
