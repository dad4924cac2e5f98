//! What a browser is served, and that nothing of it is missing or too much.

use std::collections::BTreeMap;
use std::fs;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use checkers_server::{Config, Server, Stop};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::{named_by, scripts};

/// What a browser loads to play or watch, compressed, in bytes.
const TO_PLAY: usize = 52 * 1024;
/// The same with all that is loaded when analysis, editor or help are opened.
const WHOLE: usize = 72 * 1024;

/// What is loaded besides when finished games or a player are looked at, in both languages.
const RECORDS: usize = 12 * 1024;

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
        let done = tokio::spawn(server.run(async { stopped.await.unwrap_or_default() }));
        Running {
            address,
            stop,
            done,
        }
    }

    async fn get(&self, path: &str, headers: &str) -> Answer {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{headers}\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).await.unwrap();
        Answer::read(&bytes)
    }

    async fn stop(self) {
        let _ = self.stop.send(Stop::ForGood);
        self.done.await.unwrap();
    }
}

struct Answer {
    status: String,
    headers: BTreeMap<String, String>,
    body: Vec<u8>,
}

impl Answer {
    fn read(bytes: &[u8]) -> Answer {
        let end = bytes.windows(4).position(|w| w == b"\r\n\r\n").unwrap();
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let mut lines = head.lines();
        let status = lines.next().unwrap().to_owned();
        let headers = lines
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
            .collect();
        let body = bytes[end + 4..].to_vec();
        Answer {
            status,
            headers,
            body,
        }
    }

    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }
}

fn web() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("web")
}

fn files(folder: &Path) -> Vec<PathBuf> {
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
            assert!(wanted.is_file(), "{path:?} names {wanted:?}");
        }
    }
}

/// All that a browser may ask for, beginning with the page itself, and what it is sent.
async fn sent(server: &Running) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut names = vec!["index.html".to_owned()];
    while let Some(name) = names.pop() {
        if found.contains_key(&name) {
            continue;
        }
        let answer = server.get(&format!("/assets/{name}"), "").await;
        assert_eq!(answer.status, "HTTP/1.1 200 OK", "{name}");
        let text = answer.text().to_owned();
        let quoted = text.split(['"', '\'', '`', '#']);
        let assets = quoted.filter_map(|piece| piece.strip_prefix("/assets/"));
        let assets = assets.filter(|name| !name.is_empty() && !name.contains("${"));
        names.extend(assets.map(str::to_owned));
        found.insert(name, text);
    }
    found
}

#[tokio::test]
async fn the_page_keeps_within_its_budget() {
    let server = Running::start().await;
    let mut sizes = BTreeMap::new();
    for name in sent(&server).await.into_keys() {
        let size = compressed(&server, &name).await;
        sizes.insert(name, size);
    }
    server.stop().await;
    assert!(sizes.contains_key("js/i18n/ru_study.js"), "{sizes:?}");
    let sum = |wanted: &dyn Fn(&str) -> bool| -> usize {
        let wanted = sizes.iter().filter(|(name, _)| wanted(name));
        wanted.map(|(_, size)| size).sum()
    };
    let is_word = |name: &str| name.starts_with("js/i18n/");
    let is_of_records = |name: &str| name.contains("/records.") || name.ends_with("_records.js");
    let is_later = |name: &str| name.ends_with("study.js") || name.ends_with("study.css");
    // A browser loads one language: the longer one is counted.
    let words = |later: bool| {
        let of = |language: &str| {
            let folder = format!("js/i18n/{language}");
            let is_wanted = |name: &str| !is_of_records(name) && (later || !is_later(name));
            sum(&|name| name.starts_with(&folder) && is_wanted(name))
        };
        of("en").max(of("ru"))
    };
    let is_code = |name: &str| !is_word(name) && !is_of_records(name);
    let to_play = sum(&|name| is_code(name) && !is_later(name)) + words(false);
    let whole = sum(&is_code) + words(true);
    let of_records = sum(&is_of_records);
    assert!(
        of_records > 0 && of_records <= RECORDS,
        "{of_records} bytes: {sizes:#?}"
    );
    println!("{to_play} bytes compressed to play, {whole} with analysis, editor and help");
    assert!(to_play <= TO_PLAY, "{to_play} bytes to play: {sizes:#?}");
    assert!(whole <= WHOLE, "{whole} bytes: {sizes:#?}");
}

/// The size of a file as a browser gets it once the server has had time to compress it well.
async fn compressed(server: &Running, name: &str) -> usize {
    let path = format!("/assets/{name}");
    loop {
        let answer = server.get(&path, "Accept-Encoding: gzip, br\r\n").await;
        assert_eq!(answer.status, "HTTP/1.1 200 OK", "{path}");
        if answer.header("content-encoding") == "br" {
            return answer.body.len();
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// A name that two modules have at their top level would be there twice in what is sent as one.
#[tokio::test]
async fn modules_that_are_sent_as_one_have_no_name_twice() {
    let server = Running::start().await;
    let sent = sent(&server).await;
    server.stop().await;
    let main = &sent["js/main.js"];
    for (name, text) in sent.iter().filter(|(name, _)| name.ends_with(".js")) {
        let parsed = scripts::parse(name, text, main);
        assert_eq!(parsed, Ok(()), "{name}");
        assert!(!text.contains(" from '."), "{name} imports a part");
        let imports = text.lines().filter(|line| line.starts_with("import "));
        for wanted in imports.flat_map(|line| line.split(['{', '}', ',']).map(str::trim)) {
            let is_name = wanted.chars().all(char::is_alphanumeric) && !wanted.is_empty();
            let is_there = ["function", "const", "class", "async function"]
                .iter()
                .any(|kind| main.contains(&format!("export {kind} {wanted}")));
            assert!(
                !is_name || wanted == "import" || is_there,
                "{name} asks for {wanted}"
            );
        }
    }
}

/// What the server leaves out of scripts line by line would be missed inside a text of several
/// lines.
#[test]
fn no_text_of_a_script_goes_over_lines() {
    for path in files(&web().join("js")) {
        for (number, line) in fs::read_to_string(&path).unwrap().lines().enumerate() {
            let is_comment = line.trim_start().starts_with(['*', '/']);
            let ticks = line.matches('`').count();
            assert!(is_comment || ticks % 2 == 0, "{path:?}:{}", number + 1);
            let before = line.split("/**").next().unwrap_or_default();
            let is_in_text = ['`', '\'', '"'].map(|quote| before.matches(quote).count() % 2 == 1);
            let has_comment = line.contains("/**");
            assert!(
                !has_comment || is_in_text == [false; 3],
                "{path:?}:{}",
                number + 1
            );
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
