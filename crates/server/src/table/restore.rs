//! Rebuilds a table from its events, after a restart or a failed write.

use std::time::{Duration, Instant};

use checkers_lib::{ByColor, Color};

use super::ending::Ending;
use super::event::{Started, TableEvent, TakenOver, read_clocks, read_opening};
use super::running_game::{GameConfig, RunningGame};
use super::seats::Seat;
use super::stream::StreamPosition;
use super::{ClientId, Effect, EventRecord, Policy, StreamEnd, Table, TableSettings};

/// The maximum delay after a restart before the clock of the side to move starts. It starts earlier
/// if its player reconnects.
const RESTART_GRACE: Duration = Duration::from_secs(10);

/// An event that cannot follow those before it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("event {seq} cannot follow the events before it: {why}")]
pub struct RestoreError {
    /// The number of the event.
    pub seq: u32,
    /// The reason.
    pub why: String,
}

impl Table {
    /// The table after the events of game `number`, with its players disconnected. The clock of the
    /// side to move starts after 10 seconds, or when its player reconnects.
    ///
    /// # Errors
    /// The events are inconsistent.
    pub fn restore(
        settings: TableSettings,
        policy: Policy,
        number: u64,
        events: &[TableEvent],
        now: Instant,
    ) -> Result<Table, RestoreError> {
        let mut table = Table::open(settings).with_policy(policy);
        table.replay(number, events, now)?;
        if let Some(running) = &mut table.running {
            running.clock.start_not_before(now + RESTART_GRACE);
        }
        table.update_idle_since(now);
        Ok(table)
    }

    /// Records that another server plays the game on; nothing if no game is running.
    pub fn take_over(&mut self, taken_over: TakenOver) -> Option<EventRecord> {
        let running = self.running.as_mut()?;
        running.note_takeover(taken_over.at_ms);
        Some(self.add(TableEvent::TakenOver(taken_over), StreamEnd::Open))
    }

    /// Ends a game that a director arranged: at a directed table, a player who disconnects leaves
    /// the game.
    pub fn end_arranged_game(&mut self) -> Vec<Effect> {
        let is_arranged = self.running.as_ref().is_some_and(RunningGame::is_arranged);
        if is_arranged {
            self.end(&Ending::left_by_both())
        } else {
            Vec::new()
        }
    }

    /// Restores the state after the stored events of game `number`, and keeps the members. The side
    /// to move gets the time back that it has spent on its move.
    ///
    /// # Errors
    /// The events are inconsistent; the table then has no game.
    pub fn rebuild(
        &mut self,
        number: u64,
        events: &[TableEvent],
        now: Instant,
    ) -> Result<(), RestoreError> {
        let seats = std::mem::take(&mut self.seats);
        let director = self.running.as_mut().and_then(RunningGame::take_director);
        self.replay(number, events, now)?;
        if let Some(running) = &mut self.running {
            running.set_director(director);
        }
        for color in Color::ALL {
            let holder = self.holder(color);
            let absent_since = (seats.iter().filter_map(|(_, seat)| seat.as_ref()))
                .find(|seat| Some(&seat.name) == self.name_at(color))
                .and_then(|seat| seat.absent_since);
            if let Some(seat) = &mut self.seats[color] {
                seat.client = holder;
                seat.absent_since = holder.is_none().then_some(absent_since.unwrap_or(now));
            }
        }
        Ok(())
    }

    fn name_at(&self, color: Color) -> Option<&String> {
        self.seats[color].as_ref().map(|seat| &seat.name)
    }

    /// The member with the name of the seat's player.
    fn holder(&self, color: Color) -> Option<ClientId> {
        let name = self.name_at(color)?;
        let mut members = self.members.iter();
        let holder = members.find(|(_, member)| member.name == *name);
        holder.map(|(&who, _)| who)
    }

    /// Replaces the state by the fold of these events.
    fn replay(
        &mut self,
        number: u64,
        events: &[TableEvent],
        now: Instant,
    ) -> Result<(), RestoreError> {
        self.seats = ByColor::default();
        self.running = None;
        self.last = None;
        self.games = number.saturating_sub(1);
        self.stream = StreamPosition {
            game: number,
            seq: 0,
            is_open: !events.is_empty(),
        };
        for event in events {
            self.stream.seq = self.stream.next_seq();
            let seq = self.stream.seq;
            let bad = |why: String| RestoreError { seq, why };
            self.apply(event, now).map_err(bad)?;
        }
        Ok(())
    }

    /// Applies a stored event.
    fn apply(&mut self, event: &TableEvent, now: Instant) -> Result<(), String> {
        let seq = self.stream.seq;
        match (event, &mut self.running) {
            (TableEvent::Opened(_), None) => {}
            (TableEvent::Seated(seated), None) => {
                let seat = Seat::restored(seated, now);
                self.seats[Color::from(seated.color)] = Some(seat);
            }
            (TableEvent::Unseated(unseated), None) => {
                self.seats[Color::from(unseated.color)] = None;
            }
            (TableEvent::Started(started), None) => self.replay_start(started, now)?,
            (TableEvent::Closed(_), None) => self.stream.is_open = false,
            (TableEvent::Moved(moved), Some(running)) => {
                let played = running.replay(moved, seq, now);
                played.map_err(|refusal| refusal.message)?;
            }
            (TableEvent::Offered(offered), Some(running)) => {
                let made = running.offer(offered.offer, offered.by.into());
                made.map_err(|refusal| refusal.message)?;
            }
            (TableEvent::Declined(declined), Some(running)) => {
                running.close_offer(declined.offer, !Color::from(declined.by));
            }
            (TableEvent::TookBack(took_back), Some(running)) => {
                running.replay_takeback(*took_back, now);
            }
            (TableEvent::TakenOver(taken_over), Some(running)) => {
                running.note_takeover(taken_over.at_ms);
            }
            (TableEvent::Ended(_), Some(_)) => {
                self.running = None;
                self.seats = ByColor::default();
                self.stream.is_open = false;
            }
            (_, None) => return Err("no game had begun".to_owned()),
            (_, Some(_)) => return Err("a game was running".to_owned()),
        }
        Ok(())
    }

    fn replay_start(&mut self, started: &Started, now: Instant) -> Result<(), String> {
        let opening = read_opening(&started.opening).ok_or("the opening cannot be read")?;
        let (white, black) = (
            started.white_clock.as_deref(),
            started.black_clock.as_deref(),
        );
        let controls = read_clocks(white, black).ok_or("the clocks cannot be read")?;
        let (Some(white), Some(black)) = (&self.seats.white, &self.seats.black) else {
            return Err("a seat was free".to_owned());
        };
        let config = GameConfig {
            table: &self.settings.id,
            number: self.stream.game,
            players: ByColor { white, black }.map(Seat::player),
            opening: &opening,
            rules: started
                .draw_rules
                .parse()
                .map_err(|_| "the rules are unknown")?,
            controls,
            lag_allowance: self.lag_allowance(),
            rated: self.settings.rated,
            event: self.settings.event.as_deref(),
        };
        let game = RunningGame::new(config, now).map_err(|error| error.to_string())?;
        self.games = self.stream.game;
        self.over = None;
        self.running = Some(if started.arranged {
            game.arranged()
        } else {
            game
        });
        Ok(())
    }
}
