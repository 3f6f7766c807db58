//! Tests the page in a real browser: runs `web/test`, which needs Node and Chromium and tries to
//! install them. Without them the test passes with a notice, unless `RETROGRADE_BROWSER=required`,
//! as in `.ci/run`.

#![cfg(all(feature = "games", feature = "serve", unix))]

use std::path::Path;
use std::process::Command;

/// Exit code of `web/test` without Node or the browser.
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
