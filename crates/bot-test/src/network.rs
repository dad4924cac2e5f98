//! A match over WebSocket: a server and two bots, each a process of its own, and the referee
//! among the spectators.

use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::Instant;

use checkers_bot::client::{Connection, connect};
use checkers_engine::BotSpec;
use checkers_lib::Color;
use checkers_lib::protocol::{ClientMessage, ServerMessage};
use tempfile::NamedTempFile;
use tokio::process::Command;
use tokio::sync::mpsc;
use tokio::time::{sleep_until, timeout};

use crate::failure::{explain, milliseconds};
use crate::process::{Output, Process};
use crate::signals::Signals;
use crate::telemetry::Telemetry;
use crate::verdict::{Evidence, SETTLE};
use crate::{
    BotId, Contestant, Event, Failure, Fault, Observer, Plan, Played, Referee, ServerFault,
};

/// The name the referee joins under.
const REFEREE: &str = "referee";
/// The beginning of the line by which the server says where it listens.
const LISTENING: &str = "listening on ";
/// How many happenings may wait to be looked at.
const QUEUED_INPUTS: usize = 256;

/// Plays a match with processes of `program`, which has the hidden subcommands of
/// [`crate::cli::Command`]. Whatever happens, none of them is left when it returns.
pub(crate) async fn play(
    plan: &Plan,
    program: &Path,
    signals: &mut Signals,
    observer: &mut dyn Observer,
) -> Played {
    let (inputs, happenings) = mpsc::channel(QUEUED_INPUTS);
    let mut hall = Hall {
        plan,
        program,
        inputs,
        happenings,
    };
    let opened = tokio::select! {
        opened = hall.open() => opened,
        () = signals.next() => Err(Failure::Interrupted),
    };
    match opened {
        Ok((server, connection)) => hall.hold(server, connection, signals, observer).await,
        Err(failure) => nothing_played(failure),
    }
}

/// Something that happened to a process.
type Input = (Source, Output);

/// Which process it happened to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Source {
    Server,
    Bot(BotId),
}

/// The place of a match before it begins.
struct Hall<'a> {
    plan: &'a Plan,
    program: &'a Path,
    inputs: mpsc::Sender<Input>,
    happenings: mpsc::Receiver<Input>,
}

impl Hall<'_> {
    /// Starts the server and takes the referee's place.
    async fn open(&mut self) -> Result<(ServerProcess, Connection), Failure> {
        let openings = self.openings_file().map_err(|error| not_served(&error))?;
        let process = self
            .start(self.server_command(openings.as_ref()), Source::Server)
            .map_err(|error| not_served(&error))?;
        let address = self.address().await;
        // The server that listens has read it.
        drop(openings);
        let url = address.map_err(|fault| server_failure(fault, process.stderr()))?;
        let connection = enter(&url).await.map_err(|message| {
            server_failure(ServerFault::Unreachable { message }, process.stderr())
        })?;
        Ok((ServerProcess { process, url }, connection))
    }

    /// Starts the bots and plays.
    async fn hold(
        self,
        server: ServerProcess,
        connection: Connection,
        signals: &mut Signals,
        observer: &mut dyn Observer,
    ) -> Played {
        let mut bots = Vec::new();
        for bot in BotId::BOTH {
            match self.start(self.bot_command(bot, &server.url), Source::Bot(bot)) {
                Ok(process) => bots.push(process),
                Err(error) => return nothing_played(not_started(bot, &error)),
            }
        }
        let session = self.session(server, connection, bots);
        session.play(signals, observer).await
    }

    fn session(self, server: ServerProcess, connection: Connection, bots: Vec<Process>) -> Session {
        let games = u64::from(self.plan.games);
        let (rules, timeouts) = (self.plan.draw_rules, self.plan.timeouts);
        Session {
            referee: Referee::new(games, rules, timeouts, Instant::now()),
            telemetry: Telemetry::new(games),
            evidence: Evidence::default(),
            settling: None,
            connection: Some(connection),
            happenings: self.happenings,
            server,
            bots,
        }
    }

    fn start(&self, command: Command, source: Source) -> io::Result<Process> {
        Process::start(command, self.inputs.clone(), move |output| (source, output))
    }

    /// What the server says about where it listens.
    async fn address(&mut self) -> Result<String, ServerFault> {
        let limit = self.plan.timeouts.connect;
        let told = timeout(limit, async {
            while let Some((_, output)) = self.happenings.recv().await {
                match output {
                    Output::Line(line) => {
                        if let Some(url) = line.strip_prefix(LISTENING) {
                            return Ok(url.trim().to_owned());
                        }
                    }
                    Output::Ended(exit) => return Err(ServerFault::Died { exit }),
                }
            }
            Err(ServerFault::Unreachable {
                message: "its stdout is gone".to_owned(),
            })
        });
        let waited_ms = milliseconds(limit);
        told.await
            .unwrap_or(Err(ServerFault::NotListening { waited_ms }))
    }

    /// A file with the opening of each game in turn, if they do not begin from the start.
    fn openings_file(&self) -> io::Result<Option<NamedTempFile>> {
        if self.plan.openings.is_empty() {
            return Ok(None);
        }
        let mut file = NamedTempFile::new()?;
        let mut lines = BufWriter::new(&mut file);
        for number in 1..=u64::from(self.plan.games) {
            writeln!(lines, "{}", self.plan.opening(number))?;
        }
        lines.flush()?;
        drop(lines);
        Ok(Some(file))
    }

    fn server_command(&self, openings: Option<&NamedTempFile>) -> Command {
        let mut command = self.own_command("server");
        if let Some(file) = openings {
            command.arg("--openings").arg(file.path());
        }
        command.args(["--bind", "127.0.0.1", "--port", "0"]);
        command.args(["--draw-rules", &self.plan.draw_rules.to_string()]);
        // Its last words are shown when it fails; the course of the games is no failure.
        command.env("CHECKERS_LOG", "warn");
        command
    }

    fn bot_command(&self, bot: BotId, url: &str) -> Command {
        match self.plan.contestant(bot) {
            Contestant::Engine(spec) => self.engine_command(bot, spec, url),
            Contestant::Foreign(shell) => self.foreign_command(bot, shell, url),
        }
    }

    fn engine_command(&self, bot: BotId, spec: &BotSpec, url: &str) -> Command {
        let mut command = self.own_command("bot");
        command.args(["--server", url, "--name", &bot.name()]);
        command.args(["--color", &self.first_color(bot).to_string()]);
        command.args(["--games", &self.plan.games.to_string()]);
        command.args(["--bot", &spec.to_string(), "--json"]);
        command.args(self.plan.swap.then_some("--swap"));
        command
    }

    /// See [`Contestant::HELP`].
    fn foreign_command(&self, bot: BotId, shell: &str, url: &str) -> Command {
        let mut command = self.own_command("foreign");
        command.args(["--", shell]);
        command.env("CHECKERS_SERVER", url);
        command.env("CHECKERS_NAME", bot.name());
        command.env("CHECKERS_COLOR", self.first_color(bot).to_string());
        command.env("CHECKERS_GAMES", self.plan.games.to_string());
        command.env("CHECKERS_SWAP", if self.plan.swap { "1" } else { "0" });
        command
    }

    /// The side a bot has in the first game.
    fn first_color(&self, bot: BotId) -> Color {
        self.plan.seats(1).color(bot).into()
    }

    /// A hidden subcommand of this program, without the settings that the caller's environment
    /// has for servers and bots of its own.
    fn own_command(&self, name: &str) -> Command {
        let mut command = Command::new(self.program);
        command.arg(name);
        for (key, _) in std::env::vars_os() {
            if key.to_string_lossy().starts_with("CHECKERS_") {
                command.env_remove(key);
            }
        }
        command
    }
}

/// A server that listens.
struct ServerProcess {
    process: Process,
    url: String,
}

impl ServerProcess {
    /// Whether it takes another connection.
    async fn answers(&self) -> bool {
        let Ok(url) = self.url.parse() else {
            return false;
        };
        matches!(timeout(SETTLE, connect(&url)).await, Ok(Ok(_)))
    }
}

/// Connects as the referee and joins.
async fn enter(url: &str) -> Result<Connection, String> {
    let server = url.parse().map_err(|error| format!("{url:?}: {error}"))?;
    let mut connection = connect(&server)
        .await
        .map_err(|failure| explain(&failure))?;
    let name = REFEREE.to_owned();
    (connection.send(&ClientMessage::Join { name }).await).map_err(|failure| explain(&failure))?;
    Ok(connection)
}

fn not_served(error: &io::Error) -> Failure {
    let message = error.to_string();
    server_failure(ServerFault::NotStarted { message }, Vec::new())
}

fn nothing_played(failure: Failure) -> Played {
    Played {
        games: Vec::new(),
        failure: Some(failure),
    }
}

fn server_failure(fault: ServerFault, stderr: Vec<String>) -> Failure {
    Failure::Server { fault, stderr }
}

fn not_started(bot: BotId, error: &io::Error) -> Failure {
    Failure::Bot {
        bot,
        game: None,
        fault: Fault::NotStarted {
            message: error.to_string(),
        },
        stderr: Vec::new(),
    }
}

/// A match that runs.
struct Session {
    referee: Referee,
    telemetry: Telemetry,
    evidence: Evidence,
    /// Until when the evidence of a failure is gathered.
    settling: Option<Instant>,
    /// `None` once it has broken.
    connection: Option<Connection>,
    happenings: mpsc::Receiver<Input>,
    server: ServerProcess,
    bots: Vec<Process>,
}

impl Session {
    async fn play(mut self, signals: &mut Signals, observer: &mut dyn Observer) -> Played {
        let failure = loop {
            if self.referee.is_finished() {
                break None;
            }
            tokio::select! {
                () = signals.next() => break Some(Failure::Interrupted),
                () = sleep_until(self.deadline().into()) => {
                    if let Some(failure) = self.judge().await {
                        break Some(failure);
                    }
                }
                message = hear(&mut self.connection) => self.told(message, observer),
                Some(input) = self.happenings.recv() => self.happened(input),
            }
        };
        if failure.is_none() {
            self.hear_last_words().await;
        }
        self.close(failure).await
    }

    fn told(&mut self, message: Heard, observer: &mut dyn Observer) {
        let event = match message {
            Ok(message) => self.referee.handle(&message, Instant::now()),
            Err(failure) => Err(ServerFault::Unreachable {
                message: explain(&failure),
            }),
        };
        match event {
            Ok(event) => {
                self.tell(event, observer);
                if self.referee.broken_game().is_some() {
                    self.settle();
                }
            }
            Err(fault) => {
                self.connection = None;
                self.evidence.server_fault.get_or_insert(fault);
                self.settle();
            }
        }
    }

    fn tell(&self, event: Option<Event>, observer: &mut dyn Observer) {
        match event {
            Some(Event::Started) => observer.started(self.referee.games().len() as u64 + 1),
            Some(Event::Moved) => observer.moved(),
            Some(Event::Over) => {
                if let Some(game) = self.referee.games().last() {
                    observer.over(game);
                }
            }
            None => {}
        }
    }

    fn happened(&mut self, input: Input) {
        match input {
            (Source::Server, Output::Line(_)) => {}
            (Source::Server, Output::Ended(exit)) => {
                self.evidence.server_exit = Some(exit);
                self.settle();
            }
            (Source::Bot(bot), Output::Line(line)) => self.telemetry.hear(bot, &line),
            (Source::Bot(bot), Output::Ended(exit)) => {
                self.evidence.bot_exits.push((bot, exit));
                self.settle();
            }
        }
    }

    /// Begins to gather what else belongs to a failure. One that has begun goes on.
    fn settle(&mut self) {
        self.settling.get_or_insert_with(|| Instant::now() + SETTLE);
    }

    fn deadline(&self) -> Instant {
        let far = || Instant::now() + SETTLE;
        self.settling
            .or(self.referee.poll_timeout())
            .unwrap_or_else(far)
    }

    /// Why the match cannot go on, if a deadline has passed.
    async fn judge(&self) -> Option<Failure> {
        let failure = match self.settling {
            Some(until) if Instant::now() < until => None,
            Some(_) => self.evidence.judge(&self.referee, &self.telemetry),
            None => match self.referee.handle_timeout(Instant::now()) {
                // Nobody can move on a server that stands still.
                Some(_) if !self.server.answers().await => {
                    let message = "it does not answer".to_owned();
                    Some(server_failure(
                        ServerFault::Unreachable { message },
                        Vec::new(),
                    ))
                }
                failure => failure,
            },
        };
        failure.map(|failure| self.with_stderr(failure))
    }

    fn with_stderr(&self, mut failure: Failure) -> Failure {
        match &mut failure {
            Failure::Bot { bot, stderr, .. } => *stderr = self.bots[bot.0].stderr(),
            Failure::Server { stderr, .. } => *stderr = self.server.process.stderr(),
            Failure::GameTooLong { .. } | Failure::Abandoned { .. } | Failure::Interrupted => {}
        }
        failure
    }

    /// Everything is played; what the bots still have to tell about it is on its way.
    async fn hear_last_words(&mut self) {
        let until_all_ended = async {
            while self.evidence.bot_exits.len() < self.bots.len()
                && let Some(input) = self.happenings.recv().await
            {
                self.happened(input);
            }
        };
        // A bot that stays on is not waited for.
        let _ = timeout(SETTLE, until_all_ended).await;
    }

    async fn close(mut self, failure: Option<Failure>) -> Played {
        // Nobody reads what is still to come: a child that waits to be read must not wait.
        self.happenings.close();
        for process in self.bots.into_iter().chain([self.server.process]) {
            process.kill().await;
        }
        let mut games = self.referee.into_games();
        self.telemetry.complete(&mut games);
        Played { games, failure }
    }
}

type Heard = Result<ServerMessage, checkers_bot::Failure>;

/// The next message; never, once the connection is gone.
async fn hear(connection: &mut Option<Connection>) -> Heard {
    match connection {
        Some(connection) => connection.next().await,
        None => std::future::pending().await,
    }
}
