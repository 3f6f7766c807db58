//! The listener: accepts connections, limits their number, closes slow ones, and lets open requests finish
//! when the server stops.

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
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tower::ServiceExt;

use super::slow_reader::SlowReaderGuard;
use crate::limits::client::{Client, Peer};
use crate::limits::tally::{Held, Tally};
use crate::state::Server;

/// The timeout for a client to send its headers.
const HEADERS: Duration = Duration::from_secs(15);
/// The buffer of a connection in bytes; the head of a request must fit.
const BUFFER: usize = 16 << 10;
/// The pause after a failed accept, for example because of too many open files.
const PAUSE: Duration = Duration::from_millis(100);

/// Admits another connection of a client, until it is dropped; `None` if the client has reached its limit.
fn admit(taken: &Tally, client: Client, each: u64) -> Option<Held> {
    // All programs on this machine share an address.
    taken.hold(client, 1, |own, _| own < each || client.is_local())
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
    let each = match server.config.trust_proxy {
        true => u64::MAX,
        false => server.config.limits.client_connections.max(1) as u64,
    };
    let taken = Tally::default();
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
                if let Some(place) = admit(&taken, client, each) {
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
    places: (Option<OwnedSemaphorePermit>, Held),
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
        let taken = Tally::default();
        let client = |number: u8| Client::of([192, 0, 2, number].into());
        let take = |client| admit(&taken, client, 2);
        let first = take(client(1)).unwrap();
        let _second = take(client(1)).unwrap();
        assert!(take(client(1)).is_none());
        assert!(take(client(2)).is_some());
        drop(first);
        assert!(take(client(1)).is_some());
        let local = || take(Client::of([127, 0, 0, 1].into()));
        let all: Vec<_> = (0..10).map(|_| local()).collect();
        assert!(all.iter().all(Option::is_some), "programs of this machine are no one client");
    }
}
