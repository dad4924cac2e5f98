//! Who scored what against whom.

use std::fmt::{self, Write};

use super::table::{Align, Table};
use super::units::{cut, points};
use crate::{BotId, TournamentRecord};

/// How many opponents stand beside each other; more go into a table below.
const OPPONENTS: usize = 12;

/// How much of a bot's spec is shown.
const NAME: usize = 28;

/// Writes the points of each bot against each other one, best bots first.
pub(super) fn write(text: &mut String, record: &TournamentRecord) -> fmt::Result {
    if record.standings.meetings.is_empty() {
        return Ok(());
    }
    writeln!(text, "\npoints against")?;
    let ranking = &record.standings.ranking;
    for (block, opponents) in ranking.chunks(OPPONENTS).enumerate() {
        if block > 0 {
            writeln!(text)?;
        }
        write!(text, "{}", table(record, opponents))?;
    }
    Ok(())
}

fn table(record: &TournamentRecord, opponents: &[BotId]) -> Table {
    let names = [(Align::Left, String::new()), (Align::Left, String::new())];
    let columns = opponents.iter().map(|bot| (Align::Right, short_name(*bot)));
    let mut table = Table::new(names.into_iter().chain(columns));
    for &bot in &record.standings.ranking {
        let names = [short_name(bot), cut(&record.bot(bot).label, NAME)];
        let cells = opponents
            .iter()
            .map(|&opponent| cell(record, bot, opponent));
        table.push(names.into_iter().chain(cells).collect());
    }
    table
}

fn short_name(bot: BotId) -> String {
    format!("b{}", bot.0 + 1)
}

/// `3.5/8`, or what stands for no games.
fn cell(record: &TournamentRecord, bot: BotId, opponent: BotId) -> String {
    match record.standings.meeting(bot, opponent) {
        _ if bot == opponent => "×".to_owned(),
        None => "-".to_owned(),
        Some(meeting) => {
            let games = meeting.games;
            format!("{}/{}", points(games.points()), games.games())
        }
    }
}
