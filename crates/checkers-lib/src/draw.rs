//! When a game is drawn, and by which article.
//!
//! The articles leave open how their counts meet. They are decided here as the largest public
//! server for this game decides them; `docs/rules.md` has the table.
//!
//! CITE: FMJD-64, rules of draughts-64, articles 7.2.3–7.2.8; scaladraughts (MIT),
//! `variant/Russian.scala`, for how they meet.

use std::fmt;

use crate::{Bitboard, Color, Move, Position};

/// Which draws are declared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum DrawRules {
    /// The federation's articles 7.2.3–7.2.8.
    #[default]
    Fmjd64,
    /// A draw after [`DrawRules::STUDY_PLIES`] plies and nothing else.
    Study,
}

impl DrawRules {
    /// The length of a drawn game under [`DrawRules::Study`].
    pub const STUDY_PLIES: usize = 200;
}

/// Why a game was drawn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DrawReason {
    /// 7.2.3: the same position with the same side to move for the third time.
    Repetition,
    /// 7.2.4: three or more kings against a lone king for 15 moves.
    KingsAgainstKing,
    /// 7.2.5: 15 moves by kings only, without a capture.
    KingMoves,
    /// 7.2.6: 30 moves with 4–5 pieces, 60 with 6–7, without a capture or a promotion.
    NoProgress,
    /// 7.2.7: three pieces against a lone king that made 5 moves on the main road.
    MainRoad,
    /// 7.2.8: one or two pieces against a lone king for 5 moves.
    FewPieces,
    /// The study's 200 plies.
    PlyLimit,
    /// Both sides agreed.
    Agreement,
    /// A side's time ran out, and the opponent had nothing left to win with.
    TimeAgainstKing,
}

impl DrawReason {
    /// The article of the federation's rules that declares this draw, if one does.
    pub fn article(self) -> Option<&'static str> {
        match self {
            DrawReason::Repetition => Some("7.2.3"),
            DrawReason::KingsAgainstKing => Some("7.2.4"),
            DrawReason::KingMoves => Some("7.2.5"),
            DrawReason::NoProgress => Some("7.2.6"),
            DrawReason::MainRoad => Some("7.2.7"),
            DrawReason::FewPieces => Some("7.2.8"),
            DrawReason::PlyLimit | DrawReason::Agreement | DrawReason::TimeAgainstKing => None,
        }
    }
}

impl fmt::Display for DrawReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DrawReason::Repetition => "threefold repetition",
            DrawReason::KingsAgainstKing => "15 moves of three or more kings against one",
            DrawReason::KingMoves => "15 moves by kings only",
            DrawReason::NoProgress => "no progress",
            DrawReason::MainRoad => "5 moves of the lone king on the main road",
            DrawReason::FewPieces => "5 moves of at most two pieces against a lone king",
            DrawReason::PlyLimit => "200 plies",
            DrawReason::Agreement => "agreement",
            DrawReason::TimeAgainstKing => "time, king against king",
        })?;
        match self.article() {
            Some(article) => write!(f, " (article {article})"),
            None => Ok(()),
        }
    }
}

/// What the articles count, in plies. Each count runs on through positions in which its article
/// does not apply.
///
/// A [`Game`](crate::Game) keeps one of its own, from which a search that looks ahead goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DrawClock {
    /// Since the last capture or promotion.
    since_change: u16,
    /// Since the last capture or move of a man.
    since_man: u16,
    /// Since three pieces or fewer were left, or since a side's first promotion among them.
    since_few: u16,
    /// Those after which a lone king stood on the main road against three, since the last capture
    /// or first promotion.
    on_road: u16,
}

impl DrawClock {
    /// Goes on by the move `m` that led from `before` to `after`. O(1).
    #[inline]
    pub fn advance(&mut self, before: &Position, m: Move, after: &Position) {
        let kings = before.kings(before.turn());
        let by_man = !kings.contains(m.from());
        let first_promotion = m.promotes() && kings.is_empty();
        let leaves_few = m.is_capture() && before.occupied().len() > 3;
        count(&mut self.since_change, m.is_capture() || m.promotes());
        count(&mut self.since_man, m.is_capture() || by_man);
        count(&mut self.since_few, leaves_few || first_promotion);
        if m.is_capture() || first_promotion {
            self.on_road = 0;
        } else if lone_king(after).is_some_and(|weak| is_on_road_against_three(after, weak)) {
            count(&mut self.on_road, false);
        }
    }

    /// The draw that is due in `position`, the one last advanced to. The order of the checks is
    /// part of the rule. Repetition is not among them: it is no count. O(1).
    #[inline]
    pub fn due(&self, position: &Position) -> Option<DrawReason> {
        if !both_have_kings(position) {
            return None;
        }
        let due = |reason, count, limit| (count >= limit).then_some(reason);
        if let Some(weak) = lone_king(position) {
            let strong = position.pieces(!weak);
            if strong.len() <= 2 {
                return due(DrawReason::FewPieces, self.since_few, 10);
            }
            if is_on_road_against_three(position, weak) && self.on_road >= 10 {
                return Some(DrawReason::MainRoad);
            }
            if strong == position.kings(!weak) {
                return due(DrawReason::KingsAgainstKing, self.since_change, 30);
            }
        }
        match position.occupied().len() {
            4 | 5 => due(DrawReason::NoProgress, self.since_change, 60),
            6 | 7 => due(DrawReason::NoProgress, self.since_change, 120),
            _ => due(DrawReason::KingMoves, self.since_man, 30),
        }
    }

    /// The plies since the last capture or move of a man: no position from before can come again.
    #[inline]
    pub fn reversible_plies(&self) -> usize {
        self.since_man.into()
    }
}

#[inline]
fn count(plies: &mut u16, restarts: bool) {
    *plies = if restarts { 0 } else { plies.saturating_add(1) };
}

/// The side that has a king and nothing else while the other side has a king too.
#[inline]
fn lone_king(position: &Position) -> Option<Color> {
    if !both_have_kings(position) {
        return None;
    }
    let is_alone = |&side: &Color| position.pieces(side).len() == 1;
    Color::ALL.into_iter().find(is_alone)
}

#[inline]
fn both_have_kings(position: &Position) -> bool {
    !position.kings(Color::White).is_empty() && !position.kings(Color::Black).is_empty()
}

/// Whether the lone king of `weak` is the only piece on the main road, against exactly three.
#[inline]
fn is_on_road_against_three(position: &Position, weak: Color) -> bool {
    let on_road = position.occupied() & Bitboard::MAIN_ROAD;
    position.pieces(!weak).len() == 3 && on_road == position.pieces(weak)
}
