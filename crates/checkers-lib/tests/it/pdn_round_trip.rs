//! What is written is read back; what is not PDN harms nobody.

use std::time::Duration;

use checkers_lib::pdn::{self, Comment, Games, Line, Nag, Numbering, PdnGame, PdnResult, Tags};
use checkers_lib::{Color, DrawReason, DrawRules, Game, Outcome, Position, WinReason};
use proptest::prelude::*;

fn start() -> impl Strategy<Value = Position> {
    const SET_UPS: [&str; 3] = [
        "B:Wc1,Kb4,Kd4,f4,b6,f6,Kf8:Bg3,Ka5,Ke7,Kg7,Kb8",
        "W:WKa1,Kc1,Ke1:Bb6,d6,f6,h6,Kh8",
        "B:Wa5,c5,e5,g5,Kd2:Ba7,c7,e7,g7,Kh2",
    ];
    prop_oneof![
        3 => Just(Position::start()),
        2 => prop::sample::select(&SET_UPS[..]).prop_map(|fen| fen.parse().expect("a legal position")),
    ]
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-zA-Zа-яё0-9 ]{0,40}",
        "[\\[\\]{}()%;\"\\\\$!?*.\\n\\r\\t a1c3-]{0,30}",
        "(\\[%clk [0-9]{1,2}:[0-9]{2}(:[0-9]{2})?\\] ?){1,2}",
        any::<String>(),
    ]
}

prop_compose! {
    fn comment()(text in text(), nanos in prop::option::of(any::<u64>())) -> Comment {
        let comment = Comment::new(&text);
        match nanos {
            Some(nanos) => comment.with_clock(Duration::from_nanos(nanos)),
            None => comment,
        }
    }
}

prop_compose! {
    fn tags()(pairs in prop::collection::vec(("[A-Za-z_]{1,9}|White|Event", text()), 0..5)) -> Tags {
        let mut tags = Tags::default();
        for (name, value) in pairs {
            tags.set(&name, &value).expect("letters are a name");
        }
        tags
    }
}

prop_compose! {
    fn game()(
        start in start(),
        tags in tags(),
        opening in comment(),
        result in prop::sample::select(vec![
            PdnResult::WhiteWins, PdnResult::BlackWins, PdnResult::Draw,
            PdnResult::BothLose, PdnResult::Unfinished,
        ]),
        plies in prop::collection::vec(
            (any::<prop::sample::Index>(), prop::option::of(comment()), any::<Option<u8>>()), 0..60),
    ) -> PdnGame {
        let mut game = PdnGame::new(start);
        game.tags = tags;
        game.line.comment = opening;
        game.result = result;
        for (index, comment, nag) in plies {
            let legal = game.position().legal_moves();
            if legal.is_empty() {
                break;
            }
            let annotation = game.push(*index.get(&legal)).expect("a legal move");
            annotation.comment = comment.unwrap_or_default();
            annotation.nags = nag.map(Nag).into_iter().collect();
        }
        game
    }
}

prop_compose! {
    /// A game with variations, of which some stand inside others.
    fn varied()(
        mut game in game(),
        places in prop::collection::vec(
            (any::<prop::sample::Index>(), any::<u64>(), 1..6_usize, comment()), 0..6),
    ) -> PdnGame {
        for (place, choices, length, comment) in places {
            if game.moves().is_empty() {
                break;
            }
            let index = place.index(game.moves().len());
            let mut variation = line(&game, index, choices, length);
            if variation.moves().is_empty() {
                continue;
            }
            variation.comment = comment;
            let inner = variation.clone();
            if choices % 3 == 0 {
                variation.add_variation(0, inner).expect("a variation of itself");
            }
            game.line.add_variation(index, variation).expect("it begins there");
        }
        game
    }
}

/// Moves from before the move with this index on.
fn line(game: &PdnGame, index: usize, choices: u64, length: usize) -> Line {
    let mut start = game.start().clone();
    for played in &game.moves()[..index] {
        start = start.play(played.m).expect("a legal move");
    }
    let mut line = Line::new(start);
    for ply in 0..length {
        let legal = line.position().legal_moves();
        if legal.is_empty() {
            break;
        }
        let choice = choices.rotate_left(8 * ply as u32) as usize % legal.len();
        line.push(legal[choice]).expect("a legal move");
    }
    line
}

proptest! {
    #[test]
    fn written_games_are_read_back(games in prop::collection::vec(varied(), 0..4)) {
        let texts: Vec<String> = games.iter().map(PdnGame::to_string).collect();
        prop_assert_eq!(pdn::parse(&texts.join("\n")), Ok(games.clone()));
        prop_assert_eq!(pdn::parse(&texts.concat().replace('\n', "\r\n")), Ok(games));
    }

    #[test]
    fn no_text_does_harm(text in text()) {
        prop_assert!(Games::new(&text).count() <= text.len());
    }

    #[test]
    fn no_damaged_game_does_harm(
        game in varied(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), text()), 1..4),
    ) {
        let mut text: Vec<char> = game.to_string().chars().collect();
        for (index, insertion) in damage {
            let at = index.index(text.len());
            text.splice(at..(at + 3).min(text.len()), insertion.chars());
        }
        let text: String = text.into_iter().collect();
        let numbered = Numbering::ALL.into_iter().flat_map(|n| Games::new(&text).numbering(n));
        for read in Games::new(&text).chain(numbered).flatten() {
            prop_assert_eq!(pdn::parse(&read.to_string()), Ok(vec![read]));
        }
    }
}

#[test]
fn a_whole_game_as_it_is_written() {
    let mut game = PdnGame::new(Position::start());
    game.tags.set("White", "Аня \"Лис\"").unwrap();
    game.tags.set("WhiteType", "human").unwrap();
    game.tags.set("Date", "2026.01.31").unwrap();
    game.line.comment = Comment::new("a {short} game");
    let text = "c3-d4 d6-c5 b2-c3 f6-g5 c3-b4 g5-h4 b4:d6 e7:c5 a1-b2 d8-e7 b2-c3 e7-d6";
    for (i, m) in text.split(' ').enumerate() {
        let m = game.position().parse_move(m).unwrap();
        let annotation = game.push(m).unwrap();
        if i == 2 {
            annotation.nags = vec![Nag(1)];
            annotation.comment =
                Comment::new("[%eval 0.3] 100 %").with_clock(Duration::from_secs(271));
        }
    }
    game.result = PdnResult::Draw;
    insta::assert_snapshot!(game, @r#"
    [Event "?"]
    [Site "?"]
    [Date "2026.01.31"]
    [Round "?"]
    [White "Аня \"Лис\""]
    [Black "?"]
    [Result "1/2-1/2"]
    [GameType "25,W,8,8,A0,0"]
    [WhiteType "human"]

    {a (short) game} 1. c3-d4 d6-c5 2. b2-c3 $1 {[%clk 0:04:31] [%eval 0.3] 100 %}
    f6-g5 3. c3-b4 g5-h4 4. b4:d6 e7:c5 5. a1-b2 d8-e7 6. b2-c3 e7-d6 1/2-1/2
    "#);
}

#[test]
fn variations_are_written_behind_the_move_they_replace() {
    let text =
        "1. c3-d4 $1 {best} ({or} 1. c3-b4 b6-a5 (1... b6-c5 $2 2. d2-c3)) (1. g3-h4) d6-c5 *";
    let game = &pdn::parse(text).unwrap()[0];
    let written = game.to_string();
    let moves = written.split("\n\n").nth(1).unwrap().replace('\n', " ");
    let expected = "1. c3-d4 $1 {best} ({or} 1. c3-b4 b6-a5 (1... b6-c5 $2 2. d2-c3)) (1. g3-h4) \
                    d6-c5 * ";
    assert_eq!(moves, expected);
    let [first, second] = game.moves()[0].variations() else {
        panic!("{game}");
    };
    assert_eq!(first.comment.text(), "or");
    assert_eq!(first.moves()[1].variations().len(), 1);
    assert_eq!(second.moves().len(), 1);
    let elsewhere = second.clone();
    let mut game = game.clone();
    for index in [1, 2] {
        game.line
            .add_variation(index, elsewhere.clone())
            .unwrap_err();
    }
    let empty = Line::new(game.start().clone());
    game.line.add_variation(0, empty).unwrap_err();
}

#[test]
fn games_become_records_and_games_again() {
    for outcome in [
        None,
        Some(Outcome::Draw(DrawReason::Agreement)),
        Some(Outcome::Win {
            winner: Color::White,
            reason: WinReason::Resignation,
        }),
        Some(Outcome::Win {
            winner: Color::Black,
            reason: WinReason::Time,
        }),
    ] {
        let mut game = Game::new(DrawRules::Fmjd64);
        for _ in 0..20 {
            game.play(game.legal_moves()[0]).unwrap();
        }
        if let Some(outcome) = outcome {
            game.end(outcome);
        }
        let record = PdnGame::from_game(&game, Tags::default());
        let record = &pdn::parse(&record.to_string()).unwrap()[0];
        let again = record.to_game(DrawRules::Fmjd64).unwrap();
        assert_eq!(again.outcome(), outcome);
        assert_eq!(again.moves(), game.moves());
        assert_eq!(again.position(), game.position());
    }
}

#[test]
fn records_that_go_on_after_the_end_say_where() {
    let text = "[FEN \"W:WKa1:BKh2\"]\n".to_owned() + &"a1-b2 h2-g1 b2-a1 g1-h2 ".repeat(3);
    let record = &pdn::parse(&text).unwrap()[0];
    let error = record.to_game(DrawRules::Fmjd64).unwrap_err();
    assert_eq!(error.to_string(), "ply 9: the game is over");
    assert_eq!(record.to_game(DrawRules::Study).unwrap().ply(), 12);
}

#[test]
fn illegal_moves_are_not_recorded() {
    let mut game = PdnGame::new(Position::start());
    let m = game.position().parse_move("c3-d4").unwrap();
    game.push(m).unwrap();
    game.push(m).unwrap_err();
    assert_eq!(game.moves().len(), 1);
    assert!(game.line.annotation_mut(1).is_none());
}
