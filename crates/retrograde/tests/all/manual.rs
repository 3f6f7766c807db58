//! The files that a package ships with the program: a manual page for each command that `--help`
//! lists, which man shows without warnings, and completions, which shells read without errors. Only
//! bash has to be installed; man and other shells are tested if they are.

#![cfg(feature = "manual")]

use std::collections::BTreeSet;
use std::process::{Command, Stdio};

use crate::common::{commands, new_folder, program};

#[test]
fn every_command_has_a_page_with_its_examples() {
    let folder = new_folder();
    let out = folder.join("man1");
    assert!(program().arg("manual").arg("--out").arg(&out).status().unwrap().success());
    let pages: BTreeSet<String> = std::fs::read_dir(&out)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(!pages.contains("retrograde-manual.1"), "a hidden command has no page: {pages:?}");
    assert!(pages.contains("retrograde.1"), "{pages:?}");
    let commands = commands(&[]);
    assert!(commands.len() > 20, "{commands:?}");
    for command in commands {
        let name = format!("retrograde-{command}.1");
        assert!(pages.contains(&name), "{name} is not among {pages:?}");
        let page = std::fs::read_to_string(out.join(&name)).unwrap();
        // Hyphens are escaped so that man does not break lines at them.
        let page = page.replace("\\-", "-");
        assert!(page.contains(".SH EXAMPLES\n.nf\nretrograde "), "{name} has no examples: {page}");
        assert!(page.contains("--json"), "{name} has no options: {page}");
    }
    let solve = std::fs::read_to_string(out.join("retrograde-solve.1")).unwrap();
    assert!(solve.contains(".SH NOTES\nWithout GAMES it "), "{solve}");
    if Command::new("man").arg("--version").stdout(Stdio::null()).status().is_err() {
        return;
    }
    for page in pages {
        let shown = Command::new("man")
            .args(["--warnings", "--encoding=UTF-8", "--local-file"])
            .arg(out.join(&page))
            .env("MANWIDTH", "100")
            .output()
            .unwrap();
        let complaints = String::from_utf8_lossy(&shown.stderr);
        assert!(shown.status.success() && complaints.is_empty(), "{page}: {complaints}");
    }
}

#[test]
fn a_folder_that_cannot_be_created_is_named() {
    let folder = new_folder();
    let file = folder.join("file");
    std::fs::write(&file, "").unwrap();
    let output = program().arg("manual").arg("--out").arg(file.join("man1")).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("man1"), "{output:?}");
}

#[test]
fn shells_read_their_completions_without_errors() {
    let folder = new_folder();
    for (shell, check) in [("bash", "-n"), ("zsh", "--no-exec"), ("fish", "--no-execute")] {
        let script = program().args(["completions", shell]).output().unwrap();
        assert!(script.status.success(), "{script:?}");
        let file = folder.join(shell);
        std::fs::write(&file, &script.stdout).unwrap();
        let Ok(read) = Command::new(shell).arg(check).arg(&file).output() else {
            assert_ne!(shell, "bash", "bash runs the scripts of this project");
            continue;
        };
        let complaints = String::from_utf8_lossy(&read.stderr);
        assert!(read.status.success() && complaints.is_empty(), "{shell}: {complaints}");
    }
}

#[test]
fn bash_completes_a_command_and_its_options() {
    let folder = new_folder();
    let file = folder.join("retrograde");
    let script = program().args(["completions", "bash"]).output().unwrap();
    std::fs::write(&file, &script.stdout).unwrap();
    for (typed, offered) in [("retrograde sol", "solve"), ("retrograde solve --max-t", "--max-turns")] {
        let ask = format!(
            "source {} && COMP_WORDS=({typed}) && COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)) && \
             _retrograde retrograde \"${{COMP_WORDS[-1]}}\" \"${{COMP_WORDS[-2]}}\" && echo \"${{COMPREPLY[@]}}\"",
            file.display()
        );
        let output = Command::new("bash").args(["--norc", "-c", &ask]).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), offered, "{output:?}");
    }
}
