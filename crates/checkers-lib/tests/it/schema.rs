//! The committed JSON Schemas say what the types say.

use checkers_lib::protocol::{Addressed, GameRecord, ServerMessage};
use schemars::{JsonSchema, schema_for};

fn check<T: JsonSchema>(name: &str) {
    let file = format!(
        "{}/../../docs/schema/{name}.json",
        env!("CARGO_MANIFEST_DIR")
    );
    let current = serde_json::to_string_pretty(&schema_for!(T)).unwrap() + "\n";
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&file, &current).unwrap();
    }
    let committed = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        committed == current,
        "docs/schema/{name}.json is not what the types say; write it with \
         UPDATE_DOCS=1 cargo test -p checkers-lib --features schema schema"
    );
}

#[test]
fn the_schema_of_what_clients_say_is_current() {
    check::<Addressed>("client-message");
}

#[test]
fn the_schema_of_what_the_server_says_is_current() {
    check::<ServerMessage>("server-message");
}

#[test]
fn the_schema_of_finished_games_is_current() {
    check::<GameRecord>("game-record");
}
