//! Tests that games named in the browser, by a board's text or by name, are checked, solved and queried as on
//! the command line.

use std::path::Path;
use std::sync::LazyLock;

use retrograde_explore::{Loader, Registry, SearchLimits, SolveOptions};
use retrograde_game::Seat;
use retrograde_offline::{Guest, Solved, packed};
use retrograde_solve::Silent;
use serde_json::{Value as Json, json};

static GAMES: LazyLock<Registry> = LazyLock::new(retrograde_games::registry);

/// A hole in the middle, rails on two sides, one pusher and one pawn per side.
const RING: &str = "name = ring\npushers = 1\npawns = 1\nmoves = 1\n\
                    + +-+-+ +\n . . . .\n+ + + + +\n . # . .\n+ + + + +\n . . . .\n+ +-+-+ +\n";
/// A drawn position with more pieces on one side.
const UNEVEN: &str = "moves = 2\n+-+-+-+-+\n O . o x\n+ + + + +\n . o . Y\n+-+-+-+-+\n";

fn ask(guest: &Guest<'_>, path: &str, query: &Json) -> (u64, Json) {
    let name = guest.describe().about.game;
    let question = json!({"path": format!("games/{name}{path}"), "query": query});
    let mut answer: Json = serde_json::from_str(&guest.ask(question.to_string().as_bytes())).unwrap();
    (answer["status"].as_u64().unwrap(), answer["body"].take())
}

/// Solves a game here and with a table, and compares statistics and many positions.
fn same_as_a_table(name: &str, board: Option<&str>) {
    let mut guest = Guest::open(&GAMES, name, board).unwrap();
    let description = guest.describe();
    assert!(description.solvable && description.seconds.is_some(), "{description:?}");
    let here = guest.solve(&Silent).unwrap();

    let tables = retrograde_testkit::tempdir().unwrap();
    let bytes = board.unwrap_or_default().as_bytes().to_vec();
    let loader = Loader::new(move |_: &Path| Ok(bytes.clone()));
    let game = GAMES.find(name, &loader).unwrap();
    let there = game.solve(tables.path(), &SolveOptions::default(), &Silent).unwrap();
    let numbers = |statistics: &retrograde_explore::Statistics| {
        let mut numbers = serde_json::to_value(statistics).unwrap();
        numbers["seconds"] = Json::Null;
        for phase in numbers["phases"].as_array_mut().into_iter().flatten() {
            phase["seconds"] = Json::Null;
        }
        numbers
    };
    let table = game.explore(tables.path()).unwrap();
    let mut expected = numbers(&there);
    // Only a solve into a table reports on the table.
    expected.as_object_mut().unwrap().remove("result");
    assert_eq!(numbers(&here), expected, "{name}");

    let mut position = table.start();
    for round in 0..30 {
        let (status, probe) = ask(&guest, "/positions", &json!({"position": position}));
        let known = table.probe(&position, Seat::First, &SearchLimits::default()).unwrap();
        let known = serde_json::to_value(known).unwrap();
        assert_eq!(status, 200, "{name}: {probe}");
        for field in ["outcome", "turns"] {
            assert_eq!(probe[field], known[field], "{name} {position}: {field}");
        }
        let turns = known["turns_available"].as_array().unwrap();
        let (listed, count) = (probe["turns_available"].as_array().unwrap(), probe["page"]["count"].as_u64());
        assert_eq!(count.unwrap_or(listed.len() as u64), turns.len() as u64, "{name} {position}");
        assert_eq!(listed[..], turns[..listed.len()], "{name} {position}");
        // Not always the best turn, so that walks are long and varied.
        let Some(turn) = turns.get(round * 7 % turns.len().max(1)) else { break };
        position = turn["position"].as_str().unwrap().to_owned();
    }
    for (path, query) in [("/find", json!({"outcome": "win", "limit": 3})), ("/puzzles", json!({"limit": 2}))]
    {
        assert_eq!(ask(&guest, path, &query).0, 200, "{name}{path}");
    }
}

#[test]
fn boards_and_sizes_have_the_values_of_a_table() {
    same_as_a_table("pushfight:board.board", Some(RING));
    same_as_a_table("pushfight:board.board", Some(UNEVEN));
    same_as_a_table("pushfight:mini,pushers=1,pawns=1", None);
    same_as_a_table("touchdown:3x4", None);
    same_as_a_table("tactics:3x3,normal", None);
}

#[test]
fn a_game_without_values_is_searched_and_says_so() {
    let guest = Guest::open(&GAMES, "pushfight:board.board", Some(RING)).unwrap();
    let (status, game) = ask(&guest, "", &json!({}));
    assert_eq!((status, &game["table"], &game["plan"]["fits"]), (200, &json!(false), &json!(true)));
    assert!(game["about"]["game"].as_str().unwrap().starts_with("pushfight:ring-"), "{game}");
    assert_eq!(ask(&guest, "/positions", &json!({})).0, 200);
    assert_eq!(ask(&guest, "/stats", &json!({})).0, 404);
    let (status, view) = ask(&guest, "/view", &json!({}));
    assert_eq!((status, &view["rows"], &view["columns"]), (200, &json!(3), &json!(4)));
}

#[test]
fn wrong_boards_are_rejected_with_line_and_column_of_the_mistake() {
    for (text, place, expected) in [
        ("\n", (Some(2), Some(1)), "a drawing of"),
        ("pushers = 1\n+ + +\n . ?\n+ + +\n", (Some(3), Some(4)), "found '?'"),
        ("colour = red\n+ + +\n . .\n+ + +\n", (Some(1), Some(1)), "`colour` is not a key"),
        ("pushers = 2\n+ + +\n . .\n+ + +\n", (None, None), "too many for 2 squares"),
    ] {
        let refusal = Guest::open(&GAMES, "pushfight:board.board", Some(text)).err().unwrap();
        assert!(refusal.detail.contains(expected), "{text}: {refusal:?}");
        assert_eq!((refusal.line, refusal.column), place, "{text}: {refusal:?}");
    }
    let refusal = Guest::open(&GAMES, "chess", None).err().unwrap();
    assert!(refusal.detail.contains("there is no such game"), "{refusal:?}");
}

#[test]
fn solves_too_large_for_a_browser_are_rejected_before_they_begin() {
    for (name, expected) in [
        ("pushfight", "too many positions for a browser"),
        ("pushfight:twocolumn", "too many positions for a browser"),
        ("pushfight:twocolumn,pushers=3-2,pawns=2-1", "No table fits"),
        ("touchdown:8x6", "too many positions for a browser"),
    ] {
        let mut guest = Guest::open(&GAMES, name, None).unwrap();
        let description = guest.describe();
        assert!(!description.solvable, "{name}: {description:?}");
        let refused = guest.solve(&Silent).unwrap_err();
        assert!(refused.contains(expected), "{name}: {refused}");
        let (status, game) = ask(&guest, "", &json!({}));
        assert_eq!((status, &game["plan"]["fits"]), (200, &json!(false)), "{name}");
    }
}

#[test]
fn a_table_of_a_board_from_a_file_needs_its_text() {
    let folder = retrograde_testkit::tempdir().unwrap();
    let file = folder.path().join("my ring.board");
    std::fs::write(&file, RING.replace("name = ring\n", "")).unwrap();
    let name = format!("pushfight:{},moves=2", file.display());
    let game = GAMES.find(&name, &Loader::disk()).unwrap();
    let solved = game.solve(folder.path(), &SolveOptions::default(), &Silent).unwrap();
    let directory = folder.path().join(retrograde_table::directory_name(&solved.game));
    let files = ["losses.rgp", "placements/manifest.json", "placements/values.rgt"]
        .map(|name| (name.to_owned(), std::fs::read(directory.join(name)).unwrap()));
    let open = |board: Option<&str>| {
        let [list, bytes] = packed(&solved.game, files.to_vec());
        Solved::open(&GAMES, list, bytes, board)
    };

    let text = std::fs::read_to_string(&file).unwrap();
    let opened = open(Some(&text)).unwrap();
    let question = json!({"path": format!("games/{}", solved.game.replace(' ', "%20"))});
    let answer: Json = serde_json::from_str(&opened.ask(question.to_string().as_bytes())).unwrap();
    assert_eq!(answer["body"]["start"], serde_json::to_value(solved.start).unwrap(), "{answer}");
    assert!(open(None).err().unwrap().contains("name the file itself"));
    assert!(open(Some(&text.replacen("+-+-+", "+ +-+", 1))).err().unwrap().contains("the board makes"));
}
