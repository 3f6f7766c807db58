//! The page on reductions shows the actual gadgets and an actual board.

use retrograde_generalised::reductions::qbf::{Formula, reduce};

const PAGE: &str = include_str!("../../../../../docs/reductions.md");

#[test]
fn the_page_shows_every_gadget() {
    for file in [
        include_str!("../../../gadgets/core.board"),
        include_str!("../../../gadgets/core-true.board"),
        include_str!("../../../gadgets/core-false.board"),
        include_str!("../../../gadgets/existential.board"),
        include_str!("../../../gadgets/universal.board"),
        include_str!("../../../gadgets/bridge.board"),
        include_str!("../../../gadgets/clause.board"),
        include_str!("../../../gadgets/reward.board"),
        include_str!("../../../gadgets/waste.board"),
    ] {
        assert!(PAGE.contains(&format!("```text\n{file}```\n")), "{file}");
    }
}

#[test]
fn the_page_shows_the_board_of_the_formula() {
    let formula = Formula::parse("p cnf 2 2\na 1 0\ne 2 0\n1 -2 0\n-1 2 0\n").unwrap();
    let board = reduce(&formula).unwrap().board_file();
    assert!(PAGE.contains(&format!("```text\n{board}```\n")), "{board}");
}
