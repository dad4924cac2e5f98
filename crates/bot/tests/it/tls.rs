//! A server with TLS.

use std::path::Path;

use checkers_server::{Config, Server};
use tokio::sync::oneshot;

use crate::process::{self, EndedBot};

/// Writes a fresh certificate for `localhost` and its key.
fn write_certificate(directory: &Path) {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    std::fs::write(directory.join("cert.pem"), made.cert.pem()).unwrap();
    std::fs::write(directory.join("key.pem"), made.signing_key.serialize_pem()).unwrap();
}

/// Runs a server with TLS until the sender is dropped, and returns its port.
async fn serve(directory: &Path) -> (u16, oneshot::Sender<()>) {
    write_certificate(directory);
    let config = Config {
        bind: [127, 0, 0, 1].into(),
        port: 0,
        in_memory: true,
        tls_cert: Some(directory.join("cert.pem")),
        tls_key: Some(directory.join("key.pem")),
        ..Config::default()
    };
    let server = Server::bind(config).await.unwrap();
    let port = server.local_addr().port();
    let (stop, stopped) = oneshot::channel();
    tokio::spawn(async { server.run(async { drop(stopped.await) }).await.unwrap() });
    (port, stop)
}

#[tokio::test]
async fn bots_play_over_tls() {
    let directory = tempfile::tempdir().unwrap();
    let (port, _stop) = serve(directory.path()).await;
    let url = format!("wss://localhost:{port}");
    let ca_file = directory.path().join("cert.pem");
    let start = |options: &str| {
        let options = format!("{options} --ca-file {}", ca_file.display());
        process::start(&url, &options)
    };
    let one = start("--name one --bot random:seed=1");
    let two = start("--name two --color black --bot random:seed=2");
    let (one, two) = tokio::join!(EndedBot::of(one), EndedBot::of(two));
    assert_eq!((one.code(), two.code()), (0, 0), "{one:?} {two:?}");
}

#[tokio::test]
async fn what_tls_does_not_accept_is_explained() {
    let directory = tempfile::tempdir().unwrap();
    let (port, _stop) = serve(directory.path()).await;
    let other = tempfile::tempdir().unwrap();
    write_certificate(other.path());
    let (own, other) = (
        directory.path().join("cert.pem"),
        other.path().join("cert.pem"),
    );
    let (own, other) = (own.display(), other.display());
    for (server, ca_file, code, text) in [
        (
            format!("wss://localhost:{port}"),
            other.to_string(),
            3,
            "the server's certificate is not trusted: name its issuer with --ca-file".to_owned(),
        ),
        (
            format!("wss://127.0.0.1:{port}"),
            own.to_string(),
            3,
            "the server's certificate is for another name".to_owned(),
        ),
        (
            format!("wss://localhost:{port}"),
            "/nowhere.pem".to_owned(),
            1,
            "cannot read a certificate in /nowhere.pem: No such file or directory".to_owned(),
        ),
        (
            format!("wss://localhost:{port}"),
            format!("{}/key.pem", directory.path().display()),
            1,
            "key.pem: expected PEM".to_owned(),
        ),
        (
            format!("ws://localhost:{port}"),
            own.to_string(),
            2,
            "--ca-file needs a server with wss://".to_owned(),
        ),
    ] {
        let options = format!("--name one --bot random --ca-file {ca_file}");
        let ended = EndedBot::of(process::start(&server, &options)).await;
        assert_eq!(ended.code(), code, "{ended:?}");
        assert!(ended.stderr.trim_end().ends_with(&text), "{ended:?}");
    }
}
