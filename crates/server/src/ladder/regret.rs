//! How well endings were played.

use std::sync::LazyLock;

use checkers_engine::tablebase::{Tablebases, Wdl};
use checkers_lib::protocol::GameRecord;
use checkers_lib::{ByColor, Color, Position};

use super::choices::{OpponentChoice, choices, replayed};

/// The most pieces of a position that counts: every program has the values of all such positions.
const MOST_PIECES: u32 = 5;

/// The built-in tables, whatever else the server has: everybody gets the same numbers.
static TABLES: LazyLock<Tablebases> = LazyLock::new(Tablebases::embedded);

/// What a player's moves have lost in positions whose values are known exactly. Only moves count to which there was an
/// alternative.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Regret {
    pub(crate) moves: i64,
    /// The half points that they have lost.
    pub(crate) lost: i64,
}

impl Regret {
    /// The regret of both sides after the opening of a game. A game that cannot be replayed has none.
    pub(crate) fn of(record: &GameRecord) -> ByColor<Regret> {
        let mut regret: ByColor<Regret> = ByColor::default();
        let small = choices(record).filter(|choice| choice.before.occupied().len() <= MOST_PIECES);
        for OpponentChoice { before, after, .. } in small {
            if let Ok(lost) = TABLES.half_points_lost(&before, &after) {
                let of_mover = &mut regret[before.turn()];
                of_mover.moves += 1;
                of_mover.lost += lost;
            }
        }
        regret
    }

    pub(crate) fn add(&mut self, more: Regret) {
        self.moves += more.moves;
        self.lost += more.lost;
    }

    /// Points lost in a hundred moves; `None` without moves.
    pub(crate) fn per_100_moves(self) -> Option<f64> {
        (self.moves > 0).then(|| self.lost as f64 / 2.0 * 100.0 / self.moves as f64)
    }
}

/// The exact value for White of the first position after the opening with at most [`MOST_PIECES`] in which the game
/// goes on; `None` if there is no such position.
pub(crate) fn value_of_ending(record: &GameRecord) -> Option<Wdl> {
    let start = record.start_fen.parse().ok();
    let later = replayed(record).map(|(ply, choice)| (ply + 1, choice.after));
    let mut positions = start.map(|start| (0, start)).into_iter().chain(later);
    let is_ending = |(ply, position): &(u32, Position)| {
        *ply >= record.opening_plies && position.occupied().len() <= MOST_PIECES
    };
    let (_, ending) = positions.find(is_ending)?;
    if ending.legal_moves().is_empty() {
        return None;
    }
    let value = TABLES.probe_wdl(&ending).ok()?;
    Some(match ending.turn() {
        Color::White => value,
        Color::Black => value.reversed(),
    })
}

#[cfg(test)]
pub(super) mod tests {
    use checkers_lib::protocol::PlayedMove;

    use super::*;
    use crate::table::test_record;

    pub(crate) fn record(start: &str, moves: &[&str]) -> GameRecord {
        let mut position: Position = start.parse().unwrap();
        let mut record = test_record(start);
        for (ply, text) in (0..).zip(moves) {
            let (m, route) = position.parse_route(text).unwrap();
            let played = PlayedMove::at(ply, &position, m, &route, 0);
            record.moves.push(played);
            position.play_unchecked(m);
        }
        record
    }

    fn of(start: &str, moves: &[&str]) -> [(i64, i64); 2] {
        let ByColor { white, black } = Regret::of(&record(start, moves));
        [white, black].map(|side| (side.moves, side.lost))
    }

    #[test]
    fn a_move_that_gives_a_king_away_loses_a_point() {
        // Kings of equal number: a draw, until White offers its own.
        assert_eq!(of("W:WKa1:BKh2", &["a1-b2"]), [(1, 0), (0, 0)]);
        assert_eq!(of("W:WKa1:BKg1", &["a1-d4"]), [(1, 1), (0, 0)]);
    }

    #[test]
    fn only_choices_in_small_positions_count() {
        assert_eq!(
            of("W:Wa1:Bh8", &["a1-b2"]),
            [(0, 0); 2],
            "it is the only move"
        );
        let many = "W:Wa1,c1,e1,g1:Bb8,d8,f8,h8";
        assert_eq!(of(many, &["c1-b2", "b8-a7"]), [(0, 0); 2]);
        let mut game = record("W:WKa1:BKg1", &["a1-d4"]);
        game.opening_plies = 1;
        assert_eq!(Regret::of(&game).white, Regret::default());
    }

    #[test]
    fn an_ending_has_the_value_of_its_first_position() {
        let value = |start, moves: &[&str]| value_of_ending(&record(start, moves));
        assert_eq!(value("W:WKa1:BKg1", &["a1-d4"]), Some(Wdl::Draw));
        assert_eq!(value("W:WKa1,Kb2,Kc3:Bh8", &[]), Some(Wdl::Win));
        assert_eq!(value("B:WKa1,Kc1:Bh8", &[]), Some(Wdl::Win));
        let many = "W:WKa1,c1,e1:Bb8,d8,f8";
        assert_eq!(value(many, &["c1-d2"]), None, "six pieces");
        // The last capture ends the game.
        assert_eq!(value("W:WKa1,c1,e1,g1:Bb2,h8", &["a1:c3"]), Some(Wdl::Win));
        assert_eq!(value("W:WKa1,c1,e1,g1,h2:Bb2", &["a1:c3"]), None);
        let mut game = record("W:WKa1:BKg1", &["a1-d4"]);
        game.opening_plies = 1;
        assert_eq!(value_of_ending(&game), Some(Wdl::Loss));
    }

    #[test]
    fn regret_is_per_hundred_moves() {
        assert_eq!(Regret { moves: 50, lost: 3 }.per_100_moves(), Some(3.0));
        assert_eq!(Regret::default().per_100_moves(), None);
    }
}
