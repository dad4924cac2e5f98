//! Work that processes on several machines share through a ledger.
//!
//! All processes are given the same command. Each adds the tasks of the work to the ledger unless they are there, does
//! those that it claims, and takes the results of all tasks from the ledger, in their order.

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, mpsc};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use checkers_engine::Stop;
use ledger_kit::tasks::{self, Numbered};
use ledger_kit::{Database, LedgerError, NewRun, Pauses, RunState, Worker, WorkerEntry, runs};
use postgres_kit::PostgresAddress;
use tokio::time::{sleep, timeout};

use crate::failure::{LabFailure, talk};

/// How many tasks one statement adds, and how many results one reads.
const ADDED: u64 = 1024;
const READ: usize = 16;

/// Between looks at the ledger.
const SHORTEST_PAUSE: Duration = Duration::from_millis(20);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);
/// Between looks at the flag that a signal sets.
const STOP_PAUSE: Duration = Duration::from_millis(50);
/// Between lines about the work of this process.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// How work is shared with other processes.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Several machines")]
pub(crate) struct LedgerArgs {
    /// Share the work with all processes that are given the same command, on any machines, through a database of
    /// PostgreSQL, postgres://USER:PASSWORD@HOST/DATABASE; an address with a password is better given as the
    /// environment variable
    #[arg(
        long,
        env = "CHECKERS_LEDGER",
        hide_env_values = true,
        value_name = "URL",
        value_parser = ledger_kit::parse_address
    )]
    ledger: Option<PostgresAddress>,

    /// The name of the work in the ledger [default: what it is and some digits, which follow from the command]
    #[arg(long, value_name = "NAME", value_parser = ledger_kit::parse_name, requires = "ledger")]
    run: Option<String>,

    /// After this time without a sign of life, the work of this process is given to others
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = ledger_kit::parse_lease)]
    lease: Duration,
}

/// Work in tasks, which have numbers from 0 on.
pub(crate) struct Work {
    /// What it is; also the beginning of its name.
    pub(crate) kind: &'static str,
    /// What was asked for, and names the work.
    pub(crate) command: String,
    /// What the results depend on besides the program; the same on all machines.
    pub(crate) settings: String,
    /// How many tasks it has.
    pub(crate) tasks: u64,
}

/// Takes the results of tasks in their order.
pub(crate) type Deliver<'a> = dyn FnMut(u64, &str) -> Result<(), LabFailure> + 'a;

/// What a thread makes of a task; nothing if it was stopped.
type Done = Option<Result<String, LabFailure>>;

impl LedgerArgs {
    /// The ledger, if there is one.
    pub(crate) fn ledger(&self) -> Option<&PostgresAddress> {
        self.ledger.as_ref()
    }

    /// Does tasks of the work on `threads` threads, each with what `make` makes, until all tasks have results. If it is
    /// stopped or fails, others do the tasks that it has begun.
    ///
    /// # Errors
    /// A ledger that cannot be used, what a task or `deliver` fails with, and [`LabFailure::Paused`].
    pub(crate) fn share<M, D>(
        &self,
        ledger: &PostgresAddress,
        work: &Work,
        threads: usize,
        stop: &Stop,
        make: M,
        deliver: Option<&mut Deliver<'_>>,
    ) -> Result<(), LabFailure>
    where
        M: Fn() -> D + Send + Sync + 'static,
        D: FnMut(u64) -> Done + 'static,
    {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(LabFailure::System)?;
        runtime.block_on(async {
            let mut worker = tokio::select! {
                worker = self.enter(ledger, work) => worker?,
                () = stopped(stop) => return Err(LabFailure::Paused),
            };
            let pool = TaskPool::start(threads, make).map_err(LabFailure::System)?;
            let mut exchange = Exchange {
                from: 0,
                done: 0,
                last_line: Instant::now(),
                tasks: work.tasks,
                threads,
                pool,
                deliver,
            };
            let mut lease = worker.lease();
            let lease_lost = async {
                loop {
                    // A complete run may be extended while results are left to deliver.
                    if let Err(error) = lease.renew().await {
                        return LabFailure::from(error);
                    }
                }
            };
            let ended = tokio::select! {
                ended = exchange.run(&mut worker) => ended,
                failure = lease_lost => Err(failure),
                () = stopped(stop) => Err(LabFailure::Paused),
            };
            talk(&format!("{} tasks were done here", exchange.done));
            worker.leave().await;
            if stop.is_set() {
                Err(LabFailure::Paused)
            } else {
                ended
            }
        })
    }

    /// Begins the work or finds it, and becomes a worker of it.
    async fn enter(&self, ledger: &PostgresAddress, work: &Work) -> Result<Worker, LabFailure> {
        let connector = ledger_kit::connector(ledger.clone(), env!("CARGO_PKG_NAME"))?;
        let mut database = Database::open(connector.clone()).await?;
        database.migrate().await?;
        let name = self.run.clone().unwrap_or_else(|| work.default_name());
        let program = format!("{} {}", env!("CARGO_PKG_NAME"), cli_kit::VERSION);
        let new = NewRun {
            kind: work.kind,
            name: &name,
            header: &work.settings,
            terms: &program,
            openings: None,
            allows_unequal: false,
        };
        runs::begin(&mut database, new).await?;
        let run = runs::named(&mut database, work.kind, &name).await?;
        for (recorded, found) in [(&run.terms, &program), (&run.header, &work.settings)] {
            if recorded != found {
                let (run, recorded, found) = (name, recorded.clone(), found.clone());
                return Err(LedgerError::Terms {
                    run,
                    recorded,
                    found,
                }
                .into());
            }
        }
        talk(&format!("run {name}"));
        for first in (0..work.tasks).step_by(ADDED as usize) {
            let numbers = first..work.tasks.min(first + ADDED);
            let tasks: Vec<Numbered> = numbers.map(|number| (number, String::new())).collect();
            tasks::add(&mut database, &run, &tasks).await?;
        }
        runs::go_on(&mut database, run.id, false).await?;
        runs::settle(&mut database, run.id).await?;
        if runs::state(&mut database, run.id).await? == Some(RunState::Complete) {
            talk("it was complete before; with another name, --run NAME, it is done again");
        }
        let entry = WorkerEntry {
            machine: "",
            speed: None,
            lease: self.lease,
        };
        Ok(Worker::enter(connector, run, entry).await?)
    }
}

impl Work {
    /// What it is and a checksum of the command, so that the same command finds the same work.
    fn default_name(&self) -> String {
        let sum = crc32fast::hash(self.command.as_bytes());
        format!("{}-{sum:08x}", self.kind)
    }
}

/// The failure of a result that cannot be read.
pub(crate) fn damaged(kind: &str, number: u64) -> LabFailure {
    LabFailure::Reported(format!(
        "the ledger has a result of task {number} that is not one of {kind}"
    ))
}

/// The name of a file without its directory, which may differ from machine to machine.
pub(crate) fn file_name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// Threads that do tasks. They end with the process: a task may take long, and cannot always be stopped.
struct TaskPool {
    threads: Vec<JoinHandle<()>>,
    jobs: mpsc::Sender<u64>,
    reports: tokio::sync::mpsc::Receiver<(u64, Result<String, LabFailure>)>,
}

impl TaskPool {
    fn start<M, D>(threads: usize, make: M) -> io::Result<TaskPool>
    where
        M: Fn() -> D + Send + Sync + 'static,
        D: FnMut(u64) -> Done + 'static,
    {
        let (jobs, queue) = mpsc::channel();
        let (sender, reports) = tokio::sync::mpsc::channel(threads);
        let (make, queue) = (Arc::new(make), Arc::new(Mutex::new(queue)));
        let start = |_| {
            let (make, queue, sender) = (Arc::clone(&make), Arc::clone(&queue), sender.clone());
            thread::Builder::new().spawn(move || {
                let mut work = make();
                while let Some(number) = next(&queue)
                    && let Some(done) = work(number)
                    && sender.blocking_send((number, done)).is_ok()
                {}
            })
        };
        Ok(TaskPool {
            threads: (0..threads).map(start).collect::<io::Result<_>>()?,
            jobs,
            reports,
        })
    }
}

fn next(queue: &Mutex<mpsc::Receiver<u64>>) -> Option<u64> {
    queue.lock().ok()?.recv().ok()
}

/// What goes to and from the ledger.
struct Exchange<'a, 'b> {
    pool: TaskPool,
    /// Who takes the results, if anyone does here.
    deliver: Option<&'a mut Deliver<'b>>,
    /// All results before this task are delivered.
    from: u64,
    tasks: u64,
    threads: usize,
    /// How many tasks were done here.
    done: usize,
    last_line: Instant,
}

impl Exchange<'_, '_> {
    async fn run(&mut self, worker: &mut Worker) -> Result<(), LabFailure> {
        let mut pauses = Pauses::new(SHORTEST_PAUSE, LONGEST_PAUSE);
        loop {
            let claimed = self.claim(worker).await?;
            self.take_results(worker).await?;
            if claimed > 0 {
                pauses.reset();
            } else if worker.held() == 0 && self.is_over(worker).await? {
                return Ok(());
            }
            if self.pool.threads.iter().any(JoinHandle::is_finished) {
                let message = "a thread has panicked; others do its task";
                return Err(LabFailure::Reported(message.to_owned()));
            }
            if let Ok(report) = timeout(pauses.next(), self.pool.reports.recv()).await {
                self.report(worker, report).await?;
                pauses.reset();
            }
        }
    }

    /// Claims a task for each thread that has none.
    async fn claim(&self, worker: &mut Worker) -> Result<usize, LabFailure> {
        let wanted = self.threads.saturating_sub(worker.held());
        if wanted == 0 {
            return Ok(0);
        }
        let claimed = worker.claim(wanted).await?;
        for task in claimed.iter().filter(|task| task.is_new) {
            // Threads wait for tasks as long as there are reports.
            let _ = self.pool.jobs.send(task.id);
        }
        Ok(claimed.len())
    }

    /// Reports what is done.
    async fn report(
        &mut self,
        worker: &mut Worker,
        mut report: Option<(u64, Result<String, LabFailure>)>,
    ) -> Result<(), LabFailure> {
        let mut results = Vec::new();
        while let Some((number, done)) = report {
            results.push((number, done?));
            report = self.pool.reports.try_recv().ok();
        }
        results.retain(|(number, _)| worker.has(*number));
        if !results.is_empty() {
            self.done += worker.report(&results).await?;
        }
        if self.deliver.is_none() && self.last_line.elapsed() >= BETWEEN_LINES {
            self.last_line = Instant::now();
            talk(&format!("{} tasks are done here", self.done));
        }
        Ok(())
    }

    /// Delivers the results up to the first that is missing.
    async fn take_results(&mut self, worker: &mut Worker) -> Result<(), LabFailure> {
        let Some(deliver) = &mut self.deliver else {
            return Ok(());
        };
        while self.from < self.tasks {
            let results = worker.results(self.from, READ).await?;
            let before = self.from;
            for (number, result) in results {
                if number != self.from || number >= self.tasks {
                    return Ok(());
                }
                deliver(number, &result)?;
                self.from += 1;
            }
            if self.from == before {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Whether nothing is left to do or to deliver.
    async fn is_over(&self, worker: &mut Worker) -> Result<bool, LabFailure> {
        worker.settle().await?;
        let is_complete = worker.is_over().await?;
        Ok(match self.deliver {
            Some(_) => self.from == self.tasks,
            None => is_complete,
        })
    }
}

/// Waits for the flag that a signal sets.
async fn stopped(stop: &Stop) {
    while !stop.is_set() {
        sleep(STOP_PAUSE).await;
    }
}
