//! `games`: lists the games, or describes one.

use std::collections::BTreeMap;

use clap::Args;
use retrograde_table::site::SiteIndex;
use schemars::JsonSchema;
use serde::Serialize;

use crate::output::{bytes, positions, print_json, print_line, show, thousands, wrapped};
use crate::program::args::NumberingArgs;
use crate::program::context::Context;
use crate::program::exit::{CommandResult, Exit};

/// List the games, their variants and the number of positions
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  retrograde games\n  retrograde games touchdown --numbering 24-bit")]
pub(crate) struct GamesArgs {
    /// Describe only this game
    game: Option<String>,
    #[command(flatten)]
    numbering: NumberingArgs,
}

/// A game of a site (`games --tables URL`).
#[derive(Serialize, JsonSchema)]
pub(crate) struct GameOfSite<'a> {
    /// The canonical name of the game.
    game: &'a str,
    /// Bytes of its files.
    bytes: u64,
    /// The text of its board, if that came from a file.
    board: &'a Option<String>,
    /// Its `GameSummary`, if the site has one.
    summary: &'a serde_json::Value,
}

/// Counts of a numbering, by name (`games` and `stats` with `--numbering 24-bit`).
#[derive(Serialize, JsonSchema)]
pub(crate) struct NumberingCounts(pub(crate) BTreeMap<String, String>);

pub(crate) fn run(context: &Context, args: &GamesArgs) -> CommandResult {
    match (&args.game, args.numbering.name()) {
        (None, _) => match &context.site {
            Some(site) => list_site(context, site.storage()?.index()),
            None => list(context),
        },
        (Some(game), None) => describe(context, game),
        (Some(game), Some(numbering)) => numbering_counts(context, game, numbering),
    }
}

fn numbering_counts(context: &Context, game: &str, numbering: &str) -> CommandResult {
    let counts = context.open(game)?.numbering_counts(numbering)?;
    show(context, &NumberingCounts(counts.iter().cloned().collect()), || {
        if counts.is_empty() {
            return print_line(format!("The numbering {numbering} has no counts."));
        }
        print_line("Numbers that meet each requirement and those above it:")?;
        counts.iter().try_for_each(|(name, count)| {
            let count = count.parse().map_or_else(|_| count.clone(), thousands);
            print_line(format!("  {name:<40} {count:>10}"))
        })
    })
}

fn describe(context: &Context, game: &str) -> CommandResult {
    let about = context.subject(game)?.about();
    show(context, &about, || {
        print_line(wrapped(&format!("{}: {}", about.game, about.summary), 2))?;
        let what = positions(about.positions_up_to_symmetry);
        print_line(format!("{} {what}", thousands(about.positions.0)))?;
        print_line(format!("start {}", about.start))
    })
}

/// The games whose tables a site has.
fn list_site(context: &Context, index: &SiteIndex) -> CommandResult {
    for game in &index.games {
        if context.json {
            let (board, summary) = (&game.board, &game.summary);
            print_json(&GameOfSite { game: &game.game, bytes: game.bytes(), board, summary })?;
            continue;
        }
        // The fields come from the site. Only the name is always there.
        let title = game.summary["title"].as_str().unwrap_or_default();
        let title: String = title.chars().filter(|c| !c.is_control()).take(40).collect();
        let name: String = game.game.chars().filter(|c| !c.is_control()).collect();
        print_line(format!("{name:<36} {:>9}  {title}", bytes(game.bytes().into())))?;
    }
    Ok(Exit::Success)
}

fn list(context: &Context) -> CommandResult {
    for family in &context.registry.families {
        if !context.json {
            print_line(wrapped(&format!("{}: {}", family.name, family.summary), 2))?;
            if !family.forms.is_empty() {
                print_line(wrapped(&format!("  {}{}", family.name, family.forms), 4))?;
            }
        }
        for example in &family.examples {
            let about = context.registry.find(example, &context.loader)?.about();
            if context.json {
                print_json(&about)?;
            } else {
                let what = positions(about.positions_up_to_symmetry);
                print_line(format!("  {:<30} {:>26} {what}", example, thousands(about.positions.0)))?;
            }
        }
        if !context.json {
            print_line("")?;
        }
    }
    Ok(Exit::Success)
}
