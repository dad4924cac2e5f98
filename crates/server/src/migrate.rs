//! `checkers-server migrate`: copies all games and accounts from one store to another.
//!
//! A log is only ever added to. Therefore what is copied already stays as it is, and a migration that was
//! interrupted continues, even if the source has new events.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use event_store::{
    Append, ArchiveFilter, Durability, Event, NewEvent, OpenError, ReadError, Seq, Store,
    StoreAddress, StreamDamage, StreamEnd, StreamId, StreamRead, WriteError,
};

use crate::{accounts, correspondence, moderation, ratings, tournaments};

/// Streams that are looked at in one go.
const CHUNK: u32 = 100;

/// Bytes of the events of one batch, about.
const BATCH: usize = 1 << 22;

/// Between two reports of progress.
const REPORT: Duration = Duration::from_secs(2);

/// Where games are copied from, and where to.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Migration {
    /// Where the games are: sqlite:DIRECTORY or postgres://USER:PASSWORD@HOST/DATABASE
    #[arg(
        long,
        env = "CHECKERS_MIGRATE_FROM",
        hide_env_values = true,
        value_name = "STORE"
    )]
    pub from: StoreAddress,

    /// Where they are copied to: another store, which has no games, or some of the same
    #[arg(
        long,
        env = "CHECKERS_MIGRATE_TO",
        hide_env_values = true,
        value_name = "STORE"
    )]
    pub to: StoreAddress,
}

/// Why a migration stopped. It can be started again in each case.
#[derive(Debug, thiserror::Error)]
pub(crate) enum MigrationError {
    #[error("there are no games in {0}")]
    NoSource(StoreAddress),
    #[error("{address} cannot be opened")]
    Open {
        address: StoreAddress,
        source: OpenError,
    },
    #[error("the games cannot be read")]
    Read(#[from] ReadError),
    #[error("the games cannot be written; the same command continues")]
    Write(#[from] WriteError),
    #[error("{to} has other games than {from}: game {stream} differs")]
    Other {
        from: StoreAddress,
        to: StoreAddress,
        stream: StreamId,
    },
    #[error(
        "{to} has {found} games, and {finished} of them finished, instead of {expected} and {expected_finished}"
    )]
    Incomplete {
        to: StoreAddress,
        found: u64,
        finished: u64,
        expected: u64,
        expected_finished: u64,
    },
}

/// What a migration has done.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Migrated {
    /// Streams that were copied, or continued.
    pub(crate) copied: u64,
    /// Events that were copied.
    pub(crate) events: u64,
    /// Streams that had been copied before.
    pub(crate) kept: u64,
    /// Accounts, all of which are copied anew.
    pub(crate) accounts: usize,
    /// Streams that cannot be read to their end, and were left out.
    pub(crate) damaged: Vec<StreamDamage>,
}

impl Migrated {
    fn streams(&self) -> u64 {
        self.copied + self.kept + self.damaged.len() as u64
    }
}

/// Copies the games, and reports the number of streams that are done, and of all.
pub(crate) async fn run(
    migration: Migration,
    report: impl FnMut(u64, u64),
) -> Result<Migrated, MigrationError> {
    let Migration { from, to } = migration;
    if let StoreAddress::Sqlite(directory) = &from
        && !directory.join("checkers.db").exists()
    {
        return Err(MigrationError::NoSource(from));
    }
    let source = open(&from).await?;
    if source.count_streams().await? == 0 && accounts::is_empty(&*source.tables()).await? {
        source.close().await;
        return Err(MigrationError::NoSource(from));
    }
    let target = open(&to).await?;
    let mut copy = Copy {
        from,
        to,
        source: &*source,
        target: &*target,
        batch: Vec::new(),
        size: 0,
        done: Migrated::default(),
    };
    let copied = copy.run(report).await;
    target.close().await;
    source.close().await;
    copied?;
    Ok(copy.done)
}

async fn open(address: &StoreAddress) -> Result<Arc<dyn Store>, MigrationError> {
    let opening = address.clone();
    let opened = tokio::task::spawn_blocking(move || opening.open(Durability::PowerLoss)).await;
    let opened = opened.map_err(|_| ReadError::Cancelled)?;
    let address = address.clone();
    opened.map_err(|source| MigrationError::Open { address, source })
}

/// A migration in progress.
struct Copy<'a> {
    from: StoreAddress,
    to: StoreAddress,
    source: &'a dyn Store,
    target: &'a dyn Store,
    /// What is to be written next.
    batch: Vec<Append>,
    /// Bytes of its events, about.
    size: usize,
    done: Migrated,
}

impl Copy<'_> {
    async fn run(&mut self, mut report: impl FnMut(u64, u64)) -> Result<(), MigrationError> {
        self.check_beginning().await?;
        let all = self.source.count_streams().await?;
        let (mut row, mut reported) = (0, Instant::now());
        loop {
            let chunk = self.source.streams(row, CHUNK).await?;
            let Some((last, _)) = chunk.last() else {
                break;
            };
            row = *last;
            self.copy_chunk(chunk.into_iter().map(|(_, end)| end).collect())
                .await?;
            if reported.elapsed() > REPORT {
                reported = Instant::now();
                report(self.done.streams(), all);
            }
        }
        report(self.done.streams(), all);
        self.check_end().await?;
        let (source, target) = (self.source.tables(), self.target.tables());
        self.done.accounts = accounts::copy(&*source, &*target).await?;
        moderation::copy(&*source, &*target).await?;
        ratings::copy(&*source, &*target).await?;
        tournaments::copy(&*source, &*target).await?;
        correspondence::copy(&*source, &*target).await?;
        Ok(())
    }

    /// Refuses a target whose games are not those of the source.
    async fn check_beginning(&self) -> Result<(), MigrationError> {
        let Some((_, first)) = self.target.streams(0, 1).await?.pop() else {
            return Ok(());
        };
        let stream = first.stream;
        let is_ours = !self.source.ends(vec![stream.clone()]).await?.is_empty();
        if is_ours {
            Ok(())
        } else {
            Err(self.other(stream))
        }
    }

    async fn check_end(&self) -> Result<(), MigrationError> {
        let count = async |store: &dyn Store| {
            let finished = store.count(ArchiveFilter::default(), u32::MAX).await?;
            Ok::<_, ReadError>((store.count_streams().await?, u64::from(finished)))
        };
        let (expected, expected_finished) = count(self.source).await?;
        let (found, finished) = count(self.target).await?;
        let damaged = self.done.damaged.len() as u64;
        let is_complete =
            |found, expected: u64| (expected.saturating_sub(damaged)..=expected).contains(&found);
        if !is_complete(found, expected) || !is_complete(finished, expected_finished) {
            let to = self.to.clone();
            return Err(MigrationError::Incomplete {
                to,
                found,
                finished,
                expected,
                expected_finished,
            });
        }
        Ok(())
    }

    async fn copy_chunk(&mut self, ends: Vec<StreamEnd>) -> Result<(), MigrationError> {
        let ids = ends.iter().map(|end| end.stream.clone()).collect();
        let found = self.target.ends(ids).await?.into_iter();
        let found: HashMap<StreamId, StreamEnd> =
            found.map(|end| (end.stream.clone(), end)).collect();
        for end in ends {
            match found.get(&end.stream) {
                Some(found) if *found == end => self.done.kept += 1,
                found => self.copy(&end.stream, found).await?,
            }
        }
        self.flush().await
    }

    /// Copies what the target does not have of a stream.
    async fn copy(
        &mut self,
        stream: &StreamId,
        found: Option<&StreamEnd>,
    ) -> Result<(), MigrationError> {
        let Some(read) = self.source.read(stream.clone()).await? else {
            return Ok(()); // a stream does not vanish
        };
        if let Some(damage) = read.damage {
            self.done.damaged.push(damage);
            return Ok(());
        }
        let after = match found {
            None => Seq::NONE,
            Some(found) if is_beginning(found, &read) => found.last,
            Some(_) => return Err(self.other(stream.clone())),
        };
        let append = self.append_of(stream, after, read).await?;
        self.done.copied += 1;
        self.done.events += append.events.len() as u64;
        self.size += append
            .events
            .iter()
            .map(|event| event.payload.len())
            .sum::<usize>();
        self.batch.push(append);
        if self.size > BATCH {
            self.flush().await?;
        }
        Ok(())
    }

    async fn append_of(
        &self,
        stream: &StreamId,
        after: Seq,
        read: StreamRead,
    ) -> Result<Append, MigrationError> {
        let events = read.events.into_iter().skip(after.0 as usize);
        let events = events.map(|event| {
            let Event {
                at, kind, payload, ..
            } = event;
            NewEvent::new(at, kind, payload)
        });
        let append = Append::new(stream.clone(), after, events.collect());
        if !read.is_closed {
            return Ok(append);
        }
        Ok(match self.source.game(stream.clone()).await? {
            Some(game) => append.closing(game.summary),
            None => append.discarding(),
        })
    }

    async fn flush(&mut self) -> Result<(), MigrationError> {
        self.size = 0;
        let batch = std::mem::take(&mut self.batch);
        for written in self.target.append(batch).await? {
            written?;
        }
        Ok(())
    }

    fn other(&self, stream: StreamId) -> MigrationError {
        MigrationError::Other {
            from: self.from.clone(),
            to: self.to.clone(),
            stream,
        }
    }
}

/// Whether the target has the first events of a stream, and can take the others.
fn is_beginning(found: &StreamEnd, read: &StreamRead) -> bool {
    !found.is_closed
        && found.last <= read.last()
        && found.checksum == read.checksum(&found.stream, found.last)
}
