//! How the reproduction goes, on stderr: a bar on a terminal, a line per row elsewhere.

use std::io::{IsTerminal, stderr};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::talk::talk;

/// Tells how the reproduction goes. Shared by all threads that play.
#[derive(Debug)]
pub(super) struct Progress {
    work: Mutex<Work>,
    bar: Option<ProgressBar>,
}

/// A stage of the work. What is to be done is known by its weight: any unit will do, as long as
/// twice the weight takes twice the time.
#[derive(Clone, Debug)]
struct Work {
    stage: &'static str,
    began: Instant,
    done: f64,
    total: f64,
}

impl Progress {
    /// Tells on stderr.
    pub(super) fn on_stderr() -> Progress {
        Progress {
            work: Mutex::new(Work::new("", 0.0)),
            bar: stderr().is_terminal().then(bar),
        }
    }

    /// A stage of this much work begins.
    pub(super) fn begin(&self, stage: &'static str, total: f64) {
        self.tell_end();
        *self.lock() = Work::new(stage, total);
        if let Some(bar) = &self.bar {
            bar.set_position(0);
            bar.set_prefix(stage);
        }
    }

    /// So much more is done.
    pub(super) fn advance(&self, weight: f64) {
        let mut work = self.lock();
        work.done += weight;
        if let Some(bar) = &self.bar {
            bar.set_position((PARTS as f64 * work.done / work.total) as u64);
            bar.set_message(work.left(Instant::now()));
        }
    }

    /// Says what has just been finished.
    pub(super) fn say(&self, what: &str) {
        let work = self.lock();
        let (stage, left) = (work.stage, work.left(Instant::now()));
        match &self.bar {
            Some(bar) => bar.println(format!("{stage}: {what}")),
            None => talk(&format!("{stage}: {what}; {left}\n")),
        }
    }

    /// Says how long the stage took that ends now, if there is one.
    fn tell_end(&self) {
        let work = self.lock();
        let took = Duration::from_secs(work.began.elapsed().as_secs());
        if work.stage.is_empty() {
            return;
        }
        let text = format!("{} took {}", work.stage, humantime::format_duration(took));
        match &self.bar {
            Some(bar) => bar.println(text),
            None => talk(&format!("{text}\n")),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Work> {
        // Nothing panics while it is held, and each change is a whole one.
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.tell_end();
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Work {
    fn new(stage: &'static str, total: f64) -> Work {
        Work {
            stage,
            began: Instant::now(),
            done: 0.0,
            total,
        }
    }

    /// How long the rest of the stage will take, for people.
    fn left(&self, now: Instant) -> String {
        match self.time_left(now - self.began) {
            Some(left) => format!("about {} left", humantime::format_duration(left)),
            None => "time left not known yet".to_owned(),
        }
    }

    /// Whole seconds, if anything is known at all.
    fn time_left(&self, elapsed: Duration) -> Option<Duration> {
        let left = elapsed.as_secs_f64() * (self.total - self.done).max(0.0) / self.done;
        let left = left.is_finite().then(|| left.round())?;
        Duration::try_from_secs_f64(left).ok()
    }
}

/// The length of the bar.
const PARTS: u64 = 1000;

fn bar() -> ProgressBar {
    let bar = ProgressBar::new(PARTS);
    // The template is a constant; should it be wrong, the bar looks plain.
    if let Ok(style) = ProgressStyle::with_template("{prefix} {bar:24} {percent} %, {msg}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_takes_as_long_as_what_was_done() {
        let mut work = Work::new("games", 100.0);
        let elapsed = Duration::from_secs(30);
        assert_eq!(work.time_left(elapsed), None);
        work.done = 25.0;
        assert_eq!(work.time_left(elapsed), Some(Duration::from_secs(90)));
        work.done = 100.5;
        assert_eq!(work.time_left(elapsed), Some(Duration::ZERO));
        assert_eq!(work.left(work.began), "about 0s left");
    }

    #[test]
    fn work_without_weight_has_no_end_in_sight() {
        assert_eq!(Work::new("games", 0.0).time_left(Duration::ZERO), None);
    }
}
