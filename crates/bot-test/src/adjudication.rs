//! When games are ended by judgement.
//!
//! The rules are those of match runners for chess. A bot *reports* a score with a move that it
//! chose. A forced move says nothing about the game, because bots rarely search it: its report is
//! skipped. A chosen move without a score ends its side's series of reports. Moves of the opening
//! were not chosen and are not judged, but they count as moves of the game.
//!
//! Endgame tablebases adjudicate too, if enabled, and need no report: a game is over once they
//! contain its position.
//!
//! Scores are in the bots' own units, which differ: in the study's searches a man is worth 1280 or
//! more (256 with the weaker evaluation), up to 255 of which is noise.

mod text;

use checkers_engine::tablebase::{Tablebases, Wdl};
use checkers_lib::{ByColor, Color, DrawRules, Position};
use serde::{Deserialize, Serialize};

pub use text::AdjudicationError;

/// When games are ended by judgement; never, by default.
///
/// The rules are checked after each move that does not end the game on the board: tablebases first,
/// then draw, win and length.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Adjudication {
    /// When a game is a draw.
    pub draw: Option<DrawAdjudication>,
    /// When a game is won.
    pub resign: Option<ResignAdjudication>,
    /// After how many plies, those of the opening included, a game ends as a draw. An opening
    /// that long ends it after the first move that was chosen.
    pub max_plies: Option<u32>,
    /// Whether tablebases end games. They never do under the study's draw rule, with which the
    /// published numbers were made.
    #[serde(default, skip_serializing_if = "is_off")]
    pub tablebase: bool,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands out references"
)]
fn is_off(flag: &bool) -> bool {
    !flag
}

/// A game is drawn once both bots have reported scores near zero for long enough: as soon as
/// `move_number` moves have been played and the last `move_count` moves that each side chose came
/// with a score of at most `score` for either side. Captures and promotions change nothing.
///
/// Written `movenumber=40,movecount=8,score=20`, in any order.
///
/// ```
/// use checkers_bot_test::DrawAdjudication;
///
/// let draw: DrawAdjudication = "score=20, movenumber=40, movecount=8".parse()?;
/// assert_eq!(draw.to_string(), "movenumber=40,movecount=8,score=20");
/// # Ok::<(), checkers_bot_test::AdjudicationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct DrawAdjudication {
    /// The first move of the game at which the rule applies; a move is one ply of each side.
    pub move_number: u32,
    /// The length of each side's series of moves, at least one.
    pub move_count: u32,
    /// The largest absolute score, in the bots' own units.
    pub score: u32,
}

/// A game is won once the reported scores have agreed for long enough: as soon as the last
/// `move_count` moves that the loser chose came with a score of at least `score` against it and, if
/// `two_sided`, the last `move_count` moves that the winner chose with one of at least `score` in
/// its favour.
///
/// Written `movecount=3,score=600,twosided=true`, in any order; `twosided` is true if it is left
/// out.
///
/// ```
/// use checkers_bot_test::ResignAdjudication;
///
/// let resign: ResignAdjudication = "movecount=3,score=600".parse()?;
/// assert_eq!(resign.to_string(), "movecount=3,score=600,twosided=true");
/// # Ok::<(), checkers_bot_test::AdjudicationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct ResignAdjudication {
    /// The length of the series of moves, at least one.
    pub move_count: u32,
    /// Scores of at least this much against the loser, one or more, in the bots' own units.
    pub score: u32,
    /// Whether the winner must agree; otherwise the loser's score is enough.
    pub two_sided: bool,
}

/// How a game is judged to have ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// The game is even.
    Draw,
    /// This side wins.
    Win(Color),
    /// The tablebases contain the position: its winner, or `None` for a draw.
    Table(Option<Color>),
    /// The game is as long as games may become.
    PlyCap {
        /// How many plies that is.
        plies: u32,
    },
}

/// What the adjudicator needs to know about a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ReportedScore {
    /// The score, from the mover's view.
    Score(i32),
    Nothing,
    /// It was the only move.
    Forced,
}

/// Judges one game.
#[derive(Clone, Debug)]
pub(crate) struct Adjudicator {
    rules: Adjudication,
    runs: ByColor<Runs>,
}

/// How many moves in a row a side has called even, lost and won.
#[derive(Clone, Copy, Debug, Default)]
struct Runs {
    even: u32,
    lost: u32,
    won: u32,
}

impl Adjudicator {
    /// A judge for a game that begins.
    pub(crate) fn new(rules: &Adjudication) -> Adjudicator {
        Adjudicator {
            rules: *rules,
            runs: ByColor::default(),
        }
    }

    /// Whether the reports of moves matter.
    pub(crate) fn listens(&self) -> bool {
        self.rules.draw.is_some() || self.rules.resign.is_some()
    }

    /// Handles a move of `side` that was not part of the opening and did not end the game, and
    /// judges the game after it. `plies` counts all moves so far, including the opening.
    pub(crate) fn moved(
        &mut self,
        side: Color,
        reported: ReportedScore,
        plies: usize,
    ) -> Option<Verdict> {
        self.hear(side, reported);
        if self.is_draw(plies) {
            return Some(Verdict::Draw);
        }
        if let Some(winner) = self.winner() {
            return Some(Verdict::Win(winner));
        }
        let cap = self.rules.max_plies.filter(|&cap| plies >= cap as usize);
        cap.map(|plies| Verdict::PlyCap { plies })
    }

    /// Judges a position by the tablebases. A win counts only if the best play in the tables, where
    /// they have distances, ends before an article declares a draw.
    pub(crate) fn by_tables(&self, position: &Position, draw_rules: DrawRules) -> Option<Verdict> {
        if !self.rules.tablebase || draw_rules != DrawRules::Fmjd64 {
            return None;
        }
        let tables = Tablebases::shared();
        if position.occupied().len() > tables.most_pieces().into() {
            return None;
        }
        let turn = position.turn();
        let winner = match tables.probe_wdl(position).ok()? {
            Wdl::Win => Some(turn),
            Wdl::Draw => None,
            Wdl::Loss => Some(!turn),
        };
        let is_too_long = winner.is_some() && tables.fits_articles(position).ok()? == Some(false);
        (!is_too_long).then_some(Verdict::Table(winner))
    }

    fn hear(&mut self, side: Color, reported: ReportedScore) {
        let score = match reported {
            ReportedScore::Forced => return,
            ReportedScore::Nothing => None,
            ReportedScore::Score(score) => Some(score),
        };
        let (draw, resign) = (self.rules.draw, self.rules.resign);
        let is_large = |score: i32| resign.is_some_and(|rule| score.unsigned_abs() >= rule.score);
        let is_small = |score: i32| draw.is_some_and(|rule| score.unsigned_abs() <= rule.score);
        let runs = &mut self.runs[side];
        count(&mut runs.even, score.is_some_and(is_small));
        count(&mut runs.lost, score.is_some_and(|s| s < 0 && is_large(s)));
        count(&mut runs.won, score.is_some_and(|s| s > 0 && is_large(s)));
    }

    fn is_draw(&self, plies: usize) -> bool {
        self.rules.draw.is_some_and(|rule| {
            plies / 2 >= rule.move_number as usize
                && (Color::ALL.into_iter()).all(|side| self.runs[side].even >= rule.move_count)
        })
    }

    fn winner(&self) -> Option<Color> {
        let rule = self.rules.resign?;
        Color::ALL.into_iter().find(|&winner| {
            self.runs[!winner].lost >= rule.move_count
                && (!rule.two_sided || self.runs[winner].won >= rule.move_count)
        })
    }
}

fn count(run: &mut u32, goes_on: bool) {
    *run = if goes_on { run.saturating_add(1) } else { 0 };
}

#[cfg(test)]
mod tests {
    use super::*;
    use ReportedScore::{Forced, Nothing, Score};

    fn rules(draw: &str, resign: &str) -> Adjudication {
        Adjudication {
            draw: (!draw.is_empty()).then(|| draw.parse().unwrap()),
            resign: (!resign.is_empty()).then(|| resign.parse().unwrap()),
            max_plies: None,
            tablebase: false,
        }
    }

    /// The ply after which a game is adjudicated, and its result. The first report belongs to the first
    /// move after the opening; White begins.
    fn judged(
        rules: &Adjudication,
        opening: usize,
        reports: &[ReportedScore],
    ) -> Option<(usize, Verdict)> {
        let mut adjudicator = Adjudicator::new(rules);
        reports.iter().enumerate().find_map(|(i, &reported)| {
            let ply = opening + i;
            let side = Color::ALL[ply % 2];
            let verdict = adjudicator.moved(side, reported, ply + 1)?;
            Some((ply + 1, verdict))
        })
    }

    /// The reports of both players, alternating, for a game of `plies`.
    fn in_turn(white: ReportedScore, black: ReportedScore, plies: usize) -> Vec<ReportedScore> {
        [white, black].into_iter().cycle().take(plies).collect()
    }

    #[test]
    fn nothing_is_judged_by_default() {
        let reports = in_turn(Score(0), Score(-100_000), 1000);
        assert_eq!(judged(&Adjudication::default(), 0, &reports), None);
        assert!(!Adjudicator::new(&Adjudication::default()).listens());
    }

    #[test]
    fn a_draw_falls_due_with_the_last_move_of_both_runs() {
        let rules = rules("movenumber=0,movecount=3,score=20", "");
        let reports = in_turn(Score(20), Score(-20), 20);
        assert_eq!(judged(&rules, 0, &reports), Some((6, Verdict::Draw)));
        let reports = in_turn(Score(20), Score(-21), 20);
        assert_eq!(judged(&rules, 0, &reports), None);
    }

    #[test]
    fn a_draw_waits_for_its_move_number() {
        let rules = rules("movenumber=40,movecount=8,score=20", "");
        let reports = in_turn(Score(0), Score(0), 100);
        assert_eq!(judged(&rules, 0, &reports), Some((80, Verdict::Draw)));
        // The moves of an opening count; their missing reports do not.
        assert_eq!(judged(&rules, 7, &reports), Some((80, Verdict::Draw)));
        assert_eq!(judged(&rules, 79, &reports), Some((95, Verdict::Draw)));
    }

    #[test]
    fn one_larger_score_begins_a_draw_anew() {
        let rules = rules("movenumber=0,movecount=3,score=20", "");
        let mut reports = in_turn(Score(0), Score(0), 20);
        reports[4] = Score(21);
        assert_eq!(judged(&rules, 0, &reports), Some((11, Verdict::Draw)));
        reports[4] = Nothing;
        assert_eq!(judged(&rules, 0, &reports), Some((11, Verdict::Draw)));
    }

    #[test]
    fn forced_moves_are_passed_over() {
        let rules = rules("movenumber=0,movecount=3,score=20", "movecount=3,score=600");
        let mut reports = in_turn(Score(0), Score(0), 20);
        reports[4] = Forced;
        assert_eq!(judged(&rules, 0, &reports), Some((7, Verdict::Draw)));
        let mut reports = in_turn(Score(600), Score(-600), 20);
        reports[1] = Forced;
        assert_eq!(judged(&rules, 0, &reports), Some((8, WHITE_WINS)));
        // A draw may fall due with one: its number is a matter of the game's length alone.
        let rules = DrawAdjudication {
            move_number: 4,
            ..rules.draw.unwrap()
        };
        let rules = Adjudication {
            draw: Some(rules),
            ..Adjudication::default()
        };
        let mut reports = in_turn(Score(0), Score(0), 20);
        reports[7] = Forced;
        assert_eq!(judged(&rules, 0, &reports), Some((8, Verdict::Draw)));
    }

    const WHITE_WINS: Verdict = Verdict::Win(Color::White);
    const BLACK_WINS: Verdict = Verdict::Win(Color::Black);

    #[test]
    fn a_win_needs_both_sides_words() {
        let rules = rules("", "movecount=3,score=600");
        let reports = in_turn(Score(600), Score(-600), 20);
        assert_eq!(judged(&rules, 0, &reports), Some((6, WHITE_WINS)));
        let reports = in_turn(Score(-600), Score(600), 20);
        assert_eq!(judged(&rules, 0, &reports), Some((6, BLACK_WINS)));
        for (white, black) in [
            (Score(599), Score(-600)),
            (Score(600), Score(-599)),
            (Score(600), Nothing),
            (Nothing, Score(-600)),
            (Score(600), Score(600)),
            (Score(-600), Score(-600)),
        ] {
            let reports = in_turn(white, black, 100);
            assert_eq!(judged(&rules, 0, &reports), None, "{white:?} {black:?}");
        }
    }

    #[test]
    fn one_word_less_begins_a_win_anew() {
        let rules = rules("", "movecount=3,score=600");
        let mut reports = in_turn(Score(600), Score(-600), 20);
        reports[3] = Score(-599);
        assert_eq!(judged(&rules, 0, &reports), Some((10, WHITE_WINS)));
        reports[3] = Nothing;
        assert_eq!(judged(&rules, 0, &reports), Some((10, WHITE_WINS)));
    }

    #[test]
    fn the_losers_word_is_enough_if_that_is_asked_for() {
        let rules = rules("", "movecount=3,score=600,twosided=false");
        let reports = in_turn(Score(-600), Nothing, 20);
        assert_eq!(judged(&rules, 0, &reports), Some((5, BLACK_WINS)));
        let reports = in_turn(Score(9999), Nothing, 20);
        assert_eq!(judged(&rules, 0, &reports), None);
    }

    #[test]
    fn scores_of_any_size_are_fine() {
        let rules = rules("", "movecount=1,score=4294967295,twosided=false");
        assert_eq!(judged(&rules, 0, &[Score(i32::MIN)]), None);
        let rules = Adjudication {
            resign: Some("movecount=1,score=2147483648".parse().unwrap()),
            ..Adjudication::default()
        };
        assert_eq!(judged(&rules, 0, &[Score(i32::MIN), Score(i32::MAX)]), None);
    }

    #[test]
    fn a_game_ends_when_it_is_as_long_as_games_may_become() {
        let rules = Adjudication {
            max_plies: Some(10),
            ..Adjudication::default()
        };
        let reports = in_turn(Nothing, Forced, 20);
        let cap = Verdict::PlyCap { plies: 10 };
        assert_eq!(judged(&rules, 0, &reports), Some((10, cap)));
        assert_eq!(judged(&rules, 4, &reports), Some((10, cap)));
        assert_eq!(judged(&rules, 12, &reports), Some((13, cap)));
    }

    #[test]
    fn tables_judge_endings_that_the_articles_leave_time_for() {
        let rules = Adjudication {
            tablebase: true,
            ..Adjudication::default()
        };
        let judge = |fen: &str, draw_rules| {
            let position: Position = fen.parse().unwrap();
            Adjudicator::new(&rules).by_tables(&position, draw_rules)
        };
        for (fen, verdict) in [
            (
                "W:WKc1,Ke1,Kg1:BKh4",
                Some(Verdict::Table(Some(Color::White))),
            ),
            ("B:Wb6:Bb8", Some(Verdict::Table(Some(Color::White)))),
            ("W:WKa1,Kc1:BKh8", Some(Verdict::Table(Some(Color::White)))),
            ("W:Wa1,c1,e1:Bb8,d8,f8", None),
        ] {
            assert_eq!(judge(fen, DrawRules::Fmjd64), verdict, "{fen}");
            assert_eq!(judge(fen, DrawRules::Study), None, "{fen}");
        }
        let silent = Adjudicator::new(&Adjudication::default());
        let position = "B:Wb6:Bb8".parse().unwrap();
        assert_eq!(silent.by_tables(&position, DrawRules::Fmjd64), None);
    }

    #[test]
    fn a_draw_comes_before_a_win_and_a_win_before_the_length() {
        let mut rules = rules(
            "movenumber=0,movecount=1,score=900",
            "movecount=1,score=600",
        );
        rules.max_plies = Some(2);
        let reports = in_turn(Score(600), Score(-600), 2);
        assert_eq!(judged(&rules, 0, &reports), Some((2, Verdict::Draw)));
        rules.draw = None;
        assert_eq!(judged(&rules, 0, &reports), Some((2, WHITE_WINS)));
    }
}
