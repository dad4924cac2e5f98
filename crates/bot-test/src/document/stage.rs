//! The rounds of a tournament, if its format has rounds, and their winners.

use serde::{Deserialize, Serialize};

use crate::BotId;
use crate::format::{
    Bracket, BracketMeeting, BracketRound, DecidedBy, FormatReport, SwissRound, SwissStanding,
};

/// What people call the last round of a knockout.
const FINAL: &str = "final";

/// A round: of a Swiss tournament, or of a knockout, in which it is also called after what it
/// decides.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Stage {
    /// What people call it: `round 2`, `semi-finals`.
    pub name: String,
    pub meetings: Vec<StageMeeting>,
}

impl Stage {
    /// Whether its winner has won the tournament.
    pub(crate) fn is_final(&self) -> bool {
        self.name == FINAL
    }
}

/// A meeting of two bots in a round, or a bye.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StageMeeting {
    /// The first bot.
    pub bot: BotId,
    /// The other; `None` if there was none for it.
    pub opponent: Option<BotId>,
    /// What each of them scored.
    pub points: [f64; 2],
    /// The bot that advances to the next round, once it is known, in formats where only one
    /// advances.
    pub winner: Option<BotId>,
    /// What else there is to say, such as how a tie was decided.
    pub note: Option<String>,
}

/// Where a bot stands in a Swiss tournament.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Place {
    /// From 1.
    pub place: usize,
    /// Which bot.
    pub bot: BotId,
    /// What it scored, byes included.
    pub points: f64,
    /// What its opponents scored, which decides between bots with the same points.
    pub buchholz: f64,
}

/// The rounds in a report.
pub(crate) fn stages(report: &FormatReport) -> Vec<Stage> {
    match report {
        FormatReport::Knockout(bracket) => knockout(bracket),
        FormatReport::Swiss(table) => table.rounds.iter().map(swiss).collect(),
        FormatReport::Plain | FormatReport::Sprt(_) => Vec::new(),
    }
}

/// The places in a report, the first one first.
pub(crate) fn places(report: &FormatReport) -> Vec<Place> {
    match report {
        FormatReport::Swiss(table) => table.standings.iter().map(place).collect(),
        FormatReport::Knockout(_) | FormatReport::Plain | FormatReport::Sprt(_) => Vec::new(),
    }
}

fn place(standing: &SwissStanding) -> Place {
    Place {
        place: standing.place,
        bot: standing.bot,
        points: standing.points.value(),
        buchholz: standing.buchholz.value(),
    }
}

fn knockout(bracket: &Bracket) -> Vec<Stage> {
    let stage = |round: &BracketRound| Stage {
        name: round_name(round),
        meetings: round.meetings.iter().map(knockout_meeting).collect(),
    };
    bracket.rounds.iter().map(stage).collect()
}

fn round_name(round: &BracketRound) -> String {
    match round.meetings.len() {
        1 => FINAL.to_owned(),
        2 => "semi-finals".to_owned(),
        4 => "quarter-finals".to_owned(),
        _ => format!("round {}", round.round),
    }
}

fn knockout_meeting(meeting: &BracketMeeting) -> StageMeeting {
    let [own, other] = meeting.playoff_points.map(|points| points.value());
    let playoff = format!("{own} : {other} in play-offs");
    let note = meeting
        .advance
        .and_then(|advance| match advance.decided_by {
            DecidedBy::Bye | DecidedBy::Points => None,
            DecidedBy::Playoff => Some(playoff.clone()),
            DecidedBy::Forfeits => Some("level, as the other forfeited more".to_owned()),
            DecidedBy::Seed if meeting.playoffs == 0 => {
                Some("level, as the better seed".to_owned())
            }
            DecidedBy::Seed => Some(format!("{playoff}, as the better seed")),
        });
    StageMeeting {
        bot: meeting.bot,
        opponent: meeting.opponent,
        points: meeting.points.map(|points| points.value()),
        winner: meeting.advance.map(|advance| advance.winner),
        note,
    }
}

fn swiss(round: &SwissRound) -> Stage {
    let met = round.meetings.iter().map(|meeting| StageMeeting {
        bot: meeting.bots[0],
        opponent: Some(meeting.bots[1]),
        points: meeting.points.map(|points| points.value()),
        winner: None,
        note: match (meeting.is_over, meeting.is_rematch) {
            (false, _) => Some("not over".to_owned()),
            (true, true) => Some("they had met before".to_owned()),
            (true, false) => None,
        },
    });
    let bye = round.bye.map(|bot| StageMeeting {
        bot,
        opponent: None,
        points: [0.0; 2],
        winner: None,
        note: None,
    });
    Stage {
        name: format!("round {}", round.round),
        meetings: met.chain(bye).collect(),
    }
}
