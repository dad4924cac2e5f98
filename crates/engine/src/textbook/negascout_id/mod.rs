//! NegaScout as game programs use it: deeper and deeper within the limits, the moves ordered by
//! what was learnt before, captures searched to their end.

mod search;

use checkers_lib::{Game, Position};

use self::search::OrderedNegaScout;
use crate::clock::Instant;
use crate::tablebase::endings::Root;
use crate::textbook::search_state::PrincipalVariation;
use crate::tree::Observer;
use crate::{Bot, BotSpec, Choice, Limits};

/// Iterative deepening around [`OrderedNegaScout`].
///
/// On a clock it begins no iteration once half of the time it aims at is over, for an iteration
/// takes longer than all before it, and none after the first where there is no choice. A movetime
/// is used up.
///
/// Where the endgame tables know how far the end is, their move is played without a search; where
/// they know only what moves are worth, the best ones are searched.
///
/// CITE: D. J. Slate, L. R. Atkin, "Chess 4.5: The Northwestern University Chess Program", 1977.
pub(crate) struct NegaScoutId<O> {
    spec: BotSpec,
    search: OrderedNegaScout<O>,
}

/// How an iterative search ended.
struct Deepened {
    line: PrincipalVariation,
    /// The deepest iteration that was finished.
    depth: u32,
    complete: bool,
}

impl<O: Observer> NegaScoutId<O> {
    /// Cheap: the table takes its memory at the first search.
    pub(crate) fn new(spec: &BotSpec, observer: &O) -> NegaScoutId<O> {
        NegaScoutId {
            spec: spec.clone(),
            search: OrderedNegaScout::new(spec.options(), observer),
        }
    }

    /// Searches deeper and deeper, to `deepest` plies at most and while `goes_on` after an
    /// iteration.
    fn deepen(&mut self, root: &Position, deepest: u32, goes_on: impl Fn() -> bool) -> Deepened {
        let mut found = Deepened {
            line: PrincipalVariation::default(),
            depth: 0,
            complete: true,
        };
        for depth in 1..=deepest {
            found.complete = self.search.iterate(root, depth).is_ok();
            let line = self.search.state().line();
            if !line.moves.is_empty() {
                found.line = line.clone();
            }
            if !found.complete {
                break;
            }
            found.depth = depth;
            // A forced end this near is the nearest there is.
            let end = found.line.score.plies_to_end();
            if end.is_some_and(|plies| plies <= depth) || !goes_on() {
                break;
            }
        }
        found
    }
}

impl<O: Observer> Bot for NegaScoutId<O> {
    fn spec(&self) -> &BotSpec {
        &self.spec
    }

    fn new_game(&mut self, _number: u64) {
        self.search.forget();
    }

    fn choose(&mut self, game: &Game, limits: &Limits) -> Choice {
        let start = Instant::now();
        let moves = game.legal_moves();
        let Some(&first) = moves.first() else {
            return Choice::none(game);
        };
        let root = self.search.look_up_root(game.position());
        if let Some(Root::Known { score, line }) = root {
            self.search.report_known(score);
            return Choice {
                best: line.first().copied(),
                score,
                depth: score.plies_to_end().unwrap_or(0),
                nodes: 1,
                time: start.elapsed(),
                pv: line,
                complete: true,
                from_book: false,
            };
        }
        self.search.begin(limits, root);
        let goes_on = || limits.allow_another_iteration(start, moves.len());
        let deepest = limits.deepest(self.spec.options().depth);
        let found = self.deepen(game.position(), deepest, goes_on);
        let PrincipalVariation { score, mut moves } = found.line;
        if moves.is_empty() {
            moves.push(self.search.first_of(first));
        }
        Choice {
            best: moves.first().copied(),
            score,
            pv: moves.to_vec(),
            depth: found.depth,
            nodes: self.search.state().nodes(),
            time: start.elapsed(),
            complete: found.complete,
            from_book: false,
        }
    }
}
