//! `checkers-server ratings`: ratings, from the command line.

use std::io::{self, Write};

use clap::{Args, Subcommand};
use event_store::{OpenError, ReadError, StoreAddress, UnixMillis};

use super::{RatingPool, Ratings, Recomputed, Speed};

/// Attempts to compute ratings while games end.
const TRIES: usize = 10;

/// What to do with ratings. Works while the server runs, and while it does not.
#[derive(Clone, Debug, Args)]
pub(crate) struct RatingArgs {
    #[command(subcommand)]
    command: RatingCommand,
}

#[derive(Clone, Debug, Subcommand)]
enum RatingCommand {
    /// Print the best people, and the best bots, of each class: rank, rating, deviation, games and name
    Best {
        /// Number of players
        #[arg(long, value_name = "NUMBER", default_value = "20")]
        count: usize,
    },
    /// Compute all ratings again from the archive, and replace those that are wrong
    Recompute,
}

/// Why a command fails.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RatingCommandError {
    #[error("cannot open {0}")]
    Open(StoreAddress, #[source] OpenError),
    #[error("cannot read or write the ratings")]
    Store(#[from] ReadError),
    #[error("cannot print")]
    Output(#[from] io::Error),
    #[error("games are being rated, or an account is being deleted: try again")]
    Busy,
}

/// Executes a command on the ratings of a store.
pub(crate) async fn run(
    RatingArgs { command }: RatingArgs,
    address: StoreAddress,
) -> Result<(), RatingCommandError> {
    let opened = address.clone().open_tables();
    let tables = opened.map_err(|error| RatingCommandError::Open(address, error))?;
    let ratings = Ratings::new(tables);
    let mut out = io::stdout().lock();
    match command {
        RatingCommand::Best { count } => {
            let now = UnixMillis::now();
            let pools = [(RatingPool::People, ""), (RatingPool::Bots, ", bots")];
            let lists = Speed::ALL.map(|speed| pools.map(|pool| (speed, pool)));
            for (speed, (pool, suffix)) in lists.into_iter().flatten() {
                writeln!(out, "{}{suffix}", speed.name())?;
                for (rank, best) in (1..).zip(ratings.best(speed, pool, count).await?) {
                    let standing = best.standing;
                    let (points, games) = (standing.points(), standing.games);
                    let deviation = standing.deviation_at(now);
                    writeln!(
                        out,
                        "{rank:4} {points:5} ±{deviation:<3} {games:6} {}",
                        best.name
                    )?;
                }
            }
        }
        RatingCommand::Recompute => {
            for _ in 0..TRIES {
                let Some(done) = ratings.recompute().await? else {
                    continue;
                };
                let Recomputed {
                    games,
                    ratings,
                    wrong,
                } = done;
                writeln!(
                    out,
                    "{games} rated games, {ratings} ratings, {wrong} of them were wrong"
                )?;
                return Ok(());
            }
            return Err(RatingCommandError::Busy);
        }
    }
    Ok(())
}
