//! The OpenAPI description. Routes and parameters come from the handlers, schemas of answers from
//! `docs/answers.schema.json`, which the command line keeps too; so the two cannot drift apart.

use serde_json::{Map, Value as Json, json};
use utoipa::OpenApi;

use super::{health, pages};
use crate::message::problem;
use crate::message::schemas::SCHEMAS;
use crate::{api, uwapi};

/// The answers of the command line, as JSON Schema.
const ANSWERS: &str = include_str!("../../../../docs/answers.schema.json");

/// Where schemas stand in the file.
const DEFINITIONS: &str = "#/$defs/";

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Retrograde",
        description = "Perfect play in board games. Values speak of the side to move; in lists of turns and steps, of \
                       the player who makes them. `turns` counts the turns of both players. `unknown` is a value of \
                       its own, and never a draw.",
        license(name = "MIT", identifier = "MIT"),
    ),
    paths(
        api::games, api::game, api::stats,
        api::position, api::position_in_path, api::batch, api::steps, api::line, api::find, api::puzzles, api::annotate, api::view,
        api::picture_svg, api::picture_png, api::picture_gif,
        uwapi::games, uwapi::game, uwapi::variant, uwapi::position,
        health::healthz, health::readyz, health::metrics,
        pages::page, pages::asset, openapi,
    ),
    components(schemas(problem::Problem)),
    tags(
        (name = "games", description = "Games as a whole"),
        (name = "positions", description = "Positions, turns and lines"),
        (name = "pictures", description = "Pictures"),
        (name = "uwapi", description = "The universal web API of GamesCrafters"),
        (name = "server", description = "The server itself"),
    ),
)]
struct ApiDescription;

/// This description
#[utoipa::path(
    get,
    path = "/openapi.json",
    tag = "server",
    responses((status = 200, description = "An OpenAPI document", body = Object, content_type = "application/json")),
)]
pub(crate) async fn openapi(
    axum::extract::State(server): axum::extract::State<crate::state::Server>,
) -> crate::message::answer::Answer {
    let stamp = crate::games::stamp(std::str::from_utf8(&server.openapi).unwrap_or_default());
    crate::message::answer::Answer::cacheable("application/json", server.openapi.clone(), &stamp)
}

/// The description as JSON, for paths that begin with `prefix`.
pub(crate) fn text(prefix: &str) -> Vec<u8> {
    let described = serde_json::to_value(ApiDescription::openapi());
    let answers = serde_json::from_str::<Json>(ANSWERS);
    // Both are constants, and a test reads them.
    let (mut described, mut answers) = (described.unwrap_or_default(), answers.unwrap_or_default());
    rewrite(&mut answers);
    if let Some(schemas) = described.pointer_mut("/components/schemas").and_then(Json::as_object_mut)
        && let Some(definitions) = answers.get_mut("$defs").map(Json::take)
        && let Json::Object(mut definitions) = definitions
    {
        without_machine(&mut definitions);
        schemas.extend(definitions);
    }
    described["servers"] = json!([{"url": if prefix.is_empty() { "/" } else { prefix }}]);
    serde_json::to_vec(&described).unwrap_or_default()
}

/// Removes the fields about this machine: a plan over HTTP does not say where tables are.
fn without_machine(definitions: &mut Map<String, Json>) {
    const OURS: [&str; 2] = ["tables", "disk_free"];
    let Some(plan) = definitions.get_mut("plan") else { return };
    if let Some(required) = plan.get_mut("required").and_then(Json::as_array_mut) {
        required.retain(|field| !OURS.iter().any(|ours| field == ours));
    }
    if let Some(fields) = plan.get_mut("properties").and_then(Json::as_object_mut) {
        fields.retain(|field, _| !OURS.contains(&field.as_str()));
    }
}

/// Turns references within the file into references within the description.
fn rewrite(json: &mut Json) {
    match json {
        Json::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Json::String(text) if name == "$ref" => *text = text.replace(DEFINITIONS, SCHEMAS),
                    value => rewrite(value),
                }
            }
        }
        Json::Array(items) => items.iter_mut().for_each(rewrite),
        _ => {}
    }
}
