//! The schemas of texts that have a form of their own.

use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

/// The schema of a FEN; `format` requires it to be valid.
pub(in crate::http::api) fn fen_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "string", "format": "draughts-fen", "pattern": "^[WBwb]:",
        "examples": ["W:Wc3,Kd4:Ba7"],
    })
}

/// The schema of moves, each legal after the ones before it.
pub(in crate::http::api) fn moves_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "string", "format": "draughts-moves"})
}

/// A day, or a time of a day; neither is before 1970.
pub(in crate::http::api) fn moment_schemas() -> Value {
    let since_1970 = "^(19[7-9][0-9]|2[0-9]{3})-";
    json!([
        {"format": "date", "pattern": format!("{since_1970}[0-9]{{2}}-[0-9]{{2}}$")},
        {"format": "date-time", "pattern": format!("{since_1970}.*Z$")},
    ])
}

/// The pattern of a clock, or of the clocks of both sides.
pub(in crate::http::api) const CLOCK: &str = "\
    ^(none|[1-9][0-9]?(s|m)([+~][0-9]{1,2}(s|m)|/move)?|([1-9]|[12][0-9]|30)d/move)\
    (,(none|[1-9][0-9]?(s|m)([+~][0-9]{1,2}(s|m)|/move)?|([1-9]|[12][0-9]|30)d/move))?$";
