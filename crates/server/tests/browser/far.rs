//! A whole game, and whether it feels right: a move is there at once, and no clock jumps.
//!
//! `scripts/slow-link.sh` plays it with a slow and lossy link between the players and the server.

use serde_json::Value;

use crate::browser::Browser;
use crate::page::{Kind, Pair};
use crate::process::is_far;
use crate::scene::journey;

/// How much more a clock may lose from one look to the next than the time between them, or gain but
/// for its increment, in milliseconds: less than anybody sees on a clock of seconds.
const LEAST_JUMP: u64 = 700;

/// Looks at both clocks twenty times a second, and at when a chosen move is drawn.
const RECORD: &str = r"
    const { remaining } = await import('/assets/js/game/clock.js');
    const seen = window.seen = { clocks: { white: [], black: [] }, drawn: [] };
    setInterval(() => {
      const now = performance.now();
      for (const color of ['white', 'black']) {
        const ms = app.table?.reading && remaining(app.table.reading, color, now);
        if (ms != null && app.table.game.result == null) seen.clocks[color].push([now, ms]);
      }
    }, 50);
    let chosen = null;
    addEventListener('pointerup', () => { chosen = performance.now(); }, true);
    new MutationObserver(() => {
      if (chosen != null && document.querySelector('.piece.sent')) {
        seen.drawn.push(Math.round(performance.now() - chosen));
        chosen = null;
      }
    }).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['class'] });";

/// The greatest jump of a clock, in milliseconds.
const JUMP: &str = r"
    const increment = 1000;
    const jumps = Object.values(window.seen.clocks).flatMap((looks) => looks.slice(1).map(([at, ms], i) => {
      const [before, was] = looks[i];
      const change = ms - was;
      return change <= 0 ? Math.max(0, was - ms - (at - before)) : Math.min(change, Math.abs(change - increment));
    }));
    return Math.round(Math.max(0, ...jumps));";

/// A whole game, a move a line with its squares: White wins with the last one.
const WHOLE: &str = include_str!("far_game.txt");
/// The same from a position of few pieces.
const SHORT: &str = "e3 d4\nf6 e5\nd4 f6\nb6 a5\nf6 e7\na5 b4\ne7 f8\nb4 a3\nf8 g7\na3 b2\nc1 a3";

#[tokio::test(flavor = "multi_thread")]
async fn moves_appear_at_once_and_clocks_do_not_jump() {
    journey("far", async |scene| {
        let (fen, game) = if is_far() {
            ("", WHOLE)
        } else {
            ("W:Wc1,e3:Bb6,f6", SHORT)
        };
        let kind = Kind {
            fen,
            clock: "2m+1s",
            ..Kind::default()
        };
        let pair = Pair::meet(scene, kind).await;
        let (white, black) = (&pair.white, &pair.black);
        for browser in [white, black] {
            browser.with_app(RECORD, Value::Null).await;
        }
        let moves: Vec<Vec<&str>> = game.lines().map(|line| line.split(' ').collect()).collect();
        let moves: Vec<&[&str]> = moves.iter().map(Vec::as_slice).collect();
        pair.play(&moves).await;
        white.read("dialog.over", "You won").await;
        black.read("dialog.over", "You lost").await;
        let black_moves = moves.len() / 2;
        for (browser, moves) in [(white, moves.len() - black_moves), (black, black_moves)] {
            check(browser, moves).await;
        }
        pair.are_in_order().await;
    })
    .await;
}

async fn check(browser: &Browser, moves: usize) {
    let drawn = browser.run("return window.seen.drawn").await;
    let jump = browser.run(JUMP).await;
    let looks = browser.run("return window.seen.clocks.white.length").await;
    let way = "return document.querySelector('.link .rtt').textContent";
    let way = browser.run(way).await;
    eprintln!(
        "there and back {way}; moves drawn after {drawn} ms; greatest jump of a clock {jump} ms in {looks} looks"
    );
    // Every move stood on its square before the server had said so.
    assert_eq!(drawn.as_array().map(Vec::len), Some(moves), "{drawn}");
    assert!(looks.as_u64().is_some_and(|looks| looks > 5), "{looks}");
    assert_ne!(jump, Value::Null);
    assert!(
        jump.as_u64().is_some_and(|jump| jump < LEAST_JUMP),
        "a clock jumped by {jump} ms"
    );
}
