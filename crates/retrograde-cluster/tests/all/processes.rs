//! Real processes: the scores do not depend on their number; and what happens when one is killed, stopped or
//! contacted by strangers.

use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::common::children::{
    MAX_WAIT, TIMEOUT, all_end_well, divide_scores, end, folder, free, signal, solve_what_occurs, spawn,
    start, wait_for,
};
use crate::common::proxy::{Network, Proxy};

#[test]
fn any_number_of_processes_gives_the_same_result() {
    for threads in [&[1][..], &[1, 1], &[2, 1, 1], &[1, 3, 1, 2]] {
        let folder = folder(&free(threads.len()));
        for way in 0..3 {
            match way {
                0 => {}
                1 => divide_scores(folder.path(), true),
                _ => solve_what_occurs(folder.path()),
            }
            all_end_well(start(folder.path(), threads, 0), folder.path());
            std::fs::write(folder.path().join("hosts"), free(threads.len()).join("\n")).unwrap();
            std::fs::remove_dir_all(folder.path().join("cluster")).unwrap();
        }
    }
}

#[test]
fn a_killed_process_stops_the_others_and_all_resume_later() {
    for divided in [[false, false], [false, true], [true, false]] {
        killed_and_gone_on_with(&folder(&free(3)), divided);
    }
    let reachable = folder(&free(3));
    solve_what_occurs(reachable.path());
    killed_and_gone_on_with(&reachable, [false, false]);
}

/// Kills one of three processes, and resumes with two others. Says for both whether the scores are divided.
fn killed_and_gone_on_with(first: &retrograde_testkit::TempDir, divided: [bool; 2]) {
    divide_scores(first.path(), divided[0]);
    let mut children = start(first.path(), &[1, 1, 1], 2);
    wait_for(&first.path().join("cluster/manifest.json"));
    let mut killed = children.remove(1);
    let began = Instant::now();
    killed.kill().unwrap();
    killed.wait().unwrap();
    for child in children {
        let (ended, output) = end(child, TIMEOUT + MAX_WAIT);
        assert_eq!(ended, Some(false), "{output}");
        assert!(
            output.contains("process 1 (127.0.0.1:") && output.contains("start all processes again"),
            "{output}"
        );
        assert!(!output.contains("panicked"), "{output}");
    }
    // A killed process is noticed at once, because its connections end.
    assert!(began.elapsed() < TIMEOUT + MAX_WAIT);
    assert!(!first.path().join("scores").exists());
    // Fewer processes resume, and each has other positions than before.
    divide_scores(first.path(), divided[1]);
    let addresses = free(2);
    std::fs::write(first.path().join("hosts"), addresses.join("\n")).unwrap();
    all_end_well(start(first.path(), &[1, 2], 0), first.path());
}

#[test]
fn a_process_killed_while_receiving_scores_stops_the_others() {
    for (number, reachable) in [(0, false), (1, false), (0, true), (1, true)] {
        let folder = folder(&free(3));
        if reachable {
            solve_what_occurs(folder.path());
        }
        let mut children = start(folder.path(), &[1, 1, 1], 2);
        wait_for(&folder.path().join("writing"));
        let mut killed = children.remove(number);
        killed.kill().unwrap();
        killed.wait().unwrap();
        for child in children {
            let (ended, output) = end(child, TIMEOUT + MAX_WAIT);
            assert_eq!(ended, Some(false), "{output}");
            assert!(output.contains(&format!("process {number} (127.0.0.1:")), "{output}");
        }
        assert!(!folder.path().join("scores").exists());
        std::fs::write(folder.path().join("hosts"), free(1).join("\n")).unwrap();
        all_end_well(start(folder.path(), &[2], 0), folder.path());
    }
}

#[test]
fn damaged_and_missing_shards_are_named() {
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
    for (bytes, reason) in [(Some(&damaged), "is damaged"), (None, "no process has a complete copy")] {
        match bytes {
            Some(bytes) => std::fs::write(&shard, bytes).unwrap(),
            None => std::fs::remove_file(&shard).unwrap(),
        }
        std::fs::write(folder.path().join("hosts"), free(2).join("\n")).unwrap();
        let output: Vec<String> = start(folder.path(), &[1, 1], 0)
            .into_iter()
            .map(|child| {
                let (ended, output) = end(child, TIMEOUT + MAX_WAIT);
                assert_eq!(ended, Some(false), "{output}");
                output
            })
            .collect();
        assert!(output.iter().any(|output| output.contains(reason) && output.contains(name)), "{output:?}");
    }
    std::fs::write(&shard, whole).unwrap();
    std::fs::write(folder.path().join("hosts"), free(2).join("\n")).unwrap();
    all_end_well(start(folder.path(), &[1, 1], 0), folder.path());
}

#[test]
fn a_stopped_process_times_out() {
    let folder = folder(&free(3));
    let mut children = start(folder.path(), &[1, 1, 1], 2);
    wait_for(&folder.path().join("cluster/manifest.json"));
    let mut stopped = children.remove(2);
    signal(&stopped, "-STOP");
    let began = Instant::now();
    for child in children {
        let (ended, output) = end(child, TIMEOUT + MAX_WAIT);
        assert_eq!(ended, Some(false), "{output}");
        assert!(
            output.contains("process 2 (127.0.0.1:") && output.contains("has sent nothing for 3 s"),
            "{output}"
        );
    }
    assert!(began.elapsed() >= TIMEOUT / 2);
    signal(&stopped, "-CONT");
    // It finds itself alone.
    let stopped_said = {
        let began = Instant::now();
        while stopped.try_wait().unwrap().is_none() && began.elapsed() < TIMEOUT + MAX_WAIT {
            std::thread::sleep(Duration::from_millis(20));
        }
        end(stopped, Duration::ZERO)
    };
    assert_eq!(stopped_said.0, Some(false), "{}", stopped_said.1);
}

#[test]
fn strangers_are_ignored() {
    let addresses = free(2);
    let folder = folder(&addresses);
    let mut children = vec![spawn(folder.path(), 0, 1, 1, &[])];
    let mut kept = Vec::new();
    let began = Instant::now();
    // A silent caller, one that speaks another protocol, and one that starts correctly and then sends
    // nonsense.
    for noise in [&b""[..], b"GET / HTTP/1.0\r\n\r\n", &[b"RGCLUS\r\n".as_slice(), &[7; 300]].concat()] {
        let mut link = loop {
            match TcpStream::connect(&addresses[0]) {
                Ok(link) => break link,
                Err(error) => assert!(began.elapsed() < MAX_WAIT, "{error}"),
            }
            std::thread::sleep(Duration::from_millis(10));
        };
        link.write_all(noise).unwrap();
        kept.push(link);
    }
    children.push(spawn(folder.path(), 1, 1, 1, &[]));
    wait_for(&folder.path().join("cluster/manifest.json"));
    // Once all are connected, none of them listens any more.
    assert!(TcpStream::connect(&addresses[0]).is_err());
    all_end_well(children, folder.path());
}

#[test]
fn a_process_stopped_while_another_is_missing_times_out() {
    let addresses = free(4);
    // Process 1 calls process 0 through a proxy that counts the traffic; process 2 never comes.
    let folder = folder(&[&addresses[3], &addresses[1], &addresses[2]].map(String::clone));
    std::fs::write(folder.path().join("listen-0"), &addresses[0]).unwrap();
    let proxy = Proxy::start(&addresses[3], &addresses[0], Network::default());
    let first = spawn(folder.path(), 0, 1, 0, &[]);
    let mut stopped = spawn(folder.path(), 1, 1, 0, &[]);
    let began = Instant::now();
    // A beat is one byte. A process that sends one has found process 0.
    while proxy.single_bytes() < 4 {
        assert!(began.elapsed() < MAX_WAIT, "they do not find each other");
        std::thread::sleep(Duration::from_millis(10));
    }
    signal(&stopped, "-STOP");
    let began = Instant::now();
    let (ended, output) = end(first, TIMEOUT + MAX_WAIT);
    assert_eq!(ended, Some(false), "{output}");
    assert!(
        output.contains("process 1 (127.0.0.1:") && output.contains("has sent nothing for 3 s"),
        "{output}"
    );
    assert!(began.elapsed() >= TIMEOUT / 2);
    stopped.kill().unwrap();
    stopped.wait().unwrap();
}
