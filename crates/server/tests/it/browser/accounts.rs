//! Keeping a name, and using it on another device.

use serde_json::{Value, json};

use crate::browser::scene::{BrowserScene, journey};
use crate::browser::session::{Browser, WindowSize};

#[tokio::test(flavor = "multi_thread")]
async fn a_name_is_kept_and_used_on_a_phone() {
    journey("account", async |scene| {
        let desktop = scene.browser(WindowSize::Desktop, "/").await;
        desktop.fill("#own-name", "Anna").await;
        desktop.click(".name-form button").await;
        desktop
            .until("return document.querySelector('#own-name')?.value === 'Anna'")
            .await;
        desktop.click("#account").await;
        desktop
            .until("return document.querySelector('#account-other')?.value === 'Anna'")
            .await;
        desktop.is_in_order().await;
        desktop.click("#keep-name").await;
        desktop
            .until("return document.querySelectorAll('.account-codes code').length === 10")
            .await;
        desktop.click("#make-link").await;
        desktop.see(".account-link img").await;
        desktop.is_in_order().await;
        let link = text(&desktop, "#link-address").await;
        desktop.fill("#account-bot", "kestrel").await;
        desktop.click("#create-bot").await;
        desktop
            .until("return document.querySelector('#token')?.textContent.length === 64")
            .await;
        desktop
            .read("#bots-title ~ .account-sessions", "kestrel[bot]")
            .await;
        desktop.click("#token ~ button").await;
        desktop.read(".toast", "Copied").await;
        desktop.is_in_order().await;
        desktop.fill("#account-ladder", "Course").await;
        desktop.click("#create-ladder").await;
        desktop
            .read("#ladders-title ~ .account-sessions", "Course")
            .await;
        desktop
            .click("#ladders-title ~ .account-sessions button")
            .await;
        desktop
            .read(
                "#ladders-title ~ .account-sessions p",
                "enough positions in common",
            )
            .await;
        desktop.is_in_order().await;
        desktop.click("#ladders-title ~ .account-sessions a").await;
        desktop.read("#season", "Course").await;
        desktop.is_in_order().await;
        desktop.go(&scene.url("/account")).await;

        let phone = scene.browser(WindowSize::Phone, "/").await;
        phone.go(&link).await;
        phone.read("#sign-in-title ~ p", "Name: Anna").await;
        phone.see_gone("#keep-name").await;
        phone.is_in_order().await;
        phone.click("#sign-in-link").await;
        phone.read("h1", "Anna").await;
        phone
            .until("return location.pathname + location.hash === '/account'")
            .await;
        phone.see("#sign-out").await;
        phone.is_in_order().await;
        // The name is the account's there, and it is in the lobby.
        phone.go(&scene.url("/")).await;
        phone.read(".name-form strong", "Anna").await;

        signs_in_by_password(scene, &desktop, &phone).await;
    })
    .await;
}

/// The desktop, which the phone has replaced, still has its new codes and sets a password, which signs the phone out.
async fn signs_in_by_password(scene: &BrowserScene, desktop: &Browser, phone: &Browser) {
    desktop.fill("#account-new-password", "correct horse").await;
    desktop.click("#set-password").await;
    desktop.read("[role=status]", "The password is set").await;
    phone.read(".toast", "You have been signed out").await;
    phone.click(".toast button").await;
    phone.go(&scene.url("/account")).await;
    phone.read("h1", "Account").await;
    phone.fill("#account-name", "Anna").await;
    phone.fill("#account-password", "wrong horse").await;
    phone.click("#sign-in").await;
    phone.read("[role=alert]", "That is wrong").await;
    phone.fill("#account-password", "correct horse").await;
    phone.click("#sign-in").await;
    phone.read("h1", "Anna").await;
    phone
        .until("return document.querySelectorAll('.account-sessions li').length === 4")
        .await;

    // The phone signs the desktop out, and then itself.
    phone
        .click(".account-sessions button[aria-label*='First device']")
        .await;
    phone
        .until("return document.querySelectorAll('.account-sessions li').length === 3")
        .await;
    phone.click("#sign-out").await;
    phone.read("h1", "Account").await;
    phone
        .until("return document.querySelector('#account-other')?.value.includes('guest')")
        .await;
    let is_news = "return document.querySelector('.toast') != null";
    assert!(!phone.holds(is_news).await);
    deletes_the_account(phone).await;
}

async fn deletes_the_account(phone: &Browser) {
    phone.fill("#account-name", "Anna").await;
    phone.fill("#account-password", "correct horse").await;
    phone.click("#sign-in").await;
    phone.click("#export-account").await;
    phone.fill("#account-delete", "Boris").await;
    phone.click("#delete-account").await;
    phone.read("[role=alert]", "not the name").await;
    phone.is_in_order().await;
    phone.fill("#account-delete", "Anna").await;
    phone.click("#delete-account").await;
    phone.read("h1", "Account").await;
    phone.fill("#account-name", "Anna").await;
    phone.fill("#account-password", "correct horse").await;
    phone.click("#sign-in").await;
    phone.read("[role=alert]", "That is wrong").await;
}

async fn text(browser: &Browser, css: &str) -> String {
    let found = browser
        .run(&format!(
            "return document.querySelector({css:?}).textContent"
        ))
        .await;
    match found {
        Value::String(text) => text,
        other => panic!("{css}: {other}"),
    }
}

/// Anna, who has come by an invitation, is an administrator; she reports Boris, and suspends him.
#[tokio::test(flavor = "multi_thread")]
async fn a_player_is_reported_and_suspended() {
    journey("moderation", async |scene| {
        let account = |arguments: &[&str]| scene.server.lock().unwrap().account(arguments);
        let printed = account(&["invite"]);
        let (code, _) = printed.split_once("  ").unwrap();
        let anna = scene.browser(WindowSize::Desktop, "/").await;
        anna.go(&scene.url(&format!("/invitation#{code}"))).await;
        anna.until(&format!(
            "return document.querySelector('#account-invitation')?.value === {code:?}"
        ))
        .await;
        anna.is_in_order().await;
        anna.fill("#account-other", "Anna").await;
        anna.click("#keep-name").await;
        anna.read("h1", "Anna").await;
        anna.see(".account-codes code").await;
        account(&["role", "Anna", "administrator"]);
        let boris = scene.browser(WindowSize::Phone, "/").await;
        boris.go(&scene.url("/account")).await;
        // A name that is taken is not kept, nor is another one in its place.
        boris.fill("#account-other", "Anna").await;
        boris.click("#keep-name").await;
        boris.read("#keep-problem", "Somebody has this name").await;
        boris.fill("#account-other", "Boris").await;
        boris.click("#keep-name").await;
        boris.read("h1", "Boris").await;
        boris.see(".account-codes code").await;

        anna.go(&scene.url("/report/Boris")).await;
        anna.click("#block").await;
        anna.read("[role=status]", "The player is blocked").await;
        anna.run("document.querySelector('#account-reason').value = 'stalling'")
            .await;
        anna.fill("#account-text", "He always leaves").await;
        anna.click("#send-report").await;
        anna.read("[role=status]", "Thank you").await;
        anna.is_in_order().await;
        anna.go(&scene.url("/report/nobody")).await;
        anna.read("main p", "There is no account").await;
        anna.see_gone("#send-report").await;

        anna.go(&scene.url("/account")).await;
        anna.read("#blocks-title ~ p", "Boris").await;
        anna.click("#to-moderation").await;
        anna.read(".reported", "He always leaves").await;
        anna.is_in_order().await;
        // The reason is that of the report; what to do is not chosen.
        let chosen =
            "return [...document.querySelectorAll('.reported select')].map((one) => one.value)";
        assert_eq!(anna.run(chosen).await, json!(["", "1", "stalling"]));
        anna.run("document.querySelector('.reported [name=action]').value = 'suspend'")
            .await;
        anna.click(".reported form button").await;
        anna.read("[role=status]", "The player is suspended").await;
        anna.read("#reports-title ~ p", "no open reports").await;
        anna.read("#log-title ~ ul", "suspended").await;
        anna.click("#invite").await;
        anna.read("#made-code", "/invitation#").await;
        anna.is_in_order().await;

        // Boris still has the account, and begins no games.
        boris.go(&scene.url("/moderation")).await;
        boris.read("main", "for moderators").await;
        boris.go(&scene.url("/")).await;
        boris.read(".name-form strong", "Boris").await;
        boris.click("[data-against=quick]").await;
        boris.click("#start-game").await;
        boris.read(".toast", "suspended until").await;
    })
    .await;
}
