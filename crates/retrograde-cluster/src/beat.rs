//! The heartbeat: one thread a process that looks after a connection to every other one.
//!
//! It sends a byte now and then and expects one; silence longer than the timeout, or a connection that ends without
//! a goodbye, is a failure of that process. A failure is told to all others, so that they name its cause rather
//! than its consequences.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::watch::Watch;

/// I am there.
const BEAT: u8 = b'.';
/// I am done, and will close this connection.
const BYE: u8 = b'b';
/// I fail; a length of one byte and the reason follow.
const FAIL: u8 = b'!';

enum Order {
    Bye,
    Fail(String),
}

/// The thread that beats.
pub(crate) struct Beat {
    orders: Sender<Order>,
    thread: JoinHandle<()>,
}

struct Peer {
    name: String,
    link: TcpStream,
    heard: Instant,
    /// Silence that is too long: until the first beat as long as it may take to find all others.
    patience: Duration,
    said_bye: bool,
    gone: bool,
    buffer: Vec<u8>,
}

impl Beat {
    /// Begins to beat. `names[k]` is process k as people know it; whoever has not yet found all others may be
    /// silent for `wait`.
    pub(crate) fn begin(
        links: Vec<Option<TcpStream>>,
        names: &[String],
        (timeout, wait): (Duration, Duration),
        watch: Arc<Watch>,
    ) -> io::Result<Beat> {
        let mut peers = Vec::new();
        for (link, name) in links.into_iter().zip(names) {
            if let Some(link) = link {
                link.set_nonblocking(true)?;
                let name = name.clone();
                let heard = Instant::now();
                let patience = timeout.max(wait);
                peers.push(Peer {
                    name,
                    link,
                    heard,
                    patience,
                    said_bye: false,
                    gone: false,
                    buffer: Vec::new(),
                });
            }
        }
        let (orders, receiver) = channel();
        let thread = std::thread::Builder::new()
            .name("heartbeat".to_owned())
            .spawn(move || beat(peers, timeout, &watch, &receiver))?;
        Ok(Beat { orders, thread })
    }

    /// Says goodbye, and waits until all others have said it.
    pub(crate) fn bye(self) {
        let _ = self.orders.send(Order::Bye);
        let _ = self.thread.join();
    }

    /// Tells all others why this process fails.
    pub(crate) fn fail(self, why: &str) {
        let _ = self.orders.send(Order::Fail(why.to_owned()));
        let _ = self.thread.join();
    }
}

fn beat(mut peers: Vec<Peer>, timeout: Duration, watch: &Watch, orders: &Receiver<Order>) {
    let tick = (timeout / 10).clamp(Duration::from_millis(20), Duration::from_secs(1));
    let mut last = Instant::now();
    let mut bye = false;
    loop {
        let order = match orders.recv_timeout(if bye { tick.min(Duration::from_millis(50)) } else { tick }) {
            Ok(order) => Some(order),
            Err(RecvTimeoutError::Timeout) => None,
            // The process is ending in some other way.
            Err(RecvTimeoutError::Disconnected) if !bye => return,
            Err(RecvTimeoutError::Disconnected) => {
                std::thread::sleep(Duration::from_millis(20));
                None
            }
        };
        // Whoever was itself stopped for a while hears first what has come meanwhile.
        if last.elapsed() > timeout / 2 {
            peers.iter_mut().for_each(|peer| peer.heard = Instant::now());
        }
        last = Instant::now();
        if watch.all_are_there() {
            peers.iter_mut().for_each(|peer| peer.patience = timeout);
        }
        match order {
            Some(Order::Fail(why)) => {
                watch.fail(&why);
                return tell(&mut peers, &why);
            }
            Some(Order::Bye) => {
                bye = true;
                peers.iter_mut().for_each(|peer| peer.send(&[BYE]));
            }
            None if !bye => peers.iter_mut().for_each(|peer| peer.send(&[BEAT])),
            None => {}
        }
        let why = peers.iter_mut().filter(|peer| !peer.gone).find_map(|peer| peer.listen(timeout));
        if let Some(why) = why
            && watch.fail(&why)
        {
            return tell(&mut peers, &why);
        }
        if bye && peers.iter().all(|peer| peer.said_bye || peer.gone) {
            return;
        }
        if watch.has_failed() {
            let why = watch.why().unwrap_or_default();
            return tell(&mut peers, &why);
        }
    }
}

fn tell(peers: &mut [Peer], why: &str) {
    let mut end = why.len().min(255);
    while !why.is_char_boundary(end) {
        end -= 1;
    }
    let why = &why.as_bytes()[..end];
    for peer in peers {
        peer.send(&[&[FAIL, why.len() as u8], why].concat());
    }
}

impl Peer {
    /// Sends if it can be sent at once. Who takes no bytes is not heard of either.
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
                    self.patience = timeout;
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
        let silent = self.heard.elapsed() > self.patience && !self.said_bye;
        silent.then(|| format!("{} has not been heard of for {} s", self.name, self.patience.as_secs_f32()))
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
                    // What is said of a third process needs no mention of who says it.
                    let third = why.contains("process ");
                    return Some(if third { why } else { format!("{} stopped: {why}", self.name) });
                }
                _ => return Some(format!("{} says what none says", self.name)),
            }
        }
    }
}
