//! The server of a worker, and the director's place on it.

use std::time::Instant;

use checkers_bot::client::{Connection, connect};
use checkers_lib::DrawRules;
use checkers_lib::protocol::{ClientMessage, Joined, PROTOCOL_VERSION, Player, ServerMessage};
use tokio::time::{timeout, timeout_at};

use super::{
    EventSource, NetworkWorker, SETTLE, commands, died, failed, nonsense, not_started, secret,
    unreachable,
};
use crate::failure::milliseconds;
use crate::process::{ChildProcess, ProcessOutput};
use crate::{Failure, ServerFault};

/// The name the director joins under.
const DIRECTOR: &str = "director";
/// The beginning of the line by which the server says where it listens.
const LISTENING: &str = "listening on ";

/// A server that listens, and the director's connection to it.
pub(super) struct LocalServer {
    process: ChildProcess,
    /// Where it listens.
    pub(super) url: String,
    /// Identifies the director.
    pub(super) token: String,
    pub(super) connection: Connection,
    rules: DrawRules,
    /// The connected players in the server's latest message.
    players: Vec<Player>,
    /// How many such messages have arrived.
    pub(super) counted: u64,
}

impl LocalServer {
    /// Handles a message about the players or the server's version.
    pub(super) fn note(&mut self, message: &ServerMessage) -> Result<(), Failure> {
        match message {
            ServerMessage::Players { players, .. } => {
                self.players = players.clone();
                self.counted += 1;
                Ok(())
            }
            ServerMessage::Joined(Joined {
                protocol,
                draw_rules,
                ..
            }) => self.check(*protocol, draw_rules),
            _ => Ok(()),
        }
    }

    fn check(&self, protocol: u32, draw_rules: &str) -> Result<(), Failure> {
        if protocol != PROTOCOL_VERSION {
            return Err(nonsense(format!("its protocol has version {protocol}")));
        }
        if draw_rules != self.rules.to_string() {
            return Err(nonsense(format!("its draw rules are {draw_rules}")));
        }
        Ok(())
    }

    /// Whether a player of this name is connected.
    pub(super) fn sees(&self, name: &str) -> bool {
        self.players.iter().any(|player| player.name == name)
    }

    /// Whether it takes another connection.
    pub(super) async fn answers(&self) -> bool {
        let Ok(url) = self.url.parse() else {
            return false;
        };
        matches!(timeout(SETTLE, connect(&url)).await, Ok(Ok(_)))
    }

    /// The last lines it wrote to stderr.
    pub(super) fn stderr(&self) -> Vec<String> {
        self.process.stderr()
    }

    pub(super) async fn kill(self) {
        self.process.kill().await;
    }
}

impl NetworkWorker {
    /// Starts the server, if it has not been, and takes the director's place.
    pub(super) async fn open(&mut self) -> Result<(), Failure> {
        if self.server.is_some() {
            return Ok(());
        }
        let (rules, token) = (self.plan.draw_rules, secret::token());
        let command = commands::server(&self.config.program, rules, &token);
        let wrap = |output| (EventSource::Server, output);
        let process = ChildProcess::start(command, self.inputs.clone(), wrap)
            .map_err(|error| not_started(&error))?;
        let entered = match self.address().await {
            Ok(url) => match enter(&url).await {
                Ok(connection) => Ok((url, connection)),
                Err(message) => Err(self.lost(&message).await),
            },
            Err(failure) => Err(failure),
        };
        let (url, connection) = entered.map_err(|failure| with_stderr(failure, &process))?;
        self.server = Some(LocalServer {
            process,
            url,
            token,
            connection,
            rules,
            players: Vec::new(),
            counted: 0,
        });
        Ok(())
    }

    /// What the server says about where it listens.
    async fn address(&mut self) -> Result<String, Failure> {
        let limit = self.config.timeouts.connect;
        let until = Instant::now() + limit;
        loop {
            let happening = timeout_at(until.into(), self.happenings.recv()).await;
            let waited_ms = milliseconds(limit);
            match happening {
                Err(_elapsed) => return Err(failed(ServerFault::NotListening { waited_ms })),
                Ok(None) => return Err(unreachable("its stdout is gone")),
                Ok(Some((EventSource::Server, ProcessOutput::Ended(exit)))) => {
                    return Err(died(exit));
                }
                Ok(Some((EventSource::Server, ProcessOutput::Line(line)))) => {
                    if let Some(url) = line.strip_prefix(LISTENING) {
                        return Ok(url.trim().to_owned());
                    }
                }
                Ok(Some((EventSource::Bot(..), _))) => {}
            }
        }
    }
}

fn with_stderr(mut failure: Failure, process: &ChildProcess) -> Failure {
    if let Failure::Server { stderr, .. } = &mut failure {
        *stderr = process.stderr();
    }
    failure
}

/// Connects as the director and joins; the error says what prevented it.
async fn enter(url: &str) -> Result<Connection, String> {
    let server = url.parse().map_err(|error| format!("{url:?}: {error}"))?;
    let lost = |failure: checkers_bot::BotFailure| cli_kit::explain(&failure);
    let mut connection = connect(&server).await.map_err(lost)?;
    let name = DIRECTOR.to_owned();
    let join = ClientMessage::join(name);
    connection.send(&join).await.map_err(lost)?;
    Ok(connection)
}
