//! Files of the page as they are sent: without what only people read, and compressed.
//!
//! The best compression takes its time. It is made once for each file, on a thread of its own that
//! the first visitor starts; until it is there, files are compressed on the spot and not as well.

use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::{LazyLock, Mutex, Once, PoisonError};
use std::thread;

use axum::body::Bytes;
use brotli::enc::BrotliEncoderParams;
use flate2::Compression;
use flate2::write::GzEncoder;
use hyper::header::{self, HeaderMap};
use tracing::warn;

use super::listed;

/// A file's content and how it is coded, as `Content-Encoding` says it.
pub(super) struct Coded {
    pub(super) bytes: Bytes,
    pub(super) coding: Option<&'static str>,
}

/// A file: its path, what tells its versions apart, and its bytes.
pub(super) struct File<'a> {
    pub(super) path: &'a str,
    pub(super) hash: [u8; 32],
    pub(super) data: &'a [u8],
}

type Packed = HashMap<[u8; 32], Bytes>;

/// What has been compressed well, by the hash of the file.
static PACKED: LazyLock<Mutex<Packed>> = LazyLock::new(Mutex::default);

/// Begins to compress the files well, once.
pub(super) fn pack(each: impl FnOnce(&mut dyn FnMut(File<'_>)) + Send + 'static) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let packing = thread::Builder::new().name("page".to_owned());
        let packing = packing.spawn(|| {
            each(&mut |file| match brotli(&plain(&file)) {
                Ok(bytes) => drop(packed().insert(file.hash, bytes.into())),
                Err(error) => warn!(%error, path = file.path, "cannot compress"),
            });
        });
        if let Err(error) = packing {
            warn!(%error, "the page is not compressed well");
        }
    });
}

fn packed() -> std::sync::MutexGuard<'static, Packed> {
    PACKED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file as whoever sends these headers reads it.
pub(super) fn coded(file: &File<'_>, headers: &HeaderMap) -> Coded {
    if accepts(headers, "br")
        && let Some(bytes) = packed().get(&file.hash)
    {
        let (bytes, coding) = (bytes.clone(), Some("br"));
        return Coded { bytes, coding };
    }
    let plain = plain(file);
    let (bytes, coding) = match accepts(headers, "gzip").then(|| gzip(&plain)) {
        Some(Ok(zipped)) => (zipped, Some("gzip")),
        Some(Err(error)) => {
            warn!(%error, path = file.path, "cannot compress");
            (plain, None)
        }
        None => (plain, None),
    };
    let bytes = bytes.into();
    Coded { bytes, coding }
}

fn accepts(headers: &HeaderMap, coding: &str) -> bool {
    listed(headers, header::ACCEPT_ENCODING).any(|accepted| accepted == coding)
}

fn plain(file: &File<'_>) -> Vec<u8> {
    match str::from_utf8(file.data) {
        Ok(source) if file.path.ends_with(".js") || file.path.ends_with(".css") => {
            without_comments(source).into_bytes()
        }
        _ => file.data.to_vec(),
    }
}

/// A script or style sheet without its indentation and comments: a browser reads a quarter less.
/// Of comments beside code those that begin with `/**` are left out. Scripts have no text that goes
/// over several lines, and none that holds a comment.
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
            push_code(&mut kept, line);
        }
    }
    kept
}

/// The line without its comments for the type checker.
fn push_code(kept: &mut String, line: &str) {
    let mut rest = line;
    while let Some((code, after)) = rest.split_once("/**") {
        let Some((_, after)) = after.split_once("*/") else {
            break;
        };
        kept.push_str(code);
        rest = after.trim_start();
    }
    kept.push_str(rest);
    kept.push('\n');
}

fn gzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    encoder.finish()
}

fn brotli(mut bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut packed = Vec::new();
    // The best quality and the largest window are the default.
    brotli::BrotliCompress(&mut bytes, &mut packed, &BrotliEncoderParams::default())?;
    Ok(packed)
}

#[cfg(test)]
mod tests {
    use super::without_comments;

    #[test]
    fn comments_are_left_out() {
        let source = "/** One line. */\nconst a = 1;\n\n/**\n * Several.\n * @type {x}\n */\n\
            // Why.\n  const b = /** @type {y} */ (a);\n/** @type {z} */ (b).c();\n/* d */ e();\n\
            f(/** @type {p} */ q, /** @type {r} */ s);\n";
        let left = "const a = 1;\nconst b = (a);\n(b).c();\n/* d */ e();\nf(q, s);\n";
        assert_eq!(without_comments(source), left);
    }
}
