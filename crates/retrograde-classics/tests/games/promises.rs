//! Dodgem and Connect Four keep the promises of their traits, and their values agree with the plain
//! solver and with literature.

use retrograde_classics::{ConnectFour, Dodgem};
use retrograde_game::{Dense, Game, Index, Outcome, Show, conformance};
use retrograde_solve::testing::all_stored;
use retrograde_solve::{Scores, Silent};

use crate::solvers::{self, value};

/// The numbers of won, lost and drawn positions.
fn outcomes<G: Dense>(game: &G, scores: &Scores) -> [u32; 3] {
    let mut counts = [0; 3];
    for position in (0..game.index_count() as u64).filter_map(|index| game.position(Index(index))) {
        let place = match value(game, scores, &position).outcome() {
            Outcome::Win => 0,
            Outcome::Loss => 1,
            Outcome::Draw => 2,
        };
        counts[place] += 1;
    }
    counts
}

fn check_all<G: Dense + Show>(game: &G, seed: u64) -> Vec<G::Position> {
    let mut positions = conformance::numbered(game, 1500, seed);
    positions.extend(conformance::playouts(game, 20, 40, seed));
    conformance::check_game(game, &positions);
    conformance::check_dense(game, &positions);
    conformance::check_show(game, &positions);
    positions
}

#[test]
fn dodgem_keeps_its_promises() {
    for rows in 2..=8 {
        let game = Dodgem::new(rows).unwrap();
        let positions = check_all(&game, rows.into());
        conformance::check_predecessors(&game, &positions, 4);
        if rows <= 3 {
            conformance::check_counts(&game);
        }
    }
    assert!([0, 1, 9].into_iter().all(|rows| Dodgem::new(rows).is_none()));
}

#[test]
fn dodgem_is_the_same_game_for_both_players() {
    let game = Dodgem::new(3).unwrap();
    assert_eq!(game.position_text(&game.start()), "O../O../.XX");
    let turn = game.parse_turn(&game.start(), "b1a1").unwrap();
    let next = game.play(&game.start(), &turn);
    // Seen by Blue: Red's car that went to a1 is still there, and the one on c1 is now on a3.
    assert_eq!(game.position_text(&next), "O../.../OXX");
    assert_eq!(game.board_text(&next, retrograde_game::Seat::Second), "O../O../X.X");
    let error = game.parse_turn(&game.start(), "b1b4").unwrap_err().to_string();
    assert!(error.contains("`b1a1`") && error.contains("`c1c2`"), "{error}");
    for (text, reason) in
        [("XXX/O../O..", "fewer cars"), ("X../...", "3 more"), (".../.../...", "at least one car")]
    {
        let error = game.parse_position(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
}

/// On 3 x 3 the first player wins (Winning Ways); 4 x 4 is a draw (D. des Jardins, 1996).
#[test]
fn dodgem_has_its_known_values() {
    let mut found = Vec::new();
    for rows in 2..=4 {
        let game = Dodgem::new(rows).unwrap();
        let fast = solvers::backwards(&game);
        if rows < 4 {
            assert!(all_stored(&fast) == solvers::swept(&game), "{}", game.name());
        }
        found.push((value(&game, &fast, &game.start()).outcome(), outcomes(&game, &fast)));
    }
    assert_eq!(found[1], (Outcome::Win, [848, 574, 0]));
    assert_eq!(found[2].0, Outcome::Draw);
}

#[test]
fn connect_four_keeps_its_promises() {
    for (columns, rows) in (1..=7).flat_map(|columns| (1..=7).map(move |rows| (columns, rows))) {
        if columns * rows > 42 {
            continue; // Its tables of fillings are large.
        }
        let game = ConnectFour::new(columns, rows).unwrap();
        let positions = check_all(&game, (columns * 8 + rows).into());
        conformance::check_graded(&game, &positions);
        if columns * rows <= 12 {
            conformance::check_counts(&game);
            conformance::check_layered(&game);
        }
    }
    assert!(ConnectFour::new(8, 6).is_none() && ConnectFour::new(0, 3).is_none());
    let game = ConnectFour::new(4, 4).unwrap();
    for (text, reason) in [
        ("X.../..../..../....", "must not hang in the air"),
        ("..../..../..../X...", "as many as"),
        ("..../..../..../XOOO", "as many as"),
        ("..../..../..../Y...", "found 'Y'"),
    ] {
        let error = game.parse_position(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
}

#[test]
fn connect_four_has_its_known_values() {
    for (columns, rows, outcome) in [(4, 3, Outcome::Draw), (3, 4, Outcome::Draw), (4, 4, Outcome::Draw)] {
        let game = ConnectFour::new(columns, rows).unwrap();
        let fast = solvers::in_one_pass(&game);
        if columns * rows <= 12 {
            assert!(all_stored(&fast) == solvers::swept(&game), "{}", game.name());
        }
        assert_eq!(value(&game, &fast, &game.start()).outcome(), outcome, "{}", game.name());
    }
}

/// The numbers of legal positions come from J. Tromp, "John's Connect Four Playground".
#[test]
fn connect_four_has_the_published_numbers_of_reachable_positions() {
    for (columns, rows, count) in [(4, 4, 161_029), (4, 5, 1_706_255)] {
        let game = ConnectFour::new(columns, rows).unwrap();
        let found =
            retrograde_solve::count_reachable(&game, &game.start(), &|_| None, 1 << 30, &Silent).unwrap();
        assert_eq!(found.unfinished + found.finished, count, "{}", game.name());
    }
}
