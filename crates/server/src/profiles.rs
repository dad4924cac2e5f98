//! What players' pages say of openings and endings.
//!
//! Each finished game is reviewed once, soon after its end; what is found is stored with its participants, and can be
//! found again from the archive. A page adds up the latest games of a player.

mod commands;
mod review;

use std::sync::Arc;

use checkers_lib::Color;
use event_store::{MOST_PLAYED, ReadError, Row, Sql, Statement};
use tokio::task::spawn_blocking;

use crate::ladder::Regret;
use crate::table::CompactRecord;
use review::Review;

pub(crate) use commands::{ProfileArgs, run as run_command};
pub(crate) use review::Ending;

/// Games that are reviewed in one transaction.
const CHUNK: i64 = 20;

/// The columns of a game to review.
macro_rules! select_games {
    ($condition:literal) => {
        concat!(
            "SELECT stream, document, finished_at, coalesce(white, ''), coalesce(black, '') FROM game ",
            $condition
        )
    };
}

/// The openings and endings of the games on a server.
#[derive(Debug)]
pub(crate) struct Profiles {
    tables: Arc<dyn Sql>,
}

/// Games of a player that have all of this in common.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ProfileGames {
    pub(crate) is_white: bool,
    /// How and why they ended, in the words of the archive.
    pub(crate) result: String,
    pub(crate) reason: String,
    /// The first moves, if the players chose them.
    pub(crate) opening: Option<String>,
    /// What the ending was worth.
    pub(crate) ending: Option<Ending>,
    pub(crate) count: u64,
    /// That of all of them together.
    pub(crate) regret: Regret,
}

impl Profiles {
    /// The games in these tables.
    pub(crate) fn new(tables: Arc<dyn Sql>) -> Profiles {
        Profiles { tables }
    }

    /// Reviews finished games, the latest first, a few at a time. Returns whether others may be left. Several nodes may do
    /// so at one time: they find the same.
    pub(crate) async fn review_finished(&self) -> Result<bool, ReadError> {
        let waiting = Statement::new(
            select_games!(
                "WHERE white_moves IS NULL ORDER BY finished_at DESC, stream DESC LIMIT $1"
            ),
            vec![CHUNK.into()],
        );
        let mut rows = self.tables.select(waiting).await?;
        if rows.is_empty() {
            return Ok(false);
        }
        // Games are rated in this order too: no transaction waits for another that waits for it.
        rows.reverse();
        self.review(rows).await?;
        Ok(true)
    }

    /// Reviews all games again. Returns how many there are.
    pub(crate) async fn recompute(&self) -> Result<usize, ReadError> {
        let (mut count, mut last) = (0, (i64::MIN, 0));
        loop {
            let games = Statement::new(
                select_games!(
                    "WHERE (finished_at, stream) > ($1, $2) ORDER BY finished_at, stream LIMIT $3"
                ),
                vec![last.0.into(), last.1.into(), CHUNK.into()],
            );
            let rows = self.tables.select(games).await?;
            let Some(row) = rows.last() else {
                return Ok(count);
            };
            let (next, read) = ((row.integer(2), row.integer(0)), rows.len());
            // A player got another name meanwhile: the games are read again.
            if self.review(rows).await? {
                (count, last) = (count + read, next);
            }
        }
    }

    /// Reviews games. Returns false, and changes nothing, if one of their players has got another name.
    async fn review(&self, games: Vec<Row>) -> Result<bool, ReadError> {
        let statements = spawn_blocking(move || games.iter().flat_map(review).collect()).await;
        let statements = statements.map_err(|_| ReadError::Cancelled)?;
        Ok(self.tables.transact(statements).await?.is_some())
    }

    /// The latest games of a player, at most [`MOST_PLAYED`]. Costs time for each of them.
    pub(crate) async fn games_of(&self, name: &str) -> Result<Vec<ProfileGames>, ReadError> {
        let select = Statement::new(
            "SELECT CAST(CASE WHEN is_white THEN 1 ELSE 0 END AS bigint), result, reason, coalesce(opening, ''), coalesce(ending, ''),
                count(*), CAST(coalesce(sum(moves), 0) AS bigint), CAST(coalesce(sum(lost), 0) AS bigint)
             FROM (
                SELECT is_white, result, reason, opening, ending, moves, lost FROM participant
                WHERE role = 'player' AND name = $1 ORDER BY finished_at DESC, stream DESC LIMIT $2
             ) AS latest
             GROUP BY 1, 2, 3, 4, 5",
            vec![name.into(), i64::from(MOST_PLAYED).into()],
        );
        let rows = self.tables.select(select).await?;
        Ok(rows.iter().map(read_group).collect())
    }
}

/// Stores what is found in a game. A document that cannot be read has nothing.
fn review(game: &Row) -> Vec<Statement> {
    let record = CompactRecord::read(game.bytes(1));
    let review = record.map_or_else(|_| Review::default(), |record| Review::of(&record));
    let stream = game.integer(0);
    let players = [(Color::White, 3), (Color::Black, 4)];
    let participants = players.map(|(color, column)| {
        let (is_white, regret) = (color == Color::White, review.regret[color]);
        Statement::new(
            "UPDATE participant SET opening = $1, ending = $2, moves = $3, lost = $4
             WHERE role = 'player' AND name = $5 AND finished_at = $6 AND stream = $7
                AND CASE WHEN is_white THEN 1 ELSE 0 END = CAST($8 AS bigint)",
            vec![
                review.opening.as_str().into(),
                review.ending[color].map_or("", Ending::name).into(),
                regret.moves.into(),
                regret.lost.into(),
                game.text(column).into(),
                game.integer(2).into(),
                stream.into(),
                i64::from(is_white).into(),
            ],
        )
    });
    let done = Statement::new(
        "UPDATE game SET white_moves = $1, white_lost = $2, black_moves = $3, black_lost = $4
         WHERE stream = $5 AND coalesce(white, '') = $6 AND coalesce(black, '') = $7 RETURNING stream",
        vec![
            review.regret.white.moves.into(),
            review.regret.white.lost.into(),
            review.regret.black.moves.into(),
            review.regret.black.lost.into(),
            stream.into(),
            game.text(3).into(),
            game.text(4).into(),
        ],
    );
    // Who replaces the name of a deleted account changes the participants first, too.
    participants.into_iter().chain([done.required()]).collect()
}

fn read_group(row: &Row) -> ProfileGames {
    ProfileGames {
        is_white: row.integer(0) != 0,
        result: row.text(1).to_owned(),
        reason: row.text(2).to_owned(),
        opening: Some(row.text(3).to_owned()).filter(|opening| !opening.is_empty()),
        ending: Ending::from_name(row.text(4)),
        count: u64::try_from(row.integer(5)).unwrap_or_default(),
        regret: Regret {
            moves: row.integer(6),
            lost: row.integer(7),
        },
    }
}
