#![doc = include_str!("../README.md")]

#[cfg(target_arch = "wasm32")]
mod exports;
mod question;
mod session;
mod trace;

pub use session::{EngineReply, Session};
