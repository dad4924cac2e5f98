//! Compares the server with a minimal relay, on this machine. `scripts/bench.sh server` runs it.
//!
//! Relay and server are processes of their own, started anew for every measurement and measured in
//! turn. This process is the client of both and uses the public protocol only.

mod client;
mod games;
mod http_player;
mod load;
mod parts;
mod player;
mod relay;
mod report;
mod subject;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread::available_parallelism;

use clap::{Parser, ValueEnum};
use tokio::signal::unix::{SignalKind, signal};

use load::Measured;
use parts::{BenchPart, Experiment, Machine, Side};
use report::BenchResults;

type AnyError = Box<dyn std::error::Error + Send + Sync>;

/// Compares the server with a relay that only forwards moves.
#[derive(Debug, Parser)]
struct Arguments {
    /// What to measure; everything by default
    parts: Vec<BenchPart>,

    /// How often each side of a comparison is measured
    #[arg(long, default_value_t = 5)]
    rounds: usize,

    /// Seconds that one measurement takes, after its preparation
    #[arg(long, default_value_t = 10.0)]
    seconds: f64,

    /// Measure this server program in turn with the one built here, instead of what the part compares
    #[arg(long, value_name = "PROGRAM")]
    baseline: Option<PathBuf>,

    /// Be the relay
    #[arg(long, hide = true)]
    relay: bool,

    /// Passed by `cargo bench`
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), AnyError> {
    let open_files = rlimit::increase_nofile_limit(u64::MAX)?;
    if arguments.relay {
        return relay::run();
    }
    let machine = Machine {
        cores: available_parallelism()?.get(),
        open_files: open_files.try_into()?,
    };
    let parts = match arguments.parts.as_slice() {
        [] => BenchPart::value_variants(),
        parts => parts,
    };
    let experiments = |part: BenchPart| {
        let experiments = part.experiments(machine).into_iter();
        experiments.map(|experiment| match &arguments.baseline {
            Some(program) => experiment.with_baseline(program),
            None => experiment,
        })
    };
    for &part in parts {
        for experiment in experiments(part) {
            experiment.check(machine)?;
        }
    }
    for &part in parts {
        let experiments = experiments(part);
        let results = experiments.map(|experiment| compare(experiment, arguments));
        let results: Vec<_> = results.collect::<Result<_, _>>()?;
        writeln!(io::stdout(), "{}", report::table(part, &results))?;
    }
    Ok(())
}

/// Measures the two sides in turn.
fn compare(
    experiment: Experiment,
    &Arguments {
        rounds, seconds, ..
    }: &Arguments,
) -> Result<BenchResults, AnyError> {
    let measure = |round, side: &Side| {
        let title = &experiment.title;
        eprintln!("{title}, round {round} of {rounds}: {}", side.name);
        measure(side, seconds)
    };
    let [first, second] = &experiment.sides;
    let rounds = (1..=rounds)
        .map(|round| Ok([measure(round, first)?, measure(round, second)?]))
        .collect::<Result<_, AnyError>>()?;
    Ok(BenchResults { experiment, rounds })
}

/// Measures one side, unless a signal ends the run.
fn measure(side: &Side, seconds: f64) -> Result<Measured, AnyError> {
    // The runtime's threads run where the thread that starts them does.
    subject::pin_main_thread(&side.cores.client)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(side.cores.client_threads)
        .enable_all()
        .build()?;
    let spectators = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(side.cores.client_threads)
        .on_thread_start(subject::lower_priority)
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        // Dropping the measurement ends the subject.
        tokio::select! {
            biased;
            _ = interrupt.recv() => Err("interrupted".into()),
            _ = terminate.recv() => Err("terminated".into()),
            measured = load::measure(side, seconds, spectators.handle()) => measured,
        }
    })
}
