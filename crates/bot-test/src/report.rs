//! A tournament as one page of HTML: with its style, its plots and the script of its board in it,
//! and without anything from outside. Without scripts all but the board is there.
//!
//! Everything is escaped by the template unless it is a constant of this module.

mod figures;
mod sections;
mod viewer;

use std::io;
use std::path::Path;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::files::OutputFile;
use crate::standings::Ending;
use crate::text::units;
use crate::{TournamentRecord, tables, text};

/// The name of the page in its directory.
pub const PAGE: &str = "index.html";

/// How many games, and results of openings, are listed; the JSON document has all of them.
const GAMES: usize = 200;
const OPENINGS: usize = 200;

const STYLE: &str = include_str!("report/style.css");

/// A directory for the page.
#[derive(Clone, Debug)]
pub struct ReportDirectory {
    page: OutputFile,
}

/// Why a page cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// There is no such directory and it cannot be made.
    #[error("cannot make the directory {}", path.display())]
    Directory {
        /// Which.
        path: std::path::PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The page itself.
    #[error("cannot write {}", path.display())]
    Page {
        /// Which.
        path: std::path::PathBuf,
        /// Why not.
        source: io::Error,
    },
}

impl ReportDirectory {
    /// Makes the directory if it is not there, and makes sure that the page can be written.
    ///
    /// # Errors
    /// When either is impossible.
    pub fn prepare(directory: &Path) -> Result<ReportDirectory, ReportError> {
        std::fs::create_dir_all(directory).map_err(|source| ReportError::Directory {
            path: directory.to_owned(),
            source,
        })?;
        let page = OutputFile::prepare(&directory.join(PAGE))?;
        Ok(ReportDirectory { page })
    }

    /// Writes the page, whole or not at all.
    ///
    /// # Errors
    /// When it cannot be written any more.
    pub fn write(&self, record: &TournamentRecord) -> Result<(), ReportError> {
        Ok(self.page.write(page(record).as_bytes())?)
    }
}

impl From<crate::files::FileError> for ReportError {
    fn from(error: crate::files::FileError) -> ReportError {
        ReportError::Page {
            path: error.path,
            source: error.source,
        }
    }
}

pub fn page(record: &TournamentRecord) -> String {
    let title = format!("Bots: {}", record.settings.format);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main {
                    h1 { (title) }
                    (header(record))
                    (results(record))
                    (costs(record))
                    (games(record))
                    (viewer::script())
                }
            }
        }
    };
    page.into_string()
}

fn header(record: &TournamentRecord) -> Markup {
    let games = record.standings.evidence;
    let took = humantime::format_duration(std::time::Duration::from_millis(record.took_ms));
    let pairs = units::count(games.distinct_pairs, "distinct pair");
    let machine = &record.machine;
    html! {
        p {
            strong { (units::count(games.games, "game")) } ", "
            (games.void) " void, " (games.distinct_games) " distinct, " (pairs)
        }
        @if let Some(failure) = &record.failure {
            ul.warnings { li { strong { "Ended early: " } (failure) } }
        }
        @if !record.warnings.is_empty() {
            ul.warnings aria-label="warnings" {
                @for warning in &record.warnings { li { strong { "Warning: " } (warning) } }
            }
        }
        dl {
            @for (name, bot) in text::bot_lines(record) { dt { (name) } dd { (bot) } }
            @for (name, line) in text::settings_lines(&record.settings) { dt { (name) } dd { (line) } }
            dt { "began" } dd { (record.began) ", took " (took) }
            dt { "machine" }
            dd {
                (machine.processor.as_deref().unwrap_or("unknown processor")) ", "
                (units::count(machine.threads as u64, "thread")) ", " (machine.platform)
            }
            dt { "program" } dd { (record.program) }
        }
    }
}

fn results(record: &TournamentRecord) -> Markup {
    html! {
        section {
            h2 { "Standings" }
            (tables::standings(record).html("standings"))
            (sections::strength(record))
            (sections::sprt(record))
        }
        @if record.bots.len() > 2 {
            section {
                h2 { "Scores against each opponent" }
                p.soft { "Points of games of the bot at the left." }
                (tables::cross_table(record, &record.standings.ranking).html("cross table"))
            }
            section {
                h2 { "Elo" }
                (figures::ratings(record))
            }
        }
        (sections::stages(record))
        section {
            h2 { "Results by opening" }
            (openings(record))
        }
    }
}

/// The results by opening.
fn openings(record: &TournamentRecord) -> Markup {
    let (table, all) = tables::openings(record, OPENINGS);
    html! {
        details open[all <= 20] {
            summary {
                @if OPENINGS < all { "The first " (OPENINGS) " of " (all) " openings" }
                @else { "All " (all) " openings" }
            }
            (table.html("results by opening"))
        }
    }
}

fn costs(record: &TournamentRecord) -> Markup {
    html! {
        section {
            h2 { "Time and nodes per move" }
            (tables::times(record).html("times"))
            p.soft {
                "Moves with one choice alone, and moves looked up in an opening book or in tables of \
                 endings, are counted in columns of their own and in no other one."
            }
            div.plots {
                (figures::time(record))
                (figures::nodes(record))
            }
        }
        section {
            h2 { "How games ended" }
            (tables::ends(record).html("ends"))
            p.note { "With each side, and by adjudication: wins-draws-losses." }
            (tables::sides(record).html("sides and judgements"))
            (sections::forfeits(record))
            h2 { "How long games were" }
            (figures::lengths(record))
        }
    }
}

fn games(record: &TournamentRecord) -> Markup {
    let (all, shown) = (record.games.len(), record.games.len().min(GAMES));
    html! {
        section {
            h2 { "Games" }
            details {
                summary {
                    @if shown < all { "The first " (shown) " of " (all) " games" }
                    @else { "All " (all) " games" }
                }
                @if shown < all { p.soft { "The JSON document has all of them, with their moves." } }
                div.games { (viewer::board()) (tables::scrolling("games", html! {
                    table {
                        thead { tr {
                            th.n scope="col" { "game" } th.n scope="col" { "round" }
                            th.n scope="col" { "opening" } th scope="col" { "white" }
                            th scope="col" { "black" } th scope="col" { "end" }
                            th.n scope="col" { "plies" } th scope="col" { "moves" }
                        } }
                        tbody {
                            @for (pairing, game) in record.paired_games().take(GAMES) {
                                tr {
                                    th.n scope="row" { (game.number) }
                                    td.n { (pairing.round) } td.n { (pairing.opening) }
                                    td.nowrap { (game.seats.white) } td.nowrap { (game.seats.black) }
                                    td.wide { (Ending::of(game)) } td.n { (game.moves.len()) }
                                    td.wide { details { summary { "show" } (viewer::game(game)) } }
                                }
                            }
                        }
                    }
                })) }
            }
        }
    }
}

#[cfg(test)]
mod tests;
