//! The floor: a relay that forwards every frame to all others in its sender's room, and knows
//! nothing. The first frame of a connection names the room, and comes back when its sender is
//! in it.

use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use futures::{SinkExt, StreamExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::accept_async_with_config;
use tokio_tungstenite::tungstenite::protocol::{Message, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error as WsError, Utf8Bytes};

use crate::{AnyError, loopback};

/// Frames waiting for one client, as many as with the server.
const OUTBOX: usize = 64;

type Outbox = mpsc::Sender<Utf8Bytes>;

/// Who is in a room, each with a number.
type Room = Arc<RwLock<Vec<(u64, Outbox)>>>;

type Rooms = Arc<Mutex<HashMap<Utf8Bytes, Room>>>;

/// Serves until the process is killed.
pub(crate) fn run() -> Result<(), AnyError> {
    rlimit::increase_nofile_limit(u64::MAX)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(serve())
}

async fn serve() -> Result<(), AnyError> {
    let listener = TcpListener::bind(loopback(0)).await?;
    writeln!(io::stdout(), "listening on ws://{}", listener.local_addr()?)?;
    let rooms = Rooms::default();
    for number in 0.. {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        tokio::spawn(relay(stream, number, Arc::clone(&rooms)));
    }
    Ok(())
}

/// Buffers for many small connections.
fn config() -> WebSocketConfig {
    WebSocketConfig::default()
        .read_buffer_size(4 * 1024)
        .write_buffer_size(4 * 1024)
}

async fn relay(stream: TcpStream, number: u64, rooms: Rooms) {
    let Ok(mut socket) = accept_async_with_config(stream, Some(config())).await else {
        return;
    };
    let Some(Ok(Message::Text(name))) = socket.next().await else {
        return;
    };
    let room = Arc::clone(lock(&rooms).entry(name.clone()).or_default());
    let (outbox, frames) = mpsc::channel(OUTBOX);
    write(&room).push((number, outbox));
    if socket.send(Message::Text(name.clone())).await.is_err() {
        return;
    }
    // A client that goes, or whose connection breaks, is gone.
    let _ = forward(&mut socket, frames, number, &room).await;
    let mut members = write(&room);
    members.retain(|(other, _)| *other != number);
    if members.is_empty() {
        lock(&rooms).remove(&name);
    }
}

async fn forward(
    socket: &mut WebSocketStream<TcpStream>,
    mut frames: mpsc::Receiver<Utf8Bytes>,
    number: u64,
    room: &Room,
) -> Result<(), WsError> {
    loop {
        tokio::select! {
            heard = socket.next() => match heard.transpose()? {
                Some(Message::Text(text)) => tell(room, number, &text),
                Some(Message::Close(_)) | None => return Ok(()),
                Some(_) => {}
            },
            Some(frame) = frames.recv() => {
                socket.feed(Message::Text(frame)).await?;
                while let Ok(frame) = frames.try_recv() {
                    socket.feed(Message::Text(frame)).await?;
                }
                socket.flush().await?;
            }
        }
    }
}

fn tell(room: &Room, from: u64, text: &Utf8Bytes) {
    let members = room.read().unwrap_or_else(PoisonError::into_inner);
    for (number, outbox) in members.iter() {
        if *number != from {
            // Whoever does not read misses something.
            let _ = outbox.try_send(text.clone());
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn write<T>(room: &RwLock<T>) -> std::sync::RwLockWriteGuard<'_, T> {
    room.write().unwrap_or_else(PoisonError::into_inner)
}
