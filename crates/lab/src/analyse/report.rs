//! A game, move by move: what each was worth and what would have been better.

use std::io::{self, Write};

use checkers_lib::pdn::{PdnError, PdnGame};
use checkers_lib::{Color, DrawRules, Game};
use serde::Serialize;

use super::graph;
use super::input::describe;
use super::judge::Judge;
use super::verdict::MoveVerdict;
use crate::draft::Draft;
use crate::failure::{LabFailure, talk};

/// How much of the game a move has to cost to be marked, the greatest first.
const MARKS: [(f64, &str); 3] = [(0.2, "??"), (0.1, "?"), (0.05, "?!")];

/// A move of a game with what was found out about it. With `--json` one line each.
#[derive(Serialize)]
struct Judged {
    game: usize,
    ply: usize,
    played: String,
    /// How much less of the game the move is worth than the best one: 0 to 1.
    cost: f64,
    mark: &'static str,
    /// What the position before it was worth, and the best move.
    #[serde(flatten)]
    verdict: MoveVerdict,
}

/// Reports on every game in turn, and draws the first. Returns how many could not be read.
pub(super) fn run(
    judge: &mut Judge,
    games: &[Result<PdnGame, PdnError>],
    json: bool,
    mut plot: Option<Draft>,
) -> Result<usize, LabFailure> {
    let mut output = io::stdout().lock();
    let mut bad = 0;
    for (i, record) in games.iter().enumerate() {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                talk(&format!(
                    "game {}: {}; it is left out",
                    i + 1,
                    describe(error)
                ));
                bad += 1;
                continue;
            }
        };
        let (moves, chances, end) = analyse(judge, record, i + 1);
        if end.is_ok() || !moves.is_empty() {
            for line in lines(record, &moves, json) {
                writeln!(output, "{line}").map_err(LabFailure::Write)?;
            }
            output.flush().map_err(LabFailure::Write)?;
        }
        end?;
        if let Some(plot) = plot.take() {
            plot.commit(&graph::svg(&chances)?)?;
        }
    }
    Ok(bad)
}

/// The moves, White's chance before each and after the last, and whether the game was judged to its end.
fn analyse(
    judge: &mut Judge,
    record: &PdnGame,
    number: usize,
) -> (Vec<Judged>, Vec<f64>, Result<(), LabFailure>) {
    let (mut moves, mut chances) = (Vec::new(), Vec::new());
    let end = judge_all(judge, record, number, &mut moves, &mut chances);
    (moves, chances, end)
}

fn judge_all(
    judge: &mut Judge,
    record: &PdnGame,
    number: usize,
    moves: &mut Vec<Judged>,
    chances: &mut Vec<f64>,
) -> Result<(), LabFailure> {
    let mut game = Game::from_position(record.start().clone(), DrawRules::Fmjd64);
    let mut verdict = ask(judge, &game)?;
    chances.push(whites(&game, &verdict));
    for played in record.moves() {
        let notation = game.position().notation(played.m);
        if let Err(error) = game.play(played.m) {
            talk(&format!(
                "game {number}, ply {}: {error}; the rest is left out",
                moves.len() + 1
            ));
            break;
        }
        let next = ask(judge, &game)?;
        let is_best = verdict.best.as_ref() == Some(&notation);
        let kept = 1.0 - next.worth.win_chance;
        let cost = if is_best {
            0.0
        } else {
            f64::max(0.0, verdict.worth.win_chance - kept)
        };
        let mark = MARKS
            .iter()
            .find(|(least, _)| cost >= *least)
            .map_or("", |(_, mark)| mark);
        chances.push(whites(&game, &next));
        moves.push(Judged {
            game: number,
            ply: moves.len() + 1,
            played: notation,
            cost: (cost * 1e3).round() / 1e3,
            mark,
            verdict: std::mem::replace(&mut verdict, next),
        });
        talk(&format!(
            "game {number}: {}/{} moves",
            moves.len(),
            record.moves().len()
        ));
    }
    Ok(())
}

fn ask(judge: &mut Judge, game: &Game) -> Result<MoveVerdict, LabFailure> {
    let mut verdict = judge.verdict(game, &mut |_, _| Ok(()))?;
    if verdict.is_interrupted {
        return Err(LabFailure::CutShort);
    }
    // A draw by an article has moves on the board and none in the game.
    if game
        .outcome()
        .is_some_and(|outcome| outcome.winner().is_none())
    {
        verdict.worth.win_chance = 0.5;
    }
    Ok(verdict)
}

/// The chance of White.
fn whites(game: &Game, verdict: &MoveVerdict) -> f64 {
    match game.turn() {
        Color::White => verdict.worth.win_chance,
        Color::Black => 1.0 - verdict.worth.win_chance,
    }
}

fn lines(record: &PdnGame, moves: &[Judged], json: bool) -> Vec<String> {
    if json {
        let line = |judged| serde_json::to_string(judged).expect("texts and numbers");
        return moves.iter().map(line).collect();
    }
    let name = |tag| record.tags.get(tag).unwrap_or("?");
    let mut lines = vec![format!(
        "{} - {}  {}",
        name("White"),
        name("Black"),
        record.result
    )];
    let begins = record.start().turn();
    lines.extend(moves.iter().map(|judged| judged.line(begins)));
    lines.push(summary(moves, begins));
    lines
}

impl Judged {
    /// `12. c3-d4?   +120  76.9%  depth 15  cost 14%, better: e3-f4 g7-h6`.
    fn line(&self, begins: Color) -> String {
        let half_moves = self.ply - 1 + usize::from(begins == Color::Black);
        let is_whites = half_moves.is_multiple_of(2);
        let dots = if is_whites { "." } else { "..." };
        let number = format!("{}{dots}", half_moves / 2 + 1);
        let played = format!("{}{}", self.played, self.mark);
        let MoveVerdict {
            worth, pv, depth, ..
        } = &self.verdict;
        let worth = if is_whites { *worth } else { worth.turned() };
        let chance = 100.0 * worth.win_chance;
        let mut line = format!(
            "{number:>6} {played:<14} {:>10} {chance:>5.1}%  depth {depth:>2}",
            worth.text()
        );
        if !self.mark.is_empty() {
            let shown = pv.iter().take(6).cloned().collect::<Vec<_>>().join(" ");
            line.push_str(&format!(
                "  cost {:.0}%, better: {shown}",
                100.0 * self.cost
            ));
        }
        line
    }
}

/// How often each side's moves were marked, and what they cost on average.
fn summary(moves: &[Judged], begins: Color) -> String {
    let side = |color: Color| {
        let first = usize::from(color != begins);
        let own = || moves.iter().skip(first).step_by(2);
        let marks = MARKS.map(|(_, mark)| {
            let count = own().filter(|judged| judged.mark == mark).count();
            format!("{count} {mark}")
        });
        // `sum` makes -0 of nothing.
        let total = own().map(|judged| judged.cost).fold(0.0, |a, b| a + b);
        let mean = 100.0 * total / own().count().max(1) as f64;
        format!("{color}: {}, {mean:.1}% a move", marks.join(", "))
    };
    format!("{}; {}\n", side(Color::White), side(Color::Black))
}
