//! What a journal is the journal of.

use std::fmt;

use checkers_lib::openings::Opening;
use checkers_lib::{Position, UnknownDrawRules};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::Journal;
use crate::format::Format;
use crate::hexadecimal::hexadecimal;
use crate::{Adjudication, Forfeits, Openings, Participant, TournamentPlan, text};

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
    pub settings: JournalSettings,
}

/// A [`TournamentPlan`] as it is written down: all that decides which games a tournament has and
/// what they count, and nothing else.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct JournalSettings {
    /// The tournament format.
    pub format: Format,
    /// The participants, in the canonical form of each.
    #[serde(rename = "entrants")]
    pub participants: Vec<String>,
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
    /// What is asked for.
    pub asked: String,
    /// What was recorded.
    pub recorded: String,
}

impl Header {
    /// The header of a journal that this program begins when it is called with `arguments`.
    pub fn new(plan: &TournamentPlan, arguments: Vec<String>) -> Header {
        Header {
            version: Journal::VERSION,
            program: concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION")).to_owned(),
            arguments,
            settings: JournalSettings::of(plan),
        }
    }
}

impl JournalSettings {
    pub fn of(plan: &TournamentPlan) -> JournalSettings {
        JournalSettings {
            format: plan.format.clone(),
            participants: plan.participants.iter().map(ToString::to_string).collect(),
            swap: plan.swap,
            openings: OpeningsDigest::of(&plan.openings),
            draw_rules: plan.draw_rules.to_string(),
            adjudication: plan.adjudication,
            forfeits: plan.forfeits,
            in_process: plan.in_process,
        }
    }

    /// Whether these are the settings of the recorded tournament but for its length, which is
    /// greater now.
    pub fn extends(&self, recorded: &JournalSettings) -> bool {
        let games_per_pairing = if recorded.swap { 2 } else { 1 };
        let as_recorded = JournalSettings {
            format: recorded.format.clone(),
            ..self.clone()
        };
        as_recorded.difference(recorded).is_none()
            && self.format.extends(&recorded.format, games_per_pairing)
    }

    /// The plan of these settings, for readers of the games that play none: its openings are as
    /// many as there were, but all of them the start position.
    ///
    /// # Errors
    /// What is wrong with settings that no program of this version wrote.
    pub(crate) fn plan(&self) -> Result<TournamentPlan, String> {
        let participants: Result<Vec<Participant>, _> = (self.participants.iter())
            .map(|text| text.parse())
            .collect();
        let start = Opening::new(Position::start());
        Ok(TournamentPlan {
            format: self.format.clone(),
            participants: participants.map_err(|error| error.to_string())?,
            swap: self.swap,
            openings: Openings {
                source: self.openings.source.clone(),
                seed: None,
                list: vec![start; usize::try_from(self.openings.count).unwrap_or(usize::MAX)],
            },
            draw_rules: (self.draw_rules.parse())
                .map_err(|error: UnknownDrawRules| error.to_string())?,
            adjudication: self.adjudication,
            forfeits: self.forfeits,
            in_process: self.in_process,
            keep_lines: false,
        })
    }

    /// The first setting in which the tournament that is asked for is not the recorded one. Where
    /// the openings come from makes no difference if they are the same ones.
    pub fn difference(&self, recorded: &JournalSettings) -> Option<Difference> {
        let mut settings = self.reported().into_iter().zip(recorded.reported());
        let (asked, recorded) = settings.find(|(asked, known)| asked != known)?;
        Some(Difference { asked, recorded })
    }

    /// Each setting, as it stands in a sentence.
    fn reported(&self) -> [String; 8] {
        let openings = &self.openings;
        let either = |is_so, yes: &str, no: &str| if is_so { yes } else { no }.to_owned();
        [
            self.test_text(),
            format!("the bots {}", self.participants.join(", ")),
            either(self.swap, "swapped sides", "no swapped sides"),
            format!(
                "{} openings with the SHA-256 {}",
                openings.count, openings.sha256
            ),
            format!("the draw rules {}", self.draw_rules),
            text::adjudication(&self.adjudication),
            either(
                self.forfeits == Forfeits::Loss,
                "lost games for forfeits",
                "void games for forfeits",
            ),
            either(
                self.in_process,
                "games within this process",
                "games over WebSocket",
            ),
        ]
    }

    /// The format with all of its settings.
    fn test_text(&self) -> String {
        match self.format {
            Format::Sprt { alpha, beta, .. } => {
                format!("a {}, alpha {alpha}, beta {beta}", self.format)
            }
            _ => format!("a {}", self.format),
        }
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
        let Difference { asked, recorded } = self;
        write!(
            f,
            "it has {recorded}, but the command line asks for {asked}"
        )
    }
}
