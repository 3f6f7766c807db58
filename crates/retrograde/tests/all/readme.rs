//! Tests the tour in the README: every line must do what it says.

use std::path::Path;
use std::process::Stdio;

use crate::common::{new_folder, program};

/// Splits a command line as a shell does: at spaces outside quotes, up to `#`.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (number, part) in line.split('\'').enumerate() {
        if number % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split('#').next().unwrap().split_whitespace().map(str::to_owned));
            if part.contains('#') {
                break;
            }
        }
    }
    words
}

#[test]
fn the_tour_does_what_it_says() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = std::fs::read_to_string(readme).unwrap();
    let tour = readme.split("## A tour").nth(1).unwrap().split("```").nth(1).unwrap();
    let lines: Vec<&str> = tour.lines().filter(|line| line.starts_with("retrograde ")).collect();
    assert_eq!(lines.len(), 11, "a tour in eleven lines");
    let folder = new_folder();
    for line in lines {
        let mut words = words(line).split_off(1);
        if words == ["solve"] {
            // Solving Push Fight would take most of the time, and the tour does not use its table.
            words.extend(["tactics", "touchdown"].map(str::to_owned));
        }
        let output = program().args(&words).current_dir(&*folder).stdin(Stdio::null()).output().unwrap();
        let (printed, wrong) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success() && !printed.is_empty(), "{line}: {wrong}");
        assert!(!printed.contains("unknown"), "{line}: a table answers it\n{printed}");
        for row in printed.lines() {
            assert!(row.chars().count() <= 80, "{line}: {row}");
        }
    }
    for file in ["touchdown.svg", "touchdown.npy", "touchdown.index.npy"] {
        assert!(folder.join(file).is_file(), "{file}");
    }
}

#[test]
fn the_pictures_are_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let pictures: Vec<&str> =
        readme.split("](docs/pictures/").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    assert!(!pictures.is_empty());
    for picture in pictures {
        assert!(root.join("docs/pictures").join(picture).is_file(), "{picture}");
    }
}

/// Lints forbid unsafe code in all other crates; SECURITY.md lists these.
#[test]
fn six_crates_may_have_unsafe_code() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let read = |path: std::path::PathBuf| std::fs::read_to_string(path).unwrap();
    let workspace = read(folder.parent().unwrap().join("Cargo.toml"));
    assert!(workspace.contains("unsafe_code = \"forbid\""));
    let mut own: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("Cargo.toml").exists())
        .filter(|path| !read(path.join("Cargo.toml")).contains("[lints]\nworkspace = true\n"))
        .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
        .collect();
    own.sort();
    let known = ["fuzz", "index", "offline", "pushfight-planes", "solve", "tactics"];
    assert_eq!(own, known.map(|name| format!("retrograde-{name}")));
}
