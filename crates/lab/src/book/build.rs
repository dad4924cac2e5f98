//! `checkers-lab book build`: makes an opening book.

use std::collections::HashMap;
use std::io::Write;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::Duration;

use checkers_engine::book::{Book, MenKey};
use checkers_engine::{Algorithm, BotSpec, Stop};

use super::plan::{BookPlan, searched};
use super::progress::BookProgress;
use super::tree::BookTree;
use crate::dataset::{Block, DatasetWriter};
use crate::draft::Draft;
use crate::failure::{LabFailure, talk};
use crate::player::{PlayerFactory, ScoredBot, SearchEffort};
use crate::signals::stop_on_signals;

const EXAMPLES: &str = "\
Examples:
  checkers-lab book build --out opening.book
  checkers-lab book build --positions 2000 --nodes 5000 --openings 0 --out small.book

The book begins with the start position and the built-in openings. The position nearest to best play
is expanded again and again: each position after its moves is searched, and the values are passed
back through all moves that led there.

Searches are kept in FILE.searches. An interrupted run resumes when the same command is given again;
with more --positions it is extended. With --nodes the book depends on the settings alone, not on the
number of threads. FILE itself is written at the end, atomically.";

/// Make an opening book by searching the positions near best play
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The book to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// How many positions it gets at most
    #[arg(long, default_value = "40000")]
    positions: NonZeroU32,

    /// How many nodes each position is searched, bad ones a tenth
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(16..))]
    nodes: u64,

    /// Search each position so long instead, such as 100ms: never the same book again
    #[arg(long, conflicts_with = "nodes", value_parser = cli_kit::movetime)]
    movetime: Option<Duration>,

    /// How many openings of the built-in suite it begins with beside the start [default: all]
    #[arg(long)]
    openings: Option<usize>,

    /// The order in which these are taken
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// The bot that searches
    #[arg(long, default_value = "champion:tt=4", value_parser = searcher)]
    bot: BotSpec,

    /// How many threads to search with, each with a bot of its own [default: all processors]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// A line about this run that the book is to keep, such as the commit
    #[arg(long, default_value = "")]
    note: String,
}

/// After this many expansions, the queue is sorted again. The resulting book depends on it.
const GROUPS: usize = 64;

/// Reads a bot with scores in the unit of books.
fn searcher(text: &str) -> Result<BotSpec, String> {
    let spec: BotSpec = text.parse().map_err(|error| format!("{error}"))?;
    match spec.algorithm() {
        Algorithm::Champion => Ok(spec),
        _ => Err(format!("{} makes no books: expected champion", spec.name())),
    }
}

pub(super) fn run(args: &Args) -> Result<(), LabFailure> {
    let stop = stop_on_signals();
    let draft = Draft::create(&args.out)?;
    let plan = args.plan()?;
    let settings = plan.settings();
    let (writer, blocks) = DatasetWriter::open(&searches(&args.out), &settings)?;
    let samples = blocks.iter().flat_map(|block| &block.samples);
    let mut run = BookBuild {
        known: samples.filter_map(searched).collect(),
        blocks: blocks.len() as u32,
        players: (0..crate::threads::count(args.threads))
            .map(|_| plan.factory.make(&stop))
            .collect(),
        plan,
        writer,
        stop,
    };
    let tree = run.grow(args.positions.get() as usize)?;
    let book = args.book(&settings, tree);
    let bytes = book.to_bytes();
    draft.commit_with(|file| file.write_all(&bytes))?;
    talk(&format!(
        "{} positions, {} bytes: {}",
        book.len(),
        bytes.len(),
        args.out.display()
    ));
    Ok(())
}

/// Where the searches of a book are kept.
fn searches(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".searches");
    name.into()
}

impl Args {
    fn plan(&self) -> Result<BookPlan, LabFailure> {
        Ok(BookPlan {
            factory: PlayerFactory::new(&self.bot, None)?,
            effort: self
                .movetime
                .map_or(SearchEffort::Nodes(self.nodes), SearchEffort::Time),
            openings: self.openings.unwrap_or(usize::MAX),
            seed: self.seed,
        })
    }

    fn book(&self, settings: &str, mut tree: BookTree) -> Book {
        let mut note = format!(
            "checkers-lab {}\n{settings} positions={}",
            env!("CARGO_PKG_VERSION"),
            self.positions
        );
        if !self.note.is_empty() {
            note.push('\n');
            note.push_str(&self.note);
        }
        Book::new(note, tree.values())
    }
}

/// A book under way.
struct BookBuild {
    plan: BookPlan,
    players: Vec<ScoredBot>,
    /// What was searched before and has not been asked for again.
    known: HashMap<MenKey, i16>,
    /// How many blocks of searches there are.
    blocks: u32,
    writer: DatasetWriter,
    stop: Stop,
}

impl BookBuild {
    /// Searches until there are this many positions, or nothing is left.
    fn grow(&mut self, positions: usize) -> Result<BookTree, LabFailure> {
        let mut tree = BookTree::new(self.plan.roots());
        let mut progress = BookProgress::new(positions, self.known.len());
        loop {
            let groups = tree.next(GROUPS, positions - tree.len());
            if groups.is_empty() {
                progress.finish(tree.len());
                return Ok(tree);
            }
            self.search(&groups, &mut tree, &mut progress)?;
        }
    }

    /// Adds the positions of all groups to the tree; those that are not known are searched.
    fn search(
        &mut self,
        groups: &[Vec<MenKey>],
        tree: &mut BookTree,
        progress: &mut BookProgress,
    ) -> Result<(), LabFailure> {
        let is_known = |group: &&Vec<MenKey>| group.iter().all(|key| self.known.contains_key(key));
        let (old, new): (Vec<_>, Vec<_>) = groups.iter().partition(is_known);
        for key in old.into_iter().flatten() {
            tree.add(*key, self.known[key]);
        }
        let (plan, next) = (&self.plan, AtomicUsize::new(0));
        let (writer, blocks, stop) = (&mut self.writer, &mut self.blocks, &self.stop);
        let written = thread::scope(|scope| {
            let (sender, found) = sync_channel(self.players.len());
            for player in &mut self.players {
                let (sender, new, next) = (sender.clone(), &new, &next);
                scope.spawn(move || {
                    while let Some(group) = new.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let samples = plan.search(player, group);
                        // A player that was stopped finds nothing any more.
                        let Some(samples) = samples else { break };
                        if sender.send(samples).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let mut written = Ok(());
            // After a failure the rest is taken from the threads, which end, and thrown away.
            for samples in found {
                let block = Block {
                    number: *blocks,
                    games: 0,
                    samples,
                };
                if written.is_ok() {
                    written = writer.add(&block);
                }
                if written.is_err() {
                    stop.stop();
                }
                *blocks += 1;
                for (key, score) in block.samples.iter().filter_map(searched) {
                    tree.add(key, score);
                }
                progress.show(block.samples.len(), tree.len());
            }
            written
        });
        written?;
        if self.stop.is_set() {
            return Err(LabFailure::Paused);
        }
        Ok(())
    }
}
