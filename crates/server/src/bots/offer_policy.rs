//! How a bot answers offers, and when it offers a draw. Pure.

use checkers_engine::Score;
use checkers_engine::tablebase::{Tablebases, Wdl};
use checkers_lib::protocol::Offer;
use checkers_lib::{Color, Position};

/// The opening lasts this many plies, and as long as more than [`OPENING_PIECES`] are on the board.
const OPENING: u32 = 40;
const OPENING_PIECES: u32 = 16;

/// From this ply on a game is long.
const LONG: u32 = 80;

/// Up to this score a bot considers a long game equal: less than the value of advancing a man by
/// one row.
const NO_BETTER: Score = Score::new(256);

/// How many men a king counts for when material is compared.
const KING: u32 = 3;

/// The most pieces in a dead draw.
const DEAD_PIECES: u32 = 4;

/// Whether a bot that plays `own` accepts an offer in `position` after `ply` moves; `score` is the
/// result of its last search.
///
/// Takebacks and rematches are always accepted.
pub(super) fn agrees(
    offer: Offer,
    position: &Position,
    own: Color,
    score: Option<Score>,
    ply: u32,
) -> bool {
    match offer {
        Offer::Draw => is_dead_draw(position) || agrees_to_draw(position, own, score, ply),
        Offer::Takeback | Offer::Rematch => true,
    }
}

/// Declines in the opening, with more material, and without a score. Otherwise accepts if the score
/// is not positive, or hardly so in a long game.
fn agrees_to_draw(position: &Position, own: Color, score: Option<Score>, ply: u32) -> bool {
    let is_opening = ply < OPENING || position.occupied().len() > OPENING_PIECES;
    if is_opening || material(position, own) > material(position, !own) {
        return false;
    }
    score.is_some_and(|score| score <= Score::ZERO || (score < NO_BETTER && ply >= LONG))
}

fn material(position: &Position, side: Color) -> u32 {
    position.men(side).len() + KING * position.kings(side).len()
}

/// Whether both sides have the same number of kings, one or two, no men, and the endgame tablebases
/// say draw.
pub(super) fn is_dead_draw(position: &Position) -> bool {
    let [white, black] = [Color::White, Color::Black].map(|side| position.kings(side).len());
    let are_kings_alone = position.occupied().len() == white + black;
    white == black
        && white + black <= DEAD_PIECES
        && are_kings_alone
        && matches!(Tablebases::shared().probe_wdl(position), Ok(Wdl::Draw))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Eight men each.
    const LEVEL: &str = "W:Wa1,c1,e1,g1,b2,d2,f2,h2:Ba7,c7,e7,g7,b8,d8,f8,h8";
    /// White is a man ahead.
    const AHEAD: &str = "W:Wa1,c1,e1:Bb8,d8";

    fn white_agrees(fen: &str, score: Option<Score>, ply: u32) -> bool {
        let position = fen.parse().unwrap();
        agrees(Offer::Draw, &position, Color::White, score, ply)
    }

    #[test]
    fn a_bot_that_is_no_better_accepts_a_draw() {
        for (score, ply, agreed) in [
            (None, 100, false),
            (Some(Score::ZERO), OPENING, true),
            (Some(Score::new(-700)), OPENING, true),
            (Some(Score::lost_in(3)), OPENING, true),
            (Some(Score::new(1)), LONG - 1, false),
            (Some(Score::new(255)), LONG, true),
            (Some(Score::new(256)), LONG, false),
            (Some(Score::win_in(9)), 200, false),
        ] {
            assert_eq!(white_agrees(LEVEL, score, ply), agreed, "{score:?} {ply}");
        }
    }

    #[test]
    fn draws_are_declined_in_the_opening() {
        let lost = Some(Score::new(-700));
        assert!(!white_agrees(LEVEL, lost, OPENING - 1));
        assert!(!white_agrees(&Position::start().to_string(), lost, 100));
    }

    #[test]
    fn draws_are_declined_with_more_material() {
        let worse = Some(Score::new(-10));
        assert!(!white_agrees(AHEAD, worse, 100));
        let black =
            |fen: &str| agrees(Offer::Draw, &fen.parse().unwrap(), Color::Black, worse, 100);
        assert!(black(AHEAD));
        assert!(!black("W:Wa1,c1:BKb8"), "a king is more than two men");
    }

    #[test]
    fn a_dead_draw_is_accepted_at_once() {
        for (fen, is_dead) in [
            ("W:WKa1:BKc1", true),
            ("W:WKa1,Kc1:BKb8,Kd8", true),
            ("W:WKa1:BKd4", false),
            ("W:WKa1,Kc1:BKb8", false),
            ("W:WKa1,c1:BKb8,d8", false),
            ("W:WKa1,Kc1,Ke1:BKb8,Kd8,Kf8", false),
        ] {
            assert_eq!(is_dead_draw(&fen.parse().unwrap()), is_dead, "{fen}");
        }
        assert!(white_agrees("W:WKa1:BKc1", None, 0));
        assert!(!white_agrees("W:WKa1,Kc1:BKb8", Some(Score::ZERO), 100));
    }

    #[test]
    fn takebacks_and_rematches_are_accepted() {
        let start = Position::start();
        assert!(agrees(
            Offer::Takeback,
            &start,
            Color::White,
            Some(Score::win_in(2)),
            10
        ));
        assert!(agrees(Offer::Rematch, &start, Color::White, None, 0));
    }
}
