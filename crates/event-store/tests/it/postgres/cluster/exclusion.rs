//! Who may use a database at the same time, and with what rights.

use event_store::{
    ClusterAdmin, Durability, EventLog, NodeIdentity, OpenError, PostgresAddress, PostgresConfig,
    PostgresError, PostgresStore,
};
use test_support::store::{append, read, texts, write};
use test_support::{PostgresServer, query};

use super::super::open_error;
use super::join;
use crate::conformance::open_database;

fn join_error(url: &str, address: &str) -> PostgresError {
    let config = PostgresConfig::new(PostgresAddress::parse(url).unwrap(), Durability::Crash);
    let node = NodeIdentity {
        name: "n1".to_owned(),
        address: address.to_owned(),
    };
    match PostgresStore::join(config, node) {
        Err(OpenError::Postgres(error)) => error,
        joined => panic!("{joined:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_alone_keeps_nodes_away() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let url = server.database();
    let alone = open_database(&url);
    write(&alone, append("a", 0, &["one"])).await.unwrap();
    let error = join_error(&url, "10.0.0.1:1");
    assert!(matches!(error, PostgresError::InUseAlone { .. }), "{error}");
    assert!(
        error
            .to_string()
            .starts_with("a server that is no node uses postgres://postgres@"),
        "{error}"
    );
    alone.close().await;
    let (node, _) = join(&url, "n1");
    assert_eq!(texts(&read(&node, "a").await), ["one"]);
    node.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nodes_keep_a_server_alone_away() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let url = server.database();
    let (one, mut member) = join(&url, "n1");
    let (two, _) = join(&url, "n1");
    member.beat().await.unwrap();
    one.close().await;
    two.close().await;
    // The connection of its membership is enough to keep others away.
    let error = open_error(&url);
    assert!(
        matches!(error, PostgresError::InUseByNodes { .. }),
        "{error}"
    );
    assert!(
        error
            .to_string()
            .starts_with("nodes of a cluster use postgres://postgres@"),
        "{error}"
    );
    drop(member);
    open_database(&url).close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nodes_take_over_from_a_server_alone_that_has_ended() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let url = server.database();
    let alone = open_database(&url);
    write(&alone, append("main-1", 0, &["one"])).await.unwrap();
    alone.close().await;
    // As if it had been killed.
    query(&url, "UPDATE session SET dead = false").unwrap();
    let (store, mut member) = join(&url, "n1");
    assert_eq!(member.claim(999).await.unwrap().len(), 256);
    write(&store, append("main-1", 1, &["two"])).await.unwrap();
    store.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nodes_that_start_at_one_time_make_the_tables_once() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let url = server.database();
    let nodes = ["n1", "n2", "n3"].map(|name| {
        let url = url.clone();
        tokio::task::spawn_blocking(move || join(&url, name))
    });
    let mut nodes = futures::future::try_join_all(nodes).await.unwrap();
    let (_store, mut member) = nodes.remove(0);
    let view = tokio::spawn(async move { member.beat().await });
    let view = view.await.unwrap().unwrap();
    assert_eq!((view.sessions.len(), view.shards.len()), (3, 256));
}

#[test]
fn a_node_needs_an_address() {
    for address in ["", "10.0.0.1", "10.0.0.1:", "10.0.0.1:0", ":43211", "n1:x"] {
        let error = join_error("postgres://anna@db/games", address).to_string();
        let expected = format!(
            "node n1 needs the address at which other nodes reach it, HOST:PORT, not {address:?}"
        );
        assert_eq!(error, expected);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_without_rights_neither_joins_nor_administers() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let url = server.database();
    server.query("postgres", "CREATE USER clara");
    let name = url.rsplit_once('/').unwrap().1;
    let url_of_clara = server.url("clara", name);
    let error = join_error(&url_of_clara, "10.0.0.1:1").to_string();
    assert!(error.contains("user clara lacks rights in "), "{error}");

    let connect =
        async |url: &str| ClusterAdmin::connect(PostgresAddress::parse(url).unwrap()).await;
    let error = connect(&url).await.err().unwrap().to_string();
    let expected = "has no tables yet: a server that starts there makes version 12";
    assert!(error.ends_with(expected), "{error}");
    let (store, _) = join(&url, "n1");
    let error = connect(&url_of_clara).await.err().unwrap().to_string();
    assert!(error.contains("user clara lacks rights in "), "{error}");
    store.close().await;
}
