//! The server: its port, its threads, its end.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;

use crate::serve::guard::Guard;
use crate::serve::{Workbench, api, entries, events};

/// The largest body of a request: a program, or a few grids.
const LARGEST_BODY: usize = 256 * 1024;
/// How often the server looks whether it is to end, where no signal ends the process.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Why the server cannot begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The port is not to be had.
    #[error("cannot listen on 127.0.0.1:{port} ({source}): name another with --port, or 0 for any free one")]
    Bind {
        /// The port.
        port: u16,
        /// Error of the operating system.
        source: std::io::Error,
    },
    /// The system gives no random numbers, so there is no token.
    #[error("the system gives no random numbers: {0}")]
    Random(#[from] getrandom::Error),
    /// The threads could not be started, or the port was lost.
    #[error("the server failed: {0}")]
    Io(#[from] std::io::Error),
}

/// A server that has its port.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    guard: Guard,
}

impl Server {
    /// Takes a port of 127.0.0.1; 0 is any free one.
    pub fn bind(port: u16) -> Result<Self, ServeError> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|source| ServeError::Bind { port, source })?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address, guard: Guard::new(address.port())? })
    }

    /// The address to open, with the token.
    pub fn address(&self) -> String {
        format!("http://{}/?token={}", self.address, self.guard.token())
    }

    /// Answers requests until the workbench is told to stop.
    pub fn run(self, workbench: Workbench) -> Result<(), ServeError> {
        let workbench = Arc::new(workbench);
        // Threads wait for programs to end; these are as many as there is work for, and answer nobody themselves.
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .max_blocking_threads(workbench.inputs.threads.max(1) + 2)
            .enable_io()
            .enable_time()
            .build()?;
        let served = runtime.block_on(self.answer(Arc::clone(&workbench)));
        // A run that was started here saves its last generation.
        workbench.sessions.end();
        runtime.shutdown_background();
        served
    }

    async fn answer(self, workbench: Arc<Workbench>) -> Result<(), ServeError> {
        let stop = Arc::clone(&workbench.inputs.stop);
        let router: Router<Arc<Workbench>> = api::router();
        let router = router
            .layer(DefaultBodyLimit::max(LARGEST_BODY))
            .layer(from_fn_with_state(self.guard, crate::serve::guard::check))
            .with_state(Arc::clone(&workbench));
        entries::start(&workbench);
        events::start(&workbench);
        let listener = tokio::net::TcpListener::from_std(self.listener)?;
        let is_over = async move {
            while !stop.load(Ordering::Relaxed) {
                tokio::time::sleep(LOOK_EVERY).await;
            }
        };
        // Connections are not waited for: one may be open for as long as a page is.
        tokio::select! {
            served = async { axum::serve(listener, router).await } => served?,
            () = is_over => {}
        }
        Ok(())
    }
}
