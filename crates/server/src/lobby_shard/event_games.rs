//! Starts the games of the ladder and of tournaments.

use std::sync::Arc;
use std::time::{Duration, Instant};

use checkers_lib::openings::Opening;
use checkers_lib::protocol::{BotRequest, BotRequests, ClosedReason, TableKind, Visibility};
use checkers_lib::{ByColor, Color};
use event_store::UnixMillis;
use tracing::warn;

use super::{BegunGame, LobbyCommand, LobbyShard};
use crate::ladder::{self, Season};
use crate::lobby::secrets;
use crate::lobby::{
    ArenaGame, ArenaPlayer, EventWish, LadderGame, LadderSeat, PairedGame, QuickWish,
};
use crate::moderation::Opponents;
use crate::table::{ClientId, Command, TableSettings};
use crate::tournaments::{TournamentError, TournamentSchedule, of_event};

/// How long a table of a tournament waits for its players, who were there a moment ago.
const COMING: Duration = Duration::from_secs(15);

impl LobbyShard {
    pub(super) async fn start_ladder_games(&mut self, now: Instant) {
        let any_bot = BotRequests {
            white: Some(BotRequest::Level(1)),
            black: None,
        };
        loop {
            let server_plays = || self.factory.bots.check(&any_bot).is_ok();
            let draw = secrets::draw_number;
            match self.lobby.next_ladder_game(now, server_plays, draw) {
                Some(game) => self.start_ladder_game(game).await,
                None => return,
            }
        }
    }

    /// Opens the table of a game on the ladder, and seats the players. If its bot of the server does not come, the
    /// client is queued again.
    async fn start_ladder_game(&mut self, game: LadderGame) {
        let LadderGame {
            players,
            clock,
            private,
            opening,
        } = game;
        let clients = players.as_ref().map(|player| match player {
            LadderSeat::Client(client) => Some(*client),
            LadderSeat::Server(_) => None,
        });
        let ByColor { white, black } = players.map(|player| match player {
            LadderSeat::Client(_) => None,
            LadderSeat::Server(bot) => Some(bot),
        });
        let bots = BotRequests { white, black };
        let has_bot = bots != BotRequests::default();
        let is_over = private.is_some_and(|ladder| ladder.until <= UnixMillis::now());
        let id = match is_over {
            true => Err(ladder::over()),
            false => self.draw_id_for(has_bot),
        };
        let both = || [clients.white, clients.black].into_iter().flatten();
        let id = match id {
            Ok(id) => id,
            Err(refusal) => {
                let clients: Vec<ClientId> = both().map(|client| client.who).collect();
                return self.refuse_quick(&clients, &refusal);
            }
        };
        let openings = self.factory.openings();
        let opening = openings.get(opening as usize % openings.len().max(1));
        let is_study = |bot: &Option<BotRequest>| matches!(bot, Some(BotRequest::Spec(_)));
        let settings = TableSettings {
            kind: TableKind::Quick,
            visibility: match private {
                Some(_) => Visibility::Link,
                None => Visibility::Public,
            },
            clocks: ByColor::new_with(|_| Some(clock)),
            openings: Vec::from_iter(opening.cloned()),
            casual: false,
            rated: private.is_none() && ![&bots.white, &bots.black].into_iter().any(is_study),
            event: Some(
                private
                    .map_or_else(Season::now, |ladder| ladder.season)
                    .event(),
            ),
            players: clients.map(|client| client.map(|client| client.key)),
            ..TableSettings::new(id, self.factory.draw_rules())
        };
        let table = self
            .open(settings, both().next().map(|client| client.who))
            .await;
        if let Err(refusal) = self.factory.seat_bots(&table, &bots).await {
            warn!(table = table.id(), ?refusal, "a bot does not come");
            let close = Command::Close(ClosedReason::Ended);
            table.command(ClientId::SERVER, close).await;
            for client in both() {
                self.lobby.return_to_ladder(client, clock, Instant::now());
            }
            return;
        }
        for (color, client) in clients.iter() {
            if let Some(client) = client {
                self.send_command(client.who, LobbyCommand::Sit(table.clone(), color));
            }
        }
    }

    /// Starts the games of tournaments, and informs players of tournaments that are over.
    pub(super) async fn start_tournament_games(&mut self, now: Instant) {
        let schedule = Arc::clone(&*self.schedule.borrow());
        let today = UnixMillis::now();
        let late = self.lobby.expire_tournaments(now, today, &schedule);
        if !late.is_empty() {
            self.refuse_quick(&late, &TournamentError::Over.into());
        }
        let games = (self.lobby).next_arena_games(now, &schedule.stages, secrets::draw_color);
        for game in games {
            self.start_arena_game(game).await;
        }
        for game in self.lobby.next_round_games(now, &schedule) {
            self.start_round_game(game).await;
        }
        self.decide_by_default(now, &schedule);
    }

    /// Has results stored of games to which players have not come. While some are being stored, others wait.
    fn decide_by_default(&mut self, now: Instant, schedule: &TournamentSchedule) {
        let is_busy = { self.deciding.as_ref() }.is_some_and(|task| !task.is_finished());
        let Some(tournaments) = self.tournaments.clone().filter(|_| !is_busy) else {
            return;
        };
        let decided = self.lobby.decide_by_default(now, schedule);
        if decided.is_empty() {
            return;
        }
        let storing = tokio::spawn(async move {
            if let Err(error) = tournaments.decide_by_default(decided).await {
                warn!(
                    error = cli_kit::explain(&error),
                    "a result cannot be stored"
                );
            }
        });
        self.deciding = Some(storing.abort_handle());
    }

    async fn start_arena_game(&mut self, game: ArenaGame) {
        let id = match self.draw_id() {
            Ok(id) => id,
            Err(refusal) => {
                return self.refuse_quick(&[game.white.who, game.black.who], &refusal);
            }
        };
        let ArenaPlayer { wish, arena, .. } = game.white;
        let settings = TableSettings {
            clocks: ByColor::new_with(|_| wish.clock),
            openings: self.opening(arena.has_opening.then(secrets::draw_number)),
            rated: wish.is_rated,
            event: Some(arena.tournament.event()),
            players: game.map(|player| Some(player.key)),
            ..TableSettings::new(id, self.factory.draw_rules())
        };
        let players = game.map(|player| (player.who, player.wish));
        self.start_event_game(settings, players).await;
    }

    async fn start_round_game(&mut self, PairedGame { game, players }: PairedGame) {
        let settings = TableSettings {
            clocks: ByColor::new_with(|_| Some(game.clock)),
            openings: self.opening(game.opening),
            rated: game.is_rated,
            event: Some(game.tournament.event()),
            players: players.as_ref().map(|player| Some(player.key)),
            ..TableSettings::new(game.table, self.factory.draw_rules())
        };
        let players = players.map(|player| (player.who, player.wish));
        self.start_event_game(settings, players).await;
    }

    /// The opening that a random number chooses.
    fn opening(&self, lot: Option<u32>) -> Vec<Opening> {
        let openings = self.factory.openings();
        let chosen = lot.and_then(|lot| openings.get(lot as usize % openings.len().max(1)));
        Vec::from_iter(chosen.cloned())
    }

    /// Opens the table of a game of a tournament, and seats the players.
    async fn start_event_game(
        &mut self,
        settings: TableSettings,
        players: ByColor<(ClientId, QuickWish)>,
    ) {
        let settings = TableSettings {
            kind: TableKind::Quick,
            casual: false,
            ..settings
        };
        // Nobody has created it: it counts for no address.
        let table = self.open(settings, None).await;
        for (color, (who, _)) in players.iter() {
            self.send_command(*who, LobbyCommand::Sit(table.clone(), color));
        }
        self.begun.push(BegunGame {
            at: Instant::now(),
            table,
            wishes: players.map(|(_, wish)| Some(wish)),
        });
    }

    /// Closes the tables of tournaments to which a player has not come. The other one waits again.
    pub(super) async fn give_up_event_games(&mut self, now: Instant) {
        let is_new = |game: &BegunGame| now.saturating_duration_since(game.at) < COMING;
        let (new, due): (Vec<_>, Vec<_>) = std::mem::take(&mut self.begun)
            .into_iter()
            .partition(is_new);
        self.begun = new;
        for BegunGame { table, wishes, .. } in due {
            if !self.lobby.waits_for_players(table.id()) {
                continue;
            }
            // By their names: they may have another connection by now.
            let seats = table.status().seats.clone();
            let seated = seats.map(|seat| seat.map(|seat| seat.name.to_string()));
            table.command(ClientId::SERVER, Command::CloseUnused).await;
            for (color, name) in seated.iter() {
                let who = name.as_ref().and_then(|name| self.lobby.client_named(name));
                let wish = wishes[color].or_else(|| self.wish_of(table.settings()));
                if let (Some(who), Some(wish)) = (who, wish) {
                    let done = self
                        .lobby
                        .quick(who, wish, Opponents::new(), Color::White, now);
                    self.execute_or_refuse(who, done).await;
                }
            }
        }
    }

    /// The request that leads to a table of a tournament in rounds.
    fn wish_of(&self, settings: &TableSettings) -> Option<QuickWish> {
        let tournament = settings.event.as_deref().and_then(of_event)?;
        let is_in_rounds = self.schedule.borrow().runs_in_rounds(tournament);
        is_in_rounds.then_some(QuickWish {
            clock: settings.clocks.white,
            is_rated: settings.rated,
            event: Some(EventWish::Round(tournament)),
        })
    }
}
