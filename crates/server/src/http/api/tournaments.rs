//! Tournaments: what everybody sees, what players do, and what organisers do.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::{get, post};
use checkers_lib::protocol::TablePhase;
use event_store::UnixMillis;
#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::account::{JsonBody, Organiser, SignedInAs};
use super::json;
use super::problem::{Problem, ProblemCode};
use super::query::{InPath, Parameters};
use super::types::Done;
use crate::accounts::Scope;
use crate::http::HttpState;
use crate::http::routes::only;
use crate::lobby::secrets::Identity;
use crate::ratings::Speed;
#[cfg(test)]
use crate::tournaments::plan;
use crate::tournaments::{
    Correction, Entrants, Format, GameState, Lengths, RoundBoard, RoundGame, Rounds, Stage,
    StandingsPlayer, StoredRound, Tournament, TournamentChange, TournamentError, TournamentId,
    TournamentSettings, Tournaments,
};

/// Players of a tournament in an answer, if the query does not say.
const PLAYERS: usize = 100;

/// Running games in an answer.
const GAMES: usize = 20;

const MINUTE: i64 = 60_000;

/// The tournaments of a server.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct TournamentList {
    /// Of all, up to 50 that run, up to 50 to come and the last 50 that are over; of the account, the latest 200.
    tournaments: Vec<TournamentEntry>,
}

/// A tournament.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct TournamentEntry {
    /// Its id.
    id: String,
    name: String,
    format: Format,
    /// Who may play.
    entrants: Entrants,
    /// The clock of both sides.
    clock: String,
    /// The class of the clock.
    speed: Speed,
    /// Whether its games are rated.
    rated: bool,
    /// Whether its games begin with drawn openings.
    openings: bool,
    /// The highest rating in the class of the clock, in the last 90 days, with which players enter; absent without a limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_rating: Option<i64>,
    /// Whether players need an invitation to enter.
    by_invitation: bool,
    /// The invitation; only for the organiser.
    #[serde(skip_serializing_if = "Option::is_none")]
    invitation: Option<String>,
    /// When it starts, in milliseconds since 1970, UTC.
    starts_ms: i64,
    /// When it ends, likewise. An arena ends at this time: no more games begin, and games that end later do not count. A
    /// tournament in rounds ends after its last round, at this time at the latest.
    ends_ms: i64,
    /// The number of the last round that has been drawn; 0 in an arena and before the first one.
    round: i64,
    /// How many rounds a Swiss has, and how often all meet in a round-robin; 0 in other formats.
    rounds: u32,
    /// The games of a pairing, in a tournament in rounds.
    games_per_pairing: u32,
    /// How long a game waits for its players, who lose if they do not come, in minutes; 0 in an arena.
    wait_minutes: i64,
    /// The time between two rounds, in minutes.
    break_minutes: i64,
    /// What happens now.
    stage: Stage,
    /// The name of the organiser; absent if the account was deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    organiser: Option<String>,
    /// How many players have entered and not left.
    players: i64,
    /// The event of its games, for `/api/games`.
    event: String,
}

/// A tournament with its standings.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct TournamentPage {
    #[serde(flatten)]
    tournament: TournamentEntry,
    /// How many games count.
    games: usize,
    /// The players in the order of their places.
    standings: Vec<TournamentPlayer>,
    /// The player that the query names, if it has entered.
    #[serde(skip_serializing_if = "Option::is_none")]
    player: Option<TournamentPlayer>,
    /// Running games, those of the leaders first.
    running: Vec<RunningGame>,
    /// The pairings of the round that the query asks for, or else of the last one. Absent in an arena, and before the
    /// first round.
    #[serde(skip_serializing_if = "Option::is_none")]
    pairings: Option<Pairings>,
}

/// The pairings of a round.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Pairings {
    /// The number of the round, from 1.
    round: i64,
    /// When it was drawn, in milliseconds since 1970, UTC.
    drawn_ms: i64,
    boards: Vec<BoardEntry>,
}

/// A pairing.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct BoardEntry {
    /// White of the first game.
    white: String,
    /// Black of the first game; absent if White has a bye.
    #[serde(skip_serializing_if = "Option::is_none")]
    black: Option<String>,
    /// Its games; colours alternate from one to the next.
    games: Vec<BoardGame>,
    /// Who has not come by then to a game that waits has lost it, in milliseconds since 1970, UTC; later if the server
    /// was away meanwhile, or the tournament was paused. Absent if no game waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    until_ms: Option<i64>,
}

/// A game of a pairing.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct BoardGame {
    /// The id of the game, also before it begins.
    game: String,
    /// Its table.
    table: String,
    state: BoardState,
    /// The result, in the words of a correction; absent while there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Correction>,
}

/// What is known of a game of a pairing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
enum BoardState {
    /// It waits for its players, or for the game before it.
    Waiting,
    /// It is played.
    Playing,
    /// It has been played.
    Played,
    /// It was decided without a game: a player did not come, or the organiser decided it.
    ByDefault,
}

/// A player of a tournament.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct TournamentPlayer {
    /// The place, from 1; equal players share it.
    place: usize,
    name: String,
    points: u32,
    /// The points of each game of an arena, in the order of their ends; in other formats, the points of each round: 2 for
    /// a win or a bye, 1 for a draw; `null` for a round in which the player was not paired or the pairing is not over.
    scores: Vec<Option<u32>>,
    /// Games won in an arena, otherwise pairings won.
    wins: u32,
    draws: u32,
    /// Whether the points of the next game of an arena count twice.
    streak: bool,
    /// What decides between players with equal points, the most important first. Arena: the average points of the
    /// opponents. Swiss: the points of the opponents without the weakest one, those of all opponents, wins. Round-robin:
    /// wins, the points against those with equal points, and the sum of the points of each opponent times those against
    /// it. Knockout, where points do not count: how often the player went on.
    tie_breaks: Vec<f64>,
    /// Whether the player has left.
    left: bool,
}

/// A running game of a tournament.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct RunningGame {
    /// The table.
    table: String,
    white: String,
    black: String,
}

/// A tournament to create.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct NewTournament {
    /// Its name: 1 to 60 characters.
    name: String,
    format: Format,
    /// Who may play.
    entrants: Entrants,
    /// The clock of both sides, such as `3m+2s`.
    clock: String,
    /// Whether its games are rated.
    #[serde(default)]
    rated: bool,
    /// Whether its games begin with openings drawn from the server's list.
    #[serde(default)]
    openings: bool,
    /// The highest rating in the class of the clock, in the last 90 days, with which players enter.
    #[cfg_attr(test, schemars(range(min = plan::LEAST_MAX_RATING, max = plan::MOST_MAX_RATING)))]
    max_rating: Option<i64>,
    /// Whether players need an invitation to enter.
    #[serde(default)]
    by_invitation: bool,
    /// When it starts, in milliseconds since 1970, UTC; without it, now.
    #[serde(default)]
    starts_ms: i64,
    /// How long an arena takes.
    #[cfg_attr(test, schemars(range(min = 1, max = plan::MAX_MINUTES)))]
    minutes: Option<u32>,
    /// The rounds of a Swiss; in a round-robin, how often all meet, up to 4 times, which is once if it is absent.
    #[cfg_attr(test, schemars(range(min = 1, max = plan::MAX_ROUNDS)))]
    rounds: Option<u32>,
    /// The games of a pairing, in a tournament in rounds; 1 if it is absent. Colours alternate.
    #[cfg_attr(test, schemars(range(min = 1, max = plan::MAX_GAMES)))]
    games_per_pairing: Option<u32>,
    /// How long a game of a round waits for its players, in minutes; 5 if it is absent.
    #[cfg_attr(test, schemars(range(min = 1, max = plan::MAX_PAUSE)))]
    wait_minutes: Option<u32>,
    /// The time between two rounds, in minutes; 1 if it is absent.
    #[cfg_attr(test, schemars(range(max = plan::MAX_PAUSE)))]
    break_minutes: Option<u32>,
}

/// How to enter a tournament.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    /// The invitation, if the tournament needs one.
    #[serde(default)]
    invitation: Option<String>,
}

/// A player to remove.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct Removal {
    /// The name.
    player: String,
}

/// The corrected result of a game.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct CorrectedGame {
    /// The id of the game: a finished one, or one of a round.
    game: String,
    result: Correction,
}

/// Which players to return.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct TournamentQuery {
    /// The most players in the answer; 100 if it is absent.
    #[cfg_attr(test, schemars(range(min = 1, max = 1000)))]
    limit: Option<usize>,
    /// A player to return in any case.
    player: Option<String>,
    /// The round whose pairings to return; the last one if it is absent.
    #[cfg_attr(test, schemars(range(min = 1)))]
    round: Option<i64>,
}

impl TournamentEntry {
    fn new(tournament: &Tournament) -> TournamentEntry {
        let plan = &tournament.plan;
        TournamentEntry {
            id: tournament.id.to_string(),
            name: plan.name.clone(),
            format: plan.format,
            entrants: plan.entrants,
            clock: plan.clock.to_string(),
            speed: Speed::of(plan.clock),
            rated: plan.is_rated,
            openings: plan.has_openings,
            max_rating: plan.max_rating,
            by_invitation: !tournament.invitation.is_empty(),
            invitation: None,
            starts_ms: plan.starts_at.0,
            ends_ms: plan.ends_at.0,
            round: tournament.drawn,
            rounds: plan.rounds.count,
            games_per_pairing: plan.rounds.games,
            wait_minutes: plan.rounds.wait_ms / MINUTE,
            break_minutes: plan.rounds.break_ms / MINUTE,
            stage: tournament.stage(UnixMillis::now()),
            organiser: tournament.organiser.clone(),
            players: tournament.players,
            event: tournament.id.event(),
        }
    }

    /// With the invitation.
    fn for_organiser(tournament: &Tournament) -> TournamentEntry {
        let invitation = Some(tournament.invitation.clone()).filter(|text| !text.is_empty());
        TournamentEntry {
            invitation,
            ..TournamentEntry::new(tournament)
        }
    }
}

impl From<&StandingsPlayer> for TournamentPlayer {
    fn from(player: &StandingsPlayer) -> TournamentPlayer {
        TournamentPlayer {
            place: player.place,
            name: player.name.clone(),
            points: player.points,
            scores: player.scores.clone(),
            wins: player.wins,
            draws: player.draws,
            streak: player.is_on_streak,
            tie_breaks: player.tie_breaks.clone(),
            left: player.has_left,
        }
    }
}

impl Pairings {
    fn new(round: &StoredRound, wait_ms: i64) -> Pairings {
        Pairings {
            round: round.number,
            drawn_ms: round.drawn_at.0,
            boards: { round.boards.iter() }
                .map(|board| BoardEntry::new(board, round, wait_ms))
                .collect(),
        }
    }
}

impl BoardEntry {
    fn new(board: &RoundBoard, round: &StoredRound, wait_ms: i64) -> BoardEntry {
        let [white, black] = board.players.clone();
        let black = Some(black).filter(|black| !black.is_empty());
        let games = board.games.iter().filter(|_| black.is_some());
        let waits = board
            .next_game()
            .is_some_and(|(_, game)| black.is_some() && game.state != GameState::Begun);
        let until = board.waits_since(round.drawn_at).0.saturating_add(wait_ms);
        BoardEntry {
            games: games.map(BoardGame::from).collect(),
            until_ms: waits.then_some(until),
            white,
            black,
        }
    }
}

impl From<&RoundGame> for BoardGame {
    fn from(game: &RoundGame) -> BoardGame {
        let (state, result) = match game.state {
            GameState::Open | GameState::Lost => (BoardState::Waiting, None),
            GameState::Begun => (BoardState::Playing, None),
            GameState::Decided {
                outcome, is_played, ..
            } => match is_played {
                true => (BoardState::Played, Some(outcome.into())),
                false => (BoardState::ByDefault, Some(outcome.into())),
            },
        };
        BoardGame {
            game: game.id.clone(),
            table: game.table().to_owned(),
            state,
            result,
        }
    }
}

impl From<TournamentError> for Problem {
    fn from(error: TournamentError) -> Problem {
        let code = match error {
            TournamentError::NotFound
            | TournamentError::NoSuchPlayer
            | TournamentError::NoSuchGame => ProblemCode::NotFound,
            TournamentError::TooMany | TournamentError::Full => ProblemCode::TooManyTournaments,
            TournamentError::NotYours
            | TournamentError::Over
            | TournamentError::Begun
            | TournamentError::TooStrong(_)
            | TournamentError::OtherEntrants(_)
            | TournamentError::NotInvited
            | TournamentError::Removed => ProblemCode::NotAllowed,
            TournamentError::NoRandomness(_) => ProblemCode::Busy,
            TournamentError::Store(error) => return error.into(),
        };
        Problem::new(code, error.to_string())
    }
}

/// The routes under `/api/account/tournaments`.
pub(super) fn router() -> Router<Arc<HttpState>> {
    Router::new()
        .route("/", only(get(of_owner).post(create), "GET, HEAD, POST"))
        .route("/{id}/enter", only(post(enter), "POST"))
        .route("/{id}/leave", only(post(leave), "POST"))
        .route("/{id}/start", only(post(start), "POST"))
        .route("/{id}/pause", only(post(pause), "POST"))
        .route("/{id}/resume", only(post(resume), "POST"))
        .route("/{id}/end", only(post(end), "POST"))
        .route("/{id}/remove", only(post(remove), "POST"))
        .route("/{id}/correct", only(post(correct), "POST"))
}

/// `GET /api/tournaments`: the tournaments that run, that are to come, and that are over.
pub(super) async fn list(State(shared): State<Arc<HttpState>>) -> Result<Response, Problem> {
    let list = tournaments(&shared)?.list().await?;
    let tournaments = list.iter().map(TournamentEntry::new).collect();
    Ok(json(&TournamentList { tournaments }))
}

/// `GET /api/tournaments/{id}`: a tournament with its standings.
pub(super) async fn one(
    State(shared): State<Arc<HttpState>>,
    InPath(text): InPath,
    Parameters(query): Parameters<TournamentQuery>,
) -> Result<Response, Problem> {
    let tournaments = tournaments(&shared)?;
    let tournament = tournaments.find(id(&text)?).await?;
    let standings = tournaments.standings(&tournament).await?;
    let limit = query.limit.unwrap_or(PLAYERS);
    let player = query.player.as_deref();
    let player = player.and_then(|name| standings.player(name));
    let running = running(&shared, &tournament, |name| {
        standings.player(name).map(|player| player.place)
    });
    let round = match query.round {
        Some(number) => standings.rounds.iter().find(|round| round.number == number),
        None => standings.rounds.last(),
    };
    Ok(json(&TournamentPage {
        pairings: round.map(|round| Pairings::new(round, tournament.plan.rounds.wait_ms)),
        tournament: TournamentEntry::new(&tournament),
        games: standings.games,
        standings: (standings.players.iter().take(limit))
            .map(TournamentPlayer::from)
            .collect(),
        player: player.map(TournamentPlayer::from),
        running,
    }))
}

/// The first running games by the place of the better player.
fn running(
    shared: &HttpState,
    tournament: &Tournament,
    place: impl Fn(&str) -> Option<usize>,
) -> Vec<RunningGame> {
    let mut games: Vec<(usize, RunningGame)> = Vec::new();
    for table in shared.tables.tables_of(&tournament.id.event()) {
        let status = table.status();
        if status.phase == TablePhase::Running
            && let (Some(white), Some(black)) = (&status.seats.white, &status.seats.black)
        {
            let places = [&white.name, &black.name].map(|name| place(name));
            let best = places.into_iter().flatten().min();
            let game = RunningGame {
                table: table.id().to_owned(),
                white: white.name.to_string(),
                black: black.name.to_string(),
            };
            games.push((best.unwrap_or(usize::MAX), game));
        }
    }
    games.sort_by(|(place, game), (other, of)| (place, &game.table).cmp(&(other, &of.table)));
    games.truncate(GAMES);
    games.into_iter().map(|(_, game)| game).collect()
}

/// `GET /api/account/tournaments`: the tournaments that the account organises.
async fn of_owner(
    State(shared): State<Arc<HttpState>>,
    Organiser(session): Organiser,
) -> Result<Response, Problem> {
    let own = tournaments(&shared)?.of_owner(session.account).await?;
    let own = own.iter();
    let tournaments = own.map(TournamentEntry::for_organiser).collect();
    Ok(json(&TournamentList { tournaments }))
}

/// `POST /api/account/tournaments`: creates a tournament.
async fn create(
    State(shared): State<Arc<HttpState>>,
    Organiser(session): Organiser,
    JsonBody(wanted): JsonBody<NewTournament>,
) -> Result<Response, Problem> {
    let bad = |message: String| Problem::new(ProblemCode::BadQuery, message);
    let clock = wanted.clock.parse();
    let clock = clock.map_err(|error| bad(format!("clock: {error}")))?;
    let plan = TournamentSettings {
        name: wanted.name,
        format: wanted.format,
        entrants: wanted.entrants,
        clock,
        is_rated: wanted.rated,
        has_openings: wanted.openings,
        max_rating: wanted.max_rating,
        starts_at: UnixMillis(wanted.starts_ms),
        ends_at: UnixMillis(0),
        rounds: Rounds::default(),
    };
    let lengths = Lengths {
        minutes: wanted.minutes,
        rounds: wanted.rounds,
        games: wanted.games_per_pairing,
        wait_minutes: wanted.wait_minutes,
        break_minutes: wanted.break_minutes,
    };
    let plan = plan.checked(lengths, UnixMillis::now());
    let plan = plan.map_err(|error| bad(error.to_string()))?;
    let tournaments = tournaments(&shared)?;
    let made = tournaments.create(session.account, &plan, wanted.by_invitation);
    Ok(json(&TournamentEntry::for_organiser(&made.await?)))
}

/// `POST /api/account/tournaments/{id}/enter`: enters a tournament.
async fn enter(
    State(shared): State<Arc<HttpState>>,
    SignedInAs(session): SignedInAs,
    InPath(text): InPath,
    JsonBody(Entry { invitation }): JsonBody<Entry>,
) -> Result<Response, Problem> {
    session.scopes.check(Scope::Tournament)?;
    if let (Some(moderation), Identity::Account(key)) = (&shared.moderation, &session.identity) {
        moderation.check_may_play(*key).await?;
    }
    let entered = tournaments(&shared)?.enter(id(&text)?, &session.name, invitation.as_deref());
    Ok(json(&TournamentEntry::new(&entered.await?)))
}

/// `POST /api/account/tournaments/{id}/leave`: leaves a tournament. A running game goes on.
async fn leave(
    State(shared): State<Arc<HttpState>>,
    SignedInAs(session): SignedInAs,
    InPath(text): InPath,
) -> Result<Response, Problem> {
    session.scopes.check(Scope::Tournament)?;
    let id = id(&text)?;
    tournaments(&shared)?.leave(id, &session.name).await?;
    shared.lobby.leave_tournaments(session.name).await;
    Ok(json(&Done { done: true }))
}

/// `POST /api/account/tournaments/{id}/start`: the tournament starts now, and not later.
async fn start(
    State(shared): State<Arc<HttpState>>,
    Organiser(session): Organiser,
    InPath(text): InPath,
) -> Result<Response, Problem> {
    change(&shared, session.account, &text, TournamentChange::Start).await
}

/// `POST /api/account/tournaments/{id}/pause`: no games begin until the tournament is resumed.
async fn pause(
    State(shared): State<Arc<HttpState>>,
    Organiser(session): Organiser,
    InPath(text): InPath,
) -> Result<Response, Problem> {
    change(&shared, session.account, &text, TournamentChange::Pause).await
}

/// `POST /api/account/tournaments/{id}/resume`: games begin again.
async fn resume(
    State(shared): State<Arc<HttpState>>,
    Organiser(session): Organiser,
    InPath(text): InPath,
) -> Result<Response, Problem> {
    change(&shared, session.account, &text, TournamentChange::Resume).await
}

/// `POST /api/account/tournaments/{id}/end`: ends the tournament now.
async fn end(
    State(shared): State<Arc<HttpState>>,
    Organiser(session): Organiser,
    InPath(text): InPath,
) -> Result<Response, Problem> {
    change(&shared, session.account, &text, TournamentChange::End).await
}

async fn change(
    shared: &HttpState,
    account: i64,
    text: &str,
    change: TournamentChange,
) -> Result<Response, Problem> {
    let tournaments = tournaments(shared)?;
    let changed = tournaments.change(account, id(text)?, change).await?;
    Ok(json(&TournamentEntry::for_organiser(&changed)))
}

/// `POST /api/account/tournaments/{id}/remove`: removes a player, who cannot enter again.
async fn remove(
    State(shared): State<Arc<HttpState>>,
    Organiser(session): Organiser,
    InPath(text): InPath,
    JsonBody(Removal { player }): JsonBody<Removal>,
) -> Result<Response, Problem> {
    let id = id(&text)?;
    let tournaments = tournaments(&shared)?;
    tournaments.remove(session.account, id, &player).await?;
    shared.lobby.leave_tournaments(player).await;
    Ok(json(&Done { done: true }))
}

/// `POST /api/account/tournaments/{id}/correct`: corrects the result of a finished game, or decides one of a round.
async fn correct(
    State(shared): State<Arc<HttpState>>,
    Organiser(session): Organiser,
    InPath(text): InPath,
    JsonBody(CorrectedGame { game, result }): JsonBody<CorrectedGame>,
) -> Result<Response, Problem> {
    let tournaments = tournaments(&shared)?;
    let corrected = tournaments.correct(session.account, id(&text)?, &game, result);
    corrected.await?;
    Ok(json(&Done { done: true }))
}

fn id(text: &str) -> Result<TournamentId, Problem> {
    text.parse().map_err(|_| TournamentError::NotFound.into())
}

fn tournaments(shared: &HttpState) -> Result<&Tournaments, Problem> {
    let nothing = || Problem::new(ProblemCode::NoArchive, "this server keeps no games");
    shared.tournaments.as_deref().ok_or_else(nothing)
}

/// What an account organises, and the ids of what it has entered.
pub(super) async fn of_account(
    shared: &HttpState,
    account: i64,
    name: &str,
) -> Result<(Vec<TournamentEntry>, Vec<String>), Problem> {
    let Some(tournaments) = &shared.tournaments else {
        return Ok(Default::default());
    };
    let own = tournaments.of_owner(account).await?;
    let own = own.iter().map(TournamentEntry::for_organiser).collect();
    Ok((own, tournaments.entered_by(name).await?))
}
