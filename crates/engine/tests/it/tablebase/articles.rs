//! The articles that count moves, held against the game itself.

use std::collections::HashMap;

use checkers_engine::tablebase::{ArticleSolver, Material, Tablebases, Wdl};
use checkers_lib::{Bitboard, ByColor, Color, DrawClock, Position, Setup};

/// Forward search with the counts of the game.
struct ForwardSearch {
    tables: Tablebases,
    /// What positions are worth by how many plies led to them.
    known: HashMap<(Position, u16), Wdl>,
}

impl ForwardSearch {
    fn value(&mut self, position: &Position, clock: DrawClock, plies: u16) -> Wdl {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return Wdl::Loss;
        }
        if clock.due(position).is_some() {
            return Wdl::Draw;
        }
        // Nothing is counted unless both sides have a king; a promotion begins anew.
        if Color::ALL
            .iter()
            .any(|&side| position.kings(side).is_empty())
        {
            return self.tables.probe_wdl(position).unwrap();
        }
        let key = (position.clone(), plies);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let mut best = Wdl::Loss;
        for &m in &moves {
            let mut after = position.clone();
            after.play_unchecked(m);
            let mut clock = clock;
            clock.advance(position, m, &after);
            best = best.max(self.value(&after, clock, plies + 1).reversed());
            if best == Wdl::Win {
                break;
            }
        }
        self.known.insert(key, best);
        best
    }
}

/// Every position of kings only, White to move.
fn of_kings(white: u32, black: u32) -> impl Iterator<Item = Position> {
    let sets = move |count| {
        (0..32)
            .flat_map(move |a| (0..=a).map(move |b| 1 << a | 1 << b))
            .filter(move |set: &u32| set.count_ones() == count)
    };
    sets(white)
        .flat_map(move |white| sets(black).map(move |black| (white, black)))
        .filter(|(white, black)| white & black == 0)
        .map(|(white, black)| {
            let kings = ByColor {
                white: Bitboard(white),
                black: Bitboard(black),
            };
            Position::from_setup(Setup {
                men: ByColor::default(),
                kings,
                turn: Color::White,
            })
            .unwrap()
        })
}

#[test]
fn as_many_are_won_and_lost_as_the_game_says() {
    let mut search = ForwardSearch {
        tables: Tablebases::embedded(),
        known: HashMap::new(),
    };
    let mut solver = ArticleSolver::new(1);
    for pair in (2..=3).flat_map(Material::pairs) {
        for (material, under) in solver.solve(pair).unwrap() {
            if material.men() > 0 {
                continue;
            }
            let (mut wins, mut losses) = (0, 0);
            for position in of_kings(material.mover.kings.into(), material.other.kings.into()) {
                match search.value(&position, DrawClock::default(), 0) {
                    Wdl::Win => wins += 1,
                    Wdl::Loss => losses += 1,
                    Wdl::Draw => {}
                }
            }
            assert_eq!((under.wins, under.losses), (wins, losses), "{material}");
            assert_eq!(under.limit, Some(10));
        }
    }
}

/// The numbers of wins and losses are those without the articles, and all of them are in time.
#[test]
fn no_win_of_four_pieces_is_a_draw_by_the_articles() {
    if !crate::is_exhaustive() {
        return;
    }
    let mut solver = ArticleSolver::new(3);
    let mut wins = 0;
    for pair in (2..=4).flat_map(Material::pairs) {
        for (material, under) in solver.solve(pair).unwrap() {
            assert!(
                under.longest.unwrap_or(0) <= under.limit.unwrap_or(u8::MAX),
                "{material}"
            );
            wins += under.wins;
        }
    }
    assert_eq!(wins, 1_291 + 67_475 + 2_409_393);
}
