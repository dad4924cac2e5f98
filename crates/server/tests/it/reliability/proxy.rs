//! A proxy between players and server, which can cut connections in mid-frame.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;

use test_support::free_address;

/// Requests a cut after a part of the next data.
type Scissors = oneshot::Sender<()>;

pub(crate) struct Proxy {
    address: SocketAddr,
    connections: Arc<Mutex<Vec<Scissors>>>,
}

impl Proxy {
    /// Forwards connections until dropped.
    pub(crate) async fn before(server: SocketAddr) -> Proxy {
        let address = free_address();
        let listener = TcpListener::bind(address).await.expect("a free port");
        let connections = Arc::<Mutex<Vec<Scissors>>>::default();
        let known = Arc::clone(&connections);
        tokio::spawn(async move {
            loop {
                let Ok((client, _)) = listener.accept().await else {
                    continue;
                };
                let (scissors, cut) = oneshot::channel();
                known
                    .lock()
                    .expect("nobody panics meanwhile")
                    .push(scissors);
                tokio::spawn(pass_on(client, server, cut));
            }
        });
        Proxy {
            address,
            connections,
        }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Cuts an open connection.
    pub(crate) async fn cut_one(&self, which: u64) {
        let mut connections = self.connections.lock().expect("nobody panics meanwhile");
        connections.retain(|scissors| !scissors.is_closed());
        if !connections.is_empty() {
            let which = which as usize % connections.len();
            let _ = connections.swap_remove(which).send(());
        }
    }
}

/// Forwards both directions until one ends. After a cut, only half of the next data is forwarded.
async fn pass_on(client: TcpStream, server: SocketAddr, cut: oneshot::Receiver<()>) {
    let Ok(server) = TcpStream::connect(server).await else {
        return;
    };
    let _ = (client.set_nodelay(true), server.set_nodelay(true));
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_server, mut to_server) = server.into_split();
    let both = async {
        tokio::select! {
            () = copy(&mut from_client, &mut to_server) => {}
            () = copy(&mut from_server, &mut to_client) => {}
        }
    };
    tokio::select! {
        () = both => return,
        _ = cut => {}
    }
    tokio::select! {
        () = copy_half(&mut from_client, &mut to_server) => {}
        () = copy_half(&mut from_server, &mut to_client) => {}
    }
}

async fn copy(from: &mut OwnedReadHalf, to: &mut OwnedWriteHalf) {
    let mut buffer = [0; 4096];
    while let Ok(length @ 1..) = from.read(&mut buffer).await {
        if to.write_all(&buffer[..length]).await.is_err() {
            return;
        }
    }
}

async fn copy_half(from: &mut OwnedReadHalf, to: &mut OwnedWriteHalf) {
    let mut buffer = [0; 4096];
    if let Ok(length @ 1..) = from.read(&mut buffer).await {
        let _ = to.write_all(&buffer[..length / 2]).await;
    }
}
