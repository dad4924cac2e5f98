//! `checkers-lab tablebase generate`: makes tables.

use std::fs;
use std::path::Path;
use std::time::Instant;

use checkers_engine::tablebase::{
    GenerationPlan, Generator, MOST_PIECES, Material, slice_positions,
};

use super::DirArgs;
use super::directory::Directory;
use super::failure::TableFailure;
use super::runs::CompletedRun;
use crate::failure::{LabFailure, talk};
use crate::threads;

const EXAMPLES: &str = "\
Examples:
  checkers-lab tablebase generate --pieces 5
  checkers-lab tablebase generate --pieces 6 --threads 2 --memory 6G --dir tables

Each slice of equal material gets a file of values (.wdl) and one of distances (.dist); manifest.json
lists them with checksums and counts. An interrupted run resumes after the last finished pair of
slices.

First, the command shows how much memory it will take, and does nothing if that is more than
--memory, or than the machine or the disk has. 7 pieces have 34 billion positions: they take hours,
14 GiB of memory, and 6 GiB of files.";

/// Generate tables of all positions of up to this many pieces
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Up to how many pieces
    #[arg(long, value_parser = clap::value_parser!(u8).range(2..=i64::from(MOST_PIECES)))]
    pieces: u8,

    #[command(flatten)]
    resources: Resources,

    #[command(flatten)]
    place: DirArgs,
}

/// What solving slices may take.
#[derive(clap::Args)]
pub(super) struct Resources {
    /// How many threads to work with [default: all processors]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// How much memory to take at most, as 8G or 800M
    #[arg(long, default_value = "6G", value_parser = memory)]
    pub(super) memory: u64,
}

impl Resources {
    pub(super) fn threads(&self) -> usize {
        threads::count(self.threads)
    }
}

fn memory(text: &str) -> Result<u64, String> {
    let (number, shift) = match text.chars().last() {
        Some('G') => (&text[..text.len() - 1], 30),
        Some('M') => (&text[..text.len() - 1], 20),
        _ => (text, 0),
    };
    let number: u64 = number
        .parse()
        .map_err(|_| "expected a size such as 8G or 800M")?;
    let bytes = number.checked_mul(1 << shift);
    bytes.ok_or_else(|| "more than any machine has".to_owned())
}

pub(crate) fn run(args: &Args) -> Result<(), LabFailure> {
    let mut directory = Directory::create(&args.place.dir)?;
    let plan = GenerationPlan::new(
        args.pieces,
        |material| directory.has(material),
        args.resources.memory,
    )
    .map_err(TableFailure::from)?;
    print_plan(&plan, args);
    check_memory(&plan)?;
    check_disk(&plan, &args.place.dir)?;
    let mut generator = Generator::new(args.resources.threads());
    let mut progress = GenerationProgress::new(&plan);
    for (done, &pair) in plan.pairs.iter().enumerate() {
        for need in Generator::needs(pair) {
            directory.load(need, &mut generator)?;
        }
        let made = generator.make(pair).map_err(|source| TableFailure::Make {
            material: pair,
            source,
        })?;
        directory.add(made)?;
        for material in generator.materials() {
            if plan.may_forget(material, done) {
                generator.forget(material);
            }
        }
        progress.made(pair, done);
    }
    progress.finish();
    if plan.pairs.is_empty() {
        return Ok(());
    }
    let command = format!("tablebase generate --pieces {}", args.pieces);
    let run = CompletedRun::since(
        progress.begin,
        command,
        progress.made,
        args.resources.threads(),
    );
    Ok(run.add_to(&args.place.dir)?)
}

fn print_plan(plan: &GenerationPlan, args: &Args) {
    let GenerationPlan {
        pairs,
        positions,
        disk,
        keeps,
        memory,
    } = plan;
    if pairs.is_empty() {
        return talk("nothing to do: all tables are there");
    }
    let again = if *keeps {
        ""
    } else {
        ", loading slices again for want of memory"
    };
    talk(&format!(
        "{} million positions in {} pairs of slices, {} MiB of memory, about {} MiB on the disk, \
         {} threads{again}",
        positions / 1_000_000,
        pairs.len(),
        memory >> 20,
        disk >> 20,
        args.resources.threads(),
    ));
}

/// Refuses what the machine has no memory for.
pub(super) fn check_memory(plan: &GenerationPlan) -> Result<(), TableFailure> {
    // If the system does not report it, allocating will fail.
    match free_memory() {
        Some(free) if plan.memory > free => Err(TableFailure::Machine {
            needed: plan.memory,
            free,
        }),
        _ => Ok(()),
    }
}

/// The memory in bytes that programs may still take; only Linux reports it.
fn free_memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().trim_end_matches(" kB").parse().ok()?;
    Some(kib << 10)
}

/// Refuses what the disk has no room for.
fn check_disk(plan: &GenerationPlan, dir: &Path) -> Result<(), TableFailure> {
    match free_disk(dir) {
        Some(free) if free < plan.disk => Err(TableFailure::Disk {
            dir: dir.to_owned(),
            needed: plan.disk,
            free,
        }),
        // Where the free space is not known, writing reports a full disk.
        Some(_) | None => Ok(()),
    }
}

/// The space in bytes that programs may use on the disk of `dir`.
#[cfg(unix)]
fn free_disk(dir: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(dir).ok()?;
    Some(found.f_bavail.saturating_mul(found.f_frsize))
}

#[cfg(not(unix))]
fn free_disk(_: &Path) -> Option<u64> {
    None
}

/// How far it is.
struct GenerationProgress {
    begin: Instant,
    pairs: usize,
    positions: u64,
    made: u64,
}

impl GenerationProgress {
    fn new(plan: &GenerationPlan) -> GenerationProgress {
        GenerationProgress {
            begin: Instant::now(),
            pairs: plan.pairs.len(),
            positions: plan.positions,
            made: 0,
        }
    }

    /// Shows that a pair was generated. The remaining time assumes the same time for each position.
    fn made(&mut self, pair: Material, done: usize) {
        self.made += pair.pair().map(slice_positions).sum::<u64>();
        let seconds = self.begin.elapsed().as_secs_f64();
        let left = seconds * (self.positions - self.made) as f64 / self.made as f64;
        talk(&format!(
            "{pair}: {} of {} pairs, {:.1} % of the positions, {seconds:.1} s, about {left:.0} s left",
            done + 1,
            self.pairs,
            100.0 * self.made as f64 / self.positions as f64,
        ));
    }

    fn finish(&self) {
        let seconds = self.begin.elapsed().as_secs_f64();
        talk(&format!(
            "{} positions in {seconds:.1} s: {:.1} million a second",
            self.made,
            self.made as f64 / seconds / 1e6
        ));
    }
}
