//! Extractors for queries and paths.

use std::time::{Duration, UNIX_EPOCH};

use axum::extract::{FromRequestParts, MatchedPath, Path, Query};
use checkers_lib::TimeControl;
use checkers_lib::protocol::{EndReason, GameResult, WireColor};
use event_store::{ArchiveFilter, Cursor, UnixMillis};
use hyper::http::request::Parts;
#[cfg(test)]
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;

#[cfg(test)]
use super::openapi::texts;
use super::parameters;
use super::problem::{Problem, ProblemCode};
use crate::profiles::Ending;
use crate::table::{clock_of_both, reason_name};

/// The parameters of a request; an unknown one is an error.
pub(super) struct Parameters<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Parameters<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Parameters<T>, Problem> {
        let unreadable = || bad("the query is not a list of NAME=VALUE, with & between them");
        let given: Query<Vec<(String, String)>> =
            Query::try_from_uri(&parts.uri).map_err(|_| unreadable())?;
        let path = MatchedPath::from_request_parts(parts, state).await;
        let path = path.map_err(|_| unreadable())?;
        let described = parameters::of(parts.method.as_str(), path.as_str());
        parameters::check(described, &given).map_err(|error| bad(&error))?;
        let read = Query::try_from_uri(&parts.uri);
        read.map(|Query(read)| Parameters(read))
            .map_err(|_| unreadable())
    }
}

/// A part of the path, such as the id of a game.
pub(in crate::http) struct InPath(pub(in crate::http) String);

impl<S: Send + Sync> FromRequestParts<S> for InPath {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<InPath, Problem> {
        let part = Path::from_request_parts(parts, state).await;
        part.map(|Path(text)| InPath(text))
            .map_err(|_| bad("the path is not in UTF-8"))
    }
}

/// Which games to return.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub(super) struct GamesQuery {
    /// Games of the player with exactly this name.
    pub(super) player: Option<String>,
    /// Games against the player with exactly this name; without `player` the same as `player`.
    pub(super) opponent: Option<String>,
    /// Games in which the player has this colour; only with a name.
    pub(super) color: Option<WireColor>,
    /// Games of a bot of the server with this specification.
    pub(super) bot: Option<String>,
    /// Games that count for the event with exactly this name, such as the season `ladder-2026-11` of the ladder.
    pub(super) event: Option<String>,
    /// Games that begin with these moves of both sides, such as `c3-d4 d6-c5`, if the players chose them; only with a name.
    #[cfg_attr(
        test,
        schemars(regex(pattern = "^[a-h][1-8][-:][a-h][1-8] [a-h][1-8][-:][a-h][1-8]$"))
    )]
    pub(super) opening: Option<String>,
    /// Games with an ending of up to five pieces that was won, drawn or lost for the player when it began; only with a name.
    pub(super) ending: Option<Ending>,
    /// Games with this result.
    pub(super) result: Option<GameResult>,
    /// Games that ended for this reason.
    pub(super) reason: Option<EndReason>,
    /// Games with this clock on both sides, such as `5m+3s`, or `none`. If the sides differ: White's, a
    /// comma and Black's, such as `5m+0s,1m+0s`.
    #[cfg_attr(test, schemars(regex(pattern = texts::CLOCK)))]
    pub(super) clock: Option<String>,
    /// Games with at least this many moves, both sides counted.
    #[cfg_attr(test, schemars(range(max = 10_000)))]
    pub(super) min_plies: Option<u32>,
    /// Games with at most this many moves, both sides counted.
    #[cfg_attr(test, schemars(range(max = 10_000)))]
    pub(super) max_plies: Option<u32>,
    /// Games that ended on this day or later, such as 2026-01-31, or at this time or later, such as
    /// 2026-01-31T18:00:00Z. Days and times are UTC.
    #[cfg_attr(test, schemars(extend("anyOf" = texts::moment_schemas()), extend("type" = "string")))]
    pub(super) from: Option<String>,
    /// Games that ended on this day or earlier, or before this time.
    #[cfg_attr(test, schemars(extend("anyOf" = texts::moment_schemas()), extend("type" = "string")))]
    pub(super) to: Option<String>,
    /// Where the last page ended, in its `next`. Not for an export, which has no pages.
    #[cfg_attr(test, schemars(regex(pattern = r"^[0-9]{1,15}\.[0-9]{1,15}$")))]
    pub(super) cursor: Option<String>,
    /// How many games a page has: 1–100, by default 50. Not for an export either.
    #[cfg_attr(test, schemars(range(min = 1, max = MAX_PAGE)))]
    pub(super) limit: Option<u32>,
}

/// The most games on a page.
const MAX_PAGE: u32 = 100;

impl GamesQuery {
    pub(super) fn filter(&self) -> Result<ArchiveFilter, Problem> {
        // A single name is the player's, whichever parameter has it.
        let (player, opponent) = match &self.player {
            Some(_) => (&self.player, &self.opponent),
            None => (&self.opponent, &None),
        };
        Ok(ArchiveFilter {
            player: player.clone(),
            opponent: opponent.clone(),
            is_white: self
                .color
                .map(|color| color == WireColor::White)
                .filter(|_| player.is_some()),
            reason: self.reason.map(reason_name),
            clock: self.clock.as_deref().map(clock).transpose()?,
            min_plies: self.min_plies,
            max_plies: self.max_plies,
            bot: self.bot.clone(),
            event: self.event.clone(),
            opening: self.opening.as_deref().map(opening).transpose()?,
            ending: self.ending.map(|ending| ending.name().to_owned()),
            result: self.result.map(|result| result.name().to_owned()),
            from: self.from.as_deref().map(begin).transpose()?,
            until: self.to.as_deref().map(end).transpose()?,
        })
    }

    pub(super) fn place(&self) -> Result<Option<Cursor>, Problem> {
        let parse = |text: &str| text.parse().map_err(|_| bad_cursor());
        self.cursor.as_deref().map(parse).transpose()
    }

    pub(super) fn limit(&self) -> u32 {
        self.limit.unwrap_or(MAX_PAGE / 2)
    }
}

/// A move of each side, in the form of the archive.
fn opening(text: &str) -> Result<String, Problem> {
    let is_move = |text: &str| match text.as_bytes() {
        [from, number, b'-' | b':', to, other] => {
            [from, to].iter().all(|file| (b'a'..=b'h').contains(file))
                && [number, other]
                    .iter()
                    .all(|rank| (b'1'..=b'8').contains(rank))
        }
        _ => false,
    };
    let moves = text.split_once(' ');
    if moves.is_some_and(|(white, black)| is_move(white) && is_move(black)) {
        return Ok(text.to_owned());
    }
    Err(bad(&format!(
        "opening {text:?}: expected a move of each side such as c3-d4 d6-c5"
    )))
}

/// A clock, or the clocks of both sides, in the form of the archive.
fn clock(text: &str) -> Result<String, Problem> {
    let (white, black) = text.split_once(',').unwrap_or((text, text));
    match (clock_of_side(white), clock_of_side(black)) {
        (Some(white), Some(black)) => Ok(clock_of_both(white.as_deref(), black.as_deref())),
        (_, None) | (None, _) => Err(bad(&format!(
            "clock {text:?}: expected a clock such as 5m+3s, none, or two with a comma between them"
        ))),
    }
}

/// A clock in the form of the archive; `Some(None)` for `none`. Its times need units.
fn clock_of_side(text: &str) -> Option<Option<String>> {
    if text == "none" {
        return Some(None);
    }
    let mut times = text.trim_end_matches("/move").split(['+', '~']);
    let have_units = times.all(|time| time.ends_with(|letter: char| letter.is_ascii_alphabetic()));
    let clock: TimeControl = text.parse().ok().filter(|_| have_units)?;
    Some(Some(clock.to_string()))
}

/// The first moment of a day, or a moment.
fn begin(text: &str) -> Result<UnixMillis, Problem> {
    match day(text) {
        Some(begin) => Ok(begin),
        None => moment(text).ok_or_else(|| bad_time(text)),
    }
}

/// The first moment after a day, or a moment.
fn end(text: &str) -> Result<UnixMillis, Problem> {
    const DAY: i64 = 24 * 60 * 60 * 1000;
    match day(text) {
        Some(begin) => Ok(UnixMillis(begin.0 + DAY)),
        None => moment(text).ok_or_else(|| bad_time(text)),
    }
}

fn day(text: &str) -> Option<UnixMillis> {
    (text.len() == "2026-01-31".len()).then_some(())?;
    moment(&format!("{text}T00:00:00Z"))
}

fn moment(text: &str) -> Option<UnixMillis> {
    let time = humantime::parse_rfc3339(text).ok()?;
    let since: Duration = time.duration_since(UNIX_EPOCH).ok()?;
    i64::try_from(since.as_millis()).ok().map(UnixMillis)
}

fn bad_time(text: &str) -> Problem {
    bad(&format!(
        "{text:?}: expected a day such as 2026-01-31 or a time such as 2026-01-31T18:00:00Z"
    ))
}

pub(super) fn bad_cursor() -> Problem {
    bad("cursor: expected the `next` of a page")
}

fn bad(message: &str) -> Problem {
    Problem::new(ProblemCode::BadQuery, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_accepted_in_any_of_its_forms() {
        for (text, expected) in [
            ("5m+3s", "5m+3s"),
            ("300s+3s", "5m+3s"),
            ("none", "none"),
            ("5m,5m", "5m+0s"),
            ("none,60s", "none,1m+0s"),
        ] {
            assert_eq!(clock(text).as_deref(), Ok(expected), "{text}");
        }
        for text in ["", "soon", "5", "5m+3", "5m,", "5m,1m,1m"] {
            assert!(clock(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_opening_has_a_move_of_each_side() {
        for text in ["c3-d4 d6-c5", "a1:c3 h8-g7"] {
            assert_eq!(opening(text).as_deref(), Ok(text));
        }
        for text in [
            "",
            "c3-d4",
            "c3-d4 d6-c5 b2-c3",
            "c3-d4 d6-i5",
            "c3-d4  d6-c5",
            "ж3-d4 d6-c5",
        ] {
            assert!(opening(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_day_is_included_and_a_moment_is_not() {
        let second = 1_769_796_000;
        assert_eq!(begin("2026-01-30T18:00:00Z"), Ok(UnixMillis(second * 1000)));
        assert_eq!(end("2026-01-30T18:00:00Z"), begin("2026-01-30T18:00:00Z"));
        assert_eq!(end("2026-01-30"), begin("2026-01-31"));
        assert_eq!(begin("1970-01-01"), Ok(UnixMillis(0)));
        for text in ["", "today", "2026-13-01", "2026-01-31 ", "2026-01-31T18"] {
            assert!(begin(text).is_err(), "{text}");
        }
    }
}
