//! The page in a real browser: `web/test`, which needs Node and Chromium and installs what it can. Where they are missing
//! and cannot be installed this says so and is content, unless `RETROGRADE_BROWSER=required` as in `.ci/run`.

#![cfg(all(feature = "serve", unix))]

use std::path::Path;
use std::process::Command;

/// How `web/test` ends where Node or the browser is missing.
const MISSING: i32 = 3;

#[test]
fn the_page_in_a_browser() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/test");
    let ran = Command::new("bash").arg(script).arg(env!("CARGO_BIN_EXE_retrograde")).output().unwrap();
    let told = format!("{}{}", String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    let required = std::env::var_os("RETROGRADE_BROWSER").is_some_and(|word| word == "required");
    if ran.status.code() == Some(MISSING) && !required {
        println!("not tested: {told}");
        return;
    }
    assert!(ran.status.success(), "{told}");
}
