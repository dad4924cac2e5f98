//! Games by correspondence, from the challenge to a move on the board.

use std::time::Duration;

use serde_json::json;
use tokio::time::sleep;

use crate::browser::arena_and_swiss::with_account;
use crate::browser::scene::journey;
use crate::browser::session::WindowSize;

/// Lets the browser subscribe at a push service.
const SUBSCRIBES: &str = "
    let own = null;
    const endpoint = 'https://updates.push.services.mozilla.com/wpush/v2/test';
    PushManager.prototype.subscribe = async () => (own = { endpoint, unsubscribe: async () => { own = null; } });
    PushManager.prototype.getSubscription = async () => own;";

const IS_NOTIFIED: &str = "
    navigator.serviceWorker.ready.then(async (worker) => {
        const shown = await worker.getNotifications();
        window.notified = shown.map(({ title }) => title).join();
    });
    return window.notified === 'Your turn'";

const HAS_SAVED_LINES: &str =
    "return document.querySelector('#account-lines')?.value === 'c3-d4 d6-e5\\ng3-f4 b6-a5'";

/// The next request for conditional moves does not reach the server.
const FAILS_ONCE: &str = "const real = window.fetch; window.fetch = (path, ...rest) => { \
     if (!path.endsWith('/conditional')) return real(path, ...rest); \
     window.fetch = real; return Promise.reject(new Error('cut')); };";

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_played_by_correspondence() {
    journey("correspondence", async |scene| {
        let boris = with_account(scene, WindowSize::Phone, "Boris").await;
        let anna = with_account(scene, WindowSize::Desktop, "Anna").await;
        anna.go(&scene.url("/")).await;
        anna.see("#correspondence[href='/correspondence']").await;
        anna.go(&scene.url("/correspondence")).await;
        anna.fill("#account-opponent", "Boris").await;
        anna.run("document.querySelector('#account-color').value = 'white'")
            .await;
        anna.click("#challenge").await;
        anna.read("main", "The challenge waits for an answer").await;
        anna.is_in_order().await;

        // The front page says that something waits.
        boris.go(&scene.url("/")).await;
        boris.read("main", "1 game by correspondence waits").await;
        boris.go(&scene.url("/correspondence")).await;
        boris.read("main", "Anna challenges you").await;
        boris.is_in_order().await;
        boris.click("[data-accept]").await;
        boris
            .until("return location.pathname.startsWith('/g/')")
            .await;
        boris.go(&scene.url("/correspondence")).await;
        boris.click("[data-conditional]").await;
        boris.fill("#account-lines", "c3-d4 d6-c6").await;
        boris.click("#save-lines").await;
        boris.read(".account-problem", "line 1").await;
        boris
            .fill("#account-lines", "c3-d4 b6-a5\ng3-f4 b6-a5")
            .await;
        boris.click("#save-lines").await;
        boris.read("main", "The conditional moves are saved").await;
        boris.is_in_order().await;

        // The same on the board, from the own side: another answer replaces the one that was saved, and the rest stays.
        boris.click("[data-game]").await;
        boris.click("#conditional").await;
        boris.read(".engine li", "c3-d4 b6-a5").await;
        boris.see("[data-below=black]").await;
        boris.click("[data-sq=c3]").await;
        boris.click("[data-sq=d4]").await;
        boris.click("[data-sq=d6]").await;
        boris.click("[data-sq=e5]").await;
        boris.read(".engine li", "c3-d4 d6-e5").await;
        boris.is_in_order().await;
        boris.click("#save-conditional").await;
        boris
            .until("return location.pathname === '/correspondence'")
            .await;
        // A request that fails does not look like an empty list.
        boris.run(FAILS_ONCE).await;
        boris.click("[data-conditional]").await;
        boris
            .read(".account-problem", "The server cannot be reached")
            .await;
        boris.see_gone("#account-lines").await;
        boris.click("[data-conditional]").await;
        boris.until(HAS_SAVED_LINES).await;
        // They stay when the page is drawn again.
        let draw = "app.store.set({ turns: 7 }); await new Promise(requestAnimationFrame)";
        boris.with_app(draw, json!(null)).await;
        assert!(boris.holds(HAS_SAVED_LINES).await);
        boris.fill("#account-lines", "c3-d4 b6-a5").await;
        boris.click("#save-lines").await;
        boris.read("main", "The conditional moves are saved").await;

        // The answer comes at once, although Boris is not at the table.
        anna.go(&scene.url("/correspondence")).await;
        anna.click("[data-game]").await;
        anna.see("[data-sq=c3]").await;
        anna.click("[data-sq=c3]").await;
        anna.click("[data-sq=d4]").await;
        anna.read(".moves", "b6-a5").await;

        anna.go(&scene.url("/correspondence")).await;
        anna.fill("#account-vacation", "3").await;
        anna.click("#start-vacation").await;
        anna.read("main", "You are on vacation until").await;
        boris.go(&scene.url("/correspondence")).await;
        boris.read("main", "opponent on vacation until").await;
        anna.click("#end-vacation").await;
        anna.read("main", "29 days of this year are left").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_notifies_of_turns() {
    journey("notifications", async |scene| {
        let anna = with_account(scene, WindowSize::Whole, "Anna").await;
        anna.go(&scene.url("/correspondence")).await;
        anna.see("#start-notifying").await;
        let allowed = json!({"origin": scene.url(""), "permissions": ["notifications"]});
        anna.devtools("Browser.grantPermissions", allowed).await;
        // No push service can be reached: the browser is told what one would answer, and what it would send.
        anna.run(SUBSCRIBES).await;
        anna.click("#start-notifying").await;
        anna.read("main", "This browser tells you that it is your turn")
            .await;
        anna.is_in_order().await;
        let push = json!({"origin": scene.url(""), "registrationId": "0", "data": ""});
        anna.devtools("ServiceWorker.enable", json!({})).await;
        // A message is lost while the developer tools do not know the worker yet.
        for _ in 0..200 {
            anna.devtools("ServiceWorker.deliverPushMessage", push.clone())
                .await;
            sleep(Duration::from_millis(50)).await;
            if anna.holds(IS_NOTIFIED).await {
                break;
            }
        }
        anna.until(IS_NOTIFIED).await;
        anna.click("#stop-notifying").await;
        anna.see("#start-notifying").await;
    })
    .await;
}
