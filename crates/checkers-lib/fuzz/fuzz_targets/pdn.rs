//! Games as text: what is read is written, and read again as the same.

#![no_main]

use checkers_lib::DrawRules;
use checkers_lib::pdn::{self, Games, Numbering};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let plain = Games::new(text);
    let numbered = Numbering::ALL.into_iter().flat_map(|n| Games::new(text).numbering(n));
    for game in plain.chain(numbered).flatten() {
        let written = game.to_string();
        assert_eq!(pdn::parse(&written), Ok(vec![game.clone()]), "{written}");
        for rules in [DrawRules::Fmjd64, DrawRules::Study] {
            if let Ok(played) = game.to_game(rules) {
                assert_eq!(played.moves().len(), game.moves().len());
            }
        }
    }
});
