//! `verify`: checks the files of a table and derives its values again.

use retrograde_explore::Resources;

use super::{Answer, print_json, say, with_game};
use crate::output::{count, thousands, wrapped};
use crate::progress::Bar;
use crate::{Context, Ended};

/// Values that are derived again when no number is given.
const SAMPLE: u64 = 100_000;
/// As many where wins have to be found by a look at all turns.
const KEPT_SAMPLE: u64 = 200;

/// With `full`, every value, in so much memory.
pub(super) fn verify(
    context: &Context,
    name: &str,
    sample: Option<u64>,
    full: Option<Option<u64>>,
) -> Answer {
    with_game(context, name, |game| {
        let sample = match sample {
            _ if full.is_some() => None,
            Some(sample) => Some(sample),
            None if game.statistics()?.counted.is_some() => Some(KEPT_SAMPLE),
            None => Some(SAMPLE),
        };
        let bar = Bar::new();
        let checked = game.verify(sample, &Resources::new(context.threads, full.flatten(), &bar));
        bar.finish();
        let checked = checked?;
        let well = checked.error_count.0 == 0;
        if context.json {
            print_json(&checked)?;
        } else {
            let blocks = count(checked.blocks.0, "block", "blocks");
            say(format!("{}: {blocks} compared with their checksums", checked.game))?;
            let which = if checked.full { "all" } else { "a sample of" };
            say(format!("values of {which} {} positions derived again", thousands(checked.positions.0)))?;
            say(wrapped(&checked.proof, 0))?;
            for error in &checked.errors {
                say(wrapped(&format!("  wrong: {error}"), 4))?;
            }
            let found = count(checked.error_count.0, "error was", "errors were");
            say(if well { "No error was found.".to_owned() } else { format!("{found} found.") })?;
        }
        Ok(if well { Ended::Well } else { Ended::Badly })
    })
}
