//! In which positions of a context a side has a capture or a quiet move: all of them at once.

use checkers_lib::geometry::{Direction, next, slide, step};
use checkers_lib::{Bitboard, Color};

use super::contexts::{Context, Contexts};

impl Contexts {
    /// Where the runner stands in positions in which a side has a capture.
    #[inline(always)]
    pub(crate) fn with_capture(&self, context: &Context, side: Color) -> Bitboard {
        let empty = !context.occupied();
        let enemies = context.men[!side] | context.kings[!side];
        let mut found = Bitboard::EMPTY;
        for direction in Direction::ALL {
            // The squares in front of an empty one.
            let open = step(empty, direction.opposite());
            for victim in step(context.men[side], direction) & enemies & open {
                found |= !step(victim.into(), direction);
            }
            found |= if self.runner.side == side {
                self.with_capture_by_runner(enemies & open, direction, empty)
            } else {
                let next_to_men = step(context.men[side], direction);
                let before_kings = slide(context.kings[side], direction, empty);
                (next_to_men | before_kings) & empty & open
            };
        }
        for king in context.kings[side] {
            for direction in Direction::ALL {
                let mut way = Bitboard::EMPTY;
                let mut at = next(king, direction);
                while let Some(square) = at.filter(|&square| empty.contains(square)) {
                    way |= square.into();
                    at = next(square, direction);
                }
                let behind = at
                    .filter(|&victim| enemies.contains(victim))
                    .and_then(|victim| next(victim, direction))
                    .filter(|&behind| empty.contains(behind));
                if let Some(behind) = behind {
                    found |= !(way | behind.into());
                }
            }
        }
        found & self.squares(context)
    }

    /// The squares from which the runner captures one of the victims in a direction.
    #[inline(always)]
    fn with_capture_by_runner(
        &self,
        victims: Bitboard,
        direction: Direction,
        empty: Bitboard,
    ) -> Bitboard {
        let back = direction.opposite();
        let near = step(victims, back) & empty;
        if self.runner.is_king {
            near | slide(near, back, empty)
        } else {
            near
        }
    }

    /// Where the runner stands in positions in which a side has a quiet move other than a promotion.
    #[inline(always)]
    pub(crate) fn with_move(&self, context: &Context, side: Color) -> Bitboard {
        let squares = self.squares(context);
        let empty = !context.occupied();
        let mut found = Bitboard::EMPTY;
        if self.runner.side == side {
            found |= self.before_runner(context, squares);
        }
        let beyond = empty - Bitboard::promotion_row(side);
        for direction in Direction::forward(side) {
            for to in step(context.men[side], direction) & beyond {
                found |= !Bitboard::from(to);
            }
        }
        for direction in Direction::ALL {
            for to in step(context.kings[side], direction) & empty {
                found |= !Bitboard::from(to);
            }
        }
        found & squares
    }
}

#[cfg(test)]
mod tests {
    use checkers_lib::MoveList;

    use super::*;

    #[test]
    fn captures_and_moves_are_those_of_each_position() {
        let mut moves = MoveList::new();
        for material in [
            "K-K", "m-m", "KK-K", "Km-m", "Kmm-Km", "KKK-KK", "mm-mm", "Kmm-mm",
        ] {
            let contexts = Contexts::new(material.parse().unwrap());
            for number in (0..contexts.len()).step_by(1 + contexts.len() / 5_000) {
                let Some(context) = contexts.context(number) else {
                    continue;
                };
                for side in Color::ALL {
                    let with_capture = contexts.with_capture(&context, side);
                    let with_move = contexts.with_move(&context, side);
                    for square in contexts.squares(&context) {
                        let position = contexts.position(&context, square, side);
                        let board = position.board();
                        let captures = with_capture.contains(square);
                        assert_eq!(captures, board.can_capture(), "{position:?}");
                        board.quiet_moves_into(&mut moves);
                        let others = moves.iter().any(|m| !m.promotes());
                        assert_eq!(with_move.contains(square), others, "{position:?}");
                    }
                }
            }
        }
    }
}
