//! Finds all other processes. Every process listens at its own line of the host file and calls the processes
//! with lower numbers, twice: once for the engine and once for the heartbeat. A caller that cannot prove that
//! it knows the key is dropped. A silent caller delays no other, because each handshake has its own thread
//! and time limit.

use std::io;
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use retrograde_game::system_reason;

use super::handshake::{self, Key};
use super::hosts::Hosts;
use crate::error::ClusterError;
use crate::liveness::FailureMonitor;
use crate::liveness::Heartbeat;

/// The time limit of a handshake.
const HANDSHAKE: Duration = Duration::from_secs(5);
/// More threads per process than this are considered a mistake, because positions are distributed by thread.
const MAX_THREADS: u32 = 1 << 14;
/// The maximum number of concurrent handshakes. Further callers wait in the system's queue.
const AT_A_TIME: usize = 64;
/// The time between calls of a process that does not answer.
const PAUSE: Duration = Duration::from_millis(200);
/// The time between checks of the processes found so far.
const LOOK: Duration = Duration::from_millis(100);
/// The number of broken handshakes after which the message mentions that the key may be wrong.
const BROKEN: u32 = 5;

/// Options of joining a cluster.
#[derive(Clone, Debug)]
pub struct JoinOptions {
    /// The addresses of all processes.
    pub hosts: Hosts,
    /// The number of this process.
    pub process: usize,
    /// The address to listen at, if it differs from the one in the host file.
    pub listen: Option<String>,
    /// The shared secret.
    pub key: Key,
    /// The number of threads of this process.
    pub threads: u32,
    /// The time to wait for the others at the start.
    pub wait: Duration,
    /// A process that is silent for this long has failed.
    pub timeout: Duration,
}

impl JoinOptions {
    /// Creates options with two minutes to find the other processes and a timeout of ten seconds.
    pub fn new(hosts: Hosts, process: usize, key: Key, threads: u32) -> JoinOptions {
        let (wait, timeout) = (Duration::from_secs(120), Duration::from_secs(10));
        JoinOptions { hosts, process, listen: None, key, threads: threads.max(1), wait, timeout }
    }

    /// A process in messages: "process 1 (10.0.0.2:7000)".
    pub(crate) fn name(&self, process: usize) -> String {
        format!("process {process} ({})", self.hosts.address(process))
    }
}

/// The purpose of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    Rounds,
    Heartbeat,
}

/// The connections of a process; the entry for itself is empty.
#[derive(Debug)]
pub(crate) struct Connections {
    pub rounds: Vec<Option<TcpStream>>,
    /// The heartbeat, which has monitored each process since it was found.
    pub heartbeat: Heartbeat,
    pub monitor: Arc<FailureMonitor>,
    /// The number of threads of every process.
    pub threads: Vec<u32>,
    /// The number of rejected callers.
    pub strays: usize,
}

/// An established connection.
struct NewLink {
    process: usize,
    purpose: Purpose,
    threads: u32,
    link: TcpStream,
}

/// An event while processes look for each other.
enum Event {
    NewLink(NewLink),
    /// They do not belong together, so joining fails.
    Refused(String),
    Stray,
}

/// The introduction in a handshake: number, purpose, threads, and the game to be solved.
fn introduction(process: usize, purpose: Purpose, threads: u32, about: &str) -> Vec<u8> {
    format!("{process} {} {threads}\n{about}", if purpose == Purpose::Rounds { "rounds" } else { "beat" })
        .into()
}

pub(crate) fn introduced(message: &[u8]) -> Option<(usize, Purpose, u32, &str)> {
    let (first, about) = std::str::from_utf8(message).ok()?.split_once('\n')?;
    let mut words = first.split(' ');
    let process = words.next()?.parse().ok()?;
    let purpose = match words.next()? {
        "rounds" => Purpose::Rounds,
        "beat" => Purpose::Heartbeat,
        _ => return None,
    };
    let threads = words.next()?.parse().ok().filter(|threads| (1..=MAX_THREADS).contains(threads))?;
    Some((process, purpose, threads, about))
}

/// The first line in which two descriptions differ, theirs and ours.
fn difference(theirs: &str, ours: &str) -> Option<String> {
    if theirs == ours {
        return None;
    }
    let (mut theirs, mut ours) = (theirs.lines(), ours.lines());
    loop {
        match (theirs.next(), ours.next()) {
            (None, None) => return Some("another order of lines".to_owned()),
            (a, b) if a == b => {}
            (a, b) => return Some(format!("“{}”, not “{}”", a.unwrap_or(""), b.unwrap_or(""))),
        }
    }
}

/// Finds all other processes. `about` describes the solve, one item per line, and must be the same in all
/// processes.
///
/// # Errors
/// If it cannot listen, some process is missing after the time limit, describes another solve, or fails while
/// others are still missing.
pub(crate) fn connect(join: &JoinOptions, about: &str) -> Result<Connections, ClusterError> {
    let count = join.hosts.count();
    let me = join.process;
    if me >= count {
        let reason = format!("there is no process {me}: the host file has {count}, numbered from 0");
        return Err(ClusterError::Connect(reason));
    }
    let monitor = Arc::new(FailureMonitor::default());
    let heartbeat = Heartbeat::begin(join.timeout, Arc::clone(&monitor))
        .map_err(|error| ClusterError::Connect(format!("threads cannot be started: {error}")))?;
    let mut connections = Connections {
        rounds: (0..count).map(|_| None).collect(),
        heartbeat,
        monitor,
        threads: vec![join.threads; count],
        strays: 0,
    };
    match find(join, about, &mut connections) {
        Ok(()) => Ok(connections),
        Err(why) => {
            // Processes found so far should not wait for the rest.
            connections.heartbeat.fail(&why);
            Err(ClusterError::Connect(why))
        }
    }
}

/// Finds all other processes, or returns the reason for failing.
fn find(join: &JoinOptions, about: &str, connections: &mut Connections) -> Result<(), String> {
    let (count, me) = (join.hosts.count(), join.process);
    if count == 1 {
        return Ok(());
    }
    let listener = listen_at(join)?;
    let ended = AtomicBool::new(false);
    let mut heartbeats = vec![false; count];
    std::thread::scope(|scope| {
        let (events, incoming) = channel();
        for other in 0..me {
            for purpose in [Purpose::Rounds, Purpose::Heartbeat] {
                let (events, ended) = (events.clone(), &ended);
                scope.spawn(move || call(join, other, purpose, about, ended, &events));
            }
        }
        let accepting = (events, &ended);
        scope.spawn(move || accept(join, &listener, about, accepting.1, &accepting.0));
        let began = Instant::now();
        let found = loop {
            let missing: Vec<usize> = (0..count)
                .filter(|&other| other != me)
                .filter(|&other| connections.rounds[other].is_none() || !heartbeats[other])
                .collect();
            if missing.is_empty() {
                break Ok(());
            }
            if let Some(why) = connections.monitor.why() {
                break Err(why);
            }
            let left = join.wait.saturating_sub(began.elapsed());
            match incoming.recv_timeout(left.min(LOOK)) {
                Ok(Event::NewLink(met)) => {
                    let name = join.name(met.process);
                    let before = match met.purpose {
                        Purpose::Rounds => connections.rounds[met.process].replace(met.link).is_some(),
                        Purpose::Heartbeat => match connections.heartbeat.meet(met.link, name.clone()) {
                            Ok(()) => std::mem::replace(&mut heartbeats[met.process], true),
                            Err(error) => break Err(format!("the connection to {name} broke ({error})")),
                        },
                    };
                    if before {
                        break Err(format!("two processes claim to be {name}"));
                    }
                    connections.threads[met.process] = met.threads.max(1);
                }
                Ok(Event::Stray) => connections.strays += 1,
                Ok(Event::Refused(reason)) => break Err(reason),
                Err(RecvTimeoutError::Timeout) if left > LOOK => {}
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    let names: Vec<String> = missing.iter().take(5).map(|&other| join.name(other)).collect();
                    let more = missing.len().saturating_sub(names.len());
                    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                    let seconds = join.wait.as_secs();
                    let names = names.join(", ");
                    break Err(format!("{names}{more} did not connect within {seconds} s"));
                }
            }
        };
        ended.store(true, Ordering::SeqCst);
        found
    })
}

fn listen_at(join: &JoinOptions) -> Result<TcpListener, String> {
    let address = join.listen.as_deref().unwrap_or_else(|| join.hosts.address(join.process));
    let began = Instant::now();
    loop {
        match TcpListener::bind(address) {
            Ok(listener) => return Ok(listener),
            // The name of a node that has just started may not resolve yet, and a port may not be free yet.
            Err(_) if began.elapsed() < join.wait.min(Duration::from_secs(10)) => std::thread::sleep(PAUSE),
            Err(error) => {
                let reason = system_reason(&error);
                return Err(format!("process {} cannot listen at {address}: {reason}", join.process));
            }
        }
    }
}

/// Calls another process until it answers.
fn call(
    join: &JoinOptions,
    other: usize,
    purpose: Purpose,
    about: &str,
    ended: &AtomicBool,
    events: &Sender<Event>,
) {
    let mut broken = 0;
    while !ended.load(Ordering::SeqCst) {
        match call_once(join, other, purpose, about) {
            Ok(event) => {
                let _ = events.send(event);
                return;
            }
            // It is not listening yet.
            Err(CallFailure::Absent) => {}
            Err(CallFailure::Broken(error)) => {
                broken += 1;
                if broken == BROKEN {
                    let name = join.name(other);
                    let _ = events.send(Event::Refused(format!(
                        "{name} rejects every handshake ({error}): is it `retrograde`, with the same key?"
                    )));
                    return;
                }
            }
        }
        std::thread::sleep(PAUSE);
    }
}

enum CallFailure {
    Absent,
    Broken(io::Error),
}

fn call_once(join: &JoinOptions, other: usize, purpose: Purpose, about: &str) -> Result<Event, CallFailure> {
    // Names are resolved again each time, because a cluster may register them late.
    let addresses = join.hosts.address(other).to_socket_addrs().map_err(|_| CallFailure::Absent)?;
    let mut link = None;
    for address in addresses {
        link = TcpStream::connect_timeout(&address, HANDSHAKE).ok();
        if link.is_some() {
            break;
        }
    }
    let mut link = link.ok_or(CallFailure::Absent)?;
    limit(&link).map_err(CallFailure::Broken)?;
    let mine = introduction(join.process, purpose, join.threads, about);
    let message = handshake::call(&mut link, &join.key, &mine).map_err(CallFailure::Broken)?;
    if let Some(reason) = message.strip_prefix(b"no\n") {
        let reason = String::from_utf8_lossy(reason);
        return Ok(Event::Refused(format!("{} refuses the connection: {reason}", join.name(other))));
    }
    let wrong = || CallFailure::Broken(io::ErrorKind::InvalidData.into());
    let (process, _, threads, _) = introduced(&message).ok_or_else(wrong)?;
    if process != other {
        let name = join.name(other);
        return Ok(Event::Refused(format!("process {process} answers at the address of {name}")));
    }
    unlimit(&link).map_err(CallFailure::Broken)?;
    Ok(Event::NewLink(NewLink { process, purpose, threads, link }))
}

fn limit(link: &TcpStream) -> io::Result<()> {
    link.set_nonblocking(false)?;
    link.set_nodelay(true)?;
    link.set_read_timeout(Some(HANDSHAKE))?;
    link.set_write_timeout(Some(HANDSHAKE))
}

fn unlimit(link: &TcpStream) -> io::Result<()> {
    link.set_read_timeout(None)?;
    link.set_write_timeout(None)
}

/// Accepts calls until joining ends.
fn accept(
    join: &JoinOptions,
    listener: &TcpListener,
    about: &str,
    ended: &AtomicBool,
    events: &Sender<Event>,
) {
    if listener.set_nonblocking(true).is_err() {
        return;
    }
    let busy = Arc::new(AtomicUsize::new(0));
    let shared = Arc::new((join.clone(), about.to_owned()));
    while !ended.load(Ordering::SeqCst) {
        let caller = match busy.load(Ordering::SeqCst) < AT_A_TIME {
            true => listener.accept().ok(),
            false => None,
        };
        let Some((link, _)) = caller else {
            std::thread::sleep(Duration::from_millis(10));
            continue;
        };
        busy.fetch_add(1, Ordering::SeqCst);
        let (busy_too, shared, events) = (Arc::clone(&busy), Arc::clone(&shared), events.clone());
        // This thread is detached: a silent caller would otherwise delay everything, and make this process
        // look silent to others.
        let answering = std::thread::Builder::new().name("handshake".to_owned()).spawn(move || {
            // A caller that fails to prove itself may be anyone, so joining continues.
            let event = answer(&shared.0, link, &shared.1).unwrap_or(Event::Stray);
            let _ = events.send(event);
            busy_too.fetch_sub(1, Ordering::SeqCst);
        });
        if answering.is_err() {
            busy.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

fn answer(join: &JoinOptions, mut link: TcpStream, about: &str) -> io::Result<Event> {
    limit(&link)?;
    let mut event = Event::Stray;
    let mut met = None;
    handshake::listen(&mut link, &join.key, |message| {
        let refuse = |reason: String| [b"no\n", reason.as_bytes()].concat();
        let Some((process, purpose, threads, theirs)) = introduced(message) else {
            return refuse("this is another version of `retrograde`".to_owned());
        };
        if process <= join.process || process >= join.hosts.count() {
            let reason = format!("process {process} must not connect to process {}", join.process);
            event =
                Event::Refused(format!("{reason}: do all have the same host file and different numbers?"));
            return refuse(reason);
        }
        if let Some(difference) = difference(theirs, about) {
            event = Event::Refused(format!("{} is about to solve {difference}", join.name(process)));
            return refuse(format!("process {process} is about to solve {difference}"));
        }
        met = Some((process, purpose, threads));
        introduction(join.process, purpose, join.threads, about)
    })?;
    if let Some((process, purpose, threads)) = met {
        unlimit(&link)?;
        event = Event::NewLink(NewLink { process, purpose, threads, link });
    }
    Ok(event)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::path::Path;

    /// Free addresses on this machine.
    fn free(count: usize) -> Hosts {
        let sockets: Vec<TcpListener> =
            (0..count).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
        let lines: Vec<String> = sockets.iter().map(|s| s.local_addr().unwrap().to_string()).collect();
        Hosts::parse(&lines.join("\n"), Path::new("hosts")).unwrap()
    }

    fn together(joins: &[JoinOptions], abouts: &[&str]) -> Vec<Result<Connections, String>> {
        std::thread::scope(|scope| {
            let joining: Vec<_> = joins
                .iter()
                .zip(abouts)
                .map(|(join, about)| scope.spawn(|| connect(join, about).map_err(|error| error.to_string())))
                .collect();
            joining.into_iter().map(|joining| joining.join().unwrap()).collect()
        })
    }

    fn joins(hosts: &Hosts, keys: &[Key]) -> Vec<JoinOptions> {
        let join = |process: usize| {
            let mut join =
                JoinOptions::new(hosts.clone(), process, keys[process].clone(), process as u32 + 1);
            join.wait = Duration::from_secs(3);
            join
        };
        (0..hosts.count()).map(join).collect()
    }

    #[test]
    fn introductions_with_impossible_process_numbers_are_rejected() {
        assert!(introduced(&introduction(1, Purpose::Rounds, 2, "game")).is_some());
        for message in
            ["1 rounds 0\ngame", "1 rounds 4000000000\ngame", "1 rest 2\ngame", "1 beat\ngame", "1 beat 2"]
        {
            assert!(introduced(message.as_bytes()).is_none(), "{message}");
        }
    }

    #[test]
    fn all_processes_connect_despite_other_callers() {
        let (hosts, key) = (free(3), Key::of(b"key"));
        let joins = joins(&hosts, &[key.clone(), key.clone(), key]);
        let ended = AtomicBool::new(false);
        let found = std::thread::scope(|scope| {
            // Silent callers, noisy ones, and one that knows the beginning.
            for noise in [&b""[..], b"GET / HTTP/1.1\r\n\r\n", b"RGCLUS\r\n", &[0; 4096]] {
                let (hosts, ended) = (&hosts, &ended);
                scope.spawn(move || {
                    let mut kept = Vec::new();
                    while !ended.load(Ordering::SeqCst) {
                        if let Ok(mut link) = TcpStream::connect(hosts.address(0)) {
                            let _ = link.write_all(noise);
                            kept.push(link);
                        }
                        std::thread::sleep(Duration::from_millis(2));
                        kept.truncate(4);
                    }
                });
            }
            std::thread::sleep(Duration::from_millis(20));
            let found = together(&joins, &["a game"; 3]);
            ended.store(true, Ordering::SeqCst);
            found
        });
        for (me, found) in found.into_iter().enumerate() {
            let found = found.unwrap();
            assert_eq!(found.threads, [1, 2, 3]);
            for other in 0..3 {
                assert_eq!(found.rounds[other].is_some(), other != me);
            }
        }
    }

    #[test]
    fn mismatched_processes_report_the_difference() {
        let key = Key::of(b"key");
        let hosts = free(2);
        let found = together(&joins(&hosts, &[key.clone(), key.clone()]), &["v1\ntactics", "v1\ntouchdown"]);
        let errors: Vec<String> = found.into_iter().map(Result::unwrap_err).collect();
        assert!(
            errors[0].contains("process 1 (") && errors[0].contains("“touchdown”, not “tactics”"),
            "{errors:?}"
        );
        assert!(errors[1].contains("refuses"), "{errors:?}");

        let found = together(&joins(&free(2), &[key.clone(), Key::of(b"other")]), &["g", "g"]);
        let errors: Vec<String> = found.into_iter().map(Result::unwrap_err).collect();
        assert!(errors[0].contains("did not connect within 3 s"), "{errors:?}");
        assert!(errors[1].contains("with the same key"), "{errors:?}");

        // A process that has found another reports to it why it gives up.
        let error = together(&joins(&free(3), &[key.clone(), key.clone(), key.clone()])[..2], &["g"; 2]);
        for error in error {
            assert!(error.unwrap_err().contains("process 2 (127.0.0.1:"));
        }

        let alone = &joins(&free(3), &[key.clone(), key.clone(), key])[2..];
        let error = together(alone, &["g"]).remove(0).unwrap_err();
        assert!(error.contains("process 0 (127.0.0.1:") && error.contains("process 1 ("), "{error}");
    }

    #[test]
    fn a_process_that_hangs_after_its_handshake_times_out() {
        let key = Key::of(b"key");
        let timeout = Duration::from_millis(500);
        for count in [2, 3] {
            let mut joins = joins(&free(count), &vec![key.clone(); count]);
            for join in &mut joins {
                (join.wait, join.timeout) = (Duration::from_secs(60), timeout);
            }
            std::thread::scope(|scope| {
                let first = scope.spawn(|| connect(&joins[0], "a game"));
                let silent: Vec<Event> = [Purpose::Rounds, Purpose::Heartbeat]
                    .map(|purpose| {
                        loop {
                            match call_once(&joins[1], 0, purpose, "a game") {
                                Ok(event) => break event,
                                Err(CallFailure::Broken(error)) => panic!("{error}"),
                                Err(CallFailure::Absent) => std::thread::sleep(Duration::from_millis(10)),
                            }
                        }
                    })
                    .into();
                let began = Instant::now();
                let why = match first.join().unwrap() {
                    // All are present, and one is silent.
                    Ok(connections) => {
                        assert_eq!(count, 2);
                        while !connections.monitor.has_failed() {
                            assert!(began.elapsed() < Duration::from_secs(30));
                            std::thread::sleep(Duration::from_millis(10));
                        }
                        connections.monitor.why().unwrap()
                    }
                    // One is missing, and another is silent.
                    Err(error) => {
                        assert_eq!(count, 3);
                        error.to_string()
                    }
                };
                assert!(why.contains("process 1 (127.0.0.1:"), "{why}");
                assert!(why.contains("has sent nothing for 0.5 s"), "{why}");
                assert!(began.elapsed() >= timeout / 2 && began.elapsed() < Duration::from_secs(30));
                assert!(silent.iter().all(|event| matches!(event, Event::NewLink(_))));
            });
        }
    }

    #[test]
    fn a_process_that_is_still_connecting_counts_as_alive() {
        let key = Key::of(b"key");
        let mut joins = joins(&free(3), &[key.clone(), key.clone(), key]);
        for join in &mut joins {
            (join.wait, join.timeout) = (Duration::from_secs(60), Duration::from_secs(1));
        }
        let found: Vec<_> = std::thread::scope(|scope| {
            let joining: Vec<_> = (0..3)
                .map(|number: u32| {
                    let join = &joins[number as usize];
                    scope.spawn(move || {
                        std::thread::sleep(Duration::from_secs(if number == 2 { 4 } else { 0 }));
                        connect(join, "a game")
                    })
                })
                .collect();
            joining.into_iter().map(|joining| joining.join().unwrap().unwrap()).collect()
        });
        assert!(found.iter().all(|found| found.monitor.why().is_none()));
    }
}
