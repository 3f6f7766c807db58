//! Files in published formats: the digits of consecutive positions, several per byte.

use std::path::Path;

use retrograde_game::{Knowledge, Turns, Value};
use retrograde_solve::in_order;

use super::published_output::{PublishedOutput, state_path};
use crate::game::published::{Digits, PublishJob, Published, PublishedFile};
use crate::machine::is_in_memory;
use crate::query::lookup::stored_or_rules;
use crate::{BulkValues, Error, OpenGame, Position, Resources};

/// Bytes that a thread computes at a time.
const PIECE: u64 = 1 << 14;
/// The maximum number of values that are looked up one by one in a solution without wins, where each takes milliseconds.
const MAX_WITHOUT_WINS: u64 = 1 << 26;

impl OpenGame {
    /// Writes a file in a published format, such as `phase0`, or only computes its digest. After a
    /// stop, the same command resumes.
    ///
    /// # Errors
    /// If there is no such form or part, the form needs a table that does not exist, or the file cannot be
    /// written.
    pub fn publish(&self, job: &PublishJob<'_>, resources: &Resources<'_>) -> Result<PublishedFile, Error> {
        let form = job.form;
        // The command line itself writes pages, `html`.
        let unknown = |has: &str| {
            Error::Unsupported(format!(
                "{} has no format `{form}`; it has csv, npy and parquet (data sets, also chosen by the extension of \
             --out), {has}",
                self.name()
            ))
        };
        let Some(published) = &self.entry.published else { return Err(unknown("and html (a page)")) };
        let digits = published
            .digits(form, job.part)?
            .ok_or_else(|| unknown(&format!("html (a page), {}", published.names())))?;
        let horizon = horizon_within_reach(self, digits.reach, form)?;
        let saved = match (job.out, &self.values) {
            (Some(out), _) => state_path(out)?,
            (None, Some(values)) => {
                Some(values.facts().path.join(format!("{}.digest.json", form.replace(':', "-"))))
            }
            (None, None) => None,
        };
        let stamp = self.values.as_ref().map(|values| values.stamp()).unwrap_or_default();
        let out = job.out.map(|out| out.display().to_string()).unwrap_or_default();
        let task = format!("{} {stamp} {form} {} {} {out}", self.name(), digits.from, digits.count);
        let mut output = PublishedOutput::open(task, job.out, saved)?;
        let resumed = output.summary.bytes;
        let mut memory = resources.memory;
        // A file in memory counts towards the memory limit.
        if job.out.and_then(Path::parent).is_some_and(is_in_memory) {
            memory = memory.saturating_sub(digits.count.div_ceil(digits.per_byte.into()));
        }
        let resources = &Resources { memory, ..*resources };
        let writer =
            FormWriter { open: self, published: &**published, form, digits: &digits, horizon, resources };
        let result = writer.write(&mut output);
        if let Err(error) = result {
            // The error takes precedence over one of saving the state.
            let _ = output.save();
            return Err(error);
        }
        if digits.per_byte == 1
            && let Some(values) = &self.values
            && let Err(error) = published.check(form, &digits, &output.summary.counts, &**values)
        {
            output.discard();
            return Err(error);
        }
        let summary = output.finish()?;
        let counts = match digits.per_byte {
            1 => (0..=u8::MAX)
                .zip(&summary.counts)
                .filter(|(_, count)| **count > 0)
                .map(|(byte, &count)| (byte, count))
                .collect(),
            _ => Vec::new(),
        };
        Ok(PublishedFile { digits, bytes: summary.bytes, sha256: summary.sha256(), counts, resumed })
    }
}

/// The horizon of the values, if it is high enough for a form.
fn horizon_within_reach(open: &OpenGame, reach: Option<Turns>, form: &str) -> Result<Option<Turns>, Error> {
    // The rules alone show wins in one turn.
    let horizon =
        open.values.as_ref().and_then(|values| values.facts().horizon).map(|horizon| horizon.max(Turns(1)));
    if let Some(horizon) = horizon
        && reach.is_none_or(|reach| reach > horizon)
    {
        let (needs, name) = (reach.map_or("all".to_owned(), |reach| reach.to_string()), open.name());
        return Err(Error::Unsupported(format!(
            "the format `{form}` needs {needs} turns; {name} is solved up to {horizon} (solve it without --max-turns, or with more)"
        )));
    }
    Ok(horizon)
}

/// Computes the bytes of a form.
struct FormWriter<'a> {
    open: &'a OpenGame,
    published: &'a dyn Published,
    form: &'a str,
    digits: &'a Digits,
    horizon: Option<Turns>,
    resources: &'a Resources<'a>,
}

impl FormWriter<'_> {
    /// Writes all bytes that an output does not have yet.
    fn write(&self, output: &mut PublishedOutput) -> Result<(), Error> {
        let &Digits { from, count, per_byte, .. } = self.digits;
        if let (Some(values), 1) = (&self.open.values, per_byte) {
            let numbers = from + output.summary.bytes..from + count;
            let mut write = |bytes: &[u8]| {
                output.write(bytes)?;
                Ok(output.save()?)
            };
            if let Some(result) = values.published_bytes(self.form, numbers, self.resources, &mut write) {
                return result.map_err(|error| self.open.entry.explained(error));
            }
        }
        self.write_by_number(output)
    }

    /// Refuses values that would take weeks to look up.
    fn refuse_without_wins(&self) -> Result<(), Error> {
        let FormWriter { open, form, digits, .. } = self;
        let slow = open
            .values
            .as_ref()
            .is_some_and(|values| values.facts().looks_at_turns && !values.facts().has_wins);
        if !slow || digits.per_byte > 1 || digits.count <= MAX_WITHOUT_WINS {
            return Ok(());
        }
        Err(Error::Unsupported(format!(
            "without the wins file, or memory for all values, every value of `{form}` would be looked up \
             separately, which takes weeks: `retrograde solve {} --with-wins` adds the file",
            open.name()
        )))
    }

    /// Writes the bytes digit by digit.
    fn write_by_number(&self, output: &mut PublishedOutput) -> Result<(), Error> {
        let FormWriter { open, published, form, digits, resources, .. } = self;
        let start = output.summary.bytes;
        let bytes = digits.count.div_ceil(digits.per_byte.into()) - start;
        let pieces = usize::try_from(bytes.div_ceil(PIECE)).unwrap_or(usize::MAX);
        let ahead = match (&open.values, digits.indices.clone()) {
            (Some(values), Some(indices)) => {
                let found = values.bulk_values(indices, resources);
                found.transpose().map_err(|error| open.entry.explained(error))?
            }
            _ => None,
        };
        if ahead.is_none() {
            self.refuse_without_wins()?;
        }
        let values = |position: &Position| self.value(position, ahead.as_ref());
        let piece = |number: usize| -> Result<Vec<u8>, Error> {
            let first = start + number as u64 * PIECE;
            let per_byte = u64::from(digits.per_byte);
            (first..(start + bytes).min(first + PIECE))
                .map(|byte| {
                    let (from, to) = (byte * per_byte, digits.count.min((byte + 1) * per_byte));
                    (from..to).rev().try_fold(0_u32, |packed, at| {
                        let digit = published.digit(form, digits.from + at, &values)?;
                        Ok(packed * digits.base + u32::from(digit))
                    })
                })
                .map(|byte| byte.map(|byte| byte as u8))
                .collect()
        };
        let progress = resources.progress;
        progress.stage("writing", pieces as u64);
        let mut write = |bytes: Vec<u8>| Ok(output.write(&bytes)?);
        match in_order(pieces, resources.threads, progress, &piece, &mut write)? {
            true => Ok(()),
            false => Err(Error::Stopped),
        }
    }

    /// The value of a position, as far as it is known; a draw if the form cannot express it.
    fn value(&self, position: &Position, ahead: Option<&BulkValues>) -> Result<Knowledge, Error> {
        let open = self.open;
        let known = match (&open.values, ahead, open.index_of(position)) {
            (_, Some(ahead), Some(index)) => Ok(ahead(index)),
            (Some(_), ..) => stored_or_rules(open, position),
            (None, ..) => Err(open.no_table()),
        }?;
        let beyond = self.horizon.is_some() && matches!(known, Knowledge::Unknown | Knowledge::NotLost);
        Ok(if beyond { Knowledge::Exact(Value::Draw) } else { known })
    }
}
