//! Writes a site: first the files with a digest in their path, then the page, and `site.json` last.

use std::borrow::Cow;
use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

use retrograde_explore::{Count, Error};
use retrograde_solve::Progress;
use retrograde_table::DiskStorage;
use retrograde_table::site::{SITE_FORMAT, SITE_INDEX, SiteFolder, SiteIndex, short_digest};
use schemars::JsonSchema;
use serde::Serialize;

use super::SiteArgs;
use super::game::{Game, Published};
use super::packed::packed_module;
use super::page::{HEADERS, INDEX, NO_JEKYLL, Page, is_of_site};
use crate::commands::export::module;
use crate::files::reason;
use crate::output::progress::ProgressDisplay;
use crate::output::{bytes, plural, print_line, show, thousands, wrapped};
use crate::program::context::Context;
use crate::program::exit::{BoxError, CommandResult};

/// A site that was written (`export site`).
#[derive(Serialize, JsonSchema)]
pub(crate) struct WrittenSite<'a> {
    /// The path of its `site.json`.
    site: String,
    /// Its games.
    games: Vec<WrittenGame<'a>>,
    /// The files that `--prune` removed.
    removed: &'a [String],
}

/// A game of a site that was written.
#[derive(Serialize, JsonSchema)]
struct WrittenGame<'a> {
    /// The canonical name of the game.
    game: &'a str,
    /// The folder of its files, relative to the site.
    folder: &'a str,
    /// Bytes of all its files.
    bytes: Count,
    /// Its files; each piece of a file counts.
    files: Count,
    /// Bytes that were not there before.
    written: Count,
    /// Sampled puzzles.
    puzzles: Count,
}

pub(crate) fn run(context: &Context, args: &SiteArgs) -> CommandResult {
    let games = opened(context, args)?;
    let modules = common_modules(context, args, &games)?;
    let _lock = begin(&args.out)?;
    let folder = SiteFolder::new(Arc::new(DiskStorage), &args.out);
    let published = ProgressDisplay::during(|bar| publish(context, args, &games, &folder, bar))?;
    let write = |path: &str, bytes: &[u8]| folder.write(path, bytes).map_err(Error::from);
    let mut module_paths = Vec::with_capacity(modules.len());
    for module in &modules {
        let module = packed_module(module)?;
        let path = format!("retrograde-{}.wasm.zst", short_digest(&module));
        write(&path, &module)?;
        module_paths.push(path);
    }
    let mut module_paths = module_paths.into_iter();
    let module = module_paths.next().ok_or("a site has at least one game")?;
    let page = Page::of_site(&module)?;
    for &(path, bytes) in &page.files {
        write(path, bytes)?;
    }
    write(HEADERS.0, HEADERS.1.as_bytes())?;
    write(INDEX, page.index.as_bytes())?;
    let index = SiteIndex {
        format: SITE_FORMAT,
        program: env!("CARGO_PKG_VERSION").to_owned(),
        module,
        workshop: module_paths.next(),
        games: published.iter().map(|published| published.game.clone()).collect(),
    };
    folder.write_index(&index).map_err(Error::from)?;
    let removed = if args.prune {
        let page: Vec<String> = page.files.iter().map(|(path, _)| (*path).to_owned()).collect();
        folder.prune(&index, &page).map_err(Error::from)?
    } else {
        Vec::new()
    };
    report(context, &args.out, &published, &removed)
}

/// Opens the games, without duplicates.
fn opened(context: &Context, args: &SiteArgs) -> Result<Vec<Game>, BoxError> {
    let mut games: Vec<Game> = Vec::new();
    for name in &args.games {
        let game = Game::open(context, name)?;
        if games.iter().all(|other| other.name() != game.name()) {
            games.push(game);
        }
    }
    Ok(games)
}

/// A module, built in or read from a file.
type Module = Cow<'static, [u8]>;

/// The modules for all of the games: the one that the page loads and, if that has no solvers, the
/// one that does.
fn common_modules(context: &Context, args: &SiteArgs, games: &[Game]) -> Result<Vec<Module>, BoxError> {
    let mut common: Option<Vec<Module>> = None;
    for game in games {
        let (requested, named) = ((&*game.requested_name, &*game.subject), args.module.as_deref());
        let whole = module::of(context, requested, args.workshop.as_deref().or(named))?;
        let modules = match (&args.workshop, module::of_answers(context, requested, named)) {
            (Some(_), _) => {
                let answers = named.ok_or("--workshop needs --module")?;
                vec![Cow::Owned(module::checked(answers, requested.1, false)?), whole]
            }
            (None, Some(answers)) => vec![Cow::Borrowed(answers), whole],
            (None, None) => vec![whole],
        };
        match &common {
            Some(other) if *other != modules => {
                return Err(format!("{} and {} need different modules", game.name(), games[0].name()).into());
            }
            _ => common = Some(modules),
        }
    }
    common.ok_or_else(|| "a site has at least one game".into())
}

/// Creates the folder and locks it against other exports while the returned file is open. Fails if the folder
/// contains another page.
fn begin(out: &Path) -> Result<File, BoxError> {
    let named = |path: &Path, error: std::io::Error| -> BoxError {
        format!("cannot write “{}”: {}", path.display(), reason(path, &error)).into()
    };
    fs::create_dir_all(out).map_err(|error| named(out, error))?;
    let index = out.join(INDEX);
    let is_ours = |html: String| html.trim().is_empty() || is_of_site(&html);
    let has_site = || SiteFolder::new(Arc::new(DiskStorage), out).index().is_ok_and(|index| index.is_some());
    if index.exists() && !fs::read_to_string(&index).is_ok_and(is_ours) && !has_site() {
        let what = format!(
            "“{}” already contains a page that is not a site; use an empty or a new folder",
            out.display()
        );
        return Err(what.into());
    }
    let sums = fs::read_to_string(out.join("SHA256SUMS")).unwrap_or_default();
    // Of the three files of a set, this one is always there.
    if sums.contains("  test.") && !has_site() {
        let what = format!("“{}” holds an evaluation set; use an empty or a new folder", out.display());
        return Err(what.into());
    }
    let path = out.join(NO_JEKYLL.0);
    let lock = File::options().create(true).append(true).open(&path).map_err(|error| named(&path, error))?;
    match lock.try_lock() {
        Err(fs::TryLockError::WouldBlock) => {
            Err(format!("another program is writing the site in “{}”", out.display()).into())
        }
        // Some file systems have no locks.
        _ => Ok(lock),
    }
}

fn publish(
    context: &Context,
    args: &SiteArgs,
    games: &[Game],
    folder: &SiteFolder,
    bar: &ProgressDisplay,
) -> Result<Vec<Published>, BoxError> {
    let mut published = Vec::with_capacity(games.len());
    for game in games {
        published.push(game.publish(
            (&context.registry, folder),
            (args.piece_size, args.puzzles),
            (context.threads, bar),
        )?);
        if bar.stopped() {
            return Err(Error::Stopped.into());
        }
    }
    Ok(published)
}

/// Reports what was written, and how to look at it.
fn report(context: &Context, out: &Path, published: &[Published], removed: &[String]) -> CommandResult {
    let games = published.iter().map(|Published { game, written, puzzles }| WrittenGame {
        game: &game.game,
        folder: &game.folder,
        bytes: Count(game.bytes().into()),
        files: Count(game.files.iter().map(|file| u128::from(file.piece_count())).sum()),
        written: Count((*written).into()),
        puzzles: Count(*puzzles as u128),
    });
    let site = out.join(SITE_INDEX).display().to_string();
    let answer = WrittenSite { site, games: games.collect(), removed };
    show(context, &answer, || {
        for written in &answer.games {
            let files = plural(written.files.0, "file");
            let how = if written.written.0 == 0 { "unchanged" } else { "written" };
            let size = bytes(written.bytes.0);
            let puzzles = plural(written.puzzles.0, "puzzle");
            print_line(format!("{}: {size} in {files}, {how}; {puzzles}", written.game))?;
        }
        if !removed.is_empty() {
            print_line(format!("removed files of earlier exports: {}", thousands(removed.len() as u128)))?;
            for address in removed {
                print_line(format!("  {address}"))?;
            }
        }
        let folder = out.display();
        let text = format!(
            "The site is in “{folder}”. To try it, run `python3 -m http.server --directory '{folder}'` and open \
             http://127.0.0.1:8000 in a browser. That server does not support byte ranges, so the page loads \
             whole files; docs/site.md lists hosts that do, and explains how to publish."
        );
        print_line(wrapped(&text, 0))
    })
}
