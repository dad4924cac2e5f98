//! The rules of adjudication as they are written on the command line.

use std::fmt;
use std::str::FromStr;

use super::{DrawAdjudication, ResignAdjudication};

impl DrawAdjudication {
    /// How it is written, for people.
    pub const FORM: &str = "movenumber=N,movecount=N,score=N";
}

impl ResignAdjudication {
    /// How it is written, for people.
    pub const FORM: &str = "movecount=N,score=N and perhaps twosided=true or false";
}

/// Why a text does not say when games are ended by judgement.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AdjudicationError {
    /// There is no such key.
    #[error("unknown key {found:?}: expected {form}")]
    Unknown {
        /// What is there.
        found: String,
        /// What there should be.
        form: &'static str,
    },
    /// A key is not there.
    #[error("{key} is missing: expected {form}")]
    Missing {
        /// Which one.
        key: &'static str,
        /// What there should be.
        form: &'static str,
    },
    /// A key is there twice.
    #[error("{0} is given twice")]
    Twice(&'static str),
    /// The value cannot be.
    #[error("expected {expected} for {key}, found {found:?}")]
    Value {
        key: &'static str,
        /// What its value should be.
        expected: &'static str,
        /// What is there.
        found: String,
    },
}

const MOVE_NUMBER: &str = "movenumber";
const MOVE_COUNT: &str = "movecount";
const SCORE: &str = "score";
const TWO_SIDED: &str = "twosided";

impl FromStr for DrawAdjudication {
    type Err = AdjudicationError;

    fn from_str(text: &str) -> Result<DrawAdjudication, AdjudicationError> {
        let given = Given::read(text, &[MOVE_NUMBER, MOVE_COUNT, SCORE], Self::FORM)?;
        Ok(DrawAdjudication {
            move_number: given.number(MOVE_NUMBER)?,
            move_count: given.positive(MOVE_COUNT)?,
            score: given.number(SCORE)?,
        })
    }
}

impl FromStr for ResignAdjudication {
    type Err = AdjudicationError;

    fn from_str(text: &str) -> Result<ResignAdjudication, AdjudicationError> {
        let given = Given::read(text, &[MOVE_COUNT, SCORE, TWO_SIDED], Self::FORM)?;
        Ok(ResignAdjudication {
            move_count: given.positive(MOVE_COUNT)?,
            score: given.positive(SCORE)?,
            two_sided: given.flag(TWO_SIDED)?.unwrap_or(true),
        })
    }
}

/// The keys of a text and their values.
struct Given<'a> {
    values: Vec<(&'static str, &'a str)>,
    form: &'static str,
}

impl<'a> Given<'a> {
    /// Takes a text apart, which may have these keys, each once.
    fn read(
        text: &'a str,
        keys: &[&'static str],
        form: &'static str,
    ) -> Result<Given<'a>, AdjudicationError> {
        let mut given = Given {
            values: Vec::new(),
            form,
        };
        for part in text.split(',').map(str::trim) {
            let known = part.split_once('=').and_then(|(name, value)| {
                let key = keys.iter().find(|&&key| key == name)?;
                Some((*key, value))
            });
            let (key, value) = known.ok_or_else(|| AdjudicationError::Unknown {
                found: part.to_owned(),
                form,
            })?;
            if given.get(key).is_some() {
                return Err(AdjudicationError::Twice(key));
            }
            given.values.push((key, value));
        }
        Ok(given)
    }

    fn get(&self, key: &'static str) -> Option<&'a str> {
        let found = self.values.iter().find(|(known, _)| *known == key);
        found.map(|&(_, value)| value)
    }

    fn need(&self, key: &'static str) -> Result<&'a str, AdjudicationError> {
        let form = self.form;
        self.get(key)
            .ok_or(AdjudicationError::Missing { key, form })
    }

    fn number(&self, key: &'static str) -> Result<u32, AdjudicationError> {
        let text = self.need(key)?;
        let number = text.parse().ok();
        number.ok_or_else(|| wrong(key, "a whole number", text))
    }

    fn positive(&self, key: &'static str) -> Result<u32, AdjudicationError> {
        let text = self.need(key)?;
        let number = text.parse().ok().filter(|&number| number > 0);
        number.ok_or_else(|| wrong(key, "a whole number, 1 or more,", text))
    }

    fn flag(&self, key: &'static str) -> Result<Option<bool>, AdjudicationError> {
        let read = |text: &str| (text.parse()).map_err(|_| wrong(key, "true or false", text));
        self.get(key).map(read).transpose()
    }
}

fn wrong(key: &'static str, expected: &'static str, found: &str) -> AdjudicationError {
    AdjudicationError::Value {
        key,
        expected,
        found: found.to_owned(),
    }
}

impl fmt::Display for DrawAdjudication {
    /// Writes every key, in one order.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DrawAdjudication {
            move_number,
            move_count,
            score,
        } = self;
        write!(f, "{MOVE_NUMBER}={move_number},")?;
        write!(f, "{MOVE_COUNT}={move_count},{SCORE}={score}")
    }
}

impl fmt::Display for ResignAdjudication {
    /// Writes every key, in one order.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ResignAdjudication {
            move_count,
            score,
            two_sided,
        } = self;
        write!(f, "{MOVE_COUNT}={move_count},{SCORE}={score},")?;
        write!(f, "{TWO_SIDED}={two_sided}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_as_they_are_written() {
        let text = "movenumber=40,movecount=8,score=20";
        let draw: DrawAdjudication = text.parse().unwrap();
        assert_eq!(draw.to_string(), text);
        assert_eq!((draw.move_number, draw.move_count, draw.score), (40, 8, 20));
        for (text, canonical) in [
            (
                "movecount=3,score=600",
                "movecount=3,score=600,twosided=true",
            ),
            (
                "twosided=false, score=1, movecount=1",
                "movecount=1,score=1,twosided=false",
            ),
        ] {
            let resign: ResignAdjudication = text.parse().unwrap();
            assert_eq!(resign.to_string(), canonical);
            assert_eq!(canonical.parse(), Ok(resign));
        }
    }

    #[test]
    fn wrong_rules_say_what_is_wrong() {
        let draw = |text: &str| text.parse::<DrawAdjudication>().unwrap_err().to_string();
        let resign = |text: &str| text.parse::<ResignAdjudication>().unwrap_err().to_string();
        assert_eq!(
            draw("moves=8"),
            "unknown key \"moves=8\": expected movenumber=N,movecount=N,score=N"
        );
        assert_eq!(
            draw("movenumber=40,score=20"),
            "movecount is missing: expected movenumber=N,movecount=N,score=N"
        );
        assert!(draw("").starts_with("unknown key \"\""));
        assert_eq!(draw("score=1,score=1"), "score is given twice");
        assert_eq!(
            draw("movenumber=40,movecount=0,score=20"),
            "expected a whole number, 1 or more, for movecount, found \"0\""
        );
        assert_eq!(
            draw("movenumber=-1,movecount=1,score=20"),
            "expected a whole number for movenumber, found \"-1\""
        );
        assert!(resign("movecount=3,score=0").starts_with("expected a whole number, 1 or more"));
        assert!(resign("movecount=3,score=1,movenumber=1").starts_with("unknown key"));
        assert_eq!(
            resign("movecount=3,score=600,twosided=yes"),
            "expected true or false for twosided, found \"yes\""
        );
    }
}
