//! The champion as a bot.

use checkers_lib::Game;

use super::engine::{ChampionEngine, Searcher};
use super::opening::Opening;
use super::question::{Question, SearchAnswer};
use crate::clock::Instant;
use crate::evaluation::{Evaluation, Network, Patterns, WeightsError, WeightsFile, WeightsKind};
use crate::spec::Algorithm;
use crate::tree::Observer;
use crate::{Bot, BotSpec, Choice, Limits};

/// The champion as a bot.
struct Champion {
    spec: BotSpec,
    /// Where the first moves come from, if not from the search.
    opening: Option<Opening>,
    searcher: Box<dyn Searcher>,
}

/// Makes the bot of a spec of `champion`, whose searches are observed.
pub(crate) fn build<O: Observer>(spec: &BotSpec, observer: &O) -> Box<dyn Bot> {
    Box::new(Champion {
        spec: spec.clone(),
        opening: Opening::of(spec.options()),
        searcher: with_evaluator(spec, observer),
    })
}

/// The champion with the options of a spec, but with the weights of a file, and so without the
/// book.
///
/// # Errors
/// The spec is of another bot, or the weights do not fit an evaluation.
pub fn champion_with(spec: &BotSpec, file: &WeightsFile) -> Result<Box<dyn Bot>, WeightsError> {
    if spec.algorithm() != Algorithm::Champion {
        return Err(WeightsError::OtherEvaluation);
    }
    let evaluation = match file.kind {
        WeightsKind::Network => Evaluation::Network(Network::new(file)?),
        WeightsKind::Patterns => Evaluation::Patterns(Patterns::new(file)?),
    };
    Ok(Box::new(Champion {
        spec: spec.clone(),
        opening: None,
        searcher: Box::new(ChampionEngine::new(spec.options(), evaluation, &())),
    }))
}

/// The search of a spec, if it is the champion's.
pub(super) fn searcher(spec: &BotSpec) -> Option<Box<dyn Searcher>> {
    (spec.algorithm() == Algorithm::Champion).then(|| with_evaluator(spec, &()))
}

fn with_evaluator<O: Observer>(spec: &BotSpec, observer: &O) -> Box<dyn Searcher> {
    let options = spec.options();
    let evaluation = Evaluation::embedded(options.evaluator);
    Box::new(ChampionEngine::new(options, evaluation, observer))
}

impl Bot for Champion {
    fn spec(&self) -> &BotSpec {
        &self.spec
    }

    fn new_game(&mut self, _number: u64) {
        self.searcher.forget();
    }

    fn choose(&mut self, game: &Game, limits: &Limits) -> Choice {
        // A pondering search runs until the opponent has moved.
        let opening = self.opening.as_ref().filter(|_| limits.ponder.is_none());
        if let Some(choice) = opening.and_then(|opening| opening.choose(game)) {
            return choice;
        }
        let start = Instant::now();
        let question = Question {
            limits: Limits {
                depth: Some(limits.deepest(self.spec.options().depth)),
                ..limits.clone()
            },
            is_to_play: true,
            ..Question::default()
        };
        let SearchAnswer { report, complete } = self.searcher.search(game, &question, &mut |_| ());
        let Some(line) = report.lines.into_iter().next() else {
            return Choice::none(game);
        };
        Choice {
            best: line.pv.first().copied(),
            score: line.score,
            depth: report.depth,
            nodes: report.nodes,
            time: start.elapsed(),
            pv: line.pv,
            complete,
            from_book: false,
        }
    }
}
