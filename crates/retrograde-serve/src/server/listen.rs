//! The listener: accepts connections, limits their number, closes slow ones, and lets open requests finish
//! when the server stops.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use parking_lot::Mutex;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tower::ServiceExt;

use super::slow_reader::SlowReaderGuard;
use crate::limits::client::{Client, Peer};
use crate::state::Server;

/// The timeout for a client to send its headers.
const HEADERS: Duration = Duration::from_secs(15);
/// The buffer of a connection in bytes; the head of a request must fit.
const BUFFER: usize = 16 << 10;
/// The pause after a failed accept, for example because of too many open files.
const PAUSE: Duration = Duration::from_millis(100);

/// Counts the connections of each client.
struct Places {
    each: usize,
    taken: Arc<Mutex<HashMap<Client, usize>>>,
}

/// Counts as a connection of a client until it is dropped.
struct Place {
    taken: Arc<Mutex<HashMap<Client, usize>>>,
    client: Client,
}

impl Places {
    /// Admits another connection; `None` if the client has reached its limit.
    fn take(&self, client: Client) -> Option<Place> {
        let mut taken = self.taken.lock();
        let own = taken.entry(client).or_default();
        // All programs on this machine share an address.
        if *own >= self.each && !client.is_local() {
            return None;
        }
        *own += 1;
        Some(Place { taken: Arc::clone(&self.taken), client })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.taken.lock();
        if let Some(own) = taken.get_mut(&self.client) {
            *own -= 1;
            if *own == 0 {
                taken.remove(&self.client);
            }
        }
    }
}

/// Serves until `stop` resolves, then lets open requests finish.
pub(crate) async fn listen(
    listeners: Vec<TcpListener>,
    router: Router,
    server: Server,
    stop: impl Future<Output = ()>,
) {
    let graceful = GracefulShutdown::new();
    let connections = Arc::new(Semaphore::new(server.config.limits.connections.max(1)));
    // All clients behind a proxy share its address.
    let each = if server.config.trust_proxy { usize::MAX } else { server.config.limits.client_connections };
    let places = Places { each: each.max(1), taken: Arc::default() };
    let mut stop = pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = accept(&listeners, &connections) => accepted,
            () = &mut stop => break,
        };
        match accepted {
            Ok((stream, peer, permit)) => {
                let client = Client::of(peer.ip());
                // A client over its limit gets a closed connection.
                if let Some(place) = places.take(client) {
                    serve(stream, peer, (permit, place), router.clone(), &graceful);
                }
            }
            Err(error) => {
                tracing::warn!(%error, "a connection was not accepted");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
    drop(listeners);
    server.stopping.store(true, Ordering::Release);
    let shutdown_time = server.config.limits.shutdown_time;
    if tokio::time::timeout(shutdown_time, graceful.shutdown()).await.is_err() {
        tracing::warn!("some requests were still open and are ended");
    }
}

async fn accept(
    listeners: &[TcpListener],
    connections: &Arc<Semaphore>,
) -> std::io::Result<(TcpStream, SocketAddr, Option<OwnedSemaphorePermit>)> {
    // This fails only if the semaphore is closed, which never happens.
    let permit = Arc::clone(connections).acquire_owned().await.ok();
    let next = |context: &mut Context<'_>| {
        let mut accepted = listeners.iter().map(|listener| listener.poll_accept(context));
        accepted.find(Poll::is_ready).unwrap_or(Poll::Pending)
    };
    let (stream, peer) = std::future::poll_fn(next).await?;
    Ok((stream, peer, permit))
}

fn serve(
    stream: TcpStream,
    peer: SocketAddr,
    places: (Option<OwnedSemaphorePermit>, Place),
    router: Router,
    graceful: &GracefulShutdown,
) {
    // Answers are small and written at once, so there is nothing to coalesce.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(Peer(peer.ip()));
        router.clone().oneshot(request.map(axum::body::Body::new) as Request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADERS)
        .max_buf_size(BUFFER)
        .serve_connection(TokioIo::new(SlowReaderGuard::new(stream)), service);
    let connection = graceful.watch(connection);
    tokio::spawn(async move {
        let _places = places;
        // Clients may disconnect at any time.
        if let Err(error) = connection.await {
            tracing::debug!(%peer, %error, "a connection ended");
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_connections_of_a_client_are_limited() {
        let places = Places { each: 2, taken: Arc::default() };
        let client = |number: u8| Client::of([192, 0, 2, number].into());
        let first = places.take(client(1)).unwrap();
        let _second = places.take(client(1)).unwrap();
        assert!(places.take(client(1)).is_none());
        assert!(places.take(client(2)).is_some());
        drop(first);
        assert!(places.take(client(1)).is_some());
        let local = || places.take(Client::of([127, 0, 0, 1].into()));
        let all: Vec<_> = (0..10).map(|_| local()).collect();
        assert!(all.iter().all(Option::is_some), "programs of this machine are no one client");
    }
}
