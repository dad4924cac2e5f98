//! The tables of a bot, kept from the messages of the server. Pure.

use std::collections::BTreeMap;
use std::time::Instant;

use checkers_lib::protocol::{GameState, Offer, Role, ServerMessage, TableState, WireColor};
use event_store::UnixMillis;
use serde_json::{Value, json};

use super::streams::StreamLine;
use super::table::{BotTable, before, side};
use super::wire;
use crate::bots::GameMirror;
use crate::table::whole_millis;

/// The most challenges that are kept in each direction. Beyond it another one is forgotten.
const MAX_CHALLENGES: usize = 64;

/// What a bot takes part in.
#[derive(Debug)]
pub(super) struct BotTables {
    pub(super) name: String,
    /// A time and its time of day.
    clock: (Instant, UnixMillis),
    tables: BTreeMap<String, BotTable>,
    /// Challenges by table, each as JSON.
    pub(super) incoming: BTreeMap<String, Value>,
    pub(super) outgoing: BTreeMap<String, Value>,
}

impl BotTables {
    /// `at` is the time of day now.
    pub(super) fn new(name: String, now: Instant, at: UnixMillis) -> BotTables {
        BotTables {
            name,
            clock: (now, at),
            tables: BTreeMap::new(),
            incoming: BTreeMap::new(),
            outgoing: BTreeMap::new(),
        }
    }

    pub(super) fn table(&self, id: &str) -> Option<&BotTable> {
        self.tables.get(id)
    }

    /// A game in which the bot plays, running or just over, with the bot's side.
    pub(super) fn game(&self, id: &str) -> Option<(&BotTable, &GameState, WireColor)> {
        let (table, _) = id.rsplit_once('-')?;
        let table = self.tables.get(table)?;
        let game = table.game.as_ref().filter(|game| game.id == id)?;
        Some((table, game, self.side(game)?))
    }

    /// Whether the bot has a seat at a table, or has played the last game there.
    pub(super) fn plays_at(&self, table: &str) -> bool {
        let table = self.tables.get(table);
        table.is_some_and(|table| {
            let plays = |game| self.side(game).is_some();
            table.game.as_ref().is_some_and(plays)
                || table.seated.iter().any(|(_, name)| *name == self.name)
        })
    }

    /// The running games.
    fn running(&self) -> impl Iterator<Item = (&BotTable, &GameState, WireColor)> {
        self.tables.values().filter_map(|table| {
            let game = table.game.as_ref().filter(|game| game.result.is_none())?;
            Some((table, game, self.side(game)?))
        })
    }

    /// The lines with which a stream of events begins.
    pub(super) fn present(&self, now: Instant) -> Vec<Value> {
        let games = self.running();
        let games = games.map(|(table, game, own)| table.view(game, now).event(own));
        let challenges = self.incoming.values();
        let challenges = challenges.map(|challenge| wire::challenge_event("challenge", challenge));
        games.chain(challenges).collect()
    }

    /// The running games, as a list.
    pub(super) fn playing(&self, now: Instant) -> Value {
        let games = self.running();
        let games = games.map(|(table, game, own)| table.view(game, now).playing(own));
        json!({"nowPlaying": games.collect::<Vec<_>>()})
    }

    /// The open challenges.
    pub(super) fn challenges(&self) -> Value {
        let (incoming, outgoing) = (self.incoming.values(), self.outgoing.values());
        json!({"in": incoming.collect::<Vec<_>>(), "out": outgoing.collect::<Vec<_>>()})
    }

    /// Notes a challenge that the bot has made, once it has its seat.
    pub(super) fn note_challenge(&mut self, id: &str) -> Option<Value> {
        let table = self.tables.get(id)?;
        let own = table.seated.iter().find(|(_, name)| *name == self.name);
        let own = own.map(|(side, _)| *side);
        let side = own.or_else(|| table.game.as_ref().and_then(|game| self.side(game)))?;
        let to = table.info.opponent.as_deref()?;
        if to == self.name {
            return None;
        }
        let players = (self.name.as_str(), to);
        let challenge = wire::challenge(&table.info, 1, players, Some(side), false);
        if table.game.is_none() {
            insert(&mut self.outgoing, id, challenge.clone());
        }
        Some(challenge)
    }

    /// Takes in a message; returns the lines that follow from it.
    pub(super) fn handle(&mut self, message: ServerMessage, now: Instant) -> Vec<StreamLine> {
        match message {
            ServerMessage::TableState(state) => self.enter(*state, now),
            ServerMessage::GameStarted(game) | ServerMessage::GameState(game) => {
                self.begin(game, now)
            }
            ServerMessage::Players { table, players, .. } => {
                if let Some(table) = self.tables.get_mut(&table) {
                    let side = |role| match role {
                        Role::White => Some(WireColor::White),
                        Role::Black => Some(WireColor::Black),
                        Role::Spectator => None,
                    };
                    let seated = players.into_iter();
                    table.seated = seated
                        .filter_map(|player| Some((side(player.role)?, player.name)))
                        .collect();
                }
                Vec::new()
            }
            ServerMessage::Unwatched { table } | ServerMessage::TableClosed { table, .. } => {
                self.outgoing.remove(&table);
                let mut lines = self.withdraw(&table);
                lines.extend(self.tables.remove(&table).map(|_| StreamLine::End(table)));
                lines
            }
            ServerMessage::Challenged { table, .. } if self.incoming.contains_key(&table) => {
                // The lobby has moved, and says it again.
                Vec::new()
            }
            ServerMessage::Challenged { table, by, info } => {
                let side = wire::side_of(&info, &by);
                let challenge = wire::challenge(&info, 1, (&by, &self.name), side, true);
                let event = wire::challenge_event("challenge", &challenge);
                insert(&mut self.incoming, &table, challenge);
                vec![StreamLine::Event(event)]
            }
            ServerMessage::ChallengeWithdrawn { table } => self.withdraw(&table),
            ServerMessage::ChallengeDeclined { table, .. } => {
                self.incoming.remove(&table);
                let challenge = self.outgoing.remove(&table);
                let event = |mut challenge: Value| {
                    challenge["status"] = json!("declined");
                    // Players of this server give no reason.
                    challenge["declineReasonKey"] = json!("generic");
                    challenge["declineReason"] =
                        json!("I'm not accepting challenges at the moment.");
                    StreamLine::Event(wire::challenge_event("challengeDeclined", &challenge))
                };
                challenge.map(event).into_iter().collect()
            }
            ServerMessage::Offered {
                table,
                offer: Offer::Rematch,
                by,
                ..
            } => self.offer_rematch(&table, by),
            ServerMessage::Declined {
                table,
                offer: Offer::Rematch,
                ..
            }
            | ServerMessage::Lapsed {
                table,
                offer: Offer::Rematch,
                ..
            } => {
                if let Some(table) = self.tables.get_mut(&table) {
                    table.rematch = None;
                }
                self.withdraw(&table)
            }
            message => self.update(message, now).unwrap_or_default(),
        }
    }

    /// Takes in a message about the running game at a table.
    fn update(&mut self, message: ServerMessage, now: Instant) -> Option<Vec<StreamLine>> {
        let (ServerMessage::Moved { table: id, .. }
        | ServerMessage::TookBack { table: id, .. }
        | ServerMessage::Clocks { table: id, .. }
        | ServerMessage::Offered { table: id, .. }
        | ServerMessage::Declined { table: id, .. }
        | ServerMessage::Lapsed { table: id, .. }
        | ServerMessage::GameOver { table: id, .. }
        | ServerMessage::Presence { table: id, .. }
        | ServerMessage::Said { table: id, .. }) = &message
        else {
            return None;
        };
        let table = self.tables.get_mut(id)?;
        table.update(&self.name, message, now)
    }

    /// Takes in the whole state of a table.
    fn enter(&mut self, state: TableState, now: Instant) -> Vec<StreamLine> {
        let TableState {
            table: id,
            info,
            state,
            rematch,
            ..
        } = state;
        let seats = [
            (WireColor::White, &info.seats.white),
            (WireColor::Black, &info.seats.black),
        ];
        let seated = seats.into_iter();
        let seated = seated.filter_map(|(side, seat)| Some((side, seat.as_ref()?.name.clone())));
        let known = self.tables.remove(&id);
        let table = BotTable {
            seated: seated.collect(),
            created_at: known.as_ref().and_then(|known| known.created_at),
            game: known.and_then(|known| known.game),
            mirror: None,
            rematch: None,
            asked: now,
            info,
        };
        self.tables.insert(id.clone(), table);
        if state.is_none() {
            // An earlier session may have made this challenge.
            self.note_challenge(&id);
        }
        let mut lines = state.map_or_else(Vec::new, |game| self.begin(game, now));
        lines.extend(
            rematch
                .into_iter()
                .flat_map(|open| self.offer_rematch(&id, open.by)),
        );
        lines
    }

    /// Takes in the whole state of a game.
    fn begin(&mut self, game: GameState, now: Instant) -> Vec<StreamLine> {
        let (id, own) = (game.table.clone(), self.side(&game));
        self.outgoing.remove(&id);
        self.incoming.remove(&id);
        let Some(table) = self.tables.get_mut(&id) else {
            return Vec::new();
        };
        let known = table.game.take().filter(|known| known.id == game.id);
        let is_over = game.result.is_some();
        let was_over = known.as_ref().map(|known| known.result.is_some());
        table.asked = before(now, game.thinking_ms);
        let played = game.moves.iter().map(|played| played.elapsed_ms);
        let began = before(table.asked, Some(played.fold(0, u64::saturating_add)));
        if known.is_none() || table.created_at.is_none() {
            table.created_at = Some(time_of_day(self.clock, began));
        }
        table.rematch = None;
        let rules = table.info.draw_rules.parse().ok();
        table.mirror = rules.and_then(|rules| GameMirror::from_state(&game, rules, &self.name));
        table.game = Some(game);
        let (Some(game), Some(own)) = (&table.game, own) else {
            return Vec::new();
        };
        let view = table.view(game, now);
        let mut lines = Vec::new();
        match (was_over, is_over) {
            // A new game ends the stream of another one, and an old one is no news.
            (None, false) => {
                lines.extend([StreamLine::End(id), StreamLine::Event(view.event(own))]);
            }
            (None | Some(true), true) => {}
            (Some(_), _) => {
                lines.push(StreamLine::Game(id.clone(), view.state()));
                if is_over {
                    lines.extend([StreamLine::End(id), StreamLine::Event(view.event(own))]);
                }
            }
        }
        lines
    }

    /// The opponent offers to play again: a challenge to the next game at the table.
    fn offer_rematch(&mut self, id: &str, by: WireColor) -> Vec<StreamLine> {
        let Some(table) = self.tables.get_mut(id) else {
            return Vec::new();
        };
        table.rematch = Some(by);
        let Some(game) = &table.game else {
            return Vec::new();
        };
        let (own, opponent) = match side(game, &self.name) {
            Some(own) if own != by => (
                own,
                if own == WireColor::White {
                    &game.black
                } else {
                    &game.white
                },
            ),
            _ => return Vec::new(),
        };
        // Colours are swapped: the challenger has the bot's side.
        let players = (opponent.as_str(), self.name.as_str());
        let next = game.game + 1;
        let mut challenge = wire::challenge(&table.info, next, players, Some(own), true);
        challenge["rematchOf"] = json!(game.id);
        let event = wire::challenge_event("challenge", &challenge);
        insert(&mut self.incoming, id, challenge);
        vec![StreamLine::Event(event)]
    }

    fn withdraw(&mut self, table: &str) -> Vec<StreamLine> {
        let challenge = self.incoming.remove(table);
        let event = |mut challenge: Value| {
            challenge["status"] = json!("canceled");
            StreamLine::Event(wire::challenge_event("challengeCanceled", &challenge))
        };
        challenge.map(event).into_iter().collect()
    }

    fn side(&self, game: &GameState) -> Option<WireColor> {
        side(game, &self.name)
    }
}

fn time_of_day((clock, at): (Instant, UnixMillis), time: Instant) -> i64 {
    let millis = |time| i64::try_from(whole_millis(time)).unwrap_or(i64::MAX);
    let later = millis(time.saturating_duration_since(clock));
    let earlier = millis(clock.saturating_duration_since(time));
    at.0.saturating_add(later).saturating_sub(earlier)
}

fn insert(challenges: &mut BTreeMap<String, Value>, table: &str, challenge: Value) {
    if challenges.len() >= MAX_CHALLENGES {
        challenges.pop_first();
    }
    challenges.insert(table.to_owned(), challenge);
}
