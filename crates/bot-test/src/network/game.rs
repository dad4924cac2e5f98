//! One game, as the director sees it.

use std::time::Instant;

use checkers_lib::protocol::{ClientMessage, EndReason, ErrorCode, GameResult, ServerMessage};

use super::validate::{check_start, pass_over, play, reported_end};
use super::{NetworkWorker, ProcessEvent, failed, nonsense, unreachable};
use crate::failure::milliseconds;
use crate::open_game::{GameEnd, OpenGame};
use crate::{BotId, Failure, Fault, Forfeit, GameOrder, GameRecord, ServerFault, Timeouts};

/// What brings a game to its end.
enum GameEndCause {
    /// The server says so.
    Reported(GameEnd),
    Left(BotId),
    /// The director's judgement.
    Judged(GameEnd),
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

impl NetworkWorker {
    /// Plays a game to its end, also if bots fail.
    ///
    /// # Errors
    /// The server's failure.
    pub(super) async fn play_game(&mut self, order: &GameOrder) -> Result<GameRecord, Failure> {
        self.open().await?;
        let mut open = OpenGame::begin(&self.plan, order);
        let bots = [order.seats.white, order.seats.black];
        let absent = match self.gather(order.number, bots).await? {
            Ok(()) => self.begin(order, &open).await?,
            Err(forfeit) => Some(forfeit),
        };
        if let Some(forfeit) = absent {
            self.dismiss(forfeit.bot).await;
            return Ok(open.close(GameEnd::Forfeit(forfeit)));
        }
        let end = self.follow(&mut open).await?;
        self.finish(open, end).await
    }

    /// Arranges the game and waits for its beginning; a bot may turn out to be absent.
    async fn begin(
        &mut self,
        order: &GameOrder,
        open: &OpenGame,
    ) -> Result<Option<Forfeit>, Failure> {
        let token = self.server()?.token.clone();
        let players = self.players(order)?;
        self.send(&arrangement(order, token, players, self.clocks(order)))
            .await?;
        let limit = self.config.timeouts.connect;
        let until = Instant::now() + limit;
        loop {
            let message = match self.next(until).await? {
                ProcessEvent::Reported(message) => message,
                ProcessEvent::Noted => continue,
                ProcessEvent::TimeIsOver => {
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

    /// Which of the bots is absent, and why.
    async fn find_absent(&mut self, order: &GameOrder) -> Result<Forfeit, Failure> {
        let until = Instant::now() + super::SETTLE;
        loop {
            for bot in [order.seats.white, order.seats.black] {
                if !self.sees(bot) {
                    let fault = self.fault_of_leaving(bot, None).await?;
                    return Ok(self.forfeit(bot, fault));
                }
            }
            if let ProcessEvent::TimeIsOver = self.next(until).await? {
                return Err(nonsense("it misses a player that it lists"));
            }
        }
    }

    async fn follow(&mut self, open: &mut OpenGame) -> Result<GameEndCause, Failure> {
        let timeouts = self.config.timeouts;
        let mut watch = Watch::start();
        loop {
            let message = match self.next(watch.deadline(timeouts)).await? {
                ProcessEvent::Reported(message) => message,
                ProcessEvent::Noted => continue,
                ProcessEvent::TimeIsOver => {
                    // A server that does not answer cannot accept moves.
                    self.check_server().await?;
                    return Ok(if watch.is_move_late(timeouts) {
                        GameEndCause::TimeOut
                    } else {
                        GameEndCause::TooLong
                    });
                }
            };
            match *message {
                ServerMessage::Moved { game, played, .. } if game == open.number() => {
                    watch.turn = Instant::now();
                    if let Some(verdict) = play(open, &played)? {
                        return Ok(GameEndCause::Judged(verdict));
                    }
                }
                ServerMessage::MoveRefused {
                    game,
                    text,
                    message,
                    ..
                } if game == open.number() => {
                    return Ok(GameEndCause::Illegal(format!("{text:?}: {message}")));
                }
                ServerMessage::Misbehaved {
                    game,
                    color,
                    message,
                    ..
                } if game == open.number() => {
                    let bot = open.seats().player(color.into());
                    return Ok(GameEndCause::Failed(bot, Fault::Protocol { message }));
                }
                ServerMessage::GameOver {
                    game,
                    left: Some(side),
                    ..
                } if game == open.number() => {
                    return Ok(GameEndCause::Left(open.seats().player(side.into())));
                }
                ServerMessage::GameOver {
                    game,
                    result,
                    reason,
                    ..
                } if game == open.number() => {
                    return reported_end(open, result, reason).map(GameEndCause::Reported);
                }
                message => pass_over(&message)?,
            }
        }
    }

    async fn finish(&mut self, open: OpenGame, end: GameEndCause) -> Result<GameRecord, Failure> {
        match end {
            GameEndCause::Reported(ended) => Ok(open.close(ended)),
            GameEndCause::Left(bot) => {
                let fen = open.game().position().to_string();
                let fault = self.fault_of_leaving(bot, Some(&fen)).await?;
                let forfeit = self.forfeit(bot, fault);
                self.dismiss(bot).await;
                Ok(open.close(GameEnd::Forfeit(forfeit)))
            }
            GameEndCause::Judged(verdict) => self.rule(open, verdict).await,
            GameEndCause::Failed(bot, fault) => self.forfeit_game(open, bot, fault).await,
            GameEndCause::Illegal(message) => {
                let fen = open.game().position().to_string();
                let bot = open.to_move();
                self.forfeit_game(open, bot, Fault::IllegalMove { fen, message })
                    .await
            }
            GameEndCause::TimeOut => {
                let waited_ms = milliseconds(self.config.timeouts.per_move);
                let fen = open.game().position().to_string();
                let bot = open.to_move();
                self.forfeit_game(open, bot, Fault::TimeOut { waited_ms, fen })
                    .await
            }
            GameEndCause::TooLong => {
                let limit_ms = milliseconds(self.config.timeouts.per_game);
                self.rule(open, GameEnd::TooLong { limit_ms }).await
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
        let record = self.rule(open, GameEnd::Forfeit(forfeit)).await?;
        self.dismiss(bot).await;
        Ok(record)
    }

    /// Ends a game that the board has not ended.
    async fn rule(&mut self, open: OpenGame, ended: GameEnd) -> Result<GameRecord, Failure> {
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
        let until = Instant::now() + self.config.timeouts.connect;
        loop {
            match self.next(until).await? {
                ProcessEvent::Reported(message) => match *message {
                    ServerMessage::GameOver { game: over, .. } if over == game => return Ok(()),
                    message => pass_over(&message)?,
                },
                ProcessEvent::Noted => {}
                ProcessEvent::TimeIsOver => return Err(unreachable("it does not end a game")),
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
