//! What the records of a tournament's games lack: its name, and corrected results.

use std::collections::HashMap;

use checkers_lib::protocol::{EndReason, GameRecord};
use event_store::{ReadError, Statement};

use super::{Correction, TournamentError, TournamentId, Tournaments, of_event};

/// What the records of a tournament's games lack.
#[derive(Clone, Debug)]
pub(crate) struct Records {
    pub(crate) id: TournamentId,
    pub(crate) name: String,
    /// The results that the organiser has changed, by the ids of the games.
    corrections: HashMap<String, Correction>,
}

impl Records {
    /// Gives the record of a game the name of the tournament, and its corrected result.
    pub(crate) fn complete(&self, record: &mut GameRecord) {
        record.event = Some(self.name.clone());
        if let Some(correction) = self.corrections.get(&record.id) {
            record.result = correction.result();
            record.reason = EndReason::Adjudication;
        }
    }
}

impl Tournaments {
    /// What the games of an event do not say themselves; `None` if it is no tournament.
    pub(crate) async fn records_of(&self, event: &str) -> Result<Option<Records>, ReadError> {
        let Some(id) = of_event(event) else {
            return Ok(None);
        };
        let tournament = match self.find(id).await {
            Ok(tournament) => tournament,
            Err(TournamentError::Store(error)) => return Err(error),
            Err(_) => return Ok(None),
        };
        let select = Statement::new(
            "SELECT game, result FROM tournament_correction WHERE tournament = $1",
            vec![id.to_string().into()],
        );
        let rows = self.tables.select(select).await?;
        let corrections = rows.iter().filter_map(|row| {
            let correction = Correction::of_name(row.text(1))?;
            Some((row.text(0).to_owned(), correction))
        });
        Ok(Some(Records {
            id,
            name: tournament.plan.name,
            corrections: corrections.collect(),
        }))
    }
}
