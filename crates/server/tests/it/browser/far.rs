//! A whole game on a slow link: moves appear at once, and clocks do not jump.
//!
//! `scripts/slow-link.sh` runs it over a slow and lossy link between browsers and server.

use serde_json::Value;

use crate::browser::page::{GameChoices, Pair};
use crate::browser::process::is_far;
use crate::browser::scene::journey;
use crate::browser::session::Browser;

/// The tolerance of a clock between two samples, in milliseconds, apart from its increment.
const LEAST_JUMP: f64 = 100.0;

/// Samples both clocks twenty times a second, as shown and as text, and the time at which a chosen
/// move is drawn.
const RECORD: &str = r"
    const { remaining } = page;
    const seen = window.seen = { clocks: { white: [], black: [] }, drawn: [], corrected: 0 };
    const seconds = (text) => text.split(':').reduce((sum, part) => 60 * sum + Number.parseInt(part, 10), 0);
    setInterval(() => {
      const now = performance.now();
      const { game, reading } = app.table ?? {};
      if (!reading || game.result != null) return;
      for (const color of ['white', 'black']) {
        const moves = game.moves.filter((played) => played.color === color).length;
        const drawn = document.querySelector(`.player.${color} .clock`).textContent;
        seen.clocks[color].push({ now, moves, ms: remaining(reading, color, now), drawn: seconds(drawn) });
        seen.corrected = Math.max(seen.corrected, Math.abs(reading.carried?.ms[color] ?? 0));
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

/// The changes of the clocks between samples: the largest step beyond a quarter more or less than
/// the elapsed time, of the display and of the seconds in the text, and how often those went back.
/// A move adds its increment.
const STEPS: &str = r"
    const increment = 1000;
    const beyond = (change, passed) => Math.max(0, change - passed / 4, -change - passed * 5 / 4);
    const steps = Object.values(window.seen.clocks).flatMap((looks) => looks.slice(1).map((look, i) => {
      const before = looks[i];
      const passed = look.now - before.now;
      const gained = increment * (look.moves - before.moves);
      const drawn = 1000 * (look.drawn - before.drawn) - gained;
      return {
        jump: beyond(look.ms - before.ms - gained, passed),
        leap: Math.max(0, beyond(drawn, passed) - 1000),
        back: drawn > 0 ? 1 : 0,
      };
    }));
    const most = (name) => Math.round(Math.max(...steps.map((step) => step[name])));
    return {
      jump: most('jump'),
      leap: most('leap'),
      back: steps.reduce((sum, { back }) => sum + back, 0),
      corrected: Math.round(window.seen.corrected),
      looks: steps.length,
    };";

/// A whole game, one move with its squares per line: White wins with the last one.
const WHOLE: &str = include_str!("far_game.txt");
/// A game from a position with few pieces.
const SHORT: &str = "e3 d4\nf6 e5\nd4 f6\nb6 a5\nf6 e7\na5 b4\ne7 f8\nb4 a3\nf8 g7\na3 b2\nc1 a3";

#[tokio::test(flavor = "multi_thread")]
async fn moves_appear_at_once_and_clocks_do_not_jump() {
    journey("far", async |scene| {
        let (fen, game) = if is_far() {
            ("", WHOLE)
        } else {
            ("W:Wc1,e3:Bb6,f6", SHORT)
        };
        let kind = GameChoices {
            fen,
            clock: "2m+1s",
            ..GameChoices::default()
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
    let steps = browser.run(STEPS).await;
    let of = |name: &str| steps[name].as_f64().unwrap();
    let way = "return document.querySelector('.link .rtt').textContent";
    let way = browser.run(way).await;
    eprintln!(
        "there and back {way}; moves drawn after {drawn} ms; a clock corrected by {} ms at most; it jumped by {} ms, \
         and its seconds by {} ms; they went back {} times in {} looks",
        of("corrected"),
        of("jump"),
        of("leap"),
        of("back"),
        of("looks")
    );
    // Every move was drawn before the server acknowledged it.
    assert_eq!(drawn.as_array().map(Vec::len), Some(moves), "{drawn}");
    assert!(of("looks") > 10.0, "{steps}");
    assert!(of("jump").max(of("leap")) < LEAST_JUMP, "{steps}");
    assert!(of("back") < 1.0, "{steps}");
}
