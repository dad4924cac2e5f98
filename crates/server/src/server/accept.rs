//! Accepting connections, or telling them why not.

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

use crate::http::{self, Connection, Shared};
use crate::limits::RejectReason;
use crate::table::ClientId;

/// Connections at one time that are told why they are not let in; others are just closed.
const MAX_REJECTING: usize = 128;

/// How long a connection that is not let in has to take the answer.
const FAREWELL_TIME: Duration = Duration::from_secs(1);

/// Bytes that the kernel holds for a client before the client's own queue fills up.
const SEND_BUFFER: usize = 64 * 1024;

/// Accepts for ever. The listener closes when this future is dropped.
pub(super) async fn forever(listener: TcpListener, shared: &Arc<Shared>) {
    let router = http::router(Arc::clone(shared));
    let listeners = Arc::new(Semaphore::new(MAX_REJECTING));
    let mut next_id = 1;
    loop {
        let (stream, peer) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) => {
                // Out of file descriptors, most likely: some will be given back.
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
                reject(stream, peer, reason, shared, &listeners);
                continue;
            }
        };
        let id = ClientId(next_id);
        next_id += 1;
        shared.metrics.accepted();
        let connection = Connection { id, peer, permit };
        let served = http::serve(stream, connection, Arc::clone(shared), router.clone());
        shared.sessions.spawn(served);
    }
}

/// Sends small frames at once, and lets the kernel hold little for a client that does not read.
fn tune(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    SockRef::from(stream).set_send_buffer_size(SEND_BUFFER)
}

/// Tells a connection why it is not let in, if not too many are being told so already, and the
/// connection understands it.
fn reject(
    stream: TcpStream,
    peer: SocketAddr,
    reason: RejectReason,
    shared: &Shared,
    listeners: &Arc<Semaphore>,
) {
    debug!(%peer, reason = reason.name(), "rejected");
    shared.metrics.rejected(reason);
    let listener = Arc::clone(listeners).try_acquire_owned();
    if let (Ok(listener), None) = (listener, &shared.tls) {
        shared.sessions.spawn(async move {
            let _ = timeout(FAREWELL_TIME, refuse(stream, reason)).await;
            drop(listener);
        });
    }
}

/// Writes the answer, and reads on until the client has it: closing with its request unread would
/// reset the connection and could take the answer with it.
async fn refuse(mut stream: TcpStream, reason: RejectReason) -> io::Result<()> {
    let answer = http::rejected_unread(reason);
    stream.write_all(answer.as_bytes()).await?;
    stream.shutdown().await?;
    let mut unread = [0; 1024];
    while stream.read(&mut unread).await? > 0 {}
    Ok(())
}
