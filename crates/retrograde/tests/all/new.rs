//! Tests of `retrograde new`: its crate passes its tests, and nothing is overwritten. The files of
//! the template are compiled here under their original names.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value as Json;

use crate::common::program;

#[path = "../../template/src/lib.rs"]
mod template;

pub use template::{MyGame, registry};

#[path = "../../template/tests/promises.rs"]
mod promises;

/// The folder of Retrograde.
fn retrograde() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn new(folder: &Path, arguments: &[&str]) -> Output {
    program().current_dir(folder).arg("new").args(arguments).output().unwrap()
}

#[test]
fn a_crate_is_created_with_its_names() {
    let folder = retrograde_testkit::tempdir().unwrap();
    let path = retrograde();
    let made = new(folder.path(), &["ring-of-7", "--path", path.to_str().unwrap(), "--json"]);
    assert!(made.status.success(), "{made:?}");
    let answer: Json = serde_json::from_slice(&made.stdout).unwrap();
    assert_eq!((&answer["folder"], &answer["game"]), (&Json::from("ring-of-7"), &Json::from("ringof7")));
    let mut all = String::new();
    for file in answer["files"].as_array().unwrap() {
        all += &fs::read_to_string(folder.path().join("ring-of-7").join(file.as_str().unwrap())).unwrap();
    }
    for name in ["name = \"ring-of-7\"", "ring_of_7::", "struct RingOf7", "Family::grid(\"ringof7\""] {
        assert!(all.contains(name), "{name}: {all}");
    }
    for name in ["my-game", "my_game", "MyGame", "mygame", "RETROGRADE"] {
        assert!(!all.contains(name), "{name}: {all}");
    }
    // The crates that it refers to exist.
    let paths: Vec<&str> = all.lines().filter_map(|line| line.split("path = \"").nth(1)).collect();
    assert_eq!(paths.len(), 4);
    for path in paths {
        let path = path.split('"').next().unwrap();
        assert!(Path::new(path).join("Cargo.toml").is_file(), "{path}");
    }
}

#[test]
fn names_may_contain_those_of_the_template() {
    let folder = retrograde_testkit::tempdir().unwrap();
    let path = retrograde();
    for (name, module) in [("my_game2", "my_game2"), ("mygame-2", "mygame_2"), ("not-my-game", "not_my_game")]
    {
        assert!(new(folder.path(), &[name, "--path", path.to_str().unwrap()]).status.success());
        let read = |file: &str| fs::read_to_string(folder.path().join(name).join(file)).unwrap();
        assert!(read("Cargo.toml").contains(&format!("name = \"{name}\"")), "{}", read("Cargo.toml"));
        assert!(read("src/main.rs").contains(&format!("{module}::")), "{}", read("src/main.rs"));
    }
}

#[test]
fn nothing_is_overwritten_and_mistakes_are_named() {
    let folder = retrograde_testkit::tempdir().unwrap();
    let path = retrograde();
    let path = path.to_str().unwrap();
    fs::create_dir(folder.path().join("mine")).unwrap();
    fs::write(folder.path().join("a-file"), "mine").unwrap();
    // The folder for tests is below Retrograde's folder.
    let outside = Path::new("/");
    for (arguments, reason) in [
        (&["mine", "--path", path][..], "already exists"),
        (&["a-file", "--path", path], "already exists"),
        (&["Nim", "--path", path], "found 'N' at character 1"),
        (&["../nim", "--path", path], "found '.' at character 1"),
        (&["deps", "--path", path], "Cargo uses a folder"),
        (&["build", "--path", path], "Cargo uses a folder"),
        (&["yield", "--path", path], "reserved by Rust"),
        (&["alloc", "--path", path], "reserved by Rust"),
        (&["nul", "--path", path], "Windows does not allow"),
        (&["retrograde-game", "--path", path], "are reserved"),
        (&["vec", "--path", path], "already uses the name"),
        (&["nim", "--path", "."], "it has no `crates/retrograde/Cargo.toml`"),
        (&["nim"], "Retrograde's source folder was not found"),
    ] {
        let place = if arguments == ["nim"] { outside } else { folder.path() };
        let refused = new(place, arguments);
        let error = String::from_utf8(refused.stderr).unwrap();
        assert_eq!(refused.status.code(), Some(1), "{arguments:?}: {error}");
        assert!(error.contains(reason), "{arguments:?}: {error}");
    }
    assert_eq!(fs::read_dir(folder.path().join("mine")).unwrap().count(), 0);
    assert_eq!(fs::read_to_string(folder.path().join("a-file")).unwrap(), "mine");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}
