//! How many pairings a second eight workers claim, play and report on one ledger: `random` takes next to no time for a
//! move, so that what is measured are the statements, the schedule and the harness.
//!
//! Everything runs on this machine: the database with its default settings in a temporary directory, the coordinator,
//! which plays nothing, and the workers. The best of several rounds is the least disturbed one.

use std::io::{self, Write};
use std::process::{Command, Stdio};

use test_support::{PostgresServer, query};

const ROUNDS: usize = 5;
const WORKERS: usize = 8;
const PAIRS: u32 = 20_000;

/// Between the first worker's entry and the end of the run.
const TOOK: &str = "
    SELECT extract(epoch FROM ended_at - (SELECT min(joined_at) FROM tournament_worker))::double precision
    FROM tournament_run";

/// Every pairing is played, and in one attempt unless a worker was silent for too long.
const PLAYED: &str = "SELECT count(result), sum(attempt)::bigint FROM tournament_task";

type AnyError = Box<dyn std::error::Error>;

fn main() -> Result<(), AnyError> {
    let Some(server) = PostgresServer::start(&[]) else {
        return Ok(());
    };
    // Run as a test, it is only to be seen to work.
    let is_bench = std::env::args().any(|argument| argument == "--bench");
    let (rounds, pairs) = if is_bench { (ROUNDS, PAIRS) } else { (1, 100) };
    let mut best = 0.0_f64;
    for round in 1..=rounds {
        let (rate, attempts) = play(&server, pairs)?;
        writeln!(
            io::stdout(),
            "round {round}: {WORKERS} workers, {pairs} pairings, {attempts} attempts, {rate:.0} pairings/s"
        )?;
        best = best.max(rate);
    }
    writeln!(io::stdout(), "best: {best:.0} pairings/s")?;
    Ok(())
}

/// Plays a match; returns the pairings per second and the attempts it took.
fn play(server: &PostgresServer, pairs: u32) -> Result<(f64, i64), AnyError> {
    let url = server.database();
    let worker = || program(&["worker", "--concurrency", "1"], &url).spawn();
    let mut workers = (0..WORKERS)
        .map(|_| worker())
        .collect::<Result<Vec<_>, _>>()?;
    let words = "match random random:seed=1 --openings suite --in-process --no-play --pairs";
    let words: Vec<&str> = words.split_whitespace().collect();
    let pairs_text = pairs.to_string();
    let status = program(&[&words[..], &[&pairs_text]].concat(), &url).status()?;
    for worker in &mut workers {
        worker.wait()?;
    }
    let played = query(&url, PLAYED)?;
    let (results, attempts): (i64, i64) = (played[0].get(0), played[0].get(1));
    if !status.success() || results != i64::from(pairs) {
        return Err(format!("{results} of {pairs} pairings were played").into());
    }
    let took: f64 = query(&url, TOOK)?[0].get(0);
    Ok((f64::from(pairs) / took, attempts))
}

fn program(words: &[&str], url: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_checkers-bot-test"));
    command.args(words).env("CHECKERS_LEDGER", url);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}
