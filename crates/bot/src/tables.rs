//! The endgame tablebases of this machine.

use std::io::{self, Write};

use checkers_engine::tablebase::{Tablebases, Warn};

/// Lets all bots of this process use the tables that the environment names. Warns on stderr of those that cannot be
/// used.
pub(crate) fn share() {
    let warn: Warn = |fault| {
        let _ = writeln!(io::stderr(), "warning: {fault}");
    };
    Tablebases::load(Tablebases::directory().as_deref(), warn).share();
}
