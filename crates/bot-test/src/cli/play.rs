//! The commands that play: what they share, and what each has of its own.

use std::path::{Path, PathBuf};
use std::time::Duration;

use checkers_engine::BotSpec;
use checkers_lib::DrawRules;
use checkers_lib::openings::{self, Opening};
use clap::builder::RangedU64ValueParser;
use clap::error::ErrorKind;
use clap::{Args, CommandFactory};

use super::Cli;
use crate::format::FormatError;
use crate::statistics::Model;
use crate::{
    Adjudication, BotLimits, Conduct, Contestant, DrawAdjudication, Entrant, ExitCode, Forfeits,
    Format, Openings, Plan, ResignAdjudication, Timeouts,
};

/// The longest any time-out may be: longer ones do not fit every system's clock.
const LONGEST: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Wrong usage: its text, with what it belongs to, and its exit code.
pub(crate) type UsageError = clap::Error;

/// What `match` takes.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = after_help(MATCH_EXAMPLES))]
pub struct MatchArgs {
    /// How many pairs of games; each is one opening played twice with sides swapped [default: 1]
    #[arg(long, value_name = "N", value_parser = at_least_one())]
    pub pairs: Option<u64>,

    /// How many games, instead of pairs
    #[arg(long, value_name = "N", value_parser = at_least_one(), conflicts_with = "pairs")]
    pub games: Option<u64>,

    /// What all formats share.
    #[command(flatten)]
    pub play: PlayArgs,
}

/// What `round-robin` takes.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = after_help(ROUND_ROBIN_EXAMPLES))]
pub struct RoundRobinArgs {
    /// How many pairs of games every two bots play
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least_one())]
    pub pairs: u64,

    /// What all formats share.
    #[command(flatten)]
    pub play: PlayArgs,
}

/// What `gauntlet` takes.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = after_help(GAUNTLET_EXAMPLES))]
pub struct GauntletArgs {
    /// How many of the bots are challengers, who do not meet each other
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub challengers: usize,

    /// How many pairs of games every two bots play that meet
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least_one())]
    pub pairs: u64,

    /// What all formats share.
    #[command(flatten)]
    pub play: PlayArgs,
}

/// What `knockout` takes.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = after_help(KNOCKOUT_EXAMPLES))]
pub struct KnockoutArgs {
    /// How many pairs of games a meeting has
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = at_least_one())]
    pub pairs: u64,

    /// How many more pairs a meeting that is level may have, one at a time, before the better
    /// seed goes on
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub playoffs: u64,

    /// What all formats share.
    #[command(flatten)]
    pub play: PlayArgs,
}

/// What `swiss` takes.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = after_help(SWISS_EXAMPLES))]
pub struct SwissArgs {
    /// How many rounds; by default as many as a knockout would have
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub rounds: u32,

    /// How many pairs of games a meeting has
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least_one())]
    pub pairs: u64,

    /// What all formats share.
    #[command(flatten)]
    pub play: PlayArgs,
}

/// What `sprt` takes.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = after_help(SPRT_EXAMPLES))]
pub struct SprtArgs {
    /// The hypotheses
    #[arg(
        long,
        value_name = "H0,H1",
        default_value = "0,5",
        allow_hyphen_values = true
    )]
    #[arg(value_parser = parse_hypotheses)]
    pub elo: Hypotheses,

    /// How often H1 may be accepted though H0 is true
    #[arg(long, value_name = "RATE", default_value_t = 0.05)]
    pub alpha: f64,

    /// How often H0 may be accepted though H1 is true
    #[arg(long, value_name = "RATE", default_value_t = 0.05)]
    pub beta: f64,

    /// The scale of the hypotheses: normalized or logistic Elo
    #[arg(long, value_name = "MODEL", default_value_t = Model::Normalized)]
    pub model: Model,

    /// After how many pairs to stop without a decision
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = at_least_one())]
    pub max_pairs: u64,

    /// What all formats share.
    #[command(flatten)]
    pub play: PlayArgs,
}

/// H0 and H1 of a test.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Hypotheses(pub [f64; 2]);

/// What all formats share.
#[derive(Clone, Debug, Args)]
pub struct PlayArgs {
    /// The bots, for instance negascout-tt:depth=9, or negascout-id@movetime=50ms with limits
    /// of its own
    #[arg(value_name = "SPEC[@LIMITS]")]
    pub bots: Vec<Entrant>,

    /// What bounds every bot that has no such limit of its own: depth=5, nodes=10000,
    /// movetime=100ms, clock=10s+100ms, with commas between several
    #[arg(long, value_name = "LIMITS", help_heading = GAMES)]
    pub limits: Option<BotLimits>,

    /// Begin from openings: suite, or a file of moves, positions or PDN
    #[arg(long, value_name = "suite|FILE", conflicts_with = "opening_plies", help_heading = GAMES)]
    pub openings: Option<PathBuf>,

    /// Begin from every position after so many quiet plies, shuffled by --seed
    #[arg(long, value_name = "N", help_heading = GAMES)]
    #[arg(value_parser = clap::value_parser!(u8).range(1..=8))]
    pub opening_plies: Option<u8>,

    /// Shuffle the openings; the same seed gives the same order [default: 0 for --opening-plies,
    /// the order of the file for --openings]
    #[arg(long, value_name = "N", help_heading = GAMES)]
    pub seed: Option<u64>,

    /// Play each opening once, without swapped sides
    #[arg(long, help_heading = GAMES)]
    pub no_swap: bool,

    /// Play each opening twice, with sides swapped: the default
    #[arg(long, hide = true, conflicts_with = "no_swap")]
    pub swap: bool,

    /// When games are drawn: fmjd64 (the federation's articles) or study (after 200 plies)
    #[arg(long, value_name = "RULES", default_value_t = DrawRules::Fmjd64, help_heading = GAMES)]
    pub draw_rules: DrawRules,

    /// End games as draws, for instance movenumber=40,movecount=8,score=20: from move 40 on, once
    /// both bots have told scores of at most 20 for 8 moves
    #[arg(long, value_name = "RULE", help_heading = GAMES)]
    pub draw: Option<DrawAdjudication>,

    /// End games as won, for instance movecount=3,score=600: once both bots have told for 3 moves
    /// that one is 600 behind; with twosided=false the loser's word is enough
    #[arg(long, value_name = "RULE", help_heading = GAMES)]
    pub resign: Option<ResignAdjudication>,

    /// End games as draws after so many plies; they are counted apart
    #[arg(long, value_name = "N", help_heading = GAMES)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub max_plies: Option<u32>,

    /// What a forfeited game counts: loss or void
    #[arg(long, value_name = "COUNT", default_value = "loss", help_heading = GAMES)]
    #[arg(value_parser = parse_forfeits)]
    pub forfeit: Forfeits,

    /// Play without processes and sockets; not for exec: bots
    #[arg(long, help_heading = GAMES)]
    pub in_process: bool,

    /// How many games to play at the same time [default: the physical cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    #[arg(help_heading = CONDUCT)]
    pub concurrency: Option<u16>,

    /// Stop when a bot has forfeited so many games in a row
    #[arg(long, value_name = "N", default_value_t = 3, help_heading = CONDUCT)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub max_forfeits: u32,

    /// For a server to come up, and for a bot to connect
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_timeout)]
    #[arg(help_heading = CONDUCT)]
    pub connect_timeout: Duration,

    /// For a move, whatever the limits
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = parse_timeout)]
    #[arg(help_heading = CONDUCT)]
    pub move_timeout: Duration,

    /// For a game
    #[arg(long, value_name = "TIME", default_value = "4h", value_parser = parse_timeout)]
    #[arg(help_heading = CONDUCT)]
    pub game_timeout: Duration,

    /// For everything; by default there is no end to it
    #[arg(long, value_name = "TIME", value_parser = parse_timeout, help_heading = CONDUCT)]
    pub run_timeout: Option<Duration>,

    /// Keep a journal of everything played in a new file, so that --resume can go on
    #[arg(long, value_name = "FILE", conflicts_with = "resume", help_heading = RECORDS)]
    pub journal: Option<PathBuf>,

    /// Go on with the tournament of this journal, and keep it; the bots and their games may be
    /// left out, otherwise they must be the same
    #[arg(long, value_name = "FILE", help_heading = RECORDS)]
    pub resume: Option<PathBuf>,

    /// Write everything that is known about the tournament as JSON
    #[arg(long, value_name = "FILE", help_heading = RECORDS)]
    pub json: Option<PathBuf>,

    /// Write a line for each game as CSV
    #[arg(long, value_name = "FILE", help_heading = RECORDS)]
    pub csv: Option<PathBuf>,

    /// Write the games as PDN, with times and scores as comments
    #[arg(long, value_name = "FILE", help_heading = RECORDS)]
    pub pdn: Option<PathBuf>,

    /// Write a page with tables and plots into this directory, as index.html
    #[arg(long, value_name = "DIR", help_heading = RECORDS)]
    pub report: Option<PathBuf>,
}

const GAMES: &str = "The games";
const CONDUCT: &str = "How they are played";
const RECORDS: &str = "Records";

/// A command that plays.
#[derive(Clone, Debug)]
pub(crate) struct Play {
    /// Its name on the command line.
    pub(crate) name: &'static str,
    /// Who is to meet whom.
    pub(crate) format: Format,
    /// What all formats share.
    pub(crate) args: PlayArgs,
}

impl MatchArgs {
    pub(crate) fn play(self) -> Play {
        let games_per_pair = if self.play.no_swap { 1 } else { 2 };
        let pairs = || self.pairs.unwrap_or(1).saturating_mul(games_per_pair);
        let games = self.games.unwrap_or_else(pairs);
        Play::new("match", Format::Match { games }, self.play)
    }
}

impl RoundRobinArgs {
    pub(crate) fn play(self) -> Play {
        let pairs = self.pairs;
        Play::new("round-robin", Format::RoundRobin { pairs }, self.play)
    }
}

impl GauntletArgs {
    pub(crate) fn play(self) -> Play {
        let (challengers, pairs) = (self.challengers, self.pairs);
        let format = Format::Gauntlet { challengers, pairs };
        Play::new("gauntlet", format, self.play)
    }
}

impl KnockoutArgs {
    pub(crate) fn play(self) -> Play {
        let (pairs, playoffs) = (self.pairs, self.playoffs);
        Play::new("knockout", Format::Knockout { pairs, playoffs }, self.play)
    }
}

impl SwissArgs {
    pub(crate) fn play(self) -> Play {
        let (rounds, pairs) = (self.rounds, self.pairs);
        Play::new("swiss", Format::Swiss { rounds, pairs }, self.play)
    }
}

impl SprtArgs {
    pub(crate) fn play(self) -> Play {
        let format = Format::Sprt {
            elo: self.elo.0,
            alpha: self.alpha,
            beta: self.beta,
            model: self.model,
            max_pairs: self.max_pairs,
        };
        Play::new("sprt", format, self.play)
    }
}

impl Play {
    fn new(name: &'static str, format: Format, args: PlayArgs) -> Play {
        Play { name, format, args }
    }

    /// The games that are asked for.
    ///
    /// # Errors
    /// Bots that the format has no place for, foreign bots without processes, or openings that
    /// cannot be read or played.
    pub(crate) fn plan(&self) -> Result<Plan, UsageError> {
        let args = &self.args;
        let is_foreign = |bot: &Entrant| matches!(bot.contestant, Contestant::Foreign(_));
        if args.in_process && args.bots.iter().any(is_foreign) {
            let message = "an exec: bot is a process and cannot play with --in-process";
            return Err(self.error(ErrorKind::ArgumentConflict, message));
        }
        let checked: Result<(), FormatError> = self.format.check(args.bots.len());
        checked.map_err(|error| self.error(ErrorKind::WrongNumberOfValues, &error.to_string()))?;
        Ok(Plan {
            format: self.format.clone(),
            entrants: args.entrants(),
            swap: !args.no_swap,
            openings: self.openings()?,
            draw_rules: args.draw_rules,
            adjudication: Adjudication {
                draw: args.draw,
                resign: args.resign,
                max_plies: args.max_plies,
            },
            forfeits: args.forfeit,
            in_process: args.in_process,
        })
    }

    /// Wrong usage of this command.
    pub(crate) fn error(&self, kind: ErrorKind, message: &str) -> UsageError {
        let mut command = Cli::command();
        command.build();
        let subcommand = command.find_subcommand_mut(self.name);
        subcommand.map_or_else(
            || Cli::command().error(kind, message),
            |command| command.error(kind, message),
        )
    }

    fn openings(&self) -> Result<Openings, UsageError> {
        let args = &self.args;
        let (mut source, mut list) = match (&args.openings, args.opening_plies) {
            (Some(file), _) if file.as_os_str() == "suite" => {
                ("the built-in suite".to_owned(), openings::suite())
            }
            (Some(file), _) => (file.display().to_string(), self.read_openings(file)?),
            (None, Some(plies)) => {
                let plies_text = if plies == 1 { "ply" } else { "plies" };
                let source = format!("every position after {plies} quiet {plies_text}");
                (source, openings::enumerate(plies.into()))
            }
            (None, None) => ("the start".to_owned(), Vec::new()),
        };
        for (number, opening) in (1..).zip(&list) {
            let game = opening.to_game(args.draw_rules);
            if !game.is_ok_and(|game| game.outcome().is_none()) {
                return Err(self.bad_openings(&format!("opening {number} ends the game")));
            }
        }
        let seed = args.seed.or(args.opening_plies.map(|_| 0));
        let seed = seed.filter(|_| !list.is_empty());
        if let Some(seed) = seed {
            openings::shuffle(&mut list, seed);
            source.push_str(&format!(", shuffled by seed {seed}"));
        }
        Ok(Openings { source, seed, list })
    }

    fn read_openings(&self, file: &Path) -> Result<Vec<Opening>, UsageError> {
        let name = file.display();
        let text = std::fs::read_to_string(file)
            .map_err(|error| self.bad_openings(&format!("cannot read {name}: {error}")))?;
        let openings = openings::parse(&text)
            .map_err(|error| self.bad_openings(&format!("{name}: {error}")))?;
        if openings.is_empty() {
            return Err(self.bad_openings(&format!("{name} has no openings")));
        }
        Ok(openings)
    }

    fn bad_openings(&self, message: &str) -> UsageError {
        self.error(ErrorKind::ValueValidation, message)
    }
}

impl PlayArgs {
    /// How the games are to be played; `program` is what to start servers and bots with.
    pub(crate) fn conduct(&self, program: PathBuf) -> Conduct {
        Conduct {
            timeouts: Timeouts {
                connect: self.connect_timeout,
                per_move: self.move_timeout,
                per_game: self.game_timeout,
                per_run: self.run_timeout,
            },
            concurrency: self
                .concurrency
                .map_or_else(num_cpus::get_physical, usize::from),
            patience: self.max_forfeits,
            program,
        }
    }

    /// Whether these and `other` ask for the same games; where a file with openings is does not
    /// matter.
    pub(crate) fn asks_for_the_same_games(&self, other: &PlayArgs) -> bool {
        let games = |args: &PlayArgs| {
            (
                (
                    args.bots.clone(),
                    args.limits,
                    args.no_swap,
                    args.draw_rules,
                ),
                (args.opening_plies, args.seed, args.in_process),
                (args.draw, args.resign, args.max_plies, args.forfeit),
            )
        };
        games(self) == games(other)
    }

    /// These games, played and recorded as `other` says. A file with openings may have another
    /// place now.
    pub(crate) fn conducted_as(self, other: PlayArgs) -> PlayArgs {
        PlayArgs {
            bots: self.bots,
            limits: self.limits,
            openings: other.openings.clone().or(self.openings),
            opening_plies: self.opening_plies,
            seed: self.seed,
            no_swap: self.no_swap,
            swap: self.swap,
            draw_rules: self.draw_rules,
            draw: self.draw,
            resign: self.resign,
            max_plies: self.max_plies,
            forfeit: self.forfeit,
            in_process: self.in_process,
            ..other
        }
    }

    fn entrants(&self) -> Vec<Entrant> {
        let common = self.limits.unwrap_or_default();
        let bounded = |bot: &Entrant| Entrant {
            contestant: bot.contestant.clone(),
            limits: bot.limits.or(common),
        };
        self.bots.iter().map(bounded).collect()
    }
}

fn at_least_one() -> RangedU64ValueParser<u64> {
    RangedU64ValueParser::new().range(1..=u64::from(u32::MAX))
}

fn parse_hypotheses(text: &str) -> Result<Hypotheses, String> {
    let wrong = || "expected two numbers with a comma between them".to_owned();
    let (h0, h1) = text.split_once(',').ok_or_else(wrong)?;
    let number = |text: &str| text.trim().parse().map_err(|_| wrong());
    Ok(Hypotheses([number(h0)?, number(h1)?]))
}

fn parse_forfeits(text: &str) -> Result<Forfeits, String> {
    match text {
        "loss" => Ok(Forfeits::Loss),
        "void" => Ok(Forfeits::Void),
        _ => Err("expected loss or void".to_owned()),
    }
}

fn parse_timeout(text: &str) -> Result<Duration, String> {
    let time = humantime::parse_duration(text).map_err(|error| error.to_string())?;
    if time.is_zero() || time > LONGEST {
        return Err("expected more than 0s and at most 30days".to_owned());
    }
    Ok(time)
}

const MATCH_EXAMPLES: &str = "\
Six games, three openings with both colours:
    checkers-bot-test match negascout-tt:depth=9 alpha-beta:depth=7 --pairs 3 --openings suite
  A hundred pairs, fast, and what they say about strength:
    checkers-bot-test match negascout:depth=6 alpha-beta:depth=5 --pairs 100 \\
        --openings suite --in-process
  At equal time, one with a handicap:
    checkers-bot-test match negascout-id mcts@movetime=200ms --limits movetime=50ms --pairs 10
  A bot of your own:
    checkers-bot-test match exec:./my-bot alpha-beta:depth=5 --pairs 5 --openings suite";

const ROUND_ROBIN_EXAMPLES: &str = "\
Four bots, twenty pairs for every two of them, with a page to look at:
    checkers-bot-test round-robin minimax alpha-beta negascout negascout-id --limits depth=5 \\
        --pairs 20 --openings suite --journal rr.journal --report rr
  After a power cut:
    checkers-bot-test round-robin --resume rr.journal --report rr";

const GAUNTLET_EXAMPLES: &str = "\
A new bot against three old ones:
    checkers-bot-test gauntlet exec:./new negascout-tt:depth=7 mtdf:depth=7 mcts \\
        --pairs 50 --openings suite";

const KNOCKOUT_EXAMPLES: &str = "\
Eight bots, two pairs a meeting:
    checkers-bot-test knockout negascout-id mtdf:depth=7 negascout-tt:depth=7 sss-star:depth=6 \\
        alpha-beta:depth=6 minimax:depth=5 mcts random --openings suite";

const SWISS_EXAMPLES: &str = "\
Six bots, four rounds:
    checkers-bot-test swiss negascout-id mtdf:depth=7 negascout-tt:depth=6 alpha-beta:depth=5 \\
        minimax:depth=4 random --rounds 4 --openings suite";

const SPRT_EXAMPLES: &str = "\
Is a change worth something?
    checkers-bot-test sprt exec:./new exec:./old --elo 0,10 --limits 5s+50ms --openings suite \\
        --journal change.journal";

fn after_help(examples: &str) -> String {
    format!(
        "\
Each game's bots play over WebSocket, every bot and server a process of its own. A bot that
crashes, hangs, leaves or breaks the rules forfeits the game and is started again. The result goes
to stdout, everything else to stderr.

Examples:
  {examples}

SPEC is one of ours or any program
{}
{}

LIMITS are {}.
Times of --…-timeout are written as 500ms, 10s, 5m, 1h.

{}",
        BotSpec::help(),
        Contestant::HELP,
        BotLimits::HELP,
        ExitCode::HELP,
    )
}
