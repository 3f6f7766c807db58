//! `games` and `plan`: what there is, and what it would take.

use std::path::Path;

use retrograde_explore::{Count, Explore, Plan, SolveOptions, free_disk};
use serde_json::json;

use super::{Answer, print_json, say, subject, with_game};
use crate::cli::How;
use crate::output::{bytes, seconds, thousands, wrapped};
use crate::{Context, Ended};

pub(super) fn options(context: &Context, how: &How, again: bool) -> SolveOptions {
    SolveOptions {
        threads: context.threads,
        memory: how.memory,
        phases: how.phases,
        outcome_only: how.outcome_only,
        occurring_only: how.occurring,
        again,
        keep_work: false,
        with_wins: how.with_wins,
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
            say(wrapped(&format!("{}: {}", about.game, about.summary), 2))?;
            say(format!("{} positions", thousands(about.positions.0)))?;
            say(format!("start {}", about.start))?;
        }
        return Ok(Ended::Well);
    }
    for family in context.registry.families() {
        if !context.json {
            say(wrapped(&format!("{}: {}", family.name, family.summary), 2))?;
            if !family.forms.is_empty() {
                say(wrapped(&format!("  {}{}", family.name, family.forms), 4))?;
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
    let place = Place::of(&context.tables);
    if context.json {
        let mut all = serde_json::to_value(&plan)?;
        if let Some(fields) = all.as_object_mut() {
            fields.insert("tables".to_owned(), json!(place.folder));
            fields.insert("disk_free".to_owned(), json!(place.free.map(|free| Count(free.into()))));
        }
        print_json(&all)?;
        return Ok(Ended::Well);
    }
    say(&plan.game)?;
    say(format!("  positions   {}", thousands(plan.positions.0)))?;
    for (what, count) in &plan.counts {
        say(format!("    {what}: {}", thousands(count.0)))?;
    }
    let method = json!(plan.method);
    say(format!("  method      {}", method.as_str().unwrap_or("?")))?;
    // Where no table can be made at all, nothing would be needed for one.
    if plan.memory.0 > 0 {
        say(format!("  memory      {}", bytes(plan.memory.0)))?;
    }
    if plan.disk.0 > 0 {
        let work = match plan.work.0 {
            0 => String::new(),
            work => format!(", and {} for work files while it is solved", bytes(work)),
        };
        say(wrapped(&format!("  disk        about {}{work}", bytes(plan.disk.0)), 14))?;
    }
    if let Some(time) = plan.seconds {
        say(format!("  time        {}", if time < 1.0 { "below a second".to_owned() } else { about(time) }))?;
    }
    if plan.fits {
        say(wrapped(&format!("  tables      {}", place.folder), 14))?;
        if let Some(free) = place.free {
            say(format!("              where {} are free", bytes(free.into())))?;
        }
    }
    say(wrapped(&format!("  {}", plan.advice), 2))?;
    if let Some(warning) = place.warning(&plan) {
        say(wrapped(&format!("  warning: {warning}"), 2))?;
    }
    Ok(Ended::Well)
}

fn about(time: f64) -> String {
    format!("about {}", seconds(time))
}

/// Where tables are written.
pub(super) struct Place {
    pub(super) folder: String,
    /// Bytes free on its disk, if the system tells.
    pub(super) free: Option<u64>,
}

impl Place {
    pub(super) fn of(tables: &Path) -> Place {
        let folder = std::path::absolute(tables).unwrap_or_else(|_| tables.to_owned());
        Place { folder: folder.display().to_string(), free: free_disk(tables) }
    }

    /// What to say where the disk has no room for what is planned.
    pub(super) fn warning(&self, plan: &Plan) -> Option<String> {
        let need = plan.disk.0.saturating_add(plan.work.0);
        let free = u128::from(self.free?);
        (plan.fits && need > free).then(|| {
            format!(
                "some {} are needed on the disk of “{}”, where {} are free; --tables names another folder.",
                bytes(need),
                self.folder,
                bytes(free)
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_told() {
        let game = crate::registry().find("tactics", &retrograde_explore::Loader::disk()).unwrap();
        let plan = game.plan(&SolveOptions::default());
        let place = |free| Place { folder: "/tables".to_owned(), free };
        assert!(place(Some(100)).warning(&plan).unwrap().contains("100 bytes are free"));
        assert_eq!(place(Some(1 << 40)).warning(&plan), None);
        assert_eq!(place(None).warning(&plan), None);
    }
}
