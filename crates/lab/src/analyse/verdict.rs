//! What was found out about a position: the line of JSON, and what the cache keeps.

use checkers_engine::{Score, SearchAnswer, Variation, win_chance};
use checkers_lib::Game;
use serde::{Deserialize, Serialize};

/// Field names and their order are the command's interface.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct MoveVerdict {
    pub(super) fen: String,
    /// Nothing if the side to move has lost.
    #[serde(rename = "move")]
    pub(super) best: Option<String>,
    #[serde(flatten)]
    pub(super) worth: Worth,
    pub(super) depth: u32,
    pub(super) nodes: u64,
    pub(super) nps: u64,
    pub(super) time_ms: u64,
    pub(super) pv: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) lines: Vec<JudgedLine>,
    /// Whether the search was interrupted.
    #[serde(
        rename = "interrupted",
        default,
        skip_serializing_if = "std::ops::Not::not"
    )]
    pub(super) is_interrupted: bool,
}

/// One of several lines.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct JudgedLine {
    #[serde(flatten)]
    pub(super) worth: Worth,
    pub(super) pv: Vec<String>,
}

/// What something is worth to the side to move.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Worth {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) score: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) win_in: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) loss_in: Option<u32>,
    pub(super) win_chance: f64,
}

impl Worth {
    pub(super) fn of(score: Score) -> Worth {
        let plies = score.plies_to_end();
        Worth {
            score: plies.is_none().then_some(score.value()),
            win_in: plies.filter(|_| score.is_win()),
            loss_in: plies.filter(|_| score.is_loss()),
            // Three digits say all there is to say.
            win_chance: (win_chance(score) * 1e3).round() / 1e3,
        }
    }

    /// The same for the other side.
    pub(super) fn turned(self) -> Worth {
        Worth {
            score: self.score.map(|score| -score),
            win_in: self.loss_in,
            loss_in: self.win_in,
            win_chance: 1.0 - self.win_chance,
        }
    }

    /// For people: `+31`, `win in 5`, or `win` where a table knows that and no more.
    pub(super) fn text(self) -> String {
        match (self.score, self.win_in, self.loss_in) {
            (_, Some(Score::BEYOND..), _) => "win".to_owned(),
            (_, _, Some(Score::BEYOND..)) => "loss".to_owned(),
            (_, Some(plies), _) => format!("win in {plies}"),
            (_, _, Some(plies)) => format!("loss in {plies}"),
            (Some(score), _, _) => format!("{score:+}"),
            (None, None, None) => "0".to_owned(),
        }
    }
}

impl MoveVerdict {
    pub(super) fn new(game: &Game, answer: &SearchAnswer, is_interrupted: bool) -> MoveVerdict {
        let report = &answer.report;
        let lines: Vec<JudgedLine> = report
            .lines
            .iter()
            .map(|line| JudgedLine::new(game, line))
            .collect();
        let seconds = report.time.as_secs_f64();
        let first = lines.first().cloned().unwrap_or(JudgedLine {
            worth: Worth::of(Score::lost_in(0)),
            pv: Vec::new(),
        });
        MoveVerdict {
            fen: game.position().to_string(),
            best: first.pv.first().cloned(),
            worth: first.worth,
            depth: report.depth,
            nodes: report.nodes,
            nps: (report.nodes as f64 / seconds.max(1e-6)) as u64,
            time_ms: report.time.as_millis() as u64,
            pv: first.pv,
            lines: if lines.len() > 1 { lines } else { Vec::new() },
            is_interrupted,
        }
    }

    pub(super) fn to_json(&self) -> String {
        serde_json::to_string(self).expect("texts and numbers can be written")
    }
}

impl JudgedLine {
    fn new(game: &Game, line: &Variation) -> JudgedLine {
        JudgedLine {
            worth: Worth::of(line.score),
            pv: notation(game, line),
        }
    }
}

/// The moves of a line as they are written.
pub(super) fn notation(game: &Game, line: &Variation) -> Vec<String> {
    let mut position = game.position().clone();
    let mut texts = Vec::new();
    for &m in &line.pv {
        texts.push(position.notation(m));
        position.play_unchecked(m);
    }
    texts
}
