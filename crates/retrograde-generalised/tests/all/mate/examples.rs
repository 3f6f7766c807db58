//! Boards with known answers, found by exhaustive search with another program.

use retrograde_generalised::mate::{Method, State, exhaustive, least, unlimited, within};

const MEMORY: u64 = 1_000_000_000;

fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines().filter(|line| !line.starts_with('#')).skip(1).map(|line| line.split('\t').collect())
}

#[test]
fn known_boards_have_their_least_number_of_moves() {
    let mut tried = 0;
    for row in rows(include_str!("../data/mate-in-one.tsv")) {
        let [id, moves, board] = row[..] else { panic!("{row:?}") };
        let state = State::parse(board).unwrap();
        let known: Option<u32> = moves.parse().ok();
        assert_eq!(known.is_none(), moves == "never", "{id}");
        let check = |turn: Option<retrograde_generalised::mate::Turn>, by: &str| {
            assert_eq!(turn.as_ref().map(|turn| turn.moves.len() as u32), known, "{id} by {by}");
            assert!(turn.is_none_or(|turn| state.check(&turn).is_ok()), "{id} by {by}");
        };
        check(exhaustive::least(&state), "everything");
        check(least(&state, Method::Either, MEMORY).unwrap(), "either");
        check(least(&state, Method::Search, MEMORY).unwrap(), "search");
        #[cfg(feature = "sat")]
        check(least(&state, Method::Sat, MEMORY).unwrap(), "sat");
        assert_eq!(unlimited(&state).is_some(), known.is_some(), "{id}");
        if let Some(known) = known.filter(|&known| known > 0) {
            assert_eq!(within(&state, known - 1, Method::Either, MEMORY).unwrap(), None, "{id}");
        }
        tried += 1;
    }
    assert_eq!(tried, 68);
}

#[test]
fn steiner_boards_take_three_more_moves_than_the_length_of_the_tree() {
    let mut tried = 0;
    for row in rows(include_str!("../data/steiner.tsv")) {
        let [id, _, _, length, moves, board] = row[..] else { panic!("{row:?}") };
        let [length, moves]: [u32; 2] = [length, moves].map(|text| text.parse().unwrap());
        assert_eq!(moves, length + 3, "{id}");
        let state = State::parse(board).unwrap();
        for how in [Method::Either, Method::Search] {
            let found = least(&state, how, MEMORY).unwrap().map(|turn| turn.moves.len() as u32);
            assert_eq!(found, Some(moves), "{id} by {how:?}");
        }
        tried += 1;
    }
    assert_eq!(tried, 11);
}
