//! `solve --hosts` and `solve --processes`: being one of several processes, and starting them all on one machine.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use retrograde_cluster::{Hosts, Join, Key};
use retrograde_explore::{ClusterPlan, SolveOptions, Statistics, Subject};

use super::{print_json, say, subject};
use crate::cli::How;
use crate::cli::cluster::ClusterArgs;
use crate::output::{bytes, seconds, thousands, wrapped};
use crate::progress::Bar;
use crate::{Context, Ended, Failure};

/// What is waited for processes that should have ended by themselves.
const GRACE: Duration = Duration::from_secs(10);

/// Solves as one of several processes; the statistics come at process 0.
pub(super) fn solve_as_one(
    context: &Context,
    subject: &dyn Subject,
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

/// A folder with a host file and a key for processes on this machine; it is removed with this.
struct Rendezvous(PathBuf);

impl Rendezvous {
    fn new(processes: usize) -> Result<Rendezvous, Failure> {
        let folder = std::env::temp_dir().join(format!("retrograde-{}", Key::random_text()?.split_at(16).0));
        let mut builder = fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&folder)?;
        let rendezvous = Rendezvous(folder);
        // Ports that are free now; should somebody take one meanwhile, a process says so and all end.
        let sockets: Vec<TcpListener> =
            (0..processes).map(|_| TcpListener::bind("127.0.0.1:0")).collect::<Result<_, _>>()?;
        let lines: Vec<String> = sockets
            .iter()
            .map(|socket| Ok(format!("{}\n", socket.local_addr()?)))
            .collect::<Result<_, std::io::Error>>()?;
        fs::write(rendezvous.hosts(), lines.concat())?;
        fs::write(rendezvous.key(), Key::random_text()?)?;
        Ok(rendezvous)
    }

    fn hosts(&self) -> PathBuf {
        self.0.join("hosts")
    }

    fn key(&self) -> PathBuf {
        self.0.join("key")
    }
}

impl Drop for Rendezvous {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Starts processes on this machine, and looks after them until all have ended.
pub(super) fn solve_on_this_machine(
    context: &Context,
    game: &str,
    how: &How,
    again: bool,
    cluster: &ClusterArgs,
    processes: usize,
) -> Result<Ended, Failure> {
    // A wrong name is told once, and not by all of them.
    subject(context, game)?;
    crate::progress::catch_interrupt();
    let rendezvous = Rendezvous::new(processes)?;
    let workers = cluster.workers.map_or((context.threads / processes).max(1), usize::from);
    let program = std::env::current_exe()?;
    let mut children = Vec::new();
    for process in 0..processes {
        let mut command = Command::new(&program);
        command
            .arg("solve")
            .arg(game)
            .arg("--hosts")
            .arg(rendezvous.hosts())
            .arg("--key")
            .arg(rendezvous.key());
        command.args(["--process", &process.to_string(), "--workers", &workers.to_string()]);
        command.args(["--timeout", &cluster.timeout.to_string(), "--wait", &cluster.wait.to_string()]);
        command.arg("--tables").arg(&context.tables);
        // What is allowed is allowed for all of them together.
        if let Some(memory) = how.memory {
            command.args(["--memory", &(memory / processes as u64).to_string()]);
        }
        if let Some(phases) = how.phases {
            command.args(["--phases", &phases.to_string()]);
        }
        for (flag, given) in
            [("--outcome-only", how.outcome_only), ("--again", again), ("--json", context.json)]
        {
            if given {
                command.arg(flag);
            }
        }
        command.stdin(Stdio::null());
        if process > 0 {
            command.stdout(Stdio::null()).stderr(Stdio::piped());
        }
        match command.spawn() {
            Ok(child) => children.push(child),
            Err(error) => {
                end(&mut children);
                return Err(error.into());
            }
        }
    }
    watch(children, Duration::from_secs_f64(cluster.timeout) + GRACE)
}

/// Waits for all; when one fails the others have so long to end by themselves.
fn watch(mut children: Vec<Child>, patience: Duration) -> Result<Ended, Failure> {
    for (process, child) in children.iter_mut().enumerate() {
        if let Some(errors) = child.stderr.take() {
            std::thread::spawn(move || {
                for line in BufReader::new(errors).lines().map_while(Result::ok) {
                    let _ = writeln!(std::io::stderr(), "process {process}: {line}");
                }
            });
        }
    }
    let mut failed: Option<(Instant, String)> = None;
    let mut running: Vec<bool> = children.iter().map(|_| true).collect();
    while running.contains(&true) {
        for ((process, child), running) in children.iter_mut().enumerate().zip(&mut running) {
            if !*running {
                continue;
            }
            if let Some(status) = child.try_wait()? {
                *running = false;
                if !status.success() && failed.is_none() {
                    failed = Some((Instant::now(), format!("process {process} ended with {status}")));
                }
            }
        }
        if failed.as_ref().is_some_and(|(since, _)| since.elapsed() > patience) {
            end(&mut children);
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    match failed {
        None => Ok(Ended::Well),
        Some((_, why)) => Err(format!("{why}; the same command goes on from what was saved").into()),
    }
}

fn end(children: &mut [Child]) {
    for child in children {
        let _ = child.kill();
        let _ = child.wait();
    }
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
