//! The page: what a browser gets on the port of the WebSocket.
//!
//! Files lie in `web/` and are part of the binary; debug builds read them from the disk, so that a
//! change is a reload away. What belongs together is sent [joined](super::joined). A file is told
//! apart by the hash of its content (`ETag`), and asked for again every time (`no-cache`): the page
//! is never a mixture of two versions.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::{StatusCode, Uri};
use rust_embed::Embed;
use sha2::{Digest, Sha256};

use super::api::{Problem, ProblemCode};
use super::compressed::{Coded, File, coded, pack};
use super::document::{Head, document};
use super::routes::wrong_method;
use super::{Shared, game_page, joined, listed, with_header};
use crate::hex;

/// Everything a browser is served.
#[derive(Embed)]
#[folder = "web/"]
struct Web;

/// What every answer may load and do: only what comes from the server itself, no inline script and
/// no inline style.
const POLICY: &str = "default-src 'self'; connect-src 'self'; img-src 'self' data:; \
    base-uri 'none'; form-action 'none'; object-src 'none'; frame-ancestors ";

/// Who may show an answer in a frame.
#[derive(Clone, Copy)]
enum Framed {
    ByNobody,
    ByAnybody,
}

impl Framed {
    fn policy(self) -> String {
        let ancestors = match self {
            Framed::ByNobody => "'none'",
            Framed::ByAnybody => "*",
        };
        format!("{POLICY}{ancestors}")
    }
}

/// Files that browsers and search engines look for at the root.
const AT_ROOT: [&str; 4] = [
    "favicon.ico",
    "robots.txt",
    "manifest.webmanifest",
    "apple-touch-icon.png",
];

/// What no page uses, its frames neither.
const PERMISSIONS: &str = "camera=(), display-capture=(), geolocation=(), microphone=(), \
    midi=(), payment=(), serial=(), usb=()";

/// A part of the path; what is not in UTF-8 names nothing.
type InPath = Result<Path<String>, PathRejection>;

/// The routes of the page.
pub(super) fn router() -> Router<Arc<Shared>> {
    let mut router = Router::new();
    for (path, title, description) in [
        ("/tv", "Watch", "The most watched game of Russian draughts."),
        ("/games", "Games", "Finished games of Russian draughts."),
        (
            "/analysis",
            "Analysis",
            "Games and positions of Russian draughts, analysed.",
        ),
        ("/editor", "Editor", "Positions of Russian draughts."),
        ("/help", "Rules", "The rules of Russian draughts."),
    ] {
        router = router.route(path, page(Head::new(title, description)));
    }
    for path in AT_ROOT {
        let answer = async move |headers: HeaderMap| file(path, &headers, Framed::ByNobody);
        router = router.route(&format!("/{path}"), get(answer));
    }
    router
        .route("/g/{id}", get(game))
        .route("/player/{name}", get(player))
        .route("/embed/{id}", get(embedded))
        .route("/assets/{*path}", get(asset))
        .method_not_allowed_fallback(async || wrong_method("GET, HEAD"))
}

fn page(head: Head) -> MethodRouter<Arc<Shared>> {
    get(
        async move |State(shared): State<Arc<Shared>>, headers: HeaderMap| {
            index(&shared, &headers, &head, Framed::ByNobody)
        },
    )
}

/// The front page.
pub(super) fn front(shared: &Shared, headers: &HeaderMap) -> Response {
    index(shared, headers, &Head::front(), Framed::ByNobody)
}

/// What is answered at an address with nothing behind it: a page for browsers, a line for programs.
pub(super) async fn not_found(State(shared): State<Arc<Shared>>, headers: HeaderMap) -> Response {
    let mut accepted = listed(&headers, header::ACCEPT);
    if accepted.any(|accepted| accepted.starts_with("text/html")) {
        return missing(&shared, &headers, Framed::ByNobody);
    }
    let message = "nothing is here: the page is at /, the WebSocket at /ws, the API under /api";
    Problem::new(ProblemCode::NotFound, message).into_response()
}

fn missing(shared: &Shared, headers: &HeaderMap, framed: Framed) -> Response {
    let mut answer = written(shared, headers, (&Head::not_found(), false), framed);
    *answer.status_mut() = StatusCode::NOT_FOUND;
    answer
}

/// The page itself; what it shows depends on the address, which it reads on its own.
fn index(shared: &Shared, headers: &HeaderMap, head: &Head, framed: Framed) -> Response {
    written(shared, headers, (head, true), framed)
}

fn written(
    shared: &Shared,
    headers: &HeaderMap,
    (head, is_there): (&Head, bool),
    framed: Framed,
) -> Response {
    let Some(page) = find("index.html") else {
        return Problem::new(ProblemCode::NotFound, "there is no such file").into_response();
    };
    let page = String::from_utf8_lossy(&page.data);
    let origin = origin(shared, headers);
    let data: Bytes = document(&page, head, origin.as_deref(), is_there).into();
    let file = File {
        path: "index.html".to_owned(),
        hash: Sha256::digest(&data).into(),
        data,
    };
    answer(&file, headers, framed)
}

/// Where the site is, as the browser sees it.
fn origin(shared: &Shared, headers: &HeaderMap) -> Option<String> {
    let host = headers.get(header::HOST)?.to_str().ok()?;
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || ".-:[]".contains(letter);
    if host.is_empty() || !host.chars().all(is_plain) {
        return None;
    }
    let forwarded = headers.get("x-forwarded-proto");
    let is_secure = shared.tls.is_some() || forwarded.is_some_and(|scheme| scheme == "https");
    let scheme = if is_secure { "https" } else { "http" };
    Some(format!("{scheme}://{host}"))
}

/// The page of one game; with `embed=1` it is sent on to where other sites may show it.
async fn game(state: State<Arc<Shared>>, id: InPath, uri: Uri, headers: HeaderMap) -> Response {
    let query = uri.query().unwrap_or_default();
    if query.split('&').all(|pair| pair != "embed=1") {
        return of_game(&state, id, &headers, Framed::ByNobody).await;
    }
    let path = uri.path().replacen("/g/", "/embed/", 1);
    let place = format!("{path}?{query}");
    let mut answer = status(StatusCode::SEE_OTHER);
    if let Ok(place) = HeaderValue::try_from(place) {
        answer.headers_mut().insert(header::LOCATION, place);
    }
    answer
}

/// The page of one game, for other sites to show.
async fn embedded(State(shared): State<Arc<Shared>>, id: InPath, headers: HeaderMap) -> Response {
    of_game(&shared, id, &headers, Framed::ByAnybody).await
}

async fn of_game(shared: &Shared, id: InPath, headers: &HeaderMap, framed: Framed) -> Response {
    let head = match id {
        Ok(Path(id)) => game_page::head(shared, &id).await,
        Err(_) => None,
    };
    match head {
        Some(head) => index(shared, headers, &head, framed),
        None => missing(shared, headers, framed),
    }
}

/// The page of one player.
async fn player(State(shared): State<Arc<Shared>>, name: InPath, headers: HeaderMap) -> Response {
    let Ok(Path(name)) = name else {
        return missing(&shared, &headers, Framed::ByNobody);
    };
    let description = format!("Games of Russian draughts by {name}.");
    let head = Head::new(name, description);
    index(&shared, &headers, &head, Framed::ByNobody)
}

async fn asset(Path(path): Path<String>, headers: HeaderMap) -> Response {
    file(&path, &headers, Framed::ByNobody)
}

fn file(path: &str, headers: &HeaderMap, framed: Framed) -> Response {
    let Some(file) = find(path) else {
        return Problem::new(ProblemCode::NotFound, "there is no such file").into_response();
    };
    answer(&file, headers, framed)
}

fn answer(file: &File, headers: &HeaderMap, framed: Framed) -> Response {
    let tag = tag(file);
    let answer = if knows(headers, &tag) {
        status(StatusCode::NOT_MODIFIED)
    } else {
        content(file, headers)
    };
    describe(answer, &tag, framed)
}

fn content(file: &File, headers: &HeaderMap) -> Response {
    pack(all);
    let Coded { bytes, coding } = coded(file, headers);
    let answer = with_header(
        Response::new(Body::from(bytes)),
        header::CONTENT_TYPE,
        content_type(&file.path),
    );
    match coding {
        Some(coding) => with_header(answer, header::CONTENT_ENCODING, coding),
        None => answer,
    }
}

/// Every file that a browser may ask for: the page itself, and what the files name that it asks for.
fn all() -> Vec<File> {
    let mut found: Vec<File> = Vec::new();
    let mut names = vec!["index.html".to_owned()];
    while let Some(name) = names.pop() {
        let is_new = found.iter().all(|file| file.path != name);
        let Some(file) = is_new.then(|| find(&name)).flatten() else {
            continue;
        };
        let text = String::from_utf8_lossy(&file.data);
        let named = text.split(joined::ASSETS).skip(1);
        let named = named.filter_map(|rest| rest.split(['"', '\'', '`', '#']).next());
        names.extend(named.map(str::to_owned));
        found.push(file);
    }
    found
}

/// A file as it is sent but for its compression. It is made once, where files cannot change.
fn find(path: &str) -> Option<File> {
    static KNOWN: Mutex<Option<HashMap<String, File>>> = Mutex::new(None);
    if cfg!(debug_assertions) {
        return make(path);
    }
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let known = known.get_or_insert_default();
    if let Some(file) = known.get(path) {
        return Some(file.clone());
    }
    let file = make(path)?;
    known.insert(path.to_owned(), file.clone());
    Some(file)
}

fn make(path: &str) -> Option<File> {
    let embedded = Web::get(path)?;
    let data: Bytes = match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("js") => joined::script(path, &source)?.into(),
        Some("css") => joined::style_sheet(path, &source)?.into(),
        _ => embedded.data.into_owned().into(),
    };
    Some(File {
        path: path.to_owned(),
        hash: Sha256::digest(&data).into(),
        data,
    })
}

fn source(path: &str) -> Option<String> {
    String::from_utf8(Web::get(path)?.data.into_owned()).ok()
}

/// What is said of every file, whether it is sent or known already.
fn describe(answer: Response, tag: &HeaderValue, framed: Framed) -> Response {
    let answer = with_header(answer, header::CACHE_CONTROL, "no-cache");
    let answer = with_header(answer, header::VARY, "accept-encoding");
    let answer = with_header(answer, header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    let factory = HeaderName::from_static("cross-origin-factory-policy");
    let answer = with_header(answer, factory, "same-origin");
    let permissions = HeaderName::from_static("permissions-policy");
    let answer = with_header(answer, permissions, PERMISSIONS);
    let mut answer = with_header(answer, header::REFERRER_POLICY, "no-referrer");
    let headers = answer.headers_mut();
    headers.insert(header::ETAG, tag.clone());
    if let Ok(policy) = HeaderValue::try_from(framed.policy()) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    answer
}

/// A file's tag. It is weak, because a file is sent compressed or not.
fn tag(file: &File) -> HeaderValue {
    let digits = hex::encode(&file.hash[..16]);
    HeaderValue::try_from(format!("W/\"{digits}\"")).unwrap_or(HeaderValue::from_static("W/\"\""))
}

/// Whether the browser has the file with this tag.
fn knows(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    listed(headers, header::IF_NONE_MATCH).any(|known| known.as_bytes() == tag.as_bytes())
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("txt") => "text/plain; charset=utf-8",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

fn status(status: StatusCode) -> Response {
    let mut answer = Response::new(Body::empty());
    *answer.status_mut() = status;
    answer
}
