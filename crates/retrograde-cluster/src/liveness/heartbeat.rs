//! The heartbeat: one thread a process that looks after a connection to every other one.
//!
//! It sends a byte now and then and expects one; silence longer than the timeout, or a connection
//! that ends without a goodbye, is a failure of that process. A failure is told to all others, so
//! that they name its cause rather than its consequences.
//!
//! It looks after a connection from the moment at which that stands, while this process or the
//! other one may still look for further ones: a process that hangs is missed in the same time then
//! as later.

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
/// "I fail"; a length of one byte and the reason follow.
const FAIL: u8 = b'!';

/// The time that a failing process waits for the others to hear why.
const LAST_WORDS: Duration = Duration::from_millis(500);

#[derive(Debug)]
enum Command {
    Meet(Peer),
    Bye,
    Fail(String),
}

/// The heartbeat's thread.
#[derive(Debug)]
pub(crate) struct Heartbeat {
    commands: Sender<Command>,
    thread: JoinHandle<()>,
}

#[derive(Debug)]
struct Peer {
    name: String,
    link: TcpStream,
    heard: Instant,
    said_bye: bool,
    gone: bool,
    buffer: Vec<u8>,
}

impl Heartbeat {
    /// Begins to beat, for nobody yet. A process that is silent for `timeout` has failed.
    pub(crate) fn begin(timeout: Duration, monitor: Arc<FailureMonitor>) -> io::Result<Heartbeat> {
        let (commands, receiver) = channel();
        let thread = std::thread::Builder::new()
            .name("heartbeat".to_owned())
            .spawn(move || heartbeat(timeout, &monitor, &receiver))?;
        Ok(Heartbeat { commands, thread })
    }

    /// Looks after a connection to a further process from now on; `name` is that process as people
    /// know it.
    pub(crate) fn meet(&self, link: TcpStream, name: String) -> io::Result<()> {
        link.set_nonblocking(true)?;
        let heard = Instant::now();
        let peer = Peer { name, link, heard, said_bye: false, gone: false, buffer: Vec::new() };
        // A thread that has ended has said why.
        let _ = self.commands.send(Command::Meet(peer));
        Ok(())
    }

    /// Says goodbye, and waits until all others have said it.
    pub(crate) fn bye(self) {
        let _ = self.commands.send(Command::Bye);
        let _ = self.thread.join();
    }

    /// Tells all others why this process fails.
    pub(crate) fn fail(self, why: &str) {
        let _ = self.commands.send(Command::Fail(why.to_owned()));
        let _ = self.thread.join();
    }
}

/// The fault in the bytes that a peer has sent, if there is one.
#[cfg(feature = "fuzzing")]
pub(crate) fn heard(link: &TcpStream, chunks: &[&[u8]]) -> io::Result<Option<String>> {
    let (name, link) = ("process 1".to_owned(), link.try_clone()?);
    let mut peer =
        Peer { name, link, heard: Instant::now(), said_bye: false, gone: false, buffer: Vec::new() };
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
            // The process is ending in some other way.
            Err(RecvTimeoutError::Disconnected) if !bye => return,
            Err(RecvTimeoutError::Disconnected) => {
                std::thread::sleep(Duration::from_millis(20));
                None
            }
        };
        // After a pause of its own, a process first hears what has come meanwhile.
        if last.elapsed() > timeout / 2 {
            peers.iter_mut().for_each(|peer| peer.heard = Instant::now());
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
        // Commands may come more often than beats.
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

/// Tells all others why this process fails. It waits a little until they have heard it, which they
/// show by ending their side: a connection that is closed with something unread in it may lose what
/// was said last, and one for rounds that breaks too soon would be taken for the reason.
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
    /// Sends if it can be sent at once. A process that takes no bytes is not heard of either.
    fn send(&mut self, bytes: &[u8]) {
        let _ = self.link.write(bytes);
    }

    /// Takes what has come; says what is wrong, if anything is.
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
                    self.heard = Instant::now();
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
        let silent = self.heard.elapsed() > timeout && !self.said_bye;
        silent.then(|| format!("{} has not been heard of for {} s", self.name, timeout.as_secs_f32()))
    }

    /// Whether the other side has ended; its last messages are of no interest.
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
                    // A message about a third process needs no mention of its sender.
                    let third = why.contains("process ");
                    return Some(if third { why } else { format!("{} stopped: {why}", self.name) });
                }
                _ => return Some(format!("{} says what none says", self.name)),
            }
        }
    }
}
