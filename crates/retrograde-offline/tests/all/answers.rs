//! Tests that a page answers all requests that a server answers, with the same problems.

use std::sync::LazyLock;

use retrograde_explore::{Loader, ROUTES, Registry, SolveOptions};
use retrograde_offline::Solved;
use retrograde_solve::Silent;
use serde_json::{Value as Json, json};

static GAMES: LazyLock<Registry> = LazyLock::new(retrograde_games::registry);
const GAME: &str = "touchdown:3x3";

/// A small game with its table.
fn solved() -> Solved<'static> {
    let tables = retrograde_testkit::tempdir().unwrap();
    let game = GAMES.find(GAME, &Loader::none()).unwrap();
    game.solve(tables.path(), &SolveOptions::default(), &Silent).unwrap();
    let file = |name: &str| std::fs::read(tables.path().join("touchdown_3x3").join(name)).unwrap();
    Solved::open(&GAMES, file("manifest.json"), file("values.rgt"), None).unwrap()
}

fn ask(solved: &Solved<'_>, question: &Json) -> (u64, Json) {
    let mut answer: Json = serde_json::from_str(&solved.ask(question.to_string().as_bytes())).unwrap();
    (answer["status"].as_u64().unwrap(), answer["body"].take())
}

#[test]
fn every_request_is_answered() {
    let solved = solved();
    for route in ROUTES {
        let path = route.path.replace("{position}", "OOO%2F...%2FXXX");
        let mut question = json!({"path": format!("games/{GAME}/{path}")});
        match route.body {
            None if route.name == "find" => question["query"] = json!({"outcome": "win", "limit": 2}),
            None if route.name == "refusal" => question["query"] = json!({"squares": "a1"}),
            None => {}
            Some(body) => question["body"] = json!({route_list(body): []}),
        }
        let (status, answer) = ask(&solved, &question);
        assert_eq!((status, &answer["game"]), (200, &json!(GAME)), "{question}: {answer}");
    }
}

/// The list in the body of a request.
fn route_list(body: &str) -> &'static str {
    if body == "Batch" { "positions" } else { "turns" }
}

#[test]
fn the_game_is_described_as_in_a_list() {
    let solved = solved();
    let (_, list) = ask(&solved, &json!({"path": "games"}));
    let (status, game) = ask(&solved, &json!({"path": "games/touchdown%3A3x3"}));
    assert_eq!((status, &list["games"]), (200, &json!([game])));
    assert_eq!(game["start"], json!({"outcome": "loss", "turns": 6}));
    assert_eq!((&game["title"], &game["known"]), (&json!("TouchDown 3 × 3"), &Json::Null));
    let (status, same) = ask(&solved, &json!({"path": "games/TouchDown%203x3"}));
    assert_eq!((status, same), (200, game));
}

#[test]
fn unreadable_games_are_rejected() {
    let solved = solved();
    for (what, query, expected) in [
        ("positions", json!({"to_move": "third"}), "`to_move` must be `first` or `second`, not third"),
        (
            "positions",
            json!({"place": 1}),
            "there is no parameter `place`; expected `position`, `to_move`, `moves`, `nimbers`, `offset` \
             or `limit`",
        ),
        ("find", json!({}), "`outcome` is missing"),
        (
            "find",
            json!({"outcome": "win", "turns": 65536}),
            "`turns` must be a whole number up to 65535, not 65536",
        ),
        ("find", json!({"outcome": "win", "limit": 101}), "`limit` must be at most 100, not 101"),
        ("view", json!({"position": "x", "board": "x"}), "`position` and `board` cannot be combined"),
    ] {
        let (status, problem) =
            ask(&solved, &json!({"path": format!("games/{GAME}/{what}"), "query": query}));
        assert_eq!((status, problem["detail"].as_str()), (400, Some(expected)), "{what}: {problem}");
    }
    for (path, status) in [("games/chess", 404), ("games/touchdown:3x3/nothing", 404), ("nothing", 404)] {
        assert_eq!(ask(&solved, &json!({"path": path})).0, status, "{path}");
    }
    let (status, problem) =
        ask(&solved, &json!({"path": format!("games/{GAME}/positions"), "query": {"position": "?"}}));
    assert_eq!((status, &problem["place"]), (400, &json!(1)), "{problem}");
}
