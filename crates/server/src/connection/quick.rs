//! Requests for quick games, also on the ladder and in tournaments.

use checkers_lib::protocol::{ErrorCode, Quick, Refusal};

use super::Connection;
use crate::accounts::Scope;
use crate::ladder;
use crate::lobby::{ArenaWish, EventWish, LadderWish, QuickWish, table_request};
use crate::moderation::Opponents;
use crate::names;
use crate::ratings::Speed;
use crate::tournaments::{Format, TournamentError};

impl Connection {
    pub(super) async fn quick(&mut self, wanted: Quick) -> Result<(), Refusal> {
        let wish = match &wanted.tournament {
            Some(tournament) => {
                let invitation = wanted.invitation.as_deref();
                self.at_tournament(tournament, invitation).await?
            }
            None => {
                self.check_can_be_rated(wanted.rated).await?;
                let clock = wanted.clock.as_deref();
                let clock = clock.map(|text| table_request::clock("clock", text));
                let wish = QuickWish {
                    clock: clock.transpose()?,
                    is_rated: wanted.rated,
                    event: None,
                };
                self.on_ladder(wish, wanted.ladder.as_deref()).await?
            }
        };
        self.wait_for_game(wish).await
    }

    /// The wish of a bot for a game on a private ladder, or for a rated one; other wishes as they are.
    async fn on_ladder(&self, wish: QuickWish, code: Option<&str>) -> Result<QuickWish, Refusal> {
        let bot = (self.session.as_ref()).filter(|session| names::is_of_bot_account(&session.name));
        let shared = &self.shared;
        let (Some(bot), Some(ratings), Some(ladder)) = (bot, &shared.ratings, &shared.ladder)
        else {
            return match code {
                Some(_) => Err(ladder::only_bots()),
                None => Ok(wish),
            };
        };
        let (clock, private) = match code {
            Some(code) => {
                let (clock, private) = ladder.open(code).await?;
                (Some(clock), Some(private))
            }
            None if wish.is_rated => (wish.clock, None),
            None => return Ok(wish),
        };
        let speed = Speed::of(clock.unwrap_or(shared.config.quick_clock));
        let rating = match private {
            Some(private) => ladder.for_pairing(private.season, &bot.name).await,
            None => ratings.for_pairing(&bot.name, speed).await,
        };
        let owner = ladder.owner_of(&bot.name).await;
        Ok(QuickWish {
            clock,
            is_rated: private.is_none(),
            event: Some(EventWish::Ladder(LadderWish {
                rating,
                owner,
                private,
            })),
        })
    }

    /// Enters the player in a tournament. Returns the request for a game there.
    async fn at_tournament(
        &self,
        id: &str,
        invitation: Option<&str>,
    ) -> Result<QuickWish, Refusal> {
        self.check_scope(Scope::Tournament)?;
        let (Some(session), Some(tournaments)) = (self.account(), &self.shared.tournaments) else {
            let message = "only accounts play in tournaments: keep your name, or sign in";
            return Err(Refusal::new(ErrorCode::Forbidden, message));
        };
        let id = id.parse().map_err(|_| TournamentError::NotFound)?;
        let tournament = tournaments.enter(id, &session.name, invitation).await?;
        if tournament.plan.format != Format::Arena {
            return Ok(QuickWish {
                clock: Some(tournament.plan.clock),
                is_rated: tournament.plan.is_rated,
                event: Some(EventWish::Round(id)),
            });
        }
        let standings = tournaments.standings(&tournament).await;
        let standings = standings.map_err(TournamentError::from)?;
        let score = standings.player(&session.name);
        let plan = &tournament.plan;
        Ok(QuickWish {
            clock: Some(plan.clock),
            is_rated: plan.is_rated,
            event: Some(EventWish::Arena(ArenaWish {
                tournament: id,
                points: score.map_or(0, |score| score.points),
                balance: score.map_or(0, |score| score.balance),
                has_opening: plan.has_openings,
                until: plan.ends_at,
            })),
        })
    }

    /// Queues the client in the lobby.
    async fn wait_for_game(&mut self, wish: QuickWish) -> Result<(), Refusal> {
        self.check_may_play().await?;
        self.make_room().await?;
        self.update_lobby(|lobby| lobby.quick = Some(wish));
        self.send_wish(wish).await;
        Ok(())
    }

    /// Queues the client in the lobby; not with those it has blocked, or who have blocked it.
    pub(super) async fn send_wish(&self, wish: QuickWish) {
        let avoids = match (wish.event, self.account(), &self.shared.moderation) {
            (None, Some(account), Some(moderation)) => {
                moderation.opponents_to_avoid(account.key).await
            }
            _ => Opponents::new(),
        };
        self.shared.lobby.quick(self.id, wish, avoids).await;
    }
}
