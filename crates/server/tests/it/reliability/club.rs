//! The players of a run.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use checkers_lib::Color;
use rand_pcg::Pcg64Mcg;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::reliability::audit::{self, Audit};
use crate::reliability::ledger::Ledger;
use crate::reliability::player::{Board, Meeting, Player};
use crate::reliability::process::ServerProcess;
use crate::reliability::proxy::Proxy;
use crate::reliability::scale::Scale;

pub(crate) struct Club {
    pub(crate) server: ServerProcess,
    pub(crate) proxy: Proxy,
    pub(crate) ledger: Ledger,
    pub(crate) random: Pcg64Mcg,
    players: JoinSet<()>,
    closing: watch::Sender<bool>,
    began: Instant,
}

impl Club {
    /// Starts the server and the games.
    pub(crate) async fn open(scale: &Scale, mut server: ServerProcess) -> Club {
        server.start();
        let proxy = Proxy::before(server.address()).await;
        let (closing, _) = watch::channel(false);
        let mut club = Club {
            server,
            proxy,
            ledger: Ledger::default(),
            random: Pcg64Mcg::new(u128::from(scale.seed) | 1),
            players: JoinSet::new(),
            closing,
            began: Instant::now(),
        };
        let address = club.proxy.address();
        for game in 0..scale.games {
            let (board, _) = watch::channel(Meeting::default());
            for color in Color::ALL {
                let player = club.player(address, game, color, board.clone(), scale);
                club.players.spawn(player.play());
            }
        }
        club.wait_for_moves(scale.games * 4, scale).await;
        club
    }

    fn player(
        &self,
        address: SocketAddr,
        game: usize,
        color: Color,
        board: Board,
        scale: &Scale,
    ) -> Player {
        let seed = u128::from(scale.seed) << 64 | (game as u128) << 2 | color as u128;
        Player {
            address,
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
        let played = async {
            while self.ledger.entries().moves() < wanted {
                sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::select! {
            played = timeout(scale.patience(), played) => {
                let moves = self.ledger.entries().moves();
                assert!(played.is_ok(), "{moves} of {wanted} moves");
            }
            Some(ended) = self.players.join_next() => {
                ended.expect("no player fails");
                panic!("a player has stopped playing");
            }
        }
    }

    /// Finishes all games, and compares the archive with what the players received.
    pub(crate) async fn close_and_audit(mut self, scale: &Scale) {
        self.closing.send_replace(true);
        let ended = async {
            while let Some(ended) = self.players.join_next().await {
                ended.expect("no player fails");
            }
        };
        let in_time = timeout(scale.patience(), ended).await.is_ok();
        assert!(in_time, "{} players play on", self.players.len());
        self.server.stop();
        let audit = audit::compare(&self.server.disk.path().join("data"), &self.ledger).await;
        self.report(scale, &audit);
    }

    fn report(&self, scale: &Scale, audit: &Audit) {
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
