//! Checks the build profiles: settings of a package take precedence over a profile that inherits them.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

const MANIFEST: &str = include_str!("../../../../Cargo.toml");

/// The packages that a profile names, each with its settings.
fn named(profile: &str) -> BTreeMap<&'static str, &'static str> {
    let begin = format!("[profile.{profile}.package]\n");
    let (_, rest) = MANIFEST.split_once(&begin).unwrap_or_else(|| panic!("no {begin}"));
    let lines = rest.lines().take_while(|line| !line.starts_with('['));
    lines.filter_map(|line| line.split_once(" = ")).filter(|(name, _)| !name.starts_with('#')).collect()
}

/// The packages that the module of a page consists of.
fn module() -> BTreeSet<String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let words =
        "tree --offline --locked --target wasm32-unknown-unknown -p retrograde -e normal --prefix none";
    let output = Command::new(cargo).args(words.split(' ')).current_dir("../..").output().unwrap();
    let tree = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    tree.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

/// A package that `page` omits would be as large as in `release`.
#[test]
fn the_page_profile_optimises_every_crate_for_size() {
    let (page, module) = (named("page"), module());
    assert!(module.contains("retrograde-solve") && module.contains("retrograde-offline"), "{module:?}");
    for name in named("release").keys().filter(|name| module.contains(**name)) {
        let settings = page.get(name).unwrap_or_else(|| panic!("{name} is not small"));
        assert!(settings.contains("opt-level = \"z\""), "{name}: {settings}");
    }
}

/// A profile's `strip` does not apply to a program that an inherited profile names.
#[test]
fn packages_and_modules_are_stripped() {
    for profile in ["dist", "page"] {
        assert!(named(profile)["retrograde"].contains("codegen-units = 1, strip = true"), "{profile}");
    }
}
