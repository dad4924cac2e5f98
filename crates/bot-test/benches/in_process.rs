//! How many games a second the harness plays by itself: `random` takes next to no time for a
//! move, so that what is measured are the rules, the records, the reports and the schedule.
//!
//! Several rounds are played; the best of them is the least disturbed one. One worker plays within
//! this process; on one core: `taskset -c 0 cargo bench -p checkers-bot-test --bench in_process`.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Instant;

use checkers_bot_test::{
    Adjudication, Forfeits, Format, Openings, RunConfig, Tournament, TournamentPlan,
};
use checkers_lib::{DrawRules, openings};

const ROUNDS: usize = 7;
const GAMES: u64 = 50_000;

type AnyError = Box<dyn std::error::Error>;

fn main() -> Result<(), AnyError> {
    let (plan, config) = (Arc::new(plan()?), Arc::new(RunConfig::in_process(1)));
    let mut best = 0.0_f64;
    // Run as a test, it is only to be seen to work.
    let is_bench = std::env::args().any(|argument| argument == "--bench");
    for round in 1..=if is_bench { ROUNDS } else { 1 } {
        let began = Instant::now();
        let plies = play(&plan, &config)?;
        let rate = GAMES as f64 / began.elapsed().as_secs_f64();
        let length = plies as f64 / GAMES as f64;
        writeln!(
            io::stdout(),
            "round {round}: {GAMES} games of {length:.1} plies, {rate:.0} games/s"
        )?;
        best = best.max(rate);
    }
    writeln!(io::stdout(), "best: {best:.0} games/s")?;
    Ok(())
}

/// Plays a match and returns how many plies its games had.
fn play(plan: &Arc<TournamentPlan>, config: &Arc<RunConfig>) -> Result<usize, AnyError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let tournament = Tournament {
        plan: Arc::clone(plan),
        config: Arc::clone(config),
        journal: None,
        played: Vec::new(),
    };
    let played = runtime.block_on(tournament.play(&mut ()))?;
    let games = played.pairs.iter().flat_map(|pair| &pair.games);
    Ok(games.map(|game| game.moves.len()).sum())
}

fn plan() -> Result<TournamentPlan, AnyError> {
    Ok(TournamentPlan {
        format: Format::Match { games: GAMES },
        participants: vec!["random".parse()?, "random:seed=1".parse()?],
        swap: true,
        openings: Openings {
            source: "the built-in suite".to_owned(),
            seed: None,
            list: openings::suite(),
        },
        draw_rules: DrawRules::Fmjd64,
        adjudication: Adjudication::default(),
        forfeits: Forfeits::Loss,
        in_process: true,
        keep_lines: false,
    })
}
