//! A game in progress: the turns so far, and how the computer chooses its turns.

use retrograde_engine::{PlayedGame, Strength, choose_turn};
use retrograde_explore::{Annotation, Coordinates, OpenGame, Probe, SearchLimits, Verdict, read_turn};
use retrograde_game::{Outcome, Random, Seat};
use std::time::Duration;

use crate::files::records::Record;
use crate::program::exit::BoxError;

/// The maximum time for a turn.
const MAX_TIME: Duration = Duration::from_secs(10);
/// The maximum time for a comment if there is no table.
const MAX_COMMENT_TIME: Duration = Duration::from_secs(1);

/// A draw is offered after this number of turns that kept it, and again after each half of it.
const LONG_DRAW: usize = 40;

/// How a game ended before the rules ended it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// The human resigned.
    Resigned,
    /// The human accepted a draw.
    Draw,
}

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
    played: PlayedGame,
    pub(super) ending: Option<Ending>,
}

impl<'a> Session<'a> {
    pub(super) fn new(
        game: &'a OpenGame,
        position: Option<&str>,
        human: Seat,
    ) -> Result<Session<'a>, BoxError> {
        Ok(Session {
            game,
            strength: None,
            presses: false,
            human,
            limits: SearchLimits::default(),
            random: Random::new(1),
            played: PlayedGame::begin(game, position, Seat::First)?,
            ending: None,
        })
    }

    /// Sets how the computer chooses its turns.
    pub(super) fn look(&mut self, strength: Option<u16>, seed: u64, limits: SearchLimits) {
        self.strength = strength;
        self.random = Random::new(seed);
        self.limits = SearchLimits { time: limits.time.min(MAX_TIME), ..limits };
    }

    pub(super) fn position(&self) -> &str {
        self.played.position()
    }

    /// The first position of the game.
    pub(super) fn start(&self) -> &str {
        self.played.positions().first().map_or("", String::as_str)
    }

    pub(super) fn to_move(&self) -> Seat {
        self.played.to_move()
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
        match self.ending {
            Some(Ending::Resigned) => return Ok(Some(Some(self.human.other()))),
            Some(Ending::Draw) => return Ok(Some(None)),
            None => {}
        }
        Ok(self.game.over(self.position())?.map(|outcome| match outcome {
            Outcome::Win => Some(self.to_move()),
            Outcome::Loss => Some(self.to_move().other()),
            Outcome::Draw => None,
        }))
    }

    /// Plays a turn, given in the coordinates of the board or of the mover.
    pub(super) fn play(&mut self, turn: &str) -> Result<(), BoxError> {
        let Err(error) = self.played.make(self.game, turn) else { return Ok(()) };
        let (own, _) =
            read_turn(self.game, self.position(), self.to_move(), turn, false).map_err(|_| error)?;
        Ok(self.played.make_mover_turn(self.game, &own)?)
    }

    /// Why a draw is offered here; `None` if it is not.
    pub(super) fn draw_offer(&self) -> Result<Option<String>, BoxError> {
        if let Some(times) = self.played.repetitions() {
            let times = if times == 3 { "three".to_owned() } else { times.to_string() };
            return Ok(Some(format!("This position has come up {times} times.")));
        }
        let turns = self.played.turns().len();
        if !self.game.has_table() || turns < LONG_DRAW {
            return Ok(None);
        }
        let mut kept = 0_usize;
        for position in self.played.positions().iter().rev() {
            if self.game.value(position, &self.limits)?.0.outcome != "draw" {
                break;
            }
            kept += 1;
        }
        // A turn keeps a draw if the positions before and after it are drawn.
        let kept = kept.saturating_sub(1);
        let long = kept >= LONG_DRAW && kept.is_multiple_of(LONG_DRAW / 2);
        Ok(long.then(|| format!("Neither side has made progress in {kept} turns.")))
    }

    /// Plays a turn of the computer and returns it in the coordinates of the board.
    pub(super) fn play_own(&mut self) -> Result<String, BoxError> {
        let limits = SearchLimits { depth: self.strength, ..self.limits.clone() };
        let probe = self.game.probe(self.position(), self.to_move(), &limits)?;
        // Tasks are known only to players that look to the end.
        let presses = self.presses && self.strength.is_none();
        let strength = Strength { horizon: self.strength, errs: 0, presses };
        let here = (self.played.positions(), self.to_move());
        let chooser = (strength, &mut self.random);
        let chosen =
            choose_turn(self.game, here, &probe.turns_available, chooser)?.ok_or("there is no turn")?;
        let (turn, shown) = (chosen.turn.clone(), chosen.turn_on_board.clone());
        self.played.make_mover_turn(self.game, &turn)?;
        Ok(shown)
    }

    /// Takes back the human's last turn. Returns false if there is no such turn.
    pub(super) fn take_back(&mut self) -> bool {
        if self.ending.take().is_some() {
            return true;
        }
        let turns = self.played.turns().len();
        let last = (0..turns).rev().find(|&turn| self.played.seat_at(turn) == self.human);
        if let Some(turn) = last {
            self.played.take_back_to(turn);
        }
        last.is_some()
    }

    /// Restarts the game.
    pub(super) fn restart(&mut self) {
        self.played.take_back_to(0);
        self.ending = None;
    }

    /// The last turn with its annotation.
    pub(super) fn last_annotated(&self) -> Result<Option<Annotation>, BoxError> {
        let ([.., before, _], Some(turn)) = (self.played.positions(), self.played.turns().last()) else {
            return Ok(None);
        };
        let seat = self.played.seat_at(self.played.turns().len() - 1);
        let turns = std::slice::from_ref(turn);
        Ok(self.game.annotate(before, seat, turns, &self.comment_limits(1))?.pop())
    }

    /// All turns with their annotations.
    pub(super) fn annotated(&self) -> Result<Vec<Annotation>, BoxError> {
        let turns = self.played.turns();
        let limits = self.comment_limits(turns.len());
        Ok(self.game.annotate(self.start(), self.played.seat_at(0), turns, &limits)?)
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
        let default_start = self.game.canonical(&self.game.start())?;
        Ok(Record {
            game: Some(self.game.name().to_owned()),
            coordinates: Coordinates::Board,
            position: (self.start() != default_start).then(|| self.start().to_owned()),
            to_move: self.played.seat_at(0),
            turns: self.played.turns_on_board().to_vec(),
        })
    }
}

#[cfg(test)]
mod tests {
    use retrograde_explore::{LineStep, Loader, SolveOptions, TurnValue};
    use retrograde_solve::Silent;

    use super::*;

    /// A drawn position of the game below.
    const START: &str = "..........oOYx";

    fn small_game() -> OpenGame {
        let game = crate::registry().find("pushfight:mini,pushers=1,pawns=1", &Loader::disk()).unwrap();
        game.solve_in_memory(&SolveOptions::default(), &Silent).unwrap()
    }

    #[test]
    fn a_draw_is_offered_when_a_position_occurs_for_the_third_time() {
        let game = small_game();
        // A best line of a draw ends where a position repeats.
        let line = game.line(START, Seat::First, 100, &SearchLimits::default()).unwrap();
        assert_eq!(line.ends, "repeats");
        let again = |step: &LineStep| (&step.position, step.to_move) == (&line.end, line.end_to_move);
        let cycle = &line.line[line.line.iter().position(again).unwrap()..];
        let mut session = Session::new(&game, Some(START), Seat::First).unwrap();
        for step in line.line.iter().chain(cycle) {
            assert_eq!(session.draw_offer().unwrap(), None);
            session.play(&step.turn_on_board).unwrap();
        }
        assert_eq!(session.draw_offer().unwrap().unwrap(), "This position has come up three times.");
        session.ending = Some(Ending::Draw);
        assert_eq!(session.end().unwrap(), Some(None));
        assert!(session.take_back() && session.end().unwrap().is_none());
    }

    #[test]
    fn a_draw_is_offered_after_a_long_stretch_in_which_it_was_kept() {
        let game = small_game();
        let mut session = Session::new(&game, Some(START), Seat::First).unwrap();
        for _ in 0..LONG_DRAW {
            assert_eq!(session.draw_offer().unwrap(), None);
            let met = session.played.positions().to_vec();
            let turns = session.probe().unwrap().turns_available.into_iter();
            let drawn = turns.filter(|turn| turn.verdict.outcome == "draw");
            let rare = |turn: &TurnValue| met.iter().filter(|&position| *position == turn.position).count();
            session.play(&drawn.min_by_key(rare).unwrap().turn_on_board).unwrap();
        }
        assert_eq!(session.draw_offer().unwrap().unwrap(), "Neither side has made progress in 40 turns.");
    }
}
