//! What is told of every move: that it was played, and that the next one is to be.

use checkers_lib::Color;
use checkers_lib::protocol::{PlayedMove, WireSquare};

use crate::json::Fields;
use crate::table::{MoveTold, RequestTold};

/// Writes a request for a move without the legal ones as the library writes its message.
pub(super) fn write_request(told: &RequestTold<'_>, out: &mut String) {
    Fields::of(out)
        .text(r#"{"type":"your_turn","table":"#, told.table)
        .number(r#","game":"#, told.game)
        .number(r#","ply":"#, u64::from(told.ply))
        .plain(r#","fen":"#, told.fen)
        .some(r#","clocks":"#, told.clocks.as_ref())
        .some(r#","thinking_ms":"#, told.thinking_ms.as_ref())
        .raw("}");
}

/// Writes what is told of a move as the library writes its message.
pub(super) fn write_move(told: &MoveTold<'_>, out: &mut String) {
    let mut fields = Fields::of(out);
    fields
        .text(r#"{"type":"moved","table":"#, told.table)
        .number(r#","game":"#, told.game)
        .number(r#","seq":"#, u64::from(told.seq));
    write_played(&mut fields, r#","played":"#, &told.played);
    fields
        .plain(r#","fen":"#, &told.fen)
        .raw(match told.turn {
            Color::White => r#","turn":"white""#,
            Color::Black => r#","turn":"black""#,
        })
        .some(r#","clocks":"#, told.clocks.as_ref())
        .some(r#","id":"#, told.id.as_ref())
        .raw("}");
}

fn write_played(fields: &mut Fields<'_>, name: &str, played: &PlayedMove) {
    fields
        .raw(name)
        .number(r#"{"ply":"#, u64::from(played.ply))
        .raw(match Color::from(played.color) {
            Color::White => r#","color":"white","#,
            Color::Black => r#","color":"black","#,
        })
        .plain(r#""move":"#, &played.text);
    write_squares(fields, r#","squares":["#, &played.squares);
    write_squares(fields, r#"],"captures":["#, &played.captures);
    fields
        .raw(if played.promotes {
            r#"],"promotes":true"#
        } else {
            r#"],"promotes":false"#
        })
        .number(r#","elapsed_ms":"#, played.elapsed_ms)
        .some(r#","search":"#, played.search.as_ref())
        .raw("}");
}

fn write_squares(fields: &mut Fields<'_>, name: &str, squares: &[WireSquare]) {
    fields.raw(name);
    for (number, WireSquare(square)) in squares.iter().enumerate() {
        fields.plain(if number > 0 { "," } else { "" }, square.name());
    }
}

#[cfg(test)]
mod tests {
    use checkers_lib::protocol::{SearchInfo, WireClock, WireClocks};
    use checkers_lib::{Color, Game, Position};

    use super::*;

    const QUIET: &str = "W:Wa1,c3:Bh8";
    const CAPTURE: &str = "W:Wc3:Bd4,d6,Kh8";

    fn search() -> SearchInfo {
        SearchInfo {
            score: -7,
            depth: 3,
            nodes: 11,
            time_us: 13,
            pv: "c3:e5 h8-g7".parse().unwrap(),
        }
    }

    fn played(fen: &str, search: Option<SearchInfo>) -> PlayedMove {
        let position: Position = fen.parse().unwrap();
        let game = Game::from_position(position, checkers_lib::DrawRules::Fmjd64);
        let m = game.legal_moves()[0];
        let route = &m.routes(game.position())[0];
        PlayedMove {
            search,
            ..PlayedMove::new(&game, m, route, 1234)
        }
    }

    fn clocks() -> WireClocks {
        WireClocks {
            white: Some(WireClock {
                remaining_ms: 5,
                increment_ms: 6,
                delay_ms: None,
                per_move_ms: Some(7),
            }),
            black: None,
        }
    }

    #[test]
    fn a_move_is_told_as_the_library_writes_it() {
        for fen in [QUIET, CAPTURE] {
            for some in [false, true] {
                let told = MoveTold {
                    table: "k3x",
                    game: 7,
                    seq: 12,
                    played: played(fen, some.then(search)),
                    fen: fen.to_owned(),
                    turn: if some { Color::White } else { Color::Black },
                    clocks: some.then(clocks),
                    id: some.then_some("a \"b\"\\ \u{1} ш"),
                };
                let mut out = String::new();
                write_move(&told, &mut out);
                assert_eq!(out, serde_json::to_string(&told.message()).unwrap());
            }
        }
    }

    #[test]
    fn a_request_is_told_as_the_library_writes_it() {
        for some in [false, true] {
            let told = RequestTold {
                table: "a\"b",
                game: 0,
                ply: 41,
                fen: QUIET,
                legal_moves: Vec::new(),
                clocks: some.then(clocks),
                thinking_ms: some.then_some(99),
            };
            let mut out = String::new();
            write_request(&told, &mut out);
            assert_eq!(out, serde_json::to_string(&told.message()).unwrap());
        }
    }
}
