//! Lines of the protocol: a command, and arguments with or without a value.
//!
//! Lenient in reading: any white space between the words. Strict in writing: one space, and quotes
//! where a value needs them. The protocol has no way to write a double quote or a line break
//! within a value: they are written as `'` and a space.

use std::fmt;
use std::str::FromStr;

/// A line: `done move=32-28 ponder=17-22`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct HubLine {
    command: String,
    arguments: Vec<Argument>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Argument {
    name: String,
    /// A flag has none.
    value: Option<String>,
}

impl HubLine {
    /// A command without arguments; it and the names of arguments are words.
    pub(crate) fn new(command: &str) -> HubLine {
        HubLine {
            command: command.to_owned(),
            arguments: Vec::new(),
        }
    }

    /// The line with another argument at its end.
    pub(crate) fn with(self, name: &str, value: impl fmt::Display) -> HubLine {
        let value = value
            .to_string()
            .replace('"', "'")
            .replace(['\r', '\n'], " ");
        self.and(name, Some(value))
    }

    /// The line with an argument that has no value at its end.
    pub(crate) fn flag(self, name: &str) -> HubLine {
        self.and(name, None)
    }

    fn and(mut self, name: &str, value: Option<String>) -> HubLine {
        let name = name.to_owned();
        self.arguments.push(Argument { name, value });
        self
    }

    pub(crate) fn command(&self) -> &str {
        &self.command
    }

    /// The value of an argument, which is empty for a flag; `None` if there is no such argument.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let argument = self.arguments.iter().find(|found| found.name == name)?;
        Some(argument.value.as_deref().unwrap_or_default())
    }

    /// Whether there is an argument of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }
}

/// Why a text is no line of the protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum LineError {
    /// Nothing but white space.
    #[error("an empty line")]
    Empty,
    /// `="x"`, or the like.
    #[error("an argument without a name")]
    NoName,
    /// A quote that nothing closes.
    #[error("a quote that is not closed")]
    Unclosed,
    /// `name="x"y`.
    #[error("a quoted value that goes on after its quote")]
    GoesOn,
}

impl FromStr for HubLine {
    type Err = LineError;

    fn from_str(text: &str) -> Result<HubLine, LineError> {
        let text = text.trim();
        let (command, mut rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        if command.is_empty() {
            return Err(LineError::Empty);
        }
        let mut line = HubLine::new(command);
        while let Some(argument) = next_argument(&mut rest)? {
            line.arguments.push(argument);
        }
        Ok(line)
    }
}

/// Takes the argument that comes next.
fn next_argument(rest: &mut &str) -> Result<Option<Argument>, LineError> {
    let text = rest.trim_start();
    let end = text.find(|c: char| c.is_whitespace() || c == '=');
    let (name, after) = text.split_at(end.unwrap_or(text.len()));
    let (value, after) = match after.strip_prefix('=') {
        Some(after) => next_value(after).map(|(value, after)| (Some(value), after))?,
        None => (None, after),
    };
    *rest = after;
    match (name, &value) {
        ("", None) => Ok(None),
        ("", Some(_)) => Err(LineError::NoName),
        (name, _) => Ok(Some(Argument {
            name: name.to_owned(),
            value,
        })),
    }
}

/// A value, and what comes after it.
fn next_value(text: &str) -> Result<(String, &str), LineError> {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find(char::is_whitespace).unwrap_or(text.len());
        let (value, after) = text.split_at(end);
        return Ok((value.to_owned(), after));
    };
    let (value, after) = quoted.split_once('"').ok_or(LineError::Unclosed)?;
    if after.starts_with(|c: char| !c.is_whitespace()) {
        return Err(LineError::GoesOn);
    }
    Ok((value.to_owned(), after))
}

impl fmt::Display for HubLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.command)?;
        for Argument { name, value } in &self.arguments {
            write!(f, " {name}")?;
            match value {
                None => {}
                Some(value) if needs_quotes(value) => write!(f, "=\"{value}\"")?,
                Some(value) => write!(f, "={value}")?,
            }
        }
        Ok(())
    }
}

fn needs_quotes(value: &str) -> bool {
    value.is_empty() || value.contains(|c: char| c.is_whitespace() || matches!(c, '=' | '"'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines_are_read_however_they_are_spaced() {
        let line: HubLine = " info\tdepth=21  score=-0.01 pv=\"32-28 17-22\" book empty=\"\" \r"
            .parse()
            .unwrap();
        assert_eq!(line.command(), "info");
        assert_eq!(line.get("depth"), Some("21"));
        assert_eq!(line.get("pv"), Some("32-28 17-22"));
        assert_eq!(line.get("book"), Some(""));
        assert_eq!(line.get("empty"), Some(""));
        assert!(!line.has("nodes"));
        let written = "info depth=21 score=-0.01 pv=\"32-28 17-22\" book empty=\"\"";
        assert_eq!(line.to_string(), written);
    }

    #[test]
    fn an_invalid_line_is_reported() {
        for (text, error) in [
            ("  ", LineError::Empty),
            ("pos =x", LineError::NoName),
            ("pos = x", LineError::NoName),
            ("pos moves=\"1-5", LineError::Unclosed),
            ("pos moves=\"1-5\"x", LineError::GoesOn),
        ] {
            assert_eq!(text.parse::<HubLine>(), Err(error), "{text}");
        }
    }

    #[test]
    fn a_value_cannot_leave_its_quotes() {
        let line = HubLine::new("error").with("message", "no \"x\"\nquit");
        assert_eq!(line.to_string(), "error message=\"no 'x' quit\"");
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(
            command in "[a-z-]{1,9}",
            arguments in prop::collection::vec(("[a-z-]{1,9}", prop::option::of("[^\"\r\n]{0,9}")), 0..5),
        ) {
            let line = arguments.iter().fold(HubLine::new(&command), |line, (name, value)| match value {
                Some(value) => line.with(name, value),
                None => line.flag(name),
            });
            prop_assert_eq!(line.to_string().parse(), Ok(line));
        }

        #[test]
        fn any_text_is_read_or_refused(text in any::<String>()) {
            if let Ok(line) = text.parse::<HubLine>() {
                prop_assert!(!line.command().is_empty());
            }
        }
    }
}
