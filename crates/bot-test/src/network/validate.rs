//! The server's word about a game, checked against the rules.
//!
//! The server is trusted about which bot played what, and is validated all the same. A bot's own
//! reports count for its times and scores only.

use checkers_lib::protocol::{
    EndReason, ErrorCode, GameResult, GameState, PlayedMove, SearchInfo, ServerMessage, WireLine,
};
use checkers_lib::{DrawReason, FlagFell, Move, Outcome, WinReason};

use super::nonsense;
use crate::open_game::{GameEnd, OpenGame};
use crate::{Failure, MoveRecord, SearchRecord, Timekeeper};

/// The server's clock counts whole milliseconds.
const CLOCK_TICK_US: u64 = 1000;
/// What a busy machine may add to the time of a move.
const BUSY_US: u64 = 1_000_000;
/// No search is deeper, and none visits more nodes.
const MOST_PLIES: u32 = 10_000;
const MOST_NODES: u64 = 1 << 53;

/// Checks that a game begins with the expected position.
pub(super) fn check_start(state: &GameState, open: &OpenGame) -> Result<(), Failure> {
    let (reported, known) = (&state.fen, open.game().position().to_string());
    if *reported != known {
        let number = state.game;
        return Err(nonsense(format!(
            "game {number} begins with {reported}, not {known}"
        )));
    }
    Ok(())
}

/// Plays in our game what the server says was played in its own, and returns the verdict if there
/// is one.
pub(super) fn play(open: &mut OpenGame, played: &PlayedMove) -> Result<Option<GameEnd>, Failure> {
    let game = open.game();
    let number = open.number();
    if usize::try_from(played.ply) != Ok(game.ply()) {
        let (reported, known) = (played.ply, game.ply());
        return Err(nonsense(format!(
            "game {number} is at ply {known}, not {reported}"
        )));
    }
    let wrong = |error: &dyn std::fmt::Display| {
        nonsense(format!("{} in game {number}: {error}", played.text))
    };
    let m = (game.position().parse_move(&played.text)).map_err(|error| wrong(&error))?;
    let ended = open
        .play(record(played, m, open.keeps_lines()))
        .map_err(|error| wrong(&error))?;
    // The server ends by itself what ends on the board.
    Ok(ended.filter(|ended| matches!(ended, GameEnd::Judged(_))))
}

fn record(played: &PlayedMove, m: Move, keeps_line: bool) -> MoveRecord {
    let by_server = played.elapsed_ms.saturating_mul(1000);
    let reported = played
        .search
        .as_ref()
        .filter(|reported| is_plausible(reported));
    let by_bot =
        (reported.map(|reported| reported.time_us)).filter(|&time| may_be(time, by_server));
    let (time_us, clock) = match by_bot {
        Some(time) => (time, Timekeeper::Bot),
        None => (by_server, Timekeeper::Server),
    };
    MoveRecord {
        m,
        time_us,
        clock,
        search: reported.map(|reported| SearchRecord {
            score: reported.score,
            depth: reported.depth,
            nodes: reported.nodes,
            pv: match keeps_line {
                true => reported.pv.clone(),
                false => WireLine::default(),
            },
        }),
    }
}

/// Whether a search report is possible on any machine.
fn is_plausible(reported: &SearchInfo) -> bool {
    reported.depth <= MOST_PLIES && reported.nodes <= MOST_NODES
}

/// Whether a bot can have taken a time for a move, both in microseconds, that the server saw come
/// after another: not more than that, and not so little that the round trip and a busy
/// machine do not explain the difference.
fn may_be(by_bot: u64, by_server: u64) -> bool {
    let (most, least) = (by_server.saturating_add(CLOCK_TICK_US), by_server / 2);
    by_bot <= most && by_bot.saturating_add(BUSY_US) >= least
}

/// What the server says about the end of a game, as far as it can be.
pub(super) fn reported_end(
    open: &OpenGame,
    result: GameResult,
    reason: EndReason,
) -> Result<GameEnd, Failure> {
    let ended = open.ended().or_else(|| off_board(open, result, reason));
    let is_so = |ended: &GameEnd| open.result(ended) == (result, reason);
    ended.filter(is_so).ok_or_else(|| {
        let number = open.number();
        nonsense(format!("game {number} ended as {result:?} by {reason:?}"))
    })
}

/// An end that comes from the players and not from the board.
fn off_board(open: &OpenGame, result: GameResult, reason: EndReason) -> Option<GameEnd> {
    match reason {
        EndReason::Time | EndReason::TimeAgainstKing => {
            Some(GameEnd::Time(FlagFell(open.game().turn())))
        }
        EndReason::Resignation => result.winner().map(|winner| {
            let reason = WinReason::Resignation;
            GameEnd::Board(Outcome::Win { winner, reason })
        }),
        EndReason::Agreement => Some(GameEnd::Board(Outcome::Draw(DrawReason::Agreement))),
        EndReason::NoPieces
        | EndReason::NoMoves
        | EndReason::Repetition
        | EndReason::KingsAgainstKing
        | EndReason::KingMoves
        | EndReason::NoProgress
        | EndReason::MainRoad
        | EndReason::FewPieces
        | EndReason::PlyLimit
        | EndReason::PlayerLeft
        | EndReason::Aborted
        | EndReason::Abandoned
        | EndReason::Adjudication
        | EndReason::Forfeit => None,
    }
}

/// Skips messages that belong to no running game: stopping a game that has just ended by itself is
/// answered with an error.
pub(super) fn pass_over(message: &ServerMessage) -> Result<(), Failure> {
    match message {
        ServerMessage::Error { code, message, .. } if *code != ErrorCode::NoGame => {
            Err(nonsense(message.clone()))
        }
        ServerMessage::YourTurn { .. } => Err(nonsense("the director is asked to move")),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{engine_plan, pairing};

    /// How a game that has just begun ends by the server's word, if that can be.
    fn reported(result: GameResult, reason: EndReason) -> Option<(GameResult, EndReason)> {
        let plan = engine_plan(&["random", "random"]);
        let open = OpenGame::begin(&plan, &plan.orders(&pairing(0))[0]);
        let ended = reported_end(&open, result, reason).ok()?;
        let game = open.close(ended);
        Some((game.result, game.reason))
    }

    #[test]
    fn players_end_games_beside_the_board() {
        for end in [
            (GameResult::BlackWon, EndReason::Time),
            (GameResult::WhiteWon, EndReason::Resignation),
            (GameResult::BlackWon, EndReason::Resignation),
            (GameResult::Draw, EndReason::Agreement),
        ] {
            assert_eq!(reported(end.0, end.1), Some(end));
        }
    }

    #[test]
    fn ends_that_cannot_be_are_not_believed() {
        for (result, reason) in [
            (GameResult::WhiteWon, EndReason::Time),
            (GameResult::Draw, EndReason::TimeAgainstKing),
            (GameResult::Draw, EndReason::Resignation),
            (GameResult::WhiteWon, EndReason::Agreement),
            (GameResult::WhiteWon, EndReason::NoMoves),
            (GameResult::Interrupted, EndReason::Aborted),
        ] {
            assert_eq!(reported(result, reason), None, "{result:?} by {reason:?}");
        }
    }
}
