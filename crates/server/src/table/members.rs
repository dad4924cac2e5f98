//! The members of a table and their names.

use std::time::Instant;

use checkers_lib::Color;
use checkers_lib::protocol::{
    ErrorCode, Joined, MAX_LISTED_WATCHERS, NAME_RULE, PROTOCOL_VERSION, Player, Refusal, Role,
    ServerMessage, is_valid_name,
};
use event_store::TokenHash;

use super::{ClientId, Effect, JoinRequest, StateView, Table};
use crate::names;

#[derive(Debug)]
pub(super) struct TableMember {
    pub(super) name: String,
    /// The skeleton of the name, unique among members.
    pub(super) skeleton: String,
    pub(super) key: Option<TokenHash>,
    pub(super) bot: Option<String>,
    /// For a bot that a client requested, the hash of that client's secret.
    pub(super) host: Option<TokenHash>,
    pub(super) wants_moves: bool,
    pub(super) view: StateView,
}

impl Table {
    pub(super) fn enter(
        &mut self,
        who: ClientId,
        join_request: JoinRequest,
        now: Instant,
    ) -> Result<Vec<Effect>, Refusal> {
        self.check_new(who, &join_request)?;
        let mut effects = self.release(join_request.key, who);
        let JoinRequest {
            name,
            key,
            bot,
            host,
            view,
            since,
            wants_moves,
        } = join_request;
        if view == StateView::Joining {
            let joined = ServerMessage::Joined(Joined {
                name: name.clone(),
                protocol: PROTOCOL_VERSION,
                table: Some(self.settings.id.clone()),
                draw_rules: self.settings.rules.to_string(),
                ..Joined::default()
            });
            effects.push(Effect::Send(who, joined));
        }
        let member = TableMember {
            skeleton: names::skeleton(&name),
            name,
            key,
            bot,
            host,
            wants_moves,
            view,
        };
        self.members.insert(who, member);
        let returned = self.return_to_seat(who, now);
        self.return_to_last_game(who);
        effects.extend(self.show(who, since, now));
        effects.extend(returned);
        effects.push(self.broadcast_players());
        effects.extend(self.repeat_move_request(who, now));
        Ok(effects)
    }

    /// Checks that `who` may join under its name.
    fn check_new(&self, who: ClientId, join_request: &JoinRequest) -> Result<(), Refusal> {
        if self.has(who) {
            let message = "you have joined already";
            return Err(Refusal::new(ErrorCode::AlreadyJoined, message));
        }
        let JoinRequest { name, key, .. } = join_request;
        if !is_valid_name(name) {
            return Err(Refusal::new(ErrorCode::BadName, NAME_RULE));
        }
        let skeleton = names::skeleton(name);
        let is_other = |other: Option<TokenHash>| key.is_none() || other != *key;
        let mut members = self.members.values();
        let is_here = members.any(|other| other.skeleton == skeleton && is_other(other.key));
        if is_here || self.is_reserved_for_another(&skeleton, join_request) {
            let message = format!("somebody here is called {name}");
            return Err(Refusal::new(ErrorCode::NameTaken, message));
        }
        Ok(())
    }

    /// Removes the earlier connection with the same key, and puts `who` in its place.
    pub(super) fn release(&mut self, key: Option<TokenHash>, who: ClientId) -> Vec<Effect> {
        let mut members = self.members.iter();
        let earlier = members.find(|(_, member)| key.is_some() && member.key == key);
        let Some((&earlier, _)) = earlier else {
            return Vec::new();
        };
        if let Some(color) = self.seat_of(earlier)
            && let Some(seat) = &mut self.seats[color]
        {
            seat.client = None;
        }
        if let Some((_, side)) = self.last_game_of(earlier)
            && let Some(last) = &mut self.last
        {
            last.players[side].client = Some(who);
        }
        if let Some(running) = &mut self.running {
            running.replace_director(earlier, who);
        }
        self.members.remove(&earlier);
        vec![Effect::Detach(earlier)]
    }

    /// Removes `who` and frees its seat.
    pub(super) fn exit(&mut self, who: ClientId) -> Vec<Effect> {
        let mut effects = self.forget_last_game_of(who);
        let seat = self.seat_of(who);
        if self.members.remove(&who).is_some() {
            effects.extend(match seat {
                Some(seat) => self.abandon(seat),
                None => vec![self.broadcast_players()],
            });
        }
        effects
    }

    pub(super) fn member(&self, who: ClientId) -> Result<&TableMember, Refusal> {
        (self.members.get(&who)).ok_or_else(|| Refusal::new(ErrorCode::NotJoined, "join first"))
    }

    pub(super) fn broadcast_players(&self) -> Effect {
        Effect::Broadcast(self.players())
    }

    /// The seated players and the first watchers.
    pub(crate) fn players(&self) -> ServerMessage {
        let mut players = Vec::new();
        let mut watchers = 0;
        for (&who, member) in &self.members {
            let seat = self.seat_of(who);
            watchers += usize::from(seat.is_none());
            if seat.is_some() || watchers <= MAX_LISTED_WATCHERS {
                players.push(Player {
                    name: member.name.clone(),
                    role: Role::of_seat(seat),
                    bot: member.bot.clone(),
                });
            }
        }
        let absent = self.seats.iter().filter_map(|(color, seat)| {
            let seat = seat.as_ref().filter(|seat| seat.client.is_none())?;
            let (name, role) = (seat.name.clone(), Role::of_seat(Some(color)));
            let bot = seat.bot.clone();
            Some(Player { name, role, bot })
        });
        players.extend(absent);
        ServerMessage::Players {
            table: self.settings.id.clone(),
            players,
            watchers: self.watchers(),
        }
    }

    /// The number of watchers.
    pub(crate) fn watchers(&self) -> u32 {
        let seated = Color::ALL
            .iter()
            .filter(|&&side| self.client_at(side).is_some());
        let watchers = self.members.len().saturating_sub(seated.count());
        u32::try_from(watchers).unwrap_or(u32::MAX)
    }
}
