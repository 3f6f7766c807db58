//! Publishes one game of a site: finds its files, copies them, and reads them back as a client of
//! the site does.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use retrograde_explore::{AnyGame, Error, GameSummary, OpenGame, Registry, Resources};
use retrograde_offline::{Need, answers_ahead, opening_file, opening_ranges};
use retrograde_solve::Progress;
use retrograde_table::site::{
    ExtraKind, Fetch, OpenedFiles, Piece, PublishedGame, SITE_FORMAT, SharedSource, SiteAnswer, SiteExtra,
    SiteFile, SiteFolder, SiteGame, SiteIndex, short_digest,
};
use retrograde_table::{DiskStorage, TableError, directory_name};
use serde_json::Value as Json;

use super::packed::packed;
use super::puzzles;
use crate::commands::export::page::board_text;
use crate::output::progress::ProgressDisplay;
use crate::program::context::Context;
use crate::program::exit::BoxError;

/// The size in bytes from which a page loads ranges of a game's files, as in
/// `web/src/site/site.ts`.
const MIN_BYTES_FOR_RANGES: u64 = 1 << 20;

/// The index of a site with only this game.
fn index_of(game: &SiteGame) -> SiteIndex {
    SiteIndex {
        format: SITE_FORMAT,
        program: String::new(),
        module: "none".to_owned(),
        workshop: None,
        games: vec![game.clone()],
    }
}

/// A game to publish.
pub(super) struct Game {
    /// The name that the user gave.
    pub requested_name: String,
    pub subject: Arc<AnyGame>,
    /// The text of its board file, if there is one.
    board: Option<String>,
    /// The game with its table.
    open: Arc<OpenGame>,
    /// The directory of the table.
    directory: PathBuf,
    /// The files of the table.
    sources: Vec<(String, SharedSource)>,
}

/// A game that was published.
pub(super) struct Published {
    pub game: SiteGame,
    /// Bytes that were written.
    pub written: u64,
    /// The number of puzzles.
    pub puzzles: usize,
}

impl Game {
    /// Opens the table of a game and lists its files.
    pub(super) fn open(context: &Context, requested_name: &str) -> Result<Game, BoxError> {
        let subject: Arc<AnyGame> = context.subject(requested_name)?;
        let files = OpenedFiles::of(Arc::new(DiskStorage));
        let folder = context.folder_of(&subject)?;
        let open = subject.explore_in(Arc::new(files.clone()), folder)?;
        if !open.has_table() {
            return Err(open.no_table().into());
        }
        let directory = folder.join(directory_name(open.name()));
        let sources = files.in_directory(&directory);
        Ok(Game {
            requested_name: requested_name.to_owned(),
            board: board_text(context, requested_name)?,
            subject,
            open: open.into(),
            directory,
            sources,
        })
    }

    /// The canonical name.
    pub(super) fn name(&self) -> &str {
        self.open.name()
    }

    /// The size of its files in bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.sources.iter().map(|(_, source)| source.length().unwrap_or(0)).sum()
    }

    /// Writes its files and puzzles to the folder and checks the result.
    pub(super) fn publish(
        &self,
        (registry, folder): (&Registry, &SiteFolder),
        (piece, puzzles): (Option<u64>, u32),
        (threads, bar): (usize, &ProgressDisplay),
    ) -> Result<Published, BoxError> {
        let mut files = self.copy(folder, piece, false, bar)?;
        let mut game = self.described(&files)?;
        if let Err(error) = self.check(folder, &game, threads, bar) {
            if files.written >= self.bytes() {
                return Err(error);
            }
            // Files of an earlier export have been changed.
            bar.note(&format!("{error}; its files are written again"));
            files = self.copy(folder, piece, true, bar)?;
            self.check(folder, &game, threads, bar)?;
        }
        let ahead = answers_ahead(registry, &self.subject, &self.open);
        game.ahead = Some(self.extra(folder, ExtraKind::Ahead, ahead.short.as_bytes())?);
        for (question, answer) in ahead.long {
            let file = self.extra(folder, ExtraKind::LongAnswer, &packed(answer.as_bytes())?)?;
            game.answers.push(SiteAnswer { question, file });
        }
        game.opening = self.write_opening(registry, folder, &game)?;
        let mut found = 0;
        if puzzles > 0 {
            (game.puzzles, found) = match self.sampled_before(folder, &game, puzzles) {
                Some((puzzles, found)) => (Some(puzzles), found),
                None => self.sample_puzzles(folder, puzzles, bar)?,
            };
        }
        Ok(Published { game, written: files.written, puzzles: found })
    }

    /// The puzzles of the same table that the folder already has.
    fn sampled_before(
        &self,
        folder: &SiteFolder,
        game: &SiteGame,
        of_each: u32,
    ) -> Option<(SiteExtra, usize)> {
        let before = folder.index().ok()??;
        let before = before.game(self.name())?;
        let same = |file: &SiteFile| before.file(&file.name).is_some_and(|other| other.digest == file.digest);
        let puzzles = before.puzzles.clone().filter(|_| game.files.iter().all(same))?;
        let file = std::fs::read(folder.path(&puzzles.path)).ok()?;
        let is_whole = puzzles.path.contains(&short_digest(&file)) && file.len() as u64 == puzzles.bytes;
        let found = puzzles::count_in(&file, of_each).filter(|_| is_whole)?;
        Some((puzzles, found))
    }

    /// Samples puzzles and writes them, if there are any.
    fn sample_puzzles(
        &self,
        folder: &SiteFolder,
        of_each: u32,
        bar: &ProgressDisplay,
    ) -> Result<(Option<SiteExtra>, usize), BoxError> {
        bar.stage(&format!("{}: sampling puzzles", self.name()), 0);
        let sampled = puzzles::sample(&self.open, of_each, bar)?;
        let found = sampled.count();
        if found == 0 {
            return Ok((None, 0));
        }
        let json = serde_json::to_vec(&sampled)?;
        Ok((Some(self.extra(folder, ExtraKind::Puzzles, &json)?), found))
    }

    /// Writes a file next to the table files.
    fn extra(&self, folder: &SiteFolder, kind: ExtraKind, bytes: &[u8]) -> Result<SiteExtra, Error> {
        let path = folder.write_extra(kind, self.name(), bytes)?;
        Ok(SiteExtra { path, bytes: bytes.len() as u64 })
    }

    fn copy(
        &self,
        folder: &SiteFolder,
        piece: Option<u64>,
        anew: bool,
        bar: &ProgressDisplay,
    ) -> Result<PublishedGame, Error> {
        bar.stage(&format!("{}: copying", self.name()), 2 * self.bytes());
        let mut advance = |bytes| {
            bar.advance(bytes);
            !bar.stopped()
        };
        let is_source = |path: &Path| self.sources.iter().any(|(name, _)| Path::new(name) == path);
        let copied = folder.write_game(self.name(), &self.sources, piece, anew, &mut advance);
        copied.map_err(|error| match error {
            _ if bar.stopped() => Error::Stopped,
            // Sources have the names of the files in the directory.
            TableError::Io { action, path, source } if is_source(&path) => {
                TableError::Io { action, path: self.directory.join(path), source }.into()
            }
            error => error.into(),
        })
    }

    /// Its entry in the index, without puzzles.
    fn described(&self, files: &PublishedGame) -> Result<SiteGame, BoxError> {
        let summary: Json = serde_json::to_value(GameSummary::new(self.subject.about(), &self.open))?;
        Ok(SiteGame {
            game: self.name().to_owned(),
            board: self.board.clone(),
            folder: files.folder.clone(),
            files: files.files.clone(),
            puzzles: None,
            ahead: None,
            answers: Vec::new(),
            opening: None,
            summary,
        })
    }

    /// Opens the game as a client of the site does and compares every checksum, to detect damage in
    /// the table or its copy.
    fn check(
        &self,
        folder: &SiteFolder,
        game: &SiteGame,
        threads: usize,
        bar: &ProgressDisplay,
    ) -> Result<(), BoxError> {
        bar.stage(&format!("{}: checking", self.name()), 0);
        // Errors start with the site.
        let root = folder.path("");
        let storage = folder.games(Arc::new(index_of(game))).below(&root);
        let named = |error: Error| if error.is_stopped() { error.into() } else { self.damage(&error) };
        let read = self.subject.explore_in(Arc::new(storage), &root).map_err(named)?;
        let found = read.verify(Some(0), &Resources::new(threads, None, bar)).map_err(named)?;
        match found.errors.first() {
            Some(error) => Err(self.damage(error)),
            None => Ok(()),
        }
    }

    /// Records the ranges that opening the game reads and writes them to a file. Small games are
    /// loaded whole and do not need it.
    fn write_opening(
        &self,
        registry: &Registry,
        folder: &SiteFolder,
        game: &SiteGame,
    ) -> Result<Option<SiteExtra>, BoxError> {
        if self.bytes() < MIN_BYTES_FOR_RANGES {
            return Ok(None);
        }
        let fetch = |need: &Need| {
            let piece = Piece { path: need.path.clone(), bytes: need.bytes };
            folder.fetch(&piece, need.from..need.to).map_err(|error| error.to_string())
        };
        let index = index_of(game).write()?;
        let ranges = opening_ranges(registry, index.as_bytes(), self.name(), &self.open.start(), fetch)?;
        let file = packed(&opening_file(&ranges))?;
        Ok(Some(self.extra(folder, ExtraKind::Opening, &file)?))
    }

    fn damage(&self, error: &dyn std::fmt::Display) -> BoxError {
        format!("the files of {} are damaged, or were damaged during copying: {error}", self.name()).into()
    }
}
