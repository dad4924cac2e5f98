//! The command line.

use std::path::{Path, PathBuf};
use std::time::Duration;

use checkers_engine::BotSpec;
use checkers_lib::DrawRules;
use checkers_lib::openings::{self, Opening};
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};

use crate::commands::stats::StatsArgs;
use crate::reproduce::ReproduceArgs;
use crate::{Contestant, ExitCode, Plan, Timeouts, Transport};

/// The longest any time-out may be: longer ones do not fit every system's clock.
const LONGEST: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Compares bots for Russian draughts by letting them play each other.
#[derive(Clone, Debug, Parser)]
#[command(name = "checkers-bot-test", version, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Plays a match between two bots and tells the score and the times
    Match(MatchArgs),

    /// Plays a published study again and compares
    Reproduce(ReproduceArgs),

    /// Tells what results that are known already say about strength
    Stats(StatsArgs),

    /// The server of a match; needs a parent that holds its stdin open
    #[command(hide = true)]
    Server(checkers_server::Args),

    /// A bot of a match; needs a parent that holds its stdin open
    #[command(hide = true)]
    Bot(checkers_bot::Args),

    /// A foreign bot of a match; needs a parent that holds its stdin open
    #[command(hide = true)]
    Foreign {
        /// The shell command to run.
        command: String,
    },
}

/// Plays a match between two bots and tells the score and the times.
///
/// Starts a server on a free port and each bot as a process of its own, over WebSocket, and
/// watches them: a bot that crashes, hangs, leaves or breaks the rules ends the match. The result
/// goes to stdout, everything else to stderr. Wins and losses are those of the first bot, which
/// begins with White.
#[derive(Clone, Debug, clap::Args)]
#[command(after_long_help = after_help())]
pub struct MatchArgs {
    /// The first bot, for instance negascout-tt:depth=9
    #[arg(value_name = "SPEC1")]
    pub first: Contestant,

    /// The second bot
    #[arg(value_name = "SPEC2")]
    pub second: Contestant,

    /// How many games to play
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub games: u32,

    /// Change sides from game to game
    #[arg(long)]
    pub swap: bool,

    /// Begin from openings: suite, or a file of moves, positions or PDN; with --swap each is
    /// played twice, with sides swapped
    #[arg(long, value_name = "suite|FILE", conflicts_with = "opening_plies")]
    pub openings: Option<PathBuf>,

    /// Begin from every position after so many quiet plies, shuffled by --seed
    #[arg(long, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u8).range(1..=8))]
    pub opening_plies: Option<u8>,

    /// Shuffle the openings; the same seed gives the same order [default: 0 for --opening-plies,
    /// the order of the file for --openings]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// When games are drawn: fmjd64 (the federation's articles) or study (after 200 plies)
    #[arg(long, value_name = "RULES", default_value_t = DrawRules::Fmjd64)]
    pub draw_rules: DrawRules,

    /// Play without processes and sockets; not for exec: bots
    #[arg(long)]
    pub in_process: bool,

    /// Write everything that is known about the match as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// Write the games as PDN, with times and scores as comments
    #[arg(long, value_name = "FILE")]
    pub pdn: Option<PathBuf>,

    /// For the server to come up, and for a bot to connect and take its seat
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_timeout)]
    pub connect_timeout: Duration,

    /// For a move
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = parse_timeout)]
    pub move_timeout: Duration,

    /// For a game
    #[arg(long, value_name = "TIME", default_value = "4h", value_parser = parse_timeout)]
    pub game_timeout: Duration,
}

impl MatchArgs {
    /// The match that is asked for; `program` is what to start servers and bots with.
    ///
    /// # Errors
    /// A foreign bot in a match within this process, two outputs in one file, or openings that
    /// cannot be read or played.
    pub fn plan(&self, program: PathBuf) -> Result<Plan, clap::Error> {
        let bots = [self.first.clone(), self.second.clone()];
        let is_foreign = |bot: &Contestant| matches!(bot, Contestant::Foreign(_));
        if self.in_process && bots.iter().any(is_foreign) {
            let message = "an exec: bot is a process and cannot play with --in-process";
            return Err(Cli::command().error(ErrorKind::ArgumentConflict, message));
        }
        if self.json.is_some() && self.json == self.pdn {
            let message = "--json and --pdn cannot write the same file";
            return Err(Cli::command().error(ErrorKind::ArgumentConflict, message));
        }
        Ok(Plan {
            bots,
            games: self.games,
            swap: self.swap,
            openings: self.openings()?,
            draw_rules: self.draw_rules,
            timeouts: Timeouts {
                connect: self.connect_timeout,
                per_move: self.move_timeout,
                per_game: self.game_timeout,
            },
            transport: if self.in_process {
                Transport::InProcess
            } else {
                Transport::WebSocket { program }
            },
        })
    }
}

impl MatchArgs {
    fn openings(&self) -> Result<Vec<Opening>, clap::Error> {
        let mut openings = match (&self.openings, self.opening_plies) {
            (Some(file), _) if file.as_os_str() == "suite" => openings::suite(),
            (Some(file), _) => read_openings(file)?,
            (None, Some(plies)) => openings::enumerate(plies.into()),
            (None, None) => Vec::new(),
        };
        for (number, opening) in (1..).zip(&openings) {
            let game = opening.to_game(self.draw_rules);
            if !game.is_ok_and(|game| game.outcome().is_none()) {
                return Err(bad_openings(&format!("opening {number} ends the game")));
            }
        }
        if let Some(seed) = self.seed.or(self.opening_plies.map(|_| 0)) {
            openings::shuffle(&mut openings, seed);
        }
        Ok(openings)
    }
}

fn read_openings(file: &Path) -> Result<Vec<Opening>, clap::Error> {
    let name = file.display();
    let text = std::fs::read_to_string(file)
        .map_err(|error| bad_openings(&format!("cannot read {name}: {error}")))?;
    let openings =
        openings::parse(&text).map_err(|error| bad_openings(&format!("{name}: {error}")))?;
    if openings.is_empty() {
        return Err(bad_openings(&format!("{name} has no openings")));
    }
    Ok(openings)
}

fn bad_openings(message: &str) -> clap::Error {
    Cli::command().error(ErrorKind::ValueValidation, message)
}

fn parse_timeout(text: &str) -> Result<Duration, String> {
    let time = humantime::parse_duration(text).map_err(|error| error.to_string())?;
    if time.is_zero() || time > LONGEST {
        return Err("expected more than 0s and at most 30days".to_owned());
    }
    Ok(time)
}

fn after_help() -> String {
    format!(
        "\
Examples:
  Three games between two bots:
    checkers-bot-test match negascout-tt:depth=9 alpha-beta:depth=7 --games 3
  Both sides, on record:
    checkers-bot-test match minimax:depth=5 random --games 10 --swap --json m.json --pdn m.pdn
  A hundred pairs from balanced openings, and what they say about strength:
    checkers-bot-test match negascout:depth=6 alpha-beta:depth=5 --games 200 --swap \\
        --openings suite --in-process
  A bot of your own:
    checkers-bot-test match exec:./my-bot alpha-beta:depth=5 --games 2 --swap

SPEC is one of ours or any program
{}
{}

Times are written as 500ms, 10s, 5m, 1h.

{}",
        BotSpec::help(),
        Contestant::HELP,
        ExitCode::HELP,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(options: &str) -> Result<Plan, clap::Error> {
        let words = ["checkers-bot-test", "match"]
            .into_iter()
            .chain(options.split_whitespace());
        match Cli::try_parse_from(words)?.command {
            Command::Match(args) => args.plan(PathBuf::from("self")),
            Command::Reproduce(_)
            | Command::Stats(_)
            | Command::Server(_)
            | Command::Bot(_)
            | Command::Foreign { .. } => unreachable!(),
        }
    }

    #[test]
    fn the_command_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_defaults_are_those_of_the_library() {
        let plan = parse("random random").unwrap();
        assert_eq!(plan.timeouts, Timeouts::default());
        assert_eq!(
            (plan.games, plan.swap, plan.draw_rules),
            (1, false, DrawRules::Fmjd64)
        );
        assert!(matches!(plan.transport, Transport::WebSocket { .. }));
    }

    #[test]
    fn wrong_usage_has_the_documented_code() {
        for options in [
            "random",
            "random nobody",
            "random exec:",
            "random random --games 0",
            "random random --draw-rules chess",
            "random random --move-timeout 0s",
            "random random --move-timeout 1year",
            "random exec:true --in-process",
            "random random --json same --pdn same",
        ] {
            let error = parse(options).expect_err(options);
            assert_eq!(error.exit_code(), ExitCode::Usage as i32, "{options}");
        }
    }

    #[test]
    fn the_help_lists_the_exit_codes() {
        let mut command = Cli::command();
        let help = command
            .find_subcommand_mut("match")
            .unwrap()
            .render_long_help()
            .to_string();
        assert!(help.contains(ExitCode::HELP) && help.contains("CHECKERS_SERVER"));
    }
}
