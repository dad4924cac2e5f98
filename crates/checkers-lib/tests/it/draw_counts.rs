//! The running draw counts of a game against counts made afresh from its whole history, by the
//! table of the rules, at every ply of random games.

use std::collections::HashMap;

use checkers_lib::{
    Bitboard, Color, DrawReason, DrawRules, Game, Move, MoveList, Outcome, Position,
};

use crate::random::{SplitMix, random_set_up};

const GAMES: usize = 6_000;

#[test]
fn random_games_are_drawn_when_their_history_says_so() {
    let mut random = SplitMix(3);
    let mut ends: HashMap<Option<DrawReason>, usize> = HashMap::new();
    for _ in 0..GAMES {
        let fen = random_set_up(&mut random, 2..=10);
        let end = play_and_recount(&mut random, fen.parse().unwrap());
        *ends.entry(end).or_default() += 1;
    }
    println!("{ends:?}");
    for reason in [
        DrawReason::Repetition,
        DrawReason::KingsAgainstKing,
        DrawReason::KingMoves,
        DrawReason::NoProgress,
        DrawReason::MainRoad,
        DrawReason::FewPieces,
    ] {
        let games = ends.get(&Some(reason)).copied().unwrap_or(0);
        assert!(games >= 10, "{reason} in {games} games only");
    }
}

/// Plays to the end, recounting at every ply; returns the draw, if it was one.
fn play_and_recount(random: &mut SplitMix, start: Position) -> Option<DrawReason> {
    let mut game = Game::from_position(start, DrawRules::Fmjd64);
    while game.outcome().is_none() {
        let m = choose(random, game.position(), &game.legal_moves());
        game.play(m).unwrap();
        let expected = if game.position().is_lost() {
            None
        } else {
            History(&game).draw()
        };
        let draw = match game.outcome() {
            Some(Outcome::Draw(reason)) => Some(reason),
            Some(Outcome::Win { .. }) | None => None,
        };
        assert_eq!(draw, expected, "{} {:?}", game.start(), game.moves());
    }
    game.outcome().and_then(|outcome| match outcome {
        Outcome::Draw(reason) => Some(reason),
        Outcome::Win { .. } => None,
    })
}

/// A random move, seldom one that lets the opponent capture, so that games grow long.
fn choose(random: &mut SplitMix, position: &Position, moves: &MoveList) -> Move {
    let mut m = moves[random.below(moves.len())];
    for _ in 0..12 {
        let after = position.clone().play(m).unwrap();
        if !after.must_capture() {
            break;
        }
        m = moves[random.below(moves.len())];
    }
    m
}

/// One move of the history.
struct Ply<'a> {
    before: &'a Position,
    m: Move,
    after: &'a Position,
}

impl Ply<'_> {
    fn captures(&self) -> bool {
        self.m.is_capture()
    }

    fn promotes(&self) -> bool {
        self.m.promotes()
    }

    fn promotes_first(&self) -> bool {
        self.m.promotes() && self.before.kings(self.before.turn()).is_empty()
    }

    fn by_man(&self) -> bool {
        self.before.men(self.before.turn()).contains(self.m.from())
    }

    fn leaves_three(&self) -> bool {
        self.captures() && self.before.occupied().len() > 3 && self.after.occupied().len() <= 3
    }
}

struct History<'a>(&'a Game);

impl History<'_> {
    /// The draw that the rules declare now.
    fn draw(&self) -> Option<DrawReason> {
        let now = self.0.position();
        let times = self.0.positions().iter().filter(|&past| past == now);
        if times.count() >= 3 {
            return Some(DrawReason::Repetition);
        }
        if Color::ALL.iter().any(|&side| now.kings(side).is_empty()) {
            return None;
        }
        let (reason, limit, plies) = self.count(now);
        if self.is_main_road(now) && self.plies_on_the_road() >= 10 {
            return Some(DrawReason::MainRoad);
        }
        (plies >= limit).then_some(reason)
    }

    /// The article in force while both sides have a king, its limit, and how far it has run.
    fn count(&self, now: &Position) -> (DrawReason, usize, usize) {
        let changed = |ply: &Ply| ply.captures() || ply.promotes();
        let stronger = Color::ALL
            .map(|side| now.pieces(side).len())
            .into_iter()
            .max();
        let all_kings = Color::ALL.map(|side| now.men(side).is_empty()) == [true, true];
        match (lone_king(now), stronger, now.occupied().len()) {
            (Some(_), Some(1 | 2), _) => {
                let begins = |ply: &Ply| ply.leaves_three() || ply.promotes_first();
                (DrawReason::FewPieces, 10, self.plies_since(begins))
            }
            (Some(_), _, _) if all_kings => {
                (DrawReason::KingsAgainstKing, 30, self.plies_since(changed))
            }
            (_, _, 4 | 5) => (DrawReason::NoProgress, 60, self.plies_since(changed)),
            (_, _, 6 | 7) => (DrawReason::NoProgress, 120, self.plies_since(changed)),
            (_, _, _) => {
                let begins = |ply: &Ply| changed(ply) || ply.by_man();
                (DrawReason::KingMoves, 30, self.plies_since(begins))
            }
        }
    }

    fn plies_on_the_road(&self) -> usize {
        self.backwards()
            .take_while(|ply| !ply.captures() && !ply.promotes_first())
            .filter(|ply| self.is_main_road(ply.after))
            .count()
    }

    fn is_main_road(&self, position: &Position) -> bool {
        let on_road = position.occupied() & Bitboard::MAIN_ROAD;
        lone_king(position).is_some_and(|side| {
            let opponents = position.pieces(!side).len();
            opponents == 3 && on_road == position.pieces(side) && !position.kings(!side).is_empty()
        })
    }

    /// How many plies came after the last one that begins the count.
    fn plies_since(&self, begins: impl Fn(&Ply) -> bool) -> usize {
        self.backwards().take_while(|ply| !begins(ply)).count()
    }

    fn backwards(&self) -> impl Iterator<Item = Ply<'_>> {
        let positions = self.0.positions().windows(2).rev();
        positions
            .zip(self.0.moves().iter().rev())
            .map(|(pair, &m)| Ply {
                before: &pair[0],
                m,
                after: &pair[1],
            })
    }
}

/// The side whose only piece is a king.
fn lone_king(position: &Position) -> Option<Color> {
    Color::ALL
        .into_iter()
        .find(|&side| position.pieces(side).len() == 1 && position.men(side).is_empty())
}
