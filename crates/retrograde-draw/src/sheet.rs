//! A page for printing: a title, numbered boards in a grid with a few words each, and a footer.
//!
//! The page is an SVG of A4 size, which browsers and drawing programs print as one page. SVG has no
//! pages, and programs differ in how they split a long picture, so a second page is a second
//! picture.

use retrograde_game::{Mark, Picture};

use crate::board::{self, Drawn, Overlay, pieces};
use crate::letters::{self, Text};
use crate::style::{Colors, UNIT};
use crate::svg::{self, Num, put};
use crate::{BoardStyle, Theme};

/// Width and height in millimetres.
const PAPER: (f64, f64) = (210.0, 297.0);
/// The number of units per millimetre.
const UNITS: f64 = 4.0;
/// The margin around everything; printers leave a few millimetres blank.
const MARGIN: f64 = 60.0;
/// The gap between boards, horizontally and vertically.
const GAP: (f64, f64) = (40.0, 30.0);
const TITLE_SIZE: f64 = 19.0;
const LEAD_SIZE: f64 = 10.5;
const NUMBER_SIZE: f64 = 15.0;
const HEAD_SIZE: f64 = 10.0;
const FOOT_SIZE: f64 = 8.0;
/// The distance between lines.
const LEADING: f64 = 2.0;
/// The maximum number of boards in a row; with more, the words would be too narrow to read.
const MAX_COLUMNS: usize = 4;
/// The largest scale: squares of small boards are at most 18 mm.
const LARGEST: f64 = 18.0 * UNITS / UNIT;

/// A numbered board of a sheet.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The board, with the side to move.
    pub picture: Picture,
    /// The marks of a turn.
    pub marks: Vec<Mark>,
    /// The words next to the number.
    pub head: String,
    /// Whether the colour of the side to move is shown before `head`.
    pub to_move: bool,
    /// The words below `head`.
    pub words: String,
}

/// The content of a page.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    /// The title, in large letters.
    pub title: String,
    /// The text below the title, wrapped as necessary.
    pub lead: String,
    /// The boards, numbered from 1, row by row.
    pub entries: Vec<Entry>,
    /// The footer.
    pub foot: String,
}

/// The maximum number of boards on a page.
pub const MAX_ENTRIES: usize = 12;

/// An entry with its words broken into lines.
struct Block {
    drawn: Drawn,
    /// The left end of the words, after the number and the colour.
    indent: f64,
    head: Vec<String>,
    words: Vec<String>,
}

impl Block {
    fn lines(&self) -> usize {
        self.head.len() + self.words.len()
    }
}

/// The arrangement of entries: boards per row, the size of a place, the scale of the boards, and the blocks.
struct Grid {
    columns: usize,
    place: (f64, f64),
    scale: f64,
    text: f64,
    blocks: Vec<Block>,
}

/// The height of `lines` lines.
fn height(lines: usize) -> f64 {
    LEADING * HEAD_SIZE * lines as f64
}

fn grid(entries: &[Entry], columns: usize, (across, down): (f64, f64)) -> Grid {
    let rows = entries.len().div_ceil(columns).max(1);
    let share = |all: f64, parts: usize, gap: f64| (all - gap * (parts as f64 - 1.0)) / parts as f64;
    let place = (share(across, columns, GAP.0), share(down, rows, GAP.1));
    let style = BoardStyle { theme: Theme::Light, ..BoardStyle::default() };
    let blocks: Vec<Block> = entries
        .iter()
        .enumerate()
        .map(|(at, entry)| {
            let number = letters::width(&(at + 1).to_string(), NUMBER_SIZE) + 12.0;
            let indent = number + if entry.to_move { 26.0 } else { 0.0 };
            Block {
                drawn: board::drawn(&entry.picture, &style, &Overlay::marks(&entry.marks), 0.0),
                indent,
                head: letters::wrapped(&entry.head, HEAD_SIZE, place.0 - indent),
                words: letters::wrapped(&entry.words, HEAD_SIZE, place.0 - number),
            }
        })
        .collect();
    let text = height(blocks.iter().map(Block::lines).max().unwrap_or(0));
    let fitting = |block: &Block| {
        let room = (place.1 - text).max(1.0);
        (place.0 / block.drawn.width).min(room / block.drawn.height)
    };
    let scale = blocks.iter().map(fitting).fold(LARGEST, f64::min);
    // Numbers have two decimals in the output.
    let scale = ((scale * 100.0).floor() / 100.0).max(0.01);
    Grid { columns, place, scale, text, blocks }
}

/// Draws a page of 210 × 297 mm.
///
/// Leaves out entries after the first [`MAX_ENTRIES`]. The same input gives the same text on every machine.
pub fn svg(sheet: &Sheet) -> String {
    let colors = Theme::Light.colors();
    let (across, down) = (PAPER.0 * UNITS, PAPER.1 * UNITS);
    let inner = across - 2.0 * MARGIN;
    let mut body = String::new();

    let mut top = MARGIN;
    for line in letters::wrapped(&sheet.title, TITLE_SIZE, inner) {
        top += TITLE_SIZE;
        Text::new(&line, MARGIN, top, TITLE_SIZE, colors.text).bold().draw(&mut body);
        top += 0.7 * TITLE_SIZE;
    }
    for line in letters::wrapped(&sheet.lead, LEAD_SIZE, inner) {
        top += 1.7 * LEAD_SIZE;
        Text::new(&line, MARGIN, top, LEAD_SIZE, colors.faint_text).draw(&mut body);
    }
    top += 16.0;
    put!(
        body,
        "<path stroke=\"{}\" stroke-width=\"1.5\" d=\"M{} {}h{}\"/>\n",
        colors.frame,
        MARGIN,
        Num(top),
        Num(inner)
    );
    top += 28.0;

    let mut bottom = down - MARGIN;
    for line in letters::wrapped(&sheet.foot, FOOT_SIZE, inner).iter().rev() {
        Text::new(line, MARGIN, bottom, FOOT_SIZE, colors.faint_text).draw(&mut body);
        bottom -= LEADING * FOOT_SIZE;
    }
    bottom -= 14.0;

    let entries = &sheet.entries[..sheet.entries.len().min(MAX_ENTRIES)];
    let room = (inner, bottom - top);
    let most = entries.len().clamp(1, MAX_COLUMNS);
    // Chooses the arrangement with the largest boards. If there are several, takes the one with the fewest
    // columns, because it has the most space for words.
    let mut best = grid(entries, 1, room);
    for columns in 2..=most {
        let other = grid(entries, columns, room);
        if other.scale > best.scale {
            best = other;
        }
    }
    draw_grid(&mut body, entries, &best, (MARGIN, top), room.1, colors);

    let mut out = svg::open((across, down), (1.0 / UNITS, "mm"), &sheet.title, &sheet.lead);
    svg::background(&mut out, "#ffffff", across, down);
    out.push_str(&body);
    out.push_str("</svg>\n");
    out
}

fn draw_grid(
    out: &mut String,
    entries: &[Entry],
    grid: &Grid,
    (left, top): (f64, f64),
    room: f64,
    colors: &Colors,
) {
    let rows = grid.blocks.len().div_ceil(grid.columns).max(1);
    let tallest = grid.blocks.iter().map(|block| block.drawn.height).fold(0.0, f64::max) * grid.scale;
    let needed = grid.text + tallest;
    // Rows of small boards stay close together, and the bottom of the page stays empty.
    let pitch = ((room + GAP.1) / rows as f64).min(needed + 2.0 * GAP.1);
    for (at, (entry, block)) in entries.iter().zip(&grid.blocks).enumerate() {
        let x = left + (grid.place.0 + GAP.0) * (at % grid.columns) as f64;
        let y = top + pitch * (at / grid.columns) as f64;
        let number = (at + 1).to_string();
        let mut line = y + HEAD_SIZE;
        Text::new(&number, x, line + 0.25 * NUMBER_SIZE, NUMBER_SIZE, colors.text).bold().draw(out);
        if entry.to_move {
            pieces::swatch(
                out,
                entry.picture.to_move,
                (x + block.indent - 17.0, line - HEAD_SIZE / 2.0),
                colors,
            );
        }
        let outdent = block.indent - if entry.to_move { 26.0 } else { 0.0 };
        for (lines, indent, color) in
            [(&block.head, block.indent, colors.text), (&block.words, outdent, colors.faint_text)]
        {
            for words in lines {
                Text::new(words, x + indent, line, HEAD_SIZE, color).draw(out);
                line += LEADING * HEAD_SIZE;
            }
        }
        // The board is below the words, or to the left if it needs the whole width.
        let aside = (outdent - board::MARGIN * grid.scale).min(grid.place.0 - block.drawn.width * grid.scale);
        put!(
            *out,
            "<g transform=\"translate({} {})scale({})\">\n{}</g>\n",
            Num(x + aside.max(0.0)),
            Num(y + grid.text),
            Num(grid.scale),
            block.drawn.body
        );
    }
}

#[cfg(test)]
mod tests {
    use retrograde_game::{GridSquare, Piece, PieceShape, Seat};

    use super::*;
    use crate::{Size, png};

    fn entry(columns: u16, rows: u16, words: &str) -> Entry {
        let mut picture = Picture::grid(columns, rows, Seat::Second);
        let from = GridSquare { column: 0, row: rows - 1 };
        let piece = Piece { shape: PieceShape::Pawn, owner: Some(Seat::First), anchored: false, letter: 'X' };
        picture.put(from, Some(piece));
        Entry {
            picture,
            marks: vec![Mark::Move(from, GridSquare { column: columns - 1, row: 0 })],
            head: "Blue to move".to_owned(),
            to_move: true,
            words: words.to_owned(),
        }
    }

    fn sheet(entries: Vec<Entry>) -> Sheet {
        let (title, foot) = ("A < B".to_owned(), "Nothing more.".to_owned());
        Sheet { title, lead: "Which turn wins? ".repeat(9), entries, foot }
    }

    /// The places and sizes of the boards on a page.
    fn boards(svg: &str) -> Vec<(f64, f64, f64)> {
        let groups = svg.split("<g transform=\"translate(").skip(1);
        groups
            .map(|group| {
                let (at, rest) = group.split_once(")scale(").unwrap();
                let (x, y) = at.split_once(' ').unwrap();
                let scale = rest.split_once(')').unwrap().0;
                (x.parse().unwrap(), y.parse().unwrap(), scale.parse().unwrap())
            })
            .collect()
    }

    #[test]
    fn boards_of_any_shape_and_number_fit_on_the_page_without_overlap() {
        for (columns, rows) in [(1, 1), (4, 4), (8, 4), (20, 2), (2, 20), (60, 60)] {
            for count in 0..=MAX_ENTRIES + 1 {
                let words = "win in 5 turns: find the one winning turn, or another.";
                let made = sheet((0..count).map(|_| entry(columns, rows, words)).collect());
                let page = svg(&made);
                let drawn = board::drawn(
                    &entry(columns, rows, "").picture,
                    &BoardStyle::default(),
                    &Overlay::default(),
                    0.0,
                );
                let places = boards(&page);
                assert_eq!(places.len(), count.min(MAX_ENTRIES));
                for (at, &(x, y, scale)) in places.iter().enumerate() {
                    let (right, end) = (x + drawn.width * scale, y + drawn.height * scale);
                    assert!(
                        x >= MARGIN - 0.01 && right <= PAPER.0 * UNITS - MARGIN + 0.01,
                        "{columns} × {rows}"
                    );
                    assert!(
                        y > MARGIN && end < PAPER.1 * UNITS - MARGIN,
                        "{columns} × {rows}, {count}: {end}"
                    );
                    for &(x1, y1, _) in &places[..at] {
                        let side_by_side = x >= x1 + drawn.width * scale || x1 >= right;
                        assert!(
                            side_by_side || y >= y1 + drawn.height * scale || y1 >= end,
                            "{columns} × {rows}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_page_has_paper_size_and_escaped_text() {
        let page = svg(&sheet(vec![entry(4, 4, "a & b"), entry(3, 2, "")]));
        assert!(page.starts_with("<svg ") && page.contains("width=\"210mm\" height=\"297mm\""));
        assert!(page.contains("<title>A &lt; B</title>") && !page.contains("A < B"));
        assert_eq!(page, svg(&sheet(vec![entry(4, 4, "a & b"), entry(3, 2, "")])));
        assert!(png(&page, Size::Width(300)).unwrap().starts_with(b"\x89PNG"));
        assert!(svg(&Sheet::default()).ends_with("</svg>\n"));
    }
}
