//! Recorded searches, and what a page shows of them.

mod columns;
mod node;
mod report;
mod terms;

pub(crate) use self::columns::{columns, csv, marks};
pub(crate) use self::node::Trace;
pub(crate) use self::report::TraceReport;
