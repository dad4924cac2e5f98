//! The seasons of the ladder.

use std::fmt;
use std::str::FromStr;

use arrayvec::ArrayString;
use event_store::UnixMillis;

use crate::lobby::secrets::ID_LENGTH;

/// A part of the ladder that has standings of its own: a month, UTC, such as `2026-11`, or a private ladder, by its id.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Season(ArrayString<ID_LENGTH>);

/// A text that is no season.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected a month such as 2026-11, or the id of a private ladder")]
pub(crate) struct SeasonError;

impl Season {
    /// The length of a month.
    const MONTH: usize = "2026-11".len();

    /// What the events of seasons begin with.
    const EVENT: &str = "ladder-";

    /// The current season.
    pub(crate) fn now() -> Season {
        Season::at(UnixMillis::now())
    }

    /// The season at this time; those outside of 1970 to 9999 are that of the nearest month inside.
    pub(crate) fn at(time: UnixMillis) -> Season {
        let text = time.to_text();
        let month = text.get(..Season::MONTH).unwrap_or_default();
        Season(ArrayString::from(month).unwrap_or_default())
    }

    /// Whether it is a private ladder.
    pub(crate) fn is_private(self) -> bool {
        self.0.len() != Season::MONTH
    }

    /// The event that its games belong to.
    pub(crate) fn event(self) -> String {
        format!("{}{self}", Season::EVENT)
    }
}

impl fmt::Display for Season {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Season {
    type Err = SeasonError;

    fn from_str(text: &str) -> Result<Season, SeasonError> {
        let is_month = text.len() == Season::MONTH
            && humantime::parse_rfc3339(&format!("{text}-01T00:00:00Z")).is_ok();
        let is_id =
            text.len() == ID_LENGTH && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let season = ArrayString::from(text).map_err(|_| SeasonError)?;
        (is_month || is_id)
            .then_some(Season(season))
            .ok_or(SeasonError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_season_is_a_month() {
        let season = Season::at(UnixMillis(1_793_491_199_999));
        assert_eq!(season.to_string(), "2026-10");
        assert_eq!(
            Season::at(UnixMillis(1_793_491_200_000)).event(),
            "ladder-2026-11"
        );
        assert_eq!(Season::at(UnixMillis(-1)).to_string(), "1970-01");
        assert_eq!(Season::at(UnixMillis(i64::MAX)).to_string(), "9999-12");
        assert_eq!("2026-10".parse(), Ok(season));
        let private: Season = "k3x9w2ab".parse().unwrap();
        assert_eq!((private.is_private(), season.is_private()), (true, false));
        for text in [
            "2026-13",
            "2026-1",
            "2026-00",
            "2026-10-01",
            "ladder",
            "k3x9w2a!",
            "k3x9w2abc",
            "",
        ] {
            assert_eq!(text.parse::<Season>(), Err(SeasonError), "{text}");
        }
    }
}
