//! Checks the build profiles: a package that one profile names must also be named in profiles that
//! inherit from it.

use std::collections::BTreeMap;

const MANIFEST: &str = include_str!("../../../../Cargo.toml");

/// The packages that a profile names, each with its settings.
fn named(profile: &str) -> BTreeMap<&'static str, &'static str> {
    let begin = format!("[profile.{profile}.package]\n");
    let (_, rest) = MANIFEST.split_once(&begin).unwrap_or_else(|| panic!("no {begin}"));
    let lines = rest.lines().take_while(|line| !line.starts_with('['));
    lines.filter_map(|line| line.split_once(" = ")).filter(|(name, _)| !name.starts_with('#')).collect()
}

/// The settings of the program itself in profiles for distribution: a profile's `strip` does not
/// apply to packages that an inherited profile names.
const PROGRAM_SETTINGS: &str = "{ codegen-units = 1, strip = true }";

/// Package settings take precedence over the profile: a package that `page` omits would be as large
/// as in `release`.
#[test]
fn the_page_makes_everything_small() {
    let (release, mut page) = (named("release"), named("page"));
    assert!(release.contains_key("retrograde-solve"));
    assert!(release.keys().eq(page.keys()), "{release:?} {page:?}");
    assert_eq!(page.remove("retrograde"), Some(PROGRAM_SETTINGS));
    assert!(page.values().all(|settings| *settings == "{ opt-level = \"z\" }"), "{page:?}");
}

/// Packages fully optimise what `release` does not, to build faster.
#[test]
fn packages_have_everything_optimised() {
    let (mut release, mut dist) = (named("release"), named("dist"));
    release.retain(|_, settings| !settings.starts_with("{ opt-level = 3"));
    assert!(release.keys().eq(&["retrograde", "zstd-sys"]), "{release:?}");
    assert!(release.keys().eq(dist.keys()), "{dist:?}");
    assert_eq!(dist.remove("retrograde"), Some(PROGRAM_SETTINGS));
    assert!(dist.values().all(|settings| *settings == "{ opt-level = 3 }"), "{dist:?}");
}
