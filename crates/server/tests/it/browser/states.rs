//! Every state of the page, in light and dark, on a desktop and a phone. By default states take
//! turns: one is light on the desktop, the next dark, and the third is shown on the phone. axe checks an eighth of them.
//!
//! `CHECKERS_SCREENSHOTS` names a folder for screenshots.

use std::path::PathBuf;
use std::{env, fs};

use serde_json::{Value, json};

use crate::browser::scene::journey;
use crate::browser::session::{Browser, Rules, WindowSize};
use crate::is_exhaustive;

const STATES: &str = include_str!("states.js");

#[tokio::test(flavor = "multi_thread")]
async fn every_state_is_in_order_on_a_desktop() {
    journey("states-desktop", async |scene| {
        let browser = scene.browser(WindowSize::Desktop, "/").await;
        look(&browser, "desktop", &scene.url("/")).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_state_is_in_order_on_a_phone() {
    journey("states-phone", async |scene| {
        let browser = scene.browser(WindowSize::Phone, "/").await;
        look(&browser, "phone", &scene.url("/")).await;
    })
    .await;
}

async fn look(browser: &Browser, size: &str, url: &str) {
    let folder = env::var_os("CHECKERS_SCREENSHOTS").map(PathBuf::from);
    let names = browser.with_app(STATES, Value::Null).await;
    let names: Vec<String> = serde_json::from_value(names).unwrap();
    let wanted = env::var("CHECKERS_STATES").unwrap_or_default();
    let names = names.iter().filter(|name| name.contains(&wanted));
    let mut problems = Vec::new();
    browser.go(url).await;
    let shows_all = folder.is_some() || is_exhaustive();
    for (at, name) in names.enumerate() {
        for theme in ["light", "dark"] {
            let turn = match (size, theme) {
                ("desktop", "light") => 0,
                ("desktop", _) => 1,
                _ => 2,
            };
            if !shows_all && at % 3 != turn {
                continue;
            }
            // The dark page differs only in colours, which are the same in every size.
            if theme == "dark" && size == "phone" && folder.is_none() {
                continue;
            }
            let rules = if theme == "light" || !shows_all {
                Rules::All
            } else {
                Rules::Contrast
            };
            let shown = json!({"name": name, "theme": theme});
            browser.with_app(STATES, shown).await;
            if let Some(folder) = &folder {
                fs::create_dir_all(folder).unwrap();
                let picture = folder.join(format!("{name}-{size}-{theme}.png"));
                browser.picture(&picture).await;
            }
            let mut found = browser.problems().await;
            // axe takes as long as everything else together.
            if shows_all || at / 3 % 8 == 0 {
                found.extend(browser.violations(rules).await);
            }
            problems.extend(
                found
                    .into_iter()
                    .map(|p| format!("{name}, {size}, {theme}: {p}")),
            );
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
