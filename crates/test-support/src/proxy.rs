//! A socket before that of the database, on which connections are lost at will.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering::SeqCst};
use std::time::Duration;

use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{UnixListener, UnixStream};
use tokio::time::sleep;

/// What happens to the next bytes of every connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum ProxyLink {
    Good,
    /// What the client sends is lost, and the connection breaks.
    LosesRequests,
    /// What the server sends is lost, and the connection breaks.
    LosesAnswers,
    /// The same, and the server does not see that the connection is broken.
    KeepsServer,
    /// Nothing arrives at either end until the link is good again.
    Holds,
}

/// How often a link that holds is looked at.
const LOOK: Duration = Duration::from_millis(20);

const LINKS: [ProxyLink; 5] = [
    ProxyLink::Good,
    ProxyLink::LosesRequests,
    ProxyLink::LosesAnswers,
    ProxyLink::KeepsServer,
    ProxyLink::Holds,
];

#[derive(Debug)]
pub struct Proxy {
    directory: TempDir,
    link: Arc<AtomicU8>,
}

impl Proxy {
    /// A proxy before the server with this directory.
    pub fn start(server: &Path) -> Proxy {
        let directory = tempfile::tempdir().unwrap();
        let listener = UnixListener::bind(socket(directory.path())).unwrap();
        let link = Arc::<AtomicU8>::default();
        let (server, of_connections) = (socket(server), Arc::clone(&link));
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(forward(client, server.clone(), Arc::clone(&of_connections)));
            }
        });
        Proxy { directory, link }
    }

    /// The URL of a database, through the proxy.
    pub fn url(&self, direct: &str) -> String {
        let database = direct.rsplit_once('/').unwrap().1;
        let directory = self.directory.path().to_str().unwrap();
        format!(
            "postgres://postgres@{}/{database}",
            directory.replace('/', "%2F")
        )
    }

    pub fn set(&self, link: ProxyLink) {
        self.link.store(link as u8, SeqCst);
    }
}

fn socket(directory: &Path) -> PathBuf {
    directory.join(".s.PGSQL.5432")
}

fn now(link: &AtomicU8) -> ProxyLink {
    LINKS[usize::from(link.load(SeqCst))]
}

async fn held(link: &AtomicU8) {
    while now(link) == ProxyLink::Holds {
        sleep(LOOK).await;
    }
}

async fn forward(client: UnixStream, server: PathBuf, link: Arc<AtomicU8>) {
    held(&link).await;
    let server = UnixStream::connect(server).await.unwrap();
    let (client_reader, client_writer) = client.into_split();
    let (server_reader, server_writer) = server.into_split();
    tokio::select! {
        () = requests(client_reader, server_writer, &link) => {}
        kept = answers(server_reader, client_writer, &link) => {
            if let Some(server) = kept {
                // Nobody reads from it any more, and it stays open.
                Box::leak(Box::new(server));
            }
        }
    }
}

async fn requests(mut client: OwnedReadHalf, server: OwnedWriteHalf, link: &AtomicU8) {
    let mut server = server;
    let mut bytes = [0; 8192];
    while let Ok(count @ 1..) = client.read(&mut bytes).await {
        held(link).await;
        if now(link) == ProxyLink::LosesRequests || server.write_all(&bytes[..count]).await.is_err()
        {
            break;
        }
    }
    if now(link) == ProxyLink::KeepsServer {
        server.forget();
        std::future::pending::<()>().await;
    }
}

/// Returns the connection if it is to stay open.
async fn answers(
    mut server: OwnedReadHalf,
    mut client: OwnedWriteHalf,
    link: &AtomicU8,
) -> Option<OwnedReadHalf> {
    let mut bytes = [0; 8192];
    while let Ok(count @ 1..) = server.read(&mut bytes).await {
        held(link).await;
        match now(link) {
            ProxyLink::Good | ProxyLink::LosesRequests | ProxyLink::Holds => {
                client.write_all(&bytes[..count]).await.ok()?;
            }
            ProxyLink::LosesAnswers => return None,
            ProxyLink::KeepsServer => return Some(server),
        }
    }
    None
}
