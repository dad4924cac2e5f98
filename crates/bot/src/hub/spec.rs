//! Which engine, as a text: `hub:cmd=./scan hub,dir=/opt/scan,param.book=false`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use checkers_lib::{did_you_mean, parse_duration};

/// An engine that speaks the Hub protocol: how it is started and set up.
///
/// Written `hub:KEY=VALUE,KEY=VALUE`. A value with a comma in it stands in double quotes, in which
/// `\"` and `\\` are a quote and a backslash.
///
/// # Examples
/// ```
/// use checkers_bot::HubSpec;
///
/// let spec: HubSpec = "hub:cmd=./scan hub,threads=2".parse()?;
/// assert_eq!(spec.command, "./scan hub");
/// assert_eq!(spec.to_string(), "hub:cmd=./scan hub,param.threads=2");
/// # Ok::<(), checkers_bot::HubSpecError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HubSpec {
    /// The shell command that starts it.
    pub command: String,
    /// The directory it is started in; without one, the present.
    pub directory: Option<String>,
    /// The variant to play, for an engine with several.
    pub variant: String,
    /// How long it may take to be ready.
    pub start: Duration,
    /// Its parameters with the values they are given.
    pub parameters: Vec<(String, String)>,
}

/// What a text begins with that names such an engine.
const PREFIX: &str = "hub:";
/// The keys with a meaning of their own.
const KEYS: [&str; 5] = ["cmd", "dir", "threads", "variant", "start"];
/// What a key begins with that names a parameter of the engine.
const PARAMETER: &str = "param.";
/// The variant that is played here.
const RUSSIAN: &str = "russian";
/// How long an engine may take to be ready, unless the spec says otherwise.
const START: Duration = Duration::from_secs(60);

impl HubSpec {
    /// What can be written in a spec, for people.
    pub const HELP: &str = "hub:cmd=COMMAND or hub:cmd=COMMAND,KEY=VALUE,…
  An engine that speaks the Hub protocol, version 2. Started with sh -c; ends with the program.
  keys: cmd, the command
        dir, the directory it is started in
        threads, the same as param.threads
        variant, what it plays if it knows several; default russian
        start, how long it may take to be ready; default 1m
        param.NAME, the value of a parameter of the engine
  A value with a comma in it stands in double quotes: cmd=\"./engine --style=a,b\"";

    /// Whether a text is meant to be such an engine.
    pub fn is_meant(text: &str) -> bool {
        text.starts_with(PREFIX)
    }

    fn of(command: &str) -> HubSpec {
        HubSpec {
            command: command.to_owned(),
            directory: None,
            variant: RUSSIAN.to_owned(),
            start: START,
            parameters: Vec::new(),
        }
    }

    fn set(&mut self, key: &str, value: String) -> Result<(), HubSpecError> {
        match key {
            "cmd" => self.command = value,
            "dir" => self.directory = Some(value),
            "variant" => self.variant = value,
            "threads" => return self.set_parameter(key, value),
            "start" => match parse_duration(&value) {
                Ok(start) => self.start = start,
                Err(_) => return Err(HubSpecError::BadTime { value }),
            },
            key => match key.strip_prefix(PARAMETER) {
                Some(name) if is_word(name) => return self.set_parameter(name, value),
                _ => {
                    let key = key.to_owned();
                    return Err(HubSpecError::UnknownKey { key });
                }
            },
        }
        Ok(())
    }

    fn set_parameter(&mut self, name: &str, value: String) -> Result<(), HubSpecError> {
        let key = name.to_owned();
        if self.parameters.iter().any(|(known, _)| *known == key) {
            return Err(HubSpecError::GivenTwice { key });
        }
        self.parameters.push((key, value));
        Ok(())
    }
}

fn is_word(name: &str) -> bool {
    !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || matches!(c, '=' | '"'))
}

/// Why a text is not the spec of an engine.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum HubSpecError {
    /// It begins with something else.
    #[error("expected {PREFIX}")]
    NoPrefix,
    /// Nothing that could be started.
    #[error("expected a command: hub:cmd=COMMAND")]
    NoCommand,
    /// Something else than `key=value`.
    #[error("expected KEY=VALUE, found {found:?}; a value with a comma stands in double quotes")]
    NoValue {
        /// What was read.
        found: String,
    },
    /// A key that there is not.
    #[error(
        "hub has no key {key:?}{}; expected cmd, dir, threads, variant, start or param.NAME; a value \
         with a comma stands in double quotes",
        did_you_mean(key, KEYS)
    )]
    UnknownKey {
        /// The key that was read.
        key: String,
    },
    /// A key given more than once.
    #[error("{key} is given twice")]
    GivenTwice { key: String },
    /// A quote that nothing closes, or that something else than a comma follows.
    #[error("the quote of {key} is not closed before a comma or the end")]
    Quote { key: String },
    /// What is no time.
    #[error("bad value {value:?} for start: expected a time with a unit, such as 30s or 2m")]
    BadTime {
        /// The value that was read.
        value: String,
    },
}

impl FromStr for HubSpec {
    type Err = HubSpecError;

    fn from_str(text: &str) -> Result<HubSpec, HubSpecError> {
        let mut rest = text.strip_prefix(PREFIX).ok_or(HubSpecError::NoPrefix)?;
        let mut spec = HubSpec::of("");
        let mut given: Vec<&str> = Vec::new();
        while !rest.is_empty() {
            let (key, after) = rest.split_once('=').ok_or_else(|| HubSpecError::NoValue {
                found: rest.to_owned(),
            })?;
            let (value, after) = next_value(key, after)?;
            if given.contains(&key) {
                let key = key.to_owned();
                return Err(HubSpecError::GivenTwice { key });
            }
            given.push(key);
            spec.set(key, value)?;
            rest = after;
        }
        if spec.command.trim().is_empty() {
            return Err(HubSpecError::NoCommand);
        }
        Ok(spec)
    }
}

/// The value of a key, and what comes after its comma.
fn next_value<'a>(key: &str, text: &'a str) -> Result<(String, &'a str), HubSpecError> {
    let Some(quoted) = text.strip_prefix('"') else {
        let (value, after) = text.split_once(',').unwrap_or((text, ""));
        return Ok((value.to_owned(), after));
    };
    let mut value = String::new();
    let mut letters = quoted.char_indices();
    while let Some((place, letter)) = letters.next() {
        match letter {
            '\\' => value.extend(letters.next().map(|(_, escaped)| escaped)),
            '"' => {
                let after = &quoted[place + 1..];
                let is_end = after.is_empty() || after.starts_with(',');
                let after = after.strip_prefix(',').unwrap_or(after);
                return match is_end {
                    true => Ok((value, after)),
                    false => Err(quote(key)),
                };
            }
            letter => value.push(letter),
        }
    }
    Err(quote(key))
}

fn quote(key: &str) -> HubSpecError {
    HubSpecError::Quote {
        key: key.to_owned(),
    }
}

impl fmt::Display for HubSpec {
    /// Writes the canonical spec: the keys in a fixed order, those that differ from their defaults.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}cmd={}", SpecValue(&self.command))?;
        if let Some(directory) = &self.directory {
            write!(f, ",dir={}", SpecValue(directory))?;
        }
        if self.variant != RUSSIAN {
            write!(f, ",variant={}", SpecValue(&self.variant))?;
        }
        if self.start != START {
            write!(f, ",start={}", humantime::format_duration(self.start))?;
        }
        for (name, value) in &self.parameters {
            write!(f, ",{PARAMETER}{name}={}", SpecValue(value))?;
        }
        Ok(())
    }
}

/// A value, in quotes where it needs them.
struct SpecValue<'a>(&'a str);

impl fmt::Display for SpecValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.contains(',') || self.0.starts_with('"') {
            true => write!(
                f,
                "\"{}\"",
                self.0.replace('\\', "\\\\").replace('"', "\\\"")
            ),
            false => f.write_str(self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(text: &str) -> Result<HubSpec, HubSpecError> {
        text.parse()
    }

    #[test]
    fn every_key_is_read() {
        let text = "hub:dir=/opt/my scan,cmd=./scan hub,threads=2,variant=idf,start=5s,\
                    param.book=false";
        let spec = parse(text).unwrap();
        assert_eq!(spec.command, "./scan hub");
        assert_eq!(spec.directory.as_deref(), Some("/opt/my scan"));
        assert_eq!(spec.variant, "idf");
        assert_eq!(spec.start, Duration::from_secs(5));
        let written = "hub:cmd=./scan hub,dir=/opt/my scan,variant=idf,start=5s,\
                       param.threads=2,param.book=false";
        assert_eq!(spec.to_string(), written);
        assert_eq!(parse(written), Ok(spec));
    }

    #[test]
    fn commands_may_have_anything_in_them() {
        for (text, command) in [
            (r#"hub:cmd="a b",threads=1"#, "a b"),
            (r#"hub:cmd="a,b=c","#, "a,b=c"),
            (r#"hub:cmd=a "b c" d=e:f"#, r#"a "b c" d=e:f"#),
            (r#"hub:cmd="a \"b, c\" \\d""#, r#"a "b, c" \d"#),
        ] {
            assert_eq!(parse(text).unwrap().command, command, "{text}");
        }
    }

    #[test]
    fn wrong_specs_say_what_is_wrong() {
        for (text, reported) in [
            ("scan", "expected hub:"),
            ("hub:", "expected a command"),
            ("hub:cmd= ", "expected a command"),
            ("hub:dir=/x", "expected a command"),
            ("hub:./scan", "expected KEY=VALUE"),
            ("hub:cmd=a:b=1,c", "expected KEY=VALUE, found \"c\""),
            ("hub:cmd=a,seed=1", "no key \"seed\""),
            ("hub:cmd=a,param.=1", "no key \"param.\""),
            ("hub:cmd=a,cmd=b", "cmd is given twice"),
            (
                "hub:cmd=a,threads=1,param.threads=2",
                "threads is given twice",
            ),
            ("hub:cmd=\"a", "quote of cmd"),
            ("hub:cmd=\"a\"b", "quote of cmd"),
            ("hub:cmd=a,start=never", "bad value"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(reported), "{text}: {error}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(
            command in "[!-~][ -~]{0,12}",
            directory in prop::option::of("[ -~]{1,9}"),
            value in "[ -~]{0,9}",
        ) {
            let mut spec = HubSpec::of(&command);
            spec.directory = directory;
            spec.parameters = vec![("book".to_owned(), value)];
            prop_assert_eq!(spec.to_string().parse(), Ok(spec));
        }

        #[test]
        fn any_text_is_read_or_refused(text in "hub:[cmd=,\"\\\\a]{0,12}") {
            if let Ok(spec) = parse(&text) {
                prop_assert_eq!(parse(&spec.to_string()), Ok(spec));
            }
        }
    }
}
