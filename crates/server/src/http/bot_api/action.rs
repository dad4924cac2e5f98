//! What a bot does, as messages to the server. Pure.

use checkers_lib::protocol::{
    Addressed, ClaimedResult, ClientMessage, CreateTable, Meant, Offer, Phrase, Watch,
};
use serde_json::{Value, json};

use super::awaited::Awaited;
use super::error::BotApiError;
use super::tables::BotTables;

/// What a call asks for; ids are those of games and challenges.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Action {
    Move {
        game: String,
        text: String,
        offers_draw: bool,
    },
    Resign(String),
    Abort(String),
    /// Offers or accepts something, or declines it.
    Agree(String, Offer, bool),
    Claim(String, ClaimedResult),
    Say(String, Phrase),
    /// Challenges a player.
    Challenge(Box<CreateTable>),
    /// Plays against a computer opponent.
    PlayLevel(Box<CreateTable>),
    Accept(String),
    Decline(String),
    Cancel(String),
}

/// What is to be done next.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Step {
    /// The call is answered.
    Done(Value),
    /// Send this, then wait.
    Send(Box<Addressed>, Awaited),
    /// Wait for this.
    Wait(Awaited),
}

pub(super) type Outcome = Result<Step, BotApiError>;

pub(super) fn ok() -> Value {
    json!({"ok": true})
}

impl Action {
    /// The game that it is about.
    pub(super) fn game(&self) -> Option<&str> {
        match self {
            Action::Move { game, .. }
            | Action::Resign(game)
            | Action::Abort(game)
            | Action::Agree(game, ..)
            | Action::Claim(game, _)
            | Action::Say(game, _) => Some(game),
            Action::Challenge(_)
            | Action::PlayLevel(_)
            | Action::Accept(_)
            | Action::Decline(_)
            | Action::Cancel(_) => None,
        }
    }

    /// The first step.
    pub(super) fn begin(self, tables: &BotTables, id: &str) -> Outcome {
        match self {
            Action::Move {
                game,
                text,
                offers_draw,
            } => play(tables, &game, text, offers_draw, id),
            Action::Resign(game) => in_game(tables, &game, ClientMessage::Resign, Awaited::Over),
            Action::Abort(game) => in_game(tables, &game, ClientMessage::Abort, Awaited::Over),
            Action::Agree(game, offer, agrees) => agree(tables, &game, offer, agrees),
            Action::Claim(game, result) => {
                let claim = |_| ClientMessage::Claim { result };
                in_game(tables, &game, claim, Awaited::Over)
            }
            Action::Say(game, phrase) => {
                let say = |_| ClientMessage::Say { phrase };
                in_game(tables, &game, say, Awaited::Said)
            }
            Action::Challenge(wanted) => Ok(create(*wanted, false)),
            Action::PlayLevel(wanted) => Ok(create(*wanted, true)),
            Action::Accept(id) => accept(tables, &id),
            Action::Decline(id) => decline(tables, &id),
            Action::Cancel(id) => cancel(tables, &id),
        }
    }
}

pub(super) fn send(table: &str, message: ClientMessage, awaited: Awaited) -> Step {
    Step::Send(Box::new(Addressed::to(table, message)), awaited)
}

fn play(tables: &BotTables, id: &str, text: String, offers_draw: bool, move_id: &str) -> Outcome {
    let (table, game, own) = tables.game(id).ok_or_else(no_such_game)?;
    let ply = if game.turn == own {
        game.ply
    } else {
        // A move that is sent again is acknowledged.
        game.ply.saturating_sub(1)
    };
    let message = ClientMessage::Move {
        game: Some(game.game),
        ply,
        text,
        search: None,
        id: Some(move_id.to_owned()),
    };
    let table = &table.info.id;
    let draw = offers_draw.then_some(game.game);
    let awaited = Awaited::Moved(table.clone(), move_id.to_owned(), draw);
    Ok(send(table, message, awaited))
}

fn in_game(
    tables: &BotTables,
    id: &str,
    message: impl FnOnce(Meant) -> ClientMessage,
    awaited: impl FnOnce(String) -> Awaited,
) -> Outcome {
    let (table, game, _) = tables.game(id).ok_or_else(no_such_game)?;
    let meant = Meant {
        game: Some(game.game),
    };
    let table = &table.info.id;
    Ok(send(table, message(meant), awaited(table.clone())))
}

fn agree(tables: &BotTables, id: &str, offer: Offer, agrees: bool) -> Outcome {
    let (table, game, own) = tables.game(id).ok_or_else(no_such_game)?;
    let meant = Meant {
        game: Some(game.game),
    };
    let is_open = |is_own: bool| {
        let mut open = game.offers.iter();
        open.any(|open| open.offer == offer && (open.by == own) == is_own)
    };
    let (make, accept, decline): (_, _, fn(Meant) -> ClientMessage) = match offer {
        Offer::Draw => (
            ClientMessage::OfferDraw as fn(Meant) -> ClientMessage,
            ClientMessage::AcceptDraw as fn(Meant) -> ClientMessage,
            ClientMessage::DeclineDraw,
        ),
        Offer::Takeback => (
            ClientMessage::OfferTakeback as fn(Meant) -> ClientMessage,
            ClientMessage::AcceptTakeback as fn(Meant) -> ClientMessage,
            ClientMessage::DeclineTakeback,
        ),
        Offer::Rematch => (
            ClientMessage::OfferRematch as fn(Meant) -> ClientMessage,
            ClientMessage::AcceptRematch as fn(Meant) -> ClientMessage,
            ClientMessage::DeclineRematch,
        ),
    };
    let table = table.info.id.clone();
    let step = match (agrees, is_open(false)) {
        (true, false) if is_open(true) => Step::Done(ok()),
        (true, true) => send(
            &table,
            accept(meant),
            Awaited::Offered(table.clone(), offer),
        ),
        (true, false) => send(&table, make(meant), Awaited::Offered(table.clone(), offer)),
        (false, true) => send(
            &table,
            decline(meant),
            Awaited::Declined(table.clone(), offer),
        ),
        (false, false) => Step::Done(ok()),
    };
    Ok(step)
}

fn create(wanted: CreateTable, is_against_server: bool) -> Step {
    let message = Addressed::from(ClientMessage::CreateTable(wanted));
    Step::Send(Box::new(message), Awaited::Created(is_against_server))
}

/// The table of an open challenge to the bot, and the game of which it offers a rematch.
fn challenged<'a>(
    tables: &'a BotTables,
    id: &'a str,
) -> Result<(&'a str, Option<Meant>), BotApiError> {
    let table = id.rsplit_once('-').map(|(table, _)| table);
    let open = table.and_then(|table| Some((table, tables.incoming.get(table)?)));
    let open = open.filter(|(_, challenge)| challenge["id"] == id);
    let (table, _) = open.ok_or_else(|| BotApiError::not_found("no such challenge"))?;
    let over = tables.table(table).filter(|table| table.rematch.is_some());
    let meant = over
        .and_then(|table| table.game.as_ref())
        .map(|game| Meant {
            game: Some(game.game),
        });
    Ok((table, meant))
}

fn accept(tables: &BotTables, id: &str) -> Outcome {
    let (table, rematch) = challenged(tables, id)?;
    Ok(match rematch {
        Some(meant) => {
            let message = ClientMessage::AcceptRematch(meant);
            send(table, message, Awaited::Started(table.to_owned()))
        }
        None => {
            let message = ClientMessage::Watch(Watch::default());
            send(table, message, Awaited::Challenger(table.to_owned()))
        }
    })
}

fn decline(tables: &BotTables, id: &str) -> Outcome {
    let (table, rematch) = challenged(tables, id)?;
    Ok(match rematch {
        Some(meant) => {
            let message = ClientMessage::DeclineRematch(meant);
            let awaited = Awaited::Declined(table.to_owned(), Offer::Rematch);
            send(table, message, awaited)
        }
        None => {
            let awaited = Awaited::ChallengeDeclined(table.to_owned());
            send(table, ClientMessage::DeclineChallenge, awaited)
        }
    })
}

/// Withdraws a challenge, or aborts the game that it has become.
fn cancel(tables: &BotTables, id: &str) -> Outcome {
    let table = id.rsplit_once('-').map(|(table, _)| table);
    match table.filter(|&table| {
        tables
            .outgoing
            .get(table)
            .is_some_and(|open| open["id"] == id)
    }) {
        Some(table) => {
            let awaited = Awaited::SeatLeft(table.to_owned());
            Ok(send(table, ClientMessage::LeaveSeat, awaited))
        }
        None => in_game(tables, id, ClientMessage::Abort, Awaited::Over),
    }
}

fn no_such_game() -> BotApiError {
    BotApiError::not_found("no such game, or it is not yours")
}
