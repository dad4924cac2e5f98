//! The way of the writer's answers to those who wait for them.
//!
//! To wake a task from a thread that is none of the runtime's takes a lock that all its threads share,
//! and often wakes one of them too. So the answers of a commit go to the runtime as one, or as few as
//! it has threads, and tasks there hand them out. Who wants to be [called](OnAppended) is called from
//! there: what follows from a commit is done in one go, with no task woken for each of its events.

use std::mem;
use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::sync::{mpsc, oneshot};
use tokio::task::yield_now;

use super::error::WriteError;
use super::event::Seq;
use super::log::{BatchOutcome, OnAppended};

type Outcome = Result<Seq, WriteError>;

/// Whoever waits for an outcome.
#[derive(Debug)]
pub(super) enum Answer {
    Receipt(oneshot::Sender<Outcome>),
    Call(Call),
    Batch(oneshot::Sender<BatchOutcome>),
}

impl Answer {
    /// Sends the outcome of a job. The receiver may be gone, and does not need it then.
    pub(super) fn send(self, outcome: BatchOutcome) {
        match self {
            Answer::Receipt(receipt) => _ = receipt.send(single(outcome)),
            Answer::Call(call) => call.make(single(outcome)),
            Answer::Batch(receipt) => _ = receipt.send(outcome),
        }
    }
}

/// The outcome of a job with one append.
fn single(outcome: BatchOutcome) -> Outcome {
    outcome.and_then(|mut outcomes| outcomes.pop().unwrap_or(Err(WriteError::Stopped)))
}

/// Somebody who is to be called. Whoever waits for a call gets one.
#[derive(Debug)]
pub(super) struct Call(Option<Arc<dyn OnAppended>>);

impl Call {
    pub(super) fn to(whom: Arc<dyn OnAppended>) -> Call {
        Call(Some(whom))
    }

    fn make(mut self, outcome: Outcome) {
        if let Some(whom) = self.0.take() {
            whom.appended(outcome);
        }
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        if let Some(whom) = self.0.take() {
            whom.appended(Err(WriteError::Stopped));
        }
    }
}

/// Commits whose answers may wait to be handed out. Those of more are handed out by the writer.
const COMMITS: usize = 64;

/// Answers that are handed out before those who got them have their turn.
const AT_ONCE: usize = 64;

type Answered = Vec<(Answer, BatchOutcome)>;

/// The writer's end.
#[derive(Debug)]
pub(super) struct Answers {
    /// One for each thread of the runtime, which share what is much. Where no runtime is, the writer
    /// hands out itself.
    desks: Vec<mpsc::Sender<Answered>>,
    /// Whose turn it is.
    next: usize,
}

impl Answers {
    /// The way to those who wait on the present runtime, if there is one.
    pub(super) fn new() -> Answers {
        let desk = |runtime: &Handle| {
            let (desk, commits) = mpsc::channel(COMMITS);
            runtime.spawn(hand_out_all(commits));
            desk
        };
        let runtime = Handle::try_current().ok();
        let desks = runtime.iter().flat_map(|runtime| {
            let threads = runtime.metrics().num_workers();
            (0..threads).map(|_| desk(runtime))
        });
        Answers {
            desks: desks.collect(),
            next: 0,
        }
    }

    /// Hands the answers of a commit out; those of batches, which are few, at once.
    pub(super) fn send(&mut self, answered: Answered) {
        let is_batch = |(answer, _): &(Answer, BatchOutcome)| matches!(answer, Answer::Batch(_));
        let (batches, mut answered): (Answered, Answered) =
            answered.into_iter().partition(is_batch);
        batches.into_iter().for_each(hand_out);
        let share = answered.len().div_ceil(self.desks.len().max(1));
        let share = share.max(AT_ONCE);
        while !answered.is_empty() {
            let others = answered.split_off(share.min(answered.len()));
            self.hand_over(mem::replace(&mut answered, others));
        }
    }

    fn hand_over(&mut self, answered: Answered) {
        self.next = (self.next + 1) % self.desks.len().max(1);
        let left = match self.desks.get(self.next) {
            Some(desk) => desk
                .try_send(answered)
                .err()
                .map(|error| error.into_inner()),
            None => Some(answered),
        };
        left.into_iter().flatten().for_each(hand_out);
    }
}

async fn hand_out_all(mut commits: mpsc::Receiver<Answered>) {
    while let Some(answered) = commits.recv().await {
        for (number, answer) in (1..).zip(answered) {
            hand_out(answer);
            if number % AT_ONCE == 0 {
                yield_now().await;
            }
        }
    }
}

fn hand_out((answer, outcome): (Answer, BatchOutcome)) {
    answer.send(outcome);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commit(count: u32) -> (Answered, Vec<oneshot::Receiver<Outcome>>) {
        let answer = |number| {
            let (answer, receipt) = oneshot::channel();
            (
                (Answer::Receipt(answer), Ok(vec![Ok(Seq(number))])),
                receipt,
            )
        };
        (1..=count).map(answer).unzip()
    }

    #[tokio::test]
    async fn every_answer_is_handed_out_on_the_runtime() {
        let mut answers = Answers::new();
        let (answered, receipts) = commit(200);
        answers.send(answered);
        drop(answers);
        for (number, receipt) in (1..).zip(receipts) {
            assert_eq!(receipt.await.unwrap().unwrap(), Seq(number));
        }
    }

    #[test]
    fn every_answer_is_handed_out_without_one() {
        let (answered, receipts) = commit(3);
        Answers::new().send(answered);
        for (number, mut receipt) in (1..).zip(receipts) {
            assert_eq!(receipt.try_recv().unwrap().unwrap(), Seq(number));
        }
    }

    #[test]
    fn none_is_lost_with_the_runtime() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        let mut answers = runtime.block_on(async { Answers::new() });
        drop(runtime);
        let (answered, receipts) = commit(3);
        answers.send(answered);
        for mut receipt in receipts {
            assert!(receipt.try_recv().unwrap().is_ok());
        }
    }
}
