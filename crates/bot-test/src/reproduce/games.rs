//! The study's games, as tournaments of the same harness that plays all others.

use std::collections::HashSet;
use std::sync::Arc;

use checkers_engine::{Algorithm, BotSpec};
use checkers_lib::DrawRules;
use checkers_lib::openings::Opening;
use futures::stream::{self, StreamExt, TryStreamExt};

use super::published::bot;
use super::{PublishedRow, TableRecord};
use crate::statistics::{GameScore, Pentanomial, Wdl};
use crate::{
    Adjudication, BotId, BotLimits, Evidence, Failure, Forfeits, Format, GameRecord, MatchPlayer,
    Openings, PairRecord, Participant, RunConfig, Tournament, TournamentError, TournamentPlan,
};

/// NegaScout with a table that is small enough to be emptied fast.
const EXACT: &str = "negascout-tt:tt=16,tt-accept=exact";

/// Why games were not played.
#[derive(Debug, thiserror::Error)]
pub(super) enum GamesError {
    #[error(transparent)]
    Tournament(#[from] TournamentError),
    #[error("{0}")]
    Failed(Failure),
}

/// The bots of a row, the table's White first. Two programs have two sources of noise.
pub(super) fn bots(table: &TableRecord, row: &PublishedRow, seed: u64) -> [BotSpec; 2] {
    let white = bot(&table.white, Some(row.depth), seed);
    [white, bot(&table.black, None, seed.wrapping_add(1))]
}

/// The fastest bots that play the moves of these: all exact searches find the same move. With
/// kings on the board, minimax would need hours for moves that NegaScout finds in minutes.
pub(super) fn stand_ins(bots: &[BotSpec; 2]) -> [BotSpec; 2] {
    bots.each_ref().map(|spec| {
        let options = spec.options();
        match spec.algorithm() {
            Algorithm::Minimax | Algorithm::AlphaBeta | Algorithm::NegaScout => {
                bot(EXACT, Some(options.depth), options.seed)
            }
            Algorithm::Random
            | Algorithm::MinimaxWeak
            | Algorithm::NegaScoutTt
            | Algorithm::SssStar
            | Algorithm::Mtdf
            | Algorithm::NegaScoutId
            | Algorithm::Mcts
            | Algorithm::Champion
            | Algorithm::Level => spec.clone(),
        }
    })
}

/// The game from the start, as the study played it.
pub(super) async fn single(bots: &[BotSpec; 2]) -> Result<GameRecord, GamesError> {
    let mut pairs = play(bots, &[], 1).await?;
    let game = pairs.pop().and_then(|mut pair| pair.games.pop());
    Ok(game.expect("a match of one game has one game"))
}

/// The game from the start with the bots of each seed, for the first bot, and how many of these
/// games differ.
pub(super) async fn by_seed(
    seeds: Vec<[BotSpec; 2]>,
    threads: usize,
) -> Result<(Wdl, usize), GamesError> {
    let games: Vec<GameRecord> = stream::iter(seeds)
        .map(|bots| async move { single(&bots).await })
        .buffer_unordered(threads)
        .try_collect()
        .await?;
    let different: HashSet<Evidence> = games.iter().map(GameRecord::evidence).collect();
    Ok((score(games.iter()), different.len()))
}

/// A pair of games from each opening, for the first bot.
pub(super) async fn pairs(
    bots: &[BotSpec; 2],
    openings: &[Opening],
    threads: usize,
) -> Result<(Wdl, Pentanomial), GamesError> {
    if openings.is_empty() {
        return Ok(Default::default());
    }
    let played = play(bots, openings, threads).await?;
    let mut pairs = Pentanomial::default();
    for pair in &played {
        let scores = pair
            .games
            .iter()
            .filter_map(|game| game.score_of(BotId::FIRST));
        if let &[first, second] = &scores.collect::<Vec<GameScore>>()[..] {
            pairs.count([first, second]);
        }
    }
    Ok((score(played.iter().flat_map(|pair| &pair.games)), pairs))
}

fn score<'a>(games: impl Iterator<Item = &'a GameRecord>) -> Wdl {
    let mut score = Wdl::default();
    games
        .filter_map(|game| game.score_of(BotId::FIRST))
        .for_each(|result| score.count(result));
    score
}

/// Plays a match: a pair from each opening, or a single game from the start.
async fn play(
    bots: &[BotSpec; 2],
    openings: &[Opening],
    concurrency: usize,
) -> Result<Vec<PairRecord>, GamesError> {
    let participant = |spec: &BotSpec| Participant {
        player: MatchPlayer::Engine(spec.clone()),
        limits: BotLimits::default(),
    };
    let plan = TournamentPlan {
        format: Format::Match {
            games: (2 * openings.len() as u64).max(1),
        },
        participants: bots.iter().map(participant).collect(),
        swap: !openings.is_empty(),
        openings: Openings {
            source: "the built-in suite".to_owned(),
            seed: None,
            list: openings.to_vec(),
        },
        draw_rules: DrawRules::Study,
        adjudication: Adjudication::default(),
        forfeits: Forfeits::Loss,
        in_process: true,
        keep_lines: false,
    };
    let tournament = Tournament {
        plan: Arc::new(plan),
        config: Arc::new(RunConfig::in_process(concurrency)),
        journal: None,
        played: Vec::new(),
    };
    let played = tournament.play(&mut ()).await?;
    match played.failure {
        None => Ok(played.pairs),
        Some(failure) => Err(GamesError::Failed(failure)),
    }
}

#[cfg(test)]
mod tests {
    use checkers_lib::openings;

    use super::*;

    fn specs(texts: [&str; 2]) -> [BotSpec; 2] {
        texts.map(|text| text.parse().unwrap())
    }

    #[tokio::test]
    async fn stand_ins_play_the_same_moves() {
        let moves = |pairs: Vec<PairRecord>| -> Vec<Vec<_>> {
            let games = pairs.into_iter().flat_map(|pair| pair.games);
            games
                .map(|game| game.moves.iter().map(|played| played.m).collect())
                .collect()
        };
        let openings = &openings::suite()[..3];
        for bots in [
            ["minimax:depth=4,seed=1", "alpha-beta:depth=5,seed=2"],
            ["negascout:depth=6,seed=3", "alpha-beta:depth=3,seed=4"],
        ] {
            let bots = specs(bots);
            assert_ne!(bots, stand_ins(&bots));
            let played = play(&bots, openings, 1).await.unwrap();
            let stood_in = play(&stand_ins(&bots), openings, 1).await.unwrap();
            assert_eq!(moves(played), moves(stood_in));
        }
        for others in [
            ["minimax-weak:depth=4", "negascout-tt:depth=4"],
            ["random"; 2],
        ] {
            assert_eq!(stand_ins(&specs(others)), specs(others));
        }
    }

    #[tokio::test]
    async fn threads_change_nothing() {
        let openings = &openings::suite()[..5];
        let bots = |seed: u64| {
            [
                bot("minimax", Some(3), seed),
                bot("minimax-weak:depth=1", None, seed + 1),
            ]
        };
        let mut results = Vec::new();
        for threads in [1, 3] {
            let (games, pairs) = pairs(&bots(1), openings, threads).await.unwrap();
            assert_eq!((games.games(), pairs.pairs()), (10, 5));
            let seeds = [3, 5, 7].map(bots).to_vec();
            let (by_seed, distinct) = by_seed(seeds, threads).await.unwrap();
            assert_eq!((by_seed.games(), distinct), (3, 3));
            results.push((games, pairs, by_seed));
        }
        assert_eq!(results[0], results[1]);
        assert!(results[0].0.points() > 5.0, "{results:?}");
    }
}
