//! Compares `docs/answers.schema.json` with the types of the answers. `UPDATE_DOCS=1` rewrites it.

use std::fs;
use std::path::Path;

use retrograde_explore::schema::Schemas;
use serde_json::{Map, Value as Json, json};

use crate::commands::board::{BoardCheck, BoardShown};
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
use crate::failure::FailedCommand;
use crate::output::WrittenFiles;

/// The definitions of all answers.
fn definitions() -> Map<String, Json> {
    let mut schemas = Schemas::default();
    retrograde_engine::analysis::add_schemas(&mut schemas);
    schemas.answer::<BoardCheck<'_>>();
    schemas.answer::<BoardShown>();
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
    schemas.answer::<WrittenFiles<'_>>();
    schemas.answer::<WrittenSite<'_>>();
    schemas.definitions()
}

#[test]
fn the_schema_is_that_of_the_types() {
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
    compare("answers.schema.json", &text);
}

/// Compares a file of `docs/` with what it should be, or rewrites it.
fn compare(file: &str, wanted: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(file);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(path, wanted).unwrap();
        return;
    }
    let same = fs::read_to_string(path).unwrap() == wanted;
    assert!(same, "docs/{file} is not that of the types: run this test with UPDATE_DOCS=1");
}
