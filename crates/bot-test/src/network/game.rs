//! One game, as the director sees it.
//!
//! The server is the trusted source of who played what, and its word is checked against the
//! rules all the same; a bot's own word counts for its times and scores alone.

use std::time::Instant;

use checkers_lib::protocol::{
    ClientMessage, EndReason, ErrorCode, GameResult, GameState, PlayedMove, SearchInfo,
    ServerMessage,
};
use checkers_lib::{DrawReason, FlagFell, Move, Outcome, WinReason};

use super::{Event, Hall, failed, nonsense, unreachable};
use crate::failure::milliseconds;
use crate::open_game::{Ended, OpenGame};
use crate::{
    BotId, Failure, Fault, Forfeit, GameOrder, GameRecord, MoveRecord, Search, ServerFault,
    Timekeeper, Timeouts,
};

/// The server tells whole milliseconds.
const CLOCK_TICK_US: u64 = 1000;
/// What a busy machine may add to the time of a move.
const BUSY_US: u64 = 1_000_000;
/// No search is deeper, and none visits more nodes.
const MOST_PLIES: u32 = 10_000;
const MOST_NODES: u64 = 1 << 53;

/// What brings a game to its end.
enum End {
    /// The server says so.
    Told(Ended),
    /// A bot left it.
    Left(BotId),
    /// The director's judgement.
    Judged(Ended),
    /// A bot did what ends the game.
    Failed(BotId, Fault),
    /// The bot that is to move sent what is no move.
    Illegal(String),
    /// The bot that is to move does not.
    TimeOut,
    /// It goes on for too long.
    TooLong,
}

/// When a game and its present move began.
struct Watch {
    game: Instant,
    turn: Instant,
}

impl Watch {
    fn start() -> Watch {
        let now = Instant::now();
        Watch {
            game: now,
            turn: now,
        }
    }

    fn deadline(&self, timeouts: Timeouts) -> Instant {
        let end_of_move = self.turn + timeouts.per_move;
        end_of_move.min(self.game + timeouts.per_game)
    }

    fn is_move_late(&self, timeouts: Timeouts) -> bool {
        Instant::now() >= self.turn + timeouts.per_move
    }
}

impl Hall {
    /// Plays a game, whatever happens in it.
    ///
    /// # Errors
    /// The server's failure.
    pub(super) async fn play_game(&mut self, order: &GameOrder) -> Result<GameRecord, Failure> {
        self.open().await?;
        let mut open = OpenGame::begin(&self.plan, order);
        let bots = [order.seats.white, order.seats.black];
        let absent = match self.gather(bots).await? {
            Ok(()) => self.begin(order, &open).await?,
            Err(forfeit) => Some(forfeit),
        };
        if let Some(forfeit) = absent {
            self.dismiss(forfeit.bot).await;
            return Ok(open.close(Ended::Forfeit(forfeit)));
        }
        let end = self.follow(&mut open).await?;
        self.finish(open, end).await
    }

    /// Arranges the game and waits for its beginning; a bot may turn out to be gone.
    async fn begin(
        &mut self,
        order: &GameOrder,
        open: &OpenGame,
    ) -> Result<Option<Forfeit>, Failure> {
        let token = self.server()?.token.clone();
        let players = self.players(order)?;
        self.send(&arrangement(order, token, players, self.clocks(order)))
            .await?;
        let limit = self.conduct.timeouts.connect;
        let until = Instant::now() + limit;
        loop {
            let message = match self.next(until).await? {
                Event::Told(message) => message,
                Event::Noted => continue,
                Event::TimeIsOver => {
                    let waited_ms = milliseconds(limit);
                    return Err(failed(ServerFault::NoGame { waited_ms }));
                }
            };
            match *message {
                ServerMessage::GameStarted(state) if state.game == order.number => {
                    return check_start(&state, open).map(|()| None);
                }
                ServerMessage::Error {
                    code: ErrorCode::NoSuchPlayer,
                    ..
                } => return self.find_absent(order).await.map(Some),
                message => pass_over(&message)?,
            }
        }
    }

    /// What both bots go by on the server.
    fn players(&self, order: &GameOrder) -> Result<[String; 2], Failure> {
        let name = |bot| self.guests.name(bot).map(str::to_owned);
        match [order.seats.white, order.seats.black].map(name) {
            [Some(white), Some(black)] => Ok([white, black]),
            _ => Err(unreachable("a bot that is there was never started")),
        }
    }

    /// The texts of the clocks of both sides.
    fn clocks(&self, order: &GameOrder) -> [Option<String>; 2] {
        [order.seats.white, order.seats.black].map(|bot| {
            let clock = self.plan.limits(bot).clock;
            clock.map(|clock| clock.to_string())
        })
    }

    /// Which of the bots is gone, and why.
    async fn find_absent(&mut self, order: &GameOrder) -> Result<Forfeit, Failure> {
        let until = Instant::now() + super::SETTLE;
        loop {
            for bot in [order.seats.white, order.seats.black] {
                if !self.sees(bot) {
                    let fault = self.fault_of_leaving(bot, None).await?;
                    return Ok(self.forfeit(bot, fault));
                }
            }
            if let Event::TimeIsOver = self.next(until).await? {
                return Err(nonsense("it misses a player that it lists"));
            }
        }
    }

    /// Follows the game to its end.
    async fn follow(&mut self, open: &mut OpenGame) -> Result<End, Failure> {
        let timeouts = self.conduct.timeouts;
        let mut watch = Watch::start();
        loop {
            let message = match self.next(watch.deadline(timeouts)).await? {
                Event::Told(message) => message,
                Event::Noted => continue,
                Event::TimeIsOver => {
                    // Nobody can move on a server that stands still.
                    self.check_server().await?;
                    return Ok(if watch.is_move_late(timeouts) {
                        End::TimeOut
                    } else {
                        End::TooLong
                    });
                }
            };
            match *message {
                ServerMessage::Moved { game, played, .. } if game == open.number() => {
                    watch.turn = Instant::now();
                    if let Some(verdict) = play(open, &played)? {
                        return Ok(End::Judged(verdict));
                    }
                }
                ServerMessage::MoveRefused {
                    game,
                    text,
                    message,
                    ..
                } if game == open.number() => {
                    return Ok(End::Illegal(format!("{text:?}: {message}")));
                }
                ServerMessage::Misbehaved {
                    game,
                    color,
                    message,
                } if game == open.number() => {
                    let bot = open.seats().player(color.into());
                    return Ok(End::Failed(bot, Fault::Protocol { message }));
                }
                ServerMessage::GameOver {
                    game,
                    left: Some(side),
                    ..
                } if game == open.number() => {
                    return Ok(End::Left(open.seats().player(side.into())));
                }
                ServerMessage::GameOver {
                    game,
                    result,
                    reason,
                    ..
                } if game == open.number() => {
                    return told_end(open, result, reason).map(End::Told);
                }
                message => pass_over(&message)?,
            }
        }
    }

    async fn finish(&mut self, open: OpenGame, end: End) -> Result<GameRecord, Failure> {
        match end {
            End::Told(ended) => Ok(open.close(ended)),
            End::Left(bot) => {
                let fen = open.game().position().to_string();
                let fault = self.fault_of_leaving(bot, Some(&fen)).await?;
                let forfeit = self.forfeit(bot, fault);
                self.dismiss(bot).await;
                Ok(open.close(Ended::Forfeit(forfeit)))
            }
            End::Judged(verdict) => self.rule(open, verdict).await,
            End::Failed(bot, fault) => self.forfeit_game(open, bot, fault).await,
            End::Illegal(message) => {
                let fen = open.game().position().to_string();
                let bot = open.to_move();
                self.forfeit_game(open, bot, Fault::IllegalMove { fen, message })
                    .await
            }
            End::TimeOut => {
                let waited_ms = milliseconds(self.conduct.timeouts.per_move);
                let fen = open.game().position().to_string();
                let bot = open.to_move();
                self.forfeit_game(open, bot, Fault::TimeOut { waited_ms, fen })
                    .await
            }
            End::TooLong => {
                let limit_ms = milliseconds(self.conduct.timeouts.per_game);
                self.rule(open, Ended::TooLong { limit_ms }).await
            }
        }
    }

    /// Ends a game by the fault of a bot.
    async fn forfeit_game(
        &mut self,
        open: OpenGame,
        bot: BotId,
        fault: Fault,
    ) -> Result<GameRecord, Failure> {
        let forfeit = self.forfeit(bot, fault);
        let record = self.rule(open, Ended::Forfeit(forfeit)).await?;
        self.dismiss(bot).await;
        Ok(record)
    }

    /// Ends a game that the board has not ended.
    async fn rule(&mut self, open: OpenGame, ended: Ended) -> Result<GameRecord, Failure> {
        let record = open.close(ended);
        self.end(record.number, record.result, record.reason)
            .await?;
        Ok(record)
    }

    /// Ends the game on the server and waits until it is over there. It may have ended by itself
    /// meanwhile.
    async fn end(
        &mut self,
        game: u64,
        result: GameResult,
        reason: EndReason,
    ) -> Result<(), Failure> {
        let token = self.server()?.token.clone();
        let message = ClientMessage::EndGame {
            token,
            game,
            result,
            reason,
        };
        self.send(&message).await?;
        let until = Instant::now() + self.conduct.timeouts.connect;
        loop {
            match self.next(until).await? {
                Event::Told(message) => match *message {
                    ServerMessage::GameOver { game: over, .. } if over == game => return Ok(()),
                    message => pass_over(&message)?,
                },
                Event::Noted => {}
                Event::TimeIsOver => return Err(unreachable("it does not end a game")),
            }
        }
    }
}

fn arrangement(
    order: &GameOrder,
    token: String,
    players: [String; 2],
    clocks: [Option<String>; 2],
) -> ClientMessage {
    let ([white, black], [white_clock, black_clock]) = (players, clocks);
    let mut position = order.opening.start().clone();
    let mut moves = Vec::new();
    for &m in order.opening.moves() {
        moves.push(position.notation(m));
        position.play_unchecked(m);
    }
    ClientMessage::ArrangeGame {
        token,
        game: order.number,
        white,
        black,
        start_fen: Some(order.opening.start().to_string()),
        moves,
        white_clock,
        black_clock,
    }
}

fn check_start(state: &GameState, open: &OpenGame) -> Result<(), Failure> {
    let (told, known) = (&state.fen, open.game().position().to_string());
    if *told != known {
        let number = state.game;
        return Err(nonsense(format!(
            "game {number} begins with {told}, not {known}"
        )));
    }
    Ok(())
}

/// Plays in our game what the server says was played in its own, and returns the verdict if there
/// is one.
fn play(open: &mut OpenGame, played: &PlayedMove) -> Result<Option<Ended>, Failure> {
    let game = open.game();
    let number = open.number();
    if usize::try_from(played.ply) != Ok(game.ply()) {
        let (told, known) = (played.ply, game.ply());
        return Err(nonsense(format!(
            "game {number} is at ply {known}, not {told}"
        )));
    }
    let wrong = |error: &dyn std::fmt::Display| {
        nonsense(format!("{} in game {number}: {error}", played.text))
    };
    let m = (game.position().parse_move(&played.text)).map_err(|error| wrong(&error))?;
    let ended = open
        .play(record(played, m))
        .map_err(|error| wrong(&error))?;
    // The server ends by itself what ends on the board.
    Ok(ended.filter(|ended| matches!(ended, Ended::Judged(_))))
}

fn record(played: &PlayedMove, m: Move) -> MoveRecord {
    let by_server = played.elapsed_ms.saturating_mul(1000);
    let told = played.search.filter(is_plausible);
    let by_bot = (told.map(|told| told.time_us)).filter(|&time| may_be(time, by_server));
    let (time_us, clock) = match by_bot {
        Some(time) => (time, Timekeeper::Bot),
        None => (by_server, Timekeeper::Server),
    };
    MoveRecord {
        m,
        time_us,
        clock,
        search: told.map(|told| Search {
            score: told.score,
            depth: told.depth,
            nodes: told.nodes,
        }),
    }
}

/// Whether a search can be what it is said to be, on whatever machine.
fn is_plausible(told: &SearchInfo) -> bool {
    told.depth <= MOST_PLIES && told.nodes <= MOST_NODES
}

/// Whether a bot can have taken a time for a move, both in microseconds, that the server saw come
/// after another: not more than that, and not so little that the way there and back and a busy
/// machine do not explain the difference.
fn may_be(by_bot: u64, by_server: u64) -> bool {
    let (most, least) = (by_server.saturating_add(CLOCK_TICK_US), by_server / 2);
    by_bot <= most && by_bot.saturating_add(BUSY_US) >= least
}

/// What the server says about the end of a game, as far as it can be.
fn told_end(open: &OpenGame, result: GameResult, reason: EndReason) -> Result<Ended, Failure> {
    let ended = open.ended().or_else(|| off_board(open, result, reason));
    let is_so = |ended: &Ended| open.result(ended) == (result, reason);
    ended.filter(is_so).ok_or_else(|| {
        let number = open.number();
        nonsense(format!("game {number} ended as {result:?} by {reason:?}"))
    })
}

/// An end that comes from the players and not from the board.
fn off_board(open: &OpenGame, result: GameResult, reason: EndReason) -> Option<Ended> {
    match reason {
        EndReason::Time | EndReason::TimeAgainstKing => {
            Some(Ended::Time(FlagFell(open.game().turn())))
        }
        EndReason::Resignation => result.winner().map(|winner| {
            let reason = WinReason::Resignation;
            Ended::Board(Outcome::Win { winner, reason })
        }),
        EndReason::Agreement => Some(Ended::Board(Outcome::Draw(DrawReason::Agreement))),
        EndReason::NoPieces
        | EndReason::NoMoves
        | EndReason::Repetition
        | EndReason::KingsAgainstKing
        | EndReason::KingMoves
        | EndReason::NoProgress
        | EndReason::MainRoad
        | EndReason::FewPieces
        | EndReason::PlyLimit
        | EndReason::PlayerLeft
        | EndReason::Aborted
        | EndReason::Adjudication
        | EndReason::Forfeit => None,
    }
}

/// What belongs to no game that runs: the end of one that was ended as it ended by itself is
/// told as an error.
fn pass_over(message: &ServerMessage) -> Result<(), Failure> {
    match message {
        ServerMessage::Error { code, message, .. } if *code != ErrorCode::NoGame => {
            Err(nonsense(message.clone()))
        }
        ServerMessage::YourTurn { .. } => Err(nonsense("the director is asked to move")),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{engine_plan, pairing};

    /// How a game that has just begun ends by the server's word, if that can be.
    fn told(result: GameResult, reason: EndReason) -> Option<(GameResult, EndReason)> {
        let plan = engine_plan(&["random", "random"]);
        let open = OpenGame::begin(&plan, &plan.orders(&pairing(0))[0]);
        let ended = told_end(&open, result, reason).ok()?;
        let game = open.close(ended);
        Some((game.result, game.reason))
    }

    #[test]
    fn players_end_games_beside_the_board() {
        for end in [
            (GameResult::BlackWon, EndReason::Time),
            (GameResult::WhiteWon, EndReason::Resignation),
            (GameResult::BlackWon, EndReason::Resignation),
            (GameResult::Draw, EndReason::Agreement),
        ] {
            assert_eq!(told(end.0, end.1), Some(end));
        }
    }

    #[test]
    fn ends_that_cannot_be_are_not_believed() {
        for (result, reason) in [
            (GameResult::WhiteWon, EndReason::Time),
            (GameResult::Draw, EndReason::TimeAgainstKing),
            (GameResult::Draw, EndReason::Resignation),
            (GameResult::WhiteWon, EndReason::Agreement),
            (GameResult::WhiteWon, EndReason::NoMoves),
            (GameResult::Interrupted, EndReason::Aborted),
        ] {
            assert_eq!(told(result, reason), None, "{result:?} by {reason:?}");
        }
    }
}
