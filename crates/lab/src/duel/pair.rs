//! Two games from one opening, with both colours.

use checkers_engine::Dice;
use checkers_lib::Color;

use crate::player::{Effort, Player};
use crate::playing::{Course, is_quiet};

/// How often an opening is looked for.
const MOST_OPENINGS: usize = 1_000;

/// The points of the first bot in both games: 2 for a win, 1 for a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pair(pub(super) [u8; 2]);

impl Pair {
    /// Plays the pair of a number; `None` if there is no such opening or a bot was stopped.
    pub(super) fn play(
        players: &mut [Player; 2],
        effort: Effort,
        seed: u64,
        number: u64,
        plies: usize,
    ) -> Option<Pair> {
        let mut dice = Dice::of(seed, number);
        let mut openings = (0..MOST_OPENINGS).filter_map(|_| Course::random(&mut dice, plies));
        let opening = openings.find(|course| is_quiet(course.game().position()))?;
        let mut points = [0; 2];
        for (points, first) in points.iter_mut().zip(Color::ALL) {
            for player in &mut *players {
                player.new_game(number);
            }
            *points = play(players, effort, opening.clone(), first)?;
        }
        Some(Pair(points))
    }
}

/// The points of the first bot, which has this colour.
fn play(players: &mut [Player; 2], effort: Effort, mut course: Course, first: Color) -> Option<u8> {
    loop {
        if let Some(winner) = course.verdict() {
            return Some(match winner {
                None => 1,
                Some(winner) if winner == first => 2,
                Some(_) => 0,
            });
        }
        let to_move = usize::from(course.game().turn() != first);
        let best = players[to_move].search(course.game(), effort).best?;
        if !course.play(best) {
            return None;
        }
    }
}
