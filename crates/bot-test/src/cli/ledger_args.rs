//! Tournaments on several machines.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use ledger_kit::{parse_address, parse_lease, parse_name};
use postgres_kit::PostgresAddress;

const MACHINES: &str = "Several machines";

/// How a tournament is played on several machines.
#[derive(Clone, Debug, Args)]
pub struct LedgerArgs {
    /// Let workers on any machines play: this process keeps the schedule and the results in a database of
    /// PostgreSQL, postgres://USER:PASSWORD@HOST/DATABASE; an address with a password is better given as the
    /// environment variable. The same command goes on with the tournament
    #[arg(
        long,
        env = "CHECKERS_LEDGER",
        hide_env_values = true,
        value_name = "URL"
    )]
    #[arg(value_parser = parse_address, conflicts_with_all = ["resume", "transcripts"])]
    #[arg(help_heading = MACHINES)]
    pub ledger: Option<PostgresAddress>,

    /// The name of the tournament in the ledger [default: its format and some digits, which follow from its
    /// settings]
    #[arg(long, value_name = "NAME", value_parser = parse_name, requires = "ledger")]
    #[arg(help_heading = MACHINES)]
    pub run: Option<String>,

    /// Only keep the schedule, and leave all games to workers
    #[arg(long, requires = "ledger", help_heading = MACHINES)]
    pub no_play: bool,

    /// Let machines play that are more than 15 % slower or faster than the first one, although limits are times
    #[arg(long, requires = "ledger", help_heading = MACHINES)]
    pub allow_unequal_machines: bool,

    /// After this time without a sign of life, the games of this process are given to others
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse_lease)]
    #[arg(help_heading = MACHINES)]
    pub lease: Duration,
}

/// What `worker` takes.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = WORKER_HELP)]
pub struct WorkerArgs {
    /// The ledger: postgres://USER:PASSWORD@HOST/DATABASE; an address with a password is better given as the
    /// environment variable
    #[arg(
        long,
        env = "CHECKERS_LEDGER",
        hide_env_values = true,
        value_name = "URL"
    )]
    #[arg(value_parser = parse_address)]
    pub ledger: PostgresAddress,

    /// The name or number of the tournament [default: the only one that is not complete; if there is none, the
    /// next one]
    #[arg(long, value_name = "NAME|ID")]
    pub run: Option<String>,

    /// How many games to play at the same time [default: the physical cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub concurrency: Option<u16>,

    /// After this time without a sign of life, the games of this process are given to others
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse_lease)]
    pub lease: Duration,
}

/// What `export-journal` takes.
#[derive(Clone, Debug, Args)]
pub struct ExportArgs {
    /// The ledger: postgres://USER:PASSWORD@HOST/DATABASE; an address with a password is better given as the
    /// environment variable
    #[arg(
        long,
        env = "CHECKERS_LEDGER",
        hide_env_values = true,
        value_name = "URL"
    )]
    #[arg(value_parser = parse_address)]
    pub ledger: PostgresAddress,

    /// The name or number of the tournament [default: the only one]
    #[arg(long, value_name = "NAME|ID")]
    pub run: Option<String>,

    /// The file to write, which must not be there
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

const WORKER_HELP: &str = "\
Examples:
  On each machine, before or after the tournament is begun:
    export CHECKERS_LEDGER=postgres://checkers:PASSWORD@db.example/checkers
    checkers-bot-test worker
  The tournament itself, on one of them:
    checkers-bot-test round-robin minimax alpha-beta negascout --limits depth=5 --pairs 100 \\
        --openings suite --journal rr.journal

A worker ends when its tournament is complete. Ctrl-C gives its games back. All machines need the
same version of this program, and files and commands that the bots name.";

/// Options that say where a tournament is played and written, but nothing about its games; each with whether it has a
/// value.
const PLACES: [(&str, bool); 13] = [
    ("--journal", true),
    ("--resume", true),
    ("--json", true),
    ("--csv", true),
    ("--pdn", true),
    ("--report", true),
    ("--transcripts", true),
    ("--concurrency", true),
    ("--ledger", true),
    ("--run", true),
    ("--lease", true),
    ("--no-play", false),
    ("--allow-unequal-machines", false),
];

/// The words of a command without those that say nothing about its games.
pub(crate) fn words_of_games(words: Vec<String>) -> Vec<String> {
    let mut words = words.into_iter();
    let mut kept = Vec::new();
    while let Some(word) = words.next() {
        let (option, has_value) = match word.split_once('=') {
            Some((option, _)) => (option, true),
            None => (word.as_str(), false),
        };
        match PLACES.iter().find(|(name, _)| *name == option) {
            None => kept.push(word),
            Some((_, true)) if !has_value => drop(words.next()),
            Some(_) => {}
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use clap::CommandFactory;

    fn kept(line: &str) -> String {
        let words = line.split_whitespace().map(str::to_owned).collect();
        words_of_games(words).join(" ")
    }

    #[test]
    fn only_words_about_games_are_kept() {
        let line = "match a b --pairs 3 --journal x --pv --ledger=postgres://anna:secret@db/a \
                    --no-play --seed 1 --run r";
        assert_eq!(kept(line), "match a b --pairs 3 --pv --seed 1");
    }

    #[test]
    fn the_options_are_there_and_have_values() {
        let command = Cli::command();
        let command = command.find_subcommand("match").unwrap();
        for (option, has_value) in PLACES {
            let is_it = |arg: &&clap::Arg| arg.get_long() == option.strip_prefix("--");
            let arg = command.get_arguments().find(is_it);
            let arg = arg.unwrap_or_else(|| panic!("{option}"));
            assert_eq!(arg.get_action().takes_values(), has_value, "{option}");
        }
    }
}
