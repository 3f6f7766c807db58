//! Names, titles and descriptions of the games.

use retrograde_explore::Loader;
use retrograde_games::registry;
use retrograde_games::testing::title;

#[test]
fn every_game_is_found_by_its_name() {
    retrograde_explore::conformance::check_registry(&registry());
}

#[test]
fn tactix_is_tactics_with_lines_as_long_as_the_board() {
    let registry = registry();
    for typed in ["tactix:6x6", "TacTix 6 × 6", "tac-tix:6x6"] {
        assert_eq!(registry.find(typed, &Loader::none()).unwrap().about().game, "tactics:6x6,line=6");
    }
}

#[test]
fn titles_follow_from_names() {
    for (family, name, expected) in [
        ("TouchDown", "touchdown:5x4", "TouchDown 5 × 4"),
        ("Tactics", "tactics:4x4,line=3,normal", "Tactics 4 × 4, line=3, normal"),
        ("Push Fight", "pushfight:mini", "Push Fight mini"),
        ("Push Fight", "pushfight:two-rows-0badcafe,moves=1", "Push Fight two-rows, moves=1"),
        ("Push Fight", "pushfight", "Push Fight"),
    ] {
        assert_eq!(title(family, name), expected);
    }
}

#[test]
fn a_family_is_described_by_its_default_game() {
    let registry = registry();
    let summary = |name: &str| registry.find(name, &Loader::none()).unwrap().about().summary;
    let family = registry.families.iter().find(|family| family.name == "tactics").unwrap();
    assert_eq!(summary("tactics"), family.summary);
    let text = "a pencil game: fill one square or two neighbours; the player who fills the last square wins";
    assert_eq!(summary("tactics:4x4,line=2,normal"), text);
}
