//! The WebAssembly module of a page: the games and their answers for the browser.
//!
//! For the games that come with Retrograde it is inside the program (`web/build` makes it). For any
//! other game it is the user's own program, compiled for `wasm32-unknown-unknown`; cargo puts it
//! where it is looked for here. A module of other games, or of other rules, is refused before it
//! gets into a page, as far as its bytes tell; the rest the page itself compares when it opens its
//! table.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::{fs, io};

use retrograde_explore::AnyGame;
use retrograde_offline::SOLVING;

use crate::context::Context;
use crate::exit::BoxError;
use crate::files::reason;

/// The module of the games that come with Retrograde, for this page and for the games that the page
/// of `serve` solves in the browser.
#[cfg(feature = "games")]
const MODULE: &[u8] = include_bytes!("../../../page/standalone.wasm");
/// The same program without long work, which a page of a site loads before it shows a value.
#[cfg(all(feature = "games", feature = "serve"))]
const ANSWERS: &[u8] = include_bytes!("../../../page/answers.wasm");

/// The folder of cargo for the browser's target.
const TARGET: &str = "wasm32-unknown-unknown";
/// The command that makes a module of a program.
const BUILD: &str = "cargo build --profile page --target wasm32-unknown-unknown";
/// The functions that the page calls.
const CALLED: [&str; 4] = ["retrograde_take", "retrograde_open", "retrograde_ask", "retrograde_solve"];

/// The module for a game that was `asked` for by a name: the file that was named, the one inside
/// the program, or the one that cargo has built of this program.
///
/// # Errors
/// If there is none, or it is no module of the game; in words, with the command that makes one.
pub(crate) fn of(
    context: &Context,
    (asked, game): (&str, &AnyGame),
    named: Option<&Path>,
) -> Result<Cow<'static, [u8]>, BoxError> {
    if let Some(path) = named {
        return checked(path, game, true).map(Cow::Owned);
    }
    #[cfg(feature = "games")]
    if comes_with_retrograde(context, asked, game) {
        return Ok(Cow::Borrowed(MODULE));
    }
    #[cfg(not(feature = "games"))]
    let _ = (context, asked);
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

/// The module of a game that answers questions and does no long work, if there is another one for that
/// than [`of`] gives: a site's page loads it first.
#[cfg(feature = "serve")]
pub(crate) fn of_answers(
    context: &Context,
    (asked, game): (&str, &AnyGame),
    named: Option<&Path>,
) -> Option<&'static [u8]> {
    #[cfg(feature = "games")]
    if named.is_none() && comes_with_retrograde(context, asked, game) {
        return Some(ANSWERS);
    }
    let _ = (context, asked, game, named);
    None
}

/// The module with which the page of `serve` solves boards that are drawn there, if the program has
/// one inside.
#[cfg(feature = "serve")]
pub(crate) fn of_server() -> Option<&'static [u8]> {
    #[cfg(feature = "games")]
    return Some(MODULE);
    #[cfg(not(feature = "games"))]
    None
}

/// Whether a game, asked for by this name, is one of those whose module is inside this program.
#[cfg(feature = "games")]
fn comes_with_retrograde(context: &Context, asked: &str, game: &AnyGame) -> bool {
    let ours = crate::registry().find(asked, &context.loader);
    ours.is_ok_and(|ours| ours.about() == game.about())
}

/// The file name of the module of a program.
fn module_name(program: &Path) -> String {
    let stem = program.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    format!("{stem}.wasm")
}

/// Where the module of a program may lie: beside it, and where cargo puts it, of any profile. A
/// program lies in `target/PROFILE`, or in `target/TRIPLE/PROFILE`, an example in a folder
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

/// The file that was made last; `None` if none is there.
fn newest(paths: &[PathBuf]) -> Option<PathBuf> {
    let made = |path: &PathBuf| fs::metadata(path).and_then(|file| file.modified()).ok();
    let there = paths.iter().filter_map(|path| Some((made(path)?, path)));
    there.max().map(|(_, path)| path.clone())
}

/// A module from a file that need not do long work, for a page of a site.
#[cfg(feature = "serve")]
pub(crate) fn of_answers_in(path: &Path, game: &AnyGame) -> Result<Vec<u8>, BoxError> {
    checked(path, game, false)
}

/// A module from a file, if it is one of this game as it is now; `whole`: one that does long work.
fn checked(path: &Path, game: &AnyGame, whole: bool) -> Result<Vec<u8>, BoxError> {
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

/// The fault of a module, if it has one.
fn fault(module: &[u8], game: &AnyGame) -> Option<String> {
    if !module.starts_with(b"\0asm\x01\0\0\0") {
        return Some("is not a WebAssembly module".to_owned());
    }
    let has = |text: &[u8]| module.windows(text.len()).any(|bytes| bytes == text);
    if !CALLED.iter().all(|name| has(name.as_bytes())) {
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
