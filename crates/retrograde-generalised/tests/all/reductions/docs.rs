//! The pictures on the page about reductions show the actual gadgets and an actual board.

use std::collections::BTreeSet;

use retrograde_game::Picture;
use retrograde_generalised::reductions::qbf::{Formula, reduce};

const PAGE: &str = include_str!("../../../../../docs/reductions.md");

/// The pieces of a drawing, as in the description of a picture: `o a5`.
fn drawn(text: &str) -> BTreeSet<String> {
    let (mut pieces, mut row) = (BTreeSet::new(), 0);
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with([' ', '|'])).collect();
    for line in rows.iter().rev() {
        row += 1;
        for (column, piece) in (0..).zip(line.chars().skip(1).step_by(2)) {
            if "oOPxXY".contains(piece) {
                pieces.insert(format!("{piece} {}{row}", Picture::column_label(column)));
            }
        }
    }
    pieces
}

/// Checks a picture's description, which lists the pieces of each side or counts them, such as `Red: 566 squares`.
fn assert_shows(svg: &str, drawing: &str, name: &str) {
    let description = svg.split("<desc>").nth(1).unwrap().split("</desc>").next().unwrap();
    for (side, letters) in [("Red", "oOP"), ("Blue", "xXY")] {
        let expected =
            drawn(drawing).into_iter().filter(|piece| letters.contains(&piece[..1])).collect::<BTreeSet<_>>();
        let shown =
            description.split(&format!("{side}: ")).nth(1).map_or("", |rest| rest.split('.').next().unwrap());
        match shown.strip_suffix(" squares") {
            Some(count) => assert_eq!(count, expected.len().to_string(), "{name}"),
            None => {
                let shown = shown.split(", ").filter(|piece| !piece.is_empty()).map(str::to_owned).collect();
                assert_eq!(expected, shown, "{name}");
            }
        }
    }
}

#[test]
fn the_page_shows_every_gadget() {
    macro_rules! gadgets {
        ($($name:literal)*) => {[$((
            $name,
            include_str!(concat!("../../../gadgets/", $name, ".board")),
            include_str!(concat!("../../../../../docs/pictures/reductions/", $name, ".svg")),
        )),*]};
    }
    for (name, board, picture) in gadgets![
        "core" "core-true" "core-false" "existential" "universal" "bridge" "clause" "reward" "waste" "train"
    ] {
        assert!(PAGE.contains(&format!("gadgets/{name}.board)")), "{name}");
        assert!(PAGE.contains(&format!("(pictures/reductions/{name}.svg)")), "{name}");
        assert_shows(picture, board, name);
    }
}

#[test]
fn the_page_shows_the_board_of_the_formula() {
    let formula = include_str!("../../../../../docs/pictures/reductions/formula.qdimacs");
    let board = reduce(&Formula::parse(formula).unwrap(), 2).unwrap().board_file();
    let picture = include_str!("../../../../../docs/pictures/reductions/formula.svg");
    assert!(PAGE.contains("(pictures/reductions/formula.svg)"));
    assert_shows(picture, &board, "formula");
}
