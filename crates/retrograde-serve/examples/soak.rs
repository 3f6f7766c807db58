//! Simulates a day of traffic in minutes: clients connect, disconnect and request every route, with valid
//! and invalid input. Prints the server's memory at intervals; it must stop growing.
//!
//! `cargo run --release -p retrograde-serve --features measure --example soak -- 127.0.0.1:8080 PID` (then the number
//! of clients and of seconds, by default 16 and 300). Reads the memory from `/proc/PID/status`, so it
//! works only on Linux. Needs the tables of `retrograde solve`.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// A pseudorandom number generator (a mixed Weyl sequence).
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        (mixed ^ (mixed >> 32)) % limit
    }

    fn of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len() as u64) as usize]
    }
}

/// A request, and whether it is valid.
fn request(chance: &mut Chance) -> (String, bool) {
    const GAMES: [&str; 4] = ["tactics", "touchdown", "pushfight:mini", "touchdown:3x3"];
    let get = |path: String| {
        format!(
            "GET {path} HTTP/1.1\r\nhost: localhost\r\naccept-encoding: gzip\r\nconnection: close\r\n\r\n"
        )
    };
    let post = |path: String, body: String| {
        let length = body.len();
        format!(
            "POST {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\n\
             content-length: {length}\r\n\r\n{body}"
        )
    };
    let game = format!("/api/v1/games/{}", chance.of(&GAMES));
    let (seed, outcome) = (chance.below(u64::from(u32::MAX)), chance.of(&["win", "loss"]));
    let theme = chance.of(&["light", "dark"]);
    match chance.below(16) {
        0 => (get("/".to_owned()), true),
        1 => (get("/api/v1/games".to_owned()), true),
        2 => (get(format!("{game}/stats")), true),
        3..6 => (get(format!("{game}/find?outcome={outcome}&limit=20&seed={seed}")), true),
        6 => (get(format!("{game}/puzzles?limit=1&seed={seed}")), true),
        7 => (get(format!("{game}/line?limit=20")), true),
        8 => (get(format!("{game}/steps")), true),
        9 => (get(format!("{game}/view")), true),
        10 => (get(format!("{game}/picture.svg?square={}&theme={theme}", 8 + seed % 190)), true),
        11 => (get(format!("{game}/picture.png?width={}&theme={theme}", 32 + seed % 400)), true),
        12 => (
            get(format!("/api/v1/games/touchdown/picture.gif?turns=a1a2;d4d3&width={}", 32 + seed % 200)),
            true,
        ),
        13 => (
            post("/api/v1/games/touchdown/annotate".to_owned(), r#"{"turns": ["b1b2", "d4d3"]}"#.to_owned()),
            true,
        ),
        14 => (get(format!("{game}/positions?position=%{seed}&to_move={outcome}")), false),
        _ => (get(format!("/api/v1/games/touchdown:{}x{}/positions", seed % 70, seed % 11)), false),
    }
}

/// The status of the answer.
fn ask(address: &str, request: &str) -> Result<u16, Failure> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(30)))?;
    stream.write_all(request.as_bytes())?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    let line = answer.get(9..12).ok_or("no answer")?;
    Ok(std::str::from_utf8(line)?.parse()?)
}

/// The memory of a process, in mebibytes.
fn memory(process: &str) -> Result<u64, Failure> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("no VmRSS")?;
    Ok(line.trim().trim_end_matches(" kB").parse::<u64>()? / 1024)
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument =
        |number: usize, usual: &str| arguments.get(number).cloned().unwrap_or_else(|| usual.to_owned());
    let (address, process) = (argument(0, "127.0.0.1:8080"), argument(1, "self"));
    let (clients, seconds) = (argument(2, "16").parse::<u64>()?, argument(3, "300").parse::<u64>()?);
    let end = Instant::now() + Duration::from_secs(seconds);
    let (asked, wrong) = (AtomicU64::new(0), AtomicU64::new(0));
    println!("seconds  requests  MiB");
    println!("{:7}  {:8}  {}", 0, 0, memory(&process)?);
    std::thread::scope(|scope| {
        for client in 0..clients {
            let (address, asked, wrong) = (&address, &asked, &wrong);
            scope.spawn(move || {
                let mut chance = Chance(client.wrapping_mul(0x1234_5678_9abc_def1));
                while Instant::now() < end {
                    let (request, good) = request(&mut chance);
                    let expected = |status: u16| match good {
                        true => status == 200,
                        false => status == 200 || (400..500).contains(&status),
                    };
                    match ask(address, &request) {
                        Ok(status) if expected(status) => {}
                        other => {
                            wrong.fetch_add(1, Ordering::Relaxed);
                            eprintln!("{other:?}: {}", request.lines().next().unwrap_or_default());
                        }
                    }
                    asked.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        let step = (seconds / 10).max(1);
        for tick in 1..=10 {
            std::thread::sleep(Duration::from_secs(step));
            match memory(&process) {
                Ok(mebibytes) => {
                    println!("{:7}  {:8}  {mebibytes}", tick * step, asked.load(Ordering::Relaxed))
                }
                Err(error) => eprintln!("{error}"),
            }
        }
    });
    println!(
        "{} requests, {} not answered as they should be",
        asked.into_inner(),
        wrong.load(Ordering::Relaxed)
    );
    if wrong.into_inner() > 0 { Err("see above".into()) } else { Ok(()) }
}
