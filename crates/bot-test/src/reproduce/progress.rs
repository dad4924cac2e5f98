//! How the reproduction goes, on stderr: a bar on a terminal, a line per row everywhere.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::stderr::print_stderr;

/// Shows the progress of a stage of the reproduction, and at its end its duration.
pub(super) struct StageProgress {
    stage: &'static str,
    began: Instant,
    bar: Option<ProgressBar>,
}

impl StageProgress {
    /// Begins a stage with this much work. Any unit will do, as long as twice the weight takes
    /// twice the time.
    pub(super) fn begin(stage: &'static str, weight: f64) -> StageProgress {
        StageProgress {
            stage,
            began: Instant::now(),
            bar: stderr().is_terminal().then(|| bar(stage, units(weight))),
        }
    }

    /// So much more is done: what, in words.
    pub(super) fn advance(&mut self, weight: f64, what: &str) {
        let line = format!("{}: {what}\n", self.stage);
        match &self.bar {
            Some(bar) => {
                bar.suspend(|| print_stderr(&line));
                bar.inc(units(weight));
            }
            None => print_stderr(&line),
        }
    }
}

impl Drop for StageProgress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        let took = Duration::from_secs(self.began.elapsed().as_secs());
        print_stderr(&format!(
            "{} took {}\n",
            self.stage,
            humantime::format_duration(took)
        ));
    }
}

fn bar(stage: &'static str, length: u64) -> ProgressBar {
    let bar = ProgressBar::new(length).with_prefix(stage);
    // The template is a constant; should it be wrong, the bar looks plain.
    if let Ok(style) = ProgressStyle::with_template("{prefix} {bar:24} {percent} %, {eta} left") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}

fn units(weight: f64) -> u64 {
    (1000.0 * weight) as u64
}
