//! The bots of a worker: which are connected, which have left, and why.

use std::collections::BTreeMap;
use std::time::Instant;

use checkers_bot::{EngineEnd, ExitCode as BotExitCode};

use super::{EventSource, NetworkWorker, ProcessEvent, SETTLE, commands, secret};
use crate::failure::milliseconds;
use crate::process::ChildProcess;
use crate::{BotId, Exit, Failure, Fault, Forfeit, MatchPlayer};

/// The bots that were started.
#[derive(Debug, Default)]
pub(super) struct Guests {
    present: BTreeMap<BotId, Guest>,
    /// How many processes were started.
    lives: u64,
    /// How many games were asked for.
    games: u64,
}

#[derive(Debug)]
struct Guest {
    process: ChildProcess,
    /// Its name on the server: random, so that no other client can take it first.
    name: String,
    life: u64,
    /// How its process ended, if it has.
    exit: Option<Exit>,
    /// The last game it was wanted for.
    wanted: u64,
}

impl Guests {
    /// Notes the end of a process; one that was replaced meanwhile is of no interest.
    pub(super) fn ended(&mut self, bot: BotId, life: u64, exit: Exit) {
        if let Some(guest) = self.present.get_mut(&bot)
            && guest.life == life
        {
            guest.exit = Some(exit);
        }
    }

    /// What a bot goes by on the server, if it was started.
    pub(super) fn name(&self, bot: BotId) -> Option<&str> {
        Some(&self.present.get(&bot)?.name)
    }

    fn exit(&self, bot: BotId) -> Option<Exit> {
        self.present.get(&bot)?.exit
    }

    fn stderr(&self, bot: BotId) -> Vec<String> {
        let guest = self.present.get(&bot);
        guest.map_or_else(Vec::new, |guest| guest.process.stderr())
    }

    /// Ends a bot's process.
    async fn dismiss(&mut self, bot: BotId) {
        if let Some(guest) = self.present.remove(&bot) {
            guest.process.kill().await;
        }
    }

    /// Ends all but this many bots, the longest unused first.
    pub(super) async fn keep(&mut self, count: usize) {
        while self.present.len() > count {
            let oldest = self.present.iter().min_by_key(|(_, guest)| guest.wanted);
            let Some((&bot, _)) = oldest else { return };
            self.dismiss(bot).await;
        }
    }
}

impl NetworkWorker {
    /// Makes sure that both bots of a game are on the server.
    ///
    /// # Errors
    /// The first of them that is not there in time forfeits.
    pub(super) async fn gather(
        &mut self,
        game: u64,
        bots: [BotId; 2],
    ) -> Result<Result<(), Forfeit>, Failure> {
        self.guests.games += 1;
        for bot in bots {
            self.invite(game, bot).await?;
        }
        for bot in bots {
            if let Err(fault) = self.await_arrival(bot).await? {
                return Ok(Err(self.forfeit(bot, fault)));
            }
        }
        Ok(Ok(()))
    }

    /// A bot's forfeit with its last words.
    pub(super) fn forfeit(&self, bot: BotId, fault: Fault) -> Forfeit {
        let stderr = self.last_words(bot).0;
        Forfeit { bot, fault, stderr }
    }

    /// Ends a bot that has failed.
    pub(super) async fn dismiss(&mut self, bot: BotId) {
        self.guests.dismiss(bot).await;
    }

    /// Starts a bot that is not there.
    async fn invite(&mut self, game: u64, bot: BotId) -> Result<(), Failure> {
        let games = self.guests.games;
        let is_here = self.sees(bot);
        if let Some(guest) = self.guests.present.get_mut(&bot)
            && guest.exit.is_none()
            && is_here
        {
            guest.wanted = games;
            return Ok(());
        }
        self.dismiss(bot).await;
        let life = self.guests.lives;
        let name = format!("{}-{}", bot.name(), secret::word());
        let url = self.server()?.url.clone();
        let (program, participant) = (&self.config.program, self.plan.participant(bot));
        let mut command = commands::bot(program, &name, participant, &url);
        if let (Some(directory), MatchPlayer::Hub(_)) =
            (&self.config.transcripts, &participant.player)
        {
            let file = format!("game-{game}-{}.txt", bot.name());
            command.env("CHECKERS_TRANSCRIPT", directory.join(file));
        }
        let wrap = move |output| (EventSource::Bot(bot, life), output);
        let started = ChildProcess::start(command, self.inputs.clone(), wrap);
        let process = started.map_err(|error| Failure::System {
            message: error.to_string(),
        })?;
        self.guests.lives += 1;
        let guest = Guest {
            process,
            name,
            life,
            exit: None,
            wanted: games,
        };
        self.guests.present.insert(bot, guest);
        Ok(())
    }

    /// Whether a bot is on the server.
    pub(super) fn sees(&self, bot: BotId) -> bool {
        let name = self.guests.name(bot);
        let server = self.server.as_ref();
        server.is_some_and(|server| name.is_some_and(|name| server.sees(name)))
    }

    async fn await_arrival(&mut self, bot: BotId) -> Result<Result<(), Fault>, Failure> {
        let limit = self.config.timeouts.connect;
        let until = Instant::now() + limit;
        while !self.sees(bot) {
            if let Some(exit) = self.guests.exit(bot) {
                return Ok(Err(self.fault_of_exit(bot, exit, None)));
            }
            if let ProcessEvent::TimeIsOver = self.next(until).await? {
                // A server that does not answer accepts no bots.
                self.check_server().await?;
                let waited_ms = milliseconds(limit);
                return Ok(Err(Fault::NeverConnected { waited_ms }));
            }
        }
        Ok(Ok(()))
    }

    /// Why a bot left, during a game that was at `fen` if one ran: whether its process ended, its
    /// connection broke, or it gave up its seat.
    pub(super) async fn fault_of_leaving(
        &mut self,
        bot: BotId,
        fen: Option<&str>,
    ) -> Result<Fault, Failure> {
        let until = Instant::now() + SETTLE;
        let counted = self.server()?.counted;
        loop {
            if let Some(exit) = self.guests.exit(bot) {
                return Ok(self.fault_of_exit(bot, exit, fen));
            }
            if self.server()?.counted > counted && self.sees(bot) {
                return Ok(Fault::GaveUp);
            }
            if let ProcessEvent::TimeIsOver = self.next(until).await? {
                return Ok(Fault::Disconnected);
            }
        }
    }

    /// The last lines that a bot wrote to stderr. Those of an engine come without what our own
    /// program, through which it plays, says of it at the end, which is returned apart: what
    /// follows after "the engine".
    fn last_words(&self, bot: BotId) -> (Vec<String>, Option<String>) {
        let mut stderr = self.guests.stderr(bot);
        let words = match self.plan.participant(bot).player {
            MatchPlayer::Hub(_) => stderr.last().and_then(|line| {
                let words = line.strip_prefix("error: the engine ")?;
                Some(words.to_owned())
            }),
            MatchPlayer::Engine(_) | MatchPlayer::Weighted { .. } | MatchPlayer::Foreign(_) => None,
        };
        if words.is_some() {
            stderr.pop();
        }
        (stderr, words)
    }

    /// What a bot's exit code says. During a game the only thing a bot says is its move, so that
    /// is what was refused.
    fn fault_of_exit(&self, bot: BotId, exit: Exit, fen: Option<&str>) -> Fault {
        let (mut stderr, about_engine) = self.last_words(bot);
        if let Some(end) = about_engine.as_deref().and_then(EngineEnd::parse) {
            let exit = match end {
                EngineEnd::Code(code) => Exit::Code(code),
                EngineEnd::Signal(signal) => Exit::Signal(signal),
                EngineEnd::Output => exit,
            };
            return Fault::Crashed {
                exit,
                message: stderr.pop(),
            };
        }
        let about_engine = about_engine.map(|words| format!("the engine {words}"));
        let message = about_engine.or_else(|| stderr.pop());
        let explained = || message.clone().unwrap_or_else(|| exit.to_string());
        let is_refused = exit == code(BotExitCode::Refused);
        match fen {
            Some(fen) if is_refused => Fault::IllegalMove {
                fen: fen.to_owned(),
                message: explained(),
            },
            _ if is_refused || exit == code(BotExitCode::Protocol) => Fault::Protocol {
                message: explained(),
            },
            _ => Fault::Crashed { exit, message },
        }
    }
}

fn code(code: BotExitCode) -> Exit {
    Exit::Code(i32::from(code.code()))
}
