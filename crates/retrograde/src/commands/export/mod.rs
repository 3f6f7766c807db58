//! `export`: the data set of a table. The columns are described in `docs/data-sets.md`.

use std::path::Path;

use retrograde_explore::export::{self, Part, Selection};
use retrograde_solve::Progress;
use serde_json::json;

use super::{Answer, print_json, say, with_game};
use crate::output::thousands;
use crate::progress::Bar;
use crate::{Context, Ended};

pub(super) fn export(context: &Context, name: &str, out: &Path, selection: Selection) -> Answer {
    with_game(context, name, |game| {
        let bar = Bar::new();
        bar.stage("writing rows", game.row_count()?);
        let mut told = 0;
        let written = export::write(game, out, selection, &mut |rows| {
            bar.advance(rows - told);
            told = rows;
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
            say(format!("{} rows written to", thousands(written.rows.into())))?;
            for file in &written.files {
                say(format!("  {}", file.display()))?;
            }
            if !shape.planes.is_empty() {
                let (rows, columns) = (shape.rows, shape.columns);
                say(format!("planes: {} ({rows} rows × {columns} columns)", shape.planes.join(", ")))?;
            }
        }
        Ok(Ended::Well)
    })
}

/// Writes a file in a form that others have published.
pub(super) fn publish(context: &Context, name: &str, out: &Path, form: &str, part: Part) -> Answer {
    with_game(context, name, |game| {
        let bar = Bar::new();
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
            say(format!(
                "{form} of {} to {}: {} bytes in “{}”",
                thousands(written.from.into()),
                thousands(last.into()),
                thousands(bytes.into()),
                out.display()
            ))?;
        }
        Ok(Ended::Well)
    })
}
