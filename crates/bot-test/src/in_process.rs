//! A match without processes and sockets: the engines take turns on one thread.
//!
//! The sides, the numbers of the games and the limits are those of a match over WebSocket, so
//! bots whose moves depend on the game alone play the same games.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use std::{io, thread};

use checkers_engine::{Bot, BotSpec, Choice, Limits, Stop};
use checkers_lib::protocol::EndReason;
use checkers_lib::{Game, Move};
use tokio::sync::mpsc;
use tokio::time::sleep_until;

use crate::open_game::OpenGame;
use crate::signals::Signals;
use crate::{
    Clock, Failure, Fault, GameRecord, MoveRecord, Observer, Plan, Played, SearchInfo, Timeouts,
};

/// How many finished games may wait to be looked at.
const QUEUED_NEWS: usize = 256;

/// Plays a match between engines.
///
/// # Errors
/// When the thread for them cannot be started.
pub(crate) async fn play(
    plan: &Plan,
    engines: [BotSpec; 2],
    signals: &mut Signals,
    observer: &mut dyn Observer,
) -> io::Result<Played> {
    let (sender, news) = mpsc::channel(QUEUED_NEWS);
    let worker = Worker {
        plan: plan.clone(),
        board: Board::default(),
        stop: Stop::default(),
        news: sender,
    };
    let watch = Watch {
        timeouts: plan.timeouts,
        board: worker.board.clone(),
        stop: worker.stop.clone(),
        news,
        games: Vec::new(),
    };
    let thread = thread::Builder::new().name("match".to_owned());
    thread.spawn(move || worker.run(&engines))?;
    Ok(watch.play(signals, observer).await)
}

/// The side that watches the engines' thread. It never waits for it: a thread whose engine does
/// not come back ends with the process.
struct Watch {
    timeouts: Timeouts,
    board: Board,
    stop: Stop,
    news: mpsc::Receiver<News>,
    games: Vec<GameRecord>,
}

impl Watch {
    async fn play(mut self, signals: &mut Signals, observer: &mut dyn Observer) -> Played {
        let failure = self.watch(signals, observer).await;
        self.stop.stop();
        while let Ok(last) = self.news.try_recv() {
            if let News::Over(game) = last {
                self.games.push(game);
            }
        }
        self.games
            .extend(self.board.take().map(OpenGame::break_off));
        Played {
            games: self.games,
            failure,
        }
    }

    /// Why the match ended before its last game, if it did.
    async fn watch(
        &mut self,
        signals: &mut Signals,
        observer: &mut dyn Observer,
    ) -> Option<Failure> {
        loop {
            tokio::select! {
                () = signals.next() => return Some(Failure::Interrupted),
                () = sleep_until(self.board.deadline(self.timeouts).into()) => {
                    if let Some(failure) = self.board.takes_too_long(self.timeouts) {
                        return Some(failure);
                    }
                }
                news = self.news.recv() => match news {
                    Some(News::Started(number)) => observer.started(number),
                    Some(News::Over(game)) => {
                        observer.over(&game);
                        self.games.push(game);
                    }
                    Some(News::Failed(failure)) => return Some(failure),
                    // The thread is gone: it has played everything, or it has panicked.
                    None => return self.board.fails(Fault::Panicked),
                },
            }
        }
    }
}

/// What the engines' thread tells.
enum News {
    Started(u64),
    Over(GameRecord),
    Failed(Failure),
}

/// The game that runs, seen by the engines' thread and by the one that watches it.
#[derive(Clone, Default)]
struct Board(Arc<Mutex<Option<OpenGame>>>);

impl Board {
    fn lock(&self) -> MutexGuard<'_, Option<OpenGame>> {
        // Nothing panics while it is held, and each change is a whole one.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self) -> Option<OpenGame> {
        self.lock().take()
    }

    fn fails(&self, fault: Fault) -> Option<Failure> {
        self.lock().as_ref().map(|open| open.fails(fault))
    }

    fn deadline(&self, timeouts: Timeouts) -> Instant {
        let deadline = self.lock().as_ref().map(|open| open.deadline(timeouts));
        deadline.unwrap_or_else(|| Instant::now() + timeouts.per_move)
    }

    fn takes_too_long(&self, timeouts: Timeouts) -> Option<Failure> {
        let now = Instant::now();
        let board = self.lock();
        let late = board
            .as_ref()
            .filter(|open| now >= open.deadline(timeouts))?;
        Some(late.takes_too_long(timeouts, now))
    }
}

/// The engines' thread.
struct Worker {
    plan: Plan,
    board: Board,
    stop: Stop,
    news: mpsc::Sender<News>,
}

/// The match is over before its last game; nobody is to be told.
struct Stopped;

impl Worker {
    fn run(&self, engines: &[BotSpec; 2]) {
        let mut bots = engines.each_ref().map(BotSpec::build);
        for number in 1..=u64::from(self.plan.games) {
            if self.play(number, &mut bots).is_err() {
                return;
            }
        }
    }

    fn play(&self, number: u64, bots: &mut [Box<dyn Bot>; 2]) -> Result<(), Stopped> {
        self.tell(News::Started(number))?;
        let opening = self.plan.opening(number);
        let mut game = Game::from_position(opening.start().clone(), self.plan.draw_rules);
        let seats = self.plan.seats(number);
        let mut open = OpenGame::new(number, seats, game.clone(), Instant::now());
        for &m in opening.moves() {
            let text = game.position().notation(m);
            let record = MoveRecord::of_opening(game.turn().into(), text);
            let played = open.play(m, record, Instant::now());
            played.and_then(|()| game.play(m)).map_err(|_| Stopped)?;
        }
        *self.board.lock() = Some(open);
        for bot in bots.iter_mut() {
            // Engines count the games of a run from 0.
            bot.new_game(number - 1);
        }
        while game.outcome().is_none() {
            let to_move = self.plan.seats(number).player(game.turn().into());
            self.play_move(&mut game, &mut bots[to_move.0])?;
        }
        self.close(&game)
    }

    fn play_move(&self, game: &mut Game, bot: &mut Box<dyn Bot>) -> Result<(), Stopped> {
        let limits = Limits {
            stop: self.stop.clone(),
            ..Limits::default()
        };
        let choice = bot.choose(game, &limits);
        if self.stop.is_set() {
            return Err(Stopped);
        }
        let Some(m) = choice.best.filter(|&m| game.position().is_legal(m)) else {
            return self.refuse(game, &choice);
        };
        let record = record(game, m, &choice);
        // Legal, as has just been seen.
        let played = game
            .play(m)
            .and_then(|()| match self.board.lock().as_mut() {
                Some(open) => open.play(m, record, Instant::now()),
                None => Ok(()),
            });
        played.map_err(|_| Stopped)
    }
    /// Ends the match because the bot chose no legal move.
    fn refuse(&self, game: &Game, choice: &Choice) -> Result<(), Stopped> {
        let fault = Fault::IllegalMove {
            fen: game.position().to_string(),
            message: match choice.best {
                Some(m) => format!("{m:?}"),
                None => "no move at all".to_owned(),
            },
        };
        if let Some(failure) = self.board.fails(fault) {
            self.tell(News::Failed(failure))?;
        }
        Err(Stopped)
    }

    fn close(&self, game: &Game) -> Result<(), Stopped> {
        match (self.board.take(), game.outcome()) {
            (Some(open), Some(outcome)) => self.tell(News::Over(open.close(
                outcome.into(),
                EndReason::from(outcome),
                outcome.article().map(str::to_owned),
            ))),
            (None, _) | (_, None) => Err(Stopped),
        }
    }

    fn tell(&self, news: News) -> Result<(), Stopped> {
        self.news.blocking_send(news).map_err(|_| Stopped)
    }
}

fn record(game: &Game, m: Move, choice: &Choice) -> MoveRecord {
    MoveRecord {
        color: game.turn().into(),
        text: game.position().notation(m),
        time_us: u64::try_from(choice.time.as_micros()).unwrap_or(u64::MAX),
        clock: Clock::Bot,
        search: Some(SearchInfo {
            score: choice.score.value(),
            depth: choice.depth,
            nodes: choice.nodes,
        }),
    }
}
