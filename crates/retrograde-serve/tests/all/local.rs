//! Tests of a server for this machine alone: other web pages can neither use it nor lock out its user.

use std::net::TcpStream;

use axum::body::Body;
use axum::http::{HeaderValue, Method, Request, Version};
use retrograde_explore::TableFolders;
use retrograde_serve::{Config, Listen};
use serde_json::Value as Json;

use crate::common::{Reply, Running, Site, exchange};

const PATH: &str = "/api/v1/games/tactics:2x2/positions";

fn server(listen: &str, allow_hosts: &[&str]) -> Site {
    let allow_hosts = allow_hosts.iter().map(|host| host.parse().unwrap()).collect();
    Site::empty(Config { listen: listen.parse().unwrap(), allow_hosts, ..Config::default() })
}

async fn ask(site: &Site, method: Method, target: &str, headers: &[(&str, &str)]) -> Reply {
    let mut request = Request::builder().method(method).uri(target);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    site.ask_as_it_is(request.body(Body::empty()).unwrap()).await
}

/// The status, and the end of the problem's type.
fn outcome(reply: &Reply) -> (u16, String) {
    let problem = reply.json_or_null();
    let kind = problem["type"].as_str().and_then(|kind| kind.rsplit(':').next()).unwrap_or("").to_owned();
    (reply.status.as_u16(), kind)
}

#[tokio::test]
async fn a_local_server_answers_to_loopback_names_alone() {
    for listen in ["127.0.0.1:8080", "[::1]:8080", "localhost:8080"] {
        let site = server(listen, &[]);
        for host in [
            "localhost",
            "localhost:1",
            "LOCALHOST.:8080",
            "127.0.0.1",
            "127.9.8.7:80",
            "[::1]",
            "[::1]:8080",
        ] {
            assert_eq!(ask(&site, Method::GET, PATH, &[("host", host)]).await.status, 200, "{host}");
        }
        for host in [
            "rebind.example.org",
            "rebind.example.org:8080",
            "192.0.2.1",
            "0.0.0.0:8080",
            "[::]",
            "[2001:db8::1]:8080",
            "localhost.example.org",
            "127.0.0.1.example.org",
            "xlocalhost",
        ] {
            let reply = ask(&site, Method::GET, PATH, &[("host", host)]).await;
            assert_eq!(outcome(&reply), (403, "host".to_owned()), "{host}");
            assert_eq!(reply.header("connection"), "close");
            let detail = reply.json()["detail"].as_str().unwrap().to_owned();
            let name = host.trim_end_matches(":8080");
            assert!(detail.contains(&format!("--allow-host {name}")), "{detail}");
        }
        for path in ["/", "/metrics", "/nothing", "/uwapi/"] {
            assert_eq!(ask(&site, Method::GET, path, &[("host", "evil")]).await.status, 403, "{path}");
        }
    }
}

#[tokio::test]
async fn the_target_counts_and_not_only_the_header() {
    let site = server("127.0.0.1:80", &[]);
    let both = |target: &'static str, host: &'static str| {
        let site = &site;
        async move { outcome(&ask(site, Method::GET, target, &[("host", host)]).await).0 }
    };
    assert_eq!(both("http://evil.example/healthz", "localhost").await, 403);
    assert_eq!(both("http://localhost/healthz", "evil.example").await, 403);
    assert_eq!(both("http://localhost/healthz", "localhost").await, 200);
    assert_eq!(ask(&site, Method::GET, "/healthz", &[]).await.status, 400);
    // Browsers always name the host in HTTP/1.1; monitoring programs do not.
    assert_eq!(both("/healthz", "").await, 200);
    let mut old = Request::get("/healthz").version(Version::HTTP_10).body(Body::empty()).unwrap();
    assert_eq!(site.ask_as_it_is(old).await.status, 200);
    old = Request::get("/healthz").version(Version::HTTP_10).body(Body::empty()).unwrap();
    old.headers_mut().insert("host", HeaderValue::from_static("evil.example"));
    assert_eq!(site.ask_as_it_is(old).await.status, 403);
}

#[tokio::test]
async fn pages_from_elsewhere_cannot_use_a_local_server() {
    let site = server("127.0.0.1:8080", &[]);
    let with = |headers: &'static [(&'static str, &'static str)]| {
        let site = &site;
        async move {
            let all = [&[("host", "127.0.0.1:8080")], headers].concat();
            outcome(&ask(site, Method::GET, PATH, &all).await)
        }
    };
    let (good, foreign) = ((200, String::new()), (403, "origin".to_owned()));
    for origin in
        ["https://example.org", "null", "http://127.0.0.1.example.org", "file://", "", "chrome-extension://a"]
    {
        let all = [("host", "127.0.0.1:8080"), ("origin", origin)];
        for method in [Method::GET, Method::POST, Method::HEAD] {
            let reply = ask(&site, method, PATH, &all).await;
            assert_eq!(reply.status, 403, "{origin}");
            assert_eq!(reply.header("access-control-allow-origin"), "");
        }
    }
    // Pages of this server, and pages that other programs of this machine serve.
    for origin in ["http://127.0.0.1:8080", "http://localhost:3000", "http://[::1]:8080"] {
        let reply = ask(&site, Method::GET, PATH, &[("host", "127.0.0.1:8080"), ("origin", origin)]).await;
        assert_eq!((reply.status.as_u16(), reply.header("access-control-allow-origin")), (200, origin));
        let mut vary = reply.headers.get_all("vary").iter();
        assert!(vary.any(|names| names.to_str().unwrap().contains("origin")), "{:?}", reply.headers);
    }
    // Pictures, scripts and frames have no `Origin`.
    assert_eq!(with(&[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors")]).await, foreign);
    assert_eq!(with(&[("sec-fetch-site", "cross-site")]).await, foreign);
    let frame =
        &[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "iframe")];
    assert_eq!(with(frame).await, foreign);
    // A link to the page, and requests of the page.
    let link =
        &[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "document")];
    assert_eq!(with(link).await, good);
    for site in [
        &[("sec-fetch-site", "same-origin")],
        &[("sec-fetch-site", "none")],
        &[("sec-fetch-site", "same-site")],
    ] {
        assert_eq!(with(site).await, good, "{site:?}");
    }
    let ask_first = [
        ("host", "localhost"),
        ("origin", "https://example.org"),
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", "content-type"),
    ];
    let reply = ask(&site, Method::OPTIONS, PATH, &ask_first).await;
    assert_eq!(reply.header("access-control-allow-origin"), "");
}

#[tokio::test]
async fn further_hosts_can_be_allowed() {
    let site = server("127.0.0.1:8080", &["games.example.org"]);
    let public = ("host", "Games.example.org");
    assert_eq!(ask(&site, Method::GET, PATH, &[public]).await.status, 200);
    assert_eq!(ask(&site, Method::GET, PATH, &[("host", "localhost")]).await.status, 200);
    assert_eq!(ask(&site, Method::GET, PATH, &[("host", "www.games.example.org")]).await.status, 403);
    // Also if a proxy changes `Host`.
    let page = ("origin", "https://games.example.org");
    for host in [public, ("host", "127.0.0.1:8080")] {
        let reply = ask(&site, Method::GET, PATH, &[host, page]).await;
        assert_eq!((reply.status.as_u16(), reply.header("access-control-allow-origin")), (200, page.1));
    }
    assert_eq!(ask(&site, Method::GET, PATH, &[public, ("origin", "https://example.org")]).await.status, 403);
    // A sibling of a public name belongs to another site.
    assert_eq!(ask(&site, Method::GET, PATH, &[public, ("sec-fetch-site", "same-site")]).await.status, 403);

    let all = server("127.0.0.1:8080", &["*"]);
    let reply = ask(&all, Method::GET, PATH, &[("host", "any"), ("origin", "https://example.org")]).await;
    assert_eq!((reply.status.as_u16(), reply.header("access-control-allow-origin")), (200, "*"));

    // On a network the option makes the server strict.
    let open = server("0.0.0.0:8080", &[]);
    let foreign = [("host", "any"), ("origin", "https://example.org"), ("sec-fetch-site", "cross-site")];
    assert_eq!(ask(&open, Method::GET, PATH, &foreign).await.status, 200);
    let named = server("[::]:8080", &["box.lan"]);
    assert_eq!(ask(&named, Method::GET, PATH, &[("host", "any")]).await.status, 403);
    assert_eq!(ask(&named, Method::GET, PATH, &[("host", "box.lan:8080")]).await.status, 200);
}

async fn run(listen: Listen) -> Running {
    let config = Config { listen, tables: TableFolders::one("no such folder"), ..Config::default() };
    Running::start(config, crate::common::registry()).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_from_elsewhere_holds_no_connections() {
    let server = run(crate::guard::local()).await;
    let at = server.at.clone();
    let done = tokio::task::spawn_blocking(move || {
        // The connection ends although the page did not request it, even for a web socket.
        for more in ["", "connection: upgrade\r\nupgrade: websocket\r\n", "content-length: 1000\r\n"] {
            let head =
                format!("POST {PATH} HTTP/1.1\r\nhost: {at}\r\norigin: https://evil.example\r\n{more}\r\n");
            let text = exchange(&at, &head);
            assert!(text.starts_with("HTTP/1.1 403"), "{text}");
        }
        // More connections from this machine than a client may have do not lock out its user.
        let held: Vec<TcpStream> = (0..200).map(|_| TcpStream::connect(&at).unwrap()).collect();
        let head = format!("GET {PATH} HTTP/1.1\r\nhost: {at}\r\nconnection: close\r\n\r\n");
        let text = exchange(&at, &head);
        assert!(text.starts_with("HTTP/1.1 200"), "{text}");
        drop(held);
    });
    done.await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_can_be_named_localhost() {
    let server = run("localhost:0".parse().unwrap()).await;
    assert!(server.at.starts_with("localhost:"), "{}", server.at);
    let at = server.at.clone();
    let done = tokio::task::spawn_blocking(move || {
        exchange(&at, &format!("GET /healthz HTTP/1.1\r\nhost: {at}\r\nconnection: close\r\n\r\n"))
    });
    let text = done.await.unwrap();
    assert!(text.starts_with("HTTP/1.1 200"), "{text}");
}

#[tokio::test]
async fn the_metric_has_what_open_games_may_take() {
    let site = server("127.0.0.1:80", &[]);
    let memory = async || {
        let text = site.get("/metrics").await.text();
        let line = text.lines().find_map(|line| line.strip_prefix("retrograde_open_games_memory_bytes "));
        line.unwrap().parse::<u64>().unwrap()
    };
    assert_eq!(site.get("/api/v1/games/touchdown:7x7/positions?limit=0").await.status, 200);
    let unnumbered = memory().await;
    assert!(unnumbered < 1 << 20, "{unnumbered}");
    let game: Json = site.json("/api/v1/games/touchdown:5x6").await;
    assert_eq!(game["table"], false);
    assert!(memory().await > unnumbered + (1 << 20));
}
