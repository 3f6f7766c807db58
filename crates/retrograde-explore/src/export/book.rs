//! Opening books: the turns of the first plies of a game with their values, as CSV.

use std::collections::HashSet;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use retrograde_game::Seat;

use super::csv::csv_field;
use super::output_file::OutputFile;
use crate::{Error, OpenGame, SearchLimits, Verdict};

/// The numbers of positions and turns in a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrittenBook {
    /// Positions in which the game is not over.
    pub positions: u64,
    /// Turns, one per row.
    pub rows: u64,
}

impl OpenGame {
    /// Writes a book with all turns of the positions that can be reached in fewer than `plies` plies, each position
    /// once, in the order of a breadth-first search. A ply is one turn; the placement of one player's pieces is a
    /// ply too. Calls `report` with the number of positions so far; return `false` to stop.
    ///
    /// Values come from the table, or else from the rules and published results.
    ///
    /// # Errors
    /// If a value is unknown and there is no table, a position has too many turns to list, the table is damaged,
    /// the file cannot be written, or `report` stopped the work. Then no file is written, and an existing one stays
    /// as it was.
    pub fn export_book(
        &self,
        path: &Path,
        plies: u32,
        report: &mut dyn FnMut(u64) -> bool,
    ) -> Result<WrittenBook, Error> {
        let mut file = OutputFile::create(path)?;
        file.write_all(b"ply,position,outcome,turns,turn,turn_position,turn_outcome,turn_turns\n")?;
        let limits = SearchLimits { nodes: 0, time: Duration::MAX, depth: None };
        let mut written = WrittenBook { positions: 0, rows: 0 };
        let mut seen = HashSet::from([self.start()]);
        let mut at_ply = vec![self.start()];
        for ply in 0..plies {
            let mut next = Vec::new();
            for position in at_ply {
                let probe = self.probe(&position, Seat::First, &limits)?;
                if probe.incomplete {
                    return Err(crate::bounds::too_many_turns());
                }
                written.positions += u64::from(!probe.turns_available.is_empty());
                let before = format!("{ply},{},{}", csv_field(&position), value(probe.position.verdict));
                for turn in probe.turns_available {
                    if turn.verdict.known().is_none() && !self.has_table() {
                        return Err(self.no_table());
                    }
                    let (turn_text, after) = (csv_field(&turn.turn), csv_field(&turn.position));
                    writeln!(file, "{before},{turn_text},{after},{}", value(turn.verdict))?;
                    written.rows += 1;
                    if ply + 1 < plies && seen.insert(turn.position.clone()) {
                        next.push(turn.position);
                    }
                }
                if !report(written.positions) {
                    return Err(Error::Stopped);
                }
            }
            at_ply = next;
        }
        file.finish()?;
        Ok(written)
    }
}

/// The two fields of a value. Both are empty if it is unknown.
fn value(verdict: Verdict) -> String {
    let outcome = verdict.known().map_or("", |_| verdict.outcome);
    format!("{outcome},{}", verdict.turns.map_or_else(String::new, |turns| turns.to_string()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use retrograde_solve::Silent;
    use retrograde_testkit::tempdir;

    use super::*;
    use crate::testing::Heaps;
    use crate::{Entry, SolveOptions};

    #[test]
    fn a_book_has_all_turns_of_the_first_plies_with_their_values() {
        let folder = tempdir().unwrap();
        let entry = Entry::new(Heaps::default(), "Two heaps.").symmetries().build();
        let game = entry.solve_in_memory(&SolveOptions::default(), &Silent).unwrap();
        let path = folder.path().join("book.csv");
        let limits = SearchLimits::default();
        for plies in 0..5 {
            let written = game.export_book(&path, plies, &mut |_| true).unwrap();
            let text = fs::read_to_string(&path).unwrap();
            let mut lines = text.lines().skip(1);
            // The same, from probes.
            let (mut rows, mut positions) = (0, 0);
            let mut seen = BTreeSet::from([game.start()]);
            let mut at_ply = vec![game.start()];
            for ply in 0..plies {
                let mut next = Vec::new();
                for position in at_ply {
                    let probe = game.probe(&position, Seat::First, &limits).unwrap();
                    positions += u64::from(!probe.turns_available.is_empty());
                    for turn in probe.turns_available {
                        let words = [probe.position.verdict, turn.verdict]
                            .map(|verdict| format!("{},{}", verdict.outcome, verdict.turns.unwrap()));
                        let [own, after] = words;
                        let row = format!("{ply},{position},{own},{},{},{after}", turn.turn, turn.position);
                        assert_eq!(lines.next(), Some(&*row));
                        rows += 1;
                        if seen.insert(turn.position.clone()) {
                            next.push(turn.position);
                        }
                    }
                }
                at_ply = next;
            }
            assert_eq!((lines.next(), written), (None, WrittenBook { positions, rows }));
        }
        assert!(matches!(game.export_book(&path, 3, &mut |_| false), Err(Error::Stopped)));
        let unsolved = entry.explore(folder.path()).unwrap();
        assert!(matches!(unsolved.export_book(&path, 2, &mut |_| true), Err(Error::NoTable { .. })));
        assert!(fs::read_to_string(&path).unwrap().starts_with("ply,position,"), "the file stays as it was");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
