//! A game as its players meet it: it takes legal moves only, it ends once, and it knows how.

use checkers_lib::{
    Color, DrawReason, DrawRules, Game, GameError, Move, Outcome, Position, WinReason,
};

#[test]
fn an_illegal_move_leaves_the_game_unchanged() {
    let mut game = Game::new(DrawRules::Fmjd64);
    play_on(&mut game, "c3-d4 b6-a5");
    let (position, moves) = (game.position().clone(), game.moves().to_vec());
    for m in [opening("c3-d4"), move_in("B:Wc3:Bb6", "b6-c5")] {
        assert_eq!(game.play(m), Err(GameError::Illegal));
        assert_eq!(game.position(), &position);
        assert_eq!(game.moves(), moves);
        assert_eq!(game.positions().len(), 3);
        assert_eq!(game.outcome(), None);
    }
    play_on(&mut game, "d4-e5");
    assert_eq!(game.ply(), 3);
}

#[test]
fn an_illegal_move_counts_for_no_draw() {
    let mut game = from_fen("W:WKc1:BKb8", DrawRules::Fmjd64);
    for text in "c1-d2 b8-c7 d2-c1 c7-d6 c1-e3 d6-e7 e3-c1 e7-f8 c1-d2".split(' ') {
        assert_eq!(game.play(opening("c3-d4")), Err(GameError::Illegal));
        play_on(&mut game, text);
    }
    assert_eq!(game.outcome(), None);
    play_on(&mut game, "f8-e7");
    let drawn = Outcome::Draw(DrawReason::FewPieces);
    assert_eq!(game.outcome(), Some(drawn));
}

#[test]
fn no_move_follows_the_end() {
    let mut game = Game::new(DrawRules::Fmjd64);
    let m = read(&game, "c3-d4");
    let resigned = Outcome::Win {
        winner: Color::Black,
        reason: WinReason::Resignation,
    };
    game.end(resigned);
    assert!(game.legal_moves().is_empty());
    assert_eq!(game.play(m), Err(GameError::Over));
    assert_eq!((game.ply(), game.position()), (0, &Position::start()));
    assert_eq!(game.outcome(), Some(resigned));
}

#[test]
fn the_first_end_stands() {
    let agreed = Outcome::Draw(DrawReason::Agreement);
    let on_time = Outcome::Win {
        winner: Color::White,
        reason: WinReason::Time,
    };
    let mut game = Game::new(DrawRules::Fmjd64);
    game.end(agreed);
    game.end(on_time);
    assert_eq!(game.outcome(), Some(agreed));

    let mut game = from_fen("W:Wc3:Bd4", DrawRules::Fmjd64);
    play_on(&mut game, "c3:e5");
    let won = game.outcome();
    game.end(agreed);
    assert_eq!(game.outcome(), won);
}

#[test]
fn the_side_without_pieces_or_moves_loses() {
    for (fen, m, winner, reason) in [
        ("W:Wc3:Bd4", "c3:e5", Color::White, WinReason::NoPieces),
        ("W:Wa5,c5:Ba7", "a5-b6", Color::White, WinReason::NoMoves),
        ("B:Wd4:Be5", "e5:c3", Color::Black, WinReason::NoPieces),
        ("B:Wh2:Bh4,f4", "h4-g3", Color::Black, WinReason::NoMoves),
    ] {
        let mut game = from_fen(fen, DrawRules::Fmjd64);
        play_on(&mut game, m);
        assert_eq!(
            game.outcome(),
            Some(Outcome::Win { winner, reason }),
            "{fen}"
        );
    }
}

#[test]
fn a_game_may_be_over_before_the_first_move() {
    let game = from_fen("W:W:Bd4", DrawRules::Fmjd64);
    let lost = Outcome::Win {
        winner: Color::Black,
        reason: WinReason::NoPieces,
    };
    assert_eq!(game.outcome(), Some(lost));
    assert!(game.legal_moves().is_empty());
}

#[test]
fn a_game_remembers_every_position_and_move() {
    let mut game = Game::new(DrawRules::Study);
    play_on(&mut game, "c3-d4 d6-c5 b2-c3");
    assert_eq!(game.rules(), DrawRules::Study);
    assert_eq!((game.ply(), game.turn()), (3, Color::Black));
    assert_eq!(game.start(), &Position::start());
    let mut position = game.start().clone();
    for (&m, after) in game.moves().iter().zip(&game.positions()[1..]) {
        position = position.play(m).unwrap();
        assert_eq!(&position, after);
    }
    assert_eq!(game.position(), &position);
}

#[test]
fn outcomes_read_like_results() {
    let won = |winner, reason| Outcome::Win { winner, reason };
    for (outcome, pdn, text) in [
        (
            won(Color::White, WinReason::NoMoves),
            "1-0",
            "white won: no legal move",
        ),
        (won(Color::Black, WinReason::Time), "0-1", "black won: time"),
        (
            Outcome::Draw(DrawReason::Agreement),
            "1/2-1/2",
            "draw: agreement",
        ),
        (
            Outcome::Draw(DrawReason::Repetition),
            "1/2-1/2",
            "draw: threefold repetition (article 7.2.3)",
        ),
    ] {
        assert_eq!(outcome.pdn(), pdn);
        assert_eq!(outcome.to_string(), text);
    }
}

#[test]
fn draw_rules_are_read_by_name() {
    for rules in [DrawRules::Fmjd64, DrawRules::Study] {
        assert_eq!(rules.to_string().parse(), Ok(rules));
    }
    let error = "chess".parse::<DrawRules>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "unknown draw rules \"chess\": expected fmjd64 or study"
    );
}

fn from_fen(fen: &str, rules: DrawRules) -> Game {
    Game::from_position(fen.parse().unwrap(), rules)
}

pub(crate) fn play_on(game: &mut Game, moves: &str) {
    for text in moves.split(' ') {
        game.play(read(game, text)).unwrap();
    }
}

fn read(game: &Game, text: &str) -> Move {
    game.position().parse_move(text).unwrap()
}

/// A first move of the usual game, whatever stands on the board now.
fn opening(text: &str) -> Move {
    Position::start().parse_move(text).unwrap()
}

fn move_in(fen: &str, text: &str) -> Move {
    fen.parse::<Position>().unwrap().parse_move(text).unwrap()
}
