//! Rules for bots that clients request.

use checkers_lib::protocol::{ErrorCode, Refusal, TableKind};
use event_store::TokenHash;

use super::{ClientId, Effect, Table, TableStatus};

impl TableStatus {
    /// Checks that the client with this key may request a bot. A seated player may; other clients
    /// may if the seats are free (main table) or have only bots (other tables), and no challenged
    /// opponent is expected. `None` is the server itself.
    pub(crate) fn check_host(&self, host: Option<TokenHash>) -> Result<(), Refusal> {
        if self.settings.director.is_some() {
            let message = "a director gives the seats here";
            return Err(Refusal::new(ErrorCode::Forbidden, message));
        }
        if self.settings.event.is_some() && host.is_some() {
            let message = "the server has chosen the players of this game";
            return Err(Refusal::new(ErrorCode::Forbidden, message));
        }
        let is_seated = host.is_some() && self.players().any(|player| player.key == host);
        let is_open = match self.settings.kind {
            TableKind::Main => self.players().next().is_none(),
            TableKind::Custom | TableKind::Challenge | TableKind::Quick | TableKind::Showcase => {
                self.players().all(|player| player.bot.is_some())
            }
            TableKind::Correspondence => false,
        };
        if self.settings.is_correspondence() {
            let message = "bots do not play by correspondence";
            return Err(Refusal::new(ErrorCode::Forbidden, message));
        }
        let is_free = is_open && self.settings.opponent.is_none();
        if host.is_none() || is_seated || is_free {
            return Ok(());
        }
        let message = "only a player at this table may add a bot";
        Err(Refusal::new(ErrorCode::Forbidden, message))
    }
}

impl Table {
    /// Repeats the check for a requested bot when it takes its seat: others may have sat down since
    /// the request.
    pub(super) fn check_bot_host(&self, who: ClientId) -> Result<(), Refusal> {
        match self.member(who)?.host {
            None => Ok(()),
            host => self.status().check_host(host),
        }
    }

    /// Refuses `who` a seat; notifies the client that requested the bot too.
    pub(super) fn refuse_seat(
        &self,
        who: ClientId,
        refusal: Refusal,
    ) -> Result<Vec<Effect>, Refusal> {
        let host = self.members.get(&who).and_then(|guest| guest.host);
        let mut members = self.members.iter();
        let host = members.find(|(_, member)| host.is_some() && member.key == host);
        let Some((&host, _)) = host else {
            return Err(refusal);
        };
        let refuse = |to| self.refuse(to, refusal.clone());
        Ok([who, host].map(refuse).into())
    }
}
