//! `checkers-lab selfplay`: plays the games that an evaluation learns from.

mod game;
mod progress;

use std::collections::HashSet;
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use checkers_engine::{BotSpec, Stop};
use postgres_kit::PostgresAddress;

use crate::dataset::{Block, DatasetWriter};
use crate::failure::LabFailure;
use crate::ledger::{self, Deliver, LedgerArgs, Work};
use crate::player::{PlayerFactory, ScoredBot};
use crate::signals::stop_on_signals;
use game::{GamePlan, GameSettings};
use progress::SelfPlayProgress;

const EXAMPLES: &str = "\
Examples:
  checkers-lab selfplay --games 20000 --out gen0.games
  checkers-lab selfplay --weights gen0.net --nodes 2000 --seed 2 --games 20000 --out gen1.games
  On each of several machines; only those that are to have the games need --out:
    export CHECKERS_LEDGER=postgres://checkers:PASSWORD@db.example/checkers
    checkers-lab selfplay --games 20000 --out gen0.games

Each game begins with 6 to 11 random plies; beginnings that a search scores beyond --balance are
thrown away. Every move is searched with half to one and a half times --nodes. Games end by the rules,
by tablebases at 5 pieces, as draws after 30 plies by kings alone and after 220 plies.
The positions in which neither side can capture are written, each with the score of its search and
the result of its game; docs/file-formats.md has the bytes.

An interrupted run resumes when the same command is given again; with more --games it is extended.
The games depend on the settings alone, not on the number of threads or machines. On a ledger any
process may be killed: others play its games after --lease.";

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

    /// Throw beginnings away that a search scores beyond this, in hundredths of a logit; a game that
    /// finds none within it in 100 attempts is left out
    #[arg(long, value_name = "SCORE", default_value_t = BALANCE)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1999))]
    balance: u32,

    /// The bot that plays
    #[arg(long, default_value = "champion:tt=1")]
    bot: BotSpec,

    /// Weights for the bot, a champion, in place of its own
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,

    /// How many threads to play with [default: all processors]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// The file of games to write, or to go on with; with a ledger it may be left out
    #[arg(long, value_name = "FILE", required_unless_present = "ledger")]
    out: Option<PathBuf>,

    #[command(flatten)]
    machines: LedgerArgs,
}

/// Beyond this, one side has about eleven of twelve points.
const BALANCE: u32 = 250;

/// How many games are written at once.
const GAMES_PER_BLOCK: u64 = 32;

/// The kind of these runs in a ledger.
const KIND: &str = "selfplay";
/// The compression level of blocks in a ledger.
const COMPRESSION: i32 = 3;

pub(crate) fn run(args: &Args) -> Result<(), LabFailure> {
    let stop = stop_on_signals();
    let factory = PlayerFactory::new(&args.bot, args.weights.as_deref())?;
    let settings = args.settings(&factory);
    let blocks = args.games.get().div_ceil(GAMES_PER_BLOCK);
    let blocks = u32::try_from(blocks).unwrap_or(u32::MAX);
    let open = |path| DatasetWriter::open(path, &settings);
    let file = args.out.as_deref().map(open).transpose()?;
    if let Some(ledger) = args.machines.ledger() {
        return share(args, ledger, factory, blocks, file, &stop);
    }
    let Some((mut writer, known)) = file else {
        return Ok(());
    };
    let have = numbers(&known);
    let todo: Vec<u32> = (0..blocks)
        .filter(|number| !have.contains(number))
        .collect();
    let mut progress = SelfPlayProgress::new(todo.len(), &known);

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
        return Err(LabFailure::Paused);
    }
    Ok(())
}

/// Plays one block of games after the other until none is left.
fn work(
    args: &Args,
    player: &mut ScoredBot,
    todo: &[u32],
    next: &AtomicUsize,
    stop: &Stop,
    finished: &SyncSender<Block>,
) {
    while let Some(&number) = todo.get(next.fetch_add(1, Ordering::Relaxed))
        && let Some(block) = play(args.game_settings(), number, player, stop)
        && finished.send(block).is_ok()
    {}
}

/// Plays a block of games; `None` if the player was stopped.
fn play(settings: GameSettings, number: u32, player: &mut ScoredBot, stop: &Stop) -> Option<Block> {
    let first = u64::from(number) * GAMES_PER_BLOCK;
    let mut samples = Vec::new();
    for game in first..first + GAMES_PER_BLOCK {
        let plan = GamePlan::new(settings, game);
        samples.extend(plan.play(player));
        if stop.is_set() {
            return None;
        }
    }
    Some(Block {
        number,
        games: GAMES_PER_BLOCK as u32,
        samples,
    })
}

/// Plays with all processes that share a ledger, and writes what they have played.
fn share(
    args: &Args,
    ledger: &PostgresAddress,
    factory: PlayerFactory,
    blocks: u32,
    file: Option<(DatasetWriter, Vec<Block>)>,
    stop: &Stop,
) -> Result<(), LabFailure> {
    let work = Work {
        kind: KIND,
        command: args.command(),
        settings: args.settings(&factory),
        tasks: blocks.into(),
    };
    let (settings, players_stop) = (args.game_settings(), stop.clone());
    let make = move || {
        let (mut player, stop) = (factory.make(&players_stop), players_stop.clone());
        move |number: u64| {
            let number = u32::try_from(number).ok()?;
            let block = play(settings, number, &mut player, &stop)?;
            Some(encode(&block))
        }
    };
    let threads = crate::threads::count(args.threads);
    let machines = &args.machines;
    let Some((mut writer, known)) = file else {
        return machines.share(ledger, &work, threads, stop, make, None);
    };
    let have = numbers(&known);
    let missing = (0..blocks).filter(|number| !have.contains(number));
    let mut progress = SelfPlayProgress::new(missing.count(), &known);
    let deliver: &mut Deliver<'_> = &mut |number, result| {
        let block = decode(result).filter(|block| u64::from(block.number) == number);
        let block = block.ok_or_else(|| ledger::damaged(KIND, number))?;
        if !have.contains(&block.number) {
            writer.add(&block)?;
            progress.show(&block);
        }
        Ok(())
    };
    machines.share(ledger, &work, threads, stop, make, Some(deliver))?;
    progress.finish();
    Ok(())
}

/// The numbers of blocks.
fn numbers(blocks: &[Block]) -> HashSet<u32> {
    blocks.iter().map(|block| block.number).collect()
}

/// A block as the ledger has it: compressed, and as text.
fn encode(block: &Block) -> Result<String, LabFailure> {
    let bytes = zstd::encode_all(&block.to_bytes()[..], COMPRESSION).map_err(LabFailure::System)?;
    Ok(BASE64.encode(bytes))
}

fn decode(text: &str) -> Option<Block> {
    let bytes = BASE64.decode(text).ok()?;
    Block::from_bytes(&zstd::decode_all(&bytes[..]).ok()?)
}

impl Args {
    /// What shapes the games, in one line.
    fn settings(&self, factory: &PlayerFactory) -> String {
        let (nodes, seed) = (self.nodes, self.seed);
        let balance = match self.balance {
            BALANCE => String::new(),
            other => format!(" balance={other}"),
        };
        format!("selfplay bot={factory} nodes={nodes} seed={seed}{balance}")
    }

    /// What was asked for, in one line: other weights in a file of the same name are the same command.
    fn command(&self) -> String {
        let (bot, nodes, seed) = (&self.bot, self.nodes, self.seed);
        let weights = self.weights.as_deref().map(ledger::file_name);
        format!("{bot} {weights:?} {nodes} {seed} {}", self.balance)
    }

    fn game_settings(&self) -> GameSettings {
        GameSettings {
            seed: self.seed,
            nodes: self.nodes,
            balance: self.balance,
        }
    }
}
