//! What the champion does beyond answering with a move.

use std::thread;
use std::time::Duration;

use checkers_engine::tablebase::{Tablebases, Wdl};
use checkers_engine::{
    Analyst, BotSpec, Clock, Limits, Ponder, Question, Score, SearchAnswer, Stop,
};
use checkers_lib::{Color, DrawRules, Game, Move, Position};

use super::{ask, bot, positions};

/// Nothing but alpha-beta with the study's evaluation.
const BARE: &str = "champion:tt=1,eval=rows,tablebase=off,aspiration=off,table=off,quiesce=off,\
                    history=off,iir=off,lmr=off,futility=off,single=off,recapture=off,\
                    repetition=off,articles=off,drawish=off";

fn analyst(spec: &str) -> Analyst {
    let spec: BotSpec = spec.parse().expect("a spec known to be right");
    Analyst::new(&spec).expect("the champion's")
}

fn game(fen: &str) -> Game {
    Game::from_position(fen.parse().expect("a position"), DrawRules::Fmjd64)
}

fn depth(depth: u32) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

fn find_out(analyst: &mut Analyst, game: &Game, question: &Question) -> SearchAnswer {
    analyst.ask(game, question, &mut |_| ())
}

#[test]
fn without_its_techniques_it_finds_what_minimax_finds() {
    // Ordering, null windows and windows about a guess save nodes and change no score.
    let harmless = ["aspiration", "history"];
    let harmless = harmless.map(|key| BARE.replace(&format!("{key}=off"), &format!("{key}=on")));
    let bare = [BARE.to_owned()];
    let mut bots: Vec<_> = bare.iter().chain(&harmless).map(|spec| bot(spec)).collect();
    let mut judge = bot("alpha-beta");
    let positions = positions::from_games(400, 21);
    for position in positions.iter().chain(&positions::king_endings(100, 21)) {
        let expected = ask(&mut *judge, position, 5).score;
        // An end that is near ends the deepening, at whatever depth it is found.
        let expected = match expected.plies_to_end() {
            Some(_) => expected,
            None => Score::new(20 * without_noise(expected, position.turn())),
        };
        for bot in &mut bots {
            let found = ask(&mut **bot, position, 5).score;
            assert_eq!(found, expected, "{} in {position}", bot.spec());
        }
    }
}

/// The material in a score of the study's evaluation, whose noise is White's.
fn without_noise(score: Score, turn: Color) -> i32 {
    match turn {
        Color::White => score.value().div_euclid(256),
        Color::Black => -(-score.value()).div_euclid(256),
    }
}

#[test]
fn lines_are_told_the_best_first_and_begin_with_different_moves() {
    let mut analyst = analyst("champion:tt=1");
    let question = Question {
        limits: depth(7),
        lines: 3,
        ..Question::default()
    };
    for position in positions::from_games(200, 5).iter().step_by(5) {
        let game = Game::from_position(position.clone(), DrawRules::Fmjd64);
        let lines = find_out(&mut analyst, &game, &question).report.lines;
        assert_eq!(lines.len(), game.legal_moves().len().min(3), "{position}");
        assert!(lines.is_sorted_by(|better, worse| better.score >= worse.score));
        for (i, line) in lines.iter().enumerate() {
            assert!(lines[..i].iter().all(|other| other.pv[0] != line.pv[0]));
            let mut game = game.clone();
            for &m in &line.pv {
                game.play(m).expect("the line is legal to its end");
            }
        }
    }
}

#[test]
fn only_the_moves_in_question_are_searched() {
    let mut analyst = analyst("champion:tt=1");
    let game = Game::new(DrawRules::Fmjd64);
    for m in game.legal_moves() {
        let question = Question {
            limits: depth(5),
            moves: vec![m],
            ..Question::default()
        };
        let answer = find_out(&mut analyst, &game, &question);
        assert_eq!(answer.report.lines[0].pv[0], m);
    }
}

#[test]
fn every_iteration_is_told() {
    let mut told = Vec::new();
    let mut nodes = 0;
    let question = Question {
        limits: depth(8),
        ..Question::default()
    };
    let game = Game::new(DrawRules::Fmjd64);
    let answer = analyst("champion:tt=1").ask(&game, &question, &mut |report| {
        assert!(report.nodes > nodes);
        nodes = report.nodes;
        told.push(report.depth);
    });
    assert_eq!(told, [1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!((answer.report.depth, answer.complete), (8, true));
}

#[test]
fn only_the_champion_is_an_analyst() {
    assert!(Analyst::new(&"mtdf".parse().unwrap()).is_none());
}

#[test]
fn the_clock_runs_from_the_hit_on() {
    let ponder = Ponder::default();
    let limits = Limits {
        clock: Some(Clock {
            remaining: Duration::ZERO,
            increment: Duration::ZERO,
        }),
        ponder: Some(ponder.clone()),
        ..Limits::default()
    };
    let game = Game::new(DrawRules::Fmjd64);
    let mut bot = bot("champion:tt=1");
    let choice = thread::scope(|scope| {
        let search = scope.spawn(|| bot.choose(&game, &limits));
        thread::sleep(Duration::from_millis(20));
        assert!(!search.is_finished());
        ponder.hit();
        search.join().unwrap()
    });
    assert!(choice.nodes > 1024 && choice.best.is_some());
}

#[test]
fn several_threads_find_the_same_wins() {
    let mut alone = bot("champion:tt=1,tablebase=off");
    let mut together = bot("champion:tt=1,tablebase=off,threads=3");
    let mut wins = 0;
    for position in positions::king_endings(150, 3) {
        let one = ask(&mut *alone, &position, 5);
        let several = ask(&mut *together, &position, 5);
        if one.score.is_win() {
            wins += 1;
            assert!(several.score.is_win(), "{position}");
        }
    }
    assert!(wins > 20, "{wins}");
}

#[test]
fn threads_are_stopped_together() {
    let stop = Stop::default();
    let question = Question {
        limits: Limits {
            stop: stop.clone(),
            ..Limits::default()
        },
        ..Question::default()
    };
    let game = Game::new(DrawRules::Fmjd64);
    let answer = analyst("champion:tt=1,threads=3").ask(&game, &question, &mut |report| {
        if report.depth == 6 {
            stop.stop();
        }
    });
    assert!(answer.report.depth >= 6 && !answer.complete);
}

#[test]
fn a_search_ends_within_a_thousand_nodes_of_being_told() {
    // A millisecond of work on one thread, wherever in the game it is told to stop.
    let opening = Position::start();
    let endgame: Position = "W:Wa3,c3,e3,Kg1:Bb6,d6,f6,Kh8".parse().unwrap();
    for position in [opening, endgame] {
        let game = Game::from_position(position, DrawRules::Fmjd64);
        for told_at in [4, 7, 9] {
            let stop = Stop::default();
            let question = Question {
                limits: Limits {
                    stop: stop.clone(),
                    ..Limits::default()
                },
                ..Question::default()
            };
            let mut searched = 0;
            let answer = analyst("champion:tt=1").ask(&game, &question, &mut |report| {
                if report.depth == told_at {
                    searched = report.nodes;
                    stop.stop();
                }
            });
            assert!(searched > 0 && !answer.complete);
            assert!(answer.report.nodes <= searched + 1024, "{answer:?}");
        }
    }
}

#[test]
fn a_draw_that_the_articles_are_about_to_declare_is_seen() {
    // Two kings against one have five moves each, of which four are made.
    let mut game = game("W:WKc1,Kh2:BKa7");
    for m in [
        "h2-g3", "a7-b8", "g3-h2", "b8-a7", "c1-d2", "a7-b8", "d2-e1", "b8-a7",
    ] {
        play(&mut game, m);
    }
    assert_eq!(game.outcome(), None);
    let score = |key| {
        let spec = format!("champion:tt=1,tablebase=off,repetition=off,articles={key}");
        bot(&spec).choose(&game, &depth(6)).score
    };
    assert_eq!(score("on"), Score::ZERO);
    assert!(score("off") > Score::ZERO);
}

fn play(game: &mut Game, text: &str) {
    let m = game.position().parse_move(text).expect("a legal move");
    game.play(m).expect("a legal move");
}

#[test]
fn what_comes_again_is_a_draw() {
    let mut game = game("B:WKc1,Kg1,Ke1:BKh8");
    for m in ["h8-g7", "g1-h2", "g7-h8", "h2-g1"] {
        play(&mut game, m);
    }
    // However far White is ahead, going on as before is worth nothing to it.
    let back = game.position().parse_move("h8-g7").expect("a legal move");
    let question = Question {
        limits: depth(3),
        moves: vec![back],
        ..Question::default()
    };
    let score = |key| {
        let spec = format!("champion:tt=1,tablebase=off,repetition={key}");
        find_out(&mut analyst(&spec), &game, &question).report.lines[0].score
    };
    assert_eq!(score("on"), Score::ZERO);
    assert!(score("off") < Score::ZERO);
}

#[test]
fn a_line_from_a_win_whose_length_no_table_tells_keeps_it() {
    let tables = Tablebases::embedded();
    for (fen, winner) in [
        ("W:We1,f4,h6:BKh4,c5", Color::White),
        ("B:We1,f4,g7:BKh4,c5", Color::White),
        ("B:WKa5,f4:Ba3,c5,d8", Color::Black),
    ] {
        let game = game(fen);
        let answer = find_out(
            &mut analyst("champion:tt=4"),
            &game,
            &Question {
                limits: depth(12),
                ..Question::default()
            },
        );
        let line = &answer.report.lines[0];
        // Above a draw for the winner at once, however far the end is.
        let is_winner = game.position().turn() == winner;
        assert_eq!(line.score > Score::ZERO, is_winner, "{fen}");
        assert_ne!(line.score, Score::ZERO, "{fen}");
        let mut position = game.position().clone();
        for &m in &line.pv {
            position.play_unchecked(m);
            let value = tables.probe_wdl(&position).expect("5 pieces at most");
            let expected = if position.turn() == winner {
                Wdl::Win
            } else {
                Wdl::Loss
            };
            assert_eq!(value, expected, "{fen}: {position}");
        }
    }
}

#[test]
fn a_win_that_takes_83_plies_is_won_before_the_articles_call_it_a_draw() {
    for nodes in [60_000, 80_000] {
        let mut game = game("W:We1,f4,h6:BKh4,c5");
        let mut bot = bot("champion:tt=4,book=off");
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        while game.outcome().is_none() {
            let best = bot.choose(&game, &limits).best.expect("a move");
            game.play(best).expect("a legal move");
        }
        let outcome = game.outcome().expect("the game is over");
        assert_eq!(outcome.winner(), Some(Color::White), "{nodes}: {outcome:?}");
    }
}

/// A king against a king, after both have left and White has come back: Black can bring the position
/// of the beginning again. `None` if something is in the way.
fn there_and_back(fen: &str) -> Option<Game> {
    let mut game = game(fen);
    let there = game.legal_moves()[0];
    game.play(there).expect("a legal move");
    game.play(*game.legal_moves().first()?)
        .expect("a legal move");
    let is_back = |m: &&Move| (m.from(), m.to()) == (there.to(), there.from());
    let back = game.legal_moves().iter().find(is_back).copied()?;
    game.play(back).expect("a legal move");
    Some(game)
}

#[test]
fn with_contempt_it_does_not_repeat_where_something_else_is_worth_as_much() {
    let squares = ["b8", "h4", "a5", "a3", "c7", "h6", "g1", "f8"];
    let fens =
        squares.map(|black| ["a1", "c1", "e1", "d2"].map(|white| format!("W:WK{white}:BK{black}")));
    let games: Vec<Game> = fens
        .iter()
        .flatten()
        .filter_map(|fen| there_and_back(fen))
        .collect();
    let repeated = |contempt: u32| {
        let spec = format!("champion:tt=1,eval=rows,tablebase=off,contempt={contempt}");
        let repeats = |game: &&Game| {
            let best = bot(&spec).choose(game, &depth(3)).best.expect("a move");
            let mut after = game.position().clone();
            after.play_unchecked(best);
            after == game.positions()[0]
        };
        games.iter().filter(repeats).count()
    };
    assert!(repeated(0) > 0);
    assert_eq!(repeated(40), 0);
}

#[test]
fn contempt_is_for_who_plays_and_leaves_nothing_to_who_analyses() {
    let mut game = game("B:WKc1,Kg1,Ke1:BKh8");
    for m in ["h8-g7", "g1-h2", "g7-h8", "h2-g1"] {
        play(&mut game, m);
    }
    let back = game.position().parse_move("h8-g7").expect("a legal move");
    let mut analyst = analyst("champion:tt=1,tablebase=off,contempt=30");
    for (is_to_play, expected) in [(true, -30), (false, 0), (true, -30)] {
        let question = Question {
            limits: depth(3),
            moves: vec![back],
            is_to_play,
            ..Question::default()
        };
        let score = find_out(&mut analyst, &game, &question).report.lines[0].score;
        assert_eq!(score, Score::new(expected));
    }
}

#[test]
fn an_analysis_with_contempt_is_the_search_of_a_player_without() {
    for position in positions::from_games(60, 9).into_iter().step_by(6) {
        let game = Game::from_position(position, DrawRules::Fmjd64);
        if game.position().is_lost() {
            continue;
        }
        let played = bot("champion:tt=1,book=off").choose(&game, &depth(8));
        let question = Question {
            limits: depth(8),
            ..Question::default()
        };
        let asked = find_out(&mut analyst("champion:tt=1,contempt=30"), &game, &question).report;
        assert_eq!(
            (played.nodes, played.pv),
            (asked.nodes, asked.lines[0].pv.clone())
        );
        assert_eq!(played.score, asked.lines[0].score);
    }
}

#[test]
fn what_the_tables_call_a_draw_is_told_as_one() {
    let tables = Tablebases::embedded();
    for fen in [
        "W:WKa7,Kc7,Ke7:BKa1,Kb8",
        "W:Wc3,e3:Bd6,f6",
        "W:WKa7,c3:BKb8,h8",
        "B:WKg1,e3:BKa5,g7,e7",
    ] {
        let game = game(fen);
        assert_eq!(
            tables.probe_wdl(game.position()).ok(),
            Some(Wdl::Draw),
            "{fen}"
        );
        for lines in [1, 3] {
            for depth_of_search in 1..=9 {
                let question = Question {
                    limits: depth(depth_of_search),
                    lines,
                    ..Question::default()
                };
                let report = find_out(&mut analyst("champion:tt=1"), &game, &question).report;
                assert_eq!(report.lines[0].score, Score::ZERO, "{fen}");
            }
        }
        let choice = bot("champion:tt=1").choose(&game, &depth(7));
        assert_eq!(choice.score, Score::ZERO, "{fen}");
    }
}
