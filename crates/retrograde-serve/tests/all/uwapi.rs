//! Tests of the universal web API of GamesCrafters: its terms, and the perspective of its values.

use crate::common::Site;
use serde_json::{Value as Json, json};

#[tokio::test]
async fn values_are_in_their_words() {
    let site = Site::new();
    let games = site.json("/uwapi/").await;
    assert_eq!(games[1], json!({"id": "touchdown", "name": "touchdown", "type": "twoPlayer", "gui": "v1"}));
    let game = site.json("/uwapi/touchdown/").await;
    assert_eq!(game["variants"][0]["id"], "regular");
    assert_eq!(
        (&game["variants"][1]["id"], &game["allowCustomVariantCreation"]),
        (&json!("5x5"), &json!(true))
    );
    let variant = site.json("/uwapi/touchdown/3x3/").await;
    assert_eq!(variant["startPosition"], "1_OOO/.../XXX");
    assert_eq!(variant["autoguiStartPosition"], "1_OOO---XXX");

    let position = site.json("/uwapi/touchdown/3x3/positions/?p=1_OOO/.../XXX").await;
    assert_eq!((&position["positionValue"], &position["remoteness"]), (&json!("lose"), &json!(6)));
    assert_eq!(site.json("/uwapi/touchdown/3x3/positions/").await, position);
    assert_eq!(site.get("/uwapi/touchdown/regular/positions/").await.status, 200);
    for one in position["moves"].as_array().unwrap() {
        // A child is seen by its side to move, as when it is requested.
        let path = format!("/uwapi/touchdown/3x3/positions/?p={}", one["position"].as_str().unwrap());
        let child = site.json(&path).await;
        for field in ["position", "autoguiPosition", "positionValue", "remoteness"] {
            assert_eq!(child[field], one[field], "{field}");
        }
        assert_eq!((&one["positionValue"], &one["moveValue"]), (&json!("win"), &json!("lose")));
        let best = position["moves"][0]["remoteness"].as_i64().unwrap();
        assert_eq!(one["deltaRemoteness"], (one["remoteness"].as_i64().unwrap() - best).abs());
    }
    let first = &position["moves"][0];
    assert_eq!(first["move"], "b1b2");
    assert_eq!(first["autoguiMove"], "M_7_4_x");
    assert_eq!(first["autoguiPosition"], "2_OOO-X-X-X");
}

#[tokio::test]
async fn a_game_is_walked_to_its_end() {
    let site = Site::new();
    for variant in ["touchdown/4x4", "tactics/3x3", "pushfight/mini,pushers=1,pawns=1"] {
        let mut path = format!("/uwapi/{variant}/positions/");
        for number in 0.. {
            let reply = site.get(&path).await;
            assert_eq!(reply.status, 200, "{path}: {}", reply.text());
            let position = reply.json();
            let who = if number % 2 == 0 { "1_" } else { "2_" };
            assert!(position["autoguiPosition"].as_str().unwrap().starts_with(who));
            let Some(best) = position["moves"].as_array().unwrap().first() else {
                assert_eq!(position["remoteness"], 0);
                break;
            };
            assert_eq!(best["moveValue"], position["positionValue"]);
            if position["positionValue"] == "draw" {
                assert_eq!(position["remoteness"], -200);
                break;
            }
            path = format!(
                "/uwapi/{variant}/positions/?p={}",
                best["position"].as_str().unwrap().replace('+', "%2B")
            );
        }
    }
}

#[tokio::test]
async fn what_is_not_there_is_a_problem() {
    let site = Site::new();
    for (path, status) in [
        ("/uwapi/chess/", 404),
        ("/uwapi/touchdown/99x99/", 404),
        ("/uwapi/touchdown/regular/positions/?p=3_x", 400),
        ("/uwapi/touchdown/regular/positions/?q=x", 400),
        ("/uwapi/touchdown/regular/positions", 404),
    ] {
        let reply = site.get(path).await;
        assert_eq!((reply.status.as_u16(), &reply.json()["status"]), (status, &Json::from(status)), "{path}");
    }
}
