//! Bots that play over HTTP at nodes of a cluster.

use std::net::SocketAddr;
use std::process::Command;

use test_support::PostgresServer;

use super::cluster::key_file;
use super::process::ServerProcess;
use crate::network::http_bot::{Bot, challenge, white};

/// The token of a new bot of the operator.
fn create(database: &str, name: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_checkers-server"));
    command.args(["--store", database, "account", "create-bot", name]);
    let made = command.output().unwrap();
    let made = String::from_utf8(made.stdout).unwrap();
    made.split(' ').next().unwrap().to_owned()
}

fn at(server: SocketAddr, token: &str) -> Bot {
    Bot {
        server,
        token: token.to_owned(),
    }
}

/// Two bots play at two nodes. The calls of one go to the other node, and then a node is killed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bots_at_two_nodes_play_on_after_a_kill() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let database = server.database();
    let (_directory, key) = key_file();
    let mut nodes = ["node-1", "node-2"].map(|name| ServerProcess::node(name, &database, &key));
    nodes.iter_mut().for_each(ServerProcess::start);
    let [first, second] = [0, 1].map(|node: usize| nodes[node].address());
    let (hawk, owl) = (create(&database, "hawk"), create(&database, "owl"));

    let owl = at(second, &owl);
    let id = challenge(&at(first, &hawk), &owl, white()).await;
    let play = async |bot: &Bot, text: &str| {
        bot.act(&format!("/bot/game/{id}/move/{text}")).await;
    };
    let mut of_owl = owl.game(&id).await;
    let mut of_hawk = at(first, &hawk).game(&id).await;
    play(&at(first, &hawk), "c3d4").await;
    of_owl.wait_for_move(1).await;
    play(&owl, "f6g5").await;
    of_hawk.wait_for_move(2).await;
    // The second node takes the bot over.
    play(&at(second, &hawk), "b2c3").await;
    while of_hawk.next().await.is_some() {}
    of_owl.wait_for_move(3).await;

    let mut of_hawk = at(second, &hawk).game(&id).await;
    nodes[0].kill();
    play(&owl, "g7f6").await;
    let state = of_hawk.wait_for_move(4).await;
    assert_eq!(state["moves"], "c3d4 f6g5 b2c3 g7f6");
    at(second, &hawk)
        .act(&format!("/bot/game/{id}/resign"))
        .await;
    while of_owl.next().await.is_some() {}
    nodes[1].stop();
}
