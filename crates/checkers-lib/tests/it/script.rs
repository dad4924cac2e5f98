//! Games told in steps: so many plies of this kind, then so many of that. A search finds moves
//! that fit and never repeat a position for the third time; then the game is played out.

pub(crate) mod kinds;

use std::collections::HashMap;

use checkers_lib::{
    Bitboard, ByColor, Color, DrawReason, DrawRules, Game, Move, Outcome, Position, Setup,
    WinReason,
};

/// One move with the positions around it.
pub(crate) struct Ply<'a> {
    pub(crate) before: &'a Position,
    pub(crate) m: Move,
    pub(crate) after: &'a Position,
}

/// What the moves of a step have in common.
pub(crate) type PlyKind = fn(&Ply) -> bool;

/// A position and the kinds of moves to come, one for each ply.
pub(crate) struct Script {
    start: Position,
    rules: DrawRules,
    plies: Vec<PlyKind>,
}

impl Script {
    pub(crate) fn from(fen: &str) -> Script {
        Script {
            start: fen.parse().unwrap(),
            rules: DrawRules::Fmjd64,
            plies: Vec::new(),
        }
    }

    pub(crate) fn under(self, rules: DrawRules) -> Script {
        Script { rules, ..self }
    }

    /// Then come `count` plies of this kind.
    pub(crate) fn then(mut self, count: usize, kind: PlyKind) -> Script {
        self.plies.extend(vec![kind; count]);
        self
    }

    /// Then come so many pairs of plies, the first of one kind and the second of another.
    pub(crate) fn then_pairs(mut self, count: usize, first: PlyKind, second: PlyKind) -> Script {
        self.plies.extend([first, second].repeat(count));
        self
    }

    /// Asserts that the last ply makes the draw due and that no ply before it ends the game;
    /// the same with the colours exchanged.
    pub(crate) fn ends_drawn_by(self, reason: DrawReason) {
        self.ends_in(|_| Some(Outcome::Draw(reason)));
    }

    /// Asserts that the last ply wins, and no ply before it ends the game.
    pub(crate) fn ends_won(self) {
        self.ends_in(|game| {
            let winner = !game.turn();
            let has_pieces = !game.position().pieces(!winner).is_empty();
            let reason = if has_pieces {
                WinReason::NoMoves
            } else {
                WinReason::NoPieces
            };
            Some(Outcome::Win { winner, reason })
        });
    }

    /// Asserts that no ply ends the game.
    pub(crate) fn stays_open(self) {
        self.ends_in(|_| None);
    }

    fn ends_in(self, expected: impl Fn(&Game) -> Option<Outcome>) {
        for start in [self.start.clone(), colours_exchanged(&self.start)] {
            let mut game = Game::from_position(start, self.rules);
            for m in find_moves(game.start(), &self.plies) {
                assert_eq!(game.outcome(), None, "{}", story(&game));
                game.play(m).unwrap();
            }
            assert_eq!(game.ply(), self.plies.len());
            assert_eq!(game.outcome(), expected(&game), "{}", story(&game));
        }
    }
}

fn find_moves(start: &Position, plies: &[PlyKind]) -> Vec<Move> {
    let mut search = ScriptSearch {
        seen: HashMap::from([(start.key(), 1)]),
        moves: Vec::new(),
        budget: 100_000,
    };
    assert!(search.find(start, plies), "no such game from {start}");
    search.moves
}

/// Depth first, the least seen position first.
struct ScriptSearch {
    /// How often each position has stood on the board, by its key.
    seen: HashMap<u64, u32>,
    moves: Vec<Move>,
    /// Positions that may still be tried.
    budget: u32,
}

impl ScriptSearch {
    fn find(&mut self, position: &Position, plies: &[PlyKind]) -> bool {
        let [kind, later @ ..] = plies else {
            return true;
        };
        for (m, after) in self.candidates(position, *kind) {
            self.budget = self.budget.saturating_sub(1);
            *self.seen.entry(after.key()).or_default() += 1;
            self.moves.push(m);
            if self.budget == 0 || self.find(&after, later) {
                return self.budget > 0;
            }
            self.moves.pop();
            *self.seen.entry(after.key()).or_default() -= 1;
        }
        false
    }

    fn candidates(&self, before: &Position, kind: PlyKind) -> Vec<(Move, Position)> {
        let times_seen = |after: &Position| self.seen.get(&after.key()).copied().unwrap_or(0);
        let mut candidates: Vec<(Move, Position)> = before
            .legal_moves()
            .into_iter()
            .map(|m| (m, before.clone().play(m).unwrap()))
            .filter(|(m, after)| {
                times_seen(after) < 2
                    && kind(&Ply {
                        before,
                        m: *m,
                        after,
                    })
            })
            .collect();
        candidates.sort_by_key(|(_, after)| times_seen(after));
        candidates
    }
}

/// The position as the other side sees it: turned by half a turn, white for black.
fn colours_exchanged(position: &Position) -> Position {
    let setup = position.setup();
    let exchanged = |pieces: ByColor<Bitboard>| ByColor {
        white: pieces[Color::Black].rotated(),
        black: pieces[Color::White].rotated(),
    };
    Position::from_setup(Setup {
        men: exchanged(setup.men),
        kings: exchanged(setup.kings),
        turn: !setup.turn,
    })
    .unwrap()
}

/// The game so far, for a failure's message.
fn story(game: &Game) -> String {
    let mut story = format!("{} after {} plies:", game.start(), game.ply());
    for (position, &m) in game.positions().iter().zip(game.moves()) {
        story.push(' ');
        story.push_str(&position.notation(m));
    }
    story
}
