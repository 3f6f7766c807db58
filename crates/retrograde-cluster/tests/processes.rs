//! Real processes: the same scores for any number of them, and what happens when one is killed, stopped, cut off or
//! visited by strangers.
//!
//! A process is this test program again, running the one test `child` and told by its environment what to do.

#![cfg(unix)]

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use retrograde_cluster::{Gathered, Hosts, Job, Join, Key, Seat, Shards, graded};
use retrograde_game::{Game, GameSpec};
use retrograde_solve::{Progress, Scores, Silent, Unkept};
use retrograde_table::Pace;
use retrograde_touchdown::TouchDown;

/// Who is silent for so long has failed.
const TIMEOUT: Duration = Duration::from_secs(3);
/// What is waited for beyond that, on a machine that is busy with other things.
const PATIENCE: Duration = Duration::from_secs(15);

fn game() -> TouchDown {
    TouchDown::from_spec(GameSpec::parse("touchdown:4x4").unwrap()).unwrap()
}

/// Takes its time.
struct Slow(Duration);

impl Progress for Slow {
    fn stage(&self, _name: &str, _total: u64) {}
    fn advance(&self, _units: u64) {
        std::thread::sleep(self.0);
    }
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap()
}

/// A process of a cluster, when it is started as one.
#[test]
fn child() {
    if std::env::var_os("CLUSTER_PROCESS").is_none() {
        return;
    }
    let folder = PathBuf::from(variable("CLUSTER_FOLDER"));
    let solve = || {
        let hosts = Hosts::read(&folder.join("hosts"))?;
        let key = Key::read(&folder.join("key"))?;
        let process = variable("CLUSTER_PROCESS").parse().unwrap();
        let mut join = Join::new(hosts, process, key, variable("CLUSTER_THREADS").parse().unwrap());
        (join.wait, join.timeout) = (Duration::from_secs(30), TIMEOUT);
        let game = game();
        let mut session = Seat::join(&join, &game.name())?.sit()?;
        let slow = Slow(Duration::from_millis(variable("CLUSTER_SLOW").parse().unwrap()));
        let mut shards = Shards::new(&folder, game.name()).pace(Pace { factor: 0, least: Duration::ZERO });
        let mut job = Job::new(1 << 30, &slow);
        job.batch = Some(1 << 15);
        job.shards = Some(&mut shards);
        let mut gathered = Gathered::default();
        match graded(&game, &mut session, &mut job, &mut gathered) {
            Ok(()) => {
                if let Some(Scores::Narrow(scores)) = gathered.scores() {
                    std::fs::write(folder.join("scores"), scores).unwrap();
                }
                eprintln!("sent {} bytes, saved {} times", session.traffic().0, shards.saved());
                session.finish()
            }
            Err(error) => {
                session.fail(&error.to_string());
                Err(error)
            }
        }
    };
    let code = match solve() {
        Ok(()) => 0,
        Err(error) => {
            eprintln!("error: {error}");
            1
        }
    };
    std::process::exit(code);
}

/// A folder with a host file and a key.
fn folder(addresses: &[String]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("hosts"), addresses.join("\n")).unwrap();
    std::fs::write(folder.path().join("key"), Key::random_text().unwrap()).unwrap();
    folder
}

fn free(count: usize) -> Vec<String> {
    let sockets: Vec<TcpListener> = (0..count).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    sockets.iter().map(|socket| socket.local_addr().unwrap().to_string()).collect()
}

fn spawn(folder: &Path, process: usize, threads: u32, slow: u64, within: &[&str]) -> Child {
    let program = std::env::current_exe().unwrap();
    let mut words: Vec<&std::ffi::OsStr> = within.iter().map(std::ffi::OsStr::new).collect();
    words.push(program.as_os_str());
    Command::new(words[0])
        .args(&words[1..])
        .args(["--exact", "child", "--nocapture", "--quiet"])
        .env("CLUSTER_PROCESS", process.to_string())
        .env("CLUSTER_FOLDER", folder)
        .env("CLUSTER_THREADS", threads.to_string())
        .env("CLUSTER_SLOW", slow.to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn start(folder: &Path, threads: &[u32], slow: u64) -> Vec<Child> {
    (0..).zip(threads).map(|(process, &threads)| spawn(folder, process, threads, slow, &[])).collect()
}

/// Whether it ended well within a time, and what it said. A process that does not end is killed.
fn end(mut child: Child, within: Duration) -> (Option<bool>, String) {
    let began = Instant::now();
    let ended = loop {
        match child.try_wait().unwrap() {
            Some(status) => break Some(status.success()),
            None if began.elapsed() > within => {
                child.kill().unwrap();
                break None;
            }
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    let mut said = String::new();
    let _ = child.stderr.take().unwrap().read_to_string(&mut said);
    let _ = child.wait();
    (ended, said)
}

fn signal(child: &Child, signal: &str) {
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
}

fn alone() -> Vec<u8> {
    let mut unkept = Unkept;
    let mut job = retrograde_solve::Job {
        threads: 2,
        memory: 1 << 30,
        horizon: None,
        progress: &Silent,
        checkpoint: &mut unkept,
    };
    match retrograde_solve::graded::solve(&game(), &mut job).unwrap() {
        Scores::Narrow(scores) => scores,
        Scores::Wide(_) => unreachable!(),
    }
}

fn all_end_well(children: Vec<Child>, folder: &Path) {
    for child in children {
        let (ended, said) = end(child, Duration::from_secs(60));
        assert_eq!(ended, Some(true), "{said}");
    }
    assert!(std::fs::read(folder.join("scores")).unwrap() == alone());
}

fn wait_for(path: &Path) {
    let began = Instant::now();
    while !path.exists() {
        assert!(began.elapsed() < Duration::from_secs(60), "{} does not come", path.display());
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn any_number_of_processes_finds_the_same() {
    for threads in [&[1][..], &[1, 1], &[2, 1, 1], &[1, 3, 1, 2]] {
        let folder = folder(&free(threads.len()));
        all_end_well(start(folder.path(), threads, 0), folder.path());
    }
}

#[test]
fn a_killed_process_stops_the_others_and_all_go_on_later() {
    let first = folder(&free(3));
    let mut children = start(first.path(), &[1, 1, 1], 2);
    wait_for(&first.path().join("cluster/manifest.json"));
    let mut killed = children.remove(1);
    let began = Instant::now();
    killed.kill().unwrap();
    killed.wait().unwrap();
    for child in children {
        let (ended, said) = end(child, TIMEOUT + PATIENCE);
        assert_eq!(ended, Some(false), "{said}");
        assert!(
            said.contains("process 1 (127.0.0.1:") && said.contains("start all processes again"),
            "{said}"
        );
        assert!(!said.contains("panicked"), "{said}");
    }
    // A killed process is missed at once: its connections end with it.
    assert!(began.elapsed() < TIMEOUT + PATIENCE);
    assert!(!first.path().join("scores").exists());
    // Fewer processes go on, and each has other positions than before.
    let addresses = free(2);
    std::fs::write(first.path().join("hosts"), addresses.join("\n")).unwrap();
    all_end_well(start(first.path(), &[1, 2], 0), first.path());
}

#[test]
fn a_damaged_or_missing_shard_is_named() {
    let folder = folder(&free(2));
    let mut children = start(folder.path(), &[1, 1], 2);
    wait_for(&folder.path().join("cluster/manifest.json"));
    children.iter_mut().for_each(|child| child.kill().unwrap());
    for child in &mut children {
        child.wait().unwrap();
    }
    let manifest = std::fs::read_to_string(folder.path().join("cluster/manifest.json")).unwrap();
    let name = manifest.split('"').find(|word| word.ends_with("-1.shard")).unwrap();
    let shard = folder.path().join("cluster").join(name);
    let whole = std::fs::read(&shard).unwrap();
    let mut damaged = whole.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    for (bytes, reason) in [(Some(&damaged), "is damaged"), (None, "no process finds it")] {
        match bytes {
            Some(bytes) => std::fs::write(&shard, bytes).unwrap(),
            None => std::fs::remove_file(&shard).unwrap(),
        }
        std::fs::write(folder.path().join("hosts"), free(2).join("\n")).unwrap();
        let said: Vec<String> = start(folder.path(), &[1, 1], 0)
            .into_iter()
            .map(|child| {
                let (ended, said) = end(child, TIMEOUT + PATIENCE);
                assert_eq!(ended, Some(false), "{said}");
                said
            })
            .collect();
        assert!(said.iter().any(|said| said.contains(reason) && said.contains(name)), "{said:?}");
    }
    std::fs::write(&shard, whole).unwrap();
    std::fs::write(folder.path().join("hosts"), free(2).join("\n")).unwrap();
    all_end_well(start(folder.path(), &[1, 1], 0), folder.path());
}

#[test]
fn a_stopped_process_is_missed_in_time() {
    let folder = folder(&free(3));
    let mut children = start(folder.path(), &[1, 1, 1], 2);
    wait_for(&folder.path().join("cluster/manifest.json"));
    let mut stopped = children.remove(2);
    signal(&stopped, "-STOP");
    let began = Instant::now();
    for child in children {
        let (ended, said) = end(child, TIMEOUT + PATIENCE);
        assert_eq!(ended, Some(false), "{said}");
        assert!(
            said.contains("process 2 (127.0.0.1:") && said.contains("has not been heard of for 3 s"),
            "{said}"
        );
    }
    assert!(began.elapsed() >= TIMEOUT / 2);
    signal(&stopped, "-CONT");
    // It finds itself alone.
    let stopped_said = {
        let began = Instant::now();
        while stopped.try_wait().unwrap().is_none() && began.elapsed() < TIMEOUT + PATIENCE {
            std::thread::sleep(Duration::from_millis(20));
        }
        end(stopped, Duration::ZERO)
    };
    assert_eq!(stopped_said.0, Some(false), "{}", stopped_said.1);
}

#[test]
fn strangers_disturb_nobody() {
    let addresses = free(2);
    let folder = folder(&addresses);
    let mut children = vec![spawn(folder.path(), 0, 1, 1, &[])];
    let mut kept = Vec::new();
    let began = Instant::now();
    // One that is silent, one that speaks another language, one that says how it begins and then nonsense.
    for noise in [&b""[..], b"GET / HTTP/1.0\r\n\r\n", &[b"RGCLUS\r\n".as_slice(), &[7; 300]].concat()] {
        let mut link = loop {
            match TcpStream::connect(&addresses[0]) {
                Ok(link) => break link,
                Err(error) => assert!(began.elapsed() < Duration::from_secs(30), "{error}"),
            }
            std::thread::sleep(Duration::from_millis(10));
        };
        link.write_all(noise).unwrap();
        kept.push(link);
    }
    children.push(spawn(folder.path(), 1, 1, 1, &[]));
    wait_for(&folder.path().join("cluster/manifest.json"));
    // Once all are there nobody listens any more.
    assert!(TcpStream::connect(&addresses[0]).is_err());
    all_end_well(children, folder.path());
}

/// Two network namespaces with a cable between them; gone when dropped.
struct Namespaces(String);

impl Namespaces {
    fn new() -> Option<Namespaces> {
        let name = format!("rg{}", std::process::id());
        let namespaces = Namespaces(name.clone());
        let script = format!(
            "ip netns add {name}a && ip netns add {name}b && \
             ip link add {name}a netns {name}a type veth peer name {name}b netns {name}b && \
             ip -n {name}a addr add 10.231.7.1/24 dev {name}a && ip -n {name}b addr add 10.231.7.2/24 dev {name}b && \
             ip -n {name}a link set {name}a up && ip -n {name}b link set {name}b up && \
             ip -n {name}a link set lo up && ip -n {name}b link set lo up"
        );
        sh(&script).then_some(namespaces)
    }

    fn start(&self, folder: &Path, slow: u64) -> Vec<Child> {
        let within = |side: &str| format!("{}{side}", self.0);
        let (a, b) = (within("a"), within("b"));
        vec![
            spawn(folder, 0, 1, slow, &["ip", "netns", "exec", &a]),
            spawn(folder, 1, 2, slow, &["ip", "netns", "exec", &b]),
        ]
    }
}

impl Drop for Namespaces {
    fn drop(&mut self) {
        sh(&format!("ip netns del {0}a; ip netns del {0}b", self.0));
    }
}

fn sh(script: &str) -> bool {
    let silent = Command::new("sh").args(["-c", script]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    silent.is_ok_and(|status| status.success())
}

#[test]
fn a_slow_network_and_a_cut_one() {
    let Some(namespaces) = Namespaces::new() else {
        println!("skipped: this machine lets us make no network namespaces");
        return;
    };
    let name = &namespaces.0;
    let addresses = ["10.231.7.1:7000".to_owned(), "10.231.7.2:7000".to_owned()];
    // 5 ms each way and 1 packet of 200 lost.
    let slowed = sh(&format!("tc -n {name}a qdisc add dev {name}a root netem delay 5ms loss 0.5%"));
    if !slowed {
        println!("not slowed: this machine has no netem");
    }
    let slow_folder = folder(&addresses);
    all_end_well(namespaces.start(slow_folder.path(), 0), slow_folder.path());
    let cut_folder = folder(&addresses);
    let children = namespaces.start(cut_folder.path(), 2);
    wait_for(&cut_folder.path().join("cluster/manifest.json"));
    assert!(sh(&format!("ip -n {name}a link set {name}a down")));
    for (child, other) in children.into_iter().zip(["process 1 (", "process 0 ("]) {
        let (ended, said) = end(child, TIMEOUT + PATIENCE);
        assert_eq!(ended, Some(false), "{said}");
        assert!(said.contains(other), "{said}");
    }
}
