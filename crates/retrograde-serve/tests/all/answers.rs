//! Tests of every route: its answers equal the explorer's and match the OpenAPI description.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::common::{SOLVED, Site, registry};
use retrograde_explore::{AnyGame, Loader, OpenGame, SearchLimits};
use retrograde_game::Seat;
use serde_json::{Value as Json, json};

pub const SMALL_PUSH_FIGHT: &str = "pushfight:mini,pushers=1,pawns=1";

/// Violations of the schema that the description has for a route.
pub fn mistakes(openapi: &Json, path: &str, method: &str, status: &str, answer: &Json) -> Vec<String> {
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

pub fn probe(site: &Site, name: &str, position: Option<&str>, seat: Seat) -> Json {
    with_game(site, name, |game| {
        let start = game.start();
        let limits = SearchLimits::default();
        serde_json::to_value(game.probe(position.unwrap_or(&start), seat, &limits).unwrap()).unwrap()
    })
}

#[tokio::test]
async fn every_route_answers_as_it_is_described() {
    let site = Site::new();
    let openapi = site.json("/openapi.json").await;
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
    let openapi = site.json("/openapi.json").await;
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
    let openapi = Site::new().json("/openapi.json").await;
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
    assert_eq!(site.json(&format!("/api/v1/games/{game}/line")).await, line);
    let statistics = with_game(&site, game, |game| serde_json::to_value(game.statistics().unwrap()).unwrap());
    assert_eq!(site.json(&format!("/api/v1/games/{game}/stats")).await, statistics);

    let find = format!("/api/v1/games/{game}/find?outcome=win&turns=11&limit=5");
    let first = site.json(&find).await;
    assert_eq!((first["positions"].as_array().unwrap().len(), &first["seed"]), (5, &Json::Null));
    assert!(first["positions"].as_array().unwrap().iter().all(|found| found["turns"] == 11));
    let seeded = site.get(&format!("{find}&seed=7")).await;
    assert_eq!(seeded.json(), site.json(&format!("{find}&seed=7&random=true")).await);
    assert!(!seeded.header("etag").is_empty());
    let random = site.get(&format!("{find}&random=true")).await;
    assert!(random.header("etag").is_empty() && random.header("cache-control") == "no-store");
    let again = random.json()["seed"].as_u64().unwrap();
    assert_eq!(site.json(&format!("{find}&seed={again}")).await, random.json());

    let puzzles = site.json(&format!("/api/v1/games/{game}/puzzles?turns=7&limit=2")).await;
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
    let list = site.json("/api/v1/games").await;
    let games = list["games"].as_array().unwrap();
    let named = |name: &str| games.iter().find(|game| game["about"]["game"] == name);
    assert_eq!(named("touchdown:4x4").unwrap()["start"], json!({"outcome": "win", "turns": 11}));
    assert_eq!(named("tactics:4x4").unwrap()["start"], Json::Null);
    // It is not an example, but has a table.
    assert_eq!(named(SMALL_PUSH_FIGHT).unwrap()["table"], true);
    let names: BTreeSet<&str> = games.iter().filter_map(|game| game["about"]["game"].as_str()).collect();
    assert_eq!((games.len(), names.len()), (18, 18), "{list}");
    assert!(SOLVED.iter().all(|name| names.contains(name)) && names.contains("touchdown:6x5"), "{list}");
    let game = site.json("/api/v1/games/tactics:6x6").await;
    assert_eq!((&game["table"], &game["plan"]["positions"]), (&json!(false), &json!(68_719_476_736_u64)));
    assert!(game["plan"].get("tables").is_none());
}

#[tokio::test]
async fn unknown_is_not_a_draw() {
    let mut config = retrograde_serve::Config::default();
    config.limits.search_nodes = 3;
    let site = Site::empty(config);
    let probe = site.json("/api/v1/games/touchdown:8x6/positions").await;
    assert_eq!(
        (&probe["outcome"], &probe["turns"], &probe["source"]),
        (&json!("unknown"), &Json::Null, &json!("search"))
    );
    let position = site.json("/uwapi/touchdown/8x6/positions/").await;
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
async fn a_board_is_seen_by_the_first_player_and_a_position_by_the_side_to_move() {
    let site = Site::new();
    let view = |query: &str| format!("/api/v1/games/{query}");
    for (path, position) in [
        ("touchdown/view?board=OOOO/..../X.../.XXX&to_move=second", "OOO./...O/..../XXXX"),
        ("touchdown/view?board=OOOO/..../X.../.XXX", "OOOO/..../X.../.XXX"),
        // Red has just won, or captured the last pawn of Blue, who is to move.
        ("touchdown/view?board=X.../..../.OO./....&to_move=second", "..../.XX./..../...O"),
        ("touchdown/view?board=..../.X../..../....&to_move=second", "..../..../..O./...."),
        // The side with the anchor has just pushed.
        ("pushfight:mini/view?board=oO../.o..X./xxPX&to_move=second", "xX...x..O.ooYO"),
    ] {
        let reply = site.get(&view(path)).await;
        assert_eq!(reply.json_or_null()["position"], position, "{path}: {}", reply.text());
    }
    let shown = site.json(&view("touchdown/view?board=OOOO/..../X.../.XXX&to_move=second&turn=a1a2")).await;
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
        let rules = site.json(&format!("/api/v1/games/{game}/rules")).await;
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
