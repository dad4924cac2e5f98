//! Title and description of the page of a game.

use checkers_lib::Color;
use checkers_lib::protocol::{GameRecord, GameResult, RecordedPlayer, TablePhase};
use event_store::{ArchivedGame, StreamId};

use super::HttpState;
use super::document::Head;
use crate::table::{CompactRecord, TableStatus};

/// The head for a table or a finished game; `None` if neither has this id.
pub(super) async fn head(shared: &HttpState, id: &str) -> Option<Head> {
    if let Some(table) = shared.tables.find(id) {
        return Some(of_table(&table.status()));
    }
    let archive = shared.archive.as_ref()?;
    match archive.game(id.parse::<StreamId>().ok()?).await {
        Ok(Some(game)) => Some(of_game(&game)),
        Ok(None) => None,
        // The archive cannot be read; the game may exist.
        Err(_) => Some(Head::new("Game", "A game of Russian draughts.")),
    }
}

fn of_table(status: &TableStatus) -> Head {
    let name = |side: Color| status.seats[side].as_ref().map(|seat| &*seat.name);
    let title = match (name(Color::White), name(Color::Black)) {
        (Some(white), Some(black)) => format!("{white} – {black}"),
        (Some(name), None) | (None, Some(name)) => name.to_owned(),
        (None, None) => "Game".to_owned(),
    };
    let description = match status.phase {
        TablePhase::Waiting => "You are invited to a game of Russian draughts.",
        TablePhase::Running => "A game of Russian draughts that is being played now.",
        TablePhase::Over => "A finished game of Russian draughts.",
    };
    Head::new(title, description)
}

fn of_game(game: &ArchivedGame) -> Head {
    let Ok(record) = CompactRecord::read_head(&game.summary.document) else {
        return Head::new("Game", "A finished game of Russian draughts.");
    };
    let GameRecord {
        white,
        black,
        result,
        ..
    } = record;
    let score = match result {
        GameResult::WhiteWon => "1–0",
        GameResult::BlackWon => "0–1",
        GameResult::Draw => "½–½",
        GameResult::Interrupted => "–",
    };
    let ending = match result {
        GameResult::WhiteWon => "White won",
        GameResult::BlackWon => "Black won",
        GameResult::Draw => "A draw",
        GameResult::Interrupted => "Broken off",
    };
    let moves = game.summary.plies.div_ceil(2);
    let plural = if moves == 1 { "" } else { "s" };
    Head::new(
        format!("{} {score} {}", name(&white), name(&black)),
        format!("A finished game of Russian draughts. {ending} after {moves} move{plural}."),
    )
}

fn name(player: &RecordedPlayer) -> &str {
    &player.name
}
