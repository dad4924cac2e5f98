//! Drawings on the board, and its display settings.

use fantoccini::actions::MOUSE_BUTTON_RIGHT;
use fantoccini::key::Key;
use serde_json::{Value, json};

use crate::browser::scene::{BrowserScene, journey};
use crate::browser::session::{Browser, WindowSize};

const STATES: &str = include_str!("states.js");

/// A browser whose player is to move after ten moves.
async fn in_game(scene: &BrowserScene, view: WindowSize) -> Browser {
    let browser = scene.browser(view, "/").await;
    let shown = json!({"name": "turn-quiet", "theme": "light"});
    browser.with_app(STATES, shown).await;
    browser.see(".board.live").await;
    browser
}

/// The width of the board, in pixels.
async fn width(browser: &Browser) -> f64 {
    let script = "return document.querySelector('.board').getBoundingClientRect().width";
    browser.run(script).await.as_f64().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn arrows_and_circles_are_drawn_and_cleared() {
    journey("shapes", async |scene| {
        let browser = in_game(scene, WindowSize::Desktop).await;
        let right = async |from: &str, to: &str| {
            let at = |square: &str| format!("[data-sq={square}]");
            browser
                .drag_with(MOUSE_BUTTON_RIGHT, &at(from), &at(to))
                .await;
        };
        right("c3", "e5").await;
        browser.see(".shape polygon").await;
        right("b6", "b6").await;
        browser.see("circle.shape").await;
        browser.is_in_order().await;
        // Drawing it again removes it.
        right("b6", "b6").await;
        browser.see_gone("circle.shape").await;
        browser.see(".shape polygon").await;
        browser.click("#erase").await;
        browser.see_gone(".shape, #erase").await;
        right("c3", "e5").await;
        browser.see(".shape polygon").await;
        browser.press(Key::Escape).await;
        browser.see_gone(".shape").await;
        // Choosing a move removes them too; a right click then cancels without a circle.
        right("c3", "e5").await;
        browser.see(".shape polygon").await;
        browser.square("f4").await;
        browser.see_gone(".shape").await;
        browser.see("[data-sq=f4][aria-selected=true]").await;
        right("b6", "b6").await;
        browser.see("[data-sq=f4][aria-selected=false]").await;
        browser.see_gone(".shape").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_but_the_game_is_shown_on_request() {
    journey("zen", async |scene| {
        for view in [WindowSize::Desktop, WindowSize::Small] {
            let browser = in_game(scene, view).await;
            let usual = width(&browser).await;
            let is_hidden = "return [...document.querySelectorAll('nav, .home, .moves, .about')]\
                             .every((e) => !e.checkVisibility())";
            browser.press_letter("z").await;
            browser.see("[data-zen]").await;
            browser.until(is_hidden).await;
            browser.is_in_order().await;
            assert!(width(&browser).await >= usual);
            // The controls of a player stay.
            browser.see(".actions button").await;
            browser.click("#zen").await;
            browser.see_gone("[data-zen]").await;
            assert!(!browser.holds(is_hidden).await);
            browser.click("#zen").await;
            browser.until(is_hidden).await;
            browser.press_letter("z").await;
            browser.see_gone("[data-zen]").await;
            scene.leave(browser).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_board_has_the_size_and_the_names_that_were_chosen() {
    journey("board-settings", async |scene| {
        let browser = in_game(scene, WindowSize::Desktop).await;
        let usual = width(&browser).await;
        let names = "return [...document.querySelectorAll('.game .coordinates text')].map((e) => e.textContent).join(' ')";
        assert_eq!(
            browser.run(names).await,
            "8 7 6 5 4 3 2 1 a b c d e f g h"
        );
        browser.click("[data-page=game] .tools button[aria-label=Settings]").await;
        browser.see("#set-size").await;
        let focus = "document.querySelector('#set-size').focus()";
        browser.run(focus).await;
        for _ in 0..6 {
            browser.press(Key::Left).await;
        }
        browser.read("label[for=set-size]", "70 %").await;
        browser.choose("#set-squares", "numbers").await;
        browser.is_in_order().await;
        browser.press(Key::Escape).await;
        let numbers: Vec<String> = (1..=32).map(|n: u32| n.to_string()).collect();
        assert_eq!(browser.run(names).await, numbers.join(" "));
        assert!((width(&browser).await / usual - 0.7).abs() < 0.01);
        // They are stored.
        browser.go(&scene.url("/help")).await;
        browser.see(".examples").await;
        let known = "const { size, squares } = app.store.state.settings; return [size, squares]";
        let known = browser.with_app(known, Value::Null).await;
        assert_eq!(known, json!([70, "numbers"]));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_board_is_seen_where_the_system_sets_the_colours() {
    journey("forced-colors", async |scene| {
        let browser = in_game(scene, WindowSize::Desktop).await;
        let forced = json!({"features": [{"name": "forced-colors", "value": "active"}]});
        browser.devtools("Emulation.setEmulatedMedia", forced).await;
        browser
            .until("return matchMedia('(forced-colors: active)').matches")
            .await;
        let colours = "return new Set(['.cell.light', '.cell.dark:not(.last)', '.cell.last'].map((css) => \
                       getComputedStyle(document.querySelector(css)).backgroundColor)).size";
        assert_eq!(browser.run(colours).await, 3);
        browser.see(".trail").await;
    })
    .await;
}
