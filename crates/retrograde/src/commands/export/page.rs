//! `export --format html`: writes a solved game as a single self-contained page, for a USB stick or
//! an e-mail.
//!
//! It is the page of `serve`, with the rules as a WebAssembly module and the files of the table
//! embedded. `web/build` builds its parts into `page/` in this crate, where they are committed.

use std::path::Path;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use retrograde_explore::AnyGame;
use retrograde_game::{GameSpec, board_file_stem};
use retrograde_offline::{Solved, packed};
use retrograde_table::site::OpenedFiles;
use retrograde_table::{DiskStorage, directory_name, read_up_to};
use schemars::JsonSchema;
use serde::Serialize;

use super::module;
use crate::files::{reason, write_file};
use crate::output::{bytes, print_line, show};
use crate::program::context::Context;
use crate::program::exit::{BoxError, CommandResult};

const SCRIPT: &str = include_str!("../../../page/standalone.js");
const STYLE: &str = include_str!("../../../page/standalone.css");

/// The size in bytes of the largest table that browsers open quickly. Base 64 adds a third.
const MAX_TABLE: u64 = 48 << 20;

/// A game as one page with its table inside (`export --format html`).
#[derive(Serialize, JsonSchema)]
pub(crate) struct HtmlPage<'a> {
    /// The canonical name of the game.
    game: &'a str,
    /// The format.
    #[schemars(extend("const" = "html"))]
    form: &'static str,
    /// The size of the page in bytes.
    #[schemars(range(min = 1))]
    bytes: usize,
    /// The file.
    file: String,
}

/// Writes the page of a game. `module` names the file of its module; otherwise it is searched for.
pub(crate) fn write(context: &Context, name: &str, module: Option<&Path>, out: &Path) -> CommandResult {
    let board = board_text(context, name)?;
    let subject: Arc<AnyGame> = context.subject(name)?;
    let module = || module::of(context, (name, &*subject), module);
    let game = &*context.open(name)?;
    let name = game.name();
    if !game.has_table() {
        return Err(game.no_table().into());
    }
    let [manifest, values] = table_files(context, name, &subject)?;
    // The page opens the table with the same code.
    Solved::open(&context.registry, manifest.clone(), values.clone(), board.as_deref())
        .map_err(|error| format!("a page cannot contain {name}: {error}"))?;
    let parts = [&*module()?, &*manifest, &*values, board.as_deref().unwrap_or_default().as_bytes()];
    let html = html(&game.entry.title, parts);
    write_file(out, html.as_bytes())?;
    let (size, file) = (bytes(html.len() as u128), out.display().to_string());
    let text = format!("{name}: wrote a page of {size} to “{file}”; open it in a browser.");
    let answer = HtmlPage { game: name, form: "html", bytes: html.len(), file };
    show(context, &answer, || print_line(text))
}

/// The files of a table for a page: `manifest.json` and `values.rgt` unchanged, others packed.
fn table_files(context: &Context, name: &str, subject: &Arc<AnyGame>) -> Result<[Vec<u8>; 2], BoxError> {
    let folder = context.folder_of(subject)?;
    let opened = OpenedFiles::of(Arc::new(DiskStorage));
    // Opening the game lists its files.
    subject.clone().explore_in(Arc::new(opened.clone()), folder)?;
    let directory = folder.join(directory_name(name));
    let sources = opened.in_directory(&directory);
    let failed = |file: &str, error: &std::io::Error| {
        let path = directory.join(file);
        format!("cannot read “{}”: {}", path.display(), reason(&path, error))
    };
    let mut lengths = Vec::with_capacity(sources.len());
    for (file, source) in &sources {
        lengths.push(source.length().map_err(|error| failed(file, &error))?);
    }
    let size: u64 = lengths.iter().sum();
    if size > MAX_TABLE {
        let (size, limit) = (bytes(size.into()), bytes(MAX_TABLE.into()));
        return Err(format!("the table of {name} takes {size}; a page can contain at most {limit}").into());
    }
    let mut files = Vec::with_capacity(sources.len());
    for ((file, source), length) in sources.into_iter().zip(lengths) {
        let mut bytes = vec![0; length as usize];
        read_up_to(&*source, &mut bytes, 0).map_err(|error| failed(&file, &error))?;
        files.push((file, bytes));
    }
    let of_table =
        ["manifest.json", "values.rgt"].map(|wanted| files.iter().position(|(file, _)| file == wanted));
    Ok(match of_table {
        [Some(manifest), Some(values)] if files.len() == 2 => {
            [manifest, values].map(|at| std::mem::take(&mut files[at].1))
        }
        _ => packed(name, files),
    })
}

/// The text of the board file that a name refers to, if any: a page cannot read files.
pub(super) fn board_text(context: &Context, name: &str) -> Result<Option<String>, BoxError> {
    let spec = GameSpec::parse(name)?;
    let file = spec.board().filter(|board| board_file_stem(board).is_some());
    Ok(file.map(|file| context.loader.text(Path::new(file))).transpose()?)
}

/// The text of the page. The parts are the module, the manifest, the values, and the text of the
/// board file, which may be empty.
fn html(title: &str, parts: [&[u8]; 4]) -> String {
    let [module, manifest, values, board] = parts.map(|part| STANDARD.encode(part));
    // The title may contain a file name, and so any character.
    let title = crate::files::cards::html(title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         script-src 'unsafe-inline' 'wasm-unsafe-eval'; worker-src blob:; style-src 'unsafe-inline'; \
         img-src data:\">\n\
         <title>{title} – Retrograde</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<div id=\"page\"></div>\n\
         <noscript>This page needs JavaScript.</noscript>\n\
         <script type=\"text/plain\" id=\"module\">{module}</script>\n\
         <script type=\"text/plain\" id=\"manifest\">{manifest}</script>\n\
         <script type=\"text/plain\" id=\"values\">{values}</script>\n\
         <script type=\"text/plain\" id=\"board\">{board}</script>\n\
         <script type=\"module\">{SCRIPT}</script>\n</body>\n</html>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embedded_data_cannot_end_a_script_early() {
        // After `<!--`, which Svelte's templates contain, `<script` would hide the end of the
        // script.
        let script = SCRIPT.to_lowercase();
        assert!(!script.contains("</script") && !script.contains("<script"));
        assert!(!STYLE.to_lowercase().contains("</style"));
    }
}
