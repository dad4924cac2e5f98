//! The workers of a tournament, and the queues to and from them.

use std::sync::Arc;

use futures::future::join_all;
use tokio::sync::mpsc;

use crate::in_process::{InProcessHandle, WorkerError};
use crate::network::NetworkHandle;
use crate::queues::{Jobs, Reports, WorkerReport, jobs, reports};
use crate::{Pairing, RunConfig, TournamentPlan};

/// Workers that play what is put into their queue.
pub(crate) struct WorkerPool {
    pub(crate) jobs: mpsc::Sender<Pairing>,
    pub(crate) reports: mpsc::Receiver<WorkerReport>,
    workers: Vec<WorkerHandle>,
}

enum WorkerHandle {
    Network(NetworkHandle),
    InProcess(InProcessHandle),
}

impl WorkerPool {
    /// Starts as many workers as the configuration says. At most `waiting` pairings wait for them.
    pub(crate) fn open(
        plan: &Arc<TournamentPlan>,
        config: &Arc<RunConfig>,
        waiting: usize,
    ) -> Result<WorkerPool, WorkerError> {
        let (jobs_sender, jobs) = jobs(waiting);
        let (reports_sender, reports) = reports();
        let mut workers = Vec::with_capacity(config.concurrency);
        for _ in 0..config.concurrency {
            let (jobs, reports) = (jobs.clone(), reports_sender.clone());
            workers.push(WorkerHandle::start(plan, config, jobs, reports)?);
        }
        Ok(WorkerPool {
            jobs: jobs_sender,
            reports,
            workers,
        })
    }

    /// Ends every worker, in the midst of a game if need be.
    pub(crate) async fn close(mut self) {
        // What still arrives is discarded: a worker must not block on a full queue.
        self.reports.close();
        drop(self.jobs);
        join_all(self.workers.into_iter().map(WorkerHandle::stop)).await;
    }
}

impl WorkerHandle {
    async fn stop(self) {
        match self {
            WorkerHandle::Network(worker) => worker.stop().await,
            WorkerHandle::InProcess(worker) => worker.stop(),
        }
    }

    fn start(
        plan: &Arc<TournamentPlan>,
        config: &Arc<RunConfig>,
        jobs: Jobs,
        reports: Reports,
    ) -> Result<WorkerHandle, WorkerError> {
        let plan = Arc::clone(plan);
        if !plan.in_process {
            let config = Arc::clone(config);
            return Ok(WorkerHandle::Network(NetworkHandle::start(
                plan, config, jobs, reports,
            )));
        }
        let worker = InProcessHandle::start(plan, config, jobs, reports)?;
        Ok(WorkerHandle::InProcess(worker))
    }
}
