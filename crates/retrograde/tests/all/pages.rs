//! Checks that every link, heading, path and option in the documentation exists.

#![cfg(feature = "cluster")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::common::program;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The text of the pages, by path from the root.
fn pages() -> BTreeMap<String, String> {
    #[rustfmt::skip]
    let names = [
        "README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "checks/README.md",
        "packaging/README.md", "python/README.md",
    ].map(str::to_owned);
    let folders = ["docs", "docs/decisions", "docs/results"].into_iter().flat_map(|folder| {
        let files = fs::read_dir(root().join(folder)).unwrap();
        files.map(move |file| format!("{folder}/{}", file.unwrap().file_name().into_string().unwrap()))
    });
    let names = names.into_iter().chain(folders.filter(|name| name.ends_with(".md")));
    names.map(|name| (name.clone(), fs::read_to_string(root().join(name)).unwrap())).collect()
}

/// The texts between each `open` and the `close` that follows it on the same line.
fn between<'t>(text: &'t str, open: &str, close: &str) -> Vec<&'t str> {
    let rests = text.lines().flat_map(|line| line.split(open).skip(1).collect::<Vec<_>>());
    rests.filter_map(|rest| rest.split_once(close)).map(|(inside, _)| inside).collect()
}

/// The anchors of a page's headings, as on GitHub.
fn anchors(text: &str) -> Vec<String> {
    let headings = text.split("```").step_by(2).flat_map(str::lines).filter(|line| line.starts_with('#'));
    let kept = |c: &char| c.is_alphanumeric() || matches!(c, '-' | '_' | ' ');
    headings
        .map(|line| line.trim_start_matches('#').trim().to_lowercase())
        .map(|title| title.chars().filter(kept).collect::<String>().replace(' ', "-"))
        .collect()
}

#[test]
fn links_lead_to_files_and_headings() {
    let pages = pages();
    let mut dead = Vec::new();
    for (page, text) in &pages {
        for link in between(text, "](", ")").into_iter().filter(|link| !link.contains("://")) {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if path.is_empty() {
                root().join(page)
            } else {
                root().join(page).parent().unwrap().join(path)
            };
            let reached = target.exists()
                && (anchor.is_empty()
                    || anchors(&fs::read_to_string(target).unwrap()).iter().any(|title| title == anchor));
            if !reached {
                dead.push(format!("{page}: {link}"));
            }
        }
    }
    assert!(dead.is_empty(), "{dead:#?}");
}

#[test]
fn paths_exist() {
    let ends = |c: char| !(c.is_ascii_alphanumeric() || "/_-.".contains(c));
    let mut missing = Vec::new();
    for (page, text) in &pages() {
        for path in text.split(ends).map(|path| path.trim_end_matches('.')) {
            let named = ["crates/", "docs/", "web/", "checks/", "packaging/", ".ci/"]
                .iter()
                .any(|folder| path.starts_with(folder));
            if named && !root().join(path).exists() {
                missing.push(format!("{page}: {path}"));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn commands_have_the_options_that_pages_name() {
    let mut helps = BTreeMap::new();
    let mut unknown = Vec::new();
    for (page, text) in &pages() {
        // Commands in code blocks and between backticks.
        let lines = text.lines().filter(|line| line.starts_with("retrograde "));
        let spans = text.split("```").step_by(2).flat_map(|prose| prose.split('`').skip(1).step_by(2));
        for line in lines.chain(spans) {
            let line = line.split('#').next().unwrap().trim_start_matches("retrograde ");
            // These commands have subcommands.
            let nested = ["board ", "reduce ", "export site ", "export book "]
                .iter()
                .any(|name| line.starts_with(name));
            let command: Vec<&str> = line.split_whitespace().take(if nested { 2 } else { 1 }).collect();
            let options = line.split_whitespace().filter(|word| word.starts_with("--"));
            for option in options.map(|word| word.split('=').next().unwrap()) {
                let help = helps.entry(command.join(" ")).or_insert_with(|| {
                    let run = program().args(&command).arg("--help").stdin(Stdio::null()).output().unwrap();
                    String::from_utf8(run.stdout).unwrap()
                });
                let listed = |word: &str| word.trim_end_matches(',') == option;
                if !help.is_empty() && !help.split_whitespace().any(listed) {
                    unknown.push(format!("{page}: {line}"));
                }
            }
        }
    }
    assert!(unknown.is_empty(), "{unknown:#?}");
}
