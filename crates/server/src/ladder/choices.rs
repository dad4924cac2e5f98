//! The moves of a game to which there was an alternative.

use checkers_lib::protocol::{GameRecord, PlayedMove};
use checkers_lib::{ByColor, Position};

/// A move, and the positions before and after it.
pub(super) struct OpponentChoice<'a> {
    pub(super) before: Position,
    pub(super) after: Position,
    pub(super) played: &'a PlayedMove,
}

/// The moves after the opening to which there was an alternative, up to the first that cannot be replayed.
pub(super) fn choices(record: &GameRecord) -> impl Iterator<Item = OpponentChoice<'_>> {
    replayed(record).filter_map(|(ply, choice)| {
        let has_alternative = choice.before.legal_moves().len() > 1;
        (ply >= record.opening_plies && has_alternative).then_some(choice)
    })
}

/// All moves with the number of those before each, up to the first that cannot be replayed.
pub(super) fn replayed(record: &GameRecord) -> impl Iterator<Item = (u32, OpponentChoice<'_>)> {
    let mut position = record.start_fen.parse::<Position>().ok();
    (0..).zip(&record.moves).map_while(move |(ply, played)| {
        let before = position.take()?;
        let m = before.parse_move(&played.text).ok()?;
        let mut after = before.clone();
        after.play_unchecked(m);
        position = Some(after.clone());
        let choice = OpponentChoice {
            before,
            after,
            played,
        };
        Some((ply, choice))
    })
}

/// The names of the players; for bots of the server, their levels or specifications.
pub(super) fn names(record: &GameRecord) -> ByColor<&str> {
    ByColor {
        white: &record.white,
        black: &record.black,
    }
    .map(|player| player.bot.as_ref().unwrap_or(&player.name).as_str())
}
