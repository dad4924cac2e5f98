//! `checkers-lab selfplay`: plays the games that an evaluation learns from.

mod game;
mod progress;

use std::collections::HashSet;
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use checkers_engine::{BotSpec, Stop};

use crate::dataset::{Block, DatasetWriter};
use crate::failure::Failure;
use crate::player::{Player, PlayerFactory};
use crate::signals::stop_on_signals;
use game::GamePlan;
use progress::Progress;

const EXAMPLES: &str = "\
Examples:
  checkers-lab selfplay --games 20000 --out gen0.games
  checkers-lab selfplay --weights gen0.net --nodes 2000 --seed 2 --games 20000 --out gen1.games

Each game begins with 6 to 11 random plies; beginnings that a search finds unbalanced are thrown
away. Every move is searched with half to one and a half times --nodes. Games end by the rules,
by tablebases at 5 pieces, as draws after 30 plies by kings alone and after 220 plies.
The positions in which neither side can capture are written, each with the score of its search and
the result of its game; docs/file-formats.md has the bytes.

An interrupted run resumes when the same command is given again; with more --games it is extended.
The games depend on the settings alone, not on the number of threads.";

/// Play games of a bot against itself, and write their positions
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// How many games to play, rounded up to a multiple of 32
    #[arg(long, default_value = "10000")]
    games: NonZeroU64,

    /// How many nodes a move is searched, on average
    #[arg(long, default_value_t = 1_500, value_parser = clap::value_parser!(u64).range(16..))]
    nodes: u64,

    /// What all chance depends on
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// The bot that plays
    #[arg(long, default_value = "champion:tt=1")]
    bot: BotSpec,

    /// Weights for the bot, a champion, in place of its own
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,

    /// How many threads to play with [default: all processors]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// The file of games to write, or to go on with
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// How many games are written at once.
const GAMES_PER_BLOCK: u64 = 32;

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let stop = stop_on_signals();
    let factory = PlayerFactory::new(&args.bot, args.weights.as_deref())?;
    let settings = args.settings(&factory);
    let (mut writer, known) = DatasetWriter::open(&args.out, &settings)?;
    let blocks = args.games.get().div_ceil(GAMES_PER_BLOCK);
    let blocks = u32::try_from(blocks).unwrap_or(u32::MAX);
    let have: HashSet<u32> = known.iter().map(|block| block.number).collect();
    let todo: Vec<u32> = (0..blocks)
        .filter(|number| !have.contains(number))
        .collect();
    let mut progress = Progress::new(todo.len(), &known);

    let next = AtomicUsize::new(0);
    let threads = crate::threads::count(args.threads);
    let written = thread::scope(|scope| {
        let (sender, blocks) = sync_channel(threads);
        for _ in 0..threads {
            let sender = sender.clone();
            let (factory, todo, next, stop) = (&factory, &todo, &next, &stop);
            scope.spawn(move || {
                let mut player = factory.make(stop);
                work(args, &mut player, todo, next, stop, &sender);
            });
        }
        drop(sender);
        let mut written = Ok(());
        // After a failure the rest is taken from the threads, which end, and thrown away.
        for block in blocks {
            if written.is_ok() {
                written = writer.add(&block);
                progress.show(&block);
            }
            if written.is_err() {
                stop.stop();
            }
        }
        written
    });
    written?;
    progress.finish();
    if stop.is_set() {
        return Err(Failure::Paused);
    }
    Ok(())
}

/// Plays one block of games after the other until none is left.
fn work(
    args: &Args,
    player: &mut Player,
    todo: &[u32],
    next: &AtomicUsize,
    stop: &Stop,
    finished: &SyncSender<Block>,
) {
    while let Some(&number) = todo.get(next.fetch_add(1, Ordering::Relaxed)) {
        let first = u64::from(number) * GAMES_PER_BLOCK;
        let mut samples = Vec::new();
        for game in first..first + GAMES_PER_BLOCK {
            let plan = GamePlan::new(args.seed, game, args.nodes);
            samples.extend(plan.play(player));
            if stop.is_set() {
                return;
            }
        }
        let block = Block {
            number,
            games: GAMES_PER_BLOCK as u32,
            samples,
        };
        if finished.send(block).is_err() {
            return;
        }
    }
}

impl Args {
    /// What shapes the games, in one line.
    fn settings(&self, factory: &PlayerFactory) -> String {
        let (nodes, seed) = (self.nodes, self.seed);
        format!("selfplay bot={factory} nodes={nodes} seed={seed}")
    }
}
