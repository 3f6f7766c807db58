//! Makes the OpenAPI description, `docs/openapi.json`. Requests and their parameters come from the table [`ROUTES`], by which
//! they are also asked, other paths from their handlers, and schemas of answers from
//! `docs/answers.schema.json`, which the command line keeps too; so none of them can drift apart.

use std::collections::BTreeSet;

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
    // References within the file become references within the description.
    each_object(&mut answers, &mut |fields| {
        if let Some(Json::String(text)) = fields.get_mut("$ref") {
            *text = text.replace(DEFINITIONS, SCHEMAS);
        }
    });
    if let Some(schemas) = described.pointer_mut("/components/schemas").and_then(Json::as_object_mut)
        && let Some(definitions) = answers.get_mut("$defs").map(Json::take)
        && let Json::Object(definitions) = definitions
    {
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
    each_object(&mut described["paths"], &mut as_binary);
    each_object(&mut described, &mut with_64_bits);
    remove_unused(&mut described);
    described
}

/// Describes a body of bytes as generators of clients read it: not as a list of numbers.
fn as_binary(content: &mut Map<String, Json>) {
    for (_, body) in content.iter_mut().filter(|(kind, _)| kind.contains('/') && *kind != "application/json")
    {
        if body["schema"]["type"] == "array" {
            body["schema"] = json!({"type": "string", "format": "binary"});
        }
    }
}

/// Gives integers the width that clients need: without one, some read 32 bits.
fn with_64_bits(schema: &mut Map<String, Json>) {
    let is_integer = match schema.get("type") {
        Some(Json::Array(kinds)) => kinds.iter().any(|kind| kind == "integer"),
        kind => kind.is_some_and(|kind| kind == "integer"),
    };
    if is_integer {
        schema.insert("format".to_owned(), "int64".into());
    }
}

/// Removes the schemas of answers that only the command line gives.
fn remove_unused(described: &mut Json) {
    let mut used = BTreeSet::new();
    let mut wanted = references(&mut described["paths"]);
    while let Some(name) = wanted.pop() {
        if used.insert(name.clone()) {
            wanted.extend(references(&mut described["components"]["schemas"][&name]));
        }
    }
    if let Some(schemas) = described["components"]["schemas"].as_object_mut() {
        schemas.retain(|name, _| used.contains(name));
    }
}

/// The names of the schemas that a part of the description refers to.
fn references(json: &mut Json) -> Vec<String> {
    let mut names = Vec::new();
    each_object(json, &mut |fields| {
        let name = fields.get("$ref").and_then(|name| name.as_str()?.strip_prefix(SCHEMAS));
        names.extend(name.map(str::to_owned));
    });
    names
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
        ParamKind::Number(_) => json!({"type": "integer", "minimum": 0}),
    };
    json!({
        "name": param.name,
        "in": if param.in_path { "path" } else { "query" },
        "description": param.doc,
        "required": param.required,
        "schema": schema,
    })
}

/// Visits all objects, outer ones first.
fn each_object(json: &mut Json, visit: &mut dyn FnMut(&mut Map<String, Json>)) {
    match json {
        Json::Object(fields) => {
            visit(fields);
            fields.values_mut().for_each(|value| each_object(value, visit));
        }
        Json::Array(items) => items.iter_mut().for_each(|item| each_object(item, visit)),
        _ => {}
    }
}
