//! The listener: accepts connections, bounds their number and their slowness, and lets open
//! requests finish on stop.

use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
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

use crate::limits::rate::Peer;
use crate::state::Server;

/// A client that takes longer to send its headers is dropped.
const HEADERS: Duration = Duration::from_secs(15);
/// Buffer of a connection in bytes; the head of a request must fit.
const BUFFER: usize = 64 << 10;
/// Pause after accepting failed, for example with too many open files.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves until `stop` resolves, then lets open requests finish.
pub(crate) async fn listen(
    listener: TcpListener,
    router: Router,
    server: Server,
    stop: impl Future<Output = ()>,
) {
    let graceful = GracefulShutdown::new();
    let connections = Arc::new(Semaphore::new(server.config.limits.connections.max(1)));
    let mut stop = pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = accept(&listener, &connections) => accepted,
            () = &mut stop => break,
        };
        match accepted {
            Ok((stream, peer, permit)) => serve(stream, peer, permit, router.clone(), &graceful),
            Err(error) => {
                tracing::warn!(%error, "a connection was not accepted");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
    drop(listener);
    server.stopping.store(true, Ordering::Release);
    let farewell = server.config.limits.farewell;
    if tokio::time::timeout(farewell, graceful.shutdown()).await.is_err() {
        tracing::warn!("some requests were still open and are ended");
    }
}

async fn accept(
    listener: &TcpListener,
    connections: &Arc<Semaphore>,
) -> std::io::Result<(TcpStream, SocketAddr, Option<OwnedSemaphorePermit>)> {
    // It fails only where the semaphore was closed, which nobody does.
    let permit = Arc::clone(connections).acquire_owned().await.ok();
    let (stream, peer) = listener.accept().await?;
    Ok((stream, peer, permit))
}

fn serve(
    stream: TcpStream,
    peer: SocketAddr,
    permit: Option<OwnedSemaphorePermit>,
    router: Router,
    graceful: &GracefulShutdown,
) {
    // Answers are small and written at once: nothing is gained by waiting for more.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(Peer(peer.ip()));
        router.clone().oneshot(request.map(axum::body::Body::new) as Request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADERS)
        .max_buf_size(BUFFER)
        .serve_connection(TokioIo::new(stream), service);
    let connection = graceful.watch(connection);
    tokio::spawn(async move {
        let _permit = permit;
        // Clients come and go as they like.
        if let Err(error) = connection.await {
            tracing::debug!(%peer, %error, "a connection ended");
        }
    });
}
