//! `checkers-lab tablebase verify`: holds tables against the rules.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Instant;

use checkers_engine::tablebase::{
    Generator, Kind, MOST_PIECES, Material, Selection, Tablebases, Verified, slice_positions,
};

use super::Place;
use super::directory::Directory;
use super::failure::TableFailure;
use super::play::follow;
use super::runs::Run;
use crate::failure::{Failure, talk};
use crate::threads;

/// Derive stored values anew from what the moves lead to
///
/// Every value, and every checksum of what is read, is compared; the first that differs ends the
/// command with exit code 1.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only tables of this many pieces [default: all there are]
    #[arg(long, value_parser = clap::value_parser!(u8).range(2..=i64::from(MOST_PIECES)))]
    pieces: Option<u8>,

    /// Check this many random positions instead of all of them
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,

    /// Follow best play from this many random won positions to its end
    #[arg(long, conflicts_with = "sample", value_parser = clap::value_parser!(u64).range(1..))]
    play: Option<u64>,

    /// Which random positions
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// How many threads to work with [default: all processors]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    #[command(flatten)]
    place: Place,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
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
    let positions: u64 = materials
        .iter()
        .map(|&material| slice_positions(material))
        .sum();
    let mut generator = Generator::new(threads::count(args.threads));
    let mut sums: BTreeMap<u8, Verified> = BTreeMap::new();
    for &material in &materials {
        let selection = args
            .sample
            .map_or(Selection::Stored, |sample| Selection::Sample {
                count: share(sample, slice_positions(material), positions),
                seed: args.seed,
            });
        let found = check(&directory, &mut generator, material, selection)?;
        talk(&format!(
            "{material}: {} positions are right, {:.1} s",
            found.checked,
            begin.elapsed().as_secs_f64()
        ));
        let sum = sums.entry(material.pieces()).or_default();
        sum.checked += found.checked;
        sum.quiet += found.quiet;
    }
    let checked = sums.values().map(|sum| sum.checked).sum();
    Run::since(begin, command(args), checked, threads::count(args.threads))
        .add_to(&args.place.dir)?;
    let mut output = io::stdout().lock();
    for (pieces, sum) in sums {
        let Verified { checked, quiet, .. } = sum;
        writeln!(
            output,
            "{pieces} pieces: {checked} positions right, {quiet} of them without a capture"
        )
        .map_err(Failure::Write)?;
    }
    Ok(())
}

/// Follows best play from positions of the most pieces there are, if it is not said of how many.
fn play(args: &Args, count: u64, directory: &Directory) -> Result<(), Failure> {
    let begin = Instant::now();
    let tables = Tablebases::load(Some(&args.place.dir), super::warn);
    let most = directory.materials().last().map(|last| last.pieces());
    let pieces = args.pieces.or(most).unwrap_or(2);
    let longest = follow(&tables, pieces, count, args.seed)?;
    Run::since(begin, command(args), count, 1).add_to(&args.place.dir)?;
    let text = format!(
        "{pieces} pieces: best play from {count} won positions ended after as many plies as they \
         say, {longest} at most"
    );
    writeln!(io::stdout().lock(), "{text}").map_err(Failure::Write)
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
fn share(sample: u64, positions: u64, all: u64) -> u64 {
    let part = u128::from(sample) * u128::from(positions);
    part.div_ceil(u128::from(all.max(1))) as u64
}

fn check(
    directory: &Directory,
    generator: &mut Generator,
    material: Material,
    selection: Selection,
) -> Result<Verified, Failure> {
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
    let table = directory.table(material, Kind::Wdl)?;
    let found = generator.verify(material, &table, selection);
    let found = found.map_err(TableFailure::from)?;
    match found.wrong {
        Some(wrong) => Err(TableFailure::Wrong { material, wrong }.into()),
        None => Ok(found),
    }
}
