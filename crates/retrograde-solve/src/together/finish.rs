//! Finishes a solve of a dense numbering: solves the positions before the game and sends all scores to
//! process 0, in pieces of bounded size and in the order of indices. The table is therefore the same as
//! on a single machine.

use std::ops::Range;

use retrograde_game::{Dense, Index, Score};

use super::ask::Seen;
use super::dense::{Attempt, BySuccessors, DenseShare, Verdict};
use super::sink::{ScoreSink, ScoreTotals};
use super::team::Team;
use crate::array::ScoreArray;
use crate::exchange::Piece;
use crate::job::SolveError;
use crate::position::score_before;

/// The number of indices in a window, whose scores all processes together send in one round.
const WINDOW: u64 = 1 << 22;

impl<G: Dense> DenseShare<'_, G> {
    /// Solves the positions before the game and passes all scores to the sink of process 0.
    pub fn finish(&self, team: &mut Team<'_, '_>, sink: &mut dyn ScoreSink) -> Attempt {
        if !self.before_the_game(team)? {
            return Ok(false);
        }
        self.hand_over(team, sink)?;
        Ok(true)
    }

    /// Solves the positions before the game, where some turns may not count, from the values of their
    /// successors. Returns `false` if a score does not fit.
    fn before_the_game(&self, team: &mut Team<'_, '_>) -> Result<bool, SolveError> {
        if self.game.prelude() == 0 {
            return Ok(true);
        }
        // A code that no solver uses marks positions that have not been examined yet.
        let places = self.own_main..self.own();
        places.clone().for_each(|place| self.scores.set(place, u16::NOT_LOST));
        let rule = |index: Index, seen: Seen| {
            if seen.waits {
                return Verdict::Open;
            }
            let Some(position) = self.game.position(index) else { return Verdict::Decided(u16::NONE) };
            let score = score_before(self.game, &position, seen.least, seen.undecided);
            score.map_or(Verdict::TooLong, Verdict::Decided)
        };
        let mut by_successors = BySuccessors::new(self, rule, false);
        team.ask_in_passes(&mut by_successors, team.batch(self.turns()), |_| {
            places.clone().filter(|&place| self.scores.get(place) == u16::NOT_LOST).collect()
        })?;
        Ok(!team.any_failed(by_successors.too_long)?)
    }

    /// Passes all scores to the sink of process 0, one window per round. Process 0 begins the next
    /// round only after the sink has taken the window, so the other processes are at most one window
    /// ahead, and at most one window is buffered.
    fn hand_over(&self, team: &mut Team<'_, '_>, sink: &mut dyn ScoreSink) -> Result<(), SolveError> {
        let totals = self.totals(team)?;
        let count = self.partition.count();
        team.job.progress.stage("writing", count);
        if team.me == 0 {
            sink.begin(&totals).map_err(SolveError::Outside)?;
        }
        let step = team.job.window.unwrap_or(WINDOW).max(1);
        let mut from = 0;
        while from < count {
            let window = from..count.min(from.saturating_add(step));
            let mut bytes = Vec::new();
            // Process 0 reads its own scores directly.
            if team.me != 0 {
                for (place, range) in self.partition.own_pieces(self.me, window.clone()) {
                    let places = place..place + (range.end - range.start);
                    places.for_each(|place| self.width().put(self.scores.get(place), &mut bytes));
                }
            }
            let pieces = team.send_to_first(bytes)?;
            if team.me == 0 {
                let scores = self.in_order(team, &window, pieces)?;
                sink.take(&scores.into_scores()).map_err(SolveError::Outside)?;
            }
            team.job.progress.advance(window.end - window.start);
            from = window.end;
        }
        Ok(())
    }

    /// Merges the scores of a window at process 0: its own and the ones that the others sent.
    fn in_order(
        &self,
        team: &Team<'_, '_>,
        window: &Range<u64>,
        pieces: Vec<Piece>,
    ) -> Result<ScoreArray, SolveError> {
        let mut sent: Vec<Vec<u8>> = vec![Vec::new(); self.partition.processes()];
        for piece in pieces {
            match sent.get_mut(piece.process) {
                Some(bytes) if bytes.is_empty() => *bytes = piece.bytes,
                _ => return Err(piece.wrong("unexpected bytes")),
            }
        }
        let width = self.width();
        let scores = ScoreArray::new(&team.pool, width, (window.end - window.start) as usize, u16::UNKNOWN)?;
        for (from, bytes) in (0..).zip(sent) {
            let others = || SolveError::Protocol { from: from as usize, what: "scores of others" };
            let mut at = 0;
            for (place, range) in self.partition.own_pieces(from, window.clone()) {
                for (index, place) in range.zip(place..) {
                    let score = if from == self.me {
                        self.scores.get(place)
                    } else {
                        at += 1;
                        width.take(&bytes, at - 1).ok_or_else(others)?
                    };
                    scores.set(index - window.start, score);
                }
            }
            if at * width.bytes() != bytes.len() {
                return Err(others());
            }
        }
        Ok(scores)
    }

    /// The totals of all scores, which process 0 needs before the first of them arrives.
    fn totals(&self, team: &mut Team<'_, '_>) -> Result<ScoreTotals, SolveError> {
        let counts = self.scores.counts(&team.pool, 0..self.own_main);
        let undecided = (self.own_main..self.own()).any(|place| self.scores.is_unknown(place));
        Ok(ScoreTotals {
            indices: self.partition.count(),
            score_bytes: self.width().bytes(),
            counts: team.all_counts(&counts)?,
            undecided_before: team.any_failed(undecided)?,
        })
    }
}
