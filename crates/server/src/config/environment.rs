//! Environment variables that are nearly a setting's: a slip of the pen, which nobody would notice
//! otherwise.
//!
//! Other programs have variables with the same beginning, so that an unknown one is no mistake by
//! itself.

use clap::{Args, Command};

use super::Config;

/// What the names of all variables of ours begin with.
const PREFIX: &str = "CHECKERS_";
/// Variables of the server that are not a setting's.
const OTHERS: [&str; 2] = ["CHECKERS_CONFIG", "CHECKERS_LOG"];
/// The most letters that may be wrong in a name for it to be taken for a slip.
const MOST_WRONG: usize = 2;
/// One letter may be wrong for every so many, the beginning not counted.
const LETTERS_PER_WRONG: usize = 3;

/// A variable that nobody reads, and the one that is probably meant.
#[derive(Debug, thiserror::Error)]
#[error("unknown environment variable {name}: did you mean {meant}?")]
pub(crate) struct MisspeltVariable {
    name: String,
    meant: String,
}

/// Looks for a slip among the names of all variables.
pub(super) fn check(names: impl Iterator<Item = String>) -> Result<(), MisspeltVariable> {
    let known = known();
    for name in names.filter(|name| name.starts_with(PREFIX) && !known.contains(name)) {
        if let Some(meant) = meant_by(&name, &known) {
            let meant = meant.to_owned();
            return Err(MisspeltVariable { name, meant });
        }
    }
    Ok(())
}

/// The names of all variables that the server reads.
fn known() -> Vec<String> {
    let command = Config::augment_args(Command::new("checkers-server"));
    let settings = command.get_arguments().filter_map(|arg| arg.get_env());
    let settings = settings.map(|name| name.to_string_lossy().into_owned());
    settings.chain(OTHERS.map(str::to_owned)).collect()
}

/// The nearest name, if one is near enough.
fn meant_by<'a>(name: &str, known: &'a [String]) -> Option<&'a str> {
    let wrong = |other: &&String| strsim::damerau_levenshtein(name, other);
    let nearest = known.iter().min_by_key(wrong)?;
    let letters = nearest.len() - PREFIX.len();
    let most = MOST_WRONG.min(letters / LETTERS_PER_WRONG);
    (wrong(&nearest) <= most).then_some(nearest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaint(name: &str) -> Option<String> {
        let found = check([name.to_owned()].into_iter());
        found.err().map(|error| error.to_string())
    }

    #[test]
    fn a_slip_is_named_with_what_was_meant() {
        for (name, meant) in [
            ("CHECKERS_PROT", "CHECKERS_PORT"),
            ("CHECKERS_PORTS", "CHECKERS_PORT"),
            ("CHECKERS_LOGS", "CHECKERS_LOG"),
            ("CHECKERS_DURABILTY", "CHECKERS_DURABILITY"),
            ("CHECKERS_PING_INTERVALL", "CHECKERS_PING_INTERVAL"),
            ("CHECKERS_ADMINTOKEN", "CHECKERS_ADMIN_TOKEN"),
            ("CHECKERS_PING-INTERVAL", "CHECKERS_PING_INTERVAL"),
        ] {
            let said = format!("unknown environment variable {name}: did you mean {meant}?");
            assert_eq!(complaint(name), Some(said));
        }
    }

    #[test]
    fn what_is_read_or_is_another_programs_is_no_slip() {
        let others = [
            // The bot's, which a shell may have for it.
            "CHECKERS_SERVER",
            "CHECKERS_NAME",
            "CHECKERS_COLOR",
            "CHECKERS_TABLE",
            "CHECKERS_DEPTH",
            "CHECKERS_NODES",
            "CHECKERS_GAMES",
            "CHECKERS_CREATE",
            "CHECKERS_DELAY",
            // What Kubernetes gives for a service of this name.
            "CHECKERS_SERVICE_HOST",
            "CHECKERS_PORT_43210_TCP",
            "HOME",
            "PORTS",
        ];
        let known = known();
        for name in known.iter().map(String::as_str).chain(others) {
            assert_eq!(complaint(name), None);
        }
    }
}
