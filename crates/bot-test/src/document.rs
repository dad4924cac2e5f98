//! A match on record: everything that was asked for, played and found, as `--json` writes it.

use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use crate::evidence::sample;
use crate::failure::milliseconds;
use crate::statistics::{Numbers, Sample, Strength};
use crate::{BotId, Contestant, Failure, GameRecord, Machine, Plan, Played, Tally, Transport};

/// The version of the JSON document. It grows when a field changes its meaning or goes away, not
/// when one is added.
pub const DOCUMENT_VERSION: u32 = 1;

/// A match on record.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchRecord {
    /// [`DOCUMENT_VERSION`].
    pub version: u32,
    /// The version of this program.
    pub program: String,
    /// Where it was played.
    pub machine: Machine,
    /// When it began: UTC, to the second, as RFC 3339 writes it.
    pub began: String,
    /// How long it took, in milliseconds.
    pub took_ms: u64,
    /// What was asked for.
    pub options: MatchOptions,
    /// What played, in the order of the command line; a [`BotId`] counts in it.
    pub bots: Vec<BotRecord>,
    /// Every game.
    pub games: Vec<GameRecord>,
    /// Why it ended before its last game, if it did.
    pub failure: Option<Failure>,
    /// What the games add up to.
    pub tally: Tally,
    /// What the distinct results say about strength, the first bot's against the second's.
    pub strength: Numbers,
}

/// What was asked for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MatchOptions {
    /// How many games.
    pub games: u32,
    /// Whether the bots changed sides from game to game.
    pub swap: bool,
    /// How many openings there were to begin from; 0 if every game began from the start.
    pub openings: usize,
    /// When games were drawn.
    pub draw_rules: String,
    /// Whether it was played without processes and sockets.
    pub in_process: bool,
    /// For a bot to connect and to sit down, in milliseconds.
    pub connect_timeout_ms: u64,
    /// For a move, in milliseconds.
    pub move_timeout_ms: u64,
    /// For a game, in milliseconds.
    pub game_timeout_ms: u64,
}

/// What played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BotRecord {
    /// The name it played under.
    pub name: String,
    /// Its spec in the canonical form.
    pub spec: String,
    /// The seed of its random choices; `None` for a program that is not ours.
    pub seed: Option<u64>,
}

impl MatchRecord {
    /// Puts on record what came of a plan.
    pub fn new(plan: &Plan, played: Played, began: SystemTime, took: Duration) -> MatchRecord {
        MatchRecord {
            version: DOCUMENT_VERSION,
            program: concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION")).to_owned(),
            machine: Machine::this(),
            began: humantime::format_rfc3339_seconds(began).to_string(),
            took_ms: milliseconds(took),
            options: MatchOptions::of(plan),
            bots: BotId::BOTH
                .map(|bot| BotRecord::of(bot, plan.contestant(bot)))
                .to_vec(),
            tally: Tally::of(&played.games),
            strength: Numbers::new(&Strength::of(&sample(&played.games, plan.swap)), None),
            games: played.games,
            failure: played.failure,
        }
    }

    /// The distinct results.
    pub fn sample(&self) -> Sample {
        sample(&self.games, self.options.swap)
    }

    /// The document as JSON, with a line break at its end.
    pub fn to_json(&self) -> String {
        let json = serde_json::to_string_pretty(self);
        json.expect("numbers, texts and lists of them are always JSON") + "\n"
    }
}

impl MatchOptions {
    fn of(plan: &Plan) -> MatchOptions {
        MatchOptions {
            games: plan.games,
            swap: plan.swap,
            openings: plan.openings.len(),
            draw_rules: plan.draw_rules.to_string(),
            in_process: plan.transport == Transport::InProcess,
            connect_timeout_ms: milliseconds(plan.timeouts.connect),
            move_timeout_ms: milliseconds(plan.timeouts.per_move),
            game_timeout_ms: milliseconds(plan.timeouts.per_game),
        }
    }
}

impl BotRecord {
    fn of(bot: BotId, contestant: &Contestant) -> BotRecord {
        BotRecord {
            name: bot.name(),
            spec: contestant.to_string(),
            seed: match contestant {
                Contestant::Engine(spec) => Some(spec.options().seed),
                Contestant::Foreign(_) => None,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::record;

    #[test]
    fn json_is_read_back_as_it_was() {
        let record = record();
        let json = record.to_json();
        assert_eq!(serde_json::from_str::<MatchRecord>(&json).unwrap(), record);
    }

    #[test]
    fn json_has_everything_under_its_name() {
        let json: serde_json::Value = serde_json::from_str(&record().to_json()).unwrap();
        assert_eq!(json["version"], 1);
        assert_eq!(json["began"], "2001-09-09T01:46:40Z");
        assert_eq!(json["bots"][0]["spec"], "alpha-beta:depth=7");
        assert_eq!(json["bots"][0]["seed"], 0);
        assert_eq!(json["bots"][1]["seed"], serde_json::Value::Null);
        assert_eq!(json["games"][0]["seats"]["white"], 0);
        assert_eq!(json["games"][0]["moves"][0]["move"], "c3-d4");
        assert_eq!(json["games"][0]["moves"][0]["search"]["depth"], 7);
        assert_eq!(json["games"][0]["moves"][1]["clock"], "server");
        assert_eq!(json["failure"]["fault"]["type"], "crashed");
        assert_eq!(json["failure"]["fault"]["exit"]["code"], 3);
        assert_eq!(json["tally"]["wins"], 1);
    }
}
