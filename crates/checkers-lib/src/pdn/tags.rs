//! The tags of a game.

use crate::TimeControl;

/// The roster that heads every game, without the result, and its values when nothing is known.
const ROSTER: [(&str, &str); 6] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
];

/// Tags that say what a [`PdnGame`](super::PdnGame) knows by itself.
const OWN: [&str; 4] = ["Result", "GameType", "SetUp", "FEN"];

/// Who, where and when: names with values, each name once. The roster (Event, Site, Date, Round,
/// White, Black) comes first and is always there, `?` where unknown; the others follow in the
/// order they were given. Result, game type and start position are part of the game itself and
/// are not found here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tags(Vec<(String, String)>);

/// Why a tag cannot be set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TagError {
    /// The name cannot be written.
    #[error("tag name {0:?}: expected no spaces, quotes, brackets, nor `%` in front")]
    Name(String),
    /// The game itself knows this.
    #[error("tag {0} follows from the game")]
    Own(String),
}

impl Default for Tags {
    fn default() -> Tags {
        let known = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        Tags(ROSTER.iter().map(known).collect())
    }
}

impl Tags {
    /// Sets a tag, in its old place if it was set before. Line breaks and other control
    /// characters in the value become spaces.
    ///
    /// # Errors
    /// A name that cannot be written, or one of Result, GameType, SetUp and FEN.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), TagError> {
        if !is_name(name) {
            return Err(TagError::Name(name.to_owned()));
        }
        if OWN.contains(&name) {
            return Err(TagError::Own(name.to_owned()));
        }
        self.put(name, value);
        Ok(())
    }

    /// Sets TimeControl: `300+3` in seconds, `1/30` for 30 seconds for every move, `-` for no clocks,
    /// `?` for what PDN has no form for: a delay, or clocks that differ.
    ///
    /// # Examples
    /// ```
    /// use checkers_lib::pdn::Tags;
    ///
    /// let mut tags = Tags::default();
    /// tags.set_time_control(Some("5m+3s".parse()?), Some("5m+3s".parse()?));
    /// assert_eq!(tags.get("TimeControl"), Some("300+3"));
    /// # Ok::<(), checkers_lib::TimeControlError>(())
    /// ```
    pub fn set_time_control(&mut self, white: Option<TimeControl>, black: Option<TimeControl>) {
        let value = match (white, black) {
            (None, None) => "-".to_owned(),
            (Some(one), Some(other)) if one == other => one.in_pdn().unwrap_or("?".to_owned()),
            _ => "?".to_owned(),
        };
        self.put("TimeControl", &value);
    }

    /// Sets a tag whose name is known to be good.
    pub(super) fn put(&mut self, name: &str, value: &str) {
        let clean = |c: char| if c.is_control() { ' ' } else { c };
        let value = value.chars().map(clean).collect();
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name.to_owned(), value)),
        }
    }

    /// The value of a tag.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter()
            .find_map(|(known, value)| (known == name).then_some(value))
    }

    /// Names and values in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (&**name, &**value))
    }

    pub(super) fn roster(&self) -> impl Iterator<Item = (&str, &str)> {
        self.iter().take(ROSTER.len())
    }

    pub(super) fn others(&self) -> impl Iterator<Item = (&str, &str)> {
        self.iter().skip(ROSTER.len())
    }
}

/// Whether a tag can have this name. With a percent sign it would be a command in a comment.
pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('%') && name.chars().all(is_name_character)
}

/// Whether a tag's name may hold this character.
pub(super) fn is_name_character(c: char) -> bool {
    !c.is_whitespace() && !c.is_control() && !matches!(c, '"' | '[' | ']')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_roster_comes_first() {
        let mut tags = Tags::default();
        tags.set("WhiteType", "program").unwrap();
        tags.set("Event", "one\nline").unwrap();
        let names: Vec<&str> = tags.iter().map(|(name, _)| name).collect();
        assert_eq!(
            names,
            [
                "Event",
                "Site",
                "Date",
                "Round",
                "White",
                "Black",
                "WhiteType"
            ]
        );
        assert_eq!(tags.get("Event"), Some("one line"));
        assert_eq!(tags.get("Annotator"), None);
    }

    #[test]
    fn time_controls_are_told_in_seconds() {
        for (white, black, told) in [
            (None, None, "-"),
            (Some("10m"), Some("10m"), "600"),
            (Some("10s+100ms"), Some("10s+100ms"), "10+0.1"),
            (Some("30s/move"), Some("30s/move"), "1/30"),
            (Some("5m~2s"), Some("5m~2s"), "?"),
            (Some("5m"), None, "?"),
            (Some("5m"), Some("1m"), "?"),
        ] {
            let mut tags = Tags::default();
            let clock = |text: Option<&str>| text.map(|text| text.parse().unwrap());
            tags.set_time_control(clock(white), clock(black));
            assert_eq!(tags.get("TimeControl"), Some(told));
        }
    }

    #[test]
    fn bad_names_are_refused() {
        let mut tags = Tags::default();
        for name in ["", "two words", "a\"b", "x]", "[x", "%clk"] {
            assert_eq!(tags.set(name, ""), Err(TagError::Name(name.to_owned())));
        }
        for name in ["Result", "GameType", "SetUp", "FEN"] {
            assert_eq!(tags.set(name, ""), Err(TagError::Own(name.to_owned())));
        }
        assert_eq!(tags, Tags::default());
    }
}
