use checkers_lib::openings::{self, Opening};
use checkers_lib::protocol::WireLine;
use checkers_lib::{DrawReason, DrawRules, WinReason};

use super::*;
use crate::fixtures::{engine_plan, pairing};
use crate::{SearchRecord, Timekeeper};

/// The first game of the first pairing.
fn begin(plan: &TournamentPlan) -> OpenGame {
    OpenGame::begin(plan, &plan.orders(&pairing(0))[0])
}

fn randoms() -> TournamentPlan {
    engine_plan(&["random", "random"])
}

/// The first legal move, found by a search of this many nodes.
fn first_move(open: &OpenGame, score: i32, nodes: u64) -> MoveRecord {
    MoveRecord {
        m: open.game().legal_moves()[0],
        time_us: 5,
        clock: Timekeeper::Bot,
        search: Some(SearchRecord {
            score,
            depth: 1,
            nodes,
            pv: WireLine::default(),
        }),
    }
}

/// Plays first moves until the game has ended.
fn play_on(open: &mut OpenGame, score: i32, nodes: u64) -> GameEnd {
    loop {
        let played = first_move(open, score, nodes);
        if let Some(ended) = open.play(played).unwrap() {
            return ended;
        }
    }
}

#[test]
fn a_game_goes_on_to_its_end_by_the_rules() {
    let mut open = begin(&randoms());
    let ended = play_on(&mut open, 0, 0);
    let outcome = open.game().outcome().unwrap();
    assert_eq!(ended, GameEnd::Board(outcome));
    let (plies, start) = (open.game().ply(), open.game().start().clone());
    let game = open.close(ended);
    assert_eq!((game.number, game.moves.len()), (1, plies));
    assert_eq!((game.result, game.reason), (outcome.into(), outcome.into()));
    assert_eq!((game.start, game.ruling), (start, None));
    assert_eq!(game.article.as_deref(), outcome.article());
}

#[test]
fn the_opening_is_played_and_recorded() {
    let mut plan = randoms();
    plan.openings.list = openings::parse("c3-d4 d6-c5 b2-c3").unwrap();
    let mut open = begin(&plan);
    assert_eq!(open.to_move(), BotId::SECOND);
    let played = first_move(&open, 0, 0);
    assert_eq!(open.play(played), Ok(None));
    let clocks = open.moves.iter().map(|played| played.clock);
    let clocks: Vec<Timekeeper> = clocks.collect();
    use Timekeeper::{Bot, Opening};
    assert_eq!(clocks, [Opening, Opening, Opening, Bot]);
}

#[test]
fn an_opening_may_end_the_game() {
    let mut plan = randoms();
    let lost = "W:W:Ba3".parse().unwrap();
    plan.openings.list = vec![Opening::new(lost)];
    let ended = begin(&plan).ended();
    let black_wins = Outcome::Win {
        winner: Color::Black,
        reason: WinReason::NoPieces,
    };
    assert_eq!(ended, Some(GameEnd::Board(black_wins)));
    // Kings that go to and fro end the game by repetition before the opening's last move.
    let moves = "a1-b2 b8-a7 b2-a1 a7-b8 ".repeat(4);
    let text = format!("W:WKa1:BKb8 moves {moves}");
    plan.openings.list = openings::parse(&text).unwrap();
    let open = begin(&plan);
    let ended = open.ended();
    assert_eq!(
        ended,
        Some(GameEnd::Board(Outcome::Draw(DrawReason::Repetition)))
    );
    assert_eq!(open.moves.len(), 8);
}

#[test]
fn an_illegal_move_changes_nothing() {
    let mut open = begin(&randoms());
    let played = first_move(&open, 0, 0);
    assert_eq!(open.play(played.clone()), Ok(None));
    assert_eq!(open.play(played), Err(GameError::Illegal));
    assert_eq!((open.game().ply(), open.moves.len()), (1, 1));
}

#[test]
fn a_side_without_time_loses() {
    let mut open = begin(&engine_plan(&["random@clock=1s+1s", "random"]));
    assert_eq!(open.spend(Duration::from_secs(1)), None);
    let played = first_move(&open, 0, 0);
    assert_eq!(open.play(played), Ok(None));
    assert_eq!(open.spend(Duration::from_secs(1000)), None);
    let played = first_move(&open, 0, 0);
    assert_eq!(open.play(played), Ok(None));
    let ended = open.spend(Duration::from_millis(1001)).unwrap();
    assert_eq!(ended, GameEnd::Time(FlagFell(Color::White)));
    let game = open.close(ended);
    assert_eq!(
        (game.result, game.reason, game.ruling),
        (GameResult::BlackWon, EndReason::Time, None)
    );
}

#[test]
fn a_king_against_a_king_does_not_win_on_time() {
    let mut plan = engine_plan(&["random@clock=1s/move", "random"]);
    let kings = "W:WKa1:BKb8".parse().unwrap();
    plan.openings.list = vec![Opening::new(kings)];
    let mut open = begin(&plan);
    assert_eq!(open.spend(Duration::from_secs(1)), None);
    let ended = open.spend(Duration::from_millis(1001)).unwrap();
    let game = open.close(ended);
    let drawn = (GameResult::Draw, EndReason::TimeAgainstKing);
    assert_eq!((game.result, game.reason), drawn);
}

#[test]
fn verdicts_and_forfeits_are_recorded_as_rulings() {
    let fault = Fault::GaveUp;
    let forfeit = Forfeit {
        bot: BotId::FIRST,
        fault: fault.clone(),
        stderr: Vec::new(),
    };
    let cases = [
        (
            GameEnd::Judged(Verdict::Draw),
            (GameResult::Draw, EndReason::Adjudication),
            Ruling::Draw,
        ),
        (
            GameEnd::Judged(Verdict::Win(Color::Black)),
            (GameResult::BlackWon, EndReason::Adjudication),
            Ruling::Win,
        ),
        (
            GameEnd::Judged(Verdict::PlyCap { plies: 9 }),
            (GameResult::Draw, EndReason::Adjudication),
            Ruling::PlyCap { plies: 9 },
        ),
        (
            OpenGame::forfeit(BotId::FIRST, fault, Vec::new()),
            (GameResult::BlackWon, EndReason::Forfeit),
            Ruling::Forfeit(forfeit),
        ),
        (
            GameEnd::TooLong { limit_ms: 7 },
            (GameResult::Interrupted, EndReason::Adjudication),
            Ruling::TooLong { limit_ms: 7 },
        ),
    ];
    for (ended, reported, ruling) in cases {
        let game = begin(&randoms()).close(ended);
        assert_eq!((game.result, game.reason), reported);
        assert_eq!(game.ruling, Some(ruling));
    }
}

#[test]
fn a_forfeit_may_count_for_nothing() {
    let mut plan = randoms();
    plan.forfeits = Forfeits::Void;
    let ended = OpenGame::forfeit(BotId::FIRST, Fault::GaveUp, Vec::new());
    let game = begin(&plan).close(ended);
    assert!(game.is_void());
    assert_eq!(game.forfeit().unwrap().bot, BotId::FIRST);
}

#[test]
fn scores_are_judged_after_the_opening() {
    let mut plan = randoms();
    let rule = "movenumber=0,movecount=2,score=5".parse().unwrap();
    plan.adjudication.draw = Some(rule);
    plan.openings.list = openings::parse("c3-d4 d6-c5 b2-c3").unwrap();
    let mut open = begin(&plan);
    assert_eq!(play_on(&mut open, -5, 1), GameEnd::Judged(Verdict::Draw));
    let positions = open.game.positions().iter().skip(3);
    let chosen = (positions.take(open.game.ply() - 3))
        .filter(|position| position.count_moves() > 1)
        .map(|position| position.turn());
    let of = |side| chosen.clone().filter(|&turn| turn == side).count();
    assert_eq!(Color::ALL.map(of).into_iter().min(), Some(2));
}

#[test]
fn bots_that_do_not_search_have_no_word() {
    let mut plan = randoms();
    let rule = "movenumber=0,movecount=1,score=5".parse().unwrap();
    plan.adjudication.draw = Some(rule);
    let mut open = begin(&plan);
    assert!(matches!(play_on(&mut open, 0, 0), GameEnd::Board(_)));
}

#[test]
fn the_board_comes_before_the_verdict() {
    let mut plan = randoms();
    plan.draw_rules = DrawRules::Study;
    let length = {
        let mut open = begin(&plan);
        play_on(&mut open, 0, 0);
        open.game().ply()
    };
    plan.adjudication.max_plies = Some(length as u32);
    assert!(matches!(
        play_on(&mut begin(&plan), 0, 0),
        GameEnd::Board(_)
    ));
    plan.adjudication.max_plies = Some(length as u32 - 1);
    assert!(matches!(
        play_on(&mut begin(&plan), 0, 0),
        GameEnd::Judged(Verdict::PlyCap { .. })
    ));
}
