//! `games` and `plan`: what there is, and what it would take.

use retrograde_explore::{Explore, SolveOptions};
use serde_json::json;

use super::{Answer, print_json, say, subject, with_game};
use crate::cli::How;
use crate::output::{bytes, seconds, thousands};
use crate::{Context, Ended};

pub(super) fn options(context: &Context, how: &How, again: bool) -> SolveOptions {
    SolveOptions {
        threads: context.threads,
        memory: how.memory,
        phases: how.phases,
        outcome_only: how.outcome_only,
        occurring_only: how.occurring,
        again,
    }
}

pub(super) fn list(context: &Context, game: Option<&str>, seed_numbering: bool) -> Answer {
    if let Some(name) = game {
        if seed_numbering {
            let counts = with_game(context, name, |game: &dyn Explore| Ok(game.numbering_counts("seed")?))?;
            if context.json {
                print_json(&counts.into_iter().collect::<std::collections::BTreeMap<_, _>>())?;
            } else {
                for (what, count) in counts {
                    say(format!("{what:<40} {count}"))?;
                }
            }
            return Ok(Ended::Well);
        }
        let about = subject(context, name)?.about();
        if context.json {
            print_json(&about)?;
        } else {
            say(format!("{}: {}", about.game, about.summary))?;
            say(format!("{} positions", thousands(about.positions.0)))?;
            say(format!("start {}", about.start))?;
        }
        return Ok(Ended::Well);
    }
    for family in context.registry.families() {
        if !context.json {
            say(format!("{}: {}", family.name, family.summary))?;
            if !family.forms.is_empty() {
                say(format!("  {}", family.forms))?;
            }
        }
        for example in &family.examples {
            let about = context.registry.find(example, &context.loader)?.about();
            if context.json {
                print_json(&about)?;
            } else {
                say(format!("  {:<30} {:>26} positions", example, thousands(about.positions.0)))?;
            }
        }
        if !context.json {
            say("")?;
        }
    }
    Ok(Ended::Well)
}

pub(super) fn plan(context: &Context, name: &str, how: &How) -> Answer {
    let plan = subject(context, name)?.plan(&options(context, how, false));
    if context.json {
        print_json(&plan)?;
        return Ok(Ended::Well);
    }
    say(&plan.game)?;
    say(format!("  positions   {}", thousands(plan.positions.0)))?;
    for (what, count) in &plan.counts {
        say(format!("    {what}: {}", thousands(count.0)))?;
    }
    let method = json!(plan.method);
    say(format!("  method      {}", method.as_str().unwrap_or("?")))?;
    say(format!("  memory      {}", bytes(plan.memory.0)))?;
    say(format!("  disk        about {}", bytes(plan.disk.0)))?;
    if let Some(time) = plan.seconds {
        say(format!("  time        about {}", seconds(time)))?;
    }
    let folder = std::path::absolute(&context.tables).unwrap_or_else(|_| context.tables.clone());
    let free = retrograde_explore::free_disk(&folder).map(u128::from);
    let room = free.map_or_else(String::new, |free| format!(", {} free", bytes(free)));
    say(format!("  tables in   {}{room}", folder.display()))?;
    say(format!("  {}", plan.advice))?;
    if plan.fits && free.is_some_and(|free| plan.disk.0 + plan.work.0 > free) {
        say("  There is not enough room for the table there; `--tables` names another folder.")?;
    }
    Ok(Ended::Well)
}
