//! `view`: shows a position square by square, for programs that draw it. [`Picture`] is the counterpart for
//! Retrograde's own pictures.

use retrograde_game::{Edge, GridSquare, Mark, Motion, Picture, Piece, PieceShape, Seat};
use schemars::JsonSchema;
use serde::Serialize;

use crate::{Error, Fields, OpenGame, Param, Player, Problem, Question, RequestLimits, Route};

pub(super) const ROUTE: Route = Route {
    path: "view",
    name: "view",
    topic: "pictures",
    summary: "A position square by square, as the first player sees it, and the effects of a turn",
    description: "",
    params: &[
        Param::text("position", "The position, seen by the side to move; the start by default."),
        Param::text("board", "The position as the first player sees it, instead of `position`."),
        Param::to_move("The player to move; `first` by default."),
        Param::text("turn", "A turn, in the coordinates of the player who makes it."),
    ],
    body: None,
    answer: ("The position, and the parts of the turn", "View"),
    refusals: &[(400, "The position or a turn is invalid"), (404, "There is no such game")],
    read,
};

fn read(fields: &Fields<'_>, _: &RequestLimits) -> Result<Question, Problem> {
    let [position, board, turn] =
        ["position", "board", "turn"].map(|name| fields.text(name).map(str::to_owned));
    if position.is_some() && board.is_some() {
        return Err(Problem::bad("query", "`position` and `board` cannot be combined"));
    }
    let to_move = fields.seat();
    Ok(Question::new(0, move |game, _| {
        let position = match (&position, &board) {
            (Some(position), _) => position.clone(),
            (None, Some(board)) => game.position_from_board(board, to_move)?,
            (None, None) => game.start(),
        };
        View::new(game, &position, to_move, turn.as_deref())
    }))
}

/// A position square by square, as the first player sees it (only over HTTP).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub(crate) struct View {
    /// The canonical name of the game.
    pub game: String,
    /// The position, seen by the side to move.
    pub position: String,
    /// The player to move.
    pub to_move: Player,
    /// The outcome for the side to move if the game is over, else null.
    #[schemars(extend("enum" = ["win", "loss", "draw", null]))]
    pub over: Option<&'static str>,
    /// Columns of the grid.
    pub columns: u16,
    /// Rows of the grid.
    pub rows: u16,
    /// `rows` × `columns` entries, top row first; null where there is no square.
    pub squares: Vec<Option<ViewSquare>>,
    /// The rails.
    pub rails: Vec<ViewRail>,
    /// The pieces that have left the board.
    pub off_board: Vec<ViewPiece>,
    /// The effects of the given turn.
    pub marks: Vec<ViewMark>,
    /// How the pieces move in the given turn, one list per step; the motions of one list happen together.
    /// Applied to `squares`, they give the squares after the turn.
    pub motions: Vec<Vec<ViewMotion>>,
    /// The given turn as the first player sees it.
    pub turn_on_board: Option<String>,
    /// The pieces for setting up a position.
    pub palette: Vec<ViewPiece>,
    /// The pieces to place in this turn; empty in the game proper.
    pub to_place: Vec<PiecesToPlace>,
}

/// Pieces of one kind that are placed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub(crate) struct PiecesToPlace {
    /// The kind.
    pub piece: ViewPiece,
    /// The number of these pieces.
    #[schemars(range(min = 1))]
    pub count: usize,
}

/// A square.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub(crate) struct ViewSquare {
    /// Its name, such as `b2`.
    pub name: String,
    /// The piece on it.
    pub piece: Option<ViewPiece>,
}

/// A piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub(crate) struct ViewPiece {
    /// Its name in this game, such as `pawn`.
    pub name: &'static str,
    /// The shape in which it is drawn.
    #[schemars(extend("enum" = ["round", "square", "pawn", "cross"]))]
    pub shape: &'static str,
    /// The owner; null if it belongs to neither player.
    pub owner: Option<Player>,
    /// Whether it has the anchor.
    pub anchored: bool,
    /// Its letter in the first player's view.
    pub letter: char,
}

/// A rail along one side of a square.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub(crate) struct ViewRail {
    /// The square.
    pub square: String,
    /// The side.
    #[schemars(extend("enum" = ["top", "right", "bottom", "left"]))]
    pub side: &'static str,
}

/// A part of what a turn does.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub(crate) struct ViewMark {
    /// `move`: a piece goes to an empty square; `push`: it pushes or captures the piece there;
    /// `fill`: the squares are filled.
    #[schemars(extend("enum" = ["move", "push", "fill"]))]
    pub kind: &'static str,
    /// The squares it goes from and to, or the filled squares.
    pub squares: Vec<String>,
}

/// The motion of a piece in a step of a turn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub(crate) struct ViewMotion {
    /// `slide`: a piece moves from one square to another; `leave`: it leaves the board; `appear`: it is
    /// put there, or the square is filled; `anchor`: the anchor passes from one piece to another after all
    /// pieces have moved.
    #[schemars(extend("enum" = ["slide", "leave", "appear", "anchor"]))]
    pub kind: &'static str,
    /// The square that it leaves, if it was on one.
    pub from: Option<String>,
    /// The squares that it passes, if its path bends.
    pub via: Vec<String>,
    /// The square that it reaches; null if it leaves the board.
    pub to: Option<String>,
    /// The direction in which it moves, if any. A piece that leaves the board falls over that side; without
    /// a direction it is removed from its square.
    #[schemars(extend("enum" = ["top", "right", "bottom", "left", null]))]
    pub toward: Option<&'static str>,
    /// The piece that appears.
    pub piece: Option<ViewPiece>,
}

impl ViewPiece {
    fn new(game: &OpenGame, piece: Piece) -> ViewPiece {
        let shape = match piece.shape {
            PieceShape::Round => "round",
            PieceShape::Square => "square",
            PieceShape::Pawn => "pawn",
            PieceShape::Cross => "cross",
        };
        let (owner, anchored, letter) = (piece.owner.map(Player::from), piece.anchored, piece.letter);
        ViewPiece { name: game.piece_name(piece), shape, owner, anchored, letter }
    }
}

fn mark(picture: &Picture, mark: &Mark) -> ViewMark {
    let named = |places: &[GridSquare]| places.iter().map(|&place| picture.name(place)).collect();
    let (kind, squares) = match mark {
        Mark::Move(from, to) => ("move", named(&[*from, *to])),
        Mark::Push(from, to) => ("push", named(&[*from, *to])),
        Mark::Fill(places) => ("fill", named(places)),
    };
    ViewMark { kind, squares }
}

fn side_word(side: Edge) -> &'static str {
    match side {
        Edge::Top => "top",
        Edge::Right => "right",
        Edge::Bottom => "bottom",
        Edge::Left => "left",
    }
}

/// The direction of a straight move along a row or a column.
fn toward(from: GridSquare, to: GridSquare) -> Option<&'static str> {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let side = match (to.column.cmp(&from.column), to.row.cmp(&from.row)) {
        (Equal, Less) => Edge::Top,
        (Greater, Equal) => Edge::Right,
        (Equal, Greater) => Edge::Bottom,
        (Less, Equal) => Edge::Left,
        _ => return None,
    };
    Some(side_word(side))
}

fn motion(game: &OpenGame, picture: &Picture, motion: &Motion) -> ViewMotion {
    let named = |place: &GridSquare| picture.name(*place);
    let plain =
        ViewMotion { kind: "slide", from: None, via: Vec::new(), to: None, toward: None, piece: None };
    match motion {
        Motion::Slide { from, via, to } => ViewMotion {
            from: Some(named(from)),
            via: via.iter().map(named).collect(),
            to: Some(named(to)),
            toward: if via.is_empty() { toward(*from, *to) } else { None },
            ..plain
        },
        Motion::Leave { from, toward } => {
            ViewMotion { kind: "leave", from: Some(named(from)), toward: toward.map(side_word), ..plain }
        }
        Motion::Appear { to, piece } => ViewMotion {
            kind: "appear",
            to: Some(named(to)),
            piece: Some(ViewPiece::new(game, *piece)),
            ..plain
        },
        Motion::Anchor { from, to } => {
            ViewMotion { kind: "anchor", from: from.as_ref().map(named), to: Some(named(to)), ..plain }
        }
    }
}

impl View {
    /// Views a position, with an optional turn in the mover's coordinates.
    ///
    /// # Errors
    /// If a text is invalid or the turn is not legal.
    pub(crate) fn new(
        game: &OpenGame,
        position: &str,
        to_move: Seat,
        turn: Option<&str>,
    ) -> Result<View, Error> {
        let turns: Vec<String> = turn.map(str::to_owned).into_iter().collect();
        let Some(scene) = game.scenes(position, to_move, &turns)?.into_iter().next() else {
            return Err(Error::Unsupported("there is nothing to draw".to_owned()));
        };
        let picture = &scene.picture;
        let shown = |piece: Piece| ViewPiece::new(game, piece);
        let square = |place: GridSquare| {
            let piece = picture.at(place)?;
            Some(ViewSquare { name: picture.name(place), piece: piece.map(shown) })
        };
        let motions = scene.motions.iter();
        let position = game.canonical(position)?;
        let to_move = game.to_move(&position, to_move)?;
        let to_place = game.pieces_to_place(&position, to_move)?.into_iter();
        Ok(View {
            game: game.name().to_owned(),
            to_move: to_move.into(),
            over: game.over(&position)?.map(retrograde_game::Outcome::word),
            columns: picture.columns,
            rows: picture.rows,
            squares: picture.places().map(square).collect(),
            rails: picture
                .rails
                .iter()
                .map(|rail| ViewRail { square: picture.name(rail.place), side: side_word(rail.side) })
                .collect(),
            off_board: picture.off_board.iter().copied().map(shown).collect(),
            marks: scene.marks.iter().map(|made| mark(picture, made)).collect(),
            motions: motions
                .map(|step| step.iter().map(|made| motion(game, picture, made)).collect())
                .collect(),
            turn_on_board: scene.turn.clone(),
            palette: game.entry.palette.iter().copied().map(shown).collect(),
            to_place: to_place.map(|(piece, count)| PiecesToPlace { piece: shown(piece), count }).collect(),
            position,
        })
    }
}
