//! A host of static files for tests that can misbehave: a thread with a listener, and one
//! connection per request.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;

/// A request: the path without its slash, and the requested range, with its end.
pub struct Request {
    pub path: String,
    pub range: Option<(usize, usize)>,
    /// The number of earlier requests.
    pub number: usize,
}

/// A response.
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    /// The number of bytes of the body to send before closing the connection.
    pub sent: Option<usize>,
    /// Whether to send the length of the body.
    pub has_length: bool,
}

impl Reply {
    pub fn new(status: u16, body: &[u8]) -> Reply {
        Reply { status, headers: Vec::new(), body: body.to_vec(), sent: None, has_length: true }
    }

    pub fn header(mut self, name: &str, value: impl Into<String>) -> Reply {
        self.headers.retain(|(other, _)| other != name);
        self.headers.push((name.to_owned(), value.into()));
        self
    }
}

/// Changes responses: it receives the folder, the request, and the response of a good host.
pub type Mischief = dyn Fn(&Path, &Request, Reply) -> Reply + Send + Sync;

/// The response of a good host, with ranges.
pub fn good(folder: &Path, request: &Request) -> Reply {
    let Ok(all) = std::fs::read(folder.join(&request.path)) else { return Reply::new(404, b"not found") };
    match request.range {
        None => Reply::new(200, &all),
        Some((from, _)) if from >= all.len() => Reply::new(416, b""),
        Some((from, to)) => {
            let to = to.min(all.len());
            let range = format!("bytes {from}-{}/{}", to - 1, all.len());
            Reply::new(206, &all[from..to]).header("Content-Range", range)
        }
    }
}

/// Serves a folder until the test ends and returns the address.
pub fn serve(folder: &Path, mischief: Box<Mischief>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (folder, mischief): (_, Arc<Mischief>) = (folder.to_owned(), Arc::from(mischief));
    std::thread::spawn(move || {
        for (number, stream) in listener.incoming().flatten().enumerate() {
            let (folder, mischief) = (folder.clone(), Arc::clone(&mischief));
            // The host ignores clients that disconnect.
            std::thread::spawn(move || drop(answer(&stream, &folder, number, &*mischief)));
        }
    });
    address
}

fn answer(stream: &TcpStream, folder: &Path, number: usize, mischief: &Mischief) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream).lines();
    let first = lines.next().unwrap_or(Ok(String::new()))?;
    let path = first.split(' ').nth(1).unwrap_or_default().trim_start_matches('/').to_owned();
    let mut range = None;
    for line in lines {
        let line = line?.to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some((from, to)) = line.strip_prefix("range: bytes=").and_then(|range| range.split_once('-')) {
            range = from.parse().ok().zip(to.parse::<usize>().ok().map(|to| to + 1));
        }
    }
    let request = Request { path, range, number };
    let reply = mischief(folder, &request, good(folder, &request));
    let mut stream = stream;
    let mut head = format!("HTTP/1.1 {} X\r\nConnection: close\r\n", reply.status);
    for (name, value) in &reply.headers {
        head += &format!("{name}: {value}\r\n");
    }
    if reply.has_length {
        head += &format!("Content-Length: {}\r\n", reply.body.len());
    }
    stream.write_all(format!("{head}\r\n").as_bytes())?;
    stream.write_all(&reply.body[..reply.sent.unwrap_or(reply.body.len())])?;
    stream.flush()
}
