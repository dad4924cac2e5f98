//! Keyboard control, Russian, and the smallest phone.

use fantoccini::key::Key;

use crate::browser::page::{GameChoices, Hand, Pair, sides};
use crate::browser::scene::journey;
use crate::browser::session::{Browser, WindowSize};

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_played_with_keys_alone() {
    journey("keys", async |scene| {
        for views in sides(0) {
            let pair = Pair::meet(scene, GameChoices::usual(views)).await;
            let white = &pair.white;
            white.turn(0).await;
            // The tab key reaches the board: one stop, at a man that can move.
            white.run("document.querySelector('.skip').focus()").await;
            for _ in 0..40 {
                white.press(Key::Tab).await;
                let is_there = "return document.activeElement.dataset.sq != null";
                if white.holds(is_there).await {
                    break;
                }
            }
            let at = white.run("return document.activeElement.dataset.sq").await;
            assert_eq!(at, "a3", "the first man that can move, from the top left");
            white.press_letter("n").await;
            assert_eq!(
                white.run("return document.activeElement.dataset.sq").await,
                "c3"
            );
            white.press(Key::Enter).await;
            white.see("[data-sq=c3][aria-selected=true]").await;
            white.press(Key::Escape).await;
            white.see("[data-sq=c3][aria-selected=false]").await;
            white.press(Key::Enter).await;
            white.press(Key::Up).await;
            white.press(Key::Right).await;
            white.see("[data-sq=d4]:focus").await;
            white.press(Key::Enter).await;
            white.see(".move[data-ply='1']").await;
            white.press_letter("l").await;
            white.read("#say-now", "Last move c3-d4").await;
            pair.black.play(1, &["f6", "g5"], Hand::Clicks).await;
            white.read("#say", "Black moves from f6 to g5").await;
            // To a row, to the next man, and to its moves.
            white.press_letter("1").await;
            white.see("[data-sq=d1]:focus").await;
            white.press_letter("p").await;
            white.see("[data-sq=e1]:focus").await;
            white.press_letter("m").await;
            white.read("#say-now", "No moves from here").await;
            white.press_letter("c").await;
            white
                .read("#say-now", "Nothing has been captured yet")
                .await;
            goes_through_the_game_and_gives_commands(white).await;
            pair.part(scene).await;
        }
    })
    .await;
}

async fn goes_through_the_game_and_gives_commands(white: &Browser) {
    white.run("document.activeElement.blur()").await;
    for (key, ply) in [("k", 1), ("j", 2), ("h", 1), ("l", 2)] {
        white.press_letter(key).await;
        white.see(&format!(".move.current[data-ply='{ply}']")).await;
    }
    white.type_move("/scan 4").await;
    white.read(".toast", "d4 white man").await;
    white.type_move("/nothing").await;
    white.read(".problem", "/takeback").await;
    white.type_move("/resign").await;
    white.click("dialog.resign button:first-child").await;
    white.see_gone("dialog").await;
    white.is_in_order().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_speaks_russian() {
    journey("russian", async |scene| {
        for views in sides(1) {
            let browser = scene.browser(views[0], "/?lang=ru").await;
            browser.read("h1", "Играть").await;
            browser.see("html[lang=ru]").await;
            browser.read(".people", "человек").await;
            browser.is_in_order().await;
            // The language of the address is stored.
            browser.go(&scene.url("/help")).await;
            browser.see("html[lang=ru]").await;
            scene.leave(browser).await;
            let pair = Pair::meet(scene, GameChoices::usual(views)).await;
            pair.white.click(".top .text-button").await;
            pair.white.read(".status", "Ваш ход").await;
            pair.white.see_on("c3", "белая шашка").await;
            pair.white.type_move("с3-d4").await;
            pair.white.see(".move[data-ply='1']").await;
            pair.white.read(".status", "Ход: Чёрные").await;
            pair.white.client.refresh().await.unwrap();
            pair.white.read(".status", "Ход: Чёрные").await;
            pair.part(scene).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_smallest_phone_shows_everything() {
    journey("small", async |scene| {
        let pair = Pair::meet(scene, GameChoices::default()).await;
        let small = scene.browser(WindowSize::Small, "/").await;
        small.is_in_order().await;
        small.go(&scene.url(&pair.path)).await;
        small.see(".game .board").await;
        small.is_in_order().await;
        let cell = small
            .run("return document.querySelector('[data-sq=c3]').getBoundingClientRect().width")
            .await;
        assert!(cell.as_f64().unwrap() >= 30.0, "{cell}");
        let scrolls = small
            .run("return document.documentElement.scrollHeight - innerHeight")
            .await;
        assert_eq!(scrolls, 0, "a game needs no scrolling");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_focus_goes_to_the_board() {
    journey("focus", async |scene| {
        let browser = scene.browser(WindowSize::Desktop, "/").await;
        browser.press(Key::Tab).await;
        browser.see(".skip:focus").await;
        browser.is_in_order().await;
        browser.press(Key::Enter).await;
        browser.see("#main:focus").await;
        browser.click("#watch-computers").await;
        browser.see(".game .board").await;
        browser.go(&scene.url("/")).await;
        // Spectators browse with the arrow keys.
        browser.click("[data-live]").await;
        browser.see("#main:focus .board").await;
        browser.go(&scene.url("/")).await;
        browser.click("#start-game").await;
        browser.see("[data-sq]:focus").await;
        browser.run("document.querySelector('.skip').focus()").await;
        browser.press(Key::Enter).await;
        browser.see("[data-sq]:focus").await;
    })
    .await;
}
