//! A game between two bots on one thread. Times are the searches' own, to the nanosecond: the
//! shallow ones are over within one microsecond.

use std::time::Duration;

use checkers_engine::{Bot, BotSpec, Limits, Stop};
use checkers_lib::{Color, Game};

use crate::statistics::GameScore;

/// The bots of a game, the one in question first.
pub(super) type Bots = [Box<dyn Bot>; 2];

/// A game that was played to its end.
pub(super) struct Duel {
    /// The game.
    pub(super) game: Game,
    /// How it ended for the first bot.
    pub(super) score: GameScore,
    /// What each bot's moves cost.
    pub(super) searches: [Vec<Search>; 2],
}

/// What one move cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Search {
    /// The positions visited.
    pub(super) nodes: u64,
    /// How long it took.
    pub(super) time: Duration,
}

/// Somebody wants the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stopped;

/// Both bots of a game, built from their specs.
pub(super) fn build(specs: &[BotSpec; 2]) -> Bots {
    specs.each_ref().map(BotSpec::build)
}

/// Plays `game` to its end; the first bot has the side `first`. The bots forget what they knew.
pub(super) fn play(
    mut game: Game,
    bots: &mut Bots,
    first: Color,
    stop: &Stop,
) -> Result<Duel, Stopped> {
    for bot in bots.iter_mut() {
        bot.new_game(0);
    }
    let mut searches = [Vec::new(), Vec::new()];
    while game.outcome().is_none() {
        let mover = usize::from(game.turn() != first);
        let search = play_move(&mut game, &mut bots[mover], stop)?;
        searches[mover].push(search);
    }
    Ok(Duel {
        score: score(&game, first),
        game,
        searches,
    })
}

/// Lets `bot` play one move.
pub(super) fn play_move(
    game: &mut Game,
    bot: &mut Box<dyn Bot>,
    stop: &Stop,
) -> Result<Search, Stopped> {
    let limits = Limits {
        stop: stop.clone(),
        ..Limits::default()
    };
    let choice = bot.choose(game, &limits);
    if stop.is_set() {
        return Err(Stopped);
    }
    let best = choice.best.expect("a game that is not over has a move");
    game.play(best).expect("our bots play legal moves");
    Ok(Search {
        nodes: choice.nodes,
        time: choice.time,
    })
}

fn score(game: &Game, first: Color) -> GameScore {
    match game.outcome().and_then(|outcome| outcome.winner()) {
        None => GameScore::Draw,
        Some(winner) if winner == first => GameScore::Win,
        Some(_) => GameScore::Loss,
    }
}

#[cfg(test)]
mod tests {
    use checkers_lib::DrawRules;

    use super::*;

    fn bots() -> Bots {
        build(&["minimax:depth=2", "random"].map(|spec| spec.parse().unwrap()))
    }

    #[test]
    fn a_game_counts_for_the_first_bot_on_either_side() {
        for first in Color::ALL {
            let game = Game::new(DrawRules::Study);
            let duel = play(game, &mut bots(), first, &Stop::default()).unwrap();
            let winner = duel.game.outcome().unwrap().winner();
            assert_eq!(duel.score == GameScore::Win, winner == Some(first));
            let [ours, theirs] = &duel.searches;
            assert_eq!(ours.len() + theirs.len(), duel.game.ply());
            assert!(ours.iter().all(|search| search.nodes > 1));
        }
    }

    #[test]
    fn whoever_wants_the_end_gets_it() {
        let stop = Stop::default();
        stop.stop();
        let game = Game::new(DrawRules::Study);
        assert!(play(game, &mut bots(), Color::White, &stop).is_err());
    }
}
