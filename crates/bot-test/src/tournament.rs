//! The scheduler: hands out the pairings that a format asks for, and takes their results in.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::time::Instant;

use cli_kit::Signals;
use futures::future::join_all;
use tokio::sync::mpsc;
use tokio::time::sleep_until;

use crate::failure::milliseconds;
use crate::format::{Format, FormatError, FormatReport, Next, Schedule};
use crate::in_process::{InProcessSlot, SlotError};
use crate::journal::{Journal, JournalError};
use crate::network::NetworkSlot;
use crate::progress::Progress;
use crate::results::{Results, ResultsError};
use crate::slot::{Jobs, News, Reports, jobs, reports};
use crate::statistics::PoolError;
use crate::{BotId, Conduct, Failure, Fault, GameRecord, PairRecord, Pairing, Plan};

/// How many pairings may wait for each slot: games within the process are over faster than one
/// thread wakes another up.
const WAITING_JOBS: usize = 32;

/// A tournament to be played, or to be gone on with.
pub struct Tournament {
    /// Everything that decides its games.
    pub plan: Arc<Plan>,
    /// How it is conducted.
    pub conduct: Arc<Conduct>,
    /// Where finished pairings are kept, if anywhere.
    pub journal: Option<Journal>,
    /// What was played before.
    pub played: Vec<PairRecord>,
}

/// What came of a tournament.
#[derive(Clone, Debug)]
pub struct Played {
    /// Every pairing that counts, in the order of the schedule.
    pub pairs: Vec<PairRecord>,
    /// How many games there were to be, if that is known.
    pub planned: Option<u64>,
    /// What the format makes of them.
    pub report: FormatReport,
    /// Why it ended before its last game, if it did.
    pub failure: Option<Failure>,
}

/// Somebody who is told how a tournament goes while it goes. Nothing has to be done about it.
pub trait Observer {
    /// It begins, with what was played before; so many games there are to be, if that is known.
    fn began(&mut self, _played: &mut dyn Iterator<Item = &PairRecord>, _games: Option<u64>) {}
    /// A game is over.
    fn over(&mut self, _game: &GameRecord) {}
    /// Pairings are played and kept. What the format makes of all of them is told with them.
    fn done(&mut self, _pairs: &[PairRecord], _report: &FormatReport) {}
}

/// Somebody who does not care.
impl Observer for () {}

/// Tells people.
impl Observer for Progress {
    fn began(&mut self, played: &mut dyn Iterator<Item = &PairRecord>, games: Option<u64>) {
        self.resumed(played);
        self.started(games);
    }

    fn over(&mut self, game: &GameRecord) {
        Progress::over(self, game);
    }

    fn done(&mut self, pairs: &[PairRecord], report: &FormatReport) {
        if let FormatReport::Sprt(report) = report {
            self.sprt(&report.answer);
        }
        for pair in pairs {
            self.pair(pair);
        }
    }
}

impl Played {
    /// What a plan came to so far, by what was played of it.
    ///
    /// # Errors
    /// What was played does not follow from the plan.
    pub(crate) fn so_far(
        plan: Arc<Plan>,
        conduct: Arc<Conduct>,
        played: Vec<PairRecord>,
    ) -> Result<Played, TournamentError> {
        let mut desk = Desk::new(Tournament {
            plan,
            conduct,
            journal: None,
            played,
        })?;
        let end = desk.results.end();
        let mut id = 0;
        while id <= end
            && let Next::Play(_) = desk.schedule.next(id, &desk.results)
        {
            id += 1;
        }
        Ok(desk.close(None))
    }
}

/// Why a tournament could not be played at all, or not be kept.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// The system gives no thread or signal handler.
    #[error("this system does not let the program run")]
    System(#[source] io::Error),
    /// A thread cannot be started, or a bot cannot play within this process.
    #[error(transparent)]
    Slot(#[from] SlotError),
    /// The format has no place for the bots.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// A bot played that does not take part.
    #[error("what was played cannot be counted")]
    Count(#[from] PoolError),
    /// What was played before does not follow from the plan.
    #[error("pairing {id} is on record between other bots or from another opening than planned")]
    OtherPairing {
        /// Its number.
        id: u64,
    },
    /// What was played before cannot be.
    #[error("what was played before cannot be")]
    Results(#[from] ResultsError),
}

impl Tournament {
    /// Plays what is still to be played. Ctrl-C and SIGTERM end it: what was played by then is
    /// what came of it.
    ///
    /// # Errors
    /// When the system or the journal fails. Whatever a bot or a server does wrong is a
    /// [`Failure`] of the tournament, or a forfeit of a game.
    pub async fn play(self, observer: &mut dyn Observer) -> Result<Played, TournamentError> {
        let mut signals = Signals::with_hangup().map_err(TournamentError::System)?;
        let mut desk = Desk::new(self)?;
        // The schedule knows how long it is once it is asked for something.
        desk.schedule.next(0, &desk.results);
        observer.began(&mut desk.pairs.values(), desk.planned());
        let mut hall = Hall::open(&desk)?;
        let failure = desk.run(&mut hall, &mut signals, observer).await;
        hall.close().await;
        Ok(desk.close(failure?))
    }
}

/// The slots, and the queues to and from them.
struct Hall {
    jobs: mpsc::Sender<Pairing>,
    reports: mpsc::Receiver<News>,
    slots: Vec<Slot>,
}

enum Slot {
    Network(NetworkSlot),
    InProcess(InProcessSlot),
}

impl Hall {
    fn open(desk: &Desk) -> Result<Hall, TournamentError> {
        let count = desk.conduct.concurrency;
        let (jobs_sender, jobs) = jobs(count.saturating_mul(WAITING_JOBS));
        let (reports_sender, reports) = reports();
        let mut slots = Vec::with_capacity(count);
        for _ in 0..count {
            slots.push(Slot::start(desk, jobs.clone(), reports_sender.clone())?);
        }
        Ok(Hall {
            jobs: jobs_sender,
            reports,
            slots,
        })
    }

    /// Ends every slot, in the midst of a game if need be.
    async fn close(mut self) {
        // Nobody reads what is still to come: a slot that waits to be read must not wait.
        self.reports.close();
        drop(self.jobs);
        join_all(self.slots.into_iter().map(Slot::stop)).await;
    }
}

impl Slot {
    async fn stop(self) {
        match self {
            Slot::Network(slot) => slot.stop().await,
            Slot::InProcess(slot) => slot.stop(),
        }
    }

    fn start(desk: &Desk, jobs: Jobs, reports: Reports) -> Result<Slot, TournamentError> {
        let (plan, conduct) = (Arc::clone(&desk.plan), Arc::clone(&desk.conduct));
        if !plan.in_process {
            return Ok(Slot::Network(NetworkSlot::start(
                plan, conduct, jobs, reports,
            )));
        }
        let slot = InProcessSlot::start(plan, &conduct, jobs, reports)?;
        Ok(Slot::InProcess(slot))
    }
}

/// Where the schedule is kept and results are written down.
struct Desk {
    plan: Arc<Plan>,
    conduct: Arc<Conduct>,
    journal: Option<Journal>,
    schedule: Box<dyn Schedule>,
    results: Results,
    pairs: BTreeMap<u64, PairRecord>,
    /// The next pairing to ask the schedule for.
    next: u64,
    /// Whether all that counts is finished.
    is_done: bool,
    /// How many games each bot has forfeited in a row.
    forfeits: BTreeMap<BotId, u32>,
}

impl Desk {
    fn new(tournament: Tournament) -> Result<Desk, TournamentError> {
        let plan = tournament.plan;
        let mut desk = Desk {
            schedule: plan.format.schedule(&plan)?,
            results: Results::new(plan.entrants.len()),
            plan,
            conduct: tournament.conduct,
            journal: tournament.journal,
            pairs: BTreeMap::new(),
            next: 0,
            is_done: false,
            forfeits: BTreeMap::new(),
        };
        for pair in tournament.played {
            desk.results.insert(&pair)?;
            desk.pairs.insert(pair.pairing.id, pair);
        }
        Ok(desk)
    }

    /// Plays until nothing is left to be played, or until something ends it early.
    async fn run(
        &mut self,
        hall: &mut Hall,
        signals: &mut Signals,
        observer: &mut dyn Observer,
    ) -> Result<Option<Failure>, TournamentError> {
        let limit = self.conduct.timeouts.per_run;
        let began = Instant::now();
        let is_over = async move {
            match limit {
                Some(limit) => sleep_until((began + limit).into()).await,
                None => std::future::pending().await,
            }
        };
        let mut is_over = std::pin::pin!(is_over);
        loop {
            self.hand_out(&hall.jobs)?;
            if self.is_done {
                return Ok(None);
            }
            let news = tokio::select! {
                signal = signals.next() => return Ok(Some(signal.into())),
                () = &mut is_over => {
                    let limit_ms = limit.map_or(0, milliseconds);
                    return Ok(Some(Failure::RunTooLong { limit_ms }));
                }
                news = hall.reports.recv() => news,
            };
            if let Some(failure) = self.take_in(news, &mut hall.reports, observer)? {
                return Ok(Some(failure));
            }
        }
    }

    /// Hands out as many pairings as the slots have room for.
    fn hand_out(&mut self, jobs: &mpsc::Sender<Pairing>) -> Result<(), TournamentError> {
        while !self.is_done
            && let Ok(place) = jobs.try_reserve()
        {
            match self.schedule.next(self.next, &self.results) {
                Next::Play(pairing) => {
                    self.next += 1;
                    match self.results.get(pairing.id) {
                        None => place.send(pairing),
                        Some(known) if known.pairing == pairing => {}
                        Some(_) => {
                            let id = pairing.id;
                            return Err(TournamentError::OtherPairing { id });
                        }
                    }
                }
                Next::Wait => break,
                Next::Done => self.is_done = true,
            }
        }
        Ok(())
    }

    /// Takes in the news and whatever else has come meanwhile, so that the journal is written
    /// once for all of it.
    fn take_in(
        &mut self,
        first: Option<News>,
        reports: &mut mpsc::Receiver<News>,
        observer: &mut dyn Observer,
    ) -> Result<Option<Failure>, TournamentError> {
        let mut pairs = Vec::new();
        let mut failure = None;
        let mut news = first;
        while let Some(told) = news {
            match told {
                News::Over(game) => observer.over(&game),
                News::Done(pair) => {
                    if self.plan.in_process {
                        pair.games.iter().for_each(|game| observer.over(game));
                    }
                    pairs.push(pair);
                }
                News::Failed(failed) => {
                    failure.get_or_insert(failed);
                }
            }
            news = reports.try_recv().ok();
        }
        if let Err(error) = self.keep(&pairs) {
            // What is not on record is not played: it will be, when the tournament goes on.
            let message = cli_kit::explain(&error);
            return Ok(Some(Failure::Journal { message }));
        }
        for pair in &pairs {
            self.results.insert(pair)?;
            failure = failure.or_else(|| self.lose_patience(pair));
        }
        if !pairs.is_empty() {
            observer.done(&pairs, &self.schedule.report(&self.results));
        }
        for pair in pairs {
            self.pairs.insert(pair.pairing.id, pair);
        }
        Ok(failure)
    }

    fn keep(&mut self, pairs: &[PairRecord]) -> Result<(), JournalError> {
        let Some(journal) = &mut self.journal else {
            return Ok(());
        };
        if pairs.is_empty() {
            return Ok(());
        }
        // The disk may take its time: the slots go on meanwhile, on threads of their own.
        journal.append(pairs)
    }

    /// The failure of a bot that forfeits one game after the other.
    fn lose_patience(&mut self, pair: &PairRecord) -> Option<Failure> {
        for game in &pair.games {
            for bot in pair.pairing.bots {
                let forfeit = game.forfeit().filter(|forfeit| forfeit.bot == bot);
                let row = self.forfeits.entry(bot).or_default();
                *row = if forfeit.is_some() { *row + 1 } else { 0 };
                if let Some(forfeit) = forfeit
                    && *row >= self.conduct.patience
                {
                    return Some(Failure::Bot {
                        bot,
                        games: *row,
                        fault: Fault::clone(&forfeit.fault),
                        stderr: forfeit.stderr.clone(),
                    });
                }
            }
        }
        None
    }

    /// How many games there are to be, if that is known.
    fn planned(&self) -> Option<u64> {
        let total = self.schedule.total()?;
        match self.plan.format {
            // The last pairing may have one game only.
            Format::Match { games } => Some(games),
            _ => Some(total.saturating_mul(self.plan.games_per_pairing().into())),
        }
    }

    fn close(mut self, failure: Option<Failure>) -> Played {
        let planned = self.planned();
        if let Some(counted) = self.schedule.counted() {
            self.pairs.split_off(&counted);
        }
        Played {
            pairs: self.pairs.into_values().collect(),
            planned,
            report: self.schedule.report(&self.results),
            failure,
        }
    }
}
