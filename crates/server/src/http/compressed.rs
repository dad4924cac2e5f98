//! Files of the page, compressed.
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
#[derive(Clone)]
pub(super) struct File {
    pub(super) path: String,
    pub(super) hash: [u8; 32],
    pub(super) data: Bytes,
}

type Packed = HashMap<[u8; 32], Bytes>;

/// What has been compressed well, by the hash of the file.
static PACKED: LazyLock<Mutex<Packed>> = LazyLock::new(Mutex::default);

/// Begins to compress the files well, once.
pub(super) fn pack(files: impl FnOnce() -> Vec<File> + Send + 'static) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let packing = thread::Builder::new().name("page".to_owned());
        let packing = packing.spawn(|| {
            for file in files() {
                match brotli(&file.data) {
                    Ok(bytes) => drop(packed().insert(file.hash, bytes.into())),
                    Err(error) => warn!(%error, path = file.path, "cannot compress"),
                }
            }
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
pub(super) fn coded(file: &File, headers: &HeaderMap) -> Coded {
    if accepts(headers, "br")
        && let Some(bytes) = packed().get(&file.hash)
    {
        let (bytes, coding) = (bytes.clone(), Some("br"));
        return Coded { bytes, coding };
    }
    let (bytes, coding) = match accepts(headers, "gzip").then(|| gzip(&file.data)) {
        Some(Ok(zipped)) => (zipped.into(), Some("gzip")),
        Some(Err(error)) => {
            warn!(%error, path = file.path, "cannot compress");
            (file.data.clone(), None)
        }
        None => (file.data.clone(), None),
    };
    Coded { bytes, coding }
}

fn accepts(headers: &HeaderMap, coding: &str) -> bool {
    listed(headers, header::ACCEPT_ENCODING).any(|accepted| accepted == coding)
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
