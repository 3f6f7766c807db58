//! `solve --hosts`: solves as one of several processes.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use retrograde_cluster::{Hosts, JoinOptions, Key};
use retrograde_explore::{AnyGame, SolveOptions, Statistics};

use super::args::ClusterArgs;
use crate::context::{BoxError, Context};
use crate::progress::ProgressDisplay;

/// Solves as one of several processes. Only process 0 gets the statistics.
pub(crate) fn solve_as_one(
    context: &Context,
    subject: &dyn AnyGame,
    options: &SolveOptions,
    cluster: &ClusterArgs,
    bar: &ProgressDisplay,
) -> Result<Option<Statistics>, BoxError> {
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
    let mut join = JoinOptions::new(hosts, process, key, u32::try_from(threads).unwrap_or(1));
    join.listen.clone_from(&cluster.listen);
    join.timeout = Duration::from_secs_f64(cluster.timeout.max(0.5));
    join.wait = Duration::from_secs_f64(cluster.wait);
    let options = SolveOptions { threads, ..options.clone() };
    Ok(subject.solve_together(&context.tables, &options, &join, bar)?)
}

/// Reports the end of a process other than the first.
pub(crate) fn report_done(process: usize, tables: &Path) -> Result<(), BoxError> {
    let text =
        format!("process {process}: done; process 0 has written the table into its “{}”.", tables.display());
    writeln!(std::io::stderr(), "{text}")?;
    Ok(())
}
