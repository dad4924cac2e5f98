//! What is known about endings of this game.

use checkers_engine::tablebase::{Tablebases, Wdl};
use checkers_lib::{Bitboard, ByColor, Color, Position, Setup, Square};

use super::{position, tables};

/// All positions of so many white kings, to move, against a black one.
fn kings_against_king(kings: u32) -> impl Iterator<Item = Position> {
    (0..1u64 << 32)
        .scan((1u64 << kings) - 1, |set, _| {
            let this = *set;
            let lowest = this & this.wrapping_neg();
            let ripple = this + lowest;
            *set = ripple | (((this ^ ripple) >> 2) / lowest);
            (this < 1 << 32).then_some(Bitboard(this as u32))
        })
        .flat_map(|white| {
            let free = Square::ALL
                .into_iter()
                .filter(move |&square| !white.contains(square));
            free.map(move |square| {
                Position::from_setup(Setup {
                    men: ByColor::default(),
                    kings: ByColor {
                        white,
                        black: square.into(),
                    },
                    turn: Color::White,
                })
                .unwrap()
            })
        })
}

/// How many are won and drawn, and the longest win.
fn count(positions: impl Iterator<Item = Position>, tables: &Tablebases) -> (u32, u32, u8) {
    let (mut wins, mut draws, mut longest) = (0, 0, 0);
    for position in positions {
        let distance = tables.probe_distance(&position).unwrap();
        match distance.wdl() {
            Wdl::Win => {
                wins += 1;
                longest = longest.max(distance.plies().unwrap());
            }
            Wdl::Draw => draws += 1,
            Wdl::Loss => panic!("{position} is lost"),
        }
    }
    (wins, draws, longest)
}

/// Whether a capture is pending for either side.
fn is_quiet_for_both(position: &Position) -> bool {
    let mut setup = position.setup();
    setup.turn = !setup.turn;
    !position.must_capture() && !Position::from_setup(setup).unwrap().must_capture()
}

#[test]
fn three_kings_win_off_the_main_road() {
    let tables = tables();
    assert_eq!(count(kings_against_king(3), &tables), (132_240, 11_600, 25));
    let off_road = kings_against_king(3).filter(|position| {
        let lone = position.kings(Color::Black);
        is_quiet_for_both(position) && (lone & Bitboard::MAIN_ROAD).is_empty()
    });
    let (wins, draws, _) = count(off_road, &tables);
    assert_eq!((wins, draws), (49_676, 0));
}

#[test]
fn two_kings_seldom_win() {
    let quiet = kings_against_king(2).filter(is_quiet_for_both);
    let (wins, draws, _) = count(quiet, &tables());
    assert_eq!((wins, draws), (408, 7_922));
}

/// Without a capture pending. Asserted where distances of 5 pieces have been made.
pub(crate) fn four_kings_win_within_13_plies(tables: &Tablebases) {
    let quiet = kings_against_king(4).filter(is_quiet_for_both);
    let mut longest = None;
    for position in quiet {
        let distance = tables.probe_distance(&position).unwrap();
        assert_eq!(distance.wdl(), Wdl::Win, "{position}");
        longest = longest.max(distance.plies());
    }
    assert_eq!(longest, Some(13));
}

#[test]
fn single_men_fight_for_the_opposition() {
    let tables = tables();
    for (pieces, white_to_move, black_to_move) in [
        ("Wc3:Bc5", Wdl::Loss, Wdl::Loss),
        ("Wb6:Bb8", Wdl::Win, Wdl::Loss),
        ("Wg1:Bg3", Wdl::Loss, Wdl::Win),
    ] {
        let value = |turn| {
            tables
                .probe_wdl(&position(&format!("{turn}:{pieces}")))
                .unwrap()
        };
        assert_eq!(
            (value('W'), value('B')),
            (white_to_move, black_to_move),
            "{pieces}"
        );
    }
}
