//! The profiles of builds: what one names, another that inherits from it has to name too.

use std::collections::BTreeMap;

const MANIFEST: &str = include_str!("../../../../Cargo.toml");

/// The packages that a profile names, each with its settings.
fn named(profile: &str) -> BTreeMap<&'static str, &'static str> {
    let begin = format!("[profile.{profile}.package]\n");
    let (_, rest) = MANIFEST.split_once(&begin).unwrap_or_else(|| panic!("no {begin}"));
    let lines = rest.lines().take_while(|line| !line.starts_with('['));
    lines.filter_map(|line| line.split_once(" = ")).filter(|(name, _)| !name.starts_with('#')).collect()
}

/// Names are stronger than a profile: a package that `page` leaves out would be as large as in
/// `release`.
#[test]
fn the_page_makes_everything_small() {
    let (release, page) = (named("release"), named("page"));
    assert!(release.contains_key("retrograde-solve"));
    assert!(release.values().all(|settings| settings.starts_with("{ opt-level = 3")), "{release:?}");
    assert!(page.values().all(|settings| *settings == "{ opt-level = \"z\" }"), "{page:?}");
    assert_eq!(release.keys().collect::<Vec<_>>(), page.keys().collect::<Vec<_>>());
}
