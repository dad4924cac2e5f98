//! Players who go and come back, what may be made of their absence, and tables that nobody plays
//! at.

use std::time::{Duration, Instant};

use checkers_lib::Color;
use checkers_lib::protocol::{
    ClaimedResult, ClosedReason, ErrorCode, Meant, Refusal, ServerMessage,
};

use super::ending::Ending;
use super::running_game::{RunningGame, whole_millis};
use super::{ClientId, Effect, Table};

impl Table {
    /// When to call [`Table::handle_timeout`] next, if nothing happens before; `None` while
    /// nothing is due by itself.
    pub fn poll_timeout(&self) -> Option<Instant> {
        if self.is_suspended || self.is_closed {
            return None;
        }
        let flag = self.running.as_ref().and_then(RunningGame::flag_falls);
        let freed = Color::ALL
            .into_iter()
            .filter_map(|seat| self.freed_at(seat));
        let due = freed.chain(flag).chain(self.idle_ends());
        due.min()
    }

    /// Carries out what is due by now: the flag of the side to move falls, the seat of who has not
    /// come back is freed, a table that nobody plays at ends. Calls that are early or repeated do
    /// nothing.
    pub fn handle_timeout(&mut self, now: Instant) -> Vec<Effect> {
        let mut effects = Vec::new();
        while self.poll_timeout().is_some_and(|due| due <= now) {
            effects.extend(self.next_timeout(now));
            self.note_idleness(now);
        }
        effects
    }

    fn next_timeout(&mut self, now: Instant) -> Vec<Effect> {
        let is_due = |due: Option<Instant>| due.is_some_and(|due| due <= now);
        if let Some(running) = &self.running
            && is_due(running.flag_falls())
        {
            let ending = running.over_on_time();
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

    /// Lets nothing happen by itself any more, and the clocks stand. What the side to move has
    /// taken for its move is given back.
    pub fn suspend(&mut self) {
        self.is_suspended = true;
        if let Some(running) = &mut self.running {
            running.clock.stand();
        }
    }

    /// Goes on; the clock of the side to move runs from now on. Returns what it is told.
    pub fn resume(&mut self, now: Instant) -> Vec<Effect> {
        self.is_suspended = false;
        if let Some(running) = &mut self.running {
            running.clock.ask(now);
        }
        self.ask().into_iter().collect()
    }

    /// Starts the clock of the side to move only now, when it is asked for its move.
    pub fn start_clock_late(&mut self, now: Instant) {
        if let Some(running) = &mut self.running {
            running.clock.begin_after(now);
        }
    }

    /// Loses a connection. A seat is kept for its player, if there is a way to know them again or
    /// a game runs, and if no director gives the seats.
    pub(super) fn disconnect(&mut self, who: ClientId, now: Instant) -> Vec<Effect> {
        let is_directed = self.settings.director.is_some();
        let is_known = (self.members.get(&who)).is_some_and(|member| member.key.is_some());
        let mut effects = Vec::from_iter(self.step_out_of_last_game(who));
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
        effects.push(self.tell_players());
        effects
    }

    /// Goes away as who loses the connection, but not from a game that could be played again: whoever
    /// goes from that does not want it.
    pub(super) fn unwatch(&mut self, who: ClientId, now: Instant) -> Vec<Effect> {
        let mut effects = self.forget_last_game_of(who);
        effects.extend(self.disconnect(who, now));
        effects
    }

    /// Gives `who` the seat back that is kept for them.
    pub(super) fn return_to_seat(&mut self, who: ClientId, now: Instant) -> Vec<Effect> {
        let Some(member) = self.members.get(&who) else {
            return Vec::new();
        };
        let (key, bot, name) = (member.key, member.bot.as_deref(), member.name.as_str());
        let is_kept = |color: &Color| {
            let seat = self.seats[*color].as_ref();
            seat.is_some_and(|seat| seat.is_kept_for(key, bot, name))
        };
        let Some(color) = Color::ALL.into_iter().find(is_kept) else {
            return Vec::new();
        };
        if let Some(seat) = &mut self.seats[color] {
            seat.client = Some(who);
            seat.absent_since = None;
        }
        if let Some(running) = &mut self.running
            && running.turn() == color
        {
            running.clock.begin(now);
        }
        self.presence(color, now).into_iter().collect()
    }

    /// Ends the game of a player who has been away for long.
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

    /// The news of whether the player of a running game is here.
    fn presence(&self, color: Color, now: Instant) -> Option<Effect> {
        self.running.as_ref()?;
        let claim_in = self.claim_in(color, now);
        Some(Effect::TellAll(ServerMessage::Presence {
            table: self.settings.id.clone(),
            color: color.into(),
            connected: claim_in.is_none(),
            claim_in_ms: claim_in.map(whole_millis),
        }))
    }

    /// How long it takes until the opponent of an absent player may claim the game.
    pub(super) fn claim_in(&self, absent: Color, now: Instant) -> Option<Duration> {
        let since = self.seats[absent].as_ref()?.absent_since?;
        let absent_for = now.saturating_duration_since(since);
        Some(self.policy.grace.saturating_sub(absent_for))
    }

    /// When a seat at which no game runs is free again, because its player is away.
    fn freed_at(&self, seat: Color) -> Option<Instant> {
        let since = self.seats[seat].as_ref()?.absent_since?;
        let freed = since.checked_add(self.policy.grace)?;
        self.running.is_none().then_some(freed)
    }

    /// What of a move's time may be the network's.
    pub(super) fn lag_allowance(&self) -> Duration {
        if self.settings.director.is_some() {
            Duration::ZERO
        } else {
            self.policy.lag_allowance
        }
    }

    /// Notes since when nobody has been here to play.
    pub(super) fn note_idleness(&mut self, now: Instant) {
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
            (Some(_), None) => self.is_empty(),
            (Some(_), Some(_)) => players.all(|seat| seat.client.is_none()),
            (None, _) if self.is_main() || self.settings.director.is_some() => false,
            (None, _) => players.all(|seat| seat.client.is_none()),
        }
    }

    /// Whether nobody is here but bots.
    fn is_empty(&self) -> bool {
        self.members.values().all(|member| member.bot.is_some())
    }

    /// When a table at which nobody plays ends, or its game does.
    fn idle_ends(&self) -> Option<Instant> {
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
