//! What a journal is the journal of.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::Journal;
use crate::format::Format;
use crate::{Adjudication, Forfeits, Openings, Plan};

/// The first line of a journal.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The version of the journal's form.
    #[serde(rename = "journal")]
    pub version: u32,
    /// The program that began it, with its version, for people.
    pub program: String,
    /// The words of the command line that began it, without the program's name.
    pub arguments: Vec<String>,
    /// What is played.
    pub settings: Settings,
}

/// A [`Plan`] as it is written down: all that decides which games a tournament has and what they
/// count, and nothing else.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// Who is to meet whom.
    pub format: Format,
    /// Who takes part, in the canonical form of each.
    pub entrants: Vec<String>,
    /// Whether each pairing is played twice with sides swapped.
    pub swap: bool,
    /// What the games begin from.
    pub openings: OpeningsDigest,
    /// When games are drawn: the name of the rules.
    pub draw_rules: String,
    /// When games are ended by judgement.
    pub adjudication: Adjudication,
    /// What a forfeited game counts.
    pub forfeits: Forfeits,
    /// Whether the games are played without processes and sockets.
    pub in_process: bool,
}

/// Which openings there are, without all of them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OpeningsDigest {
    /// Where they come from, for people.
    pub source: String,
    /// How many there are.
    pub count: u64,
    /// The SHA-256 of their text, one to a line, in hexadecimal digits.
    pub sha256: String,
}

/// A setting that two tournaments do not have in common.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// What it is called.
    pub setting: &'static str,
    /// What is asked for.
    pub asked: String,
    /// What was recorded.
    pub recorded: String,
}

impl Header {
    /// The header of a journal that this program begins when it is called with `arguments`.
    pub fn new(plan: &Plan, arguments: Vec<String>) -> Header {
        Header {
            version: Journal::VERSION,
            program: concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION")).to_owned(),
            arguments,
            settings: Settings::of(plan),
        }
    }
}

impl Settings {
    /// The settings of a plan.
    pub fn of(plan: &Plan) -> Settings {
        Settings {
            format: plan.format.clone(),
            entrants: plan.entrants.iter().map(ToString::to_string).collect(),
            swap: plan.swap,
            openings: OpeningsDigest::of(&plan.openings),
            draw_rules: plan.draw_rules.to_string(),
            adjudication: plan.adjudication,
            forfeits: plan.forfeits,
            in_process: plan.in_process,
        }
    }

    /// The first setting in which the tournament that is asked for is not the recorded one. Where
    /// the openings come from makes no difference if they are the same ones.
    pub fn difference(&self, recorded: &Settings) -> Option<Difference> {
        let mut settings = self.told().into_iter().zip(recorded.told());
        let ((setting, asked), (_, recorded)) = settings.find(|(asked, known)| asked != known)?;
        Some(Difference {
            setting,
            asked,
            recorded,
        })
    }

    /// Each setting under its name.
    fn told(&self) -> [(&'static str, String); 8] {
        let openings = &self.openings;
        [
            ("format", json(&self.format)),
            ("bots", self.entrants.join(", ")),
            ("swap", self.swap.to_string()),
            (
                "openings",
                format!("{} with SHA-256 {}", openings.count, openings.sha256),
            ),
            ("draw rules", self.draw_rules.clone()),
            ("adjudication", json(&self.adjudication)),
            ("forfeits", json(&self.forfeits)),
            ("in-process", self.in_process.to_string()),
        ]
    }
}

impl OpeningsDigest {
    fn of(openings: &Openings) -> OpeningsDigest {
        let mut hasher = Sha256::new();
        for index in 0..openings.count() {
            hasher.update(format!("{}\n", openings.get(index)));
        }
        OpeningsDigest {
            source: openings.source.clone(),
            count: openings.count(),
            sha256: hexadecimal(&hasher.finalize()),
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference {
            setting,
            asked,
            recorded,
        } = self;
        write!(f, "{setting}: asked for {asked}, recorded {recorded}")
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("settings have a JSON form")
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
