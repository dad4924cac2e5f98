//! Iterative deepening, on one thread or several.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use checkers_lib::{Game, Move};

use super::contempt::Contempt;
use super::params::PARAMS;
use super::question::{Question, SearchAnswer, SearchReport, Variation};
use super::table::SharedTable;
use super::time::Pace;
use super::worker::{RootMoves, Window, Worker};
use crate::budget::{Budget, Stopped};
use crate::evaluation::Evaluation;
use crate::limits::MAX_DEPTH;
use crate::tablebase::endings::{EndingScope, Endings, Root};
use crate::tree::{Observer, VisitEnd};
use crate::{Limits, Options, Score, Stop};

/// How many nodes pass between two looks at the clock and the flag: a fifth of a millisecond.
const NODES_BETWEEN_LOOKS: u64 = 1024;

/// A search of any evaluation.
pub(super) trait Searcher: Send {
    /// Answers a question, and tells after each iteration what is known.
    fn search(
        &mut self,
        game: &Game,
        question: &Question,
        tell: &mut dyn FnMut(&SearchReport),
    ) -> SearchAnswer;

    /// Forgets the previous game, and gets ready so that the next search waits for nothing.
    fn forget(&mut self);
}

/// The table and the threads that search with it.
///
/// CITE: Lazy SMP, in which threads search the same root and share nothing but the table, after
/// D. Homan's ExChess and M. Sedlák's Cheng, 2013.
pub(super) struct ChampionEngine<O> {
    options: Options,
    evaluation: Evaluation,
    endings: Option<Endings>,
    /// One for each thread; none before the first game or search.
    workers: Vec<Worker<O>>,
    /// Whether the table is empty and all its memory there.
    is_ready: bool,
    /// Who observes the searches of all threads.
    observer: O,
}

impl<O: Observer> ChampionEngine<O> {
    /// Cheap: memory is taken at the first game or search.
    pub(super) fn new(
        options: &Options,
        evaluation: Evaluation,
        observer: &O,
    ) -> ChampionEngine<O> {
        ChampionEngine {
            options: *options,
            evaluation,
            endings: options.tablebase.then(Endings::shared),
            workers: Vec::new(),
            is_ready: false,
            observer: observer.clone(),
        }
    }

    /// Makes the workers with their table, if there are none.
    fn make_workers(&mut self) {
        if !self.workers.is_empty() {
            return;
        }
        let table = Arc::new(SharedTable::new(self.options.tt));
        let worker = || {
            let table = Arc::clone(&table);
            Worker::new(
                self.evaluation.clone(),
                table,
                &self.options,
                self.endings.clone(),
                self.observer.clone(),
            )
        };
        let threads = self.options.threads.max(1) as usize;
        self.workers = std::iter::repeat_with(worker).take(threads).collect();
    }

    /// Lets all threads search until the first of them is done.
    fn deepen(
        &mut self,
        game: &Game,
        question: &Question,
        root: RootMoves,
        tell: &mut dyn FnMut(&SearchReport),
    ) -> SearchAnswer {
        let threads = self.workers.len() as u64;
        let contempt = self.contempt(game, question);
        let limits = Limits {
            nodes: question.limits.nodes.map(|nodes| nodes.div_ceil(threads)),
            ..question.limits.clone()
        };
        let Some((first, helpers)) = self.workers.split_first_mut() else {
            return SearchAnswer::default();
        };
        let tallies: Vec<_> = helpers
            .iter()
            .map(|_| Arc::new(AtomicU64::new(0)))
            .collect();
        let done = Stop::default();
        thread::scope(|scope| {
            for (i, (helper, tally)) in helpers.iter_mut().zip(&tallies).enumerate() {
                let bounds = Limits {
                    stop: done.clone(),
                    ..Limits::default()
                };
                let budget = Budget::new(&bounds, None, NODES_BETWEEN_LOOKS);
                let budget = budget
                    .with_tally(Arc::clone(tally))
                    .with_caller(limits.stop.clone());
                helper.begin(game, root.clone(), contempt, budget);
                // Threads at different depths find more for each other.
                let first_depth = 1 + (i as u32 + 1) % 2;
                scope.spawn(move || helper.help(first_depth));
            }
            let budget = Budget::new(&limits, limits.most_time(), NODES_BETWEEN_LOOKS);
            first.begin(game, root, contempt, budget);
            let mut deepening = Deepening {
                worker: first,
                tallies: &tallies,
                pace: Pace::new(&limits, question.is_to_play),
                lines: question.lines.max(1),
            };
            let answer = deepening.run(limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH), tell);
            done.stop();
            answer
        })
    }

    /// What a draw is worth in the search for an answer.
    fn contempt(&self, game: &Game, question: &Question) -> Contempt {
        let centi_logits = if question.is_to_play {
            self.options.contempt
        } else {
            0
        };
        Contempt::new(centi_logits, game.position().turn())
    }

    /// The moves to search, or the answer that the endgame tables have.
    fn at_root(&self, game: &Game, question: &Question) -> Result<RootMoves, Variation> {
        let mut moves = game.legal_moves().to_vec();
        if !question.moves.is_empty() {
            moves.retain(|m| question.moves.contains(m));
        }
        let Some(endings) = &self.endings else {
            return Ok(RootMoves {
                moves,
                scope: EndingScope::default(),
            });
        };
        let is_free = question.moves.is_empty() && question.lines <= 1;
        match endings.at_root(game.position()) {
            Root::Known { score, line } if is_free => Err(Variation { score, pv: line }),
            // Several lines, or a choice of moves.
            Root::Known { .. } => Ok(RootMoves {
                moves,
                scope: endings.scope(game.position()),
            }),
            Root::Search { moves: best, scope } => {
                if is_free && !best.is_empty() {
                    moves.retain(|m| best.contains(m));
                }
                Ok(RootMoves { moves, scope })
            }
        }
    }
}

impl<O: Observer> Searcher for ChampionEngine<O> {
    fn search(
        &mut self,
        game: &Game,
        question: &Question,
        tell: &mut dyn FnMut(&SearchReport),
    ) -> SearchAnswer {
        if game.legal_moves().is_empty() {
            return SearchAnswer {
                complete: true,
                ..SearchAnswer::default()
            };
        }
        self.make_workers();
        if let Some(first) = self.workers.first() {
            first.table.next_generation();
        }
        self.is_ready = false;
        // Before the time begins: here or for the first search of the program, at the beginning of
        // a game.
        if let Some(endings) = &self.endings {
            endings.wait();
        }
        match self.at_root(game, question) {
            Ok(root) => self.deepen(game, question, root, tell),
            Err(variation) => {
                let Window { alpha, beta } = Window::FULL;
                self.observer.enter(alpha, beta, 0);
                self.observer.leave(variation.score, VisitEnd::Tablebase);
                let report = SearchReport {
                    depth: variation.score.plies_to_end().unwrap_or(0),
                    nodes: 1,
                    lines: vec![variation],
                    ..SearchReport::default()
                };
                tell(&report);
                SearchAnswer {
                    report,
                    complete: true,
                }
            }
        }
    }

    fn forget(&mut self) {
        if !std::mem::replace(&mut self.is_ready, true) {
            self.make_workers();
            for worker in &mut self.workers {
                worker.forget();
            }
            // The system hands memory out as it is touched, which takes time too.
            if let Some(worker) = self.workers.first() {
                worker.table.clear();
            }
        }
        if let Some(endings) = &self.endings {
            endings.wait();
        }
    }
}

/// One thread's iterations, and what is told of them.
struct Deepening<'a, O> {
    worker: &'a mut Worker<O>,
    tallies: &'a [Arc<AtomicU64>],
    pace: Pace,
    lines: usize,
}

impl<O: Observer> Deepening<'_, O> {
    fn run(&mut self, deepest: u32, tell: &mut dyn FnMut(&SearchReport)) -> SearchAnswer {
        let all = self.worker.root_moves.clone();
        let Some(&first) = all.first() else {
            return SearchAnswer::default();
        };
        let fallback = Variation {
            score: Score::ZERO,
            pv: vec![first],
        };
        let mut found = vec![fallback];
        let (mut finished, mut complete) = (0, true);
        for depth in 1..=deepest {
            complete = self.iteration(&all, &mut found, depth).is_ok();
            if !complete {
                break;
            }
            finished = depth;
            tell(&self.report(&found, depth));
            // A forced end this near is the nearest there is.
            let end = found[0].score.plies_to_end();
            let is_over = self.lines == 1 && end.is_some_and(|plies| plies <= depth);
            if is_over || !self.pace.goes_on(&found[0], all.len()) {
                break;
            }
        }
        SearchAnswer {
            report: self.report(&found, finished),
            complete,
        }
    }

    /// Searches for each line in turn the best move that no line has yet.
    ///
    /// # Errors
    /// When the search was stopped; `found` has what was found by then.
    fn iteration(
        &mut self,
        all: &[Move],
        found: &mut Vec<Variation>,
        depth: u32,
    ) -> Result<(), Stopped> {
        if self.lines == 1 {
            let guess = (depth > 1).then(|| found[0].score);
            let done = self.worker.iterate(depth, guess);
            if let Some(variation) = self.worker.variation() {
                found[0] = variation;
            }
            return done.map(|_| ());
        }
        let before = found.clone();
        let mut lines: Vec<Variation> = Vec::new();
        for i in 0..self.lines.min(all.len()) {
            let is_taken = |m: &Move| lines.iter().any(|line| line.pv.first() == Some(m));
            let mut moves: Vec<Move> = all.iter().copied().filter(|m| !is_taken(m)).collect();
            let best_before = before.get(i).and_then(|line| line.pv.first());
            if let Some(place) = moves.iter().position(|m| Some(m) == best_before) {
                moves[..=place].rotate_right(1);
            }
            self.worker.root_moves = moves;
            let guess = before.get(i).filter(|_| depth > 1).map(|line| line.score);
            self.worker.iterate(depth, guess)?;
            lines.extend(self.worker.variation());
        }
        lines.sort_by_key(|line| std::cmp::Reverse(line.score));
        *found = lines;
        Ok(())
    }

    fn report(&self, found: &[Variation], depth: u32) -> SearchReport {
        let helped = self
            .tallies
            .iter()
            .map(|tally| tally.load(Ordering::Relaxed));
        SearchReport {
            depth,
            nodes: self.worker.budget.nodes() + helped.sum::<u64>(),
            time: self.pace.elapsed(),
            full: self.worker.table.permille_full(),
            lines: found.iter().map(|line| self.as_known(line)).collect(),
        }
    }

    /// A line of what the endgame tables call a draw is one, however it looks to the evaluation.
    fn as_known(&self, line: &Variation) -> Variation {
        let is_draw = self.worker.scope.is_drawn() && line.score.plies_to_end().is_none();
        Variation {
            score: if is_draw { Score::ZERO } else { line.score },
            pv: line.pv.clone(),
        }
    }
}

impl<O: Observer> Worker<O> {
    /// Searches until it is stopped, for the sake of the table.
    fn help(&mut self, first_depth: u32) {
        let mut guess = None;
        for depth in first_depth..=MAX_DEPTH {
            match self.iterate(depth, guess) {
                Ok(score) => guess = Some(score),
                Err(Stopped) => break,
            }
        }
    }

    /// Searches the root `depth` plies deep, at first in a small window about the score that is
    /// expected, which is widened as long as the score is outside.
    ///
    /// CITE: D. J. Slate, L. R. Atkin, "Chess 4.5", 1977, for deepening; aspiration after G. M.
    /// Baudet, "The Design and Analysis of Algorithms for Asynchronous Multiprocessors", 1978.
    fn iterate(&mut self, depth: u32, guess: Option<Score>) -> Result<Score, Stopped> {
        self.lines[0].clear();
        let mut margin = self.tuning.aspiration_window;
        let expected = guess.filter(|guess| {
            let is_open = guess.plies_to_end().is_none();
            self.on.aspiration && depth >= PARAMS.aspiration_depth && is_open
        });
        let mut window = expected.map_or(Window::FULL, |guess| Window {
            alpha: Score::new(guess.value() - margin),
            beta: Score::new(guess.value() + margin),
        });
        loop {
            let score = self.search_root(window, depth)?;
            margin *= 2;
            if margin > PARAMS.aspiration_most {
                margin = 2 * Score::WIN.value();
            }
            if score <= window.alpha && window.alpha > Window::FULL.alpha {
                let alpha = Score::new(score.value().saturating_sub(margin));
                window.alpha = alpha.max(Window::FULL.alpha);
            } else if score >= window.beta && window.beta < Window::FULL.beta {
                let beta = Score::new(score.value().saturating_add(margin));
                window.beta = beta.min(Window::FULL.beta);
            } else {
                return Ok(score);
            }
        }
    }

    /// The best line of the last iteration, if it found one.
    fn variation(&self) -> Option<Variation> {
        let pv = self.lines[0].to_vec();
        (!pv.is_empty()).then_some(Variation {
            score: self.root_score,
            pv,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BotSpec;
    use crate::evaluation::Evaluation;

    #[test]
    fn a_new_game_leaves_nothing_for_the_first_search_to_wait_for() {
        let options = Options {
            tt: 1,
            ..*BotSpec::strongest().options()
        };
        let mut engine = ChampionEngine::new(&options, Evaluation::Material, &());
        assert!(engine.workers.is_empty());
        engine.forget();
        assert!(engine.endings.as_ref().is_some_and(Endings::is_ready));
        assert!(engine.is_ready && !engine.workers.is_empty());
        let table = Arc::clone(&engine.workers[0].table);
        let question = Question {
            limits: Limits {
                depth: Some(3),
                ..Limits::default()
            },
            ..Question::default()
        };
        let game = Game::new(checkers_lib::DrawRules::Fmjd64);
        engine.search(&game, &question, &mut |_| ());
        // What was made ready is what is used.
        assert!(Arc::ptr_eq(&table, &engine.workers[0].table) && !engine.is_ready);
    }
}
