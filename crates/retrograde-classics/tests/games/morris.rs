//! Morris: promises, rules against a slow implementation, small boards against the sweep.

use std::collections::{BTreeMap, HashSet};

use retrograde_classics::{Morris, MorrisBoard};
use retrograde_game::conformance::*;
use retrograde_game::{Dense, Flow, Game, GameSpec, Index, Mark, Random, Seat, Show, Square, Squares};
use retrograde_solve::Silent;
use retrograde_testkit::some_of;

use crate::solvers;

pub(crate) fn morris(name: &str) -> Morris {
    Morris::from_spec(GameSpec::parse(name).unwrap()).unwrap()
}

const GAMES: [&str; 9] = [
    "morris:3",
    "morris:3,diagonals",
    "morris:3,flying",
    "morris:3,men=4,diagonals",
    "morris:6",
    "morris:6,men=3",
    "morris:9",
    "morris:9,men=3",
    "morris:9,men=5",
];

#[test]
fn every_board_keeps_its_promises() {
    let small = GAMES.into_iter().filter(|name| morris(name).index_count() <= 1 << 20);
    let small: Vec<&str> = some_of(3, small).collect();
    for name in GAMES {
        let game = morris(name);
        assert_eq!(game.name(), name);
        for positions in [playouts(&game, 60, 200, 1), numbered(&game, 1500, 2)] {
            let positions: Vec<_> = some_of(3, positions).collect();
            check_game(&game, &positions);
            check_dense(&game, &positions);
            check_predecessors(&game, &positions, 3);
        }
        check_show(&game, &playouts(&game, 20, 100, 3));
        check_guide(&game);
        // Every index, which takes most of the time.
        if small.contains(&name) {
            check_counts(&game);
            check_staged(&game);
            check_predecessors_within_stages(&game);
        }
    }
}

/// With a different number of men in the hands, a board shows who is to move.
#[test]
fn boards_are_read_for_both_players() {
    let game = morris("morris:9");
    let board = ".X./.../.../....../.../.../...:17";
    let position = game.parse_board(board, Seat::Second).unwrap();
    assert_eq!(game.position_text(&position), board.replace('X', "O"));
    assert_eq!(game.board_text(&position, Seat::Second), board);
    let error = game.parse_board(board, Seat::First).unwrap_err().to_string();
    assert!(error.contains("1 men `X` with 9 in hand and 0 men `O` with 8 in hand"), "{error}");
    let error = game.parse_board(&board.replace('X', "O"), Seat::Second).unwrap_err().to_string();
    assert!(error.contains("0 men `X` with 8 in hand and 1 men `O` with 9 in hand"), "{error}");
}

/// A turn is made on a board by touching the squares that its text names.
#[test]
fn turns_name_the_points_that_they_mark() {
    let game = morris("morris:6");
    let mut taking = 0;
    for position in playouts(&game, 20, 60, 5) {
        let picture = game.picture(&position, Seat::First);
        for (turn, _) in game.turns(&position) {
            let marks = game.marks(&position, &turn, Seat::First).into_iter();
            let points = marks.flat_map(|mark| match mark {
                Mark::Move(from, to) | Mark::Push(from, to) => vec![from, to],
                Mark::Fill(points) => points,
            });
            let points: Vec<String> = points.map(|point| picture.name(point)).collect();
            let text = game.turn_on_board(&position, &turn, Seat::First);
            assert_eq!(picture.squares_named(&text), points, "{text}");
            taking += usize::from(turn.takes.is_some());
        }
    }
    assert!(taking > 0);
}

/// Images of a position share its index; this counts both the images and the indices.
#[test]
fn reachable_positions_are_counted_up_to_symmetry() {
    let game = morris("morris:3");
    let number = |position: &_| game.index(position).map(|index| index.0);
    let found = retrograde_solve::count_reachable(&game, &game.start(), &number, 1 << 28, &Silent).unwrap();
    let mut occurs = HashSet::from([game.start()]);
    let mut left = vec![game.start()];
    while let Some(position) = left.pop() {
        left.extend(
            game.turns(&position).into_iter().map(|(_, next)| next).filter(|next| occurs.insert(*next)),
        );
    }
    let unfinished: Vec<_> = occurs.iter().filter(|position| !game.turns(position).is_empty()).collect();
    let orbits: HashSet<_> = unfinished.iter().map(|position| game.representative(position)).collect();
    assert_eq!((found.unfinished, found.numbers), (unfinished.len() as u64, orbits.len() as u64));
    assert_eq!(found.finished, (occurs.len() - unfinished.len()) as u64);
    assert!(found.numbers * 4 < found.unfinished, "{found:?}");
}

/// The rules again, with names of points instead of sets of bits.
struct Twin {
    men: usize,
    flying: fn(usize) -> bool,
    mill_wins: bool,
    mills: Vec<Vec<&'static str>>,
    lines: Vec<Vec<&'static str>>,
}

impl Twin {
    fn new(name: &str) -> Twin {
        let game = GameSpec::parse(name).unwrap();
        let split = |lines: &'static str| lines.split(' ').map(|line| line.split('-').collect()).collect();
        let nine: Vec<Vec<&str>> = split(
            "a1-d1-g1 b2-d2-f2 c3-d3-e3 a4-b4-c4 e4-f4-g4 c5-d5-e5 b6-d6-f6 a7-d7-g7 \
             a1-a4-a7 b2-b4-b6 c3-c4-c5 d1-d2-d3 d5-d6-d7 e3-e4-e5 f2-f4-f6 g1-g4-g7",
        );
        let six = "a1-c1-e1 b2-c2-d2 b4-c4-d4 a5-c5-e5 a1-a3-a5 b2-b3-b4 d2-d3-d4 e1-e3-e5";
        let rows = "a1-b1-c1 a2-b2-c2 a3-b3-c3 a1-a2-a3 b1-b2-b3 c1-c2-c3";
        let diagonals = split("a1-b2-c3 a3-b2-c1");
        let men = |default| name.split("men=").nth(1).map_or(default, |men| men[..1].parse().unwrap());
        let with_three = |men| men == 3;
        match game.board().unwrap() {
            "9" => {
                Twin { men: men(9), flying: with_three, mill_wins: false, lines: nine.clone(), mills: nine }
            }
            "6" => {
                let mut lines = split(six);
                lines.extend(split("a3-b3 d3-e3 c1-c2 c4-c5"));
                Twin { men: men(6), flying: with_three, mill_wins: false, mills: split(six), lines }
            }
            _ => {
                let mut lines = split(rows);
                if name.contains("diagonals") {
                    lines.extend(diagonals.clone());
                }
                let mut mills = split(rows);
                mills.extend(diagonals);
                let flying = if name.contains("flying") { |_| true } else { |_| false };
                Twin { men: men(3), flying, mill_wins: true, mills, lines }
            }
        }
    }

    /// The points row by row from the top, as in texts.
    fn points(&self) -> Vec<&'static str> {
        let all: HashSet<&str> = self.lines.iter().flatten().copied().collect();
        let mut all: Vec<&str> = all.into_iter().collect();
        all.sort_by_key(|name| (std::cmp::Reverse(name.as_bytes()[1]), name.as_bytes()[0]));
        all
    }

    fn in_mill(&self, men: &[&str], point: &str) -> bool {
        self.mills.iter().any(|mill| mill.contains(&point) && mill.iter().all(|at| men.contains(at)))
    }

    /// The texts of the positions after every turn; `None` if the game is over.
    fn successors(&self, text: &str) -> Option<HashSet<String>> {
        let (board, in_hands) = text.split_once(':').unwrap_or((text, "0"));
        let in_hands: usize = in_hands.parse().unwrap();
        let points = self.points();
        let letters: Vec<char> = board.chars().filter(|&letter| letter != '/').collect();
        assert_eq!(letters.len(), points.len());
        let men = |of: char| -> Vec<&str> {
            points.iter().zip(&letters).filter(|(_, letter)| **letter == of).map(|(name, _)| *name).collect()
        };
        let (own, other) = (men('X'), men('O'));
        let over = if self.mill_wins {
            other.iter().any(|point| self.in_mill(&other, point))
        } else {
            own.len() + in_hands.div_ceil(2) < 3
        };
        if over {
            return None;
        }
        // The own men after the turn, the point where one arrived, and the men in hand afterwards.
        let mut arrivals = Vec::new();
        for to in men('.') {
            if in_hands > 0 {
                arrivals.push(([&own[..], &[to]].concat(), to, in_hands - 1));
                continue;
            }
            for from in &own {
                let joined = self
                    .lines
                    .iter()
                    .any(|line| line.windows(2).any(|pair| pair == [*from, to] || pair == [to, *from]));
                if joined || (self.flying)(own.len()) {
                    let stay: Vec<&str> = own.iter().copied().filter(|at| at != from).collect();
                    arrivals.push(([&stay[..], &[to]].concat(), to, 0));
                }
            }
        }
        let mut texts = HashSet::new();
        for (mine, to, in_hands) in arrivals {
            let mut left = vec![other.clone()];
            if !self.mill_wins && self.in_mill(&mine, to) {
                let free: Vec<&str> = other.iter().copied().filter(|at| !self.in_mill(&other, at)).collect();
                let may_go = if free.is_empty() { &other } else { &free };
                let without = |taken: &&str| other.iter().copied().filter(|at| at != taken).collect();
                left = may_go.iter().map(without).collect();
            }
            texts.extend(left.into_iter().map(|theirs| self.text(&theirs, &mine, in_hands)));
        }
        Some(texts)
    }

    fn text(&self, x: &[&str], o: &[&str], in_hands: usize) -> String {
        let (mut text, mut row) = (String::new(), None);
        for point in self.points() {
            if row.is_some_and(|row| row != point.as_bytes()[1]) {
                text.push('/');
            }
            row = Some(point.as_bytes()[1]);
            text.push(if x.contains(&point) {
                'X'
            } else if o.contains(&point) {
                'O'
            } else {
                '.'
            });
        }
        if in_hands > 0 { format!("{text}:{in_hands}") } else { text }
    }
}

#[test]
fn turns_agree_with_the_slow_implementation() {
    for name in GAMES {
        let (game, twin) = (morris(name), Twin::new(name));
        assert_eq!(game.position_text(&game.start()), twin.text(&[], &[], 2 * twin.men), "{name}");
        let mut positions = playouts(&game, 40, 150, 7);
        positions.extend(numbered(&game, 1000, 8));
        for position in some_of(3, positions) {
            let text = game.position_text(&position);
            let expected = twin.successors(&text);
            assert_eq!(game.result(&position).is_some(), expected.is_none(), "{name}: {text}");
            let texts =
                game.turns(&position).into_iter().map(|(_, next)| game.position_text(&next)).collect();
            assert_eq!(expected.unwrap_or_default(), texts, "{name}: {text}");
        }
    }
}

#[test]
fn small_boards_agree_with_the_sweep() {
    for name in ["morris:3", "morris:3,diagonals", "morris:3,flying", "morris:3,men=4,diagonals"] {
        solvers::check_backwards(&morris(name));
        solvers::check_stages(&morris(name));
    }
}

/// Counts positions with all their images, as a numbering of all positions would: won, lost and
/// drawn for the side to move, including positions without an index with two men left.
#[test]
fn images_share_one_index_and_cover_all_positions() {
    let numbers = [
        ("morris:3", 2_121, 769, 980),
        ("morris:3,diagonals", 2_161, 773, 936),
        ("morris:3,flying", 2_278, 820, 772),
        ("morris:6,men=3", 98_656, 58_424, 110_577),
        ("morris:6,men=4", 234_032, 203_282, 2_664_083),
    ];
    for (name, won, lost, drawn) in some_of(3, numbers) {
        let game = morris(name);
        let board = MorrisBoard::of_game(name[7..8].parse().unwrap(), name.contains("diagonals")).unwrap();
        let symmetries = board.symmetries();
        let images = |index: Index, text: &str| {
            let points: Vec<usize> =
                text.match_indices(['X', 'O', '.']).map(|(at, _)| at).take(board.points() as usize).collect();
            let image = |permutation: &Vec<u8>| {
                let mut image = text.as_bytes().to_vec();
                for (&from, &to) in points.iter().zip(permutation) {
                    image[points[usize::from(to)]] = text.as_bytes()[from];
                }
                game.parse_position(std::str::from_utf8(&image).unwrap()).unwrap()
            };
            let images: HashSet<_> = symmetries.iter().map(image).collect();
            assert!(images.iter().all(|image| game.index(image) == Some(index)), "{name}: {text}");
            let stands = game.position(index).unwrap();
            assert!(images.iter().all(|image| game.representative(image) == stands), "{name}: {text}");
            images.len() as u128
        };
        let scores = solvers::in_stages(&game);
        let mut counts = BTreeMap::new();
        let _ = game.walk_down(Index(0)..Index(game.index_count() as u64), |index, position| {
            let value = solvers::value(&game, &scores, &position);
            *counts.entry(value.outcome().word()).or_insert(0) +=
                images(index, &game.position_text(&position));
            Flow::Continue(())
        });
        let all = won + lost + drawn;
        let left_out = all - counts.values().sum::<u128>();
        *counts.entry("loss").or_insert(0) += left_out;
        assert_eq!(counts, BTreeMap::from([("win", won), ("loss", lost), ("draw", drawn)]), "{name}");
        // Positions without an index are few up to symmetry, too.
        let few = game.unnumbered()[0].1;
        assert!(few <= left_out && left_out <= few * symmetries.len() as u128, "{name}: {few}, {left_out}");
    }
}

#[test]
fn wrong_texts_are_rejected_with_a_reason() {
    let game = morris("morris:3");
    for (text, reason) in [
        ("", "ends too early"),
        ("../.../...:6", "expected one of `X`, `O` or `.`"),
        (".... ", "`/` between two rows"),
        (".../.../...", "are not possible"),
        (".../.../...:7", "from 1 to 6"),
        (".../.../...:06", "from 1 to 6"),
        (".../.../...x", "or `:` and the men"),
        ("XXX/OO./O..", "has already won"),
        ("XX./OO./...:4", "are not possible"),
    ] {
        let error = game.parse_position(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
    for (name, reason) in [
        ("morris:4", "3, 6 or 9 men"),
        ("morris:9,men=12", "from 3 to 11"),
        ("morris:9,flying", "unknown option"),
        ("morris:3,men=2", "from 3 to 4"),
    ] {
        let error = Morris::from_spec(GameSpec::parse(name).unwrap()).unwrap_err().to_string();
        assert!(error.contains(reason), "{name}: {error}");
    }
    let position = game.start();
    let error = game.parse_turn(&position, "a9").unwrap_err().to_string();
    assert!(error.contains("not a turn here"), "{error}");
}

#[test]
fn any_text_is_parsed_or_rejected() {
    let (game, mut random) = (morris("morris:6"), Random::new(5));
    for _ in 0..20_000 {
        let length = random.below(24);
        let text: String =
            (0..length).map(|_| *random.choose(&['X', 'O', '.', '/', ':', '1', 'é']).unwrap()).collect();
        if let Ok(position) = game.parse_position(&text) {
            assert_eq!(game.position_text(&position), text);
        }
    }
    assert!(game.index(&game.start()).is_some());
}

#[test]
fn boards_have_their_points_lines_and_mills() {
    for (men, diagonals, points, lines, mills, symmetries) in [
        (9, false, 24, 32, 16, 16),
        (6, false, 16, 20, 8, 16),
        (3, false, 9, 12, 8, 8),
        (3, true, 9, 16, 8, 8),
    ] {
        let board = MorrisBoard::of_game(men, diagonals).unwrap();
        assert_eq!(board.points(), points);
        assert_eq!(board.neighbours.iter().map(|set| set.len()).sum::<u32>(), 2 * lines, "{men} men");
        assert_eq!(board.mills.len(), mills, "{men} men");
        assert_eq!(board.symmetries().len(), symmetries, "{men} men");
    }
    assert!(MorrisBoard::of_game(4, false).is_none());
    let nine = MorrisBoard::of_game(9, false).unwrap();
    let names: Vec<String> = nine.neighbours[0].into_iter().map(|point| nine.name(point)).collect();
    assert_eq!((nine.name(Square(0)), names), ("a7".to_owned(), vec!["d7".to_owned(), "a4".to_owned()]));
    assert_eq!(nine.name(Square(23)), "g1");
}

#[test]
fn symmetries_keep_lines_and_mills() {
    for men in [3, 6, 9] {
        let board = MorrisBoard::of_game(men, true).unwrap();
        let symmetries = board.symmetries();
        assert!(symmetries[0].iter().copied().eq(0..board.points() as u8));
        for permutation in symmetries {
            let image = |set: Squares| -> Squares {
                set.into_iter().map(|point| Square(permutation[usize::from(point.0)])).collect()
            };
            for (point, &next) in board.neighbours.iter().enumerate() {
                assert_eq!(image(next), board.neighbours[usize::from(permutation[point])]);
            }
            assert!(board.mills.iter().all(|&mill| board.mills.contains(&image(mill))));
        }
    }
}
