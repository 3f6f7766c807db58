//! `export --format html`: a solved game as one page that needs nothing else, for a USB stick or a mail.
//!
//! The page is that of `serve`, with the rules as a WebAssembly module and the two files of the table inside. What is
//! in `page/` beside this crate's sources was built by `web/build` and is committed.

use std::fs;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use retrograde_explore::Error;
use retrograde_offline::Solved;
use retrograde_table::directory_name;
use serde_json::json;

use super::stats::write_file;
use super::{Answer, print_json, say, with_game};
use crate::output::{bytes, file_trouble};
use crate::{Context, Ended};

const SCRIPT: &str = include_str!("../../page/standalone.js");
const STYLE: &str = include_str!("../../page/standalone.css");
const MODULE: &[u8] = include_bytes!("../../page/standalone.wasm");

/// A page that a browser opens in a moment; a third more of it is base 64.
const MOST: u64 = 48 << 20;

pub(super) fn page(context: &Context, name: &str, out: &Path) -> Answer {
    with_game(context, name, |game| {
        let name = game.name();
        if !game.has_table() {
            return Err(Error::NoTable { game: name.to_owned() }.into());
        }
        let directory = context.tables.join(directory_name(name));
        let read = |file: &str| {
            let path = directory.join(file);
            fs::read(&path).map_err(|error| match error.kind() {
                std::io::ErrorKind::NotFound => {
                    format!("{name} has no dense table, which is what a page can hold")
                }
                _ => format!("cannot read “{}”: {}", path.display(), file_trouble(&path, &error)),
            })
        };
        let size = fs::metadata(directory.join("values.rgt")).map_or(0, |file| file.len());
        if size > MOST {
            let (size, most) = (bytes(size.into()), bytes(MOST.into()));
            return Err(format!("the table of {name} takes {size}; a page holds at most {most}").into());
        }
        let (manifest, values) = (read("manifest.json")?, read("values.rgt")?);
        // The same code opens it here that will open it in the page.
        Solved::open(manifest.clone(), values.clone())
            .map_err(|error| format!("a page cannot hold {name}: {error}"))?;
        let html = written(name, &manifest, &values);
        write_file(out, html.as_bytes())?;
        if context.json {
            let file = out.display().to_string();
            print_json(&json!({"game": name, "form": "html", "bytes": html.len(), "file": file}))?;
        } else {
            let size = bytes(html.len() as u128);
            say(format!("{name} as a page of {size} in “{}”: open it in a browser.", out.display()))?;
        }
        Ok(Ended::Well)
    })
}

/// The page. A name of a game has no letters that mean something in HTML.
fn written(name: &str, manifest: &[u8], values: &[u8]) -> String {
    let (module, manifest, values) =
        (STANDARD.encode(MODULE), STANDARD.encode(manifest), STANDARD.encode(values));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         script-src 'unsafe-inline' 'wasm-unsafe-eval'; style-src 'unsafe-inline'; img-src data:\">\n\
         <title>{name} – Retrograde</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<div id=\"page\"></div>\n\
         <noscript>This page needs JavaScript.</noscript>\n\
         <script type=\"text/plain\" id=\"module\">{module}</script>\n\
         <script type=\"text/plain\" id=\"manifest\">{manifest}</script>\n\
         <script type=\"text/plain\" id=\"values\">{values}</script>\n\
         <script type=\"module\">{SCRIPT}</script>\n</body>\n</html>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_a_script_before_its_end() {
        // After `<!--`, which Svelte's templates have, `<script` would hide the end of the script.
        let script = SCRIPT.to_lowercase();
        assert!(!script.contains("</script") && !script.contains("<script"));
        assert!(!STYLE.to_lowercase().contains("</style"));
        assert!(MODULE.starts_with(b"\0asm"));
    }
}
