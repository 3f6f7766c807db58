//! `export`: a table as a data set, whose columns `docs/data-sets.md` describes; as a page; or in a
//! published format.

pub(crate) mod args;
pub(crate) mod module;
mod page;

use std::path::Path;

use retrograde_explore::Resources;
use retrograde_explore::export::{self, PublishJob, PublishedFile, PublishedPart, Selection};
use retrograde_solve::Progress;
use serde_json::json;

use crate::context::{BoxError, CommandResult, Context, Exit};
use crate::output::{print_json, print_line, reserve_output, thousands};
use crate::progress::ProgressDisplay;
use args::ExportArgs;

pub(crate) fn run(context: &Context, args: &ExportArgs) -> CommandResult {
    let ExportArgs { game, .. } = args;
    reserve_output(args.out.as_deref());
    match (&args.format, args.out.as_deref()) {
        (Some(format), out) if format == "html" => {
            if args.chunk.is_some() || args.from.is_some() || args.count.is_some() || args.sha256 {
                return Err(
                    "a page holds a whole table: --chunk, --from, --count and --sha256 are for other formats"
                        .into(),
                );
            }
            page::write(context, game, args.module.as_deref(), out.ok_or("a page needs --out")?)
        }
        (Some(format), out) => {
            let part = PublishedPart { chunk: args.chunk, from: args.from.unwrap_or(0), count: args.count };
            write_published(context, game, PublishJob { form: format, part, out }, args.memory)
        }
        (None, out) => {
            let sample = args.sample.map(|count| (count, args.seed));
            let out = out.ok_or("a data set needs --out")?;
            write_rows(context, game, out, Selection { limit: args.limit, sample })
        }
    }
}

/// Writes the rows of a table.
fn write_rows(context: &Context, name: &str, out: &Path, selection: Selection) -> CommandResult {
    context.with_game(name, |game| {
        let bar = ProgressDisplay::new();
        bar.stage("writing rows", game.row_count()?);
        let mut reported = 0;
        let written = export::write(game, out, selection, &mut |rows| {
            bar.advance(rows - reported);
            reported = rows;
            !bar.stopped()
        });
        bar.finish();
        let written = written?;
        let shape = game.row_shape();
        if context.json {
            let files: Vec<String> = written.files.iter().map(|file| file.display().to_string()).collect();
            print_json(
                &json!({"game": game.name(), "rows": written.rows, "files": files, "planes": shape.planes,
                "plane_shape": [shape.planes.len(), shape.rows, shape.columns]}),
            )?;
        } else {
            print_line(format!("{} rows written to", thousands(written.rows.into())))?;
            for file in &written.files {
                print_line(format!("  {}", file.display()))?;
            }
            if !shape.planes.is_empty() {
                let (rows, columns) = (shape.rows, shape.columns);
                print_line(format!("planes: {} ({rows} rows × {columns} columns)", shape.planes.join(", ")))?;
            }
        }
        Ok(Exit::Success)
    })
}

/// Writes a file in a format that others have published, or finds its digest alone.
fn write_published(context: &Context, name: &str, job: PublishJob<'_>, memory: Option<u64>) -> CommandResult {
    context.with_game(name, |game| {
        let bar = ProgressDisplay::new();
        let written = game.publish(&job, &Resources::new(context.threads, memory, &bar));
        bar.finish();
        let written = written?;
        if context.json {
            print_json(&published_json(game.name(), &job, &written))
        } else {
            print_published(&job, &written)
        }?;
        Ok(Exit::Success)
    })
}

fn published_json(game: &str, job: &PublishJob<'_>, written: &PublishedFile) -> serde_json::Value {
    let PublishedFile { digits, bytes, sha256, counts, resumed } = written;
    let mut json = json!({"game": game, "form": job.form, "from": digits.from, "count": digits.count,
        "bytes": bytes, "sha256": sha256, "resumed": resumed});
    if let Some(out) = job.out {
        json["file"] = json!(out.display().to_string());
    }
    if !counts.is_empty() {
        let counts: serde_json::Map<_, _> =
            counts.iter().map(|(byte, count)| (byte.to_string(), json!(count))).collect();
        json["counts"] = json!(counts);
    }
    json
}

fn print_published(job: &PublishJob<'_>, written: &PublishedFile) -> Result<(), BoxError> {
    let PublishedFile { digits, bytes, sha256, resumed, .. } = written;
    let last = digits.from + digits.count - 1;
    let place = job.out.map_or(String::new(), |out| format!(" in “{}”", out.display()));
    print_line(format!(
        "{} of {} to {}: {} bytes{place}",
        job.form,
        thousands(digits.from.into()),
        thousands(last.into()),
        thousands((*bytes).into()),
    ))?;
    if *resumed > 0 {
        print_line(format!("  the first {} bytes are of an earlier run", thousands((*resumed).into())))?;
    }
    print_line(format!("  SHA-256 {sha256}"))
}
