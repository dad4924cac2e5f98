//! The line that a search looks at, ply by ply.

use checkers_lib::{Color, DrawClock, DrawRules, Game, Move, Position};

use crate::evaluation::{Evaluation, EvaluationState};

/// The longest line in plies. Searches end there, whatever is still to be searched.
pub(super) const MAX_PLY: usize = 128;

/// A position on the line.
struct SearchFrame {
    position: Position,
    /// The move that led here, if there is one.
    last_move: Option<Move>,
    /// Whether the position has its key and the clock is that of the position: where the search
    /// ends nobody asks for them.
    is_complete: bool,
    clock: DrawClock,
    state: EvaluationState,
    /// Whether `state` is that of the position.
    is_evaluated: bool,
}

/// The positions from the root to the node that is searched, with what came before the root.
pub(super) struct Path {
    evaluation: Evaluation,
    frames: Vec<SearchFrame>,
    /// The keys of the positions of the game before the root, as far as they can come again, and
    /// then of the line.
    keys: Vec<u64>,
    /// How many of them are from before the root.
    past: usize,
    /// How long the game may still last under the study's rules.
    plies_left: usize,
    rules: DrawRules,
}

// The search is compiled twice, with and without an observer: without `always`, the compiler inlines its inner
// functions in neither.
impl Path {
    pub(super) fn new(evaluation: Evaluation) -> Path {
        let frame = || SearchFrame {
            position: Position::start(),
            clock: DrawClock::default(),
            last_move: None,
            is_complete: true,
            state: EvaluationState::default(),
            is_evaluated: false,
        };
        Path {
            evaluation,
            frames: std::iter::repeat_with(frame).take(MAX_PLY + 1).collect(),
            keys: Vec::new(),
            past: 0,
            plies_left: usize::MAX,
            rules: DrawRules::Fmjd64,
        }
    }

    /// Begins at the present position of a game.
    pub(super) fn begin(&mut self, game: &Game) {
        let root = &mut self.frames[0];
        root.position.clone_from(game.position());
        root.clock = game.draw_clock();
        root.last_move = game.moves().last().copied();
        root.is_complete = true;
        self.evaluation.refresh(game.position(), &mut root.state);
        root.is_evaluated = true;
        let before = &game.positions()[..game.ply()];
        let reversible = root.clock.reversible_plies().min(before.len());
        let past = before[before.len() - reversible..].iter();
        self.keys.clear();
        self.keys.extend(past.map(Position::key));
        self.keys.push(game.position().key());
        self.keys.resize(reversible + MAX_PLY + 1, 0);
        self.past = reversible;
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

    /// The move that led to the position at `ply`, if there is one.
    #[inline]
    pub(super) fn last_move(&self, ply: usize) -> Option<Move> {
        self.frames[ply].last_move
    }

    /// Goes on by `m` from `ply` to the next, which has to be at most [`MAX_PLY`]. What is not
    /// needed where the search ends is left to [`Path::complete`].
    #[inline]
    pub(super) fn play(&mut self, ply: usize, m: Move) {
        if let [before, after, ..] = &mut self.frames[ply..] {
            after.position.clone_from(&before.position);
            after.position.play_without_key(m);
            after.last_move = Some(m);
            after.is_complete = false;
            after.is_evaluated = false;
        }
    }

    /// Makes the position at `ply` one to search on from, if the ply before is one; returns its key.
    #[inline(always)]
    pub(super) fn complete(&mut self, ply: usize) -> u64 {
        if !self.frames[ply].is_complete
            && let [before, after, ..] = &mut self.frames[ply.saturating_sub(1)..]
            && let Some(m) = after.last_move
        {
            after.position.take_key(&before.position, m);
            after.clock = before.clock;
            after.clock.advance(&before.position, m, &after.position);
            after.is_complete = true;
            self.keys[self.past + ply] = after.position.key();
        }
        self.frames[ply].position.key()
    }

    /// What the evaluation says of the position at `ply`, brought up to date from the last ply
    /// that has been evaluated.
    #[inline(always)]
    pub(super) fn evaluate(&mut self, ply: usize) -> i32 {
        if !self.frames[ply].is_evaluated {
            // The root always is, so that there is a ply before.
            let before = ply.saturating_sub(1);
            self.update_state(before);
            if let [parent, child, ..] = &mut self.frames[before..]
                && let Some(m) = child.last_move
            {
                child.is_evaluated = true;
                let (before, after) = (&parent.position, &child.position);
                return self
                    .evaluation
                    .advance(&parent.state, before, m, after, &mut child.state);
            }
        }
        let frame = &self.frames[ply];
        self.evaluation.value(&frame.state, &frame.position)
    }

    /// Brings the state of the evaluation at `ply` up to date.
    #[inline]
    pub(super) fn update_state(&mut self, ply: usize) {
        if self.frames[ply].is_evaluated {
            return;
        }
        // The root always is, so that there is a ply before.
        let before = ply.saturating_sub(1);
        if !self.frames[before].is_evaluated {
            self.update_to(before);
        }
        self.update(before);
    }

    /// Brings all that is not up to date before `ply` and at it.
    #[inline(never)] // Rare: most often the ply before is.
    fn update_to(&mut self, ply: usize) {
        let evaluated = self.frames[..ply]
            .iter()
            .rposition(|frame| frame.is_evaluated);
        for before in evaluated.unwrap_or(0)..ply {
            self.update(before);
        }
    }

    /// Brings the ply after `before` up to date.
    #[inline]
    fn update(&mut self, before: usize) {
        if let [parent, child, ..] = &mut self.frames[before..]
            && let Some(m) = child.last_move
        {
            self.evaluation
                .update(&parent.state, &parent.position, m, &mut child.state);
            child.is_evaluated = true;
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
        let now = self.past + ply;
        let same_side = self.keys[now.saturating_sub(reversible)..now]
            .rchunks_exact(2)
            .map(|pair| pair[0]);
        same_side.skip(1).any(|earlier| earlier == key)
    }

    /// Whether an article, or the study's limit, declares a draw at `ply`.
    #[inline(always)]
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
