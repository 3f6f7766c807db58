//! `solve --hosts` and `plan --hosts`: being one of several processes, and what that takes.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use retrograde_cluster::{Hosts, Join, Key};
use retrograde_explore::{AnyGame, ClusterPlan, SolveOptions, Statistics};

use super::{print_json, say, subject};
use crate::cli::cluster::ClusterArgs;
use crate::output::{bytes, seconds, thousands, wrapped};
use crate::progress::Bar;
use crate::{Context, Ended, Failure};

/// Solves as one of several processes; the statistics come at process 0.
pub(super) fn solve_as_one(
    context: &Context,
    subject: &dyn AnyGame,
    options: &SolveOptions,
    cluster: &ClusterArgs,
    bar: &Bar,
) -> Result<Option<Statistics>, Failure> {
    let (Some(file), Some(process)) = (&cluster.hosts, cluster.process) else {
        return Err("--hosts and --process belong together".into());
    };
    let hosts = Hosts::read(file)?;
    let key = match &cluster.key {
        Some(file) => Key::read(file)?,
        None if hosts.all_loopback() => Key::none(),
        None => {
            return Err(format!(
                "{} names other machines, so --key FILE is needed: a secret that all processes share",
                file.display()
            )
            .into());
        }
    };
    let threads = cluster.workers.map_or(context.threads, usize::from);
    let mut join = Join::new(hosts, process, key, u32::try_from(threads).unwrap_or(1));
    join.listen.clone_from(&cluster.listen);
    join.timeout = Duration::from_secs_f64(cluster.timeout.max(0.5));
    join.wait = Duration::from_secs_f64(cluster.wait);
    let options = SolveOptions { threads, ..options.clone() };
    Ok(subject.solve_together(&context.tables, &options, &join, bar)?)
}

/// `plan --hosts`.
pub(super) fn plan(
    context: &Context,
    name: &str,
    options: &SolveOptions,
    hosts: u32,
) -> Result<Ended, Failure> {
    let plan: ClusterPlan = subject(context, name)?.plan_together(options, hosts)?;
    if context.json {
        print_json(&plan)?;
        return Ok(Ended::Well);
    }
    let method = serde_json::json!(plan.method);
    say(format!("{} on {} processes with {} threads each", plan.game, plan.processes, options.threads))?;
    say(format!("  method      {}", method.as_str().unwrap_or("?")))?;
    say(format!("  of each process, which owns {} of the indices:", thousands(plan.indices.0)))?;
    say(format!("    memory    {}", bytes(plan.memory.0)))?;
    say(format!(
        "    disk      {} for checkpoints; process 0 {} more for the table",
        bytes(plan.disk.0),
        bytes(plan.disk_first.0)
    ))?;
    say(format!("    network   about {} sent and as much received", bytes(plan.network.0)))?;
    say(format!("  time        about {}", seconds(plan.seconds)))?;
    let advice =
        format!("`retrograde solve {} --hosts FILE --process K` on each of them does it.", plan.game);
    say(wrapped(&format!("  {advice}"), 2))?;
    Ok(Ended::Well)
}

/// What a process says that is not the first, when all is done.
pub(super) fn done(process: usize, tables: &Path) -> Result<(), Failure> {
    let text =
        format!("process {process}: done; process 0 has written the table below its “{}”.", tables.display());
    writeln!(std::io::stderr(), "{text}")?;
    Ok(())
}
