//! The page for people, and the files that it is made of, which are part of the program.
//!
//! An asset is served at `/assets/` and the hash of its content, so that it may be kept for ever: another content has
//! another path. To add one, add it to [`ASSETS`] and name it in a page as `{name}`.

use std::sync::LazyLock;

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};

use crate::answer::Answer;
use crate::games::stamp;
use crate::input::UrlPath;
use crate::problem::Problem;
use crate::state::Server;

/// A file that is part of the program.
struct Asset {
    /// Its name, as pages write it.
    name: &'static str,
    kind: &'static str,
    bytes: &'static [u8],
}

/// The files.
const ASSETS: [Asset; 1] = [Asset {
    name: "page.css",
    kind: "text/css; charset=utf-8",
    bytes: include_bytes!("../assets/page.css"),
}];

/// The page at `/`.
const LANDING: &str = include_str!("../assets/landing.html");

/// What follows `/assets/` for each of the files: the hash of its content and its name's ending.
static PATHS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let path = |asset: &Asset| {
        let ending = asset.name.rsplit('.').next().unwrap_or_default();
        format!("{}.{ending}", &blake3::hash(asset.bytes).to_hex()[..16])
    };
    ASSETS.iter().map(path).collect()
});

/// The page for people
#[utoipa::path(
    get,
    path = "/",
    tag = "server",
    responses((status = 200, description = "What runs here", body = String, content_type = "text/html")),
)]
pub(crate) async fn landing(State(server): State<Server>) -> Answer {
    let mut page = LANDING.replace("{prefix}", server.config.prefix.as_str());
    for (asset, path) in ASSETS.iter().zip(PATHS.iter()) {
        page = page.replace(&format!("{{{}}}", asset.name), path);
    }
    let stamp = stamp(&page);
    Answer::lasting("text/html; charset=utf-8", page, &stamp)
}

/// A file of the page; it never changes
#[utoipa::path(
    get,
    path = "/assets/{file}",
    tag = "server",
    params(("file" = String, Path, description = "The hash of its content, and an ending")),
    responses(
        (status = 200, description = "The file", body = Vec<u8>, content_type = "application/octet-stream"),
        (status = 404, description = "There is none", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn asset(UrlPath(file): UrlPath<String>) -> Result<Response, Problem> {
    const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
    let found = PATHS.iter().position(|path| *path == file).and_then(|number| ASSETS.get(number));
    let asset = found.ok_or_else(Problem::not_found)?;
    let headers =
        [(header::CONTENT_TYPE, HeaderValue::from_static(asset.kind)), (header::CACHE_CONTROL, FOR_EVER)];
    Ok((headers, asset.bytes).into_response())
}
