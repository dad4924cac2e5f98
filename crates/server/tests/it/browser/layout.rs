//! Every page at every window size, in both languages: nothing overlaps, is cut off, scrolls
//! needlessly or is too small to touch. By default each page has one size, and every other page is in Russian.
//!
//! `CHECKERS_SCREENSHOTS` names a folder for screenshots.

use std::path::PathBuf;
use std::{env, fs};

use serde_json::{Value, json};

use crate::browser::scene::journey;
use crate::browser::session::WindowSize;
use crate::is_exhaustive;

const STATES: &str = include_str!("states.js");
const LAYOUT: &str = include_str!("layout.js");

/// Windows that must show a whole page.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fits {
    Everywhere,
    /// Windows with room beside the board.
    Wide,
    Nowhere,
}

const PAGES: [(&str, Fits); 31] = [
    ("lobby-list", Fits::Nowhere),
    ("turn-forced", Fits::Everywhere),
    ("turn-thinking-long", Fits::Everywhere),
    ("offer-draw-theirs", Fits::Everywhere),
    ("browsing", Fits::Everywhere),
    ("watching", Fits::Everywhere),
    ("over-judged", Fits::Everywhere),
    ("bots-live", Fits::Everywhere),
    ("tv", Fits::Everywhere),
    ("embedded", Fits::Everywhere),
    ("analysis", Fits::Wide),
    ("editor", Fits::Wide),
    ("explorer-saved", Fits::Nowhere),
    ("help", Fits::Nowhere),
    ("games", Fits::Nowhere),
    ("games-filtered", Fits::Nowhere),
    ("ladder", Fits::Nowhere),
    ("tournaments", Fits::Nowhere),
    ("tournament", Fits::Nowhere),
    ("tournament-rounds", Fits::Nowhere),
    ("tournament-form", Fits::Nowhere),
    ("account", Fits::Nowhere),
    ("report", Fits::Nowhere),
    ("moderation", Fits::Nowhere),
    ("correspondence", Fits::Nowhere),
    ("correspondence-vacation", Fits::Nowhere),
    ("player", Fits::Nowhere),
    ("player-open", Fits::Nowhere),
    ("settings", Fits::Everywhere),
    ("share", Fits::Everywhere),
    ("over-rematch", Fits::Everywhere),
];

/// Width, height, and whether it is a touch screen. 640 by 400 is a desktop at 200 %.
const SIZES: [(u32, u32, bool); 11] = [
    (320, 568, true),
    (390, 844, true),
    (568, 320, true),
    (667, 375, true),
    (640, 400, false),
    (768, 1024, true),
    (1024, 768, true),
    (1280, 720, false),
    (1280, 800, false),
    (1440, 900, false),
    (2560, 1440, false),
];

#[tokio::test(flavor = "multi_thread")]
async fn every_page_fits_every_window() {
    journey("layout", async |scene| {
        let folder = env::var_os("CHECKERS_SCREENSHOTS").map(PathBuf::from);
        let wanted = env::var("CHECKERS_STATES").unwrap_or_default();
        let shows_all = folder.is_some() || is_exhaustive();
        let browser = scene.browser(WindowSize::Desktop, "/").await;
        let mut problems = Vec::new();
        for (turn, lang) in ["en", "ru"].into_iter().enumerate() {
            let pages = PAGES.iter().enumerate();
            for (page, (name, fits)) in pages.filter(|(_, (name, _))| name.contains(&wanted)) {
                if !shows_all && page % 2 != turn {
                    continue;
                }
                let shown = json!({"name": name, "theme": "light", "lang": lang, "plain": true});
                browser.with_app(STATES, shown).await;
                for (at, (width, height, touch)) in SIZES.into_iter().enumerate() {
                    if !shows_all && at != page % SIZES.len() {
                        continue;
                    }
                    browser.resize(width, height, touch).await;
                    let fits = match fits {
                        Fits::Everywhere => true,
                        Fits::Wide => width >= 900 || height <= 500,
                        Fits::Nowhere => false,
                    };
                    let size =
                        json!({"width": width, "height": height, "touch": touch, "fits": fits});
                    let found = browser.with_app(LAYOUT, size).await;
                    let found: Vec<String> = serde_json::from_value(found).unwrap();
                    let place = format!("{name}-{width}x{height}-{lang}");
                    problems.extend(
                        found
                            .into_iter()
                            .map(|problem| format!("{place}: {problem}")),
                    );
                    if let Some(folder) = &folder {
                        fs::create_dir_all(folder).unwrap();
                        browser.picture(&folder.join(format!("{place}.png"))).await;
                    }
                }
            }
        }
        assert!(problems.is_empty(), "{}", problems.join("\n"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_page_is_reached_from_the_smallest_window() {
    journey("menu", async |scene| {
        let browser = scene.browser(WindowSize::Small, "/").await;
        for (path, shown) in [
            ("/analysis", ".study .engine"),
            ("/editor", ".palette"),
            ("/tv", "main"),
            ("/help", ".examples"),
            ("/games", ".search"),
            ("/", ".lobby"),
        ] {
            browser.click("[popovertarget=menu]").await;
            browser.is_in_order().await;
            browser.click(&format!("#menu a[href='{path}']")).await;
            browser.see(shown).await;
            browser.see_gone("#menu:popover-open").await;
            assert_eq!(browser.path().await, path);
        }
        browser.click(".tools .text-button").await;
        browser.see("html[lang=ru]").await;
        let language = browser.with_app("return app.store.state.settings.lang", Value::Null);
        assert_eq!(language.await, "ru");
    })
    .await;
}
