//! Positions and moves as text: what is written is read back, what is lenient is accepted, and
//! nonsense is an error that says where.

use checkers_lib::{
    Bitboard, Color, FenError, Move, MoveTextError, Position, Route, Setup, Square,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::RngSeed;

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn a_written_position_is_read_back(setup in setups()) {
        let position = Position::from_setup(setup).unwrap();
        let text = position.to_string();
        prop_assert_eq!(&text.parse::<Position>().unwrap(), &position, "{}", text);
        prop_assert_eq!(text.parse::<Setup>().unwrap(), setup, "{}", text);
        prop_assert_eq!(text.parse::<Position>().unwrap().to_string(), text);
    }

    #[test]
    fn a_position_written_carelessly_is_read_all_the_same(
        setup in setups(),
        careless in vec(any::<bool>(), 6),
        rotate in any::<Index>(),
    ) {
        let text = write_carelessly(&setup, &careless, rotate);
        prop_assert_eq!(text.parse::<Setup>(), Ok(setup), "{}", text);
    }

    #[test]
    fn a_mangled_position_is_read_or_refused(
        setup in setups(),
        edits in vec((any::<Index>(), 0..3_u8, characters()), 1..4),
    ) {
        let mut text: Vec<char> = setup.to_string().chars().collect();
        for (at, edit, character) in edits {
            mangle(&mut text, at, edit, character);
        }
        let text: String = text.into_iter().collect();
        match text.parse::<Position>() {
            Ok(position) => prop_assert_eq!(position.to_string().parse(), Ok(position)),
            Err(FenError::Syntax { column, .. }) => {
                prop_assert!((1..=text.chars().count() + 1).contains(&column), "{}", text);
            }
            Err(
                FenError::LightSquare { column, .. }
                | FenError::TakenTwice { column, .. }
                | FenError::Numbers { column, .. },
            ) => {
                prop_assert!((1..=text.chars().count()).contains(&column), "{}", text);
            }
            Err(FenError::Setup(_)) => {}
        }
    }

    #[test]
    fn any_text_is_no_position_and_no_harm(text in ".*") {
        prop_assert!(text.parse::<Position>().is_err());
    }

    #[test]
    fn a_written_move_is_read_back(setup in setups()) {
        let position = Position::from_setup(setup).unwrap();
        for &m in &position.legal_moves() {
            for text in [position.notation(m), position.full_notation(m)] {
                prop_assert_eq!(position.parse_move(&text), Ok(m), "{} in {}", text, &position);
            }
        }
    }

    #[test]
    fn every_route_is_read_as_its_move(setup in setups(), careless in vec(any::<bool>(), 4)) {
        let position = Position::from_setup(setup).unwrap();
        for (m, route) in position.routes() {
            let text = route.to_string();
            prop_assert_eq!(position.parse_move(&text), Ok(m), "{} in {}", text, &position);
            let text = write_route_carelessly(&route, &careless);
            prop_assert_eq!(position.parse_move(&text), Ok(m), "{} in {}", text, &position);
        }
    }

    #[test]
    fn any_text_is_no_move_and_no_harm(setup in setups(), text in "[a-hA-H1-9x:×\\- é]*|.*") {
        let position = Position::from_setup(setup).unwrap();
        if let Ok(m) = position.parse_move(&text) {
            prop_assert!(position.is_legal(m), "{} in {}", text, &position);
        }
    }
}

proptest! {
    // Texts that fit several moves are rare.
    #![proptest_config(cases(20_000))]

    #[test]
    fn a_part_of_a_route_is_read_or_found_ambiguous(
        setup in setups(),
        which in any::<Index>(),
        keep in vec(any::<bool>(), 24),
    ) {
        let position = Position::from_setup(setup).unwrap();
        let routes = position.routes();
        if routes.is_empty() {
            return Ok(());
        }
        let squares = part_of(&which.get(&routes).1, &keep);
        let text = squares.iter().map(Square::to_string).collect::<Vec<_>>().join(":");
        let read = position.parse_move(&text);
        let fitting = moves_that_fit(&squares, &routes);
        match fitting[..] {
            [] => prop_assert!(false, "{} is part of a route in {}", text, &position),
            [m] => prop_assert_eq!(read, Ok(m), "{} in {}", text, &position),
            _ => assert_ambiguous(&position, &text, read, &fitting)?,
        }
    }
}

#[test]
fn the_lenient_forms_of_a_move_are_read() {
    let start = Position::start();
    let quiet = start.parse_move("c3-d4").unwrap();
    for text in [
        "c3d4", "c3 d4", "C3-D4", "c3 - d4", " c3-d4\t", "c3:d4", "c3xd4", "cd4", "c-d4", " C D4 ",
    ] {
        assert_eq!(start.parse_move(text), Ok(quiet), "{text}");
    }
    let position: Position = "W:Wd4:Bc5,g5,c7".parse().unwrap();
    let capture = position.parse_move("d4:b6:d8:h4").unwrap();
    for text in [
        "d4:h4",
        "d4:b6:h4",
        "d4:d8:h4",
        "d4xb6xd8xh4",
        "d4×b6×d8×h4",
        "D4XB6XD8XH4",
        "d4-b6-d8-h4",
        "d4b6d8h4",
        "d4 : b6 x d8h4",
        "dh4",
        "d:h4",
        "dxd8xh4",
    ] {
        assert_eq!(position.parse_move(text), Ok(capture), "{text}");
    }
}

#[test]
fn the_shortest_form_that_names_one_move_is_written() {
    for (fen, route, notation) in [
        ("W:Wc3:Bb6", "c3-d4", "c3-d4"),
        ("W:Wd4:Bc5,g5,c7", "d4:b6:d8:h4", "d4:h4"),
        ("W:WKe7:Bg3,b6,d6,f6", "e7:c5:a7", "e7:c5:a7"),
        ("W:WKe7:Bg3,b6,d6,f6", "e7:h4:f2:a7", "e7:h4:f2:a7"),
        ("W:WKe5:Bb4,b6,d6,g7", "e5:h8", "e5:h8"),
        ("W:WKe5:Bb4,b6,d6,g7", "e5:c7:a5:c3:h8", "e5:c7:a5:c3:h8"),
    ] {
        let position: Position = fen.parse().unwrap();
        let m = position.parse_move(route).unwrap();
        assert_eq!(position.notation(m), notation, "{fen}");
    }
}

#[test]
fn an_ambiguous_form_lists_what_it_could_mean() {
    let position: Position = "W:WKe7:Bg3,b6,d6,f6".parse().unwrap();
    let error = position.parse_move(" e7:a7 ").unwrap_err();
    assert_eq!(
        error.to_string(),
        "e7:a7 is ambiguous: e7:c5:a7, e7:h4:f2:a7"
    );
    let m = position.parse_move("e7:f2:a7").unwrap();
    assert_eq!(position.notation(m), "e7:h4:f2:a7");
}

#[test]
fn a_file_stands_for_the_one_square_on_it_that_can_move_there() {
    let position: Position = "W:WKc1,Kc7,c3:Bh8".parse().unwrap();
    assert_eq!(position.parse_move("ce5").map(|m| m.from()), Ok(Square::C7));
    assert_eq!(
        position.parse_move("cg7").unwrap_err().to_string(),
        "cg7 is not a legal move here"
    );
    assert_eq!(position.parse_move("cd2").map(|m| m.from()), Ok(Square::C1));
    let position: Position = "W:WKd2,Kd8:Bb2".parse().unwrap();
    assert_eq!(
        position.parse_move("dg5").unwrap_err().to_string(),
        "dg5 is ambiguous: d2-g5, d8-g5"
    );
}

#[test]
fn errors_say_where_and_what() {
    let position = Position::start();
    for (text, message) in [
        ("", "column 1: expected a move such as c3-d4 or c3:e5"),
        ("  ", "column 3: expected a move such as c3-d4 or c3:e5"),
        ("c3", "column 3: expected a move such as c3-d4 or c3:e5"),
        ("c3-", "column 4: expected a move such as c3-d4 or c3:e5"),
        ("c3-d", "column 4: expected a square such as c3"),
        ("c3-d4-", "column 7: expected a square such as c3"),
        ("c3--d4", "column 4: expected a square such as c3"),
        ("-c3-d4", "column 1: expected a square such as c3"),
        ("c3-d4!", "column 6: expected a square such as c3"),
        ("c3-e9", "column 4: expected a square such as c3"),
        ("22-18", "column 1: expected a square such as c3"),
        (" é3-d4", "column 2: expected a square such as c3"),
        ("c3×c4", "column 4: expected a dark square"),
        ("c3-d4-e5", "c3-d4-e5 is not a legal move here"),
        ("c3:e5", "c3:e5 is not a legal move here"),
        (" b6-c5 ", "b6-c5 is not a legal move here"),
    ] {
        let error = position.parse_move(text).unwrap_err();
        assert_eq!(error.to_string(), message, "{text:?}");
    }
}

/// So many cases, the same in every run.
fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Set-ups of up to 24 pieces, half of them kings.
fn setups() -> impl Strategy<Value = Setup> {
    let piece = (select(&Square::ALL[..]), any::<bool>(), 0..2_usize);
    (vec(piece, 0..=24), 0..2_usize).prop_map(|(pieces, turn)| {
        let mut setup = Setup::EMPTY;
        setup.turn = Color::ALL[turn];
        for (square, is_king, side) in pieces {
            put(&mut setup, square, is_king, Color::ALL[side]);
        }
        setup
    })
}

/// Adds a piece where the rules of the board allow it.
fn put(setup: &mut Setup, square: Square, is_king: bool, side: Color) {
    let mut with_it = *setup;
    let pieces = if is_king || square.row_from(side) == 7 {
        &mut with_it.kings
    } else {
        &mut with_it.men
    };
    let is_new = !pieces[side].contains(square);
    pieces[side] |= Bitboard::from(square);
    if is_new && with_it.check().is_ok() {
        *setup = with_it;
    }
}

fn characters() -> impl Strategy<Value = char> {
    prop_oneof![
        select("WBKwbk:,. abcdefgh12345678".chars().collect::<Vec<_>>()),
        any::<char>(),
    ]
}

/// The FEN with spaces, small letters, a final dot, the sides and their pieces in another order.
fn write_carelessly(setup: &Setup, careless: &[bool], rotate: Index) -> String {
    let text = setup.to_string();
    let mut parts: Vec<String> = text.split(':').map(str::to_owned).collect();
    for side in &mut parts[1..] {
        let letter = side.remove(0);
        let mut pieces: Vec<&str> = side.split(',').collect();
        let first = rotate.index(pieces.len());
        pieces.rotate_left(first);
        let comma = if careless[0] { " , " } else { "," };
        let space = if careless[1] { " " } else { "" };
        *side = format!("{space}{letter}{space}{}", pieces.join(comma));
    }
    if careless[2] {
        parts.swap(1, 2);
    }
    if careless[3] {
        for part in &mut parts {
            *part = part.replace('W', "w").replace('B', "b");
        }
    }
    let colon = if careless[4] { " :" } else { ":" };
    let dot = if careless[5] { " ." } else { "" };
    parts.join(colon) + dot
}

fn mangle(text: &mut Vec<char>, at: Index, edit: u8, character: char) {
    let at = at.index(text.len() + 1);
    match edit {
        0 => text.insert(at, character),
        1 if at < text.len() => text[at] = character,
        _ if at < text.len() => {
            text.remove(at);
        }
        _ => {}
    }
}

fn write_route_carelessly(route: &Route, careless: &[bool]) -> String {
    let separator = match (careless[0], careless[1]) {
        (false, false) => "",
        (false, true) => "x",
        (true, false) => "-",
        (true, true) => " × ",
    };
    let squares: Vec<String> = route.squares.iter().map(Square::to_string).collect();
    let text = squares.join(separator);
    let text = if careless[2] {
        text.to_uppercase()
    } else {
        text
    };
    if careless[3] {
        format!(" {text} ")
    } else {
        text
    }
}

/// The ends of a route and some of the squares between.
fn part_of(route: &Route, keep: &[bool]) -> Vec<Square> {
    let last = route.squares.len() - 1;
    let is_kept = |&i: &usize| i == 0 || i == last || keep[i];
    (0..=last)
        .filter(is_kept)
        .map(|i| route.squares[i])
        .collect()
}

/// The move with exactly this route, or else all with a route of which `squares` are a part.
fn moves_that_fit(squares: &[Square], routes: &[(Move, Route)]) -> Vec<Move> {
    let exact = routes.iter().find(|(_, route)| route.squares == squares);
    if let Some((m, _)) = exact {
        return vec![*m];
    }
    let mut fitting = Vec::new();
    for (m, route) in routes {
        let has_ends =
            route.squares.first() == squares.first() && route.squares.last() == squares.last();
        if has_ends && is_part(squares, &route.squares) && !fitting.contains(m) {
            fitting.push(*m);
        }
    }
    fitting
}

/// Whether `part` can be made of `whole` by leaving squares out.
fn is_part(part: &[Square], whole: &[Square]) -> bool {
    match (part, whole) {
        ([], _) => true,
        (_, []) => false,
        ([a, part_rest @ ..], [b, whole_rest @ ..]) => {
            a == b && is_part(part_rest, whole_rest) || is_part(part, whole_rest)
        }
    }
}

fn assert_ambiguous(
    position: &Position,
    text: &str,
    read: Result<Move, MoveTextError>,
    fitting: &[Move],
) -> Result<(), TestCaseError> {
    let Err(MoveTextError::Ambiguous { candidates, .. }) = read else {
        return Err(TestCaseError::fail(format!(
            "{text} in {position}: {read:?}"
        )));
    };
    let meant: Vec<Move> = candidates
        .iter()
        .map(|candidate| position.parse_move(candidate).unwrap())
        .collect();
    prop_assert_eq!(meant.len(), fitting.len());
    prop_assert!(
        meant.iter().all(|m| fitting.contains(m)),
        "{} in {}",
        text,
        position
    );
    Ok(())
}
