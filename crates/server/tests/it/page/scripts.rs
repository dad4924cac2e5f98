//! Runs the tests written in JavaScript against the modules that browsers load.
//!
//! Each `js/*.test.js` exports functions; every one is a test, and may take several turns. They ask
//! the rules library for legal moves through `rules`, as the page asks the server.

use std::fs;
use std::path::{Path, PathBuf};

use checkers_lib::Position;
use checkers_lib::protocol::LegalMove;
use rquickjs::loader::{BuiltinLoader, BuiltinResolver, ImportAttributes, Loader, Resolver};
use rquickjs::module::Declared;
use rquickjs::promise::MaybePromise;
use rquickjs::{CatchResultExt, Context, Ctx, Error, Function, Module, Object, Runtime};

use crate::page::named_by;

fn manifest() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Names of modules are paths relative to the crate.
struct Paths;

impl Resolver for Paths {
    fn resolve<'js>(
        &mut self,
        _: &Ctx<'js>,
        base: &str,
        name: &str,
        _: Option<ImportAttributes<'js>>,
    ) -> rquickjs::Result<String> {
        let path = named_by(Path::new(base), name);
        let name = path.to_string_lossy().into_owned();
        if manifest().join(&name).is_file() {
            Ok(name)
        } else {
            Err(Error::new_resolving(base, name))
        }
    }
}

struct Files;

impl Loader for Files {
    fn load<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        name: &str,
        _: Option<ImportAttributes<'js>>,
    ) -> rquickjs::Result<Module<'js, Declared>> {
        let source = fs::read(manifest().join(name)).map_err(|_| Error::new_loading(name))?;
        Module::declare(ctx.clone(), name, source)
    }
}

/// The legal moves of a position as the server tells them.
fn legal_moves(fen: String) -> String {
    let position: Position = fen.parse().unwrap();
    serde_json::to_string(&LegalMove::all(&position)).unwrap()
}

/// The position after a move.
fn after(fen: String, text: String) -> String {
    let position: Position = fen.parse().unwrap();
    let m = position.parse_move(&text).unwrap();
    position.play(m).unwrap().to_string()
}

/// Whether a text is a module, beside the one that the page begins with: its address and text.
pub(crate) fn parse(name: &str, text: &str, main: (&str, &str)) -> Result<(), String> {
    let runtime = Runtime::new().unwrap();
    let resolver = BuiltinResolver::default().with_module(main.0);
    let loader = BuiltinLoader::default().with_module(main.0, main.1);
    runtime.set_loader(resolver, loader);
    let context = Context::full(&runtime).unwrap();
    context.with(|ctx| {
        let module = Module::declare(ctx.clone(), name, text).catch(&ctx);
        module.map(|_| ()).map_err(|error| error.to_string())
    })
}

fn run(test: &Path) -> Vec<String> {
    let runtime = Runtime::new().unwrap();
    runtime.set_loader(Paths, Files);
    let context = Context::full(&runtime).unwrap();
    context.with(|ctx| {
        let rules = Object::new(ctx.clone()).unwrap();
        let start = Position::start().to_string();
        rules.set("start", start).unwrap();
        rules
            .set("legalJson", Function::new(ctx.clone(), legal_moves))
            .unwrap();
        rules
            .set("after", Function::new(ctx.clone(), after))
            .unwrap();
        ctx.globals().set("rules", rules).unwrap();

        let name = test.strip_prefix(manifest()).unwrap().to_string_lossy();
        let loading = Module::import(&ctx, name.as_ref()).catch(&ctx);
        let module: Object = loading
            .and_then(|promise| promise.finish().catch(&ctx))
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut failures = Vec::new();
        let mut tests = 0;
        for (export, test) in module.props::<String, Function>().map(Result::unwrap) {
            tests += 1;
            let called = test.call::<_, MaybePromise>(());
            let ended = called.and_then(|ended| ended.finish::<()>());
            if let Err(error) = ended.catch(&ctx) {
                failures.push(format!("{name}: {export}: {error}"));
            }
        }
        assert!(tests > 0, "{name} has no tests");
        failures
    })
}

#[test]
fn the_modules_of_the_page_do_what_their_tests_say() {
    let mut tests: Vec<PathBuf> = fs::read_dir(manifest().join("tests/it/page/js"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_string_lossy().ends_with(".test.js"))
        .collect();
    tests.sort();
    assert!(!tests.is_empty());
    let failures: Vec<String> = tests.iter().flat_map(|test| run(test)).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
