//! The standings of a tournament, from its games.

use std::collections::HashMap;

use checkers_lib::protocol::GameResult;
use event_store::{ReadError, Row, Sql, Statement};
use pairings::{Game, GameOutcome, arena, rounds};
#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::task::spawn_blocking;

use super::Tournament;
use super::rounds::{Entrant, StoredRound, history, participants, read_entrants, read_rounds};

/// The players of a tournament in the order of their places.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct TournamentStandings {
    /// How many games count.
    pub(crate) games: usize,
    pub(crate) players: Vec<StandingsPlayer>,
    /// The rounds that have been drawn; an arena has none.
    pub(crate) rounds: Vec<StoredRound>,
    /// The index of each player, by name.
    by_name: HashMap<String, usize>,
}

/// A player of a tournament.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct StandingsPlayer {
    /// From 1; equal players share it.
    pub(crate) place: usize,
    pub(crate) name: String,
    pub(crate) has_left: bool,
    pub(crate) points: u32,
    /// The points of each game of an arena, or of each round; `None` of a round without the player.
    pub(crate) scores: Vec<Option<u32>>,
    /// Games won in an arena, otherwise pairings.
    pub(crate) wins: u32,
    pub(crate) draws: u32,
    /// Whether the points of the next game of an arena count twice.
    pub(crate) is_on_streak: bool,
    /// Games with White minus games with Black, in an arena.
    pub(crate) balance: i32,
    /// What decides between players with equal points, the most important first.
    pub(crate) tie_breaks: Vec<f64>,
}

/// Whether a player plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PlayerState {
    In,
    /// The player has left, and may come back.
    Out,
    /// The organiser has removed the player.
    Removed,
}

impl PlayerState {
    pub(super) fn of_name(name: &str) -> PlayerState {
        match name {
            "in" => PlayerState::In,
            "out" => PlayerState::Out,
            _ => PlayerState::Removed,
        }
    }
}

/// What the organiser decides about a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum Correction {
    WhiteWon,
    Draw,
    BlackWon,
    /// The game does not count.
    Void,
}

impl From<Option<GameOutcome>> for Correction {
    fn from(outcome: Option<GameOutcome>) -> Correction {
        match outcome {
            Some(GameOutcome::White) => Correction::WhiteWon,
            Some(GameOutcome::Draw) => Correction::Draw,
            Some(GameOutcome::Black) => Correction::BlackWon,
            None => Correction::Void,
        }
    }
}

impl Correction {
    const ALL: [Correction; 4] = [
        Correction::WhiteWon,
        Correction::Draw,
        Correction::BlackWon,
        Correction::Void,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Correction::WhiteWon => "white_won",
            Correction::Draw => "draw",
            Correction::BlackWon => "black_won",
            Correction::Void => "void",
        }
    }

    pub(super) fn of_name(name: &str) -> Option<Correction> {
        let mut all = Correction::ALL.into_iter();
        all.find(|correction| correction.name() == name)
    }

    pub(super) fn result(self) -> GameResult {
        match self {
            Correction::WhiteWon => GameResult::WhiteWon,
            Correction::Draw => GameResult::Draw,
            Correction::BlackWon => GameResult::BlackWon,
            Correction::Void => GameResult::Interrupted,
        }
    }

    pub(super) fn outcome(self) -> Option<GameOutcome> {
        match self {
            Correction::WhiteWon => Some(GameOutcome::White),
            Correction::Draw => Some(GameOutcome::Draw),
            Correction::BlackWon => Some(GameOutcome::Black),
            Correction::Void => None,
        }
    }
}

impl TournamentStandings {
    /// Reads the games.
    pub(super) async fn read(
        tables: &dyn Sql,
        tournament: &Tournament,
    ) -> Result<TournamentStandings, ReadError> {
        match tournament.system() {
            None => TournamentStandings::read_arena(tables, tournament).await,
            Some(system) => {
                let rounds = read_rounds(tables, tournament.id, 0).await?;
                let entrants = read_entrants(tables, tournament.id).await?;
                let entrants = participants(entrants, system, &rounds);
                let computing = spawn_blocking(move || {
                    TournamentStandings::of_rounds(system, &entrants, rounds)
                });
                computing.await.map_err(|_| ReadError::Cancelled)
            }
        }
    }

    fn of_rounds(
        system: rounds::System,
        entrants: &[Entrant],
        rounds: Vec<StoredRound>,
    ) -> TournamentStandings {
        let history = history(entrants, &rounds);
        let scores = rounds::scores(system, entrants.len(), &history);
        let games = history.iter().flatten().map(|meeting| meeting.played);
        let games = games.sum::<u32>() as usize;
        let state = |player: usize| entrants[player].state;
        let ranking = ranked(&scores, state, |scores| rounds::ranking(system, scores));
        let player = |(place, at): (usize, usize)| {
            let (entrant, score) = (&entrants[at], &scores[at]);
            StandingsPlayer {
                place,
                name: entrant.name.clone(),
                has_left: entrant.state == PlayerState::Out,
                points: score.points,
                scores: score.rounds.clone(),
                wins: score.wins,
                draws: score.draws,
                is_on_streak: false,
                balance: 0,
                tie_breaks: score.tie_breaks.iter().map(|&value| value.into()).collect(),
            }
        };
        TournamentStandings {
            rounds,
            ..TournamentStandings::new(games, ranking.into_iter().map(player).collect())
        }
    }

    fn new(games: usize, players: Vec<StandingsPlayer>) -> TournamentStandings {
        let by_name = players.iter().enumerate();
        let by_name = by_name.map(|(at, player)| (player.name.clone(), at));
        TournamentStandings {
            games,
            by_name: by_name.collect(),
            players,
            rounds: Vec::new(),
        }
    }

    /// Reads the games that ended before the arena did.
    async fn read_arena(
        tables: &dyn Sql,
        tournament: &Tournament,
    ) -> Result<TournamentStandings, ReadError> {
        let id = || tournament.id.to_string().into();
        let players = Statement::new(
            "SELECT name, state FROM tournament_player WHERE tournament = $1 ORDER BY number",
            vec![id()],
        );
        let corrections = Statement::new(
            "SELECT game, result FROM tournament_correction WHERE tournament = $1",
            vec![id()],
        );
        let games = Statement::new(
            "SELECT stream.name, coalesce(white, ''), coalesce(black, ''), game.result
             FROM participant JOIN game ON game.stream = participant.stream JOIN stream ON stream.id = game.stream
             WHERE role = 'event' AND participant.name = $1 AND participant.finished_at <= $2
             ORDER BY participant.finished_at, participant.stream",
            vec![
                tournament.id.event().into(),
                tournament.plan.ends_at.0.into(),
            ],
        );
        let players = tables.select(players).await?;
        let corrections = tables.select(corrections).await?;
        let games = tables.select(games).await?;
        let computing =
            spawn_blocking(move || TournamentStandings::of(&players, &corrections, &games));
        computing.await.map_err(|_| ReadError::Cancelled)
    }

    fn of(players: &[Row], corrections: &[Row], games: &[Row]) -> TournamentStandings {
        let number: HashMap<&str, usize> = { players.iter().enumerate() }
            .map(|(number, player)| (player.text(0), number))
            .collect();
        let corrected: HashMap<&str, Correction> = { corrections.iter() }
            .filter_map(|row| Some((row.text(0), Correction::of_name(row.text(1))?)))
            .collect();
        let game = |row: &Row| {
            let outcome = match corrected.get(row.text(0)) {
                Some(correction) => correction.outcome(),
                None => outcome(row.text(3)),
            };
            Some(Game {
                players: [*number.get(row.text(1))?, *number.get(row.text(2))?],
                outcome: outcome?,
            })
        };
        let games: Vec<Game> = games.iter().filter_map(game).collect();
        let scores = arena::scores(players.len(), &games);
        let state = |player: usize| PlayerState::of_name(players[player].text(1));
        let ranking = ranked(&scores, state, arena::ranking);
        let players: Vec<StandingsPlayer> = { ranking.into_iter() }
            .map(|(place, at)| {
                let score = &scores[at];
                let opponents = score.opposition as f64 / score.games.len().max(1) as f64;
                StandingsPlayer {
                    place,
                    name: players[at].text(0).to_owned(),
                    has_left: state(at) == PlayerState::Out,
                    points: score.points,
                    scores: score.games.iter().copied().map(Some).collect(),
                    wins: score.wins,
                    draws: score.draws,
                    is_on_streak: score.is_on_streak(),
                    balance: score.balance,
                    tie_breaks: vec![(opponents * 100.0).round() / 100.0],
                }
            })
            .collect();
        TournamentStandings::new(games.len(), players)
    }

    /// The player with this name.
    pub(crate) fn player(&self, name: &str) -> Option<&StandingsPlayer> {
        self.by_name.get(name).map(|&at| &self.players[at])
    }
}

/// The places and numbers of the players who were not removed, as `ranking` ranks their scores.
fn ranked<S: Clone>(
    scores: &[S],
    state: impl Fn(usize) -> PlayerState,
    ranking: impl Fn(&[S]) -> Vec<(usize, usize)>,
) -> Vec<(usize, usize)> {
    let players = 0..scores.len();
    let ranked: Vec<usize> = { players }
        .filter(|&player| state(player) != PlayerState::Removed)
        .collect();
    let of_ranked: Vec<S> = { ranked.iter() }
        .map(|&player| scores[player].clone())
        .collect();
    let ranking = ranking(&of_ranked).into_iter();
    ranking.map(|(place, at)| (place, ranked[at])).collect()
}

pub(super) fn outcome(result: &str) -> Option<GameOutcome> {
    match GameResult::from_name(result)? {
        GameResult::WhiteWon => Some(GameOutcome::White),
        GameResult::Draw => Some(GameOutcome::Draw),
        GameResult::BlackWon => Some(GameOutcome::Black),
        GameResult::Interrupted => None,
    }
}
