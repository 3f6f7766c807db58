//! `solve --processes`: starts several processes on this machine, watches them, and restarts all of
//! them when one is killed.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use retrograde_cluster::Key;

use crate::commands::solve::args::SolveArgs;
use crate::output::terminal::say;
use crate::program::context::Context;
use crate::program::exit::{BoxError, CommandResult, Exit};

/// The time that processes have to end before they are killed.
const GRACE: Duration = Duration::from_secs(10);

/// A temporary folder with the host file and the key of the processes. Dropping this removes it.
struct Rendezvous(PathBuf);

impl Rendezvous {
    fn new(processes: usize) -> Result<Rendezvous, BoxError> {
        let folder = std::env::temp_dir().join(format!("retrograde-{}", Key::random_text()?.split_at(16).0));
        let mut builder = fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&folder)?;
        let rendezvous = Rendezvous(folder);
        // The ports are free now. If another program takes one, a process reports that and all end.
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

/// Starts processes on this machine and watches them until all have ended.
pub(crate) fn solve_on_this_machine(
    context: &Context,
    game: &str,
    args: &SolveArgs,
    processes: usize,
) -> CommandResult {
    // Reports a wrong name once, and not from every process.
    context.subject(game)?;
    let cluster = &args.cluster;
    crate::program::signals::catch_end_signals();
    let end_timeout = cluster.timeout + GRACE;
    let mut restarts = 0;
    loop {
        // Each attempt has its own addresses and key, so that processes of an earlier one cannot
        // join.
        let rendezvous = Rendezvous::new(processes)?;
        let children = start(context, game, args, processes, &rendezvous)?;
        let Some(ProcessFailure { why, killed }) = watch(children, end_timeout)? else {
            return Ok(Exit::Success);
        };
        // Restarting helps only after a kill: a full disk stays full, and Ctrl-C asks for an end.
        if !killed || restarts >= cluster.restarts || crate::program::signals::end_signal().is_some() {
            let again = if args.again { "without --again, " } else { "" };
            let text = format!("{why}; {again}the same command resumes from what was saved, if anything");
            return Err(text.into());
        }
        restarts += 1;
        let max_restarts = cluster.restarts;
        let text = format!("{why}; all processes start again, restart {restarts} of {max_restarts}");
        say(text);
    }
}

/// Starts all processes, or none.
fn start(
    context: &Context,
    game: &str,
    args: &SolveArgs,
    processes: usize,
    rendezvous: &Rendezvous,
) -> Result<Vec<Child>, BoxError> {
    let (cluster, solver) = (&args.cluster, &args.solver);
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
        let [timeout, wait] = [cluster.timeout, cluster.wait].map(|time| time.as_secs_f64().to_string());
        command.args(["--timeout", &timeout, "--wait", &wait]);
        for folder in context.tables.all() {
            command.arg("--tables").arg(folder);
        }
        // The processes share the memory limit, or the memory of this machine.
        if let Some(memory) = context.memory.or_else(retrograde_explore::usable_memory) {
            command.args(["--memory", &(memory / processes as u64).to_string()]);
        }
        if let Some(turns) = solver.max_turns {
            command.args(["--max-turns", &turns.to_string()]);
        }
        for (flag, given) in [
            ("--outcome-only", solver.outcome_only),
            ("--reachable", solver.reachable),
            ("--with-wins", solver.with_wins),
            ("--keep-work", args.keep_work),
            ("--again", args.again),
            ("--ignore-space", args.ignore_space),
            ("--json", context.json),
        ] {
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
    Ok(children)
}

/// The failure of a run.
struct ProcessFailure {
    why: String,
    /// Whether a signal killed the process.
    killed: bool,
}

/// Waits for all processes. When one fails, the others have `timeout` to end.
fn watch(mut children: Vec<Child>, timeout: Duration) -> Result<Option<ProcessFailure>, BoxError> {
    for (process, child) in children.iter_mut().enumerate() {
        if let Some(errors) = child.stderr.take() {
            // If the thread does not start, only these lines are lost.
            let _ = std::thread::Builder::new().spawn(move || {
                let name = format!("process {process}: ");
                for line in BufReader::new(errors).lines().map_while(Result::ok) {
                    // Some lines already begin with the name.
                    let line = line.strip_prefix(&name).unwrap_or(&line);
                    say(format!("{name}{line}"));
                }
            });
        }
    }
    let mut failed: Option<(Instant, ProcessFailure)> = None;
    let mut running: Vec<bool> = children.iter().map(|_| true).collect();
    let mut passed_on = false;
    while running.contains(&true) {
        if let Some(signal) = crate::program::signals::end_signal()
            && !passed_on
        {
            passed_on = true;
            let still = children.iter().zip(&running).filter(|&(_, &running)| running);
            still.for_each(|(child, _)| signal.pass_on(child));
        }
        for ((process, child), running) in children.iter_mut().enumerate().zip(&mut running) {
            if !*running {
                continue;
            }
            if let Some(status) = child.try_wait()? {
                *running = false;
                let (since, earlier) = failed.take().unzip();
                let now = (!status.success()).then(|| ProcessFailure {
                    why: format!("process {process} ended with {status}"),
                    killed: killed(status),
                });
                // A process that ends because another was killed may be noticed first.
                let reason = match (earlier, now) {
                    (Some(ProcessFailure { killed: false, .. }), Some(now)) if now.killed => Some(now),
                    (earlier, now) => earlier.or(now),
                };
                failed = reason.map(|reason| (since.unwrap_or_else(Instant::now), reason));
            }
        }
        if failed.as_ref().is_some_and(|(since, _)| since.elapsed() > timeout) {
            end(&mut children);
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(failed.map(|(_, failed)| failed))
}

/// Whether a signal other than Ctrl-C ended a process.
#[cfg(unix)]
fn killed(status: ExitStatus) -> bool {
    const SIGINT: i32 = 2;
    std::os::unix::process::ExitStatusExt::signal(&status).is_some_and(|signal| signal != SIGINT)
}

#[cfg(not(unix))]
fn killed(_status: ExitStatus) -> bool {
    false
}

fn end(children: &mut [Child]) {
    for child in children {
        let _ = child.kill();
        let _ = child.wait();
    }
}
