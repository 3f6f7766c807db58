//! A server in this process with small solved games, and helpers for requests.

pub mod gate;

use std::io::Write;
use std::net::TcpStream;
use std::path::Path;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Request, StatusCode};
use http_body_util::BodyExt;
use retrograde_explore::{Loader, Registry, SolveOptions, TableFolders};
pub use retrograde_games::registry;
use retrograde_serve::{Config, ServeError, serve_until, service};
use retrograde_solve::Silent;
use retrograde_testkit::TempDir;
use serde_json::Value as Json;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tower::ServiceExt;

/// The solved games.
pub const SOLVED: [&str; 4] =
    ["tactics:3x3", "touchdown:3x3", "touchdown:4x4", "pushfight:mini,pushers=1,pawns=1"];

/// Solves games into a folder.
pub fn solve(tables: &Path, names: &[&str]) {
    for name in names {
        let game = registry().find(name, &Loader::none()).unwrap();
        let options = SolveOptions { threads: 1, ..SolveOptions::default() };
        game.solve(tables, &options, &Silent).unwrap();
    }
}

/// A server with its tables.
pub struct Site {
    pub tables: TempDir,
    pub router: Router,
}

/// An answer of the server.
pub struct Reply {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Reply {
    pub fn json(&self) -> Json {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub fn json_or_null(&self) -> Json {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

impl Site {
    /// With the solved games.
    pub fn new() -> Site {
        Site::with(Config::default())
    }

    pub fn with(config: Config) -> Site {
        let tables = retrograde_testkit::tempdir().unwrap();
        solve(tables.path(), &SOLVED);
        Site::over(tables, config)
    }

    /// Without any table.
    pub fn empty(config: Config) -> Site {
        Site::over(retrograde_testkit::tempdir().unwrap(), config)
    }

    fn over(tables: TempDir, config: Config) -> Site {
        Site::over_with(tables, config, registry())
    }

    fn over_with(tables: TempDir, config: Config, registry: Registry) -> Site {
        let config = Config { tables: TableFolders::one(tables.path()), ..config };
        Site { router: service(config, registry), tables }
    }

    /// With the solved games, and others.
    pub fn with_registry(config: Config, registry: Registry) -> Site {
        let tables = retrograde_testkit::tempdir().unwrap();
        solve(tables.path(), &SOLVED);
        Site::over_with(tables, config, registry)
    }

    /// Sends a request, with a default `Host`.
    pub async fn ask(&self, mut request: Request<Body>) -> Reply {
        let here = HeaderValue::from_static("localhost");
        request.headers_mut().entry("host").or_insert(here);
        self.ask_as_it_is(request).await
    }

    pub async fn ask_as_it_is(&self, request: Request<Body>) -> Reply {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = body.collect().await.unwrap().to_bytes().to_vec();
        Reply { status: parts.status, headers: parts.headers, body }
    }

    pub async fn get(&self, path: &str) -> Reply {
        self.ask(Request::get(path).body(Body::empty()).unwrap()).await
    }

    /// The object that answers a request.
    pub async fn json(&self, path: &str) -> Json {
        self.get(path).await.json()
    }

    pub async fn get_with(&self, path: &str, name: &str, value: &str) -> Reply {
        self.ask(Request::get(path).header(name, value).body(Body::empty()).unwrap()).await
    }

    pub async fn post(&self, path: &str, body: impl Into<Body>) -> Reply {
        let request = Request::post(path).header("content-type", "application/json");
        self.ask(request.body(body.into()).unwrap()).await
    }
}

/// A server on a socket, which ends on drop.
pub struct Running {
    /// Its host and port.
    pub at: String,
    pub stop: oneshot::Sender<()>,
    pub server: JoinHandle<Result<(), ServeError>>,
}

impl Running {
    pub async fn start(config: Config, registry: Registry) -> Running {
        let (stop, stopped) = oneshot::channel::<()>();
        let (ready, url) = oneshot::channel();
        let ready = move |url: &str| ready.send(url.to_owned()).unwrap();
        let server = tokio::spawn(serve_until(config, registry, ready, async move { drop(stopped.await) }));
        let url: String = url.await.unwrap();
        Running { at: url.trim_start_matches("http://").trim_end_matches('/').to_owned(), stop, server }
    }
}

/// Sends a head unchanged over a new connection, and returns the whole response.
pub fn exchange(at: &str, head: &str) -> String {
    let mut stream = TcpStream::connect(at).unwrap();
    stream.write_all(head.as_bytes()).unwrap();
    std::io::read_to_string(stream).unwrap()
}
