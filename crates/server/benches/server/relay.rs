//! The relay: forwards every text to everybody in the room, the sender included, and knows nothing
//! else. The first text of a connection names its room and comes back when the sender has entered.

use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use futures::{SinkExt, StreamExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio_tungstenite::accept_async_with_config;
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};

use crate::AnyError;
use crate::client::small_buffers;

/// Texts waiting for one client. Later ones are dropped.
const QUEUE: usize = 64;

type Room = Arc<Mutex<Vec<mpsc::Sender<Utf8Bytes>>>>;

type Rooms = Arc<Mutex<HashMap<Utf8Bytes, Room>>>;

/// Serves until the process is killed.
pub(crate) fn run() -> Result<(), AnyError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        writeln!(io::stdout(), "listening on ws://{}", listener.local_addr()?)?;
        let rooms = Rooms::default();
        loop {
            let (stream, _) = listener.accept().await?;
            tokio::spawn(serve(stream, Arc::clone(&rooms)));
        }
    })
}

/// Serves a client until it closes the connection or breaks the protocol.
async fn serve(stream: TcpStream, rooms: Rooms) -> Option<()> {
    stream.set_nodelay(true).ok()?;
    let accepted = accept_async_with_config(stream, Some(small_buffers())).await;
    let mut socket = accepted.ok()?;
    let Message::Text(name) = socket.next().await?.ok()? else {
        return None;
    };
    let room = Arc::clone(lock(&rooms).entry(name.clone()).or_default());
    let (sender, mut queue) = mpsc::channel(QUEUE);
    lock(&room).push(sender);
    socket.send(Message::Text(name)).await.ok()?;
    loop {
        tokio::select! {
            heard = socket.next() => if let Message::Text(text) = heard?.ok()? {
                for member in lock(&room).iter() {
                    let _ = member.try_send(text.clone());
                }
            },
            Some(text) = queue.recv() => {
                socket.feed(Message::Text(text)).await.ok()?;
                while let Ok(text) = queue.try_recv() {
                    socket.feed(Message::Text(text)).await.ok()?;
                }
                socket.flush().await.ok()?;
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
