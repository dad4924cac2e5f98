//! An arena, from the form to the end.

use crate::browser::accounts::is_accessible;
use crate::browser::scene::{Scene, journey};
use crate::browser::session::{Browser, View};

#[tokio::test(flavor = "multi_thread")]
async fn an_arena_is_organised_and_played() {
    journey("tournament", async |scene| {
        let anna = with_account(scene, View::Desktop, "Anna").await;
        anna.go(&scene.url("/")).await;
        // What is above the link may move it while it is clicked.
        anna.see("#tournaments[href='/tournaments']").await;
        anna.go(&scene.url("/tournaments")).await;
        anna.read("h1", "Tournaments").await;
        is_accessible(&anna).await;
        anna.fill("#account-name", "Friday").await;
        anna.click("#account-by_invitation").await;
        anna.click("#create-tournament").await;
        anna.read("h1", "Friday").await;
        anna.until(
            "return document.querySelector('#tournament-link')?.value.includes('invitation')",
        )
        .await;
        is_accessible(&anna).await;
        let address = anna
            .run("return document.querySelector('#tournament-link').value")
            .await;
        anna.click("#tournament-play").await;
        anna.see(".queued").await;

        let boris = with_account(scene, View::Phone, "Boris").await;
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
        is_accessible(&boris).await;

        // The organiser pauses: both wait on. The end sends them away.
        anna.click("#tournament-pause").await;
        anna.read(".tournament-stage", "Paused").await;
        boris.read(".queued", "when games begin").await;
        anna.click("#tournament-end").await;
        anna.click("#tournament-end-yes").await;
        anna.read(".tournament-stage", "Over").await;
        boris.read(".tournament-stage", "Over").await;
        boris.click(".toast button").await;
        anna.click(".toast button").await;
        is_accessible(&anna).await;
        anna.click(".more-games a").await;
        anna.see(".projected").await;
        is_accessible(&anna).await;
    })
    .await;
}

async fn with_account(scene: &Scene, view: View, name: &str) -> Browser {
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
