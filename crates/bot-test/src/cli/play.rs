//! A command that plays, in any format.

use std::collections::HashSet;
use std::path::Path;

use checkers_lib::Position;
use checkers_lib::openings::{self, Opening};
use clap::CommandFactory;
use clap::error::ErrorKind;

use super::{Cli, PlayArgs};
use crate::format::FormatError;
use crate::{Adjudication, Format, MatchPlayer, Openings, Participant, TournamentPlan};

/// Wrong usage: its text, with what it belongs to, and its exit code.
pub(crate) type UsageError = clap::Error;

/// Why the command line does not describe a tournament.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PlanError {
    /// The command line is wrong.
    #[error(transparent)]
    Usage(#[from] UsageError),
    /// The openings cannot be read or played.
    #[error("{0}")]
    Openings(String),
}

/// A command that plays.
#[derive(Clone, Debug)]
pub(crate) struct Play {
    /// Its name on the command line.
    pub(crate) name: &'static str,
    pub(crate) format: Format,
    /// What all formats share.
    pub(crate) args: PlayArgs,
    /// Whether more openings follow when those that are given run out.
    pub(crate) more_openings: bool,
}

impl Play {
    pub(super) fn new(name: &'static str, format: Format, args: PlayArgs) -> Play {
        Play {
            name,
            format,
            args,
            more_openings: false,
        }
    }

    /// The games that are asked for.
    ///
    /// # Errors
    /// Bots that the format has no place for, foreign bots without processes, or openings that
    /// cannot be read or played.
    pub(crate) fn plan(&self) -> Result<TournamentPlan, PlanError> {
        self.plan_with(self.openings_file()?.as_deref())
    }

    /// The same with the text of the file of openings.
    ///
    /// # Errors
    /// As for [`Play::plan`].
    pub(crate) fn plan_with(&self, openings: Option<&str>) -> Result<TournamentPlan, PlanError> {
        let args = &self.args;
        let is_program = |bot: &Participant| bot.player.is_program();
        if args.in_process && args.bots.iter().any(is_program) {
            let message = "an exec: or hub: bot is a process and cannot play with --in-process";
            return Err(self.error(ErrorKind::ArgumentConflict, message).into());
        }
        let is_weighted = |bot: &Participant| matches!(bot.player, MatchPlayer::Weighted { .. });
        if !args.in_process && args.bots.iter().any(is_weighted) {
            let message = "a bot with weights= plays with --in-process only";
            return Err(self.error(ErrorKind::ArgumentConflict, message).into());
        }
        let checked: Result<(), FormatError> = self.format.check(args.bots.len());
        checked.map_err(|error| self.error(ErrorKind::WrongNumberOfValues, &error.to_string()))?;
        Ok(TournamentPlan {
            format: self.format.clone(),
            participants: args.participants(),
            swap: !args.no_swap,
            openings: self.openings(openings)?,
            draw_rules: args.draw_rules,
            adjudication: Adjudication {
                draw: args.draw,
                resign: args.resign,
                max_plies: args.max_plies,
                tablebase: args.asks_tables(),
            },
            forfeits: args.forfeit,
            in_process: args.in_process,
            keep_lines: args.pv,
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

    /// The text of the file of openings, if there is one.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub(crate) fn openings_file(&self) -> Result<Option<String>, PlanError> {
        let file = self.args.openings.as_deref();
        let file = file.filter(|file| file.as_os_str() != SUITE);
        file.map(read_file).transpose()
    }

    fn openings(&self, text: Option<&str>) -> Result<Openings, PlanError> {
        let args = &self.args;
        let (mut source, mut list) = match (&args.openings, args.opening_plies) {
            (Some(file), _) if file.as_os_str() == SUITE => {
                ("the built-in suite".to_owned(), openings::suite())
            }
            (Some(file), _) => {
                let list = parse_openings(file, text.unwrap_or_default())?;
                (file.display().to_string(), list)
            }
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
                let message = format!("opening {number} ends the game");
                return Err(PlanError::Openings(message));
            }
        }
        let seed = args.seed.or(args.opening_plies.map(|_| 0));
        let seed = seed.filter(|_| !list.is_empty());
        if let Some(seed) = seed {
            openings::shuffle(&mut list, seed);
            source.push_str(&format!(", shuffled by seed {seed}"));
        }
        if self.more_openings {
            add_openings(&mut list, args.seed.unwrap_or(0));
            source.push_str(", and then every position after 6 quiet plies");
        }
        Ok(Openings { source, seed, list })
    }
}

/// The openings that are built in.
const SUITE: &str = "suite";

fn read_file(file: &Path) -> Result<String, PlanError> {
    std::fs::read_to_string(file).map_err(|error| {
        let (name, reason) = (file.display(), cli_kit::io_reason(&error));
        PlanError::Openings(format!("cannot read {name}: {reason}"))
    })
}

fn parse_openings(file: &Path, text: &str) -> Result<Vec<Opening>, PlanError> {
    let name = file.display();
    let openings =
        openings::parse(text).map_err(|error| PlanError::Openings(format!("{name}: {error}")))?;
    if openings.is_empty() {
        return Err(PlanError::Openings(format!("{name} has no openings")));
    }
    Ok(openings)
}

/// How many plies the openings have that follow those that are given.
const MORE_PLIES: usize = 6;

/// Adds every position after some quiet plies that no opening leads to yet, in an order that
/// follows from the seed.
fn add_openings(list: &mut Vec<Opening>, seed: u64) {
    let known: HashSet<Position> = (list.iter())
        .map(|opening| opening.position().clone())
        .collect();
    let mut more = openings::enumerate(MORE_PLIES);
    more.retain(|opening| !known.contains(opening.position()));
    openings::shuffle(&mut more, seed);
    list.append(&mut more);
}
