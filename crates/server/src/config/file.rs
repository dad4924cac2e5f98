//! A configuration file: TOML, one setting per line, named like its flag.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use checkers_lib::did_you_mean;
use toml::{Spanned, Value};

use super::settings;

/// Why a configuration file is rejected.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConfigFileError {
    #[error("cannot read {}", file.display())]
    Read { file: PathBuf, source: io::Error },
    #[error("{place}: {message}")]
    Syntax { place: FileLine, message: String },
    #[error("{place}: unknown key `{key}`{}; --print-config shows all", did_you_mean(key, known.iter().map(String::as_str)))]
    UnknownKey {
        place: FileLine,
        key: String,
        known: Vec<String>,
    },
    #[error("{place}: bad value of `{key}`: {message}")]
    BadValue {
        place: FileLine,
        key: String,
        message: String,
    },
}

#[derive(Debug)]
pub(crate) struct FileLine {
    file: PathBuf,
    line: usize,
}

impl std::fmt::Display for FileLine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file.display(), self.line)
    }
}

/// The checked values of a file by key, as text for the command line.
pub(super) fn read(file: &Path) -> Result<BTreeMap<String, String>, ConfigFileError> {
    let text = std::fs::read_to_string(file).map_err(|source| ConfigFileError::Read {
        file: file.to_owned(),
        source,
    })?;
    let place = |span: Range<usize>| FileLine {
        file: file.to_owned(),
        line: text[..span.start.min(text.len())].matches('\n').count() + 1,
    };
    let entries: BTreeMap<Spanned<String>, Spanned<Value>> =
        toml::from_str(&text).map_err(|error| ConfigFileError::Syntax {
            place: place(error.span().unwrap_or_default()),
            message: match unquoted(&text, error.span().unwrap_or_default()) {
                Some((key, value)) => {
                    format!("expected a value: a text needs quotes: {key} = \"{value}\"")
                }
                None => error.message().to_owned(),
            },
        })?;
    let check = |(key, value): (Spanned<String>, Spanned<Value>)| {
        check(&key, value.get_ref(), || place(key.span()))
    };
    entries.into_iter().map(check).collect()
}

fn check(
    key: &Spanned<String>,
    value: &Value,
    place: impl Fn() -> FileLine,
) -> Result<(String, String), ConfigFileError> {
    let key = key.get_ref().clone();
    let known = settings::names();
    if !known.contains(&key) {
        let place = place();
        return Err(ConfigFileError::UnknownKey { place, key, known });
    }
    let value = as_argument(value).and_then(|value| match settings::check(&key, &value) {
        Ok(()) => Ok(value),
        Err(message) => Err(message),
    });
    match value {
        Ok(value) => Ok((key, value)),
        Err(message) => Err(ConfigFileError::BadValue {
            place: place(),
            key,
            message,
        }),
    }
}

/// The known key and the value of the line where an error is, if the value is a word without quotes.
fn unquoted(text: &str, span: Range<usize>) -> Option<(&str, &str)> {
    let before = text.get(..span.start)?;
    let line = text.get(before.rfind('\n').map_or(0, |end| end + 1)..)?;
    let (key, value) = line.lines().next()?.split_once('=')?;
    let (key, value) = (key.trim(), value.trim());
    let is_word = !value.is_empty() && !value.contains(['"', '\'', '[', '{', '#']);
    let is_wrong = is_word && toml::from_str::<toml::Table>(&format!("key = {value}")).is_err();
    (is_wrong && settings::names().iter().any(|name| name == key)).then_some((key, value))
}

/// A value as text for the command line.
fn as_argument(value: &Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Integer(number) => Ok(number.to_string()),
        Value::Boolean(value) => Ok(value.to_string()),
        Value::Array(items) => {
            let items: Result<Vec<String>, String> = items.iter().map(as_argument).collect();
            Ok(items?.join(","))
        }
        Value::Float(_) | Value::Datetime(_) | Value::Table(_) => {
            let found = value.type_str();
            Err(format!(
                "expected a text, a whole number or a list of texts, not a {found}"
            ))
        }
    }
}
