//! The tables of the ledger.

use postgres_kit::Schema;

/// The tables of the ledger, in all of their versions.
pub(crate) const SCHEMA: Schema = Schema {
    table: "tournament_schema",
    steps: &[
        include_str!("migrations/v1.sql"),
        include_str!("migrations/v2.sql"),
    ],
};
