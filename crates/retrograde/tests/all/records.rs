//! Tests of records and of `annotate`: records from `play` and from the page, files without
//! coordinates, and comments on turns.

use std::path::Path;

use serde_json::Value as Json;

use crate::common::{answer, failure, list, program, run_with_input, solved};

/// The annotations of a record.
fn annotated(tables: &Path, game: &str, record: &str) -> Vec<Json> {
    let file = tables.join("game.txt");
    std::fs::write(&file, record).unwrap();
    list(tables, &["annotate", game, file.to_str().unwrap()])
}

fn refused(tables: &Path, game: &str, record: &str) -> String {
    let file = tables.join("game.txt");
    std::fs::write(&file, record).unwrap();
    failure(tables, &["annotate", game, file.to_str().unwrap()], 1)
}

/// The turns in board coordinates.
fn shown(annotations: &[Json]) -> Vec<&str> {
    annotations.iter().map(|annotation| annotation["turn_on_board"].as_str().unwrap()).collect()
}

#[test]
fn records_name_their_coordinates() {
    let tables = &solved(&["touchdown"]);
    let board = "a1a2\nd4d3\nb1b2\n";
    let mover = "a1a2\na1a2\nb1b2\n";
    for record in [
        // Without a header, turns are in the coordinates of the board or, if that fails, of the
        // mover.
        board.to_owned(),
        mover.to_owned(),
        format!("# touchdown:4x4\n{mover}"),
        format!("# touchdown:4x4\n# coordinates: board\n{board}"),
        format!("# touchdown:4x4\n# coordinates: mover\n{mover}"),
        "# by hand\n1. a1a2  # good\n2. d4d3?!\n\n3. b1b2 !\n".to_owned(),
    ] {
        assert_eq!(shown(&annotated(tables, "touchdown", &record)), ["a1a2", "d4d3", "b1b2"], "{record}");
    }
    // A header decides.
    let message = refused(tables, "touchdown", &format!("# coordinates: board\n{mover}"));
    assert!(message.contains("turn 2"), "{message}");
    let message = refused(tables, "touchdown", &format!("# coordinates: mover\n{board}"));
    assert!(message.contains("turn 2"), "{message}");
    for (record, reason) in [
        ("# coordinates: mine\n", "coordinates must be `board` or `mover`"),
        ("# to move: white\n", "the player must be `red` or `blue`"),
        ("# from nowhere\na1a2\n", "position “nowhere”"),
        ("# tactics:4x4\na1\n", "a game of tactics:4x4, not of touchdown:4x4"),
        ("a1a2\nz9z9\n", "turn 2 “z9z9”: found 'z'"),
        // Only in the coordinates of the board can the first three turns be read. The mover's `b1b2` would be legal.
        ("a1a2\nd4d3\nb1b2\nb1b2\n", "turn 4 “b1b2”: "),
        ("a1a2\na1a2\nb1b2\nc4c3\n", "turn 4 “c4c3”: "),
    ] {
        let message = refused(tables, "touchdown", record);
        assert!(message.contains(reason), "{record}: {message}");
    }
}

#[test]
fn records_can_start_from_a_position() {
    let tables = &solved(&["touchdown"]);
    let near = "# from ...O/..O./..../.XX.\n";
    let red =
        annotated(tables, "touchdown", &format!("# touchdown:4x4\n# coordinates: board\n{near}c1c2\nd4d3\n"));
    assert_eq!(red[0]["player"], "first");
    assert_eq!((&red[0]["before"]["outcome"], &red[0]["before"]["turns"]), (&"win".into(), &5.into()));
    // From Blue's perspective its pawns move up; on the board they move down.
    let blue =
        annotated(tables, "touchdown", &format!("# coordinates: board\n{near}# to move: blue\nb4b3\n"));
    assert_eq!((&blue[0]["player"], &blue[0]["turn"]), (&"second".into(), &"c1c2".into()));
    assert_eq!(blue[0]["before"], red[0]["before"]);
    // `play` writes what `annotate` reads.
    let file = tables.join("saved.txt");
    let mut command = program();
    command.args(["play", "touchdown", "...O/..O./..../.XX.", "--tables"]).arg(&**tables);
    let output = run_with_input(command, &format!("c1c2\nsave {}\nquit\n", file.display()));
    assert!(output.status.success());
    let saved = std::fs::read_to_string(&file).unwrap();
    let lines: Vec<&str> = saved.lines().collect();
    assert_eq!(lines[..4], ["# touchdown:4x4", "# coordinates: board", "# from ...O/..O./..../.XX.", "c1c2"]);
    assert_eq!(shown(&annotated(tables, "touchdown", &saved)), lines[3..]);
}

#[test]
fn comments_say_what_was_wrong() {
    let tables = &solved(&["touchdown"]);
    let file = tables.join("game.txt");
    std::fs::write(&file, "# touchdown:4x4\n# coordinates: board\nb1b2\nd4d3\nb2b3\n").unwrap();
    let path = file.to_str().unwrap();
    let text = answer(tables, &["annotate", "touchdown", path]);
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    // All turns in the coordinates of the board, and every comment of the answer.
    assert!(text.contains("1. Red ") && text.contains("2. Blue") && text.contains("b1b2?"), "{text}");
    let annotations = list(tables, &["annotate", "touchdown", path]);
    let comments: Vec<&str> = annotations
        .iter()
        .filter_map(|one| one["comment"].as_str())
        .filter(|text| !text.is_empty())
        .collect();
    assert!(!comments.is_empty(), "{annotations:?}");
    for comment in comments {
        assert!(flat.contains(comment), "{comment} is missing in {text}");
    }
    assert!(flat.contains("Red threw the win away") && flat.contains("a1a2"), "{text}");
}
