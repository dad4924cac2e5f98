//! Challenges from one player to another.

use std::time::{Duration, Instant};

use checkers_lib::protocol::{ErrorCode, Refusal, ServerMessage, TablePhase};
use event_store::TokenHash;

use super::table_index::side_of;
use super::{Lobby, LobbyEffect};
use crate::table::{ClientId, SeatStatus, TableStatus};

/// How long the challenger may take to sit down. On a busy server that takes seconds.
const SIT_TIMEOUT: Duration = Duration::from_secs(10);

/// A challenge from one player to another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Challenge {
    pub(super) by: TokenHash,
    challenger: String,
    opponent: TokenHash,
    opponent_name: String,
    since: Instant,
    /// Whether the challenger has sat down.
    has_sat: bool,
}

impl Lobby {
    /// Checks that `who` may challenge the client with this name.
    ///
    /// # Errors
    /// No client has this name, or it is `who`.
    pub(crate) fn check_opponent(&self, who: ClientId, name: &str) -> Result<(), Refusal> {
        let no_such = |message| Refusal::new(ErrorCode::NoSuchPlayer, message);
        match self.names.find(name) {
            Some((opponent, _)) if opponent == who => {
                Err(no_such("that is your own name".to_owned()))
            }
            Some(_) => Ok(()),
            None => Err(no_such(format!("no client named {name:?} is connected"))),
        }
    }

    /// Challenges a client to play `who` at a table.
    ///
    /// # Errors
    /// No client has this name.
    pub(crate) fn challenge(
        &mut self,
        who: ClientId,
        opponent: &str,
        table: &str,
        now: Instant,
    ) -> Result<Vec<LobbyEffect>, Refusal> {
        self.check_opponent(who, opponent)?;
        let (Some((name, by)), Some((client, key)), Some(status)) = (
            self.names.identity_of(who),
            self.names.find(opponent),
            self.tables.get(table),
        ) else {
            return Ok(Vec::new());
        };
        let challenged = ServerMessage::Challenged {
            table: table.to_owned(),
            by: name.to_owned(),
            info: status.info(now),
        };
        let challenge = Challenge {
            by,
            challenger: name.to_owned(),
            opponent: key,
            opponent_name: opponent.to_owned(),
            since: now,
            has_sat: false,
        };
        self.challenges.insert(table.to_owned(), challenge);
        Ok(vec![LobbyEffect::Send(client, challenged)])
    }

    /// The open challenges to a client.
    pub(super) fn challenges_of(
        &self,
        key: TokenHash,
        now: Instant,
    ) -> impl Iterator<Item = ServerMessage> {
        let waiting = self.challenges.iter();
        let waiting = waiting.filter(move |(_, challenge)| challenge.opponent == key);
        waiting.filter_map(move |(table, challenge)| {
            Some(ServerMessage::Challenged {
                table: table.clone(),
                by: challenge.challenger.clone(),
                info: self.tables.get(table)?.info(now),
            })
        })
    }

    /// Declines a challenge to `who`.
    ///
    /// # Errors
    /// There is no challenge to `who` at this table.
    pub(crate) fn decline(
        &mut self,
        who: ClientId,
        table: &str,
    ) -> Result<Vec<LobbyEffect>, Refusal> {
        let key = self.key(who)?;
        let is_asked = |challenge: &&Challenge| challenge.opponent == key;
        let Some(challenge) = self.challenges.get(table).filter(is_asked).cloned() else {
            let message = "nobody has asked you to play there";
            return Err(Refusal::new(ErrorCode::NoSuchTable, message));
        };
        self.challenges.remove(table);
        let declined = ServerMessage::ChallengeDeclined {
            table: table.to_owned(),
            by: challenge.opponent_name,
        };
        let mut recipients = vec![who];
        let challenger = (self.names).client_of(&challenge.challenger, challenge.by);
        recipients.extend(challenger);
        let mut effects: Vec<LobbyEffect> = recipients
            .into_iter()
            .map(|who| LobbyEffect::Send(who, declined.clone()))
            .collect();
        effects.push(LobbyEffect::Close(table.to_owned()));
        Ok(effects)
    }

    /// Restores the challenge of a restored table, if its challenger still waits.
    pub(super) fn restore_challenge(&mut self, status: &TableStatus, now: Instant) {
        let settings = &status.settings;
        let (Some(name), Some(opponent)) = (&settings.opponent, settings.opponent_key) else {
            return;
        };
        let mut players = status.players();
        let waits = |seat: &SeatStatus| seat.key.map(|key| (key, seat.name.to_string()));
        let Some((by, challenger)) = players.find_map(waits) else {
            return;
        };
        if status.phase != TablePhase::Waiting {
            return;
        }
        self.names.reserve(name, opponent, now + self.limits.grace);
        let challenge = Challenge {
            by,
            challenger,
            opponent,
            opponent_name: name.clone(),
            since: now,
            has_sat: true,
        };
        self.challenges.insert(settings.id.clone(), challenge);
    }

    /// Notes that the challenger has sat down, and ends the challenge of a table whose game has started or which is
    /// closed.
    pub(super) fn update_challenge(&mut self, status: &TableStatus) -> Vec<LobbyEffect> {
        let id = &status.settings.id;
        if let Some(challenge) = self.challenges.get_mut(id) {
            challenge.has_sat |= side_of(status, challenge.by).is_some();
        }
        if status.phase == TablePhase::Running {
            self.challenges.remove(id);
        }
        match status.is_closed {
            true => self.withdraw(id),
            false => Vec::new(),
        }
    }

    /// Withdraws challenges whose challenger has left the seat.
    pub(super) fn withdraw_abandoned(&mut self, now: Instant) -> Vec<LobbyEffect> {
        let challenges = self.challenges.iter();
        let abandoned = challenges.filter(|(table, challenge)| {
            let status = self.tables.get(table);
            let waits = status.is_some_and(|status| side_of(status, challenge.by).is_some());
            let is_late = now.duration_since(challenge.since) >= SIT_TIMEOUT;
            !waits && (challenge.has_sat || is_late)
        });
        let abandoned: Vec<String> = abandoned.map(|(table, _)| table.clone()).collect();
        let withdrawn = abandoned.iter().flat_map(|table| self.withdraw(table));
        withdrawn.collect()
    }

    pub(super) fn withdraw(&mut self, table: &str) -> Vec<LobbyEffect> {
        let challenge = self.challenges.remove(table);
        let opponent = challenge.and_then(|challenge| {
            let name = &challenge.opponent_name;
            self.names.client_of(name, challenge.opponent)
        });
        let table = table.to_owned();
        let withdrawn = ServerMessage::ChallengeWithdrawn { table };
        Vec::from_iter(opponent.map(|opponent| LobbyEffect::Send(opponent, withdrawn)))
    }
}
