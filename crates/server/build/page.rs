//! Builds the page that release builds serve from the files in `web/`.
//!
//! Sixty modules compressed one by one exceed the page's budget, so modules are joined: [`MAIN`] with
//! all that it imports, and each module that is loaded later with what [`MAIN`] lacks. A style sheet
//! contains those that it imports. Their addresses contain a hash of all of them, so that browsers may
//! keep them for good and never mix two versions.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::panic::resume_unwind;
use std::path::Path;
use std::thread;

use flate2::Compression;
use flate2::write::GzEncoder;

/// The module that the page starts with.
const MAIN: &str = "js/main.js";

/// The engine in the browser.
const ENGINE: &str = "engine.wasm.gz";

/// Keeps the page for when the server cannot be reached.
const SERVICE_WORKER: &str = "service-worker.js";

/// What it keeps besides the files of the version.
const KEPT_AT_ROOT: [&str; 3] = ["/", "/manifest.webmanifest", "/assets/favicon.svg"];

/// The address of the files in `web/`.
const ASSETS: &str = "/assets/";

/// The folder of files whose address contains the version.
const VERSIONS: &str = "v";

/// Files by their path in `web/`.
type Sources = BTreeMap<String, Vec<u8>>;

/// Writes the page made of the files in `web` to the folder `out`.
///
/// # Errors
///
/// A file cannot be read or written, or imports one that does not exist.
pub(crate) fn build(web: &Path, out: &Path) -> io::Result<()> {
    let mut sources = Sources::new();
    read_folder(web, "", &mut sources)?;
    let mut versioned = join_scripts(&sources)?;
    versioned.extend(join_style_sheets(&sources)?);
    for path in sources.keys().filter(|path| path.ends_with(".svg")) {
        versioned.insert(path.clone(), text(&sources, path)?);
    }
    let mut hasher = DefaultHasher::new();
    versioned.hash(&mut hasher);
    sources.get(ENGINE).hash(&mut hasher);
    let folder = format!("{VERSIONS}/{:08x}/", hasher.finish() as u32);
    let with_version = |text: &str| text.replace(ASSETS, &format!("{ASSETS}{folder}"));

    if out.exists() {
        fs::remove_dir_all(out)?;
    }
    let mut kept: Vec<String> = KEPT_AT_ROOT.map(str::to_owned).into();
    let pack = |path: &str, text: &str| {
        let bytes = with_version(text).into_bytes();
        let target = out.join(&folder).join(path);
        write(&target, &bytes)?;
        write(&target.with_added_extension("br"), &brotli(&bytes)?)?;
        write(&target.with_added_extension("gz"), &gzip(&bytes)?)
    };
    // The first build waits for this.
    thread::scope(|scope| {
        let threads = { versioned.iter() }.map(|(path, text)| scope.spawn(|| pack(path, text)));
        let threads = Vec::from_iter(threads);
        { threads.into_iter() }
            .try_for_each(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })?;
    kept.extend(
        versioned
            .keys()
            .map(|path| format!("{ASSETS}{folder}{path}")),
    );
    for (path, bytes) in &sources {
        match path.rsplit_once('.') {
            Some((_, "js" | "css")) => {}
            Some((_, "gz")) => {
                kept.push(format!("{ASSETS}{folder}{path}"));
                write(&out.join(&folder).join(path), bytes)?;
            }
            Some((_, "html")) => {
                let text = with_version(&text(&sources, path)?);
                write(&out.join(path), text.as_bytes())?;
            }
            _ => write(&out.join(path), bytes)?,
        }
    }
    if sources.contains_key(SERVICE_WORKER) {
        let worker = service_worker(&text(&sources, SERVICE_WORKER)?, &folder, &kept);
        write(&out.join(SERVICE_WORKER), worker.as_bytes())?;
    }
    Ok(())
}

/// The service worker of a version, which keeps these addresses.
fn service_worker(text: &str, version: &str, kept: &[String]) -> String {
    let kept = kept.iter().map(|address| format!("'{address}'"));
    let kept = Vec::from_iter(kept).join(", ");
    text.replace("VERSION = ''", &format!("VERSION = '{version}'"))
        .replace("FILES = []", &format!("FILES = [{kept}]"))
}

fn read_folder(folder: &Path, prefix: &str, sources: &mut Sources) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = format!("{prefix}{}", entry.file_name().display());
        if entry.file_type()?.is_dir() {
            read_folder(&entry.path(), &format!("{path}/"), sources)?;
        } else {
            sources.insert(path, fs::read(entry.path())?);
        }
    }
    Ok(())
}

fn text(sources: &Sources, path: &str) -> io::Result<String> {
    let missing = || io::Error::new(io::ErrorKind::NotFound, format!("no {path}"));
    let bytes = sources.get(path).ok_or_else(missing)?;
    String::from_utf8(bytes.clone()).map_err(io::Error::other)
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, bytes)
}

fn brotli(mut bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut compressed = Vec::new();
    // The default is the best quality and the largest window.
    brotli::BrotliCompress(&mut bytes, &mut compressed, &Default::default())?;
    Ok(compressed)
}

fn gzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// [`MAIN`] and the modules that are loaded later, each joined with what it imports.
fn join_scripts(sources: &Sources) -> io::Result<BTreeMap<String, String>> {
    let mut main = Bundle::default();
    main.add(MAIN, sources, &BTreeSet::new())?;
    let mut scripts = BTreeMap::from([(MAIN.to_owned(), main.text)]);
    let mut queue = main.loaded_later;
    while let Some(path) = queue.pop() {
        if scripts.contains_key(&path) {
            continue;
        }
        let mut bundle = Bundle::default();
        bundle.add(&path, sources, &main.modules)?;
        queue.append(&mut bundle.loaded_later);
        scripts.insert(path, bundle.finish());
    }
    Ok(scripts)
}

/// Modules in one text, each after those that it imports.
#[derive(Default)]
struct Bundle {
    modules: BTreeSet<String>,
    /// Names imported from [`MAIN`].
    imported: BTreeSet<String>,
    loaded_later: Vec<String>,
    text: String,
}

impl Bundle {
    /// Adds a module with what it imports, except the modules of `main`. A module's imports are its
    /// first statements, and each imports names from a relative path.
    fn add(&mut self, path: &str, sources: &Sources, main: &BTreeSet<String>) -> io::Result<()> {
        if !self.modules.insert(path.to_owned()) {
            return Ok(());
        }
        let source = without_comments(&text(sources, path)?);
        let mut body = source.as_str();
        while let Some((names, rest)) = body
            .strip_prefix("import {")
            .and_then(|rest| rest.split_once("} from '"))
        {
            let (target, rest) = rest.split_once("';\n").unwrap_or((rest, ""));
            let target = resolve(path, target);
            if main.contains(&target) {
                let names = names.split(',').map(str::trim);
                let names = names.filter(|name| !name.is_empty());
                self.imported.extend(names.map(str::to_owned));
            } else {
                self.add(&target, sources, main)?;
            }
            body = rest;
        }
        for (place, piece) in body.split("import('").enumerate() {
            if place == 0 {
                self.text.push_str(piece);
                continue;
            }
            let (target, rest) = piece.split_once('\'').unwrap_or((piece, ""));
            let target = resolve(path, target);
            self.text
                .push_str(&format!("import('{ASSETS}{target}'{rest}"));
            self.loaded_later.push(target);
        }
        // A worker is named by its address.
        for piece in body.split(&format!("Worker('{ASSETS}")).skip(1) {
            let (target, _) = piece.split_once('\'').unwrap_or((piece, ""));
            self.loaded_later.push(target.to_owned());
        }
        Ok(())
    }

    fn finish(self) -> String {
        if self.imported.is_empty() {
            return self.text;
        }
        let names = Vec::from_iter(self.imported).join(", ");
        format!("import {{ {names} }} from '{ASSETS}{MAIN}';\n{}", self.text)
    }
}

/// Style sheets with those that they import.
fn join_style_sheets(sources: &Sources) -> io::Result<BTreeMap<String, String>> {
    let mut sheets = BTreeMap::new();
    let mut imported = BTreeSet::new();
    for path in sources.keys().filter(|path| path.ends_with(".css")) {
        let mut sheet = without_comments(&text(sources, path)?);
        while let Some((before, rest)) = sheet.split_once("@import \"") {
            let (name, after) = rest.split_once("\";\n").unwrap_or((rest, ""));
            let target = resolve(path, name);
            let content = without_comments(&text(sources, &target)?);
            sheet = format!("{before}{content}{after}");
            imported.insert(target);
        }
        sheets.insert(path.clone(), sheet);
    }
    sheets.retain(|path, _| !imported.contains(path));
    Ok(sheets)
}

/// The path of a file that `path` names relative to itself.
fn resolve(path: &str, name: &str) -> String {
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    for part in name.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// A script or style sheet without indentation and comments, which makes it a quarter shorter. A
/// comment begins a line or ends on the line that it begins on; no text in a script spans lines or
/// contains a comment.
fn without_comments(source: &str) -> String {
    let mut kept = String::with_capacity(source.len());
    let mut in_comment = false;
    for line in source.lines().map(str::trim) {
        if in_comment || (line.starts_with("/*") && !line.contains("*/")) {
            in_comment = !line.ends_with("*/");
        } else if !line.starts_with("//") {
            push_code(&mut kept, line);
        }
    }
    kept
}

/// Adds what of the line is code.
fn push_code(kept: &mut String, line: &str) {
    let mut rest = line;
    let length = kept.len();
    while let Some((code, after)) = rest.split_once("/*") {
        kept.push_str(code);
        rest = after
            .split_once("*/")
            .map_or("", |(_, code)| code.trim_start());
    }
    kept.push_str(rest);
    if kept.len() > length {
        kept.push('\n');
    }
}
