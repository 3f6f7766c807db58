//! Schemas of answers that handlers refer to by name. `docs/answers.schema.json` defines them; the description of all
//! routes (`site/openapi.rs`) carries them.

use utoipa::openapi::schema::{AllOfBuilder, ArrayBuilder, ObjectBuilder, OneOfBuilder, Type};
use utoipa::openapi::{Ref, RefOr, Schema};

/// Where schemas stand in the description.
pub(crate) const SCHEMAS: &str = "#/components/schemas/";

fn named(name: &str) -> Ref {
    Ref::new(format!("{SCHEMAS}{name}"))
}

fn list(name: &str) -> Schema {
    ArrayBuilder::new().items(named(name)).build().into()
}

/// A game as `games --json` describes it.
pub(crate) fn about() -> Schema {
    AllOfBuilder::new().item(named("games")).build().into()
}

/// Memory, disk and time that solving needs.
pub(crate) fn plan() -> Schema {
    AllOfBuilder::new().item(named("plan")).build().into()
}

/// A position with all turns.
pub(crate) fn probe() -> Schema {
    AllOfBuilder::new().item(named("probe")).build().into()
}

/// An outcome and turns, or null.
pub(crate) fn verdict_or_null() -> Schema {
    let null = ObjectBuilder::new().schema_type(Type::Null);
    OneOfBuilder::new().item(named("verdict")).item(RefOr::T(Schema::from(null.build()))).build().into()
}

/// Positions that were found.
pub(crate) fn found_list() -> Schema {
    list("found")
}

/// Puzzles.
pub(crate) fn puzzle_list() -> Schema {
    list("puzzle")
}

/// Turns with marks.
pub(crate) fn annotation_list() -> Schema {
    list("annotation")
}
