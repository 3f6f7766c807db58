//! Tests of `retrograde serve` as a program: it prints its address, answers, and stops on a signal.

#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value as Json;

use crate::common::{new_folder, program, run};

/// A running server and its address, `127.0.0.1:…`. Dropping it ends the server.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(tables: &Path) -> Server {
        let mut child = program()
            .args(["serve", "--listen", "127.0.0.1:0", "--json", "--log", "json", "--tables"])
            .arg(tables)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let answer: Json = serde_json::from_str(&line).unwrap();
        let url = answer["url"].as_str().unwrap();
        let address = url.strip_prefix("http://").unwrap().trim_end_matches('/').to_owned();
        Server { child, address }
    }

    /// The head and body of a response.
    fn ask(&self, path: &str) -> (String, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        (head.to_owned(), body.to_owned())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn it_answers_until_a_signal_stops_it() {
    let tables = new_folder();
    assert!(run(&tables, &["solve", "touchdown:3x3"]).status.success());
    let mut server = Server::start(&tables);
    let (head, body) = server.ask("/healthz");
    assert!(head.starts_with("HTTP/1.1 200") && body.contains("\"ok\""), "{head} {body}");
    let (_, body) = server.ask("/api/v1/games/touchdown:3x3/positions");
    let probe = run(&tables, &["probe", "touchdown:3x3", "--json"]);
    assert_eq!(body, String::from_utf8(probe.stdout).unwrap().trim_end());

    let taken = run(&tables, &["serve", "--listen", &server.address]);
    let complaint = String::from_utf8(taken.stderr).unwrap();
    assert!(taken.status.code() == Some(1) && complaint.contains("already listens on"), "{complaint}");

    let stop = Command::new("kill").args(["-TERM", &server.child.id().to_string()]).status().unwrap();
    assert!(stop.success());
    assert!(server.child.wait().unwrap().success());
    let mut log = String::new();
    server.child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    let last: Json = serde_json::from_str(log.lines().last().unwrap()).unwrap();
    assert_eq!(last["message"], "stopped", "{log}");
    assert!(TcpStream::connect(&server.address).is_err());
}
