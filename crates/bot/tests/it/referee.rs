//! A referee that says what a server would say about one game.

use checkers_lib::protocol::{
    EndReason, ErrorCode, GameResult, GameState, Joined, LegalMove, PROTOCOL_VERSION, PlayedMove,
    Player, Refusal, Role, ServerMessage, WireClocks, wire_ply,
};
use checkers_lib::{ByColor, Color, DrawRules, Game};

/// The bot's name in the tests.
pub(crate) const BOT: &str = "b1";
/// The table.
pub(crate) const MAIN: &str = "main";
/// Its opponent's.
pub(crate) const RIVAL: &str = "rival";

pub(crate) fn joined() -> ServerMessage {
    ServerMessage::Joined(Joined {
        name: BOT.to_owned(),
        protocol: PROTOCOL_VERSION,
        table: Some(MAIN.to_owned()),
        draw_rules: "fmjd64".to_owned(),
        ..Joined::default()
    })
}

/// Tells that the bot has the seat of `color`, and nobody else is here.
pub(crate) fn seated(color: Color) -> ServerMessage {
    ServerMessage::Players {
        table: MAIN.to_owned(),
        players: vec![Player {
            name: BOT.to_owned(),
            role: Role::of_seat(Some(color)),
            bot: None,
        }],
        watchers: 0,
    }
}

pub(crate) fn refusal(code: ErrorCode, message: &str) -> ServerMessage {
    Refusal::new(code, message).into()
}

/// A game and what a server says about it.
pub(crate) struct Referee {
    pub(crate) number: u64,
    pub(crate) game: Game,
    moves: Vec<PlayedMove>,
    pub(crate) names: ByColor<String>,
    pub(crate) clocks: Option<WireClocks>,
}

impl Referee {
    /// A game in which the bot has `color`.
    pub(crate) fn new(number: u64, color: Color) -> Referee {
        Referee::from_fen(
            number,
            color,
            &Game::new(DrawRules::Fmjd64).start().to_string(),
        )
    }

    pub(crate) fn from_fen(number: u64, color: Color, fen: &str) -> Referee {
        let name = |side| if side == color { BOT } else { RIVAL };
        Referee {
            number,
            game: Game::from_position(fen.parse().unwrap(), DrawRules::Fmjd64),
            moves: Vec::new(),
            names: ByColor::new_with(|side| name(side).to_owned()),
            clocks: None,
        }
    }

    /// What is said when the game starts.
    pub(crate) fn started(&self) -> ServerMessage {
        ServerMessage::GameStarted(self.state())
    }

    pub(crate) fn state(&self) -> GameState {
        GameState {
            table: MAIN.to_owned(),
            id: format!("{MAIN}-{}", self.number),
            seq: self.seq(),
            opening_plies: 0,
            thinking_ms: None,
            result: None,
            reason: None,
            article: None,
            left: None,
            game: self.number,
            white: self.names.white.clone(),
            black: self.names.black.clone(),
            start_fen: self.game.start().to_string(),
            moves: self.moves.clone(),
            fen: self.fen(),
            ply: self.ply(),
            turn: self.game.turn().into(),
            clocks: self.clocks,
            offers: Vec::new(),
        }
    }

    pub(crate) fn your_turn(&self) -> ServerMessage {
        ServerMessage::YourTurn {
            table: MAIN.to_owned(),
            game: self.number,
            ply: self.ply(),
            fen: self.fen(),
            legal_moves: LegalMove::all(self.game.position()),
            clocks: self.clocks,
            thinking_ms: None,
        }
    }

    /// Plays a move and tells it.
    pub(crate) fn play(&mut self, text: &str) -> ServerMessage {
        let (m, route) = self.game.position().parse_route(text).unwrap();
        let played = PlayedMove::new(&self.game, m, &route, 0);
        self.game.play(m).unwrap();
        self.moves.push(played.clone());
        ServerMessage::Moved {
            table: MAIN.to_owned(),
            seq: self.seq(),
            id: None,
            game: self.number,
            played,
            fen: self.fen(),
            turn: self.game.turn().into(),
            clocks: self.clocks,
        }
    }

    /// Plays the first legal move and tells it.
    pub(crate) fn play_any(&mut self) -> ServerMessage {
        let text = self.game.position().notation(self.game.legal_moves()[0]);
        self.play(&text)
    }

    /// Tells the end on the board, or that a player left if there is none.
    pub(crate) fn over(&self) -> ServerMessage {
        let (result, reason) = match self.game.outcome() {
            Some(outcome) => (outcome.into(), outcome.into()),
            None => (GameResult::Interrupted, EndReason::PlayerLeft),
        };
        self.over_by(result, reason)
    }

    pub(crate) fn over_by(&self, result: GameResult, reason: EndReason) -> ServerMessage {
        ServerMessage::GameOver {
            table: MAIN.to_owned(),
            seq: self.seq() + 1,
            id: format!("{MAIN}-{}", self.number),
            game: self.number,
            result,
            reason,
            article: None,
            left: None,
            ply: self.ply(),
            fen: self.fen(),
        }
    }

    /// The number of the last event: the game's beginning is number 4.
    pub(crate) fn seq(&self) -> u32 {
        4 + self.ply()
    }

    fn ply(&self) -> u32 {
        wire_ply(&self.game)
    }

    fn fen(&self) -> String {
        self.game.position().to_string()
    }
}
