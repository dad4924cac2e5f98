//! What a bot does, as messages to the server. Pure.

use checkers_lib::protocol::{
    Addressed, ClaimedResult, ClientMessage, CreateTable, Meant, Offer, Phrase, Watch,
};
use serde_json::{Value, json};

use super::awaited::{Awaited, AwaitedMove, leave_seat};
use super::error::BotApiError;
use super::tables::BotTables;

/// What a call asks for; ids are those of games and challenges.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum BotAction {
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
pub(super) enum ActionStep {
    /// The call is answered.
    Done(Value),
    /// Send this, then wait.
    Send(Box<Addressed>, Awaited),
    /// Send only the ping that ends the answers, then wait.
    Ping(Awaited),
    Wait(Awaited),
}

pub(super) type ActionResult = Result<ActionStep, BotApiError>;

pub(super) fn ok() -> Value {
    json!({"ok": true})
}

impl BotAction {
    /// The game or the challenge that it is about.
    pub(super) fn about(&self) -> Option<&str> {
        match self {
            BotAction::Accept(id) | BotAction::Decline(id) | BotAction::Cancel(id) => Some(id),
            action => action.game(),
        }
    }

    /// The game that it is about.
    pub(super) fn game(&self) -> Option<&str> {
        match self {
            BotAction::Move { game, .. }
            | BotAction::Resign(game)
            | BotAction::Abort(game)
            | BotAction::Agree(game, ..)
            | BotAction::Claim(game, _)
            | BotAction::Say(game, _) => Some(game),
            BotAction::Challenge(_)
            | BotAction::PlayLevel(_)
            | BotAction::Accept(_)
            | BotAction::Decline(_)
            | BotAction::Cancel(_) => None,
        }
    }

    /// The first step.
    pub(super) fn begin(self, tables: &BotTables, id: &str) -> ActionResult {
        match self {
            BotAction::Move {
                game,
                text,
                offers_draw,
            } => play(tables, &game, text, offers_draw, id),
            BotAction::Resign(game) => in_game(tables, &game, ClientMessage::Resign),
            BotAction::Abort(game) => in_game(tables, &game, ClientMessage::Abort),
            BotAction::Agree(game, offer, agrees) => agree(tables, &game, offer, agrees),
            BotAction::Claim(game, result) => {
                in_game(tables, &game, |_| ClientMessage::Claim { result })
            }
            BotAction::Say(game, phrase) => {
                in_game(tables, &game, |_| ClientMessage::Say { phrase })
            }
            BotAction::Challenge(wanted) => Ok(create(*wanted, false)),
            BotAction::PlayLevel(wanted) => Ok(create(*wanted, true)),
            BotAction::Accept(id) => accept(tables, &id),
            BotAction::Decline(id) => decline(tables, &id),
            BotAction::Cancel(id) => cancel(tables, &id),
        }
    }
}

pub(super) fn send(table: &str, message: ClientMessage, awaited: Awaited) -> ActionStep {
    ActionStep::Send(Box::new(Addressed::to(table, message)), awaited)
}

/// A request whose answer need not be recognised.
fn request(table: &str, message: ClientMessage) -> ActionStep {
    send(table, message, Awaited::Handled(table.to_owned()))
}

fn play(
    tables: &BotTables,
    id: &str,
    text: String,
    offers_draw: bool,
    move_id: &str,
) -> ActionResult {
    let (table, game, own) = tables.game(id).ok_or_else(no_such_game)?;
    let ply = match game.turn == own {
        true if table.repeats_own_move(&text) => return Ok(ActionStep::Done(ok())),
        true => game.ply,
        // A move that is sent again is acknowledged.
        false => game.ply.saturating_sub(1),
    };
    let message = ClientMessage::Move {
        game: Some(game.game),
        ply,
        text,
        search: None,
        id: Some(move_id.to_owned()),
    };
    let table = &table.info.id;
    let awaited = AwaitedMove {
        table: table.clone(),
        ply,
        id: move_id.to_owned(),
        draw: offers_draw.then_some(game.game),
    };
    Ok(send(table, message, Awaited::Moved(awaited)))
}

fn in_game(
    tables: &BotTables,
    id: &str,
    message: impl FnOnce(Meant) -> ClientMessage,
) -> ActionResult {
    let (table, game, _) = tables.game(id).ok_or_else(no_such_game)?;
    let meant = Meant {
        game: Some(game.game),
    };
    let table = &table.info.id;
    Ok(request(table, message(meant)))
}

fn agree(tables: &BotTables, id: &str, offer: Offer, agrees: bool) -> ActionResult {
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
    let table = &table.info.id;
    Ok(match (agrees, is_open(false)) {
        (true, true) => request(table, accept(meant)),
        (true, false) if is_open(true) => ActionStep::Done(ok()),
        (true, false) => request(table, make(meant)),
        (false, true) => request(table, decline(meant)),
        (false, false) => ActionStep::Done(ok()),
    })
}

fn create(wanted: CreateTable, is_against_server: bool) -> ActionStep {
    let message = Addressed::from(ClientMessage::CreateTable(wanted));
    ActionStep::Send(Box::new(message), Awaited::Created(is_against_server))
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

fn accept(tables: &BotTables, id: &str) -> ActionResult {
    let (table, rematch) = challenged(tables, id)?;
    Ok(match rematch {
        Some(meant) => {
            let message = ClientMessage::AcceptRematch(meant);
            send(table, message, Awaited::StartedAgain(table.to_owned()))
        }
        None => {
            let message = ClientMessage::Watch(Watch::default());
            send(table, message, Awaited::Challenger(table.to_owned()))
        }
    })
}

fn decline(tables: &BotTables, id: &str) -> ActionResult {
    let (table, rematch) = challenged(tables, id)?;
    Ok(match rematch {
        Some(meant) => request(table, ClientMessage::DeclineRematch(meant)),
        None => {
            let awaited = Awaited::ChallengeDeclined(table.to_owned());
            send(table, ClientMessage::DeclineChallenge, awaited)
        }
    })
}

/// Withdraws a challenge, or aborts the game that it has become.
fn cancel(tables: &BotTables, id: &str) -> ActionResult {
    let table = id.rsplit_once('-').map(|(table, _)| table);
    match table.filter(|&table| {
        tables
            .outgoing
            .get(table)
            .is_some_and(|open| open["id"] == id)
    }) {
        Some(table) => Ok(leave_seat(table)),
        None => in_game(tables, id, ClientMessage::Abort),
    }
}

fn no_such_game() -> BotApiError {
    BotApiError::not_found("no such game, or it is not yours")
}
