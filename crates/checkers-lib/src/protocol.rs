//! The words spoken on the wire between client and server: JSON text frames, one message each.
//!
//! Wire types are their own types, not derives on the core: the board may change, the wire may
//! not. Fields that a reader does not know are ignored. Squares, moves and positions are text in
//! the notation of [`crate::Position::notation`] and FEN. `docs/protocol.md` is the document.

mod clocks;

use serde::{Deserialize, Serialize};

pub use self::clocks::{WireClock, WireClocks};
use crate::{Color, DrawReason, Game, Move, MoveTextError, Outcome, Position, Route, WinReason};

/// The version of the protocol, told in [`ServerMessage::Joined`]. It grows when a message
/// changes its meaning, not when one is added.
pub const PROTOCOL_VERSION: u32 = 1;

/// The port the server listens on unless told otherwise.
pub const DEFAULT_PORT: u16 = 43210;

/// The longest text frame a client may send, in bytes.
pub const MAX_FRAME_BYTES: usize = 16 * 1024;

/// The longest name, in characters; the shortest has one.
pub const MAX_NAME_CHARS: usize = 30;

/// What a client says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ClientMessage {
    /// Comes in under a name; answered by `joined` or `error`.
    Join {
        /// 1–30 characters, unique on the server.
        name: String,
    },
    /// Asks for a seat; answered by `players` or `error`.
    TakeSeat {
        /// The side to play.
        color: WireColor,
    },
    /// Gives the seat up; a running game ends as interrupted.
    LeaveSeat,
    /// Plays a move; answered by `moved` or `error`.
    Move {
        /// The number of the game it is meant for; without it, the running one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        game: Option<u64>,
        /// How many moves have been played before this one.
        ply: u32,
        /// The move as text: any legal route to it, or a short form that fits no other.
        #[serde(rename = "move")]
        text: String,
        /// What found it; told to everybody.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        search: Option<SearchInfo>,
    },
    /// The director seats two clients and starts their game; answered by `game_started` or
    /// `error`.
    ArrangeGame {
        /// What shows that the client is the director.
        token: String,
        /// The number the game is to have: above that of every game before.
        game: u64,
        /// The name of the client that is to play White.
        white: String,
        /// The name of the client that is to play Black.
        black: String,
        /// The position to start from; without it, the start of the game.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        start_fen: Option<String>,
        /// The moves of the opening, played before the first request.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        moves: Vec<String>,
        /// White's clock in the form of [`TimeControl`](crate::TimeControl); without it, none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        white_clock: Option<String>,
        /// Black's clock, likewise.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        black_clock: Option<String>,
    },
    /// The director ends the running game; answered by `game_over` or `error`.
    EndGame {
        /// What shows that the client is the director.
        token: String,
        /// The number of the game.
        game: u64,
        /// Who is to have won.
        result: GameResult,
        /// Why.
        reason: EndReason,
    },
}

impl ClientMessage {
    /// Every value of `type` that a client may send.
    pub const TYPES: [&str; 6] = [
        "join",
        "take_seat",
        "leave_seat",
        "move",
        "arrange_game",
        "end_game",
    ];
}

/// What the server says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage {
    /// The client is in, as a spectator.
    Joined {
        /// The name as it is kept.
        name: String,
        /// [`PROTOCOL_VERSION`].
        protocol: u32,
        /// The table the client looks at.
        table: String,
        /// The draw rules of its games: `fmjd64` or `study`.
        draw_rules: String,
    },
    /// Who is here; told to everybody whenever it changes.
    Players {
        /// Everybody, in the order of their coming.
        players: Vec<Player>,
    },
    /// A game begins.
    GameStarted(GameState),
    /// The running game, told to a client that comes in while it runs.
    GameState(GameState),
    /// The receiver is to move.
    YourTurn {
        /// The number of the game.
        game: u64,
        /// How many moves have been played; to be repeated in the answer.
        ply: u32,
        /// The position.
        fen: String,
        /// Every legal move.
        legal_moves: Vec<LegalMove>,
        /// The clocks as the receiver's starts to run; absent if no side has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clocks: Option<WireClocks>,
    },
    /// A move has been played.
    Moved {
        /// The number of the game.
        game: u64,
        /// The move.
        played: PlayedMove,
        /// The position after it.
        fen: String,
        /// The side to move after it.
        turn: WireColor,
        /// The clocks after it, the increment added; absent if no side has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clocks: Option<WireClocks>,
    },
    /// The game is over and both seats are free.
    GameOver {
        /// The number of the game.
        game: u64,
        /// Who won, if anybody.
        result: GameResult,
        /// Why.
        reason: EndReason,
        /// The article of the federation's rules, for a draw that has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        article: Option<String>,
        /// The side that left, if the reason is that a player left.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        left: Option<WireColor>,
        /// How many moves were played.
        ply: u32,
        /// The last position.
        fen: String,
    },
    /// A message was refused; the client stays where it was.
    Error {
        /// What is wrong, for programs.
        code: ErrorCode,
        /// What is wrong, for people.
        message: String,
        /// For an ambiguous move: the moves it could mean.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        candidates: Vec<String>,
    },
}

/// Why a message was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// What is wrong, for programs.
    pub code: ErrorCode,
    /// What is wrong, for people.
    pub message: String,
    /// For an ambiguous move: the moves it could mean.
    pub candidates: Vec<String>,
}

impl Refusal {
    /// A refusal without candidates.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Refusal {
        Refusal {
            code,
            message: message.into(),
            candidates: Vec::new(),
        }
    }
}

impl From<Refusal> for ServerMessage {
    fn from(
        Refusal {
            code,
            message,
            candidates,
        }: Refusal,
    ) -> ServerMessage {
        ServerMessage::Error {
            code,
            message,
            candidates,
        }
    }
}

/// A side on the wire.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", try_from = "String")]
#[expect(missing_docs, reason = "each variant is its own name")]
pub enum WireColor {
    White,
    Black,
}

/// Only a text is read, not serde's other forms of an enum.
impl TryFrom<String> for WireColor {
    type Error = UnknownColor;

    fn try_from(name: String) -> Result<WireColor, UnknownColor> {
        match name.as_str() {
            "white" => Ok(WireColor::White),
            "black" => Ok(WireColor::Black),
            _ => Err(UnknownColor(name)),
        }
    }
}

/// A text that names no side.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown color {0:?}: expected white or black")]
pub struct UnknownColor(pub String);

impl From<Color> for WireColor {
    fn from(color: Color) -> WireColor {
        match color {
            Color::White => WireColor::White,
            Color::Black => WireColor::Black,
        }
    }
}

impl From<WireColor> for Color {
    fn from(color: WireColor) -> Color {
        match color {
            WireColor::White => Color::White,
            WireColor::Black => Color::Black,
        }
    }
}

/// What somebody at a table does there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Has White's seat.
    White,
    /// Has Black's seat.
    Black,
    /// Looks on.
    Spectator,
}

impl Role {
    /// The role of a seat, or of nobody's.
    pub fn of_seat(seat: Option<Color>) -> Role {
        match seat {
            Some(Color::White) => Role::White,
            Some(Color::Black) => Role::Black,
            None => Role::Spectator,
        }
    }
}

/// Somebody at a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Player {
    /// The name given in `join`.
    pub name: String,
    /// What they do.
    pub role: Role,
}

/// A game from its beginning to now.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameState {
    /// The number of the game on this server, from 1.
    pub game: u64,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// The first position.
    pub start_fen: String,
    /// Every move so far.
    pub moves: Vec<PlayedMove>,
    /// The present position.
    pub fen: String,
    /// How many moves have been played.
    pub ply: u32,
    /// The side to move.
    pub turn: WireColor,
    /// The clocks before the move to come; absent if no side has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks: Option<WireClocks>,
}

/// A move that has been played, as it was played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlayedMove {
    /// How many moves had been played before this one.
    pub ply: u32,
    /// Who played it.
    pub color: WireColor,
    /// The shortest text that names it.
    #[serde(rename = "move")]
    pub text: String,
    /// Every square the piece stood on, first and last included.
    pub squares: Vec<String>,
    /// The captured squares in order.
    pub captures: Vec<String>,
    /// Whether a man became a king.
    pub promotes: bool,
    /// From the request to the move, by the server's clock, in milliseconds.
    pub elapsed_ms: u64,
    /// What the mover tells of the search for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<SearchInfo>,
}

/// What a bot tells of the search for a move. The server passes it on as it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SearchInfo {
    /// What the move is worth to the mover, in hundredths of a man.
    pub score: i32,
    /// How many plies deep the search went.
    pub depth: u32,
    /// How many positions it visited.
    pub nodes: u64,
    /// How long it took by the mover's clock, in microseconds.
    pub time_us: u64,
}

/// A move that may be played, with every way to carry it out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LegalMove {
    /// The shortest text that names it.
    #[serde(rename = "move")]
    pub text: String,
    /// The first square.
    pub from: String,
    /// The last square.
    pub to: String,
    /// The captured squares in board order.
    pub captures: Vec<String>,
    /// Whether a man becomes a king.
    pub promotes: bool,
    /// Every route with this effect.
    pub routes: Vec<WireRoute>,
}

/// One way to carry out a move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WireRoute {
    /// Every square the piece stands on, first and last included.
    pub squares: Vec<String>,
    /// The captured squares in order.
    pub captures: Vec<String>,
}

impl From<&Route> for WireRoute {
    fn from(route: &Route) -> WireRoute {
        WireRoute {
            squares: names(&route.squares),
            captures: names(&route.captures),
        }
    }
}

fn names<'a>(squares: impl IntoIterator<Item = &'a crate::Square>) -> Vec<String> {
    squares.into_iter().map(ToString::to_string).collect()
}

impl LegalMove {
    /// A legal move of `position` for the wire.
    pub fn new(position: &Position, m: Move) -> LegalMove {
        LegalMove {
            text: position.notation(m),
            from: m.from().to_string(),
            to: m.to().to_string(),
            captures: m
                .captured()
                .into_iter()
                .map(|square| square.to_string())
                .collect(),
            promotes: m.promotes(),
            routes: m.routes(position).iter().map(WireRoute::from).collect(),
        }
    }

    /// Every legal move of `position` for the wire.
    pub fn all(position: &Position) -> Vec<LegalMove> {
        position
            .legal_moves()
            .iter()
            .map(|&m| LegalMove::new(position, m))
            .collect()
    }
}

impl PlayedMove {
    /// The move `m` played in `game` along `route`, for the wire; before it is played. Nothing
    /// is told of the search for it.
    pub fn new(game: &Game, m: Move, route: &Route, elapsed_ms: u64) -> PlayedMove {
        PlayedMove {
            ply: wire_ply(game),
            color: game.turn().into(),
            text: game.position().notation(m),
            squares: names(&route.squares),
            captures: names(&route.captures),
            promotes: m.promotes(),
            elapsed_ms,
            search: None,
        }
    }
}

/// How many moves have been played, as the wire counts them.
pub fn wire_ply(game: &Game) -> u32 {
    u32::try_from(game.ply()).unwrap_or(u32::MAX)
}

/// Who won.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GameResult {
    /// White won.
    WhiteWon,
    /// Black won.
    BlackWon,
    /// Nobody won.
    Draw,
    /// A player left before the end.
    Interrupted,
}

impl GameResult {
    /// The side that won, if one did.
    pub fn winner(self) -> Option<Color> {
        match self {
            GameResult::WhiteWon => Some(Color::White),
            GameResult::BlackWon => Some(Color::Black),
            GameResult::Draw | GameResult::Interrupted => None,
        }
    }
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EndReason {
    /// The side to move had no pieces left.
    NoPieces,
    /// The side to move had pieces, but no move.
    NoMoves,
    /// The loser gave up.
    Resignation,
    /// The loser's time ran out.
    Time,
    /// Article 7.2.3.
    Repetition,
    /// Article 7.2.4.
    KingsAgainstKing,
    /// Article 7.2.5.
    KingMoves,
    /// Article 7.2.6.
    NoProgress,
    /// Article 7.2.7.
    MainRoad,
    /// Article 7.2.8.
    FewPieces,
    /// 200 plies under the study's rules.
    PlyLimit,
    /// Both agreed to a draw.
    Agreement,
    /// A player left.
    PlayerLeft,
    /// The director ended the game by judgement.
    Adjudication,
    /// The loser broke the rules of the tournament.
    Forfeit,
}

impl EndReason {
    /// Whether such an end comes from the position and its history alone.
    pub fn is_on_board(self) -> bool {
        match self {
            EndReason::NoPieces
            | EndReason::NoMoves
            | EndReason::Repetition
            | EndReason::KingsAgainstKing
            | EndReason::KingMoves
            | EndReason::NoProgress
            | EndReason::MainRoad
            | EndReason::FewPieces
            | EndReason::PlyLimit => true,
            EndReason::Resignation
            | EndReason::Time
            | EndReason::Agreement
            | EndReason::PlayerLeft
            | EndReason::Adjudication
            | EndReason::Forfeit => false,
        }
    }
}

impl From<Outcome> for EndReason {
    fn from(outcome: Outcome) -> EndReason {
        match outcome {
            Outcome::Win { reason, .. } => match reason {
                WinReason::NoPieces => EndReason::NoPieces,
                WinReason::NoMoves => EndReason::NoMoves,
                WinReason::Resignation => EndReason::Resignation,
                WinReason::Time => EndReason::Time,
            },
            Outcome::Draw(reason) => match reason {
                DrawReason::Repetition => EndReason::Repetition,
                DrawReason::KingsAgainstKing => EndReason::KingsAgainstKing,
                DrawReason::KingMoves => EndReason::KingMoves,
                DrawReason::NoProgress => EndReason::NoProgress,
                DrawReason::MainRoad => EndReason::MainRoad,
                DrawReason::FewPieces => EndReason::FewPieces,
                DrawReason::PlyLimit => EndReason::PlyLimit,
                DrawReason::Agreement => EndReason::Agreement,
            },
        }
    }
}

impl From<Outcome> for GameResult {
    fn from(outcome: Outcome) -> GameResult {
        match outcome.winner() {
            Some(Color::White) => GameResult::WhiteWon,
            Some(Color::Black) => GameResult::BlackWon,
            None => GameResult::Draw,
        }
    }
}

/// What was wrong with a message; stable, for programs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// Not JSON, or not an object with a `type`.
    BadJson,
    /// A `type` that no client message has.
    UnknownType,
    /// A known `type` with a field missing or of the wrong kind.
    BadMessage,
    /// Something other than `join` came first.
    NotJoined,
    /// A second `join`.
    AlreadyJoined,
    /// A name of the wrong length or with characters that cannot be seen.
    BadName,
    /// Somebody here has this name.
    NameTaken,
    /// Somebody sits there.
    SeatTaken,
    /// The client has a seat already.
    AlreadySeated,
    /// The client has no seat to leave or to move from.
    NotSeated,
    /// No game is running.
    NoGame,
    /// It is the opponent's turn.
    NotYourTurn,
    /// The move was meant for another ply than the present one.
    WrongPly,
    /// The text is not a move.
    BadMove,
    /// The move is not legal.
    IllegalMove,
    /// The text fits several legal moves.
    AmbiguousMove,
    /// Only the director may do this, who knows the token.
    Forbidden,
    /// Nobody here has the name of a player of the game to be arranged.
    NoSuchPlayer,
    /// The game to be arranged, or the end told for it, cannot be.
    BadGame,
    /// A game is running.
    GameRunning,
    /// Messages come too fast; going on closes the connection.
    TooManyMessages,
}

impl From<MoveTextError> for Refusal {
    fn from(error: MoveTextError) -> Refusal {
        let message = error.to_string();
        let (code, candidates) = match error {
            MoveTextError::Syntax { .. } => (ErrorCode::BadMove, Vec::new()),
            MoveTextError::Illegal { .. } => (ErrorCode::IllegalMove, Vec::new()),
            MoveTextError::Ambiguous { candidates, .. } => (ErrorCode::AmbiguousMove, candidates),
        };
        Refusal {
            code,
            message,
            candidates,
        }
    }
}

/// Codes with which the server closes a connection, besides the standard ones.
pub mod close_code {
    /// All is said (RFC 6455).
    pub const NORMAL: u16 = 1000;
    /// The server is going down (RFC 6455).
    pub const GOING_AWAY: u16 = 1001;
    /// A binary frame: this protocol is text (RFC 6455).
    pub const UNSUPPORTED: u16 = 1003;
    /// Messages came too fast (RFC 6455).
    pub const POLICY: u16 = 1008;
    /// A frame or message over [`super::MAX_FRAME_BYTES`] (RFC 6455).
    pub const TOO_BIG: u16 = 1009;
    /// The server has as many connections as it takes; try later (IANA registry).
    pub const TRY_AGAIN_LATER: u16 = 1013;
    /// The client reads more slowly than the table speaks.
    pub const TOO_SLOW: u16 = 4000;
    /// Nothing was heard from the client for too long.
    pub const SILENT: u16 = 4001;
}

/// Whether `name` may be used: 1–[`MAX_NAME_CHARS`] characters that can be seen, single spaces
/// between them, no mark without a letter before it.
pub fn is_valid_name(name: &str) -> bool {
    let begins_with_mark = name.starts_with(|c| matches!(c, '\u{300}'..='\u{36f}'));
    (1..=MAX_NAME_CHARS).contains(&name.chars().count())
        && name.split(' ').all(|word| !word.is_empty())
        && name.chars().all(|c| c == ' ' || is_visible(c))
        && !begins_with_mark
}

/// CITE: Unicode 16, the property Default_Ignorable_Code_Point, and the blanks beside it.
fn is_visible(c: char) -> bool {
    !c.is_control()
        && !c.is_whitespace()
        && !matches!(
            c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
        )
}
