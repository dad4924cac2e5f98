//! What all formats share: the games, how they are played, and what is kept of them.

use std::path::PathBuf;
use std::time::Duration;

use checkers_engine::tablebase::Tablebases;
use checkers_lib::DrawRules;
use clap::Args;

use super::LedgerArgs;
use crate::{
    BotLimits, DrawAdjudication, Forfeits, Participant, ResignAdjudication, RunConfig, Timeouts,
};

const GAMES: &str = "The games";
const CONDUCT: &str = "How they are played";
const RECORDS: &str = "Records";

/// What all formats share.
#[derive(Clone, Debug, Args)]
pub struct PlayArgs {
    /// The bots, for instance negascout-tt:depth=9, or negascout-id@movetime=50ms with limits
    /// of its own
    #[arg(value_name = "SPEC[@LIMITS]")]
    pub bots: Vec<Participant>,

    /// What bounds every bot that has no such limit of its own: depth=5, nodes=10000,
    /// movetime=100ms, clock=10s+100ms, with commas between several
    #[arg(long, value_name = "LIMITS", help_heading = GAMES)]
    pub limits: Option<BotLimits>,

    /// Begin from openings: suite, or a file of moves, positions or PDN
    #[arg(long, value_name = "suite|FILE", conflicts_with = "opening_plies", help_heading = GAMES)]
    pub openings: Option<PathBuf>,

    /// Begin from every position after this many quiet plies, shuffled by --seed
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
    /// both bots have reported scores of at most 20 for 8 moves
    #[arg(long, value_name = "RULE", help_heading = GAMES)]
    pub draw: Option<DrawAdjudication>,

    /// End games as won, for instance movecount=3,score=600: once both bots have reported for 3
    /// moves that one is 600 behind; with twosided=false the loser's reports are enough
    #[arg(long, value_name = "RULE", help_heading = GAMES)]
    pub resign: Option<ResignAdjudication>,

    /// End games by the endgame tablebases, counted apart: on or off; never under the study's draw
    /// rule [default: on where CHECKERS_TABLEBASE names a directory of tablebases]
    #[arg(long, value_name = "WORD", num_args = 0..=1, default_missing_value = "on")]
    #[arg(require_equals = true, value_parser = parse_switch, help_heading = GAMES)]
    pub adjudicate_tablebase: Option<bool>,

    /// End games as draws after this many plies; they are counted apart
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

    /// Stop when a bot has forfeited this many games in a row
    #[arg(long, value_name = "N", default_value_t = 3, help_heading = CONDUCT)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub max_forfeits: u32,

    /// For a server to come up, and for a bot to connect
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = cli_kit::time)]
    #[arg(help_heading = CONDUCT)]
    pub connect_timeout: Duration,

    /// Limit for each move, in addition to the bots' own limits
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = cli_kit::time)]
    #[arg(help_heading = CONDUCT)]
    pub move_timeout: Duration,

    /// For a game
    #[arg(long, value_name = "TIME", default_value = "4h", value_parser = cli_kit::time)]
    #[arg(help_heading = CONDUCT)]
    pub game_timeout: Duration,

    /// For everything; by default there is no end to it
    #[arg(long, value_name = "TIME", value_parser = cli_kit::time, help_heading = CONDUCT)]
    pub run_timeout: Option<Duration>,

    /// Keep a journal of everything played in a new file, so that --resume can go on
    #[arg(long, value_name = "FILE", conflicts_with = "resume", help_heading = RECORDS)]
    pub journal: Option<PathBuf>,

    /// Go on with the tournament of this journal, and keep it; the bots and their games may be
    /// left out, otherwise they must be the same
    #[arg(long, value_name = "FILE", help_heading = RECORDS)]
    pub resume: Option<PathBuf>,

    /// Several machines.
    #[command(flatten)]
    pub machines: LedgerArgs,

    /// The files to write.
    #[command(flatten)]
    pub outputs: OutputArgs,

    /// Write what hub: bots are sent (>), what they answer (<) and their stderr (!) into this
    /// directory, a file per process named after its first game; our own bots and exec: bots
    /// speak no such protocol and have none
    #[arg(long, value_name = "DIR", conflicts_with = "in_process", help_heading = RECORDS)]
    pub transcripts: Option<PathBuf>,

    /// Keep the line that a bot expects with each of its moves, in JSON, PDN and the journal
    #[arg(long, help_heading = RECORDS)]
    pub pv: bool,

    /// Record nothing that differs from run to run: no times of moves, the pairings of the journal in the order of
    /// the schedule, and of this command only what decides the games. Bots without limits of time then leave the
    /// same journal and the same tables whenever, and on however many machines, they play
    #[arg(long, help_heading = RECORDS)]
    pub reproducible: bool,
}

/// The files that a tournament is written to.
#[derive(Clone, Debug, Default, Args)]
pub struct OutputArgs {
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

impl PlayArgs {
    /// How the games are to be played; `program` is what to start servers and bots with.
    pub(crate) fn config(&self, program: PathBuf) -> RunConfig {
        RunConfig {
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
            transcripts: self.transcripts.clone(),
            reproducible: self.reproducible,
        }
    }

    /// Whether tablebases end games. By default only if the user has named a directory, so that the
    /// built-in tablebases do not change results.
    pub(crate) fn asks_tables(&self) -> bool {
        let has_named_some = || Tablebases::directory().is_some();
        let asks = self.adjudicate_tablebase.unwrap_or_else(has_named_some);
        asks && self.draw_rules == DrawRules::Fmjd64
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
                args.asks_tables(),
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
            adjudicate_tablebase: self.adjudicate_tablebase,
            forfeit: self.forfeit,
            in_process: self.in_process,
            pv: self.pv || other.pv,
            reproducible: self.reproducible || other.reproducible,
            ..other
        }
    }

    /// The bots with their limits: a bot's own before the common ones.
    pub(super) fn participants(&self) -> Vec<Participant> {
        let common = self.limits.unwrap_or_default();
        let bounded = |bot: &Participant| Participant {
            player: bot.player.clone(),
            limits: bot.limits.or(common),
        };
        self.bots.iter().map(bounded).collect()
    }
}

fn parse_switch(text: &str) -> Result<bool, String> {
    match text {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err("expected on or off".to_owned()),
    }
}

fn parse_forfeits(text: &str) -> Result<Forfeits, String> {
    match text {
        "loss" => Ok(Forfeits::Loss),
        "void" => Ok(Forfeits::Void),
        _ => Err("expected loss or void".to_owned()),
    }
}
