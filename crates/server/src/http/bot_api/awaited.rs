//! Which messages of the server answer a call. Pure.

use std::time::Instant;

use checkers_lib::protocol::{ClientMessage, ErrorCode, Meant, Refusal, SeatWish, ServerMessage};
use serde_json::{Value, json};

use super::action::{ActionResult, ActionStep, ok, send};
use super::error::BotApiError;
use super::tables::BotTables;

/// The answer that a call waits for; texts are ids of tables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Awaited {
    Moved(AwaitedMove),
    /// That the table has handled a request.
    Handled(String),
    /// The same for the offer of a draw beside a move, which may be refused.
    DrawBesideMove(String),
    /// The same for a move, after the end of the game.
    TooLate(String),
    /// The same, after an error has answered the call.
    Refused(String),
    /// A new table, for a game against the server if that is true.
    Created(bool),
    /// The bot's seat at a new table, where it has challenged somebody.
    Challenged(String),
    /// The state of a table that the session does not know.
    Entered(String),
    /// The challenger's seat at a table that the bot has entered.
    Challenger(String),
    /// The game for which the bot has taken a seat.
    Started(String),
    /// The next game at a table.
    StartedAgain(String),
    ChallengeDeclined(String),
    /// That the bot has given up its seat.
    SeatLeft(String),
    /// That the bot has left the table.
    Left(String),
}

/// A move, and the number of the game in which a draw is offered afterwards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct AwaitedMove {
    pub(super) table: String,
    pub(super) ply: u32,
    pub(super) id: String,
    pub(super) draw: Option<u64>,
}

/// The table whose call a message may answer; an empty id for one that creates a table.
pub(super) fn table_of(message: &ServerMessage) -> Option<&str> {
    use ServerMessage as M;
    match message {
        M::TableCreated { .. } | M::Error { table: None, .. } => Some(""),
        M::TableState(state) => Some(&state.table),
        M::GameStarted(game) => Some(&game.table),
        M::Error {
            table: Some(table), ..
        }
        | M::Players { table, .. }
        | M::Moved { table, .. }
        | M::Acknowledged { table, .. }
        | M::GameOver { table, .. }
        | M::Unwatched { table }
        | M::TableClosed { table, .. }
        | M::ChallengeDeclined { table, .. }
        | M::ChallengeWithdrawn { table } => Some(table),
        _ => None,
    }
}

impl Awaited {
    /// The table that has to answer; an empty id until it is created.
    pub(super) fn table(&self) -> &str {
        match self {
            Awaited::Created(_) => "",
            Awaited::Moved(awaited) => &awaited.table,
            Awaited::Handled(table)
            | Awaited::DrawBesideMove(table)
            | Awaited::TooLate(table)
            | Awaited::Refused(table)
            | Awaited::Challenged(table)
            | Awaited::Entered(table)
            | Awaited::Challenger(table)
            | Awaited::Started(table)
            | Awaited::StartedAgain(table)
            | Awaited::ChallengeDeclined(table)
            | Awaited::SeatLeft(table)
            | Awaited::Left(table) => table,
        }
    }

    /// Whether a ping follows the request. What answers it need not be recognised then: it comes before the pong,
    /// and so does an error.
    pub(super) fn ends_with_pong(&self) -> bool {
        matches!(
            self,
            Awaited::Handled(_)
                | Awaited::DrawBesideMove(_)
                | Awaited::TooLate(_)
                | Awaited::Refused(_)
                | Awaited::SeatLeft(_)
        )
    }

    /// What follows from a message about the table that `tables` has taken in already, or from the pong; `None` if
    /// the answer is still to come.
    pub(super) fn next(
        &self,
        message: &ServerMessage,
        tables: &mut BotTables,
    ) -> Option<ActionResult> {
        use ServerMessage as M;
        match message {
            M::Error { code, message, .. } => {
                self.after_error(Refusal::new(*code, message.clone()))
            }
            M::Pong(_) => self.after_pong(),
            M::TableClosed { .. } | M::Unwatched { .. } => self.after_table(),
            M::TableState(_) if self.ends_with_pong() => self.after_move_of_table(),
            message => self.after(message, tables),
        }
    }

    fn after_error(&self, refusal: Refusal) -> Option<ActionResult> {
        match self {
            Awaited::DrawBesideMove(_) | Awaited::Refused(_) => None,
            Awaited::Left(_) => Some(Ok(ActionStep::Done(ok()))),
            _ => Some(Err(refusal.into())),
        }
    }

    fn after_pong(&self) -> Option<ActionResult> {
        Some(match self {
            Awaited::Handled(_) | Awaited::DrawBesideMove(_) | Awaited::Refused(_) => {
                Ok(ActionStep::Done(ok()))
            }
            Awaited::TooLate(_) => Err(BotApiError::bad("the game is over")),
            Awaited::SeatLeft(table) => Ok(leave(table)),
            _ => return None,
        })
    }

    /// The table is closed, or the bot has left it.
    fn after_table(&self) -> Option<ActionResult> {
        match self {
            Awaited::DrawBesideMove(_)
            | Awaited::Refused(_)
            | Awaited::SeatLeft(_)
            | Awaited::Left(_) => Some(Ok(ActionStep::Done(ok()))),
            Awaited::ChallengeDeclined(_) => None,
            _ => {
                let refusal = Refusal::new(ErrorCode::NoSuchTable, "the table is closed");
                Some(Err(refusal.into()))
            }
        }
    }

    /// The table is at another node now. The request or its answer may be lost, and so may the pong.
    fn after_move_of_table(&self) -> Option<ActionResult> {
        Some(match self {
            Awaited::Handled(_) => Err(BotApiError::busy(
                "the table has moved to another machine, perhaps before this call: see its game, and try again",
            )),
            Awaited::SeatLeft(table) => Ok(leave_seat(table)),
            _ => return self.after_pong(),
        })
    }

    fn after(&self, message: &ServerMessage, tables: &mut BotTables) -> Option<ActionResult> {
        use ServerMessage as M;
        Some(match (self, message) {
            (
                Awaited::Moved(awaited),
                M::Moved {
                    id: Some(played), ..
                },
            ) if *played == awaited.id => Ok(after_move(awaited, tables)),
            // The id is that of the move when it was played.
            (Awaited::Moved(awaited), M::Acknowledged { ply, .. }) if *ply == awaited.ply => {
                Ok(after_move(awaited, tables))
            }
            // An error follows, unless the move came when the time was up.
            (Awaited::Moved(awaited), M::GameOver { .. }) => {
                Ok(ActionStep::Ping(Awaited::TooLate(awaited.table.clone())))
            }
            (Awaited::Created(is_against_server), M::TableCreated { table }) => {
                let table = table.clone();
                Ok(ActionStep::Wait(match is_against_server {
                    true => Awaited::Started(table),
                    false => Awaited::Challenged(table),
                }))
            }
            (Awaited::Challenged(table), _) => Ok(ActionStep::Done(tables.note_challenge(table)?)),
            (Awaited::Entered(table), M::TableState(_)) => match tables.plays_at(table) {
                true => Ok(ActionStep::Done(Value::Null)),
                false => Err(BotApiError::not_found("no such game, or it is not yours")),
            },
            (Awaited::Challenger(_) | Awaited::Started(_), M::ChallengeWithdrawn { .. }) => {
                Err(BotApiError::not_found("the challenge has been withdrawn"))
            }
            (Awaited::Challenger(table), _) if has_challenger(table, tables) => {
                let color = SeatWish::Random;
                let awaited = Awaited::Started(table.clone());
                Ok(send(table, ClientMessage::TakeSeat { color }, awaited))
            }
            (Awaited::Started(table) | Awaited::StartedAgain(table), M::GameStarted(_)) => {
                Ok(ActionStep::Done(started(table, tables)))
            }
            (Awaited::ChallengeDeclined(_), M::ChallengeDeclined { .. }) => {
                Ok(ActionStep::Done(ok()))
            }
            _ => return None,
        })
    }

    /// Why a call fails when the answer does not come in time; `None` if it may have had its effect.
    pub(super) fn late(&self) -> Option<BotApiError> {
        match self {
            Awaited::Entered(_) => Some(BotApiError::busy("the table does not answer: try again")),
            Awaited::Challenger(_) => {
                Some(BotApiError::not_found("the challenger is not at the table"))
            }
            Awaited::Challenged(_) | Awaited::Started(_) => {
                Some(BotApiError::busy("the game does not begin: try again"))
            }
            _ => None,
        }
    }

    /// What follows a call that has failed, so that nothing is left open.
    pub(super) fn undo(&self) -> Option<ActionStep> {
        match self {
            Awaited::Challenged(table) | Awaited::Started(table) => Some(leave_seat(table)),
            Awaited::Entered(table) | Awaited::Challenger(table) | Awaited::SeatLeft(table) => {
                Some(leave(table))
            }
            // No other error of the request answers the next call.
            Awaited::Handled(table) | Awaited::TooLate(table) => {
                Some(ActionStep::Ping(Awaited::Refused(table.clone())))
            }
            _ => None,
        }
    }
}

pub(super) fn leave_seat(table: &str) -> ActionStep {
    let awaited = Awaited::SeatLeft(table.to_owned());
    send(table, ClientMessage::LeaveSeat, awaited)
}

fn leave(table: &str) -> ActionStep {
    send(
        table,
        ClientMessage::Unwatch,
        Awaited::Left(table.to_owned()),
    )
}

fn after_move(AwaitedMove { table, draw, .. }: &AwaitedMove, tables: &BotTables) -> ActionStep {
    let game = tables.table(table).and_then(|table| table.game.as_ref());
    let is_running = |number| game.is_some_and(|game| game.game == number && game.result.is_none());
    match draw.filter(|&number| is_running(number)) {
        Some(number) => {
            let meant = Meant { game: Some(number) };
            let offer = ClientMessage::OfferDraw(meant);
            send(table, offer, Awaited::DrawBesideMove(table.clone()))
        }
        None => ActionStep::Done(ok()),
    }
}

fn has_challenger(table: &str, tables: &BotTables) -> bool {
    let table = tables.table(table);
    table.is_some_and(|table| table.seated.iter().any(|(_, name)| *name != tables.name))
}

/// The answer to a call that has started a game.
fn started(table: &str, tables: &BotTables) -> Value {
    let game = tables.table(table).and_then(|table| table.game.as_ref());
    let Some((table, game, own)) = game.and_then(|game| tables.game(&game.id)) else {
        return ok();
    };
    let mut started = table.view(game, Instant::now()).playing(own);
    started["id"] = json!(game.id);
    started["player"] = json!(own);
    started["ok"] = json!(true);
    started
}
