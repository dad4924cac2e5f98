//! The Hub protocol: the program as an engine, and as one that plays with engines.

mod fake;
mod serving;
mod using;
