//! Finished games and their players can be found.

use serde_json::Value;

use crate::browser::page::{GameChoices, Pair};
use crate::browser::scene::journey;
use crate::browser::session::{Browser, WindowSize};

#[tokio::test(flavor = "multi_thread")]
async fn the_own_games_are_one_click_away() {
    journey("records", async |scene| {
        let pair = Pair::meet(
            scene,
            GameChoices::usual([WindowSize::Desktop, WindowSize::Phone]),
        )
        .await;
        let (white, black) = (pair.white.name().await, pair.black.name().await);
        pair.play(&[&["c3", "d4"], &["f6", "g5"]]).await;
        pair.white.resign().await;
        pair.black.see("dialog.over").await;
        from_the_game_and_its_analysis(&pair).await;
        let browser = &pair.white;
        browser.go(&scene.url("/")).await;
        browser.click(".own-games").await;
        browser.read("h1", &white).await;
        browser.read(".tally", "All").await;
        is_called(browser, &white).await;
        browser.see("svg.bars rect.lost").await;
        browser.is_in_order().await;
        browser.click(".game-list .of-black").await;
        browser.read("h1", &black).await;
        browser.see("svg.bars rect.won").await;
        browser.click(".open-game").await;
        browser.see(".game .board").await;
        is_called(browser, &format!("{white} 0–1 {black}")).await;
        is_found(browser, [&white, &black]).await;
        pair.part(scene).await;
    })
    .await;
}

/// The page of a player is one click away, on a desktop and on a phone.
async fn from_the_game_and_its_analysis(pair: &Pair) {
    for browser in [&pair.white, &pair.black] {
        let name = browser.name().await;
        browser.click("#over-analyse").await;
        browser.see(".study .move.current[data-ply='2']").await;
        browser.click("#own-page").await;
        browser.read("h1", &name).await;
        browser.see("#own-page[aria-current=page]").await;
        browser.is_in_order().await;
        browser.click(".open-game").await;
        browser.see(".game .board").await;
        browser.see("#own-page:not([aria-current])").await;
        browser.click("#own-page").await;
        browser.read("h1", &name).await;
    }
}

/// Searches for the game, successfully and not.
async fn is_found(browser: &Browser, [white, black]: [&str; 2]) {
    browser.click(".top nav a[href='/games']").await;
    browser.read(".games-count", "1 game").await;
    is_called(browser, "Games").await;
    browser.fill("#search-player", black).await;
    browser.fill("#search-opponent", white).await;
    browser.choose("#search-result", "black_won").await;
    browser.click("#search-games").await;
    browser
        .until("return location.search.includes('opponent=')")
        .await;
    browser.read(".games-count", "1 game").await;
    browser.see(".open-game").await;
    let export = browser
        .run("return document.querySelector('#export-games').href")
        .await;
    let export = export.as_str().unwrap();
    assert!(export.contains("/api/games.pdn?player="), "{export}");
    assert!(export.contains("result=black_won"), "{export}");
    browser.click(".more-fields summary").await;
    browser.choose("#search-color", "white").await;
    browser.click("#search-games").await;
    browser.read(".games-count", "No game matches.").await;
    browser.is_in_order().await;
    // The address is enough.
    browser.client.refresh().await.unwrap();
    browser.read(".games-count", "No game matches.").await;
    let shown = "return document.querySelector('#search-color').value === 'white'";
    browser.until(shown).await;
    browser.client.back().await.unwrap();
    browser.read(".games-count", "1 game").await;
    browser.with_app("app.go('/nope')", Value::Null).await;
    browser.read("h1", "nothing at this address").await;
    is_called(browser, "Not found").await;
}

/// Waits for the title of the tab.
async fn is_called(browser: &Browser, title: &str) {
    let title = serde_json::to_string(&format!("{title} – Russian draughts")).unwrap();
    browser
        .until(&format!("return document.title === {title}"))
        .await;
}
