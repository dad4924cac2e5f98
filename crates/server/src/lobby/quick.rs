//! Pairs players who want a quick game.

use std::collections::VecDeque;

use checkers_lib::TimeControl;
use event_store::TokenHash;

use super::arena::ArenaWish;
use super::ladder::LadderWish;
use crate::moderation::Opponents;
use crate::table::ClientId;
use crate::tournaments::TournamentId;

/// A quick game that a player wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct QuickWish {
    /// The time control of both sides; `None` for the server's default.
    pub(crate) clock: Option<TimeControl>,
    pub(crate) is_rated: bool,
    /// The event that the game is for; `None` for an ordinary quick game.
    pub(crate) event: Option<EventWish>,
}

/// A request for a game of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EventWish {
    Ladder(LadderWish),
    Arena(ArenaWish),
    /// The games of the rounds of a tournament.
    Round(TournamentId),
}

/// The waiting players, in order of arrival.
#[derive(Debug, Default)]
pub(super) struct QuickQueue {
    waiting: VecDeque<WaitingPlayer>,
}

/// A player who waits for a quick game.
#[derive(Debug)]
pub(super) struct WaitingPlayer {
    pub(super) who: ClientId,
    pub(super) key: TokenHash,
    pub(super) wish: QuickWish,
    pub(super) is_bot: bool,
    /// Players with whom it is not paired.
    pub(super) avoids: Opponents,
}

impl WaitingPlayer {
    fn can_play(&self, other: &WaitingPlayer) -> bool {
        self.wish == other.wish
            && self.is_bot == other.is_bot
            && !self.avoids.contains(&other.key)
            && !other.avoids.contains(&self.key)
    }
}

impl QuickQueue {
    /// Queues a player, or returns the opponent who has waited longest for the same game. Bots play bots, and people
    /// play people. A player who is already queued changes the wish.
    pub(super) fn wait(&mut self, player: WaitingPlayer) -> Option<ClientId> {
        self.leave(player.who);
        let mut waiting = self.waiting.iter();
        match waiting.position(|other| player.can_play(other)) {
            Some(at) => self.waiting.remove(at).map(|other| other.who),
            None => {
                self.waiting.push_back(player);
                None
            }
        }
    }

    /// The time controls of the people who wait for a rated game, or for one that is not.
    pub(super) fn clocks(&self, is_rated: bool) -> impl Iterator<Item = TimeControl> {
        let people = self.waiting.iter().filter(|waiting| !waiting.is_bot);
        let wishes = people.map(|waiting| waiting.wish);
        let wanted = wishes.filter(move |wish| wish.is_rated == is_rated);
        wanted.filter_map(|wish| wish.clock)
    }

    /// Removes `who` from the queue.
    pub(super) fn leave(&mut self, who: ClientId) {
        self.waiting.retain(|waiting| waiting.who != who);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANNA: ClientId = ClientId(1);
    const BORIS: ClientId = ClientId(2);
    const CLARA: ClientId = ClientId(3);

    const CLOCKS: [&str; 3] = ["1m", "5m", "10m"];

    fn player(who: ClientId, wish: QuickWish, is_bot: bool) -> WaitingPlayer {
        WaitingPlayer {
            who,
            key: key_of(who),
            wish,
            is_bot,
            avoids: Opponents::new(),
        }
    }

    fn key_of(who: ClientId) -> TokenHash {
        TokenHash([who.0 as u8; 32])
    }

    fn wish(clock: &str) -> QuickWish {
        QuickWish {
            clock: clock.parse().ok(),
            is_rated: false,
            event: None,
        }
    }

    #[test]
    fn the_longest_waiting_player_with_the_same_clock_is_paired() {
        let [short, medium, long] = CLOCKS.map(wish);
        let mut quick = QuickQueue::default();
        assert_eq!(quick.wait(player(ANNA, short, false)), None);
        assert_eq!(quick.wait(player(BORIS, long, false)), None);
        assert!(
            quick
                .clocks(false)
                .eq([short, long].map(|wish| wish.clock.unwrap()))
        );
        assert_eq!(quick.wait(player(CLARA, short, false)), Some(ANNA));
        assert_eq!(quick.wait(player(ANNA, short, false)), None);
        assert_eq!(quick.wait(player(ANNA, long, false)), Some(BORIS));
        assert_eq!(quick.wait(player(BORIS, medium, false)), None);
        assert_eq!(
            quick.wait(player(ANNA, short, false)),
            None,
            "nobody waits for it any more"
        );
    }

    #[test]
    fn rated_games_are_apart() {
        let (mut quick, casual) = (QuickQueue::default(), wish("5m"));
        let rated = QuickWish {
            is_rated: true,
            ..casual
        };
        assert_eq!(quick.wait(player(ANNA, rated, false)), None);
        assert_eq!(quick.wait(player(BORIS, casual, false)), None);
        let counts = [true, false].map(|is_rated| quick.clocks(is_rated).count());
        assert_eq!(counts, [1, 1]);
        assert_eq!(quick.wait(player(CLARA, rated, false)), Some(ANNA));
    }

    #[test]
    fn players_are_not_paired_with_themselves_or_absent_players() {
        let (mut quick, clock) = (QuickQueue::default(), wish("5m"));
        assert_eq!(quick.wait(player(ANNA, clock, false)), None);
        assert_eq!(quick.wait(player(ANNA, clock, false)), None);
        quick.leave(ANNA);
        assert_eq!(quick.wait(player(BORIS, clock, false)), None);
    }

    #[test]
    fn blocked_players_are_not_paired() {
        let (mut quick, wish) = (QuickQueue::default(), wish("5m"));
        let avoiding = |who, other| WaitingPlayer {
            avoids: vec![key_of(other)],
            ..player(who, wish, false)
        };
        assert_eq!(quick.wait(avoiding(ANNA, BORIS)), None);
        assert_eq!(quick.wait(player(BORIS, wish, false)), None);
        assert_eq!(quick.wait(avoiding(CLARA, ANNA)), Some(BORIS));
        assert_eq!(quick.wait(avoiding(CLARA, ANNA)), None);
        assert_eq!(quick.wait(player(BORIS, wish, false)), Some(CLARA));
    }

    #[test]
    fn bots_play_bots() {
        let (mut quick, wish) = (QuickQueue::default(), wish("5m"));
        assert_eq!(quick.wait(player(ANNA, wish, true)), None);
        assert_eq!(quick.clocks(false).count(), 0);
        assert_eq!(quick.wait(player(BORIS, wish, false)), None);
        assert_eq!(quick.wait(player(CLARA, wish, true)), Some(ANNA));
    }
}
