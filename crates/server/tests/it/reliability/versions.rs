//! Nodes of two versions in one cluster.

use std::time::Duration;

use checkers_lib::protocol::{Addressed, ClientMessage, Join, ServerMessage, Watch};
use event_store::{
    ClusterAdmin, ClusterView, Durability, PostgresAddress, PostgresConfig, PostgresStore, ShardId,
};
use serde_json::json;
use test_support::{PostgresServer, query};
use tokio::time::sleep;

use crate::network::support::get;
use crate::reliability::audit;
use crate::reliability::cluster::{Cluster, KEY, key_file};
use crate::reliability::games::TestGames;
use crate::reliability::link::TestLink;
use crate::reliability::peer::{Peer, PeerLink, VERSION};
use crate::reliability::process::ServerProcess;
use crate::reliability::scale::Scale;

/// A node with a database and a key of its own.
struct VersionScene {
    node: ServerProcess,
    database: String,
    admin: ClusterAdmin,
    _key: tempfile::TempDir,
}

impl VersionScene {
    async fn start(server: &PostgresServer) -> VersionScene {
        let database = server.database();
        let (directory, key) = key_file();
        let mut node = ServerProcess::node("node", &database, &key);
        node.start();
        let address = PostgresAddress::parse(&database).expect("an address");
        let admin = ClusterAdmin::connect(address).await.expect("a database");
        let mut scene = VersionScene {
            node,
            database,
            admin,
            _key: directory,
        };
        // A peer that came earlier could get the lobby, which it does not serve.
        scene.wait_for_owners().await;
        scene
    }

    /// Waits until all shards have owners.
    async fn wait_for_owners(&mut self) -> ClusterView {
        loop {
            let view = self.admin.status().await.expect("a database");
            if view.shards.iter().all(|(_, owner, _)| owner.is_some()) {
                return view;
            }
            sleep(Duration::from_millis(100)).await;
        }
    }

    /// Waits until a peer has half of the shards. Returns the session of the node.
    async fn share(&mut self, peer: &mut Peer) -> i32 {
        let view = self.wait_for_owners().await;
        self.admin.rebalance().await.expect("a database");
        peer.has_its_share().await;
        let is_node = |id: &i32| *id != peer.session;
        let mut sessions = view.sessions.iter().map(|session| session.id);
        sessions.find(is_node).expect("the node lives")
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_of_another_link_version_is_refused_and_loses_nothing() {
    let scale = Scale::of("nodes of another version", 4, 1);
    let Some(server) = PostgresServer::shared() else {
        return scale.skip("there is no PostgreSQL");
    };
    let mut scene = VersionScene::start(server).await;
    let mut games = TestGames::begin(&[scene.node.address()], &scale).await;
    let mut peer = Peer::join(&scene.database).await;
    let session = scene.share(&mut peer).await;

    let ends = (peer.session, session);
    let link = scene.node.link_address();
    let (mut link, welcome) = PeerLink::greet(link, ends, VERSION + 1, KEY).await;
    assert_eq!(welcome["version"], VERSION);
    assert_eq!(link.json().await, None, "the connection is closed");
    for _ in 0..2 {
        let mut link = PeerLink::accept(&peer.listener, VERSION + 1, KEY).await;
        assert_eq!(link.json().await, None, "the connection is closed");
    }
    let metrics = get(scene.node.address(), "/metrics").await;
    assert!(
        metrics.contains("checkers_cluster_connections_refused_total 3"),
        "{metrics}"
    );
    let log = scene.node.log();
    let refusal = "it has version 2 of the protocol between nodes, and this node version 1: update the older one";
    for (what, times) in [
        ("cannot connect to a node", 1),
        ("a node is not accepted", 1),
    ] {
        let lines = log.lines().filter(|line| line.contains(what));
        let lines: Vec<&str> = lines.collect();
        assert_eq!(lines.len(), times, "{log}");
        assert!(lines.iter().all(|line| line.contains(refusal)), "{log}");
    }
    // Longer than it takes to declare a node dead.
    sleep(Duration::from_secs(4)).await;
    let view = scene.admin.status().await.expect("a database");
    let sessions: Vec<i32> = view.sessions.iter().map(|session| session.id).collect();
    assert_eq!(sessions, [session, peer.session], "both live");
    let is_here = |table: &str| {
        let shard = usize::from(ShardId::of_table(table).0);
        view.shards[shard].1 == Some(session)
    };
    games.wait_for_each(is_here, &scale).await;

    peer.end().await;
    games.wait_for_each(|_| true, &scale).await;
    games.finish(&scale).await;
    scene.node.stop();
    let address = PostgresAddress::parse(&scene.database).expect("an address");
    let config = PostgresConfig::new(address, Durability::PowerLoss);
    let store = PostgresStore::open(config).expect("the database is free");
    let audit = audit::compare(&std::sync::Arc::new(store), &games.ledger).await;
    games.report(&scale, &audit);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_of_a_later_program_works_with_this_one() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let mut scene = VersionScene::start(server).await;
    let mut peer = Peer::join(&scene.database).await;
    let session = scene.share(&mut peer).await;

    // Requests of the later program: one that this program does not know, and one with more in it.
    let ends = (peer.session, session);
    let (mut to_node, _) = PeerLink::greet(scene.node.link_address(), ends, VERSION, KEY).await;
    let serving = to_node.wait_for_answer("serving").await;
    assert_eq!(serving["shards"].as_array().map(Vec::len), Some(128));
    to_node.say(&json!({ "dance": { "for": "joy" } })).await;
    let call = json!({ "lobby": { "number": 7, "call": "players", "haste": 9 } });
    to_node.say(&call).await;
    let answer = to_node.wait_for_answer("lobby").await;
    assert_eq!(answer, json!([7, { "players": [[], 0] }]));

    // Its table, among others of a kind that this program does not know.
    let mut to_peer = PeerLink::accept_lasting(&peer.listener, VERSION, KEY).await;
    let owned = to_peer.until(peer.has_its_share()).await;
    let id = (0..).map(|number| format!("table{number}"));
    let is_its = |id: &String| {
        owned
            .iter()
            .any(|(shard, _)| *shard == ShardId::of_table(id))
    };
    let id = { id }.find(is_its).expect("there is one");
    let table = |id: &str, kind: &str| {
        json!({
            "settings": {
                "table": id, "kind": kind, "visibility": "public", "draw_rules": "study",
                "casual": false, "beauty": 8
            },
            "phase": "waiting", "game": 0, "ply": 0, "position": null, "watchers": 0,
            "seats": { "white": null, "black": null }, "smell": "roses"
        })
    };
    let tables = [table("other", "simultaneous"), table(&id, "custom")];
    to_peer.wait_for("ping").await;
    to_peer
        .say(&json!({ "serving": { "shards": owned, "tables": tables, "mood": "good" } }))
        .await;
    to_peer.say(&json!({ "sunset": "red" })).await;
    let entering = async {
        let mut client = TestLink::open(scene.node.address()).await.expect("a node");
        let join = Join {
            lobby: true,
            ..Join::new("anna")
        };
        client.say(ClientMessage::Join(join)).await.expect("joined");
        let watch = Addressed::to(&id, ClientMessage::Watch(Watch::default()));
        client.say(watch).await.expect("connected");
        client
    };
    // Pings are answered meanwhile.
    let (mut client, enter) = tokio::join!(entering, to_peer.wait_for("enter"));
    assert_eq!(enter["table"], *id);
    let who = enter["client"].as_u64().expect("the client");
    let text = json!({ "type": "unwatched", "table": id }).to_string();
    to_peer.say_to(who, &text).await;
    loop {
        let received = client.receive().await.expect("connected");
        if received == (ServerMessage::Unwatched { table: id.clone() }) {
            break;
        }
    }
    scene.node.stop();
}

#[test]
fn a_node_refuses_a_database_of_a_later_program() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let database = server.database();
    let (_directory, key) = key_file();
    let mut node = ServerProcess::node("node", &database, &key);
    node.start();
    node.stop();
    query(&database, "INSERT INTO checkers_schema VALUES (99)").expect("a superuser may");
    let sessions = || query(&database, "SELECT count(*) FROM session").expect("a table")[0].get(0);
    let before: i64 = sessions();
    assert_eq!(node.run(), Some(1));
    let log = node.log();
    let refusal = "has version 99; this program knows versions up to 12";
    assert!(log.contains(refusal), "{log}");
    assert_eq!(sessions(), before, "it has not joined");
}

/// What a later program may do at its first start: it adds a table, and a column to each table.
const MIGRATE: &str = "
    DO $$ DECLARE name text; BEGIN
        CREATE TABLE novelty (id integer);
        FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
            EXECUTE format('ALTER TABLE %I ADD COLUMN novel integer NOT NULL DEFAULT 0', name);
        END LOOP;
        INSERT INTO checkers_schema VALUES (13);
    END $$";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_that_run_go_on_after_a_later_program_has_migrated_the_database() {
    let scale = Scale::of("migrations by a later program", 7, 1);
    let Some(server) = PostgresServer::shared() else {
        return scale.skip("there is no PostgreSQL");
    };
    let mut cluster = Cluster::open(server, &scale).await;
    // The migration and an append may wait for each other, which ends one of them.
    let migrated = (0..20).any(|_| query(&cluster.database, MIGRATE).is_ok());
    assert!(migrated, "the database is not migrated");
    cluster.go_on(&scale).await;

    let all_connections = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()";
    query(&cluster.database, all_connections).expect("a superuser may");
    cluster.go_on(&scale).await;

    // Any node may have the games, since the start and again after the cut.
    let busiest = "SELECT session.name FROM session JOIN shard ON shard.session = session.id
        JOIN stream ON stream.shard = shard.id WHERE stream.open
        GROUP BY session.name ORDER BY count(*) DESC LIMIT 1";
    let busiest = query(&cluster.database, busiest).expect("a database");
    let busiest: String = busiest.first().expect("an owner of games").get(0);
    let number: usize = busiest["node-".len()..].parse().expect("a number");
    let mut killed = cluster.nodes.remove(number - 1);
    killed.kill();
    cluster.go_on(&scale).await;
    assert_eq!(killed.run(), Some(1));
    let log = killed.log();
    let refusal = "has version 13; this program knows versions up to 12";
    assert!(log.contains(refusal), "{log}");

    // The audit opens the database with this program.
    let as_before = "DELETE FROM checkers_schema WHERE version = 13";
    query(&cluster.database, as_before).expect("a superuser may");
    let audit = cluster.close_and_audit(&scale).await;
    assert!(audit.takeovers > 0, "no game was taken over");
}
