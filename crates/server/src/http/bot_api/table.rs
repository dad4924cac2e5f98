//! One table of a bot. Pure.

use std::time::{Duration, Instant};

use checkers_lib::protocol::{GameState, Offer, OpenOffer, ServerMessage, TableInfo, WireColor};
use serde_json::json;

use super::streams::StreamLine;
use super::wire::GameView;
use crate::bots::GameMirror;

/// A table where the bot is.
#[derive(Debug)]
pub(super) struct BotTable {
    pub(super) info: TableInfo,
    /// The running game, or the last one.
    pub(super) game: Option<GameState>,
    /// The running game, if its moves could be followed.
    pub(super) mirror: Option<GameMirror>,
    /// The names of the seated players.
    pub(super) seated: Vec<(WireColor, String)>,
    /// The side that offers a rematch.
    pub(super) rematch: Option<WireColor>,
    /// Since when the side to move has had its turn.
    pub(super) asked: Instant,
    /// When the game began, in milliseconds since 1970; reckoned from its moves if the bot has entered it later.
    pub(super) created_at: Option<i64>,
}

impl BotTable {
    pub(super) fn view<'a>(&'a self, game: &'a GameState, now: Instant) -> GameView<'a> {
        GameView {
            info: &self.info,
            game,
            created_at: self.created_at,
            elapsed: now.saturating_duration_since(self.asked),
        }
    }

    /// Whether a text is the last move of the side to move, which its opponent has answered, and no move now.
    pub(super) fn repeats_own_move(&self, text: &str) -> bool {
        let Some(game) = self.mirror.as_ref().map(GameMirror::game) else {
            return false;
        };
        let (positions, moves) = (game.positions(), game.moves());
        let Some(ply) = moves.len().checked_sub(2) else {
            return false;
        };
        let opening = self.game.as_ref().map_or(0, |game| game.opening_plies);
        let again = positions.get(ply).map(|before| before.parse_move(text));
        let is_same = matches!(again, Some(Ok(again)) if moves.get(ply) == Some(&again));
        is_same && ply >= opening as usize && game.position().parse_move(text).is_err()
    }

    /// Takes in a message about the running game. `name` is the bot's.
    pub(super) fn update(
        &mut self,
        name: &str,
        message: ServerMessage,
        now: Instant,
    ) -> Option<Vec<StreamLine>> {
        let id = self.info.id.clone();
        let game = self.game.as_mut()?;
        let own = side(game, name)?;
        match message {
            ServerMessage::Presence {
                color,
                connected,
                claim_in_ms,
                ..
            } => {
                if color == own {
                    return None;
                }
                let mut gone = json!({"type": "opponentGone", "gone": !connected});
                if let Some(time) = claim_in_ms {
                    gone["claimWinInSeconds"] = json!(time.div_ceil(1000));
                }
                return Some(vec![StreamLine::Game(id, gone)]);
            }
            ServerMessage::Said { by, phrase, .. } => {
                let by = match by {
                    WireColor::White => &game.white,
                    WireColor::Black => &game.black,
                };
                let line = json!({
                    "type": "chatLine", "room": "player", "username": by, "text": phrase,
                });
                return Some(vec![StreamLine::Game(id, line)]);
            }
            ServerMessage::Moved {
                played,
                fen,
                turn,
                clocks,
                ..
            } => {
                game.moves.truncate(played.ply as usize);
                game.ply = played.ply.saturating_add(1);
                game.moves.push(played);
                (game.fen, game.turn, game.clocks) = (fen, turn, clocks);
                self.asked = now;
                let mirror = self.mirror.take();
                self.mirror = mirror.and_then(|mut mirror| {
                    let last = game.moves.last()?;
                    mirror.play(last).map(|()| mirror)
                });
                if self.mirror.as_ref().is_some_and(is_decided) {
                    // The end follows. Clients expect it together with the last move.
                    return None;
                }
            }
            ServerMessage::TookBack {
                ply,
                fen,
                turn,
                clocks,
                ..
            } => {
                game.moves.truncate(ply as usize);
                game.ply = ply;
                game.offers.retain(|open| open.offer != Offer::Takeback);
                let mirror = self.mirror.take();
                self.mirror = mirror.and_then(|mut mirror| mirror.take_back(ply).map(|()| mirror));
                (game.fen, game.turn, game.clocks) = (fen, turn, clocks);
                self.asked = now;
            }
            ServerMessage::Clocks {
                clocks,
                thinking_ms,
                ..
            } => {
                game.clocks = Some(clocks);
                self.asked = before(now, thinking_ms);
                return None;
            }
            ServerMessage::Offered { offer, by, .. } => game.offers.push(OpenOffer { offer, by }),
            ServerMessage::Declined { offer, .. } | ServerMessage::Lapsed { offer, .. } => {
                game.offers.retain(|open| open.offer != offer);
            }
            ServerMessage::GameOver {
                result,
                reason,
                fen,
                ..
            } => {
                (game.result, game.reason, game.fen) = (Some(result), Some(reason), fen);
                game.offers.clear();
            }
            _ => return None,
        }
        let game = self.game.as_ref()?;
        let view = self.view(game, now);
        let mut lines = vec![StreamLine::Game(id.clone(), view.state())];
        if game.result.is_some() {
            lines.push(StreamLine::End(id));
            lines.push(StreamLine::Event(view.event(own)));
        }
        Some(lines)
    }
}

/// The side of the player with this name.
pub(super) fn side(game: &GameState, name: &str) -> Option<WireColor> {
    match name {
        name if name == game.white => Some(WireColor::White),
        name if name == game.black => Some(WireColor::Black),
        _ => None,
    }
}

/// Whether the last move has ended the game.
fn is_decided(mirror: &GameMirror) -> bool {
    mirror.game().outcome().is_some()
}

pub(super) fn before(now: Instant, millis: Option<u64>) -> Instant {
    let elapsed = Duration::from_millis(millis.unwrap_or_default());
    now.checked_sub(elapsed).unwrap_or(now)
}
