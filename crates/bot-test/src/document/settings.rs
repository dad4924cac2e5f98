//! What a tournament was asked to be.

use serde::{Deserialize, Serialize};

use crate::failure::milliseconds;
use crate::{
    Adjudication, BotId, BotLimits, Forfeits, Participant, RunConfig, Timeouts, TournamentPlan,
};

/// What a tournament was asked to be.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DocumentSettings {
    /// The format, for people.
    pub format: String,
    /// How many games there were to be, if that was known.
    pub planned_games: Option<u64>,
    /// Whether each opening was played twice, with sides swapped.
    pub swap: bool,
    /// The same in words.
    pub sides: String,
    /// What the games began from.
    pub openings: OpeningsRecord,
    /// When games were drawn.
    pub draw_rules: String,
    /// When games were ended by judgement.
    pub adjudication: Adjudication,
    /// What a forfeited game counted.
    pub forfeits: Forfeits,
    /// Whether it was played without processes and sockets.
    pub in_process: bool,
    /// How long each step could take.
    pub timeouts: TimeoutsRecord,
    /// How many pairings were played at the same time.
    pub concurrency: usize,
    /// The tournament stops after this many forfeits of one bot in a row.
    pub patience: u32,
}

/// What the games began from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OpeningsRecord {
    /// Where they came from.
    pub source: String,
    /// By what seed they were shuffled, if they were.
    pub seed: Option<u64>,
    /// How many different ones there were.
    pub count: u64,
}

/// How long each step could take, in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TimeoutsRecord {
    /// For a bot to connect.
    pub connect_ms: u64,
    pub move_ms: u64,
    pub game_ms: u64,
    /// For everything; `None` without bound.
    pub run_ms: Option<u64>,
}

/// What played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BotRecord {
    /// The name it played under.
    pub name: String,
    /// Its spec in the canonical form.
    pub spec: String,
    /// Its spec with the limits that apply, for people; the command line takes it too.
    #[serde(default)]
    pub label: String,
    /// What bounded it; nothing beyond its spec if this is empty.
    pub limits: BotLimits,
    /// The seed of its random choices; `None` for a program that is not ours.
    pub seed: Option<u64>,
}

impl DocumentSettings {
    pub(super) fn of(
        plan: &TournamentPlan,
        config: &RunConfig,
        planned_games: Option<u64>,
    ) -> DocumentSettings {
        DocumentSettings {
            format: plan.format.to_string(),
            planned_games,
            swap: plan.swap,
            sides: sides(plan.swap).to_owned(),
            openings: OpeningsRecord {
                source: plan.openings.source.clone(),
                seed: plan.openings.seed,
                count: plan.openings.count(),
            },
            draw_rules: plan.draw_rules.to_string(),
            adjudication: plan.adjudication,
            forfeits: plan.forfeits,
            in_process: plan.in_process,
            timeouts: TimeoutsRecord::of(config.timeouts),
            concurrency: config.concurrency,
            patience: config.patience,
        }
    }
}

fn sides(swap: bool) -> &'static str {
    if swap {
        "each opening played twice, with sides swapped"
    } else {
        "--no-swap: each opening played once, so that one bot alone has the better side of it"
    }
}

impl TimeoutsRecord {
    fn of(timeouts: Timeouts) -> TimeoutsRecord {
        TimeoutsRecord {
            connect_ms: milliseconds(timeouts.connect),
            move_ms: milliseconds(timeouts.per_move),
            game_ms: milliseconds(timeouts.per_game),
            run_ms: timeouts.per_run.map(milliseconds),
        }
    }
}

impl BotRecord {
    pub(super) fn all(plan: &TournamentPlan) -> Vec<BotRecord> {
        let participants = plan.participants.iter().enumerate();
        participants
            .map(|(bot, participant)| BotRecord::of(BotId(bot), participant))
            .collect()
    }

    fn of(bot: BotId, participant: &Participant) -> BotRecord {
        BotRecord {
            name: bot.name(),
            spec: participant.player.to_string(),
            label: participant.label(),
            limits: participant.limits,
            seed: (participant.player.spec()).map(|spec| spec.options().seed),
        }
    }
}
