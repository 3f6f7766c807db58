//! Measures the service of an honest client during an attack: prints the median, 99th percentile and
//! maximum of its time to an uncached answer, and the server's peak memory.
//!
//! `cargo run --release -p retrograde-serve --features measure --example hostile -- 127.0.0.1:8080 PID` (then the kind
//! of attack: `lists`, `games`, `memory`, `all`, `none`; then the numbers of seconds, hostile clients and
//! connections of each client: by default `all 30 16 4`). Every client has a separate address in
//! 127.0.0.0/8 and the memory comes from `/proc/PID/status`, so this works only on Linux, with the
//! server on the same machine. Needs the table of `retrograde solve touchdown:4x4`.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

type Failure = Box<dyn std::error::Error + Send + Sync>;

const HONEST: Ipv4Addr = Ipv4Addr::new(127, 9, 0, 1);
/// The honest client's game, which has a table.
const GAME: &str = "/api/v1/games/touchdown:4x4";
/// The pause between two requests of the honest client.
const PAUSE: Duration = Duration::from_millis(25);

/// A pseudorandom number generator (a mixed Weyl sequence).
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        (mixed ^ (mixed >> 32)) % limit
    }
}

/// One open connection.
struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    async fn from(own: Ipv4Addr, server: SocketAddr) -> Result<Connection, Failure> {
        let socket = TcpSocket::new_v4()?;
        socket.bind((own, 0).into())?;
        let stream = socket.connect(server).await?;
        stream.set_nodelay(true)?;
        Ok(Connection { stream, buffer: vec![0; 1 << 16] })
    }

    /// The status and the body of an answer.
    async fn ask(&mut self, request: &str) -> Result<(u16, &[u8]), Failure> {
        self.stream.write_all(request.as_bytes()).await?;
        let (mut read, mut head, mut whole) = (0, 0, None);
        while whole.is_none_or(|whole| read < whole) {
            if read == self.buffer.len() {
                self.buffer.resize(read * 2, 0);
            }
            match self.stream.read(&mut self.buffer[read..]).await? {
                0 => return Err("the connection ended".into()),
                more => read += more,
            }
            if whole.is_none()
                && let Some(end) = self.buffer[..read].windows(4).position(|four| four == b"\r\n\r\n")
            {
                let text = std::str::from_utf8(&self.buffer[..end])?;
                let length = text.lines().find_map(|line| line.strip_prefix("content-length: "));
                head = end + 4;
                whole = Some(head + length.ok_or("no length")?.parse::<usize>()?);
            }
        }
        let status = std::str::from_utf8(self.buffer.get(9..12).ok_or("no status")?)?.parse()?;
        Ok((status, &self.buffer[head..read]))
    }

    async fn get(&mut self, path: &str) -> Result<(u16, &[u8]), Failure> {
        self.ask(&format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n")).await
    }
}

/// Positions of the honest client's game, each requested once.
async fn positions(server: SocketAddr, count: usize) -> Result<Vec<String>, Failure> {
    let mut connection = Connection::from(HONEST, server).await?;
    let mut found = Vec::new();
    for seed in 0..u32::MAX {
        let outcome = if seed % 2 == 0 { "win" } else { "loss" };
        let path = format!("{GAME}/find?outcome={outcome}&limit=100&seed={seed}");
        let (status, body) = connection.get(&path).await?;
        if status != 200 {
            return Err(format!("{path}: {status}; is there a table?").into());
        }
        let list: serde_json::Value = serde_json::from_slice(body)?;
        let list = list["positions"].as_array().into_iter().flatten();
        found.extend(list.filter_map(|found| found["position"].as_str()).map(str::to_owned));
        found.sort_unstable();
        found.dedup();
        if found.len() >= count {
            break;
        }
    }
    Ok(found)
}

/// A request that is as expensive as possible.
fn hostile(kind: &str, chance: &mut Chance) -> String {
    let get = |path: String| format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n");
    let post = |path: &str, body: String| {
        let length = body.len();
        format!(
            "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
             content-length: {length}\r\n\r\n{body}"
        )
    };
    let moves = 1 + chance.below(24);
    let list = |chance: &mut Chance| match chance.below(3) {
        0 => get(format!("/api/v1/games/pushfight:full,moves={moves}/positions")),
        1 => {
            let position = "....................xY..ooOOOxXX";
            get(format!("/api/v1/games/pushfight:full,moves={moves}/positions?position={position}"))
        }
        _ => get(format!("/api/v1/games/pushfight:full,moves={moves}/steps")),
    };
    let game = |chance: &mut Chance| {
        let (columns, rows) = (2 + chance.below(7), 2 + chance.below(9));
        match chance.below(3) {
            0 => get("/api/v1/games/touchdown:5x10".to_owned()),
            1 => get(format!("/api/v1/games/touchdown:{columns}x{rows}/line")),
            _ => get(format!("/api/v1/games/tactics:{columns}x{rows}/positions")),
        }
    };
    let memory = |chance: &mut Chance| {
        let (pawns, pushers) =
            if chance.below(2) == 0 { (7, 3) } else { (chance.below(8), 1 + chance.below(6)) };
        get(format!("/api/v1/games/pushfight:full,pawns={pawns},pushers={pushers},moves={moves}/positions"))
    };
    match kind {
        "lists" => list(chance),
        "games" => game(chance),
        "memory" => memory(chance),
        _ => match chance.below(5) {
            0 => list(chance),
            1 => game(chance),
            2 => memory(chance),
            3 => get(format!(
                "/api/v1/games/pushfight:2k3p/picture.gif?turns=a1-a1&width={}",
                700 + chance.below(100)
            )),
            _ => {
                let positions = vec![format!("\"....................xY..ooOOOxXX\""); 500].join(",");
                let path = format!("/api/v1/games/pushfight:full,moves={moves}/positions");
                post(&path, format!("{{\"positions\":[{positions}]}}"))
            }
        },
    }
}

/// The current and the peak memory of a process, in mebibytes.
fn memory(process: &str) -> Result<(u64, u64), Failure> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status"))?;
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().trim_end_matches(" kB").parse::<u64>().ok()
    };
    Ok((field("VmRSS:").ok_or("no VmRSS")? / 1024, field("VmHWM:").ok_or("no VmHWM")? / 1024))
}

/// Sends requests until the end, and counts statuses (0 for broken connections).
async fn attack(
    own: Ipv4Addr,
    server: SocketAddr,
    kind: String,
    seed: u64,
    end: Instant,
    statuses: Arc<Mutex<BTreeMap<u16, u64>>>,
) {
    let mut chance = Chance(seed.wrapping_mul(0x1234_5678_9abc_def1));
    while Instant::now() < end {
        let Ok(mut connection) = Connection::from(own, server).await else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        while Instant::now() < end {
            let request = hostile(&kind, &mut chance);
            let asked = tokio::time::timeout(Duration::from_secs(30), connection.ask(&request)).await;
            let status = match asked {
                Ok(Ok((status, _))) => status,
                Ok(Err(_)) | Err(_) => 0,
            };
            *statuses.lock().entry(status).or_default() += 1;
            if status == 0 {
                break;
            }
            if status >= 429 {
                // Without a pause, this would be an attack on the network.
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        }
    }
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument =
        |number: usize, usual: &str| arguments.get(number).cloned().unwrap_or_else(|| usual.to_owned());
    let (server, process) = (argument(0, "127.0.0.1:8080").parse::<SocketAddr>()?, argument(1, "self"));
    let (kind, seconds) = (argument(2, "all"), argument(3, "30").parse::<f64>()?);
    let (hostile, connections) = (argument(4, "16").parse::<u8>()?, argument(5, "4").parse::<u64>()?);
    let hostile = if kind == "none" { 0 } else { hostile };
    let positions = positions(server, (seconds / PAUSE.as_secs_f64()) as usize).await?;
    println!("memory before: {} MiB", memory(&process)?.0);
    let end = Instant::now() + Duration::from_secs_f64(seconds);
    let statuses = Arc::new(Mutex::new(BTreeMap::new()));
    for client in 0..hostile {
        for connection in 0..connections {
            let own = Ipv4Addr::new(127, 10, 0, client + 1);
            let seed = u64::from(client) * connections + connection;
            tokio::spawn(attack(own, server, kind.clone(), seed, end, Arc::clone(&statuses)));
        }
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    let mut connection = Connection::from(HONEST, server).await?;
    let (mut times, mut refused) = (Vec::new(), 0);
    for position in &positions {
        let asked = Instant::now();
        if asked >= end {
            break;
        }
        let (status, _) = connection.get(&format!("{GAME}/positions?position={position}")).await?;
        times.push(asked.elapsed());
        refused += u64::from(status != 200);
        tokio::time::sleep(PAUSE).await;
    }
    times.sort_unstable();
    let at = |part: f64| times.get((times.len() as f64 * part) as usize).copied().unwrap_or_default();
    let (now, most) = memory(&process)?;
    println!(
        "{kind}: {} honest answers, {refused} refused; median {:?}, 99% within {:?}, longest {:?}",
        times.len(),
        at(0.5),
        at(0.99),
        times.last().copied().unwrap_or_default()
    );
    println!("memory: {now} MiB, at most {most} MiB; statuses of hostile clients: {:?}", statuses.lock());
    Ok(())
}
