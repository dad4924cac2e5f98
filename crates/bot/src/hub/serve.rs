//! A bot of ours as an engine for other programs: the threads around the [`HubSession`].
//!
//! One thread reads, one searches, one writes; the calling thread decides. Its only long wait is
//! for room in the output: a client that does not read gets no answers either.

use std::io::{self, BufReader, Read, Write};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, channel, sync_channel};
use std::thread;
use std::time::Duration;

use checkers_engine::BotSpec;

use super::reading::{Heard, pump};
use super::searcher::{self, HubEvent};
use super::session::{Effect, HubSession};
use crate::tables;

/// How many lines and news wait; then searching does.
const EVENTS: usize = 64;
/// How many lines of them wait; then reading does. There is always room for news: a search that
/// waits for it while the session waits to give it orders would wait for ever.
const INPUT: usize = 16;
/// How many lines wait to be written. Then answers wait for room, and what is only mentioned is
/// left out.
const OUTPUT: usize = 256;
/// How long the last lines may take to be written.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Lets a bot play for any program that speaks the Hub protocol.
///
/// Speaks Hub 2 on stdin and stdout: the variant is russian, positions have 33 characters, squares
/// go from 1 = b8 to 32 = g1. What the bot's spec says can be set as parameters too.
#[derive(Clone, Debug, clap::Parser)]
#[command(name = "checkers-bot hub", bin_name = "checkers-bot hub", version = cli_kit::VERSION, max_term_width = 100, after_long_help = after_help())]
pub struct HubArgs {
    /// What searches.
    #[arg(long, value_name = "SPEC", default_value = "champion")]
    pub bot: BotSpec,
}

fn after_help() -> String {
    format!("SPEC is {}", BotSpec::help())
}

/// All of the `checkers-bot hub` command but the reading of its options.
pub fn hub_with(args: HubArgs) -> ExitCode {
    tables::share();
    match serve(args.bot, io::stdin(), io::stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // The output may be closed; the exit code reports the error all the same.
            let _ = writeln!(io::stderr(), "error: cannot start: {error}");
            ExitCode::FAILURE
        }
    }
}

enum ServeEvent {
    Heard(Heard),
    HubEvent(HubEvent),
}

/// Speaks the protocol until `quit`, the end of the input or of the output. A search that runs is
/// stopped then, and not waited for.
///
/// # Errors
/// A thread that cannot be started.
pub fn serve(
    spec: BotSpec,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    let (events, inbox) = sync_channel(EVENTS);
    let (lines, to_write) = sync_channel(OUTPUT);
    let (written, all_written) = channel();
    let (permits, permitted) = sync_channel(INPUT);
    let news = events.clone();
    let orders = searcher::start(move |found| {
        // A closed receiver has ended.
        let _ = news.send(ServeEvent::HubEvent(found));
    })?;
    let spawn = |name: &str| thread::Builder::new().name(name.to_owned());
    spawn("input").spawn(move || {
        pump(BufReader::new(input), &events, |heard| {
            // A closed receiver has ended.
            let _ = permits.send(());
            ServeEvent::Heard(heard)
        });
    })?;
    spawn("output").spawn(move || {
        write(output, &to_write);
        let _ = written.send(());
    })?;
    let mut session = HubSession::new(spec);
    let mut is_open = true;
    while is_open {
        let effects = match inbox.recv() {
            Ok(ServeEvent::Heard(heard)) => {
                let _ = permitted.try_recv();
                match heard {
                    Heard::Line(text) => session.hear(&text),
                    Heard::TooLong => session.overhear(),
                    Heard::End => vec![Effect::Quit],
                }
            }
            Ok(ServeEvent::HubEvent(news)) => session.learn(news),
            Err(_) => vec![Effect::Quit],
        };
        is_open = effects
            .into_iter()
            .all(|effect| perform(effect, &lines, &orders));
    }
    session.stop();
    drop(lines);
    // An output without a reader is given up.
    let _ = all_written.recv_timeout(LAST_WORDS);
    Ok(())
}

/// Does something; whether it goes on.
fn perform(
    effect: Effect,
    lines: &SyncSender<String>,
    orders: &SyncSender<searcher::SearchOrder>,
) -> bool {
    match effect {
        Effect::Say(line) => lines.send(line.to_string()).is_ok(),
        Effect::Mention(line) => {
            let mentioned = lines.try_send(line.to_string());
            !matches!(mentioned, Err(TrySendError::Disconnected(_)))
        }
        Effect::Order(order) => orders.send(order).is_ok(),
        Effect::Quit => false,
    }
}

/// Writes lines until the channel or the output closes.
fn write(mut output: impl Write, lines: &Receiver<String>) {
    for line in lines {
        if writeln!(output, "{line}")
            .and_then(|()| output.flush())
            .is_err()
        {
            return;
        }
    }
}
