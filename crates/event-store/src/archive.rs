//! Finished games: what is known of each at a glance, and how they are searched.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use futures::future::BoxFuture;
use futures::stream::{self, Stream, TryStreamExt};

use super::error::ReadError;
use super::event::{Seq, StreamId, UnixMillis};

/// Games that [`all_games`] reads in one go. Between two goes nothing is held in the store.
const CHUNK: u32 = 100;

/// The finished games: each closed stream that has a [`Summary`].
pub trait Archive: fmt::Debug + Send + Sync {
    /// At most `limit` games, the newest first, that begin after a place.
    ///
    /// # Errors
    /// An archive that cannot be read.
    fn games(
        &self,
        filter: ArchiveFilter,
        after: Option<Cursor>,
        limit: u32,
    ) -> BoxFuture<'_, Result<GamePage, ReadError>>;

    /// The game of a stream; `None` while it is not closed.
    ///
    /// # Errors
    /// An archive that cannot be read.
    fn game(&self, stream: StreamId) -> BoxFuture<'_, Result<Option<ArchivedGame>, ReadError>>;

    /// The number of games that pass the filter, counted up to `most`.
    ///
    /// # Errors
    /// An archive that cannot be read.
    fn count(&self, filter: ArchiveFilter, most: u32) -> BoxFuture<'_, Result<u32, ReadError>>;

    /// The latest games of a player, at most [`MOST_PLAYED`], the latest first.
    ///
    /// # Errors
    /// An archive that cannot be read.
    fn played(&self, player: String) -> BoxFuture<'_, Result<Vec<PlayerGame>, ReadError>>;
}

/// All games that pass the filter, the newest first, read as they are asked for. Ends after the
/// first error.
pub fn all_games(
    archive: Arc<dyn Archive>,
    filter: ArchiveFilter,
) -> impl Stream<Item = Result<ArchivedGame, ReadError>> + Send {
    let pages = stream::try_unfold((None, false), move |(after, is_over)| {
        let (archive, filter) = (Arc::clone(&archive), filter.clone());
        async move {
            if is_over {
                return Ok::<_, ReadError>(None);
            }
            let GamePage { games, next } = archive.games(filter, after, CHUNK).await?;
            let games = stream::iter(games.into_iter().map(Ok::<_, ReadError>));
            Ok(Some((games, (next, next.is_none()))))
        }
    });
    pages.try_flatten()
}

/// What is kept of a closed stream besides its events, to find and list it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Summary {
    /// When the game ended.
    pub finished_at: UnixMillis,
    /// How it ended, in the caller's words.
    pub result: String,
    /// Why, likewise.
    pub reason: String,
    /// The clock of both sides, likewise.
    pub clock: String,
    /// How many moves it has, both sides counted.
    pub plies: u32,
    /// Who had White.
    pub white: Option<String>,
    /// Who had Black.
    pub black: Option<String>,
    /// The spec of the bot that had White.
    pub white_bot: Option<String>,
    /// The spec of the bot that had Black.
    pub black_bot: Option<String>,
    /// Whatever else a list of games is to show.
    pub document: Vec<u8>,
    /// 0 if it is not rated, [`Summary::TO_RATE`], or its number among the rated games in the order of rating.
    pub rated: i64,
    /// The event that it counts for.
    pub event: Option<String>,
    /// The side that gave it up early, in the caller's words, if it was to be rated.
    pub gave_up: Option<String>,
}

impl Summary {
    /// The value of `rated` for a game that is to be rated.
    pub const TO_RATE: i64 = -1;
}

/// A finished game in the archive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArchivedGame {
    pub stream: StreamId,
    /// Its last event.
    pub last: Seq,
    /// What is known of it.
    pub summary: Summary,
    /// Its place in the archive: a page after it begins with the next older game.
    pub cursor: Cursor,
}

/// Which games are wanted; the default is all of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ArchiveFilter {
    /// Played by whoever has this name, with either colour.
    pub player: Option<String>,
    /// Against whoever has this name; asked together with `player`.
    pub opponent: Option<String>,
    /// Whether `player` had White, or else Black; asked together with it.
    pub is_white: Option<bool>,
    /// Played by a bot of this spec, with either colour.
    pub bot: Option<String>,
    /// That count for the event with this name.
    pub event: Option<String>,
    /// With these first moves, which the players chose; asked together with `player`.
    pub opening: Option<String>,
    /// With an ending of this value for `player`; asked together with it.
    pub ending: Option<String>,
    /// Ended like this.
    pub result: Option<String>,
    /// Ended for this reason.
    pub reason: Option<String>,
    pub clock: Option<String>,
    /// At least as long.
    pub min_plies: Option<u32>,
    /// At most as long.
    pub max_plies: Option<u32>,
    /// Ended at this time or later.
    pub from: Option<UnixMillis>,
    /// Ended before this time.
    pub until: Option<UnixMillis>,
}

/// Some finished games, the newest first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GamePage {
    pub games: Vec<ArchivedGame>,
    /// Where the next page begins; `None` if this is the last one.
    pub next: Option<Cursor>,
}

/// A place between two games of the archive. Games that end later do not move it. Its text is
/// for addresses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cursor {
    pub(super) finished_at: UnixMillis,
    pub(super) row: i64,
}

impl Cursor {
    /// Before all games: the first page begins there.
    pub(super) const NEWEST: Cursor = Cursor {
        finished_at: UnixMillis(i64::MAX),
        row: i64::MAX,
    };
}

/// A text that is no place in the archive.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{text:?} is no place in the archive")]
pub struct CursorError {
    text: String,
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.finished_at.0, self.row)
    }
}

impl FromStr for Cursor {
    type Err = CursorError;

    fn from_str(text: &str) -> Result<Cursor, CursorError> {
        let parse = || {
            let (finished_at, row) = text.split_once('.')?;
            let finished_at = UnixMillis(finished_at.parse().ok()?);
            Some(Cursor {
                finished_at,
                row: row.parse().ok()?,
            })
        };
        parse().ok_or_else(|| CursorError { text: text.into() })
    }
}

/// The most games of a player that are read.
pub const MOST_PLAYED: u32 = 20_000;

/// A finished game as one of its players sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayerGame {
    /// When it ended.
    pub finished_at: UnixMillis,
    /// Whether the player had White, or else Black.
    pub is_white: bool,
    /// How it ended, in the words of its [`Summary`].
    pub result: String,
    /// The clock, likewise.
    pub clock: String,
    /// Whom it was played against.
    pub opponent: Option<String>,
    /// The spec of the bot that it was played against.
    pub opponent_bot: Option<String>,
}
