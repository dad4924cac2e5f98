//! How a match goes, on stderr: a bar on a terminal, a line per game elsewhere.

use std::io::{IsTerminal, Write, stderr};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::text::game_line;
use crate::{BotId, GameRecord, Observer};

/// Tells on stderr how a match goes.
#[derive(Debug)]
pub(crate) struct Progress {
    games: u32,
    score: [usize; 2],
    draws: usize,
    present: Option<Present>,
    bar: Option<ProgressBar>,
}

#[derive(Clone, Copy, Debug)]
struct Present {
    game: u64,
    plies: usize,
}

impl Progress {
    /// For a match of so many games.
    pub(crate) fn new(games: u32) -> Progress {
        Progress {
            games,
            score: [0; 2],
            draws: 0,
            present: None,
            bar: stderr().is_terminal().then(|| bar(games)),
        }
    }

    fn show(&self) {
        let Some(bar) = &self.bar else { return };
        let [wins, losses] = self.score;
        let draws = self.draws;
        let present = self
            .present
            .map_or_else(String::new, |Present { game, plies }| {
                format!(", game {game}: {plies} plies")
            });
        bar.set_message(format!("bot 1: +{wins} -{losses} ={draws}{present}"));
    }
}

/// Says something on stderr. Whether anybody reads it changes nothing.
pub(crate) fn talk(text: &str) {
    let _ = stderr().write_all(text.as_bytes());
}

fn bar(games: u32) -> ProgressBar {
    let bar = ProgressBar::new(games.into());
    // The template is a constant; should it be wrong, the bar looks plain.
    if let Ok(style) = ProgressStyle::with_template("{bar:24} {pos}/{len} games, {eta} left; {msg}")
    {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}

impl Observer for Progress {
    fn started(&mut self, number: u64) {
        self.present = Some(Present {
            game: number,
            plies: 0,
        });
        self.show();
    }

    fn moved(&mut self) {
        if let Some(present) = &mut self.present {
            present.plies += 1;
        }
        self.show();
    }

    fn over(&mut self, game: &GameRecord) {
        self.present = None;
        match game.winner() {
            Some(BotId(winner)) => self.score[winner] += 1,
            None => self.draws += usize::from(!game.is_interrupted()),
        }
        match &self.bar {
            Some(bar) => bar.inc(1),
            None => talk(&format!("{}\n", game_line(game, self.games))),
        }
        self.show();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
