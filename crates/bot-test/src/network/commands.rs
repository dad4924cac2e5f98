//! How the processes are started: this program again, by its hidden subcommands.

use std::path::Path;

use checkers_lib::DrawRules;
use tokio::process::Command;

use crate::{BotLimits, MatchPlayer, Participant};

/// Room for the bots that are kept and the director, and for little else: a crowd that a bot
/// brings along must not keep the server from its games.
const MAX_CONNECTIONS: &str = "64";

/// A server on a free port; clients with `token` may arrange its games.
pub(super) fn server(program: &Path, rules: DrawRules, token: &str) -> Command {
    let mut command = own_command(program, "server");
    command.args(["--bind", "127.0.0.1", "--port", "0"]);
    // The journal keeps the games.
    command.arg("--in-memory");
    command.args(["--draw-rules", &rules.to_string()]);
    command.args(["--max-connections", MAX_CONNECTIONS]);
    // Not on the command line, which everybody on this machine can read.
    command.env("CHECKERS_DIRECTOR_TOKEN", token);
    // Its last words are shown when it fails; the course of the games is no failure.
    command.env("CHECKERS_LOG", "warn");
    command
}

/// A bot that plays what is arranged for `name` on the server at `url`.
pub(super) fn bot(program: &Path, name: &str, participant: &Participant, url: &str) -> Command {
    let mut command = match &participant.player {
        MatchPlayer::Engine(_) | MatchPlayer::Weighted { .. } | MatchPlayer::Hub(_) => {
            own_bot(program, &participant.player)
        }
        MatchPlayer::Foreign(shell) => foreign(program, shell),
    };
    command.env("CHECKERS_SERVER", url);
    command.env("CHECKERS_NAME", name);
    command.env("CHECKERS_ARRANGED", "1");
    command.env("CHECKERS_QUIET", "1");
    set_limits(&mut command, participant.limits);
    command
}

/// A bot of ours, which may have an engine of its own.
fn own_bot(program: &Path, bot: &MatchPlayer) -> Command {
    let mut command = own_command(program, "bot");
    command.args(["--bot", &bot.to_string()]);
    command
}

/// See [`MatchPlayer::HELP`].
fn foreign(program: &Path, shell: &str) -> Command {
    let mut command = own_command(program, "foreign");
    command.args(["--", shell]);
    command
}

/// A clock needs no option: every move request contains it.
fn set_limits(command: &mut Command, limits: BotLimits) {
    if let Some(depth) = limits.depth {
        command.env("CHECKERS_DEPTH", depth.to_string());
    }
    if let Some(nodes) = limits.nodes {
        command.env("CHECKERS_NODES", nodes.to_string());
    }
    if let Some(movetime) = limits.movetime {
        let millis = movetime.as_micros() as f64 / 1000.0;
        command.env("CHECKERS_MOVETIME", format!("{millis}ms"));
    }
}

/// A hidden subcommand of this program. Removes the caller's settings for servers and bots, except
/// for the directory of tablebases.
fn own_command(program: &Path, name: &str) -> Command {
    let mut command = Command::new(program);
    command.arg(name);
    for (key, _) in std::env::vars_os() {
        if key.to_string_lossy().starts_with("CHECKERS_") && key != "CHECKERS_TABLEBASE" {
            command.env_remove(key);
        }
    }
    command
}
