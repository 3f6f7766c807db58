//! `solve --hosts`: solves as one of several processes.

pub(super) mod args;
pub(super) mod processes;

use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use retrograde_cluster::{Hosts, JoinOptions, Key};
use retrograde_explore::{AnyGame, SolveOptions, Statistics};

use crate::output::progress::ProgressDisplay;
use crate::program::context::Context;
use crate::program::exit::BoxError;
use args::{ClusterArgs, ProcessChoice};

/// Solves as one of several processes. Only process 0 gets the statistics.
pub(crate) fn solve_as_one(
    context: &Context,
    (folder, subject): (&Path, &Arc<AnyGame>),
    options: &SolveOptions,
    cluster: &ClusterArgs,
    process: usize,
    bar: &ProgressDisplay,
) -> Result<Option<Statistics>, BoxError> {
    let Some(named) = &cluster.hosts else {
        return Err("--hosts and --process must be used together".into());
    };
    let hosts = hosts_of(named)?;
    let key = match &cluster.key {
        Some(file) => Key::read(file)?,
        None if hosts.all_loopback() => Key::none(),
        None => {
            return Err(format!(
                "{} names other machines, so --key FILE is needed: a secret that all processes share",
                named.display()
            )
            .into());
        }
    };
    let threads = cluster.workers.map_or(context.threads, usize::from);
    let mut join = JoinOptions::new(hosts, process, key, u32::try_from(threads).unwrap_or(1));
    join.listen.clone_from(&cluster.listen);
    (join.timeout, join.wait) = (cluster.timeout.max(Duration::from_millis(500)), cluster.wait);
    let options = SolveOptions { threads, ..options.clone() };
    Ok(subject.solve_together(folder, &options, &join, bar)?)
}

/// Reads hosts from a file or a pattern. Text with `{` is a pattern, since it is rare in file
/// names.
fn hosts_of(named: &OsStr) -> Result<Hosts, BoxError> {
    Ok(match named.to_str().filter(|text| text.contains('{')) {
        Some(pattern) => Hosts::of_pattern(pattern)?,
        None => Hosts::read(Path::new(named))?,
    })
}

/// The number of this process among the hosts.
pub(crate) fn number_of(choice: ProcessChoice) -> Result<usize, BoxError> {
    match choice {
        ProcessChoice::Number(number) => Ok(number),
        #[cfg(unix)]
        ProcessChoice::HostName => {
            number_in(&rustix::system::uname().nodename().to_string_lossy()).map_err(Into::into)
        }
        #[cfg(not(unix))]
        ProcessChoice::HostName => {
            Err("--process hostname needs a Unix system; give the number instead".into())
        }
    }
}

/// The number at the end of a machine's name: 2 for `retrograde-2`, and for `retrograde-2.example.org`.
#[cfg_attr(not(unix), allow(dead_code))]
fn number_in(name: &str) -> Result<usize, String> {
    let first = name.split('.').next().unwrap_or(name);
    let digits = first.len() - first.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let number = first[first.len() - digits..].parse::<u16>().ok();
    number.map(usize::from).ok_or_else(|| {
        let name = name.escape_debug();
        format!(
            "--process hostname: this machine is called “{name}”, expected a number at the end, as in node-2"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::number_in;

    #[test]
    fn a_name_ends_with_the_number() {
        for (name, number) in [
            ("retrograde-2", 2),
            ("retrograde-12", 12),
            ("node007", 7),
            ("10", 10),
            ("node-3.retrograde.default.svc", 3),
        ] {
            assert_eq!(number_in(name), Ok(number), "{name}");
        }
        for name in ["", "retrograde", "2-retrograde", "node-99999", "node-2a", ".7"] {
            let error = number_in(name).unwrap_err();
            assert!(error.contains(&format!("“{name}”")) && error.contains("as in node-2"), "{error}");
        }
    }
}
