//! A class of thirty behind one address.

use std::net::SocketAddr;

use checkers_server::Config;
use futures::future::join_all;
use serde_json::json;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

use super::ratings::owner;
use super::tournaments::{arena, play};
use super::{call, command, enter, sign_in};
use crate::network::support::{TestClient, TestServer, within};

const STUDENTS: usize = 30;

/// The connections that a browser opens to one server.
const CONNECTIONS: usize = 6;

/// Gets the page, and keeps the connection. Returns the status.
async fn open(at: SocketAddr) -> (String, BufReader<TcpStream>) {
    let mut stream = BufReader::new(TcpStream::connect(at).await.unwrap());
    let request = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    stream.write_all(request).await.unwrap();
    let mut line = String::new();
    within(stream.read_line(&mut line)).await.unwrap();
    (line, stream)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_class_behind_one_address_plays_a_tournament() {
    let directory = TempDir::new().unwrap();
    let server = TestServer::start_with(Config {
        data: directory.path().to_owned(),
        unlimited_addresses: "".parse().unwrap(),
        ..Config::default()
    })
    .await;
    let names: Vec<String> = (1..=STUDENTS).map(|n| format!("Student {n}")).collect();
    let mut arguments = vec!["create"];
    arguments.extend(names.iter().map(String::as_str));
    let printed = command(&directory, &arguments);
    let codes: Vec<&str> = printed
        .lines()
        .filter_map(|line| Some(line.split_once("  ")?.0))
        .collect();
    assert_eq!(codes.len(), STUDENTS);
    let (_teacher, token) = owner(&server, "Teacher").await;
    let wanted = arena("Friday");
    let (status, made) = call(server.address, "POST", "/tournaments", &token, &wanted).await;
    assert_eq!(status, 200, "{made}");
    let id = made["id"].as_str().unwrap();

    // All browsers open the page at the same time.
    let pages = (0..STUDENTS * CONNECTIONS).map(|_| open(server.address));
    for (status, _) in join_all(pages).await {
        assert_eq!(status, "HTTP/1.1 200 OK\r\n");
    }
    let enters = async |code: &str, name: &String| -> TestClient {
        let (status, signed_in) = sign_in(&server, json!({"code": code})).await;
        assert_eq!(status, 200, "{signed_in}");
        let (student, joined) = enter(&server, "", signed_in["token"].as_str()).await;
        assert_eq!((&joined.name, joined.account), (name, true));
        student
    };
    let students = codes.iter().zip(&names);
    let mut students = join_all(students.map(|(code, name)| enters(code, name))).await;
    join_all(students.iter_mut().map(|student| play(student, id))).await;
    server.stop().await;
}
