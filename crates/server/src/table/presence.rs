//! Disconnected players, claims against them, and idle tables.

use std::time::{Duration, Instant};

use checkers_lib::Color;
use checkers_lib::protocol::{
    ClaimedResult, ClosedReason, ErrorCode, Meant, Refusal, ServerMessage,
};

use super::ending::Ending;
use super::running_game::{RunningGame, whole_millis};
use super::{ClientId, Effect, Table};

impl Table {
    /// When to call [`Table::handle_timeout`] next; `None` if no timeout is pending.
    pub fn poll_timeout(&self) -> Option<Instant> {
        if self.is_suspended || self.is_closed {
            return None;
        }
        let flag = self.running.as_ref().and_then(RunningGame::flag_fall);
        let freed = Color::ALL
            .into_iter()
            .filter_map(|seat| self.freed_at(seat));
        let due = freed.chain(flag).chain(self.idle_deadline());
        due.min()
    }

    /// Handles what is due by `now`: the flag of the side to move falls, the seat of an absent
    /// player is freed, an idle table closes. Early and repeated calls do nothing.
    pub fn handle_timeout(&mut self, now: Instant) -> Vec<Effect> {
        let mut effects = Vec::new();
        while self.poll_timeout().is_some_and(|due| due <= now) {
            effects.extend(self.next_timeout(now));
            self.update_idle_since(now);
        }
        effects
    }

    fn next_timeout(&mut self, now: Instant) -> Vec<Effect> {
        let is_due = |due: Option<Instant>| due.is_some_and(|due| due <= now);
        if let Some(running) = &self.running
            && is_due(running.flag_fall())
        {
            let ending = running.timeout_ending();
            return self.end(&ending);
        }
        let mut seats = Color::ALL.into_iter();
        if let Some(seat) = seats.find(|&seat| is_due(self.freed_at(seat))) {
            return self.free(seat);
        }
        self.idle_since = None;
        if self.is_main() {
            self.end(&Ending::abandoned_by_both())
        } else {
            self.close(ClosedReason::Idle)
        }
    }

    /// Stops the timeouts and the clocks. The side to move gets the time back that it has spent on
    /// its move, except in a game by correspondence.
    pub fn suspend(&mut self) {
        self.is_suspended = true;
        let stops = !self.settings.is_correspondence();
        if let Some(running) = self.running.as_mut().filter(|_| stops) {
            running.clock.pause();
        }
    }

    /// Resumes after [`Table::suspend`]; the clock of the side to move starts now. Returns the
    /// request for its move.
    pub fn resume(&mut self, now: Instant) -> Vec<Effect> {
        self.is_suspended = false;
        let stops = !self.settings.is_correspondence();
        if let Some(running) = self.running.as_mut().filter(|_| stops) {
            running.clock.restart(now);
        }
        self.request_move().into_iter().collect()
    }

    /// Starts the clock of the side to move at `now`, when its move is requested.
    pub fn start_clock_late(&mut self, now: Instant) {
        let is_correspondence = self.settings.is_correspondence();
        if let Some(running) = self.running.as_mut().filter(|_| !is_correspondence) {
            running.clock.start_not_before(now);
        }
    }

    /// Handles a lost connection. The seat stays reserved if the player can be identified or a game
    /// runs, unless a director assigns the seats.
    pub(super) fn disconnect(&mut self, who: ClientId, now: Instant) -> Vec<Effect> {
        let is_directed = self.settings.director.is_some();
        let is_known = (self.members.get(&who)).is_some_and(|member| member.key.is_some());
        let mut effects = Vec::from_iter(self.disconnect_from_last_game(who));
        let seat = self.seat_of(who);
        let keeps = seat.filter(|_| !is_directed && (is_known || self.running.is_some()));
        let Some(color) = keeps else {
            effects.extend(self.exit(who));
            return effects;
        };
        self.members.remove(&who);
        if let Some(seat) = &mut self.seats[color] {
            seat.client = None;
            seat.absent_since = Some(now);
        }
        effects.extend(self.presence(color, now));
        effects.push(self.broadcast_players());
        effects
    }

    /// Handles that a client stops watching: as a lost connection, except that a rematch is no
    /// longer possible.
    pub(super) fn unwatch(&mut self, who: ClientId, now: Instant) -> Vec<Effect> {
        let mut effects = self.forget_last_game_of(who);
        effects.extend(self.disconnect(who, now));
        effects
    }

    /// Returns `who` to the seat reserved for it.
    pub(super) fn return_to_seat(&mut self, who: ClientId, now: Instant) -> Vec<Effect> {
        let Some(member) = self.members.get(&who) else {
            return Vec::new();
        };
        let (key, bot, name) = (member.key, member.bot.as_deref(), member.name.as_str());
        let is_reserved = |color: &Color| {
            let seat = self.seats[*color].as_ref();
            seat.is_some_and(|seat| seat.is_reserved_for(key, bot, name))
        };
        let Some(color) = Color::ALL.into_iter().find(is_reserved) else {
            return Vec::new();
        };
        if let Some(seat) = &mut self.seats[color] {
            seat.client = Some(who);
            seat.absent_since = None;
        }
        if let Some(running) = &mut self.running
            && running.turn() == color
        {
            running.clock.start_now(now);
        }
        self.presence(color, now).into_iter().collect()
    }

    /// Ends the game of a player who has been absent for too long.
    pub(super) fn claim(
        &mut self,
        who: ClientId,
        result: ClaimedResult,
        now: Instant,
    ) -> Result<Vec<Effect>, Refusal> {
        let (side, _) = self.playing(who, Meant::default())?;
        match self.claim_in(!side, now) {
            None => {
                let message = "your opponent is here";
                Err(Refusal::new(ErrorCode::NotAbsent, message))
            }
            Some(Duration::ZERO) => {
                let winner = match result {
                    ClaimedResult::Win => Some(side),
                    ClaimedResult::Draw => None,
                };
                Ok(self.end(&Ending::claimed(winner)))
            }
            Some(left) => {
                let seconds = left.as_secs() + 1;
                let message = format!("your opponent may come back: wait another {seconds} s");
                Err(Refusal::new(ErrorCode::TooSoon, message))
            }
        }
    }

    /// The presence message for a player of the running game.
    fn presence(&self, color: Color, now: Instant) -> Option<Effect> {
        self.running.as_ref()?;
        let claim_in = self.claim_in(color, now);
        Some(Effect::Broadcast(ServerMessage::Presence {
            table: self.settings.id.clone(),
            color: color.into(),
            connected: !self.is_absent(color),
            claim_in_ms: claim_in.map(whole_millis),
        }))
    }

    fn is_absent(&self, color: Color) -> bool {
        let seat = self.seats[color].as_ref();
        seat.is_some_and(|seat| seat.absent_since.is_some())
    }

    /// The time until the opponent of an absent player may claim the game.
    pub(super) fn claim_in(&self, absent: Color, now: Instant) -> Option<Duration> {
        if self.settings.is_correspondence() {
            return None;
        }
        let since = self.seats[absent].as_ref()?.absent_since?;
        let absent_for = now.saturating_duration_since(since);
        Some(self.policy.grace.saturating_sub(absent_for))
    }

    /// When the seat of an absent player is freed, if no game runs.
    fn freed_at(&self, seat: Color) -> Option<Instant> {
        let since = self.seats[seat].as_ref()?.absent_since?;
        let freed = since.checked_add(self.policy.grace)?;
        self.running.is_none().then_some(freed)
    }

    /// The maximum network lag to compensate.
    pub(super) fn lag_allowance(&self) -> Duration {
        if self.settings.director.is_some() || self.settings.is_correspondence() {
            Duration::ZERO
        } else {
            self.policy.lag_allowance
        }
    }

    /// Updates since when the table has been idle.
    pub(super) fn update_idle_since(&mut self, now: Instant) {
        if self.is_idle() {
            self.idle_since.get_or_insert(now);
        } else {
            self.idle_since = None;
        }
    }

    fn is_idle(&self) -> bool {
        let seats = self.seats.iter().filter_map(|(_, seat)| seat.as_ref());
        let mut players = seats.filter(|seat| seat.bot.is_none()).peekable();
        match (&self.running, players.peek()) {
            (Some(_), _) if self.settings.is_correspondence() => false,
            (Some(_), None) => self.is_empty(),
            (Some(_), Some(_)) => players.all(|seat| seat.client.is_none()),
            (None, _) if self.is_main() || self.settings.director.is_some() => false,
            (None, _) => players.all(|seat| seat.client.is_none()),
        }
    }

    /// Whether no person is a member.
    fn is_empty(&self) -> bool {
        self.members.values().all(|member| member.bot.is_some())
    }

    /// When an idle table, or the game on an idle main table, ends.
    fn idle_deadline(&self) -> Option<Instant> {
        let is_patient = match &self.running {
            Some(running) => !running.clock.clocks().any(),
            None => !self.is_empty(),
        };
        let patience = if is_patient {
            self.policy.idle_untimed
        } else {
            self.policy.idle
        };
        self.idle_since?.checked_add(patience)
    }
}
