//! The line that a search looks at, ply by ply.

use checkers_lib::{Color, DrawClock, DrawRules, Game, Move, Position};

use super::evaluation::Evaluate;

/// The longest line in plies. Searches end there, whatever is still to be searched.
pub(super) const MAX_PLY: usize = 128;

/// A position on the line.
struct Frame<S> {
    position: Position,
    clock: DrawClock,
    /// Whether a capture led here.
    was_capture: bool,
    state: S,
    /// Whether `state` is that of the position.
    is_evaluated: bool,
}

/// The positions from the root to the node that is searched, with what came before the root.
pub(super) struct Path<E: Evaluate> {
    evaluation: E,
    frames: Vec<Frame<E::State>>,
    /// The keys of the positions of the game before the root.
    past: Vec<u64>,
    /// How long the game may still last under the study's rules.
    plies_left: usize,
    rules: DrawRules,
}

impl<E: Evaluate> Path<E> {
    pub(super) fn new(evaluation: E) -> Path<E> {
        let frame = || Frame {
            position: Position::start(),
            clock: DrawClock::default(),
            was_capture: false,
            state: E::State::default(),
            is_evaluated: false,
        };
        Path {
            evaluation,
            frames: std::iter::repeat_with(frame).take(MAX_PLY + 1).collect(),
            past: Vec::new(),
            plies_left: usize::MAX,
            rules: DrawRules::Fmjd64,
        }
    }

    /// Begins at the present position of a game.
    pub(super) fn begin(&mut self, game: &Game) {
        let root = &mut self.frames[0];
        root.position.clone_from(game.position());
        root.clock = game.draw_clock();
        root.was_capture = game.moves().last().is_some_and(|m| m.is_capture());
        self.evaluation.refresh(game.position(), &mut root.state);
        root.is_evaluated = true;
        let before = &game.positions()[..game.ply()];
        let reversible = root.clock.reversible_plies().min(before.len());
        let keys = before[before.len() - reversible..].iter();
        self.past.clear();
        self.past.extend(keys.map(Position::key));
        self.rules = game.rules();
        self.plies_left = match game.rules() {
            DrawRules::Fmjd64 => usize::MAX,
            DrawRules::Study => DrawRules::STUDY_PLIES.saturating_sub(game.ply()),
        };
    }

    #[inline]
    pub(super) fn position(&self, ply: usize) -> &Position {
        &self.frames[ply].position
    }

    /// Whether a capture led to the position at `ply`.
    #[inline]
    pub(super) fn was_capture(&self, ply: usize) -> bool {
        self.frames[ply].was_capture
    }

    /// Goes on by `m` from `ply` to the next, which has to be at most [`MAX_PLY`]; returns the
    /// key there.
    #[inline]
    pub(super) fn play(&mut self, ply: usize, m: Move) -> u64 {
        if let [before, after, ..] = &mut self.frames[ply..] {
            after.position.clone_from(&before.position);
            after.position.play_unchecked(m);
            after.clock = before.clock;
            after.clock.advance(&before.position, m, &after.position);
            after.was_capture = m.is_capture();
            after.is_evaluated = false;
        }
        self.frames[ply + 1].position.key()
    }

    /// What the evaluation says of the position at `ply`, brought up to date from the last ply
    /// that has been evaluated.
    #[inline]
    pub(super) fn evaluate(&mut self, ply: usize) -> i32 {
        if !self.frames[ply].is_evaluated {
            self.catch_up(ply);
        }
        let frame = &self.frames[ply];
        self.evaluation.value(&frame.state, &frame.position)
    }

    #[inline]
    fn catch_up(&mut self, ply: usize) {
        // The root always is.
        let evaluated = self.frames[..ply]
            .iter()
            .rposition(|frame| frame.is_evaluated);
        for at in evaluated.unwrap_or(0)..ply {
            if let [parent, child, ..] = &mut self.frames[at..] {
                let (before, after) = (&parent.position, &child.position);
                self.evaluation
                    .update(&parent.state, before, after, &mut child.state);
                child.is_evaluated = true;
            }
        }
    }

    /// Whether the position at `ply` has been on the line or in the game before. Once is enough:
    /// who could do better would have done so the first time.
    #[inline]
    pub(super) fn is_repeated(&self, ply: usize) -> bool {
        let frame = &self.frames[ply];
        let reversible = frame.clock.reversible_plies();
        // Both sides have to leave and come back.
        if reversible < 4 || self.rules != DrawRules::Fmjd64 {
            return false;
        }
        let key = frame.position.key();
        (4..=reversible)
            .step_by(2)
            .map_while(|back| self.key_before(ply, back))
            .any(|earlier| earlier == key)
    }

    /// The key so many plies before `ply`, if the game was there.
    #[inline]
    fn key_before(&self, ply: usize, back: usize) -> Option<u64> {
        match ply.checked_sub(back) {
            Some(at) => Some(self.frames[at].position.key()),
            None => {
                let beyond = back - ply;
                let at = self.past.len().checked_sub(beyond)?;
                self.past.get(at).copied()
            }
        }
    }

    /// Whether an article, or the study's limit, declares a draw at `ply`.
    #[inline]
    pub(super) fn is_drawn(&self, ply: usize) -> bool {
        let frame = &self.frames[ply];
        match self.rules {
            DrawRules::Study => ply >= self.plies_left,
            DrawRules::Fmjd64 => {
                let has_king = |side| !frame.position.kings(side).is_empty();
                Color::ALL.into_iter().all(has_king) && frame.clock.due(&frame.position).is_some()
            }
        }
    }
}
