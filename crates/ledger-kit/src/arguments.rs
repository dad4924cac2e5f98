//! Values of command lines. Errors say what is wrong, in words that follow "invalid value: ".

use std::time::Duration;

use postgres_kit::PostgresAddress;

/// Reads the address of a ledger.
///
/// # Errors
/// What is wrong; the address itself is not shown.
pub fn parse_address(text: &str) -> Result<PostgresAddress, String> {
    PostgresAddress::parse(text).map_err(|error| error.to_string())
}

/// Reads the name of a run, which is not a number: runs have numbers, too.
///
/// # Errors
/// What is wrong.
pub fn parse_name(text: &str) -> Result<String, String> {
    match text {
        "" => Err("expected a name".to_owned()),
        _ if text.parse::<u64>().is_ok() => Err("a name is not a number".to_owned()),
        _ => Ok(text.to_owned()),
    }
}

/// Reads a lease of a second or more.
///
/// # Errors
/// What is wrong.
pub fn parse_lease(text: &str) -> Result<Duration, String> {
    let lease = cli_kit::time(text)?;
    match lease < Duration::from_secs(1) {
        true => Err("expected 1s or more".to_owned()),
        false => Ok(lease),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_not_a_number() {
        assert!(parse_name("12").is_err() && parse_name("").is_err());
        assert_eq!(parse_name("evening-12").as_deref(), Ok("evening-12"));
    }
}
