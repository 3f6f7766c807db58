//! One `go`: thinks on a separate thread, reports, and sends the best turn.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use retrograde_explore::{Error, OpenGame, Probe, SearchLimits, TurnValue};
use retrograde_game::Random;
use retrograde_solve::clock::Instant;

use super::go::Go;
use super::report::{in_words, score};
use super::writer::Writer;
use crate::{PlayedGame, StopSignal, Strength, choose_turn, one_word, random_turn, think};

/// The maximum number of turns of a reported line.
const LINE: usize = 60;
/// The positions and time for a line without a table, since lines are only informative.
const LINE_NODES: u64 = 100_000;
const LINE_TIME: Duration = Duration::from_millis(100);
/// The time for a line from a table; only relevant on slow disks.
const TABLE_LINE_TIME: Duration = Duration::from_secs(1);

/// The inputs of a search.
pub(super) struct Search {
    pub(super) game: Arc<OpenGame>,
    pub(super) played: PlayedGame,
    pub(super) go: Go,
    pub(super) limits: SearchLimits,
    pub(super) strength: Strength,
    pub(super) lines: usize,
    pub(super) random: Random,
    pub(super) stop: StopSignal,
    pub(super) out: Writer,
}

impl Search {
    /// Thinks, and writes `info` and `bestmove`.
    ///
    /// # Errors
    /// If the output cannot be written. Other errors are reported.
    pub(super) fn run(mut self) -> io::Result<()> {
        let turn = match self.choose() {
            Ok(turn) => turn,
            Err(Fault::Output(error)) => return Err(error),
            Err(Fault::Question(error)) => {
                self.out.line(&format!("info string error: {error}"))?;
                None
            }
        };
        // Some `go` commands must not be answered before `stop`.
        while self.go.waits && !self.stop.is_set() {
            std::thread::park_timeout(Duration::from_secs(1));
        }
        let word = turn.as_deref().map_or_else(|| "(none)".to_owned(), one_word);
        self.out.line(&format!("bestmove {word}"))
    }

    /// The turn to play in board coordinates; `None` if there is none.
    fn choose(&mut self) -> Result<Option<String>, Fault> {
        let (position, seat) = (self.played.position().to_owned(), self.played.to_move());
        if self.strength.is_random() && self.go.among.is_empty() {
            return self.any();
        }
        let began = Instant::now();
        let depth = self.strength.within(self.go.depth).horizon;
        let limits = SearchLimits { depth, ..self.limits.clone() };
        let game = Arc::clone(&self.game);
        let mut chosen = Ok(None);
        let probe = think(&game, (&position, seat), &limits, &self.stop, &mut |probe| {
            if chosen.is_ok() {
                chosen = self.choose_from(probe, began);
            }
        })?;
        let chosen = chosen?;
        if probe.turns_available.is_empty() {
            self.out.line("info string the game is over")?;
        } else if chosen.is_none() {
            self.out.line("info string error: none of the turns after searchmoves is legal here")?;
        }
        if let Some(turn) = chosen.as_ref().filter(|_| self.strength.is_perfect()) {
            self.out.line(&format!("info string {}", in_words(turn.verdict, probe.position.source)))?;
        }
        Ok(chosen.map(|turn| turn.turn_on_board))
    }

    /// Reports a result and returns the turn to play. The last reported first line begins with this turn.
    fn choose_from(&self, probe: &Probe, began: Instant) -> Result<Option<TurnValue>, Fault> {
        let mut turns = self.allowed(probe);
        // Makes the same choice regardless of the number of earlier results.
        let mut random = self.random.clone();
        let chooser = (self.strength, &mut random);
        let here = (self.played.positions(), self.played.to_move());
        let chosen = choose_turn(&self.game, here, &turns, chooser)?.cloned();
        if let Some(chosen) = chosen.as_ref().filter(|_| self.strength.is_perfect()) {
            if let Some(at) = turns.iter().position(|turn| turn == chosen) {
                turns[..=at].rotate_right(1);
            }
            self.report(probe, &turns, began)?;
        }
        Ok(chosen)
    }

    /// A random turn.
    fn any(&mut self) -> Result<Option<String>, Fault> {
        let turn = random_turn(&self.game, &self.played, &mut self.random)?;
        if turn.is_none() {
            self.out.line("info string the game is over")?;
        }
        Ok(turn)
    }

    /// The candidate turns.
    fn allowed(&self, probe: &Probe) -> Vec<TurnValue> {
        let among = &self.go.among;
        let is_allowed =
            |turn: &&TurnValue| among.is_empty() || among.contains(&one_word(&turn.turn_on_board));
        probe.turns_available.iter().filter(is_allowed).cloned().collect()
    }

    /// Reports the first turns with their values and lines.
    fn report(&self, probe: &Probe, turns: &[TurnValue], began: Instant) -> io::Result<()> {
        // Without a search, the number of positions that were looked up.
        let nodes = probe.nodes.unwrap_or(probe.turns_available.len() as u64);
        let lines = turns.iter().take(self.lines).map(|turn| {
            let mut line = vec![one_word(&turn.turn_on_board)];
            if turn.verdict.known().is_some() {
                line.extend(self.reply(turn));
            }
            (turn, line)
        });
        let lines: Vec<(&TurnValue, Vec<String>)> = lines.collect();
        let time = began.elapsed();
        let nps = (nodes as f64 / time.as_secs_f64().max(1e-6)) as u64;
        for (number, (turn, line)) in (1..).zip(lines) {
            let rank = if self.lines > 1 { format!("multipv {number} ") } else { String::new() };
            let score = score(turn.verdict).map_or_else(String::new, |score| format!("{score} "));
            self.out.line(&format!(
                "info depth {} {rank}{score}nodes {nodes} nps {nps} time {} pv {}",
                line.len(),
                time.as_millis(),
                line.join(" ")
            ))?;
        }
        Ok(())
    }

    /// The turns after a turn; fewer if finding them takes too long. Like values, they are read from a table even
    /// after `stop`.
    fn reply(&self, turn: &TurnValue) -> Vec<String> {
        let depth = self.strength.within(self.go.depth).horizon.map(|depth| depth.saturating_sub(1));
        let limits = SearchLimits { nodes: LINE_NODES, time: LINE_TIME, depth };
        let seat = self.played.to_move().other();
        let bounds = match self.game.has_table() {
            true => StopSignal::default().bounds(TABLE_LINE_TIME),
            false => self.stop.bounds(LINE_TIME),
        };
        let line = bounds.within(|| self.game.line(&turn.position, seat, LINE, &limits));
        line.map_or_else(
            |_| Vec::new(),
            |line| line.line.iter().map(|step| one_word(&step.turn_on_board)).collect(),
        )
    }
}

/// Why there is no turn.
enum Fault {
    /// The output is closed.
    Output(io::Error),
    /// The position has no answer.
    Question(Error),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Fault {
        Fault::Output(error)
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        Fault::Question(error)
    }
}
