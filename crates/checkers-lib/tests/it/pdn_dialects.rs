//! PDN as other programs and people write it: what is read, and what is said of the rest.

use std::path::Path;
use std::time::Duration;

use checkers_lib::pdn::{self, Games, Nag, Numbering, PdnGame, PdnResult};

fn data(name: &str) -> String {
    let path = Path::new("tests/data/pdn").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn moves(game: &PdnGame) -> String {
    let mut position = game.start().clone();
    let mut text = Vec::new();
    for played in game.moves() {
        text.push(position.notation(played.m));
        position = position.play(played.m).expect("a legal move");
    }
    text.join(" ")
}

#[test]
fn a_database_with_cyrillic_and_the_two_point_system() {
    let games = pdn::parse(&data("database.pdn")).unwrap();
    let results: Vec<PdnResult> = games.iter().map(|game| game.result).collect();
    assert_eq!(
        results,
        [
            PdnResult::Draw,
            PdnResult::BlackWins,
            PdnResult::BothLose,
            PdnResult::Unfinished
        ]
    );
    assert_eq!(
        games[0].tags.get("Event"),
        Some("Кубок \"Русь\", полуфинал")
    );
    assert_eq!(
        moves(&games[0]),
        "c3-d4 b6-a5 d4-c5 d6:b4 a3:c5 e7-d6 c5:g5 h6:f4"
    );
    assert_eq!(games[2].moves(), []);
    assert_eq!(moves(&games[3]), "c3-d4 d6-c5 b2-c3");
}

#[test]
fn line_ends_and_byte_order_marks_make_no_difference() {
    let text = data("database.pdn");
    let games = pdn::parse(&text).unwrap();
    let with_mark = format!("\u{feff}{text}");
    for variant in [
        text.replace('\n', "\r\n"),
        text.replace('\n', "\r"),
        with_mark.repeat(2),
    ] {
        assert_eq!(pdn::parse(&variant).unwrap()[..games.len()], games);
    }
}

#[test]
fn comments_clocks_and_judgements_stay_with_their_move() {
    let games = pdn::parse(&data("annotated.pdn")).unwrap();
    let [game] = &games[..] else {
        panic!("{} games", games.len());
    };
    assert_eq!(game.tags.get("Annotator"), Some(r#"A "careful" one \ two"#));
    assert_eq!(
        game.line.comment.text(),
        "A study file: comments everywhere. Before the first move. and more"
    );
    assert_eq!(
        moves(game),
        "c3-d4 d6-c5 b2-c3 f6-g5 c3-b4 g5-h4 b4:d6 e7:c5"
    );
    let notes: Vec<(&str, Vec<u8>)> = (game.moves().iter())
        .map(|played| {
            let nags = played.annotation.nags.iter().map(|&Nag(number)| number);
            (played.annotation.comment.text(), nags.collect())
        })
        .collect();
    assert_eq!(
        notes,
        [
            ("[%eval 0.12] centre", vec![1]),
            ("attacks the number lies", vec![6, 9, 5]),
            ("!!!", vec![]),
            ("", vec![1]),
            ("", vec![]),
            ("", vec![]),
            ("", vec![]),
            ("last after the end", vec![]),
        ]
    );
    let clock = |ply: usize| game.moves()[ply].annotation.comment.clock();
    assert_eq!(clock(0), Some(Duration::from_secs(271)));
    assert_eq!(clock(5), Some(Duration::from_millis(3_599_500)));
}

#[test]
fn a_server_with_a_clock_of_its_own() {
    let games = pdn::parse(&data("server.pdn")).unwrap();
    assert_eq!(games[0].result, PdnResult::WhiteWins);
    assert_eq!(moves(&games[0]), "g3-f4 f6-g5 h2-g3 g5-h4 c3-d4");
    let first = &games[0].moves()[0].annotation.comment;
    assert_eq!(first.text(), "[%clock w0:05:00 B0:05:00]");
}

#[test]
fn set_ups_begin_where_they_say() {
    let games = pdn::parse(&data("setup.pdn")).unwrap();
    assert_eq!(moves(&games[0]), "e7:g5:e3:c5:a3 f8:h6");
    assert_eq!(moves(&games[1]), "a1:c3");
    assert_eq!(games[1].start().to_string(), "W:WKa1:Bb2");
}

#[test]
fn numbers_are_read_when_the_caller_says_which() {
    let text = data("numbered_from_b8.pdn");
    let games: Vec<PdnGame> = Games::new(&text)
        .numbering(Numbering::FromB8)
        .collect::<Result<_, _>>()
        .unwrap();
    assert_eq!(moves(&games[0]), "c3-d4 b6-a5 d4-c5 d6:b4 a3:c5");
    assert_eq!(moves(&games[1]), "a1:c3");
    assert_eq!(pdn::parse(&text), Ok(games));
}

#[test]
fn numbers_are_read_as_the_game_type_or_the_game_itself_says() {
    for (text, played) in [
        ("1. 22-18 9-13 *", "c3-d4 b6-a5"),
        ("1. 10-14 22-18 *", "c3-d4 d6-c5"),
        ("[GameType \"25\"]\n\n1. 22-18 9-13 *", "c3-d4 b6-a5"),
        (
            "[GameType \"25,W,8,8,N0,0\"]\n\n1. 10-14 22-18 *",
            "c3-d4 d6-c5",
        ),
        (
            "[GameType \"25,W,8,8,N1,0\"]\n\n1. 11-15 21-17 *",
            "c3-d4 h6-g5",
        ),
        (
            "[GameType \"25,W,8,8,N3,0\"]\n\n1. 23-19 12-16 *",
            "c3-d4 b6-a5",
        ),
        // The tags in any order, a start that nobody knows, a start in full.
        (
            "[FEN \"W:WK1:BK5\"]\n[GameType \"25,W,8,8,N1\"]\n\n1. 1-15 *",
            "g1-d4",
        ),
        ("[GameType \"25\"]\n[FEN \"?\"]\n\n1. 22-18 *", "c3-d4"),
        (
            "[FEN \"W:W21-32:B1-12\"]\n[SetUp \"1\"]\n\n1. 22x18 *",
            "c3-d4",
        ),
        // Squares by name beside numbers.
        ("1. c3-d4 9-13 *", "c3-d4 b6-a5"),
        (
            "1. cd4 ba5 2. dc5 d:b4 3. axc5 *",
            "c3-d4 b6-a5 d4-c5 d6:b4 a3:c5",
        ),
    ] {
        let games = pdn::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(moves(&games[0]), played, "{text}");
    }
}

#[test]
fn variations_that_cannot_be_read_are_kept_as_text() {
    let text = "1. c3-d4 (1. a1-a8 {never}) d6-c5 (1... f6-g5) (loses) (1... b6-c5 1-0) *";
    let game = &pdn::parse(text).unwrap()[0];
    let [first, second] = game.moves() else {
        panic!("{game}");
    };
    assert_eq!(first.annotation.comment.text(), "(1. a1-a8 (never))");
    assert!(first.variations().is_empty());
    assert_eq!(second.annotation.comment.text(), "(loses) (1... b6-c5 1-0)");
    assert_eq!(second.variations()[0].moves().len(), 1);
    // Numbers in a variation are counted like those of the game.
    let game = &pdn::parse("1. 22-18 (1. 21-17 9-13) 9-13 *").unwrap()[0];
    assert_eq!(game.moves()[0].variations()[0].moves().len(), 2);
}

#[test]
fn deep_variations_do_no_harm() {
    let deep = |depth: usize| {
        format!(
            "1. c3-d4 {}1. c3-d4{}",
            "(1. c3-b4 ".repeat(depth),
            ")".repeat(depth)
        )
    };
    let mut line = &pdn::parse(&deep(1000)).unwrap()[0].line;
    let games = pdn::parse(&deep(pdn::DEEPEST)).unwrap();
    assert_eq!(pdn::parse(&games[0].to_string()), Ok(games));
    let mut depth = 0;
    while let Some(variation) = line.moves().first().and_then(|m| m.variations().first()) {
        line = variation;
        depth += 1;
    }
    assert!(depth <= pdn::DEEPEST, "{depth}");
}

#[test]
fn one_bad_game_does_not_hide_the_next() {
    let text = data("bare.pdn");
    let games: Vec<_> = Games::new(&text).collect();
    assert_eq!(games.len(), 3);
    assert_eq!(moves(games[0].as_ref().unwrap()), "c3-d4 d6-c5 b2-c3 f6-g5");
    assert_eq!(
        games[1].as_ref().unwrap_err().to_string(),
        "line 3, column 9: d6:b4 is not a legal move here: expected b6-a5, b6-c5, d6-c5, d6-e5, \
         f6-e5, f6-g5, h6-g5"
    );
    assert_eq!(moves(games[2].as_ref().unwrap()), "g3-f4 f6-g5");
}

/// Bad texts, each with the message it gets.
const BAD: &[(&str, &str)] = &[
    (
        "[]",
        "line 1, column 2: expected a tag such as [Event \"…\"]",
    ),
    (
        "[Event 5]",
        "line 1, column 8: expected `\"` and the value of the tag",
    ),
    (
        "[Event \"x]\n*",
        "line 1, column 11: expected `\"]` at the end of the tag's line",
    ),
    (
        "[Event \"x\" y]",
        "line 1, column 14: expected `\"]` at the end of the tag's line",
    ),
    (
        "[Event \"a\"]\n[Event \"b\"]\n1. c3-d4 *",
        "line 2, column 1: tag Event is given already: expected another tag, or a blank line \
         before the next game",
    ),
    (
        "[GameType \"20\"]\n[Event \"x\"]\n\n1. 32-28 19-23 *",
        "line 1, column 12: game type \"20\": expected 25, Russian draughts",
    ),
    (
        "[Result \"won\"]\n\n1. c3-d4 *",
        "line 1, column 10: result \"won\": expected 1-0, 0-1, 1/2-1/2, 0-0 or *",
    ),
    (
        "[Result \"1-0\"]\n\n1. c3-d4 0-1",
        "line 3, column 10: result 0-1: expected 1-0 as in the Result tag",
    ),
    (
        "[SetUp \"1\"]\n\n1. c3-d4 *",
        "line 1, column 1: expected a FEN tag beside SetUp \"1\"",
    ),
    (
        "[FEN \"W:Wb1:Bc3\"]\n\n1. b1-a2 *",
        "line 1, column 10: expected a dark square: b1 is light",
    ),
    (
        "[FEN \"W:Wa1,a1:B\"]\n*",
        "line 1, column 13: expected an empty square: a1 is taken already",
    ),
    (
        "[FEN \"W:Wb8:B\"]\n*",
        "line 1, column 7: expected a possible position: white man on its last row at b8",
    ),
    (
        "1. c3-d4 {never\nclosed 1. c3-d4",
        "line 1, column 10: expected `}` at the end of this comment",
    ),
    (
        "1. c3-d4 [%clk 1] d6-c5",
        "line 1, column 11: expected a tag such as [Event \"…\"]",
    ),
    (
        "1. c3-d4 (1. a3-b4 {never closed)",
        "line 1, column 20: expected `}` at the end of this comment",
    ),
    (
        "1. c3-d4 ((1. a3-b4)",
        "line 1, column 10: expected `)` at the end of this variation",
    ),
    (
        "1. c3-d4 } d6-c5",
        "line 1, column 10: expected a move, a tag or a result",
    ),
    (
        "1. c3-d4 22-32",
        "line 1, column 10: c3-g1 is not a legal move here: expected b6-a5, b6-c5, d6-c5, d6-e5, \
         f6-e5, f6-g5, h6-g5",
    ),
    (
        "[GameType \"25,W,8,8,N2,0\"]\n\n1. 10-14 *",
        "line 3, column 4: d6-c5 is not a legal move here: expected a3-b4, c3-b4, c3-d4, e3-d4, \
         e3-f4, g3-f4, g3-h4",
    ),
    (
        "1. c3-d4 $ d6-c5",
        "line 1, column 11: expected a number from 0 to 255 after `$`",
    ),
    (
        "1. c3-d4 $256",
        "line 1, column 11: expected a number from 0 to 255 after `$`",
    ),
    (
        "$1 1. c3-d4",
        "line 1, column 1: expected a move before what is thought of it",
    ),
    ("1. c3-d5 *", "line 1, column 7: expected a dark square"),
    (
        "1. c3-z4 *",
        "line 1, column 7: expected a square such as c3",
    ),
    (
        "1. c3 *",
        "line 1, column 6: expected a move such as c3-d4 or c3:e5",
    ),
    (
        "{ход} c3-d4 ничья",
        "line 1, column 13: expected a square such as c3",
    ),
    (
        "[FEN \"W:WK14:BK1\"]\n\n1. 14-18",
        "line 1, column 11: expected a square such as c3: 14 can be counted from b8 or from a1",
    ),
    (
        "1. c3-d4 d6-c5 2. b2-c3 f6-e5 3. c3-b4 *",
        "line 1, column 34: c3-b4 is not a legal move here: expected d4:f6",
    ),
    (
        "[FEN \"W:WKa1:Bb2\"]\n1. a1:c3 b8-a7 *",
        "line 2, column 10: b8-a7 is not a legal move here: expected the end of the game",
    ),
    (
        "[FEN \"W:WKb4:BKb2,f2,Kc3,f4,Kf6\"]\r\n\r\n1. b4:e7",
        "line 3, column 4: b4:e7 is ambiguous: expected b4:d2:g5:e7 or b4:e1:h4:e7",
    ),
];

#[test]
fn errors_say_where_and_what_and_cost_one_game() {
    for (text, error) in BAD {
        assert_eq!(pdn::parse(text).unwrap_err().to_string(), *error, "{text}");
        let followed = format!("{text}\n\n[Event \"next\"]\n\n1. c3-d4 *\n");
        let games: Vec<_> = Games::new(&followed).collect();
        let [Err(first), Ok(next)] = &games[..] else {
            panic!("{text}: {games:?}");
        };
        assert_eq!(first.to_string(), *error, "{text}");
        assert_eq!(next.tags.get("Event"), Some("next"));
        assert_eq!(moves(next), "c3-d4");
    }
}

#[test]
fn too_many_tags_cost_one_game() {
    let tags = |count: usize| -> String { (0..count).map(|i| format!("[T{i} \"\"]\n")).collect() };
    let text = format!(
        "{}\n1. c3-d4 *\n\n[Event \"next\"]\n\n1. a3-b4 *\n",
        tags(257)
    );
    let games: Vec<_> = Games::new(&text).collect();
    let [Err(error), Ok(next)] = &games[..] else {
        panic!("{games:?}");
    };
    assert_eq!(
        error.to_string(),
        "line 257, column 1: expected the moves: a game has at most 256 tags"
    );
    assert_eq!(moves(next), "a3-b4");
    assert_eq!(pdn::parse(&tags(256)).map(|games| games.len()), Ok(1));
}

#[test]
fn any_tag_begins_a_game() {
    let text = "[Турнир \"1\"]\n1. c3-d4\n [ Event \"2\" ] [White\"a\\b\"]\n1. a3-b4 1-0 1. e3-d4";
    let games = pdn::parse(text).unwrap();
    let moves: Vec<String> = games.iter().map(moves).collect();
    assert_eq!(moves, ["c3-d4", "a3-b4", "e3-d4"]);
    assert_eq!(games[0].tags.get("Турнир"), Some("1"));
    assert_eq!(games[1].tags.get("White"), Some("a\\b"));
}

#[test]
fn texts_without_a_game() {
    for text in [
        "",
        "\u{feff}",
        " \r\n",
        "; nothing",
        "{nothing}",
        "*",
        "% [Event \"x\"]",
    ] {
        assert_eq!(pdn::parse(text), Ok(Vec::new()), "{text}");
    }
}
