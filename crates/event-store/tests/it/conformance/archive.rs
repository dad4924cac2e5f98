//! Finished games are found again, page by page.

use event_store::{
    ArchiveFilter, ArchivedGame, Cursor, PlayerGame, Seq, Store, Summary, UnixMillis, all_games,
};
use futures::TryStreamExt;
use test_support::store::{append, finish, id, summary, write};

use super::Backend;

async fn some_games(store: &dyn Store) {
    finish(store, "g1", summary(10, "1-0", "Ann", "Bob")).await;
    finish(store, "g2", summary(20, "0-1", "Bob", "Cid")).await;
    finish(store, "g3", summary(20, "1/2", "Ann", "Ann")).await;
    let bots = Summary {
        white_bot: Some("minimax:4".into()),
        event: Some("league".into()),
        ..summary(30, "1-0", "Robot", "Ann")
    };
    finish(store, "g4", bots).await;
    write(store, append("running", 0, &["one"])).await.unwrap();
}

fn names(games: &[ArchivedGame]) -> Vec<&str> {
    games.iter().map(|game| game.stream.as_str()).collect()
}

async fn filters_pick_games_newest_first(backend: &dyn Backend) {
    let store = backend.open();
    some_games(&*store).await;
    let all = ArchiveFilter::default;
    let cases: [(ArchiveFilter, &'static [&'static str]); 11] = [
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
                ..all()
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
        (
            ArchiveFilter {
                event: Some("league".into()),
                ..all()
            },
            &["g4"],
        ),
        (
            ArchiveFilter {
                player: Some("Ann".into()),
                bot: Some("minimax:4".into()),
                event: Some("league".into()),
                ..all()
            },
            &["g4"],
        ),
    ];
    expect(&*store, cases).await;
}

pub(crate) async fn expect<const N: usize>(
    store: &dyn Store,
    cases: [(ArchiveFilter, &'static [&'static str]); N],
) {
    for (filter, expected) in cases {
        let page = store.games(filter.clone(), None, 10).await.unwrap();
        assert_eq!(names(&page.games), expected, "{filter:?}");
        assert_eq!(page.next, None);
        let count = store.count(filter.clone(), 10).await.unwrap();
        assert_eq!(count as usize, expected.len(), "{filter:?}");
    }
}

/// What is asked of a player's opponent, colour, clock, reason and length.
pub(crate) fn narrow_cases() -> [(ArchiveFilter, &'static [&'static str]); 9] {
    let ann = || ArchiveFilter {
        player: Some("Ann".into()),
        ..ArchiveFilter::default()
    };
    let all = ArchiveFilter::default;
    let (bob, is_white) = (Some("Bob".into()), Some(true));
    [
        (
            ArchiveFilter {
                opponent: bob.clone(),
                ..ann()
            },
            &["quick", "long", "g1"],
        ),
        (ArchiveFilter { is_white, ..ann() }, &["quick", "g3", "g1"]),
        (
            ArchiveFilter {
                is_white: Some(false),
                opponent: bob,
                ..ann()
            },
            &["long"],
        ),
        (
            ArchiveFilter {
                clock: Some("3m+0s".into()),
                ..all()
            },
            &["quick"],
        ),
        (
            ArchiveFilter {
                reason: Some("time".into()),
                ..all()
            },
            &["quick"],
        ),
        (
            ArchiveFilter {
                reason: Some("time".into()),
                result: Some("1-0".into()),
                ..ann()
            },
            &[],
        ),
        (
            ArchiveFilter {
                min_plies: Some(61),
                ..all()
            },
            &["quick", "long"],
        ),
        (
            ArchiveFilter {
                min_plies: Some(1),
                max_plies: Some(60),
                ..ann()
            },
            &["g4", "g3", "g1"],
        ),
        (
            ArchiveFilter {
                max_plies: Some(0),
                ..all()
            },
            &[],
        ),
    ]
}

pub(crate) async fn some_longer_games(store: &dyn Store) {
    some_games(store).await;
    let long = Summary {
        plies: 140,
        ..summary(40, "1-0", "Bob", "Ann")
    };
    finish(store, "long", long).await;
    let quick = Summary {
        reason: "time".into(),
        clock: "3m+0s".into(),
        plies: 61,
        ..summary(50, "0-1", "Ann", "Bob")
    };
    finish(store, "quick", quick).await;
}

async fn filters_ask_for_opponents_clocks_reasons_and_lengths(backend: &dyn Backend) {
    let store = backend.open();
    some_longer_games(&*store).await;
    expect(&*store, narrow_cases()).await;
}

async fn games_are_counted_up_to_a_limit(backend: &dyn Backend) {
    let store = backend.open();
    some_games(&*store).await;
    let all = ArchiveFilter::default;
    assert_eq!(store.count(all(), 3).await.unwrap(), 3);
    assert_eq!(store.count(all(), 10).await.unwrap(), 4);
}

/// The games of a player as a text: when, with White or not, the result and the opponent.
pub(crate) async fn played(store: &dyn Store, player: &str) -> Vec<String> {
    let text = |game: PlayerGame| {
        let (at, opponent) = (game.finished_at.0, game.opponent.unwrap_or_default());
        let (result, clock) = (game.result, game.clock);
        let bot = game.opponent_bot.unwrap_or_default();
        let is_white = game.is_white;
        format!("{at} {is_white} {result} {opponent} {bot} {clock}")
    };
    let games = store.played(player.to_owned()).await.unwrap();
    games.into_iter().map(text).collect()
}

pub(crate) const OF_ANN: [&str; 5] = [
    "50 true 0-1 Bob  3m+0s",
    "40 false 1-0 Bob  none",
    "30 false 1-0 Robot minimax:4 none",
    "20 true 1/2 Ann  none",
    "10 true 1-0 Bob  none",
];

async fn a_player_s_games_are_added_up(backend: &dyn Backend) {
    let store = backend.open();
    some_longer_games(&*store).await;
    assert_eq!(played(&*store, "Ann").await, OF_ANN);
    assert_eq!(played(&*store, "Cid").await, ["20 false 0-1 Bob  none"]);
    assert!(played(&*store, "Nobody").await.is_empty());
}

async fn a_game_that_ends_between_two_pages_moves_nothing(backend: &dyn Backend) {
    let store = backend.open();
    some_games(&*store).await;
    let first = store
        .games(ArchiveFilter::default(), None, 2)
        .await
        .unwrap();
    assert_eq!(names(&first.games), ["g4", "g3"]);
    finish(&*store, "g5", summary(40, "1-0", "Ann", "Bob")).await;
    let after = first.next.unwrap().to_string().parse().unwrap();
    let second = store
        .games(ArchiveFilter::default(), Some(after), 2)
        .await
        .unwrap();
    assert_eq!(names(&second.games), ["g2", "g1"]);
    assert_eq!(second.next, None);
}

async fn all_games_are_read_as_a_stream(backend: &dyn Backend) {
    let store = backend.open();
    for i in 0..250 {
        finish(
            &*store,
            &format!("g{i}"),
            summary(i / 3, "1-0", "Ann", "Bob"),
        )
        .await;
    }
    let games = all_games(store, ArchiveFilter::default());
    let games: Vec<_> = games.try_collect().await.unwrap();
    let expected: Vec<String> = (0..250).rev().map(|i| format!("g{i}")).collect();
    assert_eq!(names(&games), expected);
}

async fn a_game_is_archived_once_it_is_closed(backend: &dyn Backend) {
    let store = backend.open();
    some_games(&*store).await;
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

super::tests! {
    filters_pick_games_newest_first
    filters_ask_for_opponents_clocks_reasons_and_lengths
    games_are_counted_up_to_a_limit
    a_player_s_games_are_added_up
    a_game_that_ends_between_two_pages_moves_nothing
    all_games_are_read_as_a_stream
    a_game_is_archived_once_it_is_closed
}
