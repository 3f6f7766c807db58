//! Tests that hostile clients cannot harm others or the server.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderValue, Request, Version};
use retrograde_serve::Config;
use serde_json::{Value as Json, json};

use crate::common::gate::{Gate, Opener, slow_registry, until};
use crate::common::{Reply, Site};

/// A server behind a proxy, which identifies clients.
fn config() -> Config {
    let mut config = Config { trust_proxy: true, ..Config::default() };
    config.limits.workers = 2;
    config.limits.time = Duration::from_secs(600);
    config
}

async fn get_from(site: &Site, client: u8, path: &str) -> Reply {
    site.get_with(path, "x-forwarded-for", &format!("192.0.2.{client}")).await
}

const HONEST: u8 = 200;

#[tokio::test]
async fn an_honest_client_is_answered_while_hostile_ones_hold_all_they_can() {
    let gate = Arc::new(Gate::default());
    let site = Arc::new(Site::with_registry(config(), slow_registry(&gate)));
    // The game of the honest client is open.
    assert_eq!(get_from(&site, HONEST, "/api/v1/games/touchdown:3x3/view").await.status, 200);
    let opener = Opener(Arc::clone(&gate));
    let mut hostile = Vec::new();
    for client in 0..16 {
        for number in 1..=4 {
            let site = Arc::clone(&site);
            hostile.push(tokio::spawn(async move {
                get_from(&site, client, &format!("/api/v1/games/slow:{number}x{}/positions", client + 1))
                    .await
            }));
        }
    }
    let begun = Arc::clone(&gate);
    until(move || begun.begun.load(Ordering::Acquire) >= 2).await;
    // Answers that are not cached; the gate stays closed meanwhile.
    for board in ["OOO/.../XXX", "OO./.../.XX", ".OO/.../XX."] {
        for path in ["positions", "line", "steps"] {
            let path = format!("/api/v1/games/touchdown:3x3/{path}?position={board}");
            let reply = get_from(&site, HONEST, &path).await;
            assert_eq!(reply.status, 200, "{}", reply.text());
        }
    }
    assert!(hostile.iter().all(|task| !task.is_finished()));
    drop(opener);
    for task in hostile {
        task.abort();
    }
}

#[tokio::test]
async fn games_are_opened_side_by_side_and_each_once() {
    let gate = Arc::new(Gate::default());
    let site = Arc::new(Site::with_registry(config(), slow_registry(&gate)));
    let opener = Opener(Arc::clone(&gate));
    let mut tasks = Vec::new();
    for (client, game) in [(1, "slow:2x2"), (2, "slow:2x2"), (3, "slow:3x3"), (4, "slow:2x2")] {
        let site = Arc::clone(&site);
        let path = format!("/api/v1/games/{game}/view");
        tasks.push(tokio::spawn(async move { get_from(&site, client, &path).await }));
    }
    // Two are being opened at the same time, and the gate is still closed.
    let begun = Arc::clone(&gate);
    until(move || begun.begun.load(Ordering::Acquire) == 2).await;
    drop(opener);
    for task in tasks {
        assert_eq!(task.await.unwrap().status, 200);
    }
    assert_eq!(gate.begun.load(Ordering::Acquire), 2, "one opening for all who ask");
}

#[tokio::test]
async fn whoever_has_caused_too_much_work_is_refused_while_others_wait() {
    let gate = Arc::new(Gate::default());
    let mut config = config();
    config.limits.work = Duration::from_millis(1);
    config.limits.work_burst = 100;
    config.limits.opening_workers = 1;
    config.limits.search_nodes = u64::MAX;
    config.limits.search_time = Duration::from_millis(200);
    let site = Arc::new(Site::with_registry(config, slow_registry(&gate)));
    // Without a table this is a long search; the client still gets answers if it is alone.
    for number in 1..3 {
        let reply = get_from(&site, 1, &format!("/api/v1/games/touchdown:8x8/line?limit={number}")).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
    }
    let opener = Opener(Arc::clone(&gate));
    let mut others = Vec::new();
    for client in 2..5 {
        let site = Arc::clone(&site);
        let path = format!("/api/v1/games/slow:{client}x2/view");
        others.push(tokio::spawn(async move { get_from(&site, client, &path).await }));
    }
    let begun = Arc::clone(&gate);
    until(move || begun.begun.load(Ordering::Acquire) == 1).await;
    // The others wait for the only worker that opens games.
    tokio::time::sleep(Duration::from_millis(100)).await;
    let refused = get_from(&site, 1, "/api/v1/games/touchdown:8x8/line?limit=3").await;
    assert_eq!(refused.status, 429, "{}", refused.text());
    assert_eq!(refused.json()["type"], "urn:retrograde:problem:work");
    assert!(refused.header("retry-after").parse::<u64>().unwrap() >= 1);
    assert_eq!(refused.header("content-type"), "application/problem+json");
    drop(opener);
    for task in others {
        task.await.unwrap();
    }
}

#[tokio::test]
async fn long_lists_come_in_pages() {
    let mut config = Config::default();
    config.limits.requests.page = 5;
    let site = Site::with(config);
    for (path, list) in [("positions", "turns_available"), ("steps", "steps_available")] {
        let path = format!("/api/v1/games/tactics:3x3/{path}");
        let whole = Site::new().json(&path).await;
        assert_eq!(whole.get("page"), None);
        let whole = whole[list].as_array().unwrap().clone();
        let (mut found, mut next) = (Vec::new(), Some(0));
        while let Some(offset) = next {
            let page = site.json(&format!("{path}?offset={offset}")).await;
            assert_eq!(
                (&page["page"]["offset"], &page["page"]["count"]),
                (&json!(offset), &json!(whole.len()))
            );
            let entries = page[list].as_array().unwrap();
            assert!((1..=5).contains(&entries.len()));
            found.extend(entries.iter().cloned());
            next = page["page"].get("next").and_then(Json::as_u64);
        }
        assert_eq!(found, whole);
        assert_eq!(site.json(&format!("{path}?limit=2&offset=1")).await[list], json!(whole[1..3]));
        assert_eq!(site.get(&format!("{path}?limit=6")).await.status, 400);
        assert_eq!(site.get(&format!("{path}?offset=x")).await.status, 400);
    }
    // A batch has no pages: an item that does not fit has a separate problem.
    let batch = json!({"positions": ["XXX/XXX/X__", "___/___/___", "XXX/XXX/XX_"]}).to_string();
    let batch = site.post("/api/v1/games/tactics:3x3/positions", batch).await.json();
    let kinds: Vec<bool> =
        batch["answers"].as_array().unwrap().iter().map(|item| item.get("answer").is_some()).collect();
    assert_eq!(kinds, [true, false, true], "{batch}");
    assert_eq!(batch["answers"][1]["problem"]["type"], "urn:retrograde:problem:too-large");
}

#[tokio::test]
async fn games_that_do_not_fit_into_memory_are_refused() {
    let mut config = Config::default();
    config.limits.games_memory = 70 << 10;
    let site = Site::with(config);
    let refused = site.get("/api/v1/games/touchdown:4x4/positions").await;
    assert_eq!(
        (refused.status.as_u16(), &refused.json()["type"]),
        (422, &json!("urn:retrograde:problem:too-large"))
    );
    assert!(refused.json()["detail"].as_str().unwrap().contains("MiB"), "{}", refused.text());
    // Without a table nothing is cached, so the largest game is small.
    for game in ["touchdown:6x5", "pushfight:full,pawns=7,pushers=3"] {
        assert_eq!(site.get(&format!("/api/v1/games/{game}/view")).await.status, 200, "{game}");
    }
}

/// Bytes that this process has in memory.
#[cfg(target_os = "linux")]
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn variants_of_a_game_do_not_fill_the_memory() {
    let site = Site::empty(Config::default());
    let before = resident();
    for moves in 1..=24 {
        let game = format!("/api/v1/games/pushfight:full,pawns=7,pushers=3,moves={moves}");
        assert_eq!(site.get(&format!("{game}/view")).await.status, 200);
        if moves <= 2 {
            let found = site.json(&format!("{game}/positions?limit=1")).await;
            assert_eq!(found["incomplete"], true, "too many placements to list: {found}");
        }
    }
    // Each took 140 MB with lists of its placements. Other tests run at the same time.
    let more = resident().saturating_sub(before);
    assert!(more < 1 << 30, "{more}");
}

#[tokio::test]
async fn http_1_1_has_one_host() {
    let site = Site::new();
    let request = |hosts: &[&str], version| {
        let mut request = Request::get("/healthz").version(version).body(Body::empty()).unwrap();
        for host in hosts {
            request.headers_mut().append("host", HeaderValue::from_str(host).unwrap());
        }
        request
    };
    for hosts in [&[][..], &["a", "a"], &["a", "b"], &["a b"], &["user@a"], &["a/b"]] {
        let reply = site.ask_as_it_is(request(hosts, Version::HTTP_11)).await;
        assert_eq!(reply.status, 400, "{hosts:?}");
        assert_eq!(reply.json()["type"], "urn:retrograde:problem:host", "{hosts:?}");
        assert_eq!(reply.header("content-type"), "application/problem+json");
    }
    for hosts in [&["localhost"][..], &["localhost:8080"], &["[::1]:8080"], &[""]] {
        assert_eq!(site.ask_as_it_is(request(hosts, Version::HTTP_11)).await.status, 200, "{hosts:?}");
    }
    assert_eq!(site.ask_as_it_is(request(&[], Version::HTTP_10)).await.status, 200);
    assert_eq!(site.ask_as_it_is(request(&["a", "b"], Version::HTTP_10)).await.status, 400);
}

#[tokio::test]
async fn positions_with_hundreds_of_thousands_of_turns_are_answered_in_part() {
    let mut config = Config::default();
    config.limits.time = Duration::from_secs(600);
    let site = Site::empty(config);
    let game = "/api/v1/games/pushfight:standard,moves=unlimited";
    let position = "position=........oOO...oOxXY...xX..";
    for path in ["positions?limit=3", "positions?limit=0", "steps?limit=3", "pressure?limit=3"] {
        let reply = site.get(&format!("{game}/{path}&{position}")).await;
        assert_eq!(reply.status, 200, "{path}: {}", reply.text());
        assert_eq!(reply.json()["incomplete"], true, "{path}: {}", reply.text());
    }
    let begun = site.json(&format!("{game}/steps?limit=3&{position}")).await;
    let step = begun["steps_available"][0]["step"].as_str().unwrap().to_owned();
    for path in ["line?limit=2", "view?"] {
        assert_eq!(site.get(&format!("{game}/{path}&{position}")).await.status, 200, "{path}");
    }
    let reply = site.get(&format!("{game}/steps?moves={step}&{position}")).await;
    assert!(matches!(reply.status.as_u16(), 200 | 400), "{}", reply.text());
}
