//! Levels of play: opponents for people, from one who sees next to nothing to the best there is.
//!
//! A level is weak because it sees less and because moves that look nearly as good as the best are
//! all the same to it; it never plays a move that looks bad to it. What it plays with stands in
//! one table, in `spec/levels.rs`.

use std::time::Duration;

use checkers_lib::{Game, Move};

use crate::clock::Instant;
use crate::random::{Rng, mix};
use crate::{Bot, BotSpec, Choice, Limits};

/// The longest a level thinks about a move, whatever its clock leaves.
const LONGEST: Duration = Duration::from_millis(900);

/// A bot that plays on a level.
pub(crate) struct Leveled {
    spec: BotSpec,
    bot: Box<dyn Bot>,
    margin: i32,
    /// The number of the game.
    game: u64,
}

impl Leveled {
    /// Cheap: tables take their memory at the first search.
    pub(crate) fn new(spec: &BotSpec) -> Leveled {
        Leveled {
            spec: spec.clone(),
            bot: spec.scorer().build(),
            margin: spec.margin(),
            game: 0,
        }
    }

    /// What bounds the choice: the level's own depth and time beside the caller's `limits`.
    fn bounded(&self, limits: &Limits) -> Limits {
        let depth = self.bot.spec().options().depth;
        Limits {
            depth: Some(limits.depth.map_or(depth, |asked| asked.min(depth))),
            movetime: Some(limits.movetime.map_or(LONGEST, |time| time.min(LONGEST))),
            ..limits.clone()
        }
    }

    /// The moves that look as good as the best, which is not among them, to within the margin.
    /// Where time or nodes run out the rest is left out.
    fn rivals(&mut self, game: &Game, best: &Choice, budget: &mut Remaining) -> Vec<Choice> {
        let floor = best.score.value() - self.margin;
        let mut rivals = Vec::new();
        for &m in &game.legal_moves() {
            if best.best == Some(m) {
                continue;
            }
            let Some(rival) = self.after(game, m, budget) else {
                break;
            };
            if rival.score.value() >= floor {
                rivals.push(rival);
            }
        }
        rivals
    }

    /// What `m` is worth, searched as deep as the best move was; `None` if that was cut short.
    fn after(&mut self, game: &Game, m: Move, budget: &mut Remaining) -> Option<Choice> {
        let mut after = game.clone();
        after.play(m).ok()?;
        let reply = self.bot.choose(&after, &budget.limits()?);
        budget.nodes += reply.nodes;
        let pv = [m].into_iter().chain(reply.pv).collect();
        reply.complete.then_some(Choice {
            best: Some(m),
            score: reply.score.before_the_move(),
            depth: reply.depth + 1,
            nodes: reply.nodes,
            time: reply.time,
            pv,
            complete: true,
            from_book: false,
        })
    }

    /// The place of one of `count` moves, the same whenever this position is met in this game.
    fn draw_lots(&self, game: &Game, count: usize) -> usize {
        let seed = mix(mix(self.spec.options().seed) ^ self.game);
        Rng::new(seed ^ game.position().key()).below(count)
    }
}

impl Bot for Leveled {
    fn spec(&self) -> &BotSpec {
        &self.spec
    }

    fn new_game(&mut self, number: u64) {
        self.game = number;
        self.bot.new_game(number);
    }

    fn choose(&mut self, game: &Game, limits: &Limits) -> Choice {
        let start = Instant::now();
        let limits = self.bounded(limits);
        let best = self.bot.choose(game, &limits);
        let is_decided = best.score.plies_to_end().is_some();
        if self.margin == 0 || best.best.is_none() || is_decided || !best.complete {
            return best;
        }
        let mut budget = Remaining {
            nodes: best.nodes,
            limits,
            start,
        };
        let mut choices = self.rivals(game, &best, &mut budget);
        choices.push(best);
        let drawn = self.draw_lots(game, choices.len());
        Choice {
            nodes: budget.nodes,
            time: start.elapsed(),
            ..choices.swap_remove(drawn)
        }
    }
}

/// What is left of the limits of one choice that is made of several searches.
struct Remaining {
    limits: Limits,
    start: Instant,
    /// The nodes that were spent.
    nodes: u64,
}

impl Remaining {
    /// What bounds the next search, one ply below the root; `None` if nothing is left.
    fn limits(&self) -> Option<Limits> {
        let left = |most: Duration| most.checked_sub(self.start.elapsed());
        let movetime = match self.limits.most_time() {
            Some(most) => Some(left(most).filter(|left| !left.is_zero())?),
            None => None,
        };
        let nodes = match self.limits.nodes {
            Some(most) => Some(most.checked_sub(self.nodes).filter(|&left| left > 0)?),
            None => None,
        };
        Some(Limits {
            depth: self.limits.depth.map(|depth| depth.saturating_sub(1)),
            nodes,
            movetime,
            clock: None,
            stop: self.limits.stop.clone(),
            ponder: self.limits.ponder.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HIGHEST_LEVEL;

    #[test]
    fn every_level_can_be_built() {
        for number in 1..=HIGHEST_LEVEL {
            let spec = BotSpec::of_level(number).unwrap();
            assert_eq!(spec.build().spec(), &spec);
        }
        assert_eq!(BotSpec::of_level(0), None);
        assert_eq!(BotSpec::of_level(HIGHEST_LEVEL + 1), None);
    }
}
