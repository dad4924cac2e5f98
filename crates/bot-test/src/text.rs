//! A tournament as people read it on a terminal.

mod sections;
pub(crate) mod units;

pub(crate) use sections::{
    adjudication, bot_lines, meeting_text, rating, settings_lines, sprt_lines,
};

use std::fmt::{self, Write};

use crate::commands::stats::{write_sample, write_strength};
use crate::standings::Ending;
use crate::statistics::{Sample, Strength};
use crate::{Failure, GameRecord, TournamentRecord, tables};

use units::{count, points};

/// The result of a tournament for the terminal: several lines, the last with its line break.
pub fn summary(record: &TournamentRecord) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = write_summary(&mut text, record);
    text
}

fn write_summary(text: &mut String, record: &TournamentRecord) -> fmt::Result {
    sections::write_bots(text, record)?;
    sections::write_settings(text, &record.settings)?;
    if record.bots.len() == 2 {
        write_score(text, record)?;
    } else {
        write!(text, "\n{}", tables::standings(record).text())?;
        write_cross_tables(text, record)?;
    }
    sections::write_stages(text, &record.stages)?;
    if !record.places.is_empty() {
        write!(text, "\n{}", tables::places(record).text())?;
    }
    write!(text, "\n{}", tables::times(record).text())?;
    sections::write_ends(text, &record.standings.ends)?;
    sections::write_forfeits(text, &record.standings)?;
    if let Some(sample) = &record.standings.sample {
        write_evidence(text, sample)?;
    }
    if let Some(sprt) = &record.sprt {
        sections::write_sprt(text, sprt)?;
    }
    for warning in &record.warnings {
        writeln!(text, "\nwarning: {warning}")?;
    }
    write_failure(text, record)
}

/// The score of two bots, from the first one's side.
fn write_score(text: &mut String, record: &TournamentRecord) -> fmt::Result {
    let Some(first) = record.standings.bots.first() else {
        return Ok(());
    };
    let (score, void) = (first.score, record.standings.evidence.void);
    writeln!(
        text,
        "\nbot 1: {} won, {} lost, {} drawn, {void} void",
        score.wins, score.losses, score.draws
    )?;
    writeln!(
        text,
        "score of bot 1: {} of {} ({}), with white {}, with black {} (wins-draws-losses)",
        points(first.points),
        first.games,
        units::percent(first.percent),
        units::wdl(first.as_white),
        units::wdl(first.as_black),
    )
}

/// How many opponents stand beside each other; more go into a table below.
const OPPONENTS: usize = 12;

/// Writes the points of each bot against each other one, best bots first.
fn write_cross_tables(text: &mut String, record: &TournamentRecord) -> fmt::Result {
    if record.standings.meetings.is_empty() {
        return Ok(());
    }
    let blocks = record.standings.ranking.chunks(OPPONENTS);
    let blocks = blocks.map(|opponents| tables::cross_table(record, opponents).text());
    write!(
        text,
        "\npoints against\n{}",
        blocks.collect::<Vec<_>>().join("\n")
    )
}

/// What the distinct results say about strength; one of them says nothing.
fn write_evidence(text: &mut String, sample: &Sample) -> fmt::Result {
    let trials = match sample {
        Sample::Games(games) => games.games(),
        Sample::Pairs(pairs) => pairs.pairs(),
    };
    if trials == 0 {
        return Ok(());
    }
    writeln!(text, "\ndistinct results, from bot 1's side")?;
    write_sample(text, sample)?;
    write_strength(text, &Strength::of(sample))
}

fn write_failure(text: &mut String, record: &TournamentRecord) -> fmt::Result {
    let games = record.standings.evidence.games;
    let Some(failure) = &record.failure else {
        return match record
            .settings
            .planned_games
            .filter(|&planned| planned > games)
        {
            Some(planned) => writeln!(text, "\nso far {games} of {}", count(planned, "game")),
            None => Ok(()),
        };
    };
    match record.settings.planned_games {
        Some(planned) => writeln!(
            text,
            "\nended after {games} of {}: {failure}",
            count(planned, "game")
        ),
        None => writeln!(text, "\nended after {}: {failure}", count(games, "game")),
    }
}

/// A finished game in one line, without a line break. `games` is how many there are to be.
pub fn game_line(game: &GameRecord, games: Option<u64>) -> String {
    let of = games.map_or_else(String::new, |games| format!(" of {games}"));
    let winner = game
        .winner()
        .map_or_else(String::new, |bot| format!(" ({bot})"));
    format!(
        "game {}{of}: {}{winner}, {} plies",
        game.number,
        Ending::of(game),
        game.moves.len()
    )
}

/// Why a tournament failed, for the terminal: the failure, then the last lines of the failed
/// process.
pub fn complaint(failure: &Failure) -> String {
    let mut text = format!("{failure}\n");
    if !failure.stderr().is_empty() {
        text.push_str("the last lines of its stderr:\n");
    }
    for line in failure.stderr() {
        text.push_str(&format!("  {line}\n"));
    }
    text
}

#[cfg(test)]
mod tests;
