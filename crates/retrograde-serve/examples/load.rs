//! Measures a server under load: several connections keep requesting one position or random ones.
//!
//! `cargo run --release -p retrograde-serve --features measure --example load -- 127.0.0.1:8080 one` (or `random`;
//! then the numbers of connections and seconds, by default 32 and 5). Random positions come from
//! `find`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

type Failure = Box<dyn std::error::Error + Send + Sync>;

const GAME: &str = "/api/v1/games/touchdown:4x4";
/// Number of random positions.
const SEEDS: u32 = 500;

/// One open connection.
struct Client {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Client {
    async fn connect(address: &str) -> Result<Client, Failure> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Client { stream, buffer: vec![0; 1 << 16] })
    }

    /// The body of an answer with status 200.
    async fn get(&mut self, path: &str) -> Result<&[u8], Failure> {
        let request = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n");
        self.stream.write_all(request.as_bytes()).await?;
        let mut read = 0;
        let (mut head, mut whole) = (0, None);
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
                if !text.starts_with("HTTP/1.1 200") {
                    return Err(format!("{path}: {}", text.lines().next().unwrap_or("")).into());
                }
                let length = text.lines().find_map(|line| line.strip_prefix("content-length: "));
                head = end + 4;
                whole = Some(head + length.ok_or("no length")?.parse::<usize>()?);
            }
        }
        Ok(&self.buffer[head..read])
    }
}

/// The paths to request.
async fn paths(address: &str, kind: &str) -> Result<Vec<String>, Failure> {
    if kind == "one" {
        return Ok(vec![format!("{GAME}/positions?position=...O/..O./..../.XX.")]);
    }
    let mut client = Client::connect(address).await?;
    let mut paths = Vec::new();
    for seed in 0..SEEDS {
        let outcome = if seed % 2 == 0 { "win" } else { "loss" };
        let body = client.get(&format!("{GAME}/find?outcome={outcome}&limit=100&seed={seed}")).await?;
        let found: serde_json::Value = serde_json::from_slice(body)?;
        let positions = found["positions"].as_array().into_iter().flatten();
        paths.extend(
            positions
                .filter_map(|found| found["position"].as_str())
                .map(|position| format!("{GAME}/positions?position={position}")),
        );
    }
    Ok(paths)
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument =
        |number: usize, usual: &str| arguments.get(number).cloned().unwrap_or_else(|| usual.to_owned());
    let (address, kind) = (argument(0, "127.0.0.1:8080"), argument(1, "one"));
    let (connections, seconds) = (argument(2, "32").parse::<usize>()?, argument(3, "5").parse::<f64>()?);
    let paths = Arc::new(paths(&address, &kind).await?);
    let began = Instant::now();
    let end = began + Duration::from_secs_f64(seconds);
    let mut tasks = Vec::new();
    for number in 0..connections {
        let (paths, address) = (Arc::clone(&paths), address.clone());
        tasks.push(tokio::spawn(async move {
            let mut client = Client::connect(&address).await?;
            let mut times = Vec::new();
            // Each connection starts with a different path.
            for path in paths.iter().cycle().skip(number * paths.len() / connections.max(1)) {
                let asked = Instant::now();
                if asked >= end {
                    break;
                }
                client.get(path).await?;
                times.push(asked.elapsed());
            }
            Ok::<_, Failure>(times)
        }));
    }
    let mut times = Vec::new();
    for task in tasks {
        times.extend(task.await??);
    }
    let took = began.elapsed().as_secs_f64();
    times.sort_unstable();
    let at = |part: f64| times.get((times.len() as f64 * part) as usize).copied().unwrap_or_default();
    println!(
        "{kind}: {} requests to {} paths in {took:.1} s: {:.0} a second; median {:?}, 99% within {:?}",
        times.len(),
        paths.len(),
        times.len() as f64 / took,
        at(0.5),
        at(0.99)
    );
    Ok(())
}
