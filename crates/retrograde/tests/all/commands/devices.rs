//! `--out` files that are not regular files, and pipes in place of table files.

use std::fs;
use std::os::unix::fs::{FileTypeExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::{answer, failed, fails, new_folder, program, run, start, wait_for};

const SMALL: &str = "pushfight:mini,pushers=1,pawns=1";

fn make_pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// The error of a command that fails without hanging.
fn failure_in_time(tables: &Path, arguments: &[&str]) -> String {
    let mut child = start(tables, arguments);
    wait_for("the command fails", || child.try_wait().unwrap().is_some());
    failed(&child.wait_with_output().unwrap(), arguments, 1)
}

#[test]
fn devices_and_pipes_are_written_to_and_not_replaced() {
    let tables = &new_folder();
    let path = |name: &str| tables.join(name);
    let name = |name: &str| path(name).to_str().unwrap().to_owned();
    answer(tables, &["solve", "tactics:2x2"]);
    answer(tables, &["solve", SMALL]);
    answer(tables, &["export", "tactics:2x2", "--format", "html", "--out", &name("page.html")]);
    let page = fs::read(path("page.html")).unwrap();
    let html = ["export", "tactics:2x2", "--format", "html", "--out"];
    let merged = ["export", SMALL, "--format", "merged", "--count", "5", "--out"];

    // A full device behind a link, so that a bug cannot replace a device of this machine.
    if Path::new("/dev/full").exists() {
        symlink("/dev/full", path("full")).unwrap();
        for command in [&html[..], &merged[..], &["reduce", "steiner", "0,0", "--out"]] {
            fails(tables, &[command, &[&name("full")]].concat(), 1, "full”: the disk is full");
        }
        assert_eq!(fs::read_link(path("full")).unwrap(), Path::new("/dev/full"));
    }

    make_pipe(&path("pipe.svg"));
    for (command, begin) in [
        (&html[..], &page[..]),
        (&merged[..], &[][..]),
        (&["render", "tactics", "--out"], b"<svg"),
        (&["mate", "+-+-+-+-+/ . o O x /+-+-+-+-+", "--out"], b"<svg"),
        (&["stats", "tactics:2x2", "--out"], b"<svg"),
    ] {
        let pipe = path("pipe.svg");
        let reader = std::thread::spawn(move || fs::read(pipe).unwrap());
        answer(tables, &[command, &[&name("pipe.svg")]].concat());
        let came = reader.join().unwrap();
        assert!(came.starts_with(begin) && came.len() >= 5, "{command:?}: {} bytes", came.len());
    }
    assert!(fs::metadata(path("pipe.svg")).unwrap().file_type().is_fifo());

    // Links are followed, and their targets are replaced completely.
    fs::create_dir(path("inner")).unwrap();
    symlink("inner/page", path("link")).unwrap();
    for _ in 0..2 {
        answer(tables, &[&html[..], &[&name("link"), "--force"]].concat());
        assert!(fs::read(path("inner/page")).unwrap() == page);
    }
    assert!(fs::symlink_metadata(path("link")).unwrap().is_symlink());
    assert_eq!(fs::read_dir(path("inner")).unwrap().count(), 1, "something was left behind");
}

#[test]
fn out_can_be_standard_output() {
    let tables = &new_folder();
    answer(tables, &["solve", "tactics:2x2"]);
    let command = ["export", "tactics:2x2", "--format", "html", "--out", "/dev/stdout"];
    let output = run(tables, &command);
    let page = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && page.starts_with("<!doctype html>"));
    assert!(page.trim_end().ends_with("</html>"), "the answer is mixed with the page");
    assert!(String::from_utf8(output.stderr).unwrap().contains("/dev/stdout"));
    // Standard output that is redirected to a file is not replaced.
    let file = tables.join("page.html");
    let out = fs::File::create(&file).unwrap();
    let mut child = program();
    child.args(command).arg("--json").arg("--tables").arg(&**tables).stdout(out).stderr(Stdio::null());
    assert!(child.status().unwrap().success());
    assert!(fs::read_to_string(&file).unwrap() == page);
}

#[test]
fn a_pipe_in_place_of_a_file_does_not_block() {
    let tables = &new_folder();
    let board = tables.join("pushfight_mini+pushers-1+pawns-1");
    fs::create_dir(&board).unwrap();
    for (name, commands) in [
        ("manifest.json", &["probe", "solve", "stats", "verify"][..]),
        ("merged.bin", &["probe", "stats"]),
        ("losses.rgp", &["probe", "stats"]),
        ("reachable.rgo", &["probe"]),
        ("lock", &["solve"]),
    ] {
        make_pipe(&board.join(name));
        for command in commands {
            let output = failure_in_time(tables, &[command, SMALL]);
            assert!(
                output.contains(name) && output.contains("it is a pipe where a file should be"),
                "{command} {name}: {output}"
            );
        }
        // A solve may have written other files first.
        fs::remove_dir_all(&board).unwrap();
        fs::create_dir(&board).unwrap();
    }
    let other = tables.join("touchdown_3x3");
    fs::create_dir(&other).unwrap();
    make_pipe(&other.join("work.rgw"));
    let output = failure_in_time(tables, &["solve", "touchdown:3x3"]);
    assert!(
        output.contains("work.rgw") && output.contains("it is a pipe where a file should be"),
        "{output}"
    );
    // Leftovers of a writer are removed, whatever they are.
    make_pipe(&board.join("values.rgt.tmp"));
    make_pipe(&board.join("manifest.json.tmp"));
    answer(tables, &["solve", SMALL]);
    fs::remove_dir_all(&board).unwrap();
    fs::create_dir(&board).unwrap();
    // A folder, and a device.
    fs::create_dir(board.join("manifest.json")).unwrap();
    assert!(failure_in_time(tables, &["probe", SMALL]).contains("manifest.json"));
    fs::remove_dir(board.join("manifest.json")).unwrap();
    symlink("/dev/zero", board.join("manifest.json")).unwrap();
    assert!(failure_in_time(tables, &["probe", SMALL]).contains("it is a device where a file should be"));
}
