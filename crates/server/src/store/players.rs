//! Players by name and token, and settings.

use std::fmt;

use rusqlite::types::{FromSql, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::error::WriteError;
use super::event::UnixMillis;
use crate::hex;

/// The hash of a player's secret token. It is never printed.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct TokenHash(pub [u8; 32]);

impl fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenHash(…)")
    }
}

impl Serialize for TokenHash {
    /// Writes it in hexadecimal digits.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&hex::encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for TokenHash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TokenHash, D::Error> {
        let digits = String::deserialize(deserializer)?;
        let hash = hex::decode(&digits).map(TokenHash);
        hash.ok_or_else(|| de::Error::custom("expected 64 hexadecimal digits"))
    }
}

/// A player who is to be known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewPlayer {
    /// What names are compared by: two that look alike have the same.
    pub key: String,
    /// The name as it is shown.
    pub name: String,
    /// Who shows the token with this hash is this player.
    pub token: TokenHash,
    /// The hash so far: `None` takes a name that is free, `Some` replaces the token of one's own.
    pub replaces: Option<TokenHash>,
    /// When the player came.
    pub at: UnixMillis,
}

/// A player who is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Player {
    /// What names are compared by.
    pub key: String,
    /// The name as it is shown.
    pub name: String,
    /// When the player, or the player's present token, came.
    pub since: UnixMillis,
}

/// Writes a player, unless the name or the token is somebody else's.
pub(super) fn put(
    connection: &Connection,
    player: &NewPlayer,
) -> rusqlite::Result<Result<(), WriteError>> {
    if token_of(connection, &player.key)? != player.replaces {
        return Ok(Err(WriteError::NameTaken {
            name: player.name.clone(),
        }));
    }
    let owner = by_token(connection, player.token)?;
    if owner.is_some_and(|owner| owner.key != player.key) {
        return Ok(Err(WriteError::TokenTaken));
    }
    connection
        .prepare_cached("INSERT OR REPLACE INTO player VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![player.key, player.name, player.token, player.at])?;
    Ok(Ok(()))
}

/// Whether the player is there as written.
pub(super) fn contains(connection: &Connection, player: &NewPlayer) -> rusqlite::Result<bool> {
    Ok(token_of(connection, &player.key)? == Some(player.token))
}

/// The player who shows the token with this hash.
pub(super) fn by_token(
    connection: &Connection,
    token: TokenHash,
) -> rusqlite::Result<Option<Player>> {
    connection
        .prepare_cached("SELECT key, name, created_at FROM player WHERE token_hash = ?1")?
        .query_row([token], player)
        .optional()
}

/// The player whose name has this key.
pub(super) fn by_key(connection: &Connection, key: &str) -> rusqlite::Result<Option<Player>> {
    connection
        .prepare_cached("SELECT key, name, created_at FROM player WHERE key = ?1")?
        .query_row([key], player)
        .optional()
}

/// Writes a setting.
pub(super) fn put_setting(
    connection: &Connection,
    key: &str,
    value: &[u8],
) -> rusqlite::Result<()> {
    connection
        .prepare_cached("INSERT OR REPLACE INTO setting VALUES (?1, ?2)")?
        .execute(params![key, value])?;
    Ok(())
}

/// Reads a setting.
pub(super) fn setting(connection: &Connection, key: &str) -> rusqlite::Result<Option<Vec<u8>>> {
    connection
        .prepare_cached("SELECT value FROM setting WHERE key = ?1")?
        .query_row([key], |row| row.get(0))
        .optional()
}

fn token_of(connection: &Connection, key: &str) -> rusqlite::Result<Option<TokenHash>> {
    connection
        .prepare_cached("SELECT token_hash FROM player WHERE key = ?1")?
        .query_row([key], |row| row.get(0))
        .optional()
}

fn player(row: &Row<'_>) -> rusqlite::Result<Player> {
    Ok(Player {
        key: row.get(0)?,
        name: row.get(1)?,
        since: row.get(2)?,
    })
}

impl ToSql for TokenHash {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        self.0.to_sql()
    }
}

impl FromSql for TokenHash {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<TokenHash> {
        FromSql::column_result(value).map(TokenHash)
    }
}
