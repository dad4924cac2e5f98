//! Tournaments in rounds: draws rounds when they are due, and reads what their games say.
//!
//! The pairings of a round are stored before its games begin, each with the id of its game. What a game says follows from
//! the archive and the corrections, so that a server that ends at any time loses no pairing and counts no game twice.

mod stored;

use std::collections::HashSet;
use std::sync::LazyLock;
use std::time::Duration;

use checkers_lib::{ByColor, TimeControl};
use event_store::{ReadError, Statement, UnixMillis, Value};
use pairings::rounds::{self, System};
use tokio::task::spawn_blocking;

use super::standings::Correction;
use super::{Format, Tournament, TournamentError, TournamentId, Tournaments};
use crate::lobby::secrets::{draw_number, draw_table_id};
use crate::table::stream::game_id;
pub(crate) use stored::{
    Entrant, GameState, RoundBoard, RoundGame, StoredRound, history, participants, read_entrants,
    read_gone, read_rounds,
};

/// A tournament that still lacks players this long after its start ends.
const LACKING: i64 = 3600 * 1000;

/// The most games that decide a level pairing of a knockout.
const PLAYOFFS: usize = 2;

/// Which game of a tournament it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct GameKey {
    pub(crate) round: i64,
    /// The index of the pairing.
    pub(crate) board: usize,
    /// The index of the game.
    pub(crate) part: usize,
}

/// A game that can begin when both players are there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct DueGame {
    pub(crate) tournament: TournamentId,
    pub(crate) key: GameKey,
    pub(crate) table: String,
    /// The names of its players.
    pub(crate) players: ByColor<String>,
    pub(crate) clock: TimeControl,
    pub(crate) is_rated: bool,
    /// A random number that chooses the opening, if there is one.
    pub(crate) opening: Option<u32>,
    /// How long it waits for its players; then, who does not come loses.
    pub(crate) wait: Duration,
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
    /// The last round of a tournament, if one has been drawn.
    pub(super) async fn last_round(
        &self,
        tournament: &Tournament,
    ) -> Result<Option<StoredRound>, ReadError> {
        let mut last = read_rounds(&*self.tables, tournament.id, tournament.drawn).await?;
        Ok(last.pop())
    }

    /// Does what is due in a tournament in rounds that runs: draws the next round, adds a game to a level pairing of a
    /// knockout, gives a new id to a game that was lost, decides the games of those who have left, or ends the
    /// tournament. `round` is the last one, which may have gone on since it was read.
    pub(super) async fn organise(
        &self,
        tournament: &Tournament,
        round: Option<&StoredRound>,
        now: UnixMillis,
    ) -> Result<(), TournamentError> {
        let Some(system) = tournament.system() else {
            return Ok(());
        };
        let Some(round) = round else {
            let starts_at = tournament.plan.starts_at.0;
            if tournament.players >= 2 {
                self.draw_round(tournament, system, (0, now)).await?;
            } else if now.0 > starts_at + LACKING {
                self.finish(tournament, now).await?;
            }
            return Ok(());
        };
        for lost in round.games().filter(|game| game.state == GameState::Lost) {
            self.renew(lost).await?;
        }
        let decided: Option<Vec<UnixMillis>> = { round.boards.iter() }
            .map(|board| board.decided_at(round.drawn_at))
            .collect();
        let Some(decided) = decided else {
            let gone = read_gone(&*self.tables, tournament.id).await?;
            return Ok(self
                .decide_by_default(round.without(&gone, tournament.id))
                .await?);
        };
        if system == System::Knockout && self.add_playoffs(tournament, round).await? {
            return Ok(());
        }
        let last = decided.into_iter().max().unwrap_or(round.drawn_at).0;
        if now.0 >= last.saturating_add(tournament.plan.rounds.break_ms) {
            let last = (round.number, now);
            self.draw_round(tournament, system, last).await?;
        }
        Ok(())
    }

    /// Draws the round after the last one, or ends the tournament.
    async fn draw_round(
        &self,
        tournament: &Tournament,
        system: System,
        (last, now): (i64, UnixMillis),
    ) -> Result<(), TournamentError> {
        let rounds = read_rounds(&*self.tables, tournament.id, 0).await?;
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
        let mut games = Vec::new();
        for (board, pairing) in (1..).zip(&next) {
            let white = entrants[pairing.white].name.as_str();
            let black = pairing.black.map(|black| entrants[black].name.as_str());
            let parts = match black {
                Some(_) => tournament.plan.rounds.games.max(1),
                None => 1,
            };
            for part in 1..=parts {
                let mut names = [white, black.unwrap_or_default()];
                if part.is_multiple_of(2) {
                    names.reverse();
                }
                let place = (number as i64, board, i64::from(part));
                games.push((place, names, new_game_id()?));
            }
        }
        let mut statements = vec![insert_round.required()];
        statements.extend(insert_games(tournament.id, &games));
        self.tables
            .transact(with_present_names(tournament.id, number as i64, statements))
            .await?;
        self.latest.lock().await.remove(&tournament.id);
        Ok(())
    }

    /// Adds a game to each level pairing of a round of a knockout that has not had enough of them. Returns whether there
    /// was one.
    async fn add_playoffs(
        &self,
        tournament: &Tournament,
        round: &StoredRound,
    ) -> Result<bool, TournamentError> {
        let most = tournament.plan.rounds.games as usize + PLAYOFFS;
        let number = |name: &str| Some(usize::from(name.is_empty()));
        let mut games = Vec::new();
        for (board, pairing) in (1..).zip(&round.boards) {
            let meeting = pairing.meeting(number);
            let is_level = meeting.is_some_and(|meeting| meeting.is_level() && meeting.played > 0);
            let Some(last) = pairing.games.last() else {
                continue;
            };
            if is_level && pairing.games.len() < most {
                let place = (round.number, board, pairing.games.len() as i64 + 1);
                let names = [last.black.as_str(), last.white.as_str()];
                games.push((place, names, new_game_id()?));
            }
        }
        if games.is_empty() {
            return Ok(false);
        }
        let statements = insert_games(tournament.id, &games);
        self.tables
            .transact(with_present_names(tournament.id, round.number, statements))
            .await?;
        Ok(true)
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
            vec![new_game_id()?.into(), game.id.as_str().into()],
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
            let decided = vec![has_not_begun.required(), decide];
            self.tables.transact(decided).await?;
            self.latest.lock().await.remove(&tournament);
        }
        Ok(())
    }
}

fn new_game_id() -> Result<String, getrandom::Error> {
    Ok(game_id(&draw_table_id()?, 1))
}

impl StoredRound {
    fn games(&self) -> impl Iterator<Item = &RoundGame> {
        self.boards.iter().flat_map(|board| &board.games)
    }

    /// The games that can begin.
    pub(super) fn due_games(&self, tournament: &Tournament) -> Vec<DueGame> {
        let due = |(at, board): (usize, &RoundBoard)| {
            let (part, game) = board.next_game()?;
            let plan = &tournament.plan;
            (game.state == GameState::Open && !game.black.is_empty()).then(|| DueGame {
                tournament: tournament.id,
                key: GameKey {
                    round: self.number,
                    board: at,
                    part,
                },
                table: game.table().to_owned(),
                players: ByColor {
                    white: game.white.clone(),
                    black: game.black.clone(),
                },
                clock: plan.clock,
                is_rated: plan.is_rated,
                opening: plan.has_openings.then_some(self.opening),
                wait: Duration::from_millis(plan.rounds.wait_ms.unsigned_abs()),
            })
        };
        self.boards.iter().enumerate().filter_map(due).collect()
    }

    /// The results of the games that have not begun and of which a player is gone.
    fn without(&self, gone: &HashSet<String>, tournament: TournamentId) -> Vec<ByDefault> {
        let is_open = |game: &&RoundGame| game.state == GameState::Open && !game.black.is_empty();
        let result =
            |game: &RoundGame| match (gone.contains(&game.white), gone.contains(&game.black)) {
                (false, false) => None,
                (false, true) => Some(Correction::WhiteWon),
                (true, false) => Some(Correction::BlackWon),
                (true, true) => Some(Correction::Void),
            };
        let decided = self.games().filter(is_open).filter_map(|game| {
            Some(ByDefault {
                tournament,
                table: game.table().to_owned(),
                result: result(game)?,
            })
        });
        decided.collect()
    }
}

/// A game to be stored: its round, board and part, White and Black, and its id.
type NewGame<'a> = ((i64, i64, i64), [&'a str; 2], String);

/// Games in one statement: a large round takes thousands.
const CHUNK: usize = 50;

/// Statements for one game, and for [`CHUNK`] of them.
static INSERTS: LazyLock<[String; 2]> = LazyLock::new(|| {
    [1, CHUNK].map(|games| {
        let row = |game: usize| {
            let parameters = (1..=7).map(|column| format!("${}", 7 * game + column));
            format!("({})", parameters.collect::<Vec<_>>().join(", "))
        };
        let rows: Vec<String> = (0..games).map(row).collect();
        format!(
            "INSERT INTO tournament_game (tournament, round, board, part, white, black, game) VALUES {}
             ON CONFLICT (tournament, round, board, part) DO NOTHING",
            rows.join(", ")
        )
    })
});

/// These statements, which store games of a round, unless one of the players has got another name since it was read.
fn with_present_names(
    tournament: TournamentId,
    round: i64,
    statements: Vec<Statement>,
) -> Vec<Statement> {
    // Whoever gives a player another name waits until the games are stored, and finds them.
    let lock = Statement::new(
        "UPDATE tournament_player SET state = state WHERE tournament = $1",
        vec![tournament.to_string().into()],
    );
    let check = Statement::new(
        "SELECT CAST(1 AS bigint) WHERE NOT EXISTS (
            SELECT 1 FROM tournament_game WHERE tournament = $1 AND round = $2
                AND (white NOT IN (SELECT name FROM tournament_player WHERE tournament = $1)
                    OR black <> '' AND black NOT IN (SELECT name FROM tournament_player WHERE tournament = $1)))",
        vec![tournament.to_string().into(), round.into()],
    );
    let mut guarded = vec![lock];
    guarded.extend(statements);
    guarded.push(check.required());
    guarded
}

fn insert_games(tournament: TournamentId, games: &[NewGame<'_>]) -> Vec<Statement> {
    let row = |((round, board, part), [white, black], id): &NewGame<'_>| -> [Value; 7] {
        [
            tournament.to_string().into(),
            (*round).into(),
            (*board).into(),
            (*part).into(),
            (*white).into(),
            (*black).into(),
            id.as_str().into(),
        ]
    };
    let [one, many] = &*INSERTS;
    let chunks = games.chunks_exact(CHUNK);
    let rest = chunks.remainder().chunks(1).map(|game| (one, game));
    let statements = chunks.map(|games| (many, games)).chain(rest);
    statements
        .map(|(text, games)| Statement::new(text.as_str(), games.iter().flat_map(row).collect()))
        .collect()
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
