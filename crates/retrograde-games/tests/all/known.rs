//! Checks the values that are known without tables, and the estimate of the largest solve.

use retrograde_explore::{Loader, SolveOptions};
use retrograde_games::testing::{known, known_games, push_fight_estimate};
use retrograde_solve::Silent;
use retrograde_testkit::push_fight;

/// Solves the small ones again, and finds all others by name.
#[test]
fn known_values_are_those_that_solving_finds() {
    let registry = retrograde_games::registry();
    let tables = retrograde_testkit::tempdir().unwrap();
    let options = SolveOptions { threads: 1, ..SolveOptions::default() };
    for name in known_games() {
        let game = registry.find(name, &Loader::none()).unwrap();
        assert_eq!(&game.about().game, name);
        let count: u128 = game.about().positions.0;
        let known = known(name).unwrap();
        if count < 1_000_000 {
            let solved = game.solve(tables.path(), &options, &Silent).unwrap();
            assert_eq!(solved.start, known.verdict, "{name}");
        }
        let decided: String = known.text.chars().filter(char::is_ascii_digit).collect();
        let some = known.text.contains("plausible") || known.text.contains("reachable");
        assert!(some || decided.ends_with(&count.to_string()), "{name}: {}", known.text);
    }
    assert!(known(&registry.find("pushfight", &Loader::none()).unwrap().about().game).is_some());
    assert_eq!(known("tactics:3x3"), None);
}

#[test]
fn a_24_gb_machine_solves_the_full_board_in_at_most_36_hours() {
    let plan = push_fight_estimate(push_fight("pushfight:full"), 24_000_000_000).unwrap();
    assert!(plan.memory <= 24_000_000_000, "{plan:?}");
    assert!(plan.disk + plan.work <= 300_000_000_000, "{plan:?}");
    assert!(plan.seconds / 2.0 <= 36.0 * 3600.0, "{plan:?}");
}
