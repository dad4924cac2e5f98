//! Positions to search: from random games, and set-ups full of kings.

use checkers_engine::{Limits, Rng};
use checkers_lib::{Bitboard, ByColor, Color, DrawRules, Game, Position, Setup, Square};

use super::bot;

/// At least `count` positions from random games, all of each game.
pub(crate) fn from_games(count: usize, seed: u64) -> Vec<Position> {
    let mut player = bot(&format!("random:seed={seed}"));
    let mut positions = Vec::new();
    for number in 0.. {
        let mut game = Game::new(DrawRules::Fmjd64);
        player.new_game(number);
        while let Some(m) = player.choose(&game, &Limits::default()).best {
            game.play(m).expect("a legal move");
        }
        positions.extend_from_slice(game.positions());
        if positions.len() >= count {
            break;
        }
    }
    positions
}

/// `count` positions of 2–7 pieces, most of them kings, some already lost.
pub(crate) fn king_endings(count: usize, seed: u64) -> Vec<Position> {
    let mut rng = Rng::new(seed);
    let setups = std::iter::repeat_with(|| king_ending(&mut rng));
    let legal = setups.filter_map(|setup| Position::from_setup(setup).ok());
    legal.take(count).collect()
}

fn king_ending(rng: &mut Rng) -> Setup {
    let mut free = Bitboard::FULL;
    let mut place = |rng: &mut Rng| {
        let squares: Vec<Square> = free.into_iter().collect();
        let square = squares[rng.below(squares.len())];
        free = free - square.into();
        square
    };
    let mut setup = Setup {
        turn: Color::ALL[rng.below(2)],
        ..Setup::EMPTY
    };
    for side in Color::ALL {
        for _ in 0..1 + rng.below(3) {
            setup.kings[side] |= Bitboard::from(place(rng));
        }
    }
    if rng.below(2) == 0 {
        setup.men[Color::ALL[rng.below(2)]] |= Bitboard::from(place(rng));
    }
    setup
}

/// The same position with the board turned and the colours swapped.
pub(crate) fn swapped(position: &Position) -> Position {
    let Setup { men, kings, turn } = position.setup();
    let swap = |sets: ByColor<Bitboard>| ByColor::new_with(|side| sets[!side].rotated());
    Position::from_setup(Setup {
        men: swap(men),
        kings: swap(kings),
        turn: !turn,
    })
    .expect("a legal position is legal from the other side too")
}
