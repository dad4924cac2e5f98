//! One connection to a subject.

use std::net::SocketAddr;

use futures::{SinkExt, StreamExt};
use serde::Deserialize;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

use crate::AnyError;
use crate::subject::{Subject, SubjectKind};

/// Buffers for many connections with small messages.
pub(crate) fn small_buffers() -> WebSocketConfig {
    WebSocketConfig::default()
        .read_buffer_size(4 * 1024)
        .write_buffer_size(4 * 1024)
}

/// A connection to a subject.
pub(crate) struct LoadClient(WebSocketStream<TcpStream>);

impl LoadClient {
    async fn connect(address: SocketAddr) -> Result<LoadClient, AnyError> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let url = format!("ws://{address}/ws");
        let (socket, _) = client_async_with_config(url, stream, Some(small_buffers())).await?;
        Ok(LoadClient(socket))
    }

    /// Connects and opens a table that is in no list. Returns its id too.
    pub(crate) async fn open_table(
        subject: &Subject,
        number: usize,
    ) -> Result<(LoadClient, String), AnyError> {
        let addresses = subject.addresses.iter().cycle().skip(number);
        for (attempt, &address) in addresses.enumerate() {
            let name = format!("w{number}-{attempt}");
            let mut client = LoadClient::join_at(address, subject.kind, &name, None).await?;
            if subject.kind == SubjectKind::Relay {
                return Ok((client, name));
            }
            client
                .send(r#"{"type":"create_table","visibility":"link"}"#)
                .await?;
            let created = client.wait_for("table_created").await?;
            let table = Heard::read(&created)?
                .table
                .ok_or("a table without an id")?;
            // Which node has a table is left to chance.
            if subject.address_of(table) == address {
                client.send(r#"{"type":"unsubscribe_lobby"}"#).await?;
                return Ok((client, table.into()));
            }
        }
        Err("nothing was started".into())
    }

    /// Connects and enters a table, or the lobby. In the relay each client has a table of its name.
    pub(crate) async fn join(
        subject: &Subject,
        name: &str,
        table: Option<&str>,
    ) -> Result<LoadClient, AnyError> {
        let address = subject.address_of(table.unwrap_or_default());
        LoadClient::join_at(address, subject.kind, name, table).await
    }

    async fn join_at(
        address: SocketAddr,
        kind: SubjectKind,
        name: &str,
        table: Option<&str>,
    ) -> Result<LoadClient, AnyError> {
        let mut client = LoadClient::connect(address).await?;
        if kind == SubjectKind::Relay {
            client.send(table.unwrap_or(name).to_owned()).await?;
            client.hear().await?;
            return Ok(client);
        }
        let place = match table {
            Some(table) => format!(r#""table":"{table}""#),
            None => r#""lobby":true"#.into(),
        };
        let join = format!(r#"{{"type":"join","name":"{name}","moves":false,{place}}}"#);
        client.send(join).await?;
        client.wait_for("joined").await?;
        Ok(client)
    }

    pub(crate) async fn send(&mut self, text: impl Into<Utf8Bytes>) -> Result<(), AnyError> {
        Ok(self.0.send(Message::Text(text.into())).await?)
    }

    /// Waits for the next text.
    pub(crate) async fn hear(&mut self) -> Result<Utf8Bytes, AnyError> {
        loop {
            match self.0.next().await.ok_or("the connection ended")?? {
                Message::Text(text) => return Ok(text),
                Message::Close(reason) => return Err(format!("closed: {reason:?}").into()),
                // The library answers pings.
                _ => {}
            }
        }
    }

    /// Waits for a message of this type.
    async fn wait_for(&mut self, kind: &str) -> Result<Utf8Bytes, AnyError> {
        loop {
            let text = self.hear().await?;
            if Heard::read(&text)?.kind == kind {
                return Ok(text);
            }
        }
    }
}

/// What the client needs to know of a message.
#[derive(Deserialize)]
pub(crate) struct Heard<'a> {
    #[serde(rename = "type")]
    pub(crate) kind: &'a str,
    pub(crate) ply: Option<usize>,
    pub(crate) played: Option<LoadMove>,
    table: Option<&'a str>,
}

#[derive(Deserialize)]
pub(crate) struct LoadMove {
    pub(crate) ply: usize,
}

impl Heard<'_> {
    /// Reads a message. A refusal is an error.
    pub(crate) fn read(text: &str) -> Result<Heard<'_>, AnyError> {
        let heard: Heard = serde_json::from_str(text)?;
        if heard.kind == "error" {
            return Err(text.into());
        }
        Ok(heard)
    }

    /// The ply of the move that this message reports, if it does. The relay forwards the mover's message.
    pub(crate) fn moved(&self) -> Option<usize> {
        match self.kind {
            "move" => self.ply,
            "moved" => self.played.as_ref().map(|played| played.ply),
            _ => None,
        }
    }
}
