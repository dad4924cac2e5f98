//! Positions as text: what is read is a position that its own text names, and so are its moves.

#![no_main]

use checkers_lib::Position;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (fen, moves) = text.split_once('\n').unwrap_or((text, ""));
    let Ok(mut position) = fen.parse::<Position>() else {
        return;
    };
    assert_eq!(
        position.to_string().parse(),
        Ok(position.clone()),
        "{position}"
    );
    position.setup().check().expect("a position is possible");
    for m in position.legal_moves() {
        for text in [position.notation(m), position.full_notation(m)] {
            assert_eq!(position.parse_move(&text), Ok(m), "{text} in {position}");
        }
    }
    for text in moves.lines() {
        let Ok((m, route)) = position.parse_route(text) else {
            continue;
        };
        assert!(position.is_legal(m), "{text} in {position}");
        assert!(m.routes(&position).contains(&route), "{text} in {position}");
        position = position.play(m).expect("legal");
    }
});
