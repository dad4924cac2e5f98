//! `checkers-lab tablebase stats` and `list`: what tables hold.

use std::io::{self, Write};

use checkers_engine::tablebase::MOST_PIECES;

use super::DirArgs;
use super::directory::Directory;
use super::manifest::Listed;
use crate::failure::LabFailure;

/// Show what each slice contains: positions, wins, losses, draws, and the longest win
#[derive(clap::Args)]
pub(crate) struct StatsArgs {
    /// Only slices of this many pieces [default: all there are]
    #[arg(long, value_parser = clap::value_parser!(u8).range(2..=i64::from(MOST_PIECES)))]
    pieces: Option<u8>,

    /// Write a JSON line for each slice instead
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    place: DirArgs,
}

/// List the tables that are there, with their sizes
#[derive(clap::Args)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    place: DirArgs,
}

pub(crate) fn stats(args: &StatsArgs) -> Result<(), LabFailure> {
    let directory = Directory::open(&args.place.dir)?;
    let mut output = io::stdout().lock();
    let listed = directory.materials().into_iter();
    let listed = listed.filter(|m| args.pieces.is_none_or(|pieces| pieces == m.pieces()));
    let listed = listed.filter_map(|material| directory.manifest.find(material));
    let done = if args.json {
        listed.into_iter().try_for_each(|listed| {
            serde_json::to_writer(&mut output, &listed.stats)?;
            writeln!(output)
        })
    } else {
        write_table(listed, &mut output)
    };
    done.map_err(LabFailure::Write)
}

fn write_table<'a>(
    listed: impl Iterator<Item = &'a Listed>,
    output: &mut impl Write,
) -> io::Result<()> {
    writeln!(
        output,
        "{:<8} {:>11} {:>11} {:>11} {:>11} {:>9} {:>7}  position",
        "slice", "positions", "wins", "losses", "draws", "zugzwangs", "longest"
    )?;
    for Listed { stats, .. } in listed {
        let shown = |number: Option<u64>| number.map_or_else(String::new, |n| n.to_string());
        writeln!(
            output,
            "{:<8} {:>11} {:>11} {:>11} {:>11} {:>9} {:>7}  {}",
            stats.material,
            stats.positions,
            stats.wins,
            stats.losses,
            stats.draws,
            shown(stats.mutual_zugzwangs),
            shown(stats.longest_win.map(u64::from)),
            stats.longest_win_fen.as_deref().unwrap_or_default(),
        )?;
    }
    Ok(())
}

pub(crate) fn list(args: &ListArgs) -> Result<(), LabFailure> {
    let directory = Directory::open(&args.place.dir)?;
    let mut output = io::stdout().lock();
    let mut write = || {
        for material in directory.materials() {
            let files = directory
                .manifest
                .find(material)
                .map(|listed| &listed.files);
            for file in files.into_iter().flatten() {
                let is_there = directory.has(material);
                let note = if is_there { "" } else { "  missing or cut off" };
                writeln!(
                    output,
                    "{:<14} {:>11} bytes  {:08x}{note}",
                    file.name, file.bytes, file.crc32
                )?;
            }
        }
        Ok(())
    };
    write().map_err(LabFailure::Write)
}
