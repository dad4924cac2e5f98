//! A bot's copy of its game, kept from the messages of the table. Pure.

use checkers_lib::protocol::{GameState, PlayedMove};
use checkers_lib::{Color, DrawRules, Game, Position};

/// A running game in which a bot plays.
#[derive(Debug)]
pub(crate) struct GameMirror {
    pub(crate) number: u64,
    /// The bot's side.
    pub(crate) color: Color,
    start: Position,
    rules: DrawRules,
    /// The moves so far, as text.
    moves: Vec<String>,
    game: Game,
}

impl GameMirror {
    /// Copies a game from its state; `None` if `name` is not one of its players or the state is
    /// invalid.
    pub(crate) fn from_state(
        state: &GameState,
        rules: DrawRules,
        name: &str,
    ) -> Option<GameMirror> {
        let color = match name {
            name if name == state.white => Color::White,
            name if name == state.black => Color::Black,
            _ => return None,
        };
        let start: Position = state.start_fen.parse().ok()?;
        let mut mirror = GameMirror {
            number: state.game,
            color,
            game: Game::from_position(start.clone(), rules),
            start,
            rules,
            moves: Vec::new(),
        };
        for played in &state.moves {
            mirror.play(played)?;
        }
        Some(mirror)
    }

    /// Plays a move; `None` if it does not fit.
    pub(crate) fn play(&mut self, played: &PlayedMove) -> Option<()> {
        if played.ply != self.ply() {
            return None;
        }
        self.advance(&played.text)?;
        self.moves.push(played.text.clone());
        Some(())
    }

    /// Takes moves back until `ply` are left; `None` if there were fewer.
    pub(crate) fn take_back(&mut self, ply: u32) -> Option<()> {
        self.moves.truncate(ply as usize);
        self.game = Game::from_position(self.start.clone(), self.rules);
        for text in self.moves.clone() {
            self.advance(&text)?;
        }
        (self.ply() == ply).then_some(())
    }

    fn advance(&mut self, text: &str) -> Option<()> {
        let m = self.game.position().parse_move(text).ok()?;
        self.game.play(m).ok()
    }

    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    /// The number of moves played.
    pub(crate) fn ply(&self) -> u32 {
        u32::try_from(self.moves.len()).unwrap_or(u32::MAX)
    }

    /// Whether the bot is to move.
    pub(crate) fn is_to_move(&self) -> bool {
        self.game.turn() == self.color
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(game: &Game, text: &str) -> PlayedMove {
        let position = game.position();
        let m = position.parse_move(text).unwrap();
        let route = &m.routes(position)[0];
        PlayedMove::new(game, m, route, 0)
    }

    fn state() -> GameState {
        let fen = Position::start().to_string();
        GameState {
            table: "main".to_owned(),
            id: "main-7".to_owned(),
            game: 7,
            seq: 3,
            white: "anna".to_owned(),
            black: "Level 3".to_owned(),
            start_fen: fen.clone(),
            moves: vec![played(&Game::new(DrawRules::Fmjd64), "c3-d4")],
            opening_plies: 0,
            fen,
            ply: 1,
            turn: Color::Black.into(),
            clocks: None,
            offers: Vec::new(),
            thinking_ms: None,
            result: None,
            reason: None,
            article: None,
            left: None,
        }
    }

    #[test]
    fn a_game_is_followed_forward_and_back() {
        let mut mirror = GameMirror::from_state(&state(), DrawRules::Fmjd64, "Level 3").unwrap();
        assert_eq!((mirror.color, mirror.ply()), (Color::Black, 1));
        assert!(mirror.is_to_move());
        let reply = played(mirror.game(), "b6-a5");
        assert_eq!(mirror.play(&reply), Some(()));
        assert_eq!(mirror.play(&reply), None);
        assert!(!mirror.is_to_move());
        assert_eq!(mirror.take_back(1), Some(()));
        assert!(mirror.is_to_move());
        assert_eq!(mirror.take_back(2), None);
    }

    #[test]
    fn games_of_others_are_not_followed() {
        assert!(GameMirror::from_state(&state(), DrawRules::Fmjd64, "boris").is_none());
    }
}
