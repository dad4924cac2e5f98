//! Connections that say nothing.

use std::time::Duration;

use futures::stream::{self, StreamExt, TryStreamExt};
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::AnyError;
use crate::client::Client;
use crate::play::AT_ONCE;
use crate::subject::Subject;

/// Until what is freed after the last has come in is freed.
const SETTLING: Duration = Duration::from_secs(2);

/// The memory of a connection that has come in and says nothing, in kibibytes.
pub(crate) async fn memory(subject: &Subject, connections: usize) -> Result<f64, AnyError> {
    let before = subject.memory()?;
    let mut listening = JoinSet::new();
    let mut clients = stream::iter(0..connections)
        .map(|number| come_in(subject, number))
        .buffered(AT_ONCE);
    while let Some(client) = clients.try_next().await? {
        listening.spawn(listen(client));
    }
    tokio::select! {
        () = sleep(SETTLING) => {}
        Some(gone) = listening.join_next() => return Err(gone?),
    }
    let after = subject.memory()?;
    Ok((after.saturating_sub(before)) as f64 / 1024.0 / connections as f64)
}

async fn come_in(subject: &Subject, number: usize) -> Result<Client, AnyError> {
    let mut client = Client::connect(subject.address).await?;
    if subject.kind.is_relay() {
        client.enter(&number.to_string()).await?;
    } else {
        client
            .join(&format!("i{number}"), r#""lobby":true"#)
            .await?;
    }
    Ok(client)
}

/// Reads on, so that the server does not have to keep what it says.
async fn listen(mut client: Client) -> AnyError {
    match client.wait_for(|_| false).await {
        Ok(_) => "the connection is quiet".into(),
        Err(error) => error,
    }
}
