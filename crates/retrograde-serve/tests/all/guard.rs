//! Tests of caching, compression, headers, limits and refusals.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::common::gate::{Gate, Opener, slow_registry, until};
use crate::common::{Running, Site, exchange, solve};
use axum::body::Body;
use axum::http::{Method, Request};
use retrograde_explore::TableFolders;
use retrograde_serve::{Config, Listen};
use serde_json::json;

const POSITION: &str = "/api/v1/games/touchdown:4x4/positions?position=...O/..O./..../.XX.";

#[tokio::test]
async fn who_has_an_answer_does_not_get_it_again() {
    let site = Site::new();
    for path in [POSITION, "/api/v1/games/touchdown:4x4/picture.png", "/openapi.json", "/", "/api/v1/games"] {
        let first = site.get(path).await;
        let etag = first.header("etag").to_owned();
        assert!(etag.starts_with("W/\"") && first.status == 200, "{path}: {etag}");
        assert!(first.header("cache-control").contains("max-age"), "{path}");
        let again = site.get_with(path, "if-none-match", &etag).await;
        assert_eq!((again.status.as_u16(), again.body.len()), (304, 0), "{path}");
        assert_eq!(again.header("etag"), etag);
        let other = site.get_with(path, "if-none-match", "W/\"other\"").await;
        assert_eq!((other.status.as_u16(), &other.body), (200, &first.body), "{path}");
    }
    let metrics = site.get("/metrics").await.text();
    assert!(metrics.contains("retrograde_cache_hits_total 10"), "{metrics}");
    assert!(metrics.contains("retrograde_cache_misses_total 5"), "{metrics}");
}

/// HEAD has no body to cache: it must neither come from nor go to the cache as an empty answer.
#[tokio::test]
async fn head_has_the_headers_of_get_and_no_body() {
    let site = Site::new();
    let head = async || {
        let request = Request::builder().method(Method::HEAD).uri(POSITION);
        site.ask(request.body(Body::empty()).unwrap()).await
    };
    let new = head().await;
    let whole = site.get(POSITION).await;
    assert!(!whole.body.is_empty());
    for reply in [new, head().await] {
        assert_eq!((reply.status.as_u16(), reply.body.len()), (200, 0));
        for name in ["etag", "content-type", "cache-control"] {
            assert_eq!(reply.header(name), whole.header(name), "{name}");
        }
        assert_eq!(reply.header("content-length"), whole.body.len().to_string());
    }
}

/// Any free port of this machine.
pub fn local() -> Listen {
    SocketAddr::from(([127, 0, 0, 1], 0)).into()
}

#[tokio::test]
async fn answers_have_the_stamp_of_their_table() {
    let mut config = Config::default();
    config.limits.refresh = Duration::from_millis(20);
    let tables = retrograde_testkit::tempdir().unwrap();
    let config = Config { listen: local(), tables: TableFolders::one(tables.path()), ..config };
    let server = Running::start(config, crate::common::registry()).await;
    let path = "/api/v1/games/tactics:2x2/positions";
    let before = ask(&server.at, path).await;
    assert!(before.contains("\"source\":\"search\""), "{before}");
    // A table appears while the server runs.
    solve(tables.path(), &["tactics:2x2"]);
    let mut after = String::new();
    while !after.contains("\"source\":\"table\"") {
        tokio::time::sleep(Duration::from_millis(20)).await;
        after = ask(&server.at, path).await;
    }
    let etag = |text: &str| text.lines().find(|line| line.starts_with("etag")).unwrap().to_owned();
    assert_ne!(etag(&before), etag(&after));
    server.stop.send(()).unwrap();
    server.server.await.unwrap().unwrap();
}

/// Sends a request over a new connection, and returns head and body as text.
async fn ask(at: &str, path: &str) -> String {
    let request = format!("GET {path} HTTP/1.1\r\nhost: {at}\r\nconnection: close\r\n\r\n");
    let at = at.to_owned();
    tokio::task::spawn_blocking(move || exchange(&at, &request)).await.unwrap()
}

#[tokio::test]
async fn open_requests_end_before_the_server_does() {
    let config = Config { listen: local(), tables: TableFolders::one("no such folder"), ..Config::default() };
    let gate = Arc::new(Gate::default());
    let opener = Opener(Arc::clone(&gate));
    let Running { at, stop, server } = Running::start(config, slow_registry(&gate)).await;
    let slow = tokio::spawn({
        let at = at.clone();
        async move { ask(&at, "/api/v1/games/slow:2x2/positions").await }
    });
    until(|| gate.begun.load(Ordering::Acquire) == 1).await;
    stop.send(()).unwrap();
    drop(opener);
    let answer = slow.await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("turns_available"), "{answer}");
    server.await.unwrap().unwrap();
    assert!(std::net::TcpStream::connect(at).is_err(), "the server still listens");
}

#[tokio::test]
async fn an_address_that_is_taken_is_told() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let config = Config { listen: taken.local_addr().unwrap().into(), ..Config::default() };
    let error =
        retrograde_serve::serve_until(config, crate::common::registry(), |_| {}, async {}).await.unwrap_err();
    assert!(error.to_string().contains("already listens"), "{error}");
}

#[tokio::test]
async fn answers_are_compressed_for_who_wants_it() {
    let site = Site::new();
    for _ in 0..2 {
        let reply = site.get_with(POSITION, "accept-encoding", "br, gzip").await;
        assert_eq!(reply.header("content-encoding"), "gzip");
        assert!(reply.body.len() < site.get(POSITION).await.body.len());
    }
    assert_eq!(site.get(POSITION).await.header("content-encoding"), "");
}

#[tokio::test]
async fn pages_from_elsewhere_may_read_a_public_server() {
    let site = Site::with(Config { listen: "0.0.0.0:80".parse().unwrap(), ..Config::default() });
    let reply = site.get_with(POSITION, "origin", "https://example.org").await;
    assert_eq!(reply.header("access-control-allow-origin"), "*");
    let ask = Request::builder()
        .method(Method::OPTIONS)
        .uri("/api/v1/games/touchdown/positions")
        .header("origin", "https://example.org")
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "content-type");
    let reply = site.ask(ask.body(Body::empty()).unwrap()).await;
    assert!(reply.status.is_success() && reply.header("access-control-allow-methods").contains("POST"));
    assert!(!reply.header("access-control-allow-methods").contains("DELETE"));
}

#[tokio::test]
async fn every_response_has_strict_headers() {
    let site = Site::new();
    for path in ["/", POSITION, "/nothing", "/healthz", "/api/v1/games/touchdown/picture.svg"] {
        let reply = site.get(path).await;
        assert_eq!(reply.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(reply.header("referrer-policy"), "no-referrer", "{path}");
        let policy = reply.header("content-security-policy");
        assert!(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"), "{path}: {policy}");
    }
    let page = site.get("/").await.text();
    // Scripts and styles come from files only.
    assert!(!page.contains("<script>") && !page.contains("<style") && !page.contains("style="), "{page}");
    let assets: Vec<&str> = page.split("\"./").skip(1).filter_map(|part| part.split('"').next()).collect();
    assert!(assets.len() >= 3, "{page}");
    let mut kinds = Vec::new();
    for asset in assets {
        let reply = site.get(&format!("/{asset}")).await;
        assert!(reply.status == 200 && reply.header("cache-control").contains("immutable"), "{asset}");
        kinds.push(reply.header("content-type").to_owned());
    }
    // Scripts that are needed at once may be several.
    kinds.sort();
    kinds.dedup();
    assert_eq!(kinds, ["image/svg+xml", "text/css; charset=utf-8", "text/javascript; charset=utf-8"]);
    for stray in ["/assets/", "/assets/index.html", "/assets/..%2Findex.html", "/assets/%2e%2e/index.html"] {
        assert_eq!(site.get(stray).await.status, 404, "{stray}");
    }
}

#[tokio::test]
async fn only_workers_may_compile_the_module() {
    let site = Site::with(Config { module: Some(b"\0asm"), ..Config::default() });
    let reply = site.get("/module.wasm").await;
    assert_eq!((reply.status.as_u16(), reply.header("content-type")), (200, "application/wasm"));
    assert_eq!((reply.body.as_slice(), reply.header("x-content-type-options")), (&b"\0asm"[..], "nosniff"));
    let again = site.get_with("/module.wasm", "if-none-match", reply.header("etag")).await;
    assert_eq!(again.status, 304);
    // A program without the module reports it.
    assert_eq!(Site::new().get("/module.wasm").await.status, 404);

    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/page/assets");
    let files: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(files.iter().any(|file| file.starts_with("worker-")), "{files:?}");
    for file in files {
        let reply = site.get(&format!("/assets/{file}")).await;
        let policy = reply.header("content-security-policy");
        let worker = file.starts_with("worker-");
        assert_eq!(policy.contains("'wasm-unsafe-eval'"), worker, "{file}: {policy}");
        assert!(policy.contains("default-src 'none'") && !policy.contains("'unsafe"), "{file}: {policy}");
    }
}

#[tokio::test]
async fn errors_name_the_place() {
    let site = Site::new();
    let reply = site.get("/api/v1/games/touchdown/positions?position=OOOO/..?./..../XXXX").await;
    assert_eq!((reply.status.as_u16(), reply.header("content-type")), (400, "application/problem+json"));
    let problem = reply.json();
    assert_eq!(problem["type"], "urn:retrograde:problem:position");
    assert_eq!((&problem["place"], &problem["character"]), (&json!(8), &json!("?")));
    assert!(problem["expected"].as_str().unwrap().contains('X'), "{problem}");
    assert_eq!(reply.header("cache-control"), "no-store");
    for (path, status, kind) in [
        ("/nothing", 404, "path"),
        ("/api/v1/nothing", 404, "path"),
        ("/uwapi/chess/", 404, "game"),
        ("/api/v1/games/chess", 404, "game"),
        ("/api/v1/games/tactics:60x60/positions", 404, "game"),
        ("/api/v1/games/tactics:5x5/stats", 404, "no-table"),
        ("/api/v1/games/tactics:5x5/find?outcome=win", 404, "no-table"),
        ("/api/v1/games/pushfight:%2Fetc%2Fpasswd/positions", 404, "game"),
        ("/api/v1/games/pushfight:..%2F..%2Fx.board/positions", 404, "game"),
        ("/api/v1/games/pushfight:x.board/positions", 404, "game"),
        ("/uwapi/pushfight/%2Fetc%2Fx.board/positions/", 404, "game"),
        ("/api/v1/games/touchdown/positions?positions=x", 400, "query"),
        ("/api/v1/games/touchdown/positions?to_move=third", 400, "query"),
        ("/api/v1/games/touchdown/find?outcome=winning", 400, "query"),
        ("/api/v1/games/touchdown/find?outcome=win&limit=101", 400, "query"),
        ("/api/v1/games/touchdown/find?outcome=win&turns=65536", 400, "query"),
        ("/api/v1/games/touchdown/find?outcome=win&random=false&seed=1", 400, "query"),
        ("/api/v1/games/touchdown/line?limit=-1", 400, "query"),
        ("/api/v1/games/touchdown/steps?moves=a1a2", 400, "step"),
        ("/api/v1/games/touchdown/steps?moves=a1-a2", 400, "turn"),
        ("/api/v1/games/%FF/positions", 400, "path"),
        ("/api/v1/games/touchdown/positions/%FF", 400, "path"),
        ("/assets/x.css", 404, "path"),
    ] {
        let reply = site.get(path).await;
        let problem = reply.json();
        assert_eq!(
            (reply.status.as_u16(), &problem["status"]),
            (status, &json!(status)),
            "{path}: {problem}"
        );
        assert_eq!(problem["type"], format!("urn:retrograde:problem:{kind}"), "{path}: {problem}");
        assert_eq!(reply.header("content-type"), "application/problem+json", "{path}");
    }
    for (method, path) in [("DELETE", POSITION), ("POST", "/api/v1/games"), ("PUT", "/"), ("GET ", "/")] {
        let Ok(method) = Method::from_bytes(method.as_bytes()) else { continue };
        let reply = site.ask(Request::builder().method(method).uri(path).body(Body::empty()).unwrap()).await;
        assert_eq!((reply.status.as_u16(), &reply.json()["status"]), (405, &json!(405)), "{path}");
    }
}

#[tokio::test]
async fn what_is_too_much_is_refused() {
    let mut config = Config::default();
    config.limits.requests.batch = 3;
    config.limits.body = 200;
    config.limits.url = 300;
    config.limits.turns = 20;
    let site = Site::with(config);
    let path = "/api/v1/games/touchdown:3x3/positions";
    let batch = |count: usize| json!({"positions": vec!["OOO/.../XXX"; count]}).to_string();
    assert_eq!(site.post(path, batch(3)).await.status, 200);
    assert_eq!(site.post(path, batch(4)).await.status, 413);
    assert_eq!(site.post(path, format!("{}{}", batch(1), " ".repeat(200))).await.status, 413);
    assert_eq!(site.get(&format!("{path}?position={}", "x".repeat(300))).await.status, 414);
    assert_eq!(site.post(path, "{\"positions\": 3}").await.status, 400);
    assert_eq!(site.post(path, "").await.status, 400);
    let request = Request::post(path).body(Body::from(batch(1))).unwrap();
    assert_eq!(site.ask(request).await.status, 415);
    // There are more turns than may be listed: the list is marked as incomplete.
    let whole = Site::new().json("/api/v1/games/tactics:4x4/positions").await;
    assert_eq!(whole.get("incomplete"), None);
    assert!(whole["turns_available"].as_array().unwrap().len() > 20);
    for (query, listed) in [("", 20), ("?limit=0", 0)] {
        let reply = site.get(&format!("/api/v1/games/tactics:4x4/positions{query}")).await;
        let found = reply.json();
        assert_eq!((reply.status.as_u16(), &found["incomplete"]), (200, &json!(true)), "{found}");
        assert_eq!(found["turns_available"].as_array().unwrap().len(), listed);
    }
    let turns = site.json(path).await["turns_available"].as_array().unwrap().len();
    let answered = site.post(path, batch(3)).await.json();
    let answered = answered["answers"].as_array().unwrap().iter().filter(|item| item.get("answer").is_some());
    assert_eq!(answered.count(), (20 / turns).min(3));
}

#[tokio::test]
async fn questions_that_take_too_long_are_given_up() {
    let mut config = Config::default();
    config.limits.time = Duration::from_millis(500);
    config.limits.search_time = Duration::from_secs(60);
    config.limits.search_nodes = u64::MAX;
    config.limits.workers = 1;
    config.limits.waiting = 1;
    let site = std::sync::Arc::new(Site::empty(config));
    let mut tasks = Vec::new();
    for number in 0..6 {
        let site = std::sync::Arc::clone(&site);
        tasks.push(tokio::spawn(async move {
            site.get(&format!("/api/v1/games/touchdown:8x8/line?limit={number}0")).await
        }));
    }
    let mut busy = 0;
    for task in tasks {
        let reply = task.await.unwrap();
        assert!(matches!(reply.status.as_u16(), 200 | 503), "{}", reply.text());
        if reply.status == 503 {
            assert_eq!(reply.header("retry-after"), "1");
            busy += usize::from(reply.json()["type"] == "urn:retrograde:problem:busy");
        }
    }
    assert!(busy >= 3, "{busy}");
    // Afterwards it answers again.
    for _ in 0..20 {
        if site.get("/api/v1/games/tactics:2x2").await.status == 200 {
            return;
        }
    }
    panic!("it does not recover");
}

#[tokio::test]
async fn clients_that_ask_too_often_wait() {
    let mut config = Config { trust_proxy: true, ..Config::default() };
    config.limits.rate = NonZeroU32::new(2);
    let site = Site::empty(config);
    for number in 0..6 {
        let reply = site.get_with("/healthz", "x-forwarded-for", "192.0.2.1").await;
        assert_eq!(reply.status.as_u16(), if number < 4 { 200 } else { 429 });
        if number >= 4 {
            assert_eq!(reply.header("retry-after"), "1");
            assert_eq!(reply.header("content-type"), "application/problem+json");
        }
    }
    assert_eq!(site.get_with("/healthz", "x-forwarded-for", "192.0.2.2").await.status, 200);
}

#[tokio::test]
async fn a_prefix_stands_before_every_path() {
    let config = Config { prefix: "/retro/grade".parse().unwrap(), ..Config::default() };
    let site = Site::with(config);
    let bare = site.get("/retro/grade").await;
    assert_eq!((bare.status.as_u16(), bare.header("location")), (308, "/retro/grade/"));
    for path in ["/", "/openapi.json", "/healthz", "/api/v1/games/tactics:3x3/positions", "/uwapi/"] {
        assert_eq!(site.get(&format!("/retro/grade{path}")).await.status, 200, "{path}");
    }
    assert_eq!(site.json("/healthz").await["status"], 404);
    assert_eq!(site.json("/retro/grade/nothing").await["status"], 404);
    let page = site.get("/retro/grade/").await.text();
    let asset = page.split("\"./").nth(1).and_then(|part| part.split('"').next()).unwrap();
    assert_eq!(site.get(&format!("/retro/grade/{asset}")).await.status, 200, "{page}");
    assert_eq!(site.json("/retro/grade/openapi.json").await["servers"][0]["url"], "/retro/grade");
    let metrics = site.get("/retro/grade/metrics").await.text();
    assert!(metrics.contains("route=\"/healthz\",status=\"200\""), "{metrics}");
}

#[tokio::test]
async fn requests_are_counted_by_route_and_status() {
    let site = Site::new();
    site.get(POSITION).await;
    site.get("/api/v1/games/touchdown/positions?position=x").await;
    site.get("/nothing").await;
    let text = site.get("/metrics").await.text();
    for line in [
        "retrograde_requests_total{route=\"/api/v1/games/{game}/positions\",status=\"200\"} 1",
        "retrograde_requests_total{route=\"/api/v1/games/{game}/positions\",status=\"400\"} 1",
        "retrograde_requests_total{route=\"none\",status=\"404\"} 1",
        "retrograde_request_duration_seconds_count{route=\"/api/v1/games/{game}/positions\"} 2",
        "retrograde_probes_total 2",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}
