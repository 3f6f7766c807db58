//! The server: binds the address, listens, checks for new tables, and runs until it is stopped.

mod gate;
pub(crate) mod guard;
mod listen;
mod router;
mod slow_reader;

use std::sync::Arc;

use axum::Router;
use retrograde_explore::Registry;
use tokio::time::MissedTickBehavior;

use crate::config::Config;
use crate::error::ServeError;
use crate::site::openapi;
use crate::state::{Server, ServerState};

use listen::listen;
use router::router;

/// All routes as a service without a listener, for tests and for programs that add other routes.
pub fn service(config: Config, registry: Registry) -> Router {
    router(shared(config, registry))
}

/// Serves the games of a registry until Ctrl-C, SIGTERM or SIGHUP, and then lets open requests finish. Calls
/// `ready` with the URL once the server listens.
///
/// # Errors
/// If it cannot listen on the address, or start its threads.
pub fn serve(config: Config, registry: Registry, ready: impl FnOnce(&str)) -> Result<(), ServeError> {
    let limits = &config.limits;
    // One extra thread checks for new tables. Idle threads keep memory, so there are no more.
    let workers = limits.workers.max(2) + limits.opening_workers.max(1) + 1;
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = runtime.enable_all().max_blocking_threads(workers).build().map_err(ServeError::Threads)?;
    let served = runtime.block_on(serve_until(config, registry, ready, stopped()));
    // No client waits for the remaining requests.
    runtime.shutdown_background();
    served
}

/// Like [`serve`], on the caller's runtime and until `stop` resolves.
///
/// # Errors
/// If it cannot listen on the address.
pub async fn serve_until(
    config: Config,
    registry: Registry,
    ready: impl FnOnce(&str),
    stop: impl Future<Output = ()>,
) -> Result<(), ServeError> {
    let (listeners, at) = config.listen.bind().await?;
    let url = format!("http://{at}{}/", config.prefix.as_str());
    let server = shared(config, registry);
    let refreshing = tokio::spawn(refresh(Arc::clone(&server)));
    tracing::info!(%url, tables = ?server.config.tables.all(), "serving");
    ready(&url);
    listen(listeners, router(Arc::clone(&server)), server, stop).await;
    refreshing.abort();
    tracing::info!("stopped");
    Ok(())
}

fn shared(config: Config, registry: Registry) -> Server {
    let description = openapi::text(config.prefix.as_str()).into();
    Arc::new(ServerState::new(config, registry, description))
}

/// Periodically checks for new tables and forgets idle clients.
async fn refresh(server: Server) {
    let mut ticks = tokio::time::interval(server.config.limits.refresh);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let looked = Arc::clone(&server);
        let done = tokio::task::spawn_blocking(move || {
            looked.games.refresh();
            if let Some(rate) = &looked.rate {
                rate.forget();
            }
        });
        if let Err(error) = done.await {
            tracing::error!(%error, "looking for new tables failed");
        }
    }
}

/// Waits for Ctrl-C, and on Unix for SIGTERM, and for SIGHUP unless it is ignored.
async fn stopped() {
    let interrupted = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let received = async |kind: SignalKind, wanted: bool| match wanted.then(|| signal(kind)) {
            Some(Ok(mut received)) => drop(received.recv().await),
            _ => std::future::pending().await,
        };
        let hangup = SignalKind::hangup();
        let ignored = retrograde_solve::signals::is_ignored(hangup.as_raw_value());
        tokio::select! {
            _ = interrupted => {}
            () = received(SignalKind::terminate(), true) => {}
            () = received(hangup, !ignored) => {}
        }
    }
    #[cfg(not(unix))]
    drop(interrupted.await);
}
