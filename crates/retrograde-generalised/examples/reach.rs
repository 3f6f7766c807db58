//! Measures the algorithms on random boards of growing size.
//!
//! `cargo run --release -p retrograde-generalised --example reach [SEED]`

use std::time::Instant;

use retrograde_game::Random;
use retrograde_generalised::mate::{MateError, Method, State, least, unlimited, within};
use retrograde_generalised::reductions::steiner::{Instance, Point};
use retrograde_testkit::drawing;

/// A random index below `end`.
fn below(random: &mut Random, end: usize) -> usize {
    random.below(end as u64) as usize
}

/// A square board with `pieces` pieces per side, some of them pushers, and rails on nine of ten edges.
fn board(random: &mut Random, side: usize, pieces: usize, pushers: usize) -> State {
    let mut cells = vec!['.'; side * side];
    let mut order: Vec<usize> = (0..cells.len()).collect();
    random.shuffle(&mut order);
    for (number, &at) in order.iter().take(2 * pieces).enumerate() {
        cells[at] = match number {
            0 => 'Y',
            _ if number < pieces => 'x',
            _ if number < pieces + pushers => 'O',
            _ => 'o',
        };
    }
    let rows: Vec<String> = cells.chunks(side).map(|row| row.iter().collect()).collect();
    State::parse(&drawing(&rows, || random.below(10) > 0)).expect("the drawing is valid")
}

/// A maze without cycles, a spanning tree of every other square: corridors, and crossings where up
/// to four regions meet. Most squares have own pawns, some are empty, and the opponent is at some
/// dead ends.
fn maze(random: &mut Random, side: usize, empty: usize) -> State {
    let width = 2 * side - 1;
    let mut cells = vec![vec!['#'; width]; width];
    let mut tree = vec![(0, 0)];
    cells[0][0] = 'o';
    while !tree.is_empty() {
        let at = below(random, tree.len());
        let (row, column) = tree[at];
        let mut neighbours = Vec::new();
        for (down, right) in [(-2, 0), (0, 2), (2, 0), (0, -2_isize)] {
            let next = (row as isize + down, column as isize + right);
            let inside = |at: isize| (0..width as isize).contains(&at);
            if inside(next.0) && inside(next.1) && cells[next.0 as usize][next.1 as usize] == '#' {
                neighbours.push((next.0 as usize, next.1 as usize));
            }
        }
        if neighbours.is_empty() {
            tree.swap_remove(at);
            continue;
        }
        let next = neighbours[below(random, neighbours.len())];
        cells[(row + next.0) / 2][(column + next.1) / 2] = 'o';
        cells[next.0][next.1] = 'o';
        tree.push(next);
    }
    let mut left = empty;
    while left > 0 {
        let (row, column) = (below(random, width), below(random, width));
        if cells[row][column] == 'o' {
            cells[row][column] = '.';
            left -= 1;
        }
    }
    cells[width / 2 / 2 * 2][width / 2 / 2 * 2] = 'O';
    // The piece to be ejected is in the lower right corner, at the only edge without a rail.
    cells[width - 1][width - 1] = 'x';
    let rows: Vec<String> = cells.iter().map(|row| row.iter().collect()).collect();
    let railed = drawing(&rows, || true);
    let gap = railed.rfind('-').expect("an edge below the corner");
    let text = format!("{} {}", &railed[..gap], &railed[gap + 1..]);
    State::parse(&text).expect("the drawing is valid")
}

fn timed<T>(what: &str, ask: impl FnOnce() -> T, say: impl FnOnce(&T) -> String) {
    let begin = Instant::now();
    let answer = ask();
    println!("{what:<60} {:>9.3} s  {}", begin.elapsed().as_secs_f64(), say(&answer));
}

fn main() {
    let seed = std::env::args().nth(1).and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let moves = |turn: &Option<retrograde_generalised::mate::Turn>| match turn {
        Some(turn) => format!("{} moves", turn.moves.len()),
        None => "no mate".to_owned(),
    };
    let tried = |turn: &Result<Option<retrograde_generalised::mate::Turn>, MateError>| match turn {
        Ok(turn) => moves(turn),
        Err(limit) => limit.to_string(),
    };
    for (side, pieces, pushers) in [
        (20, 150, 1),
        (20, 150, 5),
        (20, 195, 1),
        (50, 900, 5),
        (50, 1200, 5),
        (50, 1240, 1),
        (300, 44000, 20),
        (1000, 490_000, 3),
    ] {
        let state = board(&mut Random::new(seed), side, pieces, pushers);
        let name = format!("{side} × {side}, {pieces} pieces, {pushers} pushers");
        timed(&format!("any number: {name}"), || unlimited(&state), moves);
        if side <= 50 {
            for few in [1, 2] {
                timed(&format!("{few} moves: {name}"), || within(&state, few, Method::Either, 0), tried);
            }
        }
    }
    for (side, empty) in [(5, 10), (13, 60), (13, 100), (26, 300), (26, 600), (100, 10000)] {
        let state = maze(&mut Random::new(seed), side, empty);
        timed(
            &format!("any number: maze of {} squares, {empty} of them empty", state.square_count()),
            || unlimited(&state),
            moves,
        );
    }
    for (points, around) in [(3, 4), (3, 8), (4, 5), (4, 8), (5, 5), (5, 8), (6, 5), (6, 8), (8, 6), (10, 6)]
    {
        let mut random = Random::new(seed);
        let mut chosen = std::collections::BTreeSet::new();
        while chosen.len() < points {
            chosen.insert((below(&mut random, around) as i32, below(&mut random, around) as i32));
        }
        let chosen = chosen.into_iter().map(|(x, y)| Point { x, y }).collect();
        let instance = Instance::new(chosen).expect("different points");
        let reduced = instance.reduce(instance.least_length().expect("few points")).expect("a small board");
        let state = State::parse(&reduced.board_file()).expect("the drawing is valid");
        let name = format!("{points} points, {} squares, {} moves", state.square_count(), reduced.moves);
        timed(&format!("any number: {name}"), || unlimited(&state), moves);
        for how in [Method::Search, Method::Sat] {
            // To prove minimality the solver has to refute one move fewer, which would take minutes.
            if how == Method::Sat && reduced.moves > 12 {
                continue;
            }
            timed(&format!("least, {how:?}: {name}"), || least(&state, how, 6_000_000_000), tried);
        }
    }
    for (side, empty) in [(4, 6), (5, 8), (6, 10), (7, 12), (8, 14)] {
        let state = maze(&mut Random::new(seed), side, empty);
        let name = format!("maze of {} squares, {empty} of them empty", state.square_count());
        for how in [Method::Search, Method::Sat] {
            timed(&format!("least, {how:?}: {name}"), || least(&state, how, 6_000_000_000), tried);
        }
    }
}
