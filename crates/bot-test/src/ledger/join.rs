//! How a process finds a run and becomes a worker of it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Parser;
use ledger_kit::{Database, LedgerError, LedgerRun, Pauses, RunState, runs};
use postgres_kit::PostgresAddress;
use tokio::time::sleep;

use super::connector;
use super::runs::{KIND, TournamentRun};
use super::terms::Terms;
use super::worker::{Member, WorkError};
use crate::cli::{Cli, PlanError};
use crate::journal::JournalSettings;
use crate::stderr::print_stderr;
use crate::{RunConfig, TournamentPlan};

/// Between looks for a run while there is none.
const SHORTEST_RUN_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_RUN_PAUSE: Duration = Duration::from_secs(2);

/// What a worker is to do.
#[derive(Debug)]
pub(crate) struct WorkRequest {
    /// The ledger.
    pub(crate) address: PostgresAddress,
    /// The name or number of the run; by default the only open one, for which it waits.
    pub(crate) run: Option<String>,
    /// How many pairings to play at the same time; by default as many as the machine has cores.
    pub(crate) concurrency: Option<usize>,
    /// How long pairings belong to a worker that is silent.
    pub(crate) lease: Duration,
    /// This program, which is started again as each server and bot.
    pub(crate) program: PathBuf,
}

/// Finds a run, or waits for one, and becomes a worker of it.
///
/// # Errors
/// A ledger or a run that cannot be used, and a machine that plays other games.
pub(crate) async fn join(request: WorkRequest) -> Result<Member, WorkError> {
    let connector = connector(request.address)?;
    let mut database = Database::open(connector.clone()).await?;
    let run = find(&mut database, request.run.as_deref()).await?;
    if let RunState::Stopped(reason) = run.state {
        let run = run.name;
        return Err(LedgerError::Stopped { run, reason }.into());
    }
    // Before its command is read, which another version may understand otherwise.
    let run = TournamentRun::read(run)?;
    Terms::check_program(&run.terms, &run.run.name)?;
    let (plan, mut config) = plan(&run, request.program)?;
    if let Some(concurrency) = request.concurrency {
        config.concurrency = concurrency;
    }
    Terms::of(&plan)?.check(&run.terms, &run.run.name)?;
    let (plan, config) = (Arc::new(plan), Arc::new(config));
    Member::enter(connector, run.run, &plan, &config, request.lease).await
}

async fn find(database: &mut Database, name: Option<&str>) -> Result<LedgerRun, LedgerError> {
    if let Some(name) = name {
        if !database.has_tables().await? {
            let (address, run) = (database.address().clone(), name.to_owned());
            return Err(LedgerError::NoRun { address, run });
        }
        return runs::named(database, KIND, name).await;
    }
    let mut pauses = Pauses::new(SHORTEST_RUN_PAUSE, LONGEST_RUN_PAUSE);
    let mut is_waiting = false;
    loop {
        let has_tables = database.has_tables().await?;
        if has_tables && let Some(run) = runs::only_open(database, KIND).await? {
            return Ok(run);
        }
        if !is_waiting {
            is_waiting = true;
            print_stderr(&format!("waiting for a run in {}\n", database.address()));
        }
        sleep(pauses.next()).await;
    }
}

/// What the command that began a run means on this machine.
fn plan(run: &TournamentRun, program: PathBuf) -> Result<(TournamentPlan, RunConfig), WorkError> {
    let failed = |message: String| WorkError::Command {
        run: run.run.name.clone(),
        message,
    };
    let words = ["checkers-bot-test".to_owned()].into_iter();
    let cli = Cli::try_parse_from(words.chain(run.header.arguments.iter().cloned()));
    let cli = cli.map_err(|error| failed(error.to_string()))?;
    let play = cli.command.play();
    let play = play.ok_or_else(|| failed("it plays nothing".to_owned()))?;
    let plan = play.plan_with(run.run.openings.as_deref());
    let plan = plan.map_err(|error: PlanError| failed(error.to_string()))?;
    match JournalSettings::of(&plan).difference(&run.header.settings) {
        None => Ok((plan, play.args.config(program))),
        Some(difference) => {
            let error = LedgerError::Terms {
                run: run.run.name.clone(),
                recorded: difference.recorded,
                found: difference.asked,
            };
            Err(error.into())
        }
    }
}
