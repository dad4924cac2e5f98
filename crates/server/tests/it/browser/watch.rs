//! Watching: the lobby's lists, the board on the front page, and browsing in a running game.

use serde_json::Value;

use crate::browser::page::{GameChoices, Hand, Pair, sides};
use crate::browser::scene::journey;
use crate::browser::session::WindowSize;

#[tokio::test(flavor = "multi_thread")]
async fn a_watcher_who_browses_back_stays_there() {
    journey("watch", async |scene| {
        let pair = Pair::meet(scene, GameChoices::default()).await;
        pair.play(&[&["c3", "d4"], &["f6", "g5"], &["e3", "f4"]])
            .await;
        let watchers = [
            scene.browser(WindowSize::Desktop, &pair.path).await,
            scene.browser(WindowSize::Phone, &pair.path).await,
        ];
        pair.white.read(".about .watchers", "2 watching").await;
        for watcher in &watchers {
            watcher.see(".move.current[data-ply='3']").await;
            watcher.click(".move[data-ply='1']").await;
            watcher.read(".browsing", "Move 1 of 3").await;
            watcher.see_on("g5", "empty").await;
        }
        // Black must capture two.
        pair.black.play(3, &["g5", "e3", "c5"], Hand::Clicks).await;
        for watcher in &watchers {
            watcher.read(".browsing", "Move 1 of 4").await;
            watcher.see(".move.current[data-ply='1']").await;
        }
        pair.white.turn(4).await;
        pair.white.resign().await;
        for watcher in &watchers {
            watcher
                .read(".moves .result", "Black won: White resigned")
                .await;
            watcher.see(".move.current[data-ply='1']").await;
            watcher.click(".browsing button").await;
            watcher.see(".move.current[data-ply='4']").await;
            watcher.see_gone("dialog").await;
            watcher.see(".live-chance .white-share").await;
            watcher.is_in_order().await;
            watcher.click(".move[data-ply='1']").await;
        }
        // The next game does not move them from this position either.
        pair.black.click("#rematch").await;
        pair.white.read("dialog.over", "wants a rematch").await;
        pair.white.click("#rematch").await;
        for watcher in &watchers {
            watcher.read(".browsing", "The next game is on").await;
            watcher.see(".move.current[data-ply='1']").await;
            watcher.is_in_order().await;
            watcher.click("#next-game").await;
            watcher.see(".moves .none").await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn connected_players_can_be_challenged() {
    journey("people", async |scene| {
        for views in sides(1) {
            let anna = scene.browser(views[0], "/").await;
            let boris = scene.browser(views[1], "/").await;
            let name = boris.name().await;
            anna.click(".people summary").await;
            anna.read(".people .who", &name).await;
            anna.is_in_order().await;
            anna.click(&format!("[data-invite='{name}']")).await;
            anna.read("h1", &format!("Waiting for {name}")).await;
            boris.read(".attention", "wants to play you").await;
            boris.is_in_order().await;
            boris.click(".attention .primary").await;
            boris.see(".game .board").await;
            anna.see(".game .board").await;
            anna.is_in_order().await;
            scene.leave(anna).await;
            scene.leave(boris).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_front_page_lists_challenges_and_shows_a_game() {
    journey("lobby", async |scene| {
        for (views, name) in sides(0).zip(["Anna", "Olga"]) {
            let anna = scene.browser(views[0], "/").await;
            anna.fill("#own-name", name).await;
            anna.click(".name-form button").await;
            anna.until(&format!(
                "return document.querySelector('#own-name').value === '{name}'"
            ))
            .await;
            anna.see(".link.online").await;
            anna.click("[data-against=challenge]").await;
            anna.click(".choices button:first-child").await;
            anna.choose("#new-clock", "5m+3s").await;
            anna.click("#start-game").await;
            anna.see("#invite-link").await;

            let boris = scene.browser(views[1], "/").await;
            boris.read(".tables .who", name).await;
            boris.read(".tables .clock-label", "5+3").await;
            boris.is_in_order().await;
            boris.click("[data-join]").await;
            anna.play(0, &["c3", "d4"], Hand::Clicks).await;
            boris.see_on("d4", "white man").await;

            let watcher = scene.browser(views[0], "/").await;
            watcher.read(".tv .player", name).await;
            watcher
                .see(".tv [data-sq=d4][aria-label='d4 white man']")
                .await;
            watcher.see("[data-live]").await;
            watcher.is_in_order().await;
            watcher.click(".tv-open").await;
            watcher.see(".game .move[data-ply='1']").await;
            watcher.is_in_order().await;
            // Both sides have not moved: the game is aborted.
            anna.click(".actions button:nth-child(3)").await;
            boris.read("dialog.over", "called off").await;
            for browser in [anna, boris, watcher] {
                scene.leave(browser).await;
            }
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_embedded_in_another_page() {
    journey("embed", async |scene| {
        let pair = Pair::meet(scene, GameChoices::default()).await;
        pair.play(&[&["c3", "d4"]]).await;
        let path = pair.path.replace("/g/", "/embed/");
        let frame = scene.browser(WindowSize::Phone, &path).await;
        frame.see(".embedded .move[data-ply='1']").await;
        frame.see_gone("header").await;
        frame.is_in_order().await;
    })
    .await;
}

/// Shows a finished game of a hundred moves.
const LONG_GAME: &str = "
    const way = [['c1', 'd2'], ['f8', 'e7'], ['d2', 'c1'], ['e7', 'f8']];
    const moves = Array.from({ length: 100 }, (_, ply) => ({
      ply, color: ply % 2 ? 'black' : 'white', move: way[ply % 4].join('-'), squares: way[ply % 4],
      captures: [], promotes: false, elapsed_ms: 1 }));
    const start_fen = 'W:WKc1:BKf8';
    const state = { game: 1, id: 'long-1', seq: 100, white: 'x', black: 'y', start_fen, moves, fen: start_fen,
      ply: 100, turn: 'white', result: 'draw', reason: 'repetition' };
    app.socket.stop();
    app.go('/g/long');
    app.receive({ type: 'table_state', table: 'long', info: { id: 'long', seats: {}, watchers: 0 }, state });";

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_a_long_game_stays_in_sight() {
    journey("end", async |scene| {
        let browser = scene.browser(WindowSize::Desktop, "/").await;
        browser.with_app(LONG_GAME, Value::Null).await;
        browser.see(".live-chance .white-share").await;
        let is_in_sight = "const bottom = (css) => document.querySelector(css).getBoundingClientRect().bottom; \
                           return bottom('.moves .result') <= bottom('.moves')";
        browser.until(is_in_sight).await;
        browser
            .run("document.querySelector('.moves').style.maxHeight = '8rem'")
            .await;
        browser.until(is_in_sight).await;
    })
    .await;
}
