//! The parts of the summary.

use std::fmt::{self, Write};

use super::units::{self, count, points};
use crate::document::{DocumentSettings, SprtRecord, Stage, StageMeeting};
use crate::standings::{BotStanding, EndCount};
use crate::{Adjudication, Forfeits, Standings, TournamentRecord};

pub(super) fn write_bots(text: &mut String, record: &TournamentRecord) -> fmt::Result {
    let width = format!("bot {}", record.bots.len()).len();
    for (name, bot) in bot_lines(record) {
        writeln!(text, "{name:<width$}  {bot}")?;
    }
    Ok(())
}

/// Each bot's name and description.
pub(crate) fn bot_lines(record: &TournamentRecord) -> impl Iterator<Item = (String, String)> {
    (1..).zip(&record.bots).map(|(number, bot)| {
        let seed = bot.seed.map(|seed| format!(" (seed {seed})"));
        let label = format!("{}{}", bot.label, seed.unwrap_or_default());
        (format!("bot {number}"), label)
    })
}

/// What was asked for.
pub(super) fn write_settings(text: &mut String, settings: &DocumentSettings) -> fmt::Result {
    for (_, line) in settings_lines(settings) {
        writeln!(text, "{line}")?;
    }
    Ok(())
}

/// What was asked for: what each line is about, and the line.
pub(crate) fn settings_lines(settings: &DocumentSettings) -> [(&'static str, String); 4] {
    let how = if settings.in_process {
        "in process"
    } else {
        "over WebSocket"
    };
    let openings = &settings.openings;
    let forfeits = match settings.forfeits {
        Forfeits::Loss => "a forfeited game is lost",
        Forfeits::Void => "a forfeited game is void",
    };
    let played = format!(
        "{}, draw rules {}, {how}, {} at a time",
        settings.format,
        settings.draw_rules,
        count(settings.concurrency as u64, "pairing")
    );
    let from = format!(
        "{} from {}",
        count(openings.count, "opening"),
        openings.source
    );
    [
        ("format", played),
        ("openings", from),
        ("sides", settings.sides.clone()),
        (
            "rulings",
            format!("{forfeits}; {}", adjudication(&settings.adjudication)),
        ),
    ]
}

/// When games are ended by judgement.
pub(crate) fn adjudication(rules: &Adjudication) -> String {
    let draw = rules.draw.map(|draw| {
        format!(
            "adjudicated as draws from move {} after {} of both within ±{}",
            draw.move_number,
            count(draw.move_count.into(), "move"),
            draw.score
        )
    });
    let win = rules.resign.map(|resign| {
        let agreed = if resign.two_sided {
            ", both bots agreeing"
        } else {
            ""
        };
        format!(
            "adjudicated as wins after {} beyond ±{}{agreed}",
            count(resign.move_count.into(), "move"),
            resign.score
        )
    });
    let tables = (rules.tablebase).then(|| "ended by endgame tablebases".to_owned());
    let cap = (rules.max_plies).map(|plies| format!("drawn after {}", plies_text(plies)));
    let rules: Vec<String> = [tables, draw, win, cap].into_iter().flatten().collect();
    if rules.is_empty() {
        return "no adjudication".to_owned();
    }
    format!("games are {}", rules.join(", "))
}

fn plies_text(plies: u32) -> String {
    if plies == 1 {
        "1 ply".to_owned()
    } else {
        format!("{plies} plies")
    }
}

/// A bot's rating for people, with the word for the one all others are measured by.
pub(crate) fn rating(bot: &BotStanding) -> String {
    match bot.rating {
        Some(_) if bot.bot == crate::BotId::FIRST => "0 (by definition)".to_owned(),
        rating => units::rating(rating, bot.unrated),
    }
}

pub(super) fn write_stages(text: &mut String, stages: &[Stage]) -> fmt::Result {
    for stage in stages {
        writeln!(text, "\n{}", stage.name)?;
        for meeting in &stage.meetings {
            writeln!(text, "  {}", meeting_text(stage, meeting))?;
        }
    }
    Ok(())
}

/// `bot 1 3.0 : 1.0 bot 2, bot 1 goes on`, or in the final `bot 1 wins the tournament`.
pub(crate) fn meeting_text(stage: &Stage, meeting: &StageMeeting) -> String {
    let [own, other] = meeting.points.map(points);
    let met = match meeting.opponent {
        Some(opponent) => format!("{} {own} : {other} {opponent}", meeting.bot),
        None => format!("{} has a bye", meeting.bot),
    };
    let what = if stage.is_final() {
        "wins the tournament"
    } else {
        "goes on"
    };
    let winner = (meeting.winner).map(|winner| format!("{winner} {what}"));
    let parts = [Some(met), winner, meeting.note.clone()];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

pub(super) fn write_ends(text: &mut String, ends: &[EndCount]) -> fmt::Result {
    if !ends.is_empty() {
        writeln!(text)?;
    }
    for end in ends {
        writeln!(text, "{:>6}  {}", end.games, end.ending)?;
    }
    Ok(())
}

/// How often each bot failed in which way; nothing without failures.
pub(super) fn write_forfeits(text: &mut String, standings: &Standings) -> fmt::Result {
    let failed = |bot: &&BotStanding| bot.forfeited() + bot.time_losses > 0;
    let mut bots = standings.bots.iter().filter(failed).peekable();
    if bots.peek().is_some() {
        writeln!(text)?;
    }
    for bot in bots {
        writeln!(text, "{} {}", bot.bot, failures(bot))?;
        for forfeit in bot
            .forfeits
            .iter()
            .filter(|forfeit| !forfeit.last.stderr.is_empty())
        {
            writeln!(text, "  the last lines of its stderr ({}):", forfeit.kind)?;
            for line in &forfeit.last.stderr {
                writeln!(text, "    {line}")?;
            }
        }
    }
    Ok(())
}

/// `forfeited 3 games (2 crashed, 1 timed out), lost 1 game on time`.
fn failures(bot: &BotStanding) -> String {
    let kinds: Vec<String> = (bot.forfeits.iter())
        .map(|forfeit| format!("{} {}", forfeit.games, forfeit.kind))
        .collect();
    let forfeits = (!kinds.is_empty()).then(|| {
        format!(
            "forfeited {} ({})",
            count(bot.forfeited(), "game"),
            kinds.join(", ")
        )
    });
    let times =
        (bot.time_losses > 0).then(|| format!("lost {} on time", count(bot.time_losses, "game")));
    let parts: Vec<String> = [forfeits, times].into_iter().flatten().collect();
    parts.join(", ")
}

pub(super) fn write_sprt(text: &mut String, sprt: &SprtRecord) -> fmt::Result {
    let [test, answer, judged] = sprt_lines(sprt);
    writeln!(text, "\n{:<16}{test}\n{:<16}{answer}", "SPRT", "LLR")?;
    writeln!(text, "{:<16}{judged}", "judged")
}

/// The test, what it says, and of what.
pub(crate) fn sprt_lines(sprt: &SprtRecord) -> [String; 3] {
    let (model, [h0, h1], alpha, beta) = (sprt.model, sprt.elo, sprt.alpha, sprt.beta);
    let (llr, lower, upper) = (sprt.llr, sprt.bounds.lower, sprt.bounds.upper);
    [
        format!("{model} Elo, H0 {h0:+}, H1 {h1:+}, alpha {alpha}, beta {beta}"),
        format!(
            "{llr:.3}, bounds {lower:.3} and {upper:.3}: {}",
            sprt.decision
        ),
        format!(
            "{}, of which {} no news",
            count(sprt.judged, "pairing"),
            match sprt.repeats {
                1 => "1 was".to_owned(),
                repeats => format!("{repeats} were"),
            }
        ),
    ]
}
