#![doc = include_str!("../README.md")]

mod address;
mod connect;
mod error;
mod schema;
mod tls;

pub use address::{PostgresAddress, PostgresAddressError};
pub use connect::{Connection, Connector};
pub use error::{PostgresError, cause, is_duplicate, is_rolled_back, is_transient};
pub use schema::Schema;
pub use tls::AnyCertificate;
