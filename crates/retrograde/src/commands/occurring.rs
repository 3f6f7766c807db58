//! `occurring`: how many positions of a game can occur at all.

use retrograde_explore::{Count, SolveOptions};

use super::{Answer, print_json, say, subject};
use crate::output::thousands;
use crate::progress::Bar;
use crate::{Context, Ended};

pub(super) fn occurring(context: &Context, name: &str, memory: Option<u64>) -> Answer {
    let subject = subject(context, name)?;
    let options = SolveOptions { threads: context.threads, memory, ..SolveOptions::default() };
    let bar = Bar::new();
    let found = subject.occurring(&options, &bar);
    bar.finish();
    let found = found?;
    if context.json {
        print_json(&found)?;
        return Ok(Ended::Well);
    }
    say(&found.game)?;
    let line = |name: &str, count: Count| say(format!("  {name:<34} {:>22}", thousands(count.0)));
    line("positions", found.positions)?;
    for (name, count) in &found.counts {
        line(&format!("  {name}"), *count)?;
    }
    line("occurring, the game going on", found.occurring)?;
    if found.before.0 > 0 {
        line("  before the game proper", found.before)?;
        line("  in the game proper", Count(found.occurring.0 - found.before.0))?;
    }
    if let Some(count) = found.up_to_symmetry {
        line("    up to symmetry", count)?;
    }
    if found.with_images {
        say("  (what occurs, or an image of which does under a symmetry of the board)")?;
    }
    if let Some(count) = found.finished {
        line("occurring, the game being over", count)?;
    }
    Ok(Ended::Well)
}
