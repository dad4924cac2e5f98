#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod bitboard;
pub mod client_state;
mod clocks;
mod color;
mod draw;
mod duration;
mod fen;
mod game;
pub mod geometry;
mod movegen;
mod moves;
mod nearest;
mod notation;
mod numbering;
mod on_time;
pub mod openings;
pub mod pdn;
pub mod perft;
mod position;
pub mod protocol;
mod routes;
mod setup;
mod square;
mod time_control;
mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use clocks::{Clocks, FlagFell, SideClock};
pub use color::{ByColor, Color};
pub use duration::{DurationError, parse_duration};
pub use fen::FenError;
pub use game::{
    DrawClock, DrawReason, DrawRules, Game, GameError, Outcome, UnknownDrawRules, WinReason,
};
pub use movegen::Board;
pub use moves::{MAX_MOVES, Move, MoveList, Route};
pub use nearest::{did_you_mean, nearest};
pub use notation::MoveTextError;
pub use numbering::Numbering;
pub use position::{Piece, PlayError, Position};
pub use routes::MAX_ROUTES;
pub use setup::{Setup, SetupError};
pub use square::{Square, SquareError};
pub use time_control::{MoveTiming, TimeControl, TimeControlError};
