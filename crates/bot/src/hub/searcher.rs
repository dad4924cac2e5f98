//! The thread that searches for the other program.

use std::io;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use checkers_engine::{Analyst, Bot, BotSpec, Choice, Limits, Question, Score, SearchReport};
use checkers_lib::{DrawRules, Game, Move};

/// The capacity of the queue; further senders wait. No order is sent while a search runs.
const ORDERS: usize = 8;

/// What the thread is to do.
#[derive(Debug)]
pub(super) enum SearchOrder {
    /// Build this bot with its data, and report `Ready` if it was requested.
    Build {
        /// Which bot.
        spec: BotSpec,
        asked: bool,
    },
    /// Forget the previous game; this is the number of the next.
    NewGame(u64),
    /// Search, and report the result.
    Search(Box<HubJob>),
}

/// A search to be made.
#[derive(Debug)]
pub(super) struct HubJob {
    pub(super) game: Game,
    pub(super) limits: Limits,
    /// Whether a move is asked for, which a book may have, and not what is behind it.
    pub(super) is_to_play: bool,
}

/// What the thread reports.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum HubEvent {
    /// The bot is ready.
    Ready,
    /// What is known so far.
    Found(SearchedPosition),
    /// What is known at the end.
    Done(SearchedPosition),
    /// The thread has come to an unexpected end.
    Died,
}

/// What is known of a position.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct SearchedPosition {
    pub(super) depth: u32,
    pub(super) score: Score,
    pub(super) nodes: u64,
    pub(super) time: Duration,
    pub(super) pv: Vec<Move>,
}

/// Starts the thread. It ends when its queue closes or `bell` fails.
pub(super) fn start(
    bell: impl Fn(HubEvent) + Send + 'static,
) -> io::Result<SyncSender<SearchOrder>> {
    let (orders, todo) = sync_channel(ORDERS);
    thread::Builder::new()
        .name("search".to_owned())
        .spawn(move || work(&todo, &Bell(bell)))?;
    Ok(orders)
}

/// Rings; when it is dropped in a panic, for the last time.
struct Bell<F: Fn(HubEvent)>(F);

impl<F: Fn(HubEvent)> Drop for Bell<F> {
    fn drop(&mut self) {
        if thread::panicking() {
            (self.0)(HubEvent::Died);
        }
    }
}

fn work<F: Fn(HubEvent)>(orders: &Receiver<SearchOrder>, bell: &Bell<F>) {
    let mut engine = None;
    for order in orders {
        match order {
            SearchOrder::Build { spec, asked } => {
                engine = Some(SearchEngine::of(&spec));
                if asked {
                    (bell.0)(HubEvent::Ready);
                }
            }
            SearchOrder::NewGame(number) => {
                if let Some(engine) = &mut engine {
                    engine.new_game(number);
                }
            }
            SearchOrder::Search(job) => {
                if let Some(engine) = &mut engine {
                    let found = engine.search(*job, &mut |found| (bell.0)(HubEvent::Found(found)));
                    (bell.0)(HubEvent::Done(found));
                }
            }
        }
    }
}

/// The searching engine: the champion reports its progress, others only the result.
enum SearchEngine {
    Adviser(Analyst),
    Bot(Box<dyn Bot>),
}

impl SearchEngine {
    /// Makes the bot and lets it search once, so that it has the memory and the files it needs.
    fn of(spec: &BotSpec) -> SearchEngine {
        let mut engine = match Analyst::new(spec) {
            Some(analyst) => SearchEngine::Adviser(analyst),
            None => SearchEngine::Bot(spec.build()),
        };
        let game = Game::new(DrawRules::Fmjd64);
        let limits = Limits {
            depth: Some(1),
            nodes: Some(1),
            ..Limits::default()
        };
        let job = HubJob {
            game,
            limits,
            is_to_play: false,
        };
        engine.search(job, &mut |_| ());
        engine.new_game(0);
        engine
    }

    fn new_game(&mut self, number: u64) {
        match self {
            SearchEngine::Adviser(analyst) => analyst.new_game(),
            SearchEngine::Bot(bot) => bot.new_game(number),
        }
    }

    fn search(&mut self, job: HubJob, tell: &mut dyn FnMut(SearchedPosition)) -> SearchedPosition {
        let HubJob {
            game,
            limits,
            is_to_play,
        } = job;
        match self {
            SearchEngine::Adviser(analyst) => {
                if let Some(choice) = analyst.from_book(&game).filter(|_| is_to_play) {
                    return SearchedPosition::of_choice(choice);
                }
                let question = Question {
                    is_to_play: is_to_play || limits.ponder.is_some(),
                    limits,
                    ..Question::default()
                };
                let mut tell =
                    |report: &SearchReport| tell(SearchedPosition::of_report(report.clone()));
                SearchedPosition::of_report(analyst.ask(&game, &question, &mut tell).report)
            }
            SearchEngine::Bot(bot) => SearchedPosition::of_choice(bot.choose(&game, &limits)),
        }
    }
}

impl SearchedPosition {
    fn of_report(report: SearchReport) -> SearchedPosition {
        let line = report.lines.into_iter().next();
        let (score, pv) = line.map_or_else(Default::default, |line| (line.score, line.pv));
        SearchedPosition {
            depth: report.depth,
            score,
            nodes: report.nodes,
            time: report.time,
            pv,
        }
    }

    fn of_choice(choice: Choice) -> SearchedPosition {
        let pv = match (choice.pv.first(), choice.best) {
            (None, Some(best)) => vec![best],
            (Some(_) | None, _) => choice.pv,
        };
        SearchedPosition {
            depth: choice.depth,
            score: choice.score,
            nodes: choice.nodes,
            time: choice.time,
            pv,
        }
    }
}
