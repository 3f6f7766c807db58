//! The WebAssembly module of a page, which runs the games in the browser.
//!
//! The module of the built-in games is part of the program (`web/build` makes it). For any other
//! game, it is the user's own program, compiled for `wasm32-unknown-unknown` and found where cargo
//! puts it. A module of other games or rules is rejected as far as its bytes show this; the page
//! checks the rest when it opens its table.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::{fs, io};

use retrograde_explore::AnyGame;
use retrograde_offline::SOLVING;

use crate::files::reason;
use crate::program::context::Context;
use crate::program::exit::BoxError;

/// The module of the built-in games, for exported pages and for games that the page of `serve`
/// solves in the browser.
#[cfg(feature = "games")]
const MODULE: &[u8] = include_bytes!("../../../page/standalone.wasm");
/// The same program without solvers, which the page of a site loads first.
#[cfg(all(feature = "games", feature = "serve"))]
const ANSWERS: &[u8] = include_bytes!("../../../page/answers.wasm");

/// Cargo's folder for the WebAssembly target.
const TARGET: &str = "wasm32-unknown-unknown";
/// The command that builds a module from a program.
const BUILD: &str = "cargo build --profile page --target wasm32-unknown-unknown";
/// The functions that the page calls.
const EXPORTED_FUNCTIONS: [&str; 4] =
    ["retrograde_take", "retrograde_open", "retrograde_ask", "retrograde_solve"];

/// The module for a game requested as `requested_name`: the file `named`, the built-in one, or the one that
/// cargo has built from this program.
///
/// # Errors
/// If there is no module, or it is not one of the game. The message contains the command
/// that builds one.
pub(crate) fn of(
    context: &Context,
    (requested_name, game): (&str, &AnyGame),
    named: Option<&Path>,
) -> Result<Cow<'static, [u8]>, BoxError> {
    if let Some(path) = named {
        return checked(path, game, true).map(Cow::Owned);
    }
    #[cfg(feature = "games")]
    if comes_with_retrograde(context, requested_name, game) {
        return Ok(Cow::Borrowed(MODULE));
    }
    #[cfg(not(feature = "games"))]
    let _ = (context, requested_name);
    let program = std::env::current_exe()?;
    match newest(&candidates(&program)) {
        Some(path) => checked(&path, game, true).map(Cow::Owned),
        None => Err(format!(
            "a page contains this program as WebAssembly, but there is no “{}” next to it or in cargo's \
             folder {TARGET}; run `{BUILD}` in the folder of its Cargo.toml (without a profile `page`, use \
             --release instead; without the target, run `rustup target add {TARGET}` first), or use \
             --module FILE if it is elsewhere",
            module_name(&program)
        )
        .into()),
    }
}

/// The smaller module without solvers that the page of a site loads first, if there is a separate
/// one.
#[cfg(feature = "serve")]
pub(crate) fn of_answers(
    context: &Context,
    (requested_name, game): (&str, &AnyGame),
    named: Option<&Path>,
) -> Option<&'static [u8]> {
    #[cfg(feature = "games")]
    if named.is_none() && comes_with_retrograde(context, requested_name, game) {
        return Some(ANSWERS);
    }
    let _ = (context, requested_name, game, named);
    None
}

/// The module with which the page of `serve` solves boards drawn there, if the program contains
/// one.
#[cfg(feature = "serve")]
pub(crate) fn of_server() -> Option<&'static [u8]> {
    #[cfg(feature = "games")]
    return Some(MODULE);
    #[cfg(not(feature = "games"))]
    None
}

/// Whether the built-in module has this game under this name.
#[cfg(feature = "games")]
fn comes_with_retrograde(context: &Context, requested_name: &str, game: &AnyGame) -> bool {
    let ours = crate::registry().find(requested_name, &context.loader);
    ours.is_ok_and(|ours| ours.about() == game.about())
}

/// The file name of the module of a program.
fn module_name(program: &Path) -> String {
    let stem = program.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    format!("{stem}.wasm")
}

/// The paths to search for the module of a program: next to it, and where cargo puts it in any
/// profile. Cargo puts programs in `target/PROFILE` or `target/TRIPLE/PROFILE`, and examples in
/// `examples` below.
fn candidates(program: &Path) -> Vec<PathBuf> {
    let name = module_name(program);
    let Some(folder) = program.parent() else { return Vec::new() };
    let mut all = vec![folder.join(&name)];
    let is_example = folder.file_name().is_some_and(|last| last == "examples");
    let profile = if is_example { folder.parent() } else { Some(folder) };
    for target in profile.into_iter().flat_map(|profile| profile.ancestors().skip(1).take(2)) {
        let profiles = fs::read_dir(target.join(TARGET)).into_iter().flatten().filter_map(Result::ok);
        all.extend(profiles.map(|profile| {
            let folder = profile.path();
            if is_example { folder.join("examples").join(&name) } else { folder.join(&name) }
        }));
    }
    all
}

/// The newest of the files that exist.
fn newest(paths: &[PathBuf]) -> Option<PathBuf> {
    let made = |path: &PathBuf| fs::metadata(path).and_then(|file| file.modified()).ok();
    let there = paths.iter().filter_map(|path| Some((made(path)?, path)));
    there.max().map(|(_, path)| path.clone())
}

/// Reads a module from a file and checks that it matches the current version of the game. With
/// `whole` it must include solvers.
pub(crate) fn checked(path: &Path, game: &AnyGame, whole: bool) -> Result<Vec<u8>, BoxError> {
    let named =
        |error: io::Error| format!("cannot read the module “{}”: {}", path.display(), reason(path, &error));
    let module = fs::read(path).map_err(named)?;
    let lacks = || {
        let solves = module.windows(SOLVING.len()).any(|bytes| bytes == SOLVING.as_bytes());
        (whole && !solves).then(|| {
            "cannot solve: it was built without the feature `solving` of the crate retrograde".to_owned()
        })
    };
    let fault = fault(&module, game).or_else(lacks);
    fault.map_or(Ok(module), |fault| {
        Err(format!(
            "“{}” {fault}; run `{BUILD}` in the folder of the game's Cargo.toml to make one",
            path.display()
        )
        .into())
    })
}

/// Finds a fault in a module.
fn fault(module: &[u8], game: &AnyGame) -> Option<String> {
    if !module.starts_with(b"\0asm\x01\0\0\0") {
        return Some("is not a WebAssembly module".to_owned());
    }
    let has = |text: &[u8]| module.windows(text.len()).any(|bytes| bytes == text);
    if !EXPORTED_FUNCTIONS.iter().all(|name| has(name.as_bytes())) {
        return Some("is not a module of a Retrograde program".to_owned());
    }
    if !has(retrograde_offline::INTERFACE.as_bytes()) {
        return Some("was built with another version of Retrograde".to_owned());
    }
    let stamp = game.version_stamp()?;
    (!has(stamp.as_bytes())).then(|| {
        let game = game.about().game;
        format!(
            "was built with different rules or a different numbering of {game} than this program ({stamp})"
        )
    })
}
