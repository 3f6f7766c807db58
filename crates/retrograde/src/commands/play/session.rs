//! A game in progress: the turns so far, and how the computer chooses its turns.

use retrograde_engine::{Strength, choose_turn};
use retrograde_explore::{
    Annotation, Coordinates, OpenGame, Probe, SearchLimits, Verdict, read_turn, read_turn_on_board,
    turn_on_board,
};
use retrograde_game::{Outcome, Random, Seat};
use std::time::Duration;

use crate::exit::BoxError;
use crate::records::Record;

/// The maximum time for a turn.
const MAX_TIME: Duration = Duration::from_secs(10);
/// The maximum time for a comment if there is no table.
const MAX_COMMENT_TIME: Duration = Duration::from_secs(1);

/// The player who has won; `None` for a draw.
pub(super) type Winner = Option<Seat>;

/// A game in progress.
pub(super) struct Session<'a> {
    pub(super) game: &'a OpenGame,
    /// Turns that the computer looks ahead; `None` means to the end.
    pub(super) strength: Option<u16>,
    /// Whether the computer sets the hardest task in draws.
    pub(super) presses: bool,
    pub(super) human: Seat,
    limits: SearchLimits,
    random: Random,
    /// The positions so far with the sides to move, and the turns between them in the mover's
    /// coordinates.
    positions: Vec<String>,
    seats: Vec<Seat>,
    turns: Vec<String>,
    resigned: bool,
}

impl<'a> Session<'a> {
    pub(super) fn new(
        game: &'a OpenGame,
        position: Option<&str>,
        human: Seat,
    ) -> Result<Session<'a>, BoxError> {
        let start = game.canonical(position.unwrap_or(&game.start()))?;
        Ok(Session {
            game,
            strength: None,
            presses: false,
            human,
            limits: SearchLimits::default(),
            random: Random::new(1),
            seats: vec![game.to_move(&start, Seat::First)?],
            positions: vec![start],
            turns: Vec::new(),
            resigned: false,
        })
    }

    /// Sets how the computer chooses its turns.
    pub(super) fn look(&mut self, strength: Option<u16>, seed: u64, limits: SearchLimits) {
        self.strength = strength;
        self.random = Random::new(seed);
        self.limits = SearchLimits { time: limits.time.min(MAX_TIME), ..limits };
    }

    pub(super) fn position(&self) -> &str {
        self.positions.last().map_or("", String::as_str)
    }

    /// The first position of the game.
    pub(super) fn start(&self) -> &str {
        self.positions.first().map_or("", String::as_str)
    }

    pub(super) fn to_move(&self) -> Seat {
        self.seats.last().copied().unwrap_or(Seat::First)
    }

    pub(super) fn probe(&self) -> Result<Probe, BoxError> {
        Ok(self.game.probe(self.position(), self.to_move(), &self.limits)?)
    }

    /// The turns with the positions they lead to, and whether the list is complete.
    pub(super) fn listed(&self) -> Result<(Vec<(String, String)>, bool), BoxError> {
        Ok(self.game.turns_within(self.position(), &self.limits)?)
    }

    /// The value of the position for the player to move.
    pub(super) fn value(&self) -> Result<Verdict, BoxError> {
        Ok(self.game.value(self.position(), &self.comment_limits(1))?.0)
    }

    /// The best turns from here, as the board shows them.
    pub(super) fn best_line(&self, max_turns: usize) -> Result<Vec<String>, BoxError> {
        let line = self.game.line(self.position(), self.to_move(), max_turns, &self.limits)?;
        Ok(line.line.into_iter().map(|step| step.turn_on_board).collect())
    }

    /// The end of the game, if it is over.
    pub(super) fn end(&self) -> Result<Option<Winner>, BoxError> {
        if self.resigned {
            return Ok(Some(Some(self.human.other())));
        }
        Ok(self.game.over(self.position())?.map(|outcome| match outcome {
            Outcome::Win => Some(self.to_move()),
            Outcome::Loss => Some(self.to_move().other()),
            Outcome::Draw => None,
        }))
    }

    /// Plays a turn, given in the coordinates of the board or of the mover.
    pub(super) fn play(&mut self, turn: &str) -> Result<(), BoxError> {
        let (position, seat) = (self.position(), self.to_move());
        let (turn, next) = match read_turn_on_board(self.game, position, seat, turn) {
            Ok(read) => read,
            Err(error) => read_turn(self.game, position, seat, turn).map_err(|_| error)?,
        };
        self.keep(turn, next)
    }

    fn keep(&mut self, turn: String, next: String) -> Result<(), BoxError> {
        self.seats.push(self.game.to_move(&next, self.to_move().other())?);
        self.positions.push(next);
        self.turns.push(turn);
        Ok(())
    }

    /// Plays a turn of the computer and returns it in the coordinates of the board.
    pub(super) fn play_own(&mut self) -> Result<String, BoxError> {
        let limits = SearchLimits { depth: self.strength, ..self.limits.clone() };
        let probe = self.game.probe(self.position(), self.to_move(), &limits)?;
        let strength = Strength { horizon: self.strength, errs: 0, presses: self.presses };
        let here = (&self.positions[..], self.to_move());
        let chooser = (strength, &mut self.random);
        let chosen =
            choose_turn(self.game, here, &probe.turns_available, chooser)?.ok_or("there is no turn")?;
        let (turn, shown) = (chosen.turn.clone(), chosen.turn_on_board.clone());
        let (next, _) = self.game.play(self.position(), &turn)?;
        self.keep(turn, next)?;
        Ok(shown)
    }

    /// Takes back the human's last turn. Returns false if there is no such turn.
    pub(super) fn take_back(&mut self) -> bool {
        if std::mem::take(&mut self.resigned) {
            return true;
        }
        let last = (0..self.turns.len()).rev().find(|&turn| self.seats[turn] == self.human);
        if let Some(turn) = last {
            self.turns.truncate(turn);
            self.positions.truncate(turn + 1);
            self.seats.truncate(turn + 1);
        }
        last.is_some()
    }

    /// Restarts the game.
    pub(super) fn restart(&mut self) {
        self.turns.clear();
        self.positions.truncate(1);
        self.seats.truncate(1);
        self.resigned = false;
    }

    /// Resigns for the human.
    pub(super) fn resign(&mut self) {
        self.resigned = true;
    }

    pub(super) fn has_resigned(&self) -> bool {
        self.resigned
    }

    /// The last turn with its annotation.
    pub(super) fn last_annotated(&self) -> Result<Option<Annotation>, BoxError> {
        let ([.., before, _], Some(turn)) = (&self.positions[..], self.turns.last()) else { return Ok(None) };
        let seat = self.seats[self.turns.len() - 1];
        let turns = std::slice::from_ref(turn);
        Ok(self.game.annotate(before, seat, turns, &self.comment_limits(1))?.pop())
    }

    /// All turns with their annotations.
    pub(super) fn annotated(&self) -> Result<Vec<Annotation>, BoxError> {
        let limits = self.comment_limits(self.turns.len());
        Ok(self.game.annotate(self.start(), self.seats[0], &self.turns, &limits)?)
    }

    /// The search limits for comments on `turns` turns.
    fn comment_limits(&self, turns: usize) -> SearchLimits {
        let mut limits = self.limits.clone();
        if !self.game.has_table() {
            let share = MAX_TIME / u32::try_from(turns.max(1)).unwrap_or(u32::MAX);
            limits.time = limits.time.min(MAX_COMMENT_TIME).min(share);
        }
        limits
    }

    /// The game as a record.
    pub(super) fn record(&self) -> Result<Record, BoxError> {
        let made = self.positions.iter().zip(&self.seats).zip(&self.turns);
        let shown = made.map(|((position, &seat), turn)| turn_on_board(self.game, position, seat, turn));
        let turns = shown.collect::<Result<Vec<String>, _>>()?;
        let usual = self.game.canonical(&self.game.start())?;
        Ok(Record {
            game: Some(self.game.name().to_owned()),
            coordinates: Coordinates::Board,
            position: (self.start() != usual).then(|| self.start().to_owned()),
            to_move: self.seats[0],
            turns,
        })
    }
}
