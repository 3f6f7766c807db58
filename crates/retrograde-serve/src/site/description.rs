//! Generates the OpenAPI description, `docs/openapi.json`, from the table of routes and the types of answers,
//! and the table of paths in `docs/api.md`. `UPDATE_DOCS=1` rewrites both.

use std::collections::BTreeSet;

use retrograde_explore::schema::{Schemas, each_object};
use retrograde_explore::{Param, ParamKind};
use retrograde_testkit::compare_document;
use serde_json::{Map, Value as Json, json};

use super::health::Health;
use crate::routes::{Content, Endpoint, endpoints};
use crate::uwapi::words::{UwapiGame, UwapiPosition, UwapiVariant, UwapiVariants};

/// The place of schemas in the description.
const SCHEMAS: &str = "#/components/schemas/";

/// The description of the interface, generated from the code.
fn description() -> Json {
    let mut schemas = Schemas::default();
    schemas.answer::<Health>();
    schemas.answer::<UwapiGame>();
    schemas.answer::<UwapiPosition>();
    schemas.answer::<UwapiVariant>();
    schemas.answer::<UwapiVariants>();
    let mut described = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Retrograde",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Perfect play in board games. Values are for the side to move; in lists of turns and steps, for \
                            the player who makes them. `turns` counts the turns of both players. `unknown` never means a \
                            draw.",
            "contact": {"name": env!("CARGO_PKG_AUTHORS")},
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "tags": [
            {"name": "games", "description": "Games as a whole"},
            {"name": "positions", "description": "Positions, turns and lines"},
            {"name": "pictures", "description": "Pictures"},
            {"name": "uwapi", "description": "The universal web API of GamesCrafters"},
            {"name": "server", "description": "The server itself"},
        ],
        "paths": {},
        "components": {"schemas": schemas.definitions()},
    });
    for endpoint in endpoints() {
        let method = if endpoint.body.is_some() { "post" } else { "get" };
        described["paths"][&endpoint.path][method] = operation(&endpoint);
    }
    each_object(&mut described, &mut |fields| {
        if let Some(Json::String(text)) = fields.get_mut("$ref") {
            *text = text.replace("#/$defs/", SCHEMAS);
        }
    });
    each_object(&mut described, &mut with_64_bits);
    remove_unused(&mut described);
    described
}

/// Adds a width to integers, since some clients assume 32 bits otherwise.
fn with_64_bits(schema: &mut Map<String, Json>) {
    let is_integer = match schema.get("type") {
        Some(Json::Array(kinds)) => kinds.iter().any(|kind| kind == "integer"),
        kind => kind.is_some_and(|kind| kind == "integer"),
    };
    if is_integer {
        schema.insert("format".to_owned(), "int64".into());
    }
}

/// Removes the schemas of answers that only the command line uses.
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

/// The description of a route.
fn operation(endpoint: &Endpoint) -> Json {
    let mut operation = json!({
        "operationId": endpoint.name,
        "tags": [endpoint.topic],
        "summary": endpoint.summary,
        "responses": {},
    });
    for &(status, words, content) in &endpoint.answers {
        operation["responses"][status.to_string()] =
            json!({"description": words, "content": contents(content)});
    }
    if !endpoint.params.is_empty() {
        operation["parameters"] = endpoint.params.iter().map(parameter).collect();
    }
    if !endpoint.description.is_empty() {
        operation["description"] = endpoint.description.into();
    }
    if let Some(body) = endpoint.body {
        operation["requestBody"] = json!({"required": true, "content": contents(Content::Json(body))});
    }
    operation
}

/// The description of a content, by its media type.
fn contents(content: Content) -> Json {
    let named = |name: &str| json!({"$ref": format!("{SCHEMAS}{name}")});
    let (kind, schema) = match content {
        Content::Json(name) => ("application/json", named(name)),
        Content::JsonList(name) => ("application/json", json!({"type": "array", "items": named(name)})),
        Content::AnyJson => ("application/json", json!({"type": "object"})),
        Content::Text(kind) => (kind, json!({"type": "string"})),
        // The format that client generators expect.
        Content::Bytes(kind) => (kind, json!({"type": "string", "format": "binary"})),
        Content::Problem => ("application/problem+json", named("Problem")),
    };
    json!({kind: {"schema": schema}})
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

/// The table of paths, with the parameters of their queries. The description says more.
fn paths() -> String {
    let mut table = "| path | answer | parameters |\n|---|---|---|\n".to_owned();
    let mut all = endpoints();
    all.sort_by(|one, other| one.path.cmp(&other.path));
    for endpoint in all {
        let method = if endpoint.body.is_some() { "POST " } else { "" };
        let query = endpoint.params.iter().filter(|param| !param.in_path);
        let query: Vec<String> = query.map(|param| format!("`{}`", param.name)).collect();
        table.push_str(&format!(
            "| {method}`{}` | {} | {} |\n",
            endpoint.path,
            endpoint.summary,
            query.join(", ")
        ));
    }
    table
}

/// `docs/openapi.json` is up to date. The server serves it, and the page's types are generated from it.
#[test]
fn the_documented_description_matches_the_code() {
    compare_document("openapi.json", |_| serde_json::to_string_pretty(&description()).unwrap() + "\n");
}

#[test]
fn the_documented_paths_match_the_routes() {
    const MARKS: [&str; 2] = ["<!-- routes -->\n", "<!-- end of routes -->"];
    compare_document("api.md", |page| {
        let (before, rest) = page.split_once(MARKS[0]).unwrap();
        let (_, after) = rest.split_once(MARKS[1]).unwrap();
        format!("{before}{}{}{}{after}", MARKS[0], paths(), MARKS[1])
    });
}
