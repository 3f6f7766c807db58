//! Dots and Boxes: players draw edges; a player who closes a box owns it and draws again. Most boxes win.
//!
//! A *turn* here is everything a player draws until the other is to move: any number of boxes that
//! can be closed one after the other, and then an edge that closes none. A position is the edges
//! that are drawn and the number of boxes of the side to move; it does not matter who owns which
//! box. Rules: E. R. Berlekamp, "The Dots-and-Boxes Game" (2000).

use retrograde::{Entry, Family};
use retrograde_game::*;
use retrograde_index::{gather, scatter};

/// Dots and Boxes on a board.
///
/// Dots, edges and boxes are squares of one grid: dots where column and row are even, boxes where
/// both are odd, edges elsewhere.
#[derive(Clone, Debug)]
pub struct DotsAndBoxes {
    grid: Grid,
    dots: Squares,
    /// The horizontal edges, and the vertical ones.
    flat: Squares,
    upright: Squares,
    /// Each box with its four edges.
    boxes: Vec<(Square, Squares)>,
    /// The boxes next to each square.
    adjacent_boxes: Vec<Vec<Squares>>,
}

/// The drawn edges, and the number of boxes of the side to move. The other closed boxes belong to
/// the opponent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Drawing {
    edges: Squares,
    own: u8,
}

impl Drawing {
    /// The number of boxes of the side to move.
    pub fn own(&self) -> u8 {
        self.own
    }
}

/// Indices that agree in this number of top edges are in one range.
const TOP_EDGES: u32 = 8;

impl DotsAndBoxes {
    /// Creates the game of a name such as `dotsandboxes:3x2`.
    ///
    /// # Errors
    /// If the board is too large: there can be at most 64 dots, edges and boxes together.
    pub fn from_spec(spec: GameSpec) -> Result<DotsAndBoxes, TextError> {
        let (columns, rows) = spec.grid((2, 2), 10)?;
        let grid = Grid::new(2 * columns + 1, 2 * rows + 1);
        let grid = grid.map_err(|_| {
            spec.error("there can be at most 64 dots, edges and boxes together, as on 4 x 3 boxes")
        })?;
        spec.finish(&[])?;
        let of_kind = |column: u16, row: u16| -> Squares {
            let of_kind = |square: &Square| {
                let at = grid.place(*square);
                (at.column % 2, at.row % 2) == (column, row)
            };
            grid.all().into_iter().filter(of_kind).collect()
        };
        let sides = |at: Square| grid.neighbours(at.set(), &Direction::STRAIGHT);
        let boxes: Vec<(Square, Squares)> = of_kind(1, 1).into_iter().map(|at| (at, sides(at))).collect();
        let around = |edge: Square| {
            boxes.iter().map(|(_, sides)| *sides).filter(|sides| sides.contains(edge)).collect()
        };
        let adjacent_boxes = (0..grid.count() as u8).map(|square| around(Square(square))).collect();
        Ok(DotsAndBoxes {
            grid,
            dots: of_kind(0, 0),
            flat: of_kind(1, 0),
            upright: of_kind(0, 1),
            boxes,
            adjacent_boxes,
        })
    }

    fn all_edges(&self) -> Squares {
        self.flat | self.upright
    }

    /// The number of boxes that an edge would close.
    #[inline]
    fn closes(&self, edges: Squares, edge: Square) -> u8 {
        let drawn = edges.with(edge);
        self.adjacent_boxes[edge.index()].iter().filter(|&&sides| sides & drawn == sides).count() as u8
    }

    /// The number of closed boxes.
    fn closed(&self, edges: Squares) -> u8 {
        self.boxes.iter().filter(|(_, sides)| *sides & edges == *sides).count() as u8
    }

    /// Visits all continuations of a turn: the edges to draw, and the drawn edges and own boxes
    /// after it. `passed` are edges that close boxes but are left open.
    ///
    /// An edge that closes a box keeps doing so whatever else is drawn. So every set of edges is
    /// visited once: with the first such edge, or without it.
    fn each_continuation<F>(
        &self,
        drawing: Drawing,
        mut passed: Squares,
        order: &mut Vec<Square>,
        visit: &mut F,
    ) -> Flow
    where
        F: FnMut(&[Square], Drawing) -> Flow,
    {
        let open = self.all_edges() & !drawing.edges;
        for edge in open & !passed {
            let closes = self.closes(drawing.edges, edge);
            let next = Drawing { edges: drawing.edges.with(edge), own: drawing.own + closes };
            order.push(edge);
            if closes == 0 || next.edges == self.all_edges() {
                visit(order, next)?;
            } else {
                self.each_continuation(next, passed, order, visit)?;
                passed.insert(edge);
            }
            order.pop();
        }
        Flow::Continue(())
    }

    /// The position for the other player.
    fn handed_over(&self, drawing: Drawing) -> Drawing {
        Drawing { edges: drawing.edges, own: self.closed(drawing.edges) - drawing.own }
    }

    /// Draws edges one after the other as steps of one turn. Returns the drawing after them, and
    /// whether the turn is over.
    fn drawn(&self, drawing: &Drawing, edges: &[Square]) -> Result<(Drawing, bool), String> {
        let (mut drawing, mut over) = (*drawing, false);
        for &edge in edges {
            let name = self.grid.name(edge);
            if drawing.edges == self.all_edges() {
                return Err("all edges are drawn".to_owned());
            }
            if over {
                return Err(format!("the edge before {name} closes no box and ends the turn"));
            }
            if !self.all_edges().contains(edge) {
                return Err(format!("{name} is not an edge"));
            }
            if drawing.edges.contains(edge) {
                return Err(format!("{name} is already drawn"));
            }
            let closes = self.closes(drawing.edges, edge);
            drawing = Drawing { edges: drawing.edges.with(edge), own: drawing.own + closes };
            over = closes == 0 || drawing.edges == self.all_edges();
        }
        Ok((drawing, over))
    }

    /// The edges of the steps that an incomplete turn begins with, and the drawing after them.
    fn begun(&self, drawing: &Drawing, prefix: &[String]) -> Result<(Vec<Square>, Drawing), TextError> {
        let edges =
            prefix.iter().map(|step| self.read("step", step)).collect::<Result<Vec<_>, _>>()?.concat();
        let impossible = |reason: String| TextError::impossible("step", &prefix.join(","), reason);
        match self.drawn(drawing, &edges).map_err(impossible)? {
            (_, true) => Err(impossible("the turn is already complete".to_owned())),
            (now, false) => Ok((edges, now)),
        }
    }

    fn read(&self, what: &'static str, text: &str) -> Result<Vec<Square>, TextError> {
        let read = |name: &str| {
            let unknown = || TextError::impossible(what, text, format!("there is no edge `{name}`"));
            self.grid.named(name).ok_or_else(unknown)
        };
        text.split(',').map(read).collect()
    }
}

impl Game for DotsAndBoxes {
    type Position = Drawing;
    /// The edges drawn, in order.
    type Turn = Vec<Square>;
    const RULES_VERSION: u32 = 1;

    fn name(&self) -> String {
        format!("dotsandboxes:{}x{}", self.grid.columns() / 2, self.grid.rows() / 2)
    }
    /// For every set of edges, the side to move may have any number of the closed boxes. A box is
    /// closed in one of 16 sets.
    fn position_count(&self) -> u128 {
        let sets = 1_u128 << self.all_edges().len();
        sets + self.boxes.len() as u128 * (sets >> 4)
    }
    fn start(&self) -> Drawing {
        Drawing { edges: Squares::EMPTY, own: 0 }
    }
    fn result(&self, drawing: &Drawing) -> Option<Outcome> {
        if drawing.edges != self.all_edges() {
            return None;
        }
        let other = self.boxes.len() as u8 - drawing.own;
        Some(match drawing.own.cmp(&other) {
            std::cmp::Ordering::Less => Outcome::Loss,
            std::cmp::Ordering::Equal => Outcome::Draw,
            std::cmp::Ordering::Greater => Outcome::Win,
        })
    }
    fn each_turn(&self, drawing: &Drawing, mut visit: impl FnMut(Vec<Square>, Drawing) -> Flow) -> Flow {
        self.each_continuation(*drawing, Squares::EMPTY, &mut Vec::new(), &mut |edges, next| {
            visit(edges.to_vec(), self.handed_over(next))
        })
    }
    fn play(&self, drawing: &Drawing, edges: &Vec<Square>) -> Drawing {
        let edges = edges.iter().fold(drawing.edges, |drawn, &edge| drawn.with(edge));
        let taken = self.closed(edges) - self.closed(drawing.edges);
        self.handed_over(Drawing { edges, own: drawing.own + taken })
    }
    fn each_successor(&self, drawing: &Drawing, mut visit: impl FnMut(Drawing) -> Flow) -> Flow {
        self.each_continuation(*drawing, Squares::EMPTY, &mut Vec::new(), &mut |_, next| {
            visit(self.handed_over(next))
        })
    }
    fn parse_position(&self, text: &str) -> Result<Drawing, TextError> {
        let impossible = |reason: &str| TextError::impossible("position", text, reason);
        let (board, score) = text.split_once(':').map_or((text, None), |(board, score)| (board, Some(score)));
        let [dots, flat, upright] = self.grid.parse(['+', '-', '|'], board)?;
        if dots != self.dots || !(flat & !self.flat).is_empty() || !(upright & !self.upright).is_empty() {
            return Err(impossible(
                "dots `+`, edges `-` along rows and edges `|` along columns must be in their own places",
            ));
        }
        let edges = flat | upright;
        let closed = self.closed(edges);
        let wrong = || {
            impossible(&format!(
                "the colon must be followed by the boxes of both sides, {closed} together, as in `:{closed}-0`"
            ))
        };
        let own = match score {
            None if closed == 0 => 0,
            None => return Err(wrong()),
            Some(score) => {
                let fits = |own: &u8| score == format!("{own}-{}", closed - own);
                (0..=closed).find(fits).filter(|_| closed > 0).ok_or_else(wrong)?
            }
        };
        Ok(Drawing { edges, own })
    }
    fn position_text(&self, drawing: &Drawing) -> String {
        self.text(drawing.edges, [drawing.own, self.handed_over(*drawing).own])
    }
    fn parse_turn(&self, drawing: &Drawing, text: &str) -> Result<Vec<Square>, TextError> {
        let edges = self.read("turn", text)?;
        match self.drawn(drawing, &edges) {
            Err(reason) => Err(TextError::impossible("turn", text, reason)),
            Ok((_, false)) => {
                Err(TextError::impossible("turn", text, "a player who closes a box must draw another edge"))
            }
            Ok((_, true)) => Ok(edges),
        }
    }
    fn turn_text(&self, _: &Drawing, edges: &Vec<Square>) -> String {
        edges.iter().map(|&edge| self.grid.name(edge)).collect::<Vec<_>>().join(",")
    }
    fn each_step(
        &self,
        drawing: &Drawing,
        prefix: &[String],
        visit: &mut dyn FnMut(Step<'_, Drawing>) -> Flow,
    ) -> Result<(), TextError> {
        let (_, now) = self.begun(drawing, prefix)?;
        for edge in self.all_edges() & !now.edges {
            let text = self.grid.name(edge);
            let closes = self.closes(now.edges, edge);
            let next = Drawing { edges: now.edges.with(edge), own: now.own + closes };
            let visited = if closes == 0 || next.edges == self.all_edges() {
                visit(Step { text: &text, ends: true, after: self.handed_over(next) })
            } else {
                self.each_continuation(next, Squares::EMPTY, &mut Vec::new(), &mut |_, after| {
                    visit(Step { text: &text, ends: false, after: self.handed_over(after) })
                })
            };
            if visited.is_break() {
                break;
            }
        }
        Ok(())
    }
    fn turns_after(
        &self,
        drawing: &Drawing,
        prefix: &[String],
    ) -> Result<Vec<(Vec<Square>, Drawing)>, TextError> {
        let (prefix, now) = self.begun(drawing, prefix)?;
        Ok(self.turns(&now).into_iter().map(|(edges, next)| ([&prefix[..], &edges].concat(), next)).collect())
    }
    fn step_kind(&self, _: &Drawing, _ends: bool) -> StepKind {
        StepKind::Fill
    }
}

impl Graded for DotsAndBoxes {
    /// The number of edges that are not drawn.
    fn grade(&self, drawing: &Drawing) -> u64 {
        (self.all_edges() & !drawing.edges).len().into()
    }
}

impl Dense for DotsAndBoxes {
    const INDEX_VERSION: u32 = 1;

    /// The drawn edges are the high digit, the boxes of the side to move the low digit.
    fn index_count(&self) -> u128 {
        (self.boxes.len() as u128 + 1) << self.all_edges().len()
    }
    fn index(&self, drawing: &Drawing) -> Option<Index> {
        let edges = gather(drawing.edges.0, self.all_edges().0);
        Some(Index(edges * (self.boxes.len() as u64 + 1) + u64::from(drawing.own)))
    }
    fn position(&self, index: Index) -> Option<Drawing> {
        let digits = self.boxes.len() as u64 + 1;
        let (edges, own) = (index.0 / digits, (index.0 % digits) as u8);
        if edges >> self.all_edges().len() != 0 {
            return None;
        }
        let edges = Squares(scatter(edges, self.all_edges().0));
        (own <= self.closed(edges)).then_some(Drawing { edges, own })
    }
}

impl Layered for DotsAndBoxes {
    /// A layer is the positions with the same number of the top edges drawn. A turn raises that
    /// number, or leaves these edges and raises the index.
    fn layer_count(&self) -> usize {
        TOP_EDGES.min(self.all_edges().len()) as usize + 1
    }
    fn layer(&self, layer: usize) -> Vec<Range<Index>> {
        let all = self.all_edges().len();
        let top = TOP_EDGES.min(all);
        let length = (self.boxes.len() as u64 + 1) << (all - top);
        let ranges = (0..1_u64 << top).filter(|edges| edges.count_ones() + layer as u32 == top);
        ranges.map(|edges| Index(edges * length)..Index((edges + 1) * length)).collect()
    }
}

impl Symmetries for DotsAndBoxes {
    fn symmetry_count(&self) -> usize {
        self.grid.symmetries().len()
    }
    fn image(&self, symmetry: usize, drawing: &Drawing) -> Drawing {
        Drawing { edges: self.grid.image(self.grid.symmetries()[symmetry], drawing.edges), own: drawing.own }
    }
}

/// An edge; it has no owner.
const EDGE: Piece = Piece { shape: PieceShape::Cross, owner: None, anchored: false, letter: '#' };

/// The boxes of both sides, which are off the board when they are closed.
fn box_pieces() -> [Piece; 2] {
    Piece::sides(PieceShape::Square)
}

impl DotsAndBoxes {
    fn text(&self, edges: Squares, boxes: [u8; 2]) -> String {
        let board = self.grid.text(['+', '-', '|'], [self.dots, edges & self.flat, edges & self.upright]);
        if boxes == [0, 0] { board } else { format!("{board}:{}-{}", boxes[0], boxes[1]) }
    }

    /// The boxes of Red, then of Blue.
    fn seated(&self, drawing: &Drawing, to_move: Seat) -> [u8; 2] {
        let (own, other) = (drawing.own, self.handed_over(*drawing).own);
        if to_move == Seat::First { [own, other] } else { [other, own] }
    }
}

impl Show for DotsAndBoxes {
    fn picture(&self, drawing: &Drawing, to_move: Seat) -> Picture {
        let mut picture = self.grid.picture(to_move, [EDGE], [drawing.edges]);
        for dot in self.dots {
            picture.squares[dot.index()] = None;
        }
        for (piece, count) in box_pieces().into_iter().zip(self.seated(drawing, to_move)) {
            picture.off_board.extend(std::iter::repeat_n(piece, count.into()));
        }
        picture
    }
    fn marks(&self, _: &Drawing, edges: &Vec<Square>, _: Seat) -> Vec<Mark> {
        edges.iter().map(|&edge| Mark::Fill(vec![self.grid.place(edge)])).collect()
    }
    /// The edge appears; then each box that it closes appears and leaves the board.
    fn motions(&self, drawing: &Drawing, edges: &Vec<Square>, to_move: Seat) -> Vec<Vec<Motion>> {
        let owner = box_pieces()[usize::from(to_move == Seat::Second)];
        let (mut drawn, mut steps) = (drawing.edges, Vec::new());
        for &edge in edges {
            drawn.insert(edge);
            steps.push(vec![Motion::Appear { to: self.grid.place(edge), piece: EDGE }]);
            let closed = |(_, sides): &&(Square, Squares)| sides.contains(edge) && *sides & drawn == *sides;
            let places: Vec<GridSquare> =
                self.boxes.iter().filter(closed).map(|(at, _)| self.grid.place(*at)).collect();
            if !places.is_empty() {
                steps.push(places.iter().map(|&to| Motion::Appear { to, piece: owner }).collect());
                steps.push(places.iter().map(|&from| Motion::Leave { from, toward: None }).collect());
            }
        }
        steps
    }
    fn first_view(&self, drawing: &Drawing, to_move: Seat) -> Drawing {
        if to_move == Seat::First { *drawing } else { self.handed_over(*drawing) }
    }
    fn board_text(&self, drawing: &Drawing, to_move: Seat) -> String {
        self.text(drawing.edges, self.seated(drawing, to_move))
    }
    fn piece_name(&self, piece: Piece) -> &'static str {
        if piece.owner.is_some() { "box" } else { "edge" }
    }
    fn guide(&self) -> Guide {
        let sentences = [
            format!(
                "The board has {} in {} and {}; Red begins.",
                if self.boxes.len() == 1 {
                    "one box".to_owned()
                } else {
                    format!("{} boxes", number_in_words(self.boxes.len() as u32))
                },
                counted(self.grid.columns() / 2, "column"),
                counted(self.grid.rows() / 2, "row")
            ),
            "The players draw the edges of the boxes, one after the other, until all are drawn.".to_owned(),
            "A player who draws the last edge of a box owns it and draws again in the same turn.".to_owned(),
            "Closing a box is optional.".to_owned(),
            "The player with more boxes wins; an equal number is a draw.".to_owned(),
        ];
        Guide { sentences: sentences.to_vec(), examples: self.examples() }
    }
    fn plane_names(&self) -> Vec<&'static str> {
        vec!["edges", "own boxes"]
    }
    fn plane_shape(&self) -> (usize, usize) {
        (self.grid.rows() as usize, self.grid.columns() as usize)
    }
    /// The number of ones in the second plane is the number of boxes of the side to move.
    fn planes(&self, drawing: &Drawing, out: &mut [u8]) {
        self.grid.planes([drawing.edges, Squares::below(drawing.own.into())], out);
    }
}

impl DotsAndBoxes {
    /// Three turns of Red: an edge, a box with the edge after it, and a box left open.
    fn examples(&self) -> Vec<Example> {
        let set =
            |names: &[&str]| -> Squares { names.iter().filter_map(|name| self.grid.named(name)).collect() };
        let example = |caption: &str, edges: &[&str], turn: &str| {
            Example::new(caption, self.text(set(edges), [0, 0]), turn)
        };
        let mut examples = vec![example("Red draws an edge.", &[], "b1")];
        let further = if self.grid.columns() > 3 { "d1" } else { "b5" };
        if self.boxes.len() > 1 {
            let three = &["a2", "b1", "c2"];
            examples.push(example(
                "Red closes a box, owns it, and draws another edge.",
                three,
                &format!("b3,{further}"),
            ));
            examples.push(example("Red leaves a box open, which Blue can close.", three, further));
        } else {
            examples.push(example("Red closes the box and wins.", &["a2", "b1", "c2"], "b3"));
        }
        examples
    }
}

const SUMMARY: &str = "draw edges; a player who closes a box owns it and draws again; more boxes win";

pub(crate) fn family() -> Family {
    Family::new("dotsandboxes", SUMMARY, |spec, _| {
        let game = DotsAndBoxes::from_spec(spec)?;
        let title = format!("Dots and Boxes {} × {}", game.grid.columns() / 2, game.grid.rows() / 2);
        Ok(Entry::new(game, SUMMARY).title(title).layered().graded_reachable_by_orbits().build())
    })
    .forms("[:WxH]   columns x rows of boxes, up to 4x3")
    .examples(["dotsandboxes:2x2", "dotsandboxes:3x2", "dotsandboxes:3x3"])
}
