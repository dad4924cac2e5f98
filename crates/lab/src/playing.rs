//! Games that a program plays for itself: how they begin at random, and when they are over.

use checkers_engine::Rng;
use checkers_engine::tablebase::{Tablebases, Wdl};
use checkers_lib::{Color, DrawRules, Game, Move, Position};

/// Up to this many pieces, tablebases end games.
const ADJUDICATED_PIECES: u32 = 5;
/// A game is drawn after this many plies by kings alone,
const KING_PLIES: u32 = 30;
/// and after this many plies in all.
const MOST_PLIES: usize = 220;

/// A game that ends when its result is clear enough.
#[derive(Clone, Debug)]
pub(crate) struct SelfPlayGame {
    game: Game,
    /// The plies by kings alone since the last other one.
    king_plies: u32,
}

impl SelfPlayGame {
    /// Begins with this many random plies; `None` if they end the game.
    pub(crate) fn random(rng: &mut Rng, plies: usize) -> Option<SelfPlayGame> {
        let mut game = Game::new(DrawRules::Fmjd64);
        for _ in 0..plies {
            let moves = game.legal_moves();
            let &m = moves.get(rng.below(moves.len()))?;
            game.play(m).ok()?;
        }
        let king_plies = 0;
        let self_play = SelfPlayGame { game, king_plies };
        self_play.game.outcome().is_none().then_some(self_play)
    }

    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    /// Plays a move; whether it was legal.
    pub(crate) fn play(&mut self, m: Move) -> bool {
        let position = self.game.position();
        let by_king = position.kings(position.turn()).contains(m.from());
        let counts = by_king && !m.is_capture();
        self.king_plies = if counts { self.king_plies + 1 } else { 0 };
        self.game.play(m).is_ok()
    }

    /// How the game ended: `Some(None)` is a draw, and `None` a game that goes on.
    pub(crate) fn verdict(&self) -> Option<Option<Color>> {
        if let Some(outcome) = self.game.outcome() {
            return Some(outcome.winner());
        }
        if self.king_plies >= KING_PLIES || self.game.ply() >= MOST_PLIES {
            return Some(None);
        }
        by_tables(self.game.position())
    }
}

fn by_tables(position: &Position) -> Option<Option<Color>> {
    if position.occupied().len() > ADJUDICATED_PIECES {
        return None;
    }
    // All that so few pieces can be is in the tables of every program.
    match Tablebases::embedded().probe_wdl(position).ok()? {
        Wdl::Win => Some(Some(position.turn())),
        Wdl::Loss => Some(Some(!position.turn())),
        Wdl::Draw => Some(None),
    }
}

/// Whether neither side could capture if it were to move.
pub(crate) fn is_quiet(position: &Position) -> bool {
    !position.must_capture() && !position.is_threatened()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quiet_is_what_is_quiet_for_both() {
        for (fen, expected) in [
            ("W:Wa1:Bh8", true),
            ("W:Wc3:Bd4", false),
            ("W:Wa3,Kh8:Be5,c7", false),
            // Black captures if White does not.
            ("W:Wd4,e3:Be5,f6,c7", false),
            ("W:Wa1,Kc1:Bh8", true),
        ] {
            let position: Position = fen.parse().unwrap();
            assert_eq!(is_quiet(&position), expected, "{fen}");
        }
    }

    #[test]
    fn few_pieces_are_judged_by_the_tables() {
        let judged = |fen: &str| by_tables(&fen.parse().unwrap());
        assert_eq!(judged("W:Wb6:Bb8"), Some(Some(Color::White)));
        assert_eq!(judged("B:WKa1:BKh2"), Some(None));
        assert_eq!(judged("W:Wa1,c1,e1,g1:Bb8,d8"), None);
    }

    #[test]
    fn thirty_plies_of_kings_draw() {
        let position: Position = "W:WKc1,a3,g1:BKf8,h6,b8".parse().unwrap();
        let mut self_play = SelfPlayGame {
            game: Game::from_position(position, DrawRules::Study),
            king_plies: 0,
        };
        let to_and_fro = ["c1-d2", "f8-e7", "d2-c1", "e7-f8"];
        for text in to_and_fro.into_iter().cycle().take(30) {
            assert_eq!(self_play.verdict(), None);
            let m = self_play.game().position().parse_move(text).unwrap();
            assert!(self_play.play(m));
        }
        assert_eq!(self_play.verdict(), Some(None));
    }
}
