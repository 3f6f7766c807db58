//! The routes under `/api/v1`: the requests of the table [`ROUTES`], the games, and pictures.
//! Answers are the objects of the command line's `--json`.
//!
//! [`ROUTES`]: retrograde_explore::request::ROUTES

mod games;
mod pictures;
mod requests;

use axum::Router;
use axum::routing::get;

use crate::state::Server;

#[cfg(feature = "description")]
pub(crate) use games::{__path_game, __path_games};
#[cfg(feature = "description")]
pub(crate) use pictures::{__path_picture_gif, __path_picture_png, __path_picture_svg};

/// The routes.
pub(crate) fn routes() -> Router<Server> {
    requests::routes()
        .route("/games", get(games::games))
        .route("/games/{game}", get(games::game))
        .route("/games/{game}/picture.svg", get(pictures::picture_svg))
        .route("/games/{game}/picture.gif", get(pictures::picture_gif))
        .route("/games/{game}/picture.png", get(pictures::picture_png))
}
