//! Two bots on the real server.

use checkers_bot::report::Report;
use checkers_server::{Config, Server};
use tokio::sync::oneshot;

use crate::process::{self, Ended};

/// Runs a server on a free port until the sender is dropped or used.
async fn serve() -> (String, oneshot::Sender<()>) {
    let config = Config {
        bind: [127, 0, 0, 1].into(),
        port: 0,
        ..Config::default()
    };
    let server = Server::bind(config).await.unwrap();
    let url = format!("ws://{}", server.local_addr());
    let (stop, stopped) = oneshot::channel();
    tokio::spawn(server.run(async { drop(stopped.await) }));
    (url, stop)
}

/// What both sides must say alike about each game.
fn results(ended: &Ended) -> Vec<String> {
    let text = |report: &Report| match report {
        Report::Game {
            game,
            result,
            reason,
            plies,
            ..
        } => Some(format!("{game} {result:?} {reason:?} {plies}")),
        _ => None,
    };
    ended.reports().iter().filter_map(text).collect()
}

#[tokio::test]
async fn two_bots_play_a_match() {
    let (url, _stop) = serve().await;
    let common = "--games 4 --swap --json";
    let one = format!("--name one --color white --bot alpha-beta:depth=3,seed=1 {common}");
    let two = format!("--name two --color black --bot random:seed=2 {common}");
    let (one, two) = (process::start(&url, &one), process::start(&url, &two));
    let (one, two) = tokio::join!(Ended::of(one), Ended::of(two));
    assert_eq!((one.code(), two.code()), (0, 0), "{one:?} {two:?}");
    assert_eq!(results(&one).len(), 4);
    assert_eq!(results(&one), results(&two));
}

#[tokio::test]
async fn a_server_that_goes_down_says_so() {
    let (url, stop) = serve().await;
    let mut bot = process::start(&url, "--name one --bot random --json");
    process::first_line(&mut bot).await;
    drop(stop);
    let ended = Ended::of(bot).await;
    assert_eq!(ended.code(), 9);
    assert!(ended.stderr.contains("code 1001"), "{ended:?}");
}
