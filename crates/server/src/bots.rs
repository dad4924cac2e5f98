//! Computer opponents: bots that the server itself seats at its tables.
//!
//! A bot at a table is a client without a connection: a [`BotPlayer`](player::BotPlayer) enters, takes
//! a seat, receives what every client receives and sends what every client can send, so tables know
//! only the names of bots. [`Bots`] seats them. Their searches run on the threads of one
//! [`Pool`](pool::BotPool), ordered by [`deadline`]. [`offer_policy`] says how they answer offers. The
//! same threads analyse positions for people: the [`Analyst`].

mod analysis;
mod deadline;
mod game_mirror;
mod idle_timer;
mod offer_policy;
mod player;
mod pool;
mod request;
mod seating;
mod seats;

pub(crate) use analysis::{AnalysisError, AnalysisLine, AnalysisRequest, Analyst};
pub(crate) use game_mirror::GameMirror;
pub(crate) use request::{BotLimits, is_bot_name};
pub(crate) use seating::Bots;
