//! Moves that are resent because the acknowledgement was lost.

use checkers_lib::Color;
use checkers_lib::protocol::ServerMessage;

use super::move_details::MoveDetails;
use super::running_game::RunningGame;
use super::{ClientId, Effect, MoveRequest, Table};

impl Table {
    /// Acknowledges a move that was already played; `None` if it was not.
    pub(super) fn acknowledge(&self, who: ClientId, move_request: &MoveRequest) -> Option<Effect> {
        let (game, side) = self.game_of(who)?;
        let is_meant = move_request.game.is_none_or(|meant| meant == game.number());
        let receipt = game.receipt(side, move_request).filter(|_| is_meant)?;
        Some(self.acknowledged(who, game, move_request, receipt))
    }

    /// The running game, or else the last one, which may have ended with the resent move, and the
    /// side of `who` in it.
    fn game_of(&self, who: ClientId) -> Option<(&RunningGame, Color)> {
        if let Some(running) = &self.running {
            return Some((running, self.seat_of(who)?));
        }
        let over = &self.over.as_ref()?.game;
        // The seats are free, and the player may have a new connection.
        let name = &self.members.get(&who)?.name;
        let (side, _) = over
            .players()
            .iter()
            .find(|(_, player)| player.name == *name)?;
        Some((over, side))
    }

    fn acknowledged(
        &self,
        who: ClientId,
        game: &RunningGame,
        move_request: &MoveRequest,
        receipt: &MoveDetails,
    ) -> Effect {
        let acknowledged = ServerMessage::Acknowledged {
            table: self.settings.id.clone(),
            game: game.number(),
            seq: receipt.seq,
            ply: move_request.ply,
            id: receipt.id.as_deref().map(str::to_owned),
        };
        Effect::Send(who, acknowledged)
    }
}

impl RunningGame {
    /// The details of the played move that this repeats: same ply, and the same id or the same
    /// effect.
    fn receipt(&self, seat: Color, move_request: &MoveRequest) -> Option<&MoveDetails> {
        let ply = usize::try_from(move_request.ply).ok()?;
        let receipt = self.move_details.get(ply)?;
        let position = self.game.positions().get(ply)?;
        if position.turn() != seat || ply < self.opening().moves().len() {
            return None;
        }
        let is_same_id =
            move_request.id.is_some() && move_request.id.as_deref() == receipt.id.as_deref();
        let is_same_move = || {
            let again = position.parse_move(&move_request.text).ok();
            again.is_some() && again.as_ref() == self.game.moves().get(ply)
        };
        (is_same_id || is_same_move()).then_some(receipt)
    }
}
