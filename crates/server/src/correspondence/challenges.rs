//! Challenges to games by correspondence, which wait in the store.
//!
//! The id of a challenge is that of the table of its game, so that a challenge that is accepted twice, or before and after the
//! server is killed, has one game.

use checkers_lib::protocol::WireColor;
use checkers_lib::{ByColor, Color};
use event_store::{ReadError, Row, Statement, TokenHash, UnixMillis};

use super::{Correspondence, CorrespondenceError, DAY, MAX_DAYS, MAX_GAMES};
use crate::lobby::secrets::{draw_color, draw_table_id};
use crate::names;
use crate::table::{Correspondent, Policy, TableSettings, game_id};

use super::games::millis;

/// The most challenges of an account that wait.
const MAX_SENT: i64 = 20;

/// The most challenges to an account that wait.
const MAX_RECEIVED: i64 = 50;

/// After how long a game that has not begun is begun again, in milliseconds.
const AGAIN: i64 = 10_000;

/// What a challenger wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Wish {
    /// `None` for a random side.
    pub(crate) color: Option<Color>,
    pub(crate) days: u32,
    pub(crate) rated: bool,
}

/// A challenge that waits, as one of the two sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Invitation {
    pub(crate) id: String,
    /// The name of the other one.
    pub(crate) with: String,
    /// Whether it was received, and not sent.
    pub(crate) is_received: bool,
    /// What the reader plays; `None` for a random side.
    pub(crate) color: Option<Color>,
    pub(crate) days: i64,
    pub(crate) rated: bool,
    pub(crate) created_at: UnixMillis,
}

/// An accepted challenge, whose game is to begin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Challenge {
    pub(crate) id: String,
    days: u32,
    rated: bool,
    pub(crate) players: ByColor<Correspondent>,
    accounts: ByColor<i64>,
}

impl Correspondence {
    /// Challenges a player, who need not be there.
    pub(crate) async fn challenge(
        &self,
        challenger: i64,
        opponent: &str,
        wish: Wish,
    ) -> Result<String, CorrespondenceError> {
        if !(1..=MAX_DAYS).contains(&wish.days) {
            return Err(CorrespondenceError::BadDays);
        }
        self.check_may_begin(challenger).await?;
        let find = Statement::new(
            "SELECT id FROM account WHERE skeleton = $1 AND name = $2 AND role NOT IN ('bot', 'leaving') AND id <> $3
                AND NOT EXISTS (SELECT 1 FROM block
                    WHERE (block.account = $3 AND block.blocked = account.id) OR (block.account = account.id AND block.blocked = $3))",
            vec![
                names::skeleton(opponent).into(),
                opponent.into(),
                challenger.into(),
            ],
        );
        let found = self.tables.select(find).await?;
        let no_such = || CorrespondenceError::NoSuchOpponent(opponent.to_owned());
        let opponent = found.first().ok_or_else(no_such)?.integer(0);
        let id = draw_table_id()?;
        let has_room = Statement::new(
            "SELECT id FROM account WHERE id = $1
                AND (SELECT count(*) FROM correspondence_challenge WHERE challenger = $1) < $2
                AND (SELECT count(*) FROM correspondence_challenge WHERE opponent = $3) < $4",
            vec![
                challenger.into(),
                MAX_SENT.into(),
                opponent.into(),
                MAX_RECEIVED.into(),
            ],
        );
        let insert = Statement::new(
            "INSERT INTO correspondence_challenge (id, challenger, opponent, color, days, rated, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (challenger, opponent) DO NOTHING RETURNING number",
            vec![
                id.as_str().into(),
                challenger.into(),
                opponent.into(),
                wish.color.map_or("random", name).into(),
                i64::from(wish.days).into(),
                i64::from(wish.rated).into(),
                UnixMillis::now().0.into(),
            ],
        );
        // The opponent may be suspended now, but not when the game begins.
        let mut statements = lock_both(challenger, opponent, UnixMillis(i64::MAX));
        statements.extend([has_room.required(), insert.required()]);
        let made = self.tables.transact(statements).await?;
        made.map(|_| id).ok_or(CorrespondenceError::TooMany(
            "too many challenges wait for an answer, or one of yours to this player does",
        ))
    }

    /// The challenges to and from an account, the latest first.
    pub(crate) async fn invitations(&self, account: i64) -> Result<Vec<Invitation>, ReadError> {
        let select = Statement::new(
            "SELECT correspondence_challenge.id, opponent, color, days, rated, correspondence_challenge.created_at, account.name
             FROM correspondence_challenge JOIN account ON account.id = challenger + opponent - $1
             WHERE (challenger = $1 OR opponent = $1) AND accepted_at = 0 AND account.role <> 'leaving'
                AND NOT EXISTS (SELECT 1 FROM block WHERE (block.account = challenger AND block.blocked = opponent)
                    OR (block.account = opponent AND block.blocked = challenger))
             ORDER BY correspondence_challenge.created_at DESC, correspondence_challenge.id",
            vec![account.into()],
        );
        let invitation = |row: &Row| {
            let is_received = row.integer(1) == account;
            let color = color(row.text(2));
            Invitation {
                id: row.text(0).to_owned(),
                with: row.text(6).to_owned(),
                is_received,
                color: if is_received {
                    color.map(|color| !color)
                } else {
                    color
                },
                days: row.integer(3),
                rated: row.integer(4) != 0,
                created_at: UnixMillis(row.integer(5)),
            }
        };
        let rows = self.tables.select(select).await?;
        Ok(rows.iter().map(invitation).collect())
    }

    /// Whether a challenge to an account is to a rated game.
    pub(crate) async fn is_rated(&self, account: i64, id: &str) -> Result<bool, ReadError> {
        let select = Statement::new(
            "SELECT rated FROM correspondence_challenge WHERE id = $1 AND opponent = $2",
            vec![id.into(), account.into()],
        );
        let rows = self.tables.select(select).await?;
        Ok(rows.first().is_some_and(|row| row.integer(0) != 0))
    }

    /// Accepts a challenge to an account. Its game is to begin then.
    pub(crate) async fn accept(
        &self,
        account: i64,
        id: &str,
    ) -> Result<Challenge, CorrespondenceError> {
        let both = Statement::new(
            "SELECT challenger FROM correspondence_challenge WHERE id = $1 AND opponent = $2 AND accepted_at = 0",
            vec![id.into(), account.into()],
        );
        let both = self.tables.select(both).await?;
        let challenger = both.first().ok_or(CorrespondenceError::NoSuchChallenge)?;
        let players = [account, challenger.integer(0)];
        let now = UnixMillis::now();
        let accept = Statement::new(
            "UPDATE correspondence_challenge SET accepted_at = $1, color = CASE color WHEN 'random' THEN $2 ELSE color END
             WHERE id = $3 AND opponent = $4 AND accepted_at = 0
                AND NOT EXISTS (SELECT 1 FROM block WHERE (account = challenger AND blocked = opponent)
                    OR (account = opponent AND blocked = challenger))
             RETURNING id",
            vec![
                now.0.into(),
                name(draw_color()).into(),
                id.into(),
                account.into(),
            ],
        );
        let mut statements = lock_both(players[0], players[1], now);
        statements.extend(players.map(|player| has_room(player).required()));
        statements.push(accept.required());
        if self.tables.transact(statements).await?.is_none() {
            self.check_may_begin(account).await?;
            for player in players {
                if self.tables.select(has_room(player)).await?.is_empty() {
                    let message = "one of you plays the most games by correspondence that an account may have";
                    return Err(CorrespondenceError::TooMany(message));
                }
            }
            return Err(CorrespondenceError::NoSuchChallenge);
        }
        let found = self.accepted(UnixMillis(i64::MAX), id).await?.pop();
        found.ok_or(CorrespondenceError::NoSuchChallenge)
    }

    /// Declines a challenge to an account, or withdraws one of its own.
    pub(crate) async fn decline(&self, account: i64, id: &str) -> Result<(), CorrespondenceError> {
        let delete = Statement::new(
            "DELETE FROM correspondence_challenge
             WHERE id = $1 AND (opponent = $2 OR challenger = $2) AND accepted_at = 0 RETURNING id",
            vec![id.into(), account.into()],
        );
        let deleted = self.tables.transact(vec![delete.required()]).await?;
        deleted
            .map(drop)
            .ok_or(CorrespondenceError::NoSuchChallenge)
    }

    /// The accepted challenges whose games should have begun before.
    pub(crate) async fn late(&self) -> Result<Vec<Challenge>, ReadError> {
        self.accepted(UnixMillis(UnixMillis::now().0 - AGAIN), "")
            .await
    }

    /// Checks that an account is not suspended.
    async fn check_may_begin(&self, account: i64) -> Result<(), CorrespondenceError> {
        let select = Statement::new(
            "SELECT id FROM account WHERE id = $1 AND suspended_until > $2",
            vec![account.into(), UnixMillis::now().0.into()],
        );
        match self.tables.select(select).await?.is_empty() {
            true => Ok(()),
            false => Err(CorrespondenceError::Suspended),
        }
    }

    /// Challenges that were accepted before a time; with an id, only that one.
    async fn accepted(&self, before: UnixMillis, id: &str) -> Result<Vec<Challenge>, ReadError> {
        let select = Statement::new(
            "SELECT correspondence_challenge.id, color, days, rated, a.name, a.identity, b.name, b.identity,
                coalesce((SELECT max(ends_at) FROM vacation WHERE account = challenger), 0),
                coalesce((SELECT max(ends_at) FROM vacation WHERE account = opponent), 0), challenger, opponent
             FROM correspondence_challenge
                JOIN account AS a ON a.id = challenger JOIN account AS b ON b.id = opponent
             WHERE accepted_at > 0 AND accepted_at < $1 AND ($2 = '' OR correspondence_challenge.id = $2)
                AND a.role <> 'leaving' AND b.role <> 'leaving'
             ORDER BY correspondence_challenge.id LIMIT 1000",
            vec![before.0.into(), id.into()],
        );
        let now = UnixMillis::now();
        let challenge = |row: &Row| {
            let player = |column: usize, vacation: usize| {
                Some(Correspondent {
                    name: row.text(column).to_owned(),
                    key: TokenHash::from_hex(row.text(column + 1))?,
                    vacation: millis(row.integer(vacation) - now.0),
                })
            };
            let (challenger, opponent) = (player(4, 8)?, player(6, 9)?);
            let (challenger, opponent) =
                ((challenger, row.integer(10)), (opponent, row.integer(11)));
            let (white, black) = match color(row.text(1))? {
                Color::White => (challenger, opponent),
                Color::Black => (opponent, challenger),
            };
            Some(Challenge {
                id: row.text(0).to_owned(),
                days: u32::try_from(row.integer(2)).ok()?,
                rated: row.integer(3) != 0,
                players: ByColor {
                    white: white.0,
                    black: black.0,
                },
                accounts: ByColor {
                    white: white.1,
                    black: black.1,
                },
            })
        };
        let rows = self.tables.select(select).await?;
        Ok(rows.iter().filter_map(challenge).collect())
    }

    /// Whether the game of a challenge has begun.
    pub(crate) async fn has_begun(&self, challenge: &Challenge) -> Result<bool, ReadError> {
        match game_id(&challenge.id, 1).parse() {
            Ok(stream) => Ok(self.log.read(stream).await?.is_some()),
            Err(_) => Ok(true),
        }
    }

    /// Whether the game of an accepted challenge may begin: neither account is being deleted.
    pub(crate) async fn may_begin(&self, challenge: &Challenge) -> Result<bool, ReadError> {
        let found = self.accepted(UnixMillis(i64::MAX), &challenge.id).await?;
        Ok(!found.is_empty())
    }

    /// Forgets a challenge whose game has begun. The game has a row with the accounts then, which count against their limits
    /// and may already be leaving.
    pub(crate) async fn forget(&self, challenge: &Challenge) -> Result<(), ReadError> {
        let now = UnixMillis::now();
        let row = Statement::new(
            "INSERT INTO correspondence (game, white, black, days, rated, seq, ply, turn, since, deadline)
             SELECT $1, $2, $3, $4, $5, 0, 0, 0, $6, $7 FROM stream WHERE name = $1 AND open
             ON CONFLICT (game) DO UPDATE SET white = excluded.white, black = excluded.black",
            vec![
                game_id(&challenge.id, 1).into(),
                challenge.accounts.white.into(),
                challenge.accounts.black.into(),
                i64::from(challenge.days).into(),
                i64::from(challenge.rated).into(),
                now.0.into(),
                (now.0 + i64::from(challenge.days) * DAY).into(),
            ],
        );
        let delete = Statement::new(
            "DELETE FROM correspondence_challenge WHERE id = $1",
            vec![challenge.id.as_str().into()],
        );
        self.tables.transact(vec![row, delete]).await.map(drop)
    }

    /// The settings of the table of a challenge, and its timeouts.
    pub(crate) fn table_of_challenge(
        &self,
        challenge: &Challenge,
    ) -> Option<(TableSettings, Policy)> {
        let settings = self.settings(&challenge.id, challenge.days, challenge.rated)?;
        Some((settings, self.policy))
    }
}

/// Locks two accounts, which are neither leaving nor suspended after a time, so that limits hold for requests at the same
/// time. The order is the same for all, so that two requests do not wait for each other.
fn lock_both(one: i64, other: i64, suspended: UnixMillis) -> Vec<Statement> {
    let lock = |account: i64| {
        let lock = Statement::new(
            "UPDATE account SET role = role WHERE id = $1 AND role NOT IN ('bot', 'leaving') AND suspended_until <= $2
             RETURNING id",
            vec![account.into(), suspended.0.into()],
        );
        lock.required()
    };
    vec![lock(one.min(other)), lock(one.max(other))]
}

/// Finds an account that may have one more game. An accepted challenge is one, too.
fn has_room(account: i64) -> Statement {
    Statement::new(
        "SELECT id FROM account WHERE id = $1
            AND (SELECT count(*) FROM correspondence WHERE white = $1) + (SELECT count(*) FROM correspondence WHERE black = $1)
                + (SELECT count(*) FROM correspondence_challenge WHERE accepted_at > 0 AND (challenger = $1 OR opponent = $1)
                    AND NOT EXISTS (SELECT 1 FROM correspondence WHERE game = correspondence_challenge.id || '-1')) < $2",
        vec![account.into(), MAX_GAMES.into()],
    )
}

fn name(color: Color) -> &'static str {
    match WireColor::from(color) {
        WireColor::White => "white",
        WireColor::Black => "black",
    }
}

/// The side of a name in the store; `None` for a random one.
fn color(name: &str) -> Option<Color> {
    match name {
        "white" => Some(Color::White),
        "black" => Some(Color::Black),
        _ => None,
    }
}
