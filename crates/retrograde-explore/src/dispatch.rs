//! Puts every question to the function that answers it: the one file that knows the face of a game
//! and all rooms behind it.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use retrograde_game::{Game, Guide, Knowledge, Outcome, Piece, Seat, Show, Turns};
use retrograde_solve::Progress;
use retrograde_table::{DiskStorage, Storage};

use crate::bounds;
use crate::export::certificate;
use crate::export::publish::publish;
use crate::export::{PublishJob, PublishedFile};
use crate::game::entry::Entry;
use crate::game::open::{EntryRef, OpenGame};
use crate::long_work::{LONG_WORK, long_work};
use crate::query::annotate::annotate;
use crate::query::fewest_turns::fewest_turns;
use crate::query::line::best_line;
use crate::query::meaning::meaning_of_values;
use crate::query::nimbers::add_nimbers;
use crate::query::occurring::count_occurring;
use crate::query::perft::perft;
use crate::query::puzzle_depths::puzzle_depths;
use crate::query::refusal::refusal;
use crate::query::written;
use crate::query::{batch, find, numbers, pressure, probe, puzzles, rows, scenes, statistics, steps, turns};
#[cfg(feature = "cluster")]
use crate::solve::cluster;
use crate::solve::in_memory::solve_in_memory;
use crate::solve::{estimate, plan, run, shades};
use crate::store::shades::ShadeFile;
use crate::verify::store::verify;
use crate::{
    About, Annotation, AnyGame, Certificate, Count, Error, Explore, FindQuery, Found, Known, Line, ListPage,
    NumberedPosition, Occurring, Plan, Positions, Pressure, Probe, Puzzle, PuzzleKind, Resources, Row,
    RowShape, Scene, SearchLimits, ShadeStatistics, SolveOptions, Source, Statistics, Steps, StoreKind,
    Verdict, Verification, Visit,
};

impl<G: Game + Show + 'static> AnyGame for Entry<G> {
    fn about(&self) -> About {
        let game = &self.game;
        About {
            game: game.name(),
            summary: self.summary.clone(),
            positions: Count(game.position_count()),
            positions_up_to_symmetry: self.up_to_symmetry(),
            indices: self.dense.map(|dense| Count(dense.index_count(game))),
            start: game.position_text(&game.start()),
            numberings: self.numberings.iter().map(|numbering| numbering.name().to_owned()).collect(),
        }
    }

    fn command_name(&self) -> String {
        Entry::command_name(self)
    }

    fn version_stamp(&self) -> Option<&'static str> {
        self.dense.map(|dense| dense.version_stamp())
    }

    fn plan(&self, options: &SolveOptions) -> Plan {
        if LONG_WORK { plan::plan_with_solver(self, options).0 } else { plan::no_plan(self) }
    }

    fn solve(
        &self,
        tables: &Path,
        options: &SolveOptions,
        progress: &dyn Progress,
    ) -> Result<Statistics, Error> {
        long_work(|| run::solve(self, tables, options, progress))
    }

    fn solve_in_memory(
        self: Arc<Self>,
        options: &SolveOptions,
        progress: &dyn Progress,
    ) -> Result<Box<dyn Explore>, Error> {
        long_work(|| Ok(Box::new(solve_in_memory(self, options, progress)?) as Box<dyn Explore>))
    }

    #[cfg(feature = "cluster")]
    fn plan_together(&self, options: &SolveOptions, processes: u32) -> Result<crate::ClusterPlan, Error> {
        long_work(|| cluster::plan_together(self, options, processes))
    }

    #[cfg(feature = "cluster")]
    fn solve_together(
        &self,
        tables: &Path,
        options: &SolveOptions,
        join: &retrograde_cluster::JoinOptions,
        progress: &dyn Progress,
    ) -> Result<Option<Statistics>, Error> {
        long_work(|| cluster::solve_together(self, tables, options, join, progress))
    }

    fn find_shades(
        &self,
        tables: &Path,
        options: &SolveOptions,
        progress: &dyn Progress,
    ) -> Result<ShadeStatistics, Error> {
        long_work(|| shades::find_shades(self, tables, options, progress))
    }

    fn occurring(&self, options: &SolveOptions, progress: &dyn Progress) -> Result<Occurring, Error> {
        long_work(|| count_occurring(self, options, progress))
    }

    fn explore<'a>(&'a self, tables: &Path) -> Result<Box<dyn Explore + 'a>, Error> {
        long_work(|| Ok(Box::new(OpenGame::open(EntryRef::Borrowed(self), &disk(), tables)?) as _))
    }

    fn explore_shared(self: Arc<Self>, tables: &Path) -> Result<Box<dyn Explore>, Error> {
        long_work(|| Ok(Box::new(OpenGame::open(EntryRef::Shared(self), &disk(), tables)?) as _))
    }

    fn explore_in(
        self: Arc<Self>,
        storage: Arc<dyn Storage>,
        tables: &Path,
    ) -> Result<Box<dyn Explore>, Error> {
        Ok(Box::new(OpenGame::open_own(EntryRef::Shared(self), &storage, tables)?))
    }
}

/// The bytes of an open game without its tables: board, names, description.
const BARE: u64 = 64 << 10;

/// The file system of this machine.
fn disk() -> Arc<dyn Storage> {
    Arc::new(DiskStorage)
}

impl<G: Game + Show + 'static> Explore for OpenGame<'_, G> {
    fn name(&self) -> &str {
        &self.name
    }

    fn command_name(&self) -> String {
        self.entry.command_name()
    }

    fn title(&self) -> String {
        self.entry.title.clone().unwrap_or_else(|| self.name.clone())
    }

    fn summary(&self) -> String {
        self.entry.summary.clone()
    }

    fn guide(&self) -> Guide {
        self.entry.game.guide()
    }

    fn meaning_of_values(&self) -> String {
        meaning_of_values(self)
    }

    fn known(&self) -> Option<Known> {
        self.entry.known.clone()
    }

    fn has_table(&self) -> bool {
        self.values.is_some()
    }

    fn notes(&self) -> Vec<String> {
        let of_values = self.values.iter().flat_map(|values| values.notes().iter().cloned());
        of_values.chain(self.shade_note.clone()).collect()
    }

    fn kind(&self) -> Option<StoreKind> {
        self.values.as_ref().map(|values| values.kind())
    }

    fn horizon(&self) -> Option<Turns> {
        self.values.as_ref()?.horizon()
    }

    fn stamp(&self) -> String {
        let values = self.values.as_ref().map_or_else(|| "no table".to_owned(), |values| values.stamp());
        let shades = self.shades.as_ref().map_or_else(String::new, |shades| format!(" {}", shades.stamp()));
        format!("{} rules {} {values}{shades}", self.name, G::RULES_VERSION)
    }

    fn start(&self) -> String {
        self.entry.game.position_text(&self.entry.game.start())
    }

    fn canonical(&self, position: &str) -> Result<String, Error> {
        let game = &self.entry.game;
        Ok(game.position_text(&written::position(game, position)?))
    }

    fn to_move(&self, position: &str, to_move: Seat) -> Result<Seat, Error> {
        let game = &self.entry.game;
        Ok(game.seat(&written::position(game, position)?).unwrap_or(to_move))
    }

    fn memory(&self) -> u64 {
        let files = self.values.as_ref().map_or(0, |values| values.memory())
            + self.shades.as_ref().map_or(0, ShadeFile::memory);
        // Without values only a plan numbers positions, and of small games alone.
        let indices = self.entry.index_memory();
        let numbered = self.values.is_some() || indices <= estimate::MOST_INDEX_MEMORY;
        BARE + files + if numbered { indices } else { 0 }
    }

    fn limit_cache(&mut self, bytes: u64) {
        if let Some(values) = &mut self.values {
            values.limit_cache(bytes);
        }
        if let Some(shades) = &mut self.shades {
            shades.limit_cache(bytes);
        }
    }

    fn probe_begun(
        &self,
        position: &str,
        to_move: Seat,
        begun: &[String],
        page: ListPage,
        limits: &SearchLimits,
    ) -> Result<Probe, Error> {
        let position = written::position(&self.entry.game, position)?;
        let to_move = self.entry.game.seat(&position).unwrap_or(to_move);
        probe::probe(self, (&position, to_move), begun, page, limits)
    }

    fn add_nimbers(&self, probe: &mut Probe, limits: &SearchLimits) -> Result<(), Error> {
        add_nimbers(self, probe, limits)
    }

    fn pressure(
        &self,
        position: &str,
        to_move: Seat,
        page: ListPage,
        limits: &SearchLimits,
    ) -> Result<Pressure, Error> {
        let position = written::position(&self.entry.game, position)?;
        pressure::pressure(self, (&position, to_move), page, limits)
    }

    fn refusal(
        &self,
        position: &str,
        to_move: Seat,
        begun: &[String],
        squares: &[&str],
    ) -> Result<Option<String>, Error> {
        refusal(self, position, to_move, begun, squares)
    }

    fn steps_page(
        &self,
        position: &str,
        to_move: Seat,
        begun: &[String],
        page: ListPage,
        limits: &SearchLimits,
    ) -> Result<Steps, Error> {
        steps::steps(self, (position, to_move), begun, page, limits)
    }

    fn value(&self, position: &str, limits: &SearchLimits) -> Result<(Verdict, Source), Error> {
        probe::value(self, position, limits)
    }

    fn play(&self, position: &str, turn: &str) -> Result<(String, bool), Error> {
        turns::play(self, position, turn)
    }

    fn turns(&self, position: &str) -> Result<Vec<(String, String)>, Error> {
        let limits = SearchLimits { nodes: u64::MAX, time: Duration::MAX, depth: None };
        match turns::turns(self, position, &limits)? {
            (turns, true) => Ok(turns),
            (_, false) => Err(bounds::too_many_turns()),
        }
    }

    fn turns_within(
        &self,
        position: &str,
        limits: &SearchLimits,
    ) -> Result<(Vec<(String, String)>, bool), Error> {
        turns::turns(self, position, limits)
    }

    fn over(&self, position: &str) -> Result<Option<Outcome>, Error> {
        Ok(turns::outcome_if_over(self, &written::position(&self.entry.game, position)?))
    }

    fn images(&self, position: &str) -> Result<Vec<String>, Error> {
        let game = &self.entry.game;
        let position = written::position(game, position)?;
        let images = self.entry.images.map_or_else(Vec::new, |images| images(game, &position));
        let texts = images.iter().map(|image| game.position_text(image));
        Ok([game.position_text(&position)].into_iter().chain(texts).collect())
    }

    fn fewest_turns(&self, position: &str, limits: &SearchLimits) -> Result<Option<(u16, String)>, Error> {
        fewest_turns(self, position, limits)
    }

    fn line(&self, position: &str, to_move: Seat, most: usize, limits: &SearchLimits) -> Result<Line, Error> {
        best_line(self, written::position(&self.entry.game, position)?, to_move, most, limits)
    }

    fn statistics(&self) -> Result<Statistics, Error> {
        statistics::all_statistics(self)
    }

    fn count(&self, threads: usize, progress: &dyn Progress) -> Result<(), Error> {
        long_work(|| statistics::count(self, threads, progress))
    }

    fn count_all(&self, options: &SolveOptions, progress: &dyn Progress) -> Result<(), Error> {
        long_work(|| statistics::count_all(self, options, progress))
    }

    fn numbering_statistics(&self, numbering: &str) -> Result<Vec<(String, String)>, Error> {
        long_work(|| numbers::statistics(self, numbering))
    }

    fn numbering_counts(&self, numbering: &str) -> Result<Vec<(String, String)>, Error> {
        long_work(|| numbers::counts(self, numbering))
    }

    fn find(&self, wanted: &FindQuery, visit: &mut Visit<'_, Found>) -> Result<(), Error> {
        find::find(self, wanted, visit)
    }

    fn puzzles(
        &self,
        kind: PuzzleKind,
        turns: Option<u16>,
        random: Option<u64>,
        visit: &mut Visit<'_, Puzzle>,
    ) -> Result<(), Error> {
        puzzles::puzzles(self, kind, turns, random, visit)
    }

    fn puzzle_at(&self, position: &str, kind: PuzzleKind) -> Result<Option<Puzzle>, Error> {
        puzzles::puzzle_at(self, position, kind)
    }

    fn puzzle_depths(&self, kind: PuzzleKind) -> Result<Vec<u16>, Error> {
        puzzle_depths(self, kind)
    }

    fn verify(&self, sample: Option<u64>, room: &Resources<'_>) -> Result<Verification, Error> {
        long_work(|| verify(self, sample, room))
    }

    fn index(&self, position: &str, numbering: Option<&str>) -> Result<NumberedPosition, Error> {
        numbers::number(self, position, numbering)
    }

    fn position(&self, index: &str, numbering: Option<&str>) -> Result<NumberedPosition, Error> {
        numbers::position(self, index, numbering)
    }

    fn perft(&self, position: &str, depth: u32, progress: &dyn Progress) -> Result<u128, Error> {
        long_work(|| {
            perft(&self.entry.game, &written::position(&self.entry.game, position)?, depth, progress)
        })
    }

    fn scenes(&self, position: &str, to_move: Seat, turns: &[String]) -> Result<Vec<Scene>, Error> {
        scenes::scenes(self, position, to_move, turns)
    }

    fn position_from_board(&self, board: &str, to_move: Seat) -> Result<String, Error> {
        scenes::position_from_board(self, board, to_move)
    }

    fn palette(&self) -> Vec<Piece> {
        self.entry.game.palette()
    }

    fn piece_name(&self, piece: Piece) -> &'static str {
        self.entry.game.piece_name(piece)
    }

    fn pieces_to_place(&self, position: &str, to_move: Seat) -> Result<Vec<(Piece, usize)>, Error> {
        let game = &self.entry.game;
        let position = written::position(game, position)?;
        Ok(game.pieces_to_place(&position, game.seat(&position).unwrap_or(to_move)))
    }

    fn row_shape(&self) -> RowShape {
        rows::row_shape(self)
    }

    fn values_of(&self, positions: &Positions<'_>, visit: &mut dyn FnMut(Knowledge)) -> Result<(), Error> {
        long_work(|| batch::values(self, positions, visit))
    }

    fn indices_of(&self, positions: &Positions<'_>, visit: &mut dyn FnMut(Option<u64>)) -> Result<(), Error> {
        long_work(|| batch::indices(self, positions, visit))
    }

    fn planes_of(
        &self,
        positions: &Positions<'_>,
        to_move: Seat,
        visit: &mut dyn FnMut(&[u8]),
    ) -> Result<(), Error> {
        long_work(|| batch::planes(self, positions, to_move, visit))
    }

    fn texts_of(&self, positions: &Positions<'_>, visit: &mut dyn FnMut(String)) -> Result<(), Error> {
        long_work(|| batch::texts(self, positions, visit))
    }

    fn random_indices(&self, count: u64, seed: u64) -> Result<Vec<u64>, Error> {
        long_work(|| batch::random_indices(self, count, seed))
    }

    fn row_count(&self) -> Result<u64, Error> {
        long_work(|| rows::row_count(self))
    }

    fn rows(&self, visit: &mut dyn FnMut(Row<'_>) -> Result<bool, Error>) -> Result<(), Error> {
        long_work(|| rows::rows(self, visit))
    }

    fn publish(&self, job: &PublishJob<'_>, resources: &Resources<'_>) -> Result<PublishedFile, Error> {
        long_work(|| publish(self, job, resources))
    }

    fn certificate(
        &self,
        side: Seat,
        limit: u64,
        out: &Path,
        resources: &Resources<'_>,
    ) -> Result<Certificate, Error> {
        long_work(|| certificate::certificate(self, side, limit, out, resources))
    }

    fn annotate(
        &self,
        position: &str,
        to_move: Seat,
        turns: &[String],
        limits: &SearchLimits,
    ) -> Result<Vec<Annotation>, Error> {
        annotate(self, position, to_move, turns, limits)
    }
}
