//! The loop around the player: socket, search, signals and output.

use std::io::{self, Write};
use std::pin::pin;
use std::time::Duration;

use checkers_lib::protocol::{ClientMessage, Ping, ServerMessage};
use cli_kit::Signals;
use tokio::time::{Instant, interval, sleep_until};
use tokio_tungstenite::Connector;
use tokio_tungstenite::tungstenite::http::Uri;

use crate::args::Args;
use crate::backoff::Backoff;
use crate::client::{self, Connection};
use crate::failure::{BotFailure, ExitCode};
use crate::player::{Action, Player};
use crate::report::{Report, ReportOutput};
use crate::report_writer::ReportWriter;
use crate::search_thread::SearchThread;
use crate::tables;
use crate::tls;

/// How long the server may take to play a move until the bot sends it again.
const ANSWER_LIMIT: Duration = Duration::from_millis(2500);

/// How often the bot asks the server for a sign of life.
const PING_INTERVAL: Duration = Duration::from_secs(10);

/// How long the server may say nothing to a bot that asks.
const PATIENCE: Duration = Duration::from_secs(25);

/// How long a bot tries to reach a server that it has not been on: one that starts at the same time
/// is there by then.
const FIRST_PATIENCE: Duration = Duration::from_secs(10);

/// Plays what `args` asks for as a process of its own would: reports to stdout, the failure to
/// stderr. For a `main`, also of another binary; it brings its own runtime and catches signals.
pub fn main_with(args: Args) -> std::process::ExitCode {
    let Err(failure) = play_and_print(args) else {
        return ExitCode::Done.into();
    };
    // The output may be closed; the exit code reports the error all the same.
    let _ = writeln!(io::stderr(), "error: {failure}");
    failure.exit_code().into()
}

fn play_and_print(args: Args) -> Result<(), BotFailure> {
    tables::share();
    let report_writer = ReportWriter::new(io::stdout()).map_err(BotFailure::Start)?;
    let mut output = ReportOutput::new(report_writer, args.format());
    let played = block_on_run(args, &mut output);
    if let Err(failure) = &played {
        let _ = output.write(&failure.report());
    }
    let printed = output.into_sink().finish();
    played.and(printed.map_err(BotFailure::Output))
}

fn block_on_run(args: Args, output: &mut ReportOutput<impl Write>) -> Result<(), BotFailure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(BotFailure::Start)?;
    let played = runtime.block_on(run(args, output));
    // Looking up a host name may take long, and cannot be cancelled.
    runtime.shutdown_background();
    played
}

/// Plays what `args` asks for and writes reports to `output`. Ctrl-C and SIGTERM end it: the seat
/// is given up and the connection closed.
///
/// # Errors
/// The failure that ends the run before its last game. It is not reported to `output`.
pub async fn run(args: Args, output: &mut ReportOutput<impl Write>) -> Result<(), BotFailure> {
    let mut signals = Signals::new().map_err(BotFailure::Start)?;
    let connector = tls::connector(args.server.scheme_str(), args.ca_file.as_deref())?;
    let limits = args.limits();
    let plan = args.plan();
    let search_thread = SearchThread::spawn(args.bot, limits, args.delay, args.transcript);
    let mut search_thread = search_thread.map_err(BotFailure::Start)?;
    // Not counted in the server's time: the program may start slowly.
    tokio::select! {
        ready = search_thread.ready() => ready?,
        signal = signals.next() => return Err(BotFailure::Stopped(signal)),
    }
    let mut run = BotRun {
        player: Player::new(plan),
        search_thread,
        server: args.server,
        connector,
        give_up_after: args.give_up_after,
        backoff: Backoff::new(),
        signals,
        output,
    };
    let mut connection = run.arrive().await?;
    loop {
        let played = run.play(&mut connection).await;
        connection = match played {
            Err(failure) if run.comes_back(&failure) => {
                connection.close().await;
                run.come_back(failure).await?
            }
            Ok(()) | Err(_) => {
                run.part(connection, &played).await;
                return played;
            }
        };
    }
}

struct BotRun<'a, W> {
    player: Player,
    search_thread: SearchThread,
    server: Uri,
    connector: Connector,
    /// How long the server may be unreachable; without it, for ever.
    give_up_after: Option<Duration>,
    backoff: Backoff,
    signals: Signals,
    output: &'a mut ReportOutput<W>,
}

/// Whether the run goes on.
#[derive(PartialEq)]
enum Flow {
    GoOn,
    Finish,
}

impl<W: Write> BotRun<'_, W> {
    /// Plays on a connection until everything is played or the connection ends.
    async fn play(&mut self, connection: &mut Connection) -> Result<(), BotFailure> {
        let mut actions = self.player.join();
        let mut signs_of_life = interval(PING_INTERVAL);
        signs_of_life.reset();
        let mut pings = false;
        let mut resend: Option<Instant> = None;
        while self.perform(connection, actions).await? == Flow::GoOn {
            if self.player.unanswered().is_none() {
                resend = None;
            } else if resend.is_none() {
                resend = Some(Instant::now() + ANSWER_LIMIT);
            }
            actions = tokio::select! {
                heard = connection.next() => match heard {
                    Ok(message) => {
                        self.note(&message);
                        if self.player.is_known() && !pings {
                            pings = true;
                            connection.be_patient_for(PATIENCE);
                        }
                        self.player.handle(&message)?
                    }
                    Err(failure) => self.player.disconnected(failure)?,
                },
                thought = self.search_thread.next() => {
                    self.player.chosen(&thought?)?
                }
                () = until(resend) => {
                    resend = None;
                    let message = self.player.unanswered().cloned();
                    message.map(Action::Send).into_iter().collect()
                }
                _ = signs_of_life.tick(), if pings => {
                    vec![Action::Send(ClientMessage::Ping(Ping::default()))]
                }
                signal = self.signals.next() => {
                    let leaving = self.player.leave();
                    self.perform(connection, leaving).await?;
                    return Err(BotFailure::Stopped(signal));
                }
            };
        }
        Ok(())
    }

    /// Ends the connection, and frees the name on a server that would keep it. A signal ends the
    /// waiting for that.
    async fn part(&mut self, connection: Connection, played: &Result<(), BotFailure>) {
        let is_lost = played.as_ref().is_err_and(BotFailure::is_loss);
        if is_lost || !self.player.has_name() {
            return connection.close().await;
        }
        tokio::select! {
            () = connection.leave() => {}
            _ = self.signals.next() => {}
        }
    }

    /// Handles what the server says about itself.
    fn note(&mut self, message: &ServerMessage) {
        match message {
            ServerMessage::Joined(_) => self.backoff.reset(),
            ServerMessage::Restarting { delay_ms, .. } => {
                self.backoff.ask_for(Duration::from_millis(*delay_ms));
            }
            _ => {}
        }
    }

    fn comes_back(&self, failure: &BotFailure) -> bool {
        self.give_up_after != Some(Duration::ZERO) && self.player.comes_back(failure)
    }

    /// Connects for the first time.
    async fn arrive(&mut self) -> Result<Connection, BotFailure> {
        let server = self.server.clone();
        let patience = self.give_up_after.unwrap_or(FIRST_PATIENCE);
        let connecting = client::connect_with(&server, self.connector.clone());
        match self.meanwhile(connecting).await? {
            Err(failure) if failure.is_absence() && !patience.is_zero() => {
                let deadline = Instant::now() + patience.min(FIRST_PATIENCE);
                self.connect_again(failure, Some(deadline)).await
            }
            connected => connected,
        }
    }

    /// Connects again, however long it takes, and thinks meanwhile.
    async fn come_back(&mut self, failure: BotFailure) -> Result<Connection, BotFailure> {
        let deadline = self.give_up_after.map(|time| Instant::now() + time);
        self.player.lost();
        self.connect_again(failure, deadline).await
    }

    /// Tries after each pause until it succeeds or the deadline is over.
    async fn connect_again(
        &mut self,
        mut failure: BotFailure,
        deadline: Option<Instant>,
    ) -> Result<Connection, BotFailure> {
        loop {
            let pause = self.backoff.pause();
            self.report(&Report::Disconnected {
                message: failure.to_string(),
                retry_ms: u64::try_from(pause.as_millis()).unwrap_or(u64::MAX),
            })?;
            let next = Instant::now() + pause;
            if deadline.is_some_and(|deadline| deadline < next) {
                return Err(failure);
            }
            let (server, connector) = (self.server.clone(), self.connector.clone());
            let connecting = async {
                sleep_until(next).await;
                client::connect_with(&server, connector).await
            };
            failure = match self.meanwhile(connecting).await? {
                Ok(connection) => return Ok(connection),
                Err(failure) => failure,
            };
        }
    }

    /// Waits for `future`; keeps results of searches that arrive meanwhile until they can be sent.
    async fn meanwhile<T>(&mut self, future: impl Future<Output = T>) -> Result<T, BotFailure> {
        let mut future = pin!(future);
        loop {
            tokio::select! {
                done = &mut future => return Ok(done),
                thought = self.search_thread.next() => {
                    self.player.chosen(&thought?)?;
                }
                signal = self.signals.next() => return Err(BotFailure::Stopped(signal)),
            }
        }
    }

    fn report(&mut self, report: &Report) -> Result<(), BotFailure> {
        self.output.write(report).map_err(BotFailure::Output)
    }

    async fn perform(
        &mut self,
        connection: &mut Connection,
        actions: Vec<Action>,
    ) -> Result<Flow, BotFailure> {
        for action in actions {
            match action {
                Action::Send(message) => connection.send(&message).await?,
                Action::SendTo(table, message) => connection.send_to(table, message).await?,
                Action::Think(request) => self.search_thread.begin(request),
                Action::StopThinking => self.search_thread.stop(),
                Action::Report(report) => self.report(&report)?,
                Action::Finish => return Ok(Flow::Finish),
            }
        }
        Ok(Flow::GoOn)
    }
}

/// Waits until a moment, or for ever.
async fn until(moment: Option<Instant>) {
    match moment {
        Some(moment) => sleep_until(moment).await,
        None => std::future::pending().await,
    }
}
