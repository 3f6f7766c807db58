//! The guide `docs/write-your-own-game.md` quotes the code of Dodgem and Connect Four, and both stay short.

const DODGEM: &str = include_str!("../../src/dodgem.rs");
const CONNECT_FOUR: &str = include_str!("../../src/connect_four.rs");
const PAGE: &str = include_str!("../../../../docs/write-your-own-game.md");

/// The number of lines of code.
fn lines(code: &str) -> usize {
    code.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//")).count()
}

#[test]
fn the_page_shows_the_code_of_both_games() {
    // The code before this heading belongs to another example.
    let (_, page) = PAGE.split_once("\n## Two sides").unwrap();
    let blocks = page.split("```rust\n").skip(1).filter_map(|rest| rest.split("```").next());
    let (dodgem, connect_four): (Vec<&str>, Vec<&str>) = blocks.partition(|block| DODGEM.contains(block));
    for block in &connect_four {
        assert!(CONNECT_FOUR.contains(block), "in neither game:\n{block}");
    }
    // New parts are shown in the order of the file.
    for (shown, code, least) in [(dodgem, DODGEM, 40), (connect_four, CONNECT_FOUR, 10)] {
        let all: usize = shown.iter().map(|block| lines(block)).sum();
        assert!(all >= least, "the page shows {all} of {} lines", lines(code));
        let places: Vec<Option<usize>> = shown.iter().map(|block| code.find(block)).collect();
        assert!(places.is_sorted(), "{places:?}");
    }
}

#[test]
fn both_games_stay_short() {
    // 25 of them only make it faster; the page leaves them out.
    assert!(lines(DODGEM) < 145, "Dodgem has {} lines", lines(DODGEM));
    assert!(lines(CONNECT_FOUR) < 100, "Connect Four has {} lines", lines(CONNECT_FOUR));
}
