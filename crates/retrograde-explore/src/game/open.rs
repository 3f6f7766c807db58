//! A game with its table, if there is one: [`Explore`] for any game, by way of the modules beside this one.

use std::ops::{ControlFlow, Deref};
use std::path::Path;
use std::sync::Arc;

use retrograde_game::{Game, Index, Outcome, Piece, Seat, Show};
use retrograde_solve::Progress;
use retrograde_table::{Expectations, Storage, directory_name};

use crate::bounds;
use crate::game::entry::Entry;
use crate::store::archive::Room;
use crate::query::resolve::Budget;
use crate::solve::run::statistics_of;
use crate::store::values::StoredValues;
use crate::{
    Annotation, Error, Explore, Found, Line, Numbered, Probe, Puzzle, PuzzleKind, Row, RowShape, Scene,
    SearchLimits, SolveOptions, Source, Statistics, Steps, Verdict, Verification, Visit, Wanted,
};

/// Turns with their texts and the positions they lead to.
pub(crate) type Listed<G> = Vec<(String, <G as Game>::Turn, <G as Game>::Position)>;

/// Each position of a played game with the turn made there, and the last position.
type Played<G> = (Vec<(<G as Game>::Position, <G as Game>::Turn)>, <G as Game>::Position);

/// An entry, for as long as someone else has it or for as long as it is wanted.
pub(crate) enum Held<'a, G: Game + Show + 'static> {
    Borrowed(&'a Entry<G>),
    Shared(Arc<Entry<G>>),
}

impl<G: Game + Show + 'static> Deref for Held<'_, G> {
    type Target = Entry<G>;

    fn deref(&self) -> &Entry<G> {
        match self {
            Held::Borrowed(entry) => entry,
            Held::Shared(entry) => entry,
        }
    }
}

/// A game that is ready for questions.
pub(crate) struct Opened<'a, G: Game + Show + 'static> {
    pub entry: Held<'a, G>,
    pub name: String,
    pub values: Option<StoredValues>,
}

impl<'a, G: Game + Show + 'static> Opened<'a, G> {
    /// With what was solved here, else with files that others have published.
    pub fn open(entry: Held<'a, G>, tables: &Path) -> Result<Self, Error> {
        let mut opened = Opened::open_own(entry, tables)?;
        if let (None, Some(published)) = (&opened.values, &opened.entry.published) {
            let directory = tables.join(directory_name(&opened.name));
            let found = published.open(&opened.entry.game, &directory)?;
            opened.values = found.map(StoredValues::Kept);
        }
        Ok(opened)
    }

    /// With what was solved here, if anything was.
    pub fn open_own(entry: Held<'a, G>, tables: &Path) -> Result<Self, Error> {
        let name = entry.game.name();
        let values = match entry.expectations() {
            Some(expected) => StoredValues::open(tables, &name, expected)?,
            None => None,
        };
        let values = match (values, &entry.keeper) {
            (None, Some(keeper)) => {
                let directory = tables.join(directory_name(&name));
                keeper.open(&entry.game, &directory)?.map(StoredValues::Kept)
            }
            (values, _) => values,
        };
        Ok(Opened { entry, name, values })
    }

    /// With the table in a storage that may be no disk.
    pub fn open_in(entry: Held<'a, G>, storage: Arc<dyn Storage>, tables: &Path) -> Result<Self, Error> {
        let name = entry.game.name();
        let values = match entry.expectations() {
            Some(expected) => StoredValues::open_in(storage, tables, &name, expected)?,
            None => None,
        };
        Ok(Opened { entry, name, values })
    }

    pub fn no_table(&self) -> Error {
        Error::NoTable { game: self.name.clone() }
    }

    pub fn stored(&self) -> Result<&StoredValues, Error> {
        self.values.as_ref().ok_or_else(|| self.no_table())
    }

    pub fn index_of(&self, position: &G::Position) -> Option<Index> {
        self.entry.dense.and_then(|dense| dense.index(&self.entry.game, position))
    }

    /// The position at an index of the table.
    pub fn position_at(&self, index: Index) -> Result<G::Position, Error> {
        let dense = self.entry.dense.ok_or_else(|| self.no_table())?;
        dense.position(&self.entry.game, index).ok_or_else(|| {
            Error::Unsupported(format!(
                "the table of {} has a value at index {index}, which is no position; `retrograde verify {}` tells more",
                self.name, self.name
            ))
        })
    }

    /// The turns of a position with their texts, by text.
    pub fn turns_by_text(&self, position: &G::Position) -> Result<Listed<G>, Error> {
        let game = &self.entry.game;
        self.count_turns(position)?;
        let mut turns: Vec<_> = game
            .turns(position)
            .into_iter()
            .map(|(turn, next)| (game.turn_text(position, &turn), turn, next))
            .collect();
        turns.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(turns)
    }

    /// Looks whether the turns may be listed, where there are bounds, before memory is taken for them.
    fn count_turns(&self, position: &G::Position) -> Result<(), Error> {
        bounds::check()?;
        let Some(most) = bounds::turns_left() else { return Ok(()) };
        let mut count = 0;
        let many = self.entry.game.each_successor(position, |_| {
            count += 1;
            if count > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if many.is_break() {
            return Err(Error::TooLarge(
                "there are more turns here than are listed for one question".to_owned(),
            ));
        }
        Ok(())
    }

    /// The outcome for the side to move if the game is over.
    pub fn over_at(&self, position: &G::Position) -> Option<Outcome> {
        let game = &self.entry.game;
        game.result(position).or_else(|| {
            let stuck = game.each_successor(position, |_| ControlFlow::Break(())).is_continue();
            stuck.then(|| game.stuck())
        })
    }

    /// Reads the turns of a game played from a position: each position with the turn made there, and the
    /// last position.
    pub fn replay(&self, position: &str, turns: &[String]) -> Result<Played<G>, Error> {
        let game = &self.entry.game;
        let mut position = game.parse_position(position)?;
        let mut played = Vec::with_capacity(turns.len());
        for (number, text) in (1..).zip(turns) {
            let turn = game.parse_turn(&position, text).map_err(|error| Error::Turn { number, error })?;
            let next = game.play(&position, &turn);
            played.push((std::mem::replace(&mut position, next), turn));
        }
        Ok((played, position))
    }
}

impl<G: Game + Show + 'static> Entry<G> {
    /// What a table of this game must be; `None` if it can have none.
    pub(crate) fn expectations(&self) -> Option<Expectations> {
        let dense = self.dense?;
        Some(Expectations {
            rules_version: G::RULES_VERSION,
            index_version: dense.index_version(),
            index_count: dense.index_count(&self.game),
        })
    }
}

impl<G: Game + Show + 'static> Explore for Opened<'_, G> {
    fn name(&self) -> &str {
        &self.name
    }

    fn has_table(&self) -> bool {
        self.values.is_some()
    }

    fn horizon(&self) -> Option<u16> {
        self.values.as_ref().and_then(StoredValues::horizon)
    }

    fn stamp(&self) -> String {
        let values = self.values.as_ref().map_or_else(|| "no table".to_owned(), StoredValues::stamp);
        format!("{} rules {} {values}", self.name, G::RULES_VERSION)
    }

    fn start(&self) -> String {
        self.entry.game.position_text(&self.entry.game.start())
    }

    fn canonical(&self, position: &str) -> Result<String, Error> {
        let game = &self.entry.game;
        Ok(game.position_text(&game.parse_position(position)?))
    }

    fn probe(&self, position: &str, to_move: Seat, limits: &SearchLimits) -> Result<Probe, Error> {
        let position = self.entry.game.parse_position(position)?;
        self.probe_position(&position, to_move, limits)
    }

    fn steps(
        &self,
        position: &str,
        to_move: Seat,
        begun: &[String],
        limits: &SearchLimits,
    ) -> Result<Steps, Error> {
        self.steps_of(position, to_move, begun, limits)
    }

    fn value(&self, position: &str, limits: &SearchLimits) -> Result<(Verdict, Source), Error> {
        let position = self.entry.game.parse_position(position)?;
        let resolved = self.resolve(&position, &mut Budget::new(limits))?;
        Ok((resolved.knowledge.into(), resolved.source))
    }

    fn play(&self, position: &str, turn: &str) -> Result<(String, bool), Error> {
        let game = &self.entry.game;
        let position = game.parse_position(position)?;
        let turn = game.parse_turn(&position, turn)?;
        Ok((game.position_text(&game.play(&position, &turn)), game.counts(&position)))
    }

    fn turns(&self, position: &str) -> Result<Vec<(String, String)>, Error> {
        let game = &self.entry.game;
        let turns = self.turns_by_text(&game.parse_position(position)?)?;
        Ok(turns.into_iter().map(|(text, _, next)| (text, game.position_text(&next))).collect())
    }

    fn over(&self, position: &str) -> Result<Option<Outcome>, Error> {
        Ok(self.over_at(&self.entry.game.parse_position(position)?))
    }

    fn line(&self, position: &str, to_move: Seat, most: usize, limits: &SearchLimits) -> Result<Line, Error> {
        let position = self.entry.game.parse_position(position)?;
        self.best_line(position, to_move, most, limits)
    }

    fn statistics(&self) -> Result<Statistics, Error> {
        let values = self.stored()?;
        Ok(statistics_of(&self.name, values))
    }

    fn count(&self, threads: usize, progress: &dyn Progress) -> Result<(), Error> {
        match &self.values {
            Some(StoredValues::Kept(kept)) => kept.count(threads, progress),
            _ => Ok(()),
        }
    }

    fn count_all(&self, options: &SolveOptions, progress: &dyn Progress) -> Result<(), Error> {
        match &self.values {
            Some(StoredValues::Kept(kept)) => kept
                .count_all(&Room::new(options.threads, options.memory, progress))
                .map_err(|error| self.entry.explained(error)),
            _ => Ok(()),
        }
    }

    fn numbering_statistics(&self, numbering: &str) -> Result<Vec<(String, String)>, Error> {
        self.numbering_dump(numbering)
    }

    fn numbering_counts(&self, numbering: &str) -> Result<Vec<(String, String)>, Error> {
        self.numbering_facts(numbering)
    }

    fn find(&self, wanted: &Wanted, visit: &mut Visit<'_, Found>) -> Result<(), Error> {
        self.find_positions(wanted, visit)
    }

    fn puzzles(
        &self,
        kind: PuzzleKind,
        turns: Option<u16>,
        random: Option<u64>,
        visit: &mut Visit<'_, Puzzle>,
    ) -> Result<(), Error> {
        self.find_puzzles(kind, turns, random, visit)
    }

    fn verify(&self, sample: Option<u64>, room: &Room<'_>) -> Result<Verification, Error> {
        self.verify_table(sample, room)
    }

    fn index(&self, position: &str, numbering: Option<&str>) -> Result<Numbered, Error> {
        self.number(position, numbering)
    }

    fn position(&self, index: &str, numbering: Option<&str>) -> Result<Numbered, Error> {
        self.at_number(index, numbering)
    }

    fn perft(&self, position: &str, depth: u32, progress: &dyn Progress) -> Result<u128, Error> {
        let position = self.entry.game.parse_position(position)?;
        crate::query::perft::perft(&self.entry.game, &position, depth, progress)
    }

    fn scenes(&self, position: &str, to_move: Seat, turns: &[String]) -> Result<Vec<Scene>, Error> {
        let game = &self.entry.game;
        let (played, last) = self.replay(position, turns)?;
        let mut seat = to_move;
        let mut scenes = Vec::with_capacity(played.len() + 1);
        for (position, turn) in &played {
            scenes.push(Scene {
                picture: game.picture(position, seat),
                marks: game.marks(position, turn, seat),
                turn: Some(game.turn_on_board(position, turn, seat)),
            });
            seat = seat.other();
        }
        scenes.push(Scene { picture: game.picture(&last, seat), marks: Vec::new(), turn: None });
        Ok(scenes)
    }

    fn seen_so(&self, board: &str, to_move: Seat) -> Result<String, Error> {
        let game = &self.entry.game;
        let seen = game.parse_position(board)?;
        // What one player sees of a position becomes what the other sees in the same way in which it goes back.
        let text = match to_move {
            Seat::First => game.position_text(&seen),
            Seat::Second => game.board_text(&seen, Seat::Second),
        };
        Ok(game.position_text(&game.parse_position(&text)?))
    }

    fn palette(&self) -> Vec<Piece> {
        self.entry.game.palette()
    }

    fn row_shape(&self) -> RowShape {
        let game = &self.entry.game;
        let (rows, columns) = game.plane_shape();
        RowShape { planes: game.plane_names().into_iter().map(str::to_owned).collect(), rows, columns }
    }

    fn row_count(&self) -> Result<u64, Error> {
        let values = self.stored()?;
        let left_out: u128 = match (values, self.entry.dense) {
            (StoredValues::Table(_), Some(dense)) => {
                dense.unnumbered(&self.entry.game).iter().map(|(_, count)| count).sum()
            }
            _ => 0,
        };
        Ok(values.counts().positions.0.saturating_sub(left_out).try_into().unwrap_or(u64::MAX))
    }

    fn rows(&self, visit: &mut dyn FnMut(Row<'_>) -> Result<bool, Error>) -> Result<(), Error> {
        let game = &self.entry.game;
        let (rows, columns) = game.plane_shape();
        let mut planes = vec![0; game.plane_names().len() * rows * columns];
        self.stored()?.scan(0, &mut |index, knowledge| {
            let position = self.position_at(index)?;
            let knowledge = self.completed(knowledge, &position)?;
            game.planes(&position, &mut planes);
            let text = game.position_text(&position);
            visit(Row { index: index.0, position: &text, planes: &planes, knowledge })
        })
    }

    fn publish(
        &self,
        form: &str,
        part: crate::export::Part,
        out: &Path,
        threads: usize,
        progress: &dyn Progress,
    ) -> Result<crate::export::Digits, Error> {
        self.publish_part(form, part, out, threads, progress)
    }

    fn annotate(
        &self,
        position: &str,
        to_move: Seat,
        turns: &[String],
        limits: &SearchLimits,
    ) -> Result<Vec<Annotation>, Error> {
        self.annotate_game(position, to_move, turns, limits)
    }
}
