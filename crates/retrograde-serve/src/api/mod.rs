//! The routes under `/api/v1`, one file a topic. Answers are the objects of the command line's `--json`.

mod find;
mod games;
mod lines;
mod pictures;
mod positions;
mod views;

use axum::Router;
use axum::routing::{get, post};

use crate::state::Server;

pub(crate) use find::{__path_find, __path_puzzles};
pub(crate) use games::{__path_game, __path_games, __path_stats};
pub(crate) use lines::{__path_line, __path_steps};
pub(crate) use pictures::{__path_picture_gif, __path_picture_png, __path_picture_svg};
pub(crate) use positions::{__path_batch, __path_position, __path_position_in_path};
pub(crate) use views::{__path_annotate, __path_view};

/// The routes.
pub(crate) fn routes() -> Router<Server> {
    Router::new()
        .route("/games", get(games::games))
        .route("/games/{game}", get(games::game))
        .route("/games/{game}/stats", get(games::stats))
        .route("/games/{game}/positions", get(positions::position).post(positions::batch))
        .route("/games/{game}/positions/{position}", get(positions::position_in_path))
        .route("/games/{game}/steps", get(lines::steps))
        .route("/games/{game}/line", get(lines::line))
        .route("/games/{game}/find", get(find::find))
        .route("/games/{game}/puzzles", get(find::puzzles))
        .route("/games/{game}/view", get(views::view))
        .route("/games/{game}/annotate", post(views::annotate))
        .route("/games/{game}/picture.svg", get(pictures::picture_svg))
        .route("/games/{game}/picture.gif", get(pictures::picture_gif))
        .route("/games/{game}/picture.png", get(pictures::picture_png))
}
