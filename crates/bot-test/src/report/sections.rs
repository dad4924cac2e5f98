//! What of the page is neither a table nor a figure.

use maud::{Markup, html};

use crate::commands::stats::{sample_row, strength_rows};
use crate::standings::BotStanding;
use crate::statistics::{Sample, Strength};
use crate::text::units;
use crate::{TournamentRecord, tables, text};

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

pub(super) fn stages(record: &TournamentRecord) -> Markup {
    html! {
        @if !record.stages.is_empty() {
            section {
                h2 { "Rounds" }
                @for stage in &record.stages {
                    h3 { (stage.name) }
                    ul { @for meeting in &stage.meetings { li { (text::meeting_text(stage, meeting)) } } }
                }
                @if !record.places.is_empty() {
                    h3 { "Places" }
                    (tables::places(record).html("places"))
                }
            }
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
