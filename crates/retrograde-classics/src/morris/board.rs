//! The boards of Morris games, drawn as points, the lines along which men move, and mills.

use retrograde_game::{GridSquare, Picture, Square, Squares};

/// Three nested squares, for Nine Men's Morris; `o` is a point.
const NINE: [&str; 7] = ["o--o--o", "|o-o-o|", "||ooo||", "ooo ooo", "||ooo||", "|o-o-o|", "o--o--o"];
/// Two nested squares, for Six Men's Morris.
const SIX: [&str; 5] = ["o-o-o", "|ooo|", "oo oo", "|ooo|", "o-o-o"];
/// Three rows of three, for Three Men's Morris.
const THREE: [&str; 3] = ["ooo", "ooo", "ooo"];

/// The points of a board, numbered row by row from the top.
#[derive(Clone, Debug)]
pub struct Board {
    /// The number of columns of a picture.
    pub columns: u16,
    /// The number of rows of a picture.
    pub rows: u16,
    /// The place of each point in a picture.
    pub places: Vec<GridSquare>,
    /// The points next to each point.
    pub neighbours: Vec<Squares>,
    /// All sets of three points in a row.
    pub mills: Vec<Squares>,
    /// For each point, the other two points of every mill through it.
    pub mills_at: Vec<Vec<Squares>>,
}

impl Board {
    /// The board for three, six or nine men. On the smallest board both diagonals are mills;
    /// `diagonals` determines whether men also move along them.
    pub fn of_game(men: u32, diagonals: bool) -> Option<Board> {
        let mut board = match men {
            3 => Board::drawn(&THREE),
            6 => Board::drawn(&SIX),
            9 => Board::drawn(&NINE),
            _ => return None,
        };
        if men == 3 {
            for line in [[0, 4, 8], [2, 4, 6]] {
                board.add_mill(line);
                if diagonals {
                    board.join(line[0], line[1]);
                    board.join(line[1], line[2]);
                }
            }
        }
        Some(board)
    }

    fn drawn(drawing: &[&str]) -> Board {
        let (rows, columns) = (drawing.len(), drawing[0].len());
        let letter = |column: usize, row: usize| drawing[row].as_bytes()[column];
        let place = |column: usize, row: usize| GridSquare { column: column as u16, row: row as u16 };
        let all = (0..rows).flat_map(|row| (0..columns).map(move |column| place(column, row)));
        let places: Vec<GridSquare> =
            all.filter(|at| letter(at.column.into(), at.row.into()) == b'o').collect();
        let count = places.len();
        let mut board = Board {
            columns: columns as u16,
            rows: rows as u16,
            places,
            neighbours: vec![Squares::EMPTY; count],
            mills: Vec::new(),
            mills_at: vec![Vec::new(); count],
        };
        for row in 0..rows {
            board.add_lines((0..columns).map(|column| (letter(column, row), (column, row))), b'-');
        }
        for column in 0..columns {
            board.add_lines((0..rows).map(|row| (letter(column, row), (column, row))), b'|');
        }
        board
    }

    /// Joins points of a row or column that are separated only by `line` or by nothing, and records
    /// lines of three.
    fn add_lines(&mut self, letters: impl Iterator<Item = (u8, (usize, usize))>, line: u8) {
        let mut joined: Vec<usize> = Vec::new();
        for (letter, (column, row)) in letters {
            if letter == b'o' {
                let at = GridSquare { column: column as u16, row: row as u16 };
                joined.extend(self.places.iter().position(|&place| place == at));
                if let [.., a, b] = joined[..] {
                    self.join(a, b);
                }
                if let [.., a, b, c] = joined[..] {
                    self.add_mill([a, b, c]);
                }
            } else if letter != line {
                joined.clear();
            }
        }
    }

    fn join(&mut self, a: usize, b: usize) {
        self.neighbours[a].insert(Square(b as u8));
        self.neighbours[b].insert(Square(a as u8));
    }

    fn add_mill(&mut self, points: [usize; 3]) {
        let mill: Squares = points.iter().map(|&point| Square(point as u8)).collect();
        self.mills.push(mill);
        for point in points {
            self.mills_at[point].push(mill.without(Square(point as u8)));
        }
    }

    /// The number of points.
    pub fn points(&self) -> u32 {
        self.places.len() as u32
    }

    /// All points.
    pub fn all(&self) -> Squares {
        Squares::below(self.places.len())
    }

    /// Whether the man on a point is part of a mill of these men.
    #[inline]
    pub fn is_in_mill(&self, men: Squares, point: Square) -> bool {
        self.mills_at[usize::from(point.0)].iter().any(|&rest| rest & men == rest)
    }

    /// The men that are part of a mill.
    #[inline]
    pub fn in_mills(&self, men: Squares) -> Squares {
        self.mills.iter().filter(|&&mill| mill & men == mill).fold(Squares::EMPTY, |all, &mill| all | mill)
    }

    /// The men that may be taken: those outside mills, or all if every man is in a mill.
    #[inline]
    pub fn removable(&self, men: Squares) -> Squares {
        let open = men & !self.in_mills(men);
        if open.is_empty() { men } else { open }
    }

    /// The name of a point: `d7`.
    pub fn name(&self, point: Square) -> String {
        let at = self.places[usize::from(point.0)];
        format!("{}{}", Picture::column_label(at.column), self.rows - at.row)
    }

    /// The symmetries of the board, each as the image of every point: the eight of a square, and
    /// each of these with the nested squares turned inside out.
    pub fn symmetries(&self) -> Vec<Vec<u8>> {
        let middle = i32::from(self.rows / 2);
        let rings = self.places.iter().map(|&at| ring(centred(at, middle))).max().unwrap_or(0);
        let mut symmetries: Vec<Vec<u8>> = Vec::new();
        for inside_out in [false, true] {
            for turned in 0..8 {
                let image = |&at: &GridSquare| {
                    let (mut x, mut y) = centred(at, middle);
                    if turned & 1 > 0 {
                        x = -x;
                    }
                    if turned & 2 > 0 {
                        y = -y;
                    }
                    if turned & 4 > 0 {
                        (x, y) = (y, x);
                    }
                    let ring = ring((x, y));
                    let other = if inside_out && ring > 0 { rings + 1 - ring } else { ring };
                    let scaled = |part: i32| (middle + part * other / ring.max(1)) as u16;
                    let to = GridSquare { column: scaled(x), row: scaled(y) };
                    self.places.iter().position(|&place| place == to).map(|point| point as u8)
                };
                // All boards have these symmetries, so every point has an image.
                let permutation: Option<Vec<u8>> = self.places.iter().map(image).collect();
                symmetries.extend(permutation.filter(|new| !symmetries.contains(new)));
            }
        }
        symmetries
    }
}

/// The column and row relative to the middle of the board.
fn centred(at: GridSquare, middle: i32) -> (i32, i32) {
    (i32::from(at.column) - middle, i32::from(at.row) - middle)
}

/// The nested square that a point is on: 1 is the innermost, 0 the middle.
fn ring((x, y): (i32, i32)) -> i32 {
    x.abs().max(y.abs())
}
