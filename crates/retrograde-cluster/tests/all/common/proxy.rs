//! A simulated network: traffic is delayed, throttled and cut into pieces, or lost.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// The effects of a network on its traffic.
#[derive(Clone)]
pub struct Network {
    /// The delay of a piece.
    pub delay: Duration,
    /// The bytes that pass in one direction of a connection, per second.
    pub bytes_a_second: u64,
    /// No piece is longer; most are shorter.
    pub most: usize,
}

impl Default for Network {
    /// As fast as possible.
    fn default() -> Network {
        Network { delay: Duration::ZERO, bytes_a_second: u64::MAX, most: 1 << 16 }
    }
}

#[derive(Default)]
struct State {
    ended: AtomicBool,
    cut: AtomicBool,
    bytes: AtomicU64,
    pieces: AtomicU64,
    single: AtomicU64,
}

/// Forwards connections from one address to another one, until it is dropped.
pub struct Proxy(Arc<State>);

impl Proxy {
    /// Listens at `seen` as soon as a process listens at `own`.
    pub fn start(seen: &str, own: &str, network: Network) -> Proxy {
        let state = Arc::new(State::default());
        let (seen, own, shared) = (seen.to_owned(), own.to_owned(), Arc::clone(&state));
        std::thread::spawn(move || {
            let pause = || std::thread::sleep(Duration::from_millis(10));
            while TcpStream::connect(&own).is_err() {
                if shared.ended.load(Ordering::SeqCst) {
                    return;
                }
                pause();
            }
            let listener = TcpListener::bind(&seen).unwrap();
            listener.set_nonblocking(true).unwrap();
            while !shared.ended.load(Ordering::SeqCst) {
                let Ok((caller, _)) = listener.accept() else {
                    pause();
                    continue;
                };
                if let Ok(called) = TcpStream::connect(&own) {
                    caller.set_nonblocking(false).unwrap();
                    for (from, to) in [(&caller, &called), (&called, &caller)] {
                        to.set_nodelay(true).unwrap();
                        carry(from.try_clone().unwrap(), to.try_clone().unwrap(), &network, &shared);
                    }
                }
            }
        });
        Proxy(state)
    }

    /// Blocks all traffic; connections stay open.
    pub fn cut(&self) {
        self.0.cut.store(true, Ordering::SeqCst);
    }

    /// Bytes and pieces that have passed.
    pub fn carried(&self) -> (u64, u64) {
        (self.0.bytes.load(Ordering::SeqCst), self.0.pieces.load(Ordering::SeqCst))
    }

    /// How often a single byte came alone, as beats do.
    pub fn single_bytes(&self) -> u64 {
        self.0.single.load(Ordering::SeqCst)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.0.ended.store(true, Ordering::SeqCst);
    }
}

/// Starts to forward one direction of a connection.
fn carry(mut from: TcpStream, mut to: TcpStream, network: &Network, state: &Arc<State>) {
    // The bytes in transit are bounded, so a fast sender is slowed down as by a real network.
    let (sender, receiver): (SyncSender<(Instant, Vec<u8>)>, Receiver<_>) = sync_channel(256);
    let (delay, rate, most) = (network.delay, network.bytes_a_second, network.most);
    let (mut random, counts) = (0x9e37_79b9_7f4a_7c15_u64, Arc::clone(state));
    std::thread::spawn(move || {
        let mut buffer = vec![0; most];
        loop {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let length = 1 + (random >> 33) as usize % most;
            let Ok(read @ 1..) = from.read(&mut buffer[..length]) else { break };
            counts.single.fetch_add(u64::from(read == 1), Ordering::SeqCst);
            if sender.send((Instant::now() + delay, buffer[..read].to_vec())).is_err() {
                break;
            }
        }
    });
    let state = Arc::clone(state);
    std::thread::spawn(move || {
        let mut free = Instant::now();
        for (due, bytes) in receiver {
            let due = due.max(free);
            std::thread::sleep(due.saturating_duration_since(Instant::now()));
            while state.cut.load(Ordering::SeqCst) {
                if state.ended.load(Ordering::SeqCst) {
                    return;
                }
                std::thread::sleep(Duration::from_millis(20));
            }
            free = due + Duration::from_secs_f64(bytes.len() as f64 / rate as f64);
            if to.write_all(&bytes).is_err() {
                return;
            }
            state.bytes.fetch_add(bytes.len() as u64, Ordering::SeqCst);
            state.pieces.fetch_add(1, Ordering::SeqCst);
        }
        let _ = to.shutdown(Shutdown::Write);
    });
}
