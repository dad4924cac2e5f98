//! Analysis, imports, the position editor and the help page.

use fantoccini::key::Key;

use crate::browser::page::{GameChoices, Hand, Pair, TWO, sides};
use crate::browser::scene::{BrowserScene, journey};
use crate::browser::session::{Browser, IS_KEPT, WindowSize};

/// White loses two men with the fourth move.
const MOVES: &str = "c3-b4+d6-c5+b4:d6+e7:c5+d2-c3+f8-e7+a3-b4+c5:a3+g3-h4+b6-a5+f2-g3";

impl Browser {
    /// Waits for the evaluation of the shown position.
    async fn is_evaluated(&self) {
        self.read(".engine .depth", "Depth").await;
        self.see(".engine .line").await;
    }
}

/// Whether the page has asked the server for this.
fn has_asked(path: &str) -> String {
    format!(
        "return performance.getEntriesByType('resource').some(({{ name }}) => name.includes('{path}'))"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn the_engine_in_the_browser_analyses() {
    journey("engine", async |scene| {
        let browser = scene.browser(WindowSize::Desktop, "/analysis").await;
        browser.is_evaluated().await;
        browser.click("#engine-endless").await;
        browser.see("#engine-endless[aria-pressed=true]").await;
        let depth = "Number(/\\d+/.exec(document.querySelector('.engine .depth').textContent)[0])";
        browser.until(&format!("return {depth} > 12")).await;
        // More lines are shown before their search is as deep.
        browser.choose("#engine-lines", "5").await;
        browser
            .until("return document.querySelectorAll('.engine li').length === 5")
            .await;
        browser.is_in_order().await;
        assert!(!browser.holds(&has_asked("/api/analysis")).await);

        // Tables are loaded when they are near.
        assert!(!browser.holds(&has_asked(".wdl")).await);
        browser
            .go(&scene.url("/analysis?fen=W:WKc1,Ke1,Kg1:BKb8"))
            .await;
        browser.is_evaluated().await;
        browser.until(&has_asked(".wdl")).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn positions_are_analysed_without_the_server() {
    journey("without-server", async |scene| {
        for view in [WindowSize::Desktop, WindowSize::Phone] {
            let browser = scene.browser(view, "/analysis?moves=c3-d4+d6-c5").await;
            browser.is_evaluated().await;
            browser.until(IS_KEPT).await;
            scene.server.lock().unwrap().kill();
            browser.client.refresh().await.unwrap();
            browser.see(".study .board.live").await;
            browser.read(".summary", "accuracy").await;
            browser.square("c3").await;
            browser.square("d4").await;
            browser.see(".study .move.current[data-ply='1']").await;
            browser.is_evaluated().await;
            browser.go(&scene.url("/editor")).await;
            browser.see(".palette").await;
            scene.server.lock().unwrap().start_again();
            browser.see(".link.online").await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn players_analyse_their_finished_game() {
    journey("analysis", async |scene| {
        for views in sides(0) {
            let pair = Pair::meet(scene, GameChoices::usual(views)).await;
            pair.play(&TWO).await;
            pair.white.turn(2).await;
            pair.white.resign().await;
            for browser in [&pair.white, &pair.black] {
                browser.see("dialog.over").await;
                browser.click("#over-analyse").await;
                // It opens at the shown position, with the own side below.
                browser.see(".study .move.current[data-ply='2']").await;
                browser.read(".study-title", "Black won").await;
                browser.is_evaluated().await;
                browser.see(".chance[aria-valuetext='0–1']").await;
            }
            pair.black.see(".study .board[data-below=black]").await;
            let white = &pair.white;
            white.see(".graph .white-share").await;
            white.press(Key::Home).await;
            white.until("return location.hash === '#0'").await;
            white.press(Key::Right).await;
            white.see(".move.current[data-ply='1']").await;
            white.see_on("d4", "white man").await;
            white.see(".chance[aria-valuetext$='%']").await;
            white.press(Key::End).await;
            white.see(".move.current[data-ply='2']").await;
            white.press(Key::Left).await;
            // Another move of Black by clicks, and one of White as text.
            white.see(".board.live").await;
            white.square("f6").await;
            white.square("e5").await;
            white.see(".variation .move.current").await;
            white.see(".board.live").await;
            white.type_move("d4:f6").await;
            white.read(".variation", "d4:f6").await;
            white.is_evaluated().await;
            white.until("return location.search.endsWith('line=1+f6-e5+d4:f6') && location.hash === '#3'").await;
            // A click plays the engine's line on the board.
            white.click(".engine .line button").await;
            white.see(".move.current[data-ply='4']").await;
            white.is_evaluated().await;
            pair.part(scene).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn mistakes_are_marked_and_a_link_leads_to_a_ply() {
    journey("mistakes", async |scene| {
        for [view, _] in sides(0) {
            let path = format!("/analysis?moves={MOVES}&white=Anna&black=Boris#4");
            let browser = scene.browser(view, &path).await;
            browser.read(".study-title", "Anna – Boris").await;
            browser.see(".move.current[data-ply='4']").await;
            browser.see(".move.blunder[data-ply='7'] .sign").await;
            browser.see(".spot.blunder").await;
            browser.read(".summary", "1 blunder").await;
            browser.read("[data-accuracy=white]", "% accuracy").await;
            browser.is_evaluated().await;
            browser
                .see("[role=meter][aria-valuetext^='White'][aria-valuetext$='%']")
                .await;
            browser.is_in_order().await;
            from_mistake_to_mistake(&browser).await;
            browser.press_letter("x").await;
            browser.read(".toast", "The other side threatens").await;
            browser.press_letter("l").await;
            browser.see_gone(".engine .line, .graph, .sign").await;
            browser.is_in_order().await;
            browser.click("#engine-toggle").await;
            browser.is_evaluated().await;
            browser.click(".keys-row [data-icon=share]").await;
            let shown = "return document.querySelector('#share-linkPly').value.endsWith('#7')";
            browser.until(shown).await;
            let position = "return document.querySelector('#share-fen').value.startsWith('B:W')";
            browser.until(position).await;
            browser.is_in_order().await;
        }
    })
    .await;
}

/// Goes to the blunder, plays the best move instead, and returns through the history and a reload.
async fn from_mistake_to_mistake(browser: &Browser) {
    // Where the engine had little time, the move before may be marked too.
    browser.press_letter(".").await;
    browser
        .see(".move.current:is(.blunder, .mistake, .inaccuracy)")
        .await;
    if browser.holds("return location.hash === '#6'").await {
        browser.press_letter(".").await;
    }
    browser.see(".move.current.blunder[data-ply='7']").await;
    browser.until("return location.hash === '#7'").await;
    browser.read(".correction", "Blunder").await;
    browser.see("#mistake-next:disabled").await;
    browser.is_in_order().await;
    browser.click(".correction .line button:nth-child(2)").await;
    browser.see(".variation .move.current[data-ply='8']").await;
    browser
        .until("return location.hash === '#8' && location.search.includes('line=6+')")
        .await;
    browser.run("location.reload()").await;
    browser.see(".variation .move.current[data-ply='8']").await;
    browser.run("location.hash = '#2'").await;
    browser.see(".move.current[data-ply='2']").await;
    browser.run("history.back()").await;
    browser.see(".variation .move.current[data-ply='8']").await;
    browser.click(".study .move[data-ply='7']").await;
    browser.read(".correction", "Best was").await;
    browser.is_evaluated().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tablebase_results_are_shown() {
    journey("endings", async |scene| {
        for [view, _] in sides(1) {
            let browser = scene.browser(view, "/analysis?fen=W:Wb6:Bb8").await;
            browser
                .read(".study .status", "White to move wins in 9 plies")
                .await;
            // The best move with the space bar, then back for a worse one.
            browser.is_evaluated().await;
            browser.press_letter(" ").await;
            browser.see_on("a7", "white man").await;
            browser.press(Key::Left).await;
            browser.see_on("b6", "white man").await;
            browser.see(".study .board.live").await;
            browser.square("b6").await;
            browser.square("c7").await;
            browser.see(".move.current[data-ply='1']").await;
            browser
                .read(".study .status", "Black to move wins in 1 ply")
                .await;
            browser.is_in_order().await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_is_opened_or_its_error_shown() {
    journey("import", async |scene| {
        for [view, _] in sides(0) {
            let browser = scene.browser(view, "/analysis").await;
            browser.see(".study .board.live").await;
            browser.click(".opening summary").await;
            browser
                .fill("#study-text", "1. c3-d4 d6-c5\n2. b2-b4 *")
                .await;
            browser.click("#study-open").await;
            browser.read("#study-problem", "Line 2, column 4").await;
            browser
                .read("#study-problem", "b2-b4 is not possible")
                .await;
            browser.is_in_order().await;
            let text = "[White \"Olga\"]\n\n1. c3-d4 d6-c5 2. b2-c3 f6-g5 1-0";
            browser.fill("#study-text", text).await;
            browser.click("#study-open").await;
            browser.see(".move[data-ply='4']").await;
            browser.read(".study-title", "Olga").await;
            browser.is_evaluated().await;
            browser.is_in_order().await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_chosen_from_a_text_and_keeps_its_notes() {
    journey("games of a text", async |scene| {
        for [view, _] in sides(1) {
            let browser = scene.browser(view, "/analysis").await;
            browser.see(".study .board.live").await;
            browser.click(".opening summary").await;
            let text = "[White \"Olga\"]\n\n1. cd4 {the centre} (1. c3-b4 {or this}) d6-c5 *\n\n\
                        [White \"Bad\"]\n\n1. a1-a8 *\n\n[White \"Egor\"]\n\n1. 22-17 9-14 1-0";
            browser.fill("#study-text", text).await;
            browser.click("#study-open").await;
            browser.read("#chooser-count", "3 games. 1 of them").await;
            browser.read(".chooser .problem", "2. Line 7").await;
            browser.read(".study .moves", "the centre").await;
            browser
                .read(".study .moves .variation .note", "the centre")
                .await;
            browser.is_in_order().await;
            browser.click(".chooser [data-game='2']").await;
            browser.read(".study-title", "Egor").await;
            browser.see(".chooser [data-game='2'][aria-current]").await;
            browser.see(".move[data-ply='2']").await;
            // A reload, in a variation too, keeps notes and list.
            browser.click(".chooser [data-game='0']").await;
            browser.read(".study .moves", "the centre").await;
            browser.click(".variation .move").await;
            browser
                .until("return location.search.includes('line=')")
                .await;
            browser.client.refresh().await.unwrap();
            browser.read(".study .moves", "the centre").await;
            browser.see(".variation .move.current").await;
            browser.see(".chooser [data-game='0'][aria-current]").await;
            browser.click(".chooser [data-game='2']").await;
            browser.read(".study-title", "Egor").await;
            browser
                .until("return location.search.includes('Egor')")
                .await;
            browser.client.refresh().await.unwrap();
            browser.see(".chooser [data-game='2'][aria-current]").await;
            browser.is_in_order().await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_position_is_set_up_and_played() {
    journey("editor", async |scene| {
        for [view, _] in sides(0) {
            let browser = scene.browser(view, "/editor").await;
            browser.see(".palette").await;
            browser.click("[data-brush='3']").await;
            browser.square("d4").await;
            browser.read("#editor-problem", "Black: 13 pieces").await;
            browser.see("#editor-computer:disabled").await;
            browser.is_in_order().await;
            browser.click(".top .text-button").await;
            browser.read("#editor-problem", "Чёрные: 13 шашек").await;
            browser.click(".top .text-button").await;
            browser.read("#editor-problem", "Black: 13 pieces").await;
            browser.press(Key::Escape).await;
            browser.press_letter("c").await;
            browser.click("[data-brush='0']").await;
            browser.square("a1").await;
            browser
                .read("#editor-problem", "Both sides need at least one piece")
                .await;
            browser.see("#editor-computer:disabled").await;
            browser.see("#editor-analyse:not(:disabled)").await;
            set_up(&browser).await;
            browser.is_in_order().await;
            browser.click("#editor-computer").await;
            browser.see("#new-fen").await;
            browser.click(".choices button:first-child").await;
            browser.click("#start-game").await;
            browser.turn(0).await;
            browser.see_on("a1", "white king").await;
            browser.play(0, &["a1", "b2"], Hand::Clicks).await;
            browser.is_in_order().await;
        }
        analyses_what_was_set_up(scene).await;
    })
    .await;
}

/// Two kings, far apart.
async fn set_up(browser: &Browser) {
    browser.press(Key::Escape).await;
    browser.press_letter("c").await;
    for (brush, square) in [(1, "a1"), (3, "b8")] {
        browser.click(&format!("[data-brush='{brush}']")).await;
        browser.square(square).await;
    }
    browser.see("#editor-computer:not(:disabled)").await;
    let shown = "return document.querySelector('#editor-fen').value === 'W:WKa1:BKb8'";
    browser.until(shown).await;
}

async fn analyses_what_was_set_up(scene: &BrowserScene) {
    let browser = scene.browser(WindowSize::Desktop, "/editor").await;
    browser.see(".palette").await;
    browser.fill("#editor-fen", "nonsense").await;
    browser.press(Key::Enter).await;
    browser.see("#editor-problem.refused").await;
    browser.fill("#editor-fen", "B:Wc1,Kd4:Bh8").await;
    browser.press(Key::Enter).await;
    browser.see_on("d4", "white king").await;
    browser.click("#editor-analyse").await;
    browser.read(".study .status", "to move").await;
    browser.is_evaluated().await;
    browser.is_in_order().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rules_are_explained_in_both_languages() {
    journey("help", async |scene| {
        for [view, _] in sides(1) {
            let browser = scene.browser(view, "/help").await;
            browser.read("h3", "You must capture").await;
            browser.is_in_order().await;
            browser.click(".top .text-button").await;
            browser.read("h3", "Бить обязательно").await;
            browser.is_in_order().await;
            browser.click(".examples li:nth-child(5) a").await;
            browser.see(".study .board.live").await;
            browser.square("a1").await;
            browser.see("[data-sq=h8][data-target]").await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_of_two_computers_is_watched_with_its_evaluation() {
    journey("computers", async |scene| {
        let browser = scene.browser(WindowSize::Desktop, "/").await;
        browser.click("[data-level='1']").await;
        browser.click("#watch-computers").await;
        browser.see(".game .move[data-ply='3']").await;
        browser.see(".live-chance .white-share").await;
        browser.read(".live-chance .figure", "%").await;
        browser.is_in_order().await;
        let path = browser.path().await;
        let phone = scene.browser(WindowSize::Phone, &path).await;
        phone.see(".live-chance [role=meter]").await;
        phone.is_in_order().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_is_typed_on_a_phone() {
    journey("typing", async |scene| {
        let pair = Pair::meet(
            scene,
            GameChoices::usual([WindowSize::Desktop, WindowSize::Phone]),
        )
        .await;
        pair.white.play(0, &["c3", "d4"], Hand::Clicks).await;
        pair.black.click(".keys-row .narrow").await;
        pair.black.play(1, &["f6", "g5"], Hand::Types).await;
        pair.black.is_in_order().await;
        pair.black.click(".keys-row .narrow").await;
        pair.black.see(".typed:not(.open)").await;
        pair.are_in_order().await;
    })
    .await;
}
