//! Playing: every input method, and moves that are hard to enter.

use fantoccini::key::Key;
use serde_json::Value;

use crate::browser::page::{GameChoices, Hand, Pair, sides};
use crate::browser::scene::{BrowserScene, journey};
use crate::browser::session::{IS_KEPT, WindowSize};
use crate::is_exhaustive;

/// A game of eleven moves.
const SHORT: &str = "W:Wc1,e3:Bb6,f6";

#[tokio::test(flavor = "multi_thread")]
async fn two_friends_play_to_a_win_by_clicks_drags_and_typed_moves() {
    journey("friends", async |scene| {
        for views in sides(1) {
            let pair = Pair::meet(scene, GameChoices::at(SHORT, views)).await;
            let (white, black) = (&pair.white, &pair.black);
            white.play(0, &["e3", "d4"], Hand::Types).await;
            black.play(1, &["f6", "e5"], Hand::Clicks).await;
            white.read(".status", "You must capture").await;
            white.play(2, &["d4", "f6"], Hand::Drags).await;
            black.play(3, &["b6", "a5"], Hand::Clicks).await;
            white.play(4, &["f6", "e7"], Hand::Clicks).await;
            black.play(5, &["a5", "b4"], Hand::Clicks).await;
            white.play(6, &["e7", "f8"], Hand::Drags).await;
            white.see_on("f8", "white king").await;
            black.play(7, &["b4", "a3"], Hand::Clicks).await;
            white.play(8, &["f8", "g7"], Hand::Types).await;
            black.play(9, &["a3", "b2"], Hand::Clicks).await;
            white.play(10, &["c1", "a3"], Hand::Types).await;
            white.read("dialog.over", "You won").await;
            black.read("dialog.over", "You lost").await;
            pair.are_in_order().await;
            black.click("dialog.over .quiet").await;
            black
                .read(".status", "White won: you lost all pieces")
                .await;
            // The evaluation is shown once the game is over.
            black.see(".live-chance .white-share").await;
            pair.part(scene).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn captures_that_are_hard_to_choose_are_made() {
    journey("captures", async |scene| {
        for views in sides(0) {
            an_ambiguous_end_waits_for_the_way(scene, views).await;
            let hands = [Hand::Drags, Hand::Clicks, Hand::Types];
            let count = if is_exhaustive() { hands.len() } else { 1 };
            for &hand in &hands[..count] {
                a_circle_ends_where_it_began(scene, views, hand).await;
            }
            a_man_is_crowned_on_its_way(scene, views).await;
        }
    })
    .await;
}

/// Black has a choice.
async fn an_ambiguous_end_waits_for_the_way(scene: &BrowserScene, [black, white]: [WindowSize; 2]) {
    let fen = "B:Wa1,b2,d2,f2,b4,g5:BKg1,a7,c7,d8,h8";
    let pair = Pair::meet(scene, GameChoices::at(fen, [white, black])).await;
    let black = &pair.black;
    black.turn(0).await;
    black.square("g1").await;
    black.square("h6").await;
    black.see("[data-sq=g1][aria-selected=true]").await;
    black.see("[data-sq=e3][data-target]").await;
    black.square("e3").await;
    black.read(".status", "Choose the way").await;
    black.square("h6").await;
    black.see(".move[data-ply='1']").await;
    pair.white.see_on("h6", "black king").await;
    pair.part(scene).await;
}

async fn a_circle_ends_where_it_began(scene: &BrowserScene, views: [WindowSize; 2], hand: Hand) {
    let fen = "W:Wc3:Bd2,d4,f2,f4,h8";
    let pair = Pair::meet(scene, GameChoices::at(fen, views)).await;
    let white = &pair.white;
    white.turn(0).await;
    let there = ["c3", "e5", "g3", "e1", "c3"];
    let back = ["c3", "e1", "g3", "e5", "c3"];
    let squares = if hand == Hand::Drags { back } else { there };
    white.play(0, &squares, hand).await;
    white.see_on("c3", "white man").await;
    white.see_on("d4", "empty").await;
    pair.black.see_on("f2", "empty").await;
    pair.part(scene).await;
}

async fn a_man_is_crowned_on_its_way(scene: &BrowserScene, views: [WindowSize; 2]) {
    let fen = "W:Wd4,c1:Bc5,e5,c7,e7,a7";
    let pair = Pair::meet(scene, GameChoices::at(fen, views)).await;
    let white = &pair.white;
    white.turn(0).await;
    for square in ["d4", "b6", "d8"] {
        white.square(square).await;
    }
    white.see("[data-sq=d8][aria-label^='d8 white king']").await;
    white.see("[data-sq=b6][aria-label*='step 1']").await;
    white.see(".piece.ghost[data-at=c5]").await;
    white.square("f6").await;
    white.see("[data-sq=b2][data-target]").await;
    white.square("b2").await;
    white.see(".move[data-ply='1']").await;
    pair.black.see_on("b2", "white king").await;
    pair.part(scene).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn illegal_moves_are_refused_with_a_reason() {
    journey("refused", async |scene| {
        for views in sides(1) {
            let pair = Pair::meet(scene, GameChoices::usual(views)).await;
            let white = &pair.white;
            white.turn(0).await;
            white.square("c1").await;
            white.read(".status", "That move is not possible").await;
            white.see(".board.refused-odd").await;
            white.type_move("c3-e5").await;
            white.read(".problem", "not possible").await;
            white.type_move("nonsense").await;
            white.read(".problem", "Write a move like").await;
            // The server refuses it too, and the page restores the server's state.
            let sent = r#"const t = app.table; const m = t.legal.moves[0];
            const wrong = { ...m, to: 'e5', routes: [{ squares: ['c3', 'e5'], captures: [] }] };
            app.store.update((s) => ({ ...s, board: { ...s.board, pending: { id: 'x', table: t.id,
              game: t.game.game, ply: 0, choice: { move: wrong, route: wrong.routes[0] },
              text: 'c3-e5', sentAt: performance.now() } } }));
            app.sendPending();"#;
            white.with_app(sent, Value::Null).await;
            white.read(".status", "That move is not possible").await;
            white.see_on("c3", "white man").await;
            white.play(0, &["c3", "d4"], Hand::Clicks).await;
            pair.black.see_on("d4", "white man").await;
            pair.part(scene).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_premove_is_played_in_turn() {
    journey("premove", async |scene| {
        for views in sides(0) {
            let pair = Pair::meet(scene, GameChoices::usual(views)).await;
            let (white, black) = (&pair.white, &pair.black);
            black.see(".board.own").await;
            black.square("f6").await;
            black.see("[data-sq=f6][aria-selected=true]").await;
            black.see("[data-sq=e5][data-target]").await;
            // An unreachable square is not a move.
            black.square("a1").await;
            black.see("[data-sq=f6][aria-selected=false]").await;
            black.square("f6").await;
            black.square("g5").await;
            black.read(".status", "Your move is set: f6-g5").await;
            black.is_in_order().await;
            white.play(0, &["c3", "d4"], Hand::Clicks).await;
            white.see(".move[data-ply='2']").await;
            white.see_on("g5", "black man").await;
            pair.part(scene).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flag_falls() {
    journey("flag", async |scene| {
        for views in sides(1) {
            let kind = GameChoices {
                clock: "10s",
                views,
                ..GameChoices::default()
            };
            let pair = Pair::meet(scene, kind).await;
            pair.white.see(".clock.low").await;
            pair.white.read("dialog.over", "You lost").await;
            pair.white.read("dialog.over", "ran out of time").await;
            pair.black.read("dialog.over", "You won").await;
            pair.white.read(".player.white .clock", "0:00.0").await;
            pair.part(scene).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_with_the_computer_is_played_without_the_server() {
    journey("computer-without-server", async |scene| {
        for [view, _] in sides(1) {
            let browser = scene.browser(view, "/").await;
            browser.until(IS_KEPT).await;
            scene.server.lock().unwrap().kill();
            browser.client.refresh().await.unwrap();
            browser.click("[data-level='1']").await;
            browser.click(".choices button:first-child").await;
            browser.click("#start-game").await;
            browser.read(".player.black", "computer, level 1").await;
            browser.play(0, &["c3", "d4"], Hand::Clicks).await;
            browser.turn(2).await;

            // A reload keeps the game.
            browser.client.refresh().await.unwrap();
            browser.turn(2).await;
            // The computer has played any move, perhaps one that forces a capture.
            let legal = "return app.table.legal.moves[0].move";
            let legal = browser.with_app(legal, Value::Null).await;
            browser.type_move(legal.as_str().unwrap()).await;
            browser.turn(4).await;
            // Nobody else has the game: a link tells its moves.
            browser.click("[data-icon=share]").await;
            browser.see("#share-link").await;
            let link = "document.querySelector('#share-link').value";
            browser
                .until(&format!(
                    "return /.analysis.fen=W:.*&moves=c3-d4.*#4$/.test({link})"
                ))
                .await;
            browser.press(Key::Escape).await;
            browser.see_gone("dialog").await;
            browser.click(".actions button:nth-child(2)").await;
            browser.turn(2).await;
            browser.resign().await;
            browser.read("dialog.over", "You lost").await;
            browser.click("#rematch").await;
            // The sides have changed.
            browser.see(".board[data-below=black]").await;
            browser.turn(1).await;
            scene.server.lock().unwrap().start_again();
            browser.see(".link.online").await;
            browser.turn(1).await;
            scene.leave(browser).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_visit_ends_a_game_with_the_computer() {
    journey("computer", async |scene| {
        for [view, _] in sides(0) {
            let browser = scene.browser(view, "/").await;
            browser.is_in_order().await;
            browser.click("[data-level='1']").await;
            browser.click(".choices button:first-child").await;
            browser.choose("#new-from", "fen").await;
            browser.fill("#new-fen", "W:WKa1,Kc1,e1,g1,d2:Bh6,h8").await;
            browser.click("#start-game").await;
            browser.read(".player.black", "computer, level 1").await;
            let any = "const m = app.table?.legal?.moves; if (app.table?.game?.result) return ''; \
                   if (!m || app.store.state.board.pending) return null; \
                   return m[m.length - 1].routes[0].squares.join(' ');";
            loop {
                let squares = browser.with_app(any, Value::Null).await;
                let Some(squares) = squares.as_str() else {
                    continue;
                };
                if squares.is_empty() {
                    break;
                }
                for square in squares.split(' ') {
                    // The rest of an unambiguous capture is played at once.
                    let is_live = "return document.querySelector('.board.live') != null";
                    if browser.holds(is_live).await {
                        browser.square(square).await;
                    }
                }
            }
            browser.see("dialog.over").await;
            browser.is_in_order().await;
            browser.click("#rematch").await;
            browser.see(".board[data-below=black]").await;
            browser.read(".player.white", "computer, level 1").await;
            browser.is_in_order().await;
        }
    })
    .await;
}
