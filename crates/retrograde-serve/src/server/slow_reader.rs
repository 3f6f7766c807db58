//! A connection that is closed if the client reads too slowly, since answers stay in memory until they are
//! sent.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// The interval for checking a connection that is not ready for more data.
const WINDOW: Duration = Duration::from_secs(20);
/// The bytes that the client must read per interval: 16 KiB per second.
const MIN_BYTES: usize = 320 << 10;

/// A connection that is closed if the client reads too slowly.
pub(crate) struct SlowReaderGuard<S> {
    stream: S,
    window: Duration,
    least: usize,
    /// Set while it is not ready for more data: the time of the next check, and the bytes read so far.
    slow: Option<(Pin<Box<Sleep>>, usize)>,
}

impl<S> SlowReaderGuard<S> {
    pub fn new(stream: S) -> SlowReaderGuard<S> {
        SlowReaderGuard { stream, window: WINDOW, least: MIN_BYTES, slow: None }
    }

    /// Records the result of a write.
    fn wrote(
        &mut self,
        context: &mut Context<'_>,
        wrote: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if let (Poll::Ready(Ok(count)), Some((_, taken))) = (&wrote, &mut self.slow) {
            *taken += count;
        }
        if wrote.is_pending() {
            let window = self.window;
            let (timer, taken) = self.slow.get_or_insert_with(|| (Box::pin(sleep(window)), 0));
            while timer.as_mut().poll(context).is_ready() {
                if *taken < self.least {
                    return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
                }
                *taken = 0;
                timer.as_mut().reset(Instant::now() + window);
            }
        }
        wrote
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for SlowReaderGuard<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        // The client sent another request.
        if buffer.filled().len() > before {
            self.slow = None;
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for SlowReaderGuard<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let wrote = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.wrote(context, wrote)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let wrote = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.wrote(context, wrote)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    fn guarded<S>(stream: S) -> SlowReaderGuard<S> {
        SlowReaderGuard { stream, window: Duration::from_millis(50), least: 1000, slow: None }
    }

    #[tokio::test]
    async fn a_connection_that_takes_nothing_ends() {
        let (near, _far) = tokio::io::duplex(100);
        let error = guarded(near).write_all(&[0; 10_000]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn one_that_takes_enough_goes_on() {
        let (near, mut far) = tokio::io::duplex(2000);
        let reading = tokio::spawn(async move {
            let mut taken = vec![0; 1500];
            for _ in 0..8 {
                tokio::time::sleep(Duration::from_millis(20)).await;
                far.read_exact(&mut taken).await.unwrap();
            }
        });
        guarded(near).write_all(&[0; 8 * 1500]).await.unwrap();
        reading.await.unwrap();
    }
}
