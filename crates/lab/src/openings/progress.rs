//! Telling the user how far the search is.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::failure::talk;

/// The bar's length: fine enough to be seen moving.
const STEPS: u64 = 1000;

/// How often a line is written where there is no terminal to draw a bar on.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// A bar on a terminal, otherwise a line from time to time, on standard error.
pub(crate) struct OpeningsProgress {
    candidates: usize,
    wanted: usize,
    begin: Instant,
    last_line: Instant,
    bar: Option<ProgressBar>,
}

impl OpeningsProgress {
    /// The search ends after `candidates`, or when `wanted` are kept.
    pub(crate) fn new(candidates: usize, wanted: usize) -> OpeningsProgress {
        let now = Instant::now();
        OpeningsProgress {
            candidates,
            wanted,
            begin: now,
            last_line: now,
            bar: io::stderr().is_terminal().then(bar),
        }
    }

    /// Shows how many were searched and how many of them kept.
    pub(crate) fn show(&mut self, searched: usize, kept: usize) {
        let done = self.done(searched, kept);
        if let Some(bar) = &self.bar {
            bar.set_position((done * STEPS as f64) as u64);
            bar.set_message(self.line(searched, kept, done));
        } else if self.last_line.elapsed() >= BETWEEN_LINES {
            self.last_line = Instant::now();
            talk(&self.line(searched, kept, done));
        }
    }

    /// Takes the bar away and sums up.
    pub(crate) fn finish(&self, searched: usize, kept: usize) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        let seconds = self.begin.elapsed().as_secs_f64();
        let candidates = self.candidates;
        talk(&format!(
            "{searched} of {candidates} positions searched in {seconds:.1} s, {kept} within the margin"
        ));
    }

    /// The part of the work that is done, from 0 to 1.
    fn done(&self, searched: usize, kept: usize) -> f64 {
        let part = |done: usize, whole: usize| done as f64 / whole.max(1) as f64;
        f64::max(part(searched, self.candidates), part(kept, self.wanted)).min(1.0)
    }

    fn line(&self, searched: usize, kept: usize, done: f64) -> String {
        let left = self.begin.elapsed().as_secs_f64() * (1.0 - done) / done;
        let candidates = self.candidates;
        format!("{searched} of {candidates} searched, {kept} kept, about {left:.0} s left")
    }
}

fn bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{wide_bar} {msg}");
    let bar = ProgressBar::new(STEPS);
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
