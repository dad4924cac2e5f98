//! A tournament from its command line or its journal to its record.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::{Instant, SystemTime};

use clap::Parser;
use clap::error::ErrorKind;
use cli_kit::Signals;
use postgres_kit::PostgresAddress;
use tokio::runtime::Runtime;

use super::ProgramError;
use crate::cli::{Cli, Play, words_of_games};
use crate::journal::{Header, Journal, JournalDamage, JournalError, JournalSettings, Reopened};
use crate::ledger::{Coordinator, RunRequest};
use crate::progress::TournamentProgress;
use crate::stderr::print_stderr;
use crate::tournament::{Tournament, TournamentError};
use crate::{Machine, PairRecord, RunConfig, TournamentPlan, TournamentRecord, TournamentResults};

/// A tournament that is ready to be played.
pub(super) struct TournamentSession {
    plan: Arc<TournamentPlan>,
    config: Arc<RunConfig>,
    journal: Option<Journal>,
    played: Vec<PairRecord>,
    runtime: Runtime,
    /// On several machines.
    coordinator: Option<Coordinator>,
}

impl TournamentSession {
    /// Reads the plan and the results so far.
    pub(super) fn open(play: Play) -> Result<TournamentSession, ProgramError> {
        if let Some(path) = play.args.resume.clone() {
            return TournamentSession::resume(play, &path);
        }
        match play.args.machines.ledger.clone() {
            Some(address) => TournamentSession::begin_on_ledger(play, address),
            None => TournamentSession::begin(play),
        }
    }

    fn begin(play: Play) -> Result<TournamentSession, ProgramError> {
        let plan = play.plan()?;
        let journal = play.args.journal.as_deref();
        let journal = journal.map(|path| Journal::create(path, &header(&play, &plan)));
        TournamentSession::new(&play, plan, journal.transpose()?, Vec::new())
    }

    fn begin_on_ledger(
        play: Play,
        address: PostgresAddress,
    ) -> Result<TournamentSession, ProgramError> {
        let openings = play.openings_file()?;
        let plan = play.plan_with(openings.as_deref())?;
        let header = header(&play, &plan);
        let mut session = TournamentSession::new(&play, plan, None, Vec::new())?;
        let args = &play.args.machines;
        let request = RunRequest {
            address,
            name: args.run.clone(),
            header,
            openings,
            plays: !args.no_play,
            allows_unequal: args.allow_unequal_machines,
            lease: args.lease,
        };
        let opened = Coordinator::open(request, &session.plan, &session.config);
        let mut coordinator = session.runtime.block_on(opened)?;
        print_stderr(&format!("run {}\n", coordinator.name()));
        if let Some(path) = &play.args.journal {
            session.continue_journal(path, &mut coordinator)?;
        }
        session.coordinator = Some(coordinator);
        Ok(session)
    }

    /// Begins the journal of a run, or goes on with it.
    fn continue_journal(
        &mut self,
        path: &Path,
        coordinator: &mut Coordinator,
    ) -> Result<(), ProgramError> {
        self.journal = Some(match Journal::open(path) {
            Err(error) if is_nothing(&error) => Journal::create(path, coordinator.header())?,
            opened => {
                let Reopened {
                    journal,
                    header,
                    records,
                    damage,
                } = opened?;
                if header != *coordinator.header() {
                    let path = path.to_owned();
                    return Err(JournalError::NotEmpty { path }.into());
                }
                warn_of(path, damage.as_ref());
                coordinator.skip(&records, &path.display().to_string())?;
                self.played = records;
                journal
            }
        });
        Ok(())
    }

    fn resume(play: Play, path: &Path) -> Result<TournamentSession, ProgramError> {
        let opened = match Journal::open(path) {
            Err(error) if is_nothing(&error) && !play.args.bots.is_empty() => None,
            opened => Some(opened?),
        };
        let Some(Reopened {
            journal,
            header: begun,
            records,
            damage,
        }) = opened
        else {
            let path_text = path.display();
            print_stderr(&format!(
                "warning: nothing is in {path_text} yet: beginning anew\n"
            ));
            let plan = play.plan()?;
            let journal = Journal::create(path, &header(&play, &plan))?;
            return TournamentSession::new(&play, plan, Some(journal), Vec::new());
        };
        warn_of(path, damage.as_ref());
        let is_silent = play.args.bots.is_empty();
        let play = if is_silent {
            check_silent(&play)?;
            remembered(play, path, &begun)?
        } else {
            play
        };
        let plan = play.plan()?;
        let settings = JournalSettings::of(&plan);
        let mut journal = journal;
        if settings.extends(&begun.settings) {
            journal.extend(&match is_silent {
                true => Header { settings, ..begun },
                false => header(&play, &plan),
            })?;
        } else if let Some(difference) = settings.difference(&begun.settings) {
            let path = path.display();
            let message = format!("{path} is the journal of another tournament: {difference}");
            return Err(play.error(ErrorKind::ArgumentConflict, &message).into());
        }
        TournamentSession::new(&play, plan, Some(journal), records)
    }

    fn new(
        play: &Play,
        plan: TournamentPlan,
        journal: Option<Journal>,
        played: Vec<PairRecord>,
    ) -> Result<TournamentSession, ProgramError> {
        let program = std::env::current_exe().map_err(ProgramError::System)?;
        Ok(TournamentSession {
            plan: Arc::new(plan),
            config: Arc::new(play.args.config(program)),
            journal,
            played,
            runtime: runtime()?,
            coordinator: None,
        })
    }

    /// Plays what is still to be played, and puts all of it on record. As long as the second part
    /// of what is returned lives, another signal ends the program at once.
    pub(super) fn play(self) -> Result<(TournamentRecord, Runtime), ProgramError> {
        let TournamentSession {
            plan,
            config,
            runtime,
            ..
        } = self;
        let tournament = Tournament {
            plan: Arc::clone(&plan),
            config: Arc::clone(&config),
            journal: self.journal,
            played: self.played,
        };
        let (began, clock) = (SystemTime::now(), Instant::now());
        let mut progress = TournamentProgress::on_stderr(plan.participants.len());
        // On this thread, which is held up while the journal is written; the workers have others.
        let played = match self.coordinator {
            None => runtime.block_on(tournament.play(&mut progress)),
            Some(coordinator) => runtime.block_on(tournament.play_on(coordinator, &mut progress)),
        };
        drop(progress);
        runtime.spawn(async {
            if let Ok(mut signals) = Signals::with_hangup() {
                std::process::exit(signals.next().await.exit_code().into());
            }
        });
        let outcome = TournamentResults {
            played: played?,
            began,
            took: clock.elapsed(),
        };
        let record = TournamentRecord::new(&plan, &config, Machine::this(), outcome);
        Ok((record.map_err(TournamentError::from)?, runtime))
    }
}

/// What runs the tasks of a tournament, but for its schedule.
pub(super) fn runtime() -> Result<Runtime, ProgramError> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .map_err(ProgramError::System)
}

/// A command of this name with nothing else.
fn plain(name: &str) -> Result<Option<Play>, ProgramError> {
    Ok(Cli::try_parse_from(["checkers-bot-test", name])?
        .command
        .play())
}

/// Makes sure that nothing is said about games that the journal decides, but for their number.
fn check_silent(play: &Play) -> Result<(), ProgramError> {
    let is_untouched = plain(play.name)?.is_some_and(|plain| {
        plain
            .format
            .as_long_as(&play.format)
            .as_ref()
            .unwrap_or(&plain.format)
            == &play.format
            && plain.more_openings == play.more_openings
            && plain.args.asks_for_the_same_games(&play.args)
    });
    if is_untouched {
        return Ok(());
    }
    let message = "the journal has the bots and all that decides their games; to be sure that it \
                   is the right one, give the whole command again with --resume";
    Err(play.error(ErrorKind::ArgumentConflict, message).into())
}

/// The command that a journal was begun with, and what is said now about how to go on.
fn remembered(now: Play, path: &Path, header: &Header) -> Result<Play, ProgramError> {
    let words = ["checkers-bot-test".to_owned()].into_iter();
    let cli = Cli::try_parse_from(words.chain(header.arguments.iter().cloned()))?;
    let Some(began) = cli.command.play().filter(|began| began.name == now.name) else {
        let (path, format) = (path.display(), header.settings.format.name());
        let message = format!("{path} is the journal of another format: {format}");
        return Err(now.error(ErrorKind::ArgumentConflict, &message).into());
    };
    let recorded = &header.settings.format;
    let is_longer = plain(now.name)?.is_some_and(|plain| plain.format != now.format);
    let longer = recorded.as_long_as(&now.format).filter(|_| is_longer);
    if longer.is_some() && began.args.no_swap {
        let message = "to extend games without swapped sides, give the whole command again";
        return Err(now.error(ErrorKind::ArgumentConflict, message).into());
    }
    Ok(Play {
        format: longer.unwrap_or_else(|| recorded.clone()),
        args: began.args.conducted_as(now.args),
        ..began
    })
}

/// Whether a journal has not been begun: a run may be killed before it is.
fn is_nothing(error: &JournalError) -> bool {
    match error {
        JournalError::NoHeader { .. } => true,
        JournalError::Io { source, .. } => source.kind() == io::ErrorKind::NotFound,
        _ => false,
    }
}

fn header(play: &Play, plan: &TournamentPlan) -> Header {
    let words = std::env::args_os().skip(1);
    let words = words.map(|word| word.to_string_lossy().into_owned());
    let is_anywhere = play.args.reproducible || play.args.machines.ledger.is_some();
    let words = words.collect();
    let arguments = match is_anywhere {
        true => words_of_games(words),
        false => words,
    };
    Header::new(plan, arguments)
}

fn warn_of(path: &Path, damage: Option<&JournalDamage>) {
    if let Some(damage) = damage {
        let path = path.display();
        print_stderr(&format!(
            "warning: the end of {path} was damaged and is cut off: {damage}\n"
        ));
    }
}
