//! `checkers-lab match`: which of two bots, or of two files of weights, is the better one.

mod pair;
mod tally;

use std::io::{self, Write};
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::Duration;

use checkers_engine::{BotSpec, Stop};

use crate::failure::{Failure, talk};
use crate::player::{Effort, Makers, Player};
use crate::signals::stop_on_signals;
use pair::Pair;
use tally::Tally;

const EXAMPLES: &str = "\
Examples:
  checkers-lab match champion:eval=net champion:eval=hand --pairs 500
  checkers-lab match champion champion --first-weights new.net --second-weights old.net
  checkers-lab match champion negascout-id --movetime 20ms --threads 1

Each pair of games begins with one random opening, each bot with White once. Games end by the rules,
by the tables of endings at 5 pieces, as draws after 30 plies by kings alone and after 220 plies.
Standard output says how many pairs ended with how many points of the first bot; what that says about
strength, `checkers-bot-test stats --ptnml` does. With --nodes a match has one result, whatever the
number of threads.";

/// Let two bots, or two files of weights, play each other
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The first bot
    first: BotSpec,

    /// The second bot
    second: BotSpec,

    /// Weights for the first bot, a champion, in place of its own
    #[arg(long, value_name = "FILE")]
    first_weights: Option<PathBuf>,

    /// Weights for the second bot, a champion, in place of its own
    #[arg(long, value_name = "FILE")]
    second_weights: Option<PathBuf>,

    /// How many pairs of games to play
    #[arg(long, default_value = "500")]
    pairs: NonZeroU32,

    /// How many nodes a move is searched
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(16..))]
    nodes: u64,

    /// Search each move so long instead, such as 10ms
    #[arg(long, conflicts_with = "nodes", value_parser = milliseconds)]
    movetime: Option<Duration>,

    /// How many random plies the games begin with
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u8).range(0..=40))]
    plies: u8,

    /// What the openings depend on
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// How many threads to play with [default: all processors]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

fn milliseconds(text: &str) -> Result<Duration, String> {
    let number = text
        .strip_suffix("ms")
        .and_then(|number| number.parse().ok());
    match number {
        Some(number @ 1..) => Ok(Duration::from_millis(number)),
        _ => Err("expected a time such as 10ms".to_owned()),
    }
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let stop = stop_on_signals();
    let makers = [
        Makers::new(&args.first, args.first_weights.as_deref())?,
        Makers::new(&args.second, args.second_weights.as_deref())?,
    ];
    let mut tally = Tally::default();
    let next = AtomicU32::new(0);
    let threads = crate::threads::count(args.threads);
    thread::scope(|scope| {
        let (sender, pairs) = sync_channel(threads);
        for _ in 0..threads {
            let sender = sender.clone();
            let (makers, next, stop) = (&makers, &next, &stop);
            scope.spawn(move || {
                let mut players = [0, 1].map(|i| makers[i].make(stop));
                while let Some(pair) = args.next_pair(next, &mut players, stop) {
                    if sender.send(pair).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for pair in pairs {
            tally.add(pair);
            if tally.pairs().is_multiple_of(100) {
                talk(&tally.to_string());
            }
        }
    });
    if stop.is_set() {
        talk(&tally.to_string());
        return Err(Failure::Interrupted);
    }
    args.write(&makers, &tally).map_err(Failure::Write)
}

impl Args {
    /// Plays the next pair there is.
    fn next_pair(&self, next: &AtomicU32, players: &mut [Player; 2], stop: &Stop) -> Option<Pair> {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= self.pairs.get() {
            return None;
        }
        let pair = Pair::play(
            players,
            self.effort(),
            self.seed,
            u64::from(number),
            self.plies.into(),
        );
        pair.filter(|_| !stop.is_set())
    }

    fn effort(&self) -> Effort {
        match self.movetime {
            Some(time) => Effort::Time(time),
            None => Effort::Nodes(self.nodes),
        }
    }

    fn write(&self, makers: &[Makers; 2], tally: &Tally) -> io::Result<()> {
        let mut out = io::stdout().lock();
        for (name, maker) in ["first ", "second"].into_iter().zip(makers) {
            writeln!(out, "{name} {maker}")?;
        }
        let effort = match self.effort() {
            Effort::Time(time) => format!("movetime={}ms", time.as_millis()),
            Effort::Nodes(nodes) => format!("nodes={nodes}"),
        };
        writeln!(
            out,
            "each   {effort} plies={} seed={}",
            self.plies, self.seed
        )?;
        writeln!(out, "{tally}")?;
        writeln!(out, "--ptnml {}", tally.ptnml())
    }
}
