//! Actions of people on the page.

use serde_json::{Value, json};

use crate::browser::scene::BrowserScene;
use crate::browser::session::{Browser, WindowSize};
use crate::is_exhaustive;

/// How a move is entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Hand {
    Clicks,
    Drags,
    Types,
}

/// A move of each side.
pub(crate) const TWO: [&[&str]; 2] = [&["c3", "d4"], &["f6", "g5"]];

impl Browser {
    pub(crate) async fn square(&self, square: &str) {
        self.click(&format!("[data-sq={square}]")).await;
    }

    /// Waits until the board shows `what` on a square.
    pub(crate) async fn see_on(&self, square: &str, what: &str) {
        let selector = format!("[data-sq={square}][aria-label='{square} {what}']");
        self.see(&selector).await;
    }

    /// Enters a move by its squares, once the player is to move at `ply`.
    pub(crate) async fn play(&self, ply: usize, squares: &[&str], by: Hand) {
        self.turn(ply).await;
        match by {
            Hand::Clicks => {
                for square in squares {
                    self.square(square).await;
                }
            }
            Hand::Drags => {
                for step in squares.windows(2) {
                    let at = |square: &str| format!("[data-sq={square}]");
                    self.drag(&at(step[0]), &at(step[1])).await;
                }
            }
            Hand::Types => self.type_move(&squares.join(":")).await,
        }
        self.see(&format!(".move[data-ply='{}']", ply + 1)).await;
    }

    /// Resigns.
    pub(crate) async fn resign(&self) {
        self.click(".actions button:nth-child(3)").await;
        self.click("#resign-yes").await;
    }

    pub(crate) async fn type_move(&self, text: &str) {
        let is_hidden = "return document.querySelector('#typed-move').offsetParent == null";
        if self.holds(is_hidden).await {
            self.click(".keys-row .narrow").await;
        }
        self.fill("#typed-move", text).await;
        self.press(fantoccini::key::Key::Enter).await;
    }

    /// Waits until a move can be entered at this ply and all earlier ones are drawn.
    pub(crate) async fn turn(&self, ply: usize) {
        self.see(".board.live").await;
        if ply > 0 {
            self.see(&format!(".move.current[data-ply='{ply}']")).await;
        }
        self.see_gone(".piece.ghost").await;
    }

    /// Sends a message that the page has no control for.
    pub(crate) async fn say(&self, message: Value) {
        self.with_app("app.send(argument)", message).await;
    }

    pub(crate) async fn name(&self) -> String {
        let name = self.with_app("return app.store.state.me.name", Value::Null);
        name.await.as_str().unwrap().to_owned()
    }

    /// The path of the address.
    pub(crate) async fn path(&self) -> String {
        let path = self.run("return location.pathname").await;
        path.as_str().unwrap().to_owned()
    }
}

/// Two players at one table: White, who created it, and Black, who opened its link.
pub(crate) struct Pair {
    pub(crate) white: Browser,
    pub(crate) black: Browser,
    pub(crate) path: String,
}

/// The settings of a game.
#[derive(Clone, Copy, Default)]
pub(crate) struct GameChoices<'a> {
    /// The initial position; empty for the usual one.
    pub(crate) fen: &'a str,
    /// The time control; empty for none.
    pub(crate) clock: &'a str,
    /// The sizes of White's and Black's windows.
    pub(crate) views: [WindowSize; 2],
}

/// White on a desktop and Black on a phone, or the other way round. Exhaustive tests play with both;
/// otherwise tests take turns.
pub(crate) fn sides(turn: usize) -> impl Iterator<Item = [WindowSize; 2]> {
    let both = [
        [WindowSize::Desktop, WindowSize::Phone],
        [WindowSize::Phone, WindowSize::Desktop],
    ];
    let wanted = both.into_iter().enumerate();
    wanted
        .filter(move |(at, _)| *at == turn || is_exhaustive())
        .map(|(_, views)| views)
}

impl GameChoices<'_> {
    /// A game from a position.
    pub(crate) fn at(fen: &str, views: [WindowSize; 2]) -> GameChoices<'_> {
        GameChoices {
            fen,
            views,
            ..GameChoices::default()
        }
    }

    /// The usual game.
    pub(crate) fn usual(views: [WindowSize; 2]) -> GameChoices<'static> {
        GameChoices::at("", views)
    }
}

impl Pair {
    /// Creates a game on the page and opens its link in the other browser.
    pub(crate) async fn meet(scene: &BrowserScene, kind: GameChoices<'_>) -> Pair {
        let [white, black] = kind.views;
        let white = scene.browser(white, "/").await;
        if kind.clock.is_empty() {
            white.click("[data-against=friend]").await;
            white.click(".choices button:first-child").await;
            if !kind.fen.is_empty() {
                white.choose("#new-from", "fen").await;
                white.fill("#new-fen", kind.fen).await;
            }
            white.click("#start-game").await;
        } else {
            let mut table = json!({"type": "create_table", "visibility": "link", "color": "white",
                "clock": kind.clock});
            if !kind.fen.is_empty() {
                table["start_fen"] = kind.fen.into();
            }
            white.say(table).await;
        }
        white.see("#invite-link").await;
        let path = white.path().await;
        let black = scene.browser(black, &path).await;
        black.click("[data-sit=black]").await;
        white.see(".game .board").await;
        black.see(".game .board").await;
        Pair { white, black, path }
    }

    /// Plays moves alternately, by clicks.
    pub(crate) async fn play(&self, moves: &[&[&str]]) {
        for (ply, squares) in moves.iter().enumerate() {
            let mover = if ply % 2 == 0 {
                &self.white
            } else {
                &self.black
            };
            mover.play(ply, squares, Hand::Clicks).await;
        }
    }

    /// Checks both pages.
    pub(crate) async fn are_in_order(&self) {
        self.white.is_in_order().await;
        self.black.is_in_order().await;
    }

    /// Ends a test of two players.
    pub(crate) async fn part(self, scene: &BrowserScene) {
        self.are_in_order().await;
        scene.leave(self.white).await;
        scene.leave(self.black).await;
    }
}
