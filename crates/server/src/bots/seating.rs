//! SeatPool bots at tables.

use std::io;
use std::time::Duration;

use checkers_lib::Color;
use checkers_lib::protocol::{BotRequest, BotRequests, ErrorCode, Refusal};
use event_store::TokenHash;
use tracing::error;

use super::analysis::Analyst;
use super::player::{BotPlayer, BotTiming};
use super::pool::BotPool;
use super::request::{BotLimits, RequestedBot};
use crate::metrics::BotMetrics;
use crate::route::Place;
use crate::shard::TableHandle;
use crate::table::{ClientId, TableStatus};

/// The bots of a server.
#[derive(Clone)]
pub(crate) struct Bots {
    pool: BotPool,
    analyst: Analyst,
    timing: BotTiming,
}

impl Bots {
    /// Starts the search threads. Bots that play each other take `move_interval` for a move, and a
    /// bot leaves after `idle_timeout` without a game.
    ///
    /// # Errors
    /// A thread cannot be started.
    pub(crate) fn start(
        limits: BotLimits,
        move_interval: Duration,
        idle_timeout: Duration,
        metrics: BotMetrics,
    ) -> io::Result<Bots> {
        let pool = BotPool::start(limits, metrics)?;
        Ok(Bots {
            analyst: Analyst::new(pool.clone()),
            pool,
            timing: BotTiming {
                move_interval,
                idle_timeout,
            },
        })
    }

    /// The analyst, which uses the bots' threads.
    pub(crate) fn analyst(&self) -> &Analyst {
        &self.analyst
    }

    /// Checks that the server can play these bots now.
    ///
    /// # Errors
    /// `bad_bot`, or `bots_busy` if there are too few seats.
    pub(crate) fn check(&self, requests: &BotRequests) -> Result<(), Refusal> {
        let requests = [&requests.white, &requests.black].into_iter().flatten();
        let mut seats = Vec::new();
        for request in requests {
            let wanted = self.read(request)?;
            seats.push(self.pool.seat(wanted.spec)?);
        }
        Ok(())
    }

    /// Seats a bot in this seat, or else in any. `by` is the key of the client that requests it;
    /// `None` is the server. If someone else takes the seat first, the table notifies both.
    ///
    /// # Errors
    /// `bad_bot`, `bots_busy`, `seat_taken`; `forbidden` if a director assigns the seats or the
    /// client may not request a bot.
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
        let player = BotPlayer::new(table.clone(), color, wanted, bot, self.timing);
        tokio::spawn(player.with_host(by).run());
        Ok(())
    }

    /// The same for `who`, wherever the table is: the bots of a table play on its node.
    ///
    /// # Errors
    /// As [`Bots::seat_bot`] if the table is here; otherwise the client gets the refusal.
    pub(crate) async fn request_bot(
        &self,
        table: &TableHandle,
        color: Option<Color>,
        request: &BotRequest,
        (who, by): (ClientId, Option<TokenHash>),
    ) -> Result<(), Refusal> {
        if table.place() == Place::Here {
            return self.seat_bot(table, color, request, by);
        }
        table.add_bot(who, color, request.clone(), by).await;
        Ok(())
    }

    /// Seats the bots of a restored table again.
    pub(crate) fn reseat(&self, table: &TableHandle) {
        let seats = table.status().seats.clone();
        for (color, seat) in seats.iter() {
            let Some((seat, label)) = seat
                .as_ref()
                .and_then(|seat| Some((seat, seat.bot.as_ref()?)))
            else {
                continue;
            };
            match RequestedBot::from_label(label) {
                Ok(wanted) => {
                    let bot = self.pool.seat_again(wanted.spec.clone());
                    let player =
                        BotPlayer::new(table.clone(), Some(color), wanted, bot, self.timing);
                    tokio::spawn(player.with_name(&seat.name).run());
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
            .field("timing", &self.timing)
            .finish_non_exhaustive()
    }
}

/// Checks that the requested seat, or else any, is free.
fn check_free(status: &TableStatus, wanted: Option<Color>) -> Result<(), Refusal> {
    let fits = |color: &Color| wanted.is_none_or(|wanted| wanted == *color);
    let mut seats = Color::ALL.into_iter().filter(fits);
    if seats.any(|color| status.seats[color].is_none()) {
        Ok(())
    } else {
        Err(Refusal::new(ErrorCode::SeatTaken, "the seat is taken"))
    }
}
