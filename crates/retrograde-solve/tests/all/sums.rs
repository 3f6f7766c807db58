//! Compares sums of impartial games (outcomes, nimbers and strategies) with the plain rules, position by
//! position, and with the literature.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::time::Duration;

use retrograde_game::{
    Dense, Game, GameSpec, Graded, Impartial, Index, Knowledge, Outcome, Squares, Stored, TextError,
    conformance,
};
use retrograde_solve::proof::Limits;
use retrograde_solve::sums::{Nimber, Nimbers, OutcomeSearch, sum_outcome, winning_strategy};
use retrograde_solve::testing::job;
use retrograde_solve::{NoCheckpoint, Scores, Silent, graded};
use retrograde_tactics::Tactics;

const NEVER: &(dyn Fn() -> bool + Sync) = &|| false;
const FREE: Limits<'static> =
    Limits { nodes: u64::MAX, time: Duration::MAX, depth: None, memory: 1 << 24, stopped: NEVER };

fn tactics(name: &str) -> Tactics {
    Tactics::from_spec(GameSpec::parse(name).unwrap()).unwrap()
}

/// All boards of some sizes with all lengths of lines, in normal and in misère play.
fn boards(least: u32, most: u32) -> Vec<Tactics> {
    let mut boards = Vec::new();
    for columns in 1..=most {
        for rows in 1..=most {
            for longest in 1..=columns.max(rows) {
                if (least..=most).contains(&(columns * rows)) {
                    boards
                        .extend([true, false].map(|end| Tactics::new(columns, rows, longest, end).unwrap()));
                }
            }
        }
    }
    boards
}

/// Chomp: a turn takes a square and all squares above or to the right of it, but never the lower left one. It
/// has one part, and no mirror images.
struct Chomp;

impl Game for Chomp {
    type Position = [u8; 3];
    type Turn = (usize, u8);
    const RULES_VERSION: u32 = 1;

    fn name(&self) -> String {
        "chomp".to_owned()
    }
    fn position_count(&self) -> u128 {
        35
    }
    fn start(&self) -> [u8; 3] {
        [4; 3]
    }
    fn result(&self, _: &[u8; 3]) -> Option<Outcome> {
        None
    }
    fn turns(&self, bar: &[u8; 3]) -> Vec<((usize, u8), [u8; 3])> {
        let squares = (0..3).flat_map(|row| (0..bar[row]).map(move |column| (row, column)));
        let sweet = squares.filter(|&square| square != (2, 0));
        sweet.map(|square| (square, self.play(bar, &square))).collect()
    }
    fn play(&self, bar: &[u8; 3], &(row, column): &(usize, u8)) -> [u8; 3] {
        std::array::from_fn(|at| if at > row { bar[at] } else { bar[at].min(column) })
    }
    fn parse_position(&self, text: &str) -> Result<[u8; 3], TextError> {
        let digits: Vec<u8> = text.bytes().map(|byte| byte.wrapping_sub(b'0')).collect();
        digits.try_into().map_err(|_| TextError::impossible("position", text, "three digits"))
    }
    fn position_text(&self, bar: &[u8; 3]) -> String {
        bar.iter().map(u8::to_string).collect()
    }
    fn turn_text(&self, _: &[u8; 3], turn: &(usize, u8)) -> String {
        format!("{}{}", turn.0, turn.1)
    }
}

impl Graded for Chomp {
    fn grade(&self, bar: &[u8; 3]) -> u64 {
        bar.iter().map(|&length| u64::from(length)).sum()
    }
}

impl Impartial for Chomp {
    fn last_turn_wins(&self) -> bool {
        true
    }
}

#[test]
fn turns_of_a_position_are_those_of_its_parts() {
    for game in boards(1, 10) {
        conformance::check_impartial(&game, &conformance::numbered(&game, 300, 1));
    }
    for name in ["tactics:7x9", "tactics:7x7,line=3,normal", "tactics:13x3", "tactics:6x7,line=2"] {
        let game = tactics(name);
        conformance::check_impartial(&game, &conformance::playouts(&game, 12, 60, 3));
    }
    conformance::check_impartial(&Chomp, &conformance::playouts(&Chomp, 50, 20, 1));
}

/// The table of a solver that knows no parts.
fn solved(game: &Tactics) -> Scores {
    graded::solve(game, &mut job(1, &Silent, &mut NoCheckpoint)).unwrap()
}

/// The outcome at an index of a table.
fn outcome(table: &Scores, index: Index) -> Outcome {
    match table.stored(index) {
        Stored::Known(known) => known.outcome().expect("an outcome"),
        Stored::Nothing => panic!("no value at {index}"),
    }
}

/// Compares the search with the table.
fn compare_with_table(game: &Tactics) {
    let table = solved(game);
    let mut search = OutcomeSearch::new(game, &FREE);
    for index in 0..game.index_count() as u64 {
        let lost = outcome(&table, Index(index)) == Outcome::Loss;
        let text = || format!("{} {}", game.name(), game.position_text(&Squares(index)));
        assert_eq!(search.is_lost(&Squares(index)), Ok(lost), "{}", text());
    }
}

#[test]
fn every_position_of_small_boards_has_the_outcome_of_the_table() {
    boards(1, 12).iter().for_each(compare_with_table);
    for name in
        ["tactics", "tactics,line=2", "tactics,line=3", "tactics,normal", "tactics:7x2", "tactics:5x3"]
    {
        compare_with_table(&tactics(name));
    }
}

#[test]
fn a_table_that_forgets_changes_no_outcome() {
    let game = tactics("tactics:5x4");
    let table = solved(&game);
    let small = Limits { memory: 0, ..FREE };
    for index in (0..1 << 20).step_by(4099) {
        let (knowledge, _) = sum_outcome(&game, &Squares(index), &small);
        assert_eq!(knowledge, Knowledge::Outcome(outcome(&table, Index(index))), "{index}");
    }
}

/// The nimber by its definition: the least number that no turn leads to.
fn nimber_by_definition<G: Game>(
    game: &G,
    position: &G::Position,
    known: &mut HashMap<G::Position, u32>,
) -> u32 {
    if let Some(&nimber) = known.get(position) {
        return nimber;
    }
    let mut taken = HashSet::new();
    let _ = game.each_successor(position, |next| {
        taken.insert(nimber_by_definition(game, &next, known));
        ControlFlow::Continue(())
    });
    let nimber = (0..).find(|number| !taken.contains(number)).unwrap();
    known.insert(position.clone(), nimber);
    nimber
}

#[test]
fn nimbers_are_what_their_definition_says() {
    for game in boards(1, 10).iter().filter(|game| game.last_turn_wins()) {
        let (mut known, mut nimbers) = (HashMap::new(), Nimbers::new(game, &FREE));
        for index in 0..game.index_count() as u64 {
            let expected = nimber_by_definition(game, &Squares(index), &mut known);
            assert_eq!(nimbers.of(&Squares(index)), Ok(Nimber(expected)), "{} {index:b}", game.name());
        }
    }
    let (mut known, mut nimbers) = (HashMap::new(), Nimbers::new(&Chomp, &FREE));
    for bar in conformance::playouts(&Chomp, 200, 20, 1) {
        let expected = nimber_by_definition(&Chomp, &bar, &mut known);
        assert_eq!(nimbers.of(&bar), Ok(Nimber(expected)), "{bar:?}");
        // The outcome is the other way to see a zero.
        let lost = Knowledge::Outcome(if expected == 0 { Outcome::Loss } else { Outcome::Win });
        assert_eq!(sum_outcome(&Chomp, &bar, &FREE).0, lost, "{bar:?}");
    }
    for length in 1..=4 {
        // A single row is a heap of all squares except the one that cannot be taken.
        assert_eq!(nimbers.of(&[0, 0, length]), Ok(Nimber(u32::from(length) - 1)));
    }
}

/// One row with lines of one or two squares is Kayles: the nimbers up to 71 pins (R. K. Guy, C. A. B. Smith,
/// "The G-values of various games", 1956).
const KAYLES: [[u32; 12]; 5] = [
    [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6],
    [4, 1, 2, 7, 1, 4, 3, 2, 1, 4, 6, 7],
    [4, 1, 2, 8, 5, 4, 7, 2, 1, 8, 6, 7],
    [4, 1, 2, 3, 1, 4, 7, 2, 1, 8, 2, 7],
    [4, 1, 2, 8, 1, 4, 7, 2, 1, 4, 2, 7],
];

#[test]
fn one_row_of_lines_up_to_two_is_kayles() {
    for (pins, &nimber) in KAYLES.as_flattened().iter().enumerate().skip(1) {
        let game = Tactics::new(pins as u32, 1, 2, true).unwrap();
        // As a part of a longer row: the mirror image of a whole row is left to a test above.
        assert_eq!(Nimbers::new(&game, &FREE).of(&game.start()), Ok(Nimber(nimber)), "{pins} pins");
    }
}

/// Whether the side to move loses misère Kayles with these rows, which are in order: by the rules
/// alone.
fn kayles_is_lost(rows: &[u32], known: &mut HashMap<Vec<u32>, bool>) -> bool {
    if let Some(&lost) = known.get(rows) {
        return lost;
    }
    let mut lost = !rows.is_empty();
    for at in 0..rows.len() {
        for taken in 1..=rows[at].min(2) {
            for left in 0..=rows[at] - taken {
                let mut next = rows.to_vec();
                next.remove(at);
                next.extend([left, rows[at] - taken - left].into_iter().filter(|&row| row > 0));
                next.sort_unstable();
                lost &= !kayles_is_lost(&next, known);
            }
        }
    }
    known.insert(rows.to_vec(), lost);
    lost
}

#[test]
fn misere_kayles_is_lost_in_the_same_rows_as_by_its_rules() {
    let (mut known, mut lost) = (HashMap::new(), Vec::new());
    for pins in 1..=40 {
        let game = Tactics::new(pins, 1, 2, false).unwrap();
        let found = sum_outcome(&game, &game.start(), &FREE).0 == Knowledge::Outcome(Outcome::Loss);
        if pins <= 24 {
            assert_eq!(found, kayles_is_lost(&[pins], &mut known), "{pins} pins");
        }
        if found {
            lost.push(pins);
        }
    }
    assert_eq!(lost, [1, 4, 9, 12, 20]);
}

/// `docs/results/tactics.md` tells what mirror images decide.
#[test]
fn mirror_images_decide_every_board_in_normal_play() {
    for game in boards(1, 16).iter().filter(|game| game.last_turn_wins()) {
        let text = game.name();
        let table = solved(game);
        let lost = game.is_mirrored(&game.start());
        assert_eq!(lost, outcome(&table, Index(0)) == Outcome::Loss, "{text}");
        assert_ne!(lost, game.mirroring_turn(&game.start()).is_some(), "{text}");
    }
    for (columns, rows) in [(7, 9), (9, 7), (6, 8), (8, 7), (63, 1), (31, 2)] {
        for longest in 1..=columns.max(rows) {
            let game = Tactics::new(columns, rows, longest, true).unwrap();
            let both_even = columns % 2 == 0 && rows % 2 == 0;
            let lost = both_even || longest == 1 && columns * rows % 2 == 0;
            assert_eq!(game.is_mirrored(&game.start()), lost, "{}", game.name());
            assert_eq!(game.mirroring_turn(&game.start()).is_some(), !lost, "{}", game.name());
        }
    }
}

/// The outcomes in `docs/results/tactics.md` for boards that are decided quickly.
#[test]
fn misere_boards_have_the_documented_outcomes() {
    let mut decided = 0;
    for line in include_str!("data/tactics-misere.tsv").lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [columns, rows, longest] = [0, 1, 2].map(|at| fields[at].parse::<u32>().unwrap());
        if columns * rows > 20 {
            continue;
        }
        let game = Tactics::new(columns, rows, longest, false).unwrap();
        let (knowledge, _) = sum_outcome(&game, &game.start(), &FREE);
        assert_eq!(knowledge.outcome().map(Outcome::word), Some(fields[3]), "{line}");
        decided += 1;
    }
    assert!(decided >= 60, "{decided}");
}

/// The parts of a position as texts.
fn parts<G: Impartial>(game: &G, position: &G::Position) -> Vec<String> {
    let mut parts = Vec::new();
    game.each_part(position, |part| parts.push(game.position_text(&part)));
    parts.sort_unstable();
    parts
}

#[test]
fn a_strategy_is_closed_and_all_its_positions_are_lost() {
    for game in
        boards(1, 12).iter().chain(&[tactics("tactics"), tactics("tactics:5x3"), tactics("tactics:5x4")])
    {
        let text = game.name();
        let table = solved(game);
        let from_table = |position: &Squares| Some(outcome(&table, Index(position.0)) == Outcome::Loss);
        let searched = winning_strategy(game, &game.start(), &|_| None, u64::MAX, &FREE).unwrap();
        let looked_up = winning_strategy(game, &game.start(), &from_table, u64::MAX, &FREE).unwrap();
        assert_eq!(looked_up.nodes, 0, "{text}: nothing is searched");
        for strategy in [searched, looked_up] {
            assert_eq!(strategy.first, outcome(&table, Index(0)) == Outcome::Win, "{text}");
            let set: HashSet<Vec<String>> =
                strategy.positions.iter().map(|position| parts(game, position)).collect();
            assert_eq!(set.len(), strategy.positions.len(), "{text}: each once");
            let answered = |position: &Squares| match game.result(position) {
                Some(outcome) => outcome == Outcome::Win,
                None => game.turns(position).iter().any(|(_, next)| {
                    set.contains(&parts(game, next)) || game.result(next) == Some(Outcome::Loss)
                }),
            };
            let all_answered =
                |position: &Squares| game.turns(position).iter().all(|(_, next)| answered(next));
            for position in &strategy.positions {
                assert_eq!(outcome(&table, Index(position.0)), Outcome::Loss, "{text}");
                assert!(all_answered(position), "{text} {}", game.position_text(position));
            }
            let start = game.start();
            assert!(if strategy.first { answered(&start) } else { all_answered(&start) }, "{text}");
        }
    }
}

#[test]
fn a_search_ends_at_its_limits() {
    let game = tactics("tactics:6x5");
    let start = game.start();
    let few = Limits { nodes: 50, ..FREE };
    assert_eq!(sum_outcome(&game, &start, &few), (Knowledge::Unknown, 51));
    let late = Limits { time: Duration::ZERO, ..FREE };
    assert_eq!(sum_outcome(&game, &start, &late).0, Knowledge::Unknown);
    assert!(winning_strategy(&game, &start, &|_| None, u64::MAX, &few).is_err());
    assert!(winning_strategy(&tactics("tactics"), &Squares(0), &|_| None, 5, &FREE).is_err());
    let normal = tactics("tactics:4x3,normal");
    assert!(Nimbers::new(&normal, &Limits { nodes: 3, ..FREE }).of(&Squares(1)).is_err());
    assert!(Nimbers::new(&normal, &Limits { memory: 0, ..FREE }).of(&Squares(1)).is_err());
}
