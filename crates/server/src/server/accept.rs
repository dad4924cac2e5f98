//! Accepts connections, or rejects them with a reason.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use socket2::SockRef;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tracing::{debug, warn};

use crate::http::{self, AcceptedConnection, HttpState};
use crate::limits::RejectReason;

/// The rejected connections at a time that get an answer; others are closed without one.
const MAX_REJECTING: usize = 128;

/// How long a rejected connection has to read the answer.
const REJECTION_TIMEOUT: Duration = Duration::from_secs(1);

/// The send buffer of the kernel for a client, in bytes; when it is full, the queue of the client fills up.
const SEND_BUFFER: usize = 64 * 1024;

/// Accepts connections for ever. Dropping the future closes the listener.
pub(super) async fn forever(listener: TcpListener, shared: &Arc<HttpState>) -> Infallible {
    let router = http::router(Arc::clone(shared));
    let rejecting = Arc::new(Semaphore::new(MAX_REJECTING));
    loop {
        let (stream, peer) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) => {
                // Most likely out of file descriptors; wait until some are closed.
                warn!(%error, "cannot accept");
                sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        if let Err(error) = tune(&stream) {
            debug!(%error, "cannot tune the socket");
        }
        let permit = match shared.limiter.admit(peer.ip(), Instant::now()) {
            Ok(permit) => permit,
            Err(reason) => {
                reject(stream, peer, reason, shared, &rejecting);
                continue;
            }
        };
        let id = shared.clients.next();
        shared.metrics.accepted();
        let connection = AcceptedConnection { id, peer, permit };
        let served = http::serve(stream, connection, Arc::clone(shared), router.clone());
        shared.connections.spawn(served);
    }
}

/// Sends small frames at once, and limits the memory of the kernel for a client that does not read.
fn tune(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    SockRef::from(stream).set_send_buffer_size(SEND_BUFFER)
}

/// Answers a rejected connection with the reason, unless too many are being answered, or it expects TLS.
fn reject(
    stream: TcpStream,
    peer: SocketAddr,
    reason: RejectReason,
    shared: &HttpState,
    rejecting: &Arc<Semaphore>,
) {
    debug!(%peer, reason = reason.name(), "rejected");
    shared.metrics.rejected(reason);
    let permit = Arc::clone(rejecting).try_acquire_owned();
    if let (Ok(permit), None) = (permit, &shared.tls) {
        shared.connections.spawn(async move {
            let _ = timeout(REJECTION_TIMEOUT, refuse(stream, reason)).await;
            drop(permit);
        });
    }
}

/// Writes the answer, then reads until the client closes. Closing with unread data would reset the
/// connection, and the client could lose the answer.
async fn refuse(mut stream: TcpStream, reason: RejectReason) -> io::Result<()> {
    let answer = http::rejected_unread(reason);
    stream.write_all(answer.as_bytes()).await?;
    stream.shutdown().await?;
    let mut unread = [0; 1024];
    while stream.read(&mut unread).await? > 0 {}
    Ok(())
}
