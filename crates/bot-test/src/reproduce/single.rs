//! The game from the start, as the study played it, alone on the machine.

use std::time::Duration;

use checkers_engine::{BotSpec, Stop};
use checkers_lib::{Color, DrawRules, Game};

use super::duel::{self, Duel, Search, Stopped};
use super::{Effort, SingleGame};

/// All plays of a game together take no longer than this, unless one does.
const ENOUGH: Duration = Duration::from_secs(10);

/// Plays the game up to `timings` times. Its bots are deterministic, so it is the same game each
/// time and only the times differ: the fastest of each move is the one least disturbed by others.
/// Games of many seconds are disturbed little and are played once.
pub(super) fn play(specs: &[BotSpec; 2], timings: u32, stop: &Stop) -> Result<SingleGame, Stopped> {
    let mut bots = duel::build(specs);
    let mut play = || duel::play(Game::new(DrawRules::Study), &mut bots, Color::White, stop);
    let mut fastest = play()?;
    let plays = affordable(timings, fastest.searches.iter().flatten());
    for _ in 1..plays {
        keep_fastest(&mut fastest, &play()?);
    }
    let [white, black] = fastest.searches.each_ref().map(|searches| effort(searches));
    Ok(SingleGame {
        result: fastest.score,
        plies: fastest.game.ply(),
        moves: moves(&fastest.game),
        plays,
        white,
        black,
    })
}

/// How often the same searches can be run, once at least.
pub(super) fn affordable<'a>(wanted: u32, searches: impl Iterator<Item = &'a Search>) -> u32 {
    let once: Duration = searches.map(|search| search.time).sum();
    let times = ENOUGH.as_nanos() / once.as_nanos().max(1);
    wanted.min(u32::try_from(times).unwrap_or(u32::MAX)).max(1)
}

fn moves(game: &Game) -> String {
    let played = game.positions().iter().zip(game.moves());
    let texts: Vec<String> = played.map(|(before, &m)| before.notation(m)).collect();
    texts.join(" ")
}

fn keep_fastest(fastest: &mut Duel, again: &Duel) {
    let searches = fastest.searches.iter_mut().flatten();
    for (search, again) in searches.zip(again.searches.iter().flatten()) {
        search.time = search.time.min(again.time);
    }
}

fn effort(searches: &[Search]) -> Effort {
    // A bot that made no move took no time for it.
    let moves = searches.len().max(1) as f64;
    let time: Duration = searches.iter().map(|search| search.time).sum();
    let longest = searches.iter().map(|search| search.time).max();
    let nodes = || searches.iter().map(|search| search.nodes);
    Effort {
        moves: searches.len(),
        mean_ms: milliseconds(time) / moves,
        max_ms: milliseconds(longest.unwrap_or_default()),
        mean_nodes: nodes().sum::<u64>() as f64 / moves,
        max_nodes: nodes().max().unwrap_or_default(),
    }
}

fn milliseconds(time: Duration) -> f64 {
    1000.0 * time.as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_game_is_played_each_time() {
        let specs = ["negascout-tt:depth=3,tt=1", "alpha-beta:depth=2,seed=1"];
        let specs = specs.map(|spec| spec.parse().unwrap());
        let [once, thrice] = [1, 3].map(|times| play(&specs, times, &Stop::default()).unwrap());
        assert_eq!((once.plays, thrice.plays), (1, 3));
        assert_eq!((once.result, &once.moves), (thrice.result, &thrice.moves));
        assert_eq!(once.moves.split(' ').count(), once.plies);
        assert_eq!(once.white.mean_nodes, thrice.white.mean_nodes);
        assert_eq!(once.white.moves + once.black.moves, once.plies);
    }

    #[test]
    fn long_searches_are_run_less_often() {
        let searches = |seconds| {
            let time = Duration::from_secs(seconds);
            [Search { nodes: 1, time }; 2]
        };
        let affordable = |seconds| affordable(3, searches(seconds).iter());
        assert_eq!([0, 1, 2, 3, 60].map(affordable), [3, 3, 2, 1, 1]);
    }

    #[test]
    fn efforts_are_means_and_maxima() {
        let search = |nodes, micros| Search {
            nodes,
            time: Duration::from_micros(micros),
        };
        let effort = effort(&[search(10, 500), search(30, 2500)]);
        assert_eq!((effort.mean_ms, effort.max_ms), (1.5, 2.5));
        assert_eq!((effort.mean_nodes, effort.max_nodes), (20.0, 30));
    }

    #[test]
    fn no_move_is_no_effort() {
        let effort = effort(&[]);
        assert_eq!(
            (effort.moves, effort.mean_ms, effort.mean_nodes),
            (0, 0.0, 0.0)
        );
    }
}
