//! Several servers as one: nodes that share a database, and divide the tables among them.

mod failure_detector;
