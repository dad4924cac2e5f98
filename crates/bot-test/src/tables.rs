//! The tables of a tournament, on a terminal and on the page.

use std::collections::BTreeMap;

use checkers_lib::Position;
use comfy_table::CellAlignment::{self, Left, Right};
use comfy_table::presets::NOTHING;
use maud::{Markup, html};

use crate::csv::opening_moves;
use crate::standings::BotStanding;
use crate::statistics::{Summary, Wdl};
use crate::text::units::{self, Micros, NONE, cut, points};
use crate::{BotId, BotTimes, GameRecord, TournamentRecord, text};

/// Rows of cells below the names of their columns.
pub(crate) struct TextTable {
    columns: Vec<(CellAlignment, String)>,
    rows: Vec<Vec<String>>,
}

impl TextTable {
    fn new(
        columns: impl IntoIterator<Item = (CellAlignment, impl Into<String>)>,
        rows: impl IntoIterator<Item = Vec<String>>,
    ) -> TextTable {
        let columns = columns.into_iter();
        TextTable {
            columns: columns.map(|(align, name)| (align, name.into())).collect(),
            rows: rows.into_iter().collect(),
        }
    }

    /// Lines of text without frames, the last with its line break.
    pub(crate) fn text(&self) -> String {
        let mut table = comfy_table::Table::new();
        table.load_style(NOTHING);
        table.set_header(self.columns.iter().map(|(_, name)| name));
        table.add_rows(&self.rows);
        for (column, &(align, _)) in table.column_iter_mut().zip(&self.columns) {
            column.set_padding((0, 2)).set_cell_alignment(align);
        }
        table.trim_fmt() + "\n"
    }

    /// A table that scrolls by itself where the screen is too narrow for it. The first cell names
    /// its row.
    pub(crate) fn html(&self, name: &str) -> Markup {
        let class = |column: usize| match self.columns[column].0 {
            Right => "n",
            Left | CellAlignment::Center if column == 0 => "nowrap",
            Left | CellAlignment::Center => "wide",
        };
        scrolling(
            name,
            html! {
                table {
                    thead { tr {
                        @for (column, (_, name)) in self.columns.iter().enumerate() {
                            th class=(class(column)) scope="col" { (name) }
                        }
                    } }
                    tbody {
                        @for row in &self.rows {
                            tr {
                                @for (column, cell) in row.iter().enumerate() {
                                    @if column == 0 { th class=(class(column)) scope="row" { (cell) } }
                                    @else { td class=(class(column)) { (cell) } }
                                }
                            }
                        }
                    }
                }
            },
        )
    }
}

/// Something wide that scrolls by itself.
pub(crate) fn scrolling(name: &str, content: Markup) -> Markup {
    html! { div.scroll tabindex="0" role="region" aria-label=(name) { (content) } }
}

/// How much of a bot's label is shown.
const STANDING_LABEL: usize = 34;
const CROSS_LABEL: usize = 28;

/// The score of each bot.
pub(crate) fn standings(record: &TournamentRecord) -> TextTable {
    let columns = [
        (Right, "#"),
        (Left, "bot"),
        (Right, "points"),
        (Right, "games"),
        (Right, "%"),
        (Right, "won"),
        (Right, "drawn"),
        (Right, "lost"),
        (Right, "void"),
        (Left, "Elo from distinct results"),
    ];
    let row = |(place, &bot): (usize, &BotId)| {
        let standing = record.standings.bot(bot);
        let label = cut(&record.bot(bot).label, STANDING_LABEL);
        vec![
            place.to_string(),
            format!("{bot} {label}"),
            points(standing.points),
            standing.games.to_string(),
            units::number(standing.percent, 1),
            standing.score.wins.to_string(),
            standing.score.draws.to_string(),
            standing.score.losses.to_string(),
            standing.void.to_string(),
            text::rating(standing),
        ]
    };
    TextTable::new(columns, (1..).zip(&record.standings.ranking).map(row))
}

/// The scores against these opponents, the best bots first.
pub(crate) fn cross_table(record: &TournamentRecord, opponents: &[BotId]) -> TextTable {
    let short = |bot: BotId| format!("b{}", bot.0 + 1);
    let names = [(Left, String::new()), (Left, String::new())].into_iter();
    let columns = names.chain(opponents.iter().map(|&bot| (Right, short(bot))));
    let row = |&bot: &BotId| {
        let names = [short(bot), cut(&record.bot(bot).label, CROSS_LABEL)].into_iter();
        let cells = opponents
            .iter()
            .map(|&opponent| cross_cell(record, bot, opponent));
        names.chain(cells).collect()
    };
    TextTable::new(columns, record.standings.ranking.iter().map(row))
}

/// A score such as `3.5/8`, or a sign for no games.
fn cross_cell(record: &TournamentRecord, bot: BotId, opponent: BotId) -> String {
    match record.standings.meeting(bot, opponent) {
        _ if bot == opponent => "×".to_owned(),
        None => "-".to_owned(),
        Some(meeting) => {
            let games = meeting.games;
            format!("{}/{}", points(games.points()), games.games())
        }
    }
}

/// The places of a Swiss tournament, which count byes and break ties.
pub(crate) fn places(record: &TournamentRecord) -> TextTable {
    let columns = [
        (Right, "place"),
        (Left, "bot"),
        (Right, "points"),
        (Right, "Buchholz"),
    ];
    let rows = record.places.iter().map(|place| {
        vec![
            place.place.to_string(),
            place.bot.to_string(),
            points(place.points),
            points(place.buchholz),
        ]
    });
    TextTable::new(columns, rows)
}

/// What the moves of each bot cost.
pub(crate) fn times(record: &TournamentRecord) -> TextTable {
    let times = &record.times;
    let columns = [
        "moves",
        "mean",
        "median",
        "p95",
        "p99",
        "max",
        "depth",
        "nodes",
        "nodes/s",
        "forced",
        "forced mean",
    ];
    // Few bots look moves up.
    type Count = fn(&BotTimes) -> usize;
    let looked_up: [(&str, Count); 2] = [
        ("book", |bot| bot.from_book),
        ("tables", |bot| bot.from_tables),
    ];
    let looked_up: Vec<_> = (looked_up.into_iter())
        .filter(|(_, number)| times.iter().any(|bot| number(bot) > 0))
        .collect();
    let columns = columns
        .into_iter()
        .chain(looked_up.iter().map(|&(name, _)| name));
    let columns = [(Left, "time per move")]
        .into_iter()
        .chain(columns.map(|name| (Right, name)));
    let row = |bot: &BotTimes| {
        let numbers = looked_up.iter().map(|(_, number)| number(bot).to_string());
        times_row(bot).into_iter().chain(numbers).collect()
    };
    TextTable::new(columns, times.iter().map(row))
}

fn times_row(bot: &BotTimes) -> Vec<String> {
    let time = |pick: &dyn Fn(&Summary) -> f64| {
        let picked = bot
            .time_us
            .as_ref()
            .map(|time| Micros(pick(time)).to_string());
        picked.unwrap_or_else(|| NONE.to_owned())
    };
    vec![
        bot.bot.to_string(),
        bot.moves.to_string(),
        time(&|time| time.mean),
        time(&|time| time.median),
        time(&|time| time.p95 as f64),
        time(&|time| time.p99 as f64),
        time(&|time| time.max as f64),
        units::number(bot.mean_depth, 1),
        units::number(bot.mean_nodes, 0),
        units::short(bot.nodes_per_second),
        bot.forced.to_string(),
        units::micros(bot.forced_mean_us),
    ]
}

/// How often games ended in which way.
pub(crate) fn ends(record: &TournamentRecord) -> TextTable {
    let rows = record.standings.ends.iter();
    let rows = rows.map(|end| vec![end.games.to_string(), end.ending.to_string()]);
    TextTable::new([(Right, "games"), (Left, "end")], rows)
}

/// How each bot did with each side, and how often it was not the board that decided.
pub(crate) fn sides(record: &TournamentRecord) -> TextTable {
    let columns = [
        (Left, "bot"),
        (Right, "as white"),
        (Right, "as black"),
        (Right, "adjudicated"),
        (Right, "drawn by ply cap"),
        (Right, "forfeited"),
        (Right, "lost on time"),
    ];
    let row = |bot: &BotStanding| {
        vec![
            bot.bot.to_string(),
            units::wdl(bot.as_white),
            units::wdl(bot.as_black),
            units::wdl(bot.adjudicated),
            bot.ply_caps.to_string(),
            bot.forfeited().to_string(),
            bot.time_losses.to_string(),
        ]
    };
    TextTable::new(columns, record.standings.bots.iter().map(row))
}

/// The results by opening, for at most `most` openings, and the number of all openings.
pub(crate) fn openings(record: &TournamentRecord, most: usize) -> (TextTable, usize) {
    let mut openings: BTreeMap<u64, (&GameRecord, Wdl)> = BTreeMap::new();
    for (pairing, game) in record.paired_games() {
        let (_, score) = openings
            .entry(pairing.opening)
            .or_insert_with(|| (game, Wdl::default()));
        if let Some(result) = game.score_of(game.seats.white) {
            score.count(result);
        }
    }
    let columns = [
        (Right, "opening"),
        (Left, "moves"),
        (Right, "games"),
        (Right, "White won"),
        (Right, "drawn"),
        (Right, "Black won"),
        (Right, "White's share"),
    ];
    let row = |(number, (game, score)): (&u64, &(&GameRecord, Wdl))| {
        let games = score.games();
        let share = (games > 0).then(|| 100.0 * score.points() / games as f64);
        vec![
            number.to_string(),
            opening_text(game),
            games.to_string(),
            score.wins.to_string(),
            score.draws.to_string(),
            score.losses.to_string(),
            units::percent(share),
        ]
    };
    let table = TextTable::new(columns, openings.iter().take(most).map(row));
    (table, openings.len())
}

/// The moves of the opening, or the position if it has none.
fn opening_text(game: &GameRecord) -> String {
    let moves = opening_moves(game);
    match moves.is_empty() {
        true if game.start == Position::start() => "the start".to_owned(),
        true => game.start.to_string(),
        false => moves,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_text_are_as_wide_as_their_widest_cell() {
        let columns = [(Left, "bot"), (Right, "µs"), (Left, "")];
        let rows = [["a", "1234", "x"], ["long", "1", ""]];
        let table = TextTable::new(columns, rows.map(|row| row.map(str::to_owned).to_vec()));
        assert_eq!(table.text(), "bot     µs\na     1234  x\nlong     1\n");
    }
}
