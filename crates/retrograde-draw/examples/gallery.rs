//! Draws some boards and plots into a directory, to look at: `cargo run -p retrograde-draw
//! --example gallery -- /tmp/gallery`.

use std::path::Path;
use std::time::Duration;

use retrograde_draw::{BoardStyle, Histogram, Size, Theme, Words, board, gif, plot, png, text};
use retrograde_game::{Edge, GridSquare, Mark, Picture, Piece, PieceShape, Rail, Random, Seat, Turns};

fn place(square: &str, rows: u16) -> GridSquare {
    let (column, row) = square.split_at(1);
    GridSquare {
        column: u16::from(column.as_bytes()[0] - b'a'),
        row: rows - row.parse::<u16>().expect("a row"),
    }
}

/// Parses rows of letters; blanks are holes.
fn read(rows: &[&str], to_move: Seat) -> Picture {
    let columns = rows[0].chars().count() as u16;
    let mut picture = Picture::grid(columns, rows.len() as u16, to_move);
    for (index, letter) in rows.iter().flat_map(|row| row.chars()).enumerate() {
        let (shape, owner) = match letter {
            'O' | 'P' => (PieceShape::Square, Some(Seat::First)),
            'o' => (PieceShape::Round, Some(Seat::First)),
            'X' | 'Y' => (PieceShape::Square, Some(Seat::Second)),
            'x' => (PieceShape::Round, Some(Seat::Second)),
            'A' => (PieceShape::Pawn, Some(Seat::First)),
            'V' => (PieceShape::Pawn, Some(Seat::Second)),
            '#' => (PieceShape::Cross, None),
            ' ' => {
                picture.squares[index] = None;
                continue;
            }
            _ => continue,
        };
        let anchored = matches!(letter, 'P' | 'Y');
        let letter = match letter {
            'A' => 'X',
            'V' => 'O',
            '#' => 'X',
            other => other,
        };
        picture.squares[index] = Some(Some(Piece { shape, owner, anchored, letter }));
    }
    picture
}

/// The standard board of Push Fight.
fn push_fight(rows: [&str; 4], to_move: Seat) -> Picture {
    let mut picture = read(&rows, to_move);
    for column in 2..7 {
        picture.rails.push(Rail { place: GridSquare { column, row: 0 }, side: Edge::Top });
        picture.rails.push(Rail { place: GridSquare { column: column - 1, row: 3 }, side: Edge::Bottom });
    }
    picture
}

fn example() -> (Picture, Vec<Mark>) {
    let picture = push_fight(["  .OX.. ", "...oxY..", "..Oox...", " ..OX.  "], Seat::First);
    let at = |square| place(square, 4);
    let marks =
        vec![Mark::Move(at("d1"), at("a2")), Mark::Move(at("d3"), at("c3")), Mark::Push(at("c2"), at("d2"))];
    (picture, marks)
}

fn histogram() -> Histogram {
    let mut random = Random::new(1);
    let mut histogram = Histogram { title: "pushfight:mini".to_owned(), ..Histogram::default() };
    for turns in 0..=33_u16 {
        let count = (8e6 / 1.6_f64.powi(i32::from(turns)) * (1.0 + random.below(100) as f64 / 80.0)) as u128;
        let side = if turns % 2 == 1 { &mut histogram.wins } else { &mut histogram.losses };
        side.insert(Turns(turns), count);
    }
    histogram.draws = 1_234_567;
    histogram
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let directory = std::env::args().nth(1).ok_or("usage: gallery DIRECTORY")?;
    let directory = Path::new(&directory);
    std::fs::create_dir_all(directory)?;

    let (push, push_marks) = example();
    let touchdown = read(&["VVVV", "....", ".A..", "A.AA"], Seat::Second);
    let capture = [Mark::Push(place("b4", 4), place("a3", 4)), Mark::Move(place("d4", 4), place("d3", 4))];
    let tactics = read(&["####", ".#..", ".#.#", "...#"], Seat::First);
    let line = [Mark::Fill(["c1", "c2", "c3"].map(|square| place(square, 4)).to_vec())];
    let mut random = Random::new(7);
    let mut wide = Picture::grid(30, 14, Seat::Second);
    for index in 0..wide.squares.len() {
        let letter = ["O", "o", "x", "X", ".", ".", ".", ".", " "][random.below(9) as usize];
        wide.squares[index] = read(&[letter], Seat::First).squares[0];
    }
    wide.rails.push(Rail { place: GridSquare { column: 3, row: 5 }, side: Edge::Right });
    wide.rails.push(Rail { place: GridSquare { column: 3, row: 6 }, side: Edge::Right });
    let tiny = read(&["#"], Seat::First);

    for theme in [Theme::Light, Theme::Dark] {
        let style = BoardStyle { theme, ..BoardStyle::default() };
        let name = if theme == Theme::Dark { "dark" } else { "light" };
        for (board_name, picture, marks, caption) in [
            ("pushfight", &push, &push_marks[..], "d1-a2,d3-c3,c2-d2 · win in 1"),
            ("touchdown", &touchdown, &capture, "b4a3 loses in 6; any other turn, such as d4d3, wins."),
            ("tactics", &tactics, &line, "c1-c3"),
            ("wide", &wide, &[], "30 columns, with holes."),
            ("tiny", &tiny, &[], "The quick brown fox jumps over 13 lazy dogs? (Yes!)"),
        ] {
            let svg = board::svg(picture, &style, marks, &Words::new(board_name, caption));
            std::fs::write(directory.join(format!("{board_name}-{name}.svg")), &svg)?;
            std::fs::write(directory.join(format!("{board_name}-{name}.png")), png(&svg, Size::Width(900))?)?;
        }
        let plot = plot::histogram_svg(&histogram(), theme, 1.0);
        std::fs::write(directory.join(format!("plot-{name}.svg")), &plot)?;
        std::fs::write(directory.join(format!("plot-{name}.png")), png(&plot, Size::Width(1400))?)?;
    }

    // All letters of the alphabet.
    let letters = "abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789 \
                   .,:;!?-–—+±=×*·…/\\|_()[]{}<>≤≥→←'\"`^~%#&$@ é Push Fight: d1-a2,d3-c3,c2-d2 wins in 11 turns.";
    let style = BoardStyle { square: 80.0, ..BoardStyle::default() };
    let svg = board::svg(&push, &style, &[], &Words::new("The alphabet", letters));
    std::fs::write(directory.join("alphabet.png"), png(&svg, Size::Scale(2.0))?)?;

    let after = push_fight(["  .OX.. ", "..o.xY..", "O..Pox..", " ...X.  "], Seat::Second);
    let second = Duration::from_secs(1);
    let frames = [
        (board::svg(&push, &BoardStyle::default(), &[], &Words::new("Push Fight", "Turn 1")), second),
        (board::svg(&push, &BoardStyle::default(), &push_marks, &Words::new("Push Fight", "Turn 1")), second),
        (board::svg(&after, &BoardStyle::default(), &[], &Words::new("Push Fight", "Turn 2")), second),
    ];
    std::fs::write(directory.join("pushfight.gif"), gif(&frames, 640)?)?;

    for (picture, marks) in
        [(&push, &push_marks[..]), (&touchdown, &capture), (&tactics, &line), (&wide, &[])]
    {
        println!("{}", text::board(picture, marks, false));
    }
    println!("{}", text::board(&push, &push_marks, true));
    println!("{}", text::histogram(&histogram(), 80, true));
    Ok(())
}
