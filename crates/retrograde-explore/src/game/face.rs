//! The face of a game, which hides its types: the command line and a server ask in text and
//! numbers.
//!
//! [`AnyGame`] is a game that can be named, planned and solved. [`Explore`] is the same game with
//! its table, if there is one, ready for questions. Answers have types of their own, in `answer`.

use std::path::Path;
use std::sync::Arc;

use retrograde_game::{Guide, Knowledge, Outcome, Piece, Seat, Turns};
use retrograde_solve::Progress;
use retrograde_table::Storage;

use crate::{
    About, Annotation, Certificate, Error, FindQuery, Found, Known, Line, ListPage, NumberedPosition,
    Occurring, Plan, Positions, Pressure, Probe, Puzzle, PuzzleKind, Resources, Row, RowShape, Scene,
    SearchLimits, ShadeStatistics, SolveOptions, Source, Statistics, Steps, StoreKind, Verdict, Verification,
};

/// Hears of rows, puzzles or found positions one by one; `false` ends the search.
pub type Visit<'a, T> = dyn FnMut(T) -> Result<bool, Error> + 'a;

/// A game that can be named, planned and solved.
pub trait AnyGame: Send + Sync {
    /// Describes the game for lists and headings.
    fn about(&self) -> About;

    /// The name by which commands find the game, ready to be typed: that of its file, if its board
    /// is in one.
    fn command_name(&self) -> String;

    /// The versions of its rules and of its numbering, as a text that stands, byte by byte, in every
    /// program that has the game; `None` if its positions have no numbers.
    fn version_stamp(&self) -> Option<&'static str>;

    /// Estimates a solve; nothing is started or allocated.
    fn plan(&self, options: &SolveOptions) -> Plan;

    /// Solves and writes a table into `tables`, or goes on where an interrupted run was. If there
    /// is a complete table already it says what is in it ([`SolveOptions::again`]: solves again).
    ///
    /// # Errors
    /// If it does not fit, cannot be written, another process is writing it, or it was stopped.
    fn solve(
        &self,
        tables: &Path,
        options: &SolveOptions,
        progress: &dyn Progress,
    ) -> Result<Statistics, Error>;

    /// Solves without a file: the game ready for questions, with its values in memory. Options about
    /// files mean nothing here.
    ///
    /// # Errors
    /// If it does not fit, or was stopped.
    fn solve_in_memory(
        self: Arc<Self>,
        options: &SolveOptions,
        progress: &dyn Progress,
    ) -> Result<Box<dyn Explore>, Error>;

    /// Estimates a solve on several processes, for each of them; nothing is started or allocated.
    ///
    /// # Errors
    /// If no solver of this game runs on several processes.
    #[cfg(feature = "cluster")]
    fn plan_together(&self, options: &SolveOptions, processes: u32) -> Result<crate::ClusterPlan, Error>;

    /// Solves together with other processes: process 0 writes the table that one machine would
    /// write, and says what is in it; the others get `None`.
    ///
    /// # Errors
    /// As [`AnyGame::solve`], and if some process is missing or fails.
    #[cfg(feature = "cluster")]
    fn solve_together(
        &self,
        tables: &Path,
        options: &SolveOptions,
        join: &retrograde_cluster::JoinOptions,
        progress: &dyn Progress,
    ) -> Result<Option<Statistics>, Error>;

    /// Finds the shades of the draws of a solved game and writes them beside its table, unless they
    /// are there and whole ([`SolveOptions::again`]: anew); says how many draws have which. Of the
    /// options those for threads, memory and storage are heeded.
    ///
    /// # Errors
    /// [`Error::NoTable`], the values are no table of all positions, it does not fit, cannot be
    /// written, another process is writing, or it was stopped.
    fn find_shades(
        &self,
        tables: &Path,
        options: &SolveOptions,
        progress: &dyn Progress,
    ) -> Result<ShadeStatistics, Error>;

    /// Counts the positions that occur, with the threads and the memory of the options. No table is
    /// needed or made.
    ///
    /// # Errors
    /// If it does not fit, or was stopped.
    fn occurring(&self, options: &SolveOptions, progress: &dyn Progress) -> Result<Occurring, Error>;

    /// The game ready for questions, with its table if there is one.
    ///
    /// # Errors
    /// If there is a table but it is damaged, of another version or unreadable. No table is no
    /// error.
    fn explore<'a>(&'a self, tables: &Path) -> Result<Box<dyn Explore + 'a>, Error>;

    /// The same for those who keep it, as a server does.
    ///
    /// # Errors
    /// As [`AnyGame::explore`].
    fn explore_shared(self: Arc<Self>, tables: &Path) -> Result<Box<dyn Explore>, Error>;

    /// The same with a table or an archive in a storage that may be no disk, such as
    /// [`Memory`](retrograde_table::MemoryStorage).
    ///
    /// # Errors
    /// As [`AnyGame::explore`].
    fn explore_in(
        self: Arc<Self>,
        storage: Arc<dyn Storage>,
        tables: &Path,
    ) -> Result<Box<dyn Explore>, Error>;
}

/// A game ready for questions.
///
/// Positions and turns are texts, as `probe` reads and prints them. The given `Seat` is the player to
/// move, unless the positions of the game tell it themselves ([`Explore::to_move`]).
pub trait Explore: Send + Sync {
    /// The canonical name.
    fn name(&self) -> &str;

    /// The name by which commands find the game, ready to be typed: that of its file, if its board
    /// is in one.
    fn command_name(&self) -> String {
        self.name().to_owned()
    }

    /// The name that people read, such as "TouchDown 5 × 4".
    fn title(&self) -> String {
        self.name().to_owned()
    }

    /// The game in one sentence.
    fn summary(&self) -> String {
        String::new()
    }

    /// The rules in a few sentences, and turns that show them; empty for a game that gives none.
    fn guide(&self) -> Guide {
        Guide::default()
    }

    /// The meaning of the numbers on turns, in a few sentences.
    fn meaning_of_values(&self) -> String {
        String::new()
    }

    /// The known value of the position in which the game begins, wherever it was found.
    fn known(&self) -> Option<Known> {
        None
    }

    /// The error about a question that needs a table.
    fn no_table(&self) -> Error {
        Error::NoTable { game: self.name().to_owned(), command_name: self.command_name() }
    }

    /// True if there is a table.
    fn has_table(&self) -> bool;

    /// Notes for the user: files of the game that cannot be used, and why.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// The kind of files that its values come from; `None` without any.
    fn kind(&self) -> Option<StoreKind> {
        None
    }

    /// The number of turns within which values were decided, if solving was ended there.
    fn horizon(&self) -> Option<Turns> {
        None
    }

    /// A text for all that answers depend on: the version of the rules, and the checksum of the
    /// table if there is one. As long as it stays the same, so do the answers.
    fn stamp(&self) -> String;

    /// The most bytes of memory that it can take: its description, its tables for indices, and what it
    /// caches of its files. Most of that is allocated by the first question that needs it, so a program
    /// with a memory limit asks right after opening. [`Shelf`](crate::Shelf) keeps games within a limit.
    fn memory(&self) -> u64;

    /// Keeps at most so many bytes of the files in memory, for programs that have many games open.
    fn limit_cache(&mut self, bytes: u64);

    /// The start, as text.
    fn start(&self) -> String;

    /// The position in the form in which it is printed.
    ///
    /// # Errors
    /// If the text is no position.
    fn canonical(&self, position: &str) -> Result<String, Error>;

    /// The player to move in a position: as the position tells
    /// ([`Game::seat`](retrograde_game::Game::seat)), or else `to_move`.
    ///
    /// # Errors
    /// If the text is no position.
    fn to_move(&self, _position: &str, to_move: Seat) -> Result<Seat, Error> {
        Ok(to_move)
    }

    /// The value of a position and of every turn; from the table, the rules or a search.
    ///
    /// # Errors
    /// If the text is no position, or the table is damaged.
    fn probe(&self, position: &str, to_move: Seat, limits: &SearchLimits) -> Result<Probe, Error> {
        self.probe_page(position, to_move, ListPage::ALL, limits)
    }

    /// The same with a page of the list of turns.
    ///
    /// # Errors
    /// As [`Explore::probe`].
    fn probe_page(
        &self,
        position: &str,
        to_move: Seat,
        page: ListPage,
        limits: &SearchLimits,
    ) -> Result<Probe, Error> {
        self.probe_begun(position, to_move, &[], page, limits)
    }

    /// The same with those turns alone that begin with some steps, as their texts do then.
    ///
    /// # Errors
    /// As [`Explore::steps`].
    fn probe_begun(
        &self,
        position: &str,
        to_move: Seat,
        begun: &[String],
        page: ListPage,
        limits: &SearchLimits,
    ) -> Result<Probe, Error>;

    /// Adds the nimbers of the position and of those that its turns lead to, as far as the limits
    /// go.
    ///
    /// # Errors
    /// If the game is not impartial, or who makes the last turn loses.
    fn add_nimbers(&self, _probe: &mut Probe, _limits: &SearchLimits) -> Result<(), Error> {
        Err(Error::Unsupported(format!("{} has no nimbers", self.name())))
    }

    /// How many turns of a position hold its outcome, and of those of a page how many replies hold.
    ///
    /// # Errors
    /// As [`Explore::probe`].
    fn pressure(
        &self,
        position: &str,
        to_move: Seat,
        page: ListPage,
        limits: &SearchLimits,
    ) -> Result<Pressure, Error>;

    /// The continuations of a turn after the steps `begun`: each next step with the best value
    /// that the turn can still have. Where a turn is one step, these are the turns.
    ///
    /// # Errors
    /// If a text is no position or no legal step, the turn is already whole, or the table is
    /// damaged.
    fn steps(
        &self,
        position: &str,
        to_move: Seat,
        begun: &[String],
        limits: &SearchLimits,
    ) -> Result<Steps, Error> {
        self.steps_page(position, to_move, begun, ListPage::ALL, limits)
    }

    /// The same with a page of the list of steps.
    ///
    /// # Errors
    /// As [`Explore::steps`].
    fn steps_page(
        &self,
        position: &str,
        to_move: Seat,
        begun: &[String],
        page: ListPage,
        limits: &SearchLimits,
    ) -> Result<Steps, Error>;

    /// Why squares that somebody touched one after the other are neither a step after the steps
    /// `begun`, nor the beginning of one; `None` if they are, or if the game gives no reasons.
    /// Squares are named as the first player sees them.
    ///
    /// # Errors
    /// If the text is no position, or a step of `begun` is not legal.
    fn refusal(
        &self,
        _position: &str,
        _to_move: Seat,
        _begun: &[String],
        _squares: &[&str],
    ) -> Result<Option<String>, Error> {
        Ok(None)
    }

    /// The value alone, as from `probe` but without the list of turns; much faster.
    ///
    /// # Errors
    /// As [`Explore::probe`].
    fn value(&self, position: &str, limits: &SearchLimits) -> Result<(Verdict, Source), Error>;

    /// The text of the position that a turn leads to, and whether that turn counts (a placement
    /// does not).
    ///
    /// # Errors
    /// If a text cannot be read or the turn is not legal.
    fn play(&self, position: &str, turn: &str) -> Result<(String, bool), Error>;

    /// All turns with the positions they lead to, in the order of their texts, without values.
    ///
    /// # Errors
    /// If the text is no position.
    fn turns(&self, position: &str) -> Result<Vec<(String, String)>, Error>;

    /// The same within limits; and whether these are all turns.
    ///
    /// # Errors
    /// If the text is no position.
    fn turns_within(
        &self,
        position: &str,
        _limits: &SearchLimits,
    ) -> Result<(Vec<(String, String)>, bool), Error> {
        Ok((self.turns(position)?, true))
    }

    /// The outcome for the side to move if the game is over there.
    ///
    /// # Errors
    /// If the text is no position.
    fn over(&self, position: &str) -> Result<Option<Outcome>, Error>;

    /// The images of a position under the symmetries of the game, itself first; it alone for a game
    /// that declares none.
    ///
    /// # Errors
    /// If the text is no position.
    fn images(&self, position: &str) -> Result<Vec<String>, Error> {
        Ok(vec![self.canonical(position)?])
    }

    /// The fewest turns in which a position is won whose table has outcomes only, and a turn that wins so
    /// fast: found by a search of the turns that keep the win. `None` if it is not won, or if the limits
    /// ended the search.
    ///
    /// # Errors
    /// As [`Explore::probe`].
    fn fewest_turns(&self, _position: &str, _limits: &SearchLimits) -> Result<Option<(u16, String)>, Error> {
        Ok(None)
    }

    /// One best line to the end, of at most `most` turns.
    ///
    /// # Errors
    /// As [`Explore::probe`].
    fn line(&self, position: &str, to_move: Seat, most: usize, limits: &SearchLimits) -> Result<Line, Error>;

    /// The numbers of the table.
    ///
    /// # Errors
    /// [`Error::NoTable`].
    fn statistics(&self) -> Result<Statistics, Error>;

    /// Counts what the numbers need, where the table came without them, as files of others do: this
    /// reads all of it. Until then every position counts as unknown. Nothing happens where the
    /// numbers are there.
    ///
    /// # Errors
    /// If it is stopped, or a file cannot be read, or is damaged.
    fn count(&self, _threads: usize, _progress: &dyn Progress) -> Result<(), Error> {
        Ok(())
    }

    /// Counts the positions that the numbers leave out, where they do so; they are there from then
    /// on. It may take as long as solving. Of the options those for threads and memory are heeded.
    ///
    /// # Errors
    /// If it is stopped, does not fit into memory, or a file cannot be read or written.
    fn count_all(&self, _options: &SolveOptions, _progress: &dyn Progress) -> Result<(), Error> {
        Ok(())
    }

    /// The dump of a further numbering: lines of a name and a number or word (`stats
    /// --numbering`).
    ///
    /// # Errors
    /// If there is no such numbering or no table.
    fn numbering_statistics(&self, numbering: &str) -> Result<Vec<(String, String)>, Error>;

    /// The counts of a further numbering that need no table (`games --numbering`).
    ///
    /// # Errors
    /// If there is no such numbering.
    fn numbering_counts(&self, numbering: &str) -> Result<Vec<(String, String)>, Error>;

    /// Visits positions of the table with a value.
    ///
    /// # Errors
    /// [`Error::NoTable`], a damaged table, or what `visit` returns.
    fn find(&self, wanted: &FindQuery, visit: &mut Visit<'_, Found>) -> Result<(), Error>;

    /// Visits puzzles, at random with a seed if one is given, else by index.
    ///
    /// # Errors
    /// As [`Explore::find`].
    fn puzzles(
        &self,
        kind: PuzzleKind,
        turns: Option<u16>,
        random: Option<u64>,
        visit: &mut Visit<'_, Puzzle>,
    ) -> Result<(), Error>;

    /// The puzzle that a position is; `None` if it is none of this kind.
    ///
    /// # Errors
    /// [`Error::NoTable`], if the text is no position, or a damaged table.
    fn puzzle_at(&self, position: &str, kind: PuzzleKind) -> Result<Option<Puzzle>, Error>;

    /// The turns to the end of which there are puzzles of a kind, the least first: those that a
    /// bounded search finds.
    ///
    /// # Errors
    /// [`Error::NoTable`], or a damaged table.
    fn puzzle_depths(&self, kind: PuzzleKind) -> Result<Vec<u16>, Error>;

    /// Checks the files, and derives values again from their successors: `sample` random ones, or
    /// all.
    ///
    /// # Errors
    /// [`Error::NoTable`], or if it was stopped. Errors *in* the table are reported, not returned.
    fn verify(&self, sample: Option<u64>, room: &Resources<'_>) -> Result<Verification, Error>;

    /// The number of a position; with `numbering`, in that one only.
    ///
    /// # Errors
    /// If the text is no position or there is no such numbering.
    fn index(&self, position: &str, numbering: Option<&str>) -> Result<NumberedPosition, Error>;

    /// The position that has a number.
    ///
    /// # Errors
    /// If no position has it, or there is no such numbering.
    fn position(&self, index: &str, numbering: Option<&str>) -> Result<NumberedPosition, Error>;

    /// Counts the leaves of the tree of turns: turns to the same position count once a node, a turn
    /// that ends the game counts at the depth where it is played.
    ///
    /// # Errors
    /// If the text is no position, or `progress` stopped it.
    fn perft(&self, position: &str, depth: u32, progress: &dyn Progress) -> Result<u128, Error>;

    /// Pictures of a position and of the positions that turns lead to, one after the other.
    ///
    /// # Errors
    /// If a text cannot be read or a turn is not legal.
    fn scenes(&self, position: &str, to_move: Seat, turns: &[String]) -> Result<Vec<Scene>, Error>;

    /// The position, seen by the side to move, whose `board` the first player sees so.
    ///
    /// # Errors
    /// If the text is no position, or `to_move` cannot be to move in it.
    fn position_from_board(&self, board: &str, to_move: Seat) -> Result<String, Error>;

    /// The pieces that a position can be set up with, as the first player sees them.
    fn palette(&self) -> Vec<Piece>;

    /// The name of a piece in this game.
    fn piece_name(&self, piece: Piece) -> &'static str;

    /// The pieces that the side to move places in a position, with the number of each; none in the
    /// game proper.
    ///
    /// # Errors
    /// If the text is no position.
    fn pieces_to_place(&self, position: &str, to_move: Seat) -> Result<Vec<(Piece, usize)>, Error>;

    /// The shape of the rows that [`Explore::rows`] visits.
    fn row_shape(&self) -> RowShape;

    /// Visits the values of many positions, in their order, from table and rules; unknown where they
    /// know none. Nothing is searched, and no turns are listed where the table has the value.
    ///
    /// # Errors
    /// [`Error::NoTable`], a damaged table, or [`Error::Item`] about the first that is no position.
    fn values_of(&self, positions: &Positions<'_>, visit: &mut dyn FnMut(Knowledge)) -> Result<(), Error>;

    /// Visits the indices of many positions, in their order; `None` where the numbering leaves one
    /// out.
    ///
    /// # Errors
    /// [`Error::Item`] about the first that is no position.
    fn indices_of(&self, positions: &Positions<'_>, visit: &mut dyn FnMut(Option<u64>)) -> Result<(), Error>;

    /// Visits the planes of many positions as the first player sees them, in their order;
    /// [`Explore::row_shape`] tells their shape. With [`Seat::First`] to move, that is the view of the
    /// side to move; with [`Seat::Second`] it is the other player's.
    ///
    /// # Errors
    /// [`Error::Item`] about the first that is no position, or if the game describes no planes.
    fn planes_of(
        &self,
        positions: &Positions<'_>,
        to_move: Seat,
        visit: &mut dyn FnMut(&[u8]),
    ) -> Result<(), Error>;

    /// Visits the texts of many positions, in their order, in the form in which they are printed.
    ///
    /// # Errors
    /// [`Error::Item`] about the first that is no position.
    fn texts_of(&self, positions: &Positions<'_>, visit: &mut dyn FnMut(String)) -> Result<(), Error>;

    /// Up to `count` different indices of positions whose values the table has, fewer if it has no
    /// more; every set of them is equally likely.
    ///
    /// # Errors
    /// [`Error::NoTable`], or a damaged table.
    fn random_indices(&self, count: u64, seed: u64) -> Result<Vec<u64>, Error>;

    /// The number of rows.
    ///
    /// # Errors
    /// [`Error::NoTable`].
    fn row_count(&self) -> Result<u64, Error>;

    /// Visits every numbered position of the table with its value, by index.
    ///
    /// # Errors
    /// [`Error::NoTable`], a damaged table, or what `visit` returns.
    fn rows(&self, visit: &mut dyn FnMut(Row<'_>) -> Result<bool, Error>) -> Result<(), Error>;

    /// Writes a file in a form that others have published, `phase0` and the like, or finds only its
    /// digest. After a stop the same job goes on where it was.
    ///
    /// # Errors
    /// If there is no such form or part, the form needs a table and there is none, or the file
    /// cannot be written.
    fn publish(
        &self,
        job: &crate::export::PublishJob<'_>,
        resources: &crate::Resources<'_>,
    ) -> Result<crate::export::PublishedFile, Error>;

    /// Closes a set of at most `limit` positions in which a side never loses, and, if that works,
    /// writes it to a file: a certificate.
    ///
    /// # Errors
    /// [`Error::NoTable`], the side can lose, it was stopped, or the file cannot be written.
    fn certificate(
        &self,
        side: Seat,
        limit: u64,
        out: &Path,
        resources: &Resources<'_>,
    ) -> Result<Certificate, Error>;

    /// Marks the turns of a game that was played from a position, in which `to_move` is to move.
    ///
    /// # Errors
    /// If a text cannot be read or a turn is not legal: which one.
    fn annotate(
        &self,
        position: &str,
        to_move: Seat,
        turns: &[String],
        limits: &SearchLimits,
    ) -> Result<Vec<Annotation>, Error>;
}
