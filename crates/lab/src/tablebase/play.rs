//! Best play followed to its end.

use checkers_engine::Rng;
use checkers_engine::tablebase::{Distance, ProbeError, Tablebases, Wdl};
use checkers_lib::{Bitboard, ByColor, Color, Position, Setup};

use super::failure::TableFailure;

/// Follows best play from `count` random won positions of this many pieces; returns the number of
/// plies of the longest game.
///
/// # Errors
/// When a position cannot be probed, or a game does not end after the number of plies in the
/// tables.
pub(crate) fn follow(
    tables: &Tablebases,
    pieces: u8,
    count: u64,
    seed: u64,
) -> Result<u8, TableFailure> {
    let mut rng = Rng::new(seed);
    let (mut followed, mut longest) = (0, 0);
    while followed < count {
        let Some(position) = random_position(&mut rng, pieces) else {
            continue;
        };
        let distance = tables.probe_distance(&position)?;
        let won = (distance.wdl() == Wdl::Win).then_some(distance);
        let Some(plies) = won.and_then(Distance::plies) else {
            continue;
        };
        if !ends_after(tables, position.clone(), plies)? {
            let fen = position.to_string();
            return Err(TableFailure::Line { fen, plies });
        }
        followed += 1;
        longest = longest.max(plies);
    }
    Ok(longest)
}

/// Whether best play ends after this many plies, and every position on the way says so.
fn ends_after(tables: &Tablebases, mut position: Position, plies: u8) -> Result<bool, ProbeError> {
    for left in (0..plies).rev() {
        let Some(&best) = tables.best_moves(&position)?.first() else {
            return Ok(false);
        };
        position.play_unchecked(best);
        if tables.probe_distance(&position)?.plies() != Some(left) {
            return Ok(false);
        }
    }
    Ok(position.is_lost())
}

/// Places random pieces on the board; `None` if that is not a position of this many pieces.
fn random_position(rng: &mut Rng, pieces: u8) -> Option<Position> {
    let mut setup = Setup {
        men: ByColor::default(),
        kings: ByColor::default(),
        turn: Color::White,
    };
    for _ in 0..pieces {
        let sets = match rng.below(2) {
            0 => &mut setup.men,
            _ => &mut setup.kings,
        };
        let side = match rng.below(2) {
            0 => Color::White,
            _ => Color::Black,
        };
        sets[side] |= Bitboard(1 << rng.below(32));
    }
    let position = Position::from_setup(setup).ok()?;
    let both = Color::ALL
        .into_iter()
        .all(|side| !position.pieces(side).is_empty());
    (both && position.occupied().len() == u32::from(pieces)).then_some(position)
}
