//! What is to be done now: games whose time is over, rows that are older than the log, accepted challenges whose game has
//! not begun, and moves that players have left.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use event_store::ReadError;
use futures::future::join_all;
use tokio::time::timeout;
use tracing::warn;

use crate::correspondence::{Challenge, Correspondence, table_of};
use crate::push::{Push, TurnNotice};
use crate::shard::Shards;
use crate::table::{ClientId, Command, game_id};

/// The pause between two searches for moves that were left and not played: a command may be lost.
const ANSWERS_PAUSE: Duration = Duration::from_secs(5);

/// The pauses before a game is loaded again that was overdue and did not end.
const FIRST_RETRY: Duration = Duration::from_secs(1);
const LAST_RETRY: Duration = Duration::from_secs(60);

/// How long a shard has to begin a game. Without an owner it does not answer.
const BEGIN_TIMEOUT: Duration = Duration::from_secs(5);

/// What becomes due in games that are not in memory.
#[derive(Debug)]
pub(crate) struct CorrespondenceTask {
    correspondence: Arc<Correspondence>,
    push: Arc<Push>,
    shards: Shards,
    /// The version of the routes when rows were last compared with the log.
    compared: Option<u64>,
    /// When moves were last looked for that were left and not played.
    answered: Option<Instant>,
    /// Overdue games that were loaded.
    overdue: HashMap<String, Retry>,
}

/// When to load a game again.
#[derive(Clone, Copy, Debug)]
struct Retry {
    at: Instant,
    /// Until then from the last time.
    pause: Duration,
}

impl CorrespondenceTask {
    pub(crate) fn new(
        correspondence: Arc<Correspondence>,
        push: Arc<Push>,
        shards: Shards,
    ) -> CorrespondenceTask {
        CorrespondenceTask {
            correspondence,
            push,
            shards,
            compared: None,
            answered: None,
            overdue: HashMap::new(),
        }
    }

    /// Does what is due. Returns whether there may be more.
    ///
    /// # Errors
    /// The first failure. It does not keep the rest from being done.
    pub(crate) async fn step(&mut self) -> Result<bool, ReadError> {
        let is_more = self.write().await;
        let compared = self.compare_with_log().await;
        let ended = self.end_overdue().await;
        let begun = self.begin_late().await;
        let answered = self.play_answers().await;
        compared.and(ended).and(begun).and(answered).and(is_more)
    }

    /// Writes what was noted, and tells the shards, which may then drop the tables.
    async fn write(&self) -> Result<bool, ReadError> {
        let written = self.correspondence.write().await?;
        for progress in &written {
            self.shards.written(&progress.table, progress.seq).await;
            let Some(running) = &progress.running else {
                continue;
            };
            let answer = play_answer(&self.correspondence, &self.shards, &progress.table);
            if answer.await == Some(false) {
                self.push.notify(TurnNotice {
                    player: running.players[running.turn],
                    game: game_id(&progress.table, 1),
                    ply: running.ply.into(),
                });
            }
        }
        Ok(!written.is_empty())
    }

    /// Loads the games of new shards whose rows are older than the log, so that the rows are written again. Forgets the rows
    /// of games that are over.
    async fn compare_with_log(&mut self) -> Result<(), ReadError> {
        let version = *self.shards.route_changes().borrow();
        if self.compared == Some(version) {
            return Ok(());
        }
        self.correspondence.forget_ended().await?;
        let mut after = String::new();
        loop {
            let stale = self.correspondence.stale(&after).await?;
            let Some(last) = stale.last() else { break };
            after.clone_from(last);
            join_all(stale.iter().map(|game| self.load(game))).await;
        }
        self.compared = Some(version);
        Ok(())
    }

    /// Loads the games whose time is over. Their tables end them. A game that does not end, since its log is damaged or cannot
    /// be read, is loaded again, less and less often.
    async fn end_overdue(&mut self) -> Result<(), ReadError> {
        let mut retries = HashMap::new();
        let mut after = String::new();
        loop {
            let mut overdue = self.correspondence.overdue(&after).await?;
            let Some(last) = overdue.last() else { break };
            after.clone_from(last);
            let now = Instant::now();
            overdue.retain(|game| self.is_here(game));
            let mut due = Vec::new();
            for game in &overdue {
                let retry = match self.overdue.get(game) {
                    Some(retry) if retry.at > now => *retry,
                    before => {
                        due.push(game);
                        let pause = before.map_or(FIRST_RETRY, |retry| 2 * retry.pause);
                        let pause = pause.min(LAST_RETRY);
                        let at = now + pause;
                        Retry { at, pause }
                    }
                };
                retries.insert(game.clone(), retry);
            }
            join_all(due.into_iter().map(|game| self.load(game))).await;
        }
        self.overdue = retries;
        Ok(())
    }

    /// Begins the games of accepted challenges that should have begun.
    async fn begin_late(&self) -> Result<(), ReadError> {
        for challenge in self.correspondence.late().await? {
            if self.shards.has_here(&challenge.id) {
                begin(&self.correspondence, &self.shards, challenge).await?;
            }
        }
        Ok(())
    }

    /// Plays moves that were left and are still to be played.
    async fn play_answers(&mut self) -> Result<(), ReadError> {
        let is_early = |last: Instant| last.elapsed() < ANSWERS_PAUSE;
        if self.answered.is_some_and(is_early) {
            return Ok(());
        }
        for game in self.correspondence.with_answers().await? {
            if let Some(table) = table_of(&game)
                && self.shards.has_here(table)
            {
                play_answer(&self.correspondence, &self.shards, table).await;
            }
        }
        self.answered = Some(Instant::now());
        Ok(())
    }

    fn is_here(&self, game: &str) -> bool {
        table_of(game).is_some_and(|table| self.shards.has_here(table))
    }

    async fn load(&self, game: &str) {
        if let Some(table) = table_of(game)
            && self.shards.has_here(table)
        {
            self.shards.load(table).await;
        }
    }
}

/// Plays the move that the player to move at a table has left, if there is one, and returns whether there is; `None` if it
/// cannot be read. The task tries again then.
pub(crate) async fn play_answer(
    correspondence: &Correspondence,
    shards: &Shards,
    table: &str,
) -> Option<bool> {
    match correspondence.answer(table).await {
        Ok(Some((color, request))) => {
            let play = Command::PlayFor(color, request);
            shards.command_correspondence(table, play).await;
            Some(true)
        }
        Ok(None) => Some(false),
        Err(error) => {
            warn!(%error, "conditional moves cannot be read");
            None
        }
    }
}

/// Starts the game of an accepted challenge, unless it has begun, and forgets the challenge then.
pub(crate) async fn begin(
    correspondence: &Correspondence,
    shards: &Shards,
    challenge: Challenge,
) -> Result<(), ReadError> {
    if !correspondence.has_begun(&challenge).await? {
        let Some((settings, policy)) = correspondence.table_of_challenge(&challenge) else {
            warn!(table = challenge.id, "an accepted challenge cannot be read");
            return Ok(());
        };
        if !correspondence.may_begin(&challenge).await? {
            return Ok(());
        }
        let table = match shards.find(&challenge.id) {
            Some(table) => table,
            None => shards.create(settings, policy).await,
        };
        let begin = Command::Begin(Box::new(challenge.players.clone()));
        table.command(ClientId::SERVER, begin).await;
        let _ = timeout(BEGIN_TIMEOUT, table.flush()).await;
        if !correspondence.has_begun(&challenge).await? {
            // The shard may have no owner now, or the store may fail: it is tried again.
            return Ok(());
        }
    }
    correspondence.forget(&challenge).await
}

impl Shards {
    /// Sends a command of the server to a table with a game by correspondence, which is loaded if the command
    /// [needs it](Command::loads).
    pub(crate) async fn command_correspondence(&self, table: &str, command: Command) {
        let table = self.correspondence(table);
        table.command(ClientId::SERVER, command).await;
    }
}

#[cfg(test)]
mod tests {
    use checkers_lib::{Color, DrawRules};
    use event_store::{
        EventLog, Row, SqliteStore, Statement, Store, StoreConfig, UnixMillis, Value,
    };
    use tempfile::TempDir;

    use super::*;
    use crate::config::PushServices;
    use crate::correspondence::{CorrespondenceError, MAX_GAMES, Wish};
    use crate::metrics::Metrics;
    use crate::table::{MoveRequest, Policy};

    const ANNA: i64 = 1;
    const BORIS: i64 = 2;
    const CLARA: i64 = 3;

    /// A server with three accounts.
    struct CorrespondenceScene {
        task: CorrespondenceTask,
        store: Arc<dyn Store>,
        _directory: TempDir,
    }

    impl CorrespondenceScene {
        async fn new() -> CorrespondenceScene {
            let directory = tempfile::tempdir().unwrap();
            let store = SqliteStore::open(StoreConfig::new(directory.path())).unwrap();
            let store = Arc::new(store) as Arc<dyn Store>;
            let log = Arc::clone(&store) as Arc<dyn EventLog>;
            let correspondence = Correspondence::new(&store, DrawRules::Fmjd64, Policy::default());
            let correspondence = Arc::new(correspondence);
            let metrics = Arc::new(Metrics::new());
            let shards = Shards::start(Some(&log), Some(&correspondence), &metrics);
            let (push, _) = Push::new(store.tables(), PushServices::default(), &metrics);
            let scene = CorrespondenceScene {
                task: CorrespondenceTask::new(correspondence, push, shards),
                store,
                _directory: directory,
            };
            for (id, name) in [(ANNA, "anna"), (BORIS, "boris"), (CLARA, "clara")] {
                scene
                    .change(
                        "INSERT INTO account (id, name, skeleton, role, identity, created_at) VALUES ($1, $2, $3, 'person', $4, 0)",
                        vec![
                            id.into(),
                            name.into(),
                            crate::names::skeleton(name).into(),
                            format!("{id:064x}").into(),
                        ],
                    )
                    .await;
            }
            scene
        }

        async fn change(&self, text: &'static str, parameters: Vec<Value>) {
            let statement = Statement::new(text, parameters);
            let tables = self.store.tables();
            tables.transact(vec![statement]).await.unwrap();
        }

        async fn rows(&self, text: &'static str) -> Vec<Row> {
            let select = Statement::new(text, Vec::new());
            self.store.tables().select(select).await.unwrap()
        }

        /// A challenge of a player with White.
        async fn challenge(&self, challenger: i64, opponent: &str) -> String {
            let wish = Wish {
                color: Some(Color::White),
                days: 3,
                rated: false,
            };
            let correspondence = &self.task.correspondence;
            let made = correspondence.challenge(challenger, opponent, wish).await;
            made.unwrap()
        }

        async fn accept(&self, account: i64, id: &str) -> Result<Challenge, CorrespondenceError> {
            self.task.correspondence.accept(account, id).await
        }

        async fn begin(&self, challenge: Challenge) {
            let CorrespondenceTask {
                correspondence,
                shards,
                ..
            } = &self.task;
            begin(correspondence, shards, challenge).await.unwrap();
        }

        /// Adds a game that is overdue, and not in the log.
        async fn add_overdue(&self, game: &str) {
            self.change(
                "INSERT INTO correspondence (game, white, black, days, rated, seq, ply, turn, since, deadline)
                 VALUES ($1, 8, 9, 3, 0, 4, 0, 0, 0, 1)",
                vec![game.into()],
            )
            .await;
        }
    }

    #[tokio::test]
    async fn a_game_does_not_begin_with_a_suspended_account() {
        let scene = CorrespondenceScene::new().await;
        let id = scene.challenge(ANNA, "boris").await;
        let suspend = "UPDATE account SET suspended_until = $1 WHERE id = $2";
        let later = UnixMillis::now().0 + 60_000;
        scene.change(suspend, vec![later.into(), ANNA.into()]).await;
        let refused = scene.accept(BORIS, &id).await;
        assert!(matches!(refused, Err(CorrespondenceError::NoSuchChallenge)));
        scene.change(suspend, vec![0.into(), ANNA.into()]).await;
        scene
            .change(suspend, vec![later.into(), BORIS.into()])
            .await;
        let refused = scene.accept(BORIS, &id).await;
        assert!(matches!(refused, Err(CorrespondenceError::Suspended)));
        scene.change(suspend, vec![0.into(), BORIS.into()]).await;
        assert!(scene.accept(BORIS, &id).await.is_ok());
        scene.store.close().await;
    }

    #[tokio::test]
    async fn two_challenges_that_are_accepted_at_a_time_keep_the_limit() {
        let scene = CorrespondenceScene::new().await;
        scene
            .change(
                "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
                 INSERT INTO correspondence (game, white, black, days, rated, seq, ply, turn, since, deadline)
                 SELECT 'other' || i || '-1', 1, 9, 3, 0, 4, 0, 0, 0, 1 FROM n",
                vec![MAX_GAMES.into()],
            )
            .await;
        let challenges = [
            scene.challenge(BORIS, "anna").await,
            scene.challenge(CLARA, "anna").await,
        ];
        let [first, second] = &challenges;
        let (first, second) = tokio::join!(scene.accept(ANNA, first), scene.accept(ANNA, second));
        let refused = first.err().xor(second.err());
        assert!(
            matches!(refused, Some(CorrespondenceError::TooMany(_))),
            "{refused:?}"
        );
        scene.store.close().await;
    }

    /// Starts to delete Anna's account.
    const LEAVE: &str = "UPDATE account SET role = 'leaving', identity = 'deleted' WHERE id = 1";

    #[tokio::test]
    async fn a_game_does_not_begin_with_an_account_that_is_being_deleted() {
        let scene = CorrespondenceScene::new().await;
        let id = scene.challenge(ANNA, "boris").await;
        let challenge = scene.accept(BORIS, &id).await.unwrap();
        scene.change(LEAVE, Vec::new()).await;
        scene.begin(challenge).await;
        assert!(scene.rows("SELECT name FROM stream").await.is_empty());
        scene.store.close().await;
    }

    #[tokio::test]
    async fn an_account_that_leaves_while_its_game_begins_has_the_game() {
        let mut scene = CorrespondenceScene::new().await;
        let id = scene.challenge(ANNA, "boris").await;
        let challenge = scene.accept(BORIS, &id).await.unwrap();
        let correspondence = Arc::clone(&scene.task.correspondence);
        let (settings, policy) = correspondence.table_of_challenge(&challenge).unwrap();
        let table = scene.task.shards.create(settings, policy).await;
        let begin = Command::Begin(Box::new(challenge.players.clone()));
        table.command(ClientId::SERVER, begin).await;
        table.flush().await;
        scene.change(LEAVE, Vec::new()).await;
        scene.task.step().await.unwrap();
        scene.begin(challenge).await;
        let games = correspondence.of_leaving("anna").await.unwrap();
        assert_eq!(games, [(id, Color::White)]);
        scene.store.close().await;
    }

    #[tokio::test]
    async fn a_move_that_was_left_late_is_played() {
        let mut scene = CorrespondenceScene::new().await;
        let id = scene.challenge(ANNA, "boris").await;
        let challenge = scene.accept(BORIS, &id).await.unwrap();
        scene.begin(challenge).await;
        let play = |text: &str, ply: u32| MoveRequest {
            ply,
            text: text.to_owned(),
            ..MoveRequest::default()
        };
        let play = Command::PlayFor(Color::White, play("c3-d4", 0));
        let shards = scene.task.shards.clone();
        shards.command_correspondence(&id, play).await;
        shards.find(&id).unwrap().flush().await;
        while scene.task.step().await.unwrap() {}
        // The line is stored after the opponent's move was written.
        scene
            .change(
                "INSERT INTO conditional_moves (game, account, ply, lines) VALUES ($1, $2, 0, '[[\"c3-d4\",\"b6-a5\"]]')",
                vec![format!("{id}-1").into(), BORIS.into()],
            )
            .await;
        scene.task.answered = None;
        scene.task.step().await.unwrap();
        shards.find(&id).unwrap().flush().await;
        scene.task.step().await.unwrap();
        let rows = scene.rows("SELECT ply FROM correspondence").await;
        assert_eq!(rows[0].integer(0), 2);
        scene.store.close().await;
    }

    #[tokio::test]
    async fn a_game_that_cannot_be_loaded_is_tried_less_and_less_often() {
        let mut scene = CorrespondenceScene::new().await;
        scene.add_overdue("lost-1").await;
        scene.task.step().await.unwrap();
        scene.task.step().await.unwrap();
        assert_eq!(scene.task.overdue["lost-1"].pause, FIRST_RETRY);
        for expected in [2, 4, 8, 16, 32, 60, 60] {
            scene.task.overdue.get_mut("lost-1").unwrap().at = Instant::now();
            scene.task.step().await.unwrap();
            let pause = scene.task.overdue["lost-1"].pause;
            assert_eq!(pause, Duration::from_secs(expected));
        }
        scene.change("DELETE FROM correspondence", Vec::new()).await;
        scene.task.step().await.unwrap();
        assert!(scene.task.overdue.is_empty());
        scene.store.close().await;
    }

    #[tokio::test]
    async fn a_failure_does_not_keep_deadlines_from_passing() {
        let mut scene = CorrespondenceScene::new().await;
        scene.add_overdue("lost-1").await;
        scene
            .change("DROP TABLE conditional_moves", Vec::new())
            .await;
        assert!(scene.task.step().await.is_err());
        assert!(scene.task.overdue.contains_key("lost-1"));
        scene.store.close().await;
    }
}
