//! The fixed positions that `bench` and `compare` search.

use checkers_lib::{DrawRules, Game, Position};

const POSITIONS: &str = include_str!("positions.txt");

/// Each as a game that begins there: openings, middle games, endings with kings.
pub(crate) fn games() -> Vec<Game> {
    let positions = POSITIONS.lines().filter(|line| !line.starts_with('#'));
    let game = |fen: &str| {
        let position: Position = fen
            .parse()
            .expect("a position of the file, which is tested");
        Game::from_position(position, DrawRules::Fmjd64)
    };
    positions.map(game).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_positions_are_positions_with_a_choice() {
        let games = games();
        assert_eq!(games.len(), 20);
        assert!(games.iter().all(|game| game.legal_moves().len() > 1));
        let kings = |game: &&Game| {
            let position = game.position();
            !(position.kings(position.turn()) | position.kings(!position.turn())).is_empty()
        };
        assert!(games.iter().filter(kings).count() >= 6);
    }
}
