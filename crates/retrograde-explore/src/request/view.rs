//! `view`: shows a position square by square, for programs that draw it.

use retrograde_game::Seat;

use crate::query::view::View;
use crate::request::fields::{Fields, Param, RequestLimits};
use crate::request::problem::Problem;
use crate::request::route::{Host, HttpMethod, Request, Route, read};
use crate::{Error, OpenGame};

pub(super) const ROUTE: Route = Route {
    method: HttpMethod::Get,
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
    body: "",
    answer: ("The position, and the parts of the turn", "View"),
    refusals: &[(400, "The position or a turn is invalid"), (404, "There is no such game")],
    read: read::<ViewRequest>,
};

/// A position in a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Shown {
    /// The start.
    Start,
    /// Seen by the side to move.
    Position(String),
    /// Seen by the first player.
    Board(String),
}

/// A request for a position square by square.
#[derive(Clone, Debug)]
pub(crate) struct ViewRequest {
    /// The position.
    pub shown: Shown,
    /// The player to move in it.
    pub to_move: Seat,
    /// A turn to mark, in its maker's coordinates.
    pub turn: Option<String>,
}

impl Request for ViewRequest {
    type Answer = View;

    fn read(fields: &Fields<'_>, _: &RequestLimits) -> Result<ViewRequest, Problem> {
        let shown = match (fields.text("position"), fields.text("board")) {
            (Some(_), Some(_)) => {
                return Err(Problem::bad("query", "`position` and `board` cannot be combined"));
            }
            (Some(position), None) => Shown::Position(position.to_owned()),
            (None, Some(board)) => Shown::Board(board.to_owned()),
            (None, None) => Shown::Start,
        };
        Ok(ViewRequest { shown, to_move: fields.seat(), turn: fields.text("turn").map(str::to_owned) })
    }

    fn answer(&self, game: &OpenGame, _: &dyn Host) -> Result<View, Error> {
        let position = match &self.shown {
            Shown::Start => game.start(),
            Shown::Position(position) => position.clone(),
            Shown::Board(board) => game.position_from_board(board, self.to_move)?,
        };
        View::new(game, &position, self.to_move, self.turn.as_deref())
    }
}
