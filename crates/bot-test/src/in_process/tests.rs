//! Slots with bots of every behaviour.

use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use checkers_engine::{Choice, Limits, Score};
use checkers_lib::protocol::{EndReason, GameResult};
use checkers_lib::{Game, Move, openings};

use tokio::sync::mpsc;

use super::*;
use crate::fixtures::{engine_plan, pairing};
use crate::queues::{jobs, reports};
use crate::{Fault, Forfeits, GameRecord, Ruling, Timekeeper};

/// Far longer than anything here takes.
const PATIENCE: Duration = Duration::from_secs(120);

/// A bot of a test: what it does with a turn.
struct TestBot<F> {
    spec: BotSpec,
    choose: F,
}

impl<F: FnMut(&Game, &Limits) -> Choice + Send> Bot for TestBot<F> {
    fn spec(&self) -> &BotSpec {
        &self.spec
    }

    fn new_game(&mut self, _number: u64) {}

    fn choose(&mut self, game: &Game, limits: &Limits) -> Choice {
        (self.choose)(game, limits)
    }
}

fn bot(choose: impl FnMut(&Game, &Limits) -> Choice + Send + 'static) -> Box<dyn Bot> {
    let spec = "random".parse().unwrap();
    Box::new(TestBot { spec, choose })
}

fn choice(best: Option<Move>) -> Choice {
    Choice {
        best,
        score: Score::ZERO,
        depth: 1,
        nodes: 1,
        time: Duration::from_micros(7),
        pv: Vec::new(),
        complete: true,
        from_book: false,
    }
}

/// Plays the first legal move.
fn first(game: &Game) -> Choice {
    choice(game.legal_moves().first().copied())
}

/// Waits until it is stopped.
fn wait_for_stop(limits: &Limits) {
    while !limits.stop.is_set() {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// A worker under test, and what it reports.
struct WorkerTest {
    worker: InProcessHandle,
    jobs: mpsc::Sender<Pairing>,
    reports: mpsc::Receiver<WorkerReport>,
}

impl WorkerTest {
    /// A worker in which bots built by `build` play.
    fn open(
        plan: TournamentPlan,
        timeouts: Timeouts,
        build: impl Fn(BotId) -> Box<dyn Bot> + Send + Sync + 'static,
    ) -> WorkerTest {
        let (sender, reports) = reports();
        let (jobs_sender, jobs) = jobs(8);
        let worker = InProcessHandle::open(Arc::new(plan), timeouts, Box::new(build), jobs, sender);
        WorkerTest {
            worker: worker.unwrap(),
            jobs: jobs_sender,
            reports,
        }
    }

    /// A worker in which the participants of the plan play.
    fn of_engines(plan: TournamentPlan) -> WorkerTest {
        let specs = engines(&plan).unwrap();
        WorkerTest::open(plan, Timeouts::default(), move |bot| specs[bot.0].build())
    }

    async fn next(&mut self) -> Option<WorkerReport> {
        let report = tokio::time::timeout(PATIENCE, self.reports.recv()).await;
        report.expect("the worker hangs")
    }

    async fn play(&mut self, pairing: Pairing) -> PairRecord {
        self.jobs.send(pairing).await.unwrap();
        match self.next().await.unwrap() {
            WorkerReport::Done(pair) => pair,
            news => panic!("{news:?}"),
        }
    }
}

/// A game of two bots: the first plays what `choose` returns, the second plays first moves.
async fn play_against_first(
    plan: TournamentPlan,
    timeouts: Timeouts,
    choose: impl Fn(&Game, &Limits) -> Choice + Send + Sync + Clone + 'static,
) -> PairRecord {
    let build = move |id| match id {
        BotId::FIRST => bot(choose.clone()),
        _ => bot(|game, _| first(game)),
    };
    WorkerTest::open(plan, timeouts, build)
        .play(pairing(0))
        .await
}

fn two() -> TournamentPlan {
    engine_plan(&["random", "random"])
}

fn timeouts(per_move: u64, per_game: u64) -> Timeouts {
    Timeouts {
        per_move: Duration::from_millis(per_move),
        per_game: Duration::from_millis(per_game),
        ..Timeouts::default()
    }
}

/// Asserts that the first bot forfeited each game of the pairing, and returns how.
fn forfeits(pair: &PairRecord) -> Vec<&Fault> {
    assert_eq!(pair.games.len(), 2);
    let lost =
        |game: &GameRecord| game.score_of(BotId::FIRST) == Some(crate::statistics::GameScore::Loss);
    assert!(pair.games.iter().all(lost));
    let forfeits = pair.games.iter().filter_map(GameRecord::forfeit);
    forfeits.map(|forfeit| &forfeit.fault).collect()
}

/// The games without what differs from run to run.
fn timeless(mut pair: PairRecord) -> PairRecord {
    for played in pair.games.iter_mut().flat_map(|game| &mut game.moves) {
        played.time_us = 0;
    }
    pair
}

#[tokio::test]
async fn games_depend_on_the_plan_alone() {
    let mut plan = engine_plan(&["random", "alpha-beta:depth=2"]);
    plan.openings.list = openings::suite();
    let mut all = Vec::new();
    let mut stage = WorkerTest::of_engines(plan.clone());
    for id in 0..5 {
        all.push(timeless(stage.play(pairing(id)).await));
    }
    let mut again = WorkerTest::of_engines(plan);
    for id in [4, 1] {
        assert_eq!(timeless(again.play(pairing(id)).await), all[id as usize]);
    }
    assert_ne!(all[0].games[0].moves, all[1].games[0].moves);
}

#[tokio::test]
async fn a_pair_is_one_opening_with_sides_swapped() {
    let mut plan = two();
    plan.openings.list = openings::suite();
    let opening = plan.openings.get(2);
    let pair = WorkerTest::of_engines(plan).play(pairing(2)).await;
    let [one, other] = &pair.games[..] else {
        panic!("{pair:?}")
    };
    assert_eq!((one.number, other.number), (5, 6));
    assert_eq!(one.seats.white, BotId::FIRST);
    assert_eq!(other.seats.white, BotId::SECOND);
    for game in [one, other] {
        assert_eq!(game.start, *opening.start());
        let book = game.moves.iter().zip(opening.moves());
        assert!(book.clone().all(|(played, &m)| played.m == m));
        assert_eq!(book.count(), opening.moves().len());
        let chosen = &game.moves[opening.moves().len()..];
        assert!(!chosen.is_empty());
        assert!(chosen.iter().all(|played| played.clock == Timekeeper::Bot));
    }
    assert_ne!(one.moves, other.moves, "random's games differ");
}

#[tokio::test]
async fn single_games_and_finished_openings_are_pairings_too() {
    let mut plan = two();
    plan.openings.list = vec![openings::Opening::new("W:W:Ba3".parse().unwrap())];
    let single = Pairing {
        games: 1,
        ..pairing(0)
    };
    let pair = WorkerTest::of_engines(plan).play(single).await;
    assert_eq!(pair.games.len(), 1);
    assert_eq!(pair.games[0].reason, EndReason::NoPieces);
    assert!(pair.games[0].moves.is_empty());
}

#[tokio::test]
async fn limits_and_clocks_reach_the_bots() {
    let limits = "random@depth=3,nodes=5,movetime=1s,clock=10s+2s";
    let seen = Arc::new(Mutex::new(Vec::new()));
    let notes = seen.clone();
    let note = move |game: &Game, limits: &Limits| {
        notes.lock().unwrap().push(limits.clone());
        first(game)
    };
    play_against_first(engine_plan(&[limits, "random"]), Timeouts::default(), note).await;
    let seen = seen.lock().unwrap();
    let reported = |limits: &Limits| (limits.depth, limits.nodes, limits.movetime);
    let expected = (Some(3), Some(5), Some(Duration::from_secs(1)));
    assert!(seen.iter().all(|limits| reported(limits) == expected));
    let clocks: Vec<_> = seen.iter().map(|limits| limits.clock.unwrap()).collect();
    assert_eq!(clocks[0].remaining, Duration::from_secs(10));
    assert_eq!(clocks[0].increment, Duration::from_secs(2));
    assert!(clocks[1].remaining > Duration::from_secs(11));
    assert!(clocks[1].remaining < Duration::from_secs(12));
}

#[tokio::test]
async fn a_bot_whose_clock_runs_out_loses_on_time() {
    let slow = |game: &Game, _: &Limits| {
        std::thread::sleep(Duration::from_millis(30));
        first(game)
    };
    let plan = engine_plan(&["random@clock=20ms", "random"]);
    let pair = play_against_first(plan, Timeouts::default(), slow).await;
    for game in &pair.games {
        assert_eq!((game.reason, &game.ruling), (EndReason::Time, &None));
        assert_eq!(game.winner(), Some(BotId::SECOND));
    }
    assert_eq!(pair.games[0].moves.len(), 0);
    assert_eq!(pair.games[1].moves.len(), 1, "the late move is not played");
}

#[tokio::test]
async fn a_bot_that_panics_forfeits_and_is_built_again() {
    let built = Arc::new(AtomicUsize::new(0));
    let builds = built.clone();
    let build = move |id| match id {
        BotId::FIRST => {
            builds.fetch_add(1, Ordering::Relaxed);
            bot(|game, _| match game.ply() {
                0..6 => first(game),
                ply => panic!("lost\nat {ply}"),
            })
        }
        _ => bot(|game, _| first(game)),
    };
    let pair = WorkerTest::open(two(), Timeouts::default(), build)
        .play(pairing(0))
        .await;
    let [
        Fault::Panicked { message: one },
        Fault::Panicked { message: other },
    ] = forfeits(&pair)[..]
    else {
        panic!("{pair:?}")
    };
    assert!(one.starts_with("lost at 6 ("), "{one}");
    assert!(other.starts_with("lost at 7 ("), "{other}");
    assert_eq!(pair.games[0].moves.len(), 6);
    assert_eq!(pair.games[0].reason, EndReason::Forfeit);
    assert_eq!(built.load(Ordering::Relaxed), 2);
}

#[tokio::test]
async fn a_bot_that_cannot_be_built_forfeits() {
    let build = |id| match id {
        BotId::FIRST => panic!("no memory"),
        _ => bot(|game, _| first(game)),
    };
    let pair = WorkerTest::open(two(), Timeouts::default(), build)
        .play(pairing(0))
        .await;
    assert!(matches!(forfeits(&pair)[..], [Fault::Panicked { .. }, _]));
}

#[tokio::test]
async fn no_move_and_an_illegal_move_are_forfeits() {
    let none = |_: &Game, _: &Limits| choice(None);
    let pair = play_against_first(two(), Timeouts::default(), none).await;
    let [Fault::IllegalMove { fen, message }, _] = forfeits(&pair)[..] else {
        panic!("{pair:?}")
    };
    assert_eq!(message, "no move at all");
    assert_eq!(*fen, checkers_lib::Position::start().to_string());

    let same_again = |game: &Game, _: &Limits| {
        let start = Game::new(game.rules());
        first(&start)
    };
    let pair = play_against_first(two(), Timeouts::default(), same_again).await;
    let [Fault::IllegalMove { .. }, Fault::IllegalMove { .. }] = forfeits(&pair)[..] else {
        panic!("{pair:?}")
    };
    assert_eq!(pair.games[0].moves.len(), 2);
    assert_eq!(pair.games[1].moves.len(), 1);
}

#[tokio::test]
async fn forfeited_games_may_be_void() {
    let mut plan = two();
    plan.forfeits = Forfeits::Void;
    let pair = play_against_first(plan, Timeouts::default(), |_, _| choice(None)).await;
    assert!(pair.games.iter().all(GameRecord::is_void));
}

#[tokio::test]
async fn a_bot_that_takes_too_long_is_stopped_and_forfeits() {
    let slow = |game: &Game, limits: &Limits| {
        if game.ply() >= 4 {
            wait_for_stop(limits);
        }
        first(game)
    };
    let pair = play_against_first(two(), timeouts(400, 1_000_000), slow).await;
    let [Fault::TimeOut { waited_ms, fen }, Fault::TimeOut { .. }] = forfeits(&pair)[..] else {
        panic!("{pair:?}")
    };
    assert_eq!(*waited_ms, 400);
    assert!(fen.starts_with("W:"), "{fen}");
    assert_eq!(pair.games[0].moves.len(), 4);
    assert_eq!(pair.games[1].moves.len(), 5);
}

#[tokio::test]
async fn a_bot_that_never_returns_is_left_behind() {
    let built = Arc::new(AtomicUsize::new(0));
    let builds = built.clone();
    let build = move |id| match id {
        // Only the first that is built hangs, in its first game.
        BotId::FIRST if builds.fetch_add(1, Ordering::Relaxed) == 0 => bot(|game, _| {
            while game.ply() >= 4 {
                std::thread::park();
            }
            first(game)
        }),
        _ => bot(|game, _| first(game)),
    };
    let mut stage = WorkerTest::open(two(), timeouts(400, 1_000_000), build);
    let pair = stage.play(pairing(0)).await;
    let [hung, next] = &pair.games[..] else {
        panic!("{pair:?}")
    };
    let forfeit = hung.forfeit().unwrap();
    assert_eq!(forfeit.bot, BotId::FIRST);
    assert!(matches!(
        forfeit.fault,
        Fault::TimeOut { waited_ms: 400, .. }
    ));
    assert_eq!((hung.number, hung.moves.len()), (1, 4));
    assert_eq!((next.number, &next.ruling), (2, &None));
    assert_eq!(built.load(Ordering::Relaxed), 2);
    let other = stage.play(pairing(1)).await;
    assert!(other.games.iter().all(|game| game.ruling.is_none()));
}

#[tokio::test]
async fn what_a_bot_left_behind_does_later_is_ignored() {
    let (release, held) = std::sync::mpsc::channel::<()>();
    let held = Mutex::new(Some(held));
    let build = move |id| match (id, held.lock().unwrap().take()) {
        (BotId::FIRST, Some(held)) => bot(move |game, _| {
            // Ends once the other end is dropped.
            let _ = held.recv();
            first(game)
        }),
        (_, held_by_nobody) => {
            assert!(held_by_nobody.is_none());
            bot(|game, _| first(game))
        }
    };
    let mut stage = WorkerTest::open(two(), timeouts(400, 1_000_000), build);
    let pair = stage.play(pairing(0)).await;
    assert!(pair.games[0].forfeit().is_some());
    drop(release);
    let later = stage.play(pairing(1)).await;
    assert_eq!(later.games.len(), 2);
    assert!(later.games.iter().all(|game| game.ruling.is_none()));
    drop((stage.worker, stage.jobs));
    let silence = stage.reports.recv().await.is_none();
    assert!(silence, "its thread has ended too");
}

#[tokio::test]
async fn a_game_that_takes_too_long_is_void() {
    let slow = |game: &Game, _: &Limits| {
        std::thread::sleep(Duration::from_millis(50));
        first(game)
    };
    let pair = play_against_first(two(), timeouts(1_000_000, 400), slow).await;
    for game in &pair.games {
        assert_eq!(game.ruling, Some(Ruling::TooLong { limit_ms: 400 }));
        assert!(game.is_void());
        assert!(!game.moves.is_empty());
    }
}

#[tokio::test]
async fn a_game_that_takes_too_long_stops_the_bot_that_has_the_turn() {
    let endless = |game: &Game, limits: &Limits| {
        wait_for_stop(limits);
        first(game)
    };
    let pair = play_against_first(two(), timeouts(1_000_000, 400), endless).await;
    let too_long = Some(Ruling::TooLong { limit_ms: 400 });
    assert!(pair.games.iter().all(|game| game.ruling == too_long));
}

#[tokio::test]
async fn games_are_judged_by_the_reported_scores() {
    let mut plan = two();
    plan.adjudication.resign = Some("movecount=2,score=100".parse().unwrap());
    let build = |id| {
        let score = if id == BotId::FIRST { 100 } else { -100 };
        bot(move |game, _| Choice {
            score: Score::new(score),
            ..first(game)
        })
    };
    let pair = WorkerTest::open(plan, Timeouts::default(), build)
        .play(pairing(0))
        .await;
    for game in &pair.games {
        assert_eq!(game.ruling, Some(Ruling::Win));
        assert_eq!(game.reason, EndReason::Adjudication);
        assert_eq!(game.winner(), Some(BotId::FIRST));
    }
}

#[tokio::test]
async fn games_are_no_longer_than_they_may_become() {
    let mut plan = two();
    plan.adjudication.max_plies = Some(10);
    let pair = WorkerTest::of_engines(plan).play(pairing(0)).await;
    for game in &pair.games {
        assert_eq!(game.ruling, Some(Ruling::PlyCap { plies: 10 }));
        assert_eq!((game.result, game.moves.len()), (GameResult::Draw, 10));
    }
}

#[tokio::test]
async fn stopping_ends_the_search_and_reports_nothing() {
    let (sender, thinking) = std::sync::mpsc::channel();
    let endless = move |game: &Game, limits: &Limits| {
        sender.send(()).unwrap();
        wait_for_stop(limits);
        first(game)
    };
    let build = move |_| bot(endless.clone());
    let mut stage = WorkerTest::open(two(), Timeouts::default(), build);
    stage.jobs.send(pairing(0)).await.unwrap();
    tokio::task::spawn_blocking(move || thinking.recv().unwrap())
        .await
        .unwrap();
    drop((stage.worker, stage.jobs));
    let report = tokio::time::timeout(PATIENCE, stage.reports.recv()).await;
    let silence = matches!(report, Ok(None));
    assert!(silence, "every thread has ended, without a word");
}

#[tokio::test]
async fn the_last_eight_bots_are_kept() {
    let built = Arc::new(Mutex::new(Vec::new()));
    let builds = built.clone();
    let build = move |id: BotId| {
        builds.lock().unwrap().push(id.0);
        bot(|game, _| first(game))
    };
    let mut stage = WorkerTest::open(engine_plan(&["random"; 10]), Timeouts::default(), build);
    for bots in [
        [0, 1],
        [2, 3],
        [4, 5],
        [6, 7],
        [0, 8],
        [0, 1],
        [0, 8],
        [2, 3],
    ] {
        let bots = bots.map(BotId);
        stage.play(Pairing { bots, ..pairing(0) }).await;
    }
    // Bot 8 took the place of bot 1, which took that of bot 2, which took that of bot 4.
    let expected = [0, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2];
    assert_eq!(*built.lock().unwrap(), expected);
}

#[tokio::test]
async fn weights_of_a_file_play_as_the_same_weights_built_in() {
    let weights = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../engine/data/network.weights"
    );
    let moves = |bot: String| async move {
        let mut plan = engine_plan(&[&bot, "random"]);
        plan.openings.list = openings::suite();
        let pair = WorkerTest::of_engines(plan).play(pairing(0)).await;
        timeless(pair)
    };
    let built_in = moves("champion:tt=1,book=off@nodes=200".to_owned()).await;
    let from_file = moves(format!("champion:tt=1,weights={weights}@nodes=200")).await;
    assert_eq!(from_file, built_in);
}

#[test]
fn weights_that_cannot_be_used_are_refused() {
    let other = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    for (path, why) in [
        ("no/such.net", "No such file"),
        (other, "no file of weights"),
    ] {
        let plan = engine_plan(&[&format!("champion:weights={path}"), "random"]);
        let error = engines(&plan).err().unwrap();
        assert_eq!(
            error.to_string(),
            format!("cannot use the weights of {path}")
        );
        let source = std::error::Error::source(&error).unwrap().to_string();
        assert!(source.starts_with(why), "{source}");
    }
}

#[tokio::test]
async fn other_programs_do_not_play_here() {
    let (sender, _reports) = reports();
    let (_jobs, jobs) = jobs(1);
    let config = RunConfig::in_process(1);
    let plan = Arc::new(engine_plan(&["random", "exec:./bot"]));
    let error = InProcessHandle::start(plan, &config, jobs, sender)
        .err()
        .unwrap();
    assert_eq!(
        error.to_string(),
        "bot 2 is a program of its own and cannot play within this process"
    );
}
