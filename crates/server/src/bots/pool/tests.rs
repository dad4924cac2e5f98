use super::*;
use crate::bots::analysis::{AnalysisRequest, Analyst};
use checkers_lib::{DrawRules, MoveTiming};

/// A search that ends only when it is stopped or out of time.
const ENDLESS: &str = "minimax:depth=30";

fn pool(limits: BotLimits) -> BotPool {
    BotPool::start(limits, BotMetrics::default()).unwrap()
}

fn limits() -> BotLimits {
    BotLimits {
        threads: 1,
        seats: 3,
        depth: 64,
        time: Duration::from_secs(3600),
        memory: 64,
    }
}

fn seated(pool: &BotPool, spec: &str) -> SeatedBot {
    pool.seat(spec.parse().unwrap()).unwrap()
}

fn turn() -> BotTurn {
    BotTurn {
        game: Game::new(DrawRules::Fmjd64),
        clock: None,
        since: Instant::now(),
        seed: 0,
    }
}

fn queue_of(pool: &BotPool) -> usize {
    pool.0.state.queue().waiting.len()
}

#[tokio::test]
async fn a_bot_answers_with_a_legal_move() {
    let pool = pool(limits());
    let choice = seated(&pool, "level:3").think(turn()).await.unwrap();
    assert!(turn().game.legal_moves().contains(&choice.best.unwrap()));
}

#[tokio::test]
async fn a_game_that_is_over_has_no_move() {
    let pool = pool(limits());
    let lost = "W:Wa1:Bb2,c3".parse().unwrap();
    let lost = BotTurn {
        game: Game::from_position(lost, DrawRules::Fmjd64),
        ..turn()
    };
    let choice = seated(&pool, "level:10").think(lost).await.unwrap();
    assert_eq!(choice.best, None);
}

#[tokio::test]
async fn dropping_a_search_stops_it() {
    let pool = pool(limits());
    let bots = [ENDLESS, "random"].map(|spec| seated(&pool, spec));
    drop(bots[0].think(turn()));
    assert!(bots[1].think(turn()).await.is_some());
}

#[tokio::test]
async fn a_bot_has_one_search_in_the_queue() {
    let pool = pool(limits());
    let bots = [ENDLESS, "random"].map(|spec| seated(&pool, spec));
    let endless = bots[0].think(turn());
    while queue_of(&pool) > 0 {
        thread::yield_now();
    }
    let first = bots[1].think(turn());
    let second = bots[1].think(turn());
    assert_eq!(queue_of(&pool), 1);
    drop(endless);
    assert!(first.await.is_none());
    assert!(second.await.is_some());
}

#[tokio::test]
async fn a_bot_that_leaves_is_removed_from_the_queue() {
    let pool = pool(limits());
    let endless = seated(&pool, ENDLESS);
    let _search = endless.think(turn());
    while queue_of(&pool) > 0 {
        thread::yield_now();
    }
    let other = seated(&pool, "random");
    let thinking = other.think(turn());
    drop(other);
    assert_eq!(queue_of(&pool), 0);
    assert!(thinking.await.is_none());
}

#[tokio::test]
async fn the_clock_ends_a_search() {
    let pool = pool(limits());
    let bot = seated(&pool, ENDLESS);
    for remaining in [0, 50, 130] {
        let choice = bot.think(on(remaining)).await.unwrap();
        assert!(!choice.complete && choice.best.is_some());
    }
}

#[tokio::test]
async fn time_and_depth_are_bounded() {
    let pool = pool(BotLimits {
        time: Duration::from_millis(20),
        ..limits()
    });
    let choice = seated(&pool, ENDLESS).think(turn()).await.unwrap();
    assert!(!choice.complete);
    let choice = seated(&pool, "alpha-beta:depth=2").think(turn()).await;
    assert_eq!(choice.unwrap().depth, 2);
}

/// A turn with `remaining` milliseconds on the clock.
fn on(remaining: u64) -> BotTurn {
    let clock = SideClock {
        remaining: Duration::from_millis(remaining),
        timing: MoveTiming::Increment(Duration::ZERO),
    };
    BotTurn {
        clock: Some(clock),
        ..turn()
    }
}

fn request() -> AnalysisRequest {
    AnalysisRequest {
        time: Duration::from_secs(3600),
        depth: 64,
        lines: 1,
    }
}

#[tokio::test]
async fn a_later_search_shortens_running_ones() {
    let pool = pool(limits());
    let bots = [ENDLESS, "random"].map(|spec| seated(&pool, spec));
    let endless = bots[0].think(turn());
    while queue_of(&pool) > 0 {
        thread::yield_now();
    }
    let hurried = on(20_000);
    assert!(bots[1].think(hurried.clone()).await.is_some());
    assert!(hurried.since.elapsed() < Duration::from_secs(20));
    let cut = endless.await.unwrap();
    assert!(!cut.complete && cut.best.is_some());
}

#[tokio::test]
async fn searches_end_before_the_clock_with_many_bots() {
    let pool = pool(BotLimits {
        seats: 12,
        time: Duration::from_secs(60),
        ..limits()
    });
    let analyst = Analyst::new(pool.clone());
    let analyses = ["W:Wa1:Bh8", "W:Wc3,e3,g3:Bb6,d6,f6"].map(|fen| {
        let (analyst, position) = (analyst.clone(), fen.parse().unwrap());
        tokio::spawn(async move { analyst.analyse(&position, request(), None).await })
    });
    while pool.0.state.queue().running.is_empty() {
        tokio::task::yield_now().await;
    }
    let bots: Vec<SeatedBot> = (0..12).map(|_| seated(&pool, ENDLESS)).collect();
    let (untimed, timed) = bots.split_at(6);
    let _untimed: Vec<Thinking> = untimed.iter().map(|bot| bot.think(turn())).collect();
    for _ in 0..3 {
        let thinking = timed.iter().zip((0..6).rev()).map(|(bot, place)| {
            let turn = on(8_000 + 1_000 * place);
            (bot.think(turn.clone()), turn)
        });
        let thinking: Vec<(Thinking, BotTurn)> = thinking.collect();
        for (thinking, turn) in thinking {
            let remaining = turn.clock.unwrap().remaining;
            assert!(thinking.await.unwrap().best.is_some());
            assert!(turn.since.elapsed() < remaining, "{remaining:?}");
        }
    }
    for analysis in analyses {
        analysis.abort();
    }
}

#[test]
fn seats_are_limited_and_returned() {
    let pool = pool(limits());
    let spec: BotSpec = "random".parse().unwrap();
    let seated: Vec<SeatedBot> = (0..3).map(|_| pool.seat(spec.clone()).unwrap()).collect();
    let refused = pool.seat(spec.clone()).map(|_| ());
    assert_eq!(refused, Err(BotsBusy { seats: 3 }));
    let restored = pool.seat_again(spec.clone());
    drop(seated);
    assert!(pool.seat(spec).is_ok());
    drop(restored);
    assert_eq!(pool.0.state.queue().seats.taken(), 0);
}

#[tokio::test]
async fn an_idle_bot_gives_its_seat_to_another() {
    let pool = pool(limits());
    let bots = ["random", "random", "random"].map(|spec| seated(&pool, spec));
    for bot in &bots {
        bot.set_idle();
    }
    bots[0].set_playing();
    let newcomer = seated(&pool, "random");
    bots[1].dismissed().await;
    bots[1].set_idle();
    // A game has started before the bot noticed its dismissal; it plays on.
    bots[1].set_playing();
    let refused = pool.seat("random".parse().unwrap()).map(|_| ());
    assert_eq!(refused, Err(BotsBusy { seats: 3 }));
    drop(newcomer);
    let _newcomer = seated(&pool, "random");
    bots[2].dismissed().await;
}

#[tokio::test]
async fn the_same_seed_chooses_the_same_move() {
    let pool = pool(limits());
    let bot = seated(&pool, "level:2");
    let mut chosen = Vec::new();
    for seed in [1, 2, 3, 4, 5, 6, 7, 8, 1] {
        let choice = bot.think(BotTurn { seed, ..turn() }).await.unwrap();
        chosen.push(choice.best);
    }
    assert_eq!(chosen.first(), chosen.last());
    assert!(chosen.iter().any(|other| *other != chosen[0]));
}
