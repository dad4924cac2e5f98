//! A network between the nodes of a cluster, in which two of them can be separated.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use event_store::{Durability, EventLog, PostgresAddress, PostgresConfig, PostgresStore};
use serde::Deserialize;
use test_support::free_address;
use test_support::query;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;

/// How often a connection between separated nodes is looked at.
const LOOK: Duration = Duration::from_millis(20);

/// The sessions of two nodes.
type NodePair = (i32, i32);

/// Proxies before the nodes. Nothing arrives at either end of a connection between separated nodes until they are
/// joined again.
#[derive(Clone, Default)]
pub(crate) struct Network(Arc<Mutex<Option<NodePair>>>);

/// What the first message on a connection says about its ends.
#[derive(Deserialize)]
struct Greeting {
    from: i32,
    to: i32,
}

impl Network {
    /// Puts proxies before nodes that listen at these addresses and will use this database.
    pub(crate) async fn between(nodes: &[SocketAddr], database: &str) -> Network {
        let network = Network::default();
        let mut cases = String::new();
        for &node in nodes {
            let proxy = network.proxy(node).await;
            cases += &format!("WHEN '{node}' THEN '{proxy}' ");
        }
        make_tables(database).await;
        // Nodes listen where they say that they listen: others have to read another address.
        let function = format!(
            "CREATE FUNCTION use_proxy() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                NEW.address := CASE NEW.address {cases} ELSE NEW.address END;
                RETURN NEW;
            END $$"
        );
        let trigger = "CREATE TRIGGER use_proxy BEFORE INSERT ON session
            FOR EACH ROW EXECUTE FUNCTION use_proxy()";
        for text in [&*function, trigger] {
            query(database, text).expect("a superuser may");
        }
        network
    }

    pub(crate) fn separate(&self, one: i32, other: i32) {
        self.set(Some((one, other)));
    }

    pub(crate) fn join(&self) {
        self.set(None);
    }

    fn set(&self, separated: Option<NodePair>) {
        *self.0.lock().expect("nobody panics meanwhile") = separated;
    }

    fn separates(&self, (from, to): NodePair) -> bool {
        let separated = *self.0.lock().expect("nobody panics meanwhile");
        separated == Some((from, to)) || separated == Some((to, from))
    }

    async fn wait_for(&self, pair: NodePair) {
        while self.separates(pair) {
            sleep(LOOK).await;
        }
    }

    /// Starts a proxy before a node.
    async fn proxy(&self, node: SocketAddr) -> SocketAddr {
        let address = free_address();
        let listener = TcpListener::bind(address).await.expect("a free port");
        let network = self.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let network = network.clone();
                tokio::spawn(async move { network.connect(client, node).await });
            }
        });
        address
    }

    /// Forwards a connection until it ends.
    async fn connect(self, mut client: TcpStream, node: SocketAddr) -> Option<()> {
        let length = client.read_u32().await.ok()?;
        let mut greeting = vec![0; length.try_into().ok()?];
        client.read_exact(&mut greeting).await.ok()?;
        let Greeting { from, to } = serde_json::from_slice(&greeting).expect("a greeting");
        let pair = (from, to);
        self.wait_for(pair).await;
        let mut server = TcpStream::connect(node).await.ok()?;
        client.set_nodelay(true).ok()?;
        server.set_nodelay(true).ok()?;
        server.write_u32(length).await.ok()?;
        server.write_all(&greeting).await.ok()?;
        let (from_client, to_client) = client.into_split();
        let (from_server, to_server) = server.into_split();
        tokio::select! {
            () = self.copy(from_client, to_server, pair) => {}
            () = self.copy(from_server, to_client, pair) => {}
        }
        Some(())
    }

    async fn copy(&self, mut from: OwnedReadHalf, mut to: OwnedWriteHalf, pair: NodePair) {
        let mut bytes = [0; 8192];
        while let Ok(count @ 1..) = from.read(&mut bytes).await {
            self.wait_for(pair).await;
            if to.write_all(&bytes[..count]).await.is_err() {
                break;
            }
        }
    }
}

/// Makes the tables of the server.
async fn make_tables(database: &str) {
    let address = PostgresAddress::parse(database).expect("an address");
    let config = PostgresConfig::new(address, Durability::Crash);
    let store = PostgresStore::open(config).expect("a free database");
    store.close().await;
}
