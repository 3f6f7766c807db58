//! Compares the reduction of Theorem 3.20 with known boards, and its trees with every choice of crossings.

use proptest::prelude::*;
use retrograde_generalised::reductions::steiner::{Instance, Point};
use retrograde_generalised::reductions::{Cell, Direction, Position, Side};

/// Every board and every length in the data file, which other programs computed.
#[test]
fn boards_and_lengths_match_known_values() {
    let mut rows = 0;
    for line in include_str!("../data/steiner.tsv").lines().filter(|line| !line.starts_with('#')).skip(1) {
        let [id, points, p1, length, moves, board] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("six columns: {line}")
        };
        let instance = Instance::parse(points).unwrap();
        // The file has the first point after the translation.
        let left = instance.points().iter().map(|p| p.x).min().unwrap();
        let (x, _) = p1.split_once(',').unwrap();
        let first = Point { x: x.parse::<i32>().unwrap() - 2 + left, y: instance.first().y };
        let instance = instance.starting_at(first).unwrap();
        assert_eq!(instance.least_length().unwrap().to_string(), length, "{id}");
        let reduced = instance.reduce(length.parse().unwrap()).unwrap();
        assert_eq!(reduced.moves.to_string(), moves, "{id}");
        assert_eq!(reduced.position.to_string().trim_end().replace('\n', "/"), board, "{id}");
        rows += 1;
    }
    assert_eq!(rows, 11);
}

fn distance(a: Point, b: Point) -> u64 {
    u64::from(a.x.abs_diff(b.x) + a.y.abs_diff(b.y))
}

/// The length of a shortest spanning tree, by Prim's algorithm.
fn spanning(points: &[Point]) -> u64 {
    let mut missing: Vec<(Point, u64)> = points[1..].iter().map(|&p| (p, distance(p, points[0]))).collect();
    let mut length = 0;
    while let Some(nearest) = (0..missing.len()).min_by_key(|&i| missing[i].1) {
        let (point, far) = missing.swap_remove(nearest);
        length += far;
        for (other, least) in &mut missing {
            *least = (*least).min(distance(*other, point));
        }
    }
    length
}

/// The least spanning tree of the points and any choice of additional crossings of the grid.
fn least_of_all(points: &[Point]) -> u64 {
    let crossings: Vec<Point> = points
        .iter()
        .flat_map(|a| points.iter().map(|b| Point { x: a.x, y: b.y }))
        .filter(|crossing| !points.contains(crossing))
        .collect();
    fn more(tree: &mut Vec<Point>, crossings: &[Point], left: usize) -> u64 {
        let mut least = spanning(tree);
        if left > 0 {
            for (index, &crossing) in crossings.iter().enumerate() {
                tree.push(crossing);
                least = least.min(more(tree, &crossings[index + 1..], left - 1));
                tree.pop();
            }
        }
        least
    }
    // A tree of n points needs at most n − 2 others at which three or more segments meet.
    more(&mut points.to_vec(), &crossings, points.len().saturating_sub(2))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn trees_are_as_short_as_any(points in prop::collection::btree_set((-9..9_i32, -9..9_i32), 1..=5)) {
        let points: Vec<Point> = points.into_iter().map(|(x, y)| Point { x, y }).collect();
        let instance = Instance::new(points.clone()).unwrap();
        prop_assert_eq!(instance.least_length().unwrap(), least_of_all(&points));
    }

    /// The boards have the shape that the theorem prescribes.
    #[test]
    fn boards_have_the_shape(points in prop::collection::btree_set((-20..20_i32, -20..20_i32), 1..=9)) {
        let n = points.len();
        let instance = Instance::new(points.into_iter().map(|(x, y)| Point { x, y }).collect()).unwrap();
        let reduced = instance.reduce(7).unwrap();
        prop_assert_eq!(reduced.moves, 10);
        let file = reduced.board_file();
        let drawing = file.strip_prefix("moves = 10\n").unwrap();
        let count = |letter| drawing.matches(letter).count();
        prop_assert_eq!((count('.'), count('Y'), count('O')), (n, 1, 1));
        prop_assert_eq!(drawing.lines().last().unwrap().matches(' ').count(), 1);
        prop_assert_eq!(retrograde_generalised::reductions::Position::parse(drawing).unwrap(), reduced.position);
    }
}

/// Whether White can eject a black piece after at most `moves` moves.
fn mates(position: &Position, moves: usize) -> bool {
    position.after_moves(Side::White, moves).iter().any(|moved| {
        let king = moved.find(|square| square == Cell::WhiteKing).unwrap();
        Direction::ALL.into_iter().any(|direction| moved.clone().push(king, direction).flatten().is_some())
    })
}

/// The theorem itself on small boards: ℓ + 3 moves are enough, and one fewer is not.
#[test]
fn mate_takes_three_moves_more_than_the_tree_is_long() {
    for points in
        ["0,0", "5,5", "0,0 1,0", "0,0 2,0", "0,0 0,1", "1,0 0,1", "0,0 1,2", "0,0 1,0 2,0", "0,0 1,1 2,0"]
    {
        let instance = Instance::parse(points).unwrap();
        let length = instance.least_length().unwrap();
        let reduced = instance.reduce(length).unwrap();
        let moves = usize::try_from(reduced.moves).unwrap();
        assert!(mates(&reduced.position, moves), "{points}");
        assert!(!mates(&reduced.position, moves - 1), "{points}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// The theorem on random points, checked by the algorithms for the least number of moves.
    #[test]
    fn the_least_number_of_moves_is_three_more_than_the_length(
        points in prop::collection::btree_set((0..4_i32, 0..4_i32), 1..=4)
    ) {
        let instance = Instance::new(points.into_iter().map(|(x, y)| Point { x, y }).collect()).unwrap();
        let reduced = instance.reduce(instance.least_length().unwrap()).unwrap();
        let state = retrograde_generalised::mate::State::parse(&reduced.board_file()).unwrap();
        let turn = retrograde_generalised::mate::least(&state, retrograde_generalised::mate::Method::Either, 1 << 30).unwrap().unwrap();
        prop_assert_eq!(turn.moves.len() as u64, reduced.moves);
        prop_assert!(state.check(&turn).is_ok());
    }
}

/// The most points for an exact tree, on the worst grid: all lines different.
#[test]
fn the_largest_trees_are_found() {
    let points = (0..14).map(|i| Point { x: i, y: i * 5 % 14 }).collect();
    assert!(Instance::new(points).unwrap().least_length().unwrap() > 26);
}
