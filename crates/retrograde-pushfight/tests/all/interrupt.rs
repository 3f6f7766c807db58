//! Callers can end long lists of turns.

use retrograde_game::interrupt::{Limits, set_limits};
use retrograde_game::{Flow, Game};

use crate::common::built_in;

const NEVER: fn() -> bool = || false;

#[test]
fn a_list_of_turns_ends_when_its_time_is_over() {
    let full = built_in("pushfight:full,moves=3").unwrap();
    let position = full.parse_position("....................xY..ooOOOxXX").unwrap();
    let before = set_limits(Some(Limits { over: || true, too_much: |_| false, enough: |_| false }));
    let placements = full.turns(&full.start()).len();
    let turns = full.turns(&position).len();
    set_limits(before);
    assert!(placements < 100 && turns < 30_000, "{placements} {turns}");
    assert_eq!(full.turns(&full.start()).len(), 43_680);
}

/// A list that ends early contains legal turns.
#[test]
fn a_list_of_turns_ends_when_it_is_long_enough() {
    let game = built_in("pushfight:standard,moves=unlimited").unwrap();
    let position = game.parse_position("........oOO...oOxXY...xX..").unwrap();
    for limits in [
        Limits { over: NEVER, too_much: |_| false, enough: |turns| turns > 2_000 },
        Limits { over: NEVER, too_much: |bytes| bytes > 1 << 20, enough: |_| false },
    ] {
        let before = set_limits(Some(limits));
        let turns = game.turns(&position);
        set_limits(before);
        assert!((1_000..20_000).contains(&turns.len()), "{}", turns.len());
        for (turn, next) in turns.iter().step_by(100) {
            let text = game.turn_text(&position, turn);
            assert_eq!(game.play(&position, &game.parse_turn(&position, &text).unwrap()), *next, "{text}");
        }
    }
}

#[test]
fn searching_moves_stops_when_memory_is_refused() {
    let full = built_in("pushfight:full,moves=20").unwrap();
    let position = full.parse_position("....................xY..ooOOOxXX").unwrap();
    let count = |limits| {
        let before = set_limits(Some(limits));
        let mut count = 0;
        let ended = full.each_successor(&position, |_| {
            count += 1;
            Flow::Continue(())
        });
        set_limits(before);
        (count, ended.is_break())
    };
    let (small, ended) = count(Limits { over: NEVER, too_much: |bytes| bytes > 1 << 16, enough: |_| false });
    assert!(ended && small < 100_000, "{small}");
}
