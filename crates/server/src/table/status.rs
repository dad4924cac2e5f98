//! The public status of a table, for lists of tables.

use std::sync::Arc;
use std::time::Instant;

use checkers_lib::Position;
use checkers_lib::protocol::{SeatInfo, Seats, TableInfo, TablePhase, wire_ply};
use checkers_lib::{ByColor, Color};

use super::running_game::whole_millis;
use super::seats::Seat;
use super::{Table, TableSettings};

/// From this ply on, a position is unlikely to occur in two games at once.
const FIRST_OWN_PLY: u32 = 8;

/// The status of a table, for lists and for the lobby. Cheap to update.
#[derive(Clone, Debug)]
pub struct TableStatus {
    pub settings: Arc<TableSettings>,
    pub phase: TablePhase,
    /// The number of the last game that started.
    pub game: u64,
    /// The number of moves of that game.
    pub ply: u32,
    /// The hash key of its position while it runs.
    pub position: Option<u64>,
    /// The occupied seats.
    pub seats: ByColor<Option<SeatStatus>>,
    /// The number of watchers.
    pub watchers: u32,
    /// Whether the table is closed.
    pub is_closed: bool,
}

/// An occupied seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeatStatus {
    pub name: Arc<str>,
    /// The hash of the player's secret.
    pub key: Option<event_store::TokenHash>,
    /// For a bot of the server, its specification.
    pub bot: Option<Arc<str>>,
    /// Since when the player has been disconnected.
    pub absent_since: Option<Instant>,
}

impl TableStatus {
    pub(crate) fn players(&self) -> impl Iterator<Item = &SeatStatus> {
        self.seats.iter().filter_map(|(_, seat)| seat.as_ref())
    }

    /// Whether a person plays a game in this position that has left the common opening moves.
    pub(crate) fn has_position_in_play(&self, position: u64) -> bool {
        self.position == Some(position)
            && self.ply >= FIRST_OWN_PLY
            && self
                .seats
                .iter()
                .any(|(_, seat)| seat.as_ref().is_none_or(|seat| seat.bot.is_none()))
    }

    /// The wire form, without the time until the game can be claimed.
    pub fn info(&self, now: Instant) -> TableInfo {
        let seat = |side: Color| {
            let seat = self.seats[side].as_ref()?;
            let absent = seat.absent_since;
            Some(SeatInfo {
                name: seat.name.to_string(),
                connected: absent.is_none(),
                bot: seat.bot.as_deref().map(str::to_owned),
                absent_ms: absent.map(|since| whole_millis(now.saturating_duration_since(since))),
                claim_in_ms: None,
            })
        };
        let settings = &*self.settings;
        let clock = |side| settings.clocks[side].map(|control| control.to_string());
        TableInfo {
            id: settings.id.clone(),
            kind: settings.kind,
            visibility: settings.visibility,
            white_clock: clock(Color::White),
            black_clock: clock(Color::Black),
            draw_rules: settings.rules.to_string(),
            start_fen: match &settings.openings[..] {
                [opening] if *opening.start() != Position::start() => {
                    Some(opening.start().to_string())
                }
                _ => None,
            },
            casual: settings.casual,
            rated: settings.rated,
            event: settings.event.clone(),
            opponent: settings.opponent.clone(),
            state: self.phase,
            seats: Seats {
                white: seat(Color::White),
                black: seat(Color::Black),
            },
            watchers: self.watchers,
            ply: self.ply,
        }
    }
}

impl SeatStatus {
    fn of(seat: &Seat) -> SeatStatus {
        SeatStatus {
            name: seat.name.as_str().into(),
            key: seat.key,
            bot: seat.bot.as_deref().map(Into::into),
            absent_since: seat.absent_since,
        }
    }

    fn is_of(&self, seat: &Seat) -> bool {
        *self.name == *seat.name && self.key == seat.key && self.absent_since == seat.absent_since
    }
}

impl Table {
    /// The current status.
    pub fn status(&self) -> TableStatus {
        TableStatus {
            settings: Arc::clone(&self.settings),
            phase: self.phase(),
            game: self.games,
            ply: self.ply(),
            position: self.position_key(),
            seats: ByColor::new_with(|side| self.seats[side].as_ref().map(SeatStatus::of)),
            watchers: self.watchers(),
            is_closed: self.is_closed,
        }
    }

    /// Updates `status`; returns whether it has changed.
    pub fn update(&self, status: &mut TableStatus) -> bool {
        let (watchers, is_closed) = (self.watchers(), self.is_closed);
        let mut has_changed = (status.watchers, status.is_closed) != (watchers, is_closed);
        (status.watchers, status.is_closed) = (watchers, is_closed);
        has_changed |= self.update_game(status);
        for side in Color::ALL {
            let is_same = match (&self.seats[side], &status.seats[side]) {
                (Some(seat), Some(known)) => known.is_of(seat),
                (None, None) => true,
                (Some(_), None) | (None, Some(_)) => false,
            };
            if !is_same {
                status.seats[side] = self.seats[side].as_ref().map(SeatStatus::of);
                has_changed = true;
            }
        }
        has_changed
    }

    /// Updates only the game in `status`; returns whether it has changed.
    fn update_game(&self, status: &mut TableStatus) -> bool {
        let before = (status.phase, status.game, status.ply);
        let now = (self.phase(), self.games, self.ply());
        (status.phase, status.game, status.ply) = now;
        status.position = self.position_key();
        before != now
    }

    /// The wire form of the status.
    pub(super) fn info(&self, now: Instant) -> TableInfo {
        let mut info = self.status().info(now);
        let claim_in = |side| self.claim_in(side, now).map(whole_millis);
        if let Some(seat) = &mut info.seats.white {
            seat.claim_in_ms = claim_in(Color::White);
        }
        if let Some(seat) = &mut info.seats.black {
            seat.claim_in_ms = claim_in(Color::Black);
        }
        info
    }

    fn phase(&self) -> TablePhase {
        match (&self.running, &self.over) {
            (Some(_), _) => TablePhase::Running,
            (None, Some(_)) => TablePhase::Over,
            (None, None) => TablePhase::Waiting,
        }
    }

    fn position_key(&self) -> Option<u64> {
        let running = self.running.as_ref()?;
        Some(running.game.position().key())
    }

    fn ply(&self) -> u32 {
        match (&self.running, &self.over) {
            (Some(running), _) => wire_ply(&running.game),
            (None, Some(over)) => over.ply(),
            (None, None) => 0,
        }
    }
}
