//! Asks the analyst, or the cache.

use std::io;

use checkers_engine::tablebase::Tablebases;
use checkers_engine::{Analyst, BotSpec, Limits, Question, SearchReport, fingerprint};
use checkers_lib::{Game, Move};

use super::cache::Cache;
use super::verdict::MoveVerdict;
use crate::failure::LabFailure;

/// An analyst with its limits and what it has found before.
pub(super) struct Judge {
    analyst: Analyst,
    /// Whether the analyst has been made ready.
    is_ready: bool,
    question: Question,
    /// What an answer depends on besides the position.
    terms: String,
    cache: Option<Cache>,
}

/// Receives the report of each iteration.
pub(super) type OnIteration<'a> = &'a mut dyn FnMut(&Game, &SearchReport) -> io::Result<()>;

impl Judge {
    pub(super) fn new(bot: &BotSpec, limits: Limits, lines: usize, cache: Option<Cache>) -> Judge {
        let terms = format!(
            "{bot} depth={:?} nodes={:?} movetime={:?} lines={lines} program={:08x} tables={:?}",
            limits.depth,
            limits.nodes,
            limits.movetime,
            fingerprint(),
            Tablebases::directory(),
        );
        Judge {
            analyst: Analyst::new(bot).expect("arguments are checked"),
            is_ready: false,
            question: Question {
                limits,
                lines,
                ..Question::default()
            },
            terms,
            cache,
        }
    }

    /// Bounds the choice to some moves of the only position it is going to be asked about; none are all.
    pub(super) fn choose_among(&mut self, moves: Vec<Move>) {
        if !moves.is_empty() {
            self.terms.push_str(&format!(" among={moves:?}"));
        }
        self.question.moves = moves;
    }

    /// The value of the present position of a game. Calls `on_iteration` with each report,
    /// unless the cache has the answer.
    ///
    /// # Errors
    /// When the cache cannot be written, or `on_iteration` fails.
    pub(super) fn verdict(
        &mut self,
        game: &Game,
        on_iteration: OnIteration<'_>,
    ) -> Result<MoveVerdict, LabFailure> {
        let key = self.key(game);
        if let Some(known) = self.cache.as_ref().and_then(|cache| cache.get(&key)) {
            return Ok(known.clone());
        }
        // So that no position pays for the memory of the table out of its own time.
        if !std::mem::replace(&mut self.is_ready, true) {
            self.analyst.new_game();
        }
        let mut reported = Ok(());
        let answer = self.analyst.ask(game, &self.question, &mut |report| {
            if reported.is_ok() {
                reported = on_iteration(game, report);
            }
        });
        reported.map_err(LabFailure::Write)?;
        let is_interrupted = self.question.limits.stop.is_set();
        let verdict = MoveVerdict::new(game, &answer, is_interrupted);
        if let Some(cache) = self.cache.as_mut().filter(|_| !is_interrupted) {
            cache.add(key, &verdict)?;
        }
        Ok(verdict)
    }

    /// The position, what of the game before it matters to the draw articles, and the terms.
    fn key(&self, game: &Game) -> String {
        let back = game.draw_clock().reversible_plies().min(game.ply());
        let before = &game.positions()[game.ply() - back..game.ply()];
        let mut before_key = crc32fast::Hasher::new();
        for position in before {
            before_key.update(&position.key().to_le_bytes());
        }
        let clock = game.draw_clock();
        let history = before_key.finalize();
        format!("{} {clock:?} {history:08x} {}", game.position(), self.terms)
    }
}
