//! Checks a solved game: its files, its values, which are recomputed, and its statistics; and
//! says what that proves.

use retrograde_table::{ByTurns, TableError};

use crate::long_work::long_work;
use crate::query::lookup::stored_or_rules;
use crate::verify::by_codes::derive_by_codes;
use crate::verify::by_position::derive_by_position;
use crate::{Count, Error, Findings, OpenGame, Resources, StoreKind, ValueStore, Verification};

impl OpenGame {
    /// Checks the files and recomputes values from their successors: a random `sample`, or all.
    ///
    /// # Errors
    /// Returns [`Error::NoTable`], or an error if it was stopped. Errors *in* the table
    /// are reported, not returned.
    pub fn verify(&self, sample: Option<u64>, resources: &Resources<'_>) -> Result<Verification, Error> {
        long_work(|| {
            let values = self.stored()?;
            let places = values.facts().place_count + values.facts().prelude_count;
            // A sample as large as the table would miss some positions and take as long as all.
            let sample = sample.filter(|&sample| sample < places);
            let mut findings = Findings::default();
            let (blocks, faults) = values.check(resources.progress)?;
            faults.iter().for_each(|fault| findings.error(|| fault.to_string()));
            let shade_blocks = check_shades(self, &mut findings, resources)?;
            if resources.progress.stopped() {
                return Err(Error::Stopped);
            }
            let full = sample.is_none();
            // A damaged file must be repaired first, so its values are not derived.
            if findings.error_count == 0 {
                match derive_values(self, values, sample, resources) {
                    Ok(found) => findings.merge(found),
                    Err(Error::Table(
                        error @ (TableError::Damaged { .. } | TableError::Truncated { .. }),
                    )) => {
                        findings.error(|| error.to_string());
                    }
                    Err(error) => return Err(error),
                }
                let facts = values.facts();
                if full && facts.kind == StoreKind::Reachable && findings.positions != facts.place_count {
                    let (found, all) = (findings.positions, facts.place_count);
                    findings.error(|| format!("only {found} of {all} values were recomputed"));
                }
                if full && findings.error_count == 0 {
                    recount(self, values, resources.threads, &mut findings)?;
                }
                check_start(self, values, &mut findings)?;
            }
            let (proof, proved) = proof(self, values, full, findings.error_count == 0);
            Ok(Verification {
                game: self.name().to_owned(),
                blocks: Count(u128::from(blocks + shade_blocks)),
                positions: Count(findings.positions.into()),
                full,
                proof,
                proved,
                errors: findings.errors,
                error_count: Count(findings.error_count.into()),
            })
        })
    }
}

/// Reads the shades of draws, if there are any, and returns the number of their blocks. No value
/// depends on them.
fn check_shades(open: &OpenGame, findings: &mut Findings, resources: &Resources<'_>) -> Result<u64, Error> {
    if let Some(note) = &open.shade_note {
        findings.error(|| note.clone());
    }
    let Some(shades) = &open.shades else { return Ok(0) };
    let (blocks, faults) = shades.check(resources.progress)?;
    faults.iter().for_each(|fault| findings.error(|| fault.to_string()));
    Ok(blocks)
}

/// Recomputes values: with the store's own method, from the codes of its values, or position by
/// position.
fn derive_values(
    open: &OpenGame,
    values: &dyn ValueStore,
    sample: Option<u64>,
    resources: &Resources<'_>,
) -> Result<Findings, Error> {
    if sample.is_none()
        && let Some(found) = values.prove(resources)
    {
        return found.map_err(|error| open.entry.explained(error));
    }
    match values.codes(sample, resources)? {
        Some(codes) => derive_by_codes(open, values, codes, sample, resources),
        None => derive_by_position(open, values, sample, resources),
    }
}

/// Compares the statistics with the stored values.
fn recount(
    open: &OpenGame,
    values: &dyn ValueStore,
    threads: usize,
    findings: &mut Findings,
) -> Result<(), Error> {
    let Some(mut counts) = values.recount(threads)? else { return Ok(()) };
    let whole = values.facts().has_all_positions;
    if whole {
        for (outcome, count) in open.entry.left_out() {
            counts.add_over(outcome, count);
        }
    }
    if !values.facts().has_turns {
        counts.by_turns = ByTurns::default();
    }
    let written = values.facts().counts;
    for (what, found, written) in [
        ("positions", counts.positions, written.positions),
        ("wins", counts.wins, written.wins),
        ("losses", counts.losses, written.losses),
        ("draws", counts.draws, written.draws),
        ("undecided positions", counts.unknown, written.unknown),
    ] {
        if found != written {
            findings.error(|| format!("the manifest says {written} {what}, but the table has {found}"));
        }
    }
    if counts.by_turns != written.by_turns {
        findings
            .error(|| "the manifest and the table differ in the numbers of positions by turns".to_owned());
    }
    // With an unknown start, or positions that the rules end early, the game counts differently.
    let expected = open.entry.game.facts().position_count;
    if whole && counts.positions.0 != expected {
        let found = counts.positions;
        findings.error(|| format!("the game has {expected} positions, but the table has {found}"));
    }
    Ok(())
}

/// Compares the value of the start in the manifest with the table's.
fn check_start(open: &OpenGame, values: &dyn ValueStore, findings: &mut Findings) -> Result<(), Error> {
    let Some(written) = values.start() else { return Ok(()) };
    let found = stored_or_rules(open, &open.entry.game.start())?;
    if written.outcome != found.outcome() || written.turns != found.turns() {
        findings.error(|| "the manifest and the table give different values for the start".to_owned());
    }
    Ok(())
}

fn proof(open: &OpenGame, values: &dyn ValueStore, full: bool, right: bool) -> (String, bool) {
    let exact = values.facts().has_turns;
    let (proof, proved) = if !right {
        ("There are errors.", false)
    } else if !full {
        ("Not every value was recomputed, so this does not prove the table.", false)
    } else if exact && values.facts().horizon.is_some() {
        (
            "Every win and loss was recomputed from values with fewer turns, down to finished games: this \
             proves them. Undecided positions remain undecided.",
            true,
        )
    } else if exact {
        (
            "Every win and loss was recomputed from values with fewer turns, down to finished games, and \
             every draw can be held: this proves the table.",
            true,
        )
    } else if open.entry.graded {
        (
            "Every outcome was recomputed. Positions cannot repeat, so each outcome depends only on \
             positions closer to the end: this proves the table.",
            true,
        )
    } else {
        (
            "Every outcome was recomputed. But without turns to the end, wrong outcomes of positions that \
             repeat could support each other: this does not prove the table.",
            false,
        )
    };
    (proof.to_owned(), proved)
}
