//! Players are known by their token, and nobody takes another's name.

use checkers_server::store::{NewPlayer, TokenHash, UnixMillis, WriteError};

use crate::support::open;

fn player(key: &str, token: u8, replaces: Option<u8>) -> NewPlayer {
    NewPlayer {
        key: key.into(),
        name: key.to_uppercase(),
        token: TokenHash([token; 32]),
        replaces: replaces.map(|byte| TokenHash([byte; 32])),
        at: UnixMillis(7),
    }
}

#[tokio::test]
async fn a_token_finds_its_player() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    store.put_player(player("ann", 1, None)).await.unwrap();
    let found = store
        .player_by_token_hash(TokenHash([1; 32]))
        .await
        .unwrap()
        .unwrap();
    assert_eq!((found.name.as_str(), found.since), ("ANN", UnixMillis(7)));
    assert_eq!(
        store.player_by_key("ann".into()).await.unwrap(),
        Some(found)
    );
    assert_eq!(
        store
            .player_by_token_hash(TokenHash([2; 32]))
            .await
            .unwrap(),
        None
    );
}

#[tokio::test]
async fn a_name_changes_its_token_by_the_old_one_only() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    store.put_player(player("ann", 1, None)).await.unwrap();
    let taken = Err(WriteError::NameTaken { name: "ANN".into() });
    assert_eq!(store.put_player(player("ann", 2, None)).await, taken);
    assert_eq!(store.put_player(player("ann", 2, Some(3))).await, taken);
    assert_eq!(
        store.put_player(player("bob", 1, None)).await,
        Err(WriteError::TokenTaken)
    );
    store.put_player(player("ann", 2, Some(1))).await.unwrap();
    assert_eq!(
        store
            .player_by_token_hash(TokenHash([1; 32]))
            .await
            .unwrap(),
        None
    );
    assert!(
        store
            .player_by_token_hash(TokenHash([2; 32]))
            .await
            .unwrap()
            .is_some()
    );
}

#[tokio::test]
async fn a_setting_is_what_was_put_last() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    assert_eq!(store.setting("colour".into()).await.unwrap(), None);
    for value in ["red", "green"] {
        store
            .put_setting("colour".into(), value.into())
            .await
            .unwrap();
    }
    store.close().await;
    let store = open(directory.path());
    assert_eq!(
        store.setting("colour".into()).await.unwrap(),
        Some(b"green".into())
    );
}

#[test]
fn a_token_hash_is_not_printed() {
    assert_eq!(format!("{:?}", TokenHash([1; 32])), "TokenHash(…)");
}
