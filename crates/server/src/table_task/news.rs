//! What is told of what has happened, written down as soon as it has.
//!
//! It is told only once it is durable. Until then nothing is kept of it but what goes over the wire,
//! so that a table that waits for the log takes little memory, and what it is told comes soon.

use checkers_lib::protocol::{
    ClosedReason, EndReason, GameResult, GameState, PlayedMove, ServerMessage, Since,
};
use tracing::debug;

use super::frame::Frame;
use crate::table::{ClientId, Effect, MoveTold};

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

/// How many of the effects come before the first record of another stream than the first one's: they
/// are remembered together, and what is among them is told once that is durable.
pub(super) fn length_of_part(effects: &[Effect]) -> usize {
    let Some(first) = effects.iter().find_map(Effect::record) else {
        return effects.len();
    };
    let is_of_another = |effect: &Effect| {
        let record = effect.record();
        record.is_some_and(|record| record.game != first.game)
    };
    let other = effects.iter().position(is_of_another);
    other.unwrap_or(effects.len())
}

/// What the effects tell.
pub(super) fn news_of(effects: &[Effect]) -> Vec<News> {
    let mut news = Vec::with_capacity(effects.len());
    news.extend(effects.iter().filter_map(News::of));
    news
}

impl News {
    fn of(effect: &Effect) -> Option<News> {
        Some(match effect {
            Effect::Record(_) => return None,
            Effect::Tell(who, message) => {
                if let ServerMessage::Error { code, message, .. } = message {
                    debug!(client = who.0, ?code, message, "refused");
                }
                News::Tell(*who, Frame::new(message))
            }
            Effect::TellAll(players @ ServerMessage::Players { .. }) => {
                News::Players(Box::new(players.clone()))
            }
            Effect::TellAll(message) => News::TellAll(Announcement::of(message)),
            Effect::CatchUp(who, since) => News::CatchUp(*who, *since),
            Effect::Show(who) => News::Show(*who),
            Effect::Release(who) => News::Release(*who),
            Effect::Close(reason) => News::Close(*reason),
        })
    }
}

impl Announcement {
    pub(super) fn of_move(told: &MoveTold<'_>) -> Announcement {
        let ply = told.played.ply;
        Announcement {
            frame: Frame::of_move(told),
            event: Some((told.game, told.seq)),
            step: Some(Step::Move { ply }),
        }
    }

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
