//! Compares the archive with what the players received.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use checkers_lib::protocol::{EndReason, GameRecord, GameResult};
use checkers_lib::{Game, Position};
use checkers_server::table::CompactRecord;
use event_store::{ArchiveFilter, SqliteStore, Store, StoreConfig, StreamId, all_games};
use futures::TryStreamExt;

use crate::reliability::ledger::{Entries, Ledger};

/// The result of a successful audit.
pub(crate) struct Audit {
    /// The number of finished games.
    pub(crate) games: usize,
    /// How often another node took one of them over.
    pub(crate) takeovers: usize,
}

/// Opens the archive of a stopped server, and compares it.
pub(crate) async fn compare_directory(directory: &Path, ledger: &Ledger) -> Audit {
    let store = SqliteStore::open(StoreConfig::new(directory)).expect("a store");
    let store = Arc::new(store);
    assert_eq!(
        store.verify().await.expect("readable"),
        [],
        "damaged streams"
    );
    compare(&store, ledger).await
}

/// Fails unless everything received is in the store exactly once and every game is legal.
pub(crate) async fn compare<S: Store + 'static>(store: &Arc<S>, ledger: &Ledger) -> Audit {
    let games = all_games(Arc::clone(store) as _, ArchiveFilter::default());
    let games: Vec<_> = games.try_collect().await.expect("readable");
    let records = games.iter().map(|game| {
        let document = &game.summary.document;
        CompactRecord::read(document).expect("a game's document")
    });
    let records: Vec<GameRecord> = records.collect();
    let ids: BTreeSet<&str> = records.iter().map(|record| &*record.id).collect();
    assert_eq!(ids.len(), records.len(), "a game is there twice");
    for record in &records {
        check_game(record);
        check_events(&**store, record).await;
    }
    {
        let received = ledger.entries();
        for record in &records {
            check_received(record, &received);
        }
        for id in received.games.keys() {
            assert!(
                ids.contains(&**id),
                "{id} had begun and is not in the archive"
            );
        }
    }
    for stream in store.unfinished().await.expect("readable") {
        check_unfinished(&**store, stream).await;
    }
    store.close().await;
    Audit {
        games: records.len(),
        takeovers: records.iter().map(|record| record.taken_over.len()).sum(),
    }
}

/// Checks that the moves are legal and the game ends where the rules say.
fn check_game(record: &GameRecord) {
    let id = &record.id;
    let start: Position = record.start_fen.parse().expect("a position");
    let rules = record.draw_rules.parse().expect("draw rules");
    let mut game = Game::from_position(start, rules);
    for (ply, played) in (0..).zip(&record.moves) {
        assert_eq!(played.ply, ply, "{id}: a move is missing or there twice");
        let m = game.position().parse_move(&played.text);
        let m = m.unwrap_or_else(|error| panic!("{id}, ply {ply}: {error}"));
        let done = game.play(m);
        done.unwrap_or_else(|error| panic!("{id}, ply {ply}: {error}"));
    }
    assert_eq!(game.position().to_string(), record.fen, "{id}");
    // A player who stops gives up a seat, maybe when the game there has just begun.
    if record.reason == EndReason::PlayerLeft && record.moves.is_empty() {
        return;
    }
    let outcome = game.outcome();
    let outcome = outcome.unwrap_or_else(|| {
        let (reason, moves) = (record.reason, record.moves.len());
        panic!("{id} ended by {reason:?} after {moves} moves")
    });
    assert_eq!(GameResult::from(outcome), record.result, "{id}");
    assert_eq!(EndReason::from(outcome), record.reason, "{id}");
}

/// Checks that the stream has each move once.
async fn check_events(store: &impl Store, record: &GameRecord) {
    let stream: StreamId = record.id.parse().expect("a stream's name");
    let stream = store.read(stream).await.expect("readable").expect("there");
    assert!(stream.is_closed && stream.damage.is_none(), "{}", record.id);
    let count = |kind| {
        stream
            .events
            .iter()
            .filter(|event| event.kind == kind)
            .count()
    };
    let thought_about = record.moves.len() - record.opening_plies as usize;
    assert_eq!(count("moved"), thought_about, "{}", record.id);
    assert_eq!((count("started"), count("ended")), (1, 1), "{}", record.id);
    assert_eq!(
        count("taken_over"),
        record.taken_over.len(),
        "{}",
        record.id
    );
}

/// Checks that the archive has what the players received.
fn check_received(record: &GameRecord, received: &Entries) {
    let id = &record.id;
    let received = received.games.get(id);
    let received =
        received.unwrap_or_else(|| panic!("{id} is in the archive, and nobody has played it"));
    for (&ply, text) in &received.moves {
        let kept = record.moves.get(ply as usize).map(|played| &played.text);
        assert_eq!(kept, Some(text), "{id}, ply {ply} was acknowledged");
    }
    if let Some(end) = received.end {
        assert_eq!((record.result, record.reason), end, "{id}");
    }
}

/// Only games that have not started may be open.
async fn check_unfinished(store: &impl Store, id: StreamId) {
    let stream = store
        .read(id.clone())
        .await
        .expect("readable")
        .expect("there");
    let kinds: Vec<&str> = stream.events.iter().map(|event| &*event.kind).collect();
    assert!(
        !kinds.contains(&"started"),
        "{id} has begun and is not over: {kinds:?}"
    );
}
