//! Computer opponents: bots that the server itself seats at its tables.
//!
//! A bot at a table is a client without a connection: a [`Guest`](guest::Guest) comes in, takes its
//! seat, hears what all hear and says what all can say, so that tables know nothing of bots but
//! their names. [`Bots`] invites them. They think, one move at a time each, on a few threads that all
//! tables share: the [`Pool`](pool::Pool), whoever is in the greatest hurry first ([`urgency`]). What they answer to offers is in [`manners`]. The same threads
//! analyse positions for people: the [`Analyst`].

mod analysis;
mod followed;
mod guest;
mod invitation;
mod manners;
mod pool;
mod request;
mod stay;
mod urgency;

pub(crate) use analysis::{Analyst, Busy, Line, Wish};
pub(crate) use invitation::Bots;
pub(crate) use request::{BotLimits, is_name_of_a_bot};
