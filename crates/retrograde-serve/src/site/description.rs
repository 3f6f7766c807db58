//! Makes the OpenAPI description, `docs/openapi.json`. Requests and their parameters come from the table [`ROUTES`], by which
//! they are also asked, other paths from their handlers, and schemas of answers from
//! `docs/answers.schema.json`, which the command line keeps too; so none of them can drift apart.

use retrograde_explore::request::{HttpMethod, Param, ParamKind, ROUTES, Route};
use serde_json::{Map, Value as Json, json};
use utoipa::OpenApi;

use super::{health, openapi, pages};
use crate::{api, uwapi};

/// The answers of the command line, as JSON Schema.
const ANSWERS: &str = include_str!("../../interface/answers.schema.json");

/// Where schemas stand in the description.
const SCHEMAS: &str = "#/components/schemas/";

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
        api::games, api::game,
        api::picture_svg, api::picture_png, api::picture_gif,
        uwapi::games, uwapi::game, uwapi::variant, uwapi::position,
        health::healthz, health::readyz, health::metrics,
        pages::page, pages::asset, pages::module, openapi::openapi,
    ),
    tags(
        (name = "games", description = "Games as a whole"),
        (name = "positions", description = "Positions, turns and lines"),
        (name = "pictures", description = "Pictures"),
        (name = "uwapi", description = "The universal web API of GamesCrafters"),
        (name = "server", description = "The server itself"),
    ),
)]
struct ApiDescription;

/// The description of the interface, as the code has it.
pub fn description() -> Json {
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
    for route in ROUTES {
        let method = match route.method {
            HttpMethod::Get => "get",
            HttpMethod::Post => "post",
        };
        described["paths"][format!("/api/v1/games/{{game}}/{}", route.path)][method] = operation(route);
    }
    described["servers"] = json!([{"url": "/"}]);
    described
}

/// The description of a request.
fn operation(route: &Route) -> Json {
    let content =
        |kind: &str, schema: &str| json!({kind: {"schema": {"$ref": format!("{SCHEMAS}{schema}")}}});
    let (words, schema) = route.answer;
    let mut responses =
        json!({"200": {"description": words, "content": content("application/json", schema)}});
    for (status, words) in route.refusals {
        responses[status.to_string()] =
            json!({"description": words, "content": content("application/problem+json", "Problem")});
    }
    let game = Param::text("game", "The name of a game").in_path();
    let params: Vec<Json> = std::iter::once(&game).chain(route.params).map(parameter).collect();
    let mut operation = json!({
        "operationId": route.name,
        "tags": [route.topic],
        "summary": route.summary,
        "parameters": params,
        "responses": responses,
    });
    if !route.description.is_empty() {
        operation["description"] = route.description.into();
    }
    if !route.body.is_empty() {
        operation["requestBody"] =
            json!({"required": true, "content": content("application/json", route.body)});
    }
    operation
}

/// The description of a parameter.
fn parameter(param: &Param) -> Json {
    let schema = match param.kind {
        ParamKind::Text => json!({"type": "string"}),
        ParamKind::Flag => json!({"type": "boolean"}),
        ParamKind::Word { words, doc } => json!({"type": "string", "description": doc, "enum": words}),
        ParamKind::Number(most) => {
            let format = if most <= u32::MAX.into() { "int32" } else { "int64" };
            json!({"type": "integer", "format": format, "minimum": 0})
        }
    };
    json!({
        "name": param.name,
        "in": if param.in_path { "path" } else { "query" },
        "description": param.doc,
        "required": param.required,
        "schema": schema,
    })
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
