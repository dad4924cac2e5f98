//! The same with three nodes on one database: nodes are killed, frozen, restarted and separated, and the database
//! stops.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use checkers_lib::protocol::{ClientMessage, ErrorCode, Join, ServerMessage, Watch};
use event_store::{
    ClusterAdmin, Durability, PostgresAddress, PostgresConfig, PostgresStore, ShardId,
};
use rand_pcg::rand_core::Rng;
use tempfile::TempDir;
use test_support::{PostgresServer, query};
use test_support::{Proxy, ProxyLink};
use tokio::time::{sleep, timeout};

use crate::reliability::audit::{self, Audit};
use crate::reliability::games::TestGames;
use crate::reliability::link::TestLink as PlayerLink;
use crate::reliability::partition::Network;
use crate::reliability::process::ServerProcess;
use crate::reliability::scale::Scale;

pub(crate) const KEY: &str = "a key of a cluster for tests only, of more than 32 characters";

/// Longer than it takes to notice that a node is dead.
const TAKEOVER: Duration = Duration::from_secs(4);

/// Three nodes, and the games that are played there.
pub(crate) struct Cluster {
    pub(crate) database: String,
    pub(crate) nodes: Vec<ServerProcess>,
    games: TestGames,
    _key: TempDir,
}

impl Cluster {
    /// Starts three nodes, and games at all of them.
    pub(crate) async fn open(server: &PostgresServer, scale: &Scale) -> Cluster {
        let database = server.database();
        let nodes = [1, 2, 3].map(|number| (format!("node-{number}"), database.clone()));
        Cluster::of(nodes, database, scale).await
    }

    /// Starts nodes with these names and addresses of the database, and games at all of them.
    async fn of(nodes: [(String, String); 3], database: String, scale: &Scale) -> Cluster {
        let (nodes, key) = prepare(nodes);
        Cluster::start(nodes, key, database, scale).await
    }

    /// Starts three nodes in a network that can separate them, and games at all of them.
    async fn in_network(server: &PostgresServer, scale: &Scale) -> (Cluster, Network) {
        let database = server.database();
        let nodes = [1, 2, 3].map(|number| (format!("node-{number}"), database.clone()));
        let (nodes, key) = prepare(nodes);
        let addresses: Vec<SocketAddr> = nodes.iter().map(ServerProcess::link_address).collect();
        let network = Network::between(&addresses, &database).await;
        let cluster = Cluster::start(nodes, key, database, scale).await;
        (cluster, network)
    }

    async fn start(
        mut nodes: Vec<ServerProcess>,
        key: TempDir,
        database: String,
        scale: &Scale,
    ) -> Cluster {
        nodes.iter_mut().for_each(ServerProcess::start);
        let addresses: Vec<SocketAddr> = nodes.iter().map(ServerProcess::address).collect();
        let games = TestGames::begin(&addresses, scale).await;
        Cluster {
            database,
            nodes,
            games,
            _key: key,
        }
    }

    /// Waits for progress, then for a random time. Returns the number of a random node.
    async fn pause(&mut self, scale: &Scale) -> usize {
        let moves = scale.games / 4 + self.games.random.next_u32() as usize % scale.games;
        self.games.wait_for_moves(moves.max(1), scale).await;
        sleep(Duration::from_millis(self.games.random.next_u64() % 100)).await;
        self.games.random.next_u32() as usize % self.nodes.len()
    }

    /// Kills random nodes, and starts each again once games go on.
    async fn kill_nodes(&mut self, scale: &Scale) {
        for _ in 0..scale.times {
            let node = self.pause(scale).await;
            self.nodes[node].kill();
            self.go_on(scale).await;
            self.nodes[node].start();
        }
    }

    /// Waits until all games go on: each has a further move, and there are twice as many moves as games.
    pub(crate) async fn go_on(&mut self, scale: &Scale) {
        self.games.wait_for_each(|_| true, scale).await;
        self.games.wait_for_moves(scale.games * 2, scale).await;
    }

    /// Finishes all games, and compares the archive with what the players received.
    pub(crate) async fn close_and_audit(mut self, scale: &Scale) -> Audit {
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

/// A file with the key of a cluster, and the directory with it.
pub(crate) fn key_file() -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("a directory");
    let key = directory.path().join("key");
    std::fs::write(&key, KEY).expect("written");
    (directory, key)
}

/// Nodes with these names and addresses of the database, and the directory with their key.
fn prepare(nodes: [(String, String); 3]) -> (Vec<ServerProcess>, TempDir) {
    let (directory, key) = key_file();
    let nodes = nodes
        .iter()
        .map(|(name, database)| ServerProcess::node(name, database, &key));
    (nodes.collect(), directory)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_nodes_lose_nothing() {
    let scale = Scale::of("killed nodes", 6, 3);
    let Some(server) = PostgresServer::shared() else {
        return scale.skip("there is no PostgreSQL");
    };
    let mut cluster = Cluster::open(server, &scale).await;
    cluster.kill_nodes(&scale).await;
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

/// Fills more of the table of events than [`ROOM`], without a gap that an event fits into.
const BALLAST: &str = "
    INSERT INTO event SELECT -1, number, 0, 0, 0, '', repeat('x', 1940) FROM generate_series(1, 1200) AS number";
const ROOM: u64 = 2_000_000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_of_the_database_loses_nothing_and_kills_no_node() {
    let scale = Scale::of("full disks of the database", 4, 1);
    let Some(server) = PostgresServer::start(&["fsync=off", "autovacuum=off"]) else {
        return scale.skip("there is no PostgreSQL");
    };
    let mut cluster = Cluster::open(&server, &scale).await;
    let owners = Owners::of_settled(&cluster.database).await;
    query(&cluster.database, BALLAST).expect("there is room");
    for _ in 0..scale.times {
        cluster.pause(&scale).await;
        server.limit_files(Some(ROOM));
        cluster.games.wait_for_refusal(&scale).await;
        sleep(TAKEOVER).await;
        server.limit_files(None);
        cluster.go_on(&scale).await;
    }
    let refusal = "the store cannot write cause=could not extend file";
    let logs: Vec<String> = cluster.nodes.iter().map(ServerProcess::log).collect();
    assert!(logs.iter().any(|log| log.contains(refusal)), "{logs:?}");
    let now = Owners::of_settled(&cluster.database).await;
    assert_eq!(now, owners, "no node was declared dead");
    cluster.close_and_audit(&scale).await;
}

/// The database stays with the others.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_is_cut_off_from_the_database_is_replaced_and_loses_nothing() {
    let scale = Scale::of("nodes cut off", 4, 1);
    let Some(server) = PostgresServer::shared() else {
        return scale.skip("there is no PostgreSQL");
    };
    let database = server.database();
    let proxy = Proxy::start(server.directory());
    let addresses = [proxy.url(&database), database.clone(), database.clone()];
    let mut number = 0;
    let nodes = addresses.map(|address| {
        number += 1;
        (format!("node-{number}"), address)
    });
    let mut cluster = Cluster::of(nodes, database, &scale).await;
    for _ in 0..scale.times {
        cluster.pause(&scale).await;
        proxy.set(ProxyLink::Holds);
        sleep(TAKEOVER).await;
        proxy.set(ProxyLink::Good);
        assert_eq!(cluster.nodes[0].wait(), Some(1), "it has to start again");
        cluster.go_on(&scale).await;
        cluster.nodes[0].start();
    }
    cluster.close_and_audit(&scale).await;
}

/// All nodes reach the database, and clients reach all nodes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_that_do_not_reach_each_other_lose_nothing() {
    let scale = Scale::of("separations of two nodes", 6, 2);
    let Some(server) = PostgresServer::shared() else {
        return scale.skip("there is no PostgreSQL");
    };
    let (mut cluster, network) = Cluster::in_network(server, &scale).await;
    let owners = Owners::of_settled(&cluster.database).await;
    for time in 0..scale.times {
        let node = cluster.pause(&scale).await;
        let has_main = owners.of_table("main");
        let other = (node + usize::from(node == has_main)) % 3;
        let third = 3 - has_main - other;
        let mut watcher =
            Watcher::of_main(cluster.nodes[other].address(), &format!("watcher {time}")).await;

        network.separate(owners.session(has_main), owners.session(other));
        watcher.is_refused().await;
        let reaches_all = |table: &str| owners.of_table(table) == third;
        cluster.games.wait_for_each(reaches_all, &scale).await;
        sleep(Duration::from_millis(
            cluster.games.random.next_u64() % 3000,
        ))
        .await;
        network.join();
        watcher.goes_on().await;
        cluster.go_on(&scale).await;

        // Too short for the nodes to notice.
        network.separate(owners.session(has_main), owners.session(other));
        sleep(Duration::from_millis(cluster.games.random.next_u64() % 900)).await;
        network.join();
        cluster.go_on(&scale).await;
    }
    let now = Owners::of_settled(&cluster.database).await;
    assert_eq!(now, owners, "no node was declared dead");
    cluster.close_and_audit(&scale).await;
}

/// Whatever was acknowledged is at the standby, too.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_standby_that_is_promoted_has_everything() {
    let scale = Scale::of("promotions of a standby", 4, 1);
    let (Some(mut primary), Some(mut standby)) =
        (PostgresServer::start(&[]), PostgresServer::start(&[]))
    else {
        return scale.skip("there is no PostgreSQL");
    };
    let database = database_of_both(&primary, &standby);
    standby.stop();
    standby.follow(&primary);
    let nodes = [1, 2, 3].map(|number| (format!("node-{number}"), database.clone()));
    let mut cluster = Cluster::of(nodes, database, &scale).await;
    for _ in 0..scale.times {
        cluster.pause(&scale).await;
        primary.stop();
        standby.promote();
        cluster.go_on(&scale).await;
        std::mem::swap(&mut primary, &mut standby);
        standby.follow(&primary);
    }
    cluster.close_and_audit(&scale).await;
}

/// The address of a new database, wherever it can be written.
fn database_of_both(primary: &PostgresServer, standby: &PostgresServer) -> String {
    let database = primary.database();
    let (_, name) = database.rsplit_once('/').expect("an address");
    let host = |server: &PostgresServer| {
        let url = server.url("postgres", "");
        let host = url.strip_prefix("postgres://postgres@");
        host.expect("an address").trim_end_matches('/').to_owned()
    };
    format!(
        "postgres://postgres@{},{}/{name}",
        host(primary),
        host(standby)
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_of_one_name_lose_nothing() {
    let scale = Scale::of("killed nodes of one name", 4, 1);
    let Some(server) = PostgresServer::shared() else {
        return scale.skip("there is no PostgreSQL");
    };
    let database = server.database();
    let nodes = [1, 2, 3].map(|_| ("node".to_owned(), database.clone()));
    let mut cluster = Cluster::of(nodes, database, &scale).await;
    cluster.kill_nodes(&scale).await;
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

/// Which node has which tables.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Owners {
    /// The session of each node.
    sessions: Vec<i32>,
    /// The session that has each shard.
    shards: Vec<(ShardId, Option<i32>)>,
}

impl Owners {
    /// Waits until all nodes have their share.
    pub(crate) async fn of_settled(database: &str) -> Owners {
        let address = PostgresAddress::parse(database).expect("an address");
        let mut admin = ClusterAdmin::connect(address).await.expect("a database");
        loop {
            let view = admin.rebalance().await.expect("a database");
            let mut sessions = view.sessions.clone();
            let is_settled = sessions
                .iter()
                .all(|session| view.owned(session.id) >= ShardId::COUNT / sessions.len());
            let is_complete = view.shards.iter().all(|(_, owner, _)| owner.is_some());
            if !is_settled || !is_complete {
                sleep(Duration::from_millis(200)).await;
                continue;
            }
            sessions.sort_by_key(|session| session.name.clone());
            let shards = view.shards.iter().map(|(shard, owner, _)| (*shard, *owner));
            return Owners {
                sessions: sessions.iter().map(|session| session.id).collect(),
                shards: shards.collect(),
            };
        }
    }

    fn session(&self, node: usize) -> i32 {
        self.sessions[node]
    }

    /// The node that has a table.
    fn of_table(&self, table: &str) -> usize {
        let (_, owner) = self.shards[usize::from(ShardId::of_table(table).0)];
        let node = { self.sessions.iter() }.position(|session| Some(*session) == owner);
        node.expect("all shards have an owner")
    }
}

/// How long the watcher waits for a message.
const WATCHER_TIMEOUT: Duration = Duration::from_secs(30);

/// Someone at the main table.
struct Watcher(PlayerLink);

impl Watcher {
    async fn of_main(address: SocketAddr, name: &str) -> Watcher {
        let mut watcher = Watcher(PlayerLink::open(address).await.expect("a node"));
        let join = Join {
            lobby: true,
            ..Join::new(name)
        };
        let joined = watcher.0.say(ClientMessage::Join(join)).await;
        joined.expect("connected");
        watcher.say(ClientMessage::Watch(Watch::default())).await;
        watcher.wait_for(is_state).await;
        watcher
    }

    /// Waits until the table is out of reach: requests are refused then.
    async fn is_refused(&mut self) {
        let stops =
            |message: &ServerMessage| matches!(message, ServerMessage::Storage { ok: false, .. });
        self.wait_for(stops).await;
        self.say(ClientMessage::Sync(Watch::default())).await;
        let is_refusal = |message: &ServerMessage| {
            matches!(
                message,
                ServerMessage::Error {
                    code: ErrorCode::NotStored,
                    ..
                }
            )
        };
        self.wait_for(is_refusal).await;
    }

    /// Waits until the table is there again, with its state.
    async fn goes_on(&mut self) {
        let goes_on =
            |message: &ServerMessage| matches!(message, ServerMessage::Storage { ok: true, .. });
        self.wait_for(goes_on).await;
        self.say(ClientMessage::Sync(Watch::default())).await;
        self.wait_for(is_state).await;
    }

    async fn say(&mut self, message: ClientMessage) {
        let sent = self.0.say_at("main", message).await;
        sent.expect("connected");
    }

    async fn wait_for(&mut self, wanted: impl Fn(&ServerMessage) -> bool) {
        let there = async { while !wanted(&self.0.receive().await.expect("connected")) {} };
        timeout(WATCHER_TIMEOUT, there).await.expect("in time");
    }
}

fn is_state(message: &ServerMessage) -> bool {
    matches!(message, ServerMessage::TableState(_))
}
