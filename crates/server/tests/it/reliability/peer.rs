//! A node of another version: a program that speaks with nodes, and has shards without serving them.

use std::sync::Arc;
use std::time::Duration;

use event_store::{
    Durability, EventLog, NodeIdentity, PostgresAddress, PostgresConfig, PostgresStore, ShardId,
};
use futures::{SinkExt, StreamExt};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;
use test_support::{PATIENCE, free_address};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use tokio_util::bytes::{BufMut, Bytes, BytesMut};
use tokio_util::codec::{Framed, LengthDelimitedCodec};

/// The version of the protocol between nodes.
pub(crate) const VERSION: u32 = 1;

/// How long a node that has connected is silent at most.
const PING: Duration = Duration::from_secs(1);

/// A random number of a node, which need not be random here.
const NONCE: &str = "00112233445566778899aabbccddeeff";

/// A node in the database. Its heart beats until it is dropped.
pub(crate) struct Peer {
    pub(crate) session: i32,
    pub(crate) listener: TcpListener,
    /// What it owns, with the numbers of the owners.
    pub(crate) owned: watch::Receiver<Vec<(ShardId, i64)>>,
    beating: JoinHandle<()>,
    store: Arc<PostgresStore>,
}

impl Peer {
    /// Joins the cluster of a database, and claims up to half of the shards.
    pub(crate) async fn join(database: &str) -> Peer {
        let address = free_address();
        let listener = TcpListener::bind(address).await.expect("a free port");
        let node = NodeIdentity {
            name: "another version".to_owned(),
            address: address.to_string(),
        };
        let database = PostgresAddress::parse(database).expect("an address");
        let config = PostgresConfig::new(database, Durability::PowerLoss);
        let (store, mut membership) = PostgresStore::join(config, node).expect("a database");
        let session = membership.session();
        let (owner, owned) = watch::channel(Vec::new());
        let beating = tokio::spawn(async move {
            loop {
                membership.beat().await.expect("alive");
                let room = ShardId::COUNT / 2 - owner.borrow().len();
                let claimed = membership.claim(room).await.expect("alive");
                if !claimed.is_empty() {
                    owner.send_modify(|owned: &mut Vec<_>| owned.extend(claimed));
                }
                sleep(Duration::from_millis(300)).await;
            }
        });
        Peer {
            session,
            listener,
            owned,
            beating,
            store: Arc::new(store),
        }
    }

    /// Waits until it has half of the shards.
    pub(crate) async fn has_its_share(&mut self) -> Vec<(ShardId, i64)> {
        let is_half = |owned: &Vec<_>| owned.len() == ShardId::COUNT / 2;
        let owned = timeout(PATIENCE, self.owned.wait_for(is_half)).await;
        owned.expect("in time").expect("alive").clone()
    }

    /// Ends without a word: the others find out.
    pub(crate) async fn end(self) {
        self.beating.abort();
        self.store.close().await;
    }
}

/// One end of a connection between nodes.
pub(crate) struct PeerLink(Framed<TcpStream, LengthDelimitedCodec>);

impl PeerLink {
    /// Connects, and returns the answer to the greeting, too.
    pub(crate) async fn greet(
        address: impl tokio::net::ToSocketAddrs,
        (from, to): (i32, i32),
        version: u32,
        key: &str,
    ) -> (PeerLink, Value) {
        let stream = TcpStream::connect(address).await.expect("a node");
        let mut link = PeerLink::of(stream);
        let hello = json!({
            "version": version, "from": from, "to": to, "nonce": NONCE, "program": "9.9.9"
        });
        link.say(&hello).await;
        let welcome = link.json().await.expect("an answer");
        let nonce = welcome["nonce"].as_str().expect("a number");
        let proof = prove(
            key,
            &format!("connecting {version} {from} {to} {NONCE} {nonce}"),
        );
        link.say(&json!({ "proof": proof, "since": 2026 })).await;
        (link, welcome)
    }

    /// Accepts a connection, whatever its version.
    pub(crate) async fn accept(listener: &TcpListener, version: u32, key: &str) -> PeerLink {
        let (stream, _) = listener.accept().await.expect("a node");
        let mut link = PeerLink::of(stream);
        let hello = link.json().await.expect("a greeting");
        let [theirs, from, to] = ["version", "from", "to"].map(|name| &hello[name]);
        let nonce = hello["nonce"].as_str().expect("a number");
        let proof = prove(
            key,
            &format!("listening {theirs} {from} {to} {nonce} {NONCE}"),
        );
        let welcome = json!({
            "version": version, "nonce": NONCE, "proof": proof, "program": "9.9.9"
        });
        link.say(&welcome).await;
        link
    }

    /// Accepts connections until one lasts: the node gives up on those that were not answered in time.
    pub(crate) async fn accept_lasting(
        listener: &TcpListener,
        version: u32,
        key: &str,
    ) -> PeerLink {
        loop {
            let mut link = PeerLink::accept(listener, version, key).await;
            if let Some(message) = link.json().await {
                if message == "ping" {
                    link.say(&json!("pong")).await;
                }
                return link;
            }
        }
    }

    fn of(stream: TcpStream) -> PeerLink {
        PeerLink(Framed::new(stream, LengthDelimitedCodec::new()))
    }

    /// Sends a message. The other node may have closed the connection.
    pub(crate) async fn say(&mut self, message: &Value) {
        let _ = self.0.send(Bytes::from(message.to_string())).await;
    }

    /// Sends a frame to a client.
    pub(crate) async fn say_to(&mut self, client: u64, text: &str) {
        let mut frame = BytesMut::new();
        // Of a kind that is not known yet.
        frame.put_slice(&[b'F', 99, 0]);
        frame.put_u32(1);
        frame.put_u64(client);
        frame.put_slice(text.as_bytes());
        self.0.send(frame.freeze()).await.expect("connected");
    }

    /// The next message that is JSON; `None` if the other node has closed the connection.
    pub(crate) async fn json(&mut self) -> Option<Value> {
        loop {
            let message = timeout(PATIENCE, self.0.next()).await.expect("in time");
            let message = message?.ok()?;
            if message.first() != Some(&b'F') {
                return Some(serde_json::from_slice(&message).expect("JSON"));
            }
        }
    }

    /// Answers pings until there is a message with this name, and returns its content.
    pub(crate) async fn wait_for(&mut self, name: &str) -> Value {
        loop {
            let message = self.json().await.expect("connected");
            if message == "ping" {
                self.say(&json!("pong")).await;
            }
            if let Some(content) = message.get(name) {
                return content.clone();
            }
            if message == name {
                return message;
            }
        }
    }

    /// The same on a connection to a node, which gives up on one on which it hears nothing.
    pub(crate) async fn wait_for_answer(&mut self, name: &str) -> Value {
        let pinging = async {
            loop {
                match timeout(PING, self.wait_for(name)).await {
                    Ok(content) => return content,
                    Err(_) => self.say(&json!("ping")).await,
                }
            }
        };
        timeout(PATIENCE, pinging).await.expect("in time")
    }

    /// Answers pings until this is done.
    pub(crate) async fn until<T>(&mut self, done: impl Future<Output = T>) -> T {
        tokio::select! {
            done = done => done,
            _ = self.wait_for("a message of no node") => unreachable!("no node sends it"),
        }
    }
}

fn prove(key: &str, text: &str) -> String {
    let mac = Hmac::<Sha256>::new_from_slice(key.as_bytes()).expect("any length is good");
    let proof = mac.chain_update(text).finalize().into_bytes();
    proof.iter().map(|byte| format!("{byte:02x}")).collect()
}
