//! Two bots on the real server.

use checkers_bot::client::{self, Connection};
use checkers_bot::report::Report;
use checkers_lib::protocol::{ClientMessage, Meant, Player, SeatWish, ServerMessage, WireColor};
use checkers_server::{Config, DirectorToken, Server};
use tokio::process::Child;
use tokio::sync::oneshot;

use crate::process::{self, EndedBot};

/// Runs a server on a free port until the sender is dropped or used.
async fn serve() -> (String, oneshot::Sender<()>) {
    serve_with(Config::default()).await
}

async fn serve_with(config: Config) -> (String, oneshot::Sender<()>) {
    serve_on(0, config).await
}

async fn serve_on(port: u16, config: Config) -> (String, oneshot::Sender<()>) {
    let config = Config {
        bind: [127, 0, 0, 1].into(),
        port,
        in_memory: true,
        ..config
    };
    let server = Server::bind(config).await.unwrap();
    let url = format!("ws://{}", server.local_addr());
    let (stop, stopped) = oneshot::channel();
    tokio::spawn(async { server.run(async { drop(stopped.await) }).await.unwrap() });
    (url, stop)
}

/// What both sides must say alike about each game.
fn results(ended: &EndedBot) -> Vec<String> {
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
    let (one, two) = tokio::join!(EndedBot::of(one), EndedBot::of(two));
    assert_eq!((one.code(), two.code()), (0, 0), "{one:?} {two:?}");
    assert_eq!(results(&one).len(), 4);
    assert_eq!(results(&one), results(&two));
}

#[tokio::test]
async fn an_engine_of_another_program_plays_as_a_bot_of_ours_does() {
    let (url, _stop) = serve().await;
    let engine = env!("CARGO_BIN_EXE_checkers-bot");
    let engine = format!("hub:cmd='{engine}' hub --bot random,param.seed=3");
    let one = process::command()
        .args(["--server", &url, "--name", "one", "--games", "2", "--swap"])
        .args(["--json", "--bot", &engine])
        .spawn()
        .unwrap();
    let two = "--name two --color black --games 2 --swap --json --bot random:seed=2";
    let two = process::start(&url, two);
    let (one, two) = tokio::join!(EndedBot::of(one), EndedBot::of(two));
    assert_eq!((one.code(), two.code()), (0, 0), "{one:?} {two:?}");
    assert_eq!(results(&one).len(), 2);
    assert_eq!(results(&one), results(&two));
}

#[tokio::test]
async fn a_server_that_goes_down_says_so() {
    let (url, stop) = serve().await;
    let mut bot = process::start(&url, "--name one --bot random --json");
    process::first_line(&mut bot).await;
    drop(stop);
    let ended = EndedBot::of(bot).await;
    assert_eq!(ended.code(), 9);
    assert!(ended.stderr.contains("code 1001"), "{ended:?}");
}

/// The first message that `wanted` picks.
async fn wait_for<T>(client: &mut Connection, wanted: impl Fn(ServerMessage) -> Option<T>) -> T {
    loop {
        if let Some(found) = wanted(client.next().await.unwrap()) {
            return found;
        }
    }
}

#[tokio::test]
async fn a_bot_declines_what_its_opponent_offers() {
    let (url, _stop) = serve().await;
    let bot = process::start(&url, "--name one --color white --bot random:seed=1 --json");
    let mut rival = client::connect(&url.parse().unwrap()).await.unwrap();
    let (name, color) = ("rival".to_owned(), SeatWish::Black);
    rival.send(&ClientMessage::join(name)).await.unwrap();
    rival
        .send(&ClientMessage::TakeSeat { color })
        .await
        .unwrap();
    let first_move = |message| match message {
        ServerMessage::YourTurn { legal_moves, .. } => Some(legal_moves[0].text.clone()),
        _ => None,
    };
    let text = wait_for(&mut rival, first_move).await;
    let game = Some(1);
    let play = ClientMessage::Move {
        game,
        ply: 1,
        text,
        search: None,
        id: None,
    };
    rival.send(&play).await.unwrap();
    let meant = Meant { game };
    for offer in [
        ClientMessage::OfferDraw(meant),
        ClientMessage::OfferTakeback(meant),
    ] {
        rival.send(&offer).await.unwrap();
        // The bot moves at once, and an offer may lapse with that before it is declined.
        let is_answered = |message| match message {
            ServerMessage::Declined { by, .. } => Some(by == WireColor::White),
            ServerMessage::Lapsed { by, .. } => Some(by == WireColor::Black),
            _ => None,
        };
        assert!(wait_for(&mut rival, is_answered).await);
    }
    rival.send(&ClientMessage::Resign(meant)).await.unwrap();
    let ended = EndedBot::of(bot).await;
    assert_eq!(ended.code(), 0, "{ended:?}");
    let [end] = &results(&ended)[..] else {
        panic!("{ended:?}");
    };
    assert!(end.starts_with("1 WhiteWon Resignation"), "{end}");
}

#[tokio::test]
async fn a_bot_waits_for_a_server_that_starts_later() {
    let place = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = place.local_addr().unwrap().port();
    drop(place);
    let url = format!("ws://127.0.0.1:{port}");
    let mut bot = process::start(&url, "--name one --bot random --json");
    let first = process::first_line(&mut bot).await;
    assert!(first.contains("disconnected"), "{first}");
    let (url, _stop) = serve_on(port, Config::default()).await;
    let mut guest = client::connect(&url.parse().unwrap()).await.unwrap();
    guest.send(&ClientMessage::join("guest")).await.unwrap();
    let is_here = |players: Vec<Player>| players.iter().any(|player| player.name == "one");
    let came = |message| match message {
        ServerMessage::Players { players, .. } => is_here(players).then_some(()),
        _ => None,
    };
    wait_for(&mut guest, came).await;
}

#[tokio::test]
async fn two_bots_meet_at_a_table_that_one_of_them_makes() {
    let (url, _stop) = serve().await;
    let common = "--games 2 --swap --json";
    let host = format!("--name host --create --clock 1m+1s --bot random:seed=1 {common}");
    let mut host = process::start(&url, &host);
    let first = process::first_line(&mut host).await;
    let Ok(Report::Table { table }) = serde_json::from_str(&first) else {
        panic!("{first}");
    };
    assert_ne!(table, "main");
    let guest = format!("--name guest --table {table} --color black --bot random:seed=2 {common}");
    let guest = EndedBot::of(process::start(&url, &guest)).await;
    assert_eq!(guest.code(), 0, "{guest:?}");
    assert_eq!(results(&guest).len(), 2, "{guest:?}");
    assert_eq!(EndedBot::of(host).await.code(), 0);
}

#[tokio::test]
async fn a_table_that_is_not_there_is_no_place_to_play() {
    let (url, _stop) = serve().await;
    let bot = process::start(&url, "--name one --table nowhere --bot random --json");
    let ended = EndedBot::of(bot).await;
    assert_eq!(ended.code(), 7, "{ended:?}");
    assert!(ended.stderr.contains("nowhere"), "{ended:?}");
}

#[tokio::test]
async fn two_bots_play_more_quick_games_than_they_may_be_at_tables() {
    let config = Config {
        client_tables: 2,
        ..Config::default()
    };
    let (url, _stop) = serve_with(config).await;
    let start = |name| {
        let options = format!("--name {name} --quick --clock 1m --games 5 --bot random --json");
        process::start(&url, &options)
    };
    let (one, two) = tokio::join!(EndedBot::of(start("one")), EndedBot::of(start("two")));
    assert_eq!((one.code(), two.code()), (0, 0), "{one:?} {two:?}");
    assert_eq!(results(&one).len(), 5, "{one:?}");
    assert_eq!(results(&one), results(&two));
}

#[tokio::test]
async fn a_bot_that_was_stopped_or_has_ended_has_its_name_again_at_once() {
    let (url, _stop) = serve().await;
    let start = || process::start(&url, "--name one --bot random --json");
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let mut bot = start();
        let first = process::first_line(&mut bot).await;
        assert!(first.contains("started"), "{first}");
        process::signal(&bot, signal);
        assert_eq!(EndedBot::of(bot).await.code(), code);
    }
    for _ in 0..2 {
        let rival = process::start(&url, "--name two --color black --bot random --json");
        let (one, two) = tokio::join!(EndedBot::of(start()), EndedBot::of(rival));
        assert_eq!((one.code(), two.code()), (0, 0), "{one:?} {two:?}");
    }
    // Who was killed may come back, and whoever wants the name is told for how long.
    let mut bot = start();
    process::first_line(&mut bot).await;
    bot.kill().await.unwrap();
    let refused = EndedBot::of(start()).await;
    assert_eq!(refused.code(), 5, "{refused:?}");
    assert!(
        refused.stderr.contains("the name \"one\" is taken: "),
        "{refused:?}"
    );
}

const TOKEN: &str = "secret";

/// A director on a server with the bots `one` and `two`.
struct DirectedTournament {
    director: Connection,
    bots: [Child; 2],
    stop: oneshot::Sender<()>,
}

impl DirectedTournament {
    async fn begin() -> DirectedTournament {
        let config = Config {
            director_token: Some(DirectorToken::new(TOKEN)),
            ..Config::default()
        };
        let (url, stop) = serve_with(config).await;
        let options = |name| format!("--name {name} --arranged --bot random:seed=5 --json --quiet");
        let bots = ["one", "two"].map(|name| process::start(&url, &options(name)));
        let mut director = client::connect(&url.parse().unwrap()).await.unwrap();
        let name = "director".to_owned();
        director.send(&ClientMessage::join(name)).await.unwrap();
        let is_here = |players: &[Player], name| players.iter().any(|player| player.name == name);
        loop {
            if let ServerMessage::Players { players, .. } = director.next().await.unwrap()
                && is_here(&players, "one")
                && is_here(&players, "two")
            {
                break;
            }
        }
        DirectedTournament {
            director,
            bots,
            stop,
        }
    }

    /// The moves of a game.
    async fn play(&mut self, game: u64, white: &str, black: &str) -> Vec<String> {
        let arrange = ClientMessage::ArrangeGame {
            token: TOKEN.to_owned(),
            game,
            white: white.to_owned(),
            black: black.to_owned(),
            start_fen: None,
            moves: vec!["c3-d4".to_owned(), "b6-a5".to_owned()],
            white_clock: Some("1h".to_owned()),
            black_clock: None,
        };
        self.director.send(&arrange).await.unwrap();
        let mut moves = Vec::new();
        loop {
            match self.director.next().await.unwrap() {
                ServerMessage::Moved { played, .. } => {
                    assert!(played.search.is_some(), "{played:?}");
                    moves.push(played.text);
                }
                ServerMessage::GameOver { reason, .. } => {
                    assert!(reason.is_on_board(), "{reason:?}");
                    return moves;
                }
                ServerMessage::Error { message, .. } => panic!("{message}"),
                _ => {}
            }
        }
    }

    /// Stops the server and sees the bots off.
    async fn end(self) {
        drop(self.stop);
        for bot in self.bots {
            let ended = EndedBot::of(bot).await;
            assert_eq!(ended.code(), 0, "{ended:?}");
            assert_eq!(ended.stdout, "");
        }
    }
}

#[tokio::test]
async fn arranged_games_do_not_depend_on_those_before() {
    let mut long = DirectedTournament::begin().await;
    long.play(1, "one", "two").await;
    long.play(2, "two", "one").await;
    let after_others = long.play(3, "one", "two").await;
    long.end().await;

    let mut short = DirectedTournament::begin().await;
    assert_eq!(short.play(3, "one", "two").await, after_others);
    short.end().await;
}
