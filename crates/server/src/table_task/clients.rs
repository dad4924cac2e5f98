//! The connections that a table speaks to, and what happens to those that read too slowly.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::task::yield_now;
use tracing::{debug, warn};

use super::frame::Frame;
use super::later::Later;
use super::outbox::{Outbox, Unflushed};
use crate::metrics::Metrics;
use crate::table::{ClientId, Table};

/// Clients that are written to before others have their turn.
pub(super) const AT_ONCE: usize = 32;

/// Who falls behind twice in this time is disconnected.
const SECOND_CHANCE: Duration = Duration::from_secs(30);

/// The connections of a table.
#[derive(Debug)]
pub(super) struct Clients {
    /// In the order of their numbers: most tables have two, which stand together here.
    clients: Vec<Client>,
    /// Those whose queues were full and who are to be let go.
    too_slow: VecDeque<ClientId>,
    undelivered: Undelivered,
    /// Who sees to what can wait.
    later: Later,
    metrics: Arc<Metrics>,
}

/// What was queued and nobody has seen to yet.
#[derive(Debug, Default)]
pub(super) struct Undelivered {
    /// The queues to which something was added.
    pub(super) queues: Vec<Unflushed>,
    /// When the moves came that are told there.
    moves: Vec<Instant>,
}

#[derive(Debug)]
struct Client {
    who: ClientId,
    outbox: Outbox,
    /// Whether it is told what everybody is told.
    has_entered: bool,
    /// Whether it is told nothing until it has asked for the state.
    is_behind: bool,
    /// When it last fell behind.
    fell_behind: Option<Instant>,
}

impl Clients {
    pub(super) fn new(later: Later, metrics: Arc<Metrics>) -> Clients {
        Clients {
            clients: Vec::new(),
            too_slow: VecDeque::new(),
            undelivered: Undelivered::default(),
            later,
            metrics,
        }
    }

    pub(super) fn attach(&mut self, who: ClientId, outbox: Outbox) {
        let client = Client {
            who,
            outbox,
            has_entered: false,
            is_behind: false,
            fell_behind: None,
        };
        match self.place(who) {
            Ok(place) => self.clients[place] = client,
            Err(place) => self.clients.insert(place, client),
        }
    }

    /// Takes in that a client has come in.
    pub(super) fn enters(&mut self, who: ClientId) {
        if let Some(client) = self.find(who) {
            client.has_entered = true;
        }
    }

    pub(super) fn detach(&mut self, who: ClientId) {
        if let Ok(place) = self.place(who) {
            self.clients.remove(place);
        }
    }

    /// Queues a frame for a client; [`flush`](Clients::flush) sends it.
    pub(super) fn tell(&mut self, table: &Table, who: ClientId, frame: &Frame) {
        let Ok(place) = self.place(who) else {
            return;
        };
        let client = &mut self.clients[place];
        if client.is_behind {
            return;
        }
        if client.outbox.queue(frame) {
            return self.undelivered.add(&client.outbox);
        }
        let is_player = table.seat_of(who).is_some();
        if client.falls_behind(is_player, &self.metrics) {
            self.too_slow.push_back(who);
        }
    }

    /// Queues a frame for everybody who has entered; [`flush`](Clients::flush) sends it, but to who
    /// `knows` what it tells perhaps not so soon.
    pub(super) fn tell_all(&mut self, table: &Table, frame: &Frame, knows: Option<ClientId>) {
        for client in &mut self.clients {
            let who = client.who;
            if client.is_behind || !client.has_entered {
                continue;
            }
            if client.outbox.queue(frame) {
                if knows != Some(who) || !self.later.takes(&client.outbox) {
                    self.undelivered.add(&client.outbox);
                }
                continue;
            }
            let is_player = table.seat_of(who).is_some();
            if client.falls_behind(is_player, &self.metrics) {
                self.too_slow.push_back(who);
            }
        }
    }

    /// Takes in that a move that came at this moment is told by what was queued.
    pub(super) fn told_move(&mut self, arrived: Instant) {
        self.undelivered.moves.push(arrived);
    }

    /// Sends what was queued: all of it that a client is told goes out in one write.
    pub(super) async fn flush(&mut self) {
        let mut buffer = Vec::new();
        for (number, outbox) in (1..).zip(self.undelivered.queues.drain(..)) {
            outbox.flush(&mut buffer, &self.metrics);
            if number % AT_ONCE == 0 {
                yield_now().await;
            }
        }
        self.undelivered.sent(&self.metrics);
    }

    /// What [`flush`](Clients::flush) would see to.
    pub(super) fn undelivered(&self) -> &Undelivered {
        &self.undelivered
    }

    /// Leaves it to the caller to see to that. `other`, which is empty, goes in its place.
    pub(super) fn swap_undelivered(&mut self, other: &mut Undelivered) {
        std::mem::swap(&mut self.undelivered, other);
    }

    /// Takes in that a client that was behind has taken all that waited for it off.
    pub(super) fn catches_up(&mut self, who: ClientId) {
        if let Some(client) = self.find(who) {
            client.is_behind = false;
        }
    }

    /// Whether anybody is to be let go.
    pub(super) fn has_too_slow(&self) -> bool {
        !self.too_slow.is_empty()
    }

    /// The next of those who are to be let go.
    pub(super) fn next_too_slow(&mut self) -> Option<ClientId> {
        self.too_slow.pop_front()
    }

    fn find(&mut self, who: ClientId) -> Option<&mut Client> {
        let place = self.place(who).ok()?;
        self.clients.get_mut(place)
    }

    /// Where a client stands, or would stand.
    fn place(&self, who: ClientId) -> Result<usize, usize> {
        self.clients.binary_search_by_key(&who, |client| client.who)
    }
}

impl Undelivered {
    /// Takes in that something was added to a queue. Who is asked for a move has just been told of the
    /// one before: it mostly is here already, as one of the last two.
    fn add(&mut self, outbox: &Outbox) {
        let mut last = self.queues.iter().rev().take(2);
        if !last.any(|other| other.is_of(outbox)) {
            self.queues.push(outbox.unflushed());
        }
    }

    /// Whether there is nothing to see to.
    pub(super) fn is_empty(&self) -> bool {
        self.queues.is_empty() && self.moves.is_empty()
    }

    /// Takes in that the queues have been seen to.
    pub(super) fn sent(&mut self, metrics: &Metrics) {
        if self.moves.is_empty() {
            return;
        }
        let now = Instant::now();
        for arrived in self.moves.drain(..) {
            metrics.move_sent(now.saturating_duration_since(arrived));
        }
    }
}

impl Client {
    /// Takes in that the client's queue is full; returns whether it is given up. A player is, so
    /// that it never misses a move; it comes back and is told all. A spectator gets another chance.
    fn falls_behind(&mut self, is_player: bool, metrics: &Metrics) -> bool {
        metrics.queue_full();
        let now = Instant::now();
        let is_recent = |before: Instant| now.saturating_duration_since(before) < SECOND_CHANCE;
        self.is_behind = true;
        if is_player || self.fell_behind.is_some_and(is_recent) {
            warn!(client = self.who.0, "too slow a reader, disconnecting");
            self.outbox.give_up();
            return true;
        }
        debug!(client = self.who.0, "too slow a reader, starting afresh");
        self.fell_behind = Some(now);
        self.outbox.drop_waiting();
        false
    }
}

#[cfg(test)]
mod tests {
    use checkers_lib::protocol::ServerMessage;
    use checkers_lib::{Color, DrawRules};

    use super::super::later::tests::waits;
    use super::super::outbox::{OUTBOX, Outgoing, outbox};
    use super::*;
    use crate::table::{Command, Entrance};

    const PLAYER: ClientId = ClientId(1);
    const SPECTATOR: ClientId = ClientId(2);

    #[tokio::test]
    async fn who_has_moved_is_told_with_the_next_thing_while_the_server_is_busy() {
        let table = Table::new("main", DrawRules::Fmjd64);
        let mut clients = Clients::new(Later::busy(), Arc::new(Metrics::new()));
        let [mut mover, mut other] = [PLAYER, SPECTATOR].map(|who| {
            let (outbox, frames) = outbox();
            clients.attach(who, outbox);
            clients.enters(who);
            frames
        });
        let woken = [&mut mover, &mut other].map(waits);
        clients.tell_all(&table, &Frame::new(&ServerMessage::Unqueued), Some(PLAYER));
        clients.flush().await;
        assert_eq!(woken.map(|bell| bell.has_rung()), [false, true]);

        // It has the first one in its queue now, without having been woken for it.
        let answer = Frame::new(&ServerMessage::Replaced);
        clients.tell(&table, PLAYER, &answer);
        clients.flush().await;
        let told = [mover.try_next(), mover.try_next()].map(|frame| frame.unwrap().text);
        assert!(
            told[0].contains("unqueued") && told[1].contains("replaced"),
            "{told:?}"
        );
    }

    #[tokio::test]
    async fn a_player_who_falls_behind_is_given_up_and_a_spectator_at_the_second_time() {
        let mut table = Table::new("main", DrawRules::Fmjd64);
        let metrics = Arc::new(Metrics::new());
        let mut clients = Clients::new(Later::new(Arc::clone(&metrics)), metrics);
        let now = Instant::now();
        let [mut player, mut spectator] = [PLAYER, SPECTATOR].map(|who| {
            let entrance = Entrance::named(format!("{who:?}"));
            table.handle(who, Command::Enter(entrance), now);
            let (outbox, frames) = outbox();
            clients.attach(who, outbox);
            clients.enters(who);
            frames
        });
        table.handle(PLAYER, Command::TakeSeat(Color::White), now);
        let frame = Frame::new(&ServerMessage::Unqueued);
        let tell_too_much = |clients: &mut Clients| {
            for _ in 0..=OUTBOX {
                clients.tell_all(&table, &frame, None);
            }
        };
        tell_too_much(&mut clients);
        clients.flush().await;
        assert_eq!(clients.next_too_slow(), Some(PLAYER));
        assert_eq!(clients.next_too_slow(), None);
        assert!(matches!(player.next().await, Outgoing::GivenUp));
        clients.detach(PLAYER);

        assert!(matches!(spectator.next().await, Outgoing::Stale));
        tell_too_much(&mut clients);
        assert!(
            spectator.try_next().is_none(),
            "it has not asked for the state"
        );
        clients.catches_up(SPECTATOR);
        tell_too_much(&mut clients);
        assert_eq!(clients.next_too_slow(), Some(SPECTATOR));
        assert!(matches!(spectator.next().await, Outgoing::GivenUp));
    }
}
