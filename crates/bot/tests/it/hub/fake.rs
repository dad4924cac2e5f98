//! Engines that do as they are told: a script in Python.

use checkers_bot::{HubEngine, HubError, HubSpec};

/// The spec of an engine that behaves so and has these moves.
pub(super) fn spec(behaviour: &str, moves: &str) -> HubSpec {
    format!("hub:cmd={}", command(behaviour, moves))
        .parse()
        .unwrap()
}

/// The command that starts it.
pub(super) fn command(behaviour: &str, moves: &str) -> String {
    let python = std::env::var("CHECKERS_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/hub/fake.py");
    format!("exec '{python}' -u '{script}' {behaviour} {moves}")
}

/// Why an engine does not start.
pub(super) fn start_error(spec: &HubSpec) -> HubError {
    match HubEngine::start(spec, None) {
        Ok(_) => panic!("{spec} starts"),
        Err(error) => error,
    }
}
