//! A server, and the games that are played there.

use crate::reliability::audit;
use crate::reliability::games::TestGames;
use crate::reliability::process::ServerProcess;
use crate::reliability::proxy::Proxy;
use crate::reliability::scale::Scale;

pub(crate) struct Club {
    pub(crate) server: ServerProcess,
    pub(crate) proxy: Proxy,
    pub(crate) games: TestGames,
}

impl Club {
    /// Starts the server and the games.
    pub(crate) async fn open(scale: &Scale, mut server: ServerProcess) -> Club {
        server.start();
        let proxy = Proxy::before(server.address()).await;
        let games = TestGames::begin(&[proxy.address()], scale).await;
        Club {
            server,
            proxy,
            games,
        }
    }

    /// Finishes all games, and compares the archive with what the players received.
    pub(crate) async fn close_and_audit(mut self, scale: &Scale) {
        self.games.finish(scale).await;
        self.server.stop();
        let directory = self.server.disk.path().join("data");
        let audit = audit::compare_directory(&directory, &self.games.ledger).await;
        self.games.report(scale, &audit);
    }
}
