//! Tests of turns and their steps: how they are listed, written and refused.

use crate::answers::SMALL_PUSH_FIGHT;
use crate::common::Site;
use serde_json::{Value as Json, json};

#[tokio::test]
async fn whoever_makes_turns_on_a_board_needs_no_rules() {
    let site = Site::new();
    let ask = async |path: &str| site.json(&format!("/api/v1/games/{path}")).await;
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
async fn steps_say_what_they_do_and_turns_what_parts_they_have() {
    let site = Site::new();
    let ask = async |path: &str| site.json(&format!("/api/v1/games/{path}")).await;
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
    let whole = site.json(&path).await;
    let all = whole["turns_available"].as_array().unwrap();
    let steps = site.json(&path.replace("/positions", "/steps")).await;
    let moves = steps["steps_available"].as_array().unwrap().iter().filter(|step| step["ends"] == false);
    let mut met = 0;
    for step in moves.map(|step| step["step"].as_str().unwrap()) {
        let begun = site.json(&format!("{path}&moves={step}")).await;
        assert_eq!((&begun["outcome"], &begun["turns"]), (&whole["outcome"], &whole["turns"]));
        let turns = begun["turns_available"].as_array().unwrap();
        let further = site.json(&format!("{}&moves={step}", path.replace("/positions", "/steps"))).await;
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
        let alone = site.json(&format!("{path}&moves={text}")).await;
        assert_eq!(alone["turns_available"], json!([turn]));
        assert_eq!((&alone["outcome"], &alone["turns"]), (&whole["outcome"], &whole["turns"]));
        let steps = site.get(&format!("{}&moves={text}", path.replace("/positions", "/steps"))).await;
        assert_eq!(steps.status, 400);
    }
    let one = site.json("/api/v1/games/touchdown/positions?moves=a1a2").await;
    assert_eq!(one["turns_available"].as_array().map(Vec::len), Some(1), "{one}");
    assert_eq!(site.get("/api/v1/games/touchdown/positions?moves=a1a2,b1b2").await.status, 400);
    assert_eq!(site.get("/api/v1/games/touchdown/positions?moves=a1a9").await.status, 400);
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
    let steps = site.json(&board).await;
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
