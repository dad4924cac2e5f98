//! Which node owns which shards, and what follows from that.

use std::collections::BTreeSet;

use event_store::{
    ClusterAdmin, EventLog, Health, Membership, MembershipError, PostgresAddress, Seq, ShardId,
    WriteError,
};
use test_support::PostgresServer;
use test_support::store::{append, id, read, summary, texts, write};

use super::join;

#[tokio::test(flavor = "multi_thread")]
async fn each_shard_is_claimed_by_one_of_two_nodes() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let url = server.database();
    let (_one, mut one) = join(&url, "n1");
    let (_two, mut two) = join(&url, "n2");
    let mut claimed = BTreeSet::new();
    for round in 1..=8 {
        let shards: Vec<ShardId> = claimed.iter().copied().collect();
        one.release(&shards).await.unwrap();
        two.release(&shards).await.unwrap();
        claimed.clear();
        let claim = async |member: &mut Membership| {
            let mut claimed = Vec::new();
            loop {
                match member.claim(10).await.unwrap() {
                    none if none.is_empty() => break claimed,
                    mut some => claimed.append(&mut some),
                }
            }
        };
        let (of_one, of_two) = futures::join!(claim(&mut one), claim(&mut two));
        assert!(
            of_one
                .iter()
                .chain(&of_two)
                .all(|(_, epoch)| *epoch == round)
        );
        claimed = of_one.iter().chain(&of_two).map(|(id, _)| *id).collect();
        assert_eq!((of_one.len() + of_two.len(), claimed.len()), (256, 256));
        let view = one.beat().await.unwrap();
        for (shards, member) in [(of_one, &one), (of_two, &two)] {
            assert_eq!(view.owned(member.session()), shards.len());
            for (shard, epoch) in shards {
                let owner = Some(member.session());
                assert_eq!(view.shards[usize::from(shard.0)], (shard, owner, epoch));
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_is_declared_dead_by_its_last_heartbeat() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let url = server.database();
    let (_one, mut one) = join(&url, "n1");
    let (store, mut two) = join(&url, "n2");
    assert_eq!(two.claim(5).await.unwrap().len(), 5);
    two.beat().await.unwrap();
    let beat = one.beat().await.unwrap().sessions[1].beat;
    two.beat().await.unwrap();
    assert_eq!(one.declare_dead(two.session(), beat).await, Ok(false));
    let view = one.beat().await.unwrap();
    assert_eq!(view.sessions[1].beat, beat + 1);
    let names: Vec<&str> = view.sessions.iter().map(|node| &*node.name).collect();
    assert_eq!(names, ["n1", "n2"]);
    assert_eq!(one.declare_dead(two.session(), beat + 1).await, Ok(true));
    assert_eq!(one.declare_dead(two.session(), beat + 1).await, Ok(false));

    let view = one.beat().await.unwrap();
    assert_eq!(view.sessions.len(), 1);
    assert_eq!(one.claim(999).await.unwrap().len(), 256);
    assert_eq!(two.beat().await, Err(MembershipError::Dead));
    assert_eq!(two.claim(1).await, Err(MembershipError::Dead));
    let beat = view.sessions[0].beat;
    assert_eq!(two.declare_dead(one.session(), beat + 1).await, Ok(false));
    let refused = write(&store, append("a", 0, &["one"])).await;
    let Err(WriteError::Unavailable { cause }) = refused else {
        panic!("{refused:?}");
    };
    let expected = "another node has declared this one dead; it has to be restarted";
    assert_eq!(&*cause, expected);
    let stopped = |health: &Health| *health == Health::Stopped;
    store.health().wait_for(stopped).await.unwrap();
}

/// A stream with this number of a table.
fn stream(table: u32) -> String {
    format!("t{table}-1")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_comes_back_is_continued_where_it_ends() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let url = server.database();
    let (store, mut one) = join(&url, "n1");
    let (other_store, mut two) = join(&url, "n2");
    let shards: Vec<ShardId> = ShardId::all().collect();
    assert_eq!(one.claim(999).await.unwrap().len(), 256);
    for stream in ["a-1", "b-1", "c-1"] {
        write(&store, append(stream, 0, &["one"])).await.unwrap();
    }
    one.release(&shards).await.unwrap();

    assert_eq!(two.claim(999).await.unwrap().len(), 256);
    let open = ["a-1", "b-1", "c-1"].map(id);
    assert_eq!(two.unfinished(&shards).await.unwrap(), open);
    write(&other_store, append("a-1", 1, &["two", "three"]))
        .await
        .unwrap();
    let end = append("b-1", 1, &["two"]).closing(summary(5, "1-0", "Ann", "Bob"));
    write(&other_store, end).await.unwrap();
    two.release(&shards).await.unwrap();

    assert_eq!(one.claim(999).await.unwrap().len(), 256);
    let open = ["a-1", "c-1"].map(id);
    assert_eq!(one.unfinished(&shards).await.unwrap(), open);
    let batch = vec![
        append("a-1", 3, &["four"]),
        append("a-1", 4, &["five"]),
        append("b-1", 2, &["three"]),
        append("c-1", 1, &["two"]),
    ];
    let written = store.append(batch).await.unwrap();
    let closed = WriteError::Closed { stream: id("b-1") };
    assert_eq!(written, [Ok(Seq(4)), Ok(Seq(5)), Err(closed), Ok(Seq(2))]);
    let all = ["one", "two", "three", "four", "five"];
    assert_eq!(texts(&read(&store, "a-1").await), all);
    assert_eq!(store.health().borrow().clone(), Health::Ready);
}

#[tokio::test(flavor = "multi_thread")]
async fn open_streams_are_listed_by_shard() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let url = server.database();
    let (store, mut member) = join(&url, "n1");
    for table in 0..40 {
        let begun = append(&stream(table), 0, &["one"]);
        write(&store, begun).await.unwrap();
    }
    let mut found = 0;
    for shard in ShardId::all() {
        let expected = (0..40).filter(|table| ShardId::of_table(&format!("t{table}")) == shard);
        let expected: Vec<_> = expected.map(|table| id(&stream(table))).collect();
        let open = member.unfinished(&[shard]).await.unwrap();
        assert_eq!(open, expected);
        found += open.len();
    }
    assert_eq!(found, 40);
    assert_eq!(member.unfinished(&[]).await.unwrap(), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_administrator_drains_and_rebalances() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let url = server.database();
    let (_one, mut one) = join(&url, "n1");
    let (_two, mut two) = join(&url, "n2");
    let (_three, mut three) = join(&url, "n3");
    let claimed = one.claim(999).await.unwrap();
    let address = PostgresAddress::parse(&url).unwrap();
    let mut admin = ClusterAdmin::connect(address).await.unwrap();

    let surplus = |view: &event_store::ClusterView| -> Vec<u32> {
        view.sessions.iter().map(|node| node.surplus).collect()
    };
    assert_eq!(surplus(&admin.rebalance().await.unwrap()), [170, 0, 0]);
    let view = two.beat().await.unwrap();
    assert_eq!(
        (surplus(&view), view.owned(one.session())),
        (vec![170, 0, 0], 256)
    );
    let shards: Vec<ShardId> = claimed.iter().map(|(shard, _)| *shard).collect();
    one.release(&shards[..100]).await.unwrap();
    // Those of another are not released, and not counted.
    two.release(&shards[100..]).await.unwrap();
    assert_eq!(surplus(&one.beat().await.unwrap()), [70, 0, 0]);
    one.release(&shards[100..170]).await.unwrap();
    assert_eq!(three.claim(85).await.unwrap().len(), 85);
    assert_eq!(two.claim(85).await.unwrap().len(), 85);
    assert_eq!(surplus(&admin.rebalance().await.unwrap()), [0, 0, 0]);

    let unknown = MembershipError::UnknownNode("n4".to_owned());
    assert_eq!(admin.drain("n4").await, Err(unknown));
    assert_eq!(admin.drain("n1").await, Ok(vec![one.session()]));
    two.drain().await.unwrap();
    let view = admin.status().await.unwrap();
    let draining: Vec<bool> = view.sessions.iter().map(|node| node.draining).collect();
    assert_eq!(draining, [true, true, false]);
    assert_eq!(view.sessions[0].address, "127.0.0.1:43211");
}
