//! What a browser is served, and that nothing of it is missing or too much.

use std::collections::BTreeMap;
use std::fs;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use checkers_server::{Config, Server, Stop};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpStream, ToSocketAddrs};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::page::named_by;

struct Running {
    address: SocketAddr,
    stop: oneshot::Sender<Stop>,
    done: JoinHandle<()>,
}

impl Running {
    async fn start() -> Running {
        let config = Config {
            bind: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: 0,
            in_memory: true,
            ..Config::default()
        };
        let server = Server::bind(config).await.unwrap();
        let address = server.local_addr();
        let (stop, stopped) = oneshot::channel();
        let stopped = async { stopped.await.unwrap_or_default() };
        let done = tokio::spawn(async { server.run(stopped).await.unwrap() });
        Running {
            address,
            stop,
            done,
        }
    }

    async fn get(&self, path: &str, headers: &str) -> HttpResponse {
        get(self.address, path, headers).await
    }

    async fn stop(self) {
        let _ = self.stop.send(Stop::ForGood);
        self.done.await.unwrap();
    }
}

pub(crate) async fn get(address: impl ToSocketAddrs, path: &str, headers: &str) -> HttpResponse {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{headers}\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).await.unwrap();
    HttpResponse::read(&bytes)
}

pub(crate) struct HttpResponse {
    pub(crate) status: String,
    headers: BTreeMap<String, String>,
    pub(crate) body: Vec<u8>,
}

impl HttpResponse {
    fn read(bytes: &[u8]) -> HttpResponse {
        let end = bytes.windows(4).position(|w| w == b"\r\n\r\n").unwrap();
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let mut lines = head.lines();
        let status = lines.next().unwrap().to_owned();
        let headers = lines
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
            .collect();
        let body = bytes[end + 4..].to_vec();
        HttpResponse {
            status,
            headers,
            body,
        }
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }
}

pub(crate) fn web() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("web")
}

pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> = entries
        .flat_map(|path| {
            if path.is_dir() {
                files(&path)
            } else {
                vec![path]
            }
        })
        .collect();
    found.sort();
    found
}

#[tokio::test]
async fn every_address_of_the_page_answers_with_it() {
    let server = Running::start().await;
    for path in [
        "/",
        "/g/main",
        "/tv",
        "/games",
        "/games?player=anna&cursor=1.2",
        "/player/anna",
        "/player/%D0%B1%20%2F",
        "/analysis?fen=W:Wa1:Bh8",
        "/editor",
        "/embed/main",
        "/help",
    ] {
        let answer = server.get(path, "").await;
        assert_eq!(answer.status, "HTTP/1.1 200 OK", "{path}");
        assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        let policy = answer.header("content-security-policy");
        assert!(policy.contains("default-src 'self'"), "{policy}");
        let policy = policy.replace("'wasm-unsafe-eval'", "");
        assert!(!policy.contains("unsafe"), "{policy}");
        let framed = policy.contains("frame-ancestors *");
        assert_eq!(framed, path.starts_with("/embed/"), "{path}: {policy}");
        let permissions = answer.header("permissions-policy");
        assert!(permissions.contains("camera=()"), "{permissions}");
        assert_eq!(answer.header("cross-origin-opener-policy"), "same-origin");
        assert!(answer.text().contains("<div id=\"app\">"));
    }
    let embedded = server.get("/g/main?lang=ru&embed=1", "").await;
    assert_eq!(embedded.status, "HTTP/1.1 303 See Other");
    let place = "/embed/main?lang=ru&embed=1";
    assert_eq!(embedded.header("location"), place);
    let missing = server.get("/assets/js/nothing.js", "").await;
    assert!(missing.status.contains("404"), "{}", missing.status);
    let outside = server.get("/assets/../Cargo.toml", "").await;
    assert!(outside.status.contains("404"), "{}", outside.status);
    server.stop().await;
}

/// What stands between two texts.
fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let found = text.split_once(before).map(|(_, rest)| rest);
    found.and_then(|rest| rest.split(after).next()).unwrap()
}

#[tokio::test]
async fn pages_have_titles_and_pictures_of_their_own() {
    let server = Running::start().await;
    let mut titles = BTreeMap::new();
    for path in [
        "/",
        "/g/main",
        "/tv",
        "/games",
        "/player/anna",
        "/analysis",
        "/editor",
        "/help",
        "/nope",
    ] {
        let answer = server.get(path, "Accept: text/html\r\n").await;
        let text = answer.text();
        let title = between(text, "<title>", "</title>").to_owned();
        assert!(title.ends_with("Russian draughts"), "{path}: {title}");
        assert_eq!(between(text, "og:title\" content=\"", "\""), title);
        let picture = between(text, "og:image\" content=\"", "\"");
        assert_eq!(picture, "http://x/assets/icon-512.png");
        let other = titles.insert(title, path);
        assert_eq!(other, None, "{path}");
    }
    let behind_a_proxy = server.get("/", "X-Forwarded-Proto: https\r\n").await;
    assert!(
        behind_a_proxy
            .text()
            .contains("\"https://x/assets/icon-512.png\"")
    );
    server.stop().await;
}

#[tokio::test]
async fn an_address_with_nothing_behind_it_is_told_to_browsers_and_programs() {
    let server = Running::start().await;
    let browser = server
        .get(
            "/nope",
            "Accept: text/html,application/xhtml+xml,*/*;q=0.8\r\n",
        )
        .await;
    assert_eq!(browser.status, "HTTP/1.1 404 Not Found");
    assert_eq!(browser.header("content-type"), "text/html; charset=utf-8");
    assert!(browser.text().contains("<a href=\"/games\">"));
    let program = server.get("/nope", "").await;
    assert_eq!(program.status, "HTTP/1.1 404 Not Found");
    assert_eq!(program.header("content-type"), "application/json");
    let not_utf8 = server.get("/player/%ff", "").await;
    assert_eq!(not_utf8.status, "HTTP/1.1 404 Not Found");
    let api = server.get("/api/nope", "Accept: text/html\r\n").await;
    assert_eq!(api.status, "HTTP/1.1 404 Not Found");
    assert_eq!(api.header("content-type"), "application/json");
    server.stop().await;
}

#[tokio::test]
async fn what_browsers_look_for_at_the_root_is_there() {
    let server = Running::start().await;
    for (path, kind, begin) in [
        ("/favicon.ico", "image/x-icon", &b"\0\0\x01\0"[..]),
        ("/apple-touch-icon.png", "image/png", b"\x89PNG"),
        ("/robots.txt", "text/plain; charset=utf-8", b"User-agent: *"),
        ("/manifest.webmanifest", "application/manifest+json", b"{"),
    ] {
        let answer = server.get(path, "").await;
        assert_eq!(answer.status, "HTTP/1.1 200 OK", "{path}");
        assert_eq!(answer.header("content-type"), kind, "{path}");
        assert!(answer.body.starts_with(begin), "{path}");
    }
    let manifest = server.get("/manifest.webmanifest", "").await;
    let manifest: serde_json::Value = serde_json::from_slice(&manifest.body).unwrap();
    for icon in manifest["icons"].as_array().unwrap() {
        let answer = server.get(icon["src"].as_str().unwrap(), "").await;
        assert_eq!(answer.status, "HTTP/1.1 200 OK", "{icon}");
        assert_eq!(answer.header("content-type"), icon["type"], "{icon}");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_file_that_the_browser_has_is_not_sent_again() {
    let server = Running::start().await;
    let first = server.get("/assets/js/main.js", "").await;
    assert_eq!(
        first.header("content-type"),
        "text/javascript; charset=utf-8"
    );
    assert_eq!(first.header("cache-control"), "no-cache");
    let known = format!("If-None-Match: {}\r\n", first.header("etag"));
    let again = server.get("/assets/js/main.js", &known).await;
    assert!(again.status.contains("304"), "{}", again.status);
    assert!(again.body.is_empty());
    let other = server
        .get("/assets/js/main.js", "If-None-Match: \"x\"\r\n")
        .await;
    assert_eq!(other.body, first.body);
    server.stop().await;
}

#[tokio::test]
async fn a_file_is_compressed_for_who_can_read_that() {
    let server = Running::start().await;
    let plain = server.get("/assets/css/base.css", "").await;
    assert_eq!(plain.header("content-encoding"), "");
    let accepting = "Accept-Encoding: gzip\r\n";
    let zipped = server.get("/assets/css/base.css", accepting).await;
    assert_eq!(zipped.header("content-encoding"), "gzip");
    assert!(zipped.body.len() * 2 < plain.body.len());
    server.stop().await;
}

/// What a file names of the others.
fn references(path: &Path, text: &str) -> Vec<PathBuf> {
    let quoted = text.split(['"', '\'', '`', '#']).skip(1);
    let mut found = Vec::new();
    for piece in quoted {
        if let Some(asset) = piece.strip_prefix("/assets/") {
            if !asset.contains("${") {
                found.push(web().join(asset));
            }
        } else if is_module(path, piece) || is_style_sheet(path, piece) {
            found.push(named_by(path, piece));
        }
    }
    found
}

fn is_module(path: &Path, name: &str) -> bool {
    let is_relative = name.starts_with("./") || name.starts_with("../");
    is_relative && name.ends_with(".js") && has_ending(path, "js")
}

fn is_style_sheet(path: &Path, name: &str) -> bool {
    name.ends_with(".css") && has_ending(path, "css")
}

fn has_ending(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|ending| ending == wanted)
}

/// Without scripts `#app` fills the screen, and what is below it is not seen.
#[test]
fn who_has_no_scripts_is_told_inside_the_page() {
    let page = fs::read_to_string(web().join("index.html")).unwrap();
    let (app, _) = page.split_once("id=\"say\"").unwrap();
    assert!(app.contains("<div id=\"app\">") && app.contains("<noscript>"));
}

#[test]
fn every_file_that_is_named_is_there() {
    for path in files(&web()) {
        let Ok(text) = fs::read_to_string(&path) else {
            continue;
        };
        for wanted in references(&path, &text) {
            // Tables are part of the engine.
            if has_ending(&wanted, "wdl") || has_ending(&wanted, "dist") {
                continue;
            }
            assert!(wanted.is_file(), "{path:?} names {wanted:?}");
        }
    }
}

#[test]
fn files_are_short_enough_to_be_read() {
    for path in files(&web()) {
        let Ok(text) = fs::read_to_string(&path) else {
            continue; // a picture
        };
        let lines = text.lines().count();
        assert!(lines <= 300, "{path:?} has {lines} lines");
    }
}
