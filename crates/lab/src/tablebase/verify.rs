//! `checkers-lab tablebase verify`: holds tables against the rules.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use checkers_engine::tablebase::{
    FileKind, Generator, MOST_PIECES, Material, Selection, Tablebases, Verified, slice_positions,
};
use postgres_kit::PostgresAddress;
use serde::{Deserialize, Serialize};

use super::DirArgs;
use super::directory::Directory;
use super::failure::TableFailure;
use super::play::follow;
use super::runs::CompletedRun;
use crate::failure::{LabFailure, talk};
use crate::ledger::{self, Deliver, LedgerArgs, Work};
use crate::signals::stop_on_signals;
use crate::threads;

/// Derive stored values anew from what the moves lead to
///
/// Every value, and every checksum of what is read, is compared; the first that differs ends the
/// command with exit code 1. With a ledger, each process needs the same tables, and all print the same
/// result.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only tables of this many pieces [default: all there are]
    #[arg(long, value_parser = clap::value_parser!(u8).range(2..=i64::from(MOST_PIECES)))]
    pieces: Option<u8>,

    /// Check this many random positions instead of all of them
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,

    /// Follow best play from this many random won positions to its end
    #[arg(long, conflicts_with_all = ["sample", "ledger"], value_parser = clap::value_parser!(u64).range(1..))]
    play: Option<u64>,

    /// Which random positions
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// How many threads to work with [default: all processors]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    #[command(flatten)]
    place: DirArgs,

    #[command(flatten)]
    machines: LedgerArgs,
}

/// The kind of these runs in a ledger.
const KIND: &str = "verify";

pub(crate) fn run(args: &Args) -> Result<(), LabFailure> {
    let begin = Instant::now();
    let directory = Directory::open(&args.place.dir)?;
    if let Some(count) = args.play {
        return play(args, count, &directory);
    }
    let mut materials = directory.materials();
    materials.retain(|material| args.pieces.is_none_or(|pieces| pieces == material.pieces()));
    if materials.is_empty() {
        let (dir, pieces) = (args.place.dir.clone(), args.pieces);
        return Err(TableFailure::Nothing { dir, pieces }.into());
    }
    // Pairs next to each other, and promotions behind each other, as when they were made.
    materials.sort_by_key(|material| {
        let pair = (*material).max(material.mirrored());
        (material.pieces(), material.men(), pair, *material)
    });
    let check = Check {
        directory,
        positions: materials.iter().copied().map(slice_positions).sum(),
        sample: args.sample.map(|count| (count, args.seed)),
        begin,
    };
    let threads = threads::count(args.threads);
    let mut report = VerifiedByPieces::default();
    let checked = match args.machines.ledger() {
        Some(ledger) => share(args, ledger, check, &materials, &mut report)?,
        None => {
            let mut generator = Generator::new(threads);
            for &material in &materials {
                report.add(material.pieces(), &check.slice(&mut generator, material)?);
            }
            report.checked()
        }
    };
    let mut command = command(args);
    if args.machines.ledger().is_some() {
        command.push_str(" --ledger");
    }
    CompletedRun::since(begin, command, checked, threads).add_to(&args.place.dir)?;
    report.print()
}

/// Checks slices with all processes that share a ledger. Returns how many positions this one checked.
fn share(
    args: &Args,
    ledger: &PostgresAddress,
    check: Check,
    materials: &[Material],
    report: &mut VerifiedByPieces,
) -> Result<u64, LabFailure> {
    let pairs = pairs(materials);
    let most = materials.iter().map(|material| material.pieces()).max();
    let sum = check.directory.manifest.sum(most.unwrap_or(0));
    let work = Work {
        kind: KIND,
        command: command(args),
        settings: format!("{} of the tables {sum:08x}", command(args)),
        tasks: pairs.len() as u64,
    };
    let checked = Arc::new(AtomicU64::new(0));
    let (sum, threads) = (Arc::clone(&checked), threads::count(args.threads));
    let (check, shared) = (Arc::new(check), Arc::new(pairs.clone()));
    // The generator uses all threads for one slice.
    let make = move || {
        let (check, pairs, sum) = (Arc::clone(&check), Arc::clone(&shared), Arc::clone(&sum));
        let mut generator = Generator::new(threads);
        move |number: u64| {
            let mut slices = Vec::new();
            for &material in pairs.get(number as usize)? {
                match check.slice(&mut generator, material) {
                    Ok(found) => {
                        sum.fetch_add(found.checked, Ordering::Relaxed);
                        slices.push(SliceFindings::Right(found.checked, found.quiet));
                    }
                    // A wrong value is a result: every machine finds it. Other failures are this machine's.
                    Err(failure @ LabFailure::Tables(TableFailure::Wrong { .. })) => {
                        slices.push(SliceFindings::Wrong(cli_kit::explain(&failure)));
                        break;
                    }
                    Err(failure) => return Some(Err(failure)),
                }
            }
            let text = serde_json::to_string(&slices);
            Some(text.map_err(|error| LabFailure::System(error.into())))
        }
    };
    let deliver: &mut Deliver<'_> = &mut |number, result| {
        let damaged = || ledger::damaged(KIND, number);
        let slices: Vec<SliceFindings> = serde_json::from_str(result).map_err(|_| damaged())?;
        let materials = pairs.get(number as usize).ok_or_else(damaged)?;
        for (slice, material) in slices.into_iter().zip(materials) {
            match slice {
                SliceFindings::Right(checked, quiet) => {
                    let found = Verified {
                        checked,
                        quiet,
                        wrong: None,
                    };
                    report.add(material.pieces(), &found);
                }
                SliceFindings::Wrong(wrong) => return Err(LabFailure::Reported(wrong)),
            }
        }
        Ok(())
    };
    let stop = stop_on_signals();
    let machines = &args.machines;
    machines.share(ledger, &work, 1, &stop, make, Some(deliver))?;
    Ok(checked.load(Ordering::Relaxed))
}

/// What was found in a slice, as the ledger has it.
#[derive(Serialize, Deserialize)]
enum SliceFindings {
    /// So many positions are right, and so many of them have no capture.
    Right(u64, u64),
    /// The first position that is wrong.
    Wrong(String),
}

/// Slices in a row that are verified with the same ones in memory.
fn pairs(materials: &[Material]) -> Vec<Vec<Material>> {
    let is_pair = |a: &Material, b: &Material| *a == b.mirrored();
    materials
        .chunk_by(is_pair)
        .map(<[Material]>::to_vec)
        .collect()
}

/// How many positions are right, by pieces.
#[derive(Default)]
struct VerifiedByPieces(BTreeMap<u8, Verified>);

impl VerifiedByPieces {
    fn add(&mut self, pieces: u8, found: &Verified) {
        let sum = self.0.entry(pieces).or_default();
        sum.checked += found.checked;
        sum.quiet += found.quiet;
    }

    fn checked(&self) -> u64 {
        self.0.values().map(|sum| sum.checked).sum()
    }

    fn print(&self) -> Result<(), LabFailure> {
        let mut output = io::stdout().lock();
        for (pieces, sum) in &self.0 {
            let Verified { checked, quiet, .. } = sum;
            writeln!(
                output,
                "{pieces} pieces: {checked} positions right, {quiet} of them without a capture"
            )
            .map_err(LabFailure::Write)?;
        }
        Ok(())
    }
}

/// Follows best play from positions of the most pieces there are, if it is not said of how many.
fn play(args: &Args, count: u64, directory: &Directory) -> Result<(), LabFailure> {
    let begin = Instant::now();
    let tables = Tablebases::load(Some(&args.place.dir), super::warn);
    let most = directory.materials().last().map(|last| last.pieces());
    let pieces = args.pieces.or(most).unwrap_or(2);
    let longest = follow(&tables, pieces, count, args.seed)?;
    CompletedRun::since(begin, command(args), count, 1).add_to(&args.place.dir)?;
    let text = format!(
        "{pieces} pieces: best play from {count} won positions ended after as many plies as they \
         say, {longest} at most"
    );
    writeln!(io::stdout().lock(), "{text}").map_err(LabFailure::Write)
}

/// The command as it was given.
fn command(args: &Args) -> String {
    let mut command = "tablebase verify".to_owned();
    if let Some(pieces) = args.pieces {
        command.push_str(&format!(" --pieces {pieces}"));
    }
    if let Some(sample) = args.sample {
        command.push_str(&format!(" --sample {sample} --seed {}", args.seed));
    }
    if let Some(play) = args.play {
        command.push_str(&format!(" --play {play} --seed {}", args.seed));
    }
    command
}

/// The part of a sample that falls to a slice, rounded up.
fn share_of(sample: u64, positions: u64, all: u64) -> u64 {
    let part = u128::from(sample) * u128::from(positions);
    part.div_ceil(u128::from(all.max(1))) as u64
}

/// How slices are checked.
struct Check {
    directory: Directory,
    /// The positions of all slices.
    positions: u64,
    /// How many random positions to check, if not all, and by which seed.
    sample: Option<(u64, u64)>,
    begin: Instant,
}

impl Check {
    fn slice(&self, generator: &mut Generator, material: Material) -> Result<Verified, LabFailure> {
        let sample = |(count, seed)| Selection::Sample {
            count: share_of(count, slice_positions(material), self.positions),
            seed,
        };
        let selection = self.sample.map_or(Selection::Stored, sample);
        let found = check(&self.directory, generator, material, selection)?;
        talk(&format!(
            "{material}: {} positions are right, {:.1} s",
            found.checked,
            self.begin.elapsed().as_secs_f64()
        ));
        Ok(found)
    }
}

fn check(
    directory: &Directory,
    generator: &mut Generator,
    material: Material,
    selection: Selection,
) -> Result<Verified, LabFailure> {
    let mut needs = Generator::needs(material);
    needs.extend([material, material.mirrored()]);
    for held in generator.materials() {
        if held.pieces() == material.pieces() && !needs.contains(&held) {
            generator.forget(held);
        }
    }
    for need in needs {
        directory.load(need, generator)?;
    }
    let table = directory.table(material, FileKind::Wdl)?;
    let found = generator.verify(material, &table, selection);
    let found = found.map_err(TableFailure::from)?;
    match found.wrong {
        Some(wrong) => Err(TableFailure::Wrong { material, wrong }.into()),
        None => Ok(found),
    }
}
