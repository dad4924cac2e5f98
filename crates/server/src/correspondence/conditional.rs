//! Conditional moves: answers that a player has left for moves of the opponent.
//!
//! They are lines from a position in which the opponent is to move. Whenever the opponent has moved, the moves since then
//! decide which lines are left, and the next move of one is played. So it does not matter how often, or when, this is done.

use std::time::Instant;

use checkers_lib::{Color, Position};
use event_store::{ReadError, Row, Statement};

use super::games::table_of;
use super::{Correspondence, CorrespondenceError};
use crate::table::{MoveRequest, Table, first_path, game_id};

/// The most lines for a game.
pub(crate) const MAX_LINES: usize = 50;

/// The most moves in a line.
pub(crate) const MAX_PLIES: usize = 40;

/// A line: moves with every square.
pub(crate) type ConditionalLine = Vec<String>;

impl Correspondence {
    /// The lines of an account that are left in a game.
    pub(crate) async fn lines(
        &self,
        account: i64,
        game: &str,
    ) -> Result<Vec<ConditionalLine>, CorrespondenceError> {
        let (table, _) = self.own_game(account, game).await?;
        let select = Statement::new(
            "SELECT ply, lines FROM conditional_moves WHERE game = $1 AND account = $2",
            vec![game.into(), account.into()],
        );
        let rows = self.tables.select(select).await?;
        let left = rows.first().map(|row| left(row, &table));
        Ok(left.unwrap_or_default())
    }

    /// Replaces the lines of an account in a game in which the opponent is to move. Returns them with every square.
    pub(crate) async fn set_lines(
        &self,
        account: i64,
        game: &str,
        lines: &[ConditionalLine],
    ) -> Result<Vec<ConditionalLine>, CorrespondenceError> {
        let (table, color) = self.own_game(account, game).await?;
        let state = table
            .correspondence(Instant::now())
            .filter(|state| state.turn != color);
        let (Some(state), Some(position)) = (state, table.position()) else {
            return Err(CorrespondenceError::YourTurn);
        };
        let lines = checked(lines, position)?;
        let store = if lines.is_empty() {
            Statement::new(
                "DELETE FROM conditional_moves WHERE game = $1 AND account = $2",
                vec![game.into(), account.into()],
            )
        } else {
            let text = serde_json::to_string(&lines).unwrap_or_default();
            Statement::new(
                "INSERT INTO conditional_moves (game, account, ply, lines) VALUES ($1, $2, $3, $4)
                 ON CONFLICT (game, account) DO UPDATE SET ply = excluded.ply, lines = excluded.lines",
                vec![game.into(), account.into(), i64::from(state.ply).into(), text.into()],
            )
        };
        self.tables.transact(vec![store]).await?;
        Ok(lines)
    }

    /// The move that the player to move at a table has left, if there is one, and that player's side. Forgets lines that no
    /// longer matter.
    pub(crate) async fn answer(
        &self,
        table: &str,
    ) -> Result<Option<(Color, MoveRequest)>, ReadError> {
        let game = game_id(table, 1);
        let select = Statement::new(
            "SELECT ply, lines FROM conditional_moves WHERE game = $1 AND account = (
                SELECT CASE turn WHEN 0 THEN white ELSE black END FROM correspondence WHERE game = $1)",
            vec![game.as_str().into()],
        );
        let rows = self.tables.select(select).await?;
        let Some(row) = rows.first() else {
            return Ok(None);
        };
        let Some(loaded) = self.load(table).await? else {
            return Ok(None);
        };
        let stands = &loaded.restored.table;
        let left = left(row, stands);
        let next = left.first().and_then(|line| line.first());
        let state = stands.correspondence(Instant::now());
        if let (Some(text), Some(state)) = (next, state) {
            let request = MoveRequest {
                ply: state.ply,
                text: text.clone(),
                ..MoveRequest::default()
            };
            return Ok(Some((state.turn, request)));
        }
        let forget = Statement::new(
            "DELETE FROM conditional_moves WHERE game = $1 AND ply = $2 AND lines = $3",
            vec![game.into(), row.integer(0).into(), row.text(1).into()],
        );
        self.tables.transact(vec![forget]).await?;
        Ok(None)
    }

    /// The games in which the player to move has left lines.
    pub(crate) async fn with_answers(&self) -> Result<Vec<String>, ReadError> {
        let select = "SELECT conditional_moves.game FROM conditional_moves JOIN correspondence
                ON correspondence.game = conditional_moves.game
             WHERE account = CASE turn WHEN 0 THEN white ELSE black END";
        self.games(select, Vec::new()).await
    }

    /// A running game of an account, and the account's side.
    async fn own_game(
        &self,
        account: i64,
        game: &str,
    ) -> Result<(Table, Color), CorrespondenceError> {
        let select = Statement::new(
            "SELECT white FROM correspondence WHERE game = $1 AND (white = $2 OR black = $2)",
            vec![game.into(), account.into()],
        );
        let rows = self.tables.select(select).await?;
        let white = rows
            .first()
            .ok_or(CorrespondenceError::NoSuchGame)?
            .integer(0);
        let color = if white == account {
            Color::White
        } else {
            Color::Black
        };
        let table = table_of(game).ok_or(CorrespondenceError::NoSuchGame)?;
        let loaded = self
            .load(table)
            .await?
            .ok_or(CorrespondenceError::NoSuchGame)?;
        Ok((loaded.restored.table, color))
    }
}

/// What is left of the lines in a row after the moves since then.
fn left(row: &Row, table: &Table) -> Vec<ConditionalLine> {
    let since = usize::try_from(row.integer(0)).unwrap_or(usize::MAX);
    let lines: Vec<ConditionalLine> = serde_json::from_str(row.text(1)).unwrap_or_default();
    let Some(played) = table.paths_since(since) else {
        return Vec::new();
    };
    let rest = |line: ConditionalLine| Some(line.strip_prefix(&*played)?.to_vec());
    let rest = lines.into_iter().filter_map(rest);
    rest.filter(|line| !line.is_empty()).collect()
}

/// The lines with every square, if all moves are legal, each line ends with an answer, and no two lines have different answers
/// to the same moves.
fn checked(
    lines: &[ConditionalLine],
    position: &Position,
) -> Result<Vec<ConditionalLine>, CorrespondenceError> {
    let bad = |at: usize, why: String| CorrespondenceError::BadLine { line: at + 1, why };
    if lines.len() > MAX_LINES {
        return Err(bad(MAX_LINES, format!("there are at most {MAX_LINES}")));
    }
    let mut read: Vec<ConditionalLine> = Vec::with_capacity(lines.len());
    for (at, line) in lines.iter().enumerate() {
        if line.is_empty() || line.len() % 2 != 0 || line.len() > MAX_PLIES {
            let why = format!("it needs 2 to {MAX_PLIES} moves, and ends with your own");
            return Err(bad(at, why));
        }
        let line = paths(line, position.clone()).map_err(|why| bad(at, why))?;
        if read.iter().any(|other| differ(other, &line)) {
            let why = "an earlier line has another answer to the same moves".to_owned();
            return Err(bad(at, why));
        }
        read.push(line);
    }
    Ok(read)
}

fn paths(line: &[String], mut position: Position) -> Result<ConditionalLine, String> {
    let mut paths = Vec::with_capacity(line.len());
    for text in line {
        let m = position
            .parse_move(text)
            .map_err(|error| error.to_string())?;
        paths.push(first_path(m, &position));
        position = position.play(m).map_err(|error| error.to_string())?;
    }
    Ok(paths)
}

/// Whether two lines first differ in an answer.
fn differ(one: &[String], other: &[String]) -> bool {
    let first = one.iter().zip(other).position(|(a, b)| a != b);
    first.is_some_and(|at| at % 2 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(texts: &[&str]) -> Vec<ConditionalLine> {
        let line = |text: &&str| text.split_whitespace().map(str::to_owned).collect();
        texts.iter().map(line).collect()
    }

    fn check(texts: &[&str]) -> Result<Vec<ConditionalLine>, String> {
        let error = |error: CorrespondenceError| error.to_string();
        checked(&lines(texts), &Position::start()).map_err(error)
    }

    #[test]
    fn lines_are_legal_and_end_with_an_answer() {
        let two = ["c3-d4 d6-c5", "c3-b4 b6-a5 e3-d4 a5xe5"];
        assert_eq!(check(&two).map(|lines| lines.len()), Ok(2));
        for bad in ["c3-d4", "", "c3-d4 d6-d5", "a1-b2 d6-c5"] {
            assert!(check(&[bad]).unwrap_err().starts_with("line 1: "), "{bad}");
        }
        let long = ["c3-d4 d6-c5"; MAX_LINES + 1];
        assert!(check(&long).is_err());
    }

    #[test]
    fn two_answers_to_the_same_moves_are_refused() {
        assert!(check(&["c3-d4 d6-c5", "c3-d4 b6-a5"]).is_err());
        assert!(check(&["c3-d4 d6-c5", "c3-d4 d6-c5 b2-c3 c7-d6"]).is_ok());
    }
}
