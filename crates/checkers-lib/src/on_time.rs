//! What it means that a side's time has run out.

use crate::{Color, DrawReason, Outcome, Position, WinReason};

impl Outcome {
    /// The end of a game in `position` by the flag of the side to move: a loss, or a draw if the
    /// opponent has nothing left to win with.
    ///
    /// That is so for a lone king against a lone king, unless whatever the side to move does lets
    /// its king be captured, as on a1 against h8. Any other pieces can still win, if only by the
    /// mistakes of the other side, and a lone king can win against several pieces that hinder
    /// each other.
    ///
    /// CITE: `docs/rules.md`, the end of the game. That no lone king wins in more than one move
    /// is a test.
    pub fn on_time(position: &Position) -> Outcome {
        let loser = position.turn();
        if is_king_against_king(position) && !loses_its_king(position) {
            return Outcome::Draw(DrawReason::TimeAgainstKing);
        }
        Outcome::Win {
            winner: !loser,
            reason: WinReason::Time,
        }
    }
}

fn is_king_against_king(position: &Position) -> bool {
    (Color::ALL.into_iter())
        .all(|side| position.pieces(side).len() == 1 && position.men(side).is_empty())
}

/// Whether every move of the side to move lets its king be captured.
fn loses_its_king(position: &Position) -> bool {
    position.legal_moves().iter().all(|&m| {
        let mut after = position.clone();
        after.play_unchecked(m);
        after.must_capture()
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::{Bitboard, ByColor, Setup};

    fn on_time(fen: &str) -> Outcome {
        Outcome::on_time(&fen.parse().unwrap())
    }

    const LOST_BY_WHITE: Outcome = Outcome::Win {
        winner: Color::Black,
        reason: WinReason::Time,
    };
    const DRAW: Outcome = Outcome::Draw(DrawReason::TimeAgainstKing);

    #[test]
    fn who_has_nothing_left_to_win_with_does_not_win_on_time() {
        assert_eq!(on_time("W:WKa1:BKb8"), DRAW);
        assert_eq!(on_time("B:WKa1:BKb8"), DRAW);
        // White is to capture the last piece: Black cannot win any more.
        assert_eq!(on_time("W:WKa1:BKc3"), DRAW);
    }

    #[test]
    fn who_can_still_win_wins_on_time() {
        assert_eq!(on_time("W:WKa1:BKh8"), LOST_BY_WHITE);
        for fen in [
            "W:WKa1:Bh2",
            "W:Wa1:BKb8",
            "W:WKa1:BKb8,d8",
            "W:WKa1,c1,e1:BKb8",
            "W:WKa1,Kc1,Ke1:BKb8",
        ] {
            assert_eq!(on_time(fen), LOST_BY_WHITE, "{fen}");
        }
        assert_eq!(
            Outcome::on_time(&Position::start()).winner(),
            Some(Color::Black)
        );
    }

    /// Every position of two lone kings, White to move.
    fn lone_kings() -> impl Iterator<Item = Position> {
        let squares = || Bitboard::FULL.into_iter();
        let pairs = squares().flat_map(move |white| squares().map(move |black| (white, black)));
        pairs.filter_map(|(white, black)| {
            let kings = ByColor { white, black }.map(Bitboard::from);
            let men = ByColor::default();
            let turn = Color::White;
            Position::from_setup(Setup { men, kings, turn }).ok()
        })
    }

    fn replies(position: &Position) -> Vec<Position> {
        let play = |&m: &_| position.clone().play(m).unwrap();
        position.legal_moves().iter().map(play).collect()
    }

    /// Plays the positions back from the end: those in which White, to move, loses by force.
    fn lost_by_force() -> HashSet<Position> {
        let mut lost = HashSet::new();
        loop {
            let black_wins = |after: &Position| {
                replies(after)
                    .iter()
                    .any(|p| p.is_lost() || lost.contains(p))
            };
            let is_lost = |p: &Position| replies(p).iter().all(black_wins);
            let found: HashSet<Position> = lone_kings().filter(is_lost).collect();
            if found.len() == lost.len() {
                return lost;
            }
            lost = found;
        }
    }

    #[test]
    fn the_flag_of_a_lone_king_loses_where_the_king_is_lost_by_force() {
        let lost = lost_by_force();
        assert!(!lost.is_empty());
        for position in lone_kings() {
            let is_loss = Outcome::on_time(&position) == LOST_BY_WHITE;
            assert_eq!(is_loss, lost.contains(&position), "{position}");
        }
    }
}
