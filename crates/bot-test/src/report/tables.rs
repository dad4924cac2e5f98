//! The tables of the page.

use std::collections::BTreeMap;

use checkers_lib::Position;
use maud::{Markup, html};

use crate::commands::stats::{sample_row, strength_rows};
use crate::csv::opening_moves;
use crate::standings::BotStanding;
use crate::statistics::{Sample, Strength, Summary, Wdl};
use crate::text::units::{self, Micros, NONE};
use crate::{BotId, BotTimes, GameRecord, TournamentRecord, text};

/// A table that scrolls by itself where the screen is too narrow for it.
pub(super) fn scrolling(name: &str, table: Markup) -> Markup {
    html! { div.scroll tabindex="0" role="region" aria-label=(name) { (table) } }
}

/// A head of columns: those of numbers have a `#` before their name, which is not shown.
fn head(columns: &[&str]) -> Markup {
    html! {
        thead { tr {
            @for column in columns {
                @match column.strip_prefix('#') {
                    Some(name) => th.n scope="col" { (name) },
                    None => th scope="col" { (column) },
                }
            }
        } }
    }
}

fn bot_cell(record: &TournamentRecord, bot: BotId) -> Markup {
    let seed = record.bot(bot).seed;
    html! {
        th scope="row" {
            span.bot { (bot) }
            code.spec {
                (record.bot(bot).label)
                @if let Some(seed) = seed { " (seed " (seed) ")" }
            }
        }
    }
}

/// So many openings are shown.
const OPENINGS: usize = 200;

/// How the games from each opening ended.
pub(super) fn openings(record: &TournamentRecord) -> Markup {
    let mut openings: BTreeMap<u64, (&GameRecord, Wdl)> = BTreeMap::new();
    for (pairing, game) in record.paired_games() {
        let (_, score) = openings
            .entry(pairing.opening)
            .or_insert_with(|| (game, Wdl::default()));
        if let Some(result) = game.score_of(game.seats.white) {
            score.count(result);
        }
    }
    let (all, shown) = (openings.len(), openings.len().min(OPENINGS));
    html! {
        details open[all <= 20] {
            summary {
                @if shown < all { "The first " (shown) " of " (all) " openings" }
                @else { "All " (all) " openings" }
            }
            (scrolling("results by opening", html! {
                table {
                    (head(&["#opening", "moves", "#games", "#White won", "#drawn", "#Black won",
                        "#White's share"]))
                    tbody {
                        @for (number, (game, score)) in openings.iter().take(OPENINGS) {
                            tr {
                                th.n scope="row" { (number) }
                                td.wide { (opening_text(game)) }
                                td.n { (score.games()) } td.n { (score.wins) }
                                td.n { (score.draws) } td.n { (score.losses) }
                                td.n { (units::percent(share(score))) }
                            }
                        }
                    }
                }
            }))
        }
    }
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

fn share(score: &Wdl) -> Option<f64> {
    (score.games() > 0).then(|| 100.0 * score.points() / score.games() as f64)
}

/// The standings. With two bots, their difference is told once, below.
pub(super) fn standings(record: &TournamentRecord) -> Markup {
    let standings = &record.standings;
    let mut columns = vec![
        "#place", "bot", "#points", "#games", "#share", "#won", "#drawn",
    ];
    columns.extend(["#lost", "#void"]);
    columns.extend((record.bots.len() > 2).then_some("Elo"));
    scrolling(
        "standings",
        html! {
            table {
                (head(&columns))
                tbody {
                    @for (place, &bot) in (1..).zip(&standings.ranking) {
                        (standing(record, place, standings.bot(bot)))
                    }
                }
            }
        },
    )
}

fn standing(record: &TournamentRecord, place: usize, bot: &BotStanding) -> Markup {
    let score = bot.score;
    html! {
        tr {
            td.n { (place) } (bot_cell(record, bot.bot))
            td.n { (units::points(bot.points)) } td.n { (bot.games) }
            td.n { (units::percent(bot.percent)) }
            td.n { (score.wins) } td.n { (score.draws) } td.n { (score.losses) }
            td.n { (bot.void) }
            @if record.bots.len() > 2 { td.nowrap { (text::rating(bot)) } }
        }
    }
}

/// How each bot did with each side, and how often it was not the board that decided.
pub(super) fn sides(record: &TournamentRecord) -> Markup {
    let table = scrolling(
        "sides and judgements",
        html! {
            table {
                                (head(&["bot", "#as white", "#as black", "#adjudicated", "#drawn by ply cap",
                    "#forfeited", "#lost on time"]))
                tbody {
                    @for bot in &record.standings.bots {
                        tr {
                            th.nowrap scope="row" { (bot.bot) }
                            td.n { (units::wdl(bot.as_white)) } td.n { (units::wdl(bot.as_black)) }
                            td.n { (units::wdl(bot.adjudicated)) } td.n { (bot.ply_caps) }
                            td.n { (bot.forfeited()) } td.n { (bot.time_losses) }
                        }
                    }
                }
            }
        },
    );
    html! {
        p.note { "With each side, and by adjudication: wins-draws-losses." }
        (table)
    }
}

pub(super) fn strength(record: &TournamentRecord) -> Markup {
    let Some(sample) = &record.standings.sample else {
        return html! {};
    };
    let strength = strength_rows(&Strength::of(sample));
    let rows = [sample_row(sample)].into_iter().chain(strength);
    let trials = match sample {
        Sample::Games(_) => "distinct games",
        Sample::Pairs(_) => "distinct pairs of games",
    };
    html! {
        h2 { "Strength of bot 1 against bot 2" }
        p.soft { "From " (trials) " alone." }
        dl { @for (name, value) in rows { dt { (name) } dd { (value) } } }
    }
}

pub(super) fn sprt(record: &TournamentRecord) -> Markup {
    let Some(sprt) = &record.sprt else {
        return html! {};
    };
    let [test, answer, judged] = text::sprt_lines(sprt);
    html! {
        h2 { "Sequential test" }
        dl { dt { "SPRT" } dd { (test) } dt { "LLR" } dd { (answer) } dt { "judged" } dd { (judged) } }
    }
}

pub(super) fn cross_table(record: &TournamentRecord) -> Markup {
    let ranking = &record.standings.ranking;
    scrolling(
        "cross table",
        html! {
            table.cross {
                                thead { tr {
                    th scope="col" { "bot" }
                    @for opponent in ranking { th.n scope="col" { (opponent) } }
                } }
                tbody {
                    @for &bot in ranking {
                        tr {
                            th.nowrap scope="row" { (bot) }
                            @for &opponent in ranking { (cross_cell(record, bot, opponent)) }
                        }
                    }
                }
            }
        },
    )
}

fn cross_cell(record: &TournamentRecord, bot: BotId, opponent: BotId) -> Markup {
    match record.standings.meeting(bot, opponent) {
        _ if bot == opponent => html! { td.self { "×" } },
        None => html! { td.n { "–" } },
        Some(meeting) => html! {
            td.n {
                (units::points(meeting.games.points())) "/" (meeting.games.games()) br;
                span.soft { (units::wdl(meeting.games)) }
            }
        },
    }
}

pub(super) fn stages(record: &TournamentRecord) -> Markup {
    html! {
        @if !record.stages.is_empty() {
            section {
                h2 { "Rounds" }
                @for stage in &record.stages {
                    h3 { (stage.name) }
                    ul { @for meeting in &stage.meetings { li { (text::meeting_text(stage, meeting)) } } }
                }
                (places(record))
            }
        }
    }
}

/// The places of a Swiss tournament, which count byes and break ties.
fn places(record: &TournamentRecord) -> Markup {
    html! {
        @if !record.places.is_empty() {
            h3 { "Places" }
            (scrolling("places", html! {
                table {
                    (head(&["#place", "bot", "#points", "#Buchholz"]))
                    tbody {
                        @for place in &record.places {
                            tr {
                                td.n { (place.place) } (bot_cell(record, place.bot))
                                td.n { (units::points(place.points)) }
                                td.n { (units::points(place.buchholz)) }
                            }
                        }
                    }
                }
            }))
        }
    }
}

pub(super) fn times(record: &TournamentRecord) -> Markup {
    scrolling(
        "times",
        html! {
            table {
                (head(&["bot", "#moves", "#mean", "#median", "#p95", "#p99", "#max", "#depth",
                    "#nodes", "#nodes/s", "#forced", "#mean of forced", "#by book", "#by tables", "#timed by server"]))
                tbody { @for bot in &record.times { (times_of(record, bot)) } }
            }
            p.soft {
                "Moves with one choice alone, and moves looked up in an opening book or in tables of \
                 endings, are counted in columns of their own and in no other one."
            }
        },
    )
}

fn times_of(record: &TournamentRecord, bot: &BotTimes) -> Markup {
    let time = |pick: &dyn Fn(&Summary) -> f64| {
        let picked = bot
            .time_us
            .as_ref()
            .map(|time| Micros(pick(time)).to_string());
        picked.unwrap_or_else(|| NONE.to_owned())
    };
    html! {
        tr {
            (bot_cell(record, bot.bot))
            td.n { (bot.moves) }
            td.n { (time(&|time| time.mean)) } td.n { (time(&|time| time.median)) }
            td.n { (time(&|time| time.p95 as f64)) } td.n { (time(&|time| time.p99 as f64)) }
            td.n { (time(&|time| time.max as f64)) }
            td.n { (units::number(bot.mean_depth, 1)) } td.n { (units::number(bot.mean_nodes, 0)) }
            td.n { (units::short(bot.nodes_per_second)) }
            td.n { (bot.forced) } td.n { (units::micros(bot.forced_mean_us)) }
            td.n { (bot.from_book) } td.n { (bot.from_tables) }
            td.n { (bot.server_clocked) }
        }
    }
}

pub(super) fn ends(record: &TournamentRecord) -> Markup {
    html! {
        @if record.standings.ends.is_empty() { p.soft { "No games." } }
        @else {
            (scrolling("ends", html! {
                table {
                    (head(&["#games", "end"]))
                    tbody {
                        @for end in &record.standings.ends {
                            tr { td.n { (end.games) } th scope="row" { (end.ending) } }
                        }
                    }
                }
            }))
        }
    }
}

pub(super) fn forfeits(record: &TournamentRecord) -> Markup {
    let bots = record.standings.bots.iter();
    let failed: Vec<&BotStanding> = bots
        .filter(|bot| bot.forfeited() + bot.time_losses > 0)
        .collect();
    html! {
        h2 { "Forfeits and losses on time" }
        @if failed.is_empty() { p { "None." } }
        @for bot in failed {
            h3 { (bot.bot) " " code { (record.bot(bot.bot).label) } }
            ul {
                @if bot.time_losses > 0 {
                    li { "lost " (units::count(bot.time_losses, "game")) " on time" }
                }
                @for forfeit in &bot.forfeits {
                    li {
                        (units::count(forfeit.games, "game")) " (" (forfeit.kind) "): the last time it "
                        (forfeit.last.fault)
                        @if !forfeit.last.stderr.is_empty() {
                            details {
                                summary { "its last words" }
                                pre.scroll tabindex="0" { (forfeit.last.stderr.join("\n")) }
                            }
                        }
                    }
                }
            }
        }
    }
}
