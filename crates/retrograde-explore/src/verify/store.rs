//! Checking a whole table: its files, its values on all threads, its statistics; and what that
//! proves.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::Mutex;
use retrograde_game::{Game, Random, Show};
use retrograde_solve::Progress;
use retrograde_table::{ByTurns, CellWidth, Counts, Table, TableError, TableKind};

use crate::Findings;
use crate::Resources;
use crate::game::open::OpenGame;
use crate::machine::usable_memory;
use crate::query::lookup::stored_or_rules;
use crate::store::codes::{Bits, Bytes, Cached, Loaded, TwoBits, WideBytes, raw_cells};
use crate::store::dense::StoredValues;
use crate::store::derive::{Check, CodeSource};
use crate::verify::by_position::derive_archive;
use crate::{Count, Error, Verification};

/// Places that a thread takes at a time.
const PIECE: u64 = 1 << 14;

pub(crate) fn verify<G: Game + Show + 'static>(
    open: &OpenGame<'_, G>,
    sample: Option<u64>,
    resources: &Resources<'_>,
) -> Result<Verification, Error> {
    let values = open.stored()?;
    // A sample of as many as there are would miss some and take as long as all.
    let places = match values {
        StoredValues::Dense(table) => table.manifest().index_count,
        StoredValues::Sparse(sparse) => sparse.len(),
        StoredValues::Archive(archive) => archive.indices(),
    };
    let sample = sample.filter(|&sample| sample < places);
    let mut findings = Findings::default();
    let blocks = check_files(values, resources.progress, &mut findings)?;
    if resources.progress.stopped() {
        return Err(Error::Stopped);
    }
    let full = sample.is_none();
    // Values of a damaged file are not worth deriving; the file must be mended first.
    if findings.error_count == 0 {
        let checked = derive_values(open, values, sample, resources);
        match checked {
            Ok(found) => findings.merge(found),
            Err(Error::Table(error @ (TableError::Damaged { .. } | TableError::Truncated { .. }))) => {
                findings.error(|| error.to_string());
            }
            Err(error) => return Err(error),
        }
        if full && findings.error_count == 0 {
            recount(open, values, resources.threads, &mut findings)?;
        }
        check_start(open, values, &mut findings)?;
    }
    let (proof, proved) = proof(open, values, full, findings.error_count == 0);
    Ok(Verification {
        game: open.name.clone(),
        blocks: Count(blocks.into()),
        positions: Count(findings.positions.into()),
        full,
        proof,
        proved,
        errors: findings.errors,
        error_count: Count(findings.error_count.into()),
    })
}

fn derive_values<G: Game + Show + 'static>(
    open: &OpenGame<'_, G>,
    values: &StoredValues,
    sample: Option<u64>,
    resources: &Resources<'_>,
) -> Result<Findings, Error> {
    let &Resources { threads, progress, .. } = resources;
    let exact = values.kind() != TableKind::Outcomes;
    let horizon = values.horizon();
    let (prelude_from, places) = match values {
        StoredValues::Dense(table) => {
            let manifest = table.manifest();
            (manifest.index_count - manifest.prelude, manifest.index_count)
        }
        StoredValues::Sparse(sparse) => (u64::MAX, sparse.len()),
        StoredValues::Archive(archive) => {
            let proved = match sample {
                None => archive.prove(resources),
                Some(_) => None,
            };
            return match proved {
                Some(found) => found.map_err(|error| open.entry.explained(error)),
                None => derive_archive(open, &**archive, sample, threads, progress),
            };
        }
    };
    let run = |view: CodeSource<'_>| {
        let check = Check { view, exact, horizon, prelude_from };
        let findings = derive_all(open, &check, places, sample, threads, progress)?;
        match check.view {
            CodeSource::Cached(cached) => cached.fault().map_or(Ok(findings), |error| Err(error.into())),
            _ => Ok(findings),
        }
    };
    match values {
        StoredValues::Archive(_) => Ok(Findings::default()),
        StoredValues::Sparse(sparse) => run(CodeSource::Loaded(&Loaded::new(sparse)?)),
        StoredValues::Dense(table) => {
            let manifest = table.manifest();
            let fits = usable_memory().is_none_or(|memory| manifest.raw_bytes() < memory);
            // A small sample of a large table is probed; everything else is faster from memory.
            if !fits || sample.is_some_and(|sample| sample < places / 64) {
                return run(CodeSource::Cached(Cached::new(table)));
            }
            let cells = raw_cells(table, threads)?;
            run(match manifest.cell {
                CellWidth::Byte => CodeSource::Narrow(Bytes(&cells)),
                CellWidth::TwoBytes => CodeSource::Wide(WideBytes(&cells)),
                CellWidth::TwoBits => CodeSource::TwoBits(TwoBits(&cells)),
                CellWidth::Bit => CodeSource::Bits(Bits(&cells)),
            })
        }
    }
}

fn derive_all<G: Game + Show + 'static>(
    open: &OpenGame<'_, G>,
    check: &Check<'_>,
    places: u64,
    sample: Option<u64>,
    threads: usize,
    progress: &dyn Progress,
) -> Result<Findings, Error> {
    let dense = open.entry.dense.ok_or_else(|| open.no_table())?;
    let game = &open.entry.game;
    let (piece, total) = match sample {
        None => (PIECE, places),
        Some(sample) => (1 << 6, if places == 0 { 0 } else { sample }),
    };
    progress.stage("deriving values again", total);
    let next = AtomicU64::new(0);
    let stopped = AtomicBool::new(false);
    let all = Mutex::new(Findings::default());
    let work = || {
        let mut findings = Findings::default();
        loop {
            let from = next.fetch_add(piece, Ordering::Relaxed);
            if from >= total || stopped.load(Ordering::Relaxed) {
                break;
            }
            let to = (from + piece).min(total);
            if sample.is_some() {
                for number in from..to {
                    // Each number has a place of its own, whichever thread looks there.
                    let place = Random::new(number).below(places);
                    dense.derive(game, check, place..place + 1, &mut findings);
                }
            } else {
                dense.derive(game, check, from..to, &mut findings);
            }
            progress.advance(to - from);
            if progress.stopped() {
                stopped.store(true, Ordering::Relaxed);
            }
        }
        all.lock().merge(findings);
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.max(1) {
            scope.spawn(work);
        }
        work();
    });
    if stopped.into_inner() {
        return Err(Error::Stopped);
    }
    Ok(all.into_inner())
}

/// Compares the statistics with what is stored.
fn recount<G: Game + Show + 'static>(
    open: &OpenGame<'_, G>,
    values: &StoredValues,
    threads: usize,
    findings: &mut Findings,
) -> Result<(), Error> {
    let dense = open.entry.dense.ok_or_else(|| open.no_table())?;
    let mut counts = match values {
        StoredValues::Archive(_) => return Ok(()),
        StoredValues::Dense(table) => {
            let mut counts = table.count(threads)?;
            for (outcome, count) in dense.unnumbered(&open.entry.game) {
                counts.add_over(outcome, count);
            }
            counts
        }
        StoredValues::Sparse(sparse) => {
            let mut counts = Counts::default();
            for number in 0..sparse.block_count() {
                counts.merge(&Counts::of_scores(&sparse.read_block(number)?.scores));
            }
            counts
        }
    };
    if values.kind() == TableKind::Outcomes {
        counts.by_turns = ByTurns::default();
    }
    let written = values.counts();
    for (what, found, written) in [
        ("positions", counts.positions, written.positions),
        ("wins", counts.wins, written.wins),
        ("losses", counts.losses, written.losses),
        ("draws", counts.draws, written.draws),
        ("undecided positions", counts.unknown, written.unknown),
    ] {
        if found != written {
            findings.error(|| format!("the manifest counts {written} {what}, the table has {found}"));
        }
    }
    if counts.by_turns != written.by_turns {
        findings.error(|| "the manifest counts other numbers of turns than the table has".to_owned());
    }
    // With an unknown start or a position that the rules end early the game counts otherwise.
    let whole = matches!(values, StoredValues::Dense(_));
    let expected = open.entry.game.position_count();
    if whole && counts.positions.0 != expected {
        let found = counts.positions;
        findings.error(|| format!("the game has {expected} positions, the table has {found}"));
    }
    Ok(())
}

/// Compares the value of the start in the manifest with the table's.
fn check_start<G: Game + Show + 'static>(
    open: &OpenGame<'_, G>,
    values: &StoredValues,
    findings: &mut Findings,
) -> Result<(), Error> {
    let Some(written) = values.start() else { return Ok(()) };
    let found = stored_or_rules(open, &open.entry.game.start())?;
    if written.outcome != found.outcome() || written.turns != found.turns() {
        findings.error(|| "the manifest has another value of the start than the table".to_owned());
    }
    Ok(())
}

fn proof<G: Game + Show + 'static>(
    open: &OpenGame<'_, G>,
    values: &StoredValues,
    full: bool,
    right: bool,
) -> (String, bool) {
    let exact = values.kind() != TableKind::Outcomes;
    let (proof, proved) = if !right {
        ("There are errors.", false)
    } else if !full {
        ("Only a sample was derived again: nothing speaks against the table, but it is not proved.", false)
    } else if exact && values.horizon().is_some() {
        (
            "Every decided value was derived again from values in fewer turns, down to games that are over: \
             this proves the wins and losses of the table; undecided positions stay open.",
            true,
        )
    } else if exact {
        (
            "Every win and loss was derived again from values in fewer turns, down to games that are over, \
             and draws can always be kept: this proves the table.",
            true,
        )
    } else if open.entry.graded {
        (
            "Every outcome was derived again, and as positions cannot repeat each rests on positions nearer \
             to the end: this proves the table.",
            true,
        )
    } else {
        (
            "Every outcome was derived again, but without turns to the end wrong outcomes of positions that \
             repeat could support each other: this does not prove the table.",
            false,
        )
    };
    (proof.to_owned(), proved)
}

/// Checks the files; the number of blocks.
fn check_files(
    values: &StoredValues,
    progress: &dyn Progress,
    findings: &mut Findings,
) -> Result<u64, Error> {
    match values {
        StoredValues::Dense(table) => check_table(table, progress, findings),
        StoredValues::Archive(archive) => {
            let (blocks, wrong) = archive.check(progress)?;
            wrong.into_iter().for_each(|error| findings.error(|| error.to_string()));
            Ok(blocks)
        }
        StoredValues::Sparse(sparse) => {
            let blocks = sparse.block_count();
            progress.stage("checking files", blocks as u64);
            for number in 0..blocks {
                match sparse.read_block(number) {
                    Ok(_) => {}
                    Err(error @ TableError::Damaged { .. }) => findings.error(|| error.to_string()),
                    Err(error) => return Err(error.into()),
                }
                progress.advance(1);
            }
            Ok(blocks as u64)
        }
    }
}

fn check_table(table: &Table, progress: &dyn Progress, findings: &mut Findings) -> Result<u64, Error> {
    progress.stage("checking files", table.manifest().values.bytes);
    let mut told = 0;
    let report = table.check_files(|done, _| {
        progress.advance(done.saturating_sub(told));
        told = told.max(done);
    })?;
    for fault in report.faults {
        findings.error(|| fault.to_string());
    }
    Ok(report.blocks)
}
