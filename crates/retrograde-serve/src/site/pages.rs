//! The explorer: its page and assets, which are embedded in the program.
//!
//! Vite builds it from `web/` into `page/` in this crate, and `build.rs` lists the files. The result is
//! committed, so building the program does not need Node. Names in `assets` contain the hash of the file's
//! content, so browsers may cache them forever.

use axum::extract::{OriginalUri, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::games::stamp;
use crate::message::answer::Answer;
use crate::message::input::UrlPath;
use crate::message::refusal::Refusal;
use crate::state::Server;

/// The files built by Vite, by path.
const FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

fn page_file(path: &str) -> Option<&'static [u8]> {
    FILES.iter().find(|(name, _)| *name == path).map(|&(_, bytes)| bytes)
}

/// The files of the explorer by path, including `index.html`, for exporting the same page as static files.
pub fn page_files() -> &'static [(&'static str, &'static [u8])] {
    FILES
}

/// Only workers of the page may compile the module. They may load it from this server, and nothing else.
const WORKER_POLICY: HeaderValue =
    HeaderValue::from_static("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'");
/// The prefix of the names that Vite gives to workers.
const WORKER: &str = "worker-";

/// The page for people
pub(crate) async fn page(
    State(server): State<Server>,
    OriginalUri(uri): OriginalUri,
) -> Result<Response, Refusal> {
    // The paths in the page are relative, so below a prefix they need the trailing slash.
    if !uri.path().ends_with('/') {
        let place = HeaderValue::try_from(format!("{}/", server.config.prefix.as_str()));
        let place = place.map_err(|error| Refusal::logged(&error))?;
        return Ok((StatusCode::PERMANENT_REDIRECT, [(header::LOCATION, place)]).into_response());
    }
    let page =
        page_file("index.html").ok_or_else(|| Refusal::logged(&"the page is not part of this program"))?;
    let text = String::from_utf8_lossy(page).into_owned();
    let stamp = stamp(&text);
    Ok(Answer::cacheable("text/html; charset=utf-8", text, &stamp).into_response())
}

/// A file of the page; it never changes
pub(crate) async fn asset(UrlPath(file): UrlPath<String>) -> Result<Response, Refusal> {
    const IMMUTABLE: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
    let found = page_file(&format!("assets/{file}")).ok_or_else(Refusal::not_found)?;
    let kind = match file.rsplit('.').next() {
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("wasm") => "application/wasm",
        _ => "application/octet-stream",
    };
    let headers =
        [(header::CONTENT_TYPE, HeaderValue::from_static(kind)), (header::CACHE_CONTROL, IMMUTABLE)];
    let mut response = (headers, found).into_response();
    if file.starts_with(WORKER) {
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, WORKER_POLICY);
    }
    Ok(response)
}

/// The rules and solvers as a WebAssembly module, with which the page solves small boards itself
pub(crate) async fn module(State(server): State<Server>) -> Result<Answer, Refusal> {
    let module = server.config.module.ok_or_else(Refusal::not_found)?;
    Ok(Answer::cacheable("application/wasm", module, &stamp(module)))
}
