//! Which messages of the server answer a call. Pure.

use std::time::Instant;

use checkers_lib::protocol::{
    ClientMessage, ErrorCode, Meant, Offer, Refusal, SeatWish, ServerMessage,
};
use serde_json::{Value, json};

use super::action::{Outcome, Step, ok, send};
use super::tables::BotTables;

/// The answer that a call waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Awaited {
    /// A move with this id at this table; afterwards a draw is offered in the game with this number.
    Moved(String, String, Option<u64>),
    /// The answer to the offer of a draw beside a move, which may be refused.
    DrawBesideMove(String),
    Offered(String, Offer),
    Declined(String, Offer),
    Over(String),
    Said(String),
    /// A new table, for a game against the server if that is true.
    Created(bool),
    /// The bot's seat at a new table, where it has challenged somebody.
    Challenged(String),
    /// The challenger's seat at a table that the bot has entered.
    Challenger(String),
    Started(String),
    ChallengeDeclined(String),
    /// That the bot has given up its seat.
    SeatLeft(String),
    /// That the bot has left the table.
    Left(String),
}

impl Awaited {
    /// What follows from a message that `tables` has taken in already.
    pub(super) fn next(self, message: &ServerMessage, tables: &mut BotTables) -> Outcome {
        if let ServerMessage::Error { code, message, .. } = message {
            return match self {
                Awaited::DrawBesideMove(_) => Ok(Step::Done(ok())),
                _ => Err(Refusal::new(*code, message.clone()).into()),
            };
        }
        if let (
            ServerMessage::TableClosed { table, .. } | ServerMessage::Unwatched { table },
            Some(awaited),
        ) = (message, self.table())
            && table == awaited
        {
            return match self {
                Awaited::SeatLeft(_) | Awaited::Left(_) => Ok(Step::Done(ok())),
                _ => Err(Refusal::new(ErrorCode::NoSuchTable, "the table is closed").into()),
            };
        }
        Ok(self.after(message, tables))
    }

    fn table(&self) -> Option<&str> {
        match self {
            Awaited::Created(_) | Awaited::ChallengeDeclined(_) => None,
            Awaited::Moved(table, ..)
            | Awaited::DrawBesideMove(table)
            | Awaited::Offered(table, _)
            | Awaited::Declined(table, _)
            | Awaited::Over(table)
            | Awaited::Said(table)
            | Awaited::Challenged(table)
            | Awaited::Challenger(table)
            | Awaited::Started(table)
            | Awaited::SeatLeft(table)
            | Awaited::Left(table) => Some(table),
        }
    }

    fn after(self, message: &ServerMessage, tables: &mut BotTables) -> Step {
        use ServerMessage as M;
        match (self, message) {
            (
                Awaited::Moved(table, id, draw),
                M::Moved {
                    id: Some(played), ..
                },
            ) if *played == id => after_move(table, draw, tables),
            // The id is that of the move when it was played.
            (Awaited::Moved(table, _, draw), M::Acknowledged { table: at, .. }) if *at == table => {
                after_move(table, draw, tables)
            }
            (Awaited::Created(is_against_server), M::TableCreated { table }) => {
                let table = table.clone();
                Step::Wait(match is_against_server {
                    true => Awaited::Started(table),
                    false => Awaited::Challenged(table),
                })
            }
            (Awaited::Challenged(table), _) => match tables.note_challenge(&table) {
                Some(challenge) => Step::Done(challenge),
                None => Step::Wait(Awaited::Challenged(table)),
            },
            (Awaited::Challenger(table), _) if has_challenger(&table, tables) => {
                let color = SeatWish::Random;
                let awaited = Awaited::Started(table.clone());
                send(&table, ClientMessage::TakeSeat { color }, awaited)
            }
            (Awaited::Started(table), M::GameStarted(game)) if game.table == table => {
                Step::Done(started(&table, tables))
            }
            (Awaited::Offered(table, _) | Awaited::DrawBesideMove(table), message)
                if is_answer_to_offer(message, &table) =>
            {
                Step::Done(ok())
            }
            (
                Awaited::Declined(table, wanted),
                M::Declined {
                    table: at, offer, ..
                }
                | M::Lapsed {
                    table: at, offer, ..
                },
            ) if *at == table && *offer == wanted => Step::Done(ok()),
            (Awaited::SeatLeft(table), M::Players { table: at, .. }) if *at == table => {
                send(&table, ClientMessage::Unwatch, Awaited::Left(table.clone()))
            }
            (Awaited::Over(table) | Awaited::Declined(table, _), M::GameOver { table: at, .. })
            | (Awaited::Said(table), M::Said { table: at, .. })
            | (Awaited::ChallengeDeclined(table), M::ChallengeDeclined { table: at, .. })
                if *at == table =>
            {
                Step::Done(ok())
            }
            (awaited, _) => Step::Wait(awaited),
        }
    }
}

fn after_move(table: String, draw: Option<u64>, tables: &BotTables) -> Step {
    let game = tables.table(&table).and_then(|table| table.game.as_ref());
    let is_running = |number| game.is_some_and(|game| game.game == number && game.result.is_none());
    match draw.filter(|&number| is_running(number)) {
        Some(number) => {
            let meant = Meant { game: Some(number) };
            let offer = ClientMessage::OfferDraw(meant);
            send(&table, offer, Awaited::DrawBesideMove(table.clone()))
        }
        None => Step::Done(ok()),
    }
}

fn is_answer_to_offer(message: &ServerMessage, table: &str) -> bool {
    match message {
        ServerMessage::Offered { table: at, .. }
        | ServerMessage::TookBack { table: at, .. }
        | ServerMessage::GameOver { table: at, .. } => at == table,
        _ => false,
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
