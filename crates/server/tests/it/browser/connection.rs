//! Games during connection and server failures.

use fantoccini::key::Key;
use serde_json::Value;

use crate::browser::page::{GameChoices, Hand, Pair, TWO, sides};
use crate::browser::scene::journey;
use crate::browser::session::WindowSize;

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_dies_in_mid_game_comes_back_with_it() {
    journey("restart", async |scene| {
        for views in sides(1) {
            let pair = Pair::meet(scene, GameChoices::usual(views)).await;
            pair.play(&TWO).await;
            pair.white.turn(2).await;
            scene.server.lock().unwrap().kill();
            pair.white.read(".banner.shown", "Connection lost").await;
            pair.black.see(".link.away").await;
            pair.white.read(".status", "Connection lost").await;
            pair.white.is_in_order().await;
            scene.server.lock().unwrap().start_again();
            pair.white.see(".link.online").await;
            pair.white.see_gone(".banner.shown").await;
            pair.white.play(2, &["e3", "f4"], Hand::Clicks).await;
            pair.black.play(3, &["g5", "e3", "c5"], Hand::Clicks).await;
            pair.white.see_on("c5", "black man").await;
            pair.part(scene).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_of_an_older_version_reloads_instead_of_loading_a_newer_module() {
    journey("upgrade", async |scene| {
        let anna = scene.browser(WindowSize::Desktop, "/").await;
        anna.run("window.isOld = true").await;
        // A browser that has kept the old modules meanwhile goes on with them.
        anna.keep_files(false).await;
        scene.server.lock().unwrap().upgrade();
        anna.see(".link.online").await;
        anna.click("nav a[href='/help']").await;
        anna.see(".help .board").await;
        assert!(anna.holds("return !window.isOld").await);
        let version =
            "return getComputedStyle(document.documentElement).getPropertyValue('--version')";
        assert_eq!(anna.run(version).await, "2");
        anna.keep_files(true).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_made_without_a_connection_is_sent_when_there_is_one() {
    journey("offline", async |scene| {
        let pair = Pair::meet(scene, GameChoices::default()).await;
        pair.white.turn(0).await;
        scene.server.lock().unwrap().kill();
        pair.white.see(".banner.shown").await;
        pair.white.square("c3").await;
        pair.white.square("d4").await;
        pair.white.see(".piece.sent[data-at=d4]").await;
        pair.white.read(".status", "Sending").await;
        scene.server.lock().unwrap().start_again();
        pair.white.see(".move[data-ply='1']").await;
        pair.black.see_on("d4", "white man").await;
        pair.are_in_order().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reload_and_a_second_tab_keep_the_seat() {
    journey("tabs", async |scene| {
        for views in sides(0) {
            let pair = Pair::meet(scene, GameChoices::usual(views)).await;
            pair.play(&TWO).await;
            let white = &pair.white;
            let name = white.name().await;
            white.client.refresh().await.unwrap();
            white.turn(2).await;
            assert_eq!(white.name().await, name);

            let first = white.client.window().await.unwrap();
            white.run("window.open(location.href)").await;
            let windows = white.client.windows().await.unwrap();
            let second = windows.into_iter().find(|window| *window != first).unwrap();
            white.client.switch_to_window(second.clone()).await.unwrap();
            white.turn(2).await;
            assert_eq!(white.name().await, name);

            white.client.switch_to_window(first.clone()).await.unwrap();
            white.read(".banner.shown", "in another tab").await;
            white.is_in_order().await;
            white.click(".banner .primary").await;
            white.play(2, &["e3", "f4"], Hand::Clicks).await;
            white.client.switch_to_window(second).await.unwrap();
            white.read(".banner.shown", "in another tab").await;
            pair.black.see_on("f4", "white man").await;
            white.client.close_window().await.unwrap();
            white.client.switch_to_window(first).await.unwrap();
            pair.part(scene).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_lobby_shows_own_games() {
    journey("own-games", async |scene| {
        for views in sides(1) {
            let pair = Pair::meet(scene, GameChoices::usual(views)).await;
            pair.play(&TWO).await;
            let (white, black) = (&pair.white, &pair.black);
            let name = black.name().await;
            white.go(&scene.url("/")).await;
            white.read(".own-game strong", &name).await;
            white.read(".own-game .your-turn", "Your move").await;
            white.see(".own-game .small-board circle.black").await;
            white.is_in_order().await;
            white.click(".own-game a").await;
            white.play(2, &["e3", "f4"], Hand::Clicks).await;

            let first = black.client.window().await.unwrap();
            black.run("window.open('/')").await;
            let windows = black.client.windows().await.unwrap();
            let second = windows.into_iter().find(|window| *window != first).unwrap();
            black.client.switch_to_window(second).await.unwrap();
            black.click(".own-game a").await;
            black.play(3, &["g5", "e3", "c5"], Hand::Clicks).await;
            white.see_on("c5", "black man").await;
            black.client.close_window().await.unwrap();
            black.client.switch_to_window(first).await.unwrap();
            pair.part(scene).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn visiting_another_page_marks_the_player_absent() {
    journey("left", async |scene| {
        let pair = Pair::meet(scene, GameChoices::default()).await;
        pair.play(&TWO).await;
        pair.black.go("about:blank").await;
        pair.white.see(".player.away .badge.gone").await;
        pair.black.client.back().await.unwrap();
        pair.white.see_gone(".player.away").await;
        pair.white.play(2, &["e3", "f4"], Hand::Clicks).await;
        pair.black.play(3, &["g5", "e3", "c5"], Hand::Clicks).await;
        pair.are_in_order().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_who_returns_after_the_end_sees_result_and_rematch_offer() {
    journey("too-late", async |scene| {
        let kind = GameChoices {
            clock: "8s",
            ..GameChoices::default()
        };
        let pair = Pair::meet(scene, kind).await;
        let (white, black) = (&pair.white, &pair.black);
        white.play(0, &["c3", "d4"], Hand::Clicks).await;
        black.turn(1).await;
        black.go("about:blank").await;
        white.read("dialog.over", "You won").await;
        white.click("#rematch").await;
        white.read("dialog.over", "is not here now").await;
        white.is_in_order().await;
        black.go(&scene.url("/")).await;
        black.read(".attention", "has ended").await;
        black.is_in_order().await;
        black.click(".attention a").await;
        black.read("dialog.over", "You lost").await;
        black.read("dialog.over", "wants a rematch").await;
        black.is_in_order().await;
        black.click("#rematch").await;
        black.turn(0).await;
        pair.are_in_order().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_taken_name_keeps_the_old_one() {
    journey("names", async |scene| {
        let anna = scene.browser(WindowSize::Desktop, "/").await;
        let other = scene.browser(WindowSize::Phone, "/").await;
        let known = "return localStorage.getItem('checkers.me')";
        let before = other.run(known).await;
        for (browser, toast) in [(&anna, None), (&other, Some("You keep yours"))] {
            browser.fill("#own-name", "Anna").await;
            browser.press(Key::Enter).await;
            match toast {
                Some(text) => browser.read(".toast", text).await,
                None => {
                    let is_anna = "return document.querySelector('#own-name').value === 'Anna' \
                        && JSON.parse(localStorage.getItem('checkers.me')).name === 'Anna'";
                    browser.until(is_anna).await;
                }
            }
        }
        other.see(".link.online").await;
        assert_eq!(other.run(known).await, before);
        assert_ne!(other.name().await, "Anna");
        anna.is_in_order().await;
        other.is_in_order().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_without_storage_gets_a_warning() {
    journey("not-kept", async |scene| {
        for [view, _] in sides(0) {
            let browser = scene.browser(view, "/").await;
            browser
                .with_app("app.store.set({ kept: false })", Value::Null)
                .await;
            browser.read(".storage-warning", "After a reload").await;
            browser.is_in_order().await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_closed_connection_stays_closed_until_requested() {
    journey("advanced", async |scene| {
        for [view, _] in sides(1) {
            let browser = scene.browser(view, "/").await;
            browser.click(".advanced summary").await;
            browser.click("#disconnect").await;
            browser.read(".banner.shown", "You are not connected").await;
            browser.is_in_order().await;
            browser.fill("#server-address", "not an address").await;
            browser.press(Key::Enter).await;
            browser.read(".toast", "like host:43210").await;
            let own = scene.url("/");
            browser.fill("#server-address", &own).await;
            browser.press(Key::Enter).await;
            browser.see(".link.online").await;
            browser.is_in_order().await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_absent_opponent_is_marked() {
    journey("away", async |scene| {
        let pair = Pair::meet(scene, GameChoices::default()).await;
        pair.play(&TWO).await;
        pair.black.with_app("app.socket.stop()", Value::Null).await;
        pair.white
            .read(".notice.warning", "You can claim the game in")
            .await;
        pair.white.see(".player.away .badge.gone").await;
        pair.white.is_in_order().await;
        pair.black
            .with_app("app.socket.connect()", Value::Null)
            .await;
        pair.white.see_gone(".player.away").await;
        pair.are_in_order().await;
    })
    .await;
}
