//! The heartbeat: one thread per process, with a connection to every other process.
//!
//! It regularly sends a byte and expects one. Silence beyond the timeout, or a connection that ends without a
//! goodbye, is a failure of that process. Failures are reported to all others, so that they name the cause
//! instead of its consequences.
//!
//! A connection is monitored as soon as it is established, even while either side is still looking for other
//! processes, so a hanging process is detected equally fast at any time.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::failure::FailureMonitor;

/// "I am alive."
const BEAT: u8 = b'.';
/// "I am done, and will close this connection."
const BYE: u8 = b'b';
/// "I fail", followed by the reason with its length in one byte.
const FAIL: u8 = b'!';

/// The time that a failing process waits for the others to receive the reason.
const LAST_WORDS: Duration = Duration::from_millis(500);

#[derive(Debug)]
enum Command {
    Meet(Peer),
    Bye,
    Fail(String),
}

/// The thread of the heartbeat.
#[derive(Debug)]
pub(crate) struct Heartbeat {
    commands: Sender<Command>,
    thread: JoinHandle<()>,
}

#[derive(Debug)]
struct Peer {
    name: String,
    link: TcpStream,
    last_message: Instant,
    said_bye: bool,
    gone: bool,
    buffer: Vec<u8>,
}

impl Heartbeat {
    /// Starts without connections. A process that is silent for `timeout` has failed.
    pub(crate) fn begin(timeout: Duration, monitor: Arc<FailureMonitor>) -> io::Result<Heartbeat> {
        let (commands, receiver) = channel();
        let thread = std::thread::Builder::new()
            .name("heartbeat".to_owned())
            .spawn(move || heartbeat(timeout, &monitor, &receiver))?;
        Ok(Heartbeat { commands, thread })
    }

    /// Monitors a connection to another process from now on; `name` is its name in messages.
    pub(crate) fn meet(&self, link: TcpStream, name: String) -> io::Result<()> {
        link.set_nonblocking(true)?;
        let last_message = Instant::now();
        let peer = Peer { name, link, last_message, said_bye: false, gone: false, buffer: Vec::new() };
        // A thread that has ended has reported the reason.
        let _ = self.commands.send(Command::Meet(peer));
        Ok(())
    }

    /// Says goodbye, and waits until all others have done so.
    pub(crate) fn bye(self) {
        let _ = self.commands.send(Command::Bye);
        let _ = self.thread.join();
    }

    /// Reports to all others why this process fails.
    pub(crate) fn fail(self, why: &str) {
        let _ = self.commands.send(Command::Fail(why.to_owned()));
        let _ = self.thread.join();
    }
}

/// The fault in the bytes that a peer has sent, if there is one.
#[cfg(feature = "fuzzing")]
pub(crate) fn fault_in(link: &TcpStream, chunks: &[&[u8]]) -> io::Result<Option<String>> {
    let (name, link) = ("process 1".to_owned(), link.try_clone()?);
    let mut peer =
        Peer { name, link, last_message: Instant::now(), said_bye: false, gone: false, buffer: Vec::new() };
    Ok(chunks.iter().find_map(|chunk| {
        peer.buffer.extend_from_slice(chunk);
        peer.understand()
    }))
}

fn heartbeat(timeout: Duration, monitor: &FailureMonitor, commands: &Receiver<Command>) {
    let tick = (timeout / 10).clamp(Duration::from_millis(20), Duration::from_secs(1));
    let mut peers: Vec<Peer> = Vec::new();
    let mut last = Instant::now();
    let mut beaten = Instant::now();
    let mut bye = false;
    loop {
        let pause = if bye { tick.min(Duration::from_millis(50)) } else { tick };
        let command = match commands.recv_timeout(pause.saturating_sub(beaten.elapsed())) {
            Ok(command) => Some(command),
            Err(RecvTimeoutError::Timeout) => None,
            // The process is ending in another way.
            Err(RecvTimeoutError::Disconnected) if !bye => return,
            Err(RecvTimeoutError::Disconnected) => {
                std::thread::sleep(Duration::from_millis(20));
                None
            }
        };
        // After its own pause, a process first reads what has arrived meanwhile.
        if last.elapsed() > timeout / 2 {
            peers.iter_mut().for_each(|peer| peer.last_message = Instant::now());
        }
        last = Instant::now();
        match command {
            Some(Command::Fail(why)) => {
                monitor.fail(&why);
                return announce(&mut peers, &why);
            }
            Some(Command::Bye) => {
                bye = true;
                peers.iter_mut().for_each(|peer| peer.send(&[BYE]));
            }
            Some(Command::Meet(peer)) => peers.push(peer),
            None => {}
        }
        // Commands may arrive more often than beats.
        if beaten.elapsed() >= pause {
            beaten = Instant::now();
            if !bye {
                peers.iter_mut().for_each(|peer| peer.send(&[BEAT]));
            }
        }
        let why = peers.iter_mut().filter(|peer| !peer.gone).find_map(|peer| peer.listen(timeout));
        if let Some(why) = why
            && monitor.fail(&why)
        {
            return announce(&mut peers, &why);
        }
        if bye && peers.iter().all(|peer| peer.said_bye || peer.gone) {
            return;
        }
        if monitor.has_failed() {
            let why = monitor.why().unwrap_or_default();
            return announce(&mut peers, &why);
        }
    }
}

/// Reports to all others why this process fails. Waits briefly until they have received it, which they show
/// by closing their side: closing a connection with unread data may lose the last message, and a round
/// connection that breaks too soon would be taken for the cause.
fn announce(peers: &mut [Peer], why: &str) {
    let mut end = why.len().min(255);
    while !why.is_char_boundary(end) {
        end -= 1;
    }
    let why = &why.as_bytes()[..end];
    for peer in peers.iter_mut() {
        peer.send(&[&[FAIL, why.len() as u8], why].concat());
        let _ = peer.link.shutdown(Shutdown::Write);
    }
    let began = Instant::now();
    while began.elapsed() < LAST_WORDS && !peers.iter_mut().all(Peer::has_ended) {
        std::thread::sleep(Duration::from_millis(10));
    }
}

impl Peer {
    /// Sends if that is possible without blocking. A process that accepts no bytes will also be silent.
    fn send(&mut self, bytes: &[u8]) {
        let _ = self.link.write(bytes);
    }

    /// Reads what has arrived. Returns what is wrong, if anything.
    fn listen(&mut self, timeout: Duration) -> Option<String> {
        let mut chunk = [0; 1024];
        loop {
            match self.link.read(&mut chunk) {
                Ok(0) => {
                    self.gone = true;
                    let name = &self.name;
                    return (!self.said_bye).then(|| format!("{name} has ended unexpectedly"));
                }
                Ok(read) => {
                    self.last_message = Instant::now();
                    self.buffer.extend_from_slice(&chunk[..read]);
                    if let Some(why) = self.understand() {
                        return Some(why);
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(error) => {
                    self.gone = true;
                    let name = &self.name;
                    return (!self.said_bye).then(|| format!("the connection to {name} broke ({error})"));
                }
            }
        }
        let silent = self.last_message.elapsed() > timeout && !self.said_bye;
        silent.then(|| format!("{} has sent nothing for {} s", self.name, timeout.as_secs_f32()))
    }

    /// Whether the other side has ended. Its last messages are ignored.
    fn has_ended(&mut self) -> bool {
        while !self.gone {
            match self.link.read(&mut [0; 1024]) {
                Ok(0) => self.gone = true,
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return false,
                Err(_) => self.gone = true,
            }
        }
        true
    }

    fn understand(&mut self) -> Option<String> {
        loop {
            match self.buffer.first().copied()? {
                BEAT => drop(self.buffer.remove(0)),
                BYE => {
                    self.said_bye = true;
                    self.buffer.remove(0);
                }
                FAIL => {
                    let length = usize::from(*self.buffer.get(1)?);
                    let why = self.buffer.get(2..2 + length)?;
                    let why = String::from_utf8_lossy(why).into_owned();
                    // A message about a third process does not mention its sender.
                    let third = why.contains("process ");
                    return Some(if third { why } else { format!("{} stopped: {why}", self.name) });
                }
                _ => return Some(format!("{} sent an unknown message", self.name)),
            }
        }
    }
}
