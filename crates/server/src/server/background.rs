//! Tasks beside the connections: they finish deletions of accounts, rate and review finished games, and do what is due in
//! tournaments and in games by correspondence.

use std::sync::Arc;
use std::time::Duration;

use event_store::ReadError;
use tokio::task::AbortHandle;
use tokio::time::{sleep, timeout};
use tracing::warn;

use crate::correspondence_task::CorrespondenceTask;
use crate::http::HttpState;
use crate::table::Command;

/// The pause between two searches for accounts to delete, and between two passes over one of them.
const DELETION_PAUSE: Duration = Duration::from_secs(60);
const UNFINISHED_PAUSE: Duration = Duration::from_secs(2);

/// The pause between two searches for games to rate, or for what is due in tournaments.
const RATING_PAUSE: Duration = Duration::from_secs(1);

/// The pause between two searches for games by correspondence whose time is over.
const CORRESPONDENCE_PAUSE: Duration = Duration::from_secs(1);

/// Finishes deletions of accounts, including those that an earlier server started, and disconnects the players.
pub(super) fn spawn_deletions(shared: &Arc<HttpState>) -> AbortHandle {
    let shared = Arc::clone(shared);
    let task = tokio::spawn(async move {
        let Some(accounts) = shared.accounts.clone() else {
            return;
        };
        loop {
            let leaving = accounts.finish_deletions().await.unwrap_or_else(|error| {
                error.log();
                Vec::new()
            });
            for (name, _) in &leaving {
                shared.lobby.kick(name).await;
                give_up_correspondence(&shared, name).await;
            }
            if let (false, Some(ladder), Some(tournaments)) =
                (leaving.is_empty(), &shared.ladder, &shared.tournaments)
            {
                ladder.forget_standings().await;
                tournaments.forget_standings().await;
            }
            let pause = if leaving.iter().all(|(_, is_done)| *is_done) {
                DELETION_PAUSE
            } else {
                UNFINISHED_PAUSE
            };
            // Events in flight are stored before the next pass.
            let _ = timeout(pause, accounts.deletion_begun()).await;
        }
    });
    task.abort_handle()
}

/// Ends the games by correspondence of an account that is being deleted, and loses them.
async fn give_up_correspondence(shared: &HttpState, name: &str) {
    let Some(correspondence) = &shared.correspondence else {
        return;
    };
    match correspondence.of_leaving(name).await {
        Ok(games) => {
            for (table, color) in games {
                let give_up = Command::GiveUp(color);
                shared.tables.command_correspondence(&table, give_up).await;
            }
        }
        Err(error) => warn!(error = cli_kit::explain(&error), "games cannot be given up"),
    }
}

/// Rates finished games, and reviews them for the pages of their players.
pub(super) fn spawn_ratings(shared: &Arc<HttpState>) -> AbortHandle {
    let (ratings, profiles) = (shared.ratings.clone(), shared.profiles.clone());
    let task = tokio::spawn(async move {
        if let (Some(ratings), Some(profiles)) = (ratings, profiles) {
            let rating = repeat("rate games", || ratings.rate_finished());
            let reviewing = repeat("review games", || profiles.review_finished());
            tokio::join!(rating, reviewing);
        }
    });
    task.abort_handle()
}

/// Keeps up with what happens in tournaments, and draws their rounds.
pub(super) fn spawn_tournaments(shared: &Arc<HttpState>) -> AbortHandle {
    let tournaments = shared.tournaments.clone();
    let task = tokio::spawn(async move {
        if let Some(tournaments) = tournaments {
            let read = async || {
                tournaments.read_schedule().await?;
                // It is read again at once after a change.
                let _ = timeout(RATING_PAUSE, tournaments.changed()).await;
                Ok(true)
            };
            let organise = async || {
                tournaments.organise_all().await;
                Ok(false)
            };
            tokio::join!(
                repeat("read the schedule of tournaments", read),
                repeat("organise tournaments", organise)
            );
        }
    });
    task.abort_handle()
}

/// Writes where games by correspondence stand, and does what is due in them.
pub(super) fn spawn_correspondence(shared: &Arc<HttpState>) -> AbortHandle {
    let (correspondence, push) = (shared.correspondence.clone(), shared.push.clone());
    let shards = shared.tables.clone();
    let task = tokio::spawn(async move {
        let (Some(correspondence), Some(push)) = (correspondence, push) else {
            return;
        };
        let mut task = CorrespondenceTask::new(Arc::clone(&correspondence), push, shards);
        loop {
            match task.step().await {
                Ok(true) => {}
                Ok(false) => {
                    let _ = timeout(CORRESPONDENCE_PAUSE, correspondence.noted_something()).await;
                }
                Err(error) => {
                    let error = cli_kit::explain(&error);
                    warn!(error, "cannot continue games by correspondence");
                    sleep(CORRESPONDENCE_PAUSE).await;
                }
            }
        }
    });
    task.abort_handle()
}

/// Repeats a pass, with a pause when nothing is left to do.
async fn repeat<F>(task: &str, pass: impl Fn() -> F)
where
    F: Future<Output = Result<bool, ReadError>>,
{
    loop {
        match pass().await {
            Ok(true) => {}
            Ok(false) => sleep(RATING_PAUSE).await,
            Err(error) => {
                warn!(error = cli_kit::explain(&error), "cannot {task}");
                sleep(RATING_PAUSE).await;
            }
        }
    }
}
