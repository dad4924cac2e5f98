//! The page and its files.
//!
//! Release builds contain the [built](../../build/page.rs) page; other builds read its files from the
//! disk, so that a reload shows every change.
//! A file whose address contains the page's version is kept by browsers for good; other files are
//! revalidated every time (`no-cache`) by the hash of their content (`ETag`). So no page is a mixture
//! of two versions.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use axum::Router;
use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use checkers_engine::tablebase;
use data_encoding::HEXLOWER;
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::{StatusCode, Uri};
use sha2::{Digest, Sha256};

use super::api::{Problem, ProblemCode};
use super::document::{Head, document};
use super::routes::wrong_method;
use super::{HttpState, game_page, listed, with_header};

/// The content of a file of the page.
type Content = Cow<'static, [u8]>;

/// Finds a file of the built page.
#[cfg(embedded_page)]
fn find(path: &str) -> Option<Content> {
    static PAGE: include_dir::Dir<'_> = include_dir::include_dir!("$OUT_DIR/page");
    let file = PAGE.get_file(path)?;
    Some(file.contents().into())
}

/// Finds a file on the disk.
#[cfg(not(embedded_page))]
fn find(path: &str) -> Option<Content> {
    use std::path::{Component, Path};

    let is_inside = |part| matches!(part, Component::Normal(_));
    if !Path::new(path).components().all(is_inside) {
        return None;
    }
    // Tests set the variable to have the built page served.
    let sources = || concat!(env!("CARGO_MANIFEST_DIR"), "/web").into();
    let folder = std::env::var_os("CHECKERS_PAGE").unwrap_or_else(sources);
    let content = std::fs::read(Path::new(&folder).join(path)).ok()?;
    Some(content.into())
}

/// The start of paths that contain the page's version.
const VERSIONED: &str = "v/";

/// The content security policy: everything comes from the server itself, no inline scripts or styles.
/// The engine in the browser is WebAssembly.
const POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; \
    img-src 'self' data:; base-uri 'none'; form-action 'none'; object-src 'none'; frame-ancestors ";

/// Which sites may show an answer in a frame.
#[derive(Clone, Copy)]
enum Framed {
    Never,
    Anywhere,
}

impl Framed {
    fn policy(self) -> String {
        let ancestors = match self {
            Framed::Never => "'none'",
            Framed::Anywhere => "*",
        };
        format!("{POLICY}{ancestors}")
    }
}

/// Files that browsers and search engines look for at the root.
const AT_ROOT: [&str; 5] = [
    "favicon.ico",
    "robots.txt",
    "manifest.webmanifest",
    "service-worker.js",
    "apple-touch-icon.png",
];

/// The features that neither the page nor its frames use.
const PERMISSIONS: &str = "camera=(), display-capture=(), geolocation=(), microphone=(), \
    midi=(), payment=(), serial=(), usb=()";

/// A part of the path, which may be invalid UTF-8.
type InPath = Result<Path<String>, PathRejection>;

/// What the lessons are about.
const LESSONS: &str = "How programs search: from minimax to NegaScout with a transposition table.";

/// The routes of the page.
pub(super) fn router() -> Router<Arc<HttpState>> {
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
        (
            "/explorer",
            "Search explorer",
            "The tree that a search visits in a position of Russian draughts, node by node.",
        ),
        ("/lessons", "Lessons", LESSONS),
        ("/lessons/{name}", "Lessons", LESSONS),
        ("/account", "Account", "Names that players keep."),
        ("/sign-in", "Sign in", "Names that players keep."),
        ("/invitation", "Invitation", "Names that players keep."),
        (
            "/report/{name}",
            "Report",
            "Players who are blocked or reported.",
        ),
        ("/moderation", "Moderation", "Reports about players."),
        (
            "/tournaments",
            "Tournaments",
            "Tournaments of Russian draughts.",
        ),
        (
            "/correspondence",
            "Correspondence",
            "Games of Russian draughts with days for each move.",
        ),
        (
            "/tournament/{id}",
            "Tournament",
            "A tournament of Russian draughts.",
        ),
        ("/ratings", "Ratings", "The best players, by their ratings."),
        ("/help", "Rules", "The rules of Russian draughts."),
    ] {
        router = router.route(path, page(Head::new(title, description)));
    }
    for path in AT_ROOT {
        let answer = async move |headers: HeaderMap| file(path, &headers, Framed::Never);
        router = router.route(&format!("/{path}"), get(answer));
    }
    router
        .route("/g/{id}", get(game))
        .route("/player/{name}", get(player))
        .route("/embed/{id}", get(embedded))
        .route("/assets/{*path}", get(asset))
        .method_not_allowed_fallback(async || wrong_method("GET, HEAD"))
}

fn page(head: Head) -> MethodRouter<Arc<HttpState>> {
    get(
        async move |State(shared): State<Arc<HttpState>>, headers: HeaderMap| {
            index(&shared, &headers, &head, Framed::Never)
        },
    )
}

/// The front page.
pub(super) fn front(shared: &HttpState, headers: &HeaderMap) -> Response {
    index(shared, headers, &Head::front(), Framed::Never)
}

/// The answer for an unknown address: a page for browsers, a problem for programs.
pub(super) async fn not_found(
    State(shared): State<Arc<HttpState>>,
    headers: HeaderMap,
) -> Response {
    let mut accepted = listed(&headers, header::ACCEPT);
    if accepted.any(|accepted| accepted.starts_with("text/html")) {
        return unknown_address(&shared, &headers, Framed::Never);
    }
    let message = "nothing is here: the page is at /, the WebSocket at /ws, the API under /api";
    Problem::new(ProblemCode::NotFound, message).into_response()
}

fn unknown_address(shared: &HttpState, headers: &HeaderMap, framed: Framed) -> Response {
    let mut answer = page_document(shared, headers, (&Head::not_found(), false), framed);
    *answer.status_mut() = StatusCode::NOT_FOUND;
    answer
}

/// The page; its scripts read from the address what to show.
fn index(shared: &HttpState, headers: &HeaderMap, head: &Head, framed: Framed) -> Response {
    page_document(shared, headers, (head, true), framed)
}

fn page_document(
    shared: &HttpState,
    headers: &HeaderMap,
    (head, is_found): (&Head, bool),
    framed: Framed,
) -> Response {
    let Some(page) = find("index.html") else {
        return no_such_file();
    };
    let page = String::from_utf8_lossy(&page);
    let origin = origin(shared, headers);
    let document = document(&page, head, origin.as_deref(), is_found);
    answer("index.html", document.into_bytes().into(), headers, framed)
}

/// The origin of the site as the browser sees it.
fn origin(shared: &HttpState, headers: &HeaderMap) -> Option<String> {
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

/// The page of one game; with `embed=1` a redirect to the version that other sites may embed.
async fn game(state: State<Arc<HttpState>>, id: InPath, uri: Uri, headers: HeaderMap) -> Response {
    let query = uri.query().unwrap_or_default();
    if query.split('&').all(|pair| pair != "embed=1") {
        return of_game(&state, id, &headers, Framed::Never).await;
    }
    let path = uri.path().replacen("/g/", "/embed/", 1);
    let place = format!("{path}?{query}");
    let mut answer = status(StatusCode::SEE_OTHER);
    if let Ok(place) = HeaderValue::try_from(place) {
        answer.headers_mut().insert(header::LOCATION, place);
    }
    answer
}

/// The page of one game for other sites to embed.
async fn embedded(
    State(shared): State<Arc<HttpState>>,
    id: InPath,
    headers: HeaderMap,
) -> Response {
    of_game(&shared, id, &headers, Framed::Anywhere).await
}

async fn of_game(shared: &HttpState, id: InPath, headers: &HeaderMap, framed: Framed) -> Response {
    let head = match id {
        Ok(Path(id)) => game_page::head(shared, &id).await,
        Err(_) => None,
    };
    match head {
        Some(head) => index(shared, headers, &head, framed),
        None => unknown_address(shared, headers, framed),
    }
}

/// The page of one player.
async fn player(
    State(shared): State<Arc<HttpState>>,
    name: InPath,
    headers: HeaderMap,
) -> Response {
    let Ok(Path(name)) = name else {
        return unknown_address(&shared, &headers, Framed::Never);
    };
    let description = format!("Games of Russian draughts by {name}.");
    let head = Head::new(name, description);
    index(&shared, &headers, &head, Framed::Never)
}

async fn asset(Path(path): Path<String>, headers: HeaderMap) -> Response {
    let name = path.rsplit('/').next().unwrap_or_default();
    match tablebase::embedded_file(name) {
        Some(content) => answer(&path, content.into(), &headers, Framed::Never),
        None => file(&path, &headers, Framed::Never),
    }
}

fn file(path: &str, headers: &HeaderMap, framed: Framed) -> Response {
    match find(path) {
        Some(content) => answer(path, content, headers, framed),
        None => no_such_file(),
    }
}

fn no_such_file() -> Response {
    Problem::new(ProblemCode::NotFound, "there is no such file").into_response()
}

fn answer(path: &str, content: Content, headers: &HeaderMap, framed: Framed) -> Response {
    let tag = tag(&content);
    let answer = if is_cached(headers, &tag) {
        status(StatusCode::NOT_MODIFIED)
    } else {
        send(path, content, headers)
    };
    with_file_headers(answer, path, tag, framed)
}

/// The content of a file, compressed if the build contains it so and the browser accepts that.
fn send(path: &str, content: Content, headers: &HeaderMap) -> Response {
    let compressed = [("br", "br"), ("gzip", "gz")];
    let mut compressed = compressed.into_iter().filter_map(|(coding, ending)| {
        let mut accepted = listed(headers, header::ACCEPT_ENCODING);
        let is_accepted = accepted.any(|accepted| accepted == coding);
        let content = is_accepted.then(|| find(&format!("{path}.{ending}")))??;
        Some((coding, content))
    });
    let (coding, content) = match compressed.next() {
        Some((coding, content)) => (Some(coding), content),
        None => (None, content),
    };
    let answer = Response::new(Body::from(content));
    let answer = with_header(answer, header::CONTENT_TYPE, content_type(path));
    match coding {
        Some(coding) => with_header(answer, header::CONTENT_ENCODING, coding),
        None => answer,
    }
}

/// Adds the headers that every file has, also in an answer 304.
fn with_file_headers(answer: Response, path: &str, tag: HeaderValue, framed: Framed) -> Response {
    let caching = if path.starts_with(VERSIONED) {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    let answer = with_header(answer, header::CACHE_CONTROL, caching);
    let answer = with_header(answer, header::VARY, "accept-encoding");
    let answer = with_header(answer, header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    let opener = HeaderName::from_static("cross-origin-opener-policy");
    let answer = with_header(answer, opener, "same-origin");
    let permissions = HeaderName::from_static("permissions-policy");
    let answer = with_header(answer, permissions, PERMISSIONS);
    let mut answer = with_header(answer, header::REFERRER_POLICY, "no-referrer");
    let headers = answer.headers_mut();
    headers.insert(header::ETAG, tag);
    if let Ok(policy) = HeaderValue::try_from(framed.policy()) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    answer
}

/// The entity tag of a file. What is part of the program is hashed once: tables of endings have megabytes.
fn tag(content: &Content) -> HeaderValue {
    /// By address and length.
    static KNOWN: LazyLock<Mutex<HashMap<(usize, usize), HeaderValue>>> =
        LazyLock::new(Mutex::default);
    match content {
        Cow::Owned(bytes) => hashed(bytes),
        Cow::Borrowed(bytes) => {
            let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
            let tag = known.entry((bytes.as_ptr().addr(), bytes.len()));
            tag.or_insert_with(|| hashed(bytes)).clone()
        }
    }
}

/// A weak tag, because the file is sent with or without compression.
fn hashed(content: &[u8]) -> HeaderValue {
    let digits = HEXLOWER.encode(&Sha256::digest(content)[..16]);
    HeaderValue::try_from(format!("W/\"{digits}\"")).unwrap_or(HeaderValue::from_static("W/\"\""))
}

/// Whether the browser has the file with this tag in its cache.
fn is_cached(headers: &HeaderMap, tag: &HeaderValue) -> bool {
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
        Some("gz") => "application/gzip",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

fn status(status: StatusCode) -> Response {
    let mut answer = Response::new(Body::empty());
    *answer.status_mut() = status;
    answer
}
