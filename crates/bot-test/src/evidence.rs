//! What the games of a match are evidence of: repeats say nothing new and are left out.

use std::collections::HashSet;

use crate::GameRecord;
use crate::statistics::{Pentanomial, Sample, Wdl};

/// The distinct results of a match: pairs of games if the bots swapped sides from game to game,
/// single games otherwise. A pair counts when both of its games were played to the end.
pub(crate) fn sample(games: &[GameRecord], swap: bool) -> Sample {
    let mut known = HashSet::new();
    if !swap {
        let mut sample = Wdl::default();
        for game in games {
            if let Some(score) = game.score()
                && known.insert(vec![game.evidence()])
            {
                sample.count(score);
            }
        }
        return Sample::Games(sample);
    }
    let mut sample = Pentanomial::default();
    for pair in games.chunks_exact(2) {
        if let (Some(first), Some(second)) = (pair[0].score(), pair[1].score())
            && known.insert(pair.iter().map(GameRecord::evidence).collect())
        {
            sample.count([first, second]);
        }
    }
    Sample::Pairs(sample)
}

#[cfg(test)]
mod tests {
    use checkers_lib::protocol::{EndReason, GameResult};

    use super::*;
    use crate::fixtures::game;

    #[test]
    fn pairs_count_once_and_only_when_they_are_whole() {
        let won = |number| game(number, true, GameResult::WhiteWon, EndReason::NoMoves);
        let broken = |number| game(number, true, GameResult::Interrupted, EndReason::PlayerLeft);
        // White won both games of the first pair, so each bot won one; the second repeats it.
        let games = [won(1), won(2), won(3), won(4), won(5), broken(6)];
        let sample = sample(&games, true);
        assert_eq!(sample, Sample::Pairs(Pentanomial([0, 0, 1, 0, 0])));
    }

    #[test]
    fn without_swapped_sides_games_count_one_by_one() {
        let game = |number, result| game(number, false, result, EndReason::NoMoves);
        let games = [game(1, GameResult::WhiteWon), game(2, GameResult::WhiteWon)];
        let expected = Wdl {
            wins: 1,
            draws: 0,
            losses: 0,
        };
        assert_eq!(sample(&games, false), Sample::Games(expected));
    }
}
