//! Tournaments: who organises them, who plays in them, and what their games say.
//!
//! The lobby pairs the players of an arena; rounds are drawn here. The standings follow from the games in the archive and
//! from the organiser's corrections.

mod copy;
mod id;
pub(crate) mod plan;
mod records;
mod rounds;
mod standings;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use checkers_lib::protocol::{ErrorCode, Refusal};
use event_store::{ReadError, Row, Sql, Statement, UnixMillis};
use tokio::sync::{Mutex, Notify, watch};
use tokio::time::Instant;
use tracing::warn;

use crate::lobby::secrets::{draw_letters, draw_table_id};
use crate::names;
use crate::ratings::{NEW_RATING, PEAK_DAYS, Ratings, Speed};

pub(crate) use copy::{copy, rename};
pub(crate) use id::{TournamentId, is_tournament, of_event};
pub(crate) use plan::{Entrants, Format, Lengths, Rounds, TournamentSettings};
pub(crate) use records::Records;
pub(crate) use rounds::{
    ByDefault, DueGame, GameKey, GameState, RoundBoard, RoundGame, StoredRound,
};
pub(crate) use standings::{Correction, PlayerState, StandingsPlayer, TournamentStandings};

/// The most tournaments of an account that are not over.
const MAX_OPEN: i64 = 10;

/// Letters of an invitation: 60 random bits.
const INVITATION_LENGTH: usize = 12;

/// The most tournaments that an account creates in a day.
const MAX_A_DAY: i64 = 30;

/// The most tournaments of each stage in a list.
const LISTED: i64 = 50;

/// The most tournaments in the list of their organiser.
const MAX_OWN: i64 = 200;

const DAY: i64 = 24 * 3600 * 1000;

/// How long standings are kept before they are computed again.
const KEPT: Duration = Duration::from_secs(2);

/// Reading the schedule longer than this is worth a warning: games begin late.
const SLOW: Duration = Duration::from_secs(3);

/// The most tournaments whose standings are kept.
const MAX_KEPT: usize = 100;

/// The columns of a [`Tournament`].
macro_rules! select_tournaments {
    ($condition:literal) => {
        concat!(
            "SELECT tournament.id, tournament.name, format, entrants, invitation, clock, rated, openings, starts_at, ends_at,
                paused, tournament.owner, coalesce(account.name, ''),
                (SELECT count(*) FROM tournament_player WHERE tournament = tournament.id AND state = 'in'),
                rounds, games, wait_ms, break_ms,
                (SELECT count(*) FROM tournament_round WHERE tournament_round.tournament = tournament.id), max_rating
             FROM tournament LEFT JOIN account ON account.id = tournament.owner ",
            $condition
        )
    };
}

/// A tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Tournament {
    pub(crate) id: TournamentId,
    pub(crate) plan: TournamentSettings,
    /// What players enter with; empty if everybody may.
    pub(crate) invitation: String,
    /// The account of the organiser; 0 if it is deleted.
    pub(crate) owner: i64,
    /// The name of the organiser, if the account is there.
    pub(crate) organiser: Option<String>,
    pub(crate) is_paused: bool,
    /// How many have entered and not left.
    pub(crate) players: i64,
    /// How many rounds have been drawn.
    pub(crate) drawn: i64,
}

/// What happens in a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum Stage {
    /// It has not begun.
    Coming,
    /// Games begin.
    Running,
    /// No games begin until the organiser resumes it.
    Paused,
    /// No more games begin.
    Over,
}

/// Why something cannot be done in a tournament.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TournamentError {
    #[error("there is no such tournament")]
    NotFound,
    #[error("only the organiser can do this")]
    NotYours,
    #[error(
        "an account has at most {MAX_OPEN} tournaments that are not over, and creates at most {MAX_A_DAY} a day"
    )]
    TooMany,
    #[error("the tournament has as many players as it can have")]
    Full,
    #[error("the tournament is over")]
    Over,
    #[error("the tournament has begun: only those who play in it from the beginning can enter")]
    Begun,
    #[error(
        "only players enter whose rating in the class of the clock was at most {0} in the last {PEAK_DAYS} days"
    )]
    TooStrong(i64),
    #[error("only {0} play in this tournament")]
    OtherEntrants(&'static str),
    #[error("the tournament is by invitation: the invitation is missing or wrong")]
    NotInvited,
    #[error("the organiser has removed you from this tournament")]
    Removed,
    #[error("there is no such player in the tournament")]
    NoSuchPlayer,
    #[error("there is no such finished game of the tournament")]
    NoSuchGame,
    #[error("the server has no randomness now")]
    NoRandomness(#[from] getrandom::Error),
    #[error("tournaments cannot be read or written now: try again")]
    Store(#[from] ReadError),
}

impl From<TournamentError> for Refusal {
    fn from(error: TournamentError) -> Refusal {
        let code = match &error {
            TournamentError::Store(cause) => {
                tracing::warn!(
                    error = cli_kit::explain(cause),
                    "a tournament cannot be read"
                );
                ErrorCode::NotStored
            }
            TournamentError::NoRandomness(_) => ErrorCode::NotStored,
            TournamentError::NotFound => ErrorCode::BadTable,
            TournamentError::Over => ErrorCode::EventOver,
            _ => ErrorCode::Forbidden,
        };
        Refusal::new(code, error.to_string())
    }
}

/// The tournaments of a server.
#[derive(Debug)]
pub(crate) struct Tournaments {
    tables: Arc<dyn Sql>,
    latest: Mutex<HashMap<TournamentId, Latest>>,
    schedule: watch::Sender<Arc<TournamentSchedule>>,
    /// An organiser has changed something.
    changed: Notify,
}

/// The latest standings of a tournament. Who computes some holds the lock, so that others wait for it.
type Latest = Arc<Mutex<Option<(Instant, Arc<TournamentStandings>)>>>;

/// What happens in tournaments that are not over, or have been so for less than a day.
pub(crate) type Stages = HashMap<TournamentId, Stage>;

/// What is to be done in tournaments, as it was last read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct TournamentSchedule {
    pub(crate) stages: Stages,
    /// The games of rounds that can begin.
    pub(crate) due: Vec<DueGame>,
    /// The tournaments in rounds that run, with their last rounds.
    pub(crate) running: Vec<(Tournament, Option<StoredRound>)>,
    /// When this began to be read.
    pub(crate) read_at: Option<std::time::Instant>,
}

impl TournamentSchedule {
    /// Whether a tournament in rounds runs.
    pub(crate) fn runs_in_rounds(&self, id: TournamentId) -> bool {
        self.running
            .iter()
            .any(|(tournament, _)| tournament.id == id)
    }
}

/// What an organiser changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TournamentChange {
    /// It begins now, if it has not begun.
    Start,
    Pause,
    Resume,
    /// No more games begin.
    End,
}

impl Stage {
    /// The stage of a tournament with this start and end.
    fn at(
        now: UnixMillis,
        (starts_at, ends_at): (UnixMillis, UnixMillis),
        is_paused: bool,
    ) -> Stage {
        match () {
            () if now >= ends_at => Stage::Over,
            () if now < starts_at => Stage::Coming,
            () if is_paused => Stage::Paused,
            () => Stage::Running,
        }
    }
}

impl Tournament {
    /// What happens at this time.
    pub(crate) fn stage(&self, now: UnixMillis) -> Stage {
        let times = (self.plan.starts_at, self.plan.ends_at);
        Stage::at(now, times, self.is_paused)
    }
}

impl Tournaments {
    /// The tournaments in these tables.
    pub(crate) fn new(tables: Arc<dyn Sql>) -> Tournaments {
        Tournaments {
            tables,
            latest: Mutex::default(),
            schedule: watch::Sender::default(),
            changed: Notify::new(),
        }
    }

    /// What is to be done, as it was last read.
    pub(crate) fn schedule(&self) -> watch::Receiver<Arc<TournamentSchedule>> {
        self.schedule.subscribe()
    }

    /// Reads what is to be done in tournaments.
    pub(crate) async fn read_schedule(&self) -> Result<(), ReadError> {
        let read_at = std::time::Instant::now();
        let mut schedule = TournamentSchedule {
            stages: self.stages().await?,
            read_at: Some(read_at),
            ..TournamentSchedule::default()
        };
        for tournament in self.in_rounds().await? {
            if schedule.stages.get(&tournament.id) != Some(&Stage::Running) {
                continue;
            }
            let round = self.last_round(&tournament).await?;
            let due = round.as_ref().map(|round| round.due_games(&tournament));
            schedule.due.extend(due.unwrap_or_default());
            schedule.running.push((tournament, round));
        }
        if read_at.elapsed() > SLOW {
            warn!(took = ?read_at.elapsed(), "reading the schedule of tournaments is slow");
        }
        self.schedule.send_replace(Arc::new(schedule));
        Ok(())
    }

    /// Does what is due in the tournaments in rounds that run, by the last schedule. What fails in one stops no other.
    pub(crate) async fn organise_all(&self) {
        let schedule = Arc::clone(&*self.schedule.borrow());
        for (tournament, round) in &schedule.running {
            let organised = self.organise(tournament, round.as_ref(), UnixMillis::now());
            if let Err(error) = organised.await {
                let error = cli_kit::explain(&error);
                warn!(error, id = %tournament.id, "a tournament cannot go on");
            }
        }
    }

    /// Waits until an organiser has changed something.
    pub(crate) async fn changed(&self) {
        self.changed.notified().await;
    }

    /// The tournaments in rounds that have started and are not over.
    async fn in_rounds(&self) -> Result<Vec<Tournament>, ReadError> {
        let select = Statement::new(
            select_tournaments!("WHERE ends_at > $1 AND starts_at <= $1 AND format <> 'arena'"),
            vec![UnixMillis::now().0.into()],
        );
        let rows = self.tables.select(select).await?;
        Ok(rows.iter().filter_map(read).collect())
    }

    async fn stages(&self) -> Result<Stages, ReadError> {
        let now = UnixMillis::now();
        let select = Statement::new(
            "SELECT id, starts_at, ends_at, paused FROM tournament WHERE ends_at > $1",
            vec![(now.0 - DAY).into()],
        );
        let rows = self.tables.select(select).await?;
        let stage = |row: &Row| {
            let [starts_at, ends_at] = [1, 2].map(|column| UnixMillis(row.integer(column)));
            let stage = Stage::at(now, (starts_at, ends_at), row.integer(3) != 0);
            Some((row.text(0).parse().ok()?, stage))
        };
        Ok(rows.iter().filter_map(stage).collect())
    }

    /// Creates a tournament of this account.
    pub(crate) async fn create(
        &self,
        owner: i64,
        plan: &TournamentSettings,
        by_invitation: bool,
    ) -> Result<Tournament, TournamentError> {
        let id = draw_table_id()?;
        let invitation = match by_invitation {
            true => draw_letters(INVITATION_LENGTH)?,
            false => String::new(),
        };
        let now = UnixMillis::now();
        let can_have_more = Statement::new(
            "SELECT id FROM account WHERE id = $1 AND role <> 'leaving'
             AND (SELECT count(*) FROM tournament WHERE owner = $1 AND ends_at > $2) < $3
             AND (SELECT count(*) FROM tournament WHERE owner = $1 AND created_at > $4) < $5",
            vec![
                owner.into(),
                now.0.into(),
                MAX_OPEN.into(),
                (now.0 - DAY).into(),
                MAX_A_DAY.into(),
            ],
        );
        let insert = Statement::new(
            "INSERT INTO tournament (id, owner, name, format, entrants, invitation, clock, rated, openings,
                starts_at, ends_at, paused, created_at, rounds, games, wait_ms, break_ms, max_rating)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0, $12, $13, $14, $15, $16, $17)",
            vec![
                id.as_str().into(),
                owner.into(),
                plan.name.as_str().into(),
                plan.format.name().into(),
                plan.entrants.name().into(),
                invitation.into(),
                plan.clock.to_string().into(),
                i64::from(plan.is_rated).into(),
                i64::from(plan.has_openings).into(),
                plan.starts_at.0.into(),
                plan.ends_at.0.into(),
                now.0.into(),
                i64::from(plan.rounds.count).into(),
                i64::from(plan.rounds.games).into(),
                plan.rounds.wait_ms.into(),
                plan.rounds.break_ms.into(),
                plan.max_rating.unwrap_or(0).into(),
            ],
        );
        let made = self.tables.transact(vec![can_have_more.required(), insert]);
        made.await?.ok_or(TournamentError::TooMany)?;
        let id = id.parse().map_err(|_| TournamentError::NotFound)?;
        self.find(id).await
    }

    /// A tournament.
    pub(crate) async fn find(&self, id: TournamentId) -> Result<Tournament, TournamentError> {
        let select = Statement::new(
            select_tournaments!("WHERE tournament.id = $1"),
            vec![id.to_string().into()],
        );
        let rows = self.tables.select(select).await?;
        rows.first().and_then(read).ok_or(TournamentError::NotFound)
    }

    /// Those that run, the latest first; then those to come, the next first; then those that are over, the latest first.
    /// At most 50 of each.
    pub(crate) async fn list(&self) -> Result<Vec<Tournament>, ReadError> {
        let now = UnixMillis::now().0;
        let selects = [
            select_tournaments!(
                "WHERE ends_at > $1 AND starts_at <= $1 ORDER BY starts_at DESC, tournament.id LIMIT $2"
            ),
            select_tournaments!(
                "WHERE ends_at > $1 AND starts_at > $1 ORDER BY starts_at, tournament.id LIMIT $2"
            ),
            select_tournaments!(
                "WHERE ends_at <= $1 ORDER BY ends_at DESC, tournament.id LIMIT $2"
            ),
        ];
        let mut list = Vec::new();
        for select in selects {
            let select = Statement::new(select, vec![now.into(), LISTED.into()]);
            let rows = self.tables.select(select).await?;
            list.extend(rows.iter().filter_map(read));
        }
        Ok(list)
    }

    /// The tournaments that an account organises, the latest first.
    pub(crate) async fn of_owner(&self, owner: i64) -> Result<Vec<Tournament>, ReadError> {
        let select = Statement::new(
            select_tournaments!(
                "WHERE tournament.owner = $1 ORDER BY starts_at DESC, tournament.id LIMIT $2"
            ),
            vec![owner.into(), MAX_OWN.into()],
        );
        let rows = self.tables.select(select).await?;
        Ok(rows.iter().filter_map(read).collect())
    }

    /// The tournaments that a player has entered.
    pub(crate) async fn entered_by(&self, name: &str) -> Result<Vec<String>, ReadError> {
        let select = Statement::new(
            "SELECT tournament FROM tournament_player WHERE name = $1 ORDER BY number",
            vec![name.into()],
        );
        let rows = self.tables.select(select).await?;
        Ok(rows.iter().map(|row| row.text(0).to_owned()).collect())
    }

    /// Lets a player with an account enter, who may have left before. One who is in needs no invitation.
    pub(crate) async fn enter(
        &self,
        id: TournamentId,
        name: &str,
        invitation: Option<&str>,
    ) -> Result<Tournament, TournamentError> {
        let tournament = self.find(id).await?;
        if tournament.stage(UnixMillis::now()) == Stage::Over {
            return Err(TournamentError::Over);
        }
        let entrants = tournament.plan.entrants;
        if Entrants::of(names::is_of_bot_account(name)) != entrants {
            return Err(TournamentError::OtherEntrants(entrants.name()));
        }
        let state = self.state_of(id, name).await?;
        match state {
            Some(PlayerState::In) => return Ok(tournament),
            Some(PlayerState::Removed) => return Err(TournamentError::Removed),
            Some(PlayerState::Out) => {}
            None if tournament.invitation.is_empty() => {}
            None if invitation == Some(&*tournament.invitation) => {}
            None => return Err(TournamentError::NotInvited),
        }
        if state.is_none() {
            self.check_rating(&tournament.plan, name).await?;
        }
        let has_room = Statement::new(
            "SELECT id FROM tournament WHERE id = $1
             AND ((SELECT count(*) FROM tournament_player WHERE tournament = $1) < $2
                OR EXISTS (SELECT 1 FROM tournament_player WHERE tournament = $1 AND name = $3))",
            vec![
                id.to_string().into(),
                tournament.plan.format.most_players().into(),
                name.into(),
            ],
        );
        // A round-robin and a knockout keep the players of their first round.
        let is_open = Statement::new(
            "SELECT id FROM tournament WHERE id = $1
             AND (format NOT IN ('round_robin', 'knockout')
                OR NOT EXISTS (SELECT 1 FROM tournament_round WHERE tournament = $1)
                OR EXISTS (SELECT 1 FROM tournament_game WHERE tournament = $1 AND (white = $2 OR black = $2)))",
            vec![id.to_string().into(), name.into()],
        );
        if self.tables.select(is_open.clone()).await?.is_empty() {
            return Err(TournamentError::Begun);
        }
        let enter = Statement::new(
            "INSERT INTO tournament_player (tournament, name, state, entered_at, rating)
             VALUES ($1, $2, 'in', $3, coalesce((SELECT rating FROM rating WHERE name = $2 AND speed = $4), $5))
             ON CONFLICT (tournament, name) DO UPDATE SET state = 'in' WHERE tournament_player.state = 'out'",
            vec![
                id.to_string().into(),
                name.into(),
                UnixMillis::now().0.into(),
                Speed::of(tournament.plan.clock).name().into(),
                NEW_RATING.into(),
            ],
        );
        let entered = self
            .tables
            .transact(vec![has_room.required(), is_open.required(), enter])
            .await?;
        entered.ok_or(TournamentError::Full)?;
        self.latest.lock().await.remove(&id);
        Ok(tournament)
    }

    /// Checks that a player is not too strong to enter.
    async fn check_rating(
        &self,
        plan: &TournamentSettings,
        name: &str,
    ) -> Result<(), TournamentError> {
        let Some(limit) = plan.max_rating else {
            return Ok(());
        };
        let ratings = Ratings::new(Arc::clone(&self.tables));
        let speed = Speed::of(plan.clock);
        let peak = ratings.peak(name, speed, UnixMillis::now()).await?;
        match peak <= limit {
            true => Ok(()),
            false => Err(TournamentError::TooStrong(limit)),
        }
    }

    /// A player leaves. The games stay, and the player can enter again.
    pub(crate) async fn leave(&self, id: TournamentId, name: &str) -> Result<(), TournamentError> {
        self.set_state(id, name, "out").await
    }

    /// The organiser removes a player, who cannot enter again.
    pub(crate) async fn remove(
        &self,
        owner: i64,
        id: TournamentId,
        name: &str,
    ) -> Result<(), TournamentError> {
        self.owned(owner, id).await?;
        self.set_state(id, name, "removed").await
    }

    async fn set_state(
        &self,
        id: TournamentId,
        name: &str,
        state: &str,
    ) -> Result<(), TournamentError> {
        let set = Statement::new(
            "UPDATE tournament_player SET state = $1 WHERE tournament = $2 AND name = $3 AND state <> 'removed'
                AND state <> $1
             RETURNING name",
            vec![state.into(), id.to_string().into(), name.into()],
        );
        let set = self.tables.transact(vec![set.required()]).await?;
        set.ok_or(TournamentError::NoSuchPlayer)?;
        self.latest.lock().await.remove(&id);
        Ok(())
    }

    async fn state_of(
        &self,
        id: TournamentId,
        name: &str,
    ) -> Result<Option<PlayerState>, ReadError> {
        let select = Statement::new(
            "SELECT state FROM tournament_player WHERE tournament = $1 AND name = $2",
            vec![id.to_string().into(), name.into()],
        );
        let rows = self.tables.select(select).await?;
        Ok(rows.first().map(|row| PlayerState::of_name(row.text(0))))
    }

    /// The organiser starts, pauses, resumes or ends a tournament.
    pub(crate) async fn change(
        &self,
        owner: i64,
        id: TournamentId,
        change: TournamentChange,
    ) -> Result<Tournament, TournamentError> {
        let tournament = self.owned(owner, id).await?;
        if tournament.stage(UnixMillis::now()) == Stage::Over {
            return Err(TournamentError::Over);
        }
        let id_text = || id.to_string().into();
        let statement = match change {
            // An arena that starts early ends early.
            TournamentChange::Start => Statement::new(
                "UPDATE tournament SET starts_at = $1, ends_at = ends_at - (starts_at - $1) WHERE id = $2 AND starts_at > $1",
                vec![UnixMillis::now().0.into(), id_text()],
            ),
            TournamentChange::Pause | TournamentChange::Resume => Statement::new(
                "UPDATE tournament SET paused = $1 WHERE id = $2",
                vec![i64::from(change == TournamentChange::Pause).into(), id_text()],
            ),
            TournamentChange::End => Statement::new(
                "UPDATE tournament SET ends_at = $1, starts_at = CASE WHEN starts_at > $1 THEN $1 ELSE starts_at END
                 WHERE id = $2",
                vec![UnixMillis::now().0.into(), id_text()],
            ),
        };
        self.tables.transact(vec![statement]).await?;
        self.latest.lock().await.remove(&id);
        self.changed.notify_one();
        self.find(id).await
    }

    /// The organiser corrects the result of a finished game.
    pub(crate) async fn correct(
        &self,
        owner: i64,
        id: TournamentId,
        game: &str,
        correction: Correction,
    ) -> Result<(), TournamentError> {
        self.owned(owner, id).await?;
        let is_of_tournament = Statement::new(
            "SELECT game.stream FROM game JOIN stream ON stream.id = game.stream
             WHERE stream.name = $1 AND game.event = $2
                AND game.finished_at <= (SELECT ends_at FROM tournament WHERE id = $3 AND format = 'arena')
             UNION SELECT round FROM tournament_game WHERE game = $1 AND tournament = $3 AND black <> ''",
            vec![game.into(), id.event().into(), id.to_string().into()],
        );
        let correct = Statement::new(
            "INSERT INTO tournament_correction (tournament, game, result, corrected_at) VALUES ($1, $2, $3, $4)
             ON CONFLICT (tournament, game) DO UPDATE SET result = $3, corrected_at = $4",
            vec![
                id.to_string().into(),
                game.into(),
                correction.name().into(),
                UnixMillis::now().0.into(),
            ],
        );
        let corrected = self
            .tables
            .transact(vec![is_of_tournament.required(), correct]);
        corrected.await?.ok_or(TournamentError::NoSuchGame)?;
        self.latest.lock().await.remove(&id);
        Ok(())
    }

    /// The tournament, if it is organised by this account.
    async fn owned(&self, owner: i64, id: TournamentId) -> Result<Tournament, TournamentError> {
        let tournament = self.find(id).await?;
        match tournament.owner == owner {
            true => Ok(tournament),
            false => Err(TournamentError::NotYours),
        }
    }

    /// Forgets standings, which may have the name of a deleted account.
    pub(crate) async fn forget_standings(&self) {
        self.latest.lock().await.clear();
    }

    /// The standings of a tournament, at most two seconds old. O(games).
    pub(crate) async fn standings(
        &self,
        tournament: &Tournament,
    ) -> Result<Arc<TournamentStandings>, ReadError> {
        let latest = {
            let mut all = self.latest.lock().await;
            if all.len() >= MAX_KEPT {
                all.retain(|_, latest| Arc::strong_count(latest) > 1);
            }
            Arc::clone(all.entry(tournament.id).or_default())
        };
        let mut latest = latest.lock().await;
        if let Some((at, standings)) = &*latest
            && at.elapsed() < KEPT
        {
            return Ok(Arc::clone(standings));
        }
        let standings = Arc::new(TournamentStandings::read(&*self.tables, tournament).await?);
        *latest = Some((Instant::now(), Arc::clone(&standings)));
        Ok(standings)
    }
}

fn read(row: &Row) -> Option<Tournament> {
    Some(Tournament {
        id: row.text(0).parse().ok()?,
        plan: TournamentSettings {
            name: row.text(1).to_owned(),
            format: Format::of_name(row.text(2))?,
            entrants: Entrants::of_name(row.text(3))?,
            clock: row.text(5).parse().ok()?,
            is_rated: row.integer(6) != 0,
            has_openings: row.integer(7) != 0,
            max_rating: Some(row.integer(19)).filter(|limit| *limit > 0),
            starts_at: UnixMillis(row.integer(8)),
            ends_at: UnixMillis(row.integer(9)),
            rounds: Rounds {
                count: u32::try_from(row.integer(14)).ok()?,
                games: u32::try_from(row.integer(15)).ok()?,
                wait_ms: row.integer(16),
                break_ms: row.integer(17),
            },
        },
        invitation: row.text(4).to_owned(),
        is_paused: row.integer(10) != 0,
        owner: row.integer(11),
        organiser: Some(row.text(12).to_owned()).filter(|name| !name.is_empty()),
        players: row.integer(13),
        drawn: row.integer(18),
    })
}
