//! The guide `docs/write-your-own-game.md` quotes the code of games, and they stay short.

const CHOMP: &str = include_str!("../../../retrograde/examples/own_game.rs");
const CONNECT_FOUR: &str = include_str!("../../src/connect_four.rs");
const DODGEM: &str = include_str!("../../src/dodgem.rs");
const DOMINEERING: &str = include_str!("../../src/domineering.rs");
const L_GAME: &str = include_str!("../../src/l_game.rs");
const PAGE: &str = include_str!("../../../../docs/write-your-own-game.md");

/// The number of lines of code.
fn lines(code: &str) -> usize {
    code.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//")).count()
}

#[test]
fn the_guide_quotes_the_code_of_the_games() {
    let blocks: Vec<&str> =
        PAGE.split("```rust\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    let games = [(DOMINEERING, 45), (CHOMP, 10), (DODGEM, 30)];
    for block in &blocks {
        assert!(games.iter().any(|(code, _)| code.contains(block)), "in no game:\n{block}");
    }
    // New parts are shown in the order of the file.
    for (code, least) in games {
        let shown: Vec<&str> = blocks.iter().copied().filter(|block| code.contains(block)).collect();
        let all: usize = shown.iter().map(|block| lines(block)).sum();
        assert!(all >= least, "the page shows {all} of {} lines", lines(code));
        let places: Vec<Option<usize>> = shown.iter().map(|block| code.find(block)).collect();
        assert!(places.is_sorted(), "{places:?}");
    }
}

#[test]
fn the_games_stay_short() {
    for (game, most) in [(DOMINEERING, 60), (CONNECT_FOUR, 70), (L_GAME, 90), (DODGEM, 120)] {
        assert!(lines(game) <= most, "{} lines instead of {most}:\n{}", lines(game), &game[..80]);
    }
}
