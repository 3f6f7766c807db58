//! `solve --processes`: starting several processes on this machine, looking after them, and starting all of them again
//! when one was killed.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use retrograde_cluster::Key;

use super::subject;
use crate::cli::How;
use crate::cli::cluster::ClusterArgs;
use crate::{Context, Ended, Failure};

/// What is waited for processes that should have ended by themselves.
const GRACE: Duration = Duration::from_secs(10);

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
    (again, keep_work): (bool, bool),
    cluster: &ClusterArgs,
    processes: usize,
) -> Result<Ended, Failure> {
    // A wrong name is told once, and not by all of them.
    subject(context, game)?;
    crate::progress::catch_interrupt();
    let patience = Duration::from_secs_f64(cluster.timeout) + GRACE;
    let mut restarts = 0;
    loop {
        // Each time with addresses and a key of its own: what may be left of the processes before finds nobody.
        let rendezvous = Rendezvous::new(processes)?;
        let children = start(context, game, how, (again, keep_work), cluster, (processes, &rendezvous))?;
        let Some(Failed { why, killed }) = watch(children, patience)? else { return Ok(Ended::Well) };
        // A full disk is full the second time too, and whoever pressed Ctrl-C wants an end; but the next one may
        // be spared by whatever killed this one.
        if !killed || restarts >= cluster.restarts || crate::progress::interrupted() {
            return Err(format!("{why}; the same command goes on from what was saved").into());
        }
        restarts += 1;
        let most = cluster.restarts;
        let text = format!("{why}; all processes start again, restart {restarts} of {most}");
        writeln!(std::io::stderr(), "{text}")?;
    }
}

/// Starts all processes, or none.
fn start(
    context: &Context,
    game: &str,
    how: &How,
    (again, keep_work): (bool, bool),
    cluster: &ClusterArgs,
    (processes, rendezvous): (usize, &Rendezvous),
) -> Result<Vec<Child>, Failure> {
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
        // What is allowed is allowed for all of them together, and so is what this machine has: each would take it for its
        // own.
        if let Some(memory) = how.memory.or_else(retrograde_explore::usable_memory) {
            command.args(["--memory", &(memory / processes as u64).to_string()]);
        }
        if let Some(phases) = how.phases {
            command.args(["--phases", &phases.to_string()]);
        }
        for (flag, given) in [
            ("--outcome-only", how.outcome_only),
            ("--with-wins", how.with_wins),
            ("--keep-work", keep_work),
            ("--again", again),
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

/// How a run of all processes failed.
struct Failed {
    why: String,
    /// Whether some process was killed, and has not ended by itself.
    killed: bool,
}

/// Waits for all; when one fails the others have so long to end by themselves.
fn watch(mut children: Vec<Child>, patience: Duration) -> Result<Option<Failed>, Failure> {
    for (process, child) in children.iter_mut().enumerate() {
        if let Some(errors) = child.stderr.take() {
            std::thread::spawn(move || {
                let name = format!("process {process}: ");
                for line in BufReader::new(errors).lines().map_while(Result::ok) {
                    // Some lines say that themselves.
                    let line = line.strip_prefix(&name).unwrap_or(&line);
                    let _ = writeln!(std::io::stderr(), "{name}{line}");
                }
            });
        }
    }
    let mut failed: Option<(Instant, Failed)> = None;
    let mut running: Vec<bool> = children.iter().map(|_| true).collect();
    while running.contains(&true) {
        for ((process, child), running) in children.iter_mut().enumerate().zip(&mut running) {
            if !*running {
                continue;
            }
            if let Some(status) = child.try_wait()? {
                *running = false;
                let (since, earlier) = failed.take().unzip();
                let now = (!status.success()).then(|| Failed {
                    why: format!("process {process} ended with {status}"),
                    killed: killed(status),
                });
                // Those that end because one was killed may be seen to end before it.
                let reason = match (earlier, now) {
                    (Some(Failed { killed: false, .. }), Some(now)) if now.killed => Some(now),
                    (earlier, now) => earlier.or(now),
                };
                failed = reason.map(|reason| (since.unwrap_or_else(Instant::now), reason));
            }
        }
        if failed.as_ref().is_some_and(|(since, _)| since.elapsed() > patience) {
            end(&mut children);
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(failed.map(|(_, failed)| failed))
}

/// Whether a signal has ended a process, other than that of Ctrl-C.
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
