//! The game from the start, as the study played it, alone on the machine.

use std::time::Duration;

use checkers_engine::{BotSpec, Stop};
use checkers_lib::{Color, DrawRules, Game};

use super::duel::{self, Duel, Search, Stopped};
use super::{Effort, SingleGame};

/// Plays the game `timings` times. Its bots are deterministic, so it is the same game each time
/// and only the times differ: the fastest of each move is the one least disturbed by others.
pub(super) fn play(specs: &[BotSpec; 2], timings: u32, stop: &Stop) -> Result<SingleGame, Stopped> {
    let mut bots = duel::build(specs);
    let mut play = || duel::play(Game::new(DrawRules::Study), &mut bots, Color::White, stop);
    let mut fastest = play()?;
    for _ in 1..timings {
        keep_fastest(&mut fastest, &play()?);
    }
    let [white, black] = fastest.searches.each_ref().map(|searches| effort(searches));
    Ok(SingleGame {
        result: fastest.score,
        plies: fastest.game.ply(),
        white,
        black,
    })
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
        assert_eq!((once.result, once.plies), (thrice.result, thrice.plies));
        assert_eq!(once.white.mean_nodes, thrice.white.mean_nodes);
        assert_eq!(once.white.moves + once.black.moves, once.plies);
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
