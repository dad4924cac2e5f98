//! What is stored of rounds, and what their games say.

use std::collections::{HashMap, HashSet};

use event_store::{ReadError, Row, Sql, Statement, UnixMillis, Value};
use pairings::GameOutcome;
use pairings::rounds::{self, Meeting, RoundsPairing, System};

use super::super::standings::{Correction, outcome};
use super::super::{PlayerState, TournamentId};

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct StoredRound {
    /// From 1.
    pub(crate) number: i64,
    pub(crate) drawn_at: UnixMillis,
    pub(super) opening: u32,
    pub(crate) boards: Vec<RoundBoard>,
}

/// A pairing of a round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RoundBoard {
    /// White and Black of the first game; Black is empty if White has a bye.
    pub(crate) players: [String; 2],
    /// Its games, the first one first. Only the last ones can be undecided.
    pub(crate) games: Vec<RoundGame>,
}

/// A game of a pairing. Colours alternate from one to the next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RoundGame {
    pub(crate) white: String,
    pub(crate) black: String,
    pub(crate) id: String,
    pub(crate) state: GameState,
}

/// What is known of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum GameState {
    /// It has not begun.
    Open,
    /// It is played, or its table waits for its players.
    Begun,
    /// It has ended without a result.
    Lost,
    Decided {
        /// `None` if both have lost.
        outcome: Option<GameOutcome>,
        at: UnixMillis,
        /// Whether there was a game.
        is_played: bool,
    },
}

/// A player as the pairings see it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Entrant {
    pub(crate) name: String,
    pub(crate) state: PlayerState,
}

impl RoundGame {
    /// The table of the game: every table of a round has one game.
    pub(crate) fn table(&self) -> &str {
        self.id
            .rsplit_once('-')
            .map_or(&self.id, |(table, _)| table)
    }
}

impl RoundBoard {
    /// The game that is to be played, or is played, with its index.
    pub(crate) fn next_game(&self) -> Option<(usize, &RoundGame)> {
        let is_open = |game: &RoundGame| !matches!(game.state, GameState::Decided { .. });
        let mut games = self.games.iter().enumerate();
        games.find(|(_, game)| is_open(game))
    }

    /// Since when the next game waits, if nothing has interrupted the waiting. `drawn_at` is when the first one began to.
    pub(crate) fn waits_since(&self, drawn_at: UnixMillis) -> UnixMillis {
        let decided = self.games.iter().filter_map(|game| match game.state {
            GameState::Decided { at, .. } => Some(at),
            _ => None,
        });
        decided
            .max()
            .map_or(drawn_at, |decided| decided.max(drawn_at))
    }

    /// What the decided games say. `None` while the first one is undecided; `number` is that of a player.
    pub(super) fn meeting(&self, number: impl Fn(&str) -> Option<usize>) -> Option<Meeting> {
        let [white, black] = &self.players;
        let mut meeting = Meeting {
            pairing: RoundsPairing {
                white: number(white)?,
                black: match black.is_empty() {
                    true => None,
                    false => Some(number(black)?),
                },
            },
            score: [0; 2],
            played: 0,
        };
        for game in &self.games {
            let GameState::Decided {
                outcome, is_played, ..
            } = game.state
            else {
                continue;
            };
            let [of_white, of_black] = match outcome {
                Some(GameOutcome::White) => [rounds::WIN, 0],
                Some(GameOutcome::Draw) => [rounds::DRAW; 2],
                Some(GameOutcome::Black) => [0, rounds::WIN],
                None => [0, 0],
            };
            let first = usize::from(game.white != *white);
            meeting.score[first] += of_white;
            meeting.score[1 - first] += of_black;
            meeting.played += u32::from(is_played);
        }
        Some(meeting)
    }

    /// The last decision, if all games are decided. `drawn_at` is that of a bye.
    pub(super) fn decided_at(&self, drawn_at: UnixMillis) -> Option<UnixMillis> {
        let decided = self.games.iter().map(|game| match game.state {
            GameState::Decided { at, .. } => Some(at),
            _ if game.black.is_empty() => Some(drawn_at),
            _ => None,
        });
        let decided: Option<Vec<UnixMillis>> = decided.collect();
        decided.map(|decided| decided.into_iter().max().unwrap_or(drawn_at))
    }
}

impl Entrant {
    pub(super) fn is_in(&self) -> bool {
        self.state == PlayerState::In
    }
}

/// Those who are paired, or have been: who has left before was not. In a round-robin and a knockout they are those of the
/// first round.
pub(crate) fn participants(
    entrants: Vec<Entrant>,
    system: System,
    rounds: &[StoredRound],
) -> Vec<Entrant> {
    let is_swiss = matches!(system, System::Swiss { .. });
    let seen = rounds.iter().flat_map(|round| &round.boards);
    let seen: HashSet<&str> = seen
        .flat_map(|board| &board.players)
        .map(|name| &**name)
        .collect();
    let is_open = is_swiss || rounds.is_empty();
    let mut entrants = entrants;
    entrants.retain(|entrant| seen.contains(&*entrant.name) || is_open && entrant.is_in());
    entrants
}

/// The decided pairings of each round, by the numbers of the players.
pub(crate) fn history(entrants: &[Entrant], rounds: &[StoredRound]) -> Vec<Vec<Meeting>> {
    let numbers: HashMap<&str, usize> = { entrants.iter().enumerate() }
        .map(|(number, entrant)| (&*entrant.name, number))
        .collect();
    let number = |name: &str| numbers.get(name).copied();
    { rounds.iter() }
        .map(|round| {
            let boards = round.boards.iter();
            let decided = boards.filter(|board| board.decided_at(round.drawn_at).is_some());
            decided.filter_map(|board| board.meeting(number)).collect()
        })
        .collect()
}

/// The players in the order of their seeding: by rating, then by the time at which they have entered.
pub(crate) async fn read_entrants(
    tables: &dyn Sql,
    tournament: TournamentId,
) -> Result<Vec<Entrant>, ReadError> {
    let select = Statement::new(
        "SELECT name, state FROM tournament_player WHERE tournament = $1 ORDER BY rating DESC, number",
        vec![tournament.to_string().into()],
    );
    let rows = tables.select(select).await?;
    let entrant = |row: &Row| Entrant {
        name: row.text(0).to_owned(),
        state: PlayerState::of_name(row.text(1)),
    };
    Ok(rows.iter().map(entrant).collect())
}

/// The names of the players who have left or were removed.
pub(crate) async fn read_gone(
    tables: &dyn Sql,
    tournament: TournamentId,
) -> Result<HashSet<String>, ReadError> {
    let select = Statement::new(
        "SELECT name FROM tournament_player WHERE tournament = $1 AND state <> 'in'",
        vec![tournament.to_string().into()],
    );
    let rows = tables.select(select).await?;
    Ok(rows.iter().map(|row| row.text(0).to_owned()).collect())
}

/// The rounds that have been drawn, from this number on.
pub(crate) async fn read_rounds(
    tables: &dyn Sql,
    tournament: TournamentId,
    least: i64,
) -> Result<Vec<StoredRound>, ReadError> {
    let id: Value = tournament.to_string().into();
    let select = |text| Statement::new(text, vec![id.clone(), least.into()]);
    let rounds = tables.select(select(
        "SELECT round, drawn_at, opening FROM tournament_round WHERE tournament = $1 AND round >= $2 ORDER BY round",
    ));
    let rounds = rounds.await?;
    let games = tables.select(select(
        "SELECT tournament_game.round, board, tournament_game.white, tournament_game.black, tournament_game.game,
            CASE WHEN stream.id IS NULL THEN 'open' WHEN stream.open THEN 'begun' ELSE 'closed' END,
            coalesce(game.result, ''), coalesce(game.finished_at, 0)
         FROM tournament_game LEFT JOIN stream ON stream.name = tournament_game.game
            LEFT JOIN game ON game.stream = stream.id
         WHERE tournament_game.tournament = $1 AND tournament_game.round >= $2
         ORDER BY tournament_game.round, board, part",
    ));
    let games = games.await?;
    let corrections = tables.select(Statement::new(
        "SELECT game, result, corrected_at FROM tournament_correction WHERE tournament = $1",
        vec![id.clone()],
    ));
    let corrections = corrections.await?;
    let corrections: HashMap<&str, &Row> = { corrections.iter() }
        .map(|row| (row.text(0), row))
        .collect();
    let mut read: Vec<StoredRound> = { rounds.iter() }
        .map(|row| StoredRound {
            number: row.integer(0),
            drawn_at: UnixMillis(row.integer(1)),
            opening: u32::try_from(row.integer(2)).unwrap_or_default(),
            boards: Vec::new(),
        })
        .collect();
    let first = read.first().map_or(0, |round| round.number);
    for row in &games {
        let number = row.integer(0);
        let board = usize::try_from(row.integer(1)).unwrap_or_default();
        // They are numbered without gaps.
        let Some(round) = usize::try_from(number - first)
            .ok()
            .and_then(|at| read.get_mut(at))
        else {
            continue;
        };
        let game = RoundGame {
            white: row.text(2).to_owned(),
            black: row.text(3).to_owned(),
            id: row.text(4).to_owned(),
            state: state_of(row, corrections.get(row.text(4)).copied()),
        };
        if round.boards.len() < board {
            round.boards.push(RoundBoard {
                players: [game.white.clone(), game.black.clone()],
                games: Vec::new(),
            });
        }
        if let Some(board) = round.boards.last_mut() {
            board.games.push(game);
        }
    }
    Ok(read)
}

/// What a row says about a game, with the correction if there is one.
fn state_of(row: &Row, correction: Option<&Row>) -> GameState {
    let archived = outcome(row.text(6));
    if let Some(corrected) = correction
        && let Some(correction) = Correction::of_name(corrected.text(1))
    {
        return GameState::Decided {
            outcome: correction.outcome(),
            at: UnixMillis(corrected.integer(2)),
            // Of a game that was decided while it was played, only the decision counts.
            is_played: archived.is_some() && row.integer(7) <= corrected.integer(2),
        };
    }
    match (row.text(5), archived) {
        ("open", _) => GameState::Open,
        ("begun", _) => GameState::Begun,
        (_, None) => GameState::Lost,
        (_, outcome) => GameState::Decided {
            outcome,
            at: UnixMillis(row.integer(7)),
            is_played: true,
        },
    }
}
