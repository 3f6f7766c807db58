//! One `go`: thinks on a thread of its own, reports, and names the turn.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use retrograde_explore::{Error, Explore, Probe, SearchLimits, TurnValue};
use retrograde_game::Random;
use retrograde_solve::clock::Instant;

use super::go::Go;
use super::report::{in_words, score};
use super::session::Writer;
use crate::{PlayedGame, StopSignal, Strength, choose_turn, one_word, random_turn, think};

/// The most turns of a line that is shown.
const LINE: usize = 60;
/// Positions and time for a line where there is no table: it is for the reader, and not for the game.
const LINE_NODES: u64 = 100_000;
const LINE_TIME: Duration = Duration::from_millis(100);

/// All that one search needs.
pub(super) struct Search {
    pub(super) game: Arc<dyn Explore>,
    pub(super) played: PlayedGame,
    pub(super) go: Go,
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
    /// If nothing can be written. Everything else is told.
    pub(super) fn run(mut self) -> io::Result<()> {
        let turn = match self.choose() {
            Ok(turn) => turn,
            Err(Fault::Output(error)) => return Err(error),
            Err(Fault::Question(error)) => {
                self.out.line(&format!("info string error: {error}"))?;
                None
            }
        };
        // Some `go` ask for no answer before `stop`.
        while self.go.waits && !self.stop.is_set() {
            std::thread::park_timeout(Duration::from_secs(1));
        }
        let word = turn.as_deref().map_or_else(|| "(none)".to_owned(), one_word);
        self.out.line(&format!("bestmove {word}"))
    }

    /// The turn to make, in the coordinates of the board; `None` if there is none.
    fn choose(&mut self) -> Result<Option<String>, Fault> {
        let (position, seat) = (self.played.position().to_owned(), self.played.to_move());
        if self.strength.is_random() && self.go.among.is_empty() {
            return self.any();
        }
        let began = Instant::now();
        let mut written = Ok(());
        let game = Arc::clone(&self.game);
        let probe = think(&*game, (&position, seat), self.go.limits, &self.stop, &mut |probe| {
            if written.is_ok() && self.strength.is_perfect() {
                written = self.report(probe, began);
            }
        })?;
        written?;
        let Some(probe) = probe else {
            self.out.line("info string there was no time to look at any turn")?;
            return self.any();
        };
        if probe.turns_available.is_empty() {
            self.out.line("info string the game is over")?;
            return Ok(None);
        }
        if self.strength.is_perfect() {
            self.out
                .line(&format!("info string {}", in_words(probe.position.verdict, probe.position.source)))?;
        }
        let turns = self.allowed(&probe);
        if turns.is_empty() {
            self.out.line("info string error: none of the turns after searchmoves is legal here")?;
            return Ok(None);
        }
        let strength = self.strength.within(self.go.depth);
        let chooser = (strength, &mut self.random);
        let chosen = choose_turn(&*game, (self.played.positions(), seat), &turns, chooser)?;
        // Programs believe that the last line that was shown begins with the turn that is made.
        if let Some(chosen) = chosen.filter(|chosen| strength.is_perfect() && **chosen != turns[0]) {
            let probe = Probe { turns_available: vec![chosen.clone()], ..probe };
            self.report(&probe, began)?;
        }
        Ok(chosen.map(|turn| turn.turn_on_board.clone()))
    }

    /// A turn at random.
    fn any(&mut self) -> Result<Option<String>, Fault> {
        let turn = random_turn(&*self.game, &self.played, &mut self.random)?;
        if turn.is_none() {
            self.out.line("info string the game is over")?;
        }
        Ok(turn)
    }

    /// The turns to choose from.
    fn allowed(&self, probe: &Probe) -> Vec<TurnValue> {
        let among = &self.go.among;
        let is_allowed =
            |turn: &&TurnValue| among.is_empty() || among.contains(&one_word(&turn.turn_on_board));
        probe.turns_available.iter().filter(is_allowed).cloned().collect()
    }

    /// Writes the best turns with their values and how the game goes on.
    fn report(&self, probe: &Probe, began: Instant) -> io::Result<()> {
        let turns = self.allowed(probe);
        // Where nothing was searched, the positions that were looked up.
        let nodes = probe.nodes.unwrap_or(probe.turns_available.len() as u64);
        for (number, turn) in turns.iter().take(self.lines).enumerate() {
            let mut line = vec![one_word(&turn.turn_on_board)];
            if turn.verdict.known().is_some() {
                line.extend(self.reply(turn));
            }
            let time = began.elapsed().as_millis();
            let rank = if self.lines > 1 { format!("multipv {} ", number + 1) } else { String::new() };
            let score = score(turn.verdict).map_or_else(String::new, |score| format!("{score} "));
            let depth = line.len();
            self.out.line(&format!(
                "info depth {depth} {rank}{score}nodes {nodes} time {time} pv {}",
                line.join(" ")
            ))?;
        }
        Ok(())
    }

    /// The turns after a turn; none where finding them takes too long.
    fn reply(&self, turn: &TurnValue) -> Vec<String> {
        let limits = SearchLimits { nodes: LINE_NODES, time: LINE_TIME };
        let seat = self.played.to_move().other();
        let time = if self.game.has_table() { None } else { Some(LINE_TIME) };
        let line = self.stop.bounds(time).within(|| self.game.line(&turn.position, seat, LINE, &limits));
        line.map_or_else(
            |_| Vec::new(),
            |line| line.line.iter().map(|step| one_word(&step.turn_on_board)).collect(),
        )
    }
}

/// Why there is no turn.
enum Fault {
    /// Nobody reads.
    Output(io::Error),
    /// The question has no answer.
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
