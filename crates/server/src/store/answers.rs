//! The way of the writer's answers to those who wait for them.
//!
//! To wake a task from a thread that is none of the runtime's takes a lock that all its threads share,
//! and often wakes one of them too. So the answers of a commit go to the runtime as one, and a task
//! there hands them out.

use tokio::runtime::Handle;
use tokio::sync::{mpsc, oneshot};
use tokio::task::yield_now;

use super::ledger::Outcome;

/// Whoever waits for an outcome.
pub(super) type Answer = oneshot::Sender<Outcome>;

/// Commits whose answers may wait to be handed out. Those of more are handed out by the writer.
const COMMITS: usize = 64;

/// Answers that are handed out before those who got them have their turn.
const AT_ONCE: usize = 64;

type Answered = Vec<(Answer, Outcome)>;

/// The writer's end.
#[derive(Debug)]
pub(super) struct Answers {
    /// `None` where no runtime is: then the writer hands them out.
    desk: Option<mpsc::Sender<Answered>>,
}

impl Answers {
    /// The way to those who wait on the present runtime, if there is one.
    pub(super) fn new() -> Answers {
        let Ok(runtime) = Handle::try_current() else {
            return Answers { desk: None };
        };
        let (desk, commits) = mpsc::channel(COMMITS);
        runtime.spawn(hand_out_all(commits));
        Answers { desk: Some(desk) }
    }

    /// Hands the answers of a commit out.
    pub(super) fn send(&self, answered: Answered) {
        let left = match &self.desk {
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

fn hand_out((answer, outcome): (Answer, Outcome)) {
    // Whoever does not wait any more does not want to know.
    let _ = answer.send(outcome);
}

#[cfg(test)]
mod tests {
    use super::super::event::Seq;
    use super::*;

    fn commit(count: u32) -> (Answered, Vec<oneshot::Receiver<Outcome>>) {
        let answer = |number| {
            let (answer, receipt) = oneshot::channel();
            ((answer, Ok(Seq(number))), receipt)
        };
        (1..=count).map(answer).unzip()
    }

    #[tokio::test]
    async fn every_answer_is_handed_out_on_the_runtime() {
        let answers = Answers::new();
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
        let answers = runtime.block_on(async { Answers::new() });
        drop(runtime);
        let (answered, receipts) = commit(3);
        answers.send(answered);
        for mut receipt in receipts {
            assert!(receipt.try_recv().unwrap().is_ok());
        }
    }
}
