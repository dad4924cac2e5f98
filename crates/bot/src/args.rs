//! The options of the command.

use std::path::PathBuf;
use std::time::Duration;

use checkers_engine::{BotSpec, Limits};
use checkers_lib::protocol::Quick;
use checkers_lib::{Color, TimeControl};
use clap::builder::{FalseyValueParser, PossibleValuesParser, TypedValueParser};
use cli_kit::{movetime, pause};
use tokio_tungstenite::tungstenite::http::Uri;

use crate::engine_spec::EngineSpec;
use crate::failure::ExitCode;
use crate::hub::HubSpec;
use crate::player::{RunPlan, Series, Venue};
use crate::report::ReportFormat;

/// Plays Russian draughts on a server with a bot.
///
/// Joins under a name, takes a seat, plays, and takes a seat again after each game until all
/// games are played. A game that a player left counts as played. With --arranged it takes no seat
/// and plays what the director of a tournament arranges for it. Reports go to stdout, errors to
/// stderr. Every option may be given as an environment variable instead.
#[derive(Clone, Debug, clap::Parser)]
#[command(name = "checkers-bot", version = cli_kit::VERSION, max_term_width = 100, after_long_help = after_help())]
pub struct Args {
    /// The server's address: ws://HOST:PORT, or wss://HOST:PORT with TLS.
    #[arg(long, env = "CHECKERS_SERVER", value_name = "URL", value_parser = parse_server)]
    #[arg(default_value = "ws://127.0.0.1:43210")]
    pub server: Uri,

    /// A PEM file with the certificates to accept, or their authorities, from a server with wss://,
    /// instead of those that the system trusts.
    #[arg(long, env = "CHECKERS_CA_FILE", value_name = "FILE")]
    pub ca_file: Option<PathBuf>,

    /// The name to join with: 1 to 30 characters, unique on the server.
    #[arg(long, env = "CHECKERS_NAME", required_unless_present = "token")]
    pub name: Option<String>,

    /// The token of a bot's account, from its owner's page; it plays under that name. Prefer the environment
    /// variable: other users of the machine can read command lines.
    #[arg(long, env = "CHECKERS_TOKEN", hide_env_values = true)]
    pub token: Option<String>,

    /// The side of the first game.
    #[arg(long, env = "CHECKERS_COLOR", default_value = "white", value_parser = color_parser())]
    pub color: Color,

    /// How many games to play; 0 for no end.
    #[arg(long, env = "CHECKERS_GAMES", value_name = "N", default_value_t = 1)]
    pub games: u32,

    /// Changes the side from game to game.
    #[arg(long, env = "CHECKERS_SWAP", value_parser = FalseyValueParser::new())]
    pub swap: bool,

    /// Plays every game that is arranged for the name, on either side, until the server closes;
    /// --color, --games and --swap mean nothing then.
    #[arg(long, env = "CHECKERS_ARRANGED", value_parser = FalseyValueParser::new())]
    pub arranged: bool,

    /// Plays at this table instead of the one at which everybody arrives.
    #[arg(long, env = "CHECKERS_TABLE", value_name = "ID")]
    #[arg(conflicts_with_all = ["create", "quick", "arranged"])]
    pub table: Option<String>,

    /// Plays at a table of its own, which is reported, and where others can join it.
    #[arg(long, env = "CHECKERS_CREATE", value_parser = FalseyValueParser::new(), group = "own")]
    #[arg(conflicts_with_all = ["quick", "arranged"])]
    pub create: bool,

    /// Plays quick games against other players, each game against the next; the server decides the
    /// side. With --rated they are games of the server's ladder of bots.
    #[arg(long, env = "CHECKERS_QUICK", value_parser = FalseyValueParser::new(), group = "own")]
    #[arg(conflicts_with = "arranged")]
    pub quick: bool,

    /// Plays rated games, for --create and --quick; needs a bot's account.
    #[arg(long, env = "CHECKERS_RATED", value_parser = FalseyValueParser::new())]
    #[arg(requires = "own", requires = "token")]
    pub rated: bool,

    /// Plays on the private ladder with this code, which has a clock of its own, for --quick; needs a
    /// bot's account.
    #[arg(long, env = "CHECKERS_LADDER", value_name = "CODE")]
    #[arg(requires = "quick", requires = "token", conflicts_with_all = ["rated", "clock"])]
    pub ladder: Option<String>,

    /// Plays at the arena with this id, which has a clock of its own, for --quick; needs a bot's account.
    #[arg(long, env = "CHECKERS_TOURNAMENT", value_name = "ID")]
    #[arg(requires = "quick", requires = "token", conflicts_with_all = ["rated", "clock", "ladder"])]
    pub tournament: Option<String>,

    /// Enters the arena with this invitation.
    #[arg(
        long,
        env = "CHECKERS_INVITATION",
        value_name = "CODE",
        requires = "tournament"
    )]
    pub invitation: Option<String>,

    /// The clock of both sides for --create and --quick, such as 5m+3s.
    #[arg(long, env = "CHECKERS_CLOCK", value_name = "CLOCK", value_parser = cli_kit::clock)]
    #[arg(requires = "own")]
    pub clock: Option<TimeControl>,

    /// Gives up when the server has been unreachable for this long, for instance 10m; with 0s the bot
    /// never reconnects. Without it the bot tries again for ever, however its connection is lost.
    /// It does not reconnect to arranged games. At the start it waits at most 10 s for the server.
    #[arg(long, env = "CHECKERS_GIVE_UP_AFTER", value_name = "TIME", value_parser = pause)]
    pub give_up_after: Option<Duration>,

    /// How long to wait before sending each move, for instance 200ms or 1s.
    #[arg(
        long,
        env = "CHECKERS_DELAY",
        value_name = "TIME",
        default_value = "0s"
    )]
    #[arg(value_parser = pause)]
    pub delay: Duration,

    /// Searches every move this many plies deep, overriding SPEC.
    #[arg(long, env = "CHECKERS_DEPTH", value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=64))]
    pub depth: Option<u32>,

    /// Visits at most this many positions for every move.
    #[arg(long, env = "CHECKERS_NODES", value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,

    /// Thinks at most this long about every move, for instance 100ms. If the game has clocks, the
    /// bot's own limits it too.
    #[arg(long, env = "CHECKERS_MOVETIME", value_name = "TIME", value_parser = movetime)]
    pub movetime: Option<Duration>,

    /// What chooses the moves, for instance alpha-beta:depth=7, or hub:cmd=COMMAND for another
    /// program's engine.
    #[arg(long, env = "CHECKERS_BOT", value_name = "SPEC")]
    pub bot: EngineSpec,

    /// Writes what a hub: bot is sent (>), what it answers (<) and its stderr (!) into this file, in
    /// place of what is there, up to 64 MiB. A bot of ours speaks no such protocol and has none.
    #[arg(long, env = "CHECKERS_TRANSCRIPT", value_name = "FILE")]
    pub transcript: Option<PathBuf>,

    /// Writes reports as JSON, one object per line.
    #[arg(long, env = "CHECKERS_JSON", value_parser = FalseyValueParser::new())]
    pub json: bool,

    /// Writes no reports, with or without --json. Without it something has to read stdout: while a
    /// pipe is full reports are dropped, and the next one says how many.
    #[arg(long, env = "CHECKERS_QUIET", value_parser = FalseyValueParser::new())]
    pub quiet: bool,
}

impl Args {
    /// How reports are to be written.
    pub fn format(&self) -> ReportFormat {
        match (self.quiet, self.json) {
            (true, _) => ReportFormat::Quiet,
            (false, true) => ReportFormat::Json,
            (false, false) => ReportFormat::Text,
        }
    }

    /// What the bot should play.
    pub fn plan(&self) -> RunPlan {
        let series = Series {
            color: self.color,
            games: self.games,
            swap: self.swap,
        };
        RunPlan {
            name: self.name.clone().unwrap_or_default(),
            token: self.token.clone(),
            bot: self.bot.to_string(),
            series: (!self.arranged).then_some(series),
            venue: self.venue(),
            rated: self.rated,
        }
    }

    fn venue(&self) -> Venue {
        let clock = self.clock.map(|clock| clock.to_string());
        match &self.table {
            Some(id) => Venue::Table(id.clone()),
            None if self.create => Venue::Own(clock),
            None if self.quick => Venue::Quick(Quick {
                clock,
                rated: self.rated,
                ladder: self.ladder.clone(),
                tournament: self.tournament.clone(),
                invitation: self.invitation.clone(),
            }),
            None => Venue::Main,
        }
    }

    /// What bounds the search for every move, beside the clock of the game.
    pub fn limits(&self) -> Limits {
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            movetime: self.movetime,
            ..Limits::default()
        }
    }
}

fn parse_server(text: &str) -> Result<Uri, String> {
    let server = text.parse().ok().filter(|server: &Uri| {
        let is_known = matches!(server.scheme_str(), Some("ws" | "wss"));
        is_known && server.host().is_some()
    });
    server.ok_or_else(|| "expected ws://HOST:PORT or wss://HOST:PORT".to_owned())
}

fn color_parser() -> impl TypedValueParser<Value = Color> {
    PossibleValuesParser::new(["white", "black"]).map(|name| match name.as_str() {
        "white" => Color::White,
        _ => Color::Black,
    })
}

fn after_help() -> String {
    let codes = ExitCode::ALL.map(|code| format!("  {:>3}  {}\n", code.code(), code.meaning()));
    format!(
        "\
Examples:
  One game as White against any opponent:
    checkers-bot --name b1 --bot alpha-beta:depth=7
  Ten games, the sides changing, for a program to read:
    checkers-bot --name b2 --color black --games 10 --swap --bot negascout-tt:depth=9 --json
  Moves at a pace that people can follow:
    checkers-bot --server ws://example.org:43210 --name slow --delay 500ms --bot minimax:depth=4
  Every game that a tournament arranges, a tenth of a second per move:
    checkers-bot --name b3 --arranged --movetime 100ms --bot negascout-id
  Another program's engine, a second per move:
    checkers-bot --name scan --movetime 1s --bot 'hub:cmd=./scan hub'

With `checkers-bot hub` a bot is such an engine for other programs; see checkers-bot hub --help.

SPEC is {}
or {}

Exit codes:
{}",
        BotSpec::help(),
        HubSpec::HELP,
        codes.concat(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::error::ErrorKind;
    use clap::{CommandFactory, Parser};

    fn parse(options: &str) -> Result<Args, clap::Error> {
        let words = ["checkers-bot", "--name", "b1"];
        Args::try_parse_from(words.into_iter().chain(options.split_whitespace()))
    }

    #[test]
    fn the_command_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn defaults_play_one_game_as_white_here() {
        let args = parse("--bot random").unwrap();
        assert_eq!(args.server.to_string(), "ws://127.0.0.1:43210/");
        assert_eq!(args.delay, Duration::ZERO);
        let series = Series {
            color: Color::White,
            games: 1,
            swap: false,
        };
        assert_eq!(args.plan().series, Some(series));
        let Limits {
            depth,
            nodes,
            movetime,
            ..
        } = args.limits();
        assert_eq!((depth, nodes, movetime), (None, None, None));
    }

    #[test]
    fn every_option_is_read() {
        let args = parse(
            "--server ws://example.org:1/ws --color black --games 3 --swap --delay 200ms \
             --depth 7 --nodes 1000 --movetime 100ms --bot random --json",
        )
        .unwrap();
        assert_eq!(args.server.to_string(), "ws://example.org:1/ws");
        assert_eq!(args.delay, Duration::from_millis(200));
        assert_eq!(args.format(), ReportFormat::Json);
        let series = Series {
            color: Color::Black,
            games: 3,
            swap: true,
        };
        assert_eq!(args.plan().series, Some(series));
        let limits = args.limits();
        assert_eq!((limits.depth, limits.nodes), (Some(7), Some(1000)));
        assert_eq!(limits.movetime, Some(Duration::from_millis(100)));
    }

    #[test]
    fn arranged_games_take_no_seats() {
        let args = parse("--bot random --arranged --games 3 --json --quiet").unwrap();
        assert_eq!(args.plan().series, None);
        assert_eq!(args.format(), ReportFormat::Quiet);
    }

    #[test]
    fn wrong_values_are_usage_errors() {
        for (options, kind) in [
            ("--bot no-such-bot", ErrorKind::ValueValidation),
            ("--bot hub:./scan", ErrorKind::ValueValidation),
            ("--bot random --games many", ErrorKind::ValueValidation),
            ("--bot random --delay 200", ErrorKind::ValueValidation),
            (
                "--bot random --delay 500000years",
                ErrorKind::ValueValidation,
            ),
            (
                "--bot random --server http://localhost",
                ErrorKind::ValueValidation,
            ),
            (
                "--bot random --server localhost:43210",
                ErrorKind::ValueValidation,
            ),
            ("--bot random --color red", ErrorKind::InvalidValue),
            ("--bot random --depth 0", ErrorKind::ValueValidation),
            ("--bot random --depth 65", ErrorKind::ValueValidation),
            ("--bot random --nodes 0", ErrorKind::ValueValidation),
            ("--bot random --movetime 0s", ErrorKind::ValueValidation),
            ("", ErrorKind::MissingRequiredArgument),
        ] {
            let error = parse(options).unwrap_err();
            assert_eq!(error.kind(), kind, "{options}");
            assert_eq!(error.exit_code(), i32::from(ExitCode::Usage.code()));
        }
    }

    #[test]
    fn the_help_lists_every_exit_code() {
        let help = Args::command().render_long_help().to_string();
        for code in ExitCode::ALL {
            assert!(help.contains(code.meaning()), "{code:?}");
        }
    }
}
