//! Games as text: what is read is written, and read again as the same.

#![no_main]

use checkers_lib::DrawRules;
use checkers_lib::pdn::{self, Games, Numbering};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let plain = Games::new(text);
    let from_b8 = Games::new(text).numbering(Numbering::FromB8);
    let from_a1 = Games::new(text).numbering(Numbering::FromA1);
    for game in plain.chain(from_b8).chain(from_a1).flatten() {
        let written = game.to_string();
        assert_eq!(pdn::parse(&written), Ok(vec![game.clone()]), "{written}");
        for rules in [DrawRules::Fmjd64, DrawRules::Study] {
            if let Ok(played) = game.to_game(rules) {
                assert_eq!(played.moves().len(), game.moves().len());
            }
        }
    }
});
