//! The same with three nodes on one database: nodes are killed, frozen and restarted, and the database stops.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use checkers_server::store::{Durability, PostgresAddress, PostgresConfig, PostgresStore};
use postgres_kit::test_server::PostgresServer;
use rand_pcg::rand_core::Rng;
use tempfile::TempDir;
use tokio::time::sleep;

use crate::reliability::audit::{self, Audit};
use crate::reliability::games::Games;
use crate::reliability::process::ServerProcess;
use crate::reliability::scale::Scale;

/// Longer than it takes to notice that a node is dead.
const TAKEOVER: Duration = Duration::from_secs(4);

struct Cluster {
    database: String,
    nodes: Vec<ServerProcess>,
    games: Games,
    _key: TempDir,
}

impl Cluster {
    /// Starts three nodes, and games at all of them.
    async fn open(server: &PostgresServer, scale: &Scale) -> Cluster {
        let database = server.database();
        let directory = tempfile::tempdir().expect("a directory");
        let key = directory.path().join("key");
        std::fs::write(
            &key,
            "a key of a cluster for tests only, of more than 32 characters",
        )
        .expect("written");
        let name = |number| format!("node-{number}");
        let mut nodes: Vec<ServerProcess> = (1..=3)
            .map(|number| ServerProcess::node(&name(number), &database, &key))
            .collect();
        nodes.iter_mut().for_each(ServerProcess::start);
        let addresses: Vec<SocketAddr> = nodes.iter().map(ServerProcess::address).collect();
        let games = Games::begin(&addresses, scale).await;
        Cluster {
            database,
            nodes,
            games,
            _key: directory,
        }
    }

    /// Waits for progress, then for a random time. Returns the number of a random node.
    async fn pause(&mut self, scale: &Scale) -> usize {
        let moves = scale.games / 4 + self.games.random.next_u32() as usize % scale.games;
        self.games.wait_for_moves(moves.max(1), scale).await;
        sleep(Duration::from_millis(self.games.random.next_u64() % 100)).await;
        self.games.random.next_u32() as usize % self.nodes.len()
    }

    /// Waits until every game goes on.
    async fn go_on(&mut self, scale: &Scale) {
        self.games.wait_for_moves(scale.games * 2, scale).await;
    }

    /// Finishes all games, and compares the archive with what the players received.
    async fn close_and_audit(mut self, scale: &Scale) -> Audit {
        self.games.finish(scale).await;
        self.nodes.iter_mut().for_each(ServerProcess::stop);
        let config = PostgresConfig::new(
            PostgresAddress::parse(&self.database).expect("an address"),
            Durability::PowerLoss,
        );
        let store = PostgresStore::open(config).expect("the database is free");
        let audit = audit::compare(&Arc::new(store), &self.games.ledger).await;
        self.games.report(scale, &audit);
        audit
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_nodes_lose_nothing() {
    let scale = Scale::of("killed nodes", 6, 3);
    let Some(server) = PostgresServer::shared() else {
        return scale.skip("there is no PostgreSQL");
    };
    let mut cluster = Cluster::open(server, &scale).await;
    for _ in 0..scale.times {
        let node = cluster.pause(&scale).await;
        cluster.nodes[node].kill();
        cluster.go_on(&scale).await;
        cluster.nodes[node].start();
    }
    cluster.close_and_audit(&scale).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_frozen_node_is_replaced_and_loses_nothing() {
    let scale = Scale::of("frozen nodes", 4, 1);
    let Some(server) = PostgresServer::shared() else {
        return scale.skip("there is no PostgreSQL");
    };
    let mut cluster = Cluster::open(server, &scale).await;
    for _ in 0..scale.times {
        let node = cluster.pause(&scale).await;
        cluster.nodes[node].signal("-STOP");
        sleep(TAKEOVER).await;
        cluster.nodes[node].signal("-CONT");
        assert_eq!(cluster.nodes[node].wait(), Some(1), "it has to start again");
        cluster.go_on(&scale).await;
        cluster.nodes[node].start();
    }
    cluster.close_and_audit(&scale).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_that_restart_one_after_the_other_lose_nothing() {
    let scale = Scale::of("rolling restarts", 6, 1);
    let Some(server) = PostgresServer::shared() else {
        return scale.skip("there is no PostgreSQL");
    };
    let mut cluster = Cluster::open(server, &scale).await;
    for _ in 0..scale.times {
        for node in 0..cluster.nodes.len() {
            cluster.nodes[node].stop();
            cluster.nodes[node].start();
            cluster.go_on(&scale).await;
        }
    }
    let audit = cluster.close_and_audit(&scale).await;
    assert!(audit.takeovers > 0, "no game was handed over");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_stops_loses_nothing_and_kills_no_node() {
    let scale = Scale::of("stops of the database", 4, 1);
    let Some(mut server) = PostgresServer::start(&[]) else {
        return scale.skip("there is no PostgreSQL");
    };
    let mut cluster = Cluster::open(&server, &scale).await;
    for _ in 0..scale.times {
        cluster.pause(&scale).await;
        server.stop();
        sleep(TAKEOVER).await;
        server.start_again();
        cluster.go_on(&scale).await;
    }
    // None has ended: `stop` finds them.
    cluster.close_and_audit(&scale).await;
}

/// The time from the death of a node to the next move of each game there.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_of_a_killed_node_go_on_elsewhere() {
    let scale = Scale::of("takeovers", 4, 1);
    let Some(server) = PostgresServer::shared() else {
        return scale.skip("there is no PostgreSQL");
    };
    let mut cluster = Cluster::open(server, &scale).await;
    let node = cluster.pause(&scale).await;
    cluster.nodes[node].kill();
    let killed = Instant::now();
    cluster.go_on(&scale).await;
    scale.report(&format!("| takeover | {:?} ||||||||", killed.elapsed()));
    cluster.nodes[node].start();
    cluster.close_and_audit(&scale).await;
}
