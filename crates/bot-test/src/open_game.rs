//! A game that runs: what was played, what is left on the clocks, and how it ends.

#[cfg(test)]
mod tests;

use std::time::Duration;

use checkers_lib::protocol::{EndReason, GameResult};
use checkers_lib::{Clocks, Color, FlagFell, Game, GameError, Outcome};

use crate::adjudication::{Adjudicator, ReportedScore, Verdict};
use crate::{
    BotId, Fault, Forfeit, Forfeits, GameOrder, GameRecord, MoveRecord, Ruling, Seats,
    TournamentPlan,
};

/// Room for the moves of all but the longest games.
const USUAL_PLIES: usize = 96;

/// A running game, over the network or within the process. The current time is an argument.
#[derive(Clone, Debug)]
pub(crate) struct OpenGame {
    number: u64,
    seats: Seats,
    game: Game,
    moves: Vec<MoveRecord>,
    clocks: Clocks,
    adjudicator: Adjudicator,
    forfeits: Forfeits,
    keep_lines: bool,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum GameEnd {
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
    pub(crate) fn begin(plan: &TournamentPlan, order: &GameOrder) -> OpenGame {
        let mut open = OpenGame {
            number: order.number,
            seats: order.seats,
            game: Game::from_position(order.opening.start().clone(), plan.draw_rules),
            moves: Vec::with_capacity(USUAL_PLIES),
            clocks: plan.clocks(order.seats),
            adjudicator: Adjudicator::new(&plan.adjudication),
            forfeits: plan.forfeits,
            keep_lines: plan.keep_lines,
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

    /// Which bot has which side.
    pub(crate) fn seats(&self) -> Seats {
        self.seats
    }

    /// Whether the line that a bot expects is kept with each of its moves.
    pub(crate) fn keeps_lines(&self) -> bool {
        self.keep_lines
    }

    /// The game by the rules.
    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    /// What is left on the clocks.
    pub(crate) fn clocks(&self) -> &Clocks {
        &self.clocks
    }

    pub(crate) fn to_move(&self) -> BotId {
        self.seats.player(self.game.turn())
    }

    /// How the game has ended by its rules, if it has; an opening may be as long as that.
    pub(crate) fn ended(&self) -> Option<GameEnd> {
        self.game.outcome().map(GameEnd::Board)
    }

    /// Takes the time of a move to come from the mover's clock, if it has one.
    pub(crate) fn spend(&mut self, elapsed: Duration) -> Option<GameEnd> {
        let spent = self.clocks.spend(self.game.turn(), elapsed);
        spent.err().map(GameEnd::Time)
    }

    /// Plays a move that a bot chose, keeps what is known about it, and finds out whether it ended
    /// the game, by the rules or by adjudication.
    ///
    /// # Errors
    /// An illegal move or a game that is over; the game is as it was then.
    pub(crate) fn play(&mut self, played: MoveRecord) -> Result<Option<GameEnd>, GameError> {
        let (mover, reported) = (self.game.turn(), self.reported(&played));
        self.game.play(played.m)?;
        self.moves.push(played);
        Ok(self.ended().or_else(|| {
            let by_word = self.adjudicator.moved(mover, reported, self.game.ply());
            let (position, rules) = (self.game.position(), self.game.rules());
            let verdict = self.adjudicator.by_tables(position, rules).or(by_word);
            verdict.map(GameEnd::Judged)
        }))
    }

    /// What a move that is not played yet reports to the adjudicator. A bot that visits no
    /// positions, like one that moves at random, has no score, even if it sends one.
    fn reported(&self, played: &MoveRecord) -> ReportedScore {
        let searched = played.search.as_ref().filter(|search| search.nodes > 0);
        match searched {
            _ if !self.adjudicator.listens() => ReportedScore::Nothing,
            _ if self.game.position().count_moves() == 1 => ReportedScore::Forced,
            Some(search) => ReportedScore::Score(search.score),
            None => ReportedScore::Nothing,
        }
    }

    /// The end of the game by a bot that could not or did not go on; `stderr` is the last it
    /// wrote there.
    pub(crate) fn forfeit(bot: BotId, fault: Fault, stderr: Vec<String>) -> GameEnd {
        GameEnd::Forfeit(Forfeit { bot, fault, stderr })
    }

    /// The record of the game, which has ended.
    pub(crate) fn close(mut self, ended: GameEnd) -> GameRecord {
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

    /// The result and reason of a game that ended like this.
    pub(crate) fn result(&self, ended: &GameEnd) -> (GameResult, EndReason) {
        match ended {
            GameEnd::Board(outcome) => ((*outcome).into(), (*outcome).into()),
            GameEnd::Time(_) => {
                let outcome = Outcome::on_time(self.game.position());
                (outcome.into(), outcome.into())
            }
            GameEnd::Judged(verdict) => (judged(*verdict), EndReason::Adjudication),
            GameEnd::Forfeit(forfeit) => (self.forfeited(forfeit.bot), EndReason::Forfeit),
            GameEnd::TooLong { .. } => (GameResult::Interrupted, EndReason::Adjudication),
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
        Verdict::Win(winner) | Verdict::Table(Some(winner)) => won_by(winner),
        Verdict::Draw | Verdict::Table(None) | Verdict::PlyCap { .. } => GameResult::Draw,
    }
}

fn article(ended: &GameEnd) -> Option<String> {
    match ended {
        GameEnd::Board(outcome) => outcome.article().map(str::to_owned),
        GameEnd::Time(_) | GameEnd::Judged(_) | GameEnd::Forfeit(_) | GameEnd::TooLong { .. } => {
            None
        }
    }
}

fn ruling(ended: GameEnd) -> Option<Ruling> {
    match ended {
        GameEnd::Board(_) | GameEnd::Time(_) => None,
        GameEnd::Judged(Verdict::Draw) => Some(Ruling::Draw),
        GameEnd::Judged(Verdict::Win(_)) => Some(Ruling::Win),
        GameEnd::Judged(Verdict::Table(_)) => Some(Ruling::Tablebase),
        GameEnd::Judged(Verdict::PlyCap { plies }) => Some(Ruling::PlyCap { plies }),
        GameEnd::Forfeit(forfeit) => Some(Ruling::Forfeit(forfeit)),
        GameEnd::TooLong { limit_ms } => Some(Ruling::TooLong { limit_ms }),
    }
}
