//! Finished games are found again, page by page.

use checkers_server::store::{
    ArchiveFilter, ArchivedGame, Cursor, Seq, SqliteStore, Summary, UnixMillis,
};
use futures::TryStreamExt;

use crate::support::{append, id, open, summary, write};

/// Closes a game of one event.
async fn finish(store: &SqliteStore, stream: &str, summary: Summary) {
    write(store, append(stream, 0, &["end"]).closing(summary))
        .await
        .unwrap();
}

async fn some_games(store: &SqliteStore) {
    finish(store, "g1", summary(10, "1-0", "Ann", "Bob")).await;
    finish(store, "g2", summary(20, "0-1", "Bob", "Cid")).await;
    finish(store, "g3", summary(20, "1/2", "Ann", "Ann")).await;
    let bots = Summary {
        white_bot: Some("minimax:4".into()),
        ..summary(30, "1-0", "Robot", "Ann")
    };
    finish(store, "g4", bots).await;
    write(store, append("running", 0, &["one"])).await.unwrap();
}

fn names(games: &[ArchivedGame]) -> Vec<&str> {
    games.iter().map(|game| game.stream.as_str()).collect()
}

#[tokio::test]
async fn filters_pick_games_newest_first() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    some_games(&store).await;
    let all = ArchiveFilter::default;
    let cases: [(ArchiveFilter, &[&str]); 9] = [
        (all(), &["g4", "g3", "g2", "g1"]),
        (
            ArchiveFilter {
                player: Some("Ann".into()),
                ..all()
            },
            &["g4", "g3", "g1"],
        ),
        (
            ArchiveFilter {
                player: Some("Nobody".into()),
                ..all()
            },
            &[],
        ),
        (
            ArchiveFilter {
                bot: Some("minimax:4".into()),
                ..all()
            },
            &["g4"],
        ),
        (
            ArchiveFilter {
                result: Some("1-0".into()),
                ..all()
            },
            &["g4", "g1"],
        ),
        (
            ArchiveFilter {
                from: Some(UnixMillis(20)),
                ..all()
            },
            &["g4", "g3", "g2"],
        ),
        (
            ArchiveFilter {
                until: Some(UnixMillis(20)),
                ..all()
            },
            &["g1"],
        ),
        (
            ArchiveFilter {
                player: Some("Ann".into()),
                bot: Some("minimax:4".into()),
                result: Some("1-0".into()),
                from: Some(UnixMillis(30)),
                until: Some(UnixMillis(31)),
            },
            &["g4"],
        ),
        (
            ArchiveFilter {
                player: Some("Bob".into()),
                bot: Some("minimax:4".into()),
                ..all()
            },
            &[],
        ),
    ];
    for (filter, expected) in cases {
        let page = store.games(filter.clone(), None, 10).await.unwrap();
        assert_eq!(names(&page.games), expected, "{filter:?}");
        assert_eq!(page.next, None);
    }
}

#[tokio::test]
async fn a_game_that_ends_between_two_pages_moves_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    some_games(&store).await;
    let first = store
        .games(ArchiveFilter::default(), None, 2)
        .await
        .unwrap();
    assert_eq!(names(&first.games), ["g4", "g3"]);
    finish(&store, "g5", summary(40, "1-0", "Ann", "Bob")).await;
    let after = first.next.unwrap().to_string().parse().unwrap();
    let second = store
        .games(ArchiveFilter::default(), Some(after), 2)
        .await
        .unwrap();
    assert_eq!(names(&second.games), ["g2", "g1"]);
    assert_eq!(second.next, None);
}

#[tokio::test]
async fn all_games_are_read_as_a_stream() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    for i in 0..250 {
        finish(
            &store,
            &format!("g{i}"),
            summary(i / 3, "1-0", "Ann", "Bob"),
        )
        .await;
    }
    let games: Vec<_> = store
        .all_games(ArchiveFilter::default())
        .try_collect()
        .await
        .unwrap();
    let expected: Vec<String> = (0..250).rev().map(|i| format!("g{i}")).collect();
    assert_eq!(names(&games), expected);
}

#[tokio::test]
async fn a_game_is_archived_once_it_is_closed() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path());
    some_games(&store).await;
    assert_eq!(store.game(id("running")).await.unwrap(), None);
    let game = store.game(id("g1")).await.unwrap().unwrap();
    assert_eq!(game.last, Seq(1));
    assert_eq!(game.summary, summary(10, "1-0", "Ann", "Bob"));
}

#[test]
fn a_place_in_the_archive_is_a_text() {
    let place: Cursor = "1700000000000.42".parse().unwrap();
    assert_eq!(place.to_string(), "1700000000000.42");
    for bad in ["", "1", "a.b", "1.2.3", "99999999999999999999.1"] {
        assert!(bad.parse::<Cursor>().is_err(), "{bad:?}");
    }
}
