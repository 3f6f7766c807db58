//! JSON Schema of answers and request bodies, generated from their types in tests, for
//! `docs/answers.schema.json` and `docs/openapi.json`. Definitions are named after their types, and
//! descriptions are the doc comments.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value as Json};

use crate::request::view::View;
use crate::request::{
    AnnotatedGame, Batch, BatchAnswer, FoundList, PlayedGame, PuzzleDepths, PuzzleList, Refusal,
};
use crate::{
    About, Certificate, ClusterPlan, GameAnswer, GameList, Line, NumberedPosition, Pressure, Probe, Problem,
    Reachable, Rules, ShadeStatistics, Statistics, Steps, Verification,
};

/// Definitions of types.
pub struct Schemas {
    /// Types that are serialised.
    answers: SchemaGenerator,
    /// Types that are deserialised.
    bodies: SchemaGenerator,
}

impl Default for Schemas {
    /// The answers and bodies of this crate.
    fn default() -> Schemas {
        let settings = SchemaSettings::draft2020_12();
        let mut schemas = Schemas {
            answers: settings.clone().for_serialize().into_generator(),
            bodies: settings.for_deserialize().into_generator(),
        };
        schemas.body::<Batch>();
        schemas.body::<PlayedGame>();
        schemas.answer::<About>();
        schemas.answer::<AnnotatedGame>();
        schemas.answer::<BatchAnswer>();
        schemas.answer::<Certificate>();
        schemas.answer::<ClusterPlan>();
        schemas.answer::<FoundList>();
        schemas.answer::<GameAnswer>();
        schemas.answer::<GameList>();
        schemas.answer::<Line>();
        schemas.answer::<NumberedPosition>();
        schemas.answer::<Reachable>();
        schemas.answer::<Pressure>();
        schemas.answer::<Probe>();
        schemas.answer::<Problem>();
        schemas.answer::<PuzzleDepths>();
        schemas.answer::<PuzzleList>();
        schemas.answer::<Refusal>();
        schemas.answer::<Rules>();
        schemas.answer::<ShadeStatistics>();
        schemas.answer::<Statistics>();
        schemas.answer::<Steps>();
        schemas.answer::<Verification>();
        schemas.answer::<View>();
        schemas
    }
}

impl Schemas {
    /// Adds a serialised type, and the types of its fields.
    pub fn answer<T: JsonSchema>(&mut self) {
        self.answers.subschema_for::<T>();
    }

    /// Adds a deserialised type, and the types of its fields.
    pub fn body<T: JsonSchema>(&mut self) {
        self.bodies.subschema_for::<T>();
    }

    /// All definitions by name. References begin with `#/$defs/`.
    pub fn definitions(mut self) -> Map<String, Json> {
        let mut definitions = self.answers.take_definitions(false);
        definitions.values_mut().for_each(|schema| each_object(schema, &mut without_null));
        definitions.append(&mut self.bodies.take_definitions(false));
        for schema in definitions.values_mut() {
            each_object(schema, &mut as_words);
            each_object(schema, &mut closed);
            each_object(schema, &mut plain);
        }
        definitions
    }
}

/// Visits all objects, outer ones first.
pub fn each_object(json: &mut Json, visit: &mut dyn FnMut(&mut Map<String, Json>)) {
    match json {
        Json::Object(fields) => {
            visit(fields);
            fields.values_mut().for_each(|value| each_object(value, visit));
        }
        Json::Array(items) => items.iter_mut().for_each(|item| each_object(item, visit)),
        _ => {}
    }
}

/// A field that may be omitted is never null, since `None` omits it.
fn without_null(schema: &mut Map<String, Json>) {
    let required = schema.get("required").and_then(Json::as_array).cloned().unwrap_or_default();
    let Some(Json::Object(fields)) = schema.get_mut("properties") else { return };
    for (_, field) in fields.iter_mut().filter(|(name, _)| !required.contains(&Json::from(name.as_str()))) {
        if let Some(Json::Array(types)) = field.get_mut("type")
            && types.len() == 2
        {
            types.retain(|name| name != "null");
            field["type"] = types.remove(0);
        }
        let Some(fields) = field.as_object_mut() else { continue };
        if let Some(Json::Array(types)) = fields.get_mut("enum") {
            types.retain(|word| !word.is_null());
        }
        if let Some(Json::Array(mut choices)) = fields.remove("anyOf") {
            choices.retain(|choice| choice["type"] != "null");
            match choices.pop() {
                Some(Json::Object(only)) if choices.is_empty() => fields.extend(only),
                last => {
                    choices.extend(last);
                    fields.insert("anyOf".to_owned(), choices.into());
                }
            }
        }
    }
}

/// A choice of words becomes an `enum`, which client generators understand, with each word
/// explained in the description.
fn as_words(schema: &mut Map<String, Json>) {
    let Some(Json::Array(choices)) = schema.get("oneOf") else { return };
    let mut text = schema.get("description").and_then(Json::as_str).unwrap_or_default().to_owned();
    let mut words = Vec::new();
    for choice in choices {
        let named = choice.get("const").map(|word| vec![word.clone()]);
        let Some(named) = named.or_else(|| choice.get("enum")?.as_array().cloned()) else { return };
        if let (Some(explained), [Json::String(word)]) = (choice["description"].as_str(), &named[..]) {
            text.push_str(&format!("\n- `{word}`: {explained}"));
        }
        words.extend(named);
    }
    schema.remove("oneOf");
    schema.insert("type".to_owned(), "string".into());
    schema.insert("enum".to_owned(), words.into());
    schema.insert("description".to_owned(), text.into());
}

/// Forbids fields other than those described.
fn closed(schema: &mut Map<String, Json>) {
    let is_open = !schema.contains_key("additionalProperties");
    if is_open && schema.get("type").is_some_and(|kind| kind == "object") && schema.contains_key("properties")
    {
        schema.insert("additionalProperties".to_owned(), false.into());
    }
}

/// Removes formats that only name Rust's number types, and joins the lines of a paragraph.
fn plain(schema: &mut Map<String, Json>) {
    if schema.contains_key("type") {
        schema.remove("format");
    }
    if let Some(Json::String(text)) = schema.get_mut("description") {
        *text = text.replace('\n', " ").replace(" - `", "\n- `");
    }
}
