//! Offers, answers and resignation.

use crate::browser::page::{GameChoices, Hand, Pair, TWO, sides};
use crate::browser::scene::{BrowserScene, journey};
use crate::browser::session::WindowSize;

#[tokio::test(flavor = "multi_thread")]
async fn players_offer_answer_and_resign() {
    journey("offers", async |scene| {
        for views in sides(0) {
            a_draw_is_declined_and_agreed(scene, views).await;
            a_move_is_taken_back(scene, views).await;
            resigning_asks_first_and_a_rematch_swaps_colours(scene, views).await;
            a_game_is_called_off(scene, views).await;
            a_phrase_is_said_and_muted(scene, views).await;
        }
    })
    .await;
}

async fn a_draw_is_declined_and_agreed(scene: &BrowserScene, views: [WindowSize; 2]) {
    let pair = Pair::meet(scene, GameChoices::usual(views)).await;
    let (white, black) = (&pair.white, &pair.black);
    pair.play(&TWO).await;
    white.click(".actions button:nth-child(1)").await;
    white.read(".notice", "You have offered a draw").await;
    black.read(".notice.question", "offers a draw").await;
    pair.are_in_order().await;
    black.click(".notice .answers button:nth-child(2)").await;
    white.read(".notice", "your offer was declined").await;
    black.click(".actions button:nth-child(1)").await;
    white.click(".notice .answers .primary").await;
    white.read("dialog.over", "Draw").await;
    black.read("dialog.over", "agreed").await;
    pair.part(scene).await;
}

async fn a_move_is_taken_back(scene: &BrowserScene, views: [WindowSize; 2]) {
    let pair = Pair::meet(scene, GameChoices::usual(views)).await;
    let (white, black) = (&pair.white, &pair.black);
    pair.play(&TWO).await;
    white.turn(2).await;
    white.click(".actions button:nth-child(2)").await;
    black
        .read(".notice.question", "asks to take a move back")
        .await;
    black.click(".notice .answers .primary").await;
    white.see_gone(".move").await;
    white.see_on("c3", "white man").await;
    white.play(0, &["e3", "f4"], Hand::Clicks).await;
    black.see_on("f4", "white man").await;
    pair.part(scene).await;
}

async fn resigning_asks_first_and_a_rematch_swaps_colours(
    scene: &BrowserScene,
    views: [WindowSize; 2],
) {
    let pair = Pair::meet(scene, GameChoices::usual(views)).await;
    let (white, black) = (&pair.white, &pair.black);
    pair.play(&TWO).await;
    black.click(".actions button:nth-child(3)").await;
    black.read("dialog.resign", "Give the game up?").await;
    black.is_in_order().await;
    black.click("dialog.resign button:first-child").await;
    black.see_gone("dialog").await;
    black.resign().await;
    white.read("dialog.over", "You won").await;
    black.read("dialog.over", "you resigned").await;
    white.click("#rematch").await;
    black.read("dialog.over", "wants a rematch").await;
    pair.are_in_order().await;
    black.click("#rematch").await;
    white.see_gone("dialog").await;
    white.see(".board[data-below=black]").await;
    black.see(".board[data-below=white].live").await;
    black.play(0, &["c3", "d4"], Hand::Clicks).await;
    white.see_on("d4", "white man").await;
    pair.part(scene).await;
}

async fn a_game_is_called_off(scene: &BrowserScene, views: [WindowSize; 2]) {
    let pair = Pair::meet(scene, GameChoices::usual(views)).await;
    pair.white.turn(0).await;
    pair.white.click(".actions button:nth-child(3)").await;
    pair.black.read("dialog.over", "called off").await;
    pair.part(scene).await;
}

async fn a_phrase_is_said_and_muted(scene: &BrowserScene, views: [WindowSize; 2]) {
    let pair = Pair::meet(scene, GameChoices::usual(views)).await;
    let (white, black) = (&pair.white, &pair.black);
    black.click(".top .text-button").await;
    black.see("html[lang=ru]").await;
    white.click(".talk").await;
    white.is_in_order().await;
    white.click("[data-phrase=good_luck]").await;
    white.read(".bubble", "Good luck!").await;
    black.read(".player.white .bubble", "Удачи!").await;
    black.read("#say", "Удачи!").await;
    black.is_in_order().await;
    black.click(".talk").await;
    black.click("label[for=set-phrases]").await;
    black.see_gone(".bubble").await;
    black.click("[data-phrase=thanks]").await;
    white.read(".player.black .bubble", "Thank you!").await;
    pair.part(scene).await;
}
