//! A game that runs: what was played, what is left on the clocks, and how it ends.

use std::time::Duration;

use checkers_lib::protocol::{EndReason, GameResult};
use checkers_lib::{Clocks, Color, FlagFell, Game, GameError, Outcome};

use crate::adjudication::{Adjudicator, Verdict, Word};
use crate::{
    BotId, Fault, Forfeit, Forfeits, GameOrder, GameRecord, MoveRecord, Plan, Ruling, Seats,
};

/// Room for the moves of all but the longest games.
const USUAL_PLIES: usize = 96;

/// A game that runs, however it is played. What time it is, it is told.
#[derive(Clone, Debug)]
pub(crate) struct OpenGame {
    number: u64,
    seats: Seats,
    game: Game,
    moves: Vec<MoveRecord>,
    clocks: Clocks,
    adjudicator: Adjudicator,
    forfeits: Forfeits,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Ended {
    /// By the rules of the game, giving up and agreement included.
    Board(Outcome),
    /// The clock of the side to move ran out.
    Time(FlagFell),
    /// By adjudication.
    Judged(Verdict),
    /// A bot could not or did not go on.
    Forfeit(Forfeit),
    /// It took too long.
    TooLong {
        /// What it was given, in milliseconds.
        limit_ms: u64,
    },
}

impl OpenGame {
    /// Begins a game and plays its opening. Where the draw rules end the game within the opening,
    /// the rest of that is left out; see [`OpenGame::ended`].
    pub(crate) fn begin(plan: &Plan, order: &GameOrder) -> OpenGame {
        let mut open = OpenGame {
            number: order.number,
            seats: order.seats,
            game: Game::from_position(order.opening.start().clone(), plan.draw_rules),
            moves: Vec::with_capacity(USUAL_PLIES),
            clocks: plan.clocks(order.seats),
            adjudicator: Adjudicator::new(&plan.adjudication),
            forfeits: plan.forfeits,
        };
        for &m in order.opening.moves() {
            if open.game.play(m).is_err() {
                break;
            }
            open.moves.push(MoveRecord::of_opening(m));
        }
        open
    }

    /// Its number in the tournament, from 1.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// Who has which side.
    pub(crate) fn seats(&self) -> Seats {
        self.seats
    }

    /// The game by the rules.
    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    /// What is left on the clocks.
    pub(crate) fn clocks(&self) -> &Clocks {
        &self.clocks
    }

    /// The bot that is to move.
    pub(crate) fn to_move(&self) -> BotId {
        self.seats.player(self.game.turn())
    }

    /// How the game has ended by its rules, if it has; an opening may be as long as that.
    pub(crate) fn ended(&self) -> Option<Ended> {
        self.game.outcome().map(Ended::Board)
    }

    /// Takes the time of a move to come from the mover's clock, if it has one.
    pub(crate) fn spend(&mut self, elapsed: Duration) -> Option<Ended> {
        let spent = self.clocks.spend(self.game.turn(), elapsed);
        spent.err().map(Ended::Time)
    }

    /// Plays a move that a bot chose, keeps what is known about it, and finds out whether it ended
    /// the game, by the rules or by adjudication.
    ///
    /// # Errors
    /// An illegal move or a game that is over; the game is as it was then.
    pub(crate) fn play(&mut self, played: MoveRecord) -> Result<Option<Ended>, GameError> {
        let (mover, word) = (self.game.turn(), self.word(&played));
        self.game.play(played.m)?;
        self.moves.push(played);
        Ok(self.ended().or_else(|| {
            let verdict = self.adjudicator.moved(mover, word, self.game.ply());
            verdict.map(Ended::Judged)
        }))
    }

    /// What a move that is not played yet tells the adjudicator. A bot that visits no position,
    /// as one that moves at random, has no score to tell, whatever it sends.
    fn word(&self, played: &MoveRecord) -> Word {
        let searched = played.search.filter(|search| search.nodes > 0);
        match searched {
            _ if !self.adjudicator.listens() => Word::Nothing,
            _ if self.game.position().count_moves() == 1 => Word::Forced,
            Some(search) => Word::Score(search.score),
            None => Word::Nothing,
        }
    }

    /// The end of the game by a bot that could not or did not go on; `stderr` is the last it
    /// wrote there.
    pub(crate) fn forfeit(bot: BotId, fault: Fault, stderr: Vec<String>) -> Ended {
        Ended::Forfeit(Forfeit { bot, fault, stderr })
    }

    /// The record of the game, which has ended.
    pub(crate) fn close(mut self, ended: Ended) -> GameRecord {
        let (result, reason) = self.result(&ended);
        // Records are kept by the hundred thousand.
        self.moves.shrink_to_fit();
        GameRecord {
            number: self.number,
            seats: self.seats,
            start: self.game.start().clone(),
            moves: self.moves,
            result,
            reason,
            article: article(&ended),
            ruling: ruling(ended),
        }
    }

    /// Who won a game that ended like this, and why.
    pub(crate) fn result(&self, ended: &Ended) -> (GameResult, EndReason) {
        match ended {
            Ended::Board(outcome) => ((*outcome).into(), (*outcome).into()),
            Ended::Time(_) => {
                let outcome = Outcome::on_time(self.game.position());
                (outcome.into(), outcome.into())
            }
            Ended::Judged(verdict) => (judged(*verdict), EndReason::Adjudication),
            Ended::Forfeit(forfeit) => (self.forfeited(forfeit.bot), EndReason::Forfeit),
            Ended::TooLong { .. } => (GameResult::Interrupted, EndReason::Adjudication),
        }
    }

    fn forfeited(&self, loser: BotId) -> GameResult {
        match self.forfeits {
            Forfeits::Loss => won_by(!self.seats.color(loser)),
            Forfeits::Void => GameResult::Interrupted,
        }
    }
}

fn won_by(side: Color) -> GameResult {
    match side {
        Color::White => GameResult::WhiteWon,
        Color::Black => GameResult::BlackWon,
    }
}

fn judged(verdict: Verdict) -> GameResult {
    match verdict {
        Verdict::Win(winner) => won_by(winner),
        Verdict::Draw | Verdict::PlyCap { .. } => GameResult::Draw,
    }
}

fn article(ended: &Ended) -> Option<String> {
    match ended {
        Ended::Board(outcome) => outcome.article().map(str::to_owned),
        Ended::Time(_) | Ended::Judged(_) | Ended::Forfeit(_) | Ended::TooLong { .. } => None,
    }
}

fn ruling(ended: Ended) -> Option<Ruling> {
    match ended {
        Ended::Board(_) | Ended::Time(_) => None,
        Ended::Judged(Verdict::Draw) => Some(Ruling::Draw),
        Ended::Judged(Verdict::Win(_)) => Some(Ruling::Win),
        Ended::Judged(Verdict::PlyCap { plies }) => Some(Ruling::PlyCap { plies }),
        Ended::Forfeit(forfeit) => Some(Ruling::Forfeit(forfeit)),
        Ended::TooLong { limit_ms } => Some(Ruling::TooLong { limit_ms }),
    }
}

#[cfg(test)]
mod tests {
    use checkers_lib::openings::{self, Opening};
    use checkers_lib::{DrawReason, DrawRules, WinReason};

    use super::*;
    use crate::fixtures::{engine_plan, pairing};
    use crate::{Search, Timekeeper};

    /// The first game of the first pairing.
    fn begin(plan: &Plan) -> OpenGame {
        OpenGame::begin(plan, &plan.orders(&pairing(0))[0])
    }

    fn randoms() -> Plan {
        engine_plan(&["random", "random"])
    }

    /// The first legal move, found by a search of so many nodes.
    fn first_move(open: &OpenGame, score: i32, nodes: u64) -> MoveRecord {
        MoveRecord {
            m: open.game().legal_moves()[0],
            time_us: 5,
            clock: Timekeeper::Bot,
            search: Some(Search {
                score,
                depth: 1,
                nodes,
            }),
        }
    }

    /// Plays first moves until the game has ended.
    fn play_on(open: &mut OpenGame, score: i32, nodes: u64) -> Ended {
        loop {
            let played = first_move(open, score, nodes);
            if let Some(ended) = open.play(played).unwrap() {
                return ended;
            }
        }
    }

    #[test]
    fn a_game_goes_on_to_its_end_by_the_rules() {
        let mut open = begin(&randoms());
        let ended = play_on(&mut open, 0, 0);
        let outcome = open.game().outcome().unwrap();
        assert_eq!(ended, Ended::Board(outcome));
        let (plies, start) = (open.game().ply(), open.game().start().clone());
        let game = open.close(ended);
        assert_eq!((game.number, game.moves.len()), (1, plies));
        assert_eq!((game.result, game.reason), (outcome.into(), outcome.into()));
        assert_eq!((game.start, game.ruling), (start, None));
        assert_eq!(game.article.as_deref(), outcome.article());
    }

    #[test]
    fn the_opening_is_played_and_recorded() {
        let mut plan = randoms();
        plan.openings.list = openings::parse("c3-d4 d6-c5 b2-c3").unwrap();
        let mut open = begin(&plan);
        assert_eq!(open.to_move(), BotId::SECOND);
        let played = first_move(&open, 0, 0);
        assert_eq!(open.play(played), Ok(None));
        let clocks = open.moves.iter().map(|played| played.clock);
        let clocks: Vec<Timekeeper> = clocks.collect();
        use Timekeeper::{Bot, Opening};
        assert_eq!(clocks, [Opening, Opening, Opening, Bot]);
    }

    #[test]
    fn an_opening_may_end_the_game() {
        let mut plan = randoms();
        let lost = "W:W:Ba3".parse().unwrap();
        plan.openings.list = vec![Opening::new(lost)];
        let ended = begin(&plan).ended();
        let black_wins = Outcome::Win {
            winner: Color::Black,
            reason: WinReason::NoPieces,
        };
        assert_eq!(ended, Some(Ended::Board(black_wins)));
        // Kings that go to and fro end the game by repetition before the opening's last move.
        let moves = "a1-b2 b8-a7 b2-a1 a7-b8 ".repeat(4);
        let text = format!("W:WKa1:BKb8 moves {moves}");
        plan.openings.list = openings::parse(&text).unwrap();
        let open = begin(&plan);
        let ended = open.ended();
        assert_eq!(
            ended,
            Some(Ended::Board(Outcome::Draw(DrawReason::Repetition)))
        );
        assert_eq!(open.moves.len(), 8);
    }

    #[test]
    fn an_illegal_move_changes_nothing() {
        let mut open = begin(&randoms());
        let played = first_move(&open, 0, 0);
        assert_eq!(open.play(played), Ok(None));
        assert_eq!(open.play(played), Err(GameError::Illegal));
        assert_eq!((open.game().ply(), open.moves.len()), (1, 1));
    }

    #[test]
    fn a_side_without_time_loses() {
        let mut open = begin(&engine_plan(&["random@clock=1s+1s", "random"]));
        assert_eq!(open.spend(Duration::from_secs(1)), None);
        let played = first_move(&open, 0, 0);
        assert_eq!(open.play(played), Ok(None));
        assert_eq!(open.spend(Duration::from_secs(1000)), None);
        let played = first_move(&open, 0, 0);
        assert_eq!(open.play(played), Ok(None));
        let ended = open.spend(Duration::from_millis(1001)).unwrap();
        assert_eq!(ended, Ended::Time(FlagFell(Color::White)));
        let game = open.close(ended);
        assert_eq!(
            (game.result, game.reason, game.ruling),
            (GameResult::BlackWon, EndReason::Time, None)
        );
    }

    #[test]
    fn a_king_against_a_king_does_not_win_on_time() {
        let mut plan = engine_plan(&["random@clock=1s/move", "random"]);
        let kings = "W:WKa1:BKb8".parse().unwrap();
        plan.openings.list = vec![Opening::new(kings)];
        let mut open = begin(&plan);
        assert_eq!(open.spend(Duration::from_secs(1)), None);
        let ended = open.spend(Duration::from_millis(1001)).unwrap();
        let game = open.close(ended);
        let drawn = (GameResult::Draw, EndReason::TimeAgainstKing);
        assert_eq!((game.result, game.reason), drawn);
    }

    #[test]
    fn verdicts_and_forfeits_are_told_as_rulings() {
        let fault = Fault::GaveUp;
        let forfeit = Forfeit {
            bot: BotId::FIRST,
            fault: fault.clone(),
            stderr: Vec::new(),
        };
        let cases = [
            (
                Ended::Judged(Verdict::Draw),
                (GameResult::Draw, EndReason::Adjudication),
                Ruling::Draw,
            ),
            (
                Ended::Judged(Verdict::Win(Color::Black)),
                (GameResult::BlackWon, EndReason::Adjudication),
                Ruling::Win,
            ),
            (
                Ended::Judged(Verdict::PlyCap { plies: 9 }),
                (GameResult::Draw, EndReason::Adjudication),
                Ruling::PlyCap { plies: 9 },
            ),
            (
                OpenGame::forfeit(BotId::FIRST, fault, Vec::new()),
                (GameResult::BlackWon, EndReason::Forfeit),
                Ruling::Forfeit(forfeit),
            ),
            (
                Ended::TooLong { limit_ms: 7 },
                (GameResult::Interrupted, EndReason::Adjudication),
                Ruling::TooLong { limit_ms: 7 },
            ),
        ];
        for (ended, told, ruling) in cases {
            let game = begin(&randoms()).close(ended);
            assert_eq!((game.result, game.reason), told);
            assert_eq!(game.ruling, Some(ruling));
        }
    }

    #[test]
    fn a_forfeit_may_count_for_nothing() {
        let mut plan = randoms();
        plan.forfeits = Forfeits::Void;
        let ended = OpenGame::forfeit(BotId::FIRST, Fault::GaveUp, Vec::new());
        let game = begin(&plan).close(ended);
        assert!(game.is_void());
        assert_eq!(game.forfeit().unwrap().bot, BotId::FIRST);
    }

    #[test]
    fn scores_are_judged_after_the_opening() {
        let mut plan = randoms();
        let rule = "movenumber=0,movecount=2,score=5".parse().unwrap();
        plan.adjudication.draw = Some(rule);
        plan.openings.list = openings::parse("c3-d4 d6-c5 b2-c3").unwrap();
        let mut open = begin(&plan);
        assert_eq!(play_on(&mut open, -5, 1), Ended::Judged(Verdict::Draw));
        let positions = open.game.positions().iter().skip(3);
        let chosen = (positions.take(open.game.ply() - 3))
            .filter(|position| position.count_moves() > 1)
            .map(|position| position.turn());
        let of = |side| chosen.clone().filter(|&turn| turn == side).count();
        assert_eq!(Color::ALL.map(of).into_iter().min(), Some(2));
    }

    #[test]
    fn bots_that_do_not_search_have_no_word() {
        let mut plan = randoms();
        let rule = "movenumber=0,movecount=1,score=5".parse().unwrap();
        plan.adjudication.draw = Some(rule);
        let mut open = begin(&plan);
        assert!(matches!(play_on(&mut open, 0, 0), Ended::Board(_)));
    }

    #[test]
    fn the_board_comes_before_the_verdict() {
        let mut plan = randoms();
        plan.draw_rules = DrawRules::Study;
        let length = {
            let mut open = begin(&plan);
            play_on(&mut open, 0, 0);
            open.game().ply()
        };
        plan.adjudication.max_plies = Some(length as u32);
        assert!(matches!(play_on(&mut begin(&plan), 0, 0), Ended::Board(_)));
        plan.adjudication.max_plies = Some(length as u32 - 1);
        assert!(matches!(
            play_on(&mut begin(&plan), 0, 0),
            Ended::Judged(Verdict::PlyCap { .. })
        ));
    }
}
