//! How two nodes prove to each other that they have the key of the cluster, without showing it.
//!
//! Each sends a random number; the proof is the HMAC of both, of the versions and of the sessions. What
//! they send afterwards is neither encrypted nor authenticated: nodes talk in a private network.

use std::io;
use std::time::Duration;

use data_encoding::HEXLOWER;
use futures::{SinkExt, StreamExt};
use hmac::{Hmac, KeyInit, Mac};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_util::codec::{Framed, LengthDelimitedCodec};

use super::message::{MAX_MESSAGE, VERSION, encode};
use crate::secret::Secret;

/// How long both sides have for it.
const TIMEOUT: Duration = Duration::from_secs(3);

/// The longest message before the other side is known, in bytes.
const MAX_GREETING: usize = 1024;

/// The length of a random number, in bytes.
const NONCE: usize = 16;

/// A connection between two nodes.
pub(super) type LinkStream = Framed<TcpStream, LengthDelimitedCodec>;

/// Why two nodes do not connect.
#[derive(Debug, thiserror::Error)]
pub(super) enum HandshakeError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("no answer for {} s", TIMEOUT.as_secs())]
    Timeout,
    #[error("it closed the connection")]
    Closed,
    #[error("it is no node of a cluster")]
    Malformed,
    #[error(
        "it has version {0} of the protocol between nodes, and this node version {VERSION}: update the older one"
    )]
    Version(u32),
    #[error("it is another node than the database says")]
    Session,
    #[error("it has another cluster key")]
    Key,
}

impl HandshakeError {
    /// Whether the other side is a node with which this one never connects.
    pub(super) fn is_refusal(&self) -> bool {
        match self {
            HandshakeError::Version(_) | HandshakeError::Key | HandshakeError::Malformed => true,
            // The other node starts or ends, or the network fails.
            HandshakeError::Io(_)
            | HandshakeError::Timeout
            | HandshakeError::Closed
            | HandshakeError::Session => false,
        }
    }
}

/// The first message, of the node that connects. Other versions of it may have further fields, but always these.
#[derive(Serialize, Deserialize)]
struct Hello {
    version: u32,
    from: i32,
    to: i32,
    nonce: String,
}

/// The answer: another random number, and the proof of the key.
#[derive(Serialize, Deserialize)]
struct Welcome {
    version: u32,
    nonce: String,
    proof: String,
}

/// The proof of the node that connects.
#[derive(Serialize, Deserialize)]
struct Proof {
    proof: String,
}

/// What both sides have sent.
struct Transcript<'a> {
    hello: &'a Hello,
    nonce: &'a str,
}

impl Transcript<'_> {
    fn mac(&self, key: &Secret, side: &str) -> Hmac<Sha256> {
        let Hello {
            version,
            from,
            to,
            nonce,
        } = self.hello;
        let text = format!("{side} {version} {from} {to} {nonce} {}", self.nonce);
        let mac = Hmac::<Sha256>::new_from_slice(key.expose().as_bytes());
        mac.expect("a key of any length is good").chain_update(text)
    }

    fn prove(&self, key: &Secret, side: &str) -> String {
        HEXLOWER.encode(&self.mac(key, side).finalize().into_bytes())
    }

    fn check(&self, key: &Secret, side: &str, proof: &str) -> Result<(), HandshakeError> {
        let proof = HEXLOWER.decode(proof.as_bytes());
        let proof = proof.map_err(|_| HandshakeError::Malformed)?;
        let checked = self.mac(key, side).verify_slice(&proof);
        checked.map_err(|_| HandshakeError::Key)
    }
}

const CONNECTING: &str = "connecting";
const LISTENING: &str = "listening";

/// Connects to the node with session `to` as the node with session `from`.
pub(super) async fn connect(
    address: &str,
    (from, to): (i32, i32),
    key: &Secret,
) -> Result<LinkStream, HandshakeError> {
    let connecting = async {
        let stream = TcpStream::connect(address).await?;
        let mut stream = framed(stream)?;
        let hello = Hello {
            version: VERSION,
            from,
            to,
            nonce: draw_nonce()?,
        };
        stream.send(encode(&hello)).await?;
        let Welcome {
            version,
            nonce,
            proof,
        } = receive(&mut stream).await?;
        if version != VERSION {
            return Err(HandshakeError::Version(version));
        }
        let transcript = Transcript {
            hello: &hello,
            nonce: &nonce,
        };
        transcript.check(key, LISTENING, &proof)?;
        let proof = transcript.prove(key, CONNECTING);
        stream.send(encode(&Proof { proof })).await?;
        Ok(opened(stream))
    };
    match timeout(TIMEOUT, connecting).await {
        Ok(connected) => connected,
        Err(_) => Err(HandshakeError::Timeout),
    }
}

/// Accepts a connection to the node with session `own`. Also returns the session of the other node.
pub(super) async fn accept(
    stream: TcpStream,
    own: i32,
    key: &Secret,
) -> Result<(LinkStream, i32), HandshakeError> {
    let accepting = async {
        let mut stream = framed(stream)?;
        let hello: Hello = receive(&mut stream).await?;
        let nonce = HEXLOWER.decode(hello.nonce.as_bytes());
        if !nonce.is_ok_and(|nonce| nonce.len() == NONCE) {
            return Err(HandshakeError::Malformed);
        }
        let nonce = draw_nonce()?;
        let transcript = Transcript {
            hello: &hello,
            nonce: &nonce,
        };
        let proof = transcript.prove(key, LISTENING);
        let welcome = Welcome {
            version: VERSION,
            nonce: nonce.clone(),
            proof,
        };
        stream.send(encode(&welcome)).await?;
        if hello.version != VERSION {
            return Err(HandshakeError::Version(hello.version));
        }
        let Proof { proof } = receive(&mut stream).await?;
        transcript.check(key, CONNECTING, &proof)?;
        if hello.to != own {
            return Err(HandshakeError::Session);
        }
        Ok((opened(stream), hello.from))
    };
    match timeout(TIMEOUT, accepting).await {
        Ok(accepted) => accepted,
        Err(_) => Err(HandshakeError::Timeout),
    }
}

fn framed(stream: TcpStream) -> io::Result<LinkStream> {
    stream.set_nodelay(true)?;
    let codec = LengthDelimitedCodec::builder()
        .max_frame_length(MAX_GREETING)
        .new_codec();
    Ok(Framed::new(stream, codec))
}

/// The connection, now that the other side is known.
fn opened(mut stream: LinkStream) -> LinkStream {
    stream.codec_mut().set_max_frame_length(MAX_MESSAGE);
    stream
}

async fn receive<T: DeserializeOwned>(stream: &mut LinkStream) -> Result<T, HandshakeError> {
    let message = stream.next().await.ok_or(HandshakeError::Closed)??;
    serde_json::from_slice(&message).map_err(|_| HandshakeError::Malformed)
}

fn draw_nonce() -> Result<String, HandshakeError> {
    let mut nonce = [0; NONCE];
    getrandom::fill(&mut nonce).map_err(io::Error::other)?;
    Ok(HEXLOWER.encode(&nonce))
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;

    use super::*;

    async fn try_both(
        keys: (&str, &str),
        (to, own): (i32, i32),
    ) -> (
        Result<LinkStream, HandshakeError>,
        Result<i32, HandshakeError>,
    ) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let (connecting, listening) = (Secret::new(keys.0), Secret::new(keys.1));
        let accepting = async {
            let (stream, _) = listener.accept().await.unwrap();
            let accepted = accept(stream, own, &listening).await;
            accepted.map(|(_, from)| from)
        };
        tokio::join!(connect(&address, (1, to), &connecting), accepting)
    }

    #[tokio::test]
    async fn nodes_with_the_same_key_connect() {
        let (connected, accepted) = try_both(("key", "key"), (2, 2)).await;
        assert!(connected.is_ok());
        assert_eq!(accepted.unwrap(), 1);
    }

    #[tokio::test]
    async fn nodes_with_other_keys_do_not_connect() {
        let (connected, accepted) = try_both(("key", "other"), (2, 2)).await;
        assert!(matches!(connected, Err(HandshakeError::Key)));
        assert!(accepted.is_err());
    }

    /// A stream to a peer that sends what a test says, and the other end of it.
    async fn raw() -> (LinkStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stream, accepted) = tokio::join!(TcpStream::connect(address), listener.accept());
        (framed(stream.unwrap()).unwrap(), accepted.unwrap().0)
    }

    #[tokio::test]
    async fn a_node_of_another_version_is_refused_and_learns_which_one() {
        let (mut peer, stream) = raw().await;
        let hello = Hello {
            version: VERSION + 1,
            from: 1,
            to: 2,
            nonce: "00".repeat(NONCE),
        };
        let key = Secret::new("key");
        let ask = async {
            peer.send(encode(&hello)).await.unwrap();
            receive::<Welcome>(&mut peer).await.unwrap()
        };
        let (accepted, welcome) = tokio::join!(accept(stream, 2, &key), ask);
        let refusal = accepted.unwrap_err();
        assert!(refusal.is_refusal());
        assert!(matches!(refusal, HandshakeError::Version(other) if other == VERSION + 1));
        assert_eq!(welcome.version, VERSION);
    }

    #[tokio::test]
    async fn further_fields_of_a_greeting_are_ignored() {
        let (mut peer, stream) = raw().await;
        let (key, nonce) = (Secret::new("key"), "00".repeat(NONCE));
        let hello = serde_json::json!({
            "version": VERSION, "from": 1, "to": 2, "nonce": nonce, "program": "9.9.9"
        });
        let greet = async {
            peer.send(encode(&hello)).await.unwrap();
            let welcome: Welcome = receive(&mut peer).await.unwrap();
            let hello = Hello {
                version: VERSION,
                from: 1,
                to: 2,
                nonce,
            };
            let transcript = Transcript {
                hello: &hello,
                nonce: &welcome.nonce,
            };
            let proof = transcript.prove(&key, CONNECTING);
            let proof = serde_json::json!({ "proof": proof, "since": 2026 });
            peer.send(encode(&proof)).await.unwrap();
        };
        let (accepted, ()) = tokio::join!(accept(stream, 2, &key), greet);
        assert_eq!(accepted.unwrap().1, 1);
    }

    #[tokio::test]
    async fn another_node_at_an_old_address_is_noticed() {
        let (_, accepted) = try_both(("key", "key"), (2, 3)).await;
        assert!(matches!(accepted, Err(HandshakeError::Session)));
    }
}
