use super::*;
use crate::board::{Piece, PieceShape};
use crate::check::Random;
use crate::values::Seat;

/// All boards of up to 64 squares with at most 9 columns and rows, and the longest ones.
fn grids() -> Vec<Grid> {
    let sizes = (1..=9).flat_map(|columns| (1..=9).map(move |rows| (columns, rows)));
    let long = [(64, 1), (1, 64), (32, 2), (2, 32), (63, 1), (1, 63), (21, 3)];
    sizes.chain(long).filter_map(|(columns, rows)| Grid::new(columns, rows).ok()).collect()
}

fn sets(grid: Grid, random: &mut Random) -> Vec<Squares> {
    let dense = Squares(random.bits()) & grid.all();
    let sparse = dense & Squares(random.bits() & random.bits());
    vec![Squares::EMPTY, grid.all(), dense, sparse]
}

/// Columns to the right and rows downwards.
fn offset(direction: Direction) -> (i32, i32) {
    match direction {
        Up => (0, -1),
        Right => (1, 0),
        Down => (0, 1),
        Left => (-1, 0),
        UpRight => (1, -1),
        DownRight => (1, 1),
        DownLeft => (-1, 1),
        UpLeft => (-1, -1),
    }
}

/// The square `steps` steps away, computed from columns and rows.
fn walked(grid: Grid, square: Square, direction: Direction, steps: i32) -> Option<Square> {
    let (right, down) = offset(direction);
    let at = grid.place(square);
    let column = u32::try_from(i32::from(at.column) + right * steps).ok()?;
    grid.square(column, u32::try_from(i32::from(at.row) + down * steps).ok()?)
}

#[test]
fn steps_move_each_square() {
    let mut random = Random::new(1);
    for grid in grids() {
        for set in sets(grid, &mut random) {
            for direction in Direction::ALL {
                let plain: Squares =
                    set.into_iter().filter_map(|square| walked(grid, square, direction, 1)).collect();
                assert_eq!(grid.step(set, direction), plain, "{grid:?} {set:?} {direction:?}");
                let kept = set & grid.step(grid.all(), direction.opposite());
                assert_eq!(grid.step(plain, direction.opposite()), kept, "{grid:?} {direction:?}");
            }
            let around = grid.neighbours(set, &Direction::STRAIGHT);
            let plain = grid.all().into_iter().filter(|&square| {
                Direction::STRAIGHT
                    .iter()
                    .any(|&way| walked(grid, square, way, 1).is_some_and(|beside| set.contains(beside)))
            });
            assert_eq!(around, plain.collect(), "{grid:?} {set:?}");
        }
    }
}

#[test]
fn lines_are_found_by_walking() {
    let mut random = Random::new(2);
    for grid in grids() {
        for length in 1..=5 {
            let mut plain: Vec<Squares> = Vec::new();
            for square in grid.all() {
                for direction in Direction::ALL {
                    let steps = (0..length as i32).map(|steps| walked(grid, square, direction, steps));
                    if let Some(line) = steps.collect::<Option<Squares>>() {
                        plain.push(line);
                    }
                }
            }
            plain.sort_unstable();
            plain.dedup();
            let mut lines = grid.lines(length);
            lines.sort_unstable();
            assert_eq!(lines, plain, "{grid:?} {length}");
            for set in sets(grid, &mut random) {
                let found = plain.iter().any(|&line| line & set == line);
                assert_eq!(grid.has_line(set, length), found, "{grid:?} {length} {set:?}");
            }
        }
        assert!(grid.lines(0).is_empty());
    }
}

#[test]
fn symmetries_keep_neighbours_and_have_inverses() {
    let mut random = Random::new(3);
    for grid in grids() {
        let count = if grid.columns() == grid.rows() { 8 } else { 4 };
        assert_eq!(grid.symmetries().len(), count);
        for &symmetry in grid.symmetries() {
            for set in sets(grid, &mut random) {
                let image = grid.image(symmetry, set);
                assert_eq!(image.len(), set.len());
                let back = |&other: &Symmetry| grid.image(other, image) == set;
                assert!(grid.symmetries().iter().any(back), "{grid:?} {symmetry:?}");
                let around = grid.neighbours(set, &Direction::STRAIGHT);
                assert_eq!(
                    grid.neighbours(image, &Direction::STRAIGHT),
                    grid.image(symmetry, around),
                    "{grid:?} {symmetry:?} {set:?}"
                );
            }
        }
        for set in sets(grid, &mut random) {
            for &symmetry in grid.symmetries() {
                let to = grid.permutation(symmetry);
                let plain = set.into_iter().map(|square| Square(to[square.index()])).collect();
                assert_eq!(grid.image(symmetry, set), plain, "{grid:?} {symmetry:?} {set:?}");
            }
        }
    }
}

#[test]
fn symmetries_do_what_their_names_say() {
    let grid = Grid::new(3, 3).unwrap();
    let [set] = grid.parse(['X'], "XX./.../..X").unwrap();
    let text = |symmetry| grid.text(['X'], [grid.image(symmetry, set)]);
    assert_eq!(
        Symmetry::ALL.map(text),
        [
            "XX./.../..X",
            ".XX/.../X..",
            "..X/.../XX.",
            "X../.../.XX",
            "X../..X/..X",
            "X../X../..X",
            "..X/..X/X..",
            "..X/X../X.."
        ]
    );
    let oblong = Grid::new(3, 2).unwrap();
    assert_eq!(oblong.permutation(Symmetry::QuarterTurn), [1, 3, 5, 0, 2, 4]);
}

#[test]
fn texts_and_names_are_read_back() {
    let mut random = Random::new(4);
    for grid in grids() {
        for set in sets(grid, &mut random) {
            let other = Squares(random.bits()) & grid.all() & !set;
            let text = grid.text(['X', 'O'], [set, other]);
            assert_eq!(grid.parse(['X', 'O'], &text), Ok([set, other]), "{text}");
            assert_eq!(grid.parse(['X', 'O'], &text.replace('/', "")), Ok([set, other]), "{text}");
            let mut planes = vec![7; 2 * grid.count() as usize];
            grid.planes([set, other], &mut planes);
            let read = |plane: &[u8]| -> Squares {
                (0..).map(Square).zip(plane).filter(|(_, one)| **one == 1).map(|(square, _)| square).collect()
            };
            let (first, second) = planes.split_at(grid.count() as usize);
            assert_eq!((read(first), read(second)), (set, other));
        }
        for square in grid.all() {
            assert_eq!(grid.named(&grid.name(square)), Some(square));
            let at = grid.place(square);
            assert_eq!(grid.square(at.column.into(), at.row.into()), Some(square));
            let (column, row) = (grid.column(at.column.into()), grid.row(at.row.into()));
            assert_eq!(column & row, square.set());
        }
        assert_eq!((grid.top(), grid.bottom()), (grid.row(0), grid.row(grid.rows() - 1)));
        assert!(grid.row(grid.rows()).is_empty() && grid.column(grid.columns()).is_empty());
    }
    assert_eq!(Grid::new(3, 2).unwrap().named("c2"), Some(Square(2)));
}

#[test]
fn errors_report_the_place() {
    let grid = Grid::new(3, 2).unwrap();
    for (text, reason) in [
        ("X.O/.Y.", "found 'Y' at character 6, expected one of `X`, `O` or `.`"),
        ("X.O.../", "found '.' at character 4, expected `/` between two rows"),
        ("X.O/...x", "found 'x' at character 8, expected the end"),
        ("X.O/..", "ends too early, expected 1 more square"),
        ("X.O/", "ends too early, expected 3 more squares"),
        ("/X.O/...", "found '/' at character 1, expected one of `X`, `O` or `.`"),
    ] {
        let error = grid.parse(['X', 'O'], text).unwrap_err();
        assert_eq!(error.reason(), reason, "{text}");
    }
    assert_eq!(grid.parse([], "a").unwrap_err().reason(), "found 'a' at character 1, expected `.`");
    for (columns, rows) in [(0, 3), (3, 0), (13, 5), (u32::MAX, u32::MAX)] {
        assert!(Grid::new(columns, rows).is_err(), "{columns} {rows}");
    }
    let spec = GameSpec::parse("game:13x5").unwrap();
    let error = Grid::from_spec(&spec, (3, 3)).unwrap_err().to_string();
    assert!(error.contains("at most 64 squares, not 13 x 5"), "{error}");
    assert_eq!(Grid::from_spec(&GameSpec::parse("game").unwrap(), (3, 2)), Ok(grid));
}

#[test]
fn pictures_show_the_pieces_of_the_sets() {
    let grid = Grid::new(2, 2).unwrap();
    let pieces = Piece::sides(PieceShape::Round);
    let sets = grid.parse(['X', 'O'], "X./.O").unwrap();
    let picture = grid.picture(Seat::Second, pieces, sets);
    assert_eq!(picture.to_move, Seat::Second);
    assert_eq!(picture.squares, [Some(Some(pieces[0])), Some(None), Some(None), Some(Some(pieces[1]))]);
}
