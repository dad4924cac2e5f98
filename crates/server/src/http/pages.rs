//! The page: what a browser gets on the port of the WebSocket.
//!
//! Files lie in `web/` and are part of the binary; debug builds read them from the disk, so that a
//! change is a reload away. A file is told apart by the hash of its content (`ETag`), and asked
//! for again every time (`no-cache`): the page is never a mixture of two versions.

use std::io::{self, Write};

use axum::Router;
use axum::body::Body;
use axum::extract::Path;
use axum::response::Response;
use axum::routing::{MethodRouter, get};
use flate2::Compression;
use flate2::write::GzEncoder;
use hyper::StatusCode;
use hyper::header::{self, HeaderMap, HeaderValue};
use rust_embed::{Embed, EmbeddedFile};
use tracing::warn;

use super::{text, with_header};

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

/// The routes of the page. They hold no state of the server.
pub(super) fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new()
        .route("/g/{id}", page())
        .route("/tv", page())
        .route("/analysis", page())
        .route("/editor", page())
        .route("/help", page())
        .route("/embed/{id}", get(embedded))
        .route("/assets/{*path}", get(asset))
}

fn page<S: Clone + Send + Sync + 'static>() -> MethodRouter<S> {
    get(async |headers: HeaderMap| index(&headers))
}

/// The page itself; what it shows depends on the address, which it reads on its own.
pub(super) fn index(headers: &HeaderMap) -> Response {
    file("index.html", headers, Framed::ByNobody)
}

/// The page of one game, for other sites to show.
async fn embedded(headers: HeaderMap) -> Response {
    file("index.html", &headers, Framed::ByAnybody)
}

async fn asset(Path(path): Path<String>, headers: HeaderMap) -> Response {
    file(&path, &headers, Framed::ByNobody)
}

fn file(path: &str, headers: &HeaderMap, framed: Framed) -> Response {
    let Some(file) = Web::get(path) else {
        return text(StatusCode::NOT_FOUND, "there is no such file");
    };
    let tag = tag(&file);
    let answer = if knows(headers, &tag) {
        status(StatusCode::NOT_MODIFIED)
    } else {
        content(path, &file, headers)
    };
    describe(answer, &tag, framed)
}

fn content(path: &str, file: &EmbeddedFile, headers: &HeaderMap) -> Response {
    let plain = match str::from_utf8(&file.data) {
        Ok(source) if path.ends_with(".js") || path.ends_with(".css") => {
            without_comments(source).into_bytes()
        }
        _ => file.data.to_vec(),
    };
    let (bytes, zipped) = match accepts_gzip(headers).then(|| gzip(&plain)) {
        Some(Ok(zipped)) => (zipped, true),
        Some(Err(error)) => {
            warn!(%error, path, "cannot compress");
            (plain, false)
        }
        None => (plain, false),
    };
    let answer = with_header(
        Response::new(Body::from(bytes)),
        header::CONTENT_TYPE,
        content_type(path),
    );
    if zipped {
        with_header(answer, header::CONTENT_ENCODING, "gzip")
    } else {
        answer
    }
}

/// What is said of every file, whether it is sent or known already.
fn describe(answer: Response, tag: &HeaderValue, framed: Framed) -> Response {
    let answer = with_header(answer, header::CACHE_CONTROL, "no-cache");
    let answer = with_header(answer, header::VARY, "accept-encoding");
    let answer = with_header(answer, header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    let mut answer = with_header(answer, header::REFERRER_POLICY, "no-referrer");
    let headers = answer.headers_mut();
    headers.insert(header::ETAG, tag.clone());
    if let Ok(policy) = HeaderValue::try_from(framed.policy()) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    answer
}

/// A file's tag. It is weak, because a file is sent compressed or not.
fn tag(file: &EmbeddedFile) -> HeaderValue {
    let hash = file.metadata.sha256_hash();
    let digits: String = hash[..16]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    HeaderValue::try_from(format!("W/\"{digits}\"")).unwrap_or(HeaderValue::from_static("W/\"\""))
}

/// Whether the browser has the file with this tag.
fn knows(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    let known = headers.get_all(header::IF_NONE_MATCH).iter();
    known
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|known| known.trim().as_bytes() == tag.as_bytes())
}

fn accepts_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT_ENCODING).iter();
    accepted
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|coding| coding.trim() == "gzip")
}

/// A script or style sheet without its indentation and the comments that stand on lines of their
/// own: a browser reads a quarter less. Scripts have no text that goes over several lines.
fn without_comments(source: &str) -> String {
    let mut kept = String::with_capacity(source.len());
    let mut in_comment = false;
    for line in source.lines().map(str::trim) {
        let begins = !in_comment && line.starts_with("/*");
        let is_code_after = begins && line.contains("*/") && !line.ends_with("*/");
        in_comment = (in_comment || begins) && !is_code_after;
        let is_comment = in_comment || line.starts_with("//");
        if in_comment && line.ends_with("*/") {
            in_comment = false;
        }
        if !is_comment && !line.is_empty() {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

fn gzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    encoder.finish()
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

fn status(status: StatusCode) -> Response {
    let mut answer = Response::new(Body::empty());
    *answer.status_mut() = status;
    answer
}

#[cfg(test)]
mod tests {
    use super::without_comments;

    #[test]
    fn comments_of_their_own_lines_are_left_out() {
        let source = "/** One line. */\nconst a = 1;\n\n/**\n * Several.\n * @type {x}\n */\n\
            // Why.\n  const b = /** @type {y} */ (a);\n/** @type {z} */ (b).c();\n/* d */ e();\n";
        let left = "const a = 1;\nconst b = /** @type {y} */ (a);\n/** @type {z} */ (b).c();\n\
            /* d */ e();\n";
        assert_eq!(without_comments(source), left);
    }
}
