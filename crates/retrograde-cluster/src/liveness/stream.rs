//! Guards the connections of the engine: if one breaks, the failure is recorded and the thread waits for the
//! end of the process, instead of panicking.
//!
//! The engine ends a connection with a header of zeros. A connection closed after that many zeros has ended
//! properly, and the engine must be notified at once, because it delivers earlier data only then.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use timely::communication::allocator::zero_copy::stream::Stream;

use super::failure::FailureMonitor;

/// A connection may end this long before this process knows that everything is finished.
const GRACE: Duration = Duration::from_secs(2);

/// The number of bytes in the engine's last header, all of them 0.
const LAST_HEADER: usize = 48;

/// A connection to another process.
pub(crate) struct Guarded {
    /// The number of zeros at the end of the bytes read so far.
    zeros: usize,
    link: Link,
    monitor: Arc<FailureMonitor>,
    /// "process 1 (10.0.0.2:7000)".
    peer: Arc<str>,
}

/// The transport: TCP, or in tests a pair of local sockets.
pub(crate) enum Link {
    Tcp(TcpStream),
    #[cfg(unix)]
    Unix(std::os::unix::net::UnixStream),
}

impl Guarded {
    pub(crate) fn new(link: Link, monitor: Arc<FailureMonitor>, peer: &str) -> Guarded {
        Guarded { zeros: 0, link, monitor, peer: peer.into() }
    }

    /// Records the reason and never returns, because the process is about to end.
    fn lost(&self, error: &io::Error) -> ! {
        self.monitor.fail(format!("the connection to {} broke ({error})", self.peer));
        loop {
            std::thread::park();
        }
    }
}

impl Read for Guarded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = match &mut self.link {
            Link::Tcp(link) => link.read(buffer),
            #[cfg(unix)]
            Link::Unix(link) => link.read(buffer),
        };
        match read {
            Ok(0) if self.zeros >= LAST_HEADER => Ok(0),
            Ok(0) => {
                // The other side may finish slightly earlier.
                let began = Instant::now();
                while !self.monitor.is_ending() && !self.monitor.has_failed() && began.elapsed() < GRACE {
                    std::thread::sleep(Duration::from_millis(20));
                }
                if !self.monitor.is_ending() {
                    self.lost(&io::Error::new(io::ErrorKind::UnexpectedEof, "it was closed"));
                }
                Ok(0)
            }
            Ok(read) => {
                self.monitor.count_received(read);
                let zeros = buffer[..read].iter().rev().take_while(|&&byte| byte == 0).count();
                self.zeros = if zeros == read { self.zeros + read } else { zeros };
                Ok(read)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => self.read(buffer),
            Err(error) => self.lost(&error),
        }
    }
}

impl Write for Guarded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match &mut self.link {
            Link::Tcp(link) => link.write(bytes),
            #[cfg(unix)]
            Link::Unix(link) => link.write(bytes),
        };
        match written {
            Ok(written) => {
                self.monitor.count_sent(written);
                Ok(written)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Err(error) => self.lost(&error),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Guarded {
    fn try_clone(&self) -> io::Result<Guarded> {
        let link = match &self.link {
            Link::Tcp(link) => Link::Tcp(link.try_clone()?),
            #[cfg(unix)]
            Link::Unix(link) => Link::Unix(link.try_clone()?),
        };
        Ok(Guarded { zeros: 0, link, monitor: Arc::clone(&self.monitor), peer: Arc::clone(&self.peer) })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        match &self.link {
            Link::Tcp(link) => link.set_nonblocking(nonblocking),
            #[cfg(unix)]
            Link::Unix(link) => link.set_nonblocking(nonblocking),
        }
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        let done = match &self.link {
            Link::Tcp(link) => link.shutdown(how),
            #[cfg(unix)]
            Link::Unix(link) => link.shutdown(how),
        };
        // It is fine if the other side has closed it first.
        match done {
            Err(error) if error.kind() == io::ErrorKind::NotConnected => Ok(()),
            done => done,
        }
    }
}
