//! Starts the games of the ladder and of arenas.

use std::sync::Arc;
use std::time::{Duration, Instant};

use checkers_lib::protocol::{BotRequest, BotRequests, ClosedReason, TableKind, Visibility};
use checkers_lib::{ByColor, Color};
use tracing::warn;

use super::{LobbyCommand, LobbyShard};
use crate::ladder::{self, Season};
use crate::lobby::secrets;
use crate::lobby::{ArenaGame, ArenaPlayer, LadderGame, LadderSeat};
use crate::shard::TableHandle;
use crate::store::UnixMillis;
use crate::table::{ClientId, Command, TableSettings};
use crate::tournaments::TournamentError;

/// How long a table of an arena waits for its players.
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

    /// Starts the games of arenas, and informs players of arenas that are over.
    pub(super) async fn start_arena_games(&mut self, now: Instant) {
        let stages = Arc::clone(&*self.stages.borrow());
        let today = UnixMillis::now();
        let late = self.lobby.expire_arenas(now, today, &stages);
        if !late.is_empty() {
            self.refuse_quick(&late, &TournamentError::Over.into());
        }
        let games = (self.lobby).next_arena_games(now, &stages, secrets::draw_color);
        for game in games {
            self.start_arena_game(game).await;
        }
    }

    async fn start_arena_game(&mut self, game: ArenaGame) {
        let id = match self.draw_id() {
            Ok(id) => id,
            Err(refusal) => {
                return self.refuse_quick(&[game.white.who, game.black.who], &refusal);
            }
        };
        let ArenaPlayer { wish, arena, .. } = game.white;
        let openings = self.factory.openings();
        let at = secrets::draw_number() as usize % openings.len().max(1);
        let opening = openings.get(at).filter(|_| arena.has_opening);
        let settings = TableSettings {
            kind: TableKind::Quick,
            clocks: ByColor::new_with(|_| wish.clock),
            openings: Vec::from_iter(opening.cloned()),
            casual: false,
            rated: wish.is_rated,
            event: Some(arena.tournament.event()),
            players: game.map(|player| Some(player.key)),
            ..TableSettings::new(id, self.factory.draw_rules())
        };
        // Nobody has created it: it counts for no address.
        let table = self.open(settings, None).await;
        for (color, player) in game.iter() {
            self.send_command(player.who, LobbyCommand::Sit(table.clone(), color));
        }
        self.begun.push((Instant::now(), table, game));
    }

    /// Closes the tables of arenas to which a player has not come. The other one waits for the next opponent.
    pub(super) async fn give_up_arena_games(&mut self, now: Instant) {
        let is_new = |(since, ..): &(Instant, TableHandle, ArenaGame)| {
            now.saturating_duration_since(*since) < COMING
        };
        let (new, due): (Vec<_>, Vec<_>) = std::mem::take(&mut self.begun)
            .into_iter()
            .partition(is_new);
        self.begun = new;
        for (_, table, game) in due {
            if !self.lobby.waits_for_players(table.id()) {
                continue;
            }
            let is_there = table.status().seats.as_ref().map(Option::is_some);
            table.command(ClientId::SERVER, Command::CloseUnused).await;
            for (color, ArenaPlayer { who, wish, .. }) in game.iter() {
                if is_there[color] {
                    let done = self.lobby.quick(*who, *wish, Color::White, now);
                    self.execute_or_refuse(*who, done).await;
                }
            }
        }
    }
}
