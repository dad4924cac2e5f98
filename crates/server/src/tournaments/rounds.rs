//! Tournaments in rounds: draws rounds when they are due, and reads what their games say.
//!
//! The pairings of a round are stored before its games begin, each with the id of its game. What a game says follows from
//! the archive and the corrections, so that a server that ends at any time loses no pairing and counts no game twice.

mod stored;

use checkers_lib::{ByColor, TimeControl};
use pairings::rounds::{self, System};
use tokio::task::spawn_blocking;

use super::standings::Correction;
use super::{Format, Tournament, TournamentError, TournamentId, Tournaments};
use crate::lobby::secrets::{draw_number, draw_table_id};
use crate::store::{ReadError, Statement, UnixMillis};
use crate::table::stream::game_id;
pub(crate) use stored::{
    Board, Entrant, GameState, Round, RoundGame, Which, history, participants, read_entrants,
    read_rounds,
};

/// A tournament that still lacks players ends so long after its start.
const LACKING: i64 = 3600 * 1000;

/// The most games that decide a level pairing of a knockout.
const PLAYOFFS: usize = 2;

/// A game that can begin when both players are there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct DueGame {
    pub(crate) tournament: TournamentId,
    /// Its table.
    pub(crate) table: String,
    /// The names of its players.
    pub(crate) players: ByColor<String>,
    pub(crate) clock: TimeControl,
    pub(crate) is_rated: bool,
    /// A random number that chooses the opening, if there is one.
    pub(crate) opening: Option<u32>,
    /// How long it waits for its players.
    pub(crate) wait_ms: i64,
    /// After this time, who does not come loses.
    pub(crate) until: UnixMillis,
}

/// A result without a game, because a player did not come.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ByDefault {
    pub(crate) tournament: TournamentId,
    pub(crate) table: String,
    pub(crate) result: Correction,
}

impl Tournament {
    /// How players are paired; `None` for an arena.
    pub(super) fn system(&self) -> Option<System> {
        let settings = self.plan.rounds;
        let count = settings.count as usize;
        match self.plan.format {
            Format::Arena => None,
            Format::Swiss => Some(System::Swiss {
                rounds: count,
                has_both_colors: settings.games.is_multiple_of(2),
            }),
            Format::RoundRobin => Some(System::RoundRobin { cycles: count }),
            Format::Knockout => Some(System::Knockout),
        }
    }
}

impl Tournaments {
    /// Does what is due in a tournament in rounds that runs: draws the next round, adds a game to a level pairing of a
    /// knockout, gives a new id to a game that was lost, or ends the tournament. Returns the games that can begin.
    pub(super) async fn organise(
        &self,
        tournament: &Tournament,
        system: System,
        now: UnixMillis,
    ) -> Result<Vec<DueGame>, TournamentError> {
        let last = read_rounds(&*self.tables, tournament.id, Which::Last).await?;
        let Some(round) = last.last() else {
            let starts_at = tournament.plan.starts_at.0;
            if tournament.players >= 2 {
                self.draw_round(tournament, system, (0, now)).await?;
            } else if now.0 > starts_at + LACKING {
                self.finish(tournament, now).await?;
            }
            return Ok(Vec::new());
        };
        for lost in round.games().filter(|game| game.state == GameState::Lost) {
            self.renew(lost).await?;
        }
        let decided: Option<Vec<UnixMillis>> = { round.boards.iter() }
            .map(|board| board.decided_at(round.drawn_at))
            .collect();
        let Some(decided) = decided else {
            return Ok(round.due_games(tournament));
        };
        if system == System::Knockout && self.add_playoffs(tournament, round).await? {
            return Ok(Vec::new());
        }
        let last = decided.into_iter().max().unwrap_or(round.drawn_at).0;
        if now.0 >= last.saturating_add(tournament.plan.rounds.break_ms) {
            let last = (round.number, now);
            self.draw_round(tournament, system, last).await?;
        }
        Ok(Vec::new())
    }

    /// Draws the round after the last one, or ends the tournament.
    async fn draw_round(
        &self,
        tournament: &Tournament,
        system: System,
        (last, now): (i64, UnixMillis),
    ) -> Result<(), TournamentError> {
        let rounds = read_rounds(&*self.tables, tournament.id, Which::All).await?;
        if rounds.last().map_or(0, |round| round.number) != last {
            // Another node has drawn it.
            return Ok(());
        }
        let entrants = read_entrants(&*self.tables, tournament.id).await?;
        let entrants = participants(entrants, system, &rounds);
        let number = rounds.len() + 1;
        let drawing = spawn_blocking(move || {
            let is_in: Vec<bool> = entrants.iter().map(Entrant::is_in).collect();
            let next = rounds::next_round(system, &is_in, &history(&entrants, &rounds));
            (entrants, next)
        });
        let (entrants, next) = drawing.await.map_err(|_| ReadError::Cancelled)?;
        let Some(next) = next.filter(|next| !next.is_empty()) else {
            return Ok(self.finish(tournament, now).await?);
        };
        let id = || tournament.id.to_string().into();
        // Another node may have drawn the same round.
        let insert_round = Statement::new(
            "INSERT INTO tournament_round (tournament, round, drawn_at, opening) VALUES ($1, $2, $3, $4)
             ON CONFLICT (tournament, round) DO NOTHING RETURNING round",
            vec![
                id(),
                (number as i64).into(),
                now.0.into(),
                i64::from(draw_number()).into(),
            ],
        );
        let mut statements = vec![insert_round.required()];
        for (board, pairing) in (1..).zip(&next) {
            let white = &entrants[pairing.white];
            let black = pairing.black.map(|black| &entrants[black]);
            for part in 1..=tournament.plan.rounds.games.max(1) {
                let game = self.new_game_id()?;
                let mut names = [white.name.as_str(), black.map_or("", |black| &black.name)];
                if part.is_multiple_of(2) && black.is_some() {
                    names.reverse();
                }
                if let Some(result) = default_of([Some(white), black], part) {
                    statements.push(decide(tournament.id, &game, result, now));
                }
                let place = (number as i64, board, i64::from(part));
                statements.push(insert_game(tournament.id, place, names, game));
                if black.is_none() {
                    break;
                }
            }
        }
        self.tables.transact(statements).await?;
        self.latest.lock().await.remove(&tournament.id);
        Ok(())
    }

    /// Adds a game to each level pairing of a round of a knockout that has not had enough of them. Returns whether there
    /// was one.
    async fn add_playoffs(
        &self,
        tournament: &Tournament,
        round: &Round,
    ) -> Result<bool, TournamentError> {
        let most = tournament.plan.rounds.games as usize + PLAYOFFS;
        let number = |name: &str| Some(usize::from(name.is_empty()));
        let mut statements = Vec::new();
        for (board, pairing) in (1..).zip(&round.boards) {
            let meeting = pairing.meeting(number);
            let is_level = meeting.is_some_and(|meeting| meeting.is_level() && meeting.played > 0);
            let Some(last) = pairing.games.last() else {
                continue;
            };
            if is_level && pairing.games.len() < most {
                let place = (round.number, board, pairing.games.len() as i64 + 1);
                let names = [last.black.as_str(), last.white.as_str()];
                let game = self.new_game_id()?;
                statements.push(insert_game(tournament.id, place, names, game));
            }
        }
        let is_any = !statements.is_empty();
        if is_any {
            self.tables.transact(statements).await?;
        }
        Ok(is_any)
    }

    /// The tournament is over.
    async fn finish(&self, tournament: &Tournament, now: UnixMillis) -> Result<(), ReadError> {
        let finish = Statement::new(
            "UPDATE tournament SET ends_at = $1 WHERE id = $2 AND ends_at > $1",
            vec![now.0.into(), tournament.id.to_string().into()],
        );
        self.tables.transact(vec![finish]).await?;
        self.latest.lock().await.remove(&tournament.id);
        Ok(())
    }

    /// Gives a game another id, so that it can be played again.
    async fn renew(&self, game: &RoundGame) -> Result<(), TournamentError> {
        let renew = Statement::new(
            "UPDATE tournament_game SET game = $1 WHERE game = $2",
            vec![self.new_game_id()?.into(), game.id.as_str().into()],
        );
        self.tables.transact(vec![renew]).await?;
        Ok(())
    }

    /// Decides games to which players did not come, unless they have begun.
    pub(crate) async fn decide_by_default(&self, decided: Vec<ByDefault>) -> Result<(), ReadError> {
        let now = UnixMillis::now();
        for ByDefault {
            tournament,
            table,
            result,
        } in decided
        {
            let game = game_id(&table, 1);
            let has_not_begun = Statement::new(
                "SELECT round FROM tournament_game WHERE game = $1
                 AND NOT EXISTS (SELECT 1 FROM stream WHERE stream.name = tournament_game.game)",
                vec![game.as_str().into()],
            );
            let decide = decide(tournament, &game, result, now);
            self.tables
                .transact(vec![has_not_begun.required(), decide])
                .await?;
            self.latest.lock().await.remove(&tournament);
        }
        Ok(())
    }

    fn new_game_id(&self) -> Result<String, getrandom::Error> {
        Ok(game_id(&draw_table_id()?, 1))
    }
}

impl Round {
    fn games(&self) -> impl Iterator<Item = &RoundGame> {
        self.boards.iter().flat_map(|board| &board.games)
    }

    /// The games that can begin.
    fn due_games(&self, tournament: &Tournament) -> Vec<DueGame> {
        let due = |board: &Board| {
            let (game, before) = board.next_game()?;
            let since = before.map_or(self.drawn_at, |before| before.max(self.drawn_at));
            let since = since.max(tournament.resumed_at).0;
            let plan = &tournament.plan;
            (game.state == GameState::Open && !game.black.is_empty()).then(|| DueGame {
                tournament: tournament.id,
                table: game.table().to_owned(),
                players: ByColor {
                    white: game.white.clone(),
                    black: game.black.clone(),
                },
                clock: plan.clock,
                is_rated: plan.is_rated,
                opening: plan.has_openings.then_some(self.opening),
                wait_ms: plan.rounds.wait_ms,
                until: UnixMillis(since.saturating_add(plan.rounds.wait_ms)),
            })
        };
        self.boards.iter().filter_map(due).collect()
    }
}

/// The result of a game of which a player has left, if one has.
fn default_of(players: [Option<&Entrant>; 2], part: u32) -> Option<Correction> {
    let [Some(white), Some(black)] = players else {
        return None;
    };
    let mut is_in = [white.is_in(), black.is_in()];
    if part.is_multiple_of(2) {
        is_in.reverse();
    }
    match is_in {
        [true, true] => None,
        [true, false] => Some(Correction::WhiteWon),
        [false, true] => Some(Correction::BlackWon),
        [false, false] => Some(Correction::Void),
    }
}

fn insert_game(
    tournament: TournamentId,
    (round, board, part): (i64, i64, i64),
    [white, black]: [&str; 2],
    game: String,
) -> Statement {
    Statement::new(
        "INSERT INTO tournament_game (tournament, round, board, part, white, black, game)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (tournament, round, board, part) DO NOTHING",
        vec![
            tournament.to_string().into(),
            round.into(),
            board.into(),
            part.into(),
            white.into(),
            black.into(),
            game.into(),
        ],
    )
}

/// Decides a game that nothing has decided.
fn decide(tournament: TournamentId, game: &str, result: Correction, now: UnixMillis) -> Statement {
    Statement::new(
        "INSERT INTO tournament_correction (tournament, game, result, corrected_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (tournament, game) DO NOTHING",
        vec![
            tournament.to_string().into(),
            game.into(),
            result.name().into(),
            now.0.into(),
        ],
    )
}

#[cfg(test)]
mod tests;
