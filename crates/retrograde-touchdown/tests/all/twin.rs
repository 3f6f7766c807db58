//! Implements the rules a second time, square by square from the description in touchdown_db, and
//! compares them with the bit tricks on every arrangement of pawns on small boards.

use std::collections::BTreeSet;

use retrograde_game::{Dense, Game, Graded, GridSquare, Mark, Outcome, Seat, Show};
use retrograde_touchdown::TouchDown;

type Grid = Vec<Vec<char>>;

fn text(grid: &Grid) -> String {
    grid.iter().map(|row| row.iter().collect::<String>()).collect::<Vec<_>>().join("/")
}

fn count(grid: &Grid, pawn: char) -> usize {
    grid.iter().flatten().filter(|&&square| square == pawn).count()
}

fn legal(grid: &Grid) -> bool {
    let columns = grid[0].len();
    count(grid, 'X') <= columns && (1..=columns).contains(&count(grid, 'O')) && !grid[0].contains(&'X')
}

fn over(grid: &Grid) -> bool {
    count(grid, 'X') == 0 || grid[grid.len() - 1].contains(&'O')
}

fn turned(grid: &Grid) -> Grid {
    let other = |&square: &char| match square {
        'X' => 'O',
        'O' => 'X',
        empty => empty,
    };
    grid.iter().rev().map(|row| row.iter().rev().map(other).collect()).collect()
}

fn successors(grid: &Grid) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    if over(grid) {
        return found;
    }
    for row in 1..grid.len() {
        for column in 0..grid[row].len() {
            for to in column.saturating_sub(1)..grid[row].len().min(column + 2) {
                let needed = if to == column { '.' } else { 'O' };
                if grid[row][column] == 'X' && grid[row - 1][to] == needed {
                    let mut next = grid.clone();
                    next[row][column] = '.';
                    next[row - 1][to] = 'X';
                    found.insert(text(&turned(&next)));
                }
            }
        }
    }
    found
}

/// All ways to fill a grid with `X`, `O` and `.`.
fn arrangements(columns: usize, rows: usize) -> impl Iterator<Item = Grid> {
    (0..3_usize.pow((columns * rows) as u32)).map(move |mut number| {
        let mut digit = || {
            let digit = number % 3;
            number /= 3;
            ['.', 'X', 'O'][digit]
        };
        (0..rows).map(|_| (0..columns).map(|_| digit()).collect()).collect()
    })
}

#[test]
fn the_bit_tricks_follow_the_rules_on_every_arrangement() {
    for (columns, rows) in [(1, 2), (1, 6), (2, 2), (2, 3), (3, 2), (2, 5), (3, 3), (4, 2), (5, 2), (2, 4)] {
        let game = TouchDown::new(columns, rows).unwrap();
        let (mut positions, mut open) = (0, 0);
        for grid in arrangements(columns as usize, rows as usize) {
            let Ok(position) = game.parse_position(&text(&grid)) else {
                assert!(!legal(&grid), "{} was rejected", text(&grid));
                continue;
            };
            assert!(legal(&grid), "{} was accepted", text(&grid));
            positions += 1;
            open += u128::from(!over(&grid));
            assert_eq!(game.result(&position), over(&grid).then_some(Outcome::Loss), "{}", text(&grid));
            assert_eq!(game.index(&position).is_some(), !over(&grid), "{}", text(&grid));
            let turns = game.turns(&position);
            let next: BTreeSet<String> = turns.iter().map(|(_, next)| game.position_text(next)).collect();
            assert_eq!(next, successors(&grid), "{}", text(&grid));
            assert_eq!(game.board_text(&position, Seat::Second), text(&turned(&grid)));
            let to_go: usize = (0..grid.len())
                .map(|row| {
                    let pawns = |pawn| grid[row].iter().filter(|&&square| square == pawn).count();
                    row * pawns('X') + (grid.len() - 1 - row) * pawns('O')
                })
                .sum();
            assert_eq!(game.grade(&position), to_go as u64, "{}", text(&grid));
        }
        assert_eq!((game.position_count(), game.index_count()), (positions, open), "{}", game.name());
    }
}

#[test]
fn the_second_player_moves_down_in_the_first_player_s_view() {
    let game = TouchDown::new(4, 4).unwrap();
    let position = game.parse_position("..../.O../X.../..X.").unwrap();
    let marks = |text: &str, seat| {
        let turn = game.parse_turn(&position, text).unwrap();
        (game.turn_on_board(&position, &turn, seat), game.marks(&position, &turn, seat))
    };
    let place = |column, row| GridSquare { column, row };
    let step = Mark::Move(place(2, 3), place(2, 2));
    assert_eq!(marks("c1c2", Seat::First), ("c1c2".to_owned(), vec![step]));
    let capture = Mark::Push(place(0, 2), place(1, 1));
    assert_eq!(marks("a2b3", Seat::First), ("a2b3".to_owned(), vec![capture]));
    let capture = Mark::Push(place(3, 1), place(2, 2));
    assert_eq!(marks("a2b3", Seat::Second), ("d3c2".to_owned(), vec![capture]));
    let picture = game.picture(&position, Seat::Second);
    let at = |column, row| picture.at(place(column, row)).flatten().map(|piece| (piece.owner, piece.letter));
    assert_eq!(at(3, 1), Some((Some(Seat::Second), 'O')));
    assert_eq!(at(2, 2), Some((Some(Seat::First), 'X')));
    assert_eq!(at(2, 1), None);
}
