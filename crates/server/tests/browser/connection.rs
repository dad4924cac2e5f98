//! What becomes of a game when the connection or the server goes.

use fantoccini::key::Key;
use serde_json::Value;

use crate::browser::View;
use crate::page::{Hand, Kind, Pair, SIDES, TWO};
use crate::scene::journey;

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_dies_in_mid_game_comes_back_with_it() {
    journey("restart", async |scene| {
        for views in SIDES {
            let pair = Pair::meet(scene, Kind::usual(views)).await;
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
async fn a_move_made_without_a_connection_is_sent_when_there_is_one() {
    journey("offline", async |scene| {
        let pair = Pair::meet(scene, Kind::default()).await;
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
        for views in SIDES {
            let pair = Pair::meet(scene, Kind::usual(views)).await;
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
            white.read(".banner.shown", "goes on in another tab").await;
            white.is_in_order().await;
            white.click(".banner .primary").await;
            white.play(2, &["e3", "f4"], Hand::Clicks).await;
            white.client.switch_to_window(second).await.unwrap();
            white.read(".banner.shown", "goes on in another tab").await;
            pair.black.see_on("f4", "white man").await;
            white.client.close_window().await.unwrap();
            white.client.switch_to_window(first).await.unwrap();
            pair.part(scene).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_disconnects_stays_away_until_the_connection_is_wanted() {
    journey("advanced", async |scene| {
        for view in [View::Desktop, View::Phone] {
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
async fn an_opponent_who_is_away_is_seen_to_be() {
    journey("away", async |scene| {
        let pair = Pair::meet(scene, Kind::default()).await;
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
