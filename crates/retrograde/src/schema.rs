//! Compares `docs/answers.schema.json` and `docs/fields.md` with the types of the answers.
//! `UPDATE_DOCS=1` rewrites both.

use std::collections::BTreeMap;

use retrograde_explore::schema::Schemas;
use retrograde_testkit::compare_document;
use serde_json::{Map, Value as Json, json};

use crate::commands::bench::BenchAnswer;
use crate::commands::board::{BoardCheck, BoardShown};
use crate::commands::export::book::Book;
use crate::commands::export::evaluation::Evaluation;
use crate::commands::export::page::HtmlPage;
use crate::commands::export::site::write::WrittenSite;
use crate::commands::export::{DataSet, PublishedForm};
use crate::commands::games::{GameOfSite, NumberingCounts};
use crate::commands::matches::answer::MatchAnswer;
use crate::commands::mate::Mate;
use crate::commands::new::NewGame;
use crate::commands::openings::Placements;
use crate::commands::perft::Perft;
use crate::commands::plan::PlanHere;
use crate::commands::reduce::Reduced;
use crate::commands::serve::Served;
use crate::commands::survey::SurveyRow;
use crate::output::WrittenFiles;
use crate::output::failure::FailedCommand;

/// The definitions of all answers.
fn definitions() -> Map<String, Json> {
    let mut schemas = Schemas::default();
    retrograde_engine::analysis::add_schemas(&mut schemas);
    schemas.answer::<BenchAnswer<'_>>();
    schemas.answer::<BoardCheck<'_>>();
    schemas.answer::<BoardShown>();
    schemas.answer::<Book<'_>>();
    schemas.answer::<DataSet<'_>>();
    schemas.answer::<Evaluation<'_>>();
    schemas.answer::<FailedCommand<'_>>();
    schemas.answer::<GameOfSite<'_>>();
    schemas.answer::<HtmlPage<'_>>();
    schemas.answer::<MatchAnswer<'_>>();
    schemas.answer::<Mate<'_>>();
    schemas.answer::<NewGame<'_>>();
    schemas.answer::<NumberingCounts>();
    schemas.answer::<Perft<'_>>();
    schemas.answer::<Placements<'_>>();
    schemas.answer::<PlanHere<'_>>();
    schemas.answer::<PublishedForm<'_>>();
    schemas.answer::<Reduced>();
    schemas.answer::<Served<'_>>();
    schemas.answer::<SurveyRow>();
    schemas.answer::<WrittenFiles<'_>>();
    schemas.answer::<WrittenSite<'_>>();
    schemas.definitions()
}

#[test]
fn the_schema_matches_the_types() {
    let definitions = definitions();
    for (name, schema) in &definitions {
        assert!(!name.ends_with(|c: char| c.is_ascii_digit()), "two types are called {name}");
        let text = schema.to_string();
        assert!(!text.contains("`None`") && !text.contains("]("), "{name} is described for Rust: {text}");
    }
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Answers of Retrograde with --json",
        "$defs": definitions,
    });
    let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
    compare_document("answers.schema.json", |_| text);
}

#[test]
fn the_reference_of_fields_matches_the_types() {
    const BEGINS: &str = "<!-- fields -->\n";
    compare_document("fields.md", |page| {
        let (before, _) = page.split_once(BEGINS).unwrap();
        format!("{before}{BEGINS}{}", reference(&definitions()))
    });
}

/// The minimum number of types that share a field for it to be described only once.
const SHARED_BY: usize = 3;

/// The fields that many types share, by name: of several meanings, the one with the most types.
fn shared_fields(definitions: &Map<String, Json>) -> BTreeMap<&str, &Json> {
    let mut uses = BTreeMap::<(&str, String), (&Json, usize)>::new();
    for schema in definitions.values() {
        for (name, field, _) in objects(schema).into_iter().flat_map(fields) {
            uses.entry((name, field.to_string())).or_insert((field, 0)).1 += 1;
        }
    }
    let mut uses: Vec<_> = uses.into_iter().filter(|(_, (_, uses))| *uses >= SHARED_BY).collect();
    uses.sort_by_key(|(_, (_, uses))| *uses);
    uses.into_iter().map(|((name, _), (field, _))| (name, field)).collect()
}

/// A section for the fields that many types share, and one for each type.
fn reference(definitions: &Map<String, Json>) -> String {
    let shared = shared_fields(definitions);
    let is_shared = |(name, field, _): &Field<'_>| shared.get(name) == Some(field);
    let mut text = "\n## Shared fields\n\n".to_owned();
    text.extend(shared.iter().map(|(name, field)| line(name, field)));
    text.push_str("\n## Types\n");
    for (name, schema) in definitions {
        text.push_str(&format!("\n### {name}\n\n{}\n", description(schema)));
        let objects = objects(schema);
        // The description lists words with an explanation.
        if objects.is_empty() && !description(schema).contains("\n- ") {
            text.push_str(&format!("\nType: {}.\n", value(schema)));
        }
        for object in objects {
            if object["description"] != schema["description"] {
                text.push_str(&format!("\n{}\n", description(object)));
            }
            text.push('\n');
            let mut left = fields(object);
            // The largest type whose fields this one has too, if that saves more than a line.
            let base = definitions.iter().map(|(name, base)| (name, fields(base))).filter(|(_, base)| {
                let own = base.iter().filter(|field| !is_shared(field));
                own.count() > 1 && base.len() < left.len() && base.iter().all(|field| left.contains(field))
            });
            if let Some((name, base)) = base.max_by_key(|(_, base)| base.len()) {
                text.push_str(&format!("The fields of [{name}](#{}), and:\n\n", name.to_lowercase()));
                left.retain(|field| !base.contains(field));
            }
            let (known, own): (Vec<_>, Vec<_>) = left.into_iter().partition(is_shared);
            if !known.is_empty() {
                let names: Vec<_> = known.iter().map(|(name, _, mark)| format!("`{name}{mark}`")).collect();
                text.push_str(&format!("- {}\n", names.join(", ")));
            }
            text.extend(own.iter().map(|(name, field, mark)| line(&format!("{name}{mark}"), field)));
        }
    }
    text
}

/// The objects that a schema allows.
fn objects(schema: &Json) -> Vec<&Json> {
    let variants = ["anyOf", "oneOf"].into_iter().filter_map(|key| schema[key].as_array()).flatten();
    std::iter::once(schema).chain(variants).filter(|schema| schema["properties"].is_object()).collect()
}

/// A field of an object: its name, its schema, and `?` if it is optional.
type Field<'a> = (&'a str, &'a Json, &'static str);

/// The fields of an object: the required ones in the order of the type, then the optional ones.
fn fields(object: &Json) -> Vec<Field<'_>> {
    let Some(fields) = object["properties"].as_object() else { return Vec::new() };
    let required = object["required"].as_array().map_or(&[][..], Vec::as_slice);
    let required: Vec<&str> = required.iter().filter_map(Json::as_str).collect();
    let optional = fields.iter().filter(|(name, _)| !required.contains(&name.as_str()));
    required
        .iter()
        .map(|name| (*name, &fields[*name], ""))
        .chain(optional.map(|(name, field)| (name.as_str(), field, "?")))
        .collect()
}

/// A field in one line, without a meaning that only repeats the name.
fn line(name: &str, field: &Json) -> String {
    let meaning = description(field).replace('\n', " ");
    let repeats = meaning == format!("The {}.", name.trim_end_matches('?').replace('_', " "));
    let end = if meaning.is_empty() || repeats { String::new() } else { format!(". {meaning}") };
    format!("- `{name}`: {}{end}\n", value(field))
}

/// The description of a schema.
fn description(schema: &Json) -> &str {
    schema["description"].as_str().unwrap_or_default()
}

/// The values that a schema allows, in words.
fn value(schema: &Json) -> String {
    let list = |key: &str| schema[key].as_array().map(Vec::as_slice);
    let choices = |schemas: &[Json]| schemas.iter().map(value).collect::<Vec<_>>().join(" or ");
    if let Some(name) = schema["$ref"].as_str().and_then(|name| name.strip_prefix("#/$defs/")) {
        return format!("[{name}](#{})", name.to_lowercase());
    }
    if let Some(words) = list("enum") {
        return words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
    }
    if let Some(word) = schema.get("const") {
        return format!("`{word}`");
    }
    if let Some(schemas) = list("anyOf").or_else(|| list("oneOf")) {
        return choices(schemas);
    }
    let kinds = match &schema["type"] {
        Json::Array(kinds) => kinds.clone(),
        Json::Null => return "any value".to_owned(),
        kind => vec![kind.clone()],
    };
    let kind = |kind: &Json| match kind.as_str() {
        Some("array") => match list("prefixItems") {
            Some(items) => format!("[{}]", items.iter().map(value).collect::<Vec<_>>().join(", ")),
            None => format!("list of {}", value(&schema["items"])),
        },
        Some("object") => {
            let patterns = schema["patternProperties"].as_object().and_then(|by| by.values().next());
            format!("object of {}", value(patterns.unwrap_or(&schema["additionalProperties"])))
        }
        Some(other) => other.to_owned(),
        None => String::new(),
    };
    kinds.iter().map(kind).collect::<Vec<_>>().join(" or ")
}
