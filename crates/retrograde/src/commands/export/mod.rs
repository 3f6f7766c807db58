//! `export`: writes a table as a data set (`docs/data-sets.md`), as a page or in a published
//! format; several games as a site of static files; an evaluation set; or an opening book.

pub(crate) mod args;
pub(crate) mod book;
pub(crate) mod evaluation;
pub(crate) mod module;
pub(crate) mod page;
pub(crate) mod site;

use std::collections::BTreeMap;
use std::path::Path;

use retrograde_explore::export::{Format, PublishJob, PublishedFile, PublishedPart, Selection};
use retrograde_solve::Progress;
use schemars::JsonSchema;
use serde::Serialize;

use crate::output::progress::ProgressDisplay;
use crate::output::{print_line, reserve_output, show, thousands, wrapped};
use crate::program::context::Context;
use crate::program::exit::{BoxError, CommandResult};
use args::{ExportArgs, ExportCommand, TableArgs};

pub(crate) fn run(context: &Context, args: &ExportArgs) -> CommandResult {
    match (&args.command, &args.table) {
        (Some(ExportCommand::Site(args)), _) => site::run(context, args),
        (Some(ExportCommand::Evaluation(args)), _) => evaluation::run(context, args),
        (Some(ExportCommand::Book(args)), _) => book::run(context, args),
        (None, Some(args)) => export_table(context, args),
        (None, None) => Err("expected a game, or a command such as `site`".into()),
    }
}

/// Writes one game to one file.
fn export_table(context: &Context, args: &TableArgs) -> CommandResult {
    let TableArgs { game, out, .. } = args;
    reserve_output(out.as_deref())?;
    let form = args.format.as_deref().unwrap_or_default();
    let data_set = if form.is_empty() { None } else { Format::named(form) };
    let is_page = form == "html";
    if is_page || form.is_empty() || data_set.is_some() {
        let for_published = [
            (args.chunk.is_some(), "--chunk"),
            (args.from.is_some(), "--from"),
            (args.count.is_some(), "--count"),
            (args.sha256, "--sha256"),
        ];
        let what = if is_page {
            "a page contains the whole table"
        } else {
            "for a data set, use --limit or --sample"
        };
        refuse(&for_published, what, "the published formats of Push Fight")?;
    }
    if is_page || !form.is_empty() && data_set.is_none() {
        let of_rows = [(args.limit.is_some(), "--limit"), (args.sample.is_some(), "--sample")];
        let what = if is_page {
            "a page contains the whole table"
        } else {
            "for a published format, use --from and --count"
        };
        refuse(&of_rows, what, "a data set (.csv, .npy or .parquet)")?;
    }
    if !is_page {
        refuse(&[(args.module.is_some(), "--module")], "only a page contains a module", "--format html")?;
    }
    let named = || out.as_deref().ok_or("use --out FILE to name the file to write");
    if is_page {
        return page::write(context, game, args.module.as_deref(), named()?);
    }
    if form.is_empty() || data_set.is_some() {
        let sample = args.sample.map(|count| (count, args.seed));
        return write_rows(context, game, named()?, data_set, Selection { limit: args.limit, sample });
    }
    let part = PublishedPart { chunk: args.chunk, from: args.from.unwrap_or(0), count: args.count };
    write_published(context, game, PublishJob { form, part, out: out.as_deref() })
}

/// Rejects options for another kind of file.
fn refuse(given: &[(bool, &str)], what: &str, of: &str) -> Result<(), BoxError> {
    match given.iter().find(|(given, _)| *given) {
        Some((_, option)) => Err(format!("{what}; {option} is only for {of}").into()),
        None => Ok(()),
    }
}

/// Writes the rows of a table.
fn write_rows(
    context: &Context,
    name: &str,
    out: &Path,
    format: Option<Format>,
    selection: Selection,
) -> CommandResult {
    let game = &*context.open(name)?;
    let written = ProgressDisplay::during(|bar| {
        bar.stage("writing rows", game.row_count()?);
        game.export(out, format, selection, &mut bar.counter())
    })?;
    let shape = game.row_shape();
    let files: Vec<String> = written.files.iter().map(|file| file.display().to_string()).collect();
    let plane_shape = [written.planes.len(), shape.rows, shape.columns];
    let (game, rows, planes) = (game.name(), written.rows, &written.planes);
    let answer = DataSet { game, rows, files, planes, plane_shape };
    show(context, &answer, || {
        print_line(format!("{} rows written to", thousands(rows.into())))?;
        for file in &answer.files {
            print_line(format!("  {file}"))?;
        }
        if !planes.is_empty() {
            let (rows, columns) = (shape.rows, shape.columns);
            print_line(format!("planes: {} ({rows} rows × {columns} columns)", planes.join(", ")))?;
        } else if written.files.iter().all(|file| file != out) {
            let out = out.display();
            let text = format!("“{out}” was not written: {game} has no planes (`Show::plane_names`).");
            print_line(wrapped(&text, 0))?;
        }
        Ok(())
    })
}

/// Writes a file in a published format, or only computes its digest.
fn write_published(context: &Context, name: &str, job: PublishJob<'_>) -> CommandResult {
    let game = &*context.open(name)?;
    let written = ProgressDisplay::during(|bar| game.publish(&job, &context.resources(bar)))?;
    let answer = PublishedForm::new(game.name(), &job, &written);
    show(context, &answer, || print_published(&job, &written))
}

/// A data set that was written (`export`).
#[derive(Serialize, JsonSchema)]
pub(crate) struct DataSet<'a> {
    /// The canonical name of the game.
    game: &'a str,
    /// The number of rows.
    rows: u64,
    /// The files.
    files: Vec<String>,
    /// The names of the planes; empty for a CSV file.
    planes: &'a [String],
    /// The numbers of planes, rows and columns.
    plane_shape: [usize; 3],
}

/// Consecutive positions in a published form (`export --format`), or only their digest (`--sha256`).
#[derive(Serialize, JsonSchema)]
pub(crate) struct PublishedForm<'a> {
    /// The canonical name of the game.
    game: &'a str,
    /// The form.
    form: &'a str,
    /// The number of the first position.
    from: u64,
    /// The number of positions.
    count: u64,
    /// The length in bytes.
    bytes: u64,
    /// The SHA-256 of all bytes.
    #[schemars(regex(pattern = "^[0-9a-f]{64}$"))]
    sha256: &'a str,
    /// Bytes that an earlier run had written.
    resumed: u64,
    /// The file; omitted with `--sha256`.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// How often each byte occurs, in forms with one byte per position.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    counts: BTreeMap<u8, u64>,
}

impl<'a> PublishedForm<'a> {
    fn new(game: &'a str, job: &PublishJob<'a>, written: &'a PublishedFile) -> PublishedForm<'a> {
        let PublishedFile { digits, bytes, sha256, counts, resumed } = written;
        PublishedForm {
            game,
            form: job.form,
            from: digits.from,
            count: digits.count,
            bytes: *bytes,
            sha256,
            resumed: *resumed,
            file: job.out.map(|out| out.display().to_string()),
            counts: counts.iter().copied().collect(),
        }
    }
}

fn print_published(job: &PublishJob<'_>, written: &PublishedFile) -> Result<(), BoxError> {
    let PublishedFile { digits, bytes, sha256, resumed, .. } = written;
    let last = digits.from + digits.count - 1;
    let place = job.out.map_or(String::new(), |out| format!(" in “{}”", out.display()));
    print_line(format!(
        "{} of positions {} to {}: {} bytes{place}",
        job.form,
        thousands(digits.from.into()),
        thousands(last.into()),
        thousands((*bytes).into()),
    ))?;
    if *resumed > 0 {
        print_line(format!(
            "  the first {} bytes were written by an earlier run",
            thousands((*resumed).into())
        ))?;
    }
    print_line(format!("  SHA-256 {sha256}"))
}
