//! Tests the examples in `docs/api.md`: asks each and compares the answer with the page.

use crate::common::Site;
use axum::body::Body;
use axum::http::Request;
use serde_json::Value as Json;

const PAGE: &str = include_str!("../../../../docs/api.md");
const HERE: &str = "http://127.0.0.1:8080";

#[tokio::test]
async fn the_examples_are_answered() {
    let site = Site::new();
    let page = PAGE.replace("\\\n", " ");
    let mut asked = 0;
    for line in page.lines().filter(|line| line.starts_with("curl ")) {
        let quoted: Vec<&str> = line.split('\'').skip(1).step_by(2).collect();
        let path = quoted.last().unwrap().strip_prefix(HERE).unwrap();
        let reply = match line.contains(" -d ") {
            true => site.post(path, quoted[1].to_owned()).await,
            false => site.get(path).await,
        };
        assert_eq!(reply.status, 200, "{line}: {}", reply.text());
        asked += 1;
    }
    assert_eq!(asked, 15);
}

#[tokio::test]
async fn problems_are_shown_as_they_are() {
    let site = Site::new();
    let part = PAGE.split("<!-- problem: ").nth(1).unwrap();
    let path = part.split(" -->").next().unwrap();
    let shown: Json =
        serde_json::from_str(part.split("```").nth(1).unwrap().trim_start_matches("json")).unwrap();
    assert_eq!(site.ask(Request::get(path).body(Body::empty()).unwrap()).await.json(), shown);
}

#[tokio::test]
async fn every_route_of_the_interface_is_on_the_page() {
    let openapi = Site::empty(retrograde_serve::Config::default()).get("/openapi.json").await.json();
    for path in openapi["paths"].as_object().unwrap().keys() {
        assert!(PAGE.contains(&format!("`{path}`")), "{path}");
    }
}
