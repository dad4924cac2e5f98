//! The process that keeps the schedule of a run.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use ledger_kit::{Database, LedgerError, LedgerRun, NewRun, RunState, runs};
use postgres_kit::PostgresAddress;
use sha2::{Digest, Sha256};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::sleep;

use super::error::LedgerFailure;
use super::runs::{KIND, TournamentRun};
use super::terms::Terms;
use super::worker::{Member, WorkError};
use super::{connector, tasks};
use crate::hexadecimal::hexadecimal;
use crate::journal::Header;
use crate::queues::WorkerReport;
use crate::{Failure, PairRecord, Pairing, RunConfig, TournamentPlan};

/// The most unfinished pairings in the ledger.
const WINDOW: usize = 8192;

/// How many reports may wait for the schedule.
const REPORTS: usize = 256;

/// The pauses between looks for new results. They are short while results arrive.
const SHORTEST_PAUSE: Duration = Duration::from_millis(20);
const LONGEST_PAUSE: Duration = Duration::from_millis(500);

/// The tournament to begin or to continue.
#[derive(Debug)]
pub(crate) struct RunRequest {
    /// The ledger.
    pub(crate) address: PostgresAddress,
    /// The name of the run; by default derived from the settings.
    pub(crate) name: Option<String>,
    /// What is played.
    pub(crate) header: Header,
    /// The file of openings, if there is one.
    pub(crate) openings: Option<String>,
    /// Whether this process plays as well.
    pub(crate) plays: bool,
    /// Whether machines of different speeds may play with limits of time.
    pub(crate) allows_unequal: bool,
    /// After how long without a renewal others may claim the pairings of this process.
    pub(crate) lease: Duration,
}

/// A run whose coordinator is this process.
pub(crate) struct Coordinator {
    database: Database,
    run: TournamentRun,
    /// The results so far that are not in the journal.
    results: Vec<PairRecord>,
    /// The pairings with a result.
    known: BTreeSet<u64>,
    /// The worker of this process.
    member: Option<Member>,
}

/// How the work of a coordinator ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum RunEnd {
    /// Every pairing that counts is played.
    Complete {
        /// The number of pairings that count.
        counted: u64,
    },
    /// The run has failed, and workers must stop.
    Stopped {
        /// Why.
        reason: String,
    },
    /// Workers go on, and a coordinator may continue the run later.
    Interrupted,
}

impl Coordinator {
    /// Begins a run or continues it.
    ///
    /// # Errors
    /// The ledger cannot be used, the run is another tournament or belongs to another version of the program, another
    /// process coordinates it, or this machine is too fast or too slow for it.
    pub(crate) async fn open(
        request: RunRequest,
        plan: &Arc<TournamentPlan>,
        config: &Arc<RunConfig>,
    ) -> Result<Coordinator, WorkError> {
        let (header, terms) = (&request.header, Terms::of(plan)?);
        let name = request.name.clone();
        let name = name.unwrap_or_else(|| default_name(header, plan, config));
        let connector = connector(request.address.clone())?;
        let mut database = Database::open(connector.clone()).await?;
        database.migrate().await?;
        let allows_unequal = request.allows_unequal;
        let new = NewRun {
            kind: KIND,
            name: &name,
            header: &serde_json::to_string(header).expect("a header has a JSON form"),
            terms: &serde_json::to_string(&terms).expect("terms have a JSON form"),
            openings: request.openings.as_deref(),
            allows_unequal,
        };
        runs::begin(&mut database, new).await?;
        let run = TournamentRun::read(runs::named(&mut database, KIND, &name).await?)?;
        check(&run, header, &terms)?;
        let LedgerRun { id, name, .. } = &run.run;
        database.lock(*id, name).await?;
        runs::go_on(&mut database, *id, allows_unequal).await?;
        let run = TournamentRun::read(runs::named(&mut database, KIND, name).await?)?;
        let results = tasks::all_results(&mut database, &run.run).await?;
        let is_playing = request.plays && run.run.state != RunState::Complete;
        let member = match is_playing {
            true => {
                let run = run.run.clone();
                Some(Member::enter(connector, run, plan, config, request.lease).await?)
            }
            false => None,
        };
        Ok(Coordinator {
            database,
            run,
            known: results.iter().map(|pair| pair.pairing.id).collect(),
            results,
            member,
        })
    }

    /// The name of the run.
    pub(crate) fn name(&self) -> &str {
        &self.run.run.name
    }

    /// The first line of the run's journal.
    pub(crate) fn header(&self) -> &Header {
        &self.run.header
    }

    /// Drops the results that the journal has already.
    ///
    /// # Errors
    /// The journal has a pairing that is missing or different in the ledger.
    pub(crate) fn skip(
        &mut self,
        recorded: &[PairRecord],
        path: &str,
    ) -> Result<(), LedgerFailure> {
        let recorded = recorded.iter().map(|record| (record.pairing.id, record));
        let mut recorded: BTreeMap<u64, &PairRecord> = recorded.collect();
        self.results.retain(|pair| {
            let is_same = recorded.get(&pair.pairing.id) == Some(&pair);
            is_same.then(|| recorded.remove(&pair.pairing.id)).is_none()
        });
        match recorded.keys().next() {
            None => Ok(()),
            Some(&id) => Err(LedgerFailure::Journal {
                path: path.to_owned(),
                id,
            }),
        }
    }

    /// Takes the results so far.
    pub(crate) fn take_results(&mut self) -> Vec<PairRecord> {
        std::mem::take(&mut self.results)
    }

    /// Starts to exchange pairings and results with the ledger, and to play if this process does.
    pub(crate) fn start(self, plan: &TournamentPlan) -> LedgerPool {
        let Coordinator {
            database,
            run,
            known,
            member,
            ..
        } = self;
        let (jobs_sender, jobs) = mpsc::channel(WINDOW);
        let (reports_sender, reports) = mpsc::channel(REPORTS);
        let own = member.map(|member| OwnWorker::start(member, reports_sender.clone()));
        let exchange = Exchange {
            database,
            run: run.run,
            is_watched: !plan.in_process,
            known,
            from: 0,
            open: 0,
        };
        let (end, ended) = oneshot::channel();
        let task = tokio::spawn(exchange.run(jobs, reports_sender, ended));
        LedgerPool {
            jobs: jobs_sender,
            reports,
            own,
            end,
            task,
        }
    }
}

/// The workers of a run on all machines, and the queues to and from them.
#[derive(Debug)]
pub(crate) struct LedgerPool {
    pub(crate) jobs: mpsc::Sender<Pairing>,
    pub(crate) reports: mpsc::Receiver<WorkerReport>,
    own: Option<OwnWorker>,
    end: oneshot::Sender<RunEnd>,
    task: JoinHandle<Result<(), LedgerError>>,
}

impl LedgerPool {
    /// Records how the run ends, and stops the worker of this process. Returns what went wrong.
    pub(crate) async fn close(mut self, end: RunEnd) -> Option<Failure> {
        // The ledger has the results that still arrive.
        self.reports.close();
        // It may have ended by itself.
        let _ = self.end.send(end);
        let closed = self.task.await;
        if let Some(own) = self.own {
            own.stop().await;
        }
        match closed {
            Ok(Ok(())) | Err(_) => None,
            Ok(Err(error)) => Some(failure(&error)),
        }
    }
}

/// The worker of the coordinator's process.
#[derive(Debug)]
struct OwnWorker {
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl OwnWorker {
    fn start(mut member: Member, reports: mpsc::Sender<WorkerReport>) -> OwnWorker {
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(async move {
            // The coordinator shows the progress of all workers already.
            let mut observer = ();
            if let Err(error) = member.play(&mut observer, stopped).await {
                // The receiver may be closed; then the run has ended.
                let _ = reports.send(WorkerReport::Failed(error.into())).await;
            }
            member.leave().await;
        });
        OwnWorker { stop, task }
    }

    async fn stop(self) {
        // It may have ended by itself.
        let _ = self.stop.send(());
        let _ = self.task.await;
    }
}

/// Writes pairings to the ledger and reads their results.
struct Exchange {
    database: Database,
    run: LedgerRun,
    /// Whether to report each game as well as each pairing.
    is_watched: bool,
    /// The pairings with known results, except those before `from`.
    known: BTreeSet<u64>,
    /// All results before this pairing are known.
    from: u64,
    /// The number of pairings in the ledger without a known result.
    open: usize,
}

impl Exchange {
    async fn run(
        mut self,
        jobs: mpsc::Receiver<Pairing>,
        reports: mpsc::Sender<WorkerReport>,
        mut ended: oneshot::Receiver<RunEnd>,
    ) -> Result<(), LedgerError> {
        let end = tokio::select! {
            exchanged = self.exchange(jobs, &reports) => {
                if let Err(error) = exchanged {
                    let _ = reports.send(WorkerReport::Failed(failure(&error))).await;
                }
                (&mut ended).await
            }
            end = &mut ended => end,
        };
        let run = self.run.id;
        match end {
            Ok(RunEnd::Complete { counted }) => {
                runs::complete(&mut self.database, run, counted).await
            }
            Ok(RunEnd::Stopped { reason }) => runs::stop(&mut self.database, run, &reason).await,
            Ok(RunEnd::Interrupted) | Err(_) => Ok(()),
        }
    }

    /// Returns once the receiver of results is closed.
    async fn exchange(
        &mut self,
        mut jobs: mpsc::Receiver<Pairing>,
        reports: &mpsc::Sender<WorkerReport>,
    ) -> Result<(), LedgerError> {
        let mut pause = SHORTEST_PAUSE;
        loop {
            self.add(&mut jobs).await?;
            self.skip_known();
            let known = self.known.iter().copied();
            let results = tasks::results(&mut self.database, &self.run, self.from, known).await?;
            let (pairs, is_last) = results;
            pause = if pairs.is_empty() {
                (pause * 2).min(LONGEST_PAUSE)
            } else {
                SHORTEST_PAUSE
            };
            for pair in pairs {
                self.known.insert(pair.pairing.id);
                self.open = self.open.saturating_sub(1);
                if self.deliver(pair, reports).await.is_err() {
                    return Ok(());
                }
            }
            if is_last {
                sleep(pause).await;
            }
        }
    }

    /// Adds the queued pairings for which the window has room.
    async fn add(&mut self, jobs: &mut mpsc::Receiver<Pairing>) -> Result<(), LedgerError> {
        let mut added = Vec::new();
        while self.open + added.len() < WINDOW
            && let Ok(pairing) = jobs.try_recv()
        {
            added.push(pairing);
        }
        if !added.is_empty() {
            self.open += added.len();
            tasks::add(&mut self.database, &self.run, &added).await?;
        }
        Ok(())
    }

    fn skip_known(&mut self) {
        while self.known.remove(&self.from) {
            self.from += 1;
        }
    }

    async fn deliver(
        &self,
        pair: PairRecord,
        reports: &mpsc::Sender<WorkerReport>,
    ) -> Result<(), mpsc::error::SendError<WorkerReport>> {
        if self.is_watched {
            for game in &pair.games {
                let over = WorkerReport::Over(Box::new(game.clone()));
                reports.send(over).await?;
            }
        }
        reports.send(WorkerReport::Done(pair)).await
    }
}

/// Checks that a run has the settings, the terms and the recording options of this command.
fn check(run: &TournamentRun, header: &Header, terms: &Terms) -> Result<(), LedgerFailure> {
    let name = &run.run.name;
    terms.check(&run.terms, name)?;
    if let Some(difference) = header.settings.difference(&run.header.settings) {
        let run = name.clone();
        return Err(LedgerFailure::Settings { run, difference });
    }
    let options = |header: &Header| {
        let given = ["--reproducible", "--pv"];
        given.map(|option| header.arguments.iter().any(|word| word == option))
    };
    if options(header) != options(&run.header) {
        let shown = |header: &Header| format!("the command {}", header.arguments.join(" "));
        let error = LedgerError::Terms {
            run: name.clone(),
            recorded: shown(&run.header),
            found: shown(header),
        };
        return Err(error.into());
    }
    Ok(())
}

/// The format and a digest of the settings, so that the same command continues the same run.
fn default_name(header: &Header, plan: &TournamentPlan, config: &RunConfig) -> String {
    let settings = serde_json::to_string(&header.settings).expect("settings have a JSON form");
    let digest = Sha256::digest(format!(
        "{settings} {} {}",
        plan.keep_lines, config.reproducible
    ));
    let digits = hexadecimal(&digest);
    format!("{}-{}", header.settings.format.name(), &digits[..8])
}

fn failure(error: &LedgerError) -> Failure {
    let message = cli_kit::explain(error);
    Failure::Ledger { message }
}
