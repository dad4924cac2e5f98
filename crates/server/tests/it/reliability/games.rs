//! The games of a run: their players, and what these received.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use checkers_lib::Color;
use rand_pcg::Pcg64Mcg;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::reliability::audit::Audit;
use crate::reliability::ledger::{Entries, Ledger, table_of};
use crate::reliability::player::{Meeting, SharedMeeting, TestPlayer};
use crate::reliability::scale::Scale;

pub(crate) struct TestGames {
    pub(crate) ledger: Ledger,
    pub(crate) random: Pcg64Mcg,
    players: JoinSet<()>,
    closing: watch::Sender<bool>,
    began: Instant,
}

impl TestGames {
    /// Starts the games. A player connects to another of these addresses whenever a connection is lost.
    pub(crate) async fn begin(addresses: &[SocketAddr], scale: &Scale) -> TestGames {
        let (closing, _) = watch::channel(false);
        let mut games = TestGames {
            ledger: Ledger::default(),
            random: Pcg64Mcg::new(u128::from(scale.seed) | 1),
            players: JoinSet::new(),
            closing,
            began: Instant::now(),
        };
        for game in 0..scale.games {
            let (board, _) = watch::channel(Meeting::default());
            for color in Color::ALL {
                let mut addresses = addresses.to_vec();
                let first = (game * 2 + color as usize) % addresses.len();
                addresses.rotate_left(first);
                let player = games.player(addresses, game, color, board.clone(), scale);
                games.players.spawn(player.play());
            }
        }
        games.wait_for_moves(scale.games * 4, scale).await;
        games
    }

    fn player(
        &self,
        addresses: Vec<SocketAddr>,
        game: usize,
        color: Color,
        board: SharedMeeting,
        scale: &Scale,
    ) -> TestPlayer {
        let seed = u128::from(scale.seed) << 64 | (game as u128) << 2 | color as u128;
        TestPlayer {
            addresses,
            name: format!("{color} {game}"),
            color,
            board,
            ledger: self.ledger.clone(),
            pace: scale.pace,
            closing: self.closing.subscribe(),
            random: Pcg64Mcg::new(seed * 2 + 1),
            token: None,
            turn: None,
            is_playing: false,
            is_seated: false,
        }
    }

    /// Waits for this many further acknowledged moves.
    pub(crate) async fn wait_for_moves(&mut self, more: usize, scale: &Scale) {
        let wanted = self.ledger.entries().moves() + more;
        let missing = move |entries: &Entries| {
            let moves = entries.moves();
            (moves < wanted).then(|| format!("{moves} of {wanted} moves"))
        };
        self.wait_for(missing, scale).await;
    }

    /// Waits until each unfinished game at some tables has a further acknowledged move, or has ended.
    pub(crate) async fn wait_for_each(&mut self, at: impl Fn(&str) -> bool, scale: &Scale) {
        let mut before = self.ledger.entries().unfinished();
        before.retain(|game, _| at(table_of(game)));
        let missing = move |entries: &Entries| {
            let stands_still =
                |(id, moves): &(&String, &usize)| entries.unfinished_moves(id) == Some(**moves);
            let still: Vec<&String> = { before.iter() }
                .filter(stands_still)
                .map(|(game, _)| game)
                .collect();
            (!still.is_empty()).then(|| format!("these games stand still: {still:?}"))
        };
        self.wait_for(missing, scale).await;
    }

    /// Waits until a further request is refused because it cannot be stored.
    pub(crate) async fn wait_for_refusal(&mut self, scale: &Scale) {
        let before = self.ledger.entries().not_stored;
        let missing = move |entries: &Entries| {
            (entries.not_stored == before).then(|| "nothing is refused".to_owned())
        };
        self.wait_for(missing, scale).await;
    }

    /// Waits until nothing is missing.
    async fn wait_for(&mut self, missing: impl Fn(&Entries) -> Option<String>, scale: &Scale) {
        let there = async {
            while missing(&self.ledger.entries()).is_some() {
                sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::select! {
            there = timeout(scale.patience(), there) => {
                let missing = missing(&self.ledger.entries());
                assert!(there.is_ok(), "{}", missing.unwrap_or_default());
            }
            Some(ended) = self.players.join_next() => {
                ended.expect("no player fails");
                panic!("a player has stopped playing");
            }
        }
    }

    /// Finishes all games.
    pub(crate) async fn finish(&mut self, scale: &Scale) {
        self.closing.send_replace(true);
        let ended = async {
            while let Some(ended) = self.players.join_next().await {
                ended.expect("no player fails");
            }
        };
        let in_time = timeout(scale.patience(), ended).await.is_ok();
        let latest = &self.ledger.entries().latest;
        assert!(in_time, "these play on: {latest:#?}");
    }

    pub(crate) fn report(&self, scale: &Scale, audit: &Audit) {
        let received = self.ledger.entries();
        scale.report(&format!(
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            scale.trouble,
            scale.times,
            scale.games,
            audit.games,
            received.moves(),
            received.reconnections,
            received.known_already,
            received.not_stored,
            humantime::format_duration(Duration::from_secs(self.began.elapsed().as_secs())),
        ));
    }
}
