//! `export`: a table as a data set, whose columns `docs/data-sets.md` describes; as a page; or in a
//! published format.

pub(crate) mod args;
mod page;

use std::path::Path;

use retrograde_explore::export::{self, PublishedPart, Selection};
use retrograde_solve::Progress;
use serde_json::json;

use crate::context::{CommandResult, Context, Exit};
use crate::output::{print_json, print_line, reserve_output, thousands};
use crate::progress::ProgressDisplay;
use args::ExportArgs;

pub(crate) fn run(context: &Context, args: &ExportArgs) -> CommandResult {
    let ExportArgs { game, out, .. } = args;
    reserve_output(Some(out));
    match &args.format {
        Some(format) if format == "html" => {
            if args.chunk.is_some() || args.from.is_some() || args.count.is_some() {
                return Err(
                    "a page holds a whole table: --chunk, --from and --count are for other formats".into()
                );
            }
            page::write(context, game, out)
        }
        Some(format) => {
            let part = PublishedPart { chunk: args.chunk, from: args.from.unwrap_or(0), count: args.count };
            write_published(context, game, out, format, part)
        }
        None => {
            let sample = args.sample.map(|count| (count, args.seed));
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

/// Writes a file in a format that others have published.
fn write_published(
    context: &Context,
    name: &str,
    out: &Path,
    form: &str,
    part: PublishedPart,
) -> CommandResult {
    context.with_game(name, |game| {
        let bar = ProgressDisplay::new();
        let written = game.publish(form, part, out, context.threads, &bar);
        bar.finish();
        let written = written?;
        let bytes = written.count.div_ceil(written.per_byte.into());
        if context.json {
            print_json(
                &json!({"game": game.name(), "form": form, "from": written.from, "count": written.count,
                "bytes": bytes, "file": out.display().to_string()}),
            )?;
        } else {
            let last = written.from + written.count - 1;
            print_line(format!(
                "{form} of {} to {}: {} bytes in “{}”",
                thousands(written.from.into()),
                thousands(last.into()),
                thousands(bytes.into()),
                out.display()
            ))?;
        }
        Ok(Exit::Success)
    })
}
