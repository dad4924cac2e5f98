//! Following the tables leads where they say.

use checkers_engine::tablebase::{Distance, Tablebases, Wdl};
use checkers_engine::{BotSpec, Limits, Rng};
use checkers_lib::{Bitboard, ByColor, Color, DrawRules, Game, Outcome, Position, Setup};

use super::{position, tables};

/// Random positions of 2 to 4 pieces, by a seed.
fn random_positions(seed: u64) -> impl Iterator<Item = Position> {
    let mut rng = Rng::new(seed);
    let mut random = move |below| rng.below(below);
    std::iter::repeat_with(move || {
        let mut setup = Setup {
            men: ByColor::default(),
            kings: ByColor::default(),
            turn: if random(2) == 0 {
                Color::White
            } else {
                Color::Black
            },
        };
        for _ in 0..2 + random(3) {
            let square = Bitboard(1 << random(32));
            let sides = if random(2) == 0 {
                &mut setup.men
            } else {
                &mut setup.kings
            };
            if random(2) == 0 {
                sides.white |= square;
            } else {
                sides.black |= square;
            }
        }
        setup
    })
    .filter_map(|setup| Position::from_setup(setup).ok())
    .filter(|position| {
        Color::ALL
            .into_iter()
            .all(|side| !position.pieces(side).is_empty())
    })
}

fn colours_swapped(position: &Position) -> Position {
    let setup = position.setup();
    let swap = |sides: ByColor<Bitboard>| ByColor {
        white: sides.black.rotated(),
        black: sides.white.rotated(),
    };
    Position::from_setup(Setup {
        men: swap(setup.men),
        kings: swap(setup.kings),
        turn: !setup.turn,
    })
    .unwrap()
}

#[test]
fn best_play_ends_in_exactly_the_stated_number_of_plies() {
    let tables = tables();
    let won = random_positions(1).filter_map(|position| {
        let distance = tables.probe_distance(&position).unwrap();
        (distance.wdl() == Wdl::Win).then(|| (position, distance.plies().unwrap()))
    });
    for (mut position, plies) in won.take(10_000) {
        for left in (0..plies).rev() {
            let best = tables.best_moves(&position).unwrap()[0];
            position = position.play(best).unwrap();
            assert_eq!(
                tables.probe_distance(&position).unwrap().plies(),
                Some(left)
            );
        }
        assert!(position.is_lost(), "{position}");
    }
}

#[test]
fn swapping_the_colours_changes_nothing() {
    let tables = tables();
    for position in random_positions(2).take(20_000) {
        let swapped = colours_swapped(&position);
        let distance = tables.probe_distance(&position).unwrap();
        assert_eq!(
            tables.probe_distance(&swapped).unwrap(),
            distance,
            "{position}"
        );
    }
}

#[test]
fn an_analysis_has_every_move_the_best_first() {
    let tables = tables();
    for position in random_positions(3).take(2_000) {
        let analysis = tables.analyse(&position).unwrap();
        assert_eq!(analysis.moves.len(), position.legal_moves().len());
        let Some(best) = analysis.moves.first() else {
            assert_eq!((analysis.value, analysis.plies), (Wdl::Loss, Some(0)));
            continue;
        };
        assert_eq!((best.value, best.plies), (analysis.value, analysis.plies));
        assert!(analysis.moves.is_sorted_by(|a, b| a.value >= b.value));
        let line = tables.best_line(&position).unwrap();
        assert_eq!(line.len(), analysis.plies.map_or(0, usize::from));
    }
}

#[test]
fn best_play_ends_before_an_article_declares_a_draw() {
    let tables = tables();
    let fits = |position: &Position| tables.fits_articles(position).unwrap();
    assert_eq!(fits(&position("W:WKc1,Ke1,Kg1:BKh4")), Some(true));
    assert_eq!(fits(&position("W:WKa1:BKh2")), None);
    let mut decided = 0;
    for position in random_positions(4).take(5_000) {
        let is_drawn = tables.probe_distance(&position).unwrap() == Distance::DRAW;
        assert_eq!(fits(&position), (!is_drawn).then_some(true), "{position}");
        decided += usize::from(!is_drawn);
    }
    assert!(decided > 1_000, "{decided}");
}

/// Plays on from a position, both sides with the bot.
fn play_out(fen: &str, spec: &str) -> (usize, Option<Outcome>) {
    let spec: BotSpec = spec.parse().unwrap();
    let mut bot = spec.build();
    let mut game = Game::from_position(position(fen), DrawRules::Fmjd64);
    while game.outcome().is_none() {
        let choice = bot.choose(&game, &Limits::default());
        game.play(choice.best.unwrap()).unwrap();
    }
    (game.ply(), game.outcome())
}

#[test]
fn the_bot_plays_endings_by_distance() {
    let fen = "W:WKc1,Ke1,Kg1:BKh4";
    let plies = Tablebases::embedded()
        .probe_distance(&position(fen))
        .unwrap()
        .plies();
    let (played, outcome) = play_out(fen, "negascout-id:depth=1,tt=1");
    assert_eq!(Some(played), plies.map(usize::from));
    assert_eq!(outcome.and_then(Outcome::winner), Some(Color::White));
}

#[test]
fn the_bot_finds_its_way_into_the_tables() {
    let (_, outcome) = play_out("W:WKc1,Ke1,Kg1,a3:BKh4", "negascout-id:depth=6,tt=1");
    assert_eq!(outcome.and_then(Outcome::winner), Some(Color::White));
}

#[test]
fn a_missing_table_is_named() {
    let tables = Tablebases::embedded();
    let error = tables
        .probe_distance(&position("W:WKc1,Ke1,Kg1,Ka3:BKh4"))
        .unwrap_err();
    assert_eq!(error.to_string(), "no table of KKKK-K");
    let error = tables.probe_wdl(&Position::start()).unwrap_err();
    assert_eq!(error.to_string(), "24 pieces, and tables have 7 at most");
}
