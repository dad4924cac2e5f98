//! Messages: what is read is written, and read again as the same.

#![no_main]

use std::fmt::Debug;

use checkers_lib::protocol::{ClientMessage, ServerMessage};
use libfuzzer_sys::fuzz_target;
use serde_json::{from_slice, from_str, to_string};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(message) = from_slice::<ClientMessage>(bytes) {
        assert!(ClientMessage::TYPES.contains(&message.type_name()));
        comes_back(&message);
    }
    if let Ok(message) = from_slice::<ServerMessage>(bytes) {
        comes_back(&message);
    }
});

fn comes_back<T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + Debug>(message: &T) {
    let text = to_string(message).expect("a wire type has no key but strings");
    assert_eq!(from_str::<T>(&text).ok().as_ref(), Some(message), "{text}");
}
