//! `--out` files: the next writer removes what a killed one left, and names can be as long as file
//! systems allow.

#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::common::{answer, names, new_folder, start, wait_for};

const GAME: &str = "touchdown:4x4";

fn partial(folder: &Path) -> bool {
    names(folder).iter().any(|name| name.ends_with(".partial"))
}

/// Starts an export and waits until it writes.
fn begun(tables: &Path, folder: &Path, arguments: &[&str]) -> Child {
    let mut child = start(tables, arguments);
    wait_for("the export begins", || partial(folder) || child.try_wait().unwrap().is_some());
    child
}

fn send(child: &Child, signal: &str) {
    // It may have ended already.
    let _ = Command::new("kill").args([signal, &child.id().to_string()]).stderr(Stdio::null()).status();
}

#[test]
fn the_next_export_cleans_up_after_a_killed_one() {
    let folder = new_folder();
    let (tables, out) = (folder.join("tables"), folder.join("out"));
    fs::create_dir(&out).unwrap();
    answer(&tables, &["solve", GAME]);
    let path = |name: &str| out.join(name).to_str().unwrap().to_owned();
    let (csv, set) = (path("x.csv"), path("e"));
    let commands: [&[&str]; 2] = [
        &["export", GAME, "--format", "csv", "--out", &csv],
        &["export", "evaluation", GAME, "--positions", "3000", "--out", &set],
    ];
    for command in commands {
        // After a signal that can be caught there is no file, or a complete one.
        for signal in ["-TERM", "-INT", "-HUP"] {
            let mut child = begun(&tables, &out, command);
            send(&child, signal);
            child.wait().unwrap();
            assert!(!partial(&out), "{command:?} {signal}: {:?}", names(&out));
            fs::remove_dir_all(&out).unwrap();
            fs::create_dir(&out).unwrap();
        }
        // After one that cannot, the next export into the folder removes what is left, whatever its
        // name.
        let mut child = begun(&tables, &out, command);
        send(&child, "-KILL");
        child.wait().unwrap();
        // The file of a running writer stays.
        let alive = fs::File::create(path(".retrograde-1-1.partial")).unwrap();
        alive.lock().unwrap();
        answer(&tables, &["export", GAME, "--format", "csv", "--limit", "3", "--out", &path("other.csv")]);
        let left: Vec<String> = names(&out).into_iter().filter(|name| name.ends_with(".partial")).collect();
        assert_eq!(left, [".retrograde-1-1.partial"], "{command:?}");
        drop(alive);
        fs::remove_dir_all(&out).unwrap();
        fs::create_dir(&out).unwrap();
    }
}

#[test]
fn names_may_have_255_bytes() {
    let folder = new_folder();
    let tables = &folder.join("tables");
    answer(tables, &["solve", "touchdown:4x3", "pushfight:mini,pushers=1,pawns=1"]);
    let name = |ending: &str| format!("{}{ending}", "é".repeat((255 - ending.len()) / 2));
    let path = |ending: &str| {
        let name = name(ending);
        assert!(name.len() >= 254);
        folder.join(name).to_str().unwrap().to_owned()
    };
    for (game, format, ending) in
        [("touchdown:4x3", "csv", "x.csv"), ("pushfight:mini,pushers=1,pawns=1", "merged", "x.bin")]
    {
        answer(tables, &["export", game, "--format", format, "--out", &path(ending)]);
        assert!(Path::new(&path(ending)).is_file(), "{format}");
    }
    answer(tables, &["export", "evaluation", "touchdown:4x3", "--positions", "20", "--out", &path("set.")]);
    answer(tables, &["render", "touchdown:4x3", "--out", &path(".svg")]);
    assert_eq!(names(&folder).len(), 5, "{:?}", names(&folder));
}
