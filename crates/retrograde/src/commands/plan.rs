//! `plan`: estimates the memory, disk space and time needed to solve a game.

use clap::Args;
use retrograde_explore::{Count, Plan, allowed_memory};
use schemars::JsonSchema;
use serde::Serialize;

use super::solve::args::SolverArgs;
use crate::files::TableFolder;
use crate::output::{bytes, print_line, seconds, show, thousands, with_program_name, wrapped};
#[cfg(feature = "cluster")]
use crate::program::args::number;
use crate::program::args::size_text;
use crate::program::context::Context;
use crate::program::exit::CommandResult;

/// Estimate the memory, disk space and time needed to solve a game
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  retrograde plan touchdown:5x5\n  retrograde plan {game} --json\n  \
                        retrograde plan touchdown:6x5 --hosts 8")]
pub(crate) struct PlanArgs {
    /// A game or variant; `games` lists them
    game: String,
    #[command(flatten)]
    solver: SolverArgs,
    /// Estimate for each of N machines (see `solve --hosts`)
    #[cfg(feature = "cluster")]
    #[arg(long, value_parser = number::<u32>(1..=1024, 2))]
    hosts: Option<u32>,
}

pub(crate) fn run(context: &Context, args: &PlanArgs) -> CommandResult {
    #[cfg(feature = "cluster")]
    if let Some(hosts) = args.hosts {
        return plan_together(context, args, hosts);
    }
    plan(context, args)
}

/// The estimate of a solve on this machine (`plan`).
#[derive(Serialize, JsonSchema)]
pub(crate) struct PlanHere<'a> {
    /// The estimate.
    #[serde(flatten)]
    plan: &'a Plan,
    /// Bytes of memory that may be used; null if no limit is known.
    memory_allowed: Option<Count>,
    /// The threads that `seconds` assumes.
    #[schemars(range(min = 1))]
    threads: usize,
    /// The folder with the tables.
    tables: &'a str,
    /// Free bytes on its disk; null if unknown.
    disk_free: Option<Count>,
    /// Whether the game already has a table, in one of the folders.
    has_table: bool,
}

fn plan(context: &Context, args: &PlanArgs) -> CommandResult {
    let mut options = args.solver.options(context);
    // Free memory changes all the time, so it is read once, for both the plan and the output.
    let allowed = Some(allowed_memory(options.memory)).filter(|&bytes| bytes < u64::MAX);
    options.memory = allowed;
    options.repeated = memory_option(context);
    let subject = context.subject(&args.game)?;
    let table = context
        .folder_of(&subject)
        .ok()
        .filter(|folder| subject.explore(folder).is_ok_and(|game| game.has_table()));
    // A solve with options may add to the table, such as the wins.
    options.again = table.is_some() && args.solver == SolverArgs::default();
    let mut plan = subject.plan(&options);
    if let Some(table) = &table {
        plan.advice = format!("There is already a table in “{}”. {}", table.display(), plan.advice);
    }
    let folder = TableFolder::of(context.tables.first(), &plan);
    let answer = PlanHere {
        plan: &plan,
        memory_allowed: allowed.map(|bytes| Count(bytes.into())),
        threads: options.threads,
        tables: &folder.path,
        disk_free: folder.free.map(|free| Count(free.into())),
        has_table: table.is_some(),
    };
    show(context, &answer, || {
        print_line(&plan.game)?;
        let what = if plan.positions_up_to_symmetry { ", up to symmetry" } else { "" };
        print_line(format!("  positions   {}{what}", thousands(plan.positions.0)))?;
        for (what, count) in &plan.counts {
            print_line(format!("    {what}: {}", thousands(count.0)))?;
        }
        print_line(format!("  method      {}", plan.method))?;
        // A game that cannot be solved has no estimate.
        if plan.memory.0 > 0 {
            let allowed = allowed.map_or(String::new(), |limit| match bytes(limit.into()) {
                limit if plan.fits => format!(" of {limit} available"),
                limit => format!("; {limit} available"),
            });
            print_line(format!("  memory      {}{allowed}", bytes(plan.memory.0)))?;
        }
        if plan.disk.0 > 0 {
            let work = match plan.work.0 {
                0 => String::new(),
                work => format!(", and {} for work files during the solve", bytes(work)),
            };
            print_line(wrapped(&format!("  disk        about {}{work}", bytes(plan.disk.0)), 14))?;
        }
        if let Some(time) = plan.seconds {
            print_line(format!(
                "  time        {}",
                if time < 1.0 { "under a second".to_owned() } else { format!("about {}", seconds(time)) }
            ))?;
            print_line(format!("  threads     {}", options.threads))?;
        }
        if plan.fits {
            print_line(wrapped(&format!("  tables      {}", folder.path), 14))?;
            if let Some(free) = folder.free {
                print_line(format!("              with {} free", bytes(free.into())))?;
            }
        }
        print_line(wrapped(&format!("  {}", with_program_name(&plan.advice)), 2))?;
        for note in &plan.notes {
            print_line(wrapped(&format!("  {note}"), 2))?;
        }
        match folder.warning(&plan) {
            Some(warning) => print_line(wrapped(&format!("  warning: {warning}"), 2)),
            None => Ok(()),
        }
    })
}

/// The memory limit as an option of a suggested command.
fn memory_option(context: &Context) -> String {
    context.memory.map_or_else(String::new, |limit| format!(" --memory {}", size_text(limit)))
}

/// `plan --hosts`: estimates the resources of each process.
#[cfg(feature = "cluster")]
fn plan_together(context: &Context, args: &PlanArgs, hosts: u32) -> CommandResult {
    let options = args.solver.options(context);
    let subject = context.subject(&args.game)?;
    let plan = subject.plan_together(&options, hosts)?;
    show(context, &plan, || {
        print_line(format!(
            "{} on {} processes with {} threads each",
            plan.game, plan.processes, options.threads
        ))?;
        print_line(format!("  method      {}", plan.method))?;
        match plan.indices {
            Some(indices) => {
                print_line(format!("  each process owns {} indices and needs:", thousands(indices.0)))?;
            }
            None => print_line("  each process needs at most:")?,
        }
        print_line(format!("    memory    {}", bytes(plan.memory.0)))?;
        let table = bytes(plan.disk_first.0);
        print_line(match plan.disk.0 {
            0 => format!("    disk      {table} for the table, on process 0 only"),
            disk => {
                format!(
                    "    disk      {} for checkpoints; on process 0 also {table} for the table",
                    bytes(disk)
                )
            }
        })?;
        if let Some(sent) = plan.network {
            print_line(format!("    network   about {} sent, and the same received", bytes(sent.0)))?;
        }
        if let Some(time) = plan.seconds {
            print_line(format!("  time        about {}", seconds(time)))?;
        }
        if !plan.advice.is_empty() {
            print_line(wrapped(&format!("  {}", plan.advice), 2))?;
        }
        let game = subject.command_name();
        let options =
            retrograde_explore::SolveOptions { repeated: memory_option(context), ..options.clone() };
        let given = options.arguments();
        let advice =
            format!("Run `retrograde solve {game}{given} --hosts FILE --process K` on each machine.");
        print_line(wrapped(&format!("  {}", with_program_name(&advice)), 2))
    })
}
