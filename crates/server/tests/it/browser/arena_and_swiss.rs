//! Tournaments, from the form to the end.

use crate::browser::scene::{BrowserScene, journey};
use crate::browser::session::{Browser, WindowSize};

#[tokio::test(flavor = "multi_thread")]
async fn an_arena_is_organised_and_played() {
    journey("tournament", async |scene| {
        let anna = with_account(scene, WindowSize::Desktop, "Anna").await;
        anna.go(&scene.url("/")).await;
        // What is above the link may move it while it is clicked.
        anna.see("#tournaments[href='/tournaments']").await;
        anna.go(&scene.url("/tournaments")).await;
        anna.read("h1", "Tournaments").await;
        anna.is_in_order().await;
        anna.fill("#account-name", "Friday").await;
        anna.click("#account-by_invitation").await;
        anna.click("#create-tournament").await;
        anna.read("h1", "Friday").await;
        anna.until(
            "return document.querySelector('#tournament-link')?.value.includes('invitation')",
        )
        .await;
        anna.is_in_order().await;
        let address = anna
            .run("return document.querySelector('#tournament-link').value")
            .await;
        anna.click("#tournament-play").await;
        anna.see(".queued").await;

        let boris = with_account(scene, WindowSize::Phone, "Boris").await;
        boris.go(address.as_str().unwrap()).await;
        boris.click("#tournament-play").await;
        boris
            .until("return location.pathname.startsWith('/g/')")
            .await;
        anna.until("return location.pathname.startsWith('/g/')")
            .await;
        // Until a move is played a game of a tournament is resigned, not aborted.
        anna.read(".actions", "Resign").await;
        anna.click(".actions button:last-child").await;
        anna.click("#resign-yes").await;
        anna.click("#next-pairing").await;
        anna.read("h1", "Friday").await;
        anna.see(".queued").await;
        anna.read(".standings tbody tr", "Boris").await;
        boris.click("#next-pairing").await;
        boris.read(".standings tbody tr .points", "2").await;
        boris.is_in_order().await;

        // The organiser pauses: both wait on. The end sends them away.
        anna.click("#tournament-pause").await;
        anna.read(".tournament-stage", "Paused").await;
        boris.read(".queued", "when games begin").await;
        anna.click("#tournament-end").await;
        anna.click("#tournament-end-yes").await;
        // What the toasts say goes away sooner than the page of a player asks again.
        boris.click(".toast button").await;
        anna.click(".toast button").await;
        anna.read(".tournament-stage", "Over").await;
        boris.read(".tournament-stage", "Over").await;
        anna.is_in_order().await;
        anna.click(".more-games a").await;
        anna.see(".projected").await;
        anna.is_in_order().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_swiss_is_organised_and_played() {
    journey("rounds", async |scene| {
        let anna = with_account(scene, WindowSize::Desktop, "Anna").await;
        anna.go(&scene.url("/tournaments")).await;
        anna.fill("#account-name", "Monday").await;
        anna.run(
            "const format = document.querySelector('#account-format'); format.value = 'swiss'; format.dispatchEvent(new Event('change'))",
        )
        .await;
        anna.see("#account-wait").await;
        anna.is_in_order().await;
        anna.run("document.querySelector('#account-rounds').value = '3'; document.querySelector('#account-break').value = '0'")
            .await;
        anna.click("#create-tournament").await;
        anna.read("h1", "Monday").await;
        anna.read(".tournament-stage", "Starts in").await;
        let address = anna
            .run("return document.querySelector('#tournament-link').value")
            .await;
        anna.click("#tournament-play").await;
        anna.read(".queued", "Stay on this site").await;

        let boris = with_account(scene, WindowSize::Phone, "Boris").await;
        boris.go(address.as_str().unwrap()).await;
        boris.click("#tournament-play").await;
        boris.see(".queued").await;
        // The new row moves the button, perhaps while it is clicked.
        anna.read(".standings", "Boris").await;
        anna.click("#tournament-start").await;
        for player in [&anna, &boris] {
            player
                .until("return location.pathname.startsWith('/g/')")
                .await;
        }
        anna.read(".actions", "Resign").await;
        let projector = format!("{}?view=projector", address.as_str().unwrap());
        boris.go(&projector).await;
        boris.see(".projected .pairing").await;
        anna.click(".actions button:last-child").await;
        anna.click("#resign-yes").await;
        // Whoever has played waits for the next game. It begins when the other one, who only watches, comes back.
        anna.read(".notice", "opens by itself").await;
        anna.click("#next-pairing").await;
        anna.read(".tournament-stage", "Round 2 of 3").await;
        anna.read(".pairing", "waiting").await;
        anna.read("main", "Your next opponent: Boris. A player who is not here by").await;
        anna.is_in_order().await;

        // The organiser decides this game.
        anna.run("document.querySelector('#account-result').value = 'draw'")
            .await;
        anna.click("#account-result ~ button, form:has(#account-result) button")
            .await;
        anna.read(".tournament-stage", "Round 3 of 3").await;
        anna.click(".more-games a").await;
        anna.read("#pairings", "Round 2").await;
        anna.read(".pairing", "½–½ (no game)").await;
        boris.go(address.as_str().unwrap()).await;
        boris.click("#tournament-play").await;
        for player in [&anna, &boris] {
            player
                .until("return location.pathname.startsWith('/g/')")
                .await;
        }
    })
    .await;
}

pub(crate) async fn with_account(scene: &BrowserScene, view: WindowSize, name: &str) -> Browser {
    let browser = scene.browser(view, "/").await;
    browser.fill("#own-name", name).await;
    browser.click(".name-form button").await;
    browser
        .until(&format!(
            "return document.querySelector('#own-name')?.value === '{name}'"
        ))
        .await;
    browser.click("#account").await;
    browser.click("#keep-name").await;
    browser.see(".account-codes code").await;
    browser
}
