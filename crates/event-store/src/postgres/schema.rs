//! The schema of the server.

use postgres_kit::Schema;

/// The tables of the store, in all of their versions.
pub(super) const SCHEMA: Schema = Schema {
    table: "checkers_schema",
    steps: &[
        include_str!("migrations/v1.sql"),
        include_str!("migrations/v2.sql"),
        include_str!("migrations/v3.sql"),
        include_str!("migrations/v4.sql"),
        include_str!("migrations/v5.sql"),
        include_str!("migrations/v6.sql"),
        include_str!("migrations/v7.sql"),
        include_str!("migrations/v8.sql"),
        include_str!("migrations/v9.sql"),
        include_str!("migrations/v10.sql"),
        include_str!("migrations/v11.sql"),
        include_str!("migrations/v12.sql"),
    ],
};
