//! Who may have a bot sit down, and where.

use std::io;
use std::time::Duration;

use checkers_lib::Color;
use checkers_lib::protocol::{BotRequest, BotRequests, ErrorCode, Refusal};
use tracing::error;

use super::analysis::Analyst;
use super::player::{BotPlayer, Conduct};
use super::pool::Pool;
use super::request::{BotLimits, RequestedBot};
use crate::metrics::BotMetrics;
use crate::shard::TableHandle;
use crate::store::TokenHash;
use crate::table::TableStatus;

/// The bots of a server.
#[derive(Clone)]
pub(crate) struct Bots {
    pool: Pool,
    analyst: Analyst,
    conduct: Conduct,
}

impl Bots {
    /// Starts the threads that search. Bots that play each other take `pace` for a move, and a bot
    /// waits for `patience` where it does not play.
    ///
    /// # Errors
    /// The system starts no thread.
    pub(crate) fn start(
        limits: BotLimits,
        pace: Duration,
        patience: Duration,
        metrics: BotMetrics,
    ) -> io::Result<Bots> {
        let pool = Pool::start(limits, metrics)?;
        Ok(Bots {
            analyst: Analyst::new(pool.clone()),
            pool,
            conduct: Conduct { pace, patience },
        })
    }

    /// Who analyses positions on the bots' threads.
    pub(crate) fn analyst(&self) -> &Analyst {
        &self.analyst
    }

    /// Checks that the server plays such bots.
    ///
    /// # Errors
    /// `bad_bot`, or `bots_busy` if there is not a place for each.
    pub(crate) fn check(&self, requests: &BotRequests) -> Result<(), Refusal> {
        let requests = [&requests.white, &requests.black].into_iter().flatten();
        let mut places = Vec::new();
        for request in requests {
            let wanted = self.read(request)?;
            places.push(self.pool.seat(wanted.spec)?);
        }
        Ok(())
    }

    /// Lets a bot take a seat: this one, or else any. Whoever has the key in `by` asks for it;
    /// without one, the server does. If somebody else sits down before the bot does, the table says
    /// so to both.
    ///
    /// # Errors
    /// `bad_bot`, `bots_busy`, `seat_taken`; `forbidden` where a director gives the seats, or where
    /// others sit.
    pub(crate) fn seat_bot(
        &self,
        table: &TableHandle,
        color: Option<Color>,
        request: &BotRequest,
        by: Option<TokenHash>,
    ) -> Result<(), Refusal> {
        let wanted = self.read(request)?;
        {
            let status = table.status();
            status.check_host(by)?;
            check_free(&status, color)?;
        }
        let bot = self.pool.seat(wanted.spec.clone())?;
        let player = BotPlayer::new(table.clone(), color, wanted, bot, self.conduct);
        tokio::spawn(player.brought_by(by).run());
        Ok(())
    }

    /// Lets the bots of a table come back to it after a restart.
    pub(crate) fn return_to(&self, table: &TableHandle) {
        let seats = table.status().seats.clone();
        for (color, seat) in seats.iter() {
            let Some((seat, label)) = seat
                .as_ref()
                .and_then(|seat| Some((seat, seat.bot.as_ref()?)))
            else {
                continue;
            };
            match RequestedBot::labelled(label) {
                Ok(wanted) => {
                    let bot = self.pool.seat_again(wanted.spec.clone());
                    let player =
                        BotPlayer::new(table.clone(), Some(color), wanted, bot, self.conduct);
                    tokio::spawn(player.called(&seat.name).run());
                }
                Err(error) => error!(table = table.id(), %error, "a bot cannot come back"),
            }
        }
    }

    fn read(&self, request: &BotRequest) -> Result<RequestedBot, Refusal> {
        let wanted = RequestedBot::try_from(request)?;
        self.pool.check(&wanted.spec)?;
        Ok(wanted)
    }
}

impl std::fmt::Debug for Bots {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Bots")
            .field("conduct", &self.conduct)
            .finish_non_exhaustive()
    }
}

/// Checks that the seat that is wanted, or else any, is free.
fn check_free(status: &TableStatus, wanted: Option<Color>) -> Result<(), Refusal> {
    let fits = |color: &Color| wanted.is_none_or(|wanted| wanted == *color);
    let mut seats = Color::ALL.into_iter().filter(fits);
    if seats.any(|color| status.seats[color].is_none()) {
        Ok(())
    } else {
        Err(Refusal::new(ErrorCode::SeatTaken, "somebody sits there"))
    }
}
