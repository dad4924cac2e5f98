//! The search explorer.

use std::fs;
use std::path::Path;

use checkers_engine::tree::{Tree, record};
use checkers_engine::{BotSpec, Limits};
use checkers_lib::{DrawRules, Game, Position};
use fantoccini::Locator;
use fantoccini::key::Key;
use serde_json::{Value, json};

use crate::browser::scene::journey;
use crate::browser::session::{Browser, IS_KEPT, Rules, WindowSize};

/// Selects by hand, in the tree of minimax, the largest part that a cut-off of alpha-beta left out: returns its number
/// and its middle in the window.
const LARGEST_SAVED: &str = "
    const trace = app.explorer.page.traces[1];
    const size = (node) => trace.end(node) - node;
    const saved = [...trace.marks.keys()].filter((node) => trace.marks[node] === 5);
    const node = saved.reduce((best, other) => (size(other) > size(best) ? other : best));
    const canvas = document.getElementById('chart-1');
    canvas.scrollIntoView({ block: 'center', behavior: 'instant' });
    const { x, y, width, height } = canvas.getBoundingClientRect();
    const row = height / trace.levels.length;
    return [node, x + (node + size(node) / 2) / app.explorer.whole * width, y + (trace.levelOf(node) + 0.5) * row]";

/// Changes the theme, and waits until nothing changes its colour any more.
const SHOW_THEME: &str = "
    await app.setting('theme', argument);
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    await Promise.all(document.getAnimations().map((motion) => motion.finished))";

/// The move to the selected node that the other search did not make.
const MISSING_MOVE: &str = "
    const { details: [other, own] } = app.explorer.page;
    return own.path[other.path.length].move";

impl Browser {
    /// Waits until the searches are recorded and their numbers are shown.
    async fn has_searched(&self, nodes: &[&str]) {
        for (at, count) in nodes.iter().enumerate() {
            let cell = at + 2;
            let row = format!(".explorer-numbers tr:nth-child(2) td:nth-child({cell})");
            self.read(&row, count).await;
        }
        self.see(".explorer-node .explanation").await;
        self.see_gone(".explorer-status button").await;
    }

    /// Waits until this is the selected node, in the address too.
    async fn looks_at(&self, tree: usize, node: usize) {
        let place = match (tree, node) {
            (0, 0) => "!location.search.includes('node=')".to_owned(),
            _ => format!("location.search.endsWith('node={tree}.{node}')"),
        };
        self.until(&format!("return {place}")).await;
    }

    /// Gives the page a file in place of a tree.
    async fn open_trace(&self, tree: usize, path: &Path) {
        let input = format!("#file-{tree}");
        let input = self.client.find(Locator::Css(&input)).await.unwrap();
        input.send_keys(path.to_str().unwrap()).await.unwrap();
    }

    async fn has_no_violations(&self) {
        for theme in ["light", "dark"] {
            self.with_app(SHOW_THEME, json!(theme)).await;
            assert_eq!(self.violations(Rules::All).await, Vec::<String>::new());
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_explorer_says_why_a_subtree_was_not_searched() {
    journey("explorer", async |scene| {
        for view in [WindowSize::Desktop, WindowSize::Phone] {
            let browser = scene.browser(view, "/explorer").await;
            browser.has_searched(&["2,821", "9,310"]).await;
            browser.read(".explanation", "a3-b4 is the best").await;
            browser
                .read(".legend", "Saved by a cut-off of the other")
                .await;
            browser.is_in_order().await;
            let found = browser.with_app(LARGEST_SAVED, Value::Null).await;
            let node = found[0].as_u64().unwrap() as usize;
            browser.click_at(&found[1], &found[2]).await;
            browser.looks_at(1, node).await;
            let other = ".explanation.other";
            browser
                .read(other, "Why alpha-beta:depth=5 did not come here")
                .await;
            browser.read(other, "Cut-off: after ").await;
            browser.read(other, " were not searched.").await;
            let missing = browser.with_app(MISSING_MOVE, Value::Null).await;
            browser.read(other, missing.as_str().unwrap()).await;
            browser.is_in_order().await;
            browser.has_no_violations().await;

            // The address is enough to come back.
            browser.client.refresh().await.unwrap();
            browser.read(other, "Cut-off: after ").await;
            browser.looks_at(1, node).await;
            browser.click(".explanation.other button").await;
            browser
                .until("return location.search.includes('node=0.')")
                .await;
            browser.read(".explanation", "Cut-off: after ").await;
            browser.read(".explorer-moves", "Not searched:").await;
            browser.see(".explorer-moves tbody tr").await;
            browser.click(".top .text-button").await;
            browser.read("h1", "Обозреватель поиска").await;
            browser.read(".explanation", "Отсечение: после").await;
            browser.read(".explorer-moves", "Не просмотрены:").await;
            browser.is_in_order().await;
        }
    })
    .await;
}

/// Gives a chart the focus.
fn focus(tree: usize) -> String {
    format!("document.getElementById('chart-{tree}').parentElement.focus()")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_is_gone_through_with_keys_and_played() {
    journey("explorer-keys", async |scene| {
        let path = "/explorer?first=alpha-beta:depth=4&second=negascout:depth=4";
        let browser = scene.browser(WindowSize::Desktop, path).await;
        browser.see(".explorer-node .explanation").await;
        browser.run(&focus(0)).await;
        browser.press(Key::Down).await;
        browser.looks_at(0, 1).await;
        browser.read(".explorer-path", "c3-b4").await;
        browser.press(Key::Right).await;
        browser
            .until("return /node=0.[1-9]\\d+$/.test(location.search)")
            .await;
        browser.press(Key::Left).await;
        browser.looks_at(0, 1).await;
        browser.press(Key::Down).await;
        browser.looks_at(0, 2).await;
        browser.press(Key::Up).await;
        browser.press(Key::Up).await;
        browser.looks_at(0, 0).await;
        // The focus passes the second chart without a choice there.
        browser.press(Key::Down).await;
        browser.run(&focus(1)).await;
        browser.press(Key::Tab).await;
        browser.looks_at(0, 1).await;
        browser.run(&focus(1)).await;
        browser.press(Key::Down).await;
        browser
            .until("return location.search.includes('node=1.')")
            .await;
        browser.run(&focus(0)).await;
        plays(&browser).await;
        browser.is_in_order().await;
    })
    .await;
}

const FORWARD: &str = ".playback [aria-label='A node forward']";
const BACK: &str = ".playback [aria-label='A node back']";

async fn plays(browser: &Browser) {
    let is_at = async |time: &str| {
        let time = format!("return document.getElementById('explorer-time').value === '{time}'");
        browser.until(&time).await;
    };
    browser.click("[aria-label='To the beginning']").await;
    is_at("1").await;
    browser.see(&format!("{BACK}:disabled")).await;
    browser.click(FORWARD).await;
    browser.click(FORWARD).await;
    is_at("3").await;
    browser.looks_at(1, 2).await;
    browser.click(BACK).await;
    is_at("2").await;
    browser.looks_at(1, 1).await;
    browser.run(&focus(1)).await;
    browser.press_letter(".").await;
    is_at("3").await;
    browser.press_letter(",").await;
    is_at("2").await;
    browser.press_letter(" ").await;
    browser.read("#explorer-play", "Pause").await;
    let has_gone_on = "return Number(document.getElementById('explorer-time').value) > 10";
    browser.until(has_gone_on).await;
    browser.click("#explorer-play").await;
    browser.read("#explorer-play", "Play").await;
    let time = "return document.getElementById('explorer-time').value";
    let stopped = browser.run(time).await;
    browser.is_in_order().await;
    assert_eq!(browser.run(time).await, stopped);
    browser.choose("#explorer-speed", "20000").await;
    browser.click("#explorer-play").await;
    browser.see(&format!("{FORWARD}:disabled")).await;
    browser.read("#explorer-play", "Play").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn searches_and_positions_are_chosen() {
    journey("explorer-choice", async |scene| {
        for view in [WindowSize::Desktop, WindowSize::Phone] {
            let browser = scene.browser(view, "/explorer").await;
            browser.has_searched(&["2,821", "9,310"]).await;
            browser.choose("#depth-0", "3").await;
            browser.choose("#bot-0", "negascout").await;
            browser.choose("#order-0", "on").await;
            let title = "#chart-title-0";
            browser.read(title, "negascout:depth=3,order=on").await;
            browser
                .until("return location.search.startsWith('?first=negascout:depth=3,order=on&')")
                .await;
            browser.choose("#bot-1", "").await;
            browser.see_gone("#chart-1, #depth-1").await;
            browser.read(".legend", "Exact").await;
            browser.is_in_order().await;
            browser.run("history.back()").await;
            browser.see("#chart-1").await;
            browser.choose("#bot-1", "mcts").await;
            browser.read("#chart-title-1", "mcts").await;
            browser.see_gone("#depth-1").await;
            browser.is_in_order().await;
            browser.choose("#explorer-pair", "pruning").await;
            browser.has_searched(&["2,821", "9,310"]).await;
            browser.choose("#depth-1", "2").await;
            browser.read("#chart-title-1", "minimax:depth=2").await;
            browser.choose("#explorer-pair", "pruning").await;
            browser.has_searched(&["2,821", "9,310"]).await;
            other_positions(&browser).await;
        }
    })
    .await;
}

async fn other_positions(browser: &Browser) {
    browser.fill("#explorer-fen", ENDING).await;
    browser.press(Key::Enter).await;
    browser.see_on("c3", "white man").await;
    browser.see_on("d6", "black man").await;
    browser.read("#chart-title-0", "alpha-beta:depth=5").await;
    browser.fill("#explorer-fen", "W:Wb1&x#y:Bh8").await;
    browser.press(Key::Enter).await;
    let problem = ".explorer-status.problem";
    browser
        .read(problem, "This is not a position: check the FEN.")
        .await;
    browser.see_gone(".icicle, .explorer-node").await;
    browser.is_in_order().await;
    browser.client.refresh().await.unwrap();
    browser
        .read(problem, "This is not a position: check the FEN.")
        .await;
    let value = "return document.getElementById('explorer-fen').value === 'W:Wb1&x#y:Bh8'";
    browser.until(value).await;
    browser.click(".top .text-button").await;
    browser
        .read(problem, "Это не позиция: проверьте FEN.")
        .await;
    browser.click(".top .text-button").await;
    browser.run("history.back()").await;
    browser.see_on("c3", "white man").await;
    browser.see_gone(problem).await;
    // From a node one goes on, to the analysis too.
    browser
        .click(".explorer-moves tbody tr:first-child button")
        .await;
    browser
        .read(".explanation", "Black to move. 4 plies remain.")
        .await;
    browser.click(".explorer-board button.link-button").await;
    browser
        .until("return location.search.startsWith('?fen=B:')")
        .await;
    browser
        .read(".explanation", "Black to move. 5 plies remain.")
        .await;
    browser.click(".explorer-board a").await;
    browser.see(".study .board.live").await;
    browser.run("history.back()").await;
    browser
        .read(".explanation", "Black to move. 5 plies remain.")
        .await;
    browser.is_in_order().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn traces_are_saved_and_opened() {
    journey("explorer-files", async |scene| {
        for view in [WindowSize::Desktop, WindowSize::Phone] {
            let browser = scene.browser(view, "/explorer").await;
            browser.has_searched(&["2,821", "9,310"]).await;
            let folder = tempfile::tempdir().unwrap();
            let start = Position::start().to_string();
            let saved = |name: &str| folder.path().join(name);

            let svg = String::from_utf8(save(&browser, 0, "svg").await).unwrap();
            assert!(svg.contains("<title>alpha-beta:depth=5 W:W"), "{svg}");
            assert!(svg.matches("<rect").count() > 100 && !svg.contains("var("));
            let csv = String::from_utf8(save(&browser, 1, "csv").await).unwrap();
            assert_eq!(csv.lines().count(), 9_311);
            assert!(csv.starts_with("node,parent,level,move,purpose,low,high"));
            let bytes = save(&browser, 1, "trace").await;
            let tree = Tree::read(&bytes).unwrap();
            assert_eq!((tree.len(), tree.choice().nodes), (9_310, 9_310));
            fs::write(saved("minimax.trace"), bytes).unwrap();
            fs::write(saved("other.trace"), trace("negascout:depth=4", &start)).unwrap();
            fs::write(saved("no.trace"), "not a trace").unwrap();

            browser.open_trace(0, &saved("minimax.trace")).await;
            browser.has_searched(&["9,310", "9,310"]).await;
            browser.open_trace(0, &saved("no.trace")).await;
            browser.read(".toast", "This file is not a trace").await;
            browser.has_searched(&["9,310", "9,310"]).await;
            browser.open_trace(0, &saved("other.trace")).await;
            browser.read("#chart-title-0", "negascout:depth=4").await;
            browser.read(".legend", "Visited by both").await;
            browser.open_trace(1, &saved("minimax.trace")).await;
            browser.read("#chart-title-1", "minimax:depth=5").await;
            browser.read(".legend", "Visited by both").await;
            browser.is_in_order().await;
            // What was asked for before the file is asked for again.
            browser.choose("#explorer-pair", "pruning").await;
            browser.has_searched(&["2,821", "9,310"]).await;
            browser.run("history.back()").await;
            browser.read("#chart-title-0", "negascout:depth=4").await;

            // A trace of another position takes the place of both.
            fs::write(saved("ending.trace"), trace("mtdf:depth=4", ENDING)).unwrap();
            browser.open_trace(0, &saved("ending.trace")).await;
            browser.see_on("c3", "white man").await;
            browser.read("#chart-title-0", "mtdf:depth=4").await;
            browser.see_gone("#chart-1").await;
            browser.is_in_order().await;
        }
    })
    .await;
}

const ENDING: &str = "W:Wc3,e3:Bd6,f6";

/// What the library writes to a file.
fn trace(bot: &str, fen: &str) -> Vec<u8> {
    let spec: BotSpec = bot.parse().unwrap();
    let game = Game::from_position(fen.parse().unwrap(), DrawRules::default());
    let tree = record(&spec, &game, &Limits::default(), 100_000).unwrap();
    tree.to_bytes()
}

/// Saves a tree; returns the file in place of the browser's download.
async fn save(browser: &Browser, tree: usize, kind: &str) -> Vec<u8> {
    let listen = "window.saved = null; app.act.download = async (name, content) => \
                  { window.saved = [name, [...new Uint8Array(await new Blob([content]).arrayBuffer())]]; }";
    browser.with_app(listen, Value::Null).await;
    browser.choose(&format!("#save-{tree}"), kind).await;
    browser.until("return window.saved != null").await;
    let saved = browser.run("return window.saved").await;
    let name = saved[0].as_str().unwrap();
    assert!(name.ends_with(&format!(".{kind}")), "{name}");
    serde_json::from_value(saved[1].clone()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn searches_are_explored_without_the_server() {
    journey("explorer-without-server", async |scene| {
        for view in [WindowSize::Desktop, WindowSize::Phone] {
            let browser = scene.browser(view, "/explorer").await;
            browser.has_searched(&["2,821", "9,310"]).await;
            browser.until(IS_KEPT).await;
            scene.server.lock().unwrap().kill();
            browser.client.refresh().await.unwrap();
            browser.has_searched(&["2,821", "9,310"]).await;
            browser.choose("#bot-0", "negascout-tt").await;
            browser.read("#chart-title-0", "negascout-tt:depth=5").await;
            browser
                .click(".explorer-moves tbody tr:last-child button")
                .await;
            browser.read(".explorer-path", "g3-h4").await;
            let russian = "await app.setting('lang', 'ru')";
            browser.with_app(russian, Value::Null).await;
            browser.read("h1", "Обозреватель поиска").await;
            let svg = save(&browser, 0, "svg").await;
            assert!(!svg.is_empty());
            scene.server.lock().unwrap().start_again();
            browser.see(".link.online").await;
        }
    })
    .await;
}
