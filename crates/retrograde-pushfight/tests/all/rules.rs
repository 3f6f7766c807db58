//! Push Fight against its promises, the checked examples and the published counts.

use std::collections::HashSet;

use retrograde_game::{Dense, Flow, Game, GameSpec, Predecessors, Seat, Show, Symmetries, conformance};
use retrograde_pushfight::{Position, PushFight};
use retrograde_testkit::{push_fight as game, push_fight_on};

use crate::common::{HOLED, check};

#[test]
fn counts_are_the_published_ones() {
    for (name, count) in [
        ("standard", 401_567_166_000_u128),
        ("mini", 15_135_120),
        ("twocolumn", 3_308_104_800),
        ("onecolumn", 48_886_437_600),
        ("2k3p", 267_711_444_000),
        ("full", 4_877_125_344_000),
    ] {
        let name = format!("pushfight:{name}");
        let game = game(&name);
        assert_eq!((game.name(), game.position_count()), (name, count));
    }
    assert_eq!(game("pushfight:mini").symmetry_count(), 4);
    assert_eq!(game("pushfight").symmetry_count(), 2);
    assert_eq!(game("pushfight").turns(&game("pushfight").start()).len(), 12_870);
    assert_eq!(game("pushfight,moves=3").name(), "pushfight:standard,moves=3");
    for bad in ["pushfight:huge", "pushfight,moves=-1", "pushfight:mini,pushers=9", "pushfight,pawn=2"] {
        let spec = GameSpec::parse(bad).unwrap();
        assert!(PushFight::from_spec(spec, &|_| Err("no files".to_owned())).is_err(), "{bad}");
    }
}

fn sample(game: &PushFight, most: u64, seed: u64) -> Vec<Position> {
    let mut positions = conformance::numbered(game, most, seed);
    positions.retain(|position| !position.anchor.is_empty());
    positions
}

#[test]
fn keeps_its_promises() {
    let games = [
        push_fight_on("pushfight:h.board,pushers=1,pawns=1", HOLED),
        push_fight_on("pushfight:h.board,pushers=2,pawns=0,moves=1", HOLED),
        push_fight_on("pushfight:h.board,pushers=1,pawns=2,moves=unlimited", HOLED),
        push_fight_on("pushfight:h.board,pushers=2,pawns=1,moves=0", HOLED),
        push_fight_on("pushfight:s.board,pushers=1,pawns=1", "+ + + +\n . . .\n+ + + +\n . . .\n+ + + +"),
        game("pushfight:mini,pushers=1,pawns=1"),
        game("pushfight:mini"),
    ];
    games.iter().for_each(|game| check(game, 60));
    conformance::check_counts(&push_fight_on("pushfight:h.board,pushers=1,pawns=1", HOLED));
}

/// Computes turns step by step on neighbouring squares, without sets of squares or symmetry.
fn plain_turns(game: &PushFight, position: &Position, moves: u32, size: usize) -> HashSet<String> {
    let text: Vec<char> = game.position_text(position).chars().collect();
    assert_eq!(text.len(), size);
    let names: Vec<String> = (0..size).map(|square| name_of(game, square)).collect();
    let mut arrangements = HashSet::from([text.clone()]);
    for _ in 0..moves {
        let mut more = arrangements.clone();
        for board in &arrangements {
            for from in (0..size).filter(|&at| matches!(board[at], 'o' | 'O')) {
                let (mut reached, mut stack) = (HashSet::from([from]), vec![from]);
                while let Some(at) = stack.pop() {
                    for to in (0..size).filter(|&to| adjacent(&names, at, to) && board[to] == '.') {
                        if reached.insert(to) {
                            stack.push(to);
                        }
                    }
                }
                for to in reached.into_iter().filter(|&to| to != from) {
                    let mut moved = board.clone();
                    moved.swap(from, to);
                    more.insert(moved);
                }
            }
        }
        arrangements = more;
    }
    let mut found = HashSet::new();
    for board in arrangements {
        for from in (0..size).filter(|&at| board[at] == 'O') {
            for step in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
                found.extend(plain_push(&names, &board, from, step));
            }
        }
    }
    found
}

fn name_of(game: &PushFight, square: usize) -> String {
    // The text of a board with one piece would not be legal, so the names come from the picture.
    let picture = game.picture(&game.start(), Seat::First);
    let place = picture.places().filter(|&place| picture.at(place).is_some()).nth(square).unwrap();
    picture.name(place)
}

fn coordinates(name: &str) -> (i32, i32) {
    let bytes = name.as_bytes();
    (i32::from(bytes[0] - b'a'), i32::from(bytes[1] - b'0'))
}

fn adjacent(names: &[String], a: usize, b: usize) -> bool {
    let ((x, y), (u, v)) = (coordinates(&names[a]), coordinates(&names[b]));
    (x - u).abs() + (y - v).abs() == 1
}

/// Computes a push on a board without rails.
fn plain_push(names: &[String], board: &[char], from: usize, (right, up): (i32, i32)) -> Option<String> {
    let ahead = |at: usize| {
        let (x, y) = coordinates(&names[at]);
        names.iter().position(|name| coordinates(name) == (x + right, y + up))
    };
    let mut line = vec![from];
    let end = loop {
        match ahead(*line.last().unwrap()) {
            None => break None,
            Some(next) if board[next] == '.' => break Some(next),
            Some(next) => line.push(next),
        }
    };
    if line.len() < 2 || line.iter().any(|&at| board[at] == 'Y') {
        return None;
    }
    let last = board[*line.last().unwrap()];
    if end.is_none() && matches!(last, 'o' | 'O') {
        return None;
    }
    let mut after = board.to_vec();
    let mut pieces: Vec<char> = line.iter().map(|&at| board[at]).collect();
    pieces.insert(0, '.');
    for (&at, &piece) in line.iter().chain(end.iter()).zip(&pieces) {
        after[at] = piece;
    }
    let anchor = line[1];
    let swapped = |(at, piece): (usize, &char)| match piece {
        'O' if at == anchor => 'Y',
        'O' => 'X',
        'o' => 'x',
        'X' | 'Y' => 'O',
        'x' => 'o',
        other => *other,
    };
    Some(after.iter().enumerate().map(swapped).collect())
}

#[test]
fn turns_agree_with_a_simple_implementation() {
    let open = "+ + + +\n . . .\n+ + + +\n . # .\n+ + + +\n . . .\n+ + + +\n # . .\n+ + + +";
    for (pieces, moves) in [
        ("pushers=1,pawns=1", 2),
        ("pushers=2,pawns=1", 1),
        ("pushers=2,pawns=0", 3),
        ("pushers=1,pawns=2", 0),
    ] {
        let game = push_fight_on(&format!("pushfight:o.board,{pieces},moves={moves}"), open);
        for position in sample(&game, 150, 9) {
            let mut found = HashSet::new();
            let _ = game.each_successor(&position, |next| {
                found.insert(game.position_text(&next));
                Flow::Continue(())
            });
            assert_eq!(found, plain_turns(&game, &position, moves, 10), "{}", game.position_text(&position));
        }
    }
}

#[test]
fn winning_this_turn_agrees_with_trying_all_turns() {
    let games = ["moves=0", "moves=1", "moves=2", "moves=3", "moves=unlimited"].map(|moves| {
        [
            push_fight_on(&format!("pushfight:h.board,pushers=1,pawns=2,{moves}"), HOLED),
            push_fight_on(&format!("pushfight:h.board,pushers=2,pawns=1,{moves}"), HOLED),
            game(&format!("pushfight:mini,pushers=2,pawns=1,{moves}")),
            game(&format!("pushfight:mini,pushers=1,pawns=3,{moves}")),
        ]
    });
    for game in games.iter().flatten().chain([&game("pushfight:mini"), &game("pushfight")]) {
        let positions = sample(game, 800, 11);
        let mut wins = 0;
        for position in &positions {
            let all = game.each_successor(position, |next| match game.result(&next) {
                Some(_) => Flow::Break(()),
                None => Flow::Continue(()),
            });
            assert_eq!(game.wins_now(position), all.is_break(), "{}", game.position_text(position));
            wins += usize::from(all.is_break());
        }
        assert!(wins > 0 && wins < positions.len(), "{}: {wins}", game.name());
    }
}

#[test]
fn checked_examples_hold() {
    let game = game("pushfight");
    let mut rows = 0;
    for line in include_str!("data/push-fight-positions.tsv").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        if fields[0] == "position" {
            continue;
        }
        let position = game.parse_position(fields[0]).unwrap();
        assert_eq!(game.position_text(&position), fields[0]);
        assert_eq!(game.index(&position).unwrap().0.to_string(), fields[1]);
        assert_eq!(game.position(game.index(&position).unwrap()), Some(position));
        assert_eq!(game.wins_now(&position), fields[4] == "1", "{}", fields[0]);
        let (mut on, mut won) = (HashSet::new(), HashSet::new());
        let _ = game.each_successor(&position, |next| {
            if game.result(&next).is_some() {
                won.insert(next)
            } else {
                on.insert(next)
            };
            Flow::Continue(())
        });
        assert_eq!(on.len().to_string(), fields[5], "{}", fields[0]);
        assert_eq!(won.len().to_string(), fields[6], "{}", fields[0]);
        let mut before = HashSet::new();
        let _ = game.each_predecessor(&position, |previous| {
            before.insert(previous);
            Flow::Continue(())
        });
        assert_eq!(before.len().to_string(), fields[7], "{}", fields[0]);
        let plausible = before.iter().filter(|before| game.is_plausible(before)).count();
        assert_eq!(plausible.to_string(), fields[8], "{}", fields[0]);
        assert_eq!(game.is_plausible(&position), fields[2] == "1", "{}", fields[0]);
        rows += 1;
    }
    assert_eq!(rows, 180);
}

#[test]
fn texts_are_read_strictly() {
    let game = game("pushfight");
    let position = game.parse_position(".OX.....oxY....Oox.....OX.").unwrap();
    assert_eq!(game.parse_position(".OX../...oxY../..Oox.../..OX.").unwrap(), position);
    let turned = game.parse_position(".XO.....xoP....Xxo.....XO.").unwrap();
    assert_eq!(turned, position, "with an own anchor the other side is to move");
    for (text, reason) in [
        (".OX.....oxY....Oox.....OX", "1 more square"),
        (".OX.....oxY....Oox.....OX..", "expected the end"),
        (".OX.....oxY....Oox.....OY.", "two anchors"),
        (".OX.....oxY....Oox.....OO.", "found 4 O"),
        (".OX.....oxZ....Oox.....OX.", "found 'Z' at character 11"),
        ("/.OX.....oxY....Oox.....OX.", "found '/'"),
    ] {
        let error = game.parse_position(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
    for turn in ["d1-a2,d3-c3,c2-d2", "c2-d2"] {
        assert!(game.parse_turn(&position, turn).is_ok(), "{turn}");
    }
    for (turn, reason) in [
        ("c2-e2", "not next to"),
        ("d1-a2,d3-c3,a3-a2,c2-d2", "at most 2 moves"),
        ("d1-d2,c2-d2", "cannot move"),
        ("z9-c2", "a square of the board"),
        ("c2", "`-`"),
        ("e1-f1", "the side to move has no pusher"),
    ] {
        let error = game.parse_turn(&position, turn).unwrap_err().to_string();
        assert!(error.contains(reason), "{turn}: {error}");
    }
}
