//! The standings of a tournament, from its games.

use std::collections::HashMap;

use checkers_lib::protocol::GameResult;
use pairings::arena::{self, Score};
use pairings::{Game, Outcome};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::task::spawn_blocking;

use super::Tournament;
use crate::store::{ReadError, Row, Sql, Statement};

/// The players of a tournament in the order of their places.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Standings {
    /// How many games count.
    pub(crate) games: usize,
    pub(crate) players: Vec<Player>,
    /// The index of each player, by name.
    by_name: HashMap<String, usize>,
}

/// A player of a tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Player {
    /// From 1; equal players share it.
    pub(crate) place: usize,
    pub(crate) name: String,
    pub(crate) has_left: bool,
    pub(crate) score: Score,
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Correction {
    WhiteWon,
    Draw,
    BlackWon,
    /// The game does not count.
    Void,
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

    fn outcome(self) -> Option<Outcome> {
        match self {
            Correction::WhiteWon => Some(Outcome::White),
            Correction::Draw => Some(Outcome::Draw),
            Correction::BlackWon => Some(Outcome::Black),
            Correction::Void => None,
        }
    }
}

impl Standings {
    /// Reads the games that ended before the tournament did.
    pub(super) async fn read(
        tables: &dyn Sql,
        tournament: &Tournament,
    ) -> Result<Standings, ReadError> {
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
        let computing = spawn_blocking(move || Standings::of(&players, &corrections, &games));
        computing.await.map_err(|_| ReadError::Cancelled)
    }

    fn of(players: &[Row], corrections: &[Row], games: &[Row]) -> Standings {
        let number: HashMap<&str, usize> = { players.iter().enumerate() }
            .map(|(number, player)| (player.text(0), number))
            .collect();
        let corrected: HashMap<&str, Correction> = { corrections.iter() }
            .filter_map(|row| {
                let is_it = |correction: &Correction| correction.name() == row.text(1);
                Some((row.text(0), Correction::ALL.into_iter().find(is_it)?))
            })
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
        let ranked: Vec<usize> = (0..players.len())
            .filter(|&player| state(player) != PlayerState::Removed)
            .collect();
        let of_ranked: Vec<Score> = ranked
            .iter()
            .map(|&player| scores[player].clone())
            .collect();
        let players: Vec<Player> = { arena::ranking(&of_ranked).into_iter() }
            .map(|(place, at)| Player {
                place,
                name: players[ranked[at]].text(0).to_owned(),
                has_left: state(ranked[at]) == PlayerState::Out,
                score: of_ranked[at].clone(),
            })
            .collect();
        let by_name = players.iter().enumerate();
        let by_name = by_name.map(|(at, player)| (player.name.clone(), at));
        Standings {
            games: games.len(),
            by_name: by_name.collect(),
            players,
        }
    }

    /// The player with this name.
    pub(crate) fn player(&self, name: &str) -> Option<&Player> {
        self.by_name.get(name).map(|&at| &self.players[at])
    }
}

fn outcome(result: &str) -> Option<Outcome> {
    match GameResult::from_name(result)? {
        GameResult::WhiteWon => Some(Outcome::White),
        GameResult::Draw => Some(Outcome::Draw),
        GameResult::BlackWon => Some(Outcome::Black),
        GameResult::Interrupted => None,
    }
}
