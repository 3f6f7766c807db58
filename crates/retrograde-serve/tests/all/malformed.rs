//! Sends thousands of malformed requests, which must not cause server errors.

use crate::common::Site;
use axum::body::Body;
use axum::http::{Method, Request};
use proptest::prelude::*;
use proptest::test_runner::{Config as Runs, TestRunner};

/// Parts of requests: valid, nearly valid and invalid ones.
const PIECES: &[&str] = &[
    "/api/v1/games",
    "/uwapi",
    "/",
    "//",
    "/..",
    "/%2e%2e",
    "/positions",
    "/positions/",
    "/line",
    "/steps",
    "/find",
    "/puzzles",
    "/stats",
    "/picture.svg",
    "/picture.png",
    "/assets/",
    "/openapi.json",
    "/touchdown",
    "/touchdown:3x3",
    "/tactics:2x2",
    "/tactics:60x60",
    "/tactics:99999999999x1",
    "/touchdown:8x8",
    "/touchdown:0x0",
    "/pushfight:mini",
    "/pushfight:%2Fetc%2Fpasswd",
    "/pushfight:x.board",
    "/pushfight,moves=unlimited",
    "/tactics,line=4294967296",
    "/tactics,normal,normal",
    "/tactics:",
    "/:,=",
    "/regular",
    "/3x3",
    "?",
    "&",
    "=",
    "position=",
    "p=",
    "moves=",
    "outcome=win",
    "outcome=",
    "turns=",
    "limit=",
    "seed=",
    "random=true",
    "to_move=second",
    "turn=",
    "theme=dark",
    "width=",
    "square=",
    "kind=save",
    "OOO/.../XXX",
    "X__X",
    "1_",
    "2_",
    "a1a2",
    "b1b2",
    "a1",
    "d1-a2,",
    ",,,",
    "O:a1",
    "-1",
    "0",
    "65536",
    "18446744073709551616",
    "1e99",
    "NaN",
    "%00",
    "%",
    "%zz",
    "%FF",
    "%C3%A9",
    "%F0%9F%99%82",
    "%0a",
    "+",
    "%2F",
    "....",
    "...........",
    "'",
    "<script>",
    "%22",
    "{game}",
    "*",
    "~",
    ";",
    "@",
];

fn path() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        8 => proptest::sample::select(PIECES).prop_map(str::to_owned),
        1 => "[ -~]{0,12}",
    ];
    proptest::collection::vec(piece, 1..9).prop_map(|pieces| format!("/{}", pieces.concat()))
}

fn body() -> impl Strategy<Value = Vec<u8>> {
    let text = prop_oneof!["\\PC{0,40}", "[{}\\[\\]\",:a-z0-9.]{0,40}"];
    let positions = proptest::collection::vec("[.XOxo_/?é]{0,14}", 0..5)
        .prop_map(|positions| serde_json::json!({"positions": positions}).to_string());
    prop_oneof![
        positions.prop_map(String::into_bytes),
        text.prop_map(String::into_bytes),
        proptest::collection::vec(any::<u8>(), 0..60),
    ]
}

#[test]
fn bad_requests_never_cause_server_errors() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let mut config = retrograde_serve::Config::default();
    config.limits.search_nodes = 50;
    config.limits.turns = 5_000;
    // A slow machine must not look like an error.
    config.limits.time = std::time::Duration::from_secs(600);
    let site = Site::with(config);
    let methods =
        proptest::sample::select(&["GET", "GET", "GET", "POST", "HEAD", "PUT", "BREW", "OPTIONS"][..]);
    let mut runner = TestRunner::new(Runs { cases: 6_000, failure_persistence: None, ..Runs::default() });
    let refused = std::cell::Cell::new(0);
    let result = runner.run(&(methods, path(), body()), |(method, path, body)| {
        let request = Request::builder()
            .method(Method::from_bytes(method.as_bytes()).unwrap())
            .uri(&path)
            .header("content-type", "application/json")
            .body(Body::from(if method == "POST" { body } else { Vec::new() }));
        // The HTTP parser already rejects invalid URIs.
        let Ok(request) = request else { return Ok(()) };
        let reply = runtime.block_on(site.ask(request));
        prop_assert!(reply.status.as_u16() < 500, "{method} {path}: {} {}", reply.status, reply.text());
        if reply.status.is_client_error() && method != "HEAD" {
            prop_assert_eq!(reply.header("content-type"), "application/problem+json", "{} {}", method, path);
            prop_assert_eq!(reply.json()["status"].as_u64(), Some(reply.status.as_u16().into()));
        }
        Ok(())
    });
    result.unwrap();
    // The same with valid paths and invalid positions, to test the parsers.
    let text =
        proptest::collection::vec(proptest::sample::select(PIECES), 0..4).prop_map(|pieces| pieces.concat());
    let wild = prop_oneof![text, "\\PC{0,30}", "[.XOxoYP_/01+|-]{0,40}"];
    let routes = proptest::sample::select(
        &[
            "positions?position=",
            "line?position=",
            "steps?moves=",
            "picture.svg?turn=",
            "picture.svg?position=",
        ][..],
    );
    let games =
        proptest::sample::select(&["touchdown:3x3", "tactics:2x2", "pushfight:mini", "pushfight"][..]);
    let mut runner = TestRunner::new(Runs { cases: 4_000, failure_persistence: None, ..Runs::default() });
    let result = runner.run(&(games, routes, wild), |(game, route, text)| {
        let text = percent_encoding::utf8_percent_encode(&text, percent_encoding::NON_ALPHANUMERIC);
        let reply = runtime.block_on(site.get(&format!("/api/v1/games/{game}/{route}{text}")));
        refused.set(refused.get() + usize::from(reply.status == 400));
        prop_assert!(reply.status.as_u16() < 500, "{game}/{route}{text}: {} {}", reply.status, reply.text());
        Ok(())
    });
    result.unwrap();
    assert!(refused.get() > 1_000, "{refused:?}");
}
