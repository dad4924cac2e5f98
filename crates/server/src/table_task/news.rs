//! What is told of what has happened, written down as soon as it has.
//!
//! It is told only once it is durable. Until then nothing is kept of it but what goes over the wire,
//! so that a table that waits for the log takes little memory, and what it is told comes soon.

use std::iter::Peekable;

use checkers_lib::protocol::{
    ClosedReason, EndReason, GameResult, GameState, PlayedMove, ServerMessage, Since,
};
use tracing::debug;

use super::frame::Frame;
use crate::table::{ClientId, Effect, Record};

/// What follows from a command beside its records.
#[derive(Debug)]
pub(super) enum News {
    /// Tell one client.
    Tell(ClientId, Frame),
    /// Tell every client that has entered.
    TellAll(Announcement),
    /// The list of players is another one.
    Players(Box<ServerMessage>),
    /// Tell one client all of what has happened since.
    CatchUp(ClientId, Since),
    /// Tell one client the state.
    Show(ClientId),
    /// Let a client go.
    Release(ClientId),
    /// Serve the table no longer.
    Close(ClosedReason),
}

/// What everybody is told.
#[derive(Debug)]
pub(super) struct Announcement {
    pub(super) frame: Frame,
    /// The game and the number of the event that it tells, if it tells one.
    pub(super) event: Option<(u64, u32)>,
    pub(super) step: Option<Step>,
}

/// A step in the life of a game, which is counted and logged when it is told.
#[derive(Debug)]
pub(crate) enum Step {
    Start {
        id: String,
        white: String,
        black: String,
    },
    Move {
        ply: u32,
    },
    End {
        result: GameResult,
        reason: EndReason,
        ply: u32,
    },
}

/// Takes the effects off that come before the first record of another stream than the first one's:
/// the records, and what is told once they are durable.
pub(super) fn take_part<I>(effects: &mut Peekable<I>) -> (Vec<Record>, Vec<News>)
where
    I: Iterator<Item = Effect>,
{
    let (mut records, mut news) = (Vec::<Record>::new(), Vec::with_capacity(2));
    let is_of_part = |effect: &Effect, records: &[Record]| match (effect, records) {
        (Effect::Record(record), [first, ..]) => record.game == first.game,
        _ => true,
    };
    while let Some(effect) = effects.next_if(|effect| is_of_part(effect, &records)) {
        match effect {
            Effect::Record(record) => records.push(record),
            Effect::Tell(who, message) => {
                if let ServerMessage::Error { code, message, .. } = &message {
                    debug!(client = who.0, ?code, message, "refused");
                }
                news.push(News::Tell(who, Frame::new(&message)));
            }
            Effect::TellAll(players @ ServerMessage::Players { .. }) => {
                news.push(News::Players(Box::new(players)));
            }
            Effect::TellAll(message) => news.push(News::TellAll(Announcement::of(&message))),
            Effect::CatchUp(who, since) => news.push(News::CatchUp(who, since)),
            Effect::Show(who) => news.push(News::Show(who)),
            Effect::Release(who) => news.push(News::Release(who)),
            Effect::Close(reason) => news.push(News::Close(reason)),
        }
    }
    (records, news)
}

impl Announcement {
    pub(super) fn of(message: &ServerMessage) -> Announcement {
        Announcement {
            frame: Frame::new(message),
            event: event(message),
            step: step(message),
        }
    }
}

/// The game and the number of the event that a message tells.
fn event(message: &ServerMessage) -> Option<(u64, u32)> {
    match message {
        ServerMessage::GameStarted(state) => Some((state.game, state.seq)),
        ServerMessage::Moved { game, seq, .. }
        | ServerMessage::TookBack { game, seq, .. }
        | ServerMessage::GameOver { game, seq, .. } => Some((*game, *seq)),
        ServerMessage::Offered { game, seq, .. } | ServerMessage::Declined { game, seq, .. } => {
            Some((*game, (*seq)?))
        }
        _ => None,
    }
}

fn step(message: &ServerMessage) -> Option<Step> {
    match message {
        ServerMessage::GameStarted(GameState {
            id, white, black, ..
        }) => Some(Step::Start {
            id: id.clone(),
            white: white.clone(),
            black: black.clone(),
        }),
        ServerMessage::Moved {
            played: PlayedMove { ply, .. },
            ..
        } => Some(Step::Move { ply: *ply }),
        ServerMessage::GameOver {
            result,
            reason,
            ply,
            ..
        } => Some(Step::End {
            result: *result,
            reason: *reason,
            ply: *ply,
        }),
        _ => None,
    }
}
