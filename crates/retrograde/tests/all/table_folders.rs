//! Tests of table folders: several are searched in order, and named ones must exist.

use std::path::Path;
use std::process::Output;

use crate::common::{failed, new_folder, program, run_with_input, solved, succeeded};

const VARIABLE: &str = "RETROGRADE_TABLES";

/// Runs a command with its own folders.
fn run(arguments: &[&str], variable: Option<&str>) -> Output {
    let mut command = program();
    command.args(arguments);
    if let Some(folders) = variable {
        command.env(VARIABLE, folders);
    }
    run_with_input(command, "")
}

fn list(folders: &[&Path]) -> String {
    std::env::join_paths(folders).unwrap().into_string().unwrap()
}

#[test]
fn a_missing_named_folder_is_an_error() {
    let folder = new_folder();
    let typo = folder.join("typo");
    let typo = typo.to_str().unwrap();
    for arguments in [
        &["probe", "tactics:2x2"][..],
        &["line", "tactics:2x2"],
        &["stats", "tactics:2x2"],
        &["verify", "tactics:2x2"],
        &["play", "tactics:2x2"],
        &["engine", "tactics:2x2"],
        &["engine", "--json"],
        &["match", "perfect", "random", "--game", "tactics:2x2"],
        &["serve", "--listen", "127.0.0.1:0"],
        &["export", "site", "tactics:2x2", "--out", "site"],
    ] {
        let by_option = run(&[arguments, &["--tables", typo]].concat(), None);
        let output = failed(&by_option, arguments, 1);
        assert!(output.contains("there is no folder") && output.contains(typo), "{arguments:?}: {output}");
        assert!(output.contains("--tables"), "{output}");
        let output = failed(&run(arguments, Some(typo)), arguments, 1);
        assert!(
            output.contains("there is no folder") && output.contains(VARIABLE),
            "{arguments:?}: {output}"
        );
    }
    // A missing folder next to an existing one is reported too, and so is one given to an engine.
    let both = list(&[&folder, Path::new(typo)]);
    failed(&run(&["probe", "tactics:2x2", "--tables", &both], None), &[], 1);
    let mut engine = program();
    engine.args(["engine", "tactics:2x2"]).current_dir(&*folder);
    let answered = run_with_input(engine, &format!("setoption name Tables value {typo}\nquit\n"));
    let output = succeeded(answered, &["engine"]);
    assert!(
        output.lines().any(|line| line.starts_with("info string") && line.contains("no folder")),
        "{output}"
    );
    // The default folder may be missing, and so may one that `solve` creates.
    let mut usual = program();
    usual.args(["probe", "tactics:2x2"]).current_dir(&*folder);
    succeeded(run_with_input(usual, ""), &["probe"]);
    succeeded(run(&["solve", "tactics:2x2", "--tables", typo], None), &["solve"]);
    succeeded(run(&["verify", "tactics:2x2"], Some(typo)), &["verify"]);
}

#[test]
fn the_first_folder_with_a_table_is_used_and_new_tables_go_to_the_first() {
    let (first, second) = (new_folder(), solved(&["tactics:2x2"]));
    let (a, b) = (&first, &second);
    let both = list(&[a, b]);
    let [a_text, b_text] = [a, b].map(|folder| folder.to_str().unwrap());
    let has = |folder: &Path, game: &str| folder.join(game).join("manifest.json").is_file();
    for (arguments, variable) in [
        (&["--tables", &both][..], None),
        (&["--tables", a_text, "--tables", b_text], None),
        (&[], Some(&*both)),
        (&["--tables", b_text], Some(a_text)),
    ] {
        let output = succeeded(run(&[&["probe", "tactics:2x2"], arguments].concat(), variable), arguments);
        assert!(output.contains("from the table"), "{arguments:?} {variable:?}: {output}");
    }
    let output = succeeded(run(&["solve", "tactics:2x2", "tactics:3x2"], Some(&both)), &["solve"]);
    assert!(output.contains("There is already a complete table in") && output.contains(b_text), "{output}");
    assert!(has(a, "tactics_3x2") && !has(a, "tactics_2x2") && !has(b, "tactics_3x2"));
    let plan = |arguments: &[&str]| succeeded(run(arguments, Some(&both)), arguments).replace("\n  ", " ");
    let solved = plan(&["plan", "tactics:2x2"]);
    assert!(solved.contains(&format!("There is already a table in “{b_text}”.")), "{solved}");
    assert!(solved.contains("To solve it again, run `retrograde solve tactics:2x2 --again`."), "{solved}");
    let unsolved = plan(&["plan", "tactics:4x2", "--memory", "1G"]);
    assert!(unsolved.contains("To solve it, run `retrograde solve tactics:4x2 --memory 1G`."), "{unsolved}");
    succeeded(run(&["solve", "tactics:2x2", "--again"], Some(&both)), &["solve"]);
    assert!(has(a, "tactics_2x2"));
    // A site cannot be one of several.
    let with_site = ["probe", "tactics:2x2", "--tables", a_text, "--tables", "https://example.org"];
    assert!(failed(&run(&with_site, None), &with_site, 2).contains("cannot be combined"));
}
