//! How a tournament goes, on stderr: a bar on a terminal, plain lines elsewhere.

mod lines;
mod state;

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::statistics::SprtAnswer;
use crate::stderr::print_stderr;
use crate::{GameRecord, PairRecord};

use lines::LineLimiter;
use state::TournamentState;

/// How often the words beside the bar change.
const REFRESH: Duration = Duration::from_millis(100);

/// Shows the progress of a tournament on stderr.
#[derive(Debug)]
pub struct TournamentProgress {
    state: TournamentState,
    output: ProgressOutput,
}

#[derive(Debug)]
enum ProgressOutput {
    Bar {
        bar: ProgressBar,
        refreshed: Instant,
    },
    Lines(LineLimiter),
}

impl TournamentProgress {
    /// Shows the progress of a tournament of this many bots on stderr.
    pub fn on_stderr(bots: usize) -> TournamentProgress {
        let output = if stderr().is_terminal() {
            let (bar, refreshed) = (ProgressBar::no_length(), Instant::now());
            ProgressOutput::Bar { bar, refreshed }
        } else {
            ProgressOutput::Lines(LineLimiter::new(Instant::now()))
        };
        TournamentProgress {
            state: TournamentState::new(bots),
            output,
        }
    }

    /// It begins or goes on, with this many games if that is known. Call [`TournamentProgress::resumed`]
    /// first for the games played before.
    pub fn started(&mut self, games: Option<u64>) {
        self.state.start(games, Instant::now());
        match &self.output {
            ProgressOutput::Bar { bar, .. } => {
                show(bar, games, self.state.games());
                bar.set_message(self.state.message());
            }
            ProgressOutput::Lines(_) => {
                if let Some(line) = self.state.resumed_line() {
                    print_stderr(&format!("{line}\n"));
                }
            }
        }
    }

    /// These pairings were played before.
    pub fn resumed<'a>(&mut self, pairs: impl Iterator<Item = &'a PairRecord>) {
        for pair in pairs {
            pair.games.iter().for_each(|game| self.state.game(game));
            self.state.pair(pair);
        }
    }

    pub fn over(&mut self, game: &GameRecord) {
        let now = Instant::now();
        self.state.game(game);
        match &mut self.output {
            ProgressOutput::Bar { bar, refreshed } => {
                bar.inc(1);
                if now - *refreshed >= REFRESH {
                    *refreshed = now;
                    bar.set_message(self.state.message());
                }
            }
            ProgressOutput::Lines(lines) => {
                for line in lines.over(game, &self.state, now) {
                    print_stderr(&format!("{line}\n"));
                }
            }
        }
    }

    /// All games of a pairing are over.
    pub fn pair(&mut self, pair: &PairRecord) {
        self.state.pair(pair);
    }

    /// The sequential test was asked again.
    pub fn sprt(&mut self, answer: &SprtAnswer) {
        self.state.sprt(*answer);
    }

    /// Says something beside the progress, without a line break at its end.
    pub fn say(&self, what: &str) {
        match &self.output {
            ProgressOutput::Bar { bar, .. } => bar.suspend(|| print_stderr(&format!("{what}\n"))),
            ProgressOutput::Lines(_) => print_stderr(&format!("{what}\n")),
        }
    }
}

fn show(bar: &ProgressBar, games: Option<u64>, played: u64) {
    let template = match games {
        Some(games) => {
            bar.set_length(games);
            "{bar:24} {pos}/{len} games, {eta} left; {msg}"
        }
        None => "{spinner} {pos} games; {msg}",
    };
    // The templates are constants; should one be wrong, the bar looks plain.
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.set_position(played);
    bar.reset_eta();
    bar.enable_steady_tick(Duration::from_millis(250));
}

impl Drop for TournamentProgress {
    fn drop(&mut self) {
        if let ProgressOutput::Bar { bar, .. } = &self.output {
            bar.finish_and_clear();
        }
    }
}
