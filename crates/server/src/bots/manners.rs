//! What a bot answers when the other player offers something. Pure.

use checkers_engine::Score;
use checkers_lib::protocol::Offer;

/// Up to this score a bot thinks itself no better: less than a row that a man has advanced.
const NO_BETTER: Score = Score::new(256);

/// From this ply on a game is long.
const LONG: u32 = 80;

/// Whether a bot agrees to what is offered after `ply` moves. `score` is what its last search made
/// of the game, in its own view; without one it has made up no opinion.
///
/// A draw it takes if it is not better and the game is long, or if it is no better at all. A
/// takeback it allows, where the table does, and it plays again as often as it is asked.
pub(super) fn agrees(offer: Offer, score: Option<Score>, ply: u32) -> bool {
    match offer {
        Offer::Draw => {
            score.is_some_and(|score| score <= Score::ZERO || (score < NO_BETTER && ply >= LONG))
        }
        Offer::Takeback | Offer::Rematch => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_is_taken_by_whoever_is_no_better() {
        for (score, ply, agreed) in [
            (None, 100, false),
            (Some(Score::ZERO), 10, true),
            (Some(Score::new(-700)), 10, true),
            (Some(Score::lost_in(3)), 10, true),
            (Some(Score::new(1)), LONG - 1, false),
            (Some(Score::new(255)), LONG, true),
            (Some(Score::new(256)), LONG, false),
            (Some(Score::win_in(9)), 200, false),
        ] {
            assert_eq!(agrees(Offer::Draw, score, ply), agreed, "{score:?} {ply}");
        }
    }

    #[test]
    fn takebacks_and_rematches_are_agreed_to() {
        assert!(agrees(Offer::Takeback, Some(Score::win_in(2)), 10));
        assert!(agrees(Offer::Rematch, None, 0));
    }
}
