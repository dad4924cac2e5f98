//! The articles that end a game in a draw: each at the move before and at the move on which it
//! falls due, and each with what begins its count anew. Counts are in plies, two for a move.

use checkers_lib::{Color, DrawReason, DrawRules, Game, Outcome, Setup};

use crate::game::play_on;
use crate::script::Script;
use crate::script::kinds::{
    captures_a_single_piece, keeps_the_cage_shut, king_moves, king_moves_on_a_shared_road,
    lone_king_captures, lone_king_captures_on_the_road, man_moves, off_the_road, on_the_road,
    on_the_road_by_kings, promotes, strong_side_captures, wins,
};

// 7.2.3: the same position, the same side to move, for the third time.

#[test]
fn the_third_occurrence_of_a_position_is_a_draw() {
    let twice = "c1-d2 f8-e7 d2-c1 e7-f8 c1-d2 f8-e7 d2-c1";
    let mut game = play(ROOMY, DrawRules::Fmjd64, twice);
    assert_eq!(game.repetitions(), 2);
    assert_eq!(game.outcome(), None);
    play_on(&mut game, "e7-f8");
    assert_eq!(game.repetitions(), 3);
    assert_eq!(game.outcome(), Some(Outcome::Draw(DrawReason::Repetition)));
}

#[test]
fn the_occurrences_need_not_follow_each_other() {
    let around = "c1-d2 f8-e7 d2-c1 e7-f8 c1-e3 f8-d6 e3-d2 d6-e7 d2-c1";
    let mut game = play(ROOMY, DrawRules::Fmjd64, around);
    assert_eq!(game.outcome(), None);
    play_on(&mut game, "e7-f8");
    assert_eq!(game.outcome(), Some(Outcome::Draw(DrawReason::Repetition)));
}

#[test]
fn the_same_pieces_with_the_other_side_to_move_are_another_position() {
    // White loses a move on the way: the pieces of the start stand there after 0, 5 and 9 plies.
    let moves = "c1-d2 f8-e7 d2-e3 e7-f8 e3-c1 f8-e7 c1-d2 e7-f8 d2-c1";
    let game = play(ROOMY, DrawRules::Fmjd64, moves);
    let Setup { men, kings, turn } = game.position().setup();
    let start = game.start().setup();
    assert_eq!((men, kings, turn), (start.men, start.kings, Color::Black));
    assert_eq!(game.repetitions(), 2);
    assert_eq!(game.outcome(), None);
}

#[test]
fn a_repetition_is_named_before_a_count_that_falls_due_with_it() {
    let moves = "c1-e3 b8-d6 e3-d2 d6-c7 d2-e3 c7-d6 e3-d2 d6-c7 d2-e3";
    let mut game = play("W:WKc1:BKb8", DrawRules::Fmjd64, moves);
    assert_eq!(game.outcome(), None);
    play_on(&mut game, "c7-d6");
    assert_eq!(game.ply(), 10);
    assert_eq!(game.outcome(), Some(Outcome::Draw(DrawReason::Repetition)));
}

// 7.2.4: three or more kings against a lone king, 15 moves.

#[test]
fn three_kings_have_fifteen_moves_against_one() {
    Script::from("W:WKc1,Ke1,Kg1:BKb8")
        .then(30, off_the_road)
        .ends_drawn_by(DrawReason::KingsAgainstKing);
}

#[test]
fn more_kings_have_no_more_moves() {
    Script::from("W:WKc1,Ke1,Kg1,Ka3:BKb8")
        .then(30, king_moves)
        .ends_drawn_by(DrawReason::KingsAgainstKing);
    Script::from("W:WKc1,Ke1,Kg1,Kh2,Kf2,Kd2,Ka3:BKb8")
        .then(30, king_moves)
        .ends_drawn_by(DrawReason::KingsAgainstKing);
}

#[test]
fn the_fifteen_moves_begin_with_the_capture_that_leaves_the_king_alone() {
    Script::from("W:WKc1,Ke1,Kh2:BKd8,c5")
        .then(30, king_moves)
        .then(1, strong_side_captures)
        .then(30, off_the_road)
        .ends_drawn_by(DrawReason::KingsAgainstKing);
}

#[test]
fn the_fifteen_moves_begin_again_when_the_lone_king_captures() {
    Script::from("W:WKc1,Ke1,Kg1,Ka3:BKb8")
        .then(29, king_moves)
        .then(1, lone_king_captures)
        .then(30, off_the_road)
        .ends_drawn_by(DrawReason::KingsAgainstKing);
}

#[test]
fn the_fifteen_moves_begin_with_the_promotion_of_the_last_man() {
    Script::from("W:WKc1,Ke1,Kg1,a7:BKh2")
        .then(20, king_moves)
        .then(1, promotes)
        .then(30, king_moves)
        .ends_drawn_by(DrawReason::KingsAgainstKing);
}

#[test]
fn a_man_among_the_kings_keeps_the_fifteen_moves_away() {
    Script::from("W:WKc1,Ke1,Kg1,a5:BKb8")
        .then(60, king_moves)
        .ends_drawn_by(DrawReason::NoProgress);
}

// 7.2.5: eight pieces or more, both sides with a king, 15 moves by kings only.

#[test]
fn kings_alone_may_move_fifteen_times() {
    Script::from("W:WKc1,a1,g1,h2:BKf8,a7,b8,h8")
        .then(30, king_moves)
        .ends_drawn_by(DrawReason::KingMoves);
    Script::from("W:WKc1,Ke1,a1,g1,h2:BKf8,Kd8,a7,b8,h8")
        .then(30, king_moves)
        .ends_drawn_by(DrawReason::KingMoves);
}

#[test]
fn a_man_that_moves_begins_the_count_of_king_moves_again() {
    Script::from("W:WKc1,a1,g1,h2:BKf8,a7,b8,h8")
        .then(29, king_moves)
        .then(1, man_moves)
        .then(30, king_moves)
        .ends_drawn_by(DrawReason::KingMoves);
}

#[test]
fn a_capture_begins_the_count_of_king_moves_again() {
    Script::from("W:WKc1,a1,g1,h2,b4:BKd8,a7,b8,h8")
        .then(29, king_moves)
        .then(1, captures_a_single_piece)
        .then(30, king_moves)
        .ends_drawn_by(DrawReason::KingMoves);
}

#[test]
fn a_promotion_begins_the_count_of_king_moves_again() {
    Script::from("B:WKc1,a1,g1,h2,g7:BKe1,a7,b8")
        .then(29, king_moves)
        .then(1, promotes)
        .then(30, king_moves)
        .ends_drawn_by(DrawReason::KingMoves);
}

// 7.2.6: both sides with a king; 30 moves with 4–5 pieces, 60 with 6–7.

#[test]
fn four_or_five_pieces_have_thirty_moves() {
    for fen in [
        "W:WKc1,h2:BKf8,a7",
        "W:WKc1,Ka3:BKf8,Kh6",
        "W:WKc1,a1,h2:BKf8,a7",
        "W:WKc1,a1,g1,h2:BKf8",
    ] {
        Script::from(fen)
            .then(60, king_moves)
            .ends_drawn_by(DrawReason::NoProgress);
    }
}

#[test]
fn six_or_seven_pieces_have_sixty_moves() {
    for fen in [
        "W:WKc1,a1,h2:BKf8,a7,h8",
        "W:WKc1,Ke1,h2:BKf8,Kd8,a7",
        "W:WKc1,a1,g1,h2:BKf8,a7,h8",
        "W:WKc1,a1,g1,e1,h2:BKf8,a7",
    ] {
        Script::from(fen)
            .then(120, king_moves)
            .ends_drawn_by(DrawReason::NoProgress);
    }
}

#[test]
fn two_men_and_a_king_have_thirty_moves_against_a_lone_king_off_the_road() {
    Script::from("W:WKc1,g1,h2:BKf8")
        .then(60, off_the_road)
        .ends_drawn_by(DrawReason::NoProgress);
}

#[test]
fn a_man_that_moves_does_not_begin_the_thirty_moves_again() {
    Script::from("W:WKc1,h2:BKf8,a7")
        .then(30, king_moves)
        .then(1, man_moves)
        .then(29, king_moves)
        .ends_drawn_by(DrawReason::NoProgress);
    Script::from("W:WKc1,a1,h2:BKf8,a7,h8")
        .then(119, king_moves)
        .then(1, man_moves)
        .ends_drawn_by(DrawReason::NoProgress);
}

#[test]
fn a_capture_begins_the_thirty_moves_again() {
    Script::from("W:WKc1,b4,h2:BKd8,a7")
        .then(59, king_moves)
        .then(1, captures_a_single_piece)
        .then(60, king_moves)
        .ends_drawn_by(DrawReason::NoProgress);
}

#[test]
fn a_capture_begins_the_sixty_moves_again() {
    Script::from("W:WKc1,a1,b4,h2:BKd8,a7,h8")
        .then(119, king_moves)
        .then(1, captures_a_single_piece)
        .then(120, king_moves)
        .ends_drawn_by(DrawReason::NoProgress);
}

#[test]
fn a_capture_that_leaves_five_pieces_leaves_thirty_moves() {
    Script::from("W:WKc1,b4,h2:BKd8,a7,h8")
        .then(71, king_moves)
        .then(1, captures_a_single_piece)
        .then(60, king_moves)
        .ends_drawn_by(DrawReason::NoProgress);
}

#[test]
fn a_promotion_begins_the_thirty_and_the_sixty_moves_again() {
    Script::from("B:WKc1,g7,h2:BKe1,a7")
        .then(59, king_moves)
        .then(1, promotes)
        .then(60, king_moves)
        .ends_drawn_by(DrawReason::NoProgress);
    Script::from("B:WKc1,g7,h2:BKe1,a7,a5")
        .then(119, king_moves)
        .then(1, promotes)
        .then(120, king_moves)
        .ends_drawn_by(DrawReason::NoProgress);
}

#[test]
fn a_capture_that_leaves_seven_pieces_ends_the_count_of_king_moves() {
    Script::from("W:WKc1,a1,b4,h2:BKd8,a7,b8,h8")
        .then(29, king_moves)
        .then(1, captures_a_single_piece)
        .then(120, king_moves)
        .ends_drawn_by(DrawReason::NoProgress);
}

// 7.2.7: three pieces, a king among them, against a lone king on the main road, 5 moves there.

#[test]
fn five_moves_on_the_main_road_draw_against_three_pieces() {
    for fen in [
        "W:WKc1,Ke1,Kg1:BKh8",
        "W:WKc1,Ke1,h2:BKh8",
        "W:WKc1,g1,h2:BKh8",
    ] {
        Script::from(fen)
            .then(10, on_the_road)
            .ends_drawn_by(DrawReason::MainRoad);
    }
}

#[test]
fn the_moves_on_the_road_need_not_follow_each_other() {
    Script::from("W:WKc1,Ke1,h2:BKh8")
        .then(5, on_the_road)
        .then(6, off_the_road)
        .then(5, on_the_road)
        .ends_drawn_by(DrawReason::MainRoad);
}

#[test]
fn the_moves_on_the_road_begin_with_the_capture_that_leaves_three() {
    Script::from("B:WKc1,Ke1,h2,g7:BKh8")
        .then(1, lone_king_captures_on_the_road)
        .then(10, on_the_road)
        .ends_drawn_by(DrawReason::MainRoad);
}

#[test]
fn the_moves_on_the_road_begin_with_a_first_promotion() {
    // The strong side's first king, then the lone king itself.
    Script::from("W:Wa7,e1,g1:BKh8")
        .then(1, promotes)
        .then(10, on_the_road)
        .ends_drawn_by(DrawReason::MainRoad);
    Script::from("B:WKc1,Kh4,h6:Bb2")
        .then(1, promotes)
        .then(10, on_the_road)
        .ends_drawn_by(DrawReason::MainRoad);
}

#[test]
fn a_second_king_does_not_begin_the_moves_on_the_road_again() {
    Script::from("W:WKc1,a7,e1:BKh8")
        .then(6, on_the_road_by_kings)
        .then(1, promotes)
        .then(3, on_the_road)
        .ends_drawn_by(DrawReason::MainRoad);
}

#[test]
fn a_road_with_another_piece_on_it_does_not_count() {
    Script::from("W:WKc1,Ke1,a1:BKf6")
        .then(20, king_moves_on_a_shared_road)
        .stays_open();
}

#[test]
fn the_road_counts_against_exactly_three_pieces() {
    Script::from("W:WKc1,Ke1,Kg1,Ka3:BKh8")
        .then(30, on_the_road)
        .ends_drawn_by(DrawReason::KingsAgainstKing);
    Script::from("W:WKc1,Ke1,h2,g1:BKh8")
        .then(60, on_the_road)
        .ends_drawn_by(DrawReason::NoProgress);
    Script::from("W:WKc1,Ke1:BKh8")
        .then(10, on_the_road)
        .ends_drawn_by(DrawReason::FewPieces);
}

#[test]
fn four_moves_on_the_road_leave_the_other_articles_in_force() {
    Script::from("W:WKc1,Ke1,Kg1:BKb8")
        .then(21, off_the_road)
        .then(9, on_the_road)
        .ends_drawn_by(DrawReason::KingsAgainstKing);
    Script::from("W:WKc1,g1,h2:BKb8")
        .then(51, off_the_road)
        .then(9, on_the_road)
        .ends_drawn_by(DrawReason::NoProgress);
}

// 7.2.8: one or two pieces, a king among them, against a lone king, 5 moves.

#[test]
fn one_or_two_pieces_have_five_moves() {
    for fen in [
        "W:WKc1:BKb8",
        "W:WKc1,Ke1:BKb8",
        "W:WKc1,h2:BKb8",
        "B:WKc1,h2:BKb8",
    ] {
        Script::from(fen)
            .then(10, king_moves)
            .ends_drawn_by(DrawReason::FewPieces);
    }
}

#[test]
fn the_five_moves_begin_with_the_capture_that_leaves_three_pieces() {
    Script::from("W:WKc1,h2:BKb8,c5")
        .then(20, king_moves)
        .then(1, captures_a_single_piece)
        .then(10, king_moves)
        .ends_drawn_by(DrawReason::FewPieces);
    Script::from("W:WKc1,Ke1,Kg1:BKb8")
        .then(21, off_the_road)
        .then(1, lone_king_captures)
        .then(10, king_moves)
        .ends_drawn_by(DrawReason::FewPieces);
}

#[test]
fn the_five_moves_do_not_begin_again_with_another_capture() {
    Script::from("W:WKc1,Ke1:BKb8")
        .then(7, king_moves)
        .then(1, captures_a_single_piece)
        .then(2, king_moves)
        .ends_drawn_by(DrawReason::FewPieces);
}

#[test]
fn the_five_moves_begin_with_a_first_promotion() {
    Script::from("W:Wa5,h2:BKb8")
        .then_pairs(4, man_moves, king_moves)
        .then(1, promotes)
        .then(10, king_moves)
        .ends_drawn_by(DrawReason::FewPieces);
    Script::from("W:WKc1,Ke1:Bh4")
        .then_pairs(2, king_moves, man_moves)
        .then(1, king_moves)
        .then(1, promotes)
        .then(10, king_moves)
        .ends_drawn_by(DrawReason::FewPieces);
}

#[test]
fn the_five_moves_do_not_begin_again_with_a_second_king_or_a_man_that_moves() {
    Script::from("W:WKc1,a7:BKh2")
        .then(8, king_moves)
        .then(1, promotes)
        .then(1, king_moves)
        .ends_drawn_by(DrawReason::FewPieces);
    Script::from("W:WKc1,a5:BKh2")
        .then(8, king_moves)
        .then(1, man_moves)
        .then(1, king_moves)
        .ends_drawn_by(DrawReason::FewPieces);
}

#[test]
fn no_count_falls_due_while_a_side_has_no_king() {
    Script::from("W:WKc1,Ke1:Bh8,b8")
        .then_pairs(6, king_moves, man_moves)
        .stays_open();
}

// A win comes before every draw.

#[test]
fn a_winning_move_wins_though_a_count_falls_due_with_it() {
    Script::from("B:WKg3,Kf4,Kf2,Ke3,Ka5:BKh2")
        .then(29, keeps_the_cage_shut)
        .then(1, wins)
        .ends_won();
    Script::from("B:WKc1,Ke1:BKb8")
        .then(9, king_moves)
        .then(1, wins)
        .ends_won();
}

// The study's rule: 200 plies and nothing else.

#[test]
fn the_study_draws_after_two_hundred_plies() {
    Script::from("W:WKc1:BKb8")
        .under(DrawRules::Study)
        .then(200, king_moves)
        .ends_drawn_by(DrawReason::PlyLimit);
}

#[test]
fn the_study_counts_a_win_on_the_last_ply() {
    Script::from("W:WKc1:BKb8")
        .under(DrawRules::Study)
        .then(199, king_moves)
        .then(1, wins)
        .ends_won();
}

#[test]
fn the_study_knows_no_repetition() {
    let thrice = "c1-d2 f8-e7 d2-c1 e7-f8 c1-d2 f8-e7 d2-c1 e7-f8";
    let game = play(ROOMY, DrawRules::Study, thrice);
    assert_eq!(game.repetitions(), 3);
    assert_eq!(game.outcome(), None);
}

#[test]
fn every_draw_of_the_federation_names_its_article() {
    for (reason, article) in [
        (DrawReason::Repetition, "7.2.3"),
        (DrawReason::KingsAgainstKing, "7.2.4"),
        (DrawReason::KingMoves, "7.2.5"),
        (DrawReason::NoProgress, "7.2.6"),
        (DrawReason::MainRoad, "7.2.7"),
        (DrawReason::FewPieces, "7.2.8"),
    ] {
        assert_eq!(reason.article(), Some(article));
        let text = Outcome::Draw(reason).to_string();
        assert!(text.ends_with(&format!("(article {article})")), "{text}");
    }
    assert_eq!(DrawReason::PlyLimit.article(), None);
    assert_eq!(DrawReason::Agreement.article(), None);
}

/// Kings with room to walk, and men enough to keep the counts of few pieces away.
const ROOMY: &str = "W:WKc1,a1,g1,h2:BKf8,a7,b8,h8";

fn play(fen: &str, rules: DrawRules, moves: &str) -> Game {
    let mut game = Game::from_position(fen.parse().unwrap(), rules);
    play_on(&mut game, moves);
    game
}
