//! Games between two settings of a bot.

use std::sync::Arc;

use checkers_engine::BotSpec;
use checkers_lib::DrawRules;
use checkers_lib::openings::Opening;

use super::TuneError;
use crate::{
    Adjudication, BotLimits, Forfeits, Format, MatchPlayer, Openings, Participant,
    PlayedTournament, RunConfig, Tournament, TournamentPlan,
};

/// How games are played.
pub(super) struct TuningGames {
    pub(super) limits: BotLimits,
    pub(super) concurrency: usize,
}

impl TuningGames {
    /// Plays the first bot against the second, each opening with both colours.
    ///
    /// # Errors
    /// A bot or the system fails, or a signal ends the games.
    pub(super) async fn play(
        &self,
        bots: [&BotSpec; 2],
        format: Format,
        openings: Vec<Opening>,
    ) -> Result<PlayedTournament, TuneError> {
        let participants = bots.map(|spec| Participant {
            player: MatchPlayer::Engine(spec.clone()),
            limits: self.limits,
        });
        let plan = TournamentPlan {
            format,
            participants: participants.into(),
            swap: true,
            openings: Openings {
                source: "quiet positions".to_owned(),
                seed: None,
                list: openings,
            },
            draw_rules: DrawRules::Fmjd64,
            adjudication: Adjudication {
                tablebase: true,
                ..Adjudication::default()
            },
            forfeits: Forfeits::Loss,
            in_process: true,
            keep_lines: false,
        };
        let config = RunConfig {
            reproducible: true,
            ..RunConfig::in_process(self.concurrency)
        };
        let tournament = Tournament {
            plan: Arc::new(plan),
            config: Arc::new(config),
            journal: None,
            played: Vec::new(),
        };
        let mut played = tournament.play(&mut ()).await?;
        match played.failure.take() {
            None => Ok(played),
            Some(failure) => Err(TuneError::Failed(failure)),
        }
    }
}
