//! The table of all routes, for the router and, in tests, the OpenAPI description.

use axum::routing::{MethodRouter, get};
use retrograde_explore::{Param, ROUTES, Route};

use crate::api::pictures::{self, Format, picture};
use crate::api::{games, requests};
use crate::site::{health, openapi, pages};
use crate::state::Server;
use crate::uwapi;

/// A route: its path and handler, and its description.
#[cfg_attr(not(test), expect(dead_code, reason = "only the description has all fields"))]
pub(crate) struct Endpoint {
    /// The whole path; parts in braces are parameters.
    pub path: String,
    pub handler: MethodRouter<Server>,
    /// The name of the operation.
    pub name: &'static str,
    /// Its group in the description.
    pub topic: &'static str,
    /// A summary in one line.
    pub summary: &'static str,
    /// Further description; may be empty.
    pub description: &'static str,
    pub params: Vec<Param>,
    /// The name of the body's schema, if there is a body: then the method is `POST`, else `GET`.
    pub body: Option<&'static str>,
    /// The statuses, their meanings and their contents.
    pub answers: Vec<(u16, &'static str, Content)>,
}

/// The content of an answer.
#[cfg_attr(not(test), expect(dead_code, reason = "only the description reads it"))]
#[derive(Clone, Copy)]
pub(crate) enum Content {
    /// An object, by the name of its schema.
    Json(&'static str),
    /// A list of such objects.
    JsonList(&'static str),
    /// An object without a schema.
    AnyJson,
    /// A text of this media type.
    Text(&'static str),
    /// Bytes of this media type.
    Bytes(&'static str),
    /// A [`Problem`](retrograde_explore::Problem).
    Problem,
}

const GAME: Param = Param::text("game", "The name of a game, such as `touchdown:5x4`").in_path();
const FAMILY: Param =
    Param::text("game", "The part of the name before the colon, such as `touchdown`").in_path();
const VARIANT: Param =
    Param::text("variant", "The part after the colon, such as `5x4`; `regular` if it is missing").in_path();

/// The prefix of paths of requests about a game.
const ONE_GAME: &str = "/api/v1/games/{game}";
const NO_GAME: (u16, &str, Content) = (404, "There is no such game", Content::Problem);

/// All routes.
pub(crate) fn endpoints() -> Vec<Endpoint> {
    use Content::{AnyJson, Bytes, Json, JsonList, Problem, Text};
    let mut all = vec![
        Endpoint {
            name: "page",
            summary: "The explorer",
            answers: vec![(200, "The explorer", Text("text/html"))],
            ..Endpoint::get("/", "server", get(pages::page))
        },
        Endpoint {
            name: "asset",
            summary: "A file of the page; it never changes",
            params: vec![Param::text("file", "Its name, which contains a hash of the content").in_path()],
            answers: vec![
                (200, "The file", Bytes("application/octet-stream")),
                (404, "There is no such file", Problem),
            ],
            ..Endpoint::get("/assets/{file}", "server", get(pages::asset))
        },
        Endpoint {
            name: "module",
            summary: "The rules and solvers as a WebAssembly module, with which the page solves small boards",
            answers: vec![
                (200, "The module", Bytes("application/wasm")),
                (404, "The server was built without the module", Problem),
            ],
            ..Endpoint::get("/module.wasm", "server", get(pages::module))
        },
        Endpoint {
            name: "openapi",
            summary: "This description",
            answers: vec![(200, "An OpenAPI document", AnyJson)],
            ..Endpoint::get("/openapi.json", "server", get(openapi::openapi))
        },
        Endpoint {
            name: "healthz",
            summary: "Whether the server is alive",
            answers: vec![(200, "It is alive", Json("Health"))],
            ..Endpoint::get("/healthz", "server", get(health::healthz))
        },
        Endpoint {
            name: "readyz",
            summary: "Whether the server accepts requests",
            answers: vec![
                (200, "It accepts requests", Json("Health")),
                (503, "It is about to stop", Json("Health")),
            ],
            ..Endpoint::get("/readyz", "server", get(health::readyz))
        },
        Endpoint {
            name: "metrics",
            summary: "Counters of the server, for Prometheus",
            answers: vec![(200, "Counters", Text("application/openmetrics-text"))],
            ..Endpoint::get("/metrics", "server", get(health::metrics))
        },
        Endpoint {
            name: "games",
            summary: "Example games of each family, and all games with tables",
            answers: vec![(200, "The games", Json("GameList"))],
            ..Endpoint::get("/api/v1/games", "games", get(games::games))
        },
        Endpoint {
            name: "game",
            summary: "A game: what it is, whether there is a table, who wins, and what solving it would take",
            params: vec![GAME],
            answers: vec![(200, "The game", Json("GameAnswer")), NO_GAME],
            ..Endpoint::get(ONE_GAME, "games", get(games::game))
        },
        Endpoint {
            name: "picture_svg",
            summary: "A picture of a position, optionally with a turn, as SVG",
            answers: vec![
                (200, "The picture", Text("image/svg+xml")),
                (400, "The position, a turn or the size is invalid", Problem),
                NO_GAME,
            ],
            ..Endpoint::picture("svg", pictures::SVG, Format::Svg)
        },
        Endpoint {
            name: "picture_png",
            summary: "A picture of a position, optionally with a turn, as PNG",
            answers: vec![
                (200, "The picture", Bytes("image/png")),
                (400, "The position, a turn or the size is invalid", Problem),
                NO_GAME,
            ],
            ..Endpoint::picture("png", pictures::PNG, Format::Png)
        },
        Endpoint {
            name: "picture_gif",
            summary: "A sequence of turns, as an animated GIF",
            answers: vec![
                (200, "The animation", Bytes("image/gif")),
                (400, "The position, a turn or the size is invalid", Problem),
                NO_GAME,
                (503, "It was not drawn in time", Problem),
            ],
            ..Endpoint::picture("gif", pictures::GIF, Format::Gif)
        },
        Endpoint {
            name: "uwapi_games",
            summary: "The games",
            answers: vec![(200, "The games", JsonList("UwapiGame"))],
            ..Endpoint::get("/uwapi/", "uwapi", get(uwapi::games))
        },
        Endpoint {
            name: "uwapi_game",
            summary: "A game and its variants",
            params: vec![FAMILY],
            answers: vec![(200, "The variants", Json("UwapiVariants")), NO_GAME],
            ..Endpoint::get("/uwapi/{game}/", "uwapi", get(uwapi::game))
        },
        Endpoint {
            name: "uwapi_variant",
            summary: "A variant",
            params: vec![FAMILY, VARIANT],
            answers: vec![(200, "The variant", Json("UwapiVariant")), NO_GAME],
            ..Endpoint::get("/uwapi/{game}/{variant}/", "uwapi", get(uwapi::variant))
        },
        Endpoint {
            name: "uwapi_position",
            summary: "A position and every turn with their values",
            params: vec![FAMILY, VARIANT, uwapi::POSITION[0]],
            answers: vec![
                (200, "The position", Json("UwapiPosition")),
                (400, "The position is invalid", Problem),
                NO_GAME,
            ],
            ..Endpoint::get("/uwapi/{game}/{variant}/positions/", "uwapi", get(uwapi::position))
        },
    ];
    all.extend(ROUTES.iter().map(Endpoint::question));
    all
}

impl Endpoint {
    /// A route without parameters and answers.
    fn get(path: &str, topic: &'static str, handler: MethodRouter<Server>) -> Endpoint {
        Endpoint {
            path: path.to_owned(),
            handler,
            name: "",
            topic,
            summary: "",
            description: "",
            params: Vec::new(),
            body: None,
            answers: Vec::new(),
        }
    }

    /// A picture of a game.
    fn picture(ending: &str, params: &[Param], format: Format) -> Endpoint {
        let handler = get(move |server, client, path, query| picture(format, server, client, path, query));
        Endpoint {
            params: [&[GAME], params].concat(),
            ..Endpoint::get(&format!("{ONE_GAME}/picture.{ending}"), "pictures", handler)
        }
    }

    /// A request about a game.
    fn question(route: &'static Route) -> Endpoint {
        let (words, schema) = route.answer;
        let refusals = route.refusals.iter().map(|&(status, words)| (status, words, Content::Problem));
        Endpoint {
            path: format!("{ONE_GAME}/{}", route.path),
            handler: requests::handler(route),
            name: route.name,
            topic: route.topic,
            summary: route.summary,
            description: route.description,
            params: [&[GAME], route.params].concat(),
            body: route.body,
            answers: std::iter::once((200, words, Content::Json(schema))).chain(refusals).collect(),
        }
    }
}
