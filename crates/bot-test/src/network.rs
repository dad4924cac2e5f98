//! A worker that plays over WebSocket: a server and the bots, each a process of its own, and the
//! director among the spectators.
//!
//! The processes are used again from pairing to pairing. A bot that fails is ended with all it
//! has started, and a new one takes its place for the next game.

mod commands;
mod game;
mod guests;
mod secret;
mod server;
mod validate;

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use checkers_lib::protocol::{ClientMessage, ServerMessage};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::sleep_until;

use self::guests::Guests;
use self::server::LocalServer;
use crate::process::ProcessOutput;
use crate::queues::{Jobs, Reports, WorkerReport};
use crate::{BotId, Exit, Failure, PairRecord, Pairing, RunConfig, ServerFault, TournamentPlan};
use cli_kit::explain;

/// How long evidence of a failure is gathered.
const SETTLE: Duration = Duration::from_secs(2);
/// How many happenings may wait to be looked at; a process that says more has to wait.
const QUEUED_INPUTS: usize = 256;
/// How many bots are kept for later games.
const KEPT: usize = 8;

/// A worker that plays over WebSocket.
#[derive(Debug)]
pub(crate) struct NetworkHandle {
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl NetworkHandle {
    /// Begins to play what comes from `jobs`; ends with them, or with the first failure.
    pub(crate) fn start(
        plan: Arc<TournamentPlan>,
        config: Arc<RunConfig>,
        jobs: Jobs,
        reports: Reports,
    ) -> NetworkHandle {
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(async move {
            let mut worker = NetworkWorker::new(plan, config);
            tokio::select! {
                () = worker.serve(&jobs, &reports) => {}
                // A closed pipe means the same as a request to end.
                _ = stopped => {}
            }
            worker.close().await;
        });
        NetworkHandle { stop, task }
    }

    /// Ends it, in the midst of a game if need be. None of its processes is left afterwards.
    pub(crate) async fn stop(self) {
        // It may have ended by itself.
        let _ = self.stop.send(());
        let _ = self.task.await;
    }
}

/// Something that happened to a process.
type Input = (EventSource, ProcessOutput);

/// Which process it happened to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum EventSource {
    Server,
    /// A bot, and which of its processes, counted from 0.
    Bot(BotId, u64),
}

/// What there is to look at next.
#[derive(Debug)]
enum ProcessEvent {
    /// The server said something.
    Reported(Box<ServerMessage>),
    /// A process said something or ended. It has been noted.
    Noted,
    TimeIsOver,
}

/// Where the games of a worker are played.
struct NetworkWorker {
    plan: Arc<TournamentPlan>,
    config: Arc<RunConfig>,
    inputs: mpsc::Sender<Input>,
    happenings: mpsc::Receiver<Input>,
    /// Started with the first game.
    server: Option<LocalServer>,
    guests: Guests,
}

impl NetworkWorker {
    fn new(plan: Arc<TournamentPlan>, config: Arc<RunConfig>) -> NetworkWorker {
        let (inputs, happenings) = mpsc::channel(QUEUED_INPUTS);
        NetworkWorker {
            plan,
            config,
            inputs,
            happenings,
            server: None,
            guests: Guests::default(),
        }
    }

    async fn serve(&mut self, jobs: &Jobs, reports: &Reports) {
        while let Some(pairing) = jobs.next().await {
            let report = match self.play(&pairing, reports).await {
                Ok(record) => WorkerReport::Done(record),
                Err(failure) => WorkerReport::Failed(self.with_last_words(failure)),
            };
            let is_last = matches!(report, WorkerReport::Failed(_));
            if reports.send(report).await.is_err() || is_last {
                return;
            }
        }
    }

    async fn play(&mut self, pairing: &Pairing, reports: &Reports) -> Result<PairRecord, Failure> {
        let mut games = Vec::with_capacity(pairing.games.into());
        for order in self.plan.orders(pairing) {
            let game = self.play_game(&order).await?;
            // The receiver may be closed; the end of the worker is decided elsewhere.
            let _ = reports
                .send(WorkerReport::Over(Box::new(game.clone())))
                .await;
            games.push(game);
        }
        self.guests.keep(KEPT).await;
        Ok(PairRecord {
            pairing: *pairing,
            games,
        })
    }

    fn with_last_words(&self, mut failure: Failure) -> Failure {
        if let (Failure::Server { stderr, .. }, Some(server)) = (&mut failure, &self.server) {
            *stderr = server.stderr();
        }
        failure
    }

    async fn close(mut self) {
        // What still arrives is discarded: a child must not block on a full pipe.
        self.happenings.close();
        self.guests.keep(0).await;
        if let Some(server) = self.server {
            server.kill().await;
        }
    }

    /// The server, which has been started.
    fn server(&mut self) -> Result<&mut LocalServer, Failure> {
        self.server
            .as_mut()
            .ok_or_else(|| unreachable("it was never started"))
    }

    /// Makes sure that the server takes connections.
    async fn check_server(&mut self) -> Result<(), Failure> {
        if self.server()?.answers().await {
            return Ok(());
        }
        Err(unreachable("it does not answer"))
    }

    async fn send(&mut self, message: &ClientMessage) -> Result<(), Failure> {
        let sent = self.server()?.connection.send(message).await;
        match sent {
            Ok(()) => Ok(()),
            Err(error) => Err(self.lost(&explain(&error)).await),
        }
    }

    /// Waits for the next event, until `deadline` at the latest.
    async fn next(&mut self, deadline: Instant) -> Result<ProcessEvent, Failure> {
        let Some(server) = &mut self.server else {
            return Err(unreachable("it was never started"));
        };
        if Instant::now() > deadline + SETTLE {
            // A server that sends without end does not extend the deadline.
            return Ok(ProcessEvent::TimeIsOver);
        }
        tokio::select! {
            // What was said in time was in time.
            biased;
            message = server.connection.next() => match message {
                Ok(message) => {
                    server.note(&message)?;
                    Ok(ProcessEvent::Reported(Box::new(message)))
                }
                Err(error) => Err(self.lost(&explain(&error)).await),
            },
            Some(input) = self.happenings.recv() => {
                self.note(input)?;
                Ok(ProcessEvent::Noted)
            }
            () = sleep_until(deadline.into()) => Ok(ProcessEvent::TimeIsOver),
        }
    }

    fn note(&mut self, (source, output): Input) -> Result<(), Failure> {
        match (source, output) {
            (_, ProcessOutput::Line(_)) => Ok(()),
            (EventSource::Server, ProcessOutput::Ended(exit)) => Err(died(exit)),
            (EventSource::Bot(bot, life), ProcessOutput::Ended(exit)) => {
                self.guests.ended(bot, life, exit);
                Ok(())
            }
        }
    }

    /// Why the connection to the server broke: if it has died, its exit status is on its way.
    async fn lost(&mut self, message: &str) -> Failure {
        let until = Instant::now() + SETTLE;
        loop {
            tokio::select! {
                () = sleep_until(until.into()) => return unreachable(message),
                input = self.happenings.recv() => match input.map(|input| self.note(input)) {
                    Some(Ok(())) => {}
                    Some(Err(failure)) => return failure,
                    None => return unreachable(message),
                },
            }
        }
    }
}

fn failed(fault: ServerFault) -> Failure {
    Failure::Server {
        fault,
        stderr: Vec::new(),
    }
}

fn died(exit: Exit) -> Failure {
    failed(ServerFault::Died { exit })
}

fn unreachable(message: impl Into<String>) -> Failure {
    failed(ServerFault::Unreachable {
        message: message.into(),
    })
}

fn nonsense(message: impl Into<String>) -> Failure {
    failed(ServerFault::Nonsense {
        message: message.into(),
    })
}

fn not_started(error: &io::Error) -> Failure {
    failed(ServerFault::NotStarted {
        message: error.to_string(),
    })
}
