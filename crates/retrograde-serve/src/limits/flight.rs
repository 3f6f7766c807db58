//! Bounds the bytes in flight: incoming bodies, and answers that clients read slowly. Each client gets at
//! most an eighth.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};

use super::client::Client;
use super::tally::{Held, Tally};

/// A client may use one of this many equal parts of all bytes.
const PARTS: u64 = 8;
/// A quarter of all bytes is reserved for clients with nothing in flight, in small parts, so that heavy
/// clients never block light ones.
const SMALL_PARTS: u64 = 128;
/// Smaller answers are not counted, since the number of connections is bounded.
const MIN_COUNTED: usize = 2 << 10;

/// The bytes in flight.
pub(crate) struct InFlight {
    held: Tally,
    limit: u64,
}

impl InFlight {
    /// Allows at most this many bytes in total.
    pub fn new(limit: u64) -> InFlight {
        InFlight { held: Tally::default(), limit }
    }

    /// Counts bytes of a client; `None` if they are too many.
    pub fn hold(&self, client: Client, bytes: u64) -> Option<Held> {
        self.held.hold(client, bytes, |own, all| {
            // A single answer may have any size.
            let too_many = own > 0 && own + bytes > self.limit / PARTS;
            let little = own + bytes <= self.limit / SMALL_PARTS;
            let limit = if little { self.limit } else { self.limit / 4 * 3 };
            !too_many && all + bytes <= limit
        })
    }

    /// A body that counts as in flight until it is sent; `None` if there is too much in flight.
    pub fn body(&self, client: Client, bytes: Bytes) -> Option<Body> {
        if bytes.len() <= MIN_COUNTED {
            return Some(Body::from(bytes));
        }
        let held = self.hold(client, bytes.len() as u64)?;
        Some(Body::new(HeldBody { bytes: Some(bytes), _held: held }))
    }
}

/// The size of the chunks of a body; the connection requests the next chunk when one is sent.
const PIECE: usize = 64 << 10;

/// A body that counts as in flight.
struct HeldBody {
    bytes: Option<Bytes>,
    _held: Held,
}

impl HttpBody for HeldBody {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let Some(mut bytes) = self.bytes.take() else { return Poll::Ready(None) };
        let piece = bytes.split_to(bytes.len().min(PIECE));
        self.bytes = (!bytes.is_empty()).then_some(bytes);
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.bytes.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.bytes.as_ref().map_or(0, Bytes::len) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_counted_for_each_client_and_for_all() {
        let flight = InFlight::new(1280);
        let client = |number: u8| Client::of([192, 0, 2, number].into());
        let one = flight.hold(client(0), 120).unwrap();
        assert!(flight.hold(client(0), 50).is_none(), "an eighth for each");
        let mut others: Vec<Held> = (1..7).map(|number| flight.hold(client(number), 140).unwrap()).collect();
        assert!(flight.hold(client(9), 50).is_none(), "all together");
        let little = flight.hold(client(9), 10).unwrap();
        assert!(flight.hold(client(9), 1).is_none(), "it has something now");
        drop(one);
        assert!(flight.hold(client(0), 50).is_some());
        others.clear();
        drop(little);
        assert!(flight.hold(client(0), 900).is_some(), "one alone may be large");
        assert!(flight.hold(client(0), 1000).is_none());
        assert_eq!(flight.held.counts().all, 0);
        assert!(flight.held.counts().by_client.is_empty());
    }

    #[tokio::test]
    async fn a_body_is_counted_until_it_is_sent() {
        let flight = InFlight::new(1 << 20);
        let client = Client::of([192, 0, 2, 1].into());
        let bytes = Bytes::from((0..200_000_u32).map(|n| n as u8).collect::<Vec<u8>>());
        let body = flight.body(client, bytes.clone()).unwrap();
        assert_eq!(flight.held.counts().all, 200_000);
        assert!(flight.body(client, bytes.clone()).is_none());
        assert_eq!(axum::body::to_bytes(body, usize::MAX).await.unwrap(), bytes);
        assert_eq!(flight.held.counts().all, 0);
        assert!(flight.body(client, Bytes::from_static(b"small")).is_some());
        assert_eq!(flight.held.counts().all, 0);
    }
}
