//! Tests of marked games and of puzzles.

use crate::answers::{SMALL_PUSH_FIGHT, mistakes, probe};
use crate::common::Site;
use retrograde_game::Seat;
use serde_json::{Value as Json, json};

#[tokio::test]
async fn a_played_game_is_marked_from_any_position() {
    let site = Site::new();
    let openapi = site.json("/openapi.json").await;
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
    let turns = site.json("/api/v1/games/touchdown:3x3/positions").await;
    let mut errors = 0;
    for first in turns["turns_available"].as_array().unwrap() {
        let path = format!(
            "/api/v1/games/touchdown:3x3/positions?to_move=second&position={}",
            first["position"].as_str().unwrap()
        );
        let replies = site.json(&path).await;
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
    let all = site.json(&format!("{path}?limit=5")).await;
    for puzzle in all["puzzles"].as_array().unwrap() {
        let position = puzzle["position"].as_str().unwrap();
        let one = site.json(&format!("{path}?position={position}&kind=win")).await;
        assert_eq!(one["puzzles"], json!([puzzle]));
        assert_eq!(puzzle["solution_on_board"], puzzle["solution"]);
        let turned = site.json(&format!("{path}?position={position}&to_move=second")).await;
        let (solution, shown) =
            (&turned["puzzles"][0]["solution"], &turned["puzzles"][0]["solution_on_board"]);
        let probe = probe(&site, "touchdown:4x4", Some(position), Seat::Second);
        assert_eq!(
            (solution, shown),
            (&probe["turns_available"][0]["turn"], &probe["turns_available"][0]["turn_on_board"])
        );
        for none in ["kind=save", "turns=65535", "limit=0"] {
            let empty = site.json(&format!("{path}?position={position}&{none}")).await;
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
                let puzzles = site.json(&format!("{path}?kind={kind}&turns={turns}&limit=1")).await;
                let any = !puzzles["puzzles"].as_array().unwrap().is_empty();
                assert_eq!(any, depths.contains(&turns), "{game} {kind} {turns}: {depths:?}");
            }
        }
    }
    assert_eq!(site.get("/api/v1/games/tactics:6x6/puzzles/depths").await.status, 404);
}
