//! Requests over HTTP and to the standalone page.

use std::sync::{LazyLock, Mutex, OnceLock};
use std::time::Duration;

use axum::body::Body;
use axum::http::{Method, Request};
use http_body_util::BodyExt;
use retrograde_explore::{Loader, Registry, SolveOptions};
use retrograde_offline::Solved;
use retrograde_serve::{Config, Limits, service};
use retrograde_solve::Silent;
use retrograde_table::directory_name;
use retrograde_testkit::{TempDir, tempdir};
use tower::ServiceExt;

const GAMES: [&str; 3] = ["tactics:3x3", "touchdown:3x3", "pushfight:mini,pushers=1,pawns=1"];

/// The tables of the games.
fn tables() -> &'static TempDir {
    static TABLES: OnceLock<TempDir> = OnceLock::new();
    TABLES.get_or_init(|| {
        let folder = tempdir().expect("a folder");
        for name in GAMES {
            let game = retrograde_games::registry().find(name, &Loader::none()).expect("a game");
            let options = SolveOptions { threads: 1, ..SolveOptions::default() };
            game.solve(folder.path(), &options, &Silent).expect("solved");
        }
        folder
    })
}

/// A server in this process.
struct Site {
    runtime: tokio::runtime::Runtime,
    router: axum::Router,
}

fn site() -> Site {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let limits = Limits {
        workers: 1,
        time: Duration::from_secs(2),
        search_nodes: 500,
        search_time: Duration::from_millis(50),
        pixels: 64,
        cache: 1 << 20,
        games: 2,
        ..Limits::default()
    };
    let config = Config {
        tables: retrograde_explore::TableFolders::one(tables().path()),
        limits,
        ..Config::default()
    };
    let _inside = runtime.enter();
    let router = service(config, retrograde_games::registry());
    Site { runtime, router }
}

/// A request: a line with method and target, further lines with headers, an empty line, a body. A
/// server error (500) is a fault.
pub fn http(bytes: &[u8]) {
    static SITE: OnceLock<Mutex<Site>> = OnceLock::new();
    let head_end = bytes.windows(2).position(|window| window == b"\n\n");
    let (head, body) = head_end.map_or((bytes, &[][..]), |at| (&bytes[..at], &bytes[at + 2..]));
    let Ok(head) = std::str::from_utf8(head) else { return };
    let mut lines = head.lines();
    let (method, target) = lines.next().unwrap_or("").split_once(' ').unwrap_or(("GET", "/"));
    let Ok(method) = Method::from_bytes(method.as_bytes()) else { return };
    let mut request = Request::builder().method(method).uri(target);
    for (name, value) in lines.filter_map(|line| line.split_once(": ")).take(20) {
        request = request.header(name, value);
    }
    let Ok(request) = request.body(Body::from(body.to_vec())) else { return };
    let site =
        SITE.get_or_init(|| Mutex::new(site())).lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    site.runtime.block_on(async {
        let response = site.router.clone().oneshot(request).await.unwrap_or_else(|error| match error {});
        let status = response.status().as_u16();
        let body = response.into_body().collect().await.expect("a body from memory").to_bytes();
        assert!(status != 500, "server error: {}", String::from_utf8_lossy(&body));
    });
}

pub fn http_seeds() -> Vec<Vec<u8>> {
    let requests = [
        "GET /api/v1/games/tactics:3x3/positions?position=XX_/___/___\naccept: */*",
        "GET /api/v1/games/touchdown:3x3/line?position=OO./..X/XX.&to_move=second&most=3",
        "GET /api/v1/games/touchdown:3x3/find?outcome=loss&turns=4&limit=3&random=true&seed=5",
        "GET /api/v1/games/tactics:3x3/puzzles?kind=win&turns=3",
        "GET /api/v1/games/tactics:3x3/steps?position=XX_/___/___&steps=a1",
        "GET /api/v1/games/tactics:3x3/view?position=XX_/___/___&turn=a1-c1",
        "GET /api/v1/games/tactics:3x3/picture.svg?position=XX_/___/___&theme=dark&width=50",
        "GET /api/v1/games/tactics:3x3/stats\nif-none-match: \"x\"",
        "POST /api/v1/games/tactics:3x3/positions\ncontent-type: application/json\n\n{\"positions\": [\"XX_/___/___\"]}",
        "POST /api/v1/games/touchdown:3x3/annotate\ncontent-type: application/json\n\n{\"turns\": [\"b1b2\"]}",
        "GET /uwapi/v1/touchdown/3x3/positions/?p=R_A_3_3_OOO---XXX",
        "GET /healthz",
        "OPTIONS /api/v1/games\norigin: http://a",
    ];
    requests.iter().map(|request| request.as_bytes().to_vec()).collect()
}

/// A request to the standalone page.
pub fn offline(bytes: &[u8]) {
    static REGISTRY: LazyLock<Registry> = LazyLock::new(retrograde_games::registry);
    static SOLVED: OnceLock<Solved<'static>> = OnceLock::new();
    let solved = SOLVED.get_or_init(|| {
        let directory = tables().path().join(directory_name(GAMES[1]));
        let file = |name: &str| std::fs::read(directory.join(name)).expect("a file");
        Solved::open(&REGISTRY, file("manifest.json"), file("values.rgt"), None).expect("a table")
    });
    let answer: serde_json::Value = serde_json::from_str(&solved.ask(bytes)).expect("every answer is JSON");
    assert_ne!(answer["status"], 500, "{answer}");
}

pub fn offline_seeds() -> Vec<Vec<u8>> {
    let requests = [
        r#"{"path": "games/touchdown:3x3/positions", "query": {"position": "OO./..X/XX."}}"#,
        r#"{"path": "games/touchdown:3x3/positions", "body": {"positions": ["OO./..X/XX."]}}"#,
        r#"{"path": "games/touchdown:3x3/line", "query": {"position": "OO./..X/XX.", "most": 4}}"#,
        r#"{"path": "games/touchdown:3x3/annotate", "body": {"turns": ["b1b2", "c3b2"], "to_move": "first"}}"#,
        r#"{"path": "games/touchdown%3A3x3/find", "query": {"outcome": "win", "turns": 3}}"#,
        r#"{"path": "games"}"#,
    ];
    requests.iter().map(|request| request.as_bytes().to_vec()).collect()
}
