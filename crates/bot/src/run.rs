//! The loop around the player: socket, search, signals and output.

use std::io::{self, Write};

use crate::args::Args;
use crate::client::{self, Connection};
use crate::failure::{ExitCode, Failure};
use crate::player::{Action, Player};
use crate::printer::Printer;
use crate::report::Output;
use crate::signals::Signals;
use crate::thinker::Thinker;

/// Plays what `args` asks for as a process of its own would: reports to stdout, the failure to
/// stderr. For a `main`, also of another binary; it brings its own runtime and catches signals.
pub fn main_with(args: Args) -> std::process::ExitCode {
    let Err(failure) = play_and_print(args) else {
        return ExitCode::Done.into();
    };
    // Nobody may be reading; the exit code tells all the same.
    let _ = writeln!(io::stderr(), "checkers-bot: {failure}");
    failure.exit_code().into()
}

fn play_and_print(args: Args) -> Result<(), Failure> {
    let printer = Printer::new(io::stdout()).map_err(Failure::Start)?;
    let mut output = Output::new(printer, args.format());
    let played = block_on_run(args, &mut output);
    if let Err(failure) = &played {
        let _ = output.write(&failure.report());
    }
    let printed = output.into_sink().finish();
    played.and(printed.map_err(Failure::Output))
}

fn block_on_run(args: Args, output: &mut Output<impl Write>) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(Failure::Start)?;
    let played = runtime.block_on(run(args, output));
    // Looking up a host name may take longer than anybody waits.
    runtime.shutdown_background();
    played
}

/// Plays what `args` asks for and writes reports to `output`. Ctrl-C and SIGTERM end it: the seat
/// is given up and the connection closed.
///
/// # Errors
/// Whatever ends the run before its last game. The failure itself is not reported to `output`.
pub async fn run(args: Args, output: &mut Output<impl Write>) -> Result<(), Failure> {
    let mut signals = Signals::new().map_err(Failure::Start)?;
    let connection = tokio::select! {
        connected = client::connect(&args.server) => connected?,
        signal = signals.next() => return Err(Failure::Stopped(signal)),
    };
    let limits = args.limits();
    let mut run = Run {
        player: Player::new(args.plan()),
        thinker: Thinker::spawn(args.bot, limits, args.delay).map_err(Failure::Start)?,
        connection,
        signals,
        output,
    };
    let played = run.play().await;
    run.connection.close().await;
    played
}

struct Run<'a, W> {
    player: Player,
    connection: Connection,
    thinker: Thinker,
    signals: Signals,
    output: &'a mut Output<W>,
}

/// Whether the run goes on.
#[derive(PartialEq)]
enum Flow {
    GoOn,
    Finish,
}

impl<W: Write> Run<'_, W> {
    async fn play(&mut self) -> Result<(), Failure> {
        let mut actions = self.player.join();
        while self.perform(actions).await? == Flow::GoOn {
            actions = tokio::select! {
                heard = self.connection.next() => match heard {
                    Ok(message) => self.player.handle(&message)?,
                    Err(failure) => self.player.disconnected(failure)?,
                },
                thought = self.thinker.next() => {
                    self.player.chosen(&thought.ok_or(Failure::SearchDied)?)?
                }
                signal = self.signals.next() => {
                    let leaving = self.player.leave();
                    self.perform(leaving).await?;
                    return Err(Failure::Stopped(signal));
                }
            };
        }
        Ok(())
    }

    async fn perform(&mut self, actions: Vec<Action>) -> Result<Flow, Failure> {
        for action in actions {
            match action {
                Action::Send(message) => self.connection.send(&message).await?,
                Action::Think(request) => self.thinker.begin(request),
                Action::StopThinking => self.thinker.stop(),
                Action::Report(report) => self.output.write(&report).map_err(Failure::Output)?,
                Action::Finish => return Ok(Flow::Finish),
            }
        }
        Ok(Flow::GoOn)
    }
}
