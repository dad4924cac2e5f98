//! The page as release builds serve it.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;

use crate::build;
use crate::page::files::{HttpResponse, get, web};
use crate::page::scripts;

/// What a browser loads to play or watch, compressed, in bytes.
const TO_PLAY: u64 = 54 * 1024;
/// The same with all that is loaded when analysis, editor or help are opened.
const WHOLE: u64 = 73 * 1024;
/// What is loaded besides when finished games, a player, ratings, an account, a tournament or games by correspondence are
/// looked at.
const RECORDS: u64 = 27 * 1024;

/// What is loaded besides when a player is reported, or by moderators.
const MODERATION: u64 = 5 * 1024;

/// What is loaded besides when the search explorer or a lesson is opened.
const EXPLORER: u64 = 26 * 1024;

/// What is loaded besides with the engine and the game that the page keeps.
const ENGINE: u64 = 6 * 1024;

/// The folder with the built page.
fn built() -> &'static Path {
    static BUILT: LazyLock<PathBuf> = LazyLock::new(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("page");
        build::build(&web(), &folder).unwrap();
        folder
    });
    &BUILT
}

/// The part of the addresses that changes with the page: a folder's path.
fn version() -> String {
    let mut versions = fs::read_dir(built().join("v")).unwrap();
    let version = versions.next().unwrap().unwrap().file_name();
    assert!(versions.next().is_none());
    format!("v/{}/", version.display())
}

/// Whether a file is loaded only by the engine, and is no text.
fn is_of_engine(path: &str) -> bool {
    [".wasm.gz", ".wdl", ".dist"]
        .iter()
        .any(|ending| path.ends_with(ending))
}

/// The files that a browser may load, by their path without the version.
fn loaded() -> BTreeMap<String, String> {
    let version = version();
    let mut found = BTreeMap::new();
    let mut paths = vec!["index.html".to_owned()];
    while let Some(path) = paths.pop() {
        let name = path.strip_prefix(&version).unwrap_or(&path).to_owned();
        if found.contains_key(&name) {
            continue;
        }
        let text = fs::read_to_string(built().join(&path));
        let text = text.unwrap_or_else(|error| panic!("{path}: {error}"));
        let quoted = text.split(['"', '\'', '`', '#']);
        let assets = quoted.filter_map(|piece| piece.strip_prefix("/assets/"));
        paths.extend(
            assets
                .filter(|path| !path.contains("${") && !is_of_engine(path))
                .map(str::to_owned),
        );
        found.insert(name, text);
    }
    found
}

#[test]
fn the_page_keeps_within_its_budget() {
    let size = |name: &str| {
        let compressed = built().join(format!("{}{name}.br", version()));
        let file = if name == "index.html" {
            built().join(name)
        } else {
            compressed
        };
        fs::metadata(file).unwrap().len()
    };
    let names = loaded().into_keys();
    let sizes: BTreeMap<String, u64> = names.map(|name| (name.clone(), size(&name))).collect();
    assert!(sizes.contains_key("js/i18n/ru_study.js"), "{sizes:?}");
    let sum = |wanted: &dyn Fn(&str) -> bool| -> u64 {
        let wanted = sizes.iter().filter(|(name, _)| wanted(name));
        wanted.map(|(_, size)| size).sum()
    };
    let is_word = |name: &str| name.starts_with("js/i18n/");
    let is_of_records = |name: &str| name.contains("/records.") || name.ends_with("_records.js");
    let is_of_explorer = |name: &str| name.contains("/explorer.") || name.ends_with("_explorer.js");
    let is_of_moderation =
        |name: &str| name.contains("/moderation.") || name.ends_with("_moderation.js");
    let is_later = |name: &str| name.ends_with("study.js") || name.ends_with("study.css");
    // A browser loads one language: the longer one is counted.
    let words = |is_wanted: &dyn Fn(&str) -> bool| {
        let of = |language: &str| {
            let folder = format!("js/i18n/{language}");
            sum(&|name| name.starts_with(&folder) && is_wanted(name))
        };
        of("en").max(of("ru"))
    };
    let part = |is_wanted: &dyn Fn(&str) -> bool| {
        sum(&|name| is_wanted(name) && !is_word(name)) + words(is_wanted)
    };
    let is_of_engine = |name: &str| name.starts_with("js/engine/");
    let is_of_game = |name: &str| {
        !is_of_records(name)
            && !is_of_explorer(name)
            && !is_of_moderation(name)
            && !is_of_engine(name)
    };
    let to_play = part(&|name| is_of_game(name) && !is_later(name));
    let whole = part(&is_of_game);
    for (part, most) in [
        (part(&is_of_records), RECORDS),
        (part(&is_of_moderation), MODERATION),
        (part(&is_of_explorer), EXPLORER),
        (part(&is_of_engine), ENGINE),
    ] {
        assert!(
            part > 0 && part <= most,
            "{part} of {most} bytes: {sizes:#?}"
        );
    }
    println!("{to_play} bytes compressed to play, {whole} with analysis, editor and help");
    assert!(to_play <= TO_PLAY, "{to_play} bytes to play: {sizes:#?}");
    assert!(whole <= WHOLE, "{whole} bytes: {sizes:#?}");
}

/// Two modules with the same name at their top level cannot be joined.
#[test]
fn joined_modules_are_valid_and_import_only_what_the_first_one_exports() {
    let loaded = loaded();
    let main = &loaded["js/main.js"];
    let address = format!("/assets/{}js/main.js", version());
    for (name, text) in loaded.iter().filter(|(name, _)| name.ends_with(".js")) {
        let parsed = scripts::parse(name, text, (&address, main));
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

/// The build removes comments line by line.
#[test]
fn no_text_of_a_script_spans_lines_or_contains_a_comment() {
    for path in crate::page::files::files(&web().join("js")) {
        for (number, line) in fs::read_to_string(&path).unwrap().lines().enumerate() {
            let is_comment = line.trim_start().starts_with(['*', '/']);
            let ticks = line.matches('`').count();
            assert!(is_comment || ticks % 2 == 0, "{path:?}:{}", number + 1);
            let before = line.split("/*").next().unwrap_or_default();
            let is_in_text = ['`', '\'', '"'].map(|quote| before.matches(quote).count() % 2 == 1);
            assert!(
                !line.contains("/*") || is_in_text == [false; 3],
                "{path:?}:{}",
                number + 1
            );
        }
    }
}

/// Builds a page of these files and returns the files whose address contains the version, and the
/// document, both with `VERSION` in place of the version.
fn build_page(files: &[(&str, &str)]) -> BTreeMap<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let (web, out) = (folder.path().join("web"), folder.path().join("out"));
    for (path, text) in files {
        let path = web.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    build::build(&web, &out).unwrap();
    let versions = fs::read_dir(out.join("v")).unwrap();
    let version = versions.last().unwrap().unwrap().path();
    let name = version.file_name().unwrap().to_str().unwrap();
    let texts = crate::page::files::files(&version)
        .into_iter()
        .filter(|path| {
            let ending = path.extension().unwrap();
            ending == "js" || ending == "css"
        });
    texts
        .chain([out.join("index.html")])
        .map(|path| {
            let text = fs::read_to_string(&path).unwrap().replace(name, "VERSION");
            let path = path
                .strip_prefix(&version)
                .unwrap_or(Path::new("index.html"));
            (path.to_str().unwrap().to_owned(), text)
        })
        .collect()
}

const PAGE: [(&str, &str); 8] = [
    (
        "index.html",
        "<script src=\"/assets/js/main.js\"></script>\n",
    ),
    (
        "js/main.js",
        "/** Begins. */\nimport { a } from './core/a.js';\nimport { b } from './core/b.js';\n\
         export const late = () => import('./views/late.js');\na(b);\n",
    ),
    (
        "js/core/a.js",
        "import {\n  b,\n} from './b.js';\nexport const a = () => b;\n",
    ),
    ("js/core/b.js", "export const b = 1;\n"),
    (
        "js/views/late.js",
        "import { b } from '../core/b.js';\nimport { c } from './c.js';\nexport const d = b + c;\n",
    ),
    (
        "js/views/c.js",
        "import { a, b } from '../core/a.js';\nexport const c = a() + b;\n",
    ),
    (
        "css/page.css",
        "/* All. */\n@import \"one.css\";\np { top: 0; }\n",
    ),
    ("css/one.css", "a {\n  left: url(/assets/x.svg);\n}\n"),
];

#[test]
fn modules_are_joined_with_what_they_import() {
    let page = build_page(&PAGE);
    let names: Vec<&str> = page.keys().map(String::as_str).collect();
    let wanted = [
        "css/page.css",
        "index.html",
        "js/main.js",
        "js/views/late.js",
    ];
    assert_eq!(names, wanted);
    assert_eq!(
        page["js/main.js"],
        "export const b = 1;\nexport const a = () => b;\n\
         export const late = () => import('/assets/v/VERSION/js/views/late.js');\na(b);\n"
    );
    assert_eq!(
        page["js/views/late.js"],
        "import { a, b } from '/assets/v/VERSION/js/main.js';\nexport const c = a() + b;\n\
         export const d = b + c;\n"
    );
    assert_eq!(
        page["css/page.css"],
        "a {\nleft: url(/assets/v/VERSION/x.svg);\n}\np { top: 0; }\n"
    );
    assert_eq!(
        page["index.html"],
        "<script src=\"/assets/v/VERSION/js/main.js\"></script>\n"
    );
}

#[test]
fn comments_are_removed() {
    let source = "/** One line. */\nconst a = 1;\n\n/**\n * Several.\n * @type {x}\n */\n\
        // Why.\n  const b = /** @type {y} */ (a);\n/** @type {z} */ (b).c();\n/* d */ e();\n\
        f(/** @type {p} */ q, /** @type {r} */ s);\n";
    let page = build_page(&[("index.html", ""), ("js/main.js", source)]);
    let left = "const a = 1;\nconst b = (a);\n(b).c();\ne();\nf(q, s);\n";
    assert_eq!(page["js/main.js"], left);
}

#[test]
fn a_module_that_does_not_exist_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let web = folder.path().join("web");
    fs::create_dir_all(web.join("js")).unwrap();
    fs::write(web.join("js/main.js"), "import { a } from './a.js';\n").unwrap();
    let error = build::build(&web, &folder.path().join("out")).unwrap_err();
    assert_eq!(error.to_string(), "no js/a.js");
}

/// A server of the built page, which ends when this is dropped.
struct Program(Child);

impl Program {
    /// Starts it and returns its address too.
    fn start() -> (Program, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_checkers-server"));
        command.args(["--bind", "127.0.0.1", "--port", "0", "--in-memory"]);
        command.env("CHECKERS_PAGE", built());
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        let output = child.stdout.as_mut().unwrap();
        BufReader::new(output).read_line(&mut line).unwrap();
        let address = line.strip_prefix("listening on ws://").unwrap();
        (Program(child), address.trim().to_owned())
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::test]
async fn browsers_keep_versioned_files_and_get_them_compressed() {
    const FOREVER: &str = "public, max-age=31536000, immutable";
    let (_program, address) = Program::start();
    let ask =
        async |path: &str, headers: &str| -> HttpResponse { get(&address, path, headers).await };
    let page = ask("/", "").await;
    assert_eq!(page.header("cache-control"), "no-cache");
    let script = format!("/assets/{}js/main.js", version());
    assert!(page.text().contains(&format!("src=\"{script}\"")));
    let plain = ask(&script, "").await;
    assert_eq!(plain.header("cache-control"), FOREVER);
    let kind = "text/javascript; charset=utf-8";
    assert_eq!(plain.header("content-type"), kind);
    for (coding, ending) in [("br", "br"), ("gzip", "gz")] {
        let accepting = format!("Accept-Encoding: {coding}\r\n");
        let answer = ask(&script, &accepting).await;
        assert_eq!(answer.header("content-encoding"), coding);
        assert_eq!(answer.header("content-type"), kind);
        assert_eq!(answer.header("cache-control"), FOREVER);
        assert_eq!(answer.header("etag"), plain.header("etag"));
        assert_eq!(answer.header("vary"), "accept-encoding");
        let file = built().join(format!("{}js/main.js.{ending}", version()));
        assert_eq!(answer.body, fs::read(file).unwrap());
    }
    let other_version = "/assets/v/0123456789abcdef/js/main.js";
    let missing = ask(other_version, "").await;
    assert_eq!(missing.status, "HTTP/1.1 404 Not Found");
    let picture = ask("/assets/icon-512.png", "").await;
    assert_eq!(picture.header("cache-control"), "no-cache");
}
