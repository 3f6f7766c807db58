//! Tests of every route: its answers equal the explorer's and match the OpenAPI description.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::common::{SOLVED, Site, registry};
use retrograde_explore::{AnyGame, Loader, OpenGame, SearchLimits};
use retrograde_game::Seat;
use serde_json::{Value as Json, json};

const SMALL_PUSH_FIGHT: &str = "pushfight:mini,pushers=1,pawns=1";

/// Violations of the schema that the description has for a route.
fn mistakes(openapi: &Json, path: &str, method: &str, status: &str, answer: &Json) -> Vec<String> {
    let response = &openapi["paths"][path][method]["responses"][status];
    let content = response["content"].as_object().unwrap_or_else(|| panic!("{method} {path} {status}"));
    let mut schema = content.values().next().unwrap()["schema"].clone();
    schema["components"] = openapi["components"].clone();
    let validator = jsonschema::validator_for(&schema).unwrap();
    validator.iter_errors(answer).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

/// Asks the explorer itself.
fn with_game<T>(site: &Site, name: &str, ask: impl FnOnce(&OpenGame) -> T) -> T {
    let subject: Arc<AnyGame> = registry().find(name, &Loader::none()).unwrap();
    ask(&subject.explore(site.tables.path()).unwrap())
}

fn probe(site: &Site, name: &str, position: Option<&str>, seat: Seat) -> Json {
    with_game(site, name, |game| {
        let start = game.start();
        let limits = SearchLimits::default();
        serde_json::to_value(game.probe(position.unwrap_or(&start), seat, &limits).unwrap()).unwrap()
    })
}

#[tokio::test]
async fn every_route_answers_as_it_is_described() {
    let site = Site::new();
    let openapi = site.get("/openapi.json").await.json();
    let api = "/api/v1/games";
    let uwapi = "/uwapi/{game}/{variant}/positions/";
    for (route, path) in [
        ("/api/v1/games", api.to_owned()),
        ("/api/v1/games/{game}", format!("{api}/touchdown:3x3")),
        ("/api/v1/games/{game}", format!("{api}/pushfight")),
        ("/api/v1/games/{game}", format!("{api}/tactics:6x6")),
        ("/api/v1/games/{game}/stats", format!("{api}/touchdown:4x4/stats")),
        ("/api/v1/games/{game}/stats", format!("{api}/{SMALL_PUSH_FIGHT}/stats")),
        ("/api/v1/games/{game}/positions", format!("{api}/touchdown/positions")),
        ("/api/v1/games/{game}/positions", format!("{api}/{SMALL_PUSH_FIGHT}/positions")),
        ("/api/v1/games/{game}/positions", format!("{api}/touchdown:7x5/positions")),
        ("/api/v1/games/{game}/positions/{position}", format!("{api}/tactics:3x3/positions/X__%2F___%2F__X")),
        ("/api/v1/games/{game}/pressure", format!("{api}/tactics:3x3/pressure?limit=0")),
        ("/api/v1/games/{game}/pressure", format!("{api}/{SMALL_PUSH_FIGHT}/pressure?limit=2")),
        ("/api/v1/games/{game}/pressure", format!("{api}/touchdown:7x5/pressure")),
        ("/api/v1/games/{game}/line", format!("{api}/tactics:3x3/line")),
        ("/api/v1/games/{game}/line", format!("{api}/touchdown/line?limit=2&to_move=second")),
        ("/api/v1/games/{game}/steps", format!("{api}/tactics:3x3/steps")),
        ("/api/v1/games/{game}/steps", format!("{api}/{SMALL_PUSH_FIGHT}/steps")),
        ("/api/v1/games/{game}/rules", format!("{api}/tactics:3x3/rules")),
        ("/api/v1/games/{game}/rules", format!("{api}/touchdown:6x6/rules")),
        ("/api/v1/games/{game}/rules", format!("{api}/pushfight/rules")),
        ("/api/v1/games/{game}/refusal", format!("{api}/tactics:3x3/refusal?squares=a1,b2")),
        ("/api/v1/games/{game}/refusal", format!("{api}/pushfight/refusal?squares=h4")),
        ("/api/v1/games/{game}/puzzles/depths", format!("{api}/touchdown/puzzles/depths")),
        ("/api/v1/games/{game}/puzzles/depths", format!("{api}/tactics:3x3/puzzles/depths?kind=save")),
        ("/api/v1/games/{game}/view", format!("{api}/tactics:3x3/view")),
        ("/api/v1/games/{game}/view", format!("{api}/touchdown/view?to_move=second&turn=a1a2")),
        ("/api/v1/games/{game}/view", format!("{api}/{SMALL_PUSH_FIGHT}/view")),
        ("/api/v1/games/{game}/find", format!("{api}/touchdown:3x3/find?outcome=loss&turns=6")),
        ("/api/v1/games/{game}/find", format!("{api}/touchdown:3x3/find?outcome=win&random=true&limit=3")),
        ("/api/v1/games/{game}/puzzles", format!("{api}/touchdown:3x3/puzzles")),
        ("/api/v1/games/{game}/puzzles", format!("{api}/touchdown/puzzles?kind=save&seed=3&limit=1")),
        ("/api/v1/games/{game}/puzzles", format!("{api}/touchdown:3x3/puzzles?kind=press&limit=1")),
        ("/api/v1/games/{game}/puzzles", format!("{api}/touchdown/puzzles?position=OOOO/..../..../XXXX")),
        ("/uwapi/", "/uwapi/".to_owned()),
        ("/uwapi/{game}/", "/uwapi/tactics/".to_owned()),
        ("/uwapi/{game}/{variant}/", "/uwapi/tactics/3x3/".to_owned()),
        (uwapi, "/uwapi/touchdown/regular/positions/".to_owned()),
        (uwapi, "/uwapi/touchdown/7x5/positions/".to_owned()),
        ("/healthz", "/healthz".to_owned()),
        ("/readyz", "/readyz".to_owned()),
    ] {
        let reply = site.get(&path).await;
        assert_eq!(reply.status, 200, "{path}: {}", reply.text());
        assert_eq!(reply.header("content-type"), "application/json", "{path}");
        let answer = reply.json();
        assert_eq!(
            mistakes(&openapi, route, "get", "200", &answer),
            Vec::<String>::new(),
            "{path}: {answer}"
        );
    }
    let body = json!({"positions": ["OOO/.../XXX", "?", ""]}).to_string();
    let reply = site.post(&format!("{api}/touchdown:3x3/positions"), body).await;
    let route = "/api/v1/games/{game}/positions";
    assert_eq!(mistakes(&openapi, route, "post", "200", &reply.json()), Vec::<String>::new());
    for path in [format!("{api}/chess/positions"), format!("{api}/touchdown/positions?position=OO")] {
        let reply = site.get(&path).await;
        let status = reply.status.as_str().to_owned();
        assert_eq!(mistakes(&openapi, route, "get", &status, &reply.json()), Vec::<String>::new(), "{path}");
    }
}

#[tokio::test]
async fn every_described_path_is_served() {
    let site = Site::new();
    let openapi = site.get("/openapi.json").await.json();
    assert!(openapi["openapi"].as_str().unwrap().starts_with("3.1"));
    let paths = openapi["paths"].as_object().unwrap();
    assert_eq!(paths.len(), 29, "{:?}", paths.keys());
    for (path, methods) in paths {
        let path =
            path.replace("{game}", "touchdown:3x3").replace("{position}", "x").replace("{variant}", "3x3");
        let reply = match methods.get("get") {
            Some(_) => site.get(&path).await,
            None => site.post(&path, "{}").await,
        };
        let kind = reply.json_or_null()["type"].clone();
        assert_ne!(kind, json!("urn:retrograde:problem:method"), "{path}");
        // Files that this server does not have, although their paths are described.
        let file = path.starts_with("/assets/") || path == "/module.wasm";
        assert!(kind != json!("urn:retrograde:problem:path") || file, "{path}");
    }
}

/// All objects within a value, each with its name.
fn objects<'a>(name: &str, json: &'a Json, found: &mut Vec<(String, &'a serde_json::Map<String, Json>)>) {
    match json {
        Json::Object(fields) => {
            found.push((name.to_owned(), fields));
            fields.iter().for_each(|(field, value)| objects(&format!("{name}/{field}"), value, found));
        }
        Json::Array(items) => items.iter().for_each(|item| objects(name, item, found)),
        _ => {}
    }
}

/// Generators of clients support less of JSON Schema than validators; `checks/clients/check` runs three.
#[tokio::test]
async fn the_description_is_one_that_client_generators_read() {
    let openapi = Site::new().get("/openapi.json").await.json();
    let mut all = Vec::new();
    objects("", &openapi, &mut all);
    let mut used = BTreeSet::new();
    for (name, fields) in all {
        if let Some(target) = fields.get("$ref").and_then(Json::as_str) {
            let target = target.strip_prefix('#').unwrap_or_else(|| panic!("{name} refers to another file"));
            assert!(openapi.pointer(target).is_some(), "{name}: {target}");
            used.insert(target.rsplit('/').next().unwrap().to_owned());
        }
        for keyword in ["items", "prefixItems", "oneOf", "anyOf", "allOf", "not"] {
            let schema = fields.get(keyword);
            assert!(!schema.is_some_and(Json::is_boolean), "{name}: `{keyword}` is no schema");
        }
        let is_integer = fields.get("type").is_some_and(|kind| kind.to_string().contains("\"integer\""));
        assert!(
            !is_integer || fields.get("format") == Some(&json!("int64")),
            "{name}: too narrow an integer"
        );
        // Bytes are not a list of numbers.
        let bytes =
            ["image/png", "image/gif", "application/wasm"].iter().filter_map(|kind| fields.get(*kind));
        bytes.for_each(|body| assert_eq!(body["schema"]["format"], "binary", "{name}"));
    }
    let schemas = openapi["components"]["schemas"].as_object().unwrap();
    let unused: Vec<&String> = schemas.keys().filter(|name| !used.contains(*name)).collect();
    assert!(unused.is_empty(), "{unused:?}");
}

#[tokio::test]
async fn positions_are_those_of_probe() {
    let site = Site::new();
    for (game, position) in [
        ("touchdown:4x4", None),
        ("touchdown:4x4", Some("...O/..O./..../.XX.")),
        ("tactics:3x3", Some("X__/___/__X")),
        (SMALL_PUSH_FIGHT, None),
        (SMALL_PUSH_FIGHT, Some("...O......xYo.")),
        (SMALL_PUSH_FIGHT, Some("...OO.....xYo.")),
    ] {
        let Some(position) = position else {
            let reply = site.get(&format!("/api/v1/games/{game}/positions")).await;
            assert_eq!(reply.json(), probe(&site, game, None, Seat::First), "{game}");
            continue;
        };
        let legal = with_game(&site, game, |game| game.canonical(position).is_ok());
        let query = format!("/api/v1/games/{game}/positions?position={position}");
        let path = format!("/api/v1/games/{game}/positions/{}", position.replace('/', "%2F"));
        for path in [query, path] {
            let reply = site.get(&path).await;
            assert_eq!(reply.status.is_success(), legal, "{path}: {}", reply.text());
            if legal {
                assert_eq!(reply.json(), probe(&site, game, Some(position), Seat::First), "{path}");
                // The same bytes as `probe --json`, without the end of the line.
                let direct = with_game(&site, game, |game| {
                    serde_json::to_vec(&game.probe(position, Seat::First, &SearchLimits::default()).unwrap())
                });
                assert_eq!(reply.body, direct.unwrap());
            }
            let mark = if path.contains('?') { '&' } else { '?' };
            let second = site.get(&format!("{path}{mark}to_move=second")).await;
            if legal {
                assert_eq!(second.json(), probe(&site, game, Some(position), Seat::Second), "{path}");
            }
        }
    }
}

#[tokio::test]
async fn a_batch_answers_each_position_or_says_why_not() {
    let site = Site::new();
    let path = "/api/v1/games/touchdown:3x3/positions";
    let body = json!({"positions": ["OOO/.../XXX", "OOO/?../XXX"], "to_move": "second"}).to_string();
    let reply = site.post(path, body).await;
    assert_eq!(reply.status, 200);
    let answer = reply.json();
    assert_eq!(answer["game"], "touchdown:3x3");
    assert_eq!(
        answer["answers"][0]["answer"],
        probe(&site, "touchdown:3x3", Some("OOO/.../XXX"), Seat::Second)
    );
    let problem = &answer["answers"][1]["problem"];
    assert_eq!(
        (&problem["status"], &problem["place"], &problem["character"]),
        (&json!(400), &json!(5), &json!("?"))
    );
    assert_eq!(answer["answers"][1]["position"], "OOO/?../XXX");
}

#[tokio::test]
async fn lines_statistics_and_finds_are_the_explorers() {
    let site = Site::new();
    let game = "touchdown:4x4";
    let line = with_game(&site, game, |game| {
        let limits = SearchLimits::default();
        serde_json::to_value(game.line(&game.start(), Seat::First, 200, &limits).unwrap()).unwrap()
    });
    assert_eq!(site.get(&format!("/api/v1/games/{game}/line")).await.json(), line);
    let statistics = with_game(&site, game, |game| serde_json::to_value(game.statistics().unwrap()).unwrap());
    assert_eq!(site.get(&format!("/api/v1/games/{game}/stats")).await.json(), statistics);

    let find = format!("/api/v1/games/{game}/find?outcome=win&turns=11&limit=5");
    let first = site.get(&find).await.json();
    assert_eq!((first["positions"].as_array().unwrap().len(), &first["seed"]), (5, &Json::Null));
    assert!(first["positions"].as_array().unwrap().iter().all(|found| found["turns"] == 11));
    let seeded = site.get(&format!("{find}&seed=7")).await;
    assert_eq!(seeded.json(), site.get(&format!("{find}&seed=7&random=true")).await.json());
    assert!(!seeded.header("etag").is_empty());
    let random = site.get(&format!("{find}&random=true")).await;
    assert!(random.header("etag").is_empty() && random.header("cache-control") == "no-store");
    let again = random.json()["seed"].as_u64().unwrap();
    assert_eq!(site.get(&format!("{find}&seed={again}")).await.json(), random.json());

    let puzzles = site.get(&format!("/api/v1/games/{game}/puzzles?turns=7&limit=2")).await.json();
    assert_eq!(puzzles["puzzles"].as_array().unwrap().len(), 2);
    for puzzle in puzzles["puzzles"].as_array().unwrap() {
        let probe = probe(&site, game, puzzle["position"].as_str(), Seat::First);
        assert_eq!(probe["turns_available"][0]["turn"], puzzle["solution"]);
        assert_ne!(probe["turns_available"][1]["outcome"], "win");
    }
}

#[tokio::test]
async fn games_are_listed_with_what_is_known() {
    let site = Site::new();
    let list = site.get("/api/v1/games").await.json();
    let games = list["games"].as_array().unwrap();
    let named = |name: &str| games.iter().find(|game| game["about"]["game"] == name);
    assert_eq!(named("touchdown:4x4").unwrap()["start"], json!({"outcome": "win", "turns": 11}));
    assert_eq!(named("tactics:4x4").unwrap()["start"], Json::Null);
    // It is not an example, but has a table.
    assert_eq!(named(SMALL_PUSH_FIGHT).unwrap()["table"], true);
    let names: BTreeSet<&str> = games.iter().filter_map(|game| game["about"]["game"].as_str()).collect();
    assert_eq!((games.len(), names.len()), (18, 18), "{list}");
    assert!(SOLVED.iter().all(|name| names.contains(name)) && names.contains("touchdown:6x5"), "{list}");
    let game = site.get("/api/v1/games/tactics:6x6").await.json();
    assert_eq!((&game["table"], &game["plan"]["positions"]), (&json!(false), &json!(68_719_476_736_u64)));
    assert!(game["plan"].get("tables").is_none());
}

#[tokio::test]
async fn unknown_is_not_a_draw() {
    let mut config = retrograde_serve::Config::default();
    config.limits.search_nodes = 3;
    let site = Site::empty(config);
    let probe = site.get("/api/v1/games/touchdown:8x6/positions").await.json();
    assert_eq!(
        (&probe["outcome"], &probe["turns"], &probe["source"]),
        (&json!("unknown"), &Json::Null, &json!("search"))
    );
    let position = site.get("/uwapi/touchdown/8x6/positions/").await.json();
    assert_eq!((&position["positionValue"], &position["remoteness"]), (&json!("unsolved"), &json!(-100)));
}

#[tokio::test]
async fn pictures_are_drawn() {
    let site = Site::new();
    let path = "/api/v1/games/touchdown/picture";
    let svg =
        site.get(&format!("{path}.svg?position=...O/..O./..../.XX.&turn=b1b2&theme=dark&square=40")).await;
    assert_eq!((svg.status.as_u16(), svg.header("content-type")), (200, "image/svg+xml"));
    assert!(svg.text().starts_with("<svg ") && svg.text().contains("<title>TouchDown 4 × 4<"));
    let png = site.get(&format!("{path}.png?width=100")).await;
    assert_eq!((png.status.as_u16(), png.header("content-type")), (200, "image/png"));
    assert!(png.body.starts_with(b"\x89PNG"));
    for bad in [".png?width=0", ".png?width=99999", ".svg?square=1000", ".svg?theme=pink", ".svg?turn=z9z8"] {
        assert_eq!(site.get(&format!("{path}{bad}")).await.status, 400, "{bad}");
    }
}

#[tokio::test]
async fn whoever_makes_turns_on_a_board_needs_no_rules() {
    let site = Site::new();
    let ask = async |path: &str| site.get(&format!("/api/v1/games/{path}")).await.json();
    let piece = |name, shape, letter| json!({"name": name, "shape": shape, "owner": "first", "anchored": false, "letter": letter});
    let placing = ask(&format!("{SMALL_PUSH_FIGHT}/view")).await;
    assert_eq!(
        placing["to_place"],
        json!([{"piece": piece("pusher", "square", "O"), "count": 1}, {"piece": piece("pawn", "round", "o"), "count": 1}])
    );
    let steps = ask(&format!("{SMALL_PUSH_FIGHT}/steps")).await;
    for step in steps["steps_available"].as_array().unwrap() {
        let squares = &step["squares"];
        let text = format!("O:{} o:{}", squares[0].as_str().unwrap(), squares[1].as_str().unwrap());
        assert_eq!((&step["step"], &step["any_order"]), (&json!(text), &json!(true)));
    }
    let step_of = |steps: &Json, text: &str| {
        let steps = steps["steps_available"].as_array().unwrap();
        let step =
            steps.iter().find(|step| step["step"] == text).unwrap_or_else(|| panic!("{text}: {steps:?}"));
        (step["squares"].clone(), step["any_order"].clone())
    };
    // The second player's turn, on the first player's board.
    let steps = ask("touchdown/steps?to_move=second").await;
    assert_eq!(step_of(&steps, "a1a2"), (json!(["d4", "d3"]), json!(false)));
    let steps = ask("tactics:3x3/steps").await;
    assert_eq!(step_of(&steps, "a1-b1"), (json!(["a1", "b1"]), json!(true)));
    assert_eq!(ask("touchdown/view").await["to_place"], json!([]));
}

#[tokio::test]
async fn a_board_is_seen_by_the_first_player_and_a_position_by_the_side_to_move() {
    let site = Site::new();
    let view = |query: &str| format!("/api/v1/games/{query}");
    for (path, position) in [
        ("touchdown/view?board=OOOO/..../X.../.XXX&to_move=second", "OOO./...O/..../XXXX"),
        ("touchdown/view?board=OOOO/..../X.../.XXX", "OOOO/..../X.../.XXX"),
        // The side with the anchor has just pushed.
        ("pushfight:mini/view?board=oO../.o..X./xxPX&to_move=second", "xX...x..O.ooYO"),
    ] {
        let reply = site.get(&view(path)).await;
        assert_eq!(reply.json_or_null()["position"], position, "{path}: {}", reply.text());
    }
    let shown =
        site.get(&view("touchdown/view?board=OOOO/..../X.../.XXX&to_move=second&turn=a1a2")).await.json();
    assert_eq!(shown["marks"], json!([{"kind": "move", "squares": ["d4", "d3"]}]));
    assert_eq!(
        shown["motions"],
        json!([[{"kind": "slide", "from": "d4", "via": [], "to": "d3", "toward": "bottom", "piece": null}]])
    );
    assert_eq!(shown["off_board"], json!([]));
    assert_eq!(shown["squares"][0]["piece"]["owner"], "second");
    assert_eq!(
        shown["squares"][8],
        json!({"name": "a2", "piece": {"name": "pawn", "shape": "pawn", "owner": "first", "anchored": false, "letter": "X"}})
    );
    for (path, status) in [
        ("touchdown/view?board=O&position=O", 400),
        ("touchdown/view?board=O", 400),
        ("touchdown/view?turn=a1a4", 400),
        ("touchdown/picture.gif", 400),
        ("touchdown/picture.gif?turns=a1a2;a1a2;a1a2;a1a9", 400),
        ("touchdown/picture.gif?turns=a1a2&width=10", 400),
        ("touchdown/picture.gif?turns=a1a2&width=99999", 400),
    ] {
        assert_eq!(site.get(&view(path)).await.status, status, "{path}");
    }
    let gif = site.get(&view("touchdown/picture.gif?turns=a1a2;d4d3&width=200")).await;
    assert!(gif.status == 200 && gif.body.starts_with(b"GIF89a"));
}

#[tokio::test]
async fn a_played_game_is_marked_from_any_position() {
    let site = Site::new();
    let openapi = site.get("/openapi.json").await.json();
    let path = "/api/v1/games/touchdown/annotate";
    let body = json!({"turns": ["b1b2", "d4d3", "b2b3"]}).to_string();
    let reply = site.post(path, body).await;
    let answer = reply.json();
    let route = "/api/v1/games/{game}/annotate";
    assert_eq!(mistakes(&openapi, route, "post", "200", &answer), Vec::<String>::new(), "{answer}");
    let turns = answer["turns"].as_array().unwrap();
    let marks: Vec<&str> = turns.iter().map(|turn| turn["mark"].as_str().unwrap()).collect();
    assert_eq!((turns[0]["better"].as_str(), marks[0]), (Some("a1a2"), "?"), "{marks:?}");
    // The second turn was written as the first player sees it.
    assert_eq!((turns[1]["turn"].as_str(), turns[1]["turn_on_board"].as_str()), (Some("a1a2"), Some("d4d3")));
    assert_eq!(
        turns[2]["position"],
        probe(&site, "touchdown", turns[2]["position"].as_str(), Seat::Second)["position"]
    );

    let comment = turns[0]["comment"].as_str().unwrap();
    assert!(comment.starts_with("Red threw the win away: Blue now wins in "), "{comment}");
    assert!(comment.ends_with(" a1a2 was better."), "{comment}");
    assert_eq!(turns[0]["better_on_board"], "a1a2");
    assert_eq!(turns[0]["better_value"], json!({"outcome": "win", "turns": 11}));

    let later = json!({"position": turns[0]["position"], "to_move": "second", "turns": ["a1a2"]}).to_string();
    let answer = site.post(path, later).await.json();
    assert_eq!((&answer["to_move"], &answer["turns"][0]["player"]), (&json!("second"), &json!("second")));
    // A record has one kind of coordinates, given by `coordinates`.
    let (board, mover) = (["b1b2", "d4d3", "b2b3"], ["b1b2", "a1a2", "b2b3"]);
    for (coordinates, turns, status) in [
        (json!("board"), board, 200),
        (json!("board"), mover, 400),
        (json!("mover"), mover, 200),
        (json!("mover"), board, 400),
        (json!("either"), board, 200),
        (json!("either"), mover, 200),
        (json!(null), mover, 200),
        (json!("other"), board, 400),
    ] {
        let body = json!({"turns": turns, "coordinates": coordinates}).to_string();
        let reply = site.post(path, body.clone()).await;
        assert_eq!(reply.status, status, "{body}");
        if status == 200 {
            assert_eq!(reply.json()["turns"][1]["turn_on_board"], "d4d3", "{body}");
        }
    }
    for (body, status) in [
        (json!({"turns": ["b1b2", "b1b2", "b1b2"]}), 400),
        (json!({"turns": "b1b2"}), 400),
        (json!({"position": "x", "turns": []}), 400),
        (json!({"turns": vec!["a1a2"; 501]}), 413),
    ] {
        assert_eq!(site.post(path, body.to_string()).await.status, status, "{body}");
    }
}

/// Blue's best turns are in Red's coordinates, next to Blue's own notation.
#[tokio::test]
async fn a_better_turn_of_blue_is_named_on_the_board() {
    let site = Site::new();
    let turns = site.get("/api/v1/games/touchdown:3x3/positions").await.json();
    let mut errors = 0;
    for first in turns["turns_available"].as_array().unwrap() {
        let path = format!(
            "/api/v1/games/touchdown:3x3/positions?to_move=second&position={}",
            first["position"].as_str().unwrap()
        );
        let replies = site.get(&path).await.json();
        for reply in replies["turns_available"].as_array().unwrap() {
            let body = json!({"turns": [first["turn"], reply["turn_on_board"]]}).to_string();
            let marked = site.post("/api/v1/games/touchdown:3x3/annotate", body).await.json();
            let turn = &marked["turns"][1];
            let Some(better) = turn["better"].as_str() else {
                assert_eq!((&turn["better_on_board"], &turn["better_value"]), (&Json::Null, &Json::Null));
                continue;
            };
            errors += 1;
            let best = replies["turns_available"].as_array().unwrap().iter();
            let best = best.clone().find(|best| best["turn"] == better).unwrap();
            assert_eq!(turn["better_on_board"], best["turn_on_board"]);
            assert_ne!(turn["better_on_board"], turn["better"]);
            let comment = turn["comment"].as_str().unwrap();
            assert!(comment.starts_with("Blue "), "{comment}");
            assert!(comment.contains(&format!(" {} ", best["turn_on_board"].as_str().unwrap())), "{comment}");
        }
    }
    assert!(errors > 0);
}

#[tokio::test]
async fn one_position_is_asked_whether_it_is_a_puzzle() {
    let site = Site::new();
    let path = "/api/v1/games/touchdown:4x4/puzzles";
    let all = site.get(&format!("{path}?limit=5")).await.json();
    for puzzle in all["puzzles"].as_array().unwrap() {
        let position = puzzle["position"].as_str().unwrap();
        let one = site.get(&format!("{path}?position={position}&kind=win")).await.json();
        assert_eq!(one["puzzles"], json!([puzzle]));
        assert_eq!(puzzle["solution_on_board"], puzzle["solution"]);
        let turned = site.get(&format!("{path}?position={position}&to_move=second")).await.json();
        let (solution, shown) =
            (&turned["puzzles"][0]["solution"], &turned["puzzles"][0]["solution_on_board"]);
        let probe = probe(&site, "touchdown:4x4", Some(position), Seat::Second);
        assert_eq!(
            (solution, shown),
            (&probe["turns_available"][0]["turn"], &probe["turns_available"][0]["turn_on_board"])
        );
        for none in ["kind=save", "turns=65535", "limit=0"] {
            let empty = site.get(&format!("{path}?position={position}&{none}")).await.json();
            assert_eq!(empty["puzzles"], json!([]), "{none}");
        }
    }
    // The start has several turns that win, and a finished game has no turns.
    for position in ["OOOO/..../..../XXXX", "..../..../..../O..."] {
        let reply = site.get(&format!("{path}?position={position}")).await;
        assert_eq!((reply.status.as_u16(), &reply.json()["puzzles"]), (200, &json!([])), "{position}");
    }
    for refused in ["position=O", "position=OOOO/..../..../XXXX&seed=1"] {
        assert_eq!(site.get(&format!("{path}?{refused}")).await.status, 400, "{refused}");
    }
}

#[tokio::test]
async fn steps_say_what_they_do_and_turns_what_parts_they_have() {
    let site = Site::new();
    let ask = async |path: &str| site.get(&format!("/api/v1/games/{path}")).await.json();
    let kinds = |steps: &Json| {
        let steps = steps["steps_available"].as_array().unwrap().iter();
        let mut kinds: Vec<String> = steps.map(|step| step["kind"].as_str().unwrap().to_owned()).collect();
        kinds.sort();
        kinds.dedup();
        kinds
    };
    let played = format!("{SMALL_PUSH_FIGHT}/steps?position=....Ox...o.Y..");
    for (path, parts, expected) in [
        ("tactics:3x3/steps", json!([]), vec!["fill"]),
        ("touchdown/steps", json!([]), vec!["move"]),
        (&*format!("{SMALL_PUSH_FIGHT}/steps"), json!([]), vec!["place"]),
        (&*played, json!(["Move", "Move", "Push"]), vec!["move", "push"]),
        (
            &*played.replace("/steps", ",moves=unlimited/steps"),
            json!(["Moves", "Push"]),
            vec!["move", "push"],
        ),
        (&*format!("{SMALL_PUSH_FIGHT},moves=0/steps?position=....Ox....Yo.."), json!([]), vec!["push"]),
    ] {
        let steps = ask(path).await;
        assert_eq!(
            (&steps["parts"], kinds(&steps)),
            (&parts, expected.iter().map(|&kind| kind.to_owned()).collect()),
            "{path}"
        );
        for step in steps["steps_available"].as_array().unwrap() {
            assert!(step["kind"] != "push" || step["ends"] == true, "{path}: {step}");
        }
    }
}

#[tokio::test]
async fn mistyped_names_are_understood_or_answered_with_the_one_that_was_meant() {
    let site = Site::new();
    for (typed, name) in [
        ("TOUCHDOWN:3x3", "touchdown:3x3"),
        ("push%20fight", "pushfight:standard"),
        ("Push%20Fight:mini", "pushfight:mini"),
        ("TouchDown%203%20%C3%97%203", "touchdown:3x3"),
    ] {
        let reply = site.get(&format!("/api/v1/games/{typed}")).await;
        assert_eq!(
            (reply.status.as_u16(), &reply.json_or_null()["about"]["game"]),
            (200, &json!(name)),
            "{typed}"
        );
    }
    for (typed, meant) in [
        ("toudhcown:3x3", json!("touchdown:3x3")),
        ("tactic", json!("tactics")),
        ("pushfight:minni", json!("pushfight:mini")),
        ("chess", Json::Null),
    ] {
        let reply = site.get(&format!("/api/v1/games/{typed}/positions")).await;
        assert_eq!((reply.status.as_u16(), &reply.json()["suggestion"]), (404, &meant), "{typed}");
    }
}

#[tokio::test]
async fn rules_have_sentences_boards_and_the_meaning_of_numbers() {
    let site = Site::new();
    for (game, title) in [
        ("tactics:3x3", "Tactics 3 × 3"),
        ("touchdown:3x3", "TouchDown 3 × 3"),
        ("pushfight:mini", "Push Fight mini"),
    ] {
        let rules = site.get(&format!("/api/v1/games/{game}/rules")).await.json();
        assert_eq!((&rules["game"], &rules["title"]), (&json!(game), &json!(title)));
        assert!(rules["sentences"].as_array().unwrap().len() >= 5, "{rules}");
        let examples = rules["examples"].as_array().unwrap();
        assert_eq!(examples.len(), 3, "{game}");
        for example in examples {
            assert!(!example["view"]["marks"].as_array().unwrap().is_empty(), "{example}");
            assert_eq!(example["view"]["to_move"], "first");
        }
        assert!(rules["values"].as_str().unwrap().contains("not a draw"));
    }
}

#[tokio::test]
async fn touched_squares_that_are_no_step_are_refused_with_a_reason() {
    let site = Site::new();
    let reason = async |game: &str, query: &str| {
        let reply = site.get(&format!("/api/v1/games/{game}/refusal?{query}")).await;
        assert_eq!(reply.status, 200, "{query}: {}", reply.text());
        reply.json()["reason"].clone()
    };
    let game = "pushfight:mini,pushers=1,pawns=1";
    for (query, expected) in [
        ("squares=a2,b2", Json::Null),
        ("squares=a2", Json::Null),
        ("squares=a2,b3", json!("The way is blocked.")),
        ("squares=f2,c2", Json::Null),
        ("squares=f2,c1", json!("Pawns cannot push.")),
        ("squares=b2", json!("This piece is Blue's.")),
        ("squares=b2&to_move=second", json!("This piece is Red's.")),
        ("squares=e1", json!("There is no piece on e1.")),
        ("squares=z9", json!("There is no square z9.")),
        ("squares=a2,c1", json!("A push goes one square.")),
        ("squares=f2,e2&moves=f2-e2,e2-f2", json!("No moves are left: now push.")),
        ("squares=f2&moves=f2-e2,e2-f2", json!("No moves are left, and pawns cannot push.")),
    ] {
        assert_eq!(reason(game, &format!("position=....Ox...o.Y..&{query}")).await, expected, "{query}");
    }
    for query in ["", "squares=a2&moves=z1-z2", "squares=a2&position=?"] {
        assert_eq!(site.get(&format!("/api/v1/games/{game}/refusal?{query}")).await.status, 400, "{query}");
    }
    // Blue's turn on Red's board.
    assert_eq!(reason("touchdown", "to_move=second&squares=d4,d3").await, Json::Null);
    assert_eq!(reason("touchdown", "to_move=second&squares=a1").await, json!("This pawn is Red's."));
    assert_eq!(
        reason("tactics:3x3", "squares=a1,b2").await,
        json!("A turn fills squares of one row or one column.")
    );
}

#[tokio::test]
async fn turns_that_begin_with_steps_are_listed_alone() {
    let site = Site::new();
    let path = format!("/api/v1/games/{SMALL_PUSH_FIGHT}/positions?position=...O......xYo.");
    let whole = site.get(&path).await.json();
    let all = whole["turns_available"].as_array().unwrap();
    let steps = site.get(&path.replace("/positions", "/steps")).await.json();
    let moves = steps["steps_available"].as_array().unwrap().iter().filter(|step| step["ends"] == false);
    let mut met = 0;
    for step in moves.map(|step| step["step"].as_str().unwrap()) {
        let begun = site.get(&format!("{path}&moves={step}")).await.json();
        assert_eq!((&begun["outcome"], &begun["turns"]), (&whole["outcome"], &whole["turns"]));
        let turns = begun["turns_available"].as_array().unwrap();
        let further =
            site.get(&format!("{}&moves={step}", path.replace("/positions", "/steps"))).await.json();
        for turn in turns {
            assert!(turn["turn"].as_str().unwrap().starts_with(&format!("{step},")), "{turn}");
            // It is legal, and leads to the same position as a turn of the whole list, with the same value.
            let same = all.iter().find(|known| known["position"] == turn["position"]).unwrap();
            assert_eq!((&same["outcome"], &same["turns"]), (&turn["outcome"], &turn["turns"]));
            let played = json!({"position": "...O......xYo.", "turns": [turn["turn"]]}).to_string();
            let played =
                site.post(&format!("/api/v1/games/{SMALL_PUSH_FIGHT}/annotate"), played).await.json();
            assert_eq!(played["turns"][0]["position"], turn["position"]);
            met += 1;
        }
        // The best of them has the value of the best step.
        let best = |answer: &Json, list: &str| {
            (answer[list][0]["outcome"].clone(), answer[list][0]["turns"].clone())
        };
        assert_eq!(best(&begun, "turns_available"), best(&further, "steps_available"), "{step}");
    }
    assert!(met > all.len(), "{met}");
    assert_eq!(site.get(&format!("{path}&moves=z1-z2")).await.status, 400);
    // A complete turn is listed alone, and no step follows it.
    for turn in all.iter().take(20) {
        let text = turn["turn"].as_str().unwrap();
        let alone = site.get(&format!("{path}&moves={text}")).await.json();
        assert_eq!(alone["turns_available"], json!([turn]));
        assert_eq!((&alone["outcome"], &alone["turns"]), (&whole["outcome"], &whole["turns"]));
        let steps = site.get(&format!("{}&moves={text}", path.replace("/positions", "/steps"))).await;
        assert_eq!(steps.status, 400);
    }
    let one = site.get("/api/v1/games/touchdown/positions?moves=a1a2").await.json();
    assert_eq!(one["turns_available"].as_array().map(Vec::len), Some(1), "{one}");
    assert_eq!(site.get("/api/v1/games/touchdown/positions?moves=a1a2,b1b2").await.status, 400);
    assert_eq!(site.get("/api/v1/games/touchdown/positions?moves=a1a9").await.status, 400);
}

#[tokio::test]
async fn depths_of_puzzles_are_those_that_there_are() {
    let site = Site::new();
    for game in ["touchdown:4x4", "touchdown:3x3", "tactics:3x3", SMALL_PUSH_FIGHT] {
        for kind in ["win", "save"] {
            let path = format!("/api/v1/games/{game}/puzzles");
            let depths = site.get(&format!("{path}/depths?kind={kind}")).await;
            assert!(!depths.header("etag").is_empty());
            let depths = depths.json();
            assert_eq!(depths["kind"], kind);
            let depths: Vec<u64> =
                depths["depths"].as_array().unwrap().iter().map(|depth| depth.as_u64().unwrap()).collect();
            for turns in 1..30 {
                let puzzles = site.get(&format!("{path}?kind={kind}&turns={turns}&limit=1")).await.json();
                let any = !puzzles["puzzles"].as_array().unwrap().is_empty();
                assert_eq!(any, depths.contains(&turns), "{game} {kind} {turns}: {depths:?}");
            }
        }
    }
    assert_eq!(site.get("/api/v1/games/tactics:6x6/puzzles/depths").await.status, 404);
}

#[tokio::test]
async fn turns_are_written_in_many_ways() {
    let site = Site::new();
    let annotate = "/api/v1/games/touchdown/annotate";
    let plain = json!({"turns": ["b1b2", "d4d3", "b2b3"]}).to_string();
    let expected = site.post(annotate, plain.clone()).await.json();
    for turns in [&["B1B2", "d4-d3", "b2 b3"][..], &["1. b1b2! d4→d3", "2. b2b3 *"], &["b1 b2 d4 d3 b2 b3"]]
    {
        let reply = site.post(annotate, json!({ "turns": turns }).to_string()).await;
        assert_eq!(reply.json(), expected, "{turns:?}");
    }
    assert_eq!(site.post(annotate, format!("\u{feff}{plain}")).await.json(), expected);
    let wide: Vec<u8> = plain.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let refused = site.post(annotate, wide).await;
    assert!(refused.status == 400 && refused.text().contains("UTF-16"), "{}", refused.text());
    let board = format!("/api/v1/games/{SMALL_PUSH_FIGHT}/steps?position=...O......xYo.");
    let steps = site.get(&board).await.json();
    let steps = steps["steps_available"].as_array().unwrap().clone();
    let step = steps.iter().find(|step| step["ends"] == false).unwrap()["step"].as_str().unwrap();
    for (path, moves) in [
        ("/api/v1/games/touchdown/positions?", "b1b2"),
        (&*format!("{board}&"), step),
        (&*format!("{}&", board.replace("/steps", "/positions")), step),
    ] {
        let expected = site.get(&format!("{path}moves={moves}")).await;
        let [from, to] = [&moves[..2], &moves[moves.len() - 2..]];
        for other in
            [moves.to_uppercase(), format!("{from}-{to}"), format!("{from}{to}"), format!("{from}%20{to}")]
        {
            let reply = site.get(&format!("{path}moves={other}")).await;
            assert_eq!((reply.status, reply.text()), (expected.status, expected.text()), "{path}{other}");
        }
        assert_eq!(expected.status, 200);
    }
}
