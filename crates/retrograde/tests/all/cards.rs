//! Tests of flashcards: the files of `puzzles` and `openings` as Anki reads them.

use crate::common::{answer, fails, failure, json, list, new_folder};

/// The fields of a line of comma-separated values.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut characters = line.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                fields.last_mut().unwrap().push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            c => fields.last_mut().unwrap().push(c),
        }
    }
    assert!(!quoted, "{line}");
    fields
}

/// The cards of a file, after the header lines.
fn cards(text: &str) -> Vec<Vec<String>> {
    let (head, rest): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.starts_with('#'));
    for line in ["#separator:Comma", "#html:true", "#columns:Front,Back,Tags", "#tags column:3"] {
        assert!(head.contains(&line), "{head:?}");
    }
    assert!(text.starts_with('#') && head.iter().any(|line| line.starts_with("#deck:")), "{head:?}");
    let cards: Vec<Vec<String>> = rest.into_iter().map(fields).collect();
    for card in &cards {
        assert_eq!(card.len(), 3, "{card:?}");
        for side in &card[..2] {
            assert!(side.contains("<img alt=\"") && side.contains("data:image/svg+xml;base64,"), "{side}");
            // Every tag is closed or void, and all other text is escaped.
            assert_eq!(side.matches("<p>").count(), side.matches("</p>").count(), "{side}");
            assert_eq!(side.matches('<').count(), side.matches('>').count(), "{side}");
        }
    }
    cards
}

#[test]
fn puzzles_are_flashcards() {
    let tables = &new_folder();
    answer(tables, &["solve", "touchdown"]);
    let asked = ["puzzles", "touchdown", "--turns", "5", "--seed", "1", "--limit", "4"];
    let printed = answer(tables, &[&asked[..], &["--format", "anki"]].concat());
    let file = tables.join("cards.csv");
    let out = ["--format", "anki", "--out", file.to_str().unwrap()];
    let text = answer(tables, &[&asked[..], &out].concat());
    assert!(text.starts_with("4 cards written to"), "{text}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), printed);
    let named = json(tables, &[&asked[..], &out, &["--force"]].concat());
    assert_eq!(named["files"][0], file.to_str().unwrap());
    let puzzles = list(tables, &asked);
    let cards = cards(&printed);
    assert_eq!(cards.len(), puzzles.len());
    for (card, puzzle) in cards.iter().zip(&puzzles) {
        let (front, back) = (&card[0], &card[1]);
        let solution = puzzle["solution"].as_str().unwrap();
        assert!(front.contains("Red to move") && front.contains("Win in 5"), "{front}");
        assert!(back.contains(&format!("<p>{solution}</p>")) && back.contains("win in 5"), "{back}");
        assert!(!front.contains(solution), "the front must not give it away: {front}");
        assert_eq!(card[2], "retrograde touchdown-4x4 win-in-5");
    }
    fails(tables, &[&asked[..], &["--format", "anki", "--json"]].concat(), 1, "--out FILE");
    failure(tables, &[&asked[..], &["--out", "x.csv"]].concat(), 2);
    failure(tables, &[&asked[..], &["--format", "csv"]].concat(), 2);
}

#[test]
fn placements_are_flashcards() {
    let tables = &new_folder();
    let game = "pushfight:mini,pushers=1,pawns=1";
    answer(tables, &["solve", game]);
    let asked = ["openings", game, "--limit", "3"];
    let cards = cards(&answer(tables, &[&asked[..], &["--format", "anki"]].concat()));
    let openings = json(tables, &asked);
    assert_eq!(cards.len(), 4, "one card for the first placement, and three for replies");
    assert!(cards[0][0].contains("Red places 1 pusher and 1 pawn"), "{}", cards[0][0]);
    assert!(cards[0][1].contains(openings["best"][0]["placement"].as_str().unwrap()), "{}", cards[0][1]);
    for (card, opening) in cards[1..].iter().zip(openings["best"].as_array().unwrap()) {
        assert!(card[0].contains("Blue places 1 pusher and 1 pawn"), "{}", card[0]);
        assert!(card[1].contains(opening["reply"].as_str().unwrap()), "{}", card[1]);
        assert!(card[2].ends_with("placements"), "{}", card[2]);
    }
    fails(tables, &["openings", game, "O:a2 o:b1", "--format", "anki"], 1, "leave out PLACEMENT");
    answer(tables, &["openings", game, "O:a2 o:b1"]);
    fails(tables, &["openings", game, "X:a2 x:b1"], 1, "these are Blue's pieces; write Red's as in O:");
}
